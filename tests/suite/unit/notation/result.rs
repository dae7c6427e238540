//! Tests of `src/notation/value.rs`.

use pontifex::notation::GameResult;

#[test]
fn texts_round_trip() {
    for text in ["W+5", "R+i1", "W+b2", "0", "W+R", "R+T", "W+F", "R+", "Void"] {
        assert_eq!(text.parse::<GameResult>().unwrap().to_string(), text);
        assert_eq!(text.to_lowercase().parse::<GameResult>().unwrap().to_string(), text);
    }
    for (text, same) in [("B+3", "R+3"), ("b+Resign", "R+R"), (" Draw ", "0"), ("W+Time", "W+T")] {
        assert_eq!(text.parse::<GameResult>().unwrap().to_string(), same);
    }
    for text in ["", "?", "W", "X+1", "W+0", "W+-1", "W+i", "W+5.5", "W+é", "R+99999", "W++1"] {
        assert!(text.parse::<GameResult>().is_err(), "{text}");
    }
}
