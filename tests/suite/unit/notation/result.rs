//! Tests of `src/notation/value.rs`.

use pontifex::notation::{DefaultRules, GameResult, Record};

#[test]
fn texts_round_trip() {
    for text in ["W+5", "R+i1", "W+b2", "0", "W+R", "R+T", "W+F", "R+", "Void"] {
        assert_eq!(text.parse::<GameResult>().unwrap().to_string(), text);
        assert_eq!(text.to_lowercase().parse::<GameResult>().unwrap().to_string(), text);
    }
    for text in ["", "?", "X+1", "W+0", "W+-1", "W+i", "W+0.0", "W+-1.5", "W+é", "R+99999", "W++1"]
    {
        assert!(text.parse::<GameResult>().is_err(), "{text}");
    }
}

#[test]
fn what_other_programs_write_is_read() {
    for (text, same) in [
        ("B+3", "R+3"),
        ("b+Resign", "R+R"),
        ("B+Time", "R+T"),
        ("W+Timeout", "W+T"),
        (" Draw ", "0"),
        ("1/2-1/2", "0"),
        ("jigo", "0"),
        // Points have no fractions here: only the winner is clear.
        ("W+1.5", "W+"),
        ("R+4.0", "R+4"),
        ("1-0", "W+"),
        ("Black wins", "R+"),
        ("W", "W+"),
        ("White+5", "W+5"),
        ("W+?", "W+"),
    ] {
        assert_eq!(text.parse::<GameResult>().unwrap().to_string(), same, "{text}");
    }
}

#[test]
fn the_board_decides_the_result_of_a_finished_game() {
    // White builds the only bridge; both pass, with nothing else to score.
    let game = |result: &str| {
        let start = "SZ[4]SUPPLY[2,1]PIE[off]AW[a1][c1]AB[a4][d4]PL[W]";
        let text = format!("(;GM[PonteDelDiavolo]{start}RE[{result}];W[a1-c1];B[pass])");
        let (record, warnings) = Record::read(text.as_str(), &DefaultRules::default()).unwrap();
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        (record.result.map(|result| result.to_string()), warnings.join("; "))
    };
    let ended = Some("W+b1".to_owned());
    let refuted = "the record says R+9, but the game ended W+b1: that is taken".to_owned();
    assert_eq!(game("B+9"), (ended.clone(), refuted));
    for same in ["W+b1", "W+", "1-0"] {
        assert_eq!(game(same), (ended.clone(), String::new()), "{same}");
    }
    // Games may end in other ways, too, and a record need not say how.
    assert_eq!(game("B+T"), (Some("R+T".to_owned()), String::new()));
    assert_eq!(game("?"), (None, String::new()));
    let (left_out, warning) = game("W+x");
    assert_eq!(left_out, None);
    assert!(warning.starts_with("'W+x' is no known result and was left out"), "{warning}");
}
