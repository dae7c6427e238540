//! Searches that stream reports: their options and the reports, in the format of KataGo's
//! `kata-analyze`.
//!
//! There are four commands: two words, `analyze` and `genmove_analyze`, each with two prefixes.
//!
//! | | `ponte-` | `kata-` |
//! |---|---|---|
//! | for | clients that know the game | clients of KataGo |
//! | a move is | a whole move, `d4,e6` | a point, `D4` |
//! | `avoid`, `allow` | a list of moves | a colour, a list of points, a depth |
//!
//! `analyze` reports until more input arrives, `genmove_analyze` reports within the limits of
//! `genmove` and then plays.
//!
//! A command parses everything before it sends `=`, since it cannot answer with an error after
//! that. The options depend on the position: moves to `avoid` or `allow` must be legal. Points are
//! replaced with the legal moves that play them, because the search knows whole moves only. A move
//! with a point to avoid is excluded; a move with one of the points to allow is permitted.
//!
//! A report is one line of the answer, with the numbers for the side to move.
//!
//! Source: KataGo's `docs/GTP_Extensions.md`, `kata-analyze`.

use std::collections::HashSet;
use std::fmt::Write;
use std::iter::Peekable;
use std::sync::Arc;
use std::time::Duration;

use super::args::{self, Args};
use super::game;
use crate::analysis::points::{self, PointEntry, PointView};
use crate::board::{Cell, Cells, Size};
use crate::clock::Seconds;
use crate::engine::{
    Analysis, AnalysisRequest, Answer, Bounds, Candidate, NothingToAnalyze, Ownership, RootInfo,
};
use crate::game::{Color, Move, Position, Value};
use crate::gtp::error::CommandError;
use crate::gtp::frame::Stream;
use crate::gtp::numbers::fixed;
use crate::gtp::session::Session;
use crate::gtp::single_points;

/// Usage of `ponte-analyze`.
pub(super) const ANALYZE: &str = "ponte-analyze [COLOR] [CS] [interval CS] [minmoves N] \
     [maxmoves N] [avoid M,..] [allow M,..] [ownership true|false] [rootInfo true|false] \
     [pvVisits true|false]";

/// Usage of `ponte-genmove_analyze`. The dots stand for the keys of [`KEYS`].
pub(super) const GENMOVE_ANALYZE: &str = "ponte-genmove_analyze COLOR [CS] [interval CS] ...";

/// Usage of `kata-analyze`.
pub(super) const KATA_ANALYZE: &str =
    "kata-analyze [COLOR] [CS] [interval CS] [avoid COLOR POINT,.. DEPTH] ...";

/// Usage of `kata-genmove_analyze`.
pub(super) const KATA_GENMOVE_ANALYZE: &str =
    "kata-genmove_analyze COLOR [CS] [interval CS] [avoid COLOR POINT,.. DEPTH] ...";

/// Analyses until more input arrives. If the session reads no input meanwhile, the limits of
/// `genmove` apply.
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
    let view = single_points::point_view(session);
    stream_analysis(session, args, stream, Some(view))
}

fn stream_analysis(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
    view: Option<PointView>,
) -> Result<(), CommandError> {
    let position = *session.engine.position();
    position.check_turn(position.side())?;
    let mut words = args.words().peekable();
    if let Some(color) = words.peek().and_then(|word| args::color(word).ok()) {
        position.check_turn(color)?;
        words.next();
    }
    let options = ReportOptions::parse(words, &position, view)?;
    stream.begin();
    // Without a reader nothing can end an endless analysis, so limits apply.
    let stop = session.input.as_ref().unwrap_or(&session.stop);
    let (stop, is_endless) = (Arc::clone(stop), session.input.is_some());
    let analysis = session
        .engine
        .analyze(&options.request, is_endless, &stop, &mut |analysis| {
            stream.report(&options.report(analysis), &stop);
        })
        .finish()?;
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
    stream.line(&format!("play {}", game::answer_text(answer)));
    Ok(())
}

/// Searches and plays the next point, and streams reports. Switches the single-point mode on.
pub(super) fn kata_genmove_analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let view = single_points::point_view(session);
    let (color, options) = genmove_options(session, args, Some(view))?;
    // Switching it on again would drop the first point of an unfinished move.
    if !session.point_mode.is_on() {
        session.point_mode.set(true);
    }
    stream.begin();
    // The options already restrict the search to moves that complete this one.
    let search = |session: &mut Session, _| stream_genmove(session, color, &options, stream);
    let point = single_points::genmove(session, color, &options.view(), search)?;
    stream.line(&format!("play {point}"));
    Ok(())
}

