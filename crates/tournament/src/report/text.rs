//! The results of a tournament as text.

use std::fmt::Write;

use crate::engines::failure::FailureKind;
use crate::journal::results::Results;
use crate::report::crosstable::crosstable;
use crate::statistics::elo::signed;
use crate::statistics::ratings::{Anchor, Bootstrap, Ratings};
use pontifex::messages::printable;

/// The results as text: the pairings, the crosstable, time use and failures of
/// the engines, and the test.
pub fn to_text(results: &Results) -> String {
    let mut text = String::new();
    for &pairing in results.pairings() {
        text += &pairing_text(results, pairing);
    }
    if results.names().len() > 2 && results.games() > 0 {
        let ratings = Ratings::fit(results.pairs(), Anchor::Mean, Bootstrap::default());
        text.push('\n');
        text += &crosstable(results.names(), results.pairs(), &ratings);
    }
    text.push('\n');
    text += &engines_text(results);
    if let (Some(sprt), Some(state)) = (results.sprt(), results.sprt_state()) {
        let _ = writeln!(text, "\nSPRT {sprt}: {state}");
    }
    text
}

fn pairing_text(results: &Results, pairing: [usize; 2]) -> String {
    let [a, b] = pairing;
    let result = results.pairing(pairing);
    let tally = results.pairs().tally(a, b);
    let [losses, draws, wins] = result.games.counts();
    let score =
        result.games.score().map_or(String::new(), |score| format!(" ({:.1}%)", 100.0 * score));
    let [a, b] = [a, b].map(|engine| printable(&results.names()[engine]));
    let mut text = format!(
        "{a} - {b}: {} games, {wins} won, {draws} drawn, {losses} lost{score}\n",
        result.games.games(),
    );
    if let (Some(elo), Some(nelo)) = (tally.elo(), tally.nelo()) {
        let [p0, p1, p2, p3, p4] = tally.counts();
        let _ = writeln!(
            text,
            "  Elo {elo}  nElo {nelo}  LOS {:.1}%  pairs [{p0}, {p1}, {p2}, {p3}, {p4}]",
            100.0 * tally.los(),
        );
    }
    match (result.margins.estimate(), result.margins.mean()) {
        (Some(margin), _) => {
            let _ = writeln!(text, "  points {margin:.2} a game");
        }
        (None, Some(mean)) => {
            let _ = writeln!(text, "  points {} a game", signed(mean, 2));
        }
        _ => {}
    }
    text
}

/// One line per engine: time use and failures.
fn engines_text(results: &Results) -> String {
    let names: Vec<String> = results.names().iter().map(|name| printable(name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:<width$}  {:>8}  {:>9}  {:>15}  {:>15}  failures\n",
        "engine", "moves", "s/move", "median overhead", "worst overhead"
    );
    for (engine, name) in names.iter().enumerate() {
        let time = results.time_use(engine);
        let mean = time.mean().map_or("-".to_owned(), |mean| format!("{mean:.4}"));
        let milliseconds = |seconds: f64| format!("{} ms", signed(1000.0 * seconds, 2));
        let [median, worst] = match time.overhead() {
            Some((median, worst)) => [milliseconds(median), milliseconds(worst)],
            None => ["-", "-"].map(String::from),
        };
        let failures = FailureKind::ALL
            .into_iter()
            .map(|kind| (results.failures(engine, kind), kind))
            .filter(|&(count, _)| count > 0)
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect::<Vec<_>>();
        let failures = if failures.is_empty() { "none".to_owned() } else { failures.join(", ") };
        let _ = writeln!(
            text,
            "{name:<width$}  {:>8}  {mean:>9}  {median:>15}  {worst:>15}  {failures}",
            time.moves
        );
    }
    text
}
