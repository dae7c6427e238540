//! Searches that stream reports: their options and the reports, in the format of
//! KataGo's `kata-analyze`. Moves are whole turns, or points for KataGo's own
//! commands.

use std::collections::HashSet;
use std::fmt::Write;
use std::iter::Peekable;
use std::sync::Arc;
use std::time::Duration;

use super::args::{self, Args};
use super::game;
use crate::analysis::points::{self, PointNames};
use crate::board::{Cell, Cells, Size};
use crate::clock::Seconds;
use crate::engine::{
    Analysis, AnalysisRequest, Answer, Bounds, Candidate, NothingToAnalyze, Ownership,
};
use crate::game::{Color, Move, Position, Value};
use crate::gtp::error::CommandError;
use crate::gtp::frame::{Stream, fixed};
use crate::gtp::session::Session;
use crate::gtp::single_points;

/// Usage of `ponte-analyze`.
pub(super) const ANALYZE: &str = "ponte-analyze [COLOR] [CS] [interval CS] [minmoves N] \
     [maxmoves N] [avoid M,..] [allow M,..] [ownership true|false] [rootInfo true|false] \
     [pvVisits true|false]";

/// Usage of `ponte-genmove_analyze`.
pub(super) const GENMOVE_ANALYZE: &str = "ponte-genmove_analyze COLOR [CS] [interval CS] ...";

/// Usage of `kata-analyze`.
pub(super) const KATA_ANALYZE: &str =
    "kata-analyze [COLOR] [CS] [interval CS] [avoid COLOR POINT,.. DEPTH] ...";

/// Usage of `kata-genmove_analyze`.
pub(super) const KATA_GENMOVE_ANALYZE: &str =
    "kata-genmove_analyze COLOR [CS] [interval CS] [avoid COLOR POINT,.. DEPTH] ...";

/// Analyses until more input arrives. If no input is read meanwhile, the
/// limits of `genmove` apply.
pub(super) fn analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    stream_analysis(session, args, stream, None)
}

/// Analyses like `ponte-analyze`, with points for moves.
pub(super) fn kata_analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let names = single_points::names(session);
    stream_analysis(session, args, stream, Some(names))
}

fn stream_analysis(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
    names: Option<PointNames>,
) -> Result<(), CommandError> {
    let position = *session.engine.position();
    position.check_turn(position.side())?;
    let mut words = args.words().peekable();
    if let Some(color) = words.peek().and_then(|word| args::color(word).ok()) {
        position.check_turn(color)?;
        words.next();
    }
    let options = ReportOptions::parse(words, &position, names)?;
    stream.begin();
    let stop = session.input.as_ref().unwrap_or(&session.stop);
    let (stop, is_endless) = (Arc::clone(stop), session.input.is_some());
    let analysis =
        session.engine.analyze(&options.request, is_endless, &stop, &mut |analysis| {
            stream.report(&options.report(analysis), &stop);
        })?;
    stream.line(&options.report(&analysis));
    stream.stay_open();
    Ok(())
}

/// Searches and plays like `genmove`, and streams reports.
pub(super) fn genmove_analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let (color, options) = genmove_options(session, args, None)?;
    stream.begin();
    let answer = stream_genmove(session, color, &options, stream)?;
    stream.line(&format!("play {}", game::text(answer)));
    Ok(())
}

/// Searches and plays the next point, and streams reports. Switches the
/// single-point mode on.
pub(super) fn kata_genmove_analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let names = single_points::names(session);
    let (color, options) = genmove_options(session, args, Some(names))?;
    if !session.points.is_on() {
        session.points.set(true);
    }
    stream.begin();
    // The options already restrict the search to turns that complete this one.
    let search = |session: &mut Session, _| stream_genmove(session, color, &options, stream);
    let point = single_points::genmove(session, color, &options.names(), search)?;
    stream.line(&format!("play {point}"));
    Ok(())
}

