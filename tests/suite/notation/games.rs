//! Random games and records of them.

use pontifex::board::Size;
use pontifex::game::{Color, Move, Outcome, Position, Rules, Setup, Supply, Tiebreak};
use pontifex::notation::{GameResult, Record, RecordedMove, Tag, WonBy};
use proptest::prelude::*;

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(n)) as u32
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// A legal move; bridges and swaps come often.
pub(super) fn random_move(position: &Position, random: &mut Random) -> Move {
    let sites = position.bridge_plies();
    if position.may_swap() && random.one_in(3) {
        Move::Swap
    } else if !sites.is_empty() && (!position.can_place() || random.one_in(3)) {
        let site = sites.nth(random.below(sites.len())).unwrap();
        let [a, b] = site.ends();
        Move::bridge(a, b)
    } else if position.can_place() {
        let pick = |position: &Position, random: &mut Random| {
            let cells = position.tile_plies();
            cells.nth(random.below(cells.len())).unwrap()
        };
        let first = pick(position, random);
        let mut between = *position;
        between.make(pontifex::game::Ply::Tile(first));
        Move::tiles(first, pick(&between, random))
    } else {
        Move::Pass
    }
}

/// A game from `position` to its end, or to `turns` turns.
pub(super) fn play(mut position: Position, turns: usize, random: &mut Random) -> Vec<Move> {
    let mut moves = Vec::new();
    while !position.is_over() && moves.len() < turns {
        let mv = random_move(&position, random);
        position.play(mv).unwrap();
        moves.push(mv);
    }
    moves
}

pub(super) fn rules() -> impl Strategy<Value = Rules> {
    let supply = prop_oneof![
        3 => Just(Supply::Standard),
        1 => Just(Supply::Unlimited),
        1 => (0..30u16, 0..9u16).prop_map(|(tiles, bridges)| Supply::Limited { tiles, bridges }),
    ];
    (4..=12u64, supply, prop::bool::weighted(0.8)).prop_map(|(size, supply, pie)| Rules {
        size: Size::new(size).unwrap(),
        supply,
        pie,
    })
}

/// The start of a game and its moves: from the empty board, or from a
/// position set up that play has reached.
pub(super) fn game() -> impl Strategy<Value = (Setup, Vec<Move>)> {
    (rules(), any::<u64>(), prop_oneof![3 => Just(0), 1 => 1..12usize], 0..80usize).prop_map(
        |(rules, seed, before, turns)| {
            let mut random = Random(seed);
            let mut position = Position::new(rules);
            for mv in play(position, before, &mut random) {
                position.play(mv).unwrap();
            }
            let mut start = Setup::from(&position);
            start.bridges.sort_unstable();
            (start, play(position, turns, &mut random))
        },
    )
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => r"[\]\[\\:;()#\n \-a-c1]{0,20}",
        1 => any::<String>().prop_map(|text| text.replace('\r', "\n")),
    ]
}

fn result() -> impl Strategy<Value = Option<GameResult>> {
    let winner = prop_oneof![Just(Color::White), Just(Color::Red)];
    let outcome = (winner.clone(), 0..3usize, 1..300u16).prop_map(|(winner, by, margin)| {
        let by = [Tiebreak::Points, Tiebreak::Islands, Tiebreak::Bridges][by];
        GameResult::Played(Outcome::Win { winner, by, margin })
    });
    let won = (winner, 0..4usize).prop_map(|(winner, by)| {
        let by = [WonBy::Resignation, WonBy::Time, WonBy::Forfeit, WonBy::Unstated][by];
        GameResult::Won { winner, by }
    });
    let other = prop_oneof![Just(GameResult::Void), Just(GameResult::Played(Outcome::Draw))];
    prop::option::of(prop_oneof![outcome, won, other])
}

/// A record of a game, with comments and tags in any characters.
pub(super) fn record() -> impl Strategy<Value = Record> {
    let tags = prop::collection::vec(words(), Tag::ALL.len());
    let comments = prop::collection::vec(words(), 6);
    (game(), result(), tags, words(), comments).prop_map(
        |((start, moves), result, tags, comment, comments)| {
            let mut record = Record::new(start);
            record.result = result;
            record.comment = comment;
            for (tag, text) in Tag::ALL.into_iter().zip(&tags) {
                record.set_tag(tag, text);
            }
            let comments = comments.into_iter().cycle();
            record.moves = moves
                .into_iter()
                .zip(comments)
                .map(|(mv, comment)| RecordedMove { mv, comment })
                .collect();
            record
        },
    )
}
