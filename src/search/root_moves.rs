//! Restricts a search to some moves at the root.

use std::collections::{HashMap, HashSet};

use super::request::AnalysisRequest;
use crate::eval::Evaluator;
use crate::game::{Move, Position, Step};

/// Lists the steps of a position with their priors.
type Priors = fn(&Evaluator, &Position, &mut Vec<(Step, f32)>);

/// Fills `steps` with the steps of `position` that `root_moves` allows, with
/// priors that sum to 1.
pub(super) fn list_steps(
    evaluator: &Evaluator,
    priors: Priors,
    root_moves: Option<&RootMoves>,
    position: &Position,
    steps: &mut Vec<(Step, f32)>,
) {
    priors(evaluator, position, steps);
    if let Some(root_moves) = root_moves {
        root_moves.retain(position, steps);
    }
}

/// The steps of the moves to consider, by the hash of the position: the root,
/// and the positions after a first tile.
#[derive(Debug, Default)]
pub(super) struct RootMoves(HashMap<u64, HashSet<Step>>);

impl RootMoves {
    /// `None` when the request considers all legal moves, or none of them.
    pub(super) fn of(position: &Position, request: &AnalysisRequest) -> Option<RootMoves> {
        if !request.is_restricted() || !request.permits_any(position) {
            return None;
        }
        let mut root_moves = RootMoves::default();
        let mut allow = |position: &Position, step: Step| {
            root_moves.0.entry(position.hash()).or_default().insert(step);
        };
        for mv in position.moves().into_iter().filter(|&mv| request.permits(mv)) {
            let Move::Tiles(a, b) = mv else {
                position.steps_of(mv).for_each(|step| allow(position, step));
                continue;
            };
            for (first, second) in [(a, b), (b, a)] {
                let mut half = *position;
                half.make(Step::Tile(first));
                allow(position, Step::Tile(first));
                allow(&half, Step::Tile(second));
            }
        }
        Some(root_moves)
    }

    /// Removes all other steps of `position` and normalises the remaining
    /// priors to sum to 1.
    fn retain(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        let Some(allowed) = self.0.get(&position.hash()) else { return };
        steps.retain(|(step, _)| allowed.contains(step));
        let sum: f32 = steps.iter().map(|(_, prior)| prior).sum();
        for (_, prior) in steps {
            *prior /= sum.max(f32::MIN_POSITIVE);
        }
    }
}