fn genmove_options(
    session: &Session,
    args: Args,
    names: Option<PointNames>,
) -> Result<(Color, ReportOptions), CommandError> {
    let position = session.engine.position();
    let mut words = args.words();
    let color = args::color(words.next().ok_or_else(|| args.usage_error())?)?;
    position.check_turn(color)?;
    Ok((color, ReportOptions::parse(words, position, names)?))
}

fn stream_genmove(
    session: &mut Session,
    color: Color,
    options: &ReportOptions,
    stream: &mut Stream<'_>,
) -> Result<Answer, CommandError> {
    let stop = Arc::clone(&session.stop);
    let mut report = |analysis: &Analysis| stream.report(&options.report(analysis), &stop);
    let (answer, analysis) =
        session.engine.genmove_analyze(color, &options.request, &stop, &mut report)?;
    stream.line(&options.report(&analysis));
    Ok(answer)
}

/// Usage of the keys.
const KEYS: &str = "[interval CS] [minmoves N] [maxmoves N] [avoid M,..] \
     [allow M,..] [ownership true|false] [rootInfo true|false] [pvVisits true|false]";

/// What to analyse and what to report.
#[derive(Clone, Debug)]
struct ReportOptions {
    position: Position,
    /// The request to the engine.
    request: AnalysisRequest,
    /// Fill up with unsearched legal moves to this number.
    min_moves: usize,
    max_moves: usize,
    has_root: bool,
    has_line_visits: bool,
    /// How turns are named by points; `None` if moves are whole turns.
    names: Option<PointNames>,
    /// The points to avoid and those to allow.
    avoided: Points,
    allowed: Option<Points>,
}

/// Points, and perhaps `pass`, which also stands for a swap.
#[derive(Clone, Copy, Debug, Default)]
struct Points {
    cells: Cells,
    has_pass: bool,
}

impl ReportOptions {
    /// The default interval between reports.
    const INTERVAL: Duration = Duration::from_secs(1);

