//! Queues of experiments: `pontifex match --queue`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use super::{json as json_of, lines, sorted_games, stderr, timeless};
use crate::client::{run, test_folder};
use crate::experiments;

/// Two fast experiments: a test that is soon decided, and six games.
const TWO: &str = r#"
board = 6
topic = "iterations"

[[engine]]
name = "one"
cmd = "builtin"
playouts = 2

[[experiment]]
name = "hundred-times"
change = "a hundred times the iterations"
concurrency = 2
sprt = "elo0=0,elo1=100,alpha=0.2,beta=0.2"
[[experiment.engine]]
name = "hundred"
cmd = "builtin"
playouts = 200

[[experiment]]
name = "twice"
playouts = 4
games = 6
[[experiment.engine]]
name = "two"
cmd = "builtin"
"#;

/// A queue in a folder of its own.
struct Queue {
    file: PathBuf,
}

impl Queue {
    fn new(folder_name: &str, text: &str) -> Queue {
        let file = test_folder(folder_name).join("night.toml");
        fs::write(&file, text).unwrap();
        Queue { file }
    }

    fn run(&self, more: &[&str]) -> Output {
        run(&[&["match", "--queue", self.file.to_str().unwrap()][..], more].concat(), b"")
    }

    fn journals(&self) -> PathBuf {
        self.file.with_extension("journals")
    }

    fn journal(&self, experiment: &str) -> PathBuf {
        self.journals().join(format!("{experiment}.jsonl"))
    }
}

/// The values of a key of every experiment.
fn values(result: &Value, key: &str) -> Vec<Value> {
    let experiments = result["experiments"].as_array().unwrap();
    experiments.iter().map(|experiment| experiment[key].clone()).collect()
}

