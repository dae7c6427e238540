//! Error messages: what is wrong with a record, where, and what would be right.

use pontifex::notation::{DefaultRules, Format, Record, abstractplay, sgf};

fn check(cases: &[(&str, &str)]) {
    for (text, message) in cases {
        let error = Record::parse_all(text, &DefaultRules::default()).unwrap_err().to_string();
        assert_eq!(error, *message, "{text}");
        assert!(!error.contains(['\n', '\r']), "{error}");
    }
}

#[test]
fn empty_texts() {
    let message = "the text is empty: an SGF file, an Abstract Play record, a list of moves or a position is needed";
    check(&[("", message), (" \r\n\t", message), ("\u{feff}", message)]);
}

#[test]
fn sgf_trees() {
    check(&[
        ("(", "1:1: no game begins here: '(;' is needed"),
        ("()", "1:1: no game begins here: '(;' is needed"),
        ("(x;W[a1,b1])", "1:1: no game begins here: '(;' is needed"),
        ("(;C[abc)", "1:4: the '[' here is never closed"),
        ("(;C[abc\\])", "1:4: the '[' here is never closed"),
        ("(;W)", "1:4: expected '[' after a property's name, found ')'"),
        ("(;W", "1:4: expected '[' after a property's name, found the end of the text"),
        ("(;FF[4]é)", "1:8: expected ';', '(', ')' or a property, found 'é'"),
        ("(;FF[4]\n\u{1})", "2:1: expected ';', '(', ')' or a property, found '\\u{1}'"),
        ("(;FF[4](W[a1,b1]))", "1:9: expected ';' after '(', found 'W'"),
        ("(;FF[4](;B[c1,d1]);W[a1,b1])", "1:19: expected '(' or ')' after a variation, found ';'"),
        (
            "(;FF[4])(;W[a1])",
            "1:12: W[a1] is not a move: CELL,CELL or CELL-CELL or pass or swap, as in d4,e6",
        ),
    ]);
}

