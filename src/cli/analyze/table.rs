use std::fmt::Write;
use std::time::Duration;

use crate::analysis::review::{Look, LookedMove};
use crate::board::{Cells, Site};
use crate::game::{Color, Move, Position, Value};
use crate::render::{Mark, marked};

/// Moves of the main line that are printed, the first being the candidate.
const LINE: usize = 8;

/// The board with the first nine candidates on it by rank (a bridge's on the
/// cells it would run over), what was found of the position, and a table of
/// the moves.
pub(super) fn text(
    position: &Position,
    look: &Look,
    elapsed: Duration,
    is_colored: bool,
) -> String {
    let signs = look.moves.iter().zip('1'..='9');
    let marks: Vec<Mark> =
        signs.map(|(looked, sign)| Mark { cells: cells(looked.mv), sign }).collect();
    let mut out = marked(position, &marks, is_colored);
    let root = &look.root;
    let name = if look.to_move == Color::White { "White" } else { "Red" };
    let _ = write!(
        out,
        "\n\n{name}: win rate {:.1} %, lead {:+.1}, {} visits, {:.2} s",
        100.0 * root.winrate,
        root.lead,
        root.visits,
        elapsed.as_secs_f64()
    );
    if let Some(proved) = proved(root.solved, root.winner) {
        let _ = write!(out, ", proved {proved}");
    }
    out.push('\n');
    let widest = look.moves.iter().map(|looked| looked.mv.to_string().len()).max();
    let wide = widest.unwrap_or(0).max(4);
    let _ = writeln!(out, "  #  {:wide$}    visits  win %    lead  prior %  then", "move");
    for looked in &look.moves {
        out.push_str(line(looked, wide).trim_end());
        out.push('\n');
    }
    out
}

fn line(looked: &LookedMove, wide: usize) -> String {
    let then: Vec<String> = looked.pv.iter().skip(1).take(LINE - 1).map(Move::to_string).collect();
    let proved = proved(looked.solved, looked.winner);
    let proved = proved.map_or(String::new(), |proved| format!("(proved {proved}) "));
    format!(
        "{:>3}  {:wide$}  {:>8}  {:>5.1}  {:>+6.1}  {:>7.2}  {proved}{}",
        looked.order + 1,
        looked.mv.to_string(),
        looked.visits,
        100.0 * looked.winrate,
        looked.lead,
        100.0 * looked.prior,
        then.join(" ")
    )
}

/// `W+5`, or who wins when no more is proved.
fn proved(solved: Option<Value>, winner: Option<Color>) -> Option<String> {
    let wins = |winner| if winner == Color::White { "W+" } else { "R+" }.to_owned();
    solved.map(|value| value.to_string()).or(winner.map(wins))
}

/// Where a move is marked.
fn cells(mv: Move) -> Cells {
    match mv {
        Move::Tiles(a, b) => [a, b].into_iter().collect(),
        Move::Bridge(a, b) => Site::between(a, b).map_or(Cells::EMPTY, Site::span),
        Move::Pass | Move::Swap => Cells::EMPTY,
    }
}
