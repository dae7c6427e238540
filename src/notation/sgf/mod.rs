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
mod error;
mod points;
mod ponte;
mod tree;
mod write;

pub use error::{SgfError, SgfProblem};
pub(in crate::notation) use tree::begins;
pub use write::{Note, write, write_annotated};

use super::record::{Assumed, Record};
use super::text::{Spot, Warning};
use tree::{Games, Tree};

/// Reads the first game of a normalized text. Adds what was mended to `warnings`.
pub(super) fn read(
    text: &str,
    assumed: &Assumed,
    warnings: &mut Vec<Warning>,
) -> Result<Record, SgfError> {
    // The iterator yields at least one game or error.
    let game = Games::of(text, warnings)
        .next()
        .unwrap_or_else(|| Err(SgfError { at: Spot::of(text, 0), problem: SgfProblem::NoGame }));
    to_record(text, game?, assumed, warnings)
}

/// Reads every game of a normalized text; there is at least one. Adds what was
/// mended to `warnings`.
pub(super) fn read_all(
    text: &str,
    assumed: &Assumed,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Record>, SgfError> {
    let mut of_games = Vec::new();
    let games = Games::of(text, warnings);
    let records = games.map(|game| to_record(text, game?, assumed, &mut of_games)).collect();
    warnings.append(&mut of_games);
    records
}

fn to_record(
    text: &str,
    mut game: Tree,
    assumed: &Assumed,
    warnings: &mut Vec<Warning>,
) -> Result<Record, SgfError> {
    let main_line = game.main_line();
    if boardspace::is_boardspace(main_line) {
        return boardspace::read(text, main_line, assumed);
    }
    ponte::read(text, &mut game, assumed, warnings)
}
