//! The opening explorer: how games begin, up to symmetry, how they ended, and how the engine
//! evaluates each beginning. The page shows it beside the board. [`Explorer`] serializes to the
//! page's file.
//!
//! **Symmetry.** Games that begin alike up to a rotation or reflection have the same beginning.
//! Each first move is replaced by the least of its eight images. The reply must be transformed by
//! the same symmetry, or it would answer another move:
//!
//! ```text
//! first move   all 8 images ──> the least: the canonical first move
//! reply        its images under the symmetries that led there ──> the least of them
//! ```
//!
//! Usually one symmetry leads to the canonical first move. If the move is itself symmetric, such as
//! a pair of cells on a diagonal, two or more do. The reply then has several equivalent images, and
//! the least of them stands for all.

use std::collections::BTreeMap;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;

use super::candidate::evaluate;
use pontifex::board::{Cell, Size, Symmetry};
use pontifex::game::{Move, Position, Rules};

/// How games began.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explorer {
    /// The rules of all games counted. The pie rule is off.
    pub rules: Rules,
    /// The number of games counted, including games whose moves are too rare to be listed.
    pub games: usize,
    /// The iterations of each of the two searches for a `value`.
    pub playouts: u64,
    /// White's first moves, the most frequent first.
    #[serde(rename = "turns")]
    pub first_moves: Vec<Beginning>,
}

/// A move that games began with, or a reply to it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Beginning {
    /// The move, which stands for up to eight moves that are equal under symmetry. A reply stands
    /// for those that are equal on the board after the first move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The number of games with this move.
    pub games: usize,
    /// White's mean result in these games, 0 to 1, rounded to three decimals.
    #[serde(rename = "white")]
    pub mean_result: f64,
    /// White's result after the move as the engine's search expects it, 0 to 1, rounded to three
    /// decimals.
    pub value: f64,
    /// Red's replies, the most frequent first; empty below a reply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<Beginning>,
}

/// Counts the beginnings of games and makes an [`Explorer`] of them.
#[derive(Clone, Debug)]
pub struct ExplorerMaker {
    rules: Rules,
    games: usize,
    /// By canonical first move. A sorted map, so that the file is the same on every machine.
    first_moves: BTreeMap<Move, MoveCounts>,
}

/// The counts of one move.
#[derive(Clone, Debug, Default)]
struct MoveCounts {
    games: usize,
    /// The sum of White's results.
    result_sum: f64,
    /// By canonical reply; empty in a reply.
    replies: BTreeMap<Move, MoveCounts>,
}

impl MoveCounts {
    fn add(&mut self, result: f64) {
        self.games += 1;
        self.result_sum += result;
    }
}

/// The size of an explorer. Every listed move and reply costs two searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The largest number of first moves.
    pub first_moves: usize,
    /// The largest number of replies to each first move.
    pub replies: usize,
    /// The smallest number of games of a listed move or reply. The mean result of a few games is
    /// meaningless.
    pub min_games: usize,
}

impl ExplorerMaker {
    /// A maker for games with these rules, which has counted none yet. It turns the pie rule off.
    pub fn new(rules: Rules) -> ExplorerMaker {
        let rules = Rules { pie: false, ..rules };
        ExplorerMaker { rules, games: 0, first_moves: BTreeMap::new() }
    }

    /// Counts a game from the empty board. `result` is White's result: 1, ½ or 0. Ignores a game
    /// that does not begin with two turns of two tiles.
    pub fn add(&mut self, moves: &[Move], result: f64) {
        let &[first @ Move::Tiles(..), reply @ Move::Tiles(..), ..] = moves else { return };
        let image = |mv, symmetry| transform_move(mv, symmetry, self.rules.size);
        let canonical = Symmetry::all().map(|symmetry| image(first, symmetry)).min();
        let Some(canonical) = canonical else { return };
        let fitting = Symmetry::all().filter(|&symmetry| image(first, symmetry) == canonical);
        let Some(reply) = fitting.map(|symmetry| image(reply, symmetry)).min() else { return };
        self.games += 1;
        let counts = self.first_moves.entry(canonical).or_default();
        counts.add(result);
        counts.replies.entry(reply).or_default().add(result);
    }

    /// The number of games counted.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Makes the explorer, with `threads` values computed at a time. Each value is the mean of two
    /// searches of `playouts` iterations, as in the files of openings. `report` is called after
    /// each value, from any thread.
    pub fn make(
        &self,
        extent: Extent,
        playouts: u64,
        threads: usize,
        report: &(dyn Fn() + Sync),
    ) -> Explorer {
        let start = Position::new(self.rules);
        // Moves of legal games are legal. Others are a mistake of the caller, and count as even.
        let value = |moves: &[Move]| {
            let mut position = start;
            let is_legal = moves.iter().all(|&mv| position.play(mv).is_ok());
            let value = if is_legal { evaluate(&position, playouts, 1) } else { 0.5 };
            report();
            value
        };
        let listed = most_frequent(&self.first_moves, extent.first_moves, extent.min_games);
        let reply = |first: Move, (mv, counts): (Move, &MoveCounts)| {
            beginning(mv, counts, value(&[first, mv]), Vec::new())
        };
        let first_move = |(mv, counts): (Move, &MoveCounts)| {
            let replies = most_frequent(&counts.replies, extent.replies, extent.min_games);
            let replies = replies.into_par_iter().map(|counts| reply(mv, counts)).collect();
            beginning(mv, counts, value(&[mv]), replies)
        };
        let make_turns = || listed.into_par_iter().map(first_move).collect();
        // `collect` keeps the order, whichever search ends first. If no pool can be made, rayon's
        // global one does the work.
        let first_moves = match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => pool.install(make_turns),
            Err(_) => make_turns(),
        };
        Explorer { rules: self.rules, games: self.games, playouts, first_moves }
    }

    /// The number of values that [`ExplorerMaker::make`] computes, for a progress display.
    pub fn value_count(&self, extent: Extent) -> usize {
        let replies = |(_, counts): (Move, &MoveCounts)| {
            1 + most_frequent(&counts.replies, extent.replies, extent.min_games).len()
        };
        most_frequent(&self.first_moves, extent.first_moves, extent.min_games)
            .into_iter()
            .map(replies)
            .sum()
    }
}

