//! Drawing for GoGui: boards of words and lines of its `gfx` language, as answers to its commands,
//! and on standard error while a search runs.
//!
//! GoGui draws what an engine writes to standard error after `gogui-gfx:`. So the engine can show
//! its analysis while it searches, although its answer has to wait for the end of the search.
//!
//! Source: GoGui's documentation of analyze commands and of live graphics.

use std::io::{self, Write};
use std::time::Duration;

use super::numbers::fixed;
use super::session::Session;
use crate::analysis::points::{go_name, go_text};
use crate::board::{Cell, Size};
use crate::engine::{Analysis, AnalysisRequest, Answer, CannotAnalyze, NothingToAnalyze};
use crate::game::{Color, Move, Position};

/// A word for every cell, row by row from the top, after an empty first line.
pub(super) fn board(size: Size, word: impl Fn(Cell) -> String) -> String {
    let rows = (0..size.get()).rev().map(|row| {
        let cells = (0..size.get()).map(|column| Cell::new(column, row));
        format!("\n{}", cells.map(&word).collect::<Vec<_>>().join(" "))
    });
    rows.collect()
}

/// A variation that `mover` begins: tiles as numbered stones, the ends of a bridge in the first
/// move as squares, and the moves as text. `gfx` has no sign for a later bridge.
pub(super) fn variation(mover: Color, moves: &[Move]) -> String {
    let (mut color, mut stones) = (mover, Vec::new());
    for &mv in moves {
        let letter = if color == Color::White { 'w' } else { 'b' };
        if let Move::Tiles(a, b) = mv {
            stones.extend([a, b].map(|cell| format!("{letter} {}", go_name(cell))));
        }
        // After a swap, Red is still to move.
        color = if mv == Move::Swap { color } else { !color };
    }
    let mut lines = Vec::new();
    if !stones.is_empty() {
        lines.push(format!("VAR {}", stones.join(" ")));
    }
    if let Some(&Move::Bridge(a, b)) = moves.first() {
        lines.push(format!("SQUARE {} {}", go_name(a), go_name(b)));
    }
    let words: Vec<String> = moves.iter().map(|&mv| go_text(mv)).collect();
    lines.push(format!("TEXT {}", words.join(" ")));
    lines.join("\n")
}

/// All bridges: the cells under them, and a letter for each at its ends.
pub(super) fn bridges(position: &Position) -> String {
    let mut lines = Vec::new();
    let water: Vec<String> = position.spanned_cells().into_iter().map(go_name).collect();
    if !water.is_empty() {
        lines.push(format!("COLOR cyan {}", water.join(" ")));
    }
    for (site, letter) in position.bridges().iter().zip(('a'..='z').cycle()) {
        let [a, b] = site.ends().map(go_name);
        lines.push(format!("LABEL {a} {letter} {b} {letter}"));
    }
    lines.join("\n")
}

/// The interval between drawings. Set by judgement: faster changes cannot be read.
const DRAW_INTERVAL: Duration = Duration::from_millis(500);

/// The maximum number of moves of the principal variation to draw, up to eight stones. Set by
/// judgement: more would hide the position.
const DRAWN_MOVES: usize = 4;

/// Draws the reports of a search and clears the board when dropped.
#[derive(Default)]
struct Drawing {
    has_drawn: bool,
}

impl Drawing {
    fn draw(&mut self, analysis: &Analysis) {
        self.has_drawn = true;
        // A search continues even if its drawings cannot be written.
        let _ = io::stderr().write_all(picture(analysis).as_bytes());
    }
}

impl Drop for Drawing {
    fn drop(&mut self) {
        if self.has_drawn {
            let _ = io::stderr().write_all(b"gogui-gfx: CLEAR\n");
        }
    }
}

/// The principal variation and the evaluation, as one `gogui-gfx` command, which an empty line
/// ends.
fn picture(analysis: &Analysis) -> String {
    let (pv, root) = (analysis.pv(), &analysis.root);
    format!(
        "gogui-gfx:\n{} ({} visits, win rate {}, lead {})\n\n",
        variation(analysis.to_move, &pv[..pv.len().min(DRAWN_MOVES)]),
        root.visits,
        fixed(root.winrate, 2),
        fixed(root.lead, 1),
    )
}

impl Session {
    /// Searches and plays one of the moves that `request` permits, and draws the search while it
    /// runs if drawing is on.
    pub(super) fn genmove_drawn(
        &mut self,
        color: Color,
        request: &AnalysisRequest,
    ) -> Result<Answer, CannotAnalyze> {
        let mut drawing = Drawing::default();
        let request = self.with_drawn_reports(request);
        let mut draw = |analysis: &Analysis| drawing.draw(analysis);
        let (answer, _) =
            self.engine.genmove_analyze(color, &request, &self.stop, &mut draw).finish()?;
        Ok(answer)
    }

    /// Analyses the position within the limits of `genmove`, and draws the search while it runs if
    /// drawing is on.
    pub(super) fn analysis(
        &mut self,
        request: &AnalysisRequest,
    ) -> Result<Analysis, NothingToAnalyze> {
        let mut drawing = Drawing::default();
        let request = self.with_drawn_reports(request);
        let mut draw = |analysis: &Analysis| drawing.draw(analysis);
        self.engine.analyze(&request, false, &self.stop, &mut draw).finish()
    }

    /// `request` with the reports that drawing needs, if drawing is on.
    fn with_drawn_reports(&self, request: &AnalysisRequest) -> AnalysisRequest {
        AnalysisRequest { interval: self.draws_live.then_some(DRAW_INTERVAL), ..request.clone() }
    }
}
