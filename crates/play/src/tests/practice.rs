//! Every lesson's task accepts its answer, and refuses wrong moves for the right reason. Puzzles
//! are judged by the solver.

use serde_json::{Value, json};

use crate::lessons::{annotated_games, lessons};
use crate::message::{AnnotatedGame, Message};
use crate::practice::{Practice, exercises, practise};
use pontifex::board::{Cell, Cells, Site};
use pontifex::game::{Color, Move, Position, Rules};
use pontifex::puzzles::{Puzzle, collection, tactics};

fn ask(exercise: &str, mut message: Value) -> Value {
    message["exercise"] = exercise.into();
    let answer = json!(match practise(&message.to_string()) {
        Practice::Answer(answer) => *answer,
        Practice::Judge(question) => {
            let mut judge = question.new_judge();
            question.answer(&mut judge)
        }
    });
    assert_ne!(answer["type"], "error", "{exercise}: {answer}");
    answer
}

fn play(exercise: &str, mv: &str) -> Value {
    ask(exercise, json!({"type": "play", "move": mv}))
}

#[test]
fn every_task_accepts_its_answer_and_refuses_what_is_wrong() {
    assert!(lessons().len() >= 10);
    for lesson in lessons() {
        for (number, task) in lesson.tasks.iter().enumerate() {
            let name = format!("lesson/{}/{number}", lesson.id);
            let open = ask(&name, json!({"type": "open"}));
            assert_eq!(open["position"]["text"], task.position, "{name}");
            let answer = play(&name, &task.answer);
            assert_eq!(answer["right"], true, "{name}: {answer}");
            assert_eq!(ask(&name, json!({"type": "show"}))["right"], json!([task.answer]));
            assert!(!task.wrong.is_empty(), "{name}");
            for (mv, why) in &task.wrong {
                let answer = play(&name, mv);
                let verdict =
                    if answer["type"] == "illegal" { &answer["code"] } else { &answer["right"] };
                let expected = if why == "miss" { json!(false) } else { json!(why) };
                assert_eq!(*verdict, expected, "{name} {mv}: {answer}");
            }
            let texts = [&task.texts.task, &task.texts.done, &task.texts.miss, &lesson.title];
            for text in texts {
                let languages: Vec<&str> = text.keys().map(String::as_str).collect();
                assert_eq!(languages, ["de", "en", "fr"], "{name}");
                assert!(
                    text.values().all(|text| (3..260).contains(&text.len())),
                    "{name} {text:?}"
                );
            }
        }
    }
}

#[test]
fn taps_are_answered_by_the_rules() {
    let first = ask("lesson/distance/0", json!({"type": "seconds", "first": "d5"}));
    assert!(first["cells"].as_array().is_some_and(|cells| cells.len() > 3));
    let why = ask("lesson/distance/0", json!({"type": "why", "cell": "c3"}));
    assert_eq!((&why["code"], &why["data"]["beside"]), (&json!("touches_island"), &json!(false)));
    // A fifth tile in a group: the answer says so.
    let fifth = play("lesson/island/0", "b1,c2");
    assert_eq!(
        (&fifth["code"], &fifth["data"]["beside"]),
        (&json!("touches_island"), &json!(true))
    );
    // Whichever tile is placed second is the fifth.
    for (first, cell) in [("c2", "c1"), ("c1", "c2")] {
        let why = ask("lesson/island/0", json!({"type": "why", "first": first, "cell": cell}));
        assert_eq!((&why["cells"][0], &why["move"]), (&json!(cell), &json!("c1,c2")), "{why}");
    }
    for message in [
        json!({"type": "open", "exercise": "lesson/none/0"}),
        json!({"type": "undo", "exercise": "lesson/distance/0"}),
        json!({"type": "open"}),
    ] {
        let Practice::Answer(answer) = practise(&message.to_string()) else { panic!("{message}") };
        assert!(matches!(*answer, Message::Error { .. }), "{answer:?}");
    }
}

