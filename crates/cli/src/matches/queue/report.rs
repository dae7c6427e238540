//! The report on a queue: a table with a line per pairing, or JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::setting;
use super::trial::{State, Trial};
use pontifex::messages::{one_line, printable};
use pontifex_tournament::report::{align, signed, to_json};
use pontifex_tournament::{Entry, Results, Sprt, Verdict};

const HEAD: [&str; 10] = [
    "experiment",
    "pairing",
    "limit",
    "games",
    "W-D-L",
    "pairs",
    "Elo",
    "SPRT",
    "failures",
    "state",
];

/// The numbers among the columns.
const RIGHT: [usize; 3] = [3, 4, 5];

/// The results of all experiments as an aligned table.
pub(super) fn to_table(trials: &[Trial]) -> String {
    let mut rows = vec![HEAD.map(String::from).to_vec()];
    for trial in trials {
        let pairings = trial.run.results().pairings();
        rows.extend(pairings.iter().map(|&pairing| row(trial, pairing).to_vec()));
    }
    align(&rows, |column| !RIGHT.contains(&column))
}

fn row(trial: &Trial, pairing: [usize; 2]) -> [String; HEAD.len()] {
    let results = trial.run.results();
    let [a, b] = pairing;
    let names = results.names();
    let [losses, draws, wins] = results.pairing(pairing).games.counts();
    let tally = results.pairs().tally(a, b);
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let state = match &trial.state {
        State::Failed(error) => {
            format!("{}: {}", trial.state.word(), one_line(&format!("{error:#}")))
        }
        state => state.word().to_owned(),
    };
    [
        trial.experiment.name.clone(),
        printable(&format!("{} - {}", names[a], names[b])),
        setting::limit(trial.run.tournament(), pairing),
        results.pairing(pairing).games.games().to_string(),
        format!("{wins}-{draws}-{losses}"),
        tally.counts().map(|count| count.to_string()).join("-"),
        or_dash(tally.elo().map(|elo| elo.to_string())),
        or_dash(verdict(results)),
        printable(&or_dash(failures(results, pairing))),
        state,
    ]
}

/// The state of the test: `[0, 20] H1`, or `[0, 20] LLR +0.41`.
fn verdict(results: &Results) -> Option<String> {
    let (sprt, state) = (results.sprt()?, results.sprt_state()?);
    let verdict = decision(results);
    Some(format!(
        "{} {}",
        hypotheses(sprt),
        verdict.unwrap_or(format!("LLR {}", signed(state.llr, 2)))
    ))
}

/// The accepted hypothesis of the test.
pub(super) fn decision(results: &Results) -> Option<String> {
    let verdict = results.sprt_state()?.verdict;
    (verdict != Verdict::Continue).then(|| verdict.to_string())
}

/// The Elo of both hypotheses: `[0, 20]`.
pub(super) fn hypotheses(sprt: Sprt) -> String {
    let [elo0, elo1] = sprt.elo();
    format!("[{elo0}, {elo1}]")
}

/// The failures in the games of a pairing: `2 timeout (old)`; `None` without any.
pub(super) fn failures(results: &Results, pairing: [usize; 2]) -> Option<String> {
    let mut counts = BTreeMap::new();
    for entry in entries(results, pairing) {
        if let Some(failure) = &entry.failure {
            *counts.entry((failure.kind, &failure.engine)).or_insert(0_u64) += 1;
        }
    }
    let parts = counts.iter().map(|((kind, engine), count)| format!("{count} {kind} ({engine})"));
    (!counts.is_empty()).then(|| parts.collect::<Vec<_>>().join(", "))
}

/// The games of a pairing, by round and colours.
pub(super) fn entries(results: &Results, pairing: [usize; 2]) -> impl Iterator<Item = &Entry> {
    let [a, b] = pairing.map(|engine| &results.names()[engine]);
    results.entries().into_iter().filter(move |entry| entry.a == *a && entry.b == *b)
}

/// The results of all experiments as one object: those of each as `match
/// --json` prints them, between its name and its state.
pub(super) fn to_object(trials: &[Trial]) -> Value {
    let experiments: Vec<Value> = trials.iter().map(object).collect();
    json!({ "experiments": experiments })
}

fn object(trial: &Trial) -> Value {
    let (experiment, results) = (trial.experiment, trial.run.results());
    let error = match &trial.state {
        State::Failed(error) => Some(one_line(&format!("{error:#}"))),
        _ => None,
    };
    let limits = results.pairings().iter();
    let limits = limits.map(|&pairing| setting::limit(trial.run.tournament(), pairing));
    let mut object = json!({
        "name": experiment.name,
        "topic": experiment.topic,
        "change": experiment.change,
        "limits": limits.collect::<Vec<_>>(),
        "state": trial.state.word(),
        "error": error,
    });
    if let (Value::Object(object), Value::Object(results)) = (&mut object, to_json(results)) {
        object.extend(results);
    }
    object
}
