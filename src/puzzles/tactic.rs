//! Tactics: positions of the middle game, too large for the solver, in which long
//! searches prefer one turn, or two, to all others by far.
//!
//! Nothing here is proved, so a tactic must be beyond doubt in another way. Turns are compared
//! by searches *after* each of them, all of the same length. Within one search the favourite
//! gets most of the visits, and the others look better or worse than they are. A wide gap
//! between the last right turn and the next one covers the noise of the searches:
//!
//! ```text
//!   win rate   0.81  0.79         0.62  0.58  0.55
//!              ─────────   gap    ────────────────
//!              right       ≥ 0.12      wrong
//! ```
//!
//! The finder searches in stages, from a glance of 2,000 iterations to deep searches of 200,000
//! for each turn, and gives up at the first stage without a gap. Of 5,363 positions 650 passed the
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

/// A position with what deep searches say about its best turns.
#[derive(Clone, PartialEq, Debug)]
pub struct Tactic {
    /// The name, made from the position like that of a puzzle ([`identity`]).
    pub id: String,
    /// What the right turns do.
    pub theme: Theme,
    /// From 1 (easy) to 3.
    pub difficulty: u8,
    /// The iterations of the search after each turn.
    pub iterations: u64,
    /// The best turns, the best first. Those before the first gap are right.
    pub turns: Vec<Rated>,
    /// The position, with the side to move that has to find the turn.
    pub position: Position,
}

/// A turn, and what a search says of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rated {
    /// A legal turn.
    pub mv: Move,
    /// The win rate for the side that makes it, 0 to 1, with three decimals.
    pub winrate: f64,
    /// The opponent's best answer; `None` after the end of the game.
    pub reply: Option<Move>,
}

/// The least difference of win rate between a right turn and the next one. Chosen: more than a
/// mistake (0.1) in a review. A smaller gap finds more tactics that a longer search refutes.
pub const GAP: f64 = 0.12;

/// How far a turn that is not stored may fall below the best one and still be right. Chosen, a
/// third of the gap: its search is shorter, and noise must not call a player's good idea wrong.
const RIGHT_MARGIN: f64 = 0.04;

/// The iterations after a turn that is not stored: less than a second, as long as the finder's
/// longer searches.
const JUDGE_ITERATIONS: u64 = 20_000;

/// How many turns are compared. Chosen: each costs a search at every stage.
const COMPARED_TURNS: usize = 5;
/// How many turns a longer search of the position may add.
const MAX_NEW_TURNS: usize = 1;

impl Tactic {
    /// The right turns, the best first; the rest of the turns is clearly worse.
    pub fn right(&self) -> &[Rated] {
        &self.turns[..turns_before_gap(&self.turns).unwrap_or(1)]
    }

    /// What is stored about a turn, and whether it is right.
    pub fn known(&self, mv: Move) -> Option<(Rated, bool)> {
        let known = self.turns.iter().position(|turn| turn.mv == mv)?;
        Some((self.turns[known], known < self.right().len()))
    }

    /// What is known about a legal turn, and whether it is right. A turn that is
    /// not stored is searched.
    pub fn judge(&self, searcher: &mut Searcher, mv: Move) -> (Rated, bool) {
        if let Some(known) = self.known(mv) {
            return known;
        }
        let rated = rate(searcher, &self.position, mv, JUDGE_ITERATIONS);
        let least = self.turns[0].winrate - RIGHT_MARGIN;
        (rated, rated.winrate >= least)
    }
}

/// How many turns come before the first gap, at most two.
fn turns_before_gap(turns: &[Rated]) -> Option<usize> {
    // Win rates have three decimals; their difference is a little less or more.
    const SLACK: f64 = 1e-9;
    (1..=2).find(|&count| {
        turns.get(count).is_some_and(|next| turns[count - 1].winrate - next.winrate >= GAP - SLACK)
    })
}

