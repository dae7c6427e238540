//! Searches that leave moves out.

use std::collections::{HashMap, HashSet};

use super::Inquiry;
use crate::eval::Evaluator;
use crate::game::{Move, Ply, Position};

/// What lists the plies of a position with their priors.
type Priors = fn(&Evaluator, &Position, &mut Vec<(Ply, f32)>);

/// Fills `plies` with those of `position` that are permitted, with the priors
/// of `evaluator`.
pub(super) fn list(
    evaluator: &Evaluator,
    priors: Priors,
    permitted: Option<&Permitted>,
    position: &Position,
    plies: &mut Vec<(Ply, f32)>,
) {
    priors(evaluator, position, plies);
    if let Some(permitted) = permitted {
        permitted.retain(position, plies);
    }
}

/// The plies that belong to permitted moves: of the root, and of what follows
/// its first tiles, by the hashes of these positions.
#[derive(Debug, Default)]
pub(super) struct Permitted(HashMap<u64, HashSet<Ply>>);

impl Permitted {
    /// `None` when every move is permitted, or none.
    pub(super) fn of(position: &Position, inquiry: &Inquiry) -> Option<Permitted> {
        if !inquiry.is_restricted() || !inquiry.permits_any(position) {
            return None;
        }
        let mut permitted = Permitted::default();
        let mut permit = |position: &Position, ply: Ply| {
            permitted.0.entry(position.hash()).or_default().insert(ply);
        };
        for mv in position.moves().into_iter().filter(|&mv| inquiry.permits(mv)) {
            let Move::Tiles(a, b) = mv else {
                position.plies_of(mv).for_each(|ply| permit(position, ply));
                continue;
            };
            for (first, second) in [(a, b), (b, a)] {
                let mut half = *position;
                half.make(Ply::Tile(first));
                permit(position, Ply::Tile(first));
                permit(&half, Ply::Tile(second));
            }
        }
        Some(permitted)
    }

    /// Leaves the others out of the plies of `position`; what the priors that
    /// remain add up to is 1.
    fn retain(&self, position: &Position, plies: &mut Vec<(Ply, f32)>) {
        let Some(permitted) = self.0.get(&position.hash()) else { return };
        plies.retain(|(ply, _)| permitted.contains(ply));
        let sum: f32 = plies.iter().map(|(_, prior)| prior).sum();
        for (_, prior) in plies {
            *prior /= sum.max(f32::MIN_POSITIVE);
        }
    }
}
