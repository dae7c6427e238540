//! Text that arrives from other programs: encodings, byte-order marks, and SGF that is damaged at
//! its end or surrounded by other text.

use std::fs;
use std::time::{Duration, Instant};

use pontifex::notation::{DefaultRules, FORMATS, Record, RecordError, Tag, Text, Warning};

use crate::client::{Client, run, test_folder};

/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

const BOARDSPACE: &str = include_str!("../../../../../tests/suite/data/records/boardspace.sgf");
const ABSTRACT_PLAY: &str =
    include_str!("../../../../../tests/suite/data/records/abstract-play-8x8.json");

fn read(bytes: &[u8]) -> (Record, Vec<Warning>) {
    Record::read(Text::decode(bytes), &DefaultRules::default()).unwrap()
}

/// The players' names and the warnings, one a line.
fn names(bytes: &[u8]) -> String {
    let (record, warnings) = read(bytes);
    let name = |tag| record.tag(tag).unwrap_or_default().to_owned();
    let mut lines = vec![format!("{}, {}", name(Tag::White), name(Tag::Red))];
    lines.extend(warnings.iter().map(Warning::to_string));
    lines.join("\n")
}

fn moves(text: &str) -> (usize, Vec<String>) {
    let (record, warnings) = Record::read(text, &DefaultRules::default()).unwrap();
    (record.moves.len(), warnings.iter().map(Warning::to_string).collect())
}

fn refusal(text: &str) -> String {
    Record::parse_all(text, &DefaultRules::default()).unwrap_err().to_string()
}

/// A text in UTF-16, with its mark.
fn utf_16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(to_bytes).collect()
}

#[test]
fn a_byte_order_mark_names_the_encoding() {
    let text = "(;GM[PonteDelDiavolo]CA[latin1]PW[Zoë]PB[李雷];W[d4,e6])";
    for bytes in [
        [MARK, text.as_bytes()].concat(),
        utf_16(text, u16::to_le_bytes),
        utf_16(text, u16::to_be_bytes),
    ] {
        assert_eq!(names(&bytes), "Zoë, 李雷");
    }
    for format in FORMATS {
        let record = read(b"(;SZ[6]PW[Anna];W[a1,b1])").0;
        let text = format.write(&[record]);
        let plain = read(text.as_bytes());
        assert_eq!(read(&[MARK, text.as_bytes()].concat()), plain, "{format}");
        assert_eq!(read(&utf_16(&text, u16::to_le_bytes)), plain, "{format}");
    }
}

#[test]
fn sgf_names_its_encoding() {
    for (bytes, expected) in [
        (b"(;FF[4]CA[ISO-8859-1]PW[Andr\xe9]PB[Zo\xeb])".as_slice(), "André, Zoë"),
        (b"(;CA [ windows-1251 ]PW[\xcf\xb8\xf2\xf0])", "Пётр, "),
        (b"(;CA[koi8-r]PW[\xf0\xa3\xd4\xd2])", "Пётр, "),
        (b"(;FF[4]\nCA[Shift_JIS]PB[\x8eR\x93c\x91\xbe\x98Y])", ", 山田太郎"),
        // The second byte of the first letter is that of a bracket.
        (b"(;PB[\x81]\xc0\xd7]CA[GB18030]PW[\xc0\xee\xc0\xd7])", "李雷, 乚雷"),
        // The name does not matter where it is false, unknown, or in another place.
        (b"(;CA[UTF-16]PW[Zo\xc3\xab])", "Zoë, "),
        (b"(;CA[klingon]PW[Zo\xc3\xab])", "Zoë, "),
        (b"(;PW[Zo\xc3\xab]C[ACA[latin1])", "Zoë, "),
    ] {
        assert_eq!(names(bytes), expected);
    }
    // A text from a browser or a clipboard has been decoded.
    let text = Record::parse("(;CA[GB18030]PW[Zoë])").unwrap();
    assert_eq!(text.tag(Tag::White), Some("Zoë"));
}

