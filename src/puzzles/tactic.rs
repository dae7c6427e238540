//! Tactics: positions of the middle game, too large for the solver, in which long searches prefer
//! one move, or two, to all others by far.
//!
//! Nothing here is proved, so tactics need another kind of certainty. Moves are compared by
//! searches *after* each of them, all of the same length. Within one search the favourite gets most
//! of the visits, and the others look better or worse than they are. A wide gap between the last
//! right move and the next one covers the noise of the searches:
//!
//! ```text
//!   win rate   0.81  0.79         0.62  0.58  0.55
//!              ─────────   gap    ────────────────
//!              right       ≥ 0.12      wrong
//! ```
//!
//! The finder searches in stages, from a glance of 2,000 iterations to deep searches of 200,000 for
//! each move, and gives up at the first stage without a gap. Of 5,363 positions 650 passed the
//! glance and 78 the deep searches (docs/puzzles.md).

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use strum::{Display, VariantArray};

use super::finder::{CheckCounts, difficulty, rank, theme};
use super::proof::is_beyond_greed;
use super::puzzle::{ParsePuzzleError, Theme, identity, read_field, read_position};
use crate::engine::Options;
use crate::game::{Color, Move, Position, Value};
use crate::messages::excerpt;
use crate::search::solver::size_estimate;
use crate::search::{
    Analysis, AnalysisRequest, Config, Limits, Searcher, StopSignal, Updates, rounded,
};

/// A position, with the results of deep searches for its best moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Tactic {
    /// The name, made from the position like that of a puzzle ([`identity`]).
    pub id: String,
    /// What the right moves do.
    pub theme: Theme,
    /// From 1 (easy) to 3.
    pub difficulty: u8,
    /// The iterations of the search after each move.
    pub iterations: u64,
    /// The best moves, the best first. Those before the first gap are right.
    pub moves: Vec<RatedMove>,
    /// The position. The side to move has to find the move.
    pub position: Position,
}

/// A move, with the result of the search after it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedMove {
    /// A legal move.
    pub mv: Move,
    /// The win rate for the side that makes it, 0 to 1, with three decimals.
    pub winrate: f64,
    /// The opponent's best answer; `None` after the end of the game.
    pub reply: Option<Move>,
}

/// The smallest difference in win rate between a right move and the next one. Set by judgement:
/// more than a mistake (0.1) in a review. A smaller gap finds more tactics that a longer search
/// refutes.
pub const GAP: f64 = 0.12;

/// How far the win rate of a move that is not stored may fall below the best one for the move to be
/// right. Set by judgement: a third of the gap. The search is shorter, and noise must not make a
/// good idea wrong.
const RIGHT_MARGIN: f64 = 0.04;

/// The iterations after a move that is not stored: less than a second, as long as the finder's
/// longer searches.
const JUDGE_ITERATIONS: u64 = 20_000;

/// The number of moves that are compared. Set by judgement: each costs a search at every stage.
const COMPARED_MOVES: usize = 5;
/// The number of moves that a longer search of the position may add.
const MAX_NEW_MOVES: usize = 1;

impl Tactic {
    /// The right moves, the best first. The other moves are clearly worse.
    pub fn right_moves(&self) -> &[RatedMove] {
        &self.moves[..moves_before_gap(&self.moves).unwrap_or(1)]
    }

    /// Returns the stored result for a move, and whether the move is right.
    pub fn known(&self, mv: Move) -> Option<(RatedMove, bool)> {
        let index = self.moves.iter().position(|rated| rated.mv == mv)?;
        Some((self.moves[index], index < self.right_moves().len()))
    }

    /// Returns the result for a legal move, and whether the move is right. A move that is not
    /// stored is searched.
    pub fn judge(&self, searcher: &mut Searcher, mv: Move) -> (RatedMove, bool) {
        if let Some(stored) = self.known(mv) {
            return stored;
        }
        let rated = rate(searcher, &self.position, mv, JUDGE_ITERATIONS);
        let min_winrate = self.moves[0].winrate - RIGHT_MARGIN;
        (rated, rated.winrate >= min_winrate)
    }
}

/// Returns the number of moves before the first gap; `None` if there is no gap after the first or
/// second move.
fn moves_before_gap(moves: &[RatedMove]) -> Option<usize> {
    // Win rates have three decimals; the computed difference may be a little less.
    const SLACK: f64 = 1e-9;
    (1..=2).find(|&count| {
        moves.get(count).is_some_and(|next| moves[count - 1].winrate - next.winrate >= GAP - SLACK)
    })
}

/// Searches the position after a legal move.
fn rate(searcher: &mut Searcher, position: &Position, mv: Move, iterations: u64) -> RatedMove {
    let after = position.after_move(mv).unwrap_or(*position);
    if after.is_over() {
        let value = Value::from(after.outcome()).seen_by(position.side());
        return RatedMove { mv, winrate: f64::from(value.win_rate()), reply: None };
    }
    searcher.clear();
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    let result =
        searcher.search(&after, &config(iterations), &limits, &StopSignal::default()).finish();
    RatedMove { mv, winrate: rounded(1.0 - result.winrate, 3), reply: Some(result.best) }
}

