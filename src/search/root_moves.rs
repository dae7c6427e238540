//! Searches that leave moves out.

use std::collections::{HashMap, HashSet};

use super::AnalysisRequest;
use crate::eval::Evaluator;
use crate::game::{Move, Position, Step};

/// What lists the steps of a position with their priors.
type Priors = fn(&Evaluator, &Position, &mut Vec<(Step, f32)>);

/// Fills `steps` with those of `position` that are root_moves, with the priors
/// of `evaluator`.
pub(super) fn list(
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

/// The steps that belong to root_moves moves: of the root, and of what follows
/// its first tiles, by the hashes of these positions.
#[derive(Debug, Default)]
pub(super) struct RootMoves(HashMap<u64, HashSet<Step>>);

impl RootMoves {
    /// `None` when every move is root_moves, or none.
    pub(super) fn of(position: &Position, request: &AnalysisRequest) -> Option<RootMoves> {
        if !request.is_restricted() || !request.permits_any(position) {
            return None;
        }
        let mut root_moves = RootMoves::default();
        let mut permit = |position: &Position, step: Step| {
            root_moves.0.entry(position.hash()).or_default().insert(step);
        };
        for mv in position.moves().into_iter().filter(|&mv| request.permits(mv)) {
            let Move::Tiles(a, b) = mv else {
                position.steps_of(mv).for_each(|step| permit(position, step));
                continue;
            };
            for (first, second) in [(a, b), (b, a)] {
                let mut half = *position;
                half.make(Step::Tile(first));
                permit(position, Step::Tile(first));
                permit(&half, Step::Tile(second));
            }
        }
        Some(root_moves)
    }

    /// Leaves the others out of the steps of `position`; what the priors that
    /// remain add up to is 1.
    fn retain(&self, position: &Position, steps: &mut Vec<(Step, f32)>) {
        let Some(root_moves) = self.0.get(&position.hash()) else { return };
        steps.retain(|(step, _)| root_moves.contains(step));
        let sum: f32 = steps.iter().map(|(_, prior)| prior).sum();
        for (_, prior) in steps {
            *prior /= sum.max(f32::MIN_POSITIVE);
        }
    }
}
