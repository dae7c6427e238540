//! A line of `data/tactics.txt`.

use std::fmt;

use pontifex::game::{Move, Position, Setup, Supply};

use super::theme::Theme;

/// How the right turns were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Evidence {
    /// The solver proves that all others lose value.
    Solver,
    /// A search of so many iterations prefers the turn.
    Search(u64),
}

/// A position and what is right in it.
#[derive(Debug)]
pub(crate) struct Tactic {
    pub(crate) theme: Theme,
    pub(crate) evidence: Evidence,
    /// The exact value, or the mover's winning chance.
    pub(crate) value: String,
    /// `!` when every other turn changes the result, `-` when some change
    /// only the margin or it is not known.
    pub(crate) is_decisive: bool,
    /// In how many turns the game it is from was over, or `-`.
    pub(crate) source: String,
    pub(crate) right: Vec<Move>,
    pub(crate) position: Position,
}

impl Tactic {
    /// Reads `THEME EVIDENCE VALUE MARK SOURCE RIGHT POSITION`.
    pub(crate) fn parse(line: &str) -> Tactic {
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

    /// Whether it is about something else than tempo and space, as most are.
    pub(crate) fn is_rare(&self) -> bool {
        !matches!(self.theme, Theme::Tempo | Theme::Space | Theme::Quiet)
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