#[test]
fn only_judgements_on_puzzles_need_the_solver() {
    let puzzle = format!("puzzle/{}", collection()[0].id);
    let legal = collection()[0].position.moves()[0].to_string();
    let taken = collection()[0].position.tiles(Color::White).first().unwrap();
    for (exercise, message, solves) in [
        (puzzle.as_str(), json!({"type": "open"}), false),
        (&puzzle, json!({"type": "seconds", "first": "a1"}), false),
        (&puzzle, json!({"type": "why", "cell": "a1"}), false),
        (&puzzle, json!({"type": "play", "move": format!("{taken},{taken}")}), false),
        (&puzzle, json!({"type": "play", "move": "nonsense"}), false),
        (&puzzle, json!({"type": "play", "move": legal}), true),
        (&puzzle, json!({"type": "show"}), true),
        ("lesson/fork/0", json!({"type": "play", "move": "d4,f6"}), false),
        ("lesson/fork/0", json!({"type": "show"}), false),
    ] {
        let mut message = message;
        message["exercise"] = exercise.into();
        let practice = practise(&message.to_string());
        assert_eq!(matches!(practice, Practice::Judge(_)), solves, "{message}");
    }
}

#[test]
fn a_puzzle_is_judged_by_the_solver() {
    // The one that is easiest to prove, because debug builds run this, too.
    let short = collection().iter().filter(|puzzle| puzzle.turns == 1);
    let puzzle = short.min_by_key(|puzzle| puzzle.legal_count).unwrap();
    let name = format!("puzzle/{}", puzzle.id);
    let shown = ask(&name, json!({"type": "show"}));
    let right: Vec<&str> =
        shown["right"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(right.len(), puzzle.right_count);
    let reasons = shown["why"].as_array().unwrap();
    assert_eq!(reasons.len(), right.len());
    assert!(reasons.iter().all(|why| why[0]["code"].is_string()), "{shown}");
    let verdict = play(&name, right[0]);
    assert_eq!((&verdict["right"], &verdict["before"]), (&json!(true), &json!(puzzle.value)));
    assert_eq!(verdict["state"]["position"]["last"]["move"], right[0]);
    let wrong = puzzle.position.moves().into_iter().map(|mv| mv.to_string());
    let wrong = wrong.into_iter().find(|mv| !right.contains(&mv.as_str())).unwrap();
    let verdict = play(&name, &wrong);
    assert_eq!(verdict["right"], false);
    assert!(verdict["after"].is_string() || verdict["winner"].is_string(), "{verdict}");
    // The refutation is on the board, too.
    assert_eq!(verdict["then"]["position"]["last"]["move"], verdict["reply"]);
    assert_eq!(verdict["goes_on"], false);
    assert_eq!(exercises().puzzles.len(), collection().len() + tactics().len());
}

/// The puzzle of several turns that is easiest to prove.
fn long_puzzle() -> &'static Puzzle {
    let long = collection().iter().filter(|puzzle| puzzle.turns > 1);
    long.min_by_key(|puzzle| (puzzle.turns, puzzle.legal_count)).unwrap()
}

#[test]
fn a_puzzle_of_several_turns_continues_after_the_reply() {
    let puzzle = long_puzzle();
    let name = format!("puzzle/{}", puzzle.id);
    let mut line: Vec<Value> = Vec::new();
    for number in 1..=puzzle.turns {
        let shown = ask(&name, json!({"type": "show", "line": line}));
        let right = shown["right"][0].clone();
        assert!(right.is_string(), "{shown}");
        let verdict = ask(&name, json!({"type": "play", "line": line, "move": right}));
        assert_eq!(verdict["right"], true, "{verdict}");
        assert_eq!(verdict["goes_on"], number < puzzle.turns, "{verdict}");
        assert_eq!(verdict["state"]["position"]["last"]["move"], right);
        assert_eq!(verdict["reply"].is_string(), number < puzzle.turns, "{verdict}");
        if number == puzzle.turns {
            assert!(verdict["then"].is_null());
            break;
        }
        let then = &verdict["then"]["position"];
        assert_eq!(
            (&then["last"]["move"], &then["to_move"]),
            (&verdict["reply"], &json!(puzzle.position.side()))
        );
        line.extend([right, verdict["reply"].clone()]);
        let open = ask(&name, json!({"type": "open", "line": line}));
        assert_eq!(open["position"]["text"], then["text"]);
    }
    let wrong = json!({"exercise": name, "type": "open", "line": ["a1,a1"]});
    let Practice::Answer(answer) = practise(&wrong.to_string()) else { panic!() };
    assert!(matches!(*answer, Message::Error { .. }), "{answer:?}");
}

