//! The record of experiments, `docs/experiments.tsv`: every row has all columns, and its numbers
//! agree with each other.

use std::str::FromStr;

const EXPERIMENTS: &str = include_str!("../../../../docs/experiments.tsv");

const COLUMNS: [&str; 16] = [
    "date",
    "commit",
    "kind",
    "topic",
    "change",
    "limit",
    "games",
    "pentanomial",
    "wdl",
    "elo",
    "low",
    "high",
    "kept",
    "value",
    "unit",
    "note",
];

/// One row: its line number and fields.
struct Row<'t> {
    line: usize,
    fields: [&'t str; COLUMNS.len()],
}

impl<'t> Row<'t> {
    /// The field of a column; `None` for `-`.
    fn get(&self, column: &str) -> Option<&'t str> {
        let index = COLUMNS.iter().position(|name| *name == column).unwrap();
        Some(self.fields[index]).filter(|field| *field != "-")
    }

    fn number<T: FromStr>(&self, column: &str) -> Option<T> {
        self.get(column).map(|field| {
            field.parse().unwrap_or_else(|_| panic!("line {}: {column}: {field}", self.line))
        })
    }

    /// Counts joined by `-`.
    fn counts<const N: usize>(&self, column: &str) -> Option<[u32; N]> {
        self.get(column).map(|field| {
            let counts: Vec<u32> = field.split('-').map(|count| count.parse().unwrap()).collect();
            counts.try_into().unwrap_or_else(|_| panic!("line {}: {column}: {field}", self.line))
        })
    }
}

/// The rows below the header.
fn read_rows(text: &str) -> Vec<Row<'_>> {
    text.lines()
        .zip(1..)
        .map(|(text, line)| {
            let fields: Vec<&str> = text.split('\t').collect();
            let fields = fields.try_into().unwrap_or_else(|_| panic!("line {line}: {text}"));
            Row { line, fields }
        })
        .skip(1)
        .collect()
}

/// Checks a whole file.
fn check(text: &str) {
    check_columns(text);
    check_intervals(text);
    check_games_and_elo(text);
}

/// Checks rows that were printed to be appended to the record.
pub(super) fn check_rows(rows: &str) {
    assert!(EXPERIMENTS.ends_with('\n'));
    assert!(rows.ends_with('\n'), "{rows}");
    check(&format!("{}\n{rows}", COLUMNS.join("\t")));
}

#[test]
fn the_record_is_consistent() {
    assert_eq!(EXPERIMENTS.lines().next().unwrap(), COLUMNS.join("\t"));
    check(EXPERIMENTS);
}

/// Checks that every row has all columns, with values that are allowed there.
fn check_columns(text: &str) {
    let rows = read_rows(text);
    assert!(!rows.is_empty());
    for row in &rows {
        let line = row.line;
        assert!(
            row.fields.iter().all(|field| !field.is_empty() && field.trim() == *field),
            "{line}"
        );
        if let Some(date) = row.get("date") {
            let parts: Vec<u32> = date.split('-').map(|part| part.parse().unwrap()).collect();
            let is_valid = matches!(parts[..], [2026..=2099, 1..=12, 1..=31]) && date.len() == 10;
            assert!(is_valid, "line {line}: {date}");
        }
        if let Some(commit) = row.get("commit") {
            assert!(
                commit.len() == 7 && u32::from_str_radix(commit, 16).is_ok(),
                "line {line}: {commit}"
            );
        }
        let kind = row.get("kind").unwrap();
        let kinds = ["match", "rating", "tune", "loss", "suite", "speed", "timing"];
        assert!(kinds.contains(&kind), "line {line}: {kind}");
        assert!(row.get("topic").is_some() && row.get("change").is_some(), "line {line}");
        assert!(matches!(row.get("kept"), None | Some("yes" | "no")), "line {line}");
        assert_eq!(row.number::<f64>("value").is_some(), row.get("unit").is_some(), "line {line}");
        assert_eq!(kind == "match", row.get("value").is_none(), "line {line}");
    }
}

/// Checks that every interval contains its estimate.
fn check_intervals(text: &str) {
    for row in read_rows(text) {
        let (low, high): (Option<f64>, Option<f64>) = (row.number("low"), row.number("high"));
        assert_eq!(low.is_some(), high.is_some(), "line {}", row.line);
        if let (Some(low), Some(high)) = (low, high) {
            let elo: f64 = row.number("elo").unwrap();
            assert!(low <= elo && elo <= high, "line {}: {low} {elo} {high}", row.line);
        }
    }
}

/// Checks that the games and the Elo follow from the results.
fn check_games_and_elo(text: &str) {
    for row in read_rows(text) {
        let line = row.line;
        let games: Option<u32> = row.number("games");
        // With an unfinished pair, the Elo is that of complete pairs or of all games.
        let mut scores = Vec::new();
        if let Some(pairs) = row.counts::<5>("pentanomial") {
            let paired = 2 * pairs.iter().sum::<u32>();
            assert!(games.unwrap().abs_diff(paired) <= 1, "line {line}");
            let halves: u32 = pairs.iter().zip(0..).map(|(count, halves)| count * halves).sum();
            scores.push(f64::from(halves) / f64::from(2 * paired));
        }
        if let Some([won, drawn, lost]) = row.counts("wdl") {
            assert_eq!(games, Some(won + drawn + lost), "line {line}");
            let score =
                |won, drawn, lost| f64::from(2 * won + drawn) / f64::from(2 * (won + drawn + lost));
            scores.push(score(won, drawn, lost));
            if games.is_some_and(|games| games % 2 == 1) {
                // Without the last game, however it ended.
                scores.push(score(won.saturating_sub(1), drawn, lost));
                scores.push(score(won, drawn.saturating_sub(1), lost));
                scores.push(score(won, drawn, lost.saturating_sub(1)));
            }
        }
        let Some(elo) = row.number::<f64>("elo").filter(|_| !scores.is_empty()) else { continue };
        let expected: Vec<f64> =
            scores.iter().map(|score| 400.0 * (score / (1.0 - score)).log10()).collect();
        let is_near = |expected: &f64| (elo - expected).abs() < 1.0;
        assert!(expected.iter().any(is_near), "line {line}: {elo} {expected:?}");
    }
}