/// Searches the position itself.
fn analyze(searcher: &mut Searcher, position: &Position, iterations: u64) -> Analysis {
    searcher.clear();
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    let (request, mut ignore) = (AnalysisRequest::default(), |_: &Analysis| {});
    let updates = Updates { request: &request, send: &mut ignore };
    searcher
        .analyze(position, &config(iterations), &limits, &StopSignal::default(), updates)
        .finish()
}

/// The configuration of a search: one thread, so that the result depends on the position only, and
/// memory for this number of iterations.
fn config(iterations: u64) -> Config {
    // In MiB: enough for the trees of deep searches and of shorter ones.
    let memory = if iterations > JUDGE_ITERATIONS { 192 } else { 48 };
    Config { threads: 1, memory, ..Options::default().search }
}

/// The fields of a line.
const FIELDS: &str = "ID THEME DIFFICULTY ITERATIONS MOVES SUPPLY POSITION";

impl FromStr for Tactic {
    type Err = ParsePuzzleError;

    /// Parses `ID THEME DIFFICULTY ITERATIONS MOVES SUPPLY POSITION`.
    fn from_str(line: &str) -> Result<Tactic, ParsePuzzleError> {
        let fields: Vec<&str> = line.splitn(7, ' ').collect();
        let &[id, theme, difficulty, iterations, moves, supply, position] = &fields[..] else {
            return Err(ParsePuzzleError::Fields(excerpt(line), FIELDS));
        };
        let moves: Result<Vec<RatedMove>, _> =
            moves.split('/').map(|rated| read_field("move", rated)).collect();
        let moves = moves?;
        if moves_before_gap(&moves).is_none() {
            return Err(ParsePuzzleError::Field { field: "gap", found: excerpt(line) });
        }
        Ok(Tactic {
            id: id.to_owned(),
            theme: read_field("theme", theme)?,
            difficulty: read_field("difficulty", difficulty)?,
            iterations: read_field("number of iterations", iterations)?,
            moves,
            position: read_position(supply, position)?,
        })
    }
}

impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tactic { id, theme, difficulty, iterations, moves, position } = self;
        write!(f, "{id} {theme} {difficulty} {iterations} ")?;
        for (n, rated) in moves.iter().enumerate() {
            write!(f, "{}{rated}", if n > 0 { "/" } else { "" })?;
        }
        write!(f, " {} {position}", position.rules().supply)
    }
}

impl FromStr for RatedMove {
    type Err = ();

    /// Parses `MOVE:WINRATE:REPLY`, where `-` means no reply.
    fn from_str(text: &str) -> Result<RatedMove, ()> {
        let fields: Vec<&str> = text.split(':').collect();
        let &[mv, winrate, reply] = &fields[..] else { return Err(()) };
        let parse = |mv: &str| mv.parse::<Move>().map_err(|_| ());
        let reply = if reply == "-" { None } else { Some(parse(reply)?) };
        Ok(RatedMove { mv: parse(mv)?, winrate: winrate.parse().map_err(|_| ())?, reply })
    }
}

impl fmt::Display for RatedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:.3}:", self.mv, self.winrate)?;
        match self.reply {
            Some(reply) => reply.fmt(f),
            None => f.write_str("-"),
        }
    }
}

/// The tactics that come with the program.
///
/// # Panics
/// If the file cannot be parsed, which a test rules out.
pub fn tactics() -> &'static [Tactic] {
    static TACTICS: OnceLock<Vec<Tactic>> = OnceLock::new();
    TACTICS.get_or_init(|| {
        let lines = include_str!("tactics.txt").lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.parse().unwrap_or_else(|error| panic!("{error}"))).collect()
    })
}

/// The checks of a position, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, VariantArray)]
pub enum TacticCheck {
    /// Every position, before any check.
    #[strum(to_string = "positions")]
    Looked,
    /// It is of the middle game.
    #[strum(to_string = "of the middle game")]
    Middle,
    /// One short search prefers one move or two.
    #[strum(to_string = "clear in a glance")]
    Glance,
    /// Short searches after the first moves of that search agree.
    #[strum(to_string = "clear in short searches")]
    Short,
    /// Neither greed nor the prior solves it.
    #[strum(to_string = "not solved by greed")]
    Hard,
    /// Longer searches agree.
    #[strum(to_string = "clear in longer searches")]
    Longer,
    /// Deep searches agree.
    #[strum(to_string = "clear in deep searches")]
    Deep,
    /// It is unlike all others.
    #[strum(to_string = "unlike all others")]
    New,
}

