//! Moves to choose from: numbers on the board, and a list beside it.

use super::sheet::Sheet;
use super::{Candidate, Layout, Picture, name};
use crate::board::Cell;
use crate::game::Move;

/// How many candidates are shown.
const SHOWN: usize = 12;

/// The list's width, the height of a row of it and where its columns begin or,
/// for numbers, end.
const WIDTH: f64 = 300.0;
const ROW: f64 = 26.0;
const COLUMNS: [f64; 5] = [14.0, 34.0, 148.0, 208.0, 280.0];

/// The colours of candidates that are not visited and of those that always
/// are, as red, green and blue.
const PALE: [f32; 3] = [226.0, 243.0, 236.0];
const DEEP: [f32; 3] = [0.0, 92.0, 80.0];

/// From this weight on a number on the colour is white.
const DARK: f32 = 0.3;

/// The candidates that are shown, with their ranks from 1.
fn shown<'a>(picture: &Picture<'a>) -> impl Iterator<Item = (usize, &'a Candidate)> + use<'a> {
    picture.candidates.iter().take(SHOWN).enumerate().map(|(n, candidate)| (n + 1, candidate))
}

/// A weight as a colour. Small ones are drawn apart: the root of the weight
/// counts.
fn heat(weight: f32) -> String {
    let depth = weight.clamp(0.0, 1.0).sqrt();
    let [red, green, blue] =
        [0, 1, 2].map(|n| (PALE[n] + (DEEP[n] - PALE[n]) * depth).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The class of a number on the colour of `weight`.
fn on(class: &str, weight: f32) -> String {
    if weight >= DARK { format!("{class} dark") } else { class.to_owned() }
}

/// Lines between the two tiles of a candidate.
pub(super) fn links(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let all: Vec<_> = shown(picture).collect();
    for (_, candidate) in all.into_iter().rev() {
        if let Move::Tiles(a, b) = candidate.mv {
            let more = format!("stroke=\"{}\"", heat(candidate.weight));
            sheet.line("link", layout.middle(a), layout.middle(b), &more);
        }
    }
}

/// Numbers on the cells and the bridges of candidates. Where several lay a
/// tile on one cell, the best one's colour and win rate stand there.
pub(super) fn marks(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    let mut cells: Vec<(Cell, Vec<usize>)> = Vec::new();
    for (rank, candidate) in shown(picture) {
        match candidate.mv {
            Move::Tiles(a, b) => {
                for cell in [a, b] {
                    match cells.iter_mut().find(|(other, _)| *other == cell) {
                        Some((_, ranks)) => ranks.push(rank),
                        None => cells.push((cell, vec![rank])),
                    }
                }
            }
            Move::Bridge(a, b) => bridge(sheet, rank, candidate, [a, b], layout),
            Move::Pass | Move::Swap => {}
        }
    }
    for (cell, ranks) in cells {
        mark(sheet, picture, cell, &ranks, layout);
    }
}

/// The ranks of the candidates that lay a tile on `cell`.
fn mark(sheet: &mut Sheet, picture: &Picture<'_>, cell: Cell, ranks: &[usize], layout: &Layout) {
    let best = &picture.candidates[ranks[0] - 1];
    let [x, y] = layout.middle(cell);
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
    sheet.text(&on(class, best.weight), [x, y + 1.0], &text);
    sheet.text(&on("rate", best.weight), [x, y + 13.0], &percent(best.winrate));
    sheet.close();
}

/// A bridge that can be built, its rank on its middle.
fn bridge(sheet: &mut Sheet, rank: usize, candidate: &Candidate, ends: [Cell; 2], layout: &Layout) {
    let [from, to] = ends.map(|cell| layout.middle(cell));
    let middle = [0, 1].map(|n| f64::midpoint(from[n], to[n]));
    let fill = heat(candidate.weight);
    sheet.open("candidate bridge", ("move", &candidate.mv), "");
    sheet.line("edge", from, to, "");
    sheet.line("plan", from, to, &format!("stroke=\"{fill}\""));
    sheet.circle("heat", middle, 14.0, &fill);
    sheet.text(&on("rank", candidate.weight), [middle[0], middle[1] + 5.5], &rank.to_string());
    sheet.close();
}

/// The width and the height that the list needs.
pub(super) fn list_size(picture: &Picture<'_>) -> [f64; 2] {
    match picture.candidates.len() {
        0 => [0.0, 0.0],
        n if n > SHOWN => [WIDTH, ROW * (SHOWN + 2) as f64],
        n => [WIDTH, ROW * (n + 1) as f64],
    }
}

/// Rank, move, win rate, lead and visits of every candidate.
pub(super) fn list(sheet: &mut Sheet, picture: &Picture<'_>, layout: &Layout) {
    if picture.candidates.is_empty() {
        return;
    }
    let [left, top] = layout.list;
    let base = |row: usize| top + ROW * row as f64 + 16.0;
    let [_, mv, rate, lead, visits] = COLUMNS.map(|column| left + column);
    let side = name(picture.position.side());
    sheet.text("head", [left, base(0)], side);
    for (x, words) in [(rate, "wins"), (lead, "ahead"), (visits, "visits")] {
        sheet.text("head number", [x, base(0)], words);
    }
    for (rank, candidate) in shown(picture) {
        let y = base(rank);
        let told = format!("{}: {side} wins {}", candidate.mv, percent(candidate.winrate));
        sheet.open("candidate row", ("move", &candidate.mv), &told);
        sheet.circle("heat", [left + COLUMNS[0], y - 5.0], 11.0, &heat(candidate.weight));
        let class = on("rank small", candidate.weight);
        sheet.text(&class, [left + COLUMNS[0], y - 0.5], &rank.to_string());
        sheet.text("move", [mv, y], &candidate.mv.to_string());
        sheet.text("number", [rate, y], &percent(candidate.winrate));
        sheet.text("number", [lead, y], &points(candidate.lead));
        sheet.text("number", [visits, y], &thousands(candidate.visits));
        sheet.close();
    }
    if picture.candidates.len() > SHOWN {
        let more = format!("and {} more", picture.candidates.len() - SHOWN);
        sheet.text("more", [mv, base(SHOWN + 1)], &more);
    }
}

/// `54%`.
fn percent(rate: f64) -> String {
    format!("{:.0}%", 100.0 * rate)
}

/// `+1.5`, with a minus sign that is as wide as the plus.
fn points(lead: f64) -> String {
    format!("{lead:+.1}").replace('-', "\u{2212}")
}

/// `12,345`.
fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
