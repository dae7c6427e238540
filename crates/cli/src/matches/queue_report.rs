//! The report on a queue: a table with a line per pairing, JSON, or rows of the record of
//! experiments (`docs/experiments.tsv`).
//!
//! The table and the JSON count all games so far. The rows count complete pairs of finished
//! experiments only: they are a permanent record, and a half pair favours a colour.

use std::collections::BTreeMap;

use pontifex::game::Supply;
use pontifex::messages::{one_line, printable};
use pontifex_tournament::report::{align, signed, to_json};
use pontifex_tournament::{Entry, Estimate, GameTally, Results, Sprt, Verdict};
use serde_json::{Value, json};

use super::experiment::{Trial, TrialState, pairing_limit};

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

/// The columns that are aligned to the right: games, W-D-L and pairs.
const RIGHT: [usize; 3] = [3, 4, 5];

/// The results of all experiments as an aligned table.
pub(super) fn to_table(trials: &[Trial]) -> String {
    let mut rows = vec![HEAD.map(String::from).to_vec()];
    for trial in trials {
        let pairings = trial.run.results().pairings();
        rows.extend(pairings.iter().map(|&pairing| table_row(trial, pairing).to_vec()));
    }
    align(&rows, |column| !RIGHT.contains(&column))
}

fn table_row(trial: &Trial, pairing: [usize; 2]) -> [String; HEAD.len()] {
    let results = trial.run.results();
    let [a, b] = pairing;
    let names = results.names();
    let [losses, draws, wins] = results.pairing(pairing).games.counts();
    let tally = results.pairs().tally(a, b);
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let state = match &trial.state {
        TrialState::Failed(error) => {
            format!("{}: {}", trial.state.name(), one_line(&format!("{error:#}")))
        }
        state => state.name().to_owned(),
    };
    [
        trial.experiment.name.clone(),
        printable(&format!("{} - {}", names[a], names[b])),
        pairing_limit(trial.run.tournament(), pairing),
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

/// The results of all experiments as one object: for each, its name and state, and what
/// `match --json` prints.
pub(super) fn to_object(trials: &[Trial]) -> Value {
    let experiments: Vec<Value> = trials.iter().map(object).collect();
    json!({ "experiments": experiments })
}

fn object(trial: &Trial) -> Value {
    let (experiment, results) = (trial.experiment, trial.run.results());
    let error = match &trial.state {
        TrialState::Failed(error) => Some(one_line(&format!("{error:#}"))),
        _ => None,
    };
    let limits = results.pairings().iter();
    let limits = limits.map(|&pairing| pairing_limit(trial.run.tournament(), pairing));
    let mut object = json!({
        "name": experiment.name,
        "topic": experiment.topic,
        "change": experiment.change,
        "limits": limits.collect::<Vec<_>>(),
        "state": trial.state.name(),
        "error": error,
    });
    if let (Value::Object(object), Value::Object(results)) = (&mut object, to_json(results)) {
        object.extend(results);
    }
    object
}

/// The rows of a finished experiment: one per pairing with a pair of games.
///
/// The rows count complete pairs only, so that all columns follow from the pentanomial. Whether the
/// change is kept is for its author to say.
pub(super) fn rows(trial: &Trial) -> String {
    let pairings = trial.run.results().pairings().iter();
    pairings.filter_map(|&pairing| row(trial, pairing)).collect()
}

fn row(trial: &Trial, pairing: [usize; 2]) -> Option<String> {
    let (results, tournament) = (trial.run.results(), trial.run.tournament());
    let [a, b] = pairing;
    let tally = results.pairs().tally(a, b);
    let [losses, draws, wins] = paired_games(trial, pairing).counts();
    // A perfect score has no logistic Elo.
    let score = tally.score()?;
    let elo = tally.elo().filter(|_| 0.0 < score && score < 1.0);
    let elo = |end: fn(Estimate) -> f64| elo.map_or(String::new(), |elo| rounded(end(elo)));
    let experiment = trial.experiment;
    let names = format!("{} against {}", results.names()[a], results.names()[b]);
    let change = match &experiment.change {
        None => names,
        Some(change) if results.pairings().len() == 1 => change.clone(),
        Some(change) => format!("{change}: {names}"),
    };
    let last = entries(results, pairing).map(|entry| entry.finished.as_str()).max();
    // Left empty for the author: the commit, whether the change is kept, a value and its unit.
    let columns = [
        last.and_then(|time| time.get(..10)).unwrap_or_default().to_owned(),
        String::new(),
        "match".to_owned(),
        experiment.topic.clone().unwrap_or_else(|| experiment.name.clone()),
        change,
        pairing_limit(tournament, pairing),
        tally.games().to_string(),
        tally.counts().map(|count| count.to_string()).join("-"),
        format!("{wins}-{draws}-{losses}"),
        elo(|elo| elo.value),
        elo(|elo| elo.low),
        elo(|elo| elo.high),
        String::new(),
        String::new(),
        String::new(),
        note(trial, pairing),
    ];
    let fields = columns.map(|column| match printable(&column) {
        empty if empty.is_empty() => "-".to_owned(),
        field => field,
    });
    Some(fields.join("\t") + "\n")
}

/// The single games of complete pairs.
fn paired_games(trial: &Trial, pairing: [usize; 2]) -> GameTally {
    let entries: Vec<_> = entries(trial.run.results(), pairing).collect();
    let mut games = GameTally::default();
    let pairs = entries.chunk_by(|a, b| a.round == b.round).filter(|pair| pair.len() == 2);
    pairs.flatten().for_each(|entry| games.add(entry.score()));
    games
}

/// The text of the last column: what the other columns do not show.
fn note(trial: &Trial, pairing: [usize; 2]) -> String {
    let (results, rules) = (trial.run.results(), trial.run.tournament().rules);
    let mut parts = Vec::new();
    if let Some(sprt) = results.sprt() {
        let outcome = match decision(results) {
            Some(hypothesis) => format!("accepted {hypothesis}"),
            None => "undecided".to_owned(),
        };
        parts.push(format!("SPRT {} {outcome}", hypotheses(sprt)));
    }
    if rules.supply != Supply::default() {
        parts.push(format!("supply {}", rules.supply));
    }
    if rules.pie {
        parts.push("pie rule".to_owned());
    }
    if let Some(failures) = failures(results, pairing) {
        parts.push(format!("lost by failures: {failures}"));
    }
    parts.join("; ")
}

/// Elo as a whole number, by way of an integer, which has no `-0`.
fn rounded(elo: f64) -> String {
    (elo.round() as i64).to_string()
}
