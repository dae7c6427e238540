//! `convert --svg` and `--png`.

use std::fs;

use roxmltree::Document;

use super::{dimensions, elements, texts};
use crate::client::{run, test_folder};

const GAME: &str = "# white: Anna\nd4,e6 c3,g6 d4-e6";

#[test]
fn a_position_of_a_game_is_drawn() {
    let output = run(&["convert", "--svg", "-"], GAME.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let svg = Document::parse(&text).unwrap();
    assert_eq!(texts(&svg, "title"), ["Anna \u{2013} Red, after move 3"]);
    assert_eq!((elements(&svg, "bridge").len(), elements(&svg, "last").len()), (1, 1));
    let output = run(&["convert", "--svg", "-", "--at", "1"], GAME.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    let svg = Document::parse(&text).unwrap();
    assert_eq!((elements(&svg, "cell").len(), elements(&svg, "last white").len()), (2, 2));
}

#[test]
fn svg_and_png_are_written_to_files() {
    let folder = test_folder("convert-pictures");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (svg, png) = (path("board.svg"), path("board.png"));
    let args = ["convert", "--svg", &svg, "--png", &png, "--width", "300", "--closed"];
    let output = run(&args, b"rr3r/5r/2rww1/3w2/6/wwww2 r d1-d3 last");
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let text = fs::read_to_string(svg).unwrap();
    let svg = Document::parse(&text).unwrap();
    assert!(!elements(&svg, "only").is_empty());
    assert_eq!(dimensions(&fs::read(png).unwrap()).0, 300);
    let output = run(&["convert", "--png", "-"], GAME.as_bytes());
    assert_eq!(dimensions(&output.stdout).0, 2 * (480 + 60));
}

#[test]
fn wrong_usage_is_refused() {
    let refusal = |args: &[&str], input: &str| {
        let output = run(&[&["convert"], args].concat(), input.as_bytes());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.stdout.is_empty() && error.lines().count() == 1, "{args:?}: {error}");
        (output.status.code().unwrap(), error.trim_end().to_owned())
    };
    let two = "a picture is of one game, the input has 2: --game N takes one of them";
    assert_eq!(refusal(&["--svg", "-"], "a1,b1\n---\na1,c1"), (2, format!("pontifex: {two}")));
    let (code, error) = refusal(&["--svg", "-", "--at", "4"], GAME);
    assert_eq!((code, error.ends_with("there is no move 4, the record has 3")), (2, true));
    let (code, error) = refusal(&["--svg", "-", "--png", "-"], GAME);
    assert_eq!((code, error.contains("both be written to standard output")), (2, true), "{error}");
    for args in [
        &["--svg", "-", "--to", "sgf"][..],
        &["--png", "-", "-o", "x"],
        &["--width", "300"],
        &["--closed"],
        &["--png", "-", "--width", "63"],
    ] {
        assert_eq!(refusal(args, GAME).0, 2, "{args:?}");
    }
    let (code, error) = refusal(&["--svg", "no/such/folder/out.svg"], GAME);
    assert_eq!((code, error.contains("cannot write no/such/folder/out.svg")), (1, true), "{error}");
}
