//! Reports of a tournament's results: text, with the crosstable, and JSON.

use std::fmt::Write;

use pontifex::messages::printable;
use serde_json::{Map, Value, json};

use crate::engines::failure::FailureKind;
use crate::journal::results::{FAILURES, Results};
use crate::statistics::estimate::Estimate;
use crate::statistics::ratings::{Anchor, Bootstrap, Ratings};
use crate::statistics::tally::Pairings;

pub use crate::statistics::estimate::signed;

/// The results as text: the pairings, the crosstable (for three engines or more), the engines' use
/// of time and failures, and the test. `docs/match.md` defines the numbers.
pub fn to_text(results: &Results) -> String {
    let mut text = String::new();
    for &pairing in results.pairings() {
        text += &pairing_text(results, pairing);
    }
    if results.names().len() > 2 && results.games() > 0 {
        let ratings = Ratings::fit(results.pairs(), Anchor::Mean, Bootstrap::default());
        text.push('\n');
        text += &crosstable(results.names(), results.pairs(), &ratings);
        text += SCALE_NOTE;
    }
    text.push('\n');
    text += &engines_text(results);
    if let (Some(sprt), Some(state)) = (results.sprt(), results.sprt_state()) {
        let _ = writeln!(text, "\nSPRT {sprt}: {state}");
    }
    text
}

/// The line below the crosstable. Its Elo differs from that of the pairings above, and without an
/// explanation the two look like a contradiction.
const SCALE_NOTE: &str = "Elo here rates all games together, mean 0, with one drawn game added to \
    every pairing; that of a pairing above is of its own games alone.\n";

/// One pairing, from its first engine's point of view: games, Elo and points. A line is left out
/// while its numbers do not exist.
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

/// One line for each engine: its use of time and its failures.
fn engines_text(results: &Results) -> String {
    let names: Vec<String> = results.names().iter().map(|name| printable(name)).collect();
    // At least as wide as the heading "engine".
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

/// A tournament's results as aligned plain text, the strongest engine first:
///
/// ```text
/// #  engine     Elo   ±  games  score        1        2      3
/// 1  strongest  +28  32    320  52.2%        -  155/300  12/20
/// 2  plain      +17  33    320  49.1%  145/300        -  12/20
/// 3  ö          -45  58     40  40.0%     8/20     8/20      -
/// ```
///
/// `±` is half the width of the 95 % interval. A cell has the points out of the games against the
/// engine of that number. Engines that have not played have no Elo. If some ratings cannot be
/// compared, a last line names the groups. Every line ends in a line feed, without trailing spaces.
///
/// # Panics
/// If names, results and ratings have different numbers of engines.
pub fn crosstable(names: &[impl AsRef<str>], pairings: &Pairings, ratings: &Ratings) -> String {
    assert_eq!(names.len(), pairings.engines(), "names and results differ in number");
    assert_eq!(names.len(), ratings.groups().len(), "names and ratings differ in number");
    let ranking = ratings.ranking();
    let mut rows = vec![["#", "engine", "Elo", "±", "games", "score"].map(String::from).to_vec()];
    rows[0].extend((1..=ranking.len()).map(|number| number.to_string()));
    for (place, &engine) in ranking.iter().enumerate() {
        let total = pairings.total(engine);
        let mut row = vec![(place + 1).to_string(), printable(names[engine].as_ref())];
        row.extend(match ratings.elo(engine) {
            Some(elo) => [signed(elo.value, 0), format!("{:.0}", elo.margin())],
            None => ["-", "-"].map(String::from),
        });
        row.push(total.games().to_string());
        row.push(total.score().map_or("-".to_owned(), |score| format!("{:.1}%", 100.0 * score)));
        row.extend(ranking.iter().map(|&opponent| {
            let tally = pairings.tally(engine, opponent);
            match tally.games() {
                0 => "-".to_owned(),
                games => format!("{}/{games}", tally.points()),
            }
        }));
        rows.push(row);
    }
    // Names are aligned to the left, numbers to the right.
    align(&rows, |column| column == 1) + &unconnected_groups(&ranking, ratings)
}

/// A line that names the groups which cannot be compared; empty if all engines are connected.
fn unconnected_groups(ranking: &[usize], ratings: &Ratings) -> String {
    if ratings.is_connected() {
        return String::new();
    }
    // The ranking keeps each group together. So a chunk of equal groups is a whole group, and the
    // row numbers are assigned to the chunks in order.
    let mut numbers = 1..;
    let groups = ranking.chunk_by(|&a, &b| ratings.groups()[a] == ratings.groups()[b]);
    let members: Vec<String> = groups
        .map(|group| {
            let numbers =
                numbers.by_ref().take(group.len()).map(|number: usize| number.to_string());
            numbers.collect::<Vec<_>>().join(" ")
        })
        .collect();
    format!(
        "No games connect the groups {}: compare Elo within a group only.\n",
        members.join(" | ")
    )
}

/// Aligns the columns of a table: to the left where `is_left` holds for the number of the column
/// (from 0), otherwise to the right. All rows must have as many cells as the first. Every line ends
/// in a line feed, without trailing spaces.
pub fn align(rows: &[Vec<String>], is_left: impl Fn(usize) -> bool) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns).filter_map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if is_left(column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// The results as one JSON object, with more digits than the text. Unknown values are `null`: Elo
/// without a complete pair, the margin without a pair decided by score, the test without `--sprt`,
/// and an end of an interval that is only a bound.
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
        "engines": engines_json(results),
        "sprt": sprt,
        "failures": failures,
    })
}

