//! Candidate moves on a picture: numbers on the board and a list beside it.

use super::picture::{Candidate, Layout, MAX_LISTED, Picture, ROW, Sheet};
use super::text::color_name;
use crate::board::Cell;
use crate::game::Move;

// The lengths and colours in this file were chosen by eye.

/// The columns of the list: the middle of the rank, the left edge of the move, the right edges of
/// win rate, lead and visits, all from the left edge of the list.
const COLUMNS: [f64; 5] = [14.0, 34.0, 148.0, 208.0, 280.0];

/// The colours of weight 0 and weight 1, as red, green and blue.
const PALE: [f32; 3] = [226.0, 243.0, 236.0];
const DEEP: [f32; 3] = [0.0, 92.0, 80.0];

/// From this weight on, the colour is so dark that numbers on it are white.
const DARK: f32 = 0.3;

/// The candidates that are drawn, with their ranks from 1.
fn ranked_candidates<'a>(
    picture: &Picture<'a>,
) -> impl Iterator<Item = (usize, &'a Candidate)> + use<'a> {
    picture.candidates.iter().take(MAX_LISTED).enumerate().map(|(n, candidate)| (n + 1, candidate))
}

/// The colour of a weight. It varies with the square root of the weight, which separates small
/// weights.
fn heat(weight: f32) -> String {
    let depth = weight.clamp(0.0, 1.0).sqrt();
    let [red, green, blue] =
        [0, 1, 2].map(|n| (PALE[n] + (DEEP[n] - PALE[n]) * depth).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The classes of a number on the colour of a weight: with `dark` if the number must be white.
fn number_class(class: &str, weight: f32) -> String {
    if weight >= DARK { format!("{class} dark") } else { class.to_owned() }
}

/// Draws lines between the two tiles of each candidate.
pub(super) fn draw_links(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    // The best last, on top of the others.
    let candidates: Vec<_> = ranked_candidates(picture).collect();
    for (_, candidate) in candidates.into_iter().rev() {
        if let Move::Tiles(a, b) = candidate.mv {
            let stroke = format!("stroke=\"{}\"", heat(candidate.weight));
            sheet.line("link", layout.centre(a), layout.centre(b), &stroke);
        }
    }
}

/// Draws ranks on the cells and bridges of candidates. A cell shared by several candidates gets the
/// colour and win rate of the best.
pub(super) fn draw_marks(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let mut cells: Vec<(Cell, Vec<usize>)> = Vec::new();
    for (rank, candidate) in ranked_candidates(picture) {
        match candidate.mv {
            Move::Tiles(a, b) => {
                for cell in [a, b] {
                    match cells.iter_mut().find(|(other, _)| *other == cell) {
                        Some((_, ranks)) => ranks.push(rank),
                        None => cells.push((cell, vec![rank])),
                    }
                }
            }
            Move::Bridge(a, b) => draw_bridge(sheet, rank, candidate, [a, b], layout),
            Move::Pass | Move::Swap => {}
        }
    }
    for (cell, ranks) in cells {
        draw_mark(sheet, picture, cell, &ranks, layout);
    }
}

/// Draws the ranks of the candidates with a tile on `cell`.
fn draw_mark(
    sheet: &mut Sheet,
    picture: &Picture<'_>,
    cell: Cell,
    ranks: &[usize],
    layout: &Layout,
) {
    let best = &picture.candidates[ranks[0] - 1];
    let [x, y] = layout.centre(cell);
    // Three ranks fit on a cell; the third becomes an ellipsis if there are more.
    let mut texts: Vec<String> = ranks.iter().take(3).map(usize::to_string).collect();
    if ranks.len() > 3 {
        "\u{2026}".clone_into(&mut texts[2]);
    }
    let text = texts.join(" ");
    let class = match text.len() {
        1 | 2 => "rank",
        3 | 4 => "rank several",
        _ => "rank several long",
    };
    sheet.open("candidate tiles", ("cell", &cell), "");
    sheet.circle("heat", [x, y], 19.5, &heat(best.weight));
    sheet.text(&number_class(class, best.weight), [x, y + 1.0], &text);
    sheet.text(&number_class("rate", best.weight), [x, y + 13.0], &percent(best.winrate));
    sheet.close();
}

/// Draws a candidate bridge with its rank at its middle.
fn draw_bridge(
    sheet: &mut Sheet,
    rank: usize,
    candidate: &Candidate,
    ends: [Cell; 2],
    layout: &Layout,
) {
    let [from, to] = ends.map(|cell| layout.centre(cell));
    let middle = [0, 1].map(|n| f64::midpoint(from[n], to[n]));
    let fill = heat(candidate.weight);
    sheet.open("candidate bridge", ("move", &candidate.mv), "");
    sheet.line("edge", from, to, "");
    sheet.line("plan", from, to, &format!("stroke=\"{fill}\""));
    sheet.circle("heat", middle, 14.0, &fill);
    let class = number_class("rank", candidate.weight);
    sheet.text(&class, [middle[0], middle[1] + 5.5], &rank.to_string());
    sheet.close();
}

/// Draws the list: rank, move, win rate, lead and visits.
pub(super) fn draw_list(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    if picture.candidates.is_empty() {
        return;
    }
    let [left, top] = layout.list;
    let base = |row: usize| top + ROW * row as f64 + 16.0;
    let [_, mv, rate, lead, visits] = COLUMNS.map(|column| left + column);
    let side = color_name(picture.position.side());
    sheet.text("head", [left, base(0)], side);
    for (x, words) in [(rate, "wins"), (lead, "ahead"), (visits, "visits")] {
        sheet.text("head number", [x, base(0)], words);
    }
    for (rank, candidate) in ranked_candidates(picture) {
        let y = base(rank);
        let title = format!("{}: {side} wins {}", candidate.mv, percent(candidate.winrate));
        sheet.open("candidate row", ("move", &candidate.mv), &title);
        sheet.circle("heat", [left + COLUMNS[0], y - 5.0], 11.0, &heat(candidate.weight));
        let class = number_class("rank small", candidate.weight);
        sheet.text(&class, [left + COLUMNS[0], y - 0.5], &rank.to_string());
        sheet.text("move", [mv, y], &candidate.mv.to_string());
        sheet.text("number", [rate, y], &percent(candidate.winrate));
        sheet.text("number", [lead, y], &points(candidate.lead));
        sheet.text("number", [visits, y], &thousands(candidate.visits));
        sheet.close();
    }
    if picture.candidates.len() > MAX_LISTED {
        let rest = format!("and {} more", picture.candidates.len() - MAX_LISTED);
        sheet.text("more", [mv, base(MAX_LISTED + 1)], &rest);
    }
}

/// Formats a rate, for example `54%`.
fn percent(rate: f64) -> String {
    format!("{:.0}%", 100.0 * rate)
}

/// Formats a lead, for example `+1.5`, with a typographic minus sign.
fn points(lead: f64) -> String {
    format!("{lead:+.1}").replace('-', "\u{2212}")
}

/// Formats a number with separators, for example `12,345`.
fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
