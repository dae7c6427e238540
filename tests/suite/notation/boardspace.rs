//! Records of Boardspace. The site's own files are not free, so these imitate their form.

use std::fmt::Write;

use pontifex::board::Cell;
use pontifex::game::{Color, Move};
use pontifex::notation::{Record, Tag, sgf};

fn moves(record: &Record) -> String {
    let moves: Vec<String> = record.moves.iter().map(|turn| turn.mv.to_string()).collect();
    moves.join(" ")
}

/// A record with these actions, numbered from 0.
fn game(acts: &[(usize, &str)]) -> String {
    let mut text = "(;GM[PonteDelDiavolo]P0[id \"a\"]P1[id \"b\"]".to_owned();
    for (n, (seat, act)) in acts.iter().enumerate() {
        let _ = write!(text, ";P{seat}[{n} {act}]");
    }
    text + ")"
}

#[test]
fn a_file_with_all_kinds_of_moves() {
    let text = include_str!("../data/records/boardspace.sgf");
    let error = Record::parse(text).unwrap().positions().unwrap_err().to_string();
    assert_eq!(error, "move 9 (c3-e3) is illegal: c3 already carries the bridge c3-c5");
    let record = Record::parse(&text.replace("Bridge_180 E 3", "Bridge_120 E 3")).unwrap();
    assert_eq!(moves(&record), "d4,e6 swap c3,g6 d4-e6 c5,e3 a1,j10 c3-c5 a3,h10 e3-f1");
    let record =
        Record::parse(&text.replace("; P0[33 Bridge Bridge_180 E 3]\n", "; P0[33 Resign]\n"));
    let record = record.unwrap();
    assert_eq!(moves(&record), "d4,e6 swap c3,g6 d4-e6 c5,e3 a1,j10 c3-c5 a3,h10");
    record.positions().unwrap();
    // Bert swapped and has White; Anna resigned with Red.
    assert_eq!(record.result.unwrap().to_string(), "W+R");
    assert_eq!(record.tag(Tag::White), Some("guest Bert"));
    assert_eq!(record.tag(Tag::Red), Some("Anna"));
    assert_eq!(record.tag(Tag::Date), Some("2025-03-16"));
    assert_eq!(record.comment, "Written by hand after the site's form.");
    assert_eq!(record.moves[1].comment, "Bert takes White.");
    assert_eq!(Record::parse(&sgf::write(&record)).unwrap(), record);
}

#[test]
fn early_endings() {
    let opening = [(0, "Tile W D 4"), (0, "Tile W E 6"), (0, "Done"), (1, "Swap"), (1, "Done")];
    let read = |ending: &[(usize, &str)]| {
        let record = Record::parse(&game(&[&opening, ending].concat())).unwrap();
        (moves(&record), record.result.map(|result| result.to_string()))
    };
    // P1 has White after the swap. A turn without Done does not count.
    let begun = [(0, "Pick R"), (0, "Dropb C 3"), (0, "Pick R"), (0, "Dropb G 6")];
    for (acts, result) in [
        (&[(1, "WinOnTime")][..], Some("W+T")),
        (&[(0, "WinOnTime")], Some("R+T")),
        (&[(1, "Edit"), (1, "Start P1"), (1, "WinOnTime")], Some("W+T")),
        (&[(0, "Resign"), (0, "Done")], Some("W+R")),
        (&[(0, "OfferDraw"), (1, "AcceptDraw"), (1, "Done")], Some("0")),
    ] {
        for acts in [acts.to_vec(), [&begun, acts].concat()] {
            let expected = ("d4,e6 swap".to_owned(), result.map(str::to_owned));
            assert_eq!(read(&acts), expected, "{acts:?}");
        }
    }
    let text = game(&[&opening[..], &[(1, "WinOnTime")]].concat());
    let named =
        text.replace("\"a\"]", "\"Anna\"]RE[Game won by Anna]").replace("\"b\"", "\"Carl\"");
    assert_eq!(Record::parse(&named).unwrap().result.unwrap().to_string(), "R+T");
    let declined = [&[(1, "OfferDraw"), (0, "DeclineDraw")], &begun[..], &[(0, "Done")]].concat();
    assert_eq!(read(&declined), ("d4,e6 swap c3,g6".to_owned(), None));
    let taken_back = [&[(0, "Resign"), (0, "Resign")], &begun[..], &[(0, "Done")]].concat();
    assert_eq!(read(&taken_back), ("d4,e6 swap c3,g6".to_owned(), None));
}

