//! `pontifex analyze`: the best moves of one position, as a table, as JSON or as a picture.

use std::env;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgMatches, Args};
use pontifex::board::{Cells, Site};
use pontifex::engine::{Analysis, AnalysisRequest, Candidate, Engine, Game};
use pontifex::game::{Color, IllegalMove, Move, Position, Setup};
use pontifex::notation::{ParseMoveError, parse_moves};
use pontifex::render::{self, Mark, Picture, marked};

use super::exit::UsageError;
use super::options::{ENGINE, Resolved, whole};
use super::picture::Pictures;
use super::{exit, named_files};
use crate::progress::StatusLine;

/// Analyse one position: its best moves, win rate and expected lead
///
/// The first move is the one that genmove plays within the same limits. Win rates and leads are
/// those of the side to move. Ctrl-C ends the search and prints the results so far.
#[derive(Args, Debug)]
#[command(args = ENGINE.args())]
pub(super) struct Analyze {
    /// A game record or a position in any supported format; - is standard input
    #[arg(value_name = "FILE", required_unless_present = "position", conflicts_with = "position")]
    file: Option<PathBuf>,
    /// The position as text (ROWS SIDE BRIDGES STATE)
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "position",
          value_parser = whole(1..=u64::MAX))]
    game: u64,
    /// Analyse the position before move N of the record [default: the end]
    #[arg(long = "move", value_name = "N", conflicts_with = "position",
          value_parser = whole(1..=u64::MAX))]
    move_number: Option<u64>,
    /// Number of moves to print
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = whole::<u64>(1..=100_000))]
    multi: u64,
    /// Moves not to consider, separated by commas: d4,e6,c3-e4 is two moves
    #[arg(long, value_name = "MOVES", value_parser = parse_move_list)]
    avoid: Option<MoveList>,
    /// The only moves to consider
    #[arg(long, value_name = "MOVES", value_parser = parse_move_list)]
    allow: Option<MoveList>,
    /// Search until the result is proved
    #[arg(long, conflicts_with_all = ["time", "playouts"])]
    until_solved: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "picture")]
    json: bool,
    #[command(flatten)]
    pictures: Pictures,
}

#[derive(Clone, Debug, Default)]
struct MoveList(Vec<Move>);

fn parse_move_list(text: &str) -> Result<MoveList, ParseMoveError> {
    parse_moves(text).map(MoveList)
}

/// The best moves for a picture. The weight of a move is its visits relative to those of the most
/// visited one.
fn picture_candidates(analysis: &Analysis) -> Vec<render::Candidate> {
    let moves = &analysis.moves;
    let most = moves.iter().map(|candidate| candidate.visits).max().unwrap_or(0).max(1);
    moves
        .iter()
        .map(|candidate| render::Candidate {
            mv: candidate.mv,
            winrate: candidate.winrate,
            lead: candidate.lead,
            visits: candidate.visits,
            weight: candidate.visits as f32 / most as f32,
        })
        .collect()
}

impl Analyze {
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
        let resolved = ENGINE.resolve(matches)?;
        self.pictures.check(self.file.as_slice())?;
        let position = self.start(&resolved)?;
        let request = self.request(&position)?;
        let mut engine = Engine::new(resolved.options);
        engine.set_game(Game::at(&position));
        let stop = exit::defer_interrupt_of_search("ending the search");
        if !self.pictures.are_requested() || self.pictures.use_stdout() {
            exit::exit_on_broken_pipe();
        }
        let mut line = StatusLine::new(REDRAW);
        let request = AnalysisRequest { interval: Some(line.interval()), ..request };
        let analysis = engine
            .analyze(&request, self.until_solved, stop, &mut |analysis| {
                line.show(&status_text(analysis, line.elapsed()));
            })
            .finish();
        drop(line);
        let analysis = analysis.map_err(|error| UsageError(error.to_string()))?;
        let best = analysis.with_moves(self.multi as usize);
        if self.pictures.are_requested() {
            let candidates = &picture_candidates(&best);
            self.pictures.draw(&Picture { candidates, ..Picture::of(&position) })?;
        }
        let mut stdout = io::stdout().lock();
        if self.json {
            writeln!(stdout, "{}", serde_json::to_string(&best)?)?;
        } else if !self.pictures.use_stdout() {
            let is_colored = stdout.is_terminal()
                && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
            write!(stdout, "{}", table(&position, &best, is_colored))?;
        }
        stdout.flush()?;
        Ok(exit::code_so_far())
    }

    /// The position to analyse, in which the game is not over.
    fn start(&self, resolved: &Resolved) -> Result<Position, UsageError> {
        let Some(path) = &self.file else {
            let rules = resolved.options.rules;
            let text = self.position.as_deref().unwrap_or_default();
            let refuse = |error: String| UsageError(format!("--position: {error}"));
            let setup = Setup::parse(text, rules.supply, rules.pie)
                .map_err(|error| refuse(error.to_string()))?;
            let position = setup.validate().map_err(|error| refuse(error.to_string()))?;
            if position.is_over() {
                return Err(refuse(format!("the game is over: {}", position.outcome())));
            }
            return Ok(position);
        };
        let (file, records) = named_files::records(path, &resolved.default_rules())?;
        let refuse = |reason: String| UsageError(format!("{file}: {reason}"));
        let record = named_files::pick_game(&file, records, self.game)?;
        let positions = record.positions().map_err(|error| refuse(error.to_string()))?;
        let last = positions.len();
        let number =
            self.move_number.map_or(last, |number| usize::try_from(number).unwrap_or(usize::MAX));
        let position = positions.get(number - 1).ok_or_else(|| {
            let moves = last - 1;
            let reason = format!("the record has {moves} moves, {last} is its end");
            refuse(format!("--move must be from 1 to {last}, not {number}: {reason}"))
        })?;
        if position.is_over() {
            let outcome = position.outcome();
            let turns = format!("its turns, for --move, are 1 to {}", last - 1);
            return Err(refuse(format!("the game is over: {outcome}; {turns}")));
        }
        Ok(*position)
    }

    /// The request; the moves it names must be legal.
    fn request(&self, position: &Position) -> Result<AnalysisRequest, UsageError> {
        let legal_moves = |option: &str, list: &Option<MoveList>| {
            let MoveList(moves) = list.clone().unwrap_or_default();
            let refuse = |mv: Move, reason: IllegalMove| {
                UsageError(format!("--{option}: {mv} is illegal: {reason}"))
            };
            moves
                .iter()
                .try_for_each(|&mv| position.check(mv).map_err(|error| refuse(mv, error)))?;
            Ok(moves)
        };
        let avoid = legal_moves("avoid", &self.avoid)?;
        let allow = legal_moves("allow", &self.allow)?;
        Ok(AnalysisRequest { avoid, allow, ..AnalysisRequest::default() })
    }
}

