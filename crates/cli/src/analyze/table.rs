//! An analysis as text: the board and a table of the best moves.

use std::fmt::Write;
use std::time::Duration;

use pontifex::analysis::{MoveAnalysis, PositionAnalysis};
use pontifex::board::{Cells, Site};
use pontifex::game::{Color, Move, Position, Value};
use pontifex::render::{Mark, marked};

/// Printed moves of a main line, the candidate included.
const LINE: usize = 8;

/// The board with the ranks of the first nine candidates on it (a bridge's on
/// the cells it spans), the evaluation of the position, and a table of the
/// moves.
pub(super) fn text(
    position: &Position,
    analysis: &PositionAnalysis,
    elapsed: Duration,
    is_colored: bool,
) -> String {
    let signs = analysis.moves.iter().zip('1'..='9');
    let marks: Vec<Mark> =
        signs.map(|(candidate, sign)| Mark { cells: cells(candidate.mv), sign }).collect();
    let mut out = marked(position, &marks, is_colored);
    let root = &analysis.root;
    let name = if analysis.to_move == Color::White { "White" } else { "Red" };
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
    let widest = analysis.moves.iter().map(|candidate| candidate.mv.to_string().len()).max();
    let wide = widest.unwrap_or(0).max(4);
    let _ = writeln!(out, "  #  {:wide$}    visits  win %    lead  prior %  then", "move");
    for candidate in &analysis.moves {
        out.push_str(line(candidate, wide).trim_end());
        out.push('\n');
    }
    out
}

fn line(candidate: &MoveAnalysis, wide: usize) -> String {
    let then: Vec<String> =
        candidate.pv.iter().skip(1).take(LINE - 1).map(Move::to_string).collect();
    let proved = proved(candidate.solved, candidate.winner);
    let proved = proved.map_or(String::new(), |proved| format!("(proved {proved}) "));
    format!(
        "{:>3}  {:wide$}  {:>8}  {:>5.1}  {:>+6.1}  {:>7.2}  {proved}{}",
        candidate.order + 1,
        candidate.mv.to_string(),
        candidate.visits,
        100.0 * candidate.winrate,
        candidate.lead,
        100.0 * candidate.prior,
        then.join(" ")
    )
}

/// The proved result, `W+5`, or only the proved winner, `W+`.
fn proved(solved: Option<Value>, winner: Option<Color>) -> Option<String> {
    let wins = |winner| if winner == Color::White { "W+" } else { "R+" }.to_owned();
    solved.map(|value| value.to_string()).or(winner.map(wins))
}

/// The cells on which a move is marked.
fn cells(mv: Move) -> Cells {
    match mv {
        Move::Tiles(a, b) => [a, b].into_iter().collect(),
        Move::Bridge(a, b) => Site::between(a, b).map_or(Cells::EMPTY, Site::span),
        Move::Pass | Move::Swap => Cells::EMPTY,
    }
}
