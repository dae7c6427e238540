//! Drawing a picture.

use std::fmt::Write;

use super::layout::{Layout, MARGIN};
use super::picture::Picture;
use super::sheet::{Sheet, escape};
use super::{board, candidates};
use crate::game::Color;
use crate::render::text::{color_name, count, turn_line};

/// The style of the elements. A page that shows the picture can override it.
const STYLE: &str = include_str!("style.css");

impl Picture<'_> {
    /// Draws the picture as a self-contained `<svg>` element with a line break at
    /// the end.
    ///
    /// The elements have classes that a page can style: `tile`, `island`,
    /// `bridge`, `network`, `last`, `candidate`, `only`, `dead` and `owner`, with
    /// `white` or `red`. Groups that represent a cell or a move have the
    /// attribute `data-cell` or `data-move`.
    pub fn to_svg(&self) -> String {
        let layout = Layout::of(self);
        let mut sheet = Sheet::default();
        let [width, height] = layout.size;
        let _ = write!(
            sheet.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pontifex\" role=\"img\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<style>\n{STYLE}</style>\n",
            escape(if self.title.is_empty() { "Ponte del Diavolo" } else { self.title }),
            escape(&self.description()),
        );
        sheet.rect("paper", [0.0, 0.0], layout.size, 0.0);
        let title = fitted(self.title, (width - 2.0 * MARGIN) / 9.5);
        if !title.is_empty() {
            sheet.text("title", [width / 2.0, 25.0], &title);
        }
        board::water(&mut sheet, self, &layout);
        candidates::links(&mut sheet, self, &layout);
        board::tiles(&mut sheet, self, &layout);
        board::bridges(&mut sheet, self, &layout);
        board::networks(&mut sheet, self, &layout);
        candidates::marks(&mut sheet, self, &layout);
        candidates::list(&mut sheet, self, &layout);
        self.foot(&mut sheet, &layout);
        sheet.out.push_str("</svg>\n");
        sheet.out
    }

    /// Describes the position in words.
    fn description(&self) -> String {
        let mut text = String::new();
        for color in Color::BOTH {
            let tiles: Vec<String> =
                self.position.tiles(color).into_iter().map(|cell| cell.to_string()).collect();
            let tiles = if tiles.is_empty() { "no tiles".to_owned() } else { tiles.join(" ") };
            let _ = write!(text, "{}: {tiles}. ", color_name(color));
        }
        let bridges = self.position.bridges().iter().map(|site| {
            let [a, b] = site.ends();
            format!("{a}-{b}")
        });
        let mut bridges: Vec<String> = bridges.collect();
        bridges.sort_unstable();
        if !bridges.is_empty() {
            let _ = write!(text, "Bridges: {}. ", bridges.join(" "));
        }
        if let Some(last) = self.last {
            let _ = write!(text, "Last move: {last}. ");
        }
        text + &turn_line(self.position)
    }

    /// Draws the scores and the side to move.
    fn foot(&self, sheet: &mut Sheet, layout: &Layout) {
        let position = self.position;
        let [left, top] = layout.foot;
        for color in Color::BOTH {
            let y = top + 24.0 * color.index() as f64;
            board::tile(sheet, color, [left + 9.0, y + 9.0], 18.0);
            let score = position.score(color);
            let mut text = format!(
                "{}, {}, {}",
                count(score.points, "point"),
                count(score.islands.into(), "island"),
                count(score.bridges.into(), "bridge")
            );
            if let Some(tiles) = position.tiles_left(color) {
                let _ = write!(text, ", {} left", count(tiles, "tile"));
            }
            sheet.text("score", [left + 28.0, y + 14.0], &text);
        }
        let mut text = turn_line(position);
        if let Some(bridges) = position.bridges_left() {
            let _ = write!(text, " \u{2022} {} left", count(bridges, "bridge"));
        }
        if let Some(last) = self.last {
            let _ = write!(text, " \u{2022} last {last}");
        }
        sheet.text("turn", [left, top + 62.0], &text);
    }
}

/// Cuts `text` to at most `chars` characters.
fn fitted(text: &str, chars: f64) -> String {
    let chars = chars as usize;
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let begin: String = text.chars().take(chars.saturating_sub(1)).collect();
    format!("{}\u{2026}", begin.trim_end())
}
