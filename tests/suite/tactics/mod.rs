//! `data/tactics.txt`: positions in which few turns are right, and whether the engine finds one.

use std::collections::BTreeMap;
use std::env;
use std::time::Duration;

use pontifex::engine::Options;
use pontifex::puzzles::{Theme, is_beyond_greed, right_moves};
use pontifex::search::solver::Solver;
use pontifex::search::{Config, Limits, Searcher, StopSignal};
use rayon::prelude::*;

use pontifex_testing::tactic::{Evidence, Tactic};

const TACTICS: &str = include_str!("../data/tactics.txt");

fn tactics() -> Vec<Tactic> {
    TACTICS.lines().filter(|line| !line.starts_with('#')).map(Tactic::parse).collect()
}

#[test]
fn the_suite_is_consistent() {
    let tactics = tactics();
    let mut themes: BTreeMap<Theme, usize> = BTreeMap::new();
    let mut sizes: BTreeMap<u8, usize> = BTreeMap::new();
    let mut proved = 0;
    for (number, tactic) in tactics.iter().enumerate() {
        let Tactic { position, right, .. } = tactic;
        let legal = position.moves();
        assert!(right.iter().all(|mv| legal.contains(mv)), "{tactic}");
        assert!(right.len() <= 3 || right.len() * 20 <= legal.len(), "{tactic}");
        assert!(is_beyond_greed(position, right), "{tactic}");
        for &mv in right {
            assert_eq!(Theme::of(position, mv), tactic.theme, "{mv} in {tactic}");
        }
        let is_new = |other: &Tactic| other.position != *position;
        assert!(tactics[..number].iter().all(is_new), "{tactic}");
        *themes.entry(tactic.theme).or_default() += 1;
        *sizes.entry(position.size().get()).or_default() += 1;
        proved += usize::from(tactic.evidence == Evidence::Solver);
    }
    println!("{} positions, {proved} proved; themes {themes:?}, sizes {sizes:?}", tactics.len());
    assert!(tactics.len() >= 60 && proved >= 45);
    assert!(themes.len() >= 9 && sizes.len() >= 3);
}

/// Proves the right turns again, with `nodes` for each position (see [`right_moves`]) and a hash
/// table of `memory` bytes. Returns the number of positions that are marked as proved and the
/// number that were proved again.
fn prove(nodes: u64, memory: usize) -> (usize, usize) {
    let mut solver = Solver::new(memory);
    let (mut count, mut proved) = (0, 0);
    for tactic in tactics().iter().filter(|tactic| tactic.evidence == Evidence::Solver) {
        count += 1;
        solver.clear();
        let most = tactic.right.len();
        let Some(proof) = right_moves(&mut solver, &tactic.position, most, nodes) else {
            continue;
        };
        proved += 1;
        assert_eq!(proof.value.to_string(), tactic.value, "{tactic}");
        assert_eq!(proof.moves, tactic.right, "{tactic}");
        assert_eq!(proof.is_decisive, tactic.is_decisive, "{tactic}");
    }
    println!("{proved} of {count} proved again");
    (count, proved)
}

#[test]
fn the_solver_proves_cheap_tactics() {
    let (count, proved) = prove(6_000, 16 << 20);
    assert!(proved * 4 > count, "{proved} of {count}");
}

#[test]
#[ignore = "takes minutes"]
fn the_solver_proves_all_tactics() {
    let (count, proved) = prove(u64::MAX / 32, 256 << 20);
    assert_eq!(proved, count);
}

/// Searches every position with one thread. Returns the number of positions and the number solved;
/// prints the others.
fn solve(tactics: &[Tactic], limits: Limits) -> (usize, usize) {
    let config = Config { threads: 1, memory: 64, ..Options::default().search };
    let is_solved = |tactic: &&Tactic| {
        let stop = StopSignal::default();
        let report = Searcher::default().search(&tactic.position, &config, &limits, &stop).finish();
        let is_right = tactic.right.contains(&report.best);
        if !is_right {
            println!("{} in {tactic}", report.best);
        }
        is_right
    };
    let solved = tactics.par_iter().filter(is_solved).count();
    println!("{solved} of {} with {limits:?}", tactics.len());
    (tactics.len(), solved)
}

#[test]
fn the_engine_solves_tactics() {
    let tactics = tactics();
    // Debug builds are thirty times slower.
    let tactics = if cfg!(debug_assertions) { &tactics[..3] } else { &tactics[..] };
    let limits = Limits { iterations: Some(1_000), ..Limits::default() };
    let (count, solved) = solve(tactics, limits);
    assert!(solved * 100 >= count * 85, "{solved} of {count}");
}

#[test]
#[ignore = "takes half a minute"]
fn the_engine_solves_tactics_in_10000_iterations() {
    let limits = Limits { iterations: Some(10_000), ..Limits::default() };
    let (count, solved) = solve(&tactics(), limits);
    assert!(solved * 100 >= count * 90, "{solved} of {count}");
}

/// `PONTIFEX_TACTICS` sets the seconds per position (1 by default).
#[test]
#[ignore = "takes minutes"]
fn the_engine_solves_tactics_in_time() {
    let seconds = env::var("PONTIFEX_TACTICS").map_or(1.0, |text| text.parse().expect("seconds"));
    let limits = Limits { time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() };
    let (count, solved) = solve(&tactics(), limits);
    assert!(solved * 100 >= count * 90, "{solved} of {count}");
}
