//! `pontifex puzzles`: makes puzzles from games.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use rayon::prelude::*;

use super::exit;
use super::named_files::print;
use super::progress::Progress;
use pontifex::board::Size;
use pontifex::game::{Move, Position, Rules, Supply};
use pontifex::puzzles::{Counts, Finder, Judge, Limits, Puzzle, collection};
use pontifex_tournament::journal;

/// Make puzzles from the endings of games
///
/// Reads journals of `pontifex match`, proves the value of every legal turn near
/// the end of each game, and prints positions in which few turns keep the result,
/// at most one of each game and no two alike under symmetry. Prints to standard
/// error how many positions survived each check. docs/puzzles.md explains the
/// lines.
#[derive(Args, Debug)]
pub(super) struct Puzzles {
    /// Journals of `pontifex match`
    #[arg(value_name = "JOURNAL", required_unless_present = "verify")]
    journals: Vec<PathBuf>,
    /// Print at most N puzzles, spread over boards, themes,
    /// difficulties and goals
    /// [default: all]
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Look at the last N turns of each game
    #[arg(long, value_name = "N", default_value_t = 14)]
    turns: usize,
    /// The fewest legal turns
    #[arg(long, value_name = "N", default_value_t = Limits::default().legal)]
    legal: usize,
    /// The largest share of right turns
    #[arg(long, value_name = "X", default_value_t = Limits::default().share)]
    share: f64,
    /// The solver's limit per position, in nodes
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes)]
    nodes: u64,
    /// Prove the puzzles that come with the program again
    #[arg(long, conflicts_with = "journals")]
    verify: bool,
}

/// A game of a journal.
struct Game {
    rules: Rules,
    moves: Vec<Move>,
}

impl Puzzles {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.verify {
            return verify();
        }
        exit::end_unread();
        let mut games = Vec::new();
        for path in &self.journals {
            games.extend(read(path).with_context(|| path.display().to_string())?);
        }
        let limits = Limits { nodes: self.nodes, share: self.share, legal: self.legal };
        let progress = Progress::new("games", games.len());
        let look = |finder: &mut Finder, game: &Game| {
            finder.counts = Counts::default();
            let puzzle = first_puzzle(finder, game, self.turns);
            progress.advance();
            (puzzle, finder.counts)
        };
        let found: Vec<(Option<Puzzle>, Counts)> =
            games.par_iter().map_init(|| Finder::new(limits), look).collect();
        let mut counts = found.iter().fold(Counts::default(), |sum, (_, counts)| sum.and(*counts));
        let mut seen = HashSet::new();
        let mut puzzles: Vec<Puzzle> = found.into_iter().filter_map(|(puzzle, _)| puzzle).collect();
        puzzles.retain(|puzzle| seen.insert(puzzle.id.clone()));
        counts.new = puzzles.len() as u64;
        if let Some(count) = self.count {
            puzzles = spread(puzzles, count);
        }
        puzzles.sort_by_key(|puzzle| (puzzle.difficulty, puzzle.legal));
        let mut out = io::stdout().lock();
        for puzzle in &puzzles {
            writeln!(out, "{puzzle}")?;
        }
        writeln!(io::stderr(), "{counts}\nprinted                    {:>7}", puzzles.len())?;
        Ok(())
    }
}

/// The games of a journal.
fn read(path: &std::path::Path) -> anyhow::Result<Vec<Game>> {
    let (header, entries) = journal::read(path)?;
    let size = header.config["board"].as_u64().context("the journal names no board")?;
    let supply = match header.config["supply"].as_str() {
        Some(text) => text.parse()?,
        None => Supply::Standard,
    };
    let rules = Rules { size: Size::new(size)?, supply, pie: false };
    let game = |entry: &journal::Entry| {
        let moves: Result<Vec<Move>, _> = entry.moves.split_whitespace().map(str::parse).collect();
        Ok(Game { rules, moves: moves? })
    };
    entries.iter().map(game).collect()
}

/// The earliest puzzle in the last `turns` turns of a game. A game with a swap
/// has none: its colours are exchanged.
fn first_puzzle(finder: &mut Finder, game: &Game, turns: usize) -> Option<Puzzle> {
    let mut position = Position::new(game.rules);
    let first = game.moves.len().saturating_sub(turns);
    for (number, &mv) in game.moves.iter().enumerate() {
        if number >= first
            && let Some(puzzle) = finder.look(&position)
        {
            return Some(puzzle);
        }
        position.play(mv).ok()?;
    }
    None
}

/// At most `count` of the puzzles: each next one is of the rarest board, theme,
/// difficulty and goal so far.
fn spread(mut rest: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    let kinds = |puzzle: &Puzzle| {
        let board = puzzle.position.size().to_string();
        let difficulty = format!("difficulty {}", puzzle.difficulty);
        [board, puzzle.theme.to_string(), difficulty, puzzle.goal.word().to_owned()]
    };
    let mut chosen: BTreeMap<String, usize> = BTreeMap::new();
    let mut puzzles = Vec::new();
    while puzzles.len() < count && !rest.is_empty() {
        let frequency = |puzzle: &Puzzle| -> usize {
            // There are many themes, and few boards, difficulties and goals.
            let [board, theme, difficulty, goal] =
                kinds(puzzle).map(|kind| chosen.get(&kind).copied().unwrap_or(0));
            board + 3 * theme + difficulty + goal
        };
        let next = (0..rest.len()).min_by_key(|&index| frequency(&rest[index])).unwrap_or(0);
        let puzzle = rest.remove(next);
        for kind in kinds(&puzzle) {
            *chosen.entry(kind).or_default() += 1;
        }
        puzzles.push(puzzle);
    }
    puzzles
}

/// Proves every puzzle of the collection again.
fn verify() -> anyhow::Result<()> {
    let mut slowest = 0;
    for puzzle in collection() {
        let mut judge = Judge::new(puzzle, 64 << 20);
        let right = judge.right_turns();
        slowest = slowest.max(judge.nodes());
        let is_proved = right.as_ref().is_ok_and(|right| right.len() == puzzle.right);
        anyhow::ensure!(is_proved, "puzzle {}: {right:?} instead of {}", puzzle.id, puzzle.right);
    }
    let count = collection().len();
    print(format!("{count} puzzles proved; the slowest took {slowest} nodes\n").as_bytes())
}
