//! The table as text.

use super::card::Colour;
use super::cells::{Cell, SIDE};
use super::table::{Decision, Table};

impl Table {
    /// The board with coordinates, then a line for each player, then who decides.
    /// A hidden card is `??`, a known one in brackets; `@@` is the devil's head.
    pub(super) fn picture(&self) -> String {
        let columns = "     a       b       c       d       e       f       g";
        let mut lines = vec![columns.to_owned()];
        for row in (0..SIDE).rev() {
            let cells: String = (0..SIDE).map(|column| self.field(Cell::at(column, row))).collect();
            lines.push(format!("{} {}{}", row + 1, cells, row + 1));
        }
        lines.push(columns.to_owned());
        for colour in self.colours() {
            let devil = if self[colour].devil { "devil peg" } else { "" };
            let place = match self[colour].cell {
                _ if self[colour].left > 0 => format!("left, rank {}", self.rank(colour)),
                Some(cell) => cell.to_string(),
                None => "not placed".to_owned(),
            };
            lines.push(format!("{colour:6} {:6} {devil:9} {place}", self[colour].letters));
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
        let on_it = self.colours().filter(|&colour| self[colour].cell == Some(cell));
        let sledges: String = on_it.map(Colour::initial).collect();
        let mark = if sledges.is_empty() { sledges } else { format!("<{sledges}") };
        format!("{card}{mark:4}")
    }

    /// `to_move COLOUR turn N decision WORD hidden N left COLOUR ...`.
    pub(super) fn status(&self) -> String {
        let decision = format!("{:?}", self.decision).to_lowercase();
        let decision = decision.split('(').next().unwrap_or_default();
        let is_over = self.decision == Decision::Over;
        let to_move = if is_over { "none".to_owned() } else { self.chooser.to_string() };
        let mut left: Vec<_> = self.colours().filter(|&colour| self[colour].left > 0).collect();
        left.sort_by_key(|&colour| self.rank(colour));
        let left: Vec<String> = left.iter().map(Colour::to_string).collect();
        let left = if left.is_empty() { "none".to_owned() } else { left.join(" ") };
        let (turn, hidden) = (self.turn, self.hidden().len());
        format!("to_move {to_move} turn {turn} decision {decision} hidden {hidden} left {left}")
    }
}
