//! Openings: the shipped files, how files are read and made, and the engine's first placements and
//! swaps under the pie rule.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use pontifex::board::Size;
use pontifex::engine::{Answer, Engine, Options, StopSignal};
use pontifex::eval::EvaluatorKind;
use pontifex::game::{Color, Move, Position, Rules, Supply};
use pontifex_tournament::openings::{self, Canonical, FirstMaker, MakeError, SuiteMaker};

use serde_json::{Value, json};

use super::client::{run, test_folder};
use crate::root;

fn rules(board: u64) -> Rules {
    Rules { size: Size::new(board).unwrap(), pie: false, ..Rules::default() }
}

fn shipped_path(name: &str) -> PathBuf {
    root().join("openings").join(name)
}

fn canonical(opening: &[Move], rules: Rules) -> Canonical {
    let mut position = Position::new(rules);
    for &mv in opening {
        position.play(mv).unwrap();
    }
    Canonical::of(&position)
}

/// Reads a shipped file, which checks that the openings are legal. No two may be the same up to
/// symmetry.
fn read_distinct(name: &str, board: u64) -> Vec<Vec<Move>> {
    let path = shipped_path(name);
    assert!(fs::metadata(&path).unwrap().len() < 100_000, "{name}");
    let openings = openings::read(&path, rules(board)).unwrap();
    let forms: HashSet<Canonical> =
        openings.iter().map(|opening| canonical(opening, rules(board))).collect();
    assert_eq!(forms.len(), openings.len(), "{name}: two are the same");
    openings
}

#[test]
fn shipped_suites() {
    for board in [10, 12] {
        let name = format!("{board}x{board}.txt");
        let suite = read_distinct(&name, board);
        assert!(suite.len() >= 500, "{name}: {}", suite.len());
        for opening in &suite {
            assert!((2..=4).contains(&opening.len()), "{name}: {opening:?}");
            assert!(opening.iter().all(|mv| matches!(mv, Move::Tiles(..))), "{name}: {opening:?}");
        }
        // A suite is only for its own board.
        let other = openings::read(&shipped_path(&name), rules(22 - board)).unwrap_err();
        assert!(other.to_string().contains("the openings are for board"), "{other}");
    }
}

/// The files of first placements, and the rules that each is for; the pie rule is off.
fn first_files() -> Vec<(String, Rules)> {
    let standard = (5..=12).map(|board| (format!("first-{board}x{board}.txt"), rules(board)));
    let unlimited = [10, 12].map(|board| {
        let rules = Rules { supply: Supply::Unlimited, ..rules(board) };
        (format!("first-{board}x{board}-unlimited.txt"), rules)
    });
    standard.chain(unlimited).collect()
}

#[test]
fn shipped_first_placements() {
    for (name, rules) in first_files() {
        let placements = read_distinct(&name, rules.size.get().into());
        assert!(placements.len() >= 12, "{name}: {}", placements.len());
        assert!(placements.iter().all(|opening| opening.len() == 1), "{name}");
    }
}

/// The page's explorers: legal moves, no two the same up to symmetry, from enough games.
#[test]
fn shipped_explorers() {
    let mut bytes = 0;
    for (board, supply) in [(10, "standard"), (10, "unlimited"), (12, "standard")] {
        let name = format!("explorer-{board}-{supply}.json");
        let text = fs::read_to_string(root().join("crates/page/explorer").join(name)).unwrap();
        bytes += text.len();
        let explorer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(explorer["rules"], json!({"board": board, "supply": supply, "pie": false}));
        let total = explorer["games"].as_u64().unwrap();
        assert!(total >= 5000, "{total}");
        let check_moves = |turns: &Value, before: &[Move], total: u64| {
            let turns = turns.as_array().cloned().unwrap_or_default();
            let mut forms = HashSet::new();
            let mut games = 0;
            for turn in &turns {
                let mut moves = before.to_vec();
                moves.push(turn["move"].as_str().unwrap().parse().unwrap());
                assert!(forms.insert(canonical(&moves, rules(board))), "{turn}");
                for share in ["white", "value"] {
                    assert!((0.0..=1.0).contains(&turn[share].as_f64().unwrap()), "{turn}");
                }
                games += turn["games"].as_u64().unwrap();
            }
            assert!(games <= total, "{games} of {total}");
            turns
        };
        let firsts = check_moves(&explorer["turns"], &[], total);
        assert!(firsts.len() >= 30, "{}", firsts.len());
        for first in firsts {
            let mv: Move = first["move"].as_str().unwrap().parse().unwrap();
            check_moves(&first["replies"], &[mv], first["games"].as_u64().unwrap());
        }
    }
    assert!(bytes < 400_000, "{bytes}");
}

