//! The collection of puzzles, and `pontifex puzzles`.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use pontifex::game::{Color, Move, Supply};
use pontifex::puzzles::{
    GAP, Goal, Judge, Puzzle, RatedMove, Tactic, Theme, Verdict, collection, identity, tactics,
};
use pontifex::search::Searcher;
use pontifex::search::solver::size_estimate;

use super::client::{run, test_folder};

#[test]
fn the_collection_is_varied_and_consistent() {
    let puzzles = collection();
    assert!(puzzles.len() >= 60, "only {} puzzles", puzzles.len());
    let mut kinds: [BTreeSet<String>; 4] = Default::default();
    let mut ids = BTreeSet::new();
    for puzzle in puzzles {
        assert_eq!(puzzle.id, identity(&puzzle.position), "{puzzle}");
        assert!(ids.insert(&puzzle.id), "{puzzle}");
        assert_eq!(puzzle.position.counts().total() as usize, puzzle.legal_count, "{puzzle}");
        assert!(
            puzzle.right_count >= 1 && puzzle.right_count * 10 <= puzzle.legal_count,
            "{puzzle}"
        );
        let value = puzzle.value.seen_by(puzzle.position.side()).get();
        assert!(value > 0 || value == 0 && puzzle.goal == Goal::Draw, "{puzzle}");
        assert_eq!(puzzle.to_string().parse::<Puzzle>().as_ref(), Ok(puzzle));
        let words = [
            puzzle.position.size().to_string(),
            puzzle.theme.to_string(),
            puzzle.difficulty.to_string(),
            puzzle.goal.to_string(),
        ];
        for (kind, word) in kinds.iter_mut().zip(words) {
            kind.insert(word);
        }
    }
    let long_puzzles: Vec<&Puzzle> = puzzles.iter().filter(|puzzle| puzzle.turns > 1).collect();
    assert!(long_puzzles.len() >= 40, "only {} puzzles of several turns", long_puzzles.len());
    assert!(long_puzzles.iter().any(|puzzle| puzzle.turns == 3), "no puzzle of three turns");
    for puzzle in long_puzzles {
        assert!(puzzle.turns <= 3, "{puzzle}");
        assert!(puzzle.difficulty >= 2, "{puzzle}");
    }
    let [boards, themes, difficulties, goals] = kinds.map(|kind| kind.len());
    assert!(boards >= 4, "only {boards} board sizes");
    assert!(themes >= 9, "only {themes} themes");
    assert_eq!(difficulties, 3, "difficulties");
    assert_eq!(goals, 3, "goals");
}

/// Proves these puzzles again, with every line of right moves.
fn prove<'a>(puzzles: impl Iterator<Item = &'a Puzzle>) {
    for puzzle in puzzles {
        let mut judge = Judge::new(puzzle, 64 << 20);
        let right_moves = judge.right_moves(&[]).expect("the solver's budget suffices");
        assert_eq!(right_moves.len(), puzzle.right_count, "{puzzle}");
        assert!(
            right_moves.iter().any(|&mv| Theme::of(&puzzle.position, mv) == puzzle.theme),
            "{puzzle}"
        );
        for mv in right_moves {
            play_on(&mut judge, puzzle, &mut Vec::new(), mv);
        }
    }
}

