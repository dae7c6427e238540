//! A review as an annotated SGF record.
//!
//! The record's moves remain the main line. Each of its moves has a comment. `SBKV` is the win rate
//! of Red (SGF's Black) after the move, in percent, and `DO`, `BM[1]` or `BM[2]` marks an
//! inaccuracy, a mistake or a blunder. The principal variation of a better move is added as a
//! variation.

use std::fmt::Write;

use super::game_review::Review;
use super::plan::RecordedGame;
use super::turn::{Grade, ReviewedTurn};
use crate::notation::RecordedMove;
use crate::notation::sgf::{Note, write_annotated};
use crate::render::color_name;

/// The annotated record of a reviewed game.
pub fn write(game: &RecordedGame, review: &Review) -> String {
    // A node shows the position after its move, so it has the expectation before the next one.
    let after = review.turns.iter().skip(1).map(|turn| turn.white).chain([review.end.white]);
    let notes: Vec<Note> = review
        .turns
        .iter()
        .zip(after)
        .map(|(turn, white)| Note {
            comment: comment(turn),
            properties: properties(white.winrate, turn.grade),
            variations: better_line(turn).into_iter().collect(),
        })
        .collect();
    let first = review.turns.first().map_or(review.end.white, |turn| turn.white);
    let start = Note { properties: properties(first.winrate, None), ..Note::default() };
    write_annotated(&game.record, &start, &notes)
}

fn properties(white: f64, grade: Option<Grade>) -> Vec<(&'static str, String)> {
    let red = format!("{:.2}", 100.0 * (1.0 - white));
    let sign = grade.map(|grade| match grade {
        Grade::Inaccuracy => ("DO", String::new()),
        Grade::Mistake => ("BM", "1".to_owned()),
        Grade::Blunder => ("BM", "2".to_owned()),
    });
    std::iter::once(("SBKV", red)).chain(sign).collect()
}

/// The comment on a move, with the numbers of its player before it.
fn comment(turn: &ReviewedTurn) -> String {
    let mut text = format!(
        "{} before this move: win rate {:.1} %, lead {:+.1}, {} visits.",
        color_name(turn.player),
        100.0 * turn.winrate,
        turn.lead,
        turn.visits
    );
    if let Some(proof) = turn.bounds.proof() {
        let _ = write!(text, " Proved: {proof}.");
    }
    if turn.best == turn.mv {
        text.push_str(" The best move.");
    } else {
        let (winrate, points) = (100.0 * turn.loss.winrate, turn.loss.points);
        let _ = write!(
            text,
            " Best: {}. This move loses {winrate:.1} %, {points:.1} points",
            turn.best
        );
        if let Some(grade) = turn.grade {
            let _ = write!(text, ": {grade}");
        }
        text.push('.');
    }
    text
}

/// The best move's principal variation, if another move was played.
fn better_line(turn: &ReviewedTurn) -> Option<Vec<RecordedMove>> {
    let best = turn.best_move().filter(|best| best.mv != turn.mv)?;
    let mut line: Vec<RecordedMove> = best.pv.iter().copied().map(RecordedMove::from).collect();
    let first = line.first_mut()?;
    let (player, winrate) = (color_name(turn.player), 100.0 * turn.best_played.winrate);
    let lead = turn.best_played.lead;
    first.comment = format!("{player} after this move: win rate {winrate:.1} %, lead {lead:+.1}.");
    Some(line)
}
