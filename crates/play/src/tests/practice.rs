//! Every lesson's task: the answer is accepted, wrong turns are refused for the
//! right reason; puzzles are judged by the solver.

use serde_json::{Value, json};

use crate::practice::{Practice, exercises, lessons, practise};
use pontifex::board::{Cell, Cells, Site};
use pontifex::game::{Color, Move, Position};
use pontifex::puzzles::collection;

fn ask(exercise: &str, mut message: Value) -> Value {
    message["exercise"] = exercise.into();
    let answer = match practise(&message.to_string()) {
        Practice::Answer(answer) => answer,
        Practice::Solve(question) => {
            let mut judge = question.new_judge();
            question.solve(&mut judge)
        }
    };
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
                let said =
                    if answer["type"] == "illegal" { &answer["code"] } else { &answer["right"] };
                let wanted = if why == "miss" { json!(false) } else { json!(why) };
                assert_eq!(*said, wanted, "{name} {mv}: {answer}");
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
    // A fifth tile: the page says so.
    let fifth = play("lesson/island/0", "b1,c2");
    assert_eq!(
        (&fifth["code"], &fifth["data"]["beside"]),
        (&json!("touches_island"), &json!(true))
    );
    for message in [
        json!({"type": "open", "exercise": "lesson/none/0"}),
        json!({"type": "undo", "exercise": "lesson/distance/0"}),
        json!({"type": "open"}),
    ] {
        let Practice::Answer(answer) = practise(&message.to_string()) else { panic!("{message}") };
        assert_eq!(answer["type"], "error");
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
        assert_eq!(matches!(practice, Practice::Solve(_)), solves, "{message}");
    }
}

#[test]
fn a_puzzle_is_judged_by_the_solver() {
    // The one that takes least to prove, in a debug build too.
    let puzzle = collection().iter().min_by_key(|puzzle| puzzle.legal).unwrap();
    let name = format!("puzzle/{}", puzzle.id);
    let shown = ask(&name, json!({"type": "show"}));
    let right: Vec<&str> =
        shown["right"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(right.len(), puzzle.right);
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
    let listed = exercises();
    assert_eq!(listed["puzzles"].as_array().map(Vec::len), Some(collection().len()));
}

/// The position after a move.
fn after(position: &Position, mv: Move) -> Position {
    let mut after = *position;
    after.play(mv).unwrap();
    after
}

/// The positions after each legal move.
fn turns(position: &Position) -> Vec<Position> {
    position.moves().into_iter().map(|mv| after(position, mv)).collect()
}

/// Whether these tiles are in one network.
fn joined(position: &Position, tiles: [&str; 2]) -> bool {
    let [a, b] = tiles.map(|tile| position.network(tile.parse().unwrap()));
    a == b
}

/// What a lesson's texts say of a legal turn: whether it is right, and if not, whether what
/// is said then is true.
fn by_the_text(name: &str, before: &Position, mv: Move) -> (bool, bool) {
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
            let best = turns(before).iter().map(gain).max().unwrap();
            (best == 2 && bridge.is_some() && gain(&now) == best, gain(&now) < best)
        }
        "supply/0" => (mv == Move::Pass && before.moves().len() == 1, false),
        "pie/0" => (mv == Move::Swap, now.tiles(Color::White) == before.tiles(Color::White)),
        "fork/0" => {
            let both = |position: &Position| joined(position, ["b3", "d3"]) && gain(position) == 2;
            let over = |cell: &str| {
                let span = Cells::from(cell.parse::<Cell>().unwrap());
                now.buildable(Color::White).iter().any(|site| site.span() == span)
            };
            let is_stopped = |reply: &Position| !turns(reply).iter().any(both);
            let has_answer = turns(&now).iter().any(is_stopped);
            (
                !has_answer && group("d3") == 4 && ["c2", "c3", "c4"].into_iter().all(over),
                has_answer,
            )
        }
        "cut/0" => {
            let is_joined = |reply: &Position| joined(reply, ["b3", "d3"]);
            let join: Move = "b3-d3".parse().unwrap();
            let has_c3 = now.tiles(Color::White).contains("c3".parse().unwrap());
            (has_c3 && !turns(&now).iter().any(is_joined), now.moves().contains(&join))
        }
        "last/0" => (
            now.is_over() && now.outcome().winner() == Some(Color::Red),
            now.outcome().winner() != Some(Color::Red),
        ),
        _ => panic!("write down what {name} says"),
    }
}

#[test]
fn every_legal_turn_of_a_lesson_is_judged_as_its_texts_say() {
    for lesson in lessons() {
        for (number, task) in lesson.tasks.iter().enumerate() {
            let before = task.start();
            let name = format!("{}/{number}", lesson.id);
            for mv in before.moves() {
                let (right, missed) = by_the_text(&name, &before, mv);
                assert_eq!(task.goal.is_reached(&before, mv), right, "{name} {mv}");
                assert!(right || missed, "{name} {mv}");
            }
        }
    }
}