#[test]
fn the_winner_is_found_by_name() {
    let result = |sentence: &str| {
        let text = include_str!("../data/records/boardspace.sgf");
        let text = text.replace("Game won by guest Bert", sentence);
        Record::parse(&text).unwrap().result.map(|result| result.to_string())
    };
    assert_eq!(result("Game won by guest Bert").as_deref(), Some("W+"));
    assert_eq!(result("Anna won").as_deref(), Some("R+"));
    assert_eq!(result("Anna and guest Bert agree to a draw"), None);
    assert_eq!(result("?"), None);
}

/// The directions of bridges: number, columns and rows to the other end.
const BRIDGES: [(&str, i8, i8); 8] = [
    ("30", -2, -1),
    ("45", -2, -2),
    ("60", -1, -2),
    ("90", 0, -2),
    ("120", 1, -2),
    ("135", 2, -2),
    ("150", 2, -1),
    ("180", -2, 0),
];

#[test]
fn bridges_in_all_directions() {
    for (number, columns, rows) in BRIDGES {
        let end = Cell::new((4 + columns) as u8, (4 + rows) as u8);
        let tile = format!("Tile White_Chip_Pool {}", spaced(end));
        let (bridge, lifted) = (format!("Bridge Bridge_{number} E 5"), format!("Pick X_{number}"));
        let start = [
            (0, "Tile W E 5"),
            (0, tile.as_str()),
            (0, "Done"),
            (1, "Tile R A 10"),
            (1, "Tile R J 10"),
            (1, "Done"),
        ];
        let built = format!("{}", Move::bridge("e5".parse().unwrap(), end));
        for bridge in [&[(0, bridge.as_str())][..], &[(0, &lifted), (0, "Dropb E 5")]] {
            let text = game(&[&start, bridge, &[(0, "Done")]].concat());
            let record = Record::parse(&text).unwrap();
            assert_eq!(record.moves[2].mv.to_string(), built, "{number}");
            record.positions().unwrap();
        }
    }
}

/// `D 4`.
fn spaced(cell: Cell) -> String {
    format!("{} {}", char::from(b'A' + cell.column()), cell.row() + 1)
}

/// The record in the form of Boardspace, with bridges by mouse or by number.
fn boardspace(record: &Record, by_mouse: bool) -> String {
    let mut acts: Vec<(usize, String)> = vec![(0, "Start P0".to_owned())];
    let mut white = 0;
    for (turn, side) in record.moves.iter().zip(record.sides()) {
        let by = if side == Color::White { white } else { 1 - white };
        let mut act = |text: String| acts.push((by, text));
        let pool = if side == Color::White { "W" } else { "R" };
        match turn.mv {
            Move::Tiles(a, b) => {
                for cell in [a, b] {
                    act(format!("Pick {pool}"));
                    act(format!("Dropb {}", spaced(cell)));
                }
            }
            Move::Bridge(a, b) => {
                // The bridge starts at the higher end, or at the right one.
                let (from, to) =
                    if (a.row(), a.column()) > (b.row(), b.column()) { (a, b) } else { (b, a) };
                if by_mouse {
                    act("Pick X_30".to_owned());
                    act(format!("Dropb {}", spaced(from)));
                    act(format!("BridgeEnd {}", spaced(to)));
                } else {
                    let columns = to.column() as i8 - from.column() as i8;
                    let rows = to.row() as i8 - from.row() as i8;
                    let shape = BRIDGES.iter().find(|&&(_, c, r)| (c, r) == (columns, rows));
                    act(format!("Bridge Bridge_{} {}", shape.unwrap().0, spaced(from)));
                }
            }
            Move::Pass => {}
            Move::Swap => {
                act("Swap".to_owned());
                acts.push((by, "Done".to_owned()));
                white = 1 - white;
                continue;
            }
        }
        acts.push((by, "Done".to_owned()));
    }
    let acts: Vec<(usize, &str)> = acts.iter().map(|(seat, act)| (*seat, act.as_str())).collect();
    game(&acts)
}

#[test]
fn whole_games_are_read() {
    for text in [
        include_str!("../data/records/abstract-play-pied.json"),
        include_str!("../data/records/headed.txt"),
    ] {
        let record = Record::parse(text).unwrap();
        for by_mouse in [false, true] {
            let read = Record::parse(&boardspace(&record, by_mouse)).unwrap();
            assert_eq!(moves(&read), moves(&record));
            assert_eq!(read.result.map(|result| result.to_string()), {
                let end = record.position_after(record.moves.len()).unwrap();
                Some(end.outcome().to_string())
            });
        }
    }
}

