//! The SVG elements of a picture.

use std::fmt::{Display, Write};

/// An SVG document that is being written.
#[derive(Default)]
pub(super) struct Sheet {
    pub(super) out: String,
}

/// Rounds a length to a tenth of a unit.
fn short(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

impl Sheet {
    /// Opens a group of a class, with the attribute `data-NAME`. A nonempty `title`
    /// is shown when the pointer rests on it.
    pub(super) fn open(&mut self, class: &str, data: (&str, &dyn Display), title: &str) {
        let (name, value) = data;
        let _ = write!(self.out, "<g class=\"{class}\" data-{name}=\"{value}\">");
        if !title.is_empty() {
            let _ = write!(self.out, "<title>{}</title>", escape(title));
        }
    }

    /// Closes the innermost group.
    pub(super) fn close(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// Draws a rectangle from its upper left corner, with round corners.
    pub(super) fn rect(&mut self, class: &str, [x, y]: [f64; 2], size: [f64; 2], round: f64) {
        let [x, y, width, height] = [x, y, size[0], size[1]].map(short);
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             rx=\"{round}\"/>"
        );
    }

    /// Draws a circle. A nonempty `fill` overrides that of the class.
    pub(super) fn circle(&mut self, class: &str, [x, y]: [f64; 2], radius: f64, fill: &str) {
        let [x, y] = [x, y].map(short);
        let fill = if fill.is_empty() { String::new() } else { format!(" fill=\"{fill}\"") };
        let _ = writeln!(
            self.out,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{fill}/>"
        );
    }

    /// Draws a straight line with the additional attributes `more`.
    pub(super) fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2], more: &str) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(short);
        let space = if more.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.out,
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{space}{more}/>"
        );
    }

    /// Draws a path in the syntax of SVG.
    pub(super) fn path(&mut self, class: &str, path: &str) {
        let _ = writeln!(self.out, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// Writes a line of text. Its class determines the alignment to `at`.
    pub(super) fn text(&mut self, class: &str, at: [f64; 2], text: &str) {
        let [x, y] = at.map(short);
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escape(text)
        );
    }
}

/// Escapes a text for use in text or attributes, and drops characters that XML
/// cannot express.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(' '),
            // XML cannot express these.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}
