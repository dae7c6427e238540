//! How a match goes on, on stderr.

use std::collections::{HashMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::records::Records;
use crate::arena::{Entry, FailureKind, Observer, Results};

/// How long a line stays on a terminal.
const REDRAW: Duration = Duration::from_millis(200);

/// How often a line is written elsewhere.
const REPORT: Duration = Duration::from_secs(60);

/// How many failures of one kind of one engine are reported in full.
const IN_FULL: u32 = 3;

/// The status line, the reports of failures, and the records.
pub(super) struct Status<'r> {
    records: Option<&'r mut Records>,
    /// What went wrong with the records.
    pub(super) error: Option<io::Error>,
    is_terminal: bool,
    begun: Instant,
    written: Instant,
    /// Games that were over before, and in the end.
    before: usize,
    planned: usize,
    reported: HashMap<(String, FailureKind), u32>,
    warned: HashSet<String>,
}

impl<'r> Status<'r> {
    /// `before` of `planned` games are over already.
    pub(super) fn new(
        records: Option<&'r mut Records>,
        before: usize,
        planned: usize,
    ) -> Status<'r> {
        Status {
            records,
            error: None,
            is_terminal: io::stderr().is_terminal(),
            begun: Instant::now(),
            written: Instant::now(),
            before,
            planned,
            reported: HashMap::new(),
            warned: HashSet::new(),
        }
    }

    fn redraw(&mut self, results: &Results) {
        let interval = if self.is_terminal { REDRAW } else { REPORT };
        if self.written.elapsed() >= interval {
            self.written = Instant::now();
            let line = line(results, self.before, self.planned, self.begun.elapsed());
            let mut stderr = io::stderr().lock();
            let _ = if self.is_terminal {
                write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush())
            } else {
                writeln!(stderr, "{line}")
            };
        }
    }

    /// Text of its own, above the status line.
    fn say(&self, text: &str) {
        let clear = if self.is_terminal { "\r\x1b[K" } else { "" };
        let _ = writeln!(io::stderr(), "{clear}{}", text.trim_end());
    }
}

impl Observer for Status<'_> {
    fn finished(&mut self, entry: &Entry, results: &Results) {
        if let Some(failure) = &entry.failure {
            let count = self.reported.entry((failure.engine.clone(), failure.kind)).or_default();
            *count += 1;
            let (count, game) = (*count, format!("{} - {}", entry.a, entry.b));
            let text = if count > IN_FULL { failure.to_string() } else { failure.report() };
            let number = entry.round + 1;
            self.say(&format!("{game}, round {number}, {} White: {text}", entry.white));
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
            self.say(&text);
        }
    }

    fn tick(&mut self, results: &Results) {
        self.redraw(results);
    }
}

impl Drop for Status<'_> {
    fn drop(&mut self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// `120/1000  A - B +62 =3 -55  Elo +20.3 ±31.0  LLR +0.41 (-2.94, +2.94)
/// 1440 games/h  left 0:36:40`, on one line.
fn line(results: &Results, before: usize, planned: usize, elapsed: Duration) -> String {
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
        let left = (planned.saturating_sub(results.games()) as f64 * seconds_each) as u64;
        parts.push(format!("{:.0} games/h", 3600.0 / seconds_each.max(1e-6)));
        parts.push(format!("left {}:{:02}:{:02}", left / 3600, left / 60 % 60, left % 60));
    }
    parts.join("  ")
}
