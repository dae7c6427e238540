//! The results between every two engines of a tournament.

use crate::statistics::tally::{GameScore, PairTally};

/// The results between every two engines of a tournament. Engines are numbered
/// from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairings {
    engines: usize,
    /// Entry a(a-1)/2 + b is the tally of engine b against engine a > b.
    tallies: Vec<PairTally>,
}

impl Pairings {
    /// No results between `engines` engines.
    pub fn new(engines: usize) -> Pairings {
        let tallies = vec![PairTally::default(); engines * engines.saturating_sub(1) / 2];
        Pairings { engines, tallies }
    }

    /// The number of engines.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// Counts the two games of one opening by the scores of `engine`.
    ///
    /// # Panics
    /// If either is not an engine of this tournament, or both are the same.
    pub fn add_pair(
        &mut self,
        engine: usize,
        opponent: usize,
        first: GameScore,
        second: GameScore,
    ) {
        let mut pair = PairTally::default();
        pair.add_pair(first, second);
        self.add(engine, opponent, pair);
    }

    /// Adds a tally of `engine` against `opponent`.
    ///
    /// # Panics
    /// As [`add_pair`](Pairings::add_pair).
    pub fn add(&mut self, engine: usize, opponent: usize, pairs: PairTally) {
        let at = self.index(engine, opponent);
        self.tallies[at] += if engine < opponent { pairs } else { pairs.flipped() };
    }

    /// The tally of `engine` against `opponent`; empty against itself.
    ///
    /// # Panics
    /// If either is not an engine of this tournament.
    pub fn tally(&self, engine: usize, opponent: usize) -> PairTally {
        if engine == opponent && engine < self.engines {
            return PairTally::default();
        }
        let tally = self.tallies[self.index(engine, opponent)];
        if engine < opponent { tally } else { tally.flipped() }
    }

    /// The tally of `engine` against all opponents.
    ///
    /// # Panics
    /// If it is not an engine of this tournament.
    pub fn total(&self, engine: usize) -> PairTally {
        let mut total = PairTally::default();
        for opponent in 0..self.engines {
            total += self.tally(engine, opponent);
        }
        total
    }

    /// The group of each engine: engines in one group can be compared, because
    /// a chain of played pairings connects them. Groups are numbered from 0 in
    /// the order of their first engines. An engine that has not played is a
    /// group of its own.
    pub fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.engines).collect();
        for (a, b) in self.played() {
            let (kept, dropped) = (groups[a].min(groups[b]), groups[a].max(groups[b]));
            groups.iter_mut().filter(|group| **group == dropped).for_each(|group| *group = kept);
        }
        let mut firsts = groups.clone();
        firsts.sort_unstable();
        firsts.dedup();
        groups.iter().map(|group| firsts.partition_point(|first| first < group)).collect()
    }

    /// The pairings that have results, each with the lower engine first.
    pub fn played(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.engines)
            .flat_map(move |b| (0..b).map(move |a| (a, b)))
            .filter(|&(a, b)| self.tally(a, b).observations() > 0)
    }

    fn index(&self, engine: usize, opponent: usize) -> usize {
        let (low, high) = (engine.min(opponent), engine.max(opponent));
        assert!(low < high && high < self.engines, "no pairing of {engine} and {opponent}");
        high * (high - 1) / 2 + low
    }
}
