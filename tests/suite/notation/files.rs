//! Files in the forms that sites, editors and people write.

use pontifex::game::{Color, Move, Supply};
use pontifex::notation::{DefaultRules, Format, Record, Tag, abstractplay, position, sgf};

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../data/records/", $name))
    };
}

fn all(text: &str) -> Vec<Record> {
    Record::parse_all(text, &DefaultRules::default()).unwrap()
}

fn moves(record: &Record) -> Vec<String> {
    record.moves.iter().map(|turn| turn.mv.to_string()).collect()
}

fn tags(record: &Record) -> String {
    let tag = |tag| record.tag(tag).unwrap_or("-");
    Tag::ALL.map(tag).join(" | ")
}

/// The result according to the record, and according to the rules.
fn results(record: &Record) -> (String, String) {
    let end = record.position_after(record.moves.len()).unwrap();
    assert!(end.is_over());
    (record.result.unwrap().to_string(), end.outcome().to_string())
}

#[test]
fn sgf_with_nested_variations() {
    let text = file!("variations.sgf");
    assert!(text.contains("\r\n") && Format::detect(text) == Some(&sgf::FORMAT));
    let [record] = all(text).try_into().unwrap();
    assert_eq!(record.rules().size.get(), 8);
    assert_eq!(record.rules().supply, Supply::Unlimited);
    assert_eq!(tags(&record), "Anna | Bert ] \\ Co. | Club evening | 2 | Bologna | 2024-11-03");
    assert_eq!(
        record.comment,
        "Two lines\nand a very long line that the editor has broken. \
         A colon: and an escaped one: here."
    );
    assert_eq!(record.moves.len(), 22);
    assert_eq!(moves(&record)[..5].join(" "), "g2,h7 c6,c7 d3,d4 f4,f5 g8,h8");
    let comments: Vec<&str> = record.moves.iter().map(|turn| turn.comment.as_str()).collect();
    assert_eq!(comments[0], "Both in the middle.");
    assert_eq!(comments[2], "The game.");
    assert_eq!(comments[21], "Red wins by an island: [5 points each].");
    assert!(comments[3..21].iter().all(|comment| comment.is_empty()));
    let variations: Vec<String> = record
        .variations
        .iter()
        .map(|variation| format!("{} {}", variation.parent, variation.recorded.mv))
        .collect();
    let expected = "5 pass, 23 pass, 24 a1,b1, 24 c1,d1, 3 g8,h8, 2 a1,a2, 28 swap";
    assert_eq!(variations.join(", "), expected);
    assert_eq!(record.variations[3].recorded.comment, "never ] to be (;seen)");
    assert_eq!(results(&record), ("R+i1".to_owned(), "R+i1".to_owned()));
}

#[test]
fn sgf_with_comments_before_the_first_move_of_a_variation() {
    let text = "(;GM[PonteDelDiavolo];W[a1,b1](;B[c1,d1])(;C[better];C[still];B[e1,f1]C[so]))";
    let record = Record::parse(text).unwrap();
    let [variation] = &record.variations[..] else { panic!("{:?}", record.variations) };
    assert_eq!((variation.parent, variation.recorded.comment.as_str()), (1, "better\nstill\nso"));
}

#[test]
fn old_sgf_after_other_text() {
    let [first, second] = all(file!("legacy.sgf")).try_into().unwrap();
    assert_eq!(tags(&first), "Old\tMaster | - | - | - | - | -");
    assert_eq!(moves(&first).join(" "), "d4,e6 swap c3,c4");
    assert_eq!(first.moves[1].comment, " taken ");
    assert_eq!(moves(&second).join(" "), "a1,l12 a12,l1");
    assert_eq!((second.rules().size.get(), second.result), (12, None));
    assert_eq!(second.moves[1].comment, "no move here");
    assert_eq!(Record::parse(file!("legacy.sgf")).as_ref(), Ok(&first));
}

#[test]
fn sgf_with_a_position_set_up() {
    let record = Record::parse(file!("setup.sgf")).unwrap();
    assert_eq!(record.start.to_string(), "rr3r/5r/2rww1/3w2/6/wwww2 r d1-d3 last");
    assert!(!record.rules().pie);
    let end = record.position_after(1).unwrap();
    assert_eq!((end.is_over(), end.outcome().to_string()), (true, "W+1".to_owned()));
    let puzzle = Record::parse(file!("illegal.sgf")).unwrap();
    assert_eq!(puzzle.start.side, Color::Red);
    assert_eq!(
        puzzle.positions().unwrap_err().to_string(),
        "move 1 (a6-b4) is illegal: b4 has no red tile, and a bridge needs one at both ends"
    );
}

#[test]
fn abstract_play_record_with_the_pie_rule() {
    let text = file!("abstract-play-pied.json");
    assert!(!text.contains("swap") && Format::detect(text) == Some(&abstractplay::FORMAT));
    let record = Record::parse(text).unwrap();
    assert_eq!(moves(&record)[..3].join(" "), "d4,g10 swap d1,e1");
    assert_eq!(record.moves.len(), 41);
    assert_eq!(record.rules().supply, Supply::Unlimited);
    assert_eq!(tags(&record), "Ottavia | wim | - | - | Abstract Play | 2025-04-02T18:31:07.412Z");
    assert_eq!(results(&record), ("W+4".to_owned(), "W+4".to_owned()));
}

