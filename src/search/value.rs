use crate::game::{Color, Outcome, Position, Tiebreak};

/// An exact result from White's side, ordered as results are: 0 is a draw, ±1
/// a win on bridges, ±2 one on islands, ±(2 + n) one by n points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(i16);

impl Value {
    /// Lower than any result.
    pub const MIN: Value = Value(i16::MIN);
    /// Higher than any result.
    pub const MAX: Value = Value(i16::MAX);
    /// A draw.
    pub const DRAW: Value = Value(0);

    /// The result of `position` if the game ended as the board stands.
    pub fn of(position: &Position) -> Value {
        match position.outcome() {
            Outcome::Draw => Value::DRAW,
            Outcome::Win { winner, by, margin } => {
                let size = match by {
                    Tiebreak::Bridges => 1,
                    Tiebreak::Islands => 2,
                    Tiebreak::Points => 2 + margin as i16,
                };
                Value(if winner == Color::White { size } else { -size })
            }
        }
    }

    /// A value of this number.
    pub const fn new(number: i16) -> Value {
        Value(number)
    }

    /// The number: see [`Value`].
    pub const fn get(self) -> i16 {
        self.0
    }

    /// 1, ½ or 0: White's result.
    pub fn white_win(self) -> f32 {
        match self.0 {
            1.. => 1.0,
            0 => 0.5,
            _ => 0.0,
        }
    }

    /// White's lead in points.
    pub fn lead(self) -> f32 {
        f32::from(self.0.signum() * (self.0.saturating_abs() - 2).max(0))
    }

    /// The number seen from `color`: higher is better for him.
    pub fn number_for(self, color: Color) -> i16 {
        if color == Color::White { self.0 } else { self.0.saturating_neg() }
    }
}

/// What is proved of a position: its value, with best play of both, is
/// neither below `lo` nor above `hi`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least this.
    pub lo: Value,
    /// At most this.
    pub hi: Value,
}

impl Bounds {
    /// Nothing is proved.
    pub const UNKNOWN: Bounds = Bounds { lo: Value::MIN, hi: Value::MAX };

    /// The value is known.
    pub const fn exact(value: Value) -> Bounds {
        Bounds { lo: value, hi: value }
    }

    /// Whether the value is known.
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    /// What both prove together.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The least `color` can have.
    pub fn floor(self, color: Color) -> i16 {
        (if color == Color::White { self.lo } else { self.hi }).number_for(color)
    }

    /// The most `color` can have.
    pub fn ceiling(self, color: Color) -> i16 {
        (if color == Color::White { self.hi } else { self.lo }).number_for(color)
    }
}