fn genmove_options(
    session: &Session,
    args: Args,
    view: Option<PointView>,
) -> Result<(Color, ReportOptions), CommandError> {
    let position = session.engine.position();
    let mut words = args.words();
    let color = args::color(words.next().ok_or_else(|| args.usage_error())?)?;
    position.check_turn(color)?;
    Ok((color, ReportOptions::parse(words, position, view)?))
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
        session.engine.genmove_analyze(color, &options.request, &stop, &mut report).finish()?;
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
    request: AnalysisRequest,
    /// If fewer moves were searched, unsearched legal moves are added up to this number.
    min_moves: usize,
    max_moves: usize,
    has_root: bool,
    has_line_visits: bool,
    /// How moves are named by points; `None` for the commands that name whole moves.
    view: Option<PointView>,
    /// The points collected from the keys `avoid` and `allow`, for
    /// [`ReportOptions::resolve_points`]. `Some` without points allows nothing; `None` everything.
    avoided_points: Points,
    allowed_points: Option<Points>,
}

/// Points, and perhaps `pass`, which also stands for a swap.
#[derive(Clone, Copy, Debug, Default)]
struct Points {
    cells: Cells,
    has_pass: bool,
}

impl ReportOptions {
    /// The default interval between reports. Set by judgement: a person can read along.
    const INTERVAL: Duration = Duration::from_secs(1);

