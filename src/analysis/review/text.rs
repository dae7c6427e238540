//! A review as text.

use std::fmt::Write;

use super::game_review::{Review, Summary, TableRow};
use super::turn::ReviewedTurn;
use crate::game::Color;
use crate::messages::printable;
use crate::render::color_name;

/// A review as text for people: a table of the turns and a summary. Win rates and losses are the
/// player's, in percent.
pub fn text(review: &Review) -> String {
    let mut out = headline(review);
    let width =
        |text: fn(&ReviewedTurn) -> String| review.turns.iter().map(|turn| text(turn).len()).max();
    // At least as wide as the headings.
    let played_width = width(|turn| turn.mv.to_string()).unwrap_or(0).max("played".len());
    let best_width = width(|turn| turn.best.to_string()).unwrap_or(0).max("best".len());
    let _ = writeln!(
        out,
        "turn     {:played_width$}     {:best_width$}   win %    lead  loss %  points",
        "played", "best"
    );
    for turn in &review.turns {
        out.push_str(turn_line(turn, played_width, best_width).trim_end());
        out.push('\n');
    }
    for color in Color::BOTH {
        write_summary(&mut out, review, color);
    }
    write_turning_points(&mut out, review);
    write_opening(&mut out, review);
    out
}

/// `game.sgf: Anna (White) - Bert (Red), 10x10, 41 turns, W+3`.
fn headline(review: &Review) -> String {
    let mut out = printable(&review.file);
    if review.game > 1 {
        let _ = write!(out, ", game {}", review.game);
    }
    out.push_str(": ");
    if review.white.is_some() || review.red.is_some() {
        let name = |name: &Option<String>| printable(name.as_deref().unwrap_or("?"));
        let _ = write!(out, "{} (White) - {} (Red), ", name(&review.white), name(&review.red));
    }
    let (size, turns) = (review.board, review.turns.len());
    let _ = write!(out, "{size}x{size}, {turns} turn{}", if turns == 1 { "" } else { "s" });
    if let Some(result) = &review.result {
        let _ = write!(out, ", {result}");
    }
    out.push('\n');
    out
}

fn turn_line(turn: &ReviewedTurn, played_width: usize, best_width: usize) -> String {
    let ReviewedTurn { turn: number, player, mv, loss, .. } = turn;
    let letter = player.letter().to_ascii_uppercase();
    let sign = turn.grade.map_or("", |grade| grade.sign());
    let is_best = turn.best == *mv;
    let better = if is_best { "=".to_owned() } else { turn.best.to_string() };
    let losses = if is_best {
        format!("{:>6}  {:>6}", "-", "-")
    } else {
        format!("{:>6.1}  {:>6.1}", 100.0 * loss.winrate, loss.points)
    };
    let proof = turn.bounds.proof().map_or(String::new(), |proof| format!("  proved {proof}"));
    format!(
        "{number:>4}  {letter}  {:played_width$}  {sign:2} {better:best_width$}  {:>6.1}  {:>+6.1}  {losses}{proof}",
        mv.to_string(),
        100.0 * turn.winrate,
        // The sum turns -0 into 0.
        turn.lead + 0.0,
    )
}

fn write_summary(out: &mut String, review: &Review, color: Color) {
    let name = color_name(color);
    let summary = review.summary.of_color(color);
    let Some(accuracy) = summary.accuracy else {
        let _ = writeln!(out, "{name}: no turn with a choice");
        return;
    };
    let count = |n: usize, singular: &str, plural: &str| {
        format!("{n} {}", if n == 1 { singular } else { plural })
    };
    let _ = writeln!(
        out,
        "{name}: accuracy {accuracy:.1} %, mean loss {:.1} % and {:.1} points, {}, {}, {}",
        100.0 * summary.loss.winrate,
        summary.loss.points,
        count(summary.inaccuracies, "inaccuracy", "inaccuracies"),
        count(summary.mistakes, "mistake", "mistakes"),
        count(summary.blunders, "blunder", "blunders"),
    );
}

/// `Turning points: 17 (White, -31.0 %), 4 (Red, -8.1 %)`.
fn write_turning_points(out: &mut String, review: &Review) {
    let point = |&number: &usize| {
        let turn = &review.turns[number - 1];
        let name = color_name(turn.player);
        format!("{number} ({name}, -{:.1} %)", 100.0 * turn.loss.winrate)
    };
    let points: Vec<String> = review.turning_points.iter().map(point).collect();
    if !points.is_empty() {
        let _ = writeln!(out, "Turning points: {}", points.join(", "));
    }
}

fn write_opening(out: &mut String, review: &Review) {
    let Some(opening) = &review.opening else { return };
    let _ = write!(
        out,
        "Opening: {} leaves White {:.1} % without a swap: ",
        opening.mv,
        100.0 * opening.winrate
    );
    let verdict = match (opening.should_swap, opening.swapped) {
        (true, Some(true)) => "Red was right to swap",
        (true, Some(false)) => "Red should have swapped",
        (true, None) => "Red should swap",
        (false, Some(true)) => "Red should not have swapped",
        (false, Some(false)) => "Red was right not to swap",
        (false, None) => "Red should not swap",
    };
    let _ = writeln!(out, "{verdict}");
}

/// The table of several games, for people: accuracy and mean loss of White and Red, and the worst
/// move.
pub fn table_text(rows: &[TableRow]) -> String {
    let name = |name: &Option<String>| name.as_deref().map_or("?".to_owned(), printable);
    let cells = |row: &TableRow| {
        let game = if row.game > 1 { format!(" {}", row.game) } else { String::new() };
        [
            printable(&row.file) + &game,
            format!("{} - {}", name(&row.white), name(&row.red)),
            row.result.clone().unwrap_or_default(),
        ]
    };
    let head = ["game", "White - Red", "result"].map(str::to_owned);
    let table: Vec<[String; 3]> = std::iter::once(head).chain(rows.iter().map(cells)).collect();
    let widths = [0, 1, 2].map(|n| table.iter().map(|cells| cells[n].chars().count()).max());
    let mut out = String::new();
    for (number, [game, players, result]) in table.iter().enumerate() {
        let [a, b, c] = widths.map(Option::unwrap_or_default);
        let _ = write!(out, "{game:a$}  {players:b$}  {result:c$}");
        let Some(row) = number.checked_sub(1).map(|index| &rows[index]) else {
            let _ = writeln!(out, "  {:>13}    {:>11}    worst move", "accuracy W/R", "loss % W/R");
            continue;
        };
        let [white, red] = [Color::White, Color::Red].map(|color| row.summary.of_color(color));
        let accuracy =
            |summary: &Summary| summary.accuracy.map_or("-".to_owned(), |n| format!("{n:.1}"));
        let loss = |summary: &Summary| format!("{:.1}", 100.0 * summary.loss.winrate);
        let worst = row.worst.as_ref().map_or("-".to_owned(), |worst| {
            let letter = worst.player.letter().to_ascii_uppercase();
            format!("{} {letter} {} (-{:.1} %)", worst.turn, worst.mv, 100.0 * worst.loss.winrate)
        });
        let _ = writeln!(
            out,
            "  {:>6} {:>6}    {:>5} {:>5}    {worst}",
            accuracy(white),
            accuracy(red),
            loss(white),
            loss(red)
        );
    }
    out
}