#[test]
fn invalid_utf_8_is_guessed_or_repaired_with_a_warning() {
    let guessed = "the text is not UTF-8 and names no other encoding: it was read as Windows-1252";
    for bytes in [
        b"(;PW[Andr\xe9 \x80])".as_slice(),
        b"(;CA[UTF-8]PW[Andr\xe9 \x80])",
        b"# white: Andr\xe9 \x80\nd4,e6",
    ] {
        assert_eq!(names(bytes), format!("André €, \n{guessed}"));
    }
    // One damaged byte in a text that is UTF-8.
    let damaged = names(b"(;PW[Zo\xc3\xab]PB[Andr\xc3])");
    let warning = "some characters are not valid UTF-8 and were replaced";
    assert_eq!(damaged, format!("Zoë, Andr\u{fffd}\n{warning}"));
    let picture =
        Record::read(Text::decode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), &DefaultRules::default());
    assert_eq!(picture, Err(RecordError::Binary));
}

#[test]
fn records_of_other_sites_in_their_encodings() {
    let (record, warnings) = read(BOARDSPACE.as_bytes());
    assert!(warnings.is_empty());
    assert_eq!(read(&[MARK, BOARDSPACE.as_bytes()].concat()).0, record);
    assert_eq!(read(&utf_16(BOARDSPACE, u16::to_le_bytes)).0, record);
    let renamed = BOARDSPACE.replace("Bert", "Ren\u{e9}");
    let latin: Vec<u8> = renamed.chars().map(|c| c as u8).collect();
    let (renamed_record, warnings) = read(&latin);
    let moves_of =
        |record: &Record| record.moves.iter().map(|recorded| recorded.mv).collect::<Vec<_>>();
    assert_eq!(moves_of(&renamed_record), moves_of(&record));
    assert_eq!(warnings, [Warning::GuessedEncoding]);
    assert_eq!(renamed_record.tag(Tag::White), Some("guest René"));

    let (record, warnings) = read(ABSTRACT_PLAY.as_bytes());
    assert!(warnings.is_empty());
    assert_eq!(read(&[MARK, ABSTRACT_PLAY.as_bytes()].concat()).0, record);
    assert_eq!(read(&utf_16(ABSTRACT_PLAY, u16::to_be_bytes)).0, record);
}

#[test]
fn the_end_of_sgf_may_be_damaged() {
    let missing = |place| {
        format!("{place}: the '(' here is never closed: the game was read to the end of the text")
    };
    let surplus = "1:27: a ')' too many was skipped".to_owned();
    let game = "(;SZ[6];W[a1,b1];B[a6,b6]";
    assert_eq!(moves(game), (2, vec![missing("1:1")]));
    assert_eq!(moves(&format!("{game}\n(;W[c3,d3]\n(;B[swap]")), (4, vec![missing("1:1")]));
    assert_eq!(moves(&format!("{game}))\n)\n")), (2, vec![surplus]));
    let boardspace = BOARDSPACE.trim_end().strip_suffix(')').unwrap();
    let whole = moves(BOARDSPACE).0;
    assert_eq!(moves(boardspace), (whole, vec![missing("1:1")]));
    assert_eq!(moves(&format!("{BOARDSPACE})")).0, whole);
    // The games of a collection.
    let text = "(;W[a1,b1]))\n(;W[a1,b1])\n(;W[a1,b1]";
    let (records, warnings) = Record::read_all(text, &DefaultRules::default()).unwrap();
    assert_eq!((records.len(), warnings.len()), (3, 2));
}

#[test]
fn sgf_may_be_surrounded_by_text() {
    let skipped = |place: &str, text: &str| {
        vec![format!("{place}: text outside the game was skipped: '{text}'")]
    };
    let game = "(;SZ[6];W[a1,b1];B[a6,b6])";
    let quote = "And/or take our game (see below, for [once]):";
    assert_eq!(
        moves(&format!("{quote}\n{game}")),
        (2, skipped("1:1", &(quote[..40].to_owned() + "…")))
    );
    assert_eq!(moves(&format!("[anna] wrote:\n{game}")), (2, skipped("1:1", "[anna] wrote:")));
    assert_eq!(moves(&format!("{{sic}} {game}")), (2, skipped("1:1", "{sic}")));
    for signature in ["-- ", "Greetings (-;", "; Anna", "(;-) Anna", "B. Diavolo [sent by mail]"] {
        let text = format!("{game}\n{signature}\nAnna\n");
        assert_eq!(moves(&text), (2, skipped("2:1", signature.trim_end())), "{text}");
    }
    let text = format!("First {game} and then {game} and so on");
    let (records, warnings) = Record::read_all(text.as_str(), &DefaultRules::default()).unwrap();
    assert_eq!((records.len(), warnings.len()), (2, 1));
}

