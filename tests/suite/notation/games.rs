//! Random games and records of them.

use pontifex::board::Size;
use pontifex::game::{Color, Move, Outcome, Position, Setup, Step, Tiebreak};
use pontifex::notation::{GameResult, Record, RecordedMove, Tag, WonBy};
use proptest::prelude::*;

use pontifex_testing::random_games::Gambler;

/// Plays a turn, unless the game is over.
fn turn(position: &mut Position, gambler: &mut Gambler) -> Option<Move> {
    let mut step = || {
        let step = gambler.step(position)?;
        position.make(step);
        Some(step)
    };
    Some(match step()? {
        Step::Tile(first) => match step()? {
            Step::Tile(second) => Move::tiles(first, second),
            other => panic!("{other:?} after a first tile"),
        },
        Step::Bridge(site) => {
            let [a, b] = site.ends();
            Move::bridge(a, b)
        }
        Step::Pass => Move::Pass,
        Step::Swap => Move::Swap,
    })
}

/// A start position, empty or reached by play, and the moves of a game from it.
pub(super) fn game() -> impl Strategy<Value = (Setup, Vec<Move>)> {
    (4..=12u64, any::<u64>(), prop_oneof![3 => Just(0), 1 => 1..24u32], 0..80usize).prop_map(
        |(size, seed, before, turns)| {
            let mut gambler = Gambler::new(seed);
            let mut position = Position::new(gambler.rules(Size::new(size).unwrap()));
            let _ = std::iter::from_fn(|| turn(&mut position, &mut gambler))
                .take(before as usize)
                .count();
            let mut start = Setup::from(&position);
            start.bridges.sort_unstable();
            let moves = std::iter::from_fn(|| turn(&mut position, &mut gambler));
            (start, moves.take(turns).collect())
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

/// A record with arbitrary comments and tags.
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
            // If a game was played to its end, the board knows the result.
            let end = record.position_after(record.moves.len()).unwrap();
            let by_score = matches!(
                result,
                Some(GameResult::Played(_) | GameResult::Won { by: WonBy::Unstated, .. })
            );
            if end.is_over() && by_score {
                record.result = Some(GameResult::Played(end.outcome()));
            }
            record
        },
    )
}