#[test]
fn abstract_play_record_with_comments_on_moves() {
    let record = Record::parse(file!("abstract-play-8x8.json")).unwrap();
    assert_eq!(record.rules().size.get(), 8);
    let expected = "AiAi | Žofie \"Zo\" | Small Boards Cup | 3 | Abstract Play | 2025-06-01";
    assert_eq!(tags(&record), expected);
    assert_eq!(record.moves.len(), 22);
    assert_eq!(record.moves[0].comment, "");
    assert_eq!(record.moves[2].comment, "The corner was the better place.");
    assert_eq!(results(&record), ("R+i1".to_owned(), "R+i1".to_owned()));
}

#[test]
fn abstract_play_records_in_an_array() {
    let [resigned, played] = all(file!("abstract-play-two.json")).try_into().unwrap();
    assert_eq!((resigned.rules().size.get(), resigned.moves.len()), (12, 13));
    assert_eq!(resigned.result.unwrap().to_string(), "W+R");
    assert!(resigned.positions().is_ok());
    assert_eq!(results(&played), ("R+b1".to_owned(), "R+b1".to_owned()));
}

/// Games of random moves, played and recorded with the site's library, with the scores that it
/// counted: without translations, in its languages, and as keys of missing translations.
#[test]
fn abstract_play_records_name_the_board_in_many_ways() {
    let records = all(file!("abstract-play-variants.json"));
    let expected = [
        (10, 48, false, "1 1 9 1 1 5", "W+b4"),
        (8, 35, true, "1 1 6 2 2 3", "R+1"),
        (12, 72, false, "5 4 11 3 3 9", "W+2"),
        (10, 57, true, "1 1 10 1 1 9", "W+b1"),
        (8, 34, false, "0 0 4 1 1 4", "R+1"),
        (12, 83, true, "3 2 15 0 0 13", "W+3"),
        (8, 9, true, "0 0 1 0 0 0", "R+T"),
    ];
    assert_eq!(records.len(), expected.len());
    for (record, (board, turns, swap, scores, result)) in records.iter().zip(expected) {
        assert_eq!(record.rules().size.get(), board);
        assert_eq!((record.moves.len(), record.moves[1].mv == Move::Swap), (turns, swap));
        let end = record.position_after(turns).unwrap();
        let [white, red] = Color::BOTH.map(|color| {
            let score = end.score(color);
            format!("{} {} {}", score.points, score.islands, score.bridges)
        });
        assert_eq!(format!("{white} {red}"), scores);
        assert_eq!(record.result.unwrap().to_string(), result);
        assert_eq!(end.is_over(), result != "R+T");
    }
}

#[test]
fn abstract_play_endings() {
    let result = |ending: &str, white: i32, red: i32| {
        let text = format!(
            r#"{{"header":{{"game":{{"name":"ponte del diavolo","variants":["size-8"]}},
            "players":[{{"name":"a","result":{white}}},{{"name":"b","result":{red}}}]}},
            "moves":[["a1,B1 ","c1, d1"],["{ending}"]]}}"#
        );
        let record = Record::parse(&text).unwrap();
        assert_eq!((record.rules().size.get(), record.moves.len()), (8, 2));
        record.result.map(|result| result.to_string())
    };
    assert_eq!(result("resign", 0, 1).as_deref(), Some("R+R"));
    assert_eq!(result("timeout", 1, 0).as_deref(), Some("W+T"));
    assert_eq!(result("draw", 1, 1).as_deref(), Some("0"));
    assert_eq!(result("abandoned", 0, 0).as_deref(), Some("Void"));
}

#[test]
fn move_list_without_headers() {
    let text = file!("bare-12x12.txt");
    let record = Record::parse(text).unwrap();
    assert_eq!((record.rules().size.get(), record.moves.len()), (12, 76));
    // The game was played with unlimited supply: it has more tiles than published.
    let unlimited = DefaultRules { supply: Supply::Unlimited, ..DefaultRules::default() };
    let record = Record::read(text, &unlimited).unwrap().0;
    let end = record.position_after(76).unwrap();
    assert_eq!((end.is_over(), end.outcome().to_string()), (true, "W+b1".to_owned()));
}

#[test]
fn move_list_with_headers() {
    let record = Record::parse(file!("headed.txt")).unwrap();
    let expected = "Anna # 1 | Bert: the second | Club evening | 2 | Bologna | 2024-11-03";
    assert_eq!(tags(&record), expected);
    assert_eq!(
        record.comment,
        "A game with all its headers.\nwhite: well prepared\n\n  red: less so"
    );
    assert_eq!(record.moves.len(), 40);
    assert_eq!(record.moves[5].comment, "the first\nof many");
    assert_eq!(results(&record), ("W+1".to_owned(), "W+1".to_owned()));
}

#[test]
fn several_move_lists_and_positions() {
    let [empty, start, small] = all(file!("several.txt")).try_into().unwrap();
    assert_eq!(
        (empty.moves.len(), empty.comment.as_str()),
        (0, "An empty game, a start, a small board.")
    );
    let end = start.position_after(2).unwrap();
    assert_eq!(end.to_string(), "w1w1/4/4/rr2 w - -");
    assert_eq!((small.rules().size.get(), small.tag(Tag::White)), (4, Some("4x4")));
    let positions = all(file!("positions.pos"));
    let texts: Vec<String> = positions.iter().map(|record| record.start.to_string()).collect();
    assert_eq!(texts[1..], ["w1w1/4/4/rr2 r a4-c4 -", "4/4/4/4 r - last"]);
    assert_eq!(position::FORMAT.write(&positions), texts.join("\n") + "\n");
}