#[test]
fn a_tactic_is_judged_at_once_if_the_move_is_stored() {
    let tactic = &tactics()[0];
    let name = format!("tactic/{}", tactic.id);
    let right: Vec<String> = tactic.right_moves().iter().map(|turn| turn.mv.to_string()).collect();
    assert_eq!(ask(&name, json!({"type": "show"}))["right"], json!(right));
    let best = play(&name, &right[0]);
    assert_eq!((&best["right"], &best["winrate"]), (&json!(true), &best["best"]), "{best}");
    assert!(best["then"].is_null());
    let worse = tactic.moves.last().unwrap();
    let message = json!({"exercise": name, "type": "play", "move": worse.mv});
    let Practice::Answer(answer) = practise(&message.to_string()) else { panic!("not stored") };
    let answer = json!(answer);
    assert_eq!((&answer["right"], &answer["winrate"]), (&json!(false), &json!(worse.winrate)));
    assert_eq!(answer["reply"], json!(worse.reply));
    assert_eq!(answer["then"]["position"]["last"]["move"], json!(worse.reply));
    // A new idea needs a search.
    let new = tactic.position.moves().into_iter().find(|&mv| tactic.known(mv).is_none()).unwrap();
    let message = json!({"exercise": name, "type": "play", "move": new});
    assert!(matches!(practise(&message.to_string()), Practice::Judge(_)));
    let answer = play(&name, &new.to_string());
    assert!(answer["winrate"].as_f64().is_some_and(|rate| (0.0..=1.0).contains(&rate)), "{answer}");
}

#[test]
fn a_lesson_shows_what_refutes_a_move() {
    let cut = play("lesson/cut/0", "a6,f1");
    assert_eq!((&cut["reply"], &cut["right"]), (&json!("b3-d3"), &json!(false)));
    assert_eq!(cut["then"]["position"]["last"]["move"], "b3-d3");
    let fork = play("lesson/fork/0", "e2,f6");
    let answer: Move = fork["reply"].as_str().unwrap().parse().unwrap();
    let task = &lessons().iter().find(|lesson| lesson.id == "fork").unwrap().tasks[0];
    let mut position = after(&task.start(), "e2,f6".parse().unwrap());
    position = after(&position, answer);
    assert!(!positions_after(&position).iter().any(|then| joined(then, ["b3", "d3"])), "{answer}");
    assert!(play("lesson/island/0", "e5,f5")["then"].is_null());
}

/// The position after a move.
fn after(position: &Position, mv: Move) -> Position {
    let mut after = *position;
    after.play(mv).unwrap();
    after
}

/// The positions after each legal move.
fn positions_after(position: &Position) -> Vec<Position> {
    position.moves().into_iter().map(|mv| after(position, mv)).collect()
}

/// Whether the two `tiles` are in one network.
fn joined(position: &Position, tiles: [&str; 2]) -> bool {
    let [a, b] = tiles.map(|tile| position.network_root(tile.parse().unwrap()));
    a == b
}