#[test]
fn canonical_forms_ignore_symmetry_and_order() {
    let first = canonical(&["a1,c2", "d4,e5", "a2,h8"].map(|mv| mv.parse().unwrap()), rules(10));
    for same in
        [["a2,c2", "d4,e5", "a1,h8"], ["b3,a1", "e5,d4", "h8,b1"], ["j1,h2", "f5,g4", "c8,j2"]]
    {
        assert_eq!(canonical(&same.map(|mv| mv.parse().unwrap()), rules(10)), first, "{same:?}");
    }
    for other in [["a1,c2", "d4,e6", "a2,h8"], ["d4,e5", "a1,c2", "f7,f8"]] {
        assert_ne!(canonical(&other.map(|mv| mv.parse().unwrap()), rules(10)), first, "{other:?}");
    }
    // Bridges count, too.
    let bridged = ["a1,c2", "d4,e5", "a1-c2", "i1,i3"].map(|mv| mv.parse().unwrap());
    let mirrored = ["a1,b3", "d4,e5", "a1-b3", "a9,c9"].map(|mv| mv.parse().unwrap());
    assert_eq!(canonical(&bridged, rules(10)), canonical(&mirrored, rules(10)));
}

#[test]
fn files_are_read_with_comments_and_any_line_breaks() {
    let text = "\u{feff}# board: 10\r\n\r\n  D4,E6\tG6,c3 # even\r\n#e5,f7\rc3,d5  f5,f6   c3-d5\n";
    let openings = openings::parse(text, Rules::default()).unwrap();
    let lines: Vec<String> =
        openings.iter().map(|opening| openings::format_opening(opening)).collect();
    assert_eq!(lines, ["d4,e6 c3,g6", "c3,d5 f5,f6 c3-d5"]);
}

#[test]
fn errors_name_file_line_move_and_rule() {
    let cases = [
        (
            "d4,e6\n\nd4,e6 d4,c3\n",
            "line 3: move 2, c3,d4, is illegal: d4 is occupied by a white tile",
        ),
        ("d4,e6 c3,g6 e4\n", "line 1: move 3, 'e4', is not a move"),
        ("1. d4,e6\n", "line 1: move 1, '1.', is not a move"),
        ("# x\nk11,a1\n", "line 2: move 1, a1,k11, is illegal: k11 is not on the 10x10 board"),
        ("d4,e6 swap\n", "line 1: move 2, swap, is illegal: swap is allowed only"),
        ("pass\n", "line 1: move 1, pass, is illegal: pass is not allowed"),
        ("# board: 12\nd4,e6\n", "line 1: the openings are for board 12, the board is 10"),
        ("# board: ten\nd4,e6\n", "line 1: the openings are for board ten, the board is 10"),
        ("", "the text has no opening"),
        ("# none\n\n", "the text has no opening"),
    ];
    let file = test_folder("openings-errors").join("mine.txt");
    for (text, part) in cases {
        let error = openings::parse(text, Rules::default()).unwrap_err().to_string();
        assert!(error.starts_with(part), "{text:?}: {error}");
        fs::write(&file, text).unwrap();
        let error = openings::read(&file, Rules::default()).unwrap_err().to_string();
        assert!(error.contains("mine.txt"), "{text:?}: {error}");
        assert!(error.contains(part.trim_start_matches("the text ")), "{text:?}: {error}");
    }
    // The game is over.
    let none = Rules { supply: Supply::Limited { tiles: 1, bridges: 1 }, ..rules(4) };
    let error = openings::parse("pass pass\n", none).unwrap_err().to_string();
    assert_eq!(error, "line 1: the game is over after the opening");

    fs::write(&file, [0xff, 0xfe]).unwrap();
    for path in [file.as_path(), Path::new("no/such/file.txt")] {
        let error = openings::read(path, Rules::default()).unwrap_err().to_string();
        assert!(error.contains(path.to_str().unwrap()), "{error}");
    }
}