/// Redraw interval of the line on a terminal. Set by judgement: numbers that change faster cannot
/// be read.
const REDRAW: Duration = Duration::from_millis(500);

/// The status line of a search: `3 s  120345 visits  56.3 %  +1.2  d4,e6 c2,c3 d4-e6`.
fn status_text(analysis: &Analysis, elapsed: Duration) -> String {
    let best: Vec<String> = analysis.pv().iter().take(4).map(ToString::to_string).collect();
    let root = &analysis.root;
    format!(
        "{} s  {} visits  {:.1} %  {:+.1}  {}",
        elapsed.as_secs(),
        root.visits,
        100.0 * root.winrate,
        root.lead,
        best.join(" ")
    )
}

/// The number of moves printed of a principal variation, including the candidate. Set by judgement:
/// later moves have few visits.
const PRINTED_MOVES: usize = 8;

/// The board with the ranks of the first nine candidates on it (a bridge's on the cells it spans),
/// the evaluation of the position, and a table of the moves.
fn table(position: &Position, analysis: &Analysis, is_colored: bool) -> String {
    // A mark is one character, so only nine candidates have one.
    let signs = analysis.moves.iter().zip('1'..='9');
    let marks: Vec<Mark> =
        signs.map(|(candidate, sign)| Mark { cells: marked_cells(candidate.mv), sign }).collect();
    let mut out = marked(position, &marks, is_colored);
    let root = &analysis.root;
    let name = if analysis.to_move == Color::White { "White" } else { "Red" };
    let _ = write!(
        out,
        "\n\n{name}: win rate {:.1} %, lead {:+.1}, {} visits, {:.2} s",
        100.0 * root.winrate,
        root.lead,
        root.visits,
        analysis.elapsed.as_secs_f64()
    );
    if let Some(proved) = root.bounds.proof() {
        let _ = write!(out, ", proved {proved}");
    }
    out.push('\n');
    let widest = analysis.moves.iter().map(|candidate| candidate.mv.to_string().len()).max();
    let width = widest.unwrap_or(0).max(4);
    let _ = writeln!(out, "  #  {:width$}    visits  win %    lead  prior %  then", "move");
    for candidate in &analysis.moves {
        out.push_str(table_row(candidate, width).trim_end());
        out.push('\n');
    }
    out
}

fn table_row(candidate: &Candidate, width: usize) -> String {
    let then: Vec<String> =
        candidate.pv.iter().skip(1).take(PRINTED_MOVES - 1).map(Move::to_string).collect();
    let proved = candidate.bounds.proof();
    let proved = proved.map_or(String::new(), |proved| format!("(proved {proved}) "));
    format!(
        "{:>3}  {:width$}  {:>8}  {:>5.1}  {:>+6.1}  {:>7.2}  {proved}{}",
        candidate.order + 1,
        candidate.mv.to_string(),
        candidate.visits,
        100.0 * candidate.winrate,
        candidate.lead,
        100.0 * candidate.prior,
        then.join(" ")
    )
}

/// The cells on which a move is marked.
fn marked_cells(mv: Move) -> Cells {
    match mv {
        Move::Tiles(a, b) => [a, b].into_iter().collect(),
        Move::Bridge(a, b) => Site::between(a, b).map_or(Cells::EMPTY, Site::span),
        Move::Pass | Move::Swap => Cells::EMPTY,
    }
}
