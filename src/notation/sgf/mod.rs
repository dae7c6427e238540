//! Smart Game Format FF\[4\] with `GM[PonteDelDiavolo]`.
//!
//! | property | meaning |
//! |---|---|
//! | `W[d4,e6]` `B[d4-f5]` | White's move, Red's move, in the notation of the game; `B[swap]` |
//! | `C` | comment on the move; in the first node, on the game |
//! | `SZ[10]` | cells along each edge; 10 if missing |
//! | `SUPPLY[standard]` | `standard`, `unlimited` or `40,15`: tiles per colour, bridges |
//! | `PIE[on]` | `on` or `off` |
//! | `PW` `PB` | the players with White and Red at the end of the game: the player who swapped has White |
//! | `EV` `RO` `PC` `DT` | event, round, place, date |
//! | `RE[B+3]` | the result as in `final_score`, with `B` for Red; `W+R`, `W+T`, `W+F` and `Void` as in SGF |
//! | `AW[d4][e6]` `AB[a1]` | White's and Red's tiles of a position set up |
//! | `BRIDGE[d4-e6]` | the bridges of a position set up |
//! | `PL[B]` | the side to move in a position set up; if missing, that of the first move, else White |
//! | `STATE[last]` | `pie`: Red may swap; `last`: Red's last turn; `over` |
//!
//! `SUPPLY`, `PIE`, `BRIDGE` and `STATE` are extensions of this program. Variations are read and
//! written with their moves and comments; the first of several is the main line. All other
//! properties are ignored.
//!
//! Records of the site Boardspace and the single points of GoGui are read too, but not written: see
//! `boardspace.rs` and `points.rs`.
//!
//! # Reading
//! A text passes three stages, each in a file of its own:
//!
//! ```text
//! text.rs          bytes to characters: encoding, byte-order mark, line breaks
//! sgf/tree.rs      characters to nodes and properties, for any game
//! sgf/ponte.rs     properties to a record; before it points.rs, or instead of it
//!                  boardspace.rs
//! ```
//!
//! Files come from mail, forums and programs that do not follow the standard. So damage is divided
//! into three kinds, and the rule is the same at every stage:
//!
//! - **The meaning is clear:** the text is read, and a [`Warning`] says what was repaired. Text
//!   before, between and after the games is skipped, and so is a surplus `)`. A text that ends
//!   within a game is read to its end.
//! - **The meaning is not clear:** an error names the line and the column. This includes a missing
//!   or surplus parenthesis in the middle. A wrong guess would make moves of a variation part of
//!   the game, or lose the rest of it.
//! - **Not ours to judge:** unknown properties are ignored, and illegal moves are kept. Replaying
//!   the record reports them.
//!
//! Syntax warnings are limited to one of each kind for a text, at the first place: a file with a
//! thousand games makes the same mistake a thousand times.

mod boardspace;
mod points;
mod ponte;
mod tree;
mod write;

pub use write::{Note, write, write_annotated};

use super::error::RecordError;
use super::format::{Beginning, Format, Likeness};
use super::record::{DefaultRules, Record};
use super::text::Warning;
use tree::{Games, SgfTree};

/// The SGF format. Records of Boardspace are read too.
pub static FORMAT: Format = Format {
    name: "sgf",
    aliases: &[],
    extension: "sgf",
    media_type: "text/plain; charset=utf-8",
    titles: ["SGF record", "SGF-Datei", "Fichier SGF"],
    is_position: false,
    likeness,
    read,
    write: |records| records.iter().map(write).collect(),
};

/// Returns how much a text looks like SGF. Text before a game may begin with any word, so a game
/// further down also counts.
fn likeness(Beginning { text, word }: &Beginning<'_>) -> Likeness {
    match word {
        _ if text.starts_with('(') => Likeness::Sure,
        Some(_) if tree::find_game(text).is_some() => Likeness::Within,
        _ => Likeness::No,
    }
}

fn read(
    text: &str,
    assumed: &DefaultRules,
    max_games: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Record>, RecordError> {
    // The iterator borrows the syntax warnings, so warnings about values are added later.
    let mut value_warnings = Vec::new();
    let games = Games::of(text, warnings).take(max_games);
    let records = games.map(|game| to_record(text, game?, assumed, &mut value_warnings)).collect();
    warnings.append(&mut value_warnings);
    records
}

fn to_record(
    text: &str,
    mut game: SgfTree,
    assumed: &DefaultRules,
    warnings: &mut Vec<Warning>,
) -> Result<Record, RecordError> {
    let main_line = game.main_line();
    if boardspace::is_boardspace(main_line) {
        return boardspace::read(text, main_line, assumed);
    }
    ponte::read(text, &mut game, assumed, warnings)
}
