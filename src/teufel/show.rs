//! The table as text.

use super::card::Colour;
use super::cells::{Cell, SIDE};
use super::table::{Decision, Table};

impl Table {
    /// The board with coordinates, then a line for each player, then who decides.
    /// A hidden card is `??`, a known one in brackets; `@@` is the devil's head.
    pub fn picture(&self) -> String {
        let columns = "     a       b       c       d       e       f       g";
        let mut lines = vec![columns.to_owned()];
        for row in (0..SIDE).rev() {
            let cells: String = (0..SIDE).map(|column| self.field(Cell::at(column, row))).collect();
            lines.push(format!("{} {cells}{}", row + 1, row + 1));
        }
        lines.push(columns.to_owned());
        for colour in self.colours() {
            let devil = if self.has_devil(colour) { "devil peg" } else { "" };
            let place = match self.sledge(colour) {
                _ if self.has_left(colour) => format!("left, rank {}", self.rank(colour)),
                Some(cell) => cell.to_string(),
                None => "not placed".to_owned(),
            };
            lines.push(format!("{colour:6} {:6} {devil:9} {place}", self.letters(colour)));
        }
        lines.push(self.status());
        lines.join("\n")
    }

    /// Eight characters: the card, then the sledges on it.
    fn field(&self, cell: Cell) -> String {
        let is_hidden = self.hidden().contains(cell);
        let card = match self.card(cell) {
            _ if cell == Cell::HEAD => " @@ ".to_owned(),
            Some(card) if is_hidden => format!("({card})"),
            Some(card) => format!(" {card} "),
            None if is_hidden => " ?? ".to_owned(),
            None => "  . ".to_owned(),
        };
        let on_it = self.colours().filter(|&colour| self.sledge(colour) == Some(cell));
        let sledges: String = on_it.map(Colour::initial).collect();
        let mark = if sledges.is_empty() { sledges } else { format!("<{sledges}") };
        format!("{card}{mark:4}")
    }

    /// `to_move COLOUR turn N decision WORD hidden N left COLOUR ...`.
    pub fn status(&self) -> String {
        let to_move = match self.decision {
            Decision::Over => "none".to_owned(),
            _ => self.chooser.to_string(),
        };
        let mut left: Vec<_> = self.colours().filter(|&colour| self.has_left(colour)).collect();
        left.sort_by_key(|&colour| self.rank(colour));
        let left: Vec<String> = left.iter().map(Colour::to_string).collect();
        let left = if left.is_empty() { "none".to_owned() } else { left.join(" ") };
        let (turn, word, hidden) = (self.turn, self.decision.words().0, self.hidden().len());
        format!("to_move {to_move} turn {turn} decision {word} hidden {hidden} left {left}")
    }
}
