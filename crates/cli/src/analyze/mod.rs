//! `pontifex analyze`: the best moves of one position.

mod progress;
mod table;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use self::progress::Progress;
use super::exit::UsageError;
use super::options::EngineOptions;
use super::output::{spare, write_file};
use super::{input, interrupt};
use pontifex::analysis::PositionAnalysis;
use pontifex::engine::{AnalysisRequest, Engine, Game, Options};
use pontifex::game::{IllegalMove, Move, Position, Setup};
use pontifex::notation::{Assumed, ParseMoveError, parse_moves};
use pontifex::render::{Candidate, Picture};

/// Analyse one position: its best moves, win rate and expected lead
///
/// The first move is the one that genmove plays within the same limits. Win
/// rates and leads are those of the side to move. Ctrl-C ends the search and
/// prints the results so far.
#[derive(Args, Debug)]
pub(super) struct Analyze {
    /// A game record or a position in any supported format; - is standard input
    #[arg(value_name = "FILE", required_unless_present = "position", conflicts_with = "position")]
    file: Option<PathBuf>,
    /// The position as text (ROWS SIDE BRIDGES STATE)
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "position",
          value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// Analyse the position before move N of the record [default: the end]
    #[arg(long = "move", value_name = "N", conflicts_with = "position",
          value_parser = clap::value_parser!(u64).range(1..))]
    turn: Option<u64>,
    /// Number of moves to print
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    multi: u64,
    /// Moves not to consider, separated by commas: d4,e6,c3-e4 is two moves
    #[arg(long, value_name = "MOVES", value_parser = moves)]
    avoid: Option<MoveList>,
    /// The only moves to consider
    #[arg(long, value_name = "MOVES", value_parser = moves)]
    allow: Option<MoveList>,
    /// Search until the result is proved
    #[arg(long, conflicts_with_all = ["time", "playouts"])]
    until_solved: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the position with the best moves as SVG; - is standard output,
    /// instead of the table
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    engine: EngineOptions,
}

#[derive(Clone, Debug, Default)]
struct MoveList(Vec<Move>);

fn moves(text: &str) -> Result<MoveList, ParseMoveError> {
    parse_moves(text).map(MoveList)
}

/// The position and its best moves as SVG.
fn picture(position: &Position, found: &PositionAnalysis) -> String {
    let moves = &found.moves;
    let most = moves.iter().map(|candidate| candidate.visits).max().unwrap_or(0).max(1);
    let candidates: Vec<Candidate> = moves
        .iter()
        .map(|candidate| Candidate {
            mv: candidate.mv,
            winrate: candidate.winrate,
            lead: candidate.lead,
            visits: candidate.visits,
            weight: candidate.visits as f32 / most as f32,
        })
        .collect();
    Picture { candidates: &candidates, ..Picture::of(position) }.to_svg()
}

impl Analyze {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let options = self.engine.resolve()?;
        if let Some(svg) = &self.svg {
            spare(&self.file, "--svg", svg)?;
        }
        let position = self.start(&options)?;
        let request = self.request(&position)?;
        let mut engine = Engine::new(options);
        engine.set_game(Game::at(&position));
        let stop = interrupt::ask_searches("ending the search");
        if self.svg.as_ref().is_none_or(|path| path.as_os_str() == "-") {
            interrupt::end_unread();
        }
        let mut progress = Progress::new();
        let request = AnalysisRequest { interval: Some(progress.interval()), ..request };
        let analysis = engine
            .analyze(&request, self.until_solved, stop, &mut |analysis| progress.show(analysis));
        drop(progress);
        let analysis = analysis.map_err(|error| UsageError(error.to_string()))?;
        let mut found = PositionAnalysis::of(&position, &analysis);
        found.moves.truncate(self.multi as usize);
        let mut stdout = io::stdout().lock();
        let svg = self.svg.as_ref().map(|path| (path, picture(&position, &found)));
        if let Some((path, svg)) = svg.as_ref().filter(|(path, _)| path.as_os_str() != "-") {
            write_file(path, svg)?;
        }
        if let Some((_, svg)) = svg.filter(|(path, _)| path.as_os_str() == "-") {
            write!(stdout, "{svg}")?;
        } else if self.json {
            writeln!(stdout, "{}", serde_json::to_string(&found)?)?;
        } else {
            let is_colored = stdout.is_terminal()
                && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
            write!(stdout, "{}", table::text(&position, &found, analysis.elapsed, is_colored))?;
        }
        stdout.flush()?;
        Ok(interrupt::code())
    }

    /// The position to analyse. The game is not over there.
    fn start(&self, options: &Options) -> Result<Position, UsageError> {
        let rules = options.rules;
        let Some(path) = &self.file else {
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
        let size = self.engine.gives("board")?.then_some(rules.size);
        let assumed = Assumed { size, supply: rules.supply, pie: rules.pie };
        let (file, records) = input::records(path, &assumed)?;
        let refuse = |reason: String| UsageError(format!("{file}: {reason}"));
        let record = input::one(&file, records, self.game)?;
        let positions = record.positions().map_err(|error| refuse(error.to_string()))?;
        let last = positions.len();
        let turn = self.turn.map_or(last, |turn| usize::try_from(turn).unwrap_or(usize::MAX));
        let position = positions
            .get(turn - 1)
            .ok_or_else(|| refuse(format!("--move {turn}: the record has turns 1 to {last}")))?;
        if position.is_over() {
            let outcome = position.outcome();
            let turns = format!("its turns, for --move, are 1 to {}", last - 1);
            return Err(refuse(format!("the game is over: {outcome}; {turns}")));
        }
        Ok(*position)
    }

    /// The request; the moves it names must be legal.
    fn request(&self, position: &Position) -> Result<AnalysisRequest, UsageError> {
        let list = |option: &str, list: &Option<MoveList>| {
            let MoveList(moves) = list.clone().unwrap_or_default();
            let refuse = |mv: Move, reason: IllegalMove| {
                UsageError(format!("--{option}: {mv} is not legal: {reason}"))
            };
            moves
                .iter()
                .try_for_each(|&mv| position.check(mv).map_err(|error| refuse(mv, error)))?;
            Ok(moves)
        };
        let (avoid, allow) = (list("avoid", &self.avoid)?, list("allow", &self.allow)?);
        Ok(AnalysisRequest { avoid, allow, ..AnalysisRequest::default() })
    }
}
