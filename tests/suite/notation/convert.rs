//! `convert` over files.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use pontifex::cli::convert::{Convert, ConvertError};
use pontifex::notation::{Assumed, Format, Record};

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    convert: Convert,
}

const RECORDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/data/records");

/// An empty directory of the test's own.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("convert").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn convert(args: &[&str]) -> Result<(), ConvertError> {
    let args = ["convert"].into_iter().chain(args.iter().copied());
    Program::try_parse_from(args).unwrap().convert.run()
}

fn file(name: &str) -> String {
    format!("{RECORDS}/{name}")
}

fn read(path: &str) -> Vec<Record> {
    Record::parse_all(&fs::read_to_string(path).unwrap(), &Assumed::default()).unwrap()
}

/// The exit code and the message.
fn refusal(args: &[&str]) -> (u8, String) {
    let error = convert(args).unwrap_err();
    (error.exit_code(), error.to_string().replace(RECORDS, "."))
}

#[test]
fn by_the_ending_of_the_output() {
    let directory = scratch("ending");
    for format in Format::ALL {
        let out = directory.join("out").with_extension(format.extension());
        let out = out.to_str().unwrap();
        convert(&[&file("variations.sgf"), "-o", out]).unwrap();
        let text = fs::read_to_string(out).unwrap();
        assert_eq!(Format::detect(&text), Some(format));
        if format != Format::Position {
            assert_eq!(read(out), read(&file("variations.sgf")));
        }
    }
}

#[test]
fn a_position_at_a_move() {
    let out = scratch("at").join("out");
    let out = out.to_str().unwrap();
    let text = |args: &[&str]| {
        convert(&[args, &["--to", "position", "-o", out]].concat()).unwrap();
        fs::read_to_string(out).unwrap()
    };
    let game = file("abstract-play-pied.json");
    assert_eq!(text(&[&game, "--at", "0"]), "10/10/10/10/10/10/10/10/10/10 w - -\n");
    assert_eq!(text(&[&game, "--at", "1"]), "6w3/10/10/10/10/10/3w6/10/10/10 r - pie\n");
    assert_eq!(text(&[&game, "--at", "2"]), "6w3/10/10/10/10/10/3w6/10/10/10 r - -\n");
    assert!(text(&[&game]).ends_with(" over\n"));
    convert(&[&game, "--at", "2", "--to", "moves", "-o", out]).unwrap();
    let [cut] = read(out).try_into().unwrap();
    assert_eq!((cut.moves.len(), cut.result), (2, None));
}

#[test]
fn several_inputs_become_one_text_or_a_file_each() {
    let directory = scratch("several");
    let inputs = [file("variations.sgf"), file("abstract-play-two.json"), file("headed.txt")];
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let all: Vec<Record> = inputs.iter().flat_map(|input| read(input)).collect();
    for to in ["sgf", "json", "moves"] {
        let out = directory.join("all");
        let out = out.to_str().unwrap();
        convert(&[inputs.as_slice(), &["--to", to, "-o", out]].concat()).unwrap();
        assert_eq!(read(out), all.iter().map(|record| day_only(record, to)).collect::<Vec<_>>());
    }
    let games = format!("{}/games/", directory.display());
    convert(&[inputs.as_slice(), &["--to", "json", "-o", &games]].concat()).unwrap();
    let mut names: Vec<String> = fs::read_dir(&games)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["abstract-play-two.json", "headed.json", "variations.json"]);
    assert_eq!(read(&format!("{games}abstract-play-two.json")), all[1..3]);
}

/// SGF keeps of a date the day alone.
fn day_only(record: &Record, to: &str) -> Record {
    let mut record = record.clone();
    let tag = pontifex::notation::Tag::Date;
    if let (Some(date), "sgf") = (record.tag(tag).map(str::to_owned), to) {
        record.set_tag(tag, &date[..10]);
    }
    record
}

#[test]
fn options_stand_in_for_what_the_input_does_not_say() {
    let directory = scratch("options");
    let list = directory.join("list.txt");
    fs::write(&list, "a1,b1 c1,d1").unwrap();
    let out = directory.join("out.txt");
    let [list, out] = [&list, &out].map(|path| path.to_str().unwrap());
    convert(&[list, "--board", "5", "--supply", "9,2", "--pie", "off", "-o", out]).unwrap();
    let text = fs::read_to_string(out).unwrap();
    assert_eq!(text, "# board: 5\n# supply: 9,2\n# pie: off\na1,b1\nc1,d1\n");
}

#[test]
fn refusals_name_the_file_and_leave_the_output_alone() {
    let directory = scratch("refusals");
    let out = directory.join("out.sgf");
    fs::write(&out, "as it was").unwrap();
    let bytes = directory.join("bytes.sgf");
    fs::write(&bytes, b"(;C[\xff])").unwrap();
    let broken = directory.join("broken.sgf");
    fs::write(&broken, "(;W[a1,b1]").unwrap();
    let [out, bytes, broken] = [&out, &bytes, &broken].map(|path| path.to_str().unwrap());
    let good = file("setup.sgf");

    let (code, message) = refusal(&[&good, "no-such-file.sgf", "-o", out]);
    assert_eq!(code, 2);
    assert!(message.starts_with("cannot read no-such-file.sgf: "), "{message}");
    let (code, message) = refusal(&[&good, bytes, "-o", out]);
    assert_eq!(
        (code, message),
        (2, format!("{bytes} is not text in UTF-8: byte 5 is not of a character"))
    );
    let (code, message) = refusal(&[broken, &good, "-o", out]);
    assert_eq!((code, message), (2, format!("{broken}: 1:1: nothing closes the '(' here")));
    assert_eq!(
        refusal(&[&file("illegal.sgf"), "-o", out]),
        (2, "./illegal.sgf: game 1: move 1 (a6-b4) is not legal: b4 has no red tile".to_owned())
    );
    assert_eq!(
        refusal(&[&good, "--at", "2", "-o", out]),
        (2, "./setup.sgf: game 1: there is no move 2, the record has 1".to_owned())
    );
    assert_eq!(fs::read_to_string(out).unwrap(), "as it was");

    let directory = directory.to_str().unwrap();
    let (code, message) = refusal(&[&good, &good, "-o", directory]);
    assert_eq!(code, 2);
    assert!(message.starts_with("two inputs would become "), "{message}");
    let (code, message) = refusal(&[&good, "-o", "no-such-directory/out.sgf"]);
    assert_eq!(code, 1);
    assert!(message.starts_with("cannot write no-such-directory/out.sgf: "), "{message}");
}

#[test]
fn wrong_arguments_are_usage_errors() {
    for args in
        [["--to", "pgn"], ["--board", "13"], ["--board", "x"], ["--supply", "1"], ["--at", "-1"]]
    {
        let args = ["convert"].into_iter().chain(args);
        assert_eq!(Program::try_parse_from(args).err().unwrap().exit_code(), 2);
    }
}
