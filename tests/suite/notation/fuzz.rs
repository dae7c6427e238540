//! Damaged texts never cause a panic.

use pontifex::notation::{
    DefaultRules, FORMATS, Record, Text, Warning, abstractplay, move_list, sgf,
};
use pontifex::render;
use proptest::prelude::*;

use super::games::record;
use pontifex_testing::damage;
use pontifex_testing::random_games::Gambler;

const FILES: [&str; 10] = [
    include_str!("../data/records/variations.sgf"),
    include_str!("../data/records/legacy.sgf"),
    include_str!("../data/records/setup.sgf"),
    include_str!("../data/records/illegal.sgf"),
    include_str!("../data/records/abstract-play-pied.json"),
    include_str!("../data/records/abstract-play-8x8.json"),
    include_str!("../data/records/abstract-play-two.json"),
    include_str!("../data/records/headed.txt"),
    include_str!("../data/records/several.txt"),
    include_str!("../data/records/positions.pos"),
];

/// Reads the bytes of a file as they are, then as UTF-8. What is wrong, and what was mended, is one
/// short line.
fn digest_file(bytes: &[u8]) {
    let lines = match Record::read_all(Text::decode(bytes), &DefaultRules::default()) {
        Ok((_, warnings)) => warnings.iter().map(Warning::to_string).collect(),
        Err(error) => vec![error.to_string()],
    };
    for line in lines {
        assert!(line.chars().count() <= 300 && !line.contains(char::is_control), "{line:?}");
    }
    digest(&String::from_utf8_lossy(bytes));
}

/// Reads a text, then writes and replays its records.
fn digest(text: &str) {
    let Ok(records) = Record::parse_all(text, &DefaultRules::default()) else { return };
    assert!(!records.is_empty());
    assert_eq!(Record::parse(text).as_ref(), Ok(&records[0]));
    for format in FORMATS {
        format.write(&records);
    }
    for record in &records {
        // What we write needs no mending.
        for format in FORMATS {
            let text = format.write(std::slice::from_ref(record));
            let read = Record::read(text.as_str(), &DefaultRules::default());
            assert!(read.is_ok_and(|(_, warnings)| warnings.is_empty()), "{text}");
        }
        let Ok(end) = record.position_after(record.moves.len()) else { continue };
        assert!(!render::text(&end).is_empty());
        for format in [&sgf::FORMAT, &abstractplay::FORMAT, &move_list::FORMAT] {
            let text = format.write(std::slice::from_ref(record));
            let read = Record::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(read.position_after(read.moves.len()), Ok(end), "{text}");
            assert_eq!(read.result, record.result, "{text}");
        }
    }
}

#[test]
fn damaged_files() {
    let mut random = Gambler::new(7);
    for text in FILES {
        digest(text);
        for _ in 0..150 {
            digest_file(&damage(text.as_bytes(), &mut random));
        }
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let marked = [b"\xff\xfe", wide.as_slice()].concat();
        for _ in 0..20 {
            digest_file(&damage(&marked, &mut random));
        }
    }
}

#[test]
fn truncated_files() {
    for text in FILES {
        for (at, _) in text.char_indices().filter(|(at, _)| *at < 700) {
            if let Err(error) = Record::parse_all(&text[..at], &DefaultRules::default()) {
                assert_eq!(error.to_string().lines().count(), 1, "{error:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn damaged_records(record in record(), seed in any::<u64>()) {
        let mut random = Gambler::new(seed);
        for format in FORMATS {
            let text = format.write(std::slice::from_ref(&record));
            digest_file(&damage(text.as_bytes(), &mut random));
        }
    }

    #[test]
    fn any_text(text in any::<String>()) {
        digest(&text);
        digest(&format!("(;{text})"));
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = "(;C[x]".repeat(100_000);
    assert_eq!(Record::parse(&deep).unwrap().comment.len(), 199_999);
    let closed = deep + &")".repeat(100_000);
    assert_eq!(Record::parse(&closed).unwrap().comment.len(), 199_999);
}