/// Each engine: its rating, games, use of time and failures. Unlike the text, this includes ratings
/// in a match of two engines.
fn engines_json(results: &Results) -> Vec<Value> {
    let ratings = Ratings::fit(results.pairs(), Anchor::Mean, Bootstrap::default());
    let engine_json = |(engine, name): (usize, &String)| {
        let time = results.time_use(engine);
        let (median, worst) = time.overhead().unzip();
        let rating = ratings.elo(engine).map(
            |Estimate { value, low, high, .. }| json!({"elo": value, "low": low, "high": high}),
        );
        let failures = FailureKind::ALL.map(|kind| (kind, results.failures(engine, kind)));
        let failures = failures.into_iter().filter(|&(_, count)| count > 0);
        let failures: Map<String, Value> =
            failures.map(|(kind, count)| (kind.to_string(), count.into())).collect();
        json!({
            "name": name,
            "rating": rating,
            "games": results.games_of(engine),
            "points": results.pairs().total(engine).points(),
            "moves": time.moves,
            "seconds": time.seconds,
            "median_overhead": median,
            "worst_overhead": worst,
            "failures": failures,
        })
    };
    results.names().iter().enumerate().map(engine_json).collect()
}

/// One pairing, from its first engine's point of view.
fn pairing_json(results: &Results, pairing: [usize; 2]) -> Value {
    let [a, b] = pairing;
    let result = results.pairing(pairing);
    let tally = results.pairs().tally(a, b);
    let [losses, draws, wins] = result.games.counts();
    let (elo, nelo) = (tally.elo(), tally.nelo());
    let margin = result.margins.estimate();
    json!({
        "a": results.names()[a],
        "b": results.names()[b],
        "games": result.games.games(),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "pentanomial": tally.counts(),
        "elo": elo.map(|elo| elo.value),
        "elo_low": elo.and_then(|elo| elo.exact(elo.low)),
        "elo_high": elo.and_then(|elo| elo.exact(elo.high)),
        "elo_error": elo.map(Estimate::margin),
        "nelo": nelo.map(|nelo| nelo.value),
        "nelo_low": nelo.and_then(|nelo| nelo.exact(nelo.low)),
        "nelo_high": nelo.and_then(|nelo| nelo.exact(nelo.high)),
        "los": tally.los(),
        "margin": result.margins.mean(),
        "margin_low": margin.map(|margin| margin.low),
        "margin_high": margin.map(|margin| margin.high),
    })
}
