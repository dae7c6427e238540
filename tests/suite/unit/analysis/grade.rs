//! Tests of `src/analysis/review/turn.rs`.

use pontifex::analysis::review::{Grade, Thresholds};

#[test]
fn losses_have_grades() {
    let thresholds: Thresholds = "0.05, 0.1,0.2".parse().unwrap();
    assert_eq!(thresholds, Thresholds::default());
    let grades = [0.0, 0.049, 0.05, 0.1, 0.199, 0.2, 1.0].map(|loss| thresholds.grade(loss));
    let [slip, mistake, blunder] = Grade::ALL.map(Some);
    assert_eq!(grades, [None, None, slip, mistake, mistake, blunder, blunder]);
    for text in ["", "0.1,0.2", "0,0.1,0.2", "0.2,0.1,0.3", "0.1,0.2,1.1", "a,b,c", "NaN,1,1"] {
        assert!(text.parse::<Thresholds>().is_err(), "{text}");
    }
}