/// What a lesson's texts say of a legal move: whether it is right and, if not, whether the text for
/// a miss is true.
fn judged_by_text(name: &str, before: &Position, mv: Move) -> (bool, bool) {
    let now = after(before, mv);
    let gain = |position: &Position| {
        position.score(before.side()).points - before.score(before.side()).points
    };
    let bridge = match mv {
        Move::Bridge(a, b) => Site::between(a, b),
        _ => None,
    };
    let form = |columns: u8, rows: u8| {
        bridge.is_some_and(|site| {
            let [a, b] = site.ends();
            (a.column().abs_diff(b.column()), a.row().abs_diff(b.row())) == (columns, rows)
        })
    };
    let group = |tile: &str| now.group(before.side(), tile.parse().unwrap()).len();
    let are_joined = |a: &str, b: &str| (joined(&now, [a, b]), !joined(&now, [a, b]));
    match name {
        "tiles/0" => (matches!(mv, Move::Tiles(..)), false),
        "island/0" => (group("c3") == 4, group("c3") == 3),
        "distance/0" => (group("d4").min(group("a1")) == 4, group("d4") == 3),
        "bridges/0" => (form(2, 0) && joined(&now, ["b3", "d3"]), !joined(&now, ["b3", "d3"])),
        "bridges/1" => (form(2, 2) && joined(&now, ["b2", "d4"]), !joined(&now, ["b2", "d4"])),
        "bridges/2" => (form(2, 1) && joined(&now, ["b2", "d3"]), !joined(&now, ["b2", "d3"])),
        "blocks/0" => are_joined("b2", "d2"),
        "sandbank/0" => are_joined("a1", "f5"),
        "score/0" => {
            let best = positions_after(before).iter().map(gain).max().unwrap();
            (best == 2 && bridge.is_some() && gain(&now) == best, gain(&now) < best)
        }
        "supply/0" => (mv == Move::Pass && before.moves().len() == 1, false),
        "pie/0" => (mv == Move::Swap, now.tiles(Color::White) == before.tiles(Color::White)),
        "fork/0" => {
            let both = |position: &Position| joined(position, ["b3", "d3"]) && gain(position) == 2;
            let over = |cell: &str| {
                let span = Cells::from(cell.parse::<Cell>().unwrap());
                now.buildable_sites(Color::White).iter().any(|site| site.span() == span)
            };
            let is_stopped = |reply: &Position| !positions_after(reply).iter().any(both);
            let has_answer = positions_after(&now).iter().any(is_stopped);
            (
                !has_answer && group("d3") == 4 && ["c2", "c3", "c4"].into_iter().all(over),
                has_answer,
            )
        }
        "cut/0" => {
            let is_joined = |reply: &Position| joined(reply, ["b3", "d3"]);
            let join: Move = "b3-d3".parse().unwrap();
            let has_c3 = now.tiles(Color::White).contains("c3".parse().unwrap());
            (has_c3 && !positions_after(&now).iter().any(is_joined), now.moves().contains(&join))
        }
        "early/0" => (group("b2") == 3 && group("c2") == 3, group("b2") == 4),
        "early/1" => (group("b2") == 4, group("b2") == 3),
        "last/0" => (
            now.is_over() && now.outcome().winner() == Some(Color::Red),
            now.outcome().winner() != Some(Color::Red),
        ),
        _ => panic!("write down what {name} says"),
    }
}

#[test]
fn annotated_games_are_played_to_their_end_with_notes_in_three_languages() {
    assert_eq!(annotated_games().len(), 3);
    for AnnotatedGame { id, title, board, supply, moves, notes } in annotated_games() {
        let rules = Rules { size: *board, supply: *supply, pie: false };
        let end = moves.iter().fold(Position::new(rules), |position, &mv| after(&position, mv));
        assert!(end.is_over(), "{id}");
        assert!(notes.len() >= 5 && notes.contains_key(&0), "{id}");
        assert!(notes.contains_key(&moves.len()), "{id}");
        for texts in notes.values().chain([title]) {
            assert!(texts.keys().eq(["de", "en", "fr"]), "{id} {texts:?}");
        }
    }
}

#[test]
fn every_legal_move_of_a_lesson_is_judged_as_its_texts_say() {
    for lesson in lessons() {
        for (number, task) in lesson.tasks.iter().enumerate() {
            let before = task.start();
            let name = format!("{}/{number}", lesson.id);
            for mv in before.moves() {
                let (right, missed) = judged_by_text(&name, &before, mv);
                assert_eq!(task.goal.is_reached(&before, mv), right, "{name} {mv}");
                assert!(right || missed, "{name} {mv}");
            }
        }
    }
}