    /// Parses keys with their values. An interval may come first without its
    /// key. With `names`, moves are points.
    fn parse<'a>(
        words: impl Iterator<Item = &'a str>,
        position: &Position,
        names: Option<PointNames>,
    ) -> Result<ReportOptions, CommandError> {
        let mut words = words.peekable();
        let mut options = ReportOptions {
            position: *position,
            request: AnalysisRequest {
                interval: Some(Self::INTERVAL),
                ..AnalysisRequest::default()
            },
            min_moves: 0,
            max_moves: usize::MAX,
            has_root: false,
            has_line_visits: false,
            names,
            avoided: Points::default(),
            allowed: None,
        };
        if words.peek().is_some_and(|word| word.parse::<f64>().is_ok()) {
            options.set("interval", &mut words)?;
        }
        while let Some(key) = words.next() {
            options.set(key, &mut words)?;
        }
        options.take_points()?;
        let request = &options.request;
        if !request.permits_any(position) {
            return Err(NothingToAnalyze::NoMoveLeft.into());
        }
        Ok(options)
    }

    /// The names of turns by points, empty if moves are whole turns.
    fn names(&self) -> PointNames {
        self.names.clone().unwrap_or_default()
    }

    /// Turns the points to avoid and to allow into turns, which are listed once.
    fn take_points(&mut self) -> Result<(), CommandError> {
        let Some(names) = &mut self.names else { return Ok(()) };
        let has_points = self.allowed.is_some() || !self.avoided.is_empty();
        if !has_points && !names.is_begun() {
            return Ok(());
        }
        let (request, turns) = (&mut self.request, names.turns(&self.position));
        request.avoid = turns.iter().copied().filter(|&mv| self.avoided.have(mv)).collect();
        if let Some(allowed) = self.allowed {
            names.prefer(allowed.cells);
            request.allow = turns.into_iter().filter(|&mv| allowed.have(mv)).collect();
            if request.allow.is_empty() {
                let text = "no legal turn has one of the points to allow".to_owned();
                return Err(CommandError::Syntax(text));
            }
        } else if names.is_begun() {
            request.allow = turns;
        }
        Ok(())
    }

    fn set<'a>(
        &mut self,
        key: &str,
        words: &mut Peekable<impl Iterator<Item = &'a str>>,
    ) -> Result<(), CommandError> {
        let mut value =
            || words.next().ok_or_else(|| CommandError::Syntax(format!("'{key}' needs a value")));
        let request = &mut self.request;
        let key = key.to_ascii_lowercase();
        if let ("avoid" | "allow", true) = (key.as_str(), self.names.is_some()) {
            let [color, list, depth] = [value()?, value()?, value()?];
            let points = Points::parse(list)?;
            let is_now = args::color(color)? == self.position.side();
            match key.as_str() {
                _ if args::whole::<u32>(depth)? == 0 || !is_now => {}
                "avoid" => self.avoided.add(points),
                _ => self.allowed.get_or_insert_default().add(points),
            }
            return Ok(());
        }
        match key.as_str() {
            "interval" => request.interval = Some(centiseconds(value()?)?),
            "minmoves" => self.min_moves = args::whole(value()?)?,
            "maxmoves" => self.max_moves = args::whole::<usize>(value()?)?.max(1),
            "avoid" => request.avoid.extend(moves(value()?, &self.position)?),
            "allow" => request.allow.extend(moves(value()?, &self.position)?),
            "ownership" => request.ownership = truth(value()?)?,
            "rootinfo" => self.has_root = truth(value()?)?,
            "pvvisits" => self.has_line_visits = truth(value()?)?,
            _ => return Err(CommandError::Syntax(format!("'{key}' is not a key: {KEYS}"))),
        }
        Ok(())
    }

    /// Formats a report, one line.
    fn report(&self, analysis: &Analysis) -> String {
        let mover = analysis.mover;
        let mut line = String::new();
        let candidates = analysis.candidates.iter().cloned().chain(self.unseen(analysis));
        let candidates = match &self.names {
            Some(names) => names.merge(candidates),
            None => candidates.collect(),
        };
        for (order, candidate) in candidates.iter().take(self.max_moves).enumerate() {
            let separator = if order == 0 { "" } else { " " };
            let _ = write!(line, "{separator}{}", self.info(candidate, order, mover));
        }
        if self.has_root {
            let (visits, winrate) = (analysis.visits, fixed(analysis.winrate, 4));
            let lead = fixed(analysis.lead, 2);
            let proved = proved(analysis.bounds, mover);
            let _ = write!(
                line,
                " rootInfo visits {visits} winrate {winrate} scoreLead {lead}{proved}"
            );
        }
        if let Some(ownership) = &analysis.ownership {
            line += &cell_owners(ownership, mover, self.position.size());
            if self.names.is_none() {
                line += &bridge_owners(ownership, mover);
            }
        }
        line
    }

    /// Formats one move.
    fn info(&self, candidate: &Candidate, order: usize, mover: Color) -> String {
        let Candidate { mv, visits, line, line_visits, .. } = candidate;
        let (name, (line, line_visits)) = match &self.names {
            Some(names) => (names.name(*mv), names.line(line, line_visits)),
            None => {
                (mv.to_string(), (line.iter().map(Move::to_string).collect(), line_visits.clone()))
            }
        };
        let mut text = format!(
            "info move {name} visits {visits} winrate {} scoreLead {} prior {} lcb {}{} order {order} pv {}",
            fixed(candidate.winrate, 4),
            fixed(candidate.lead, 2),
            fixed(candidate.prior, 4),
            fixed(candidate.lcb, 4),
            proved(candidate.bounds, mover),
            line.join(" "),
        );
        if self.has_line_visits {
            text += " pvVisits ";
            text += &line_visits.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        }
        text
    }

    /// Unsearched moves, to fill up to `min_moves`.
    fn unseen(&self, analysis: &Analysis) -> Vec<Candidate> {
        let missing = self.min_moves.min(self.max_moves).saturating_sub(analysis.candidates.len());
        if missing == 0 {
            return Vec::new();
        }
        let seen: HashSet<Move> = analysis.candidates.iter().map(|seen| seen.mv).collect();
        let wanted = |mv: &Move| self.request.permits(*mv) && !seen.contains(mv);
        let unseen = self.position.moves().into_iter().filter(wanted).take(missing);
        unseen
            .map(|mv| Candidate {
                mv,
                visits: 0,
                winrate: analysis.winrate,
                lead: analysis.lead,
                prior: 0.0,
                lcb: 0.0,
                bounds: Bounds::UNKNOWN,
                line: vec![mv],
                line_visits: vec![0],
            })
            .collect()
    }
}

