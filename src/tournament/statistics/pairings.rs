//! The results between every two engines of a tournament.

use crate::tournament::statistics::tally::{GameScore, PairTally};

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
    pub(super) fn played(&self) -> impl Iterator<Item = (usize, usize)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_are_mirrored_for_the_opponent() {
        let mut pairings = Pairings::new(3);
        pairings.add_pair(2, 0, GameScore::Win, GameScore::Draw);
        pairings.add_pair(0, 2, GameScore::Win, GameScore::Win);
        assert_eq!(pairings.tally(2, 0).counts(), [1, 0, 0, 1, 0]);
        assert_eq!(pairings.tally(0, 2).counts(), [0, 1, 0, 0, 1]);
        assert_eq!(pairings.total(0).counts(), [0, 1, 0, 0, 1]);
        assert_eq!(pairings.total(1).games(), 0);
        assert_eq!(pairings.tally(1, 1).games(), 0);
    }

    #[test]
    fn groups_follow_chains() {
        let one = PairTally::from_counts([0, 0, 1, 0, 0]);
        let mut pairings = Pairings::new(6);
        assert_eq!(pairings.groups(), [0, 1, 2, 3, 4, 5]);
        pairings.add(4, 5, one);
        pairings.add(1, 3, one);
        assert_eq!(pairings.groups(), [0, 1, 2, 1, 3, 3]);
        pairings.add(3, 5, one);
        assert_eq!(pairings.groups(), [0, 1, 2, 1, 1, 1]);
        assert_eq!(pairings.played().collect::<Vec<_>>(), [(1, 3), (3, 5), (4, 5)]);
        assert!(Pairings::new(0).groups().is_empty());
    }

    #[test]
    #[should_panic(expected = "no pairing of 1 and 1")]
    fn an_engine_cannot_play_itself() {
        Pairings::new(2).add_pair(1, 1, GameScore::Win, GameScore::Win);
    }
}
