//! Tests of scores, `src/game/score.rs`.

use pontifex::game::{Score, compare};

#[test]
fn outcomes_are_displayed() {
    let score = |points, islands, bridges| Score { points, islands, bridges };
    let text = |white, red| compare(white, red).to_string();
    assert_eq!(text(score(6, 3, 2), score(1, 1, 9)), "W+5");
    assert_eq!(text(score(3, 2, 1), score(3, 3, 0)), "R+i1");
    assert_eq!(text(score(0, 0, 2), score(0, 0, 0)), "W+b2");
    assert_eq!(text(score(1, 1, 1), score(1, 1, 1)), "0");
}
