//! Tests of `src/analysis/review/game_review.rs`.

use pontifex::analysis::review::{RecordedGame, Review, Thresholds, search_positions};
use pontifex::engine::{Options, StopSignal};
use pontifex::game::Color;
use pontifex::notation::Record;

#[test]
fn a_game_without_a_choice_has_no_accuracy() {
    let record = "(;SZ[4]SUPPLY[2,0]PIE[off]AW[a1][a3]AB[d1][d3]PL[W];W[pass];B[pass])";
    let record = Record::parse(record).unwrap();
    let game = RecordedGame::new("a.sgf".to_owned(), 1, record).unwrap();
    let mut plan = game.plan(3);
    let thresholds = Thresholds::default();
    assert_eq!(Review::of(&game, &plan, &thresholds), None);
    let mut options = Options { playouts: 5, ..Options::default() };
    options.search.threads = 2;
    let searches = plan.searches().map(|search| (0, search)).collect();
    search_positions(
        searches,
        &options,
        &StopSignal::default(),
        |_, index, found| -> Result<(), ()> {
            plan.insert(index, found);
            Ok(())
        },
    )
    .unwrap();
    assert!(plan.is_complete() && plan.done() == plan.total());
    let review = Review::of(&game, &plan, &thresholds).unwrap();
    for color in Color::BOTH {
        assert_eq!(review.summary.of_color(color).accuracy, None);
    }
}
