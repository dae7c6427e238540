//! A line of the data file of tactics: a position in which few moves are right, and how they were
//! found.

use std::fmt;

use pontifex::game::{Move, Position, Setup, Supply};
use pontifex::puzzles::Theme;

/// How the right moves were established.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The solver proves that all others lose value.
    Solver,
    /// A search of this many iterations chooses the move.
    Search(u64),
}

/// A position and its right moves.
#[derive(Debug)]
pub struct Tactic {
    /// The theme of each right move.
    pub theme: Theme,
    /// The evidence for `right`, which shows how reliable it is.
    pub evidence: Evidence,
    /// The value as the file has it: the exact value for White, or the win rate of the side to
    /// move.
    pub value: String,
    /// Whether every other move is known to change the result and not only the margin (`!` in the
    /// file, else `-`).
    pub is_decisive: bool,
    /// The source as the file has it: the number of turns to the end of the game that the position
    /// is from, or `-` for a study from a random game.
    pub source: String,
    /// The right moves, at least one.
    pub right: Vec<Move>,
    pub position: Position,
}

impl Tactic {
    /// Reads `THEME EVIDENCE VALUE MARK SOURCE RIGHT POSITION`.
    pub fn parse(line: &str) -> Tactic {
        let mut fields = line.splitn(7, ' ');
        let mut field = || fields.next().expect("seven fields");
        let theme = field().parse().expect("a theme");
        let evidence = match field().split_once(':') {
            None => Evidence::Solver,
            Some((_, count)) => Evidence::Search(count.parse().expect("iterations")),
        };
        let (value, mark, source) = (field(), field(), field());
        let right = field().split('/').map(|mv| mv.parse().expect("a move")).collect();
        let setup = Setup::parse(field(), Supply::Standard, false).expect("a position");
        let position = setup.validate().expect("a legal position");
        Tactic {
            theme,
            evidence,
            value: value.to_owned(),
            is_decisive: mark == "!",
            source: source.to_owned(),
            right,
            position,
        }
    }
}

impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.theme)?;
        match self.evidence {
            Evidence::Solver => write!(f, "solver ")?,
            Evidence::Search(iterations) => write!(f, "search:{iterations} ")?,
        }
        let mark = if self.is_decisive { '!' } else { '-' };
        let right: Vec<String> = self.right.iter().map(Move::to_string).collect();
        let (value, source) = (&self.value, &self.source);
        write!(f, "{value} {mark} {source} {} {}", right.join("/"), self.position)
    }
}
