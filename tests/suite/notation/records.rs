//! Records round-trip through every format.

use pontifex::game::{Move, Position, Rules, Setup};
use pontifex::notation::{
    DefaultRules, Format, GameResult, Record, RecordedMove, ReplayError, Tag, abstractplay,
    move_list, sgf,
};
use proptest::prelude::*;
use serde::Deserialize;

use super::games::record;

static RECORDS: [&Format; 3] = [&sgf::FORMAT, &abstractplay::FORMAT, &move_list::FORMAT];

/// Rules that no record has, to detect rules missing from the text.
fn other_rules() -> DefaultRules {
    DefaultRules {
        size: pontifex::board::Size::new(11).ok(),
        supply: "7,3".parse().unwrap(),
        pie: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn records_round_trip_through_every_format(record in record()) {
        for format in RECORDS {
            let text = format.write(std::slice::from_ref(&record));
            prop_assert_eq!(Format::detect(&text), Some(format));
            let read = Record::read(&text, &other_rules()).map(|(record, _)| record);
            prop_assert_eq!(read.as_ref(), Ok(&record), "{}", text);
        }
    }

    #[test]
    fn several_records_round_trip_together(records in prop::collection::vec(record(), 1..4)) {
        for format in RECORDS {
            let text = format.write(&records);
            let read = Record::parse_all(&text, &other_rules());
            prop_assert_eq!(read.as_ref(), Ok(&records), "{}", text);
            let first = Record::parse(&text);
            prop_assert_eq!(first.as_ref(), Ok(&records[0]));
        }
    }

    #[test]
    fn all_line_breaks_are_equal(record in record()) {
        for format in [&sgf::FORMAT, &move_list::FORMAT] {
            let text = format.write(std::slice::from_ref(&record));
            for other in ["\r\n", "\r"] {
                let read = Record::parse(&text.replace('\n', other));
                prop_assert_eq!(read.as_ref(), Ok(&record));
            }
        }
    }
}

#[derive(Deserialize)]
struct Game {
    size: u64,
    supply: String,
    moves: Vec<String>,
}

fn vector_games() -> impl Iterator<Item = Record> {
    include_str!("../data/games.jsonl").lines().map(|line| {
        let game: Game = serde_json::from_str(line).unwrap();
        let size = pontifex::board::Size::new(game.size).unwrap();
        let supply = game.supply.parse().unwrap();
        let mut record = Record::new(Setup::empty(Rules { size, supply, pie: true }));
        let moves = game.moves.iter().map(|mv| mv.parse::<Move>().unwrap().into());
        record.moves = moves.collect();
        record
    })
}

#[test]
fn the_vector_games_round_trip_through_every_format() {
    for mut record in vector_games() {
        let end = record.position_after(record.moves.len()).unwrap();
        record.result = Some(GameResult::Played(end.outcome()));
        for format in RECORDS {
            let read = Record::parse(&format.write(std::slice::from_ref(&record))).unwrap();
            assert_eq!(read, record);
            assert_eq!(read.position_after(read.moves.len()), Ok(end));
        }
    }
}

#[test]
fn conversions_in_a_row_lose_nothing() {
    for record in vector_games().take(20) {
        let mut copy = record.clone();
        for format in RECORDS.into_iter().chain(RECORDS) {
            copy = Record::parse(&format.write(&[copy])).unwrap();
        }
        assert_eq!(copy, record);
    }
}

#[test]
fn replay_gives_every_position_or_the_illegal_move() {
    let mut record = Record::parse("d4,e6 swap c3,c4 d5,d6 pass").unwrap();
    let mut position = Position::new(Rules::default());
    let positions = {
        let mut legal = record.clone();
        legal.truncate(4).unwrap();
        legal.positions().unwrap()
    };
    assert_eq!(positions.len(), 5);
    assert_eq!(positions[0], position);
    for (turn, after) in record.moves.iter().zip(&positions[1..]) {
        position.play(turn.mv).unwrap();
        assert_eq!(position, *after);
    }
    assert_eq!(record.position_after(2).as_ref(), Ok(&positions[2]));
    let error = record.positions().unwrap_err();
    assert_eq!(record.position_after(5), Err(error));
    assert_eq!(
        error.to_string(),
        "move 5 (pass) is illegal: \
         pass is not allowed while two tiles can be placed, for example a1,a2"
    );
    let too_far = ReplayError::NoSuchMove { number: 6, moves: 5 };
    assert_eq!(record.position_after(6), Err(too_far));
    assert_eq!(record.truncate(6), Err(too_far));
    assert_eq!(record.moves.len(), 5);
    assert_eq!(too_far.to_string(), "there is no move 6, the record has 5");
}

#[test]
fn a_record_cut_short_loses_its_result() {
    let mut record = Record::parse("# result: W+5\nd4,e6 swap").unwrap();
    record.truncate(2).unwrap();
    assert!(record.result.is_some());
    record.truncate(1).unwrap();
    assert_eq!((record.result, record.moves.len()), (None, 1));
}

#[test]
fn replay_checks_the_start_position() {
    let record = Record::parse("(;SZ[4]AW[a1][b1][c1][d1][a3]BRIDGE[a1-a3][b1-c3])").unwrap();
    assert_eq!(
        record.positions().unwrap_err().to_string(),
        "the start position is illegal: \
         the bridge b1-c3 breaks a rule: c3 has no white tile, and a bridge needs one at both ends"
    );
}

#[test]
fn tags_are_single_lines() {
    let mut record = Record::new(Setup::empty(Rules::default()));
    record.set_tag(Tag::White, "  Anna\r\nMaria ");
    record.set_tag(Tag::Red, " \n");
    assert_eq!(record.tag(Tag::White), Some("Anna  Maria"));
    assert_eq!(record.tag(Tag::Red), None);
}

#[test]
fn dates_keep_the_time_of_day_except_in_sgf() {
    let mut record = Record::new(Setup::empty(Rules::default()));
    record.set_tag(Tag::Date, "2025-03-16T20:15:00Z");
    let date = |format: &Format, record: &Record| {
        let read = Record::parse(&format.write(std::slice::from_ref(record))).unwrap();
        read.tag(Tag::Date).map(str::to_owned)
    };
    assert_eq!(date(&abstractplay::FORMAT, &record).as_deref(), Some("2025-03-16T20:15:00Z"));
    assert_eq!(date(&move_list::FORMAT, &record).as_deref(), Some("2025-03-16T20:15:00Z"));
    assert_eq!(date(&sgf::FORMAT, &record).as_deref(), Some("2025-03-16"));
    let day = Record::parse("(;DT[2025-03-16])").unwrap();
    assert!(
        abstractplay::FORMAT.write(&[day]).contains("\"date-start\": \"2025-03-16T00:00:00.000Z\"")
    );
}

#[test]
fn rules_are_assumed_only_if_the_text_gives_none() {
    let rules = |text: &str| *Record::read(text, &other_rules()).unwrap().0.rules();
    let DefaultRules { size, supply, pie } = other_rules();
    let assumed = Rules { size: size.unwrap(), supply, pie };
    assert_eq!(rules("a1,b1"), assumed);
    assert_eq!(rules("(;W[a1,b1])"), assumed);
    let small = Rules { size: pontifex::board::Size::MIN, ..assumed };
    assert_eq!(rules("4/4/4/4 w - -"), small);
    assert_eq!(rules("# board: 4\na1,b1"), small);
    assert_eq!(rules("(;SZ[4])"), small);
    assert_eq!(rules("# supply: standard\n# pie: on\n# board: 10"), Rules::default());
    assert_eq!(rules("(;SZ[10]SUPPLY[standard]PIE[on])"), Rules::default());
}

#[test]
fn the_cells_of_a_move_list_determine_the_board() {
    let size = |text: &str| Record::parse(text).unwrap().rules().size.get();
    assert_eq!(size("a1,b1 d4-f5"), 10);
    assert_eq!(size("a1,j10"), 10);
    assert_eq!(size("a1,k1"), 12);
    assert_eq!(size("a1,b1 pass c1-d11"), 12);
}

#[test]
fn comments_in_nodes_without_a_move_belong_to_the_last_move() {
    let text = "(;C[one];C[two];W[a1,b1]C[three];;C[four]N[x];B[swap]C[])";
    let record = Record::parse(text).unwrap();
    assert_eq!(record.comment, "one\ntwo");
    let comments: Vec<&str> = record.moves.iter().map(|turn| turn.comment.as_str()).collect();
    assert_eq!(comments, ["three\nfour", ""]);
    assert_eq!(record.moves[1], RecordedMove::from(Move::Swap));
}

#[test]
fn sgf_in_a_comment_does_not_change_the_format() {
    for text in ["# (;W[a1,b1])", "---\n# (;W[a1,b1])", "1. a1,b1 # (;W[a1,b1])"] {
        assert_eq!(Format::detect(text), Some(&move_list::FORMAT), "{text}");
    }
    assert_eq!(Format::detect("To: you # 1\n(;W[a1,b1])"), Some(&sgf::FORMAT));
}
