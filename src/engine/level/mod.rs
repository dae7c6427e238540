//! Levels: weaker opponents for people, whose strength does not depend on the
//! speed of the machine.

mod choice;
mod texts;

pub use texts::LevelText;

use std::fmt;

/// An opponent for people, from 1, the weakest, to [`Level::HIGHEST`].
///
/// ```
/// use pontifex::engine::{Engine, Level, Options};
///
/// let level = Level::new(3);
/// let engine = Engine::new(Options { level, ..Options::default() });
/// assert_eq!(engine.options().level.unwrap().number(), 3);
/// assert_eq!(level.unwrap().texts()[0].language, "en");
/// assert_eq!(Level::new(11), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// How a level plays. `docs/levels.md` describes the mechanism and the
/// calibration.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Manner {
    /// Iterations of the search in a turn; 0 chooses by first impression.
    iterations: u64,
    /// How freely the level departs from what it takes for best: at 1, a step
    /// that the prior finds e times less likely, or a move whose win rate is
    /// five percentage points lower, is e times less likely to be played.
    temperature: f32,
    /// Chance, per turn, of overlooking what the opponent can do: the level
    /// then plays by first impression and has eyes only for its own tiles.
    overlooks: f32,
    /// Preference for completing islands early, as a logit. Applies to first
    /// impressions.
    haste: f32,
}

/// The manners of the levels, from 1 on.
const MANNERS: [Manner; Level::HIGHEST as usize] = [
    manner(0, 8.0, 1.0, 3.0),
    manner(0, 1.9, 0.9, 3.0),
    manner(0, 1.0, 0.65, 2.0),
    manner(0, 0.65, 0.5, 1.5),
    manner(0, 0.4, 0.4, 1.0),
    manner(7, 0.4, 0.4, 0.5),
    manner(30, 0.4, 0.3, 0.5),
    manner(95, 0.35, 0.21, 0.0),
    manner(220, 0.3, 0.14, 0.0),
    manner(550, 0.2, 0.08, 0.0),
];

const fn manner(iterations: u64, temperature: f32, overlooks: f32, haste: f32) -> Manner {
    Manner { iterations, temperature, overlooks, haste }
}

impl Level {
    /// The number of the strongest level.
    pub const HIGHEST: u8 = 10;

    /// The level of this number; `None` if there is none.
    pub fn new(number: u8) -> Option<Level> {
        (1..=Self::HIGHEST).contains(&number).then_some(Level(number))
    }

    /// Every level, the weakest first.
    pub fn all() -> impl ExactSizeIterator<Item = Level> {
        (0..MANNERS.len() as u8).map(|index| Level(index + 1))
    }

    /// Its number, 1 to [`Level::HIGHEST`].
    pub fn number(self) -> u8 {
        self.0
    }

    /// The most iterations that its search takes in a turn.
    pub fn iterations(self) -> u64 {
        self.manner().iterations
    }

    fn manner(self) -> Manner {
        MANNERS[usize::from(self.0 - 1)]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_search_more_and_err_less() {
        for pair in MANNERS.windows(2) {
            let [below, above] = [pair[0], pair[1]];
            assert!(below.iterations <= above.iterations && above.iterations <= 1000);
            assert!(below.temperature >= above.temperature && above.temperature > 0.0);
            assert!(below.overlooks >= above.overlooks && below.haste >= above.haste);
            assert!(below != above);
        }
    }
}
