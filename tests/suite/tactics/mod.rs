//! Tactics: positions in which few turns are right, and whether the engine
//! finds one.

mod line;
mod make;
mod proof;
mod theme;

use std::collections::BTreeMap;
use std::env;
use std::time::Duration;

use pontifex::engine::Options;
use pontifex::game::Position;
use pontifex::search::solver::Solver;
use pontifex::search::{Config, Limits, Report, Searcher, StopSignal};

use self::line::{Evidence, Tactic};
use self::proof::{is_beyond_greed, right_turns};
use self::theme::Theme;

const TACTICS: &str = include_str!("../data/tactics.txt");

fn tactics() -> Vec<Tactic> {
    TACTICS.lines().filter(|line| !line.starts_with('#')).map(Tactic::parse).collect()
}

/// As many iterations as one thread makes in 0.3 s or so.
const SHORT: u64 = 10_000;

fn search_within(position: &Position, limits: Limits, seed: u64) -> Report {
    let config = Config { threads: 1, seed, ..Options::default().search };
    Searcher::default().search(position, &config, &limits, &StopSignal::default())
}

fn search(position: &Position, iterations: u64, seed: u64) -> Report {
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    search_within(position, limits, seed)
}

#[test]
fn the_suite_is_what_it_says() {
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

/// What the right turns are is proved again: of some lines, or of all with
/// `PONTIFEX_TACTICS` set.
#[test]
fn the_solver_proves_what_is_right() {
    let all = env::var_os("PONTIFEX_TACTICS").is_some();
    let nodes = if all { u64::MAX / 32 } else { 6_000 };
    let mut solver = Solver::new(if all { 256 << 20 } else { 16 << 20 });
    let (mut count, mut proved) = (0, 0);
    for tactic in tactics().iter().filter(|tactic| tactic.evidence == Evidence::Solver) {
        count += 1;
        solver.clear();
        let most = tactic.right.len();
        let Some(proof) = right_turns(&mut solver, &tactic.position, most, nodes) else {
            assert!(!all, "{tactic}");
            continue;
        };
        proved += 1;
        assert_eq!(proof.value.to_string(), tactic.value, "{tactic}");
        assert_eq!(proof.turns, tactic.right, "{tactic}");
        assert_eq!(proof.is_decisive, tactic.is_decisive, "{tactic}");
    }
    println!("{proved} of {count} proved again");
    assert!(proved * 4 > count, "{proved} of {count}");
}

/// How many the engine solves; those that it does not are printed.
fn solved(tactics: &[Tactic], limits: Limits) -> usize {
    let is_solved = |tactic: &&Tactic| {
        let report = search_within(&tactic.position, limits, 1);
        let is_right = tactic.right.contains(&report.best);
        if !is_right {
            println!("{} in {tactic}", report.best);
        }
        is_right
    };
    tactics.iter().filter(is_solved).count()
}

#[test]
fn the_engine_finds_what_is_right() {
    let tactics = tactics();
    // Debug builds are some thirty times slower.
    let tactics = if cfg!(debug_assertions) { &tactics[..3] } else { &tactics[..] };
    let limits = Limits { iterations: Some(SHORT), ..Limits::default() };
    let (count, solved) = (tactics.len(), solved(tactics, limits));
    println!("{solved} of {count} in {SHORT} iterations");
    assert!(cfg!(debug_assertions) || solved * 100 >= count * 90, "{solved} of {count}");
}

/// At a second each, or as many as `PONTIFEX_TACTICS` says.
#[test]
fn the_engine_finds_what_is_right_in_time() {
    let Ok(seconds) = env::var("PONTIFEX_TACTICS") else { return };
    let seconds = seconds.parse().expect("seconds");
    let tactics = tactics();
    let limits = Limits { time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() };
    let (count, solved) = (tactics.len(), solved(&tactics, limits));
    println!("{solved} of {count} in {seconds} s each");
    assert!(solved * 100 >= count * 90, "{solved} of {count}");
}

/// Prints lines of `data/tactics.txt` from the journals of `pontifex match`
/// that `PONTIFEX_JOURNALS` names, separated by commas: small endings by proof,
/// with `PONTIFEX_BY` `large` larger ones, with `search` earlier positions by
/// search, with `studies` positions of random games:
///
/// `PONTIFEX_JOURNALS=a.jsonl cargo test --release make_tactics -- --ignored --nocapture`
#[test]
#[ignore = "makes the data file: minutes"]
fn make_tactics() {
    match env::var("PONTIFEX_BY").as_deref() {
        Ok("search") => make::print_searched(),
        Ok("studies") => make::print_studies(20_000),
        Ok("large") => make::print_large(),
        _ => make::print_small(),
    }
}
