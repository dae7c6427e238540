//! Tests of values, `src/game/score.rs`.

use pontifex::game::{Score, Value, compare};

#[test]
fn values_are_ordered_like_results() {
    let score = |points, islands, bridges| Score { points, islands, bridges };
    let level = score(3, 2, 1);
    let results = [
        (score(1, 1, 9), "R+2"),
        (score(2, 2, 0), "R+1"),
        (score(3, 1, 5), "R+i"),
        (score(3, 2, 0), "R+b"),
        (level, "0"),
        (score(3, 2, 4), "W+b"),
        (score(3, 3, 0), "W+i"),
        (score(4, 1, 0), "W+1"),
    ];
    let values = results.map(|(white, _)| Value::from(compare(white, level)));
    assert!(values.is_sorted());
    for ((white, text), value) in results.into_iter().zip(values) {
        assert_eq!(value.to_string(), text);
        assert_eq!(Value::from(compare(level, white)), -value);
        assert_eq!(text.parse(), Ok(value));
    }
    for text in ["", "W", "W+", "W+0", "B+1", "W+-1", "W+99999", "+1", "1"] {
        assert!(text.parse::<Value>().is_err(), "{text}");
    }
}
