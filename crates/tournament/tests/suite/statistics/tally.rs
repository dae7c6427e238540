//! Tests of `src/statistics/tally.rs`.

use pontifex::game::{Color, Outcome, Tiebreak};
use pontifex_tournament::{GameScore, GameTally, PairTally};

#[test]
fn outcomes_are_scored_for_a_colour() {
    let win = Outcome::Win { winner: Color::Red, by: Tiebreak::Islands, margin: 1 };
    assert_eq!(GameScore::of(win, Color::Red), GameScore::Win);
    assert_eq!(GameScore::of(win, Color::White), GameScore::Loss);
    assert_eq!(GameScore::of(Outcome::Draw, Color::White), GameScore::Draw);
    assert_eq!(GameScore::Win.flipped(), GameScore::Loss);
}

#[test]
fn pairs_have_five_scores() {
    use GameScore::{Draw, Loss, Win};
    let mut tally = PairTally::default();
    for first in [Loss, Draw, Win] {
        for second in [Loss, Draw, Win] {
            tally.add_pair(first, second);
        }
    }
    assert_eq!(tally.counts(), [1, 2, 3, 2, 1]);
    assert_eq!(tally.score(), Some(0.5));
    assert_eq!(tally.flipped(), tally);
    let variance = tally.variance().unwrap();
    assert!((variance - (2.0 * 0.25 + 4.0 * 0.0625) / 9.0).abs() < 1e-15);
}

#[test]
fn single_games_and_sums() {
    let mut tally = GameTally::from_counts([1, 0, 0]);
    tally.add(GameScore::Win);
    tally.add(GameScore::Draw);
    tally += GameTally::from_counts([0, 0, 1]);
    assert_eq!(tally.counts(), [1, 1, 2]);
    assert_eq!((tally.points(), tally.games(), tally.score()), (2.5, 4, Some(0.625)));
}

#[test]
fn empty_tallies_have_no_score() {
    let tally = PairTally::default();
    assert_eq!((tally.score(), tally.variance()), (None, None));
    assert_eq!((tally.games(), tally.points()), (0, 0.0));
    assert!(tally.is_uniform());
}