    /// Parses keys with their values. An interval may come first without its key. With `view`,
    /// moves are points.
    fn parse<'a>(
        words: impl Iterator<Item = &'a str>,
        position: &Position,
        view: Option<PointView>,
    ) -> Result<ReportOptions, CommandError> {
        let mut words = words.peekable();
        let mut options = ReportOptions {
            position: *position,
            request: AnalysisRequest {
                interval: Some(Self::INTERVAL),
                points: view.is_some(),
                ..AnalysisRequest::default()
            },
            min_moves: 0,
            max_moves: usize::MAX,
            has_root: false,
            has_line_visits: false,
            view,
            avoided_points: Points::default(),
            allowed_points: None,
        };
        if words.peek().is_some_and(|word| word.parse::<f64>().is_ok()) {
            options.set("interval", &mut words)?;
        }
        while let Some(key) = words.next() {
            options.set(key, &mut words)?;
        }
        options.resolve_points()?;
        let request = &options.request;
        if !request.permits_any(position) {
            return Err(NothingToAnalyze::NoMoveLeft.into());
        }
        Ok(options)
    }

    /// How moves are named by points, for a command that names points.
    fn view(&self) -> PointView {
        self.view.unwrap_or_default()
    }

    /// Replaces the points to avoid and to allow with the legal moves that play them. Done once for
    /// all keys, because a client may repeat the keys hundreds of times.
    fn resolve_points(&mut self) -> Result<(), CommandError> {
        let Some(view) = &mut self.view else { return Ok(()) };
        let has_points = self.allowed_points.is_some() || !self.avoided_points.is_empty();
        // Listing all legal moves takes longer than the rest of the parsing.
        if !has_points && !view.is_mid_move() {
            return Ok(());
        }
        let (request, moves) = (&mut self.request, view.moves(&self.position));
        request.avoid =
            moves.iter().copied().filter(|&mv| self.avoided_points.include_point_of(mv)).collect();
        if let Some(allowed) = self.allowed_points {
            view.allow(allowed.cells);
            request.allow = moves.into_iter().filter(|&mv| allowed.include_point_of(mv)).collect();
            if request.allow.is_empty() {
                let text = "no legal turn has one of the points to allow".to_owned();
                return Err(CommandError::Syntax(text));
            }
        } else if view.is_mid_move() {
            request.allow = moves;
        }
        Ok(())
    }

    /// Takes the value of a key from `words`.
    fn set<'a>(
        &mut self,
        key: &str,
        words: &mut Peekable<impl Iterator<Item = &'a str>>,
    ) -> Result<(), CommandError> {
        let mut value =
            || words.next().ok_or_else(|| CommandError::Syntax(format!("'{key}' needs a value")));
        let request = &mut self.request;
        let key = key.to_ascii_lowercase();
        if let ("avoid" | "allow", true) = (key.as_str(), self.view.is_some()) {
            let [color, list, depth] = [value()?, value()?, value()?];
            let points = Points::parse(list)?;
            // KataGo restricts the first `depth` moves of a line. Here only the move at the root is
            // restricted, so a list with a depth of 0 or the opponent's colour has no effect.
            let is_for_mover = args::color(color)? == self.position.side();
            if args::whole_number::<u32>(depth)? == 0 || !is_for_mover {
                return Ok(());
            }
            if key == "avoid" {
                self.avoided_points.add(points);
            } else {
                self.allowed_points.get_or_insert_default().add(points);
            }
            return Ok(());
        }
        match key.as_str() {
            "interval" => request.interval = Some(centiseconds(value()?)?),
            "minmoves" => self.min_moves = args::whole_number(value()?)?,
            "maxmoves" => self.max_moves = args::whole_number::<usize>(value()?)?.max(1),
            "avoid" => request.avoid.extend(parse_moves(value()?, &self.position)?),
            "allow" => request.allow.extend(parse_moves(value()?, &self.position)?),
            "ownership" => request.ownership = parse_bool(value()?)?,
            "rootinfo" => self.has_root = parse_bool(value()?)?,
            "pvvisits" => self.has_line_visits = parse_bool(value()?)?,
            _ => return Err(CommandError::Syntax(format!("'{key}' is not a key: {KEYS}"))),
        }
        Ok(())
    }

    /// Formats a report, one line.
    fn report(&self, analysis: &Analysis) -> String {
        let mover = analysis.to_move;
        let infos: Vec<String> = if let Some(view) = &self.view {
            let mut entries = view.entries(analysis);
            self.add_unsearched_points(view, analysis, &mut entries);
            let info = |entry: &PointEntry| self.info(&entry.candidate, view.line(entry), mover);
            entries.iter().take(self.max_moves).map(info).collect()
        } else {
            let whole_move = |candidate: &Candidate| {
                let moves = candidate.pv.iter().map(Move::to_string);
                let line = moves.zip(candidate.pv_visits.iter().copied()).collect();
                self.info(candidate, line, mover)
            };
            let unsearched = self.unsearched_moves(analysis);
            let candidates = analysis.moves.iter().chain(&unsearched);
            candidates.take(self.max_moves).map(whole_move).collect()
        };
        let mut line = infos.join(" ");
        if self.has_root {
            let RootInfo { winrate, lead, visits, bounds } = analysis.root;
            let (winrate, lead) = (fixed(winrate, 4), fixed(lead, 2));
            let proved = proof_text(bounds, mover);
            // Writing to a string cannot fail, here and below.
            let _ = write!(
                line,
                " rootInfo visits {visits} winrate {winrate} scoreLead {lead}{proved}"
            );
        }
        if let Some(ownership) = &analysis.ownership {
            line += &cell_owners(ownership, mover, self.position.size());
            // KataGo's format has no bridges.
            if self.view.is_none() {
                line += &bridge_owners(ownership, mover);
            }
        }
        line
    }

    /// Formats one move, whose principal variation (moves or points, with their visits) is `line`.
    fn info(&self, candidate: &Candidate, line: Vec<(String, u64)>, mover: Color) -> String {
        let Candidate { visits, order, .. } = candidate;
        let (line, line_visits): (Vec<String>, Vec<String>) =
            line.into_iter().map(|(name, visits)| (name, visits.to_string())).unzip();
        let mut text = format!(
            "info move {} visits {visits} winrate {} scoreLead {} prior {} lcb {}{} order {order} pv {}",
            line.first().map_or("", String::as_str),
            fixed(candidate.winrate, 4),
            fixed(candidate.lead, 2),
            fixed(candidate.prior, 4),
            fixed(candidate.lcb, 4),
            proof_text(candidate.bounds, mover),
            line.join(" "),
        );
        if self.has_line_visits {
            text += " pvVisits ";
            text += &line_visits.join(" ");
        }
        text
    }

    /// The number of unsearched moves to add if `listed` moves are in the report.
    fn missing_entries(&self, listed: usize) -> usize {
        self.min_moves.min(self.max_moves).saturating_sub(listed)
    }

    /// The unsearched moves that fill the report up to `min_moves`.
    fn unsearched_moves(&self, analysis: &Analysis) -> Vec<Candidate> {
        let listed = analysis.moves.len();
        if self.missing_entries(listed) == 0 {
            return Vec::new();
        }
        let seen: HashSet<Move> = analysis.moves.iter().map(|candidate| candidate.mv).collect();
        let is_missing = |mv: &Move| self.request.permits(*mv) && !seen.contains(mv);
        let moves = self.position.moves().into_iter().filter(is_missing);
        moves
            .take(self.missing_entries(listed))
            .enumerate()
            .map(|(index, mv)| Candidate { order: listed + index, ..analysis.unvisited(mv) })
            .collect()
    }

    /// Adds unsearched points, up to `min_moves` entries.
    fn add_unsearched_points(
        &self,
        view: &PointView,
        analysis: &Analysis,
        entries: &mut Vec<PointEntry>,
    ) {
        if self.missing_entries(entries.len()) == 0 {
            return;
        }
        let mut seen: HashSet<Option<Cell>> = entries.iter().map(|entry| entry.point).collect();
        let moves = view.moves(&self.position).into_iter();
        for mv in moves.filter(|&mv| self.request.permits(mv)) {
            let point = view.next_point(mv);
            if self.missing_entries(entries.len()) > 0 && seen.insert(point) {
                let order = entries.len();
                let candidate = Candidate { order, ..analysis.unvisited(mv) };
                entries.push(PointEntry { point, candidate });
            }
        }
    }
}

