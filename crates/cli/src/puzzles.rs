//! `pontifex puzzles`: makes puzzles from games, and proves those that come with the program.
//!
//! There are two kinds. Puzzles of endings are proved by the solver, which is fast enough to do all
//! games at once and sort the result. Tactics of the middle game need deep searches for days. So
//! each is appended to a file as soon as it is found, with a comment line for each finished game,
//! from which the same command resumes. `docs/puzzles.md` has the checks.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use clap::Args;
use rayon::prelude::*;

use super::exit;
use super::named_files::{self, print};
use super::progress::Progress;
use pontifex::game::{Move, Position};
use pontifex::notation::{DefaultRules, Record};
use pontifex::puzzles::{
    Check, CheckCounts, Finder, Judge, Puzzle, PuzzleLimits, Tactic, TacticCheck, TacticFinder,
    collection,
};

/// Make puzzles from the endings of games
///
/// Reads journals of `pontifex match`, proves the value of every legal turn near the end of each
/// game, and prints positions in which few turns keep the result, at most one of each game and no
/// two alike under symmetry. Prints to standard error how many positions survived each check.
/// docs/puzzles.md explains the lines.
#[derive(Args, Debug)]
pub(super) struct Puzzles {
    /// Journals of `pontifex match`
    #[arg(value_name = "JOURNAL", required_unless_present = "verify")]
    journals: Vec<PathBuf>,
    /// Print at most N puzzles, spread over boards, themes, difficulties and goals [default: all]
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Look at the last N turns of each game
    #[arg(long, value_name = "N", default_value_t = 14)]
    turns: usize,
    /// Make puzzles of N turns at most, and of two at least: the opponent answers each right turn
    /// with the longest resistance
    #[arg(long, value_name = "N", default_value_t = 1)]
    steps: usize,
    /// The fewest legal moves
    #[arg(long, value_name = "N", default_value_t = PuzzleLimits::default().legal)]
    legal: usize,
    /// The largest share of right moves
    #[arg(long, value_name = "X", default_value_t = PuzzleLimits::default().share)]
    share: f64,
    /// The solver's limit per position, in nodes
    #[arg(long, value_name = "N", default_value_t = PuzzleLimits::default().nodes)]
    nodes: u64,
    /// Find tactics instead: positions of the middle game in which deep searches prefer one turn or
    /// two by far. Appends each to FILE at once, with a line for each game that is done;
    /// interrupted, the same command goes on
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "turns", "legal", "share", "nodes"])]
    tactics: Option<PathBuf>,
    /// Iterations of the deep searches of --tactics, one after each of the first five turns
    #[arg(long, value_name = "N", default_value_t = 200_000, requires = "tactics")]
    iterations: u64,
    /// Prove the puzzles that come with the program again
    #[arg(long, conflicts_with = "journals")]
    verify: bool,
}

impl Puzzles {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.verify {
            return verify();
        }
        if let Some(path) = &self.tactics {
            return find_tactics(path, &self.journals, self.iterations);
        }
        exit::exit_on_broken_pipe();
        let mut games = Vec::new();
        for path in &self.journals {
            games.extend(named_files::records(path, &DefaultRules::default())?.1);
        }
        let limits = PuzzleLimits {
            nodes: self.nodes,
            share: self.share,
            legal: self.legal,
            turns: self.steps,
        };
        let progress = Progress::new("games", games.len());
        let search_game = |finder: &mut Finder, game: &Record| {
            finder.counts = CheckCounts::default();
            let puzzle = first_puzzle(finder, game, self.turns);
            progress.advance();
            (puzzle, finder.counts.clone())
        };
        let results: Vec<(Option<Puzzle>, CheckCounts)> =
            games.par_iter().map_init(|| Finder::new(limits), search_game).collect();
        let mut counts =
            results.iter().fold(CheckCounts::default(), |sum, (_, counts)| sum.and(counts));
        let mut seen = HashSet::new();
        let mut puzzles: Vec<Puzzle> =
            results.into_iter().filter_map(|(puzzle, _)| puzzle).collect();
        puzzles.retain(|puzzle| seen.insert(puzzle.id.clone()));
        counts.add(Check::New, puzzles.len() as u64);
        if let Some(count) = self.count {
            puzzles = pick_varied(puzzles, count);
        }
        puzzles.sort_by_key(|puzzle| (puzzle.difficulty, puzzle.legal_count));
        let mut out = io::stdout().lock();
        for puzzle in &puzzles {
            writeln!(out, "{puzzle}")?;
        }
        writeln!(io::stderr(), "{counts}\nprinted                    {:>7}", puzzles.len())?;
        Ok(())
    }
}

/// The positions before each turn of a game. Empty for a game with a swap, in which the players
/// change colours, or with an illegal move.
fn positions_before_turns(game: &Record) -> Vec<Position> {
    let has_swap = game.moves.iter().any(|recorded| recorded.mv == Move::Swap);
    let mut positions = game.positions().ok().filter(|_| !has_swap).unwrap_or_default();
    positions.truncate(game.moves.len());
    positions
}

/// The earliest puzzle in the last `turns` turns of a game.
fn first_puzzle(finder: &mut Finder, game: &Record, turns: usize) -> Option<Puzzle> {
    let positions = positions_before_turns(game);
    positions[positions.len().saturating_sub(turns)..]
        .iter()
        .find_map(|position| finder.find(position))
}

