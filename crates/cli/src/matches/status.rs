//! The progress of a match on stderr.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::Duration;

use crate::matches::records::Records;
use crate::status_line::{StatusLine, clock};
use pontifex_tournament::{Entry, FailureKind, Observer, Results};

/// The interval between updates on a terminal.
const REDRAW: Duration = Duration::from_millis(200);

/// How many failures of an engine and kind are reported in full.
const FULL_REPORTS: u32 = 3;

/// The status line, the reports of failures, and the records.
pub(super) struct Status<'r> {
    records: Option<&'r mut Records>,
    /// The first error of writing records.
    pub(super) error: Option<io::Error>,
    line: StatusLine,
    /// The number of games finished before this run.
    before: usize,
    /// The number of games at the end.
    planned: usize,
    reported: HashMap<(String, FailureKind), u32>,
    warned: HashSet<String>,
}

impl<'r> Status<'r> {
    /// A status of `planned` games, `before` of which are finished.
    pub(super) fn new(
        records: Option<&'r mut Records>,
        before: usize,
        planned: usize,
    ) -> Status<'r> {
        Status {
            records,
            error: None,
            line: StatusLine::new(REDRAW),
            before,
            planned,
            reported: HashMap::new(),
            warned: HashSet::new(),
        }
    }

    fn redraw(&mut self, results: &Results) {
        if self.line.is_due() {
            let text = text(results, self.before, self.planned, self.line.elapsed());
            self.line.show(&text);
        }
    }
}

impl Observer for Status<'_> {
    fn finished(&mut self, entry: &Entry, results: &Results) {
        if let Some(failure) = &entry.failure {
            let count = self.reported.entry((failure.engine.clone(), failure.kind)).or_default();
            *count += 1;
            let (count, game) = (*count, format!("{} - {}", entry.a, entry.b));
            let text = if count > FULL_REPORTS { failure.to_string() } else { failure.report() };
            let number = entry.round + 1;
            self.line.say(&format!("{game}, round {number}, {} White: {text}", entry.white));
        }
        if let Some(records) = &mut self.records
            && let Err(error) = records.add(entry)
        {
            self.error.get_or_insert(error);
            self.records = None;
        }
        self.redraw(results);
    }

    fn warning(&mut self, engine: &str, warning: &str) {
        let text = format!("engine {engine}: {warning}");
        if self.warned.insert(text.clone()) {
            self.line.say(&text);
        }
    }

    fn tick(&mut self, results: &Results) {
        self.redraw(results);
    }
}

/// The status line: `120/1000  A - B +62 =3 -55  Elo +20.3 ±31.0  LLR +0.41
/// (-2.94, +2.94)  1440 games/h  left 0:36:40`.
fn text(results: &Results, before: usize, planned: usize, elapsed: Duration) -> String {
    let mut parts = vec![format!("{}/{planned}", results.games())];
    if let [pairing @ [a, b]] = *results.pairings() {
        let names = results.names();
        let [losses, draws, wins] = results.pairing(pairing).games.counts();
        parts.push(format!("{} - {} +{wins} ={draws} -{losses}", names[a], names[b]));
        if let Some(elo) = results.pairs().tally(a, b).elo() {
            parts.push(format!("Elo {:+.1} ±{:.1}", elo.value, elo.margin()));
        }
    }
    if let Some(state) = results.sprt_state() {
        parts.push(format!("LLR {:+.2} ({:+.2}, {:+.2})", state.llr, state.lower, state.upper));
    }
    let failures: u64 = (0..results.names().len())
        .flat_map(|engine| FailureKind::ALL.map(|kind| results.failures(engine, kind)))
        .sum();
    if failures > 0 {
        parts.push(format!("{failures} failures"));
    }
    let played = results.games().saturating_sub(before);
    if played > 0 {
        let seconds_each = elapsed.as_secs_f64() / played as f64;
        let left = planned.saturating_sub(results.games()) as f64 * seconds_each;
        parts.push(format!("{:.0} games/h", 3600.0 / seconds_each.max(1e-6)));
        parts.push(format!("left {}", clock(left)));
    }
    parts.join("  ")
}
