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
//! `SUPPLY`, `PIE`, `BRIDGE` and `STATE` are extensions of this program.
//! Variations are read and written with their moves and comments; the first of
//! several is the main line. All other properties are ignored.
//!
//! Readers are generous: text before, between and after the games is skipped, and
//! so is a `)` too many; a text that ends within a game is read to its end.
//!
//! Records of the site Boardspace and the single points of `GoGui` are read too,
//! but not written: see `boardspace.rs` and `points.rs`.

mod boardspace;
mod points;
mod ponte;
mod tree;
mod write;

pub use write::{Note, write, write_annotated};

use super::error::RecordError;
use super::format::{Beginning, Format, Likeness};
use super::record::{Assumed, Record};
use super::text::Warning;
use tree::{Games, Tree};

/// The format. Boardspace's form of it is read too.
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

/// A sentence before a game may begin with any word.
fn likeness(Beginning { text, word }: &Beginning<'_>) -> Likeness {
    match word {
        _ if text.starts_with('(') => Likeness::Sure,
        Some(_) if tree::begins(text).is_some() => Likeness::Within,
        _ => Likeness::No,
    }
}

fn read(
    text: &str,
    assumed: &Assumed,
    most: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Record>, RecordError> {
    let mut of_games = Vec::new();
    let games = Games::of(text, warnings).take(most);
    let records = games.map(|game| to_record(text, game?, assumed, &mut of_games)).collect();
    warnings.append(&mut of_games);
    records
}

fn to_record(
    text: &str,
    mut game: Tree,
    assumed: &Assumed,
    warnings: &mut Vec<Warning>,
) -> Result<Record, RecordError> {
    let main_line = game.main_line();
    if boardspace::is_boardspace(main_line) {
        return boardspace::read(text, main_line, assumed);
    }
    ponte::read(text, &mut game, assumed, warnings)
}
