use std::collections::HashMap;

use crate::tournament::engines::failure::FailureKind;
use crate::tournament::journal::entry::Entry;
use crate::tournament::schedule::GameKey;
use crate::tournament::statistics::margin::MarginTally;
use crate::tournament::statistics::pairings::Pairings;
use crate::tournament::statistics::sprt::{Sprt, SprtState, Verdict};
use crate::tournament::statistics::tally::{GameScore, GameTally};

/// What failures are counted as in sums, each with the kinds that count.
pub const FAILURES: [(&str, &[FailureKind]); 4] = [
    ("crash", &[FailureKind::Start, FailureKind::Crash]),
    ("stall", &[FailureKind::Stall]),
    ("timeout", &[FailureKind::Timeout]),
    ("illegal", &[FailureKind::Illegal, FailureKind::Refusal, FailureKind::Framing]),
];

/// The results of a tournament so far, game by game as they came in.
#[derive(Clone, Debug)]
pub struct Results {
    names: Vec<String>,
    pairings: Vec<[usize; 2]>,
    of_pairing: HashMap<[usize; 2], PairingResult>,
    pairs: Pairings,
    /// Pairs of which one game is over.
    half: HashMap<([usize; 2], usize), (GameScore, Option<i32>)>,
    games: HashMap<GameKey, Entry>,
    failures: Vec<HashMap<FailureKind, u64>>,
    times: Vec<TimeUse>,
    sprt: Option<Sprt>,
    /// Where the test stood when it ended.
    verdict: Option<SprtState>,
}

/// The results of two engines, as the first of them sees it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PairingResult {
    /// All games, those without their counterpart included.
    pub games: GameTally,
    /// Point margins of the pairs of which both games were played to the end.
    pub margins: MarginTally,
}

/// What an engine did with its time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeUse {
    /// Moves of its own.
    pub moves: u64,
    /// Seconds they took.
    pub seconds: f64,
    /// How many seconds longer than allowed each took, below 0 for less; only
    /// where the limit is a time for each move.
    pub overheads: Vec<f64>,
}

impl TimeUse {
    /// The mean time of a move in seconds.
    pub fn mean(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.seconds / self.moves as f64)
    }

    /// The median and the worst overhead in seconds.
    pub fn overhead(&self) -> Option<(f64, f64)> {
        let mut sorted = self.overheads.clone();
        sorted.sort_by(f64::total_cmp);
        Some((*sorted.get(sorted.len() / 2)?, *sorted.last()?))
    }
}

impl Results {
    /// No results yet of the engines `names`; `sprt` tests the first pairing.
    pub fn new(names: Vec<String>, pairings: Vec<[usize; 2]>, sprt: Option<Sprt>) -> Results {
        let engines = names.len();
        Results {
            of_pairing: pairings
                .iter()
                .map(|&pairing| (pairing, PairingResult::default()))
                .collect(),
            pairings,
            pairs: Pairings::new(engines),
            half: HashMap::new(),
            games: HashMap::new(),
            failures: vec![HashMap::new(); engines],
            times: vec![TimeUse::default(); engines],
            names,
            sprt,
            verdict: None,
        }
    }

    /// Counts a game. Returns whether it was new and of this tournament; one
    /// that is not changes nothing.
    pub fn add(&mut self, entry: Entry) -> bool {
        let Some(key) = entry.key(&self.names) else { return false };
        let Some(result) = self.of_pairing.get_mut(&key.pairing) else { return false };
        if self.games.contains_key(&key) {
            return false;
        }
        let [a, b] = key.pairing;
        let (score, margin) = (entry.score(), entry.margin());
        result.games.add(score);
        if let Some((other, other_margin)) = self.half.remove(&key.pair()) {
            self.pairs.add_pair(a, b, other, score);
            if let (Some(first), Some(second)) = (other_margin, margin) {
                result.margins.add_pair(first, second);
            }
            self.test(key.pairing);
        } else {
            self.half.insert(key.pair(), (score, margin));
        }
        for (seat, engine) in key.seats().into_iter().enumerate() {
            let time = &mut self.times[engine];
            let own = entry.seconds.iter().enumerate().skip(entry.opening_moves);
            let own = own.filter(|(n, _)| n % 2 == seat).map(|(_, seconds)| seconds);
            own.for_each(|seconds| {
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

    /// Looks at the test after a pair of the first pairing. The first verdict
    /// stays, whatever comes in later.
    fn test(&mut self, pairing: [usize; 2]) {
        if self.verdict.is_none() && self.pairings.first() == Some(&pairing) {
            self.verdict = self.sprt_state().filter(|state| state.verdict != Verdict::Continue);
        }
    }

    /// Where the test stands, or stood when it ended; `None` without a test.
    pub fn sprt_state(&self) -> Option<SprtState> {
        let current = || {
            let &[a, b] = self.pairings.first()?;
            Some(self.sprt?.state(&self.pairs.tally(a, b)))
        };
        self.verdict.or_else(current)
    }

    /// The test.
    pub fn sprt(&self) -> Option<Sprt> {
        self.sprt
    }

    /// The engines' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Who plays whom.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The results of a pairing.
    pub fn pairing(&self, pairing: [usize; 2]) -> PairingResult {
        self.of_pairing.get(&pairing).copied().unwrap_or_default()
    }

    /// The results pair by pair: what Elo and ratings are computed from.
    pub fn pairs(&self) -> &Pairings {
        &self.pairs
    }

    /// How many games are over.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The game of `key`, if it is over.
    pub fn game(&self, key: &GameKey) -> Option<&Entry> {
        self.games.get(key)
    }

    /// All games that are over, in the order of their keys.
    pub fn entries(&self) -> Vec<&Entry> {
        let mut games: Vec<_> = self.games.iter().collect();
        games.sort_by_key(|(key, _)| (key.round, key.pairing, key.exchanged));
        games.into_iter().map(|(_, entry)| entry).collect()
    }

    /// How often an engine failed in a way.
    ///
    /// # Panics
    /// If there is no such engine.
    pub fn failures(&self, engine: usize, kind: FailureKind) -> u64 {
        self.failures[engine].get(&kind).copied().unwrap_or(0)
    }

    /// What an engine did with its time.
    ///
    /// # Panics
    /// If there is no such engine.
    pub fn time_use(&self, engine: usize) -> &TimeUse {
        &self.times[engine]
    }
}
