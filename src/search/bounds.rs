use crate::game::{Color, Value};

/// What is proved of a position: with best play of both, its value is at
/// least `lower` and at most `upper`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// White gets at least this.
    pub lower: Value,
    /// White gets at most this.
    pub upper: Value,
}

impl Bounds {
    /// Nothing is proved.
    pub const UNKNOWN: Bounds = Bounds { lower: Value::MIN, upper: Value::MAX };

    /// The value is known to be `value`.
    pub const fn of(value: Value) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The value, if it is known.
    pub fn exact(self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Whether one bound is beyond 0 or both are 0: who wins, if anybody.
    pub fn is_decided(self) -> bool {
        self.lower > Value::DRAW || self.upper < Value::DRAW || self.exact() == Some(Value::DRAW)
    }

    /// What both prove together.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The same from `color`'s point of view, or back: `lower` is then the
    /// least that he gets.
    #[must_use]
    pub fn seen_by(self, color: Color) -> Bounds {
        match color {
            Color::White => self,
            Color::Red => Bounds { lower: -self.upper, upper: -self.lower },
        }
    }
}