#[test]
fn the_omitted_last_pass_of_red_is_added() {
    let line = include_str!("../data/games.jsonl").lines().nth(6).unwrap();
    let game: serde_json::Value = serde_json::from_str(line).unwrap();
    let all: Vec<&str> =
        game["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    let (last, played) = all.split_last().unwrap();
    assert_eq!(*last, "pass");
    let record = Record::parse(&played.join(" ")).unwrap();
    let end = record.position_after(played.len()).unwrap();
    assert_eq!((end.side(), end.is_over()), (Color::Red, false));
    let read = Record::parse(&boardspace(&record, true)).unwrap();
    assert_eq!(moves(&read), all.join(" "));
    assert!(read.result.is_some());
}

#[test]
fn errors_name_the_action() {
    let act = "is not what Boardspace calls a move: Pick, Drop, Pickb, Dropb, Tile, Bridge, BridgeEnd, Swap, Pass, Resign, GameOver, WinOnTime, OfferDraw, AcceptDraw, DeclineDraw, Done or Start";
    let piece = "is not a move with a piece: W, R or X_30, White_Chip_Pool, Red_Chip_Pool or Bridge_30 (or 45, 60, 90, 120, 135, 150, 180)";
    let cell = "is not a move with a cell as in D 5";
    let can = "is not possible";
    let cases: [(&[(usize, &str)], String); 13] = [
        (&[(0, "Jump D 5")], format!("P0[0 Jump D 5] {act}")),
        (&[(0, "")], format!("P0[0] {act}")),
        (&[(0, "Pick B")], format!("P0[0 Pick B] {piece}")),
        (&[(0, "Bridge Bridge_75 C 5")], format!("P0[0 Bridge Bridge_75 C 5] {piece}")),
        (&[(0, "Bridge W C 5")], format!("P0[0 Bridge W C 5] {piece}")),
        (&[(0, "Tile W Z 5")], format!("P0[0 Tile W Z 5] {cell}")),
        (&[(0, "Pick W"), (0, "Dropb D")], format!("P0[1 Dropb D] {cell}")),
        (&[(0, "Dropb D 5")], format!("P0[0 Dropb D 5] {can}: nothing was picked up")),
        (
            &[(0, "Pickb D 5")],
            format!("P0[0 Pickb D 5] {can}: nothing was dropped there in this turn"),
        ),
        (&[(0, "BridgeEnd D 5")], format!("P0[0 BridgeEnd D 5] {can}: no bridge was dropped")),
        (
            &[(0, "Tile W D 5"), (0, "Done")],
            "the turn ends here with neither two tiles nor one bridge".to_owned(),
        ),
        (
            &[(0, "Bridge Bridge_90 D 2"), (0, "Done")],
            "the turn ends here with neither two tiles nor one bridge".to_owned(),
        ),
        (&[(1, "Tile W D 5"), (1, "Tile W E 5"), (1, "Done")], "it is P0's turn".to_owned()),
    ];
    for (acts, message) in cases {
        let error = Record::parse(&game(acts)).unwrap_err().to_string();
        assert_eq!(error.split_once(": ").unwrap().1, message, "{acts:?}");
        assert!(error.starts_with("1:"), "{error}");
    }
    let other = game(&[]).replace("PonteDelDiavolo", "hive");
    let error = Record::parse(&other).unwrap_err().to_string();
    assert_eq!(error, "1:5: GM[hive] is another game, GM[PonteDelDiavolo] is needed");
}

#[test]
fn unfinished_games_are_read() {
    for acts in [&[(0, "Start P0"), (0, "Pick W")][..], &[(0, "Pick W"), (0, "Drop W")]] {
        assert_eq!(moves(&Record::parse(&game(acts)).unwrap()), "");
    }
    let acts = [(0, "Tile W D 5"), (0, "Tile W A 1")];
    assert_eq!(moves(&Record::parse(&game(&acts)).unwrap()), "a1,d5");
    // An incomplete turn is dropped.
    for begun in [&[(1, "Pick R"), (1, "Dropb C 3")][..], &[(1, "Pick X_30"), (1, "Dropb A 1")]] {
        let acts = [&[acts[0], acts[1], (0, "Done")][..], begun].concat();
        assert_eq!(moves(&Record::parse(&game(&acts)).unwrap()), "a1,d5");
    }
}
