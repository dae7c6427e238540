//! Results as rows of the record of experiments, `docs/experiments.tsv`.

use super::report::{decision, entries, failures, hypotheses};
use super::setting;
use super::trial::Trial;
use pontifex::game::Supply;
use pontifex::messages::printable;
use pontifex_tournament::{Estimate, GameTally};

/// The rows of a finished experiment: one per pairing with a pair of games.
///
/// They count complete pairs only, so that all columns follow from the
/// pentanomial. Whether the change is kept is for its author to say.
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
    let columns = [
        last.and_then(|time| time.get(..10)).unwrap_or_default().to_owned(),
        String::new(),
        "match".to_owned(),
        experiment.topic.clone().unwrap_or_else(|| experiment.name.clone()),
        change,
        setting::limit(tournament, pairing),
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

/// What the columns do not say.
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

/// A number of Elo, never `-0`.
fn rounded(elo: f64) -> String {
    (elo.round() as i64).to_string()
}
