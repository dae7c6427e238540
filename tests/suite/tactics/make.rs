//! Where the positions come from: journals of engine games.

use std::{fs, iter};

use pontifex::board::Size;
use pontifex::game::{Color, Move, Position, Rules, Supply};
use pontifex::search::Report;
use pontifex::search::solver::{Solver, size_estimate};
use serde_json::Value as Json;

use super::line::{Evidence, Tactic};
use super::proof::{is_beyond_greed, right_turns};
use super::theme::{Theme, joining_sites};
use crate::random_games::Gambler;

/// The games of the journals of `pontifex match` that `PONTIFEX_JOURNALS`
/// names, separated by commas: their rules and moves.
pub(crate) fn games() -> Vec<(Rules, Vec<Move>)> {
    let files = std::env::var("PONTIFEX_JOURNALS").expect("PONTIFEX_JOURNALS");
    let mut games = Vec::new();
    for file in files.split(',') {
        let text = fs::read_to_string(file).expect("a journal");
        let mut lines = text.lines();
        let header: Json = serde_json::from_str(lines.next().unwrap_or("")).expect("a header");
        let size = header["config"]["board"].as_u64().expect("a board");
        let size = Size::new(size).expect("a board size");
        let rules = Rules { size, supply: Supply::Standard, pie: false };
        for line in lines {
            let Ok(entry) = serde_json::from_str::<Json>(line) else { break };
            let Some(moves) = entry["moves"].as_str() else { continue };
            let moves = moves.split(' ').map(|mv| mv.parse().expect("a move")).collect();
            games.push((rules, moves));
        }
    }
    games
}

/// The position of a game so many turns before its end.
pub(crate) fn before_end(rules: Rules, moves: &[Move], turns: usize) -> Option<Position> {
    let mut position = Position::new(rules);
    for &mv in &moves[..moves.len().checked_sub(turns)?] {
        position.play(mv).expect("a legal game");
    }
    (!position.may_swap()).then_some(position)
}

/// The tactic in a position, if the solver gets to the bottom of it, few
/// turns are right (of 100 three, of more 3 %), they are not those that bring
/// most at once, all do the same kind of thing and every other turn throws
/// the result away.
fn tactic(solver: &mut Solver, nodes: u64, position: &Position, turns: usize) -> Option<Tactic> {
    let legal = position.counts().total() as usize;
    if legal < 40 {
        return None;
    }
    solver.clear();
    let most = (legal * 3 / 100).clamp(3, 6);
    let proof = right_turns(solver, position, most, nodes)?;
    if !proof.is_decisive || !is_beyond_greed(position, &proof.turns) {
        return None;
    }
    let themes: Vec<Theme> = proof.turns.iter().map(|&mv| Theme::of(position, mv)).collect();
    let theme = themes[0];
    themes.iter().all(|&other| other == theme).then(|| Tactic {
        theme,
        evidence: Evidence::Solver,
        value: proof.value.to_string(),
        is_decisive: proof.is_decisive,
        source: turns.to_string(),
        right: proof.turns,
        position: *position,
    })
}

/// Positions the solver may look at to tell who wins in a small ending.
const NODES: u64 = 25_000;

/// Prints lines with proofs by the solver, one a game at most: of 8 to 14
/// turns before its end the earliest there is about something else than tempo
/// and space, or else the earliest.
pub(crate) fn print_small() {
    let mut solver = Solver::new(64 << 20);
    for (rules, moves) in games() {
        let mut found: Option<Tactic> = None;
        for turns in (8..=14).rev() {
            let Some(position) = before_end(rules, &moves, turns) else { continue };
            // Larger ones are seldom solved so soon, smaller ones no puzzle.
            if !(14..=36).contains(&size_estimate(&position)) {
                continue;
            }
            let tactic = tactic(&mut solver, NODES, &position, turns);
            let is_rare = tactic.as_ref().is_some_and(Tactic::is_rare);
            if is_rare || found.is_none() {
                found = tactic;
            }
            if is_rare {
                break;
            }
        }
        if let Some(tactic) = found {
            println!("{tactic}");
        }
    }
}

/// Prints lines of larger endings with proofs by the solver, of each game the
/// position 8 to 14 turns (in turn) before its end.
pub(crate) fn print_large() {
    let mut solver = Solver::new(64 << 20);
    for (number, (rules, moves)) in games().into_iter().enumerate() {
        let turns = 8 + number % 7;
        let position = before_end(rules, &moves, turns);
        let position = position.filter(|position| (37..=60).contains(&size_estimate(position)));
        let tactic = position.and_then(|position| tactic(&mut solver, 200_000, &position, turns));
        if let Some(tactic) = tactic {
            println!("{tactic}");
        }
    }
}

/// Prints lines with proofs by the solver that are about something rare, from
/// random games on small boards: studies, which no player would reach.
pub(crate) fn print_studies(count: u64) {
    let mut solver = Solver::new(16 << 20);
    for number in 0..count {
        let size = Size::new(6 + number % 3).expect("a board size");
        let mut gambler = Gambler::new(number);
        let mut position = Position::new(Rules { size, supply: Supply::Standard, pie: false });
        let found = iter::from_fn(|| {
            position.make(gambler.step(&position)?);
            Some(position)
        });
        let found = found.filter(|position| {
            let is_fit = (20..=36).contains(&size_estimate(position));
            is_fit && !position.is_half_turn() && has_networks(position)
        });
        let tactic = found.filter_map(|position| tactic(&mut solver, NODES, &position, 0));
        if let Some(tactic) = tactic.into_iter().find(Tactic::is_rare) {
            println!("{}", Tactic { source: "-".to_owned(), ..tactic });
        }
    }
}

/// Whether both colours have islands and can go on.
fn has_networks(position: &Position) -> bool {
    Color::BOTH.into_iter().all(|color| position.score(color).islands > 0)
}

/// Iterations of the search that has the last word.
const LONG: u64 = 100 * super::SHORT;

/// Iterations of those that must agree with it, with other seeds.
const CONTROL: u64 = 10 * super::SHORT;

/// Prints lines established by search, of the middle of the game: where both
/// sides could gain something at once, three searches agree with the long one
/// and the turn is not what brings most at once. The games are taken in steps.
pub(crate) fn print_searched() {
    for (number, (rules, moves)) in games().into_iter().enumerate().step_by(7) {
        let turns = 16 + number / 7 % 7;
        let Some(position) = before_end(rules, &moves, turns) else { continue };
        let is_tense = Color::BOTH.into_iter().all(|color| {
            !joining_sites(&position, color).is_empty() || !position.completing(color).is_empty()
        });
        if !is_tense {
            continue;
        }
        let choose = |seed, iterations| super::search(&position, iterations, seed);
        let Report { best, winrate, .. } = choose(1, CONTROL);
        let theme = Theme::of(&position, best);
        let is_about_something = !matches!(theme, Theme::Space | Theme::Quiet)
            && is_beyond_greed(&position, &[best])
            && (0.1..0.95).contains(&winrate);
        let is_clear = is_about_something && (2..4).all(|seed| choose(seed, CONTROL).best == best);
        if !is_clear {
            continue;
        }
        let long = choose(4, LONG);
        if long.best == best {
            let tactic = Tactic {
                theme,
                evidence: Evidence::Search(LONG),
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
