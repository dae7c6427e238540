//! The smallest board, solved from the first turn.

use pontifex::board::Size;
use pontifex::game::{Position, Rules, Supply, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::Solver;

use super::small::unlimited;

#[test]
fn four_by_four_is_a_draw() {
    let rules = Rules { size: Size::MIN, supply: Supply::Standard, pie: false };
    let mut solver = Solver::new(64 << 20);
    let position = Position::new(rules);
    let mut bounds = Bounds::UNKNOWN;
    let mut stop = || false;
    let solution =
        solver.solve_exactly(&position, Value::DRAW, &mut bounds, &mut unlimited(&mut stop));
    eprintln!("{} nodes", solver.nodes());
    assert_eq!(solution.expect("no limit").value, Value::DRAW);
}