#[test]
fn a_tree_that_is_broken_in_the_middle_stays_an_error() {
    let expected = "expected '(' and a game, or the end of the text";
    assert_eq!(refusal("(;FF[4];W[a1,b1]);B[c1,d1])"), format!("1:18: {expected}, found ';'"));
    assert_eq!(refusal("(;FF[4];W[a1,b1]))B[c1,d1])"), format!("1:19: {expected}, found 'B'"));
    assert_eq!(refusal("(;FF[4])(W[a1,b1])"), format!("1:9: {expected}, found '('"));
    // The first game is not closed before the second.
    let unclosed = "1:1: the '(' here is never closed";
    assert_eq!(refusal("(;FF[4];W[a1,b1]\n(;FF[4];W[a1,b1])"), unclosed);
    assert_eq!(refusal("(;FF[4];W[a1,b1"), "1:10: the '[' here is never closed");
    assert_eq!(
        refusal("(;FF[4];W[a1,b1] oops ;B[c1,d1])"),
        "1:23: expected '[' after a property's name, found ';'"
    );
}

#[test]
fn written_records_are_utf_8_and_say_so() {
    let folder = test_folder("texts-written");
    let (input, output) = (folder.join("latin.sgf"), folder.join("out.sgf"));
    fs::write(&input, b"Hello,\n(;CA[latin1]SZ[6]PW[Andr\xe9];W[a1,b1]").unwrap();
    let [input, output] = [&input, &output].map(|path| path.to_str().unwrap());
    let conversion = run(&["convert", input, "--output", output], b"");
    let log = String::from_utf8(conversion.stderr).unwrap();
    assert_eq!(
        log,
        format!(
            "pontifex: {input}: 1:1: text outside the game was skipped: 'Hello,'\n\
             pontifex: {input}: 2:1: the '(' here is never closed: the game was read to the end of the text\n"
        )
    );
    let text = String::from_utf8(fs::read(output).unwrap()).unwrap();
    assert!(conversion.status.success() && text.starts_with("(;FF[4]CA[UTF-8]"), "{text}");
    assert!(text.contains("PW[André]"), "{text}");
    // Every command that reads records prints the same warnings.
    for command in ["analyze", "review"] {
        let reader = run(&[command, input, "--playouts", "1"], b"");
        assert!(reader.status.success(), "{command}: {reader:?}");
        assert!(String::from_utf8(reader.stderr).unwrap().starts_with(&log), "{command}");
    }
}

#[test]
fn loadsgf_logs_its_repairs() {
    let folder = test_folder("texts-loadsgf");
    fs::write(folder.join("game.sgf"), b"(;SZ[6]PW[Andr\xe9];W[a1,b1];B[a6,b6]").unwrap();
    let mut client = Client::start_in(&folder, &["--log", "log.txt"]);
    assert_eq!(client.ask("loadsgf game.sgf"), "=");
    assert_eq!(client.ask("ponte-history"), "= a1,b1 a6,b6");
    assert_eq!(client.ask("quit"), "=");
    client.wait();
    let log = fs::read_to_string(folder.join("log.txt")).unwrap();
    let warnings: Vec<&str> =
        log.lines().filter_map(|line| line.split_once(" ! ")).map(|(_, text)| text).collect();
    assert_eq!(
        warnings,
        [
            "game.sgf: the text is not UTF-8 and names no other encoding: it was read as Windows-1252",
            "game.sgf: 1:1: the '(' here is never closed: the game was read to the end of the text",
        ]
    );
}

#[test]
fn a_long_text_around_a_game_costs_little() {
    let start = Instant::now();
    let game = "(;SZ[6];W[a1,b1])";
    for noise in ["(", ")", "( ;", "(;-", ";", "[", " ", "(;(;-", "A", "(\n", "x)\n"] {
        let noise = noise.repeat(200_000);
        for text in [format!("{noise} {game}"), format!("{game}\n{noise}"), noise] {
            let _ = Record::parse_all(&text, &DefaultRules::default());
            let _ = Record::read(
                Text::decode(&[text.as_bytes(), b"\xff"].concat()),
                &DefaultRules::default(),
            );
        }
    }
    // Warnings do not pile up.
    let many = format!("{game}) and\n").repeat(20_000);
    let (records, warnings) = Record::read_all(many.as_str(), &DefaultRules::default()).unwrap();
    assert_eq!((records.len(), warnings.len()), (20_000, 2));
    // Quadratic work would take minutes.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