/// The image of a move of two tiles under a symmetry of the board.
fn transform_move(mv: Move, symmetry: Symmetry, size: Size) -> Move {
    let image = |cell: Cell| symmetry.apply(cell, size);
    match mv {
        Move::Tiles(a, b) => Move::tiles(image(a), image(b)),
        other => other,
    }
}

/// The `most` most frequent moves with at least `least` games. Equally frequent ones keep the order
/// of the map.
fn most_frequent(
    by_move: &BTreeMap<Move, MoveCounts>,
    most: usize,
    least: usize,
) -> Vec<(Move, &MoveCounts)> {
    let mut moves: Vec<(Move, &MoveCounts)> =
        by_move.iter().map(|(&mv, counts)| (mv, counts)).collect();
    moves.retain(|(_, counts)| counts.games >= least);
    moves.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.games));
    moves.truncate(most);
    moves
}

/// The entry of a move, with its numbers rounded.
fn beginning(mv: Move, counts: &MoveCounts, value: f64, replies: Vec<Beginning>) -> Beginning {
    // Three decimals are more than the accuracy of a few hundred games, and keep the file short.
    let round = |share: f64| (share * 1000.0).round() / 1000.0;
    let MoveCounts { games, result_sum, .. } = *counts;
    Beginning {
        mv,
        games,
        mean_result: round(result_sum / games as f64),
        value: round(value),
        replies,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn maker_with(games: &[(&str, f64)]) -> ExplorerMaker {
        let rules = Rules { size: Size::new(6).unwrap(), ..Rules::default() };
        let mut maker = ExplorerMaker::new(rules);
        for (moves, white) in games {
            let moves: Vec<Move> = moves.split(' ').map(|mv| mv.parse().unwrap()).collect();
            maker.add(&moves, *white);
        }
        maker
    }

    const ALL: Extent = Extent { first_moves: 9, replies: 9, min_games: 1 };

    #[test]
    fn beginnings_are_counted_up_to_symmetry() {
        // The second is the first rotated by 180 degrees; the third has another reply.
        let games = [
            ("a1,c2 e5,f6", 1.0),
            ("f6,d5 b2,a1", 0.5),
            ("c2,a1 d4,d5", 0.0),
            ("b2,c3 e5,d2", 1.0),
        ];
        let maker = maker_with(&games);
        let explorer = maker.make(ALL, 10, 1, &|| {});
        assert_eq!((explorer.games, maker.value_count(ALL)), (4, 5));
        let [corner, middle] = &explorer.first_moves[..] else { panic!("{explorer:?}") };
        assert_eq!((corner.games, corner.mean_result, corner.replies.len()), (3, 0.5, 2));
        assert_eq!((corner.replies[0].games, corner.replies[0].mean_result), (2, 0.75));
        assert_eq!((middle.games, middle.mean_result), (1, 1.0));
    }

    #[test]
    fn a_symmetric_first_move_has_each_reply_once() {
        // a1,f6 lies on a diagonal: the replies are each other's reflections.
        let maker = maker_with(&[("a1,f6 b2,c4", 1.0), ("a1,f6 b2,d3", 0.0)]);
        let turns = maker.make(ALL, 10, 1, &|| {}).first_moves;
        assert_eq!(turns[0].replies.len(), 1, "{turns:?}");
        assert!((turns[0].replies[0].mean_result - 0.5).abs() < 1e-9);
    }

    #[test]
    fn rare_moves_and_other_games_are_left_out() {
        let mut maker =
            maker_with(&[("a1,c2 e5,f6", 1.0), ("a1,c2 e5,f6", 1.0), ("b2,d3 e5,f6", 0.0)]);
        maker.add(&["a1,c2".parse().unwrap()], 1.0);
        maker.add(&["a1,c2".parse().unwrap(), Move::Swap], 1.0);
        assert_eq!(maker.games(), 3);
        let explorer = maker.make(Extent { min_games: 2, ..ALL }, 10, 2, &|| {});
        assert_eq!(explorer.first_moves.len(), 1);
        assert!((0.0..=1.0).contains(&explorer.first_moves[0].value));
        let text = serde_json::to_string(&explorer).unwrap();
        assert!(
            text.starts_with(
                r#"{"rules":{"board":6,"supply":"standard","pie":false},"games":3,"playouts":10,"turns":[{"move":"#
            ),
            "{text}"
        );
    }
}
