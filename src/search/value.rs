//! The result of an iteration, and conversions to what a report shows.

use crate::game::{Color, Value};

/// The result of an iteration, or a mean of such results, for one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SearchValue {
    /// What the search maximises, 0 to 1: mostly the win rate, with a small
    /// share for the lead ([`super::Params::lead_share`]).
    pub(super) utility: f32,
    /// Win rate, 0 to 1.
    pub(super) win: f32,
    /// Lead in points.
    pub(super) lead: f32,
}

impl SearchValue {
    /// Converts between White's and `color`'s point of view, in either
    /// direction.
    pub(super) fn seen_by(self, color: Color) -> SearchValue {
        match color {
            Color::White => self,
            Color::Red => {
                SearchValue { utility: 1.0 - self.utility, win: 1.0 - self.win, lead: -self.lead }
            }
        }
    }
}

/// Win rate and lead in points of a proved result, for `mover`.
pub(super) fn exact_result(value: Value, mover: Color) -> (f64, f64) {
    let value = value.seen_by(mover);
    (f64::from(value.white_share()), f64::from(value.points()))
}

/// White's lead from `mover`'s point of view.
pub(super) fn lead_for(white_lead: f32, mover: Color) -> f32 {
    if mover == Color::White { white_lead } else { -white_lead }
}