/// Finds tactics. Keeps a search tree's memory from position to position.
#[derive(Debug)]
pub struct TacticFinder {
    searcher: Searcher,
    /// The iterations of the glance and of the short, longer and deep searches.
    iterations: [u64; 4],
    /// The counts so far, except for [`TacticCheck::New`], which the caller counts.
    pub counts: CheckCounts<TacticCheck>,
}

impl TacticFinder {
    /// A finder whose deep searches have this many iterations.
    pub fn new(deep: u64) -> TacticFinder {
        let iterations = [2_000, 2_000, 20_000, deep].map(|iterations: u64| iterations.min(deep));
        TacticFinder { searcher: Searcher::default(), iterations, counts: CheckCounts::default() }
    }

    /// Returns the tactic in a position; `None` if it fails a check.
    pub fn find(&mut self, position: &Position) -> Option<Tactic> {
        /// With fewer tiles on the board it is an opening, where many moves are good.
        const MIN_TILES: u32 = 14;
        /// In the solver's estimate of size: smaller positions are puzzles for the solver.
        const MAX_PUZZLE_SIZE: u32 = 44;
        /// Half a gap: in one tree the moves that are seldom visited look better than they are.
        const GLANCE_GAP: f64 = GAP / 2.0;

        self.counts.add(TacticCheck::Looked, 1);
        let [white, red] = Color::BOTH.map(|color| position.tiles(color).len());
        if position.is_over() || position.may_swap() || white + red < MIN_TILES {
            return None;
        }
        if size_estimate(position) <= MAX_PUZZLE_SIZE {
            return None;
        }
        self.counts.add(TacticCheck::Middle, 1);
        let [glance, short, longer, deep] = self.iterations;
        let analysis = analyze(&mut self.searcher, position, glance);
        let winrates: Vec<f64> = analysis.moves.iter().take(3).map(|best| best.winrate).collect();
        let is_clear = winrates.windows(2).any(|pair| pair[0] - pair[1] >= GLANCE_GAP);
        if !is_clear || !can_be_right(winrates[0]) {
            return None;
        }
        self.counts.add(TacticCheck::Glance, 1);
        let moves = self.compare(position, &analysis, &[], short)?;
        self.counts.add(TacticCheck::Short, 1);
        let count = moves_before_gap(&moves)?;
        let right: Vec<Move> = moves[..count].iter().map(|rated| rated.mv).collect();
        let (is_beyond_greed, rank) = (is_beyond_greed(position, &right), rank(position, &right));
        if !is_beyond_greed && rank == 0 {
            return None;
        }
        self.counts.add(TacticCheck::Hard, 1);
        let analysis = analyze(&mut self.searcher, position, longer);
        let moves = self.compare(position, &analysis, &moves, longer)?;
        self.counts.add(TacticCheck::Longer, 1);
        let analysis = analyze(&mut self.searcher, position, deep / 4);
        let moves = self.compare(position, &analysis, &moves, deep)?;
        // With fewer legal moves there is little to choose from.
        if moves.len() < COMPARED_MOVES {
            return None;
        }
        self.counts.add(TacticCheck::Deep, 1);
        let count = moves_before_gap(&moves)?;
        let right: Vec<Move> = moves[..count].iter().map(|rated| rated.mv).collect();
        Some(Tactic {
            id: identity(position),
            theme: theme(position, &right)?,
            difficulty: difficulty(rank, is_beyond_greed, right.len()),
            iterations: deep,
            moves,
            position: *position,
        })
    }

    /// Compares the best of the `previous` moves and the first moves of an analysis by searches
    /// after each of them. Returns them with the results, the best first; `None` as soon as none
    /// can be clearly the best.
    fn compare(
        &mut self,
        position: &Position,
        analysis: &Analysis,
        previous: &[RatedMove],
        iterations: u64,
    ) -> Option<Vec<RatedMove>> {
        let mut moves: Vec<Move> =
            previous.iter().take(COMPARED_MOVES).map(|rated| rated.mv).collect();
        // A longer search may find something new.
        let max_new = if previous.is_empty() { COMPARED_MOVES } else { MAX_NEW_MOVES };
        for candidate in analysis.moves.iter().take(max_new) {
            if !moves.contains(&candidate.mv) {
                moves.push(candidate.mv);
            }
        }
        let mut rated: Vec<RatedMove> = Vec::new();
        for mv in moves {
            rated.push(rate(&mut self.searcher, position, mv, iterations));
            rated.sort_by(|a, b| b.winrate.total_cmp(&a.winrate));
            // Without a gap so far, give up: a later move seldom opens one.
            if rated.len() > 2 && moves_before_gap(&rated).is_none() {
                return None;
            }
        }
        let is_clear = moves_before_gap(&rated).is_some() && can_be_right(rated[0].winrate);
        is_clear.then_some(rated)
    }
}

/// Whether a move with this win rate is worth finding: the game is neither lost nor won by any
/// move. The bounds are a guess, never measured.
fn can_be_right(winrate: f64) -> bool {
    (0.4..=0.98).contains(&winrate)
}