#[test]
fn endless_games() {
    let most = Record::MAX_NODES;
    let at_most = format!("a game has {most} at most");
    let passes = |n: usize, pass: &str| pass.repeat(n);
    let sgf = |n| format!("(;{})", passes(n - 1, ";"));
    let points = |n| format!("(;W[aa]{})", passes(n - 1, ";"));
    let rounds = |n| {
        format!(
            r#"{{"header":{{"game":{{"name":"Ponte del Diavolo"}},"players":[{{"name":"a"}},{{"name":"b"}}]}},"moves":[["a1,a2"{}]]}}"#,
            passes(n - 1, r#"],[null,"pass"],["pass""#)
        )
    };
    let site = |n| {
        let turns = ["P0[1 Pass][1 Done]", "P1[1 Pass][1 Done]"];
        let turns: String = turns.into_iter().cycle().take(n).collect();
        format!("(;{turns})")
    };
    for text in [sgf(most), points(most), passes(most, "pass "), site(most), rounds(most / 2)] {
        let read = Record::parse(&text);
        assert!(read.is_ok(), "{:?}", read.map_err(|error| error.to_string()));
    }
    for (text, what) in [
        (sgf(most + 1), format!("1:{}: this is one node too many: {at_most}", most + 2)),
        (points(most * 10), format!("1:{}: this is one node too many: {at_most}", most + 7)),
        (
            passes(most + 1, "pass "),
            format!("1:{}: this is one move too many: {at_most}", 5 * most + 1),
        ),
        (site(most + 1), format!("1:{}: this is one node too many: {at_most}", 18 * most + 13)),
        (rounds(most), format!("moves[{most}][0] is one move too many: {at_most}")),
    ] {
        assert_eq!(Record::parse(&text).unwrap_err().to_string(), what);
    }
}

#[test]
fn sgf_of_other_games_and_sites() {
    check(&[
        (
            "(;GM[1]FF[4]SZ[19];B[pd];W[dd])",
            "1:5: GM[1] is another game, GM[PonteDelDiavolo] is needed",
        ),
        ("(;SZ[19]GM[Go];B[pd])", "1:11: GM[Go] is another game, GM[PonteDelDiavolo] is needed"),
        ("(;SZ[19];B[pd])", "1:5: SZ[19] is not a board size from 4 to 12"),
    ]);
}

#[test]
fn sgf_values() {
    let move_ = "is not a move: CELL,CELL or CELL-CELL or pass or swap, as in d4,e6";
    check(&[
        ("(;SZ[3])", "1:5: SZ[3] is not a board size from 4 to 12"),
        ("(;SZ[10:12])", "1:5: SZ[10:12] is not a board size from 4 to 12"),
        (
            "(;SUPPLY[lots])",
            "1:9: SUPPLY[lots] is not a supply: standard, unlimited or TILES,BRIDGES, as in 40,15",
        ),
        ("(;PIE[maybe])", "1:6: PIE[maybe] is not on or off"),
        (
            "(;AW[a1][m1])",
            "1:9: AW[m1] is not a cell: a column letter a..l and a row 1..12, as in d4",
        ),
        (
            "(;AB[a1:c3])",
            "1:5: AB[a1:c3] is not a cell: a column letter a..l and a row 1..12, as in d4",
        ),
        ("(;BRIDGE[a1,c1])", "1:9: BRIDGE[a1,c1] is not a bridge: CELL-CELL, as in d4-f5"),
        ("(;PL[x])", "1:5: PL[x] is not a side to move: W or B"),
        ("(;STATE[done])", "1:8: STATE[done] is not a state: pie, last or over"),
        ("(;W[])", &format!("1:4: W[] {move_}")),
        ("(;W[d4 e6])", &format!("1:4: W[d4 e6] {move_}")),
        ("(;C[é\r\nü]\r\n ;W[a1,\r\nb13])", &format!("3:4: W[a1,\\nb13] {move_}")),
        ("(;W[a1,b1];B[swap]W[c1,d1])", "1:19: a node has one move, W is its second"),
        ("(;W[a1,b1];W[c1,d1])", "1:12: it is red's turn: B is needed"),
        ("(;B[a1,b1])", "1:3: it is white's turn: W is needed"),
        ("(;AW[a1]PL[W];B[a1,b1])", "1:15: it is white's turn: W is needed"),
        ("(;W[a1,b1];B[swap];W[c1,d1])", "1:20: it is red's turn: B is needed"),
        (
            "(;W[a1,b1];AW[c1])",
            "1:12: AW sets up the board, which is allowed only before the first move",
        ),
        (
            "(;W[a1,b1];PL[W])",
            "1:12: PL sets up the board, which is allowed only before the first move",
        ),
    ]);
}

#[test]
fn move_lists() {
    let move_ = "is not a move: CELL,CELL or CELL-CELL or pass or swap, as in d4,e6";
    check(&[
        ("hello", &format!("1:1: 'hello' {move_}")),
        ("\u{feff}a1,b1 \u{3000}é1,b1", &format!("1:8: 'é1,b1' {move_}")),
        ("1. a1,b1\n2. swap\r\n3. d4,\te6 # why\n", &format!("3:4: 'd4,' {move_}")),
        ("a1,b1 2 c1,d1", &format!("1:7: '2' {move_}")),
        ("a1,b1\n---\n---\nx", &format!("4:1: 'x' {move_}")),
        ("# board: 13", "1:1: board '13' is not a board size from 4 to 12"),
        (
            "\n  # Supply: 40",
            "2:3: supply '40' is not a supply: standard, unlimited or TILES,BRIDGES, as in 40,15",
        ),
        ("# pie:", "1:1: pie '' is not on or off"),
        ("# start: 4/4/4 w - -", "1:1: start: a board has 4 to 12 rows, not 3"),
        ("# board: 5\n# start: 4/4/4/4 w - -", "2:1: start has a board of 4, but board says 5"),
    ]);
}

#[test]
fn positions() {
    check(&[
        (
            "4/4/4/4 w - -\n\n4/4/4/4 w -",
            "line 3: a position text has four fields, ROWS SIDE BRIDGES STATE, not 3",
        ),
        ("a/b", "line 1: a position text has four fields, ROWS SIDE BRIDGES STATE, not 1"),
    ]);
}

/// A record with additional header fields and with moves.
fn json(header: &str, moves: &str) -> String {
    format!(
        r#"{{"header":{{"game":{{"name":"Ponte del Diavolo"}},"players":[{{"name":"a","result":1}},{{"name":"b","result":0}}]{header}}},"moves":{moves}}}"#
    )
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn abstract_play_records() {
    let move_ = "not a move, as in \"d4,e6\", or null";
    let cases = [
        ("{".to_owned(), "not JSON: the text ends in the middle of an object"),
        ("[]".to_owned(), "the array has no record"),
        ("[1]".to_owned(), "header.game.name is missing: it must be Ponte del Diavolo"),
        ("{}".to_owned(), "header.game.name is missing: it must be Ponte del Diavolo"),
        (
            r#"{"header":{"game":{"name":"Twixt"}}}"#.to_owned(),
            "header.game.name is \"Twixt\", not Ponte del Diavolo",
        ),
        (
            json("", "[]").replace(r#""players""#, r#""people""#),
            "header.players is missing: it must be an array of two players",
        ),
        (
            json("", "[]").replace(r#"{"name":"a","result":1},"#, ""),
            "header.players is an array, not an array of two players",
        ),
        (
            json("", "[]").replace(r#""name":"b""#, r#""name":7"#),
            "header.players[1].name is 7, not a name",
        ),
        (json(r#","event":{}"#, "[]"), "header.event is an object, not a text"),
        (json(r#","pied":"yes""#, "[]"), "header.pied is \"yes\", not true or false"),
        (json(r#","pontifex":[]"#, "[]"), "header.pontifex is an array, not an object"),
        (
            json(r#","pontifex":{"supply":"few"}"#, "[]"),
            "header.pontifex.supply is \"few\", not a supply: standard, unlimited or TILES,BRIDGES, as in 40,15",
        ),
        (
            json(r#","pontifex":{"start":"x"}"#, "[]"),
            "header.pontifex.start: a position text has four fields, ROWS SIDE BRIDGES STATE, not 1",
        ),
        (
            json(r#","pontifex":{"start":"4/4/4/4 w - -"}"#, "[]"),
            "header.pontifex.start is \"4/4/4/4 w - -\", not a position on the board of header.game.variants",
        ),
        (
            json(r#","pie-invoked":true"#, "[]"),
            "header says that the pie rule was invoked, but there is no first move to take over",
        ),
        (json("", "{}"), "moves is an object, not an array of rounds"),
        (
            json("", r#"["a1,b1"]"#),
            "moves[0] is \"a1,b1\", not a round: an array of White's move and Red's",
        ),
        (json("", r#"[["a1,b1","c1;d1"]]"#), "moves[0][1] is \"c1;d1\", "),
        (
            json("", r#"[["a1,b1",{"text":"c1,d1"}]]"#),
            "moves[0][1].move is missing: it must be a move, as in \"d4,e6\", or null",
        ),
        (
            json("", r#"[["a1,b1"],["c1,d1"]]"#),
            "moves[1][0] is in white's place, but it is red's turn",
        ),
        (json("", r#"[[null,"c1,d1"]]"#), "moves[0][1] is in red's place, but it is white's turn"),
        (
            json("", r#"[["a1,b1","c1,d1","e1,f1"]]"#),
            "moves[0][2] has no player: a round has two moves",
        ),
        (
            json("", r#"[["a1,b1","resign"],["c1,d1"]]"#),
            "moves[1][0] comes after the game has ended with 'resign'",
        ),
    ];
    for (text, message) in cases {
        let message =
            if message.ends_with(", ") { format!("{message}{move_}") } else { message.to_owned() };
        check(&[(&text, &message)]);
    }
    let variant = |text: &str| {
        json("", "[]").replace(r#"del Diavolo""#, &format!(r#"del Diavolo","variants":[{text}]"#))
    };
    for (text, wanted) in [
        ("8", "a variant, as in \"12x12 board\""),
        (r#""13x13 board""#, "a board from 4x4 to 12x12"),
        (r#""8x10-Brett""#, "a board from 4x4 to 12x12"),
        (r#""size-""#, "a board from 4x4 to 12x12"),
    ] {
        let message = format!("header.game.variants[0] is {text}, not {wanted}");
        check(&[(&variant(text), &message)]);
    }
    assert!(Record::parse(&"[".repeat(100_000)).unwrap_err().to_string().starts_with("not JSON: "));
}

#[test]
fn formats() {
    assert_eq!(Format::named("SGF"), Ok(&sgf::FORMAT));
    assert_eq!(Format::named("AbstractPlay"), Ok(&abstractplay::FORMAT));
    let error = Format::named("pgn").unwrap_err();
    assert_eq!(error.to_string(), "format 'pgn' is none of sgf, json, moves, position");
}