/// Begins the line of a finished game, which has its number in the journal, the counts and the name
/// of the journal.
const DONE_PREFIX: &str = "# done ";

/// Appends the tactics in games to a file, at most one of each game and no two alike. Games that
/// the file names are skipped. The journals take turns, so that an interrupted search has covered
/// some games of each.
fn find_tactics(path: &Path, journals: &[PathBuf], iterations: u64) -> anyhow::Result<()> {
    let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
    let mut seen: HashSet<String> = HashSet::new();
    let mut counts: CheckCounts<TacticCheck> = CheckCounts::default();
    let mut done: HashMap<&str, HashSet<usize>> = HashMap::new();
    for line in text.lines() {
        // `# done NUMBER COUNTS JOURNAL`; a journal's name may contain spaces.
        if let Some((number, rest)) =
            line.strip_prefix(DONE_PREFIX).and_then(|rest| rest.split_once(' '))
            && let Some((numbers, journal)) = rest.split_once(' ')
        {
            let numbers = numbers.split('/').map(|number| number.parse().unwrap_or(0));
            counts = counts.and(&numbers.collect());
            done.entry(journal).or_default().insert(number.parse().context("a game's number")?);
        } else if !line.starts_with('#') {
            seen.insert(line.parse::<Tactic>()?.id);
        }
    }
    let mut games: Vec<(usize, &Path, Record)> = Vec::new();
    for journal in journals {
        let records = named_files::records(journal, &DefaultRules::default())?.1;
        games.extend(records.into_iter().enumerate().map(|(n, game)| (n, journal.as_path(), game)));
    }
    games.retain(|(number, journal, _)| {
        !done.get(&*journal.to_string_lossy()).is_some_and(|done| done.contains(number))
    });
    games.sort_by_key(|&(number, ..)| number);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let progress = Progress::new("games", games.len());
    let mut finder = TacticFinder::new(iterations);
    for (number, journal, game) in &games {
        finder.counts = CheckCounts::default();
        let tactic = positions_before_turns(game).iter().find_map(|position| finder.find(position));
        if let Some(tactic) = tactic.filter(|tactic| seen.insert(tactic.id.clone())) {
            finder.counts.add(TacticCheck::New, 1);
            writeln!(file, "{tactic}")?;
        }
        let numbers: Vec<String> = finder.counts.numbers().map(|n| n.to_string()).collect();
        writeln!(file, "{DONE_PREFIX}{number} {} {}", numbers.join("/"), journal.display())?;
        counts = counts.and(&finder.counts);
        progress.advance();
    }
    drop(progress);
    writeln!(io::stderr(), "{counts}")?;
    Ok(())
}

/// Picks at most `count` of the puzzles: each next one has the rarest board, theme, difficulty and
/// goal so far.
fn pick_varied(mut rest: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    let kinds = |puzzle: &Puzzle| {
        let board = puzzle.position.size().to_string();
        let difficulty = format!("difficulty {}", puzzle.difficulty);
        [board, puzzle.theme.to_string(), difficulty, puzzle.goal.to_string()]
    };
    let mut chosen: BTreeMap<String, usize> = BTreeMap::new();
    let mut puzzles = Vec::new();
    while puzzles.len() < count && !rest.is_empty() {
        let frequency = |puzzle: &Puzzle| -> usize {
            // Set by judgement: there are many themes, but few boards, difficulties and goals, so a
            // theme counts more.
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
        // 64 MiB for the solver's table. Set by judgement: with less, proofs take more nodes.
        let mut judge = Judge::new(puzzle, 64 << 20);
        let right_moves = judge.right_moves(&[]).unwrap_or_default();
        let is_proved = right_moves.len() == puzzle.right_count;
        anyhow::ensure!(
            is_proved,
            "puzzle {}: {right_moves:?} instead of {}",
            puzzle.id,
            puzzle.right_count
        );
        for mv in right_moves {
            verify_line(&mut judge, puzzle, &mut Vec::new(), mv)?;
        }
        slowest = slowest.max(judge.nodes());
    }
    let count = collection().len();
    print(format!("{count} puzzles proved; the slowest took {slowest} nodes\n").as_bytes())
}

/// Plays the right move `mv` after `line` against the solver's answer, then every right move that
/// follows, and so on. Each line must have as many right moves as the puzzle has turns. `line` is
/// restored on success.
fn verify_line(
    judge: &mut Judge,
    puzzle: &Puzzle,
    line: &mut Vec<Move>,
    mv: Move,
) -> anyhow::Result<()> {
    let verdict = judge.judge(line, mv)?.context("the solver does not find the answer")?;
    anyhow::ensure!(verdict.is_right, "puzzle {}: {mv} after {line:?}", puzzle.id);
    let moves_found = line.len() / 2 + 1;
    anyhow::ensure!(
        verdict.continues == (moves_found < puzzle.turns),
        "puzzle {}: {line:?}",
        puzzle.id
    );
    let (Some(reply), true) = (verdict.reply, verdict.continues) else { return Ok(()) };
    line.extend([mv, reply]);
    let right_moves = judge.right_moves(line).unwrap_or_default();
    anyhow::ensure!(!right_moves.is_empty(), "puzzle {}: {line:?}", puzzle.id);
    for next in right_moves {
        verify_line(judge, puzzle, line, next)?;
    }
    line.truncate(line.len() - 2);
    Ok(())
}
