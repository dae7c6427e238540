//! Every lesson's task: the answer is accepted, wrong turns are refused for the
//! right reason; puzzles are judged by the solver.

use serde_json::{Value, json};

use crate::practice::{Practice, exercises, lessons, practise};
use pontifex::game::Color;
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
