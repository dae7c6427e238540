//! Lines for `tactics.txt`: positions in which few moves are right.

use std::iter;

use clap::ValueEnum;
use pontifex::board::Size;
use pontifex::engine::Options;
use pontifex::game::{Color, Position, Rules, Supply};
use pontifex::puzzles::{Theme, is_beyond_greed, joining_sites, right_moves};
use pontifex::search::solver::{Solver, size_estimate};
use pontifex::search::{Config, Limits, SearchResult, Searcher, StopSignal};

use crate::journal::Game;
use pontifex_testing::random_games::Gambler;

use pontifex_testing::tactic::{Evidence, Tactic};

/// The kinds of positions taken from journals.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Kind {
    /// Small endings, proved by the solver
    Small,
    /// Larger endings, proved by the solver
    Large,
    /// Earlier positions, established by long searches
    Searched,
}

/// Prints lines of one kind.
pub(crate) fn print(kind: Kind, games: &[Game]) {
    match kind {
        Kind::Small => print_small(games),
        Kind::Large => print_large(games),
        Kind::Searched => print_searched(games),
    }
}

/// The position `turns` turns before the end, unless the game is shorter.
fn before_end(game: &Game, turns: usize) -> Option<Position> {
    game.before_end(turns).filter(|position| !position.may_swap())
}

/// The tactic in a position, if the solver proves that there is one. Few moves are right: at most 3
/// %, a limit from 3 to 6 moves. They share a theme, greed would not find them, and every other
/// move changes the result.
fn find_tactic(
    solver: &mut Solver,
    nodes: u64,
    position: &Position,
    turns: usize,
) -> Option<Tactic> {
    let legal = position.counts().total() as usize;
    if legal < 40 {
        return None;
    }
    solver.clear();
    let most = (legal * 3 / 100).clamp(3, 6);
    let proof = right_moves(solver, position, most, nodes)?;
    if !proof.is_decisive || !is_beyond_greed(position, &proof.moves) {
        return None;
    }
    let themes: Vec<Theme> = proof.moves.iter().map(|&mv| Theme::of(position, mv)).collect();
    let theme = themes[0];
    themes.iter().all(|&other| other == theme).then(|| Tactic {
        theme,
        evidence: Evidence::Solver,
        value: proof.value.to_string(),
        is_decisive: proof.is_decisive,
        source: turns.to_string(),
        right: proof.moves,
        position: *position,
    })
}

/// Whether the theme is not one of the most frequent ones.
fn is_rare(tactic: &Tactic) -> bool {
    !matches!(tactic.theme, Theme::Link | Theme::Tempo | Theme::Space | Theme::Quiet)
}

/// The solver's limit of positions to find the winner of a small ending.
const NODES: u64 = 25_000;

/// Prints at most one small ending per game, 14 to 8 turns before its end: the earliest with a rare
/// theme, or else the earliest.
fn print_small(games: &[Game]) {
    let mut solver = Solver::new(64 << 20);
    for game in games {
        let mut chosen: Option<Tactic> = None;
        for turns in (8..=14).rev() {
            let Some(position) = before_end(game, turns) else { continue };
            // Larger ones are seldom solved within the limit, smaller ones are trivial.
            if !(14..=36).contains(&size_estimate(&position)) {
                continue;
            }
            let tactic = find_tactic(&mut solver, NODES, &position, turns);
            let is_rare = tactic.as_ref().is_some_and(is_rare);
            if is_rare || chosen.is_none() {
                chosen = tactic;
            }
            if is_rare {
                break;
            }
        }
        if let Some(tactic) = chosen {
            println!("{tactic}");
        }
    }
}

/// Prints larger endings: of each game, the position 8 to 14 turns before its end, depending on the
/// game's number.
fn print_large(games: &[Game]) {
    let mut solver = Solver::new(64 << 20);
    for (number, game) in games.iter().enumerate() {
        let turns = 8 + number % 7;
        let position = before_end(game, turns);
        let position = position.filter(|position| (37..=60).contains(&size_estimate(position)));
        let tactic =
            position.and_then(|position| find_tactic(&mut solver, 200_000, &position, turns));
        if let Some(tactic) = tactic {
            println!("{tactic}");
        }
    }
}

/// Prints positions with a rare theme from `games` random games on small boards, proved by the
/// solver.
pub(crate) fn print_studies(games: u64) {
    let mut solver = Solver::new(16 << 20);
    for number in 0..games {
        let size = Size::new(6 + number % 3).expect("a board size");
        let mut gambler = Gambler::new(number);
        let mut position = Position::new(Rules { size, supply: Supply::Standard, pie: false });
        let positions = iter::from_fn(|| {
            position.make(gambler.step(&position)?);
            Some(position)
        });
        let candidates = positions.filter(|position| {
            let is_suitable = (20..=36).contains(&size_estimate(position));
            is_suitable && !position.is_half_turn() && both_have_islands(position)
        });
        let mut tactics =
            candidates.filter_map(|position| find_tactic(&mut solver, NODES, &position, 0));
        if let Some(tactic) = tactics.find(is_rare) {
            println!("{}", Tactic { source: "-".to_owned(), ..tactic });
        }
    }
}

fn both_have_islands(position: &Position) -> bool {
    Color::BOTH.into_iter().all(|color| position.score(color).islands > 0)
}

/// Iterations of the search that decides.
const LONG_ITERATIONS: u64 = 1_000_000;

/// Iterations of the searches with other seeds that must agree with it.
const CONTROL_ITERATIONS: u64 = 100_000;

fn search(position: &Position, iterations: u64, seed: u64) -> SearchResult {
    let config = Config { threads: 1, seed, ..Options::default().search };
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    Searcher::default().search(position, &config, &limits, &StopSignal::default()).finish()
}

/// Prints positions of the middle game from every seventh game, established by search. Both sides
/// could gain something at once, three searches agree with the long one, and greed would not find
/// the move.
fn print_searched(games: &[Game]) {
    for (number, game) in games.iter().enumerate().step_by(7) {
        let turns = 16 + number / 7 % 7;
        let Some(position) = before_end(game, turns) else { continue };
        let is_tense = Color::BOTH.into_iter().all(|color| {
            !joining_sites(&position, color).is_empty()
                || !position.completing_cells(color).is_empty()
        });
        if !is_tense {
            continue;
        }
        let SearchResult { best, winrate, .. } = search(&position, CONTROL_ITERATIONS, 1);
        let theme = Theme::of(&position, best);
        let is_tactic = !matches!(theme, Theme::Space | Theme::Quiet)
            && is_beyond_greed(&position, &[best])
            && (0.1..0.95).contains(&winrate);
        if !is_tactic || (2..4).any(|seed| search(&position, CONTROL_ITERATIONS, seed).best != best)
        {
            continue;
        }
        let long = search(&position, LONG_ITERATIONS, 4);
        if long.best == best {
            let tactic = Tactic {
                theme,
                evidence: Evidence::Search(LONG_ITERATIONS),
                value: format!("{:.2}", long.winrate),
                is_decisive: false,
                source: turns.to_string(),
                right: vec![best],
                position,
            };
            println!("{tactic}");
        }
    }
}
