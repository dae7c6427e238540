//! The collection of puzzles, and `pontifex puzzles`.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use pontifex::game::Color;
use pontifex::puzzles::{Goal, Judge, Puzzle, collection, identity};
use pontifex::search::solver::size_estimate;

use super::client::{folder, run};

#[test]
fn the_collection_is_varied_and_consistent() {
    let puzzles = collection();
    assert!(puzzles.len() >= 60);
    let mut kinds: [BTreeSet<String>; 4] = Default::default();
    let mut ids = BTreeSet::new();
    for puzzle in puzzles {
        assert_eq!(puzzle.id, identity(&puzzle.position), "{puzzle}");
        assert!(ids.insert(&puzzle.id), "{puzzle}");
        assert_eq!(puzzle.position.counts().total() as usize, puzzle.legal, "{puzzle}");
        assert!(puzzle.right >= 1 && puzzle.right * 10 <= puzzle.legal, "{puzzle}");
        let value = puzzle.value.seen_by(puzzle.position.side()).get();
        assert!(value > 0 || value == 0 && puzzle.goal == Goal::Draw, "{puzzle}");
        assert_eq!(puzzle.to_string().parse::<Puzzle>().as_ref(), Ok(puzzle));
        let words = [
            puzzle.position.size().to_string(),
            puzzle.theme.to_string(),
            puzzle.difficulty.to_string(),
            puzzle.goal.word().to_owned(),
        ];
        for (kind, word) in kinds.iter_mut().zip(words) {
            kind.insert(word);
        }
    }
    let [boards, themes, difficulties, goals] = kinds.map(|kind| kind.len());
    assert!(boards >= 4 && themes >= 9 && difficulties == 3 && goals == 3);
}

/// Proves these puzzles again.
fn prove<'a>(puzzles: impl Iterator<Item = &'a Puzzle>) {
    for puzzle in puzzles {
        let mut judge = Judge::new(puzzle, 64 << 20);
        let right = judge.right_turns().expect("the solver's budget suffices");
        assert_eq!(right.len(), puzzle.right, "{puzzle}");
        let verdict = judge.judge(right[0]).expect("legal").expect("proved");
        assert!(verdict.is_right, "{puzzle}");
        // A right turn keeps at least the result, and the value if that is the goal.
        let side = puzzle.position.side();
        let goal = puzzle.goal.value(puzzle.value, side).seen_by(side);
        let bounds = verdict.bounds.seen_by(side);
        assert!(bounds.lower >= goal || puzzle.goal == Goal::Most, "{puzzle}");
    }
}

#[test]
fn small_puzzles_are_proved_again() {
    // Debug builds are thirty times slower.
    let most = if cfg!(debug_assertions) { 22 } else { 36 };
    let is_small = |puzzle: &&Puzzle| size_estimate(&puzzle.position) <= most;
    let count = collection().iter().filter(is_small).count();
    assert!(count >= 5, "{count}");
    prove(collection().iter().filter(is_small));
}

#[test]
#[ignore = "takes minutes in a debug build"]
fn all_puzzles_are_proved_again() {
    prove(collection().iter());
}

#[test]
fn a_wrong_turn_is_refuted() {
    let puzzle = collection().iter().min_by_key(|puzzle| size_estimate(&puzzle.position)).unwrap();
    let mut judge = Judge::new(puzzle, 16 << 20);
    let right = judge.right_turns().unwrap();
    let wrong = puzzle.position.moves().into_iter().find(|mv| !right.contains(mv)).unwrap();
    let verdict = judge.judge(wrong).unwrap().unwrap();
    assert!(!verdict.is_right);
    assert_ne!(verdict.value, Some(puzzle.value));
    let taken = puzzle.position.tiles(Color::White).first().unwrap();
    let illegal = pontifex::game::Move::tiles(taken, taken);
    assert!(judge.judge(illegal).is_err());
}

#[test]
#[ignore = "judges every turn of every puzzle: a minute on an idle machine"]
fn every_turn_is_judged_within_a_second() {
    let timed = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let [mut first, mut again, mut shown] = [const { (Duration::ZERO, String::new()) }; 3];
    for puzzle in collection() {
        let mut judge = Judge::new(puzzle, 16 << 20);
        let time = timed(&mut || assert!(judge.right_turns().is_ok()));
        shown = shown.max((time, puzzle.id.clone()));
        for mv in puzzle.position.moves() {
            // As if nothing had been asked about the puzzle before.
            let mut judge = Judge::new(puzzle, 16 << 20);
            let mut work = || assert!(judge.judge(mv).expect("legal").is_some(), "{puzzle} {mv}");
            first = first.max((timed(&mut work), format!("{} {mv}", puzzle.id)));
            again = again.max((timed(&mut work), format!("{} {mv}", puzzle.id)));
        }
    }
    println!("slowest turn: {first:?}; asked again: {again:?}; all right turns: {shown:?}");
    assert!(first.0.max(shown.0) < Duration::from_secs(1), "{first:?} {shown:?}");
}

#[test]
fn puzzles_are_made_from_journals() {
    let folder = folder("puzzles");
    let _ = fs::create_dir_all(&folder);
    let journal = folder.join("games.jsonl");
    let path = journal.to_str().unwrap();
    let play = [
        "match",
        "--engine",
        "name=a cmd=builtin",
        "--engine",
        "name=b cmd=builtin",
        "--board",
        "6",
        "--games",
        "24",
        "--playouts",
        "20",
        "--journal",
        path,
    ];
    assert!(run(&play, b"").status.success());
    let output = run(
        &["puzzles", "--nodes", "8000", "--turns", "5", "--legal", "6", "--count", "3", path],
        b"",
    );
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("not solved by greed"), "{told}");
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!((1..=3).contains(&lines.lines().count()), "{told}");
    for line in lines.lines() {
        assert!(line.parse::<Puzzle>().is_ok(), "{line}");
    }
    let wrong = run(&["puzzles", "Cargo.toml"], b"");
    assert_eq!(wrong.status.code(), Some(1), "{wrong:?}");
}
