//! The results of a tournament, counted game by game.
//!
//! Games arrive in any order, because several are played at a time. A game that is already counted
//! is ignored. The two games of a pair are one observation: the first to arrive waits in `unpaired`
//! until the second completes the pair. Elo, margins and the test are computed from pairs and
//! ignore waiting games.

use std::collections::HashMap;

use crate::engines::failure::FailureKind;
use crate::journal::entry::Entry;
use crate::schedule::GameKey;
use crate::statistics::sprt::{Sprt, SprtState, Verdict};
use crate::statistics::tally::{GameScore, GameTally, MarginTally, Pairings};

/// The categories of failures in the JSON report, each with its kinds. `docs/match.md` lists them
/// in the column "counted as".
pub const FAILURES: [(&str, &[FailureKind]); 4] = [
    ("crash", &[FailureKind::Start, FailureKind::Crash]),
    ("stall", &[FailureKind::Stall]),
    ("timeout", &[FailureKind::Timeout]),
    ("illegal", &[FailureKind::Illegal, FailureKind::Refusal, FailureKind::Framing]),
];

/// The results of a tournament so far.
#[derive(Clone, Debug)]
pub struct Results {
    names: Vec<String>,
    /// In the order of the schedule. The test uses the first.
    pairings: Vec<[usize; 2]>,
    by_pairing: HashMap<[usize; 2], PairingResult>,
    pairs: Pairings,
    /// For each incomplete pair, the score and the margin of its finished game.
    unpaired: HashMap<([usize; 2], usize), (GameScore, Option<i32>)>,
    games: HashMap<GameKey, Entry>,
    /// For each engine by number, how often it failed in each way.
    failures: Vec<HashMap<FailureKind, u64>>,
    /// For each engine by number.
    times: Vec<TimeUse>,
    sprt: Option<Sprt>,
    /// The state of the test at its verdict, which is final; `None` before.
    verdict: Option<SprtState>,
}

/// The results of a pairing, for its first engine.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PairingResult {
    /// All games one by one, including those of incomplete pairs. For counts only; Elo is computed
    /// from pairs.
    pub games: GameTally,
    /// Point margins of the pairs whose games were both decided by score.
    pub margins: MarginTally,
}

/// An engine's use of time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeUse {
    /// The number of its moves, without those of the openings.
    pub moves: u64,
    /// The sum of their times in seconds.
    pub seconds: f64,
    /// By how many seconds each move exceeded its time. Negative if it was in time; empty without a
    /// clock.
    pub overheads: Vec<f64>,
}

impl TimeUse {
    /// The mean time per move in seconds; `None` without a move.
    pub fn mean(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.seconds / self.moves as f64)
    }

    /// The median and the worst overhead in seconds; `None` if no move had a clock. For an even
    /// number of moves, the median is the worse of the two middle values.
    pub fn overhead(&self) -> Option<(f64, f64)> {
        let mut sorted = self.overheads.clone();
        sorted.sort_by(f64::total_cmp);
        Some((*sorted.get(sorted.len() / 2)?, *sorted.last()?))
    }
}

impl Results {
    /// Results without any game. `sprt` tests the first pairing.
    pub fn new(names: Vec<String>, pairings: Vec<[usize; 2]>, sprt: Option<Sprt>) -> Results {
        let engines = names.len();
        Results {
            by_pairing: pairings
                .iter()
                .map(|&pairing| (pairing, PairingResult::default()))
                .collect(),
            pairings,
            pairs: Pairings::new(engines),
            unpaired: HashMap::new(),
            games: HashMap::new(),
            failures: vec![HashMap::new(); engines],
            times: vec![TimeUse::default(); engines],
            names,
            sprt,
            verdict: None,
        }
    }