/// The proved result and the proved bounds of the lead, for example ` proved win scoreMin 1.00`.
fn proof_text(bounds: Bounds, mover: Color) -> String {
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

/// Ownership of cells, row by row from the top: the probability for the side to move minus that for
/// the opponent.
fn cell_owners(ownership: &Ownership, mover: Color, size: Size) -> String {
    let mut text = " ownership".to_owned();
    for cell in size.rows() {
        let _ = write!(text, " {}", fixed(ownership.cell_margin(cell, mover), 3));
    }
    text
}

/// Ownership of bridges: for each, the same difference of probabilities.
fn bridge_owners(ownership: &Ownership, mover: Color) -> String {
    let mut text = " bridgeOwnership".to_owned();
    for (site, share) in ownership.bridge_margins(mover) {
        let _ = write!(text, " {site} {}", fixed(share, 3));
    }
    text
}

/// The longest interval, in hundredths of a second: 116 days, longer than any analysis.
const MAX_INTERVAL: f64 = 1e9;

/// Parses an interval in hundredths of a second. Anything from 0 to 1 means 1: reports without a
/// pause would use up the time of the search.
fn centiseconds(word: &str) -> Result<Duration, CommandError> {
    let in_range = args::number(word).ok().filter(|time| (0.0..=MAX_INTERVAL).contains(time));
    let refuse =
        || format!("'{word}' is not an interval in hundredths of a second, 0..{MAX_INTERVAL}");
    let time = in_range.ok_or_else(|| CommandError::Syntax(refuse()))?;
    Ok(Seconds::saturating(time.max(1.0) / 100.0).duration())
}

/// Parses `true` or `false`.
fn parse_bool(word: &str) -> Result<bool, CommandError> {
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
            match points::parse_go_name(word) {
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

    /// Whether `mv` plays one of the points, or is a pass or a swap and `pass` is listed.
    fn include_point_of(self, mv: Move) -> bool {
        match points::cells_of(mv) {
            Some(cells) => cells.into_iter().any(|cell| self.cells.contains(cell)),
            None => self.has_pass,
        }
    }
}

/// Parses legal moves separated by commas: `d4,e6,c3-e4,a1,b2` is three moves.
fn parse_moves(list: &str, position: &Position) -> Result<Vec<Move>, CommandError> {
    let mut moves: Vec<Move> = Vec::new();
    let mut words = list.split(',');
    while let Some(word) = words.next() {
        // A comma also separates the two tiles of a move, so a cell takes the next word, too.
        let mv = if word.parse::<Cell>().is_ok() {
            let second = words.next().filter(|second| second.parse::<Cell>().is_ok());
            let refuse = || CommandError::Syntax(format!("no second cell follows '{word}'"));
            format!("{word},{}", second.ok_or_else(refuse)?).parse()
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
        let read = |list: &str| parse_moves(list, &position).map_err(|error| error.to_string());
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
            let view = Some(PointView::default());
            ReportOptions::parse(text.split_whitespace(), &position, view)
        };
        let once = parse("avoid w D4,E6 1 allow w D5,E2,D4 1").unwrap().request;
        let often = "avoid w D4 1 avoid w E6 1 ".repeat(500) + &"allow w D5,E2 1 ".repeat(500);
        assert_eq!(parse(&(often + "allow w D4 1")).unwrap().request, once);
        let has = |mv: &Move, names: &[&str]| {
            let cells = points::cells_of(*mv).unwrap();
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
        assert_eq!(proof_text(win, Color::White), " proved win scoreMin 1.00");
        assert_eq!(proof_text(win, Color::Red), " proved loss scoreMax -1.00");
        let draw = Bounds::of(Value::DRAW);
        assert_eq!(proof_text(draw, Color::Red), " proved draw scoreMin 0.00 scoreMax 0.00");
        let open = Bounds { lower: value(-5), upper: value(4) };
        assert_eq!(proof_text(open, Color::White), " scoreMin -3.00 scoreMax 2.00");
        assert_eq!(proof_text(Bounds::UNKNOWN, Color::White), "");
    }
}