fn maker(seed: u64, threads: usize) -> SuiteMaker {
    SuiteMaker { rules: rules(6), turns: 1..=2, playouts: 20, threshold: 0.1, seed, threads }
}

/// Makes a file. Returns its text.
fn make(maker: &SuiteMaker, path: &Path, count: usize) -> Result<String, MakeError> {
    maker.make(path, count, &mut |_, _| {})?;
    Ok(fs::read_to_string(path).unwrap())
}

#[test]
fn a_suite_depends_only_on_its_settings() {
    let folder = test_folder("openings-made");
    let whole = make(&maker(1, 1), &folder.join("whole"), 20).unwrap();
    let openings = openings::parse(&whole, rules(6)).unwrap();
    assert_eq!(openings.len(), 20);
    assert!(openings.iter().all(|opening| (1..=2).contains(&opening.len())));
    assert_eq!(make(&maker(1, 3), &folder.join("threads"), 20).unwrap(), whole);
    assert_ne!(make(&maker(2, 1), &folder.join("seed"), 20).unwrap(), whole);
    // A suite can be interrupted anywhere and continued, or made short and extended.
    let part = folder.join("part");
    for cut in [0, 1, 40, whole.find("d: 1").unwrap(), whole.len() / 2, whole.len() - 1] {
        fs::write(&part, &whole[..cut]).unwrap();
        assert_eq!(make(&maker(1, 1), &part, 20).unwrap(), whole, "cut at {cut}");
    }
    assert!(whole.starts_with(&make(&maker(1, 2), &folder.join("some"), 7).unwrap()));
    assert_eq!(make(&maker(1, 2), &folder.join("some"), 20).unwrap(), whole);
    // The file has enough openings.
    assert_eq!(make(&maker(1, 1), &part, 5).unwrap(), whole);
}

#[test]
fn a_file_of_other_openings_is_refused_and_kept() {
    let file = test_folder("openings-other").join("suite.txt");
    let whole = make(&maker(1, 1), &file, 5).unwrap();
    let error = make(&maker(2, 1), &file, 9).unwrap_err().to_string();
    assert!(error.contains("line 8 is '# seed: 1', not '# seed: 2'"));
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    let last = whole.trim_end().lines().last().unwrap();
    let edits = [
        last.replace("  #", " a1,a3  #"),
        "a1,b1 # 9999".to_owned(),
        "b5".to_owned(),
        "a1,b1 # 0 0.5".to_owned(),
    ];
    for edited in edits {
        let text = whole.replace(last, &edited);
        fs::write(&file, &text).unwrap();
        let error = make(&maker(1, 1), &file, 9).unwrap_err();
        assert!(matches!(error, MakeError::Mismatch { line: 14, .. }), "{edited}: {error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn a_suite_larger_than_the_number_of_openings_is_an_error() {
    // 120 pairs of cells are 21 under symmetry.
    let file = test_folder("openings-few").join("all.txt");
    let all = SuiteMaker { rules: rules(4), turns: 1..=1, threshold: 0.5, ..maker(1, 1) };
    let error = all.make(&file, 30, &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, MakeError::Exhausted { found: 21, count: 30, .. }), "{error}");
    assert_eq!(openings::read(&file, rules(4)).unwrap().len(), 21);
}

#[test]
fn first_placements_depend_only_on_their_settings() {
    let folder = test_folder("openings-first");
    let (file, part) = (folder.join("first.txt"), folder.join("first.txt.part"));
    let maker = |threads| FirstMaker {
        rules: rules(5),
        count: 5,
        playouts: 64,
        threshold: 0.2,
        seed: 1,
        threads,
    };
    let mut evaluated = Vec::new();
    let mut journal = String::new();
    let placements = maker(1)
        .make(&file, &mut |done, total, stage| {
            evaluated.push((done, total, stage));
            journal = fs::read_to_string(&part).unwrap();
        })
        .unwrap();
    assert!(!placements.is_empty() && placements.len() <= 5, "{placements:?}");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(openings::parse(&text, rules(5)).unwrap().len(), placements.len());
    // 300 pairs of cells are 49 under symmetry.
    let stages = [(49, 49, 1), (40, 40, 2), (20, 20, 3), (10, 10, 4)];
    assert!(stages.iter().all(|end| evaluated.contains(end)), "{evaluated:?}");
    assert!(!part.exists());
    for cut in [0, 10, journal.len() / 3, journal.len() / 2 + 3, journal.len() - 2] {
        fs::write(&part, &journal[..cut]).unwrap();
        maker(2).make(&file, &mut |_, _, _| {}).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "cut at {cut}");
    }
}

