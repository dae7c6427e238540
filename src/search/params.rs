use super::node::Result;
use super::bounds::Bounds;
use crate::game::{Color, Value};

/// The numbers that shape the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Params {
    /// Weight of the prior against the value (c in PUCT).
    pub(super) exploration: f32,
    /// How much lower than its node's value an unopened ply is taken to be
    /// when all others are opened; by the square root of their priors' sum.
    pub(super) first_play_reduction: f32,
    /// Share of the lead in the utility, the rest is the winning chance.
    pub(super) lead_share: f32,
    /// The lead in points that counts half of the largest.
    pub(super) lead_scale: f32,
    /// Share of a turn's time and iterations for its first ply.
    pub(super) first_ply_share: f64,
    /// Standard errors below the mean at which root plies are compared in
    /// the end; plies with few visits have large ones. 0 compares visits.
    pub(super) lcb: f32,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            exploration: 0.8,
            first_play_reduction: 0.2,
            lead_share: 0.1,
            lead_scale: 10.0,
            first_ply_share: 0.7,
            lcb: 0.0,
        }
    }
}

impl Params {
    /// A winning chance and a lead, both of one player, as what the search
    /// maximises: a small share for the lead, so that leads grow and defeats
    /// are kept close.
    pub(super) fn utility(&self, win: f32, lead: f32) -> f32 {
        let lead = lead / self.lead_scale;
        win + self.lead_share * (0.5 + 0.5 * lead / (1.0 + lead.abs()) - win)
    }

    /// White's result, as far as `bounds` allow it.
    pub(super) fn within(&self, bounds: Bounds, result: Result) -> Result {
        if bounds == Bounds::UNKNOWN {
            return result;
        }
        let (lo, hi) = (self.exact(bounds.lower), self.exact(bounds.upper));
        Result {
            utility: result.utility.clamp(lo.utility, hi.utility),
            win: result.win.clamp(lo.win, hi.win),
            lead: result.lead.clamp(lo.lead, hi.lead),
        }
    }

    /// An exact result, for White.
    pub(super) fn exact(&self, value: Value) -> Result {
        let (win, lead) = (value.white_share(), value.points());
        Result { utility: self.utility(win, lead), win, lead }
    }
}

impl Result {
    /// White's result for `color`, or the other way round.
    pub(super) fn seen_by(self, color: Color) -> Result {
        match color {
            Color::White => self,
            Color::Red => {
                Result { utility: 1.0 - self.utility, win: 1.0 - self.win, lead: -self.lead }
            }
        }
    }
}