/// The proved result and the proved bounds of the lead, for example
/// ` proved win scoreMin 1.00`.
fn proved(bounds: Bounds, mover: Color) -> String {
    let Bounds { lower, upper } = bounds.seen_by(mover);
    let mut text = String::new();
    if bounds.is_decided() {
        let result = if lower > Value::DRAW {
            "win"
        } else if upper < Value::DRAW {
            "loss"
        } else {
            "draw"
        };
        let _ = write!(text, " proved {result}");
    }
    if lower != Value::MIN {
        let _ = write!(text, " scoreMin {}", fixed(lower.points().into(), 2));
    }
    if upper != Value::MAX {
        let _ = write!(text, " scoreMax {}", fixed(upper.points().into(), 2));
    }
    text
}

/// Ownership of cells, row by row from the top: the probability for the side to
/// move minus that for the opponent.
fn cell_owners(ownership: &Ownership, mover: Color, size: Size) -> String {
    let mut text = " ownership".to_owned();
    for row in (0..size.get()).rev() {
        for cell in (0..size.get()).map(|column| Cell::new(column, row)) {
            let chance = |color| ownership.of_cell(cell, color);
            let _ = write!(text, " {}", fixed(chance(mover) - chance(!mover), 3));
        }
    }
    text
}

/// Ownership of bridges, each with the same difference.
fn bridge_owners(ownership: &Ownership, mover: Color) -> String {
    let mut text = " bridgeOwnership".to_owned();
    for (site, chances) in ownership.bridges() {
        let share = chances[mover.index()] - chances[(!mover).index()];
        let _ = write!(text, " {site} {}", fixed(share, 3));
    }
    text
}

/// The longest interval, in hundredths of a second.
const MAX_INTERVAL: f64 = 1e9;

/// Parses an interval in hundredths of a second; the minimum is 1.
fn centiseconds(word: &str) -> Result<Duration, CommandError> {
    let in_range = args::number(word).ok().filter(|time| (0.0..=MAX_INTERVAL).contains(time));
    let refuse =
        || format!("'{word}' is not an interval in hundredths of a second, 0..{MAX_INTERVAL}");
    let time = in_range.ok_or_else(|| CommandError::Syntax(refuse()))?;
    Ok(Seconds::saturating(time.max(1.0) / 100.0).duration())
}

/// Parses `true` or `false`.
fn truth(word: &str) -> Result<bool, CommandError> {
    match word {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(CommandError::Syntax(format!("'{word}' is neither true nor false"))),
    }
}

impl Points {
    /// Parses a list such as `D4,E6` or `pass`.
    fn parse(list: &str) -> Result<Points, CommandError> {
        let mut points = Points::default();
        for word in list.split(',') {
            match points::cell(word) {
                Some(cell) => points.cells.insert(cell),
                None if word.eq_ignore_ascii_case("pass") => points.has_pass = true,
                None => {
                    let text = format!("'{word}' is not a point, as in D4, or pass");
                    return Err(CommandError::Syntax(text));
                }
            }
        }
        Ok(points)
    }

    fn add(&mut self, other: Points) {
        self.cells |= other.cells;
        self.has_pass |= other.has_pass;
    }

    fn is_empty(self) -> bool {
        self.cells.is_empty() && !self.has_pass
    }

    /// Whether a turn has one of the points.
    fn have(self, mv: Move) -> bool {
        match points::points_of(mv) {
            Some(cells) => cells.into_iter().any(|cell| self.cells.contains(cell)),
            None => self.has_pass,
        }
    }
}

