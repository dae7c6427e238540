//! SGF with single points, as GoGui saves it.

use pontifex::notation::Record;

/// What GoGui 1.6.0 saved: the head, an engine's comment, line breaks within.
const HEAD: &str = "(;FF[4]CA[UTF-8]AP[GoGui:1.6.0]SZ[8]\n\
    PB[Unknown]PW[pontifex]DT[2026-11-24]RE[W+5]\n";

fn read(moves: &str) -> Result<Record, String> {
    Record::parse(&format!("{HEAD}{moves})")).map_err(|error| error.to_string())
}

fn turns(moves: &str) -> Vec<String> {
    read(moves).unwrap().moves.iter().map(|turn| turn.mv.to_string()).collect()
}

/// A game played in GoGui 1.6.0 to its end, which it gave as R+10.
#[test]
fn a_whole_game_saved_by_gogui_is_read() {
    let text = include_str!("../data/records/gogui.sgf");
    let record = Record::parse(text).unwrap();
    assert_eq!(record.moves.len(), 34);
    let end = record.position_after(34).unwrap();
    assert!(end.is_over());
    assert_eq!(end.outcome().to_string(), "R+10");
}

#[test]
fn two_points_are_a_turn() {
    // Columns and rows from the top left: on 8x8, `cc` is c6.
    let game = ";W[cc];W[de];B[ah];B[bg];W[cc];W[de];B[gb];B[hh]";
    assert_eq!(turns(game), ["c6,d4", "a1,b2", "c6-d4", "g7,h1"]);
    assert_eq!(read(game).unwrap().start.rules.size.get(), 8);
}

#[test]
fn an_empty_value_is_a_swap_or_a_pass() {
    let swapped = ";W[cc];W[de];B[];B[ah];B[bg]";
    assert_eq!(turns(swapped), ["c6,d4", "swap", "a1,b2"]);
    assert!(read(swapped).unwrap().rules().pie);
    assert!(!read(";W[cc];W[de];B[ah];B[bg]").unwrap().rules().pie);
    assert_eq!(turns(";W[cc];W[de];B[ah];B[bg];W[];B[]")[2..], ["pass", "pass"]);
}

#[test]
fn an_unfinished_turn_is_dropped() {
    assert_eq!(turns(";W[cc];W[de];B[ah]"), ["c6,d4"]);
}

#[test]
fn comments_and_variations_keep_their_turns() {
    let record = read(
        "C[the game];W[cc]C[one];W[de]C[two]\
         (;B[ah];B[bg];W[cc];W[de])(;B[aa]C[instead];B[bb])(;B[];B[hh];B[hg])",
    )
    .unwrap();
    assert_eq!(record.comment, "the game\none");
    assert_eq!(record.moves[0].comment, "two");
    assert_eq!(record.moves[2].mv.to_string(), "c6-d4");
    let variations: Vec<String> =
        record.variations.iter().map(|aside| aside.recorded.mv.to_string()).collect();
    assert_eq!(variations, ["a8,b7", "swap", "h1,h2"]);
    assert!(record.variations[0].recorded.comment.starts_with("instead"), "{record:?}");
}

#[test]
fn bad_points_are_refused_with_their_place() {
    for (moves, error) in [
        (";W[cc];B[de]", "3:8: it is white's turn: W is needed"),
        (";W[cc];W[il]", "W[il] is not a point of the board: two letters"),
        (";W[cc];W[d4]", "W[d4] is not a point of the board"),
        (";W[cc];W[]", "W[] is not a point of the board"),
        (";B[cc];B[dd]", "it is white's turn"),
    ] {
        let found = read(moves).unwrap_err();
        assert!(found.contains(error), "{moves}: {found}");
    }
    // A record of Go remains another game.
    let go = Record::parse("(;GM[1]SZ[9];B[cc];W[dd])").unwrap_err().to_string();
    assert!(go.contains("GM[1] is another game"), "{go}");
}