    /// Counts a game. Returns false and changes nothing if the game is already counted or does not
    /// belong to this tournament.
    pub fn add(&mut self, entry: Entry) -> bool {
        let Some(key) = entry.key(&self.names) else { return false };
        let Some(result) = self.by_pairing.get_mut(&key.pairing) else { return false };
        if self.games.contains_key(&key) {
            return false;
        }
        let [a, b] = key.pairing;
        let (score, margin) = (entry.score(), entry.margin());
        result.games.add(score);
        if let Some((other_score, other_margin)) = self.unpaired.remove(&key.pair()) {
            // A pair's score does not depend on which of its games ended first.
            self.pairs.add_pair(a, b, other_score, score);
            if let (Some(first), Some(second)) = (other_margin, margin) {
                result.margins.add_pair(first, second);
            }
            self.update_sprt(key.pairing);
        } else {
            self.unpaired.insert(key.pair(), (score, margin));
        }
        for (seat, engine) in key.seats().into_iter().enumerate() {
            let time = &mut self.times[engine];
            // The seats alternate from the first move of the opening on, and a swap is a move of
            // seat 1. So seat 0 makes the moves with even numbers.
            let own_seconds = entry.seconds.iter().enumerate().skip(entry.opening_moves);
            let own_seconds =
                own_seconds.filter(|(n, _)| n % 2 == seat).map(|(_, seconds)| seconds);
            own_seconds.for_each(|seconds| {
                time.moves += 1;
                time.seconds += seconds;
            });
            time.overheads.extend(&entry.overheads[seat]);
        }
        if let Some(failure) = &entry.failure
            && let Some(engine) = self.names.iter().position(|name| *name == failure.engine)
        {
            *self.failures[engine].entry(failure.kind).or_default() += 1;
        }
        self.games.insert(key, entry);
        true
    }

    /// Updates the test after a pair of the first pairing.
    ///
    /// The first verdict is final. Games in progress at that moment still end and are counted. A
    /// test that could revoke its verdict would have other error rates than it states.
    fn update_sprt(&mut self, pairing: [usize; 2]) {
        if self.verdict.is_none() && self.pairings.first() == Some(&pairing) {
            self.verdict = self.sprt_state().filter(|state| state.verdict != Verdict::Continue);
        }
    }

    /// The state of the test, which no longer changes after a verdict; `None` without a test.
    pub fn sprt_state(&self) -> Option<SprtState> {
        let current = || {
            let &[a, b] = self.pairings.first()?;
            Some(self.sprt?.state(&self.pairs.tally(a, b)))
        };
        self.verdict.or_else(current)
    }

    /// The sequential test; `None` if there is none.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// The engines' names, in the order of their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The pairings in the order of the schedule, each with the lower number first.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The results of a pairing, for its first engine; empty if the tournament lacks it.
    pub fn pairing(&self, pairing: [usize; 2]) -> PairingResult {
        self.by_pairing.get(&pairing).copied().unwrap_or_default()
    }

    /// The results in pairs of games, from which Elo and ratings are computed.
    pub fn pairs(&self) -> &Pairings {
        &self.pairs
    }

    /// The number of finished games of all pairings.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of an engine's finished games. Visits all games.
    pub fn games_of(&self, engine: usize) -> usize {
        self.games.keys().filter(|key| key.pairing.contains(&engine)).count()
    }

    /// The game of `key`, if it is finished.
    pub fn game(&self, key: &GameKey) -> Option<&Entry> {
        self.games.get(key)
    }

    /// All finished games, by round, pairing and colours.
    pub fn entries(&self) -> Vec<&Entry> {
        let mut games: Vec<_> = self.games.iter().collect();
        games.sort_by_key(|(key, _)| (key.round, key.pairing, key.exchanged));
        games.into_iter().map(|(_, entry)| entry).collect()
    }

    /// The number of an engine's failures of a kind.
    ///
    /// # Panics
    /// If there is no such engine.
    pub fn failures(&self, engine: usize, kind: FailureKind) -> u64 {
        self.failures[engine].get(&kind).copied().unwrap_or(0)
    }

    /// An engine's use of time in all finished games.
    ///
    /// # Panics
    /// If there is no such engine.
    pub fn time_use(&self, engine: usize) -> &TimeUse {
        &self.times[engine]
    }
}
