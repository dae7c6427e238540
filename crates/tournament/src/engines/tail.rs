//! The last lines of a stream, in bounded memory.

use std::collections::VecDeque;

/// The number of lines kept.
const MAX_LINES: usize = 20;

/// The bytes kept of each line.
const MAX_BYTES: usize = 400;

/// The last lines of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct LineTail {
    lines: VecDeque<String>,
    /// The line without its line end yet.
    partial: Vec<u8>,
}

impl LineTail {
    /// Adds a whole line.
    pub(super) fn push(&mut self, line: &str) {
        self.push_cut(&line.as_bytes()[..line.len().min(MAX_BYTES + 1)]);
    }

    /// Adds bytes, which may end within a line.
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, is_complete) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            let room = (MAX_BYTES + 1).saturating_sub(self.partial.len());
            self.partial.extend_from_slice(&text[..text.len().min(room)]);
            if is_complete {
                let line = std::mem::take(&mut self.partial);
                self.push_cut(line.strip_suffix(b"\r").unwrap_or(&line));
            }
        }
    }

    fn push_cut(&mut self, line: &[u8]) {
        if self.lines.len() == MAX_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(readable(line));
    }

    /// The lines, oldest first, including an incomplete last one.
    pub(super) fn lines(&self) -> Vec<String> {
        let partial = (!self.partial.is_empty()).then(|| readable(&self.partial));
        self.lines.iter().cloned().chain(partial).collect()
    }
}

/// The line as printable text: no control characters, cut if too long.
fn readable(line: &[u8]) -> String {
    let is_cut = line.len() > MAX_BYTES;
    let text = String::from_utf8_lossy(&line[..line.len().min(MAX_BYTES)]);
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let mut text: String = text.chars().map(shown).collect();
    if is_cut {
        text.push_str("...");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let mut tail = LineTail::default();
        tail.push_bytes(b"one\r\ntw");
        tail.push_bytes(b"o\n\nthr\x1bee");
        assert_eq!(tail.lines(), ["one", "two", "", "thr ee"]);
        tail.push_bytes(&vec![b'x'; 1 << 20]);
        tail.push_bytes(b"\n");
        assert_eq!(tail.lines().len(), 4);
        assert!(tail.lines()[3].len() <= MAX_BYTES + 3 && tail.lines()[3].ends_with("..."));
        (0..100).for_each(|n| tail.push(&n.to_string()));
        assert_eq!(tail.lines().len(), MAX_LINES);
        assert_eq!(tail.lines()[MAX_LINES - 1], "99");
        tail.push(&"ä".repeat(1000));
        assert!(tail.lines()[MAX_LINES - 1].ends_with("..."));
    }
}