#[test]
fn a_queue_resumes_where_it_ended() {
    let queue = Queue::new("queue-resumed", TWO);
    let output = queue.run(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let result = timeless(&output);
    assert_eq!(values(&result, "name"), ["hundred-times", "twice"]);
    assert_eq!(values(&result, "state"), ["finished", "finished"]);
    assert_eq!(result["experiments"][0]["sprt"]["result"], "H1");
    assert_eq!(result["experiments"][1]["games"], 6);
    let (first, second) = (queue.journal("hundred-times"), queue.journal("twice"));
    let whole = [&first, &second].map(|journal| fs::read_to_string(journal).unwrap());
    let all_games = sorted_games(&second);

    // The second experiment was killed in its fourth game.
    let ends: Vec<usize> = whole[1].match_indices('\n').map(|(index, _)| index + 1).collect();
    let (complete, truncated) = (ends[3], ends[4] - 7);
    fs::write(&second, &whole[1][..truncated]).unwrap();
    let output = queue.run(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("'twice': 3 games played before"), "{}", stderr(&output));
    assert_eq!(timeless(&output), result);
    // Finished games are not played again: their lines have not changed.
    assert_eq!(fs::read_to_string(&first).unwrap(), whole[0]);
    let resumed = fs::read_to_string(&second).unwrap();
    assert_eq!(resumed[..complete], whole[1][..complete]);
    assert_eq!(sorted_games(&second), all_games);

    // Nothing is left to play; options of the command line take precedence.
    assert_eq!(timeless(&queue.run(&["--json"])), result);
    assert_eq!(fs::read_to_string(&second).unwrap(), resumed);
    assert_eq!(json_of(&queue.run(&["--json", "--games", "8"]))["experiments"][1]["games"], 8);
}

#[test]
fn rows_are_printed_and_nothing_is_played() {
    let queue = Queue::new("queue-only-rows", TWO);
    let output = queue.run(&["--rows"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(!queue.journals().exists());
    let waiting = "pontifex: experiment 'hundred-times' has no row: waiting\n\
                   pontifex: experiment 'twice' has no row: waiting\n";
    assert_eq!(stderr(&output), waiting);
    assert!(queue.run(&[]).status.success());
    let second = queue.journal("twice");
    let whole = fs::read_to_string(&second).unwrap();
    let first_lines: String = whole.split_inclusive('\n').take(4).collect();
    fs::write(&second, &first_lines).unwrap();
    // A queue that plays the experiment holds the lock of its journal.
    let file = fs::File::open(&second).unwrap();
    file.lock().unwrap();
    let output = queue.run(&["--rows"]);
    let rows = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(rows.lines().count(), 1, "{}", stderr(&output));
    experiments::check_rows(&rows);
    assert_eq!(stderr(&output), "pontifex: experiment 'twice' has no row: interrupted\n");
    assert_eq!(fs::read_to_string(&second).unwrap(), first_lines);
}

#[test]
fn the_table_has_a_line_for_every_experiment() {
    let queue = Queue::new("queue-table", TWO);
    let journals = queue.file.with_file_name("elsewhere");
    let output = queue.run(&["--journals", journals.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(lines(&journals.join("twice.jsonl")), 7);
    assert!(!queue.journals().exists());
    let table = String::from_utf8(output.stdout).unwrap();
    let cells: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    assert_eq!(
        cells[0],
        [
            "experiment",
            "pairing",
            "limit",
            "games",
            "W-D-L",
            "pairs",
            "Elo",
            "SPRT",
            "failures",
            "state"
        ]
    );
    assert_eq!(cells.len(), 3, "{table}");
    let first = &cells[1];
    assert_eq!(first[..2], ["hundred-times", "hundred - one"]);
    assert_eq!(first[2], "6x6 200 iterations against 2 iterations");
    // The number of pairs until the decision depends on which of two concurrent games ends first.
    assert!(first[6].starts_with('+') && first[6].contains(" ["), "{table}");
    assert_eq!(first[7..], ["[0, 100] H1", "-", "finished"]);
    let second = &cells[2];
    assert_eq!(second[..4], ["twice", "two - one", "6x6 4 iterations against 2 iterations", "6"]);
    assert_eq!(second[7..], ["-", "-", "finished"]);
    let counts: usize = second[4].split('-').map(|count| count.parse::<usize>().unwrap()).sum();
    assert_eq!(counts, 6);
}

#[test]
fn rows_can_be_appended_to_the_record() {
    // An experiment of three engines, and one whose score is perfect.
    let more = r#"
[[experiment]]
name = "three"
change = "more iterations"
games = 4
[[experiment.engine]]
name = "three"
cmd = "builtin"
playouts = 3
[[experiment.engine]]
name = "five"
cmd = "builtin"
playouts = 5

[[experiment]]
name = "perfect"
topic = "a\ttab"
games = 2
supply = "unlimited"
[[experiment.engine]]
name = "strong"
cmd = "builtin"
playouts = 2000
"#;
    let queue = Queue::new("queue-rows", &format!("{TWO}{more}"));
    assert!(queue.run(&[]).status.success());
    let output = queue.run(&["--rows"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    experiments::check_rows(&text);
    let rows: Vec<Vec<&str>> = text.lines().map(|row| row.split('\t').collect()).collect();
    let column = |n: usize| rows.iter().map(|row| row[n]).collect::<Vec<_>>();
    let topics = ["iterations", "iterations", "iterations", "iterations", "iterations", "a tab"];
    assert_eq!(column(3), topics);
    assert_eq!(
        column(4),
        [
            "a hundred times the iterations",
            "two against one",
            "more iterations: three against five",
            "more iterations: three against one",
            "more iterations: five against one",
            "strong against one",
        ]
    );
    assert_eq!(column(12), ["-"; 6], "whether a change is kept, its author says");
    assert_eq!(rows[0][15], "SPRT [0, 100] accepted H1");
    assert_eq!(rows[1][15], "-");
    let perfect = &rows[5];
    assert_eq!(perfect[6..12], ["2", "0-0-0-0-1", "2-0-0", "-", "-", "-"]);
    assert_eq!(perfect[15], "supply unlimited");
    // A decided test sometimes leaves a pair unfinished.
    let games: u32 = rows[0][6].parse().unwrap();
    assert_eq!(games % 2, 0);
}

#[test]
fn an_engine_that_does_not_start_does_not_end_the_queue() {
    let broken = r#"
[[experiment]]
name = "mute"
[[experiment.engine]]
name = "no"
cmd = "false"

[[experiment]]
name = "missing"
[[experiment.engine]]
name = "no"
cmd = "./no/such/engine"
"#;
    let (head, tail) = TWO.split_once("[[experiment]]").unwrap();
    let queue = Queue::new("queue-broken", &format!("{head}{broken}[[experiment]]{tail}"));
    let output = queue.run(&["--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let result = json_of(&output);
    assert_eq!(values(&result, "state"), ["failed", "failed", "finished", "finished"]);
    let errors = values(&result, "error");
    assert!(errors[0].as_str().unwrap().starts_with("an engine does not start: no: "), "{result}");
    assert!(errors[1].as_str().unwrap().contains("there is no file"), "{result}");
    assert_eq!(errors[2], Value::Null);
    let log = stderr(&output);
    let warning = log.find("experiment 'missing' will fail: ").expect("a warning");
    assert!(warning < log.find("experiment 1 of 4").expect("the first experiment"), "{log}");
    assert!(log.contains("experiment 'mute' failed: an engine does not start"), "{log}");
    // Only finished experiments have rows.
    let rows = String::from_utf8(queue.run(&["--rows"]).stdout).unwrap();
    assert_eq!(rows.lines().count(), 2, "{rows}");
    experiments::check_rows(&rows);
}

#[test]
fn a_bad_queue_is_refused_before_anything_is_played() {
    let engine = "[[experiment.engine]]\nname = \"two\"\ncmd = \"builtin\"\n";
    let experiment = |text: &str| format!("{TWO}[[experiment]]\n{text}\n{engine}");
    let shared = |text: &str| format!("{text}\n{TWO}");
    for (text, error) in [
        ("board = 6".to_owned(), "there is no experiment: begin each with [[experiment]]"),
        ("[experiment]\nname = \"a\"".to_owned(), "line 1: must be a list, not an object"),
        ("board = ".to_owned(), "line 1"),
        (shared("boord = 6"), "boord"),
        (shared("name = \"a\""), "name belongs to one experiment"),
        (shared("records = \"a.sgf\""), "records belongs to one experiment"),
        (shared("json = true"), "json cannot be set in a queue: give --json"),
        (experiment("games = 2"), ": name is missing"),
        (experiment("name = \"a/b\""), "line 28: a name cannot be 'a/b': letters"),
        (experiment("name = 7"), "line 28: must be a string, not 7"),
        (experiment("name = \"Twice\""), "two experiments are called 'Twice'"),
        (experiment("name = \"a\"\ntopic = \"\""), "line 29: a text is empty, leave it out"),
        (experiment("name = \"a\"\ngames = 3"), "experiment 'a': --games "),
        (experiment("name = \"a\"\nspeed = false"), "experiment 'a': there is no option --speed"),
        (experiment("name = \"a\"\njournal = \"b\""), "experiment 'a': journal cannot be set"),
        (experiment("name = \"a\"\nopenings = \"no/such\""), "experiment 'a': --openings: "),
        (experiment("name = \"a\"\nformat = \"math\""), "experiment 'a': --format must be match, "),
        (
            experiment("name = \"a\"\n[[experiment.engine]]\nname = \"two\"\ncmd = \"builtin\""),
            "experiment 'a': two engines are called two",
        ),
        (
            experiment(
                "name = \"a\"\n[[experiment.engine]]\nname = \"b\"\ncmd = \"builtin\"\nparam = { threads = \"many\" }",
            ),
            "experiment 'a': b: start: threads must be a whole number from 1 to 1024, not 'many'",
        ),
        (
            "[[experiment]]\nname = \"a\"\ngames = 2".to_owned(),
            "experiment 'a': it has no engines: give each as [[experiment.engine]]",
        ),
        (
            format!("[[experiment]]\nname = \"a\"\n{engine}"),
            "experiment 'a': match needs two engines, not 1",
        ),
    ] {
        let queue = Queue::new("queue-bad", &text);
        let output = queue.run(&[]);
        let log = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}\n{log}");
        assert!(log.contains(error) && log.contains("night.toml: "), "{error}: {log}");
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(output.stdout.is_empty(), "{output:?}");
        assert!(!queue.journals().exists());
    }
}

#[test]
fn a_changed_experiment_is_refused_before_anything_is_played() {
    let queue = Queue::new("queue-changed", TWO);
    assert!(queue.run(&[]).status.success());
    fs::remove_file(queue.journal("hundred-times")).unwrap();
    fs::write(&queue.file, TWO.replace("playouts = 4", "playouts = 5")).unwrap();
    let output = queue.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    let log = stderr(&output);
    assert!(log.contains("experiment 'twice': journal ") && log.contains("limit is "), "{log}");
    assert!(log.contains("a changed match needs another journal"), "{log}");
    assert!(!queue.journal("hundred-times").exists());
    assert!(output.stdout.is_empty(), "{output:?}");
}

#[test]
fn options_that_do_not_fit_a_queue_are_refused() {
    let queue = Queue::new("queue-options", TWO);
    for more in [
        &["--journal", "a"][..],
        &["--records", "a"],
        &["--sprt-exit"],
        &["--engine", "cmd=builtin"],
        &["--rows", "--json"],
    ] {
        let output = queue.run(more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains("cannot be used with"), "{}", stderr(&output));
    }
    for more in [&["--rows"][..], &["--journals", "a"]] {
        let output = run(&[&["match"][..], more].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains("--queue"), "{}", stderr(&output));
    }
    assert!(!queue.journals().exists());
}

#[test]
fn the_json_of_an_experiment_is_that_of_a_match_and_more() {
    let queue = Queue::new("queue-json", TWO);
    let result = timeless(&queue.run(&["--json"]));
    let experiment = &result["experiments"][1];
    let keys: Vec<_> = experiment.as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        keys,
        [
            "name", "topic", "change", "limits", "state", "error", "games", "pairings", "engines",
            "sprt", "failures"
        ]
    );
    assert_eq!(experiment["limits"], json!(["6x6 4 iterations against 2 iterations"]));
    assert_eq!((&experiment["topic"], &experiment["change"]), (&json!("iterations"), &Value::Null));
    let config = queue.file.with_file_name("match.toml");
    let table = "board = 6\nplayouts = 4\ngames = 6\n";
    let engines = "[[engine]]\nname = \"two\"\ncmd = \"builtin\"\n\
        [[engine]]\nname = \"one\"\ncmd = \"builtin\"\nplayouts = 2\n";
    fs::write(&config, format!("{table}{engines}")).unwrap();
    let alone = timeless(&run(&["match", "--json", "--config", config.to_str().unwrap()], b""));
    for (key, value) in alone.as_object().unwrap() {
        assert_eq!(experiment[key], *value);
    }
}

#[cfg(unix)]
#[test]
fn one_interrupt_ends_a_queue_with_a_report() {
    use std::process::Stdio;

    let text = TWO.replace("games = 6", "games = 100000");
    let (head, tail) = text.split_once("[[experiment]]").unwrap();
    let (first, second) = tail.split_once("[[experiment]]").unwrap();
    // The long experiment comes first.
    let queue = Queue::new(
        "queue-interrupted",
        &format!("{head}[[experiment]]{second}[[experiment]]{first}"),
    );
    let child = crate::client::pontifex()
        .args(["match", "--json", "--queue", queue.file.to_str().unwrap()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal: &Path = &queue.journal("twice");
    super::wait_until("some games", || lines(journal) > 5);
    crate::client::signal("-INT", &[child.id()]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let result = json_of(&output);
    assert_eq!(values(&result, "state"), ["interrupted", "waiting"]);
    assert_eq!(values(&result, "games"), [json!(lines(journal) - 1), json!(0)]);
    assert!(!queue.journal("hundred-times").exists());
}
