//! `pontifex convert` on records.

use std::fs;

use pontifex::notation::{DefaultRules, FORMATS, Format, Record, Tag, position};

use crate::client::{run, test_folder};

const RECORDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suite/data/records");

/// Runs `convert` and returns its output.
fn convert(args: &[&str]) -> String {
    let output = run(&[&["convert"], args].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn file(name: &str) -> String {
    format!("{RECORDS}/{name}")
}

fn parse(text: &str) -> Vec<Record> {
    Record::parse_all(text, &DefaultRules::default()).unwrap()
}

fn read(path: &str) -> Vec<Record> {
    parse(&fs::read_to_string(path).unwrap())
}

/// Runs a `convert` that fails. Returns the exit code and the message.
fn refusal(args: &[&str]) -> (i32, String) {
    let output = run(&[&["convert"], args].concat(), b"");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.stdout.is_empty() && error.lines().count() == 1, "{args:?}: {error}");
    let error = error.strip_prefix("pontifex: ").unwrap().trim_end();
    (output.status.code().unwrap(), error.replace(RECORDS, "."))
}

#[test]
fn the_extension_of_the_output_selects_the_format() {
    let folder = test_folder("convert-ending");
    for format in FORMATS {
        let out = folder.join("out").with_extension(format.extension);
        let out = out.to_str().unwrap();
        assert_eq!(convert(&[&file("variations.sgf"), "-o", out]), "");
        let text = fs::read_to_string(out).unwrap();
        assert_eq!(Format::detect(&text), Some(format));
        if format != &position::FORMAT {
            let [record] = read(&file("variations.sgf")).try_into().unwrap();
            assert_eq!(parse(&text), [reduce(&record, format.name)]);
        }
    }
}

#[test]
fn standard_input_and_output() {
    for args in [&["convert", "--to", "moves"][..], &["convert", "-", "-o", "-", "--to", "MOVES"]] {
        let output = run(args, b"(;W[D4,e6])");
        let text = "# board: 10\n# supply: standard\n# pie: on\nd4,e6\n";
        assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
    }
    let output = run(&["convert"], b"");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("pontifex: standard input: the text is empty: "), "{error}");
}

#[test]
fn a_position_at_a_move() {
    let game = file("abstract-play-pied.json");
    let position = |args: &[&str]| convert(&[&[&game, "--to", "position"], args].concat());
    assert_eq!(position(&["--at", "0"]), "10/10/10/10/10/10/10/10/10/10 w - -\n");
    let first = "6w3/10/10/10/10/10/3w6/10/10/10 r -";
    assert_eq!(position(&["--at", "1"]), format!("{first} pie\n"));
    assert_eq!(position(&["--at", "2"]), format!("{first} -\n"));
    assert!(position(&[]).ends_with(" over\n"));
    let [shortened] = parse(&convert(&[&game, "--at", "2"])).try_into().unwrap();
    assert_eq!((shortened.moves.len(), shortened.result), (2, None));
}

#[test]
fn several_inputs_become_one_text_or_a_file_each() {
    let folder = test_folder("convert-several");
    let inputs = [file("variations.sgf"), file("abstract-play-two.json"), file("headed.txt")];
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let all: Vec<Record> = inputs.iter().flat_map(|input| read(input)).collect();
    for to in ["sgf", "json", "moves"] {
        let text = convert(&[inputs.as_slice(), &["--to", to]].concat());
        assert_eq!(parse(&text), all.iter().map(|record| reduce(record, to)).collect::<Vec<_>>());
    }
    let games = format!("{}/new/games/", folder.display());
    convert(&[inputs.as_slice(), &["--to", "json", "-o", &games]].concat());
    let files = fs::read_dir(&games).unwrap();
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    assert_eq!(names, ["abstract-play-two.json", "headed.json", "variations.json"]);
    assert_eq!(read(&format!("{games}abstract-play-two.json")), all[1..3]);
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = test_folder("convert-in-place");
    let text = "(;GM[PonteDelDiavolo]XX[lost]SZ[6];W[a1,b1])";
    let game = folder.join("game.sgf");
    fs::write(&game, text).unwrap();
    let (game, path) = (game.to_str().unwrap(), folder.to_str().unwrap());
    for out in [game, path] {
        let output = run(&["convert", game, "-o", out], b"");
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("--output would overwrite "), "{error}");
        assert_eq!(fs::read_to_string(game).unwrap(), text);
    }
    // A different extension makes a different file.
    assert_eq!(convert(&[game, "-o", path, "--to", "moves"]), "");
    assert!(folder.join("game.txt").exists());
}

