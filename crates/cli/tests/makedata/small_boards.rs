//! Lines for `small_boards.txt`: White's first turns on small boards, solved.

use anyhow::Context;
use pontifex::board::Size;
use pontifex::game::{Color, Move, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::{Budget, Solver};

use pontifex_testing::small_boards::{Opening, empty, placements};

/// Prints a line for each of `openings`, or for all if there are none. `nodes` limits the positions
/// for each question to the solver.
pub(crate) fn print(board: u64, openings: Vec<Move>, nodes: u64) -> anyhow::Result<()> {
    let size = Size::new(board)?;
    for &mv in &openings {
        empty(size).play(mv).with_context(|| mv.to_string())?;
    }
    let openings = if openings.is_empty() { placements(size) } else { openings };
    let mut solver = Solver::new(512 << 20);
    for placement in openings {
        println!("{}", solve(size, placement, &mut solver, nodes));
        solver.advance();
    }
    Ok(())
}

/// Solves an opening: whether White loses, whether White wins, and by how much, with at most
/// `nodes` positions for each of these questions.
fn solve(size: Size, placement: Move, solver: &mut Solver, nodes: u64) -> Opening {
    let before = solver.nodes();
    let mut opening = Opening { size, placement, bounds: Bounds::UNKNOWN, nodes: 0 };
    let position = opening.position();
    let mut stop = || false;
    for (alpha, beta) in [(-1, 0), (0, 1)] {
        let (alpha, beta) = (Value::new(alpha), Value::new(beta));
        if opening.bounds.upper <= alpha {
            break;
        }
        let mut budget = Budget { nodes, stop: &mut stop };
        if let Some(bounds) = solver.solve(&position, alpha, beta, &mut budget) {
            opening.bounds = opening.bounds.and(bounds);
        }
    }
    if opening.bounds.is_decided() {
        let guess = match opening.bounds.lower.winner() {
            Some(Color::White) if opening.bounds.lower > Value::MIN => opening.bounds.lower,
            _ => opening.bounds.upper,
        };
        let mut budget = Budget { nodes, stop: &mut stop };
        let _ = solver.solve_exactly(&position, guess, &mut opening.bounds, &mut budget);
    }
    opening.nodes = solver.nodes() - before;
    opening
}
