//! The elements a picture is made of.

use std::fmt::{Display, Write};

/// An SVG document in the making.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) out: String,
}

/// A length to a tenth of a unit.
fn short(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

impl Sheet {
    /// Opens a group of `class` with something to say of it: `data-NAME`.
    /// What a pointer over it is told stands in `told`.
    pub(super) fn open(&mut self, class: &str, data: (&str, &dyn Display), told: &str) {
        let (name, value) = data;
        let _ = write!(self.out, "<g class=\"{class}\" data-{name}=\"{value}\">");
        if !told.is_empty() {
            let _ = write!(self.out, "<title>{}</title>", escape(told));
        }
    }

    /// Closes the group opened last.
    pub(super) fn close(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// A rectangle from its upper left corner, with round corners.
    pub(super) fn rect(&mut self, class: &str, [x, y]: [f64; 2], size: [f64; 2], round: f64) {
        let [x, y, width, height] = [x, y, size[0], size[1]].map(short);
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             rx=\"{round}\"/>"
        );
    }

    /// A circle; a `fill` other than that of its class.
    pub(super) fn circle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, fill: &str) {
        let [x, y] = [x, y].map(short);
        let fill = if fill.is_empty() { String::new() } else { format!(" fill=\"{fill}\"") };
        let _ = writeln!(
            self.out,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{fill}/>"
        );
    }

    /// A straight line; `more` are other attributes.
    pub(super) fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2], more: &str) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(short);
        let space = if more.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.out,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{space}{more}/>"
        );
    }

    /// A path that is given as SVG has it.
    pub(super) fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// A line of text; where it stands to `at` is its class's matter.
    pub(super) fn text(&mut self, class: &str, at: [f64; 2], text: &str) {
        let [x, y] = at.map(short);
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escape(text)
        );
    }
}

/// The text with what XML cannot have in a text or an attribute replaced.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            // XML has no way to write these, nor U+FFFE and U+FFFF.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}