/// Reduces a record to what a format holds: SGF drops the time of day, the others drop variations.
fn reduce(record: &Record, to: &str) -> Record {
    let mut record = record.clone();
    if to != "sgf" {
        record.variations.clear();
    }
    if let (Some(date), "sgf") = (record.tag(Tag::Date).map(str::to_owned), to) {
        record.set_tag(Tag::Date, &date[..10]);
    }
    record
}

#[test]
fn options_give_the_rules_that_the_input_lacks() {
    let list = test_folder("convert-options").join("list.txt");
    fs::write(&list, "a1,b1 c1,d1").unwrap();
    let list = list.to_str().unwrap();
    let options = ["--board", "5", "--supply", "9,2", "--pie", "off"];
    let text = convert(&[&[list, "--to", "moves"][..], &options].concat());
    assert_eq!(text, "# board: 5\n# supply: 9,2\n# pie: off\na1,b1\nc1,d1\n");
    let bare = file("bare-12x12.txt");
    let end = convert(&[&bare, "--supply", "unlimited", "--to", "position"]);
    assert!(end.ends_with(" over\n"), "{end}");
    assert_eq!(
        refusal(&[&bare, "--board", "10"]),
        (
            2,
            "./bare-12x12.txt: game 1: move 1 (d12,k4) is illegal: d12 is not on the 10x10 board"
                .to_owned()
        )
    );
}

#[test]
fn errors_name_the_file_and_leave_the_output_unchanged() {
    let folder = test_folder("convert-refusals");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (out, bytes, broken) = (path("out.sgf"), path("bytes.sgf"), path("broken.sgf"));
    fs::write(&out, "as it was").unwrap();
    fs::write(&bytes, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    fs::write(&broken, "(;W[a1,b1").unwrap();
    let good = file("setup.sgf");
    let illegal = file("illegal.sgf");
    let (two, one) = (path("two.sgf"), fs::read_to_string(&good).unwrap());
    fs::write(&two, one.repeat(2)).unwrap();
    let cases = [
        (vec!["no.sgf"], "no.sgf: No such file or directory".to_owned()),
        (vec![bytes.as_str()], format!("{bytes}: this is not a text")),
        (vec![&broken], format!("{broken}: 1:4: the '[' here is never closed")),
        (
            vec![&illegal],
            "./illegal.sgf: game 1: move 1 (a6-b4) is illegal: b4 has no red tile, and a bridge needs one at both ends".to_owned(),
        ),
        (
            vec![&good, "--at", "2"],
            "./setup.sgf: game 1: there is no move 2, the record has 1".to_owned(),
        ),
        (
            vec![&two, "--game", "2", "--at", "2"],
            format!("{two}: game 2: there is no move 2, the record has 1"),
        ),
    ];
    for (args, message) in cases {
        let args = [args.as_slice(), &["-o", &out]].concat();
        assert_eq!(refusal(&args), (2, message));
        assert_eq!(fs::read_to_string(&out).unwrap(), "as it was");
    }
    // Readable files are converted even if others cannot be read.
    for unreadable in ["no.sgf", &bytes, &broken] {
        let output = run(&["convert", &good, unreadable, "-o", &out], b"");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(unreadable) && stderr.lines().count() == 1, "{stderr}");
        assert!(fs::read_to_string(&out).unwrap().starts_with("(;FF[4]"));
    }
    let (code, message) = refusal(&[&good, &good, "-o", &path("")]);
    assert!(code == 2 && message.starts_with("two inputs would become "), "{message}");
    let (code, message) = refusal(&[&good, "-o", &path("no/out.sgf")]);
    assert!(code == 1 && message.starts_with("cannot write "), "{message}");
}

#[test]
fn wrong_arguments_are_usage_errors() {
    let cases = [
        (["--to", "pgn"], "'pgn'"),
        (["--board", "13"], "from 4 to 12"),
        (["--supply", "1"], "'1'"),
        (["--at", "-1"], "'-1'"),
        (["--at", "x"], "'x'"),
    ];
    for (args, part) in cases {
        let (code, message) = refusal(&args);
        assert!(code == 2 && message.contains(part), "{message}");
    }
}
