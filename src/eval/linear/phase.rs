//! The phase of the game: how much room the board still has. Weights are given
//! at four phases and interpolated linearly between them.

use crate::game::{Color, Position};

/// The number of phases.
pub(crate) const PHASES: usize = 33;

/// The phases for which there are weights.
pub const KNOTS: [usize; 4] = [0, 6, 14, 24];

/// The phase of `position`, from 0 when neither side can place a tile up to
/// [`PHASES`] - 1 when every cell is free.
#[inline(always)]
pub fn phase(position: &Position) -> usize {
    let candidates = Color::BOTH.map(|color| position.candidates(color));
    let mut room = (candidates[0] | candidates[1]).len();
    if let (Some(a), Some(b)) = (position.tiles_left(Color::White), position.tiles_left(Color::Red))
    {
        room = room.min(u32::from(a) + u32::from(b));
    }
    let size = u32::from(position.size().get());
    room as usize * (PHASES - 1) / (size * size) as usize
}

/// The weight at `phase`, given the weights at the knots.
pub(super) fn at_phase(knots: &[f32], phase: usize) -> f32 {
    let (low, share) = between(phase);
    knots[low] * (1.0 - share) + knots[low + 1] * share
}

/// The index of the knot below `phase`, and how far `phase` is from there to
/// the next knot, 0 to 1.
pub fn between(phase: usize) -> (usize, f32) {
    let phase = phase.clamp(KNOTS[0], KNOTS[KNOTS.len() - 1]);
    let low = (1..KNOTS.len() - 1).filter(|&knot| KNOTS[knot] <= phase).count();
    let width = KNOTS[low + 1] - KNOTS[low];
    (low, (phase - KNOTS[low]) as f32 / width as f32)
}