/// Parses legal moves separated by commas: `d4,e6,c3-e4,a1,b2` is three moves.
fn moves(list: &str, position: &Position) -> Result<Vec<Move>, CommandError> {
    let mut moves: Vec<Move> = Vec::new();
    let mut words = list.split(',');
    while let Some(word) = words.next() {
        let mv = if word.parse::<Cell>().is_ok() {
            let second = words.next().filter(|second| second.parse::<Cell>().is_ok());
            let alone = || CommandError::Syntax(format!("no second cell follows '{word}'"));
            format!("{word},{}", second.ok_or_else(alone)?).parse()
        } else {
            word.parse()
        };
        moves.push(mv.map_err(|error| CommandError::Syntax(format!("{error}")))?);
    }
    for (index, &mv) in moves.iter().enumerate() {
        position.check(mv).map_err(|reason| CommandError::IllegalInSequence {
            number: index + 1,
            mv,
            reason,
        })?;
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn lists_of_moves() {
        let mut position = Position::new(Rules { pie: false, ..Rules::default() });
        for mv in ["c3,e4", "j1,j2"] {
            position.play(mv.parse().unwrap()).unwrap();
        }
        let read = |list: &str| moves(list, &position).map_err(|error| error.to_string());
        let text = |list: &str| -> Vec<String> {
            read(list).unwrap().iter().map(ToString::to_string).collect()
        };
        assert_eq!(text("d4,E6,c3-e4,b2,a1"), ["d4,e6", "c3-e4", "a1,b2"]);
        for (list, error) in [
            ("", "syntax error: '' is not a move"),
            ("d4", "syntax error: no second cell follows 'd4'"),
            ("d4,c3-e4", "syntax error: no second cell follows 'd4'"),
            ("d4,e6,f6", "syntax error: no second cell follows 'f6'"),
            ("d4,e6,", "syntax error: '' is not a move"),
            ("a1,b2,pass", "illegal move: move 2, pass: pass is not allowed"),
            ("d4,e6,c3,d4", "illegal move: move 2, c3,d4: c3 is occupied"),
            ("w", "syntax error: 'w' is not a move"),
        ] {
            let refusal = read(list).unwrap_err();
            assert!(refusal.starts_with(error), "{list}: {refusal}");
        }
    }

    #[test]
    fn repeated_lists_of_points_list_each_turn_once() {
        let position = Position::new(Rules { pie: false, ..Rules::default() });
        let parse = |text: &str| {
            let names = Some(PointNames::default());
            ReportOptions::parse(text.split_whitespace(), &position, names)
        };
        let once = parse("avoid w D4,E6 1 allow w D5,E2,D4 1").unwrap().request;
        let often = "avoid w D4 1 avoid w E6 1 ".repeat(500) + &"allow w D5,E2 1 ".repeat(500);
        assert_eq!(parse(&(often + "allow w D4 1")).unwrap().request, once);
        let has = |mv: &Move, names: &[&str]| {
            let cells = points::points_of(*mv).unwrap();
            cells.iter().any(|cell| names.contains(&cell.to_string().as_str()))
        };
        assert!(once.avoid.iter().all(|mv| has(mv, &["d4", "e6"])));
        assert!(once.allow.iter().all(|mv| has(mv, &["d5", "e2", "d4"])));
        let error = parse("allow w pass 1").unwrap_err().to_string();
        assert_eq!(error, "syntax error: no legal turn has one of the points to allow");
    }

    #[test]
    fn proofs_are_for_the_side_to_move() {
        let value = Value::new;
        let win = Bounds { lower: value(3), upper: Value::MAX };
        assert_eq!(proved(win, Color::White), " proved win scoreMin 1.00");
        assert_eq!(proved(win, Color::Red), " proved loss scoreMax -1.00");
        let draw = Bounds::of(Value::DRAW);
        assert_eq!(proved(draw, Color::Red), " proved draw scoreMin 0.00 scoreMax 0.00");
        let open = Bounds { lower: value(-5), upper: value(4) };
        assert_eq!(proved(open, Color::White), " scoreMin -3.00 scoreMax 2.00");
        assert_eq!(proved(Bounds::UNKNOWN, Color::White), "");
    }
}
