//! The results of a tournament as JSON.

use serde_json::{Map, Value, json};

use crate::engines::failure::FailureKind;
use crate::journal::results::{FAILURES, Results};
use crate::statistics::elo::Estimate;

/// The results as one JSON object. Unknown values are `null`: Elo without a pair
/// of games, the margin without a pair decided by score, the test without
/// `--sprt`.
pub fn to_json(results: &Results) -> Value {
    let pairings: Vec<Value> =
        results.pairings().iter().map(|&pairing| pairing_json(results, pairing)).collect();
    let sprt = results.sprt_state().map(|state| {
        json!({
            "llr": state.llr,
            "lower": state.lower,
            "upper": state.upper,
            "result": state.verdict.to_string(),
        })
    });
    let engines = 0..results.names().len();
    let count = |kinds: &[FailureKind]| -> u64 {
        kinds
            .iter()
            .flat_map(|&kind| engines.clone().map(move |engine| results.failures(engine, kind)))
            .sum()
    };
    let failures: Map<String, Value> =
        FAILURES.iter().map(|(name, kinds)| ((*name).to_owned(), count(kinds).into())).collect();
    json!({
        "games": results.games(),
        "pairings": pairings,
        "sprt": sprt,
        "failures": failures,
    })
}

fn pairing_json(results: &Results, pairing: [usize; 2]) -> Value {
    let [a, b] = pairing;
    let result = results.pairing(pairing);
    let tally = results.pairs().tally(a, b);
    let [losses, draws, wins] = result.games.counts();
    json!({
        "a": results.names()[a],
        "b": results.names()[b],
        "games": result.games.games(),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "pentanomial": tally.counts(),
        "elo": tally.elo().map(|elo| elo.value),
        "elo_error": tally.elo().map(Estimate::margin),
        "nelo": tally.nelo().map(|nelo| nelo.value),
        "los": tally.los(),
        "margin": result.margins.mean(),
    })
}