/// Searches the position after a legal turn.
fn rate(searcher: &mut Searcher, position: &Position, mv: Move, iterations: u64) -> Rated {
    let mut after = *position;
    let _ = after.play(mv);
    if after.is_over() {
        let share = f64::from(Value::from(after.outcome()).seen_by(position.side()).white_share());
        return Rated { mv, winrate: share, reply: None };
    }
    searcher.clear();
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    let found =
        searcher.search(&after, &config(iterations), &limits, &StopSignal::default()).finish();
    Rated { mv, winrate: rounded(1.0 - found.winrate, 3), reply: Some(found.best) }
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

/// One thread, so that the result depends on the position only, and memory for so many
/// iterations.
fn config(iterations: u64) -> Config {
    // In MiB, enough for the trees of both kinds of searches.
    let memory = if iterations > JUDGE_ITERATIONS { 192 } else { 48 };
    Config { threads: 1, memory, ..Options::default().search }
}

/// The fields of a line.
const FIELDS: &str = "ID THEME DIFFICULTY ITERATIONS TURNS SUPPLY POSITION";

impl FromStr for Tactic {
    type Err = ParsePuzzleError;

    /// Reads `ID THEME DIFFICULTY ITERATIONS TURNS SUPPLY POSITION`.
    fn from_str(line: &str) -> Result<Tactic, ParsePuzzleError> {
        let fields: Vec<&str> = line.splitn(7, ' ').collect();
        let &[id, theme, difficulty, iterations, turns, supply, position] = &fields[..] else {
            return Err(ParsePuzzleError::Fields(excerpt(line), FIELDS));
        };
        let turns: Result<Vec<Rated>, _> =
            turns.split('/').map(|turn| read_field("turn", turn)).collect();
        let turns = turns?;
        if turns_before_gap(&turns).is_none() {
            return Err(ParsePuzzleError::Field { field: "gap", found: excerpt(line) });
        }
        Ok(Tactic {
            id: id.to_owned(),
            theme: read_field("theme", theme)?,
            difficulty: read_field("difficulty", difficulty)?,
            iterations: read_field("number of iterations", iterations)?,
            turns,
            position: read_position(supply, position)?,
        })
    }
}

impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tactic { id, theme, difficulty, iterations, turns, position } = self;
        write!(f, "{id} {theme} {difficulty} {iterations} ")?;
        for (n, turn) in turns.iter().enumerate() {
            write!(f, "{}{turn}", if n > 0 { "/" } else { "" })?;
        }
        write!(f, " {} {position}", position.rules().supply)
    }
}

impl FromStr for Rated {
    type Err = ();

    /// Reads `TURN:WINRATE:REPLY`; without a reply, `-`.
    fn from_str(text: &str) -> Result<Rated, ()> {
        let fields: Vec<&str> = text.split(':').collect();
        let &[mv, winrate, reply] = &fields[..] else { return Err(()) };
        let read = |mv: &str| mv.parse::<Move>().map_err(|_| ());
        let reply = if reply == "-" { None } else { Some(read(reply)?) };
        Ok(Rated { mv: read(mv)?, winrate: winrate.parse().map_err(|_| ())?, reply })
    }
}

impl fmt::Display for Rated {
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
    /// One short search prefers one turn or two.
    #[strum(to_string = "clear in a glance")]
    Glance,
    /// Short searches after its first turns agree.
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
    /// The iterations of the glance, and of the short, the longer and the deep searches.
    iterations: [u64; 4],
    /// The counts so far; those of [`TacticCheck::New`] are the caller's.
    pub counts: CheckCounts<TacticCheck>,
}

impl TacticFinder {
    /// A finder whose deep searches have this many iterations.
    pub fn new(deep: u64) -> TacticFinder {
        let iterations = [2_000, 2_000, 20_000, deep].map(|iterations: u64| iterations.min(deep));
        TacticFinder { searcher: Searcher::default(), iterations, counts: CheckCounts::default() }
    }

