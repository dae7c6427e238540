//! Tests of `src/notation/sgf/write.rs`.

use pontifex::game::Move;
use pontifex::notation::sgf::{Note, write, write_annotated};
use pontifex::notation::{Record, RecordedMove, VariationMove};

#[test]
fn notes_do_not_change_the_record() {
    let mut record = Record::parse("# board: 8\nd4,e6 swap a1,a2 h8,g8").unwrap();
    record.moves[1].comment = "mine".to_owned();
    let line = |text: &str| -> Vec<RecordedMove> {
        text.split(' ').map(|mv| RecordedMove::from(mv.parse::<Move>().unwrap())).collect()
    };
    let start = Note { properties: vec![("SBKV", "50.0".to_owned())], ..Note::default() };
    let swap = Note {
        comment: "theirs ]".to_owned(),
        properties: vec![("SBKV", "40.0".to_owned())],
        variations: vec![line("a1,b1 c1,d1"), line("swap h1,h2 h3,h4")],
    };
    let last = Note { variations: vec![line("b1,c1")], ..Note::default() };
    let none = Note::default();
    let text = write_annotated(&record, &start, &[none.clone(), swap, none, last]);
    assert_eq!(
        text.split_once("\nSBKV").unwrap().1,
        "[50.0]\n;W[d4,e6]\n(;B[swap]C[mine\ntheirs \\]]SBKV[40.0];B[a1,a2]\n(;W[g8,h8])\n\
         (;W[b1,c1]))\n(;B[a1,b1];W[c1,d1])\n(;B[swap];B[h1,h2];W[h3,h4]))\n"
    );
    let mut read = Record::parse(&text).unwrap();
    assert_eq!(read.moves[1].comment, "mine\ntheirs ]");
    read.moves[1].comment = "mine".to_owned();
    assert_eq!(read.variations.len(), 6);
    read.variations.clear();
    assert_eq!(read, record);
}

#[test]
fn variations_round_trip() {
    let mut record = Record::parse("# board: 8\nd4,e6 swap a1,a2").unwrap();
    let mut aside = |after, text: &str, comment: &str| {
        let turn = RecordedMove { mv: text.parse().unwrap(), comment: comment.to_owned() };
        record.variations.push(VariationMove { parent: after, recorded: turn });
    };
    // In the order of the text: after the last move, instead of the third, two within that
    // variation, and instead of the first.
    aside(3, "h1,h2", "on ]");
    aside(1, "a1,b1", "");
    aside(5, "c1,d1", "");
    aside(5, "swap", "no");
    aside(0, "a8,b8", "");
    let text = write(&record);
    let lines = "(;W[d4,e6]\n(;B[swap];B[a1,a2]\n(;)\n(;W[h1,h2]C[on \\]]))\n\
        (;B[a1,b1]\n(;W[c1,d1])\n(;W[swap]C[no])))\n(;W[a8,b8]))\n";
    assert!(text.ends_with(lines), "{text}");
    assert_eq!(Record::parse(&text).unwrap(), record);
    record.moves.clear();
    record.variations.truncate(1);
    record.variations[0].parent = 0;
    assert_eq!(Record::parse(&write(&record)).unwrap(), record);
}