#[test]
fn the_command_makes_both_kinds() {
    let folder = test_folder("openings-command");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (suite, first) = (file("suite.txt"), file("first.txt"));
    let ask = |arguments: &[&str]| {
        let output = run(&[&["openings"], arguments].concat(), b"");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let common = ["--board", "5", "--playouts", "64", "--threshold", "0.3"];
    let answer = ask(&[&["suite", &suite, "--count", "4", "--turns", "1"], &common[..]].concat());
    assert_eq!((answer.0, answer.1.starts_with("4 openings of ")), (0, true), "{}", answer.1);
    assert_eq!(openings::read(Path::new(&suite), rules(5)).unwrap().len(), 4);
    let answer = ask(&[&["first", &first, "--count", "2"], &common[..]].concat());
    assert_eq!((answer.0, answer.1.ends_with("2 placements\n")), (0, true), "{}", answer.1);
    // A file of the other kind, and invalid arguments.
    assert_eq!(ask(&["suite", &first, "--board", "5"]).0, 2);
    for turns in ["0", "3..2", "2..", "21", "two"] {
        assert_eq!(ask(&["suite", &suite, "--turns", turns]).0, 2, "{turns}");
    }
    assert_eq!(ask(&["suite", &suite, "--threshold", "0.6"]).0, 2);
    assert_eq!(ask(&["suite", &suite, "--threshold", "NaN"]).0, 2);
    assert_eq!(ask(&["suite", &file("no/such/folder.txt"), "--count", "1"]).0, 1);
    assert_eq!(ask(&[]).0, 2);
}

/// The first move of the engine.
fn first_move(rules: Rules, seed: u64) -> Move {
    let mut options = Options { rules, playouts: 16, ..Options::default() };
    options.search.threads = 1;
    options.search.seed = seed;
    match Engine::new(options).genmove(Color::White, &StopSignal::default()).unwrap() {
        Answer::Move(mv) => mv,
        Answer::Resign => unreachable!("resigning is off by default"),
    }
}

#[test]
fn the_engine_opens_from_the_set() {
    for (name, without_pie) in first_files() {
        let placements = openings::read(&shipped_path(&name), without_pie);
        let set: HashSet<Canonical> =
            placements.unwrap().iter().map(|placement| canonical(placement, without_pie)).collect();
        let with_pie = Rules { pie: true, ..without_pie };
        let first_moves: Vec<Move> = (0..400).map(|seed| first_move(with_pie, seed)).collect();
        assert!(first_moves.iter().all(|&mv| set.contains(&canonical(&[mv], without_pie))));
        // The seed decides. Most placements of the set occur, also rotated or mirrored.
        let forms: HashSet<Canonical> =
            first_moves.iter().map(|&mv| canonical(&[mv], without_pie)).collect();
        assert!(2 * forms.len() > set.len(), "{} of {}", forms.len(), set.len());
        assert!(first_moves.iter().collect::<HashSet<_>>().len() > set.len());
        assert_eq!(first_move(with_pie, 7), first_moves[7]);
    }
    // A board without a set, and a supply without tiles to open with.
    assert!(matches!(first_move(Rules { pie: true, ..rules(4) }, 1), Move::Tiles(..)));
    let supply = Supply::Limited { tiles: 1, bridges: 1 };
    assert_eq!(first_move(Rules { supply, ..Rules::default() }, 1), Move::Pass);
}

/// Uses the rollout evaluator, because the weights of the other one were fitted to games of
/// engines, which never open in a corner.
#[test]
fn the_engine_swaps_for_the_centre_and_not_for_a_corner() {
    for (placement, swaps) in [("d4,d7", true), ("a1,b1", false)] {
        let mut options = Options { playouts: 4000, ..Options::default() };
        options.search.threads = 1;
        options.search.evaluator = EvaluatorKind::Rollout;
        let mut engine = Engine::new(options);
        engine.play(Color::White, placement.parse().unwrap()).unwrap();
        let answer = engine.genmove(Color::Red, &StopSignal::default()).unwrap();
        assert_eq!(answer == Answer::Move(Move::Swap), swaps, "{placement}: {answer:?}");
    }
}