/// Plays a right move, the longest resistance, and every right move after it.
fn play_on(judge: &mut Judge, puzzle: &Puzzle, line: &mut Vec<Move>, mv: Move) {
    let verdict = judge.judge(line, mv).expect("legal").expect("proved");
    assert!(verdict.is_right, "{puzzle} {line:?} {mv}");
    // A right move keeps at least the result, and the value if that is the goal.
    let side = puzzle.position.side();
    let goal = puzzle.goal.value(puzzle.value, side).seen_by(side);
    let bounds = verdict.bounds.seen_by(side);
    assert!(bounds.lower >= goal || puzzle.goal == Goal::Most, "{puzzle}");
    let Verdict { reply, continues, value, .. } = verdict;
    assert_eq!(continues, line.len() / 2 + 1 < puzzle.turns, "{puzzle} {line:?}");
    if !continues {
        return;
    }
    let reply = reply.expect("an answer");
    line.extend([mv, reply]);
    let next = line.iter().fold(puzzle.position, |mut position, &mv| {
        position.play(mv).expect("legal");
        position
    });
    assert!(!next.is_over() && next.side() == side, "{puzzle} {line:?}");
    let right_moves = judge.right_moves(line).expect("the solver's budget suffices");
    let legal = next.counts().total() as usize;
    assert!(!right_moves.is_empty() && right_moves.len() * 10 <= legal, "{puzzle} {line:?}");
    for &next in &right_moves {
        play_on(judge, puzzle, line, next);
    }
    // The answer lost nothing.
    let before = judge.judge(line, right_moves[0]).expect("legal").expect("proved").before;
    assert_eq!(before, value, "{puzzle} {line:?}");
    line.truncate(line.len() - 2);
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
fn a_wrong_move_is_refuted() {
    let puzzle = collection().iter().min_by_key(|puzzle| size_estimate(&puzzle.position)).unwrap();
    let mut judge = Judge::new(puzzle, 16 << 20);
    let right_moves = judge.right_moves(&[]).unwrap();
    let wrong = puzzle.position.moves().into_iter().find(|mv| !right_moves.contains(mv)).unwrap();
    let verdict = judge.judge(&[], wrong).unwrap().unwrap();
    assert!(!verdict.is_right);
    assert_ne!(verdict.value, Some(puzzle.value));
    assert!(!verdict.continues);
    assert!(verdict.reply.is_some());
    let taken = puzzle.position.tiles(Color::White).first().unwrap();
    let illegal = pontifex::game::Move::tiles(taken, taken);
    assert!(judge.judge(&[], illegal).is_err());
}

#[test]
#[ignore = "judges every turn of every puzzle: a minute on an idle machine"]
fn every_turn_is_judged_within_a_second() {
    let timed = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let [mut first, mut again, mut all_right] = [const { (Duration::ZERO, String::new()) }; 3];
    for puzzle in collection() {
        let mut judge = Judge::new(puzzle, 16 << 20);
        let time = timed(&mut || assert!(judge.right_moves(&[]).is_ok()));
        all_right = all_right.max((time, puzzle.id.clone()));
        for mv in puzzle.position.moves() {
            // A new judge, which has solved nothing about the puzzle yet.
            let mut judge = Judge::new(puzzle, 16 << 20);
            let mut work =
                || assert!(judge.judge(&[], mv).expect("legal").is_some(), "{puzzle} {mv}");
            first = first.max((timed(&mut work), format!("{} {mv}", puzzle.id)));
            again = again.max((timed(&mut work), format!("{} {mv}", puzzle.id)));
        }
    }
    println!("slowest turn: {first:?}; asked again: {again:?}; all right turns: {all_right:?}");
    assert!(first.0.max(all_right.0) < Duration::from_secs(1), "{first:?} {all_right:?}");
}

#[test]
fn an_opponent_resists_as_long_as_possible() {
    let long_puzzles = collection().iter().filter(|puzzle| puzzle.turns > 1);
    let puzzle = long_puzzles.min_by_key(|puzzle| size_estimate(&puzzle.position)).unwrap();
    let ask = || {
        let mut judge = Judge::new(puzzle, 16 << 20);
        let right = judge.right_moves(&[]).unwrap()[0];
        (right, judge.judge(&[], right).unwrap().unwrap().reply.unwrap())
    };
    let (right, reply) = ask();
    assert_eq!((right, reply), ask(), "the same whenever it is asked");
    // No other answer that loses no more leaves fewer right moves.
    let mut judge = Judge::new(puzzle, 16 << 20);
    let fewest = judge.right_moves(&[right, reply]).unwrap().len();
    let mut after = puzzle.position;
    after.play(right).unwrap();
    let value = judge.judge(&[], right).unwrap().unwrap().value;
    for other in after.moves() {
        let mut next = after;
        next.play(other).unwrap();
        if next.is_over() {
            continue;
        }
        let right_moves = judge.right_moves(&[right, other]).unwrap();
        let before = right_moves
            .first()
            .map(|&mv| judge.judge(&[right, other], mv).unwrap().unwrap().before);
        assert!(before != Some(value) || right_moves.len() >= fewest, "{puzzle} {right} {other}");
    }
}

#[test]
fn the_tactics_are_varied_and_clear() {
    assert!(tactics().len() >= 60, "{}", tactics().len());
    let mut kinds: [BTreeSet<String>; 4] = Default::default();
    let mut texts = BTreeSet::new();
    for tactic in tactics() {
        assert_eq!(tactic.id, identity(&tactic.position), "{tactic}");
        assert!(collection().iter().all(|puzzle| puzzle.id != tactic.id), "{tactic}");
        // No two differ in their supply alone.
        assert!(texts.insert(tactic.position.to_string()), "{tactic}");
        assert_eq!(tactic.to_string().parse::<Tactic>().as_ref(), Ok(tactic));
        assert!(tactic.iterations >= 200_000 && tactic.moves.len() >= 5, "{tactic}");
        let right = tactic.right_moves().len();
        let has_theme = |rated: &RatedMove| Theme::of(&tactic.position, rated.mv) == tactic.theme;
        assert!(tactic.right_moves().iter().any(has_theme), "{tactic}");
        let gap = tactic.moves[right - 1].winrate - tactic.moves[right].winrate;
        assert!((1..=2).contains(&right) && gap >= GAP - 1e-9, "{tactic}");
        assert!(tactic.moves.is_sorted_by(|a, b| a.winrate >= b.winrate), "{tactic}");
        for turn in &tactic.moves {
            let mut after = tactic.position;
            assert_eq!(after.play(turn.mv), Ok(()), "{tactic}");
            assert_eq!(turn.reply.map(|reply| after.check(reply)), Some(Ok(())), "{tactic}");
        }
        let rules = tactic.position.rules();
        let words = [
            rules.size.to_string(),
            rules.supply.to_string(),
            tactic.theme.to_string(),
            tactic.difficulty.to_string(),
        ];
        for (kind, word) in kinds.iter_mut().zip(words) {
            kind.insert(word);
        }
    }
    let [boards, supplies, themes, difficulties] = kinds;
    assert!(["8", "10"].iter().all(|&board| boards.contains(board)), "{boards:?}");
    assert_eq!(supplies.len(), 2, "{supplies:?}");
    assert!(supplies.contains(&Supply::Standard.to_string()), "{supplies:?}");
    assert!(themes.len() >= 7, "{themes:?}");
    assert!(difficulties.len() >= 2, "{difficulties:?}");
}

#[test]
fn a_tactic_is_judged_by_stored_moves_or_else_by_a_search() {
    let tactic = &tactics()[0];
    let mut searcher = Searcher::default();
    let (best, is_right) = tactic.judge(&mut searcher, tactic.moves[0].mv);
    assert!(is_right, "{tactic}");
    assert_eq!(best, tactic.moves[0]);
    let (worst, is_right) = tactic.judge(&mut searcher, tactic.moves[4].mv);
    assert!(!is_right, "{tactic}");
    assert_eq!(worst, tactic.moves[4]);
    let new = tactic.position.moves().into_iter().find(|&mv| tactic.known(mv).is_none()).unwrap();
    let (rated, is_right) = tactic.judge(&mut searcher, new);
    assert_eq!(rated.mv, new);
    assert!(rated.reply.is_some(), "{rated}");
    assert_eq!(is_right, rated.winrate >= best.winrate - 0.04, "{rated}");
    assert_eq!(tactic.judge(&mut searcher, new), (rated, is_right), "the same when asked again");
    for wrong in ["", "a1,b1", "a1,b1:x:-", "a1,b1:0.5:zz"] {
        let line = tactic.to_string();
        let turns = line.split(' ').nth(4).unwrap();
        assert!(line.replace(turns, wrong).parse::<Tactic>().is_err(), "{wrong}");
    }
}

#[test]
fn tactics_are_found_and_an_interrupted_search_resumes() {
    let folder = test_folder("tactics");
    let _ = fs::create_dir_all(&folder);
    let [journal, tactics_file] = ["games.jsonl", "found.txt"].map(|name| folder.join(name));
    let _ = fs::remove_file(&tactics_file);
    let [path, out] = [&journal, &tactics_file].map(|path| path.to_str().unwrap());
    let play = [
        "match",
        "--engine",
        "name=a cmd=builtin",
        "--engine",
        "name=b cmd=builtin",
        "--board",
        "8",
        "--games",
        "6",
        "--playouts",
        "20",
        "--journal",
        path,
    ];
    assert!(run(&play, b"").status.success());
    let search = || {
        let output = run(&["puzzles", "--tactics", out, "--iterations", "50", path], b"");
        assert!(output.status.success(), "{output:?}");
        (String::from_utf8(output.stderr).unwrap(), fs::read_to_string(&tactics_file).unwrap())
    };
    let (log, text) = search();
    assert!(log.contains("clear in deep searches"), "{log}");
    assert_eq!(text.lines().filter(|line| line.starts_with("# done")).count(), 6, "{text}");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        assert!(line.parse::<Tactic>().is_ok(), "{line}");
    }
    // Nothing is left to do; the counts are those of all games.
    let (again, same) = search();
    let counts = |log: &str| {
        log.lines().filter(|line| line.contains("clear in")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!((counts(&again), &same), (counts(&log), &text));
    // Without the last line, its game is searched again.
    let (rest, _) = same.trim_end().rsplit_once('\n').unwrap();
    fs::write(&tactics_file, format!("{rest}\n")).unwrap();
    assert_eq!(search().1.lines().filter(|line| line.starts_with("# done")).count(), 6);
}

#[test]
fn puzzles_are_made_from_journals() {
    let folder = test_folder("puzzles");
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
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains("not solved by greed"), "{log}");
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!((1..=3).contains(&lines.lines().count()), "{log}");
    for line in lines.lines() {
        assert!(line.parse::<Puzzle>().is_ok(), "{line}");
    }
    let output = run(
        &[
            "puzzles", "--nodes", "8000", "--turns", "9", "--legal", "4", "--share", "0.5",
            "--steps", "2", path,
        ],
        b"",
    );
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(lines.lines().all(|line| line.parse::<Puzzle>().is_ok_and(|puzzle| puzzle.turns == 2)));
    assert!(String::from_utf8(output.stderr).unwrap().contains("with enough turns"));
    let wrong = run(&["puzzles", "Cargo.toml"], b"");
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}