    /// The tactic in a position, if there is one.
    pub fn find(&mut self, position: &Position) -> Option<Tactic> {
        /// With fewer tiles on the board it is an opening, where many turns are good.
        const FEWEST: u32 = 14;
        /// Smaller positions are puzzles for the solver.
        const SMALLEST: u32 = 44;
        /// Half a gap: in one tree the turns that are seldom visited look better than they are.
        const GLANCE: f64 = GAP / 2.0;

        self.counts.add(TacticCheck::Looked, 1);
        let [white, red] = Color::BOTH.map(|color| position.tiles(color).len());
        if position.is_over() || position.may_swap() || white + red < FEWEST {
            return None;
        }
        if size_estimate(position) <= SMALLEST {
            return None;
        }
        self.counts.add(TacticCheck::Middle, 1);
        let [glance, short, longer, deep] = self.iterations;
        let seen = analyze(&mut self.searcher, position, glance);
        let best = seen.moves.iter().take(3).map(|turn| turn.winrate).collect::<Vec<_>>();
        let is_clear = (1..best.len()).any(|n| best[n - 1] - best[n] >= GLANCE);
        if !is_clear || !can_be_right(best[0]) {
            return None;
        }
        self.counts.add(TacticCheck::Glance, 1);
        let turns = self.compare(position, &seen, &[], short)?;
        self.counts.add(TacticCheck::Short, 1);
        let count = turns_before_gap(&turns)?;
        let right: Vec<Move> = turns[..count].iter().map(|turn| turn.mv).collect();
        let (is_beyond_greed, rank) = (is_beyond_greed(position, &right), rank(position, &right));
        if !is_beyond_greed && rank == 0 {
            return None;
        }
        self.counts.add(TacticCheck::Hard, 1);
        let seen = analyze(&mut self.searcher, position, longer);
        let turns = self.compare(position, &seen, &turns, longer)?;
        self.counts.add(TacticCheck::Longer, 1);
        let seen = analyze(&mut self.searcher, position, deep / 4);
        let turns = self.compare(position, &seen, &turns, deep)?;
        // With fewer legal turns there is little to choose from.
        if turns.len() < COMPARED_TURNS {
            return None;
        }
        self.counts.add(TacticCheck::Deep, 1);
        let count = turns_before_gap(&turns)?;
        let right: Vec<Move> = turns[..count].iter().map(|turn| turn.mv).collect();
        Some(Tactic {
            id: identity(position),
            theme: theme(position, &right)?,
            difficulty: difficulty(rank, is_beyond_greed, right.len()),
            iterations: deep,
            turns,
            position: *position,
        })
    }

    /// The best turns `before` and the first turns of a search, each with the result of a
    /// search after it, the best first. `None` as soon as none can be clearly
    /// the best.
    fn compare(
        &mut self,
        position: &Position,
        seen: &Analysis,
        before: &[Rated],
        iterations: u64,
    ) -> Option<Vec<Rated>> {
        let mut order: Vec<Move> = before.iter().take(COMPARED_TURNS).map(|turn| turn.mv).collect();
        // A longer search may find something new.
        let new = if before.is_empty() { COMPARED_TURNS } else { MAX_NEW_TURNS };
        for turn in seen.moves.iter().take(new) {
            if !order.contains(&turn.mv) {
                order.push(turn.mv);
            }
        }
        let mut turns: Vec<Rated> = Vec::new();
        for mv in order {
            turns.push(rate(&mut self.searcher, position, mv, iterations));
            turns.sort_by(|a, b| b.winrate.total_cmp(&a.winrate));
            // Without a gap among the first ones: a later turn mostly falls between them.
            if turns.len() > 2 && turns_before_gap(&turns).is_none() {
                return None;
            }
        }
        let is_fit = turns_before_gap(&turns).is_some() && can_be_right(turns[0].winrate);
        is_fit.then_some(turns)
    }
}

/// Whether a turn with this win rate is worth finding: the game is neither lost nor won by
/// anything. The bounds were chosen.
fn can_be_right(winrate: f64) -> bool {
    (0.4..=0.98).contains(&winrate)
}
