//! `data/endings.txt`: endings of engine games with values by brute force.

use pontifex::game::{Color, Position, Setup, Supply, Value};
use pontifex::search::Bounds;
use pontifex::search::solver::{Budget, Solver};

const ENDINGS: &str = include_str!("../data/endings.txt");

/// A line of the file.
pub(crate) struct Ending {
    /// The value with perfect play, as text.
    pub(crate) value: String,
    /// Whether some turn loses part of the value.
    is_delicate: bool,
    pub(crate) position: Position,
}

impl Ending {
    /// The value with perfect play.
    pub(crate) fn number(&self) -> Value {
        let found = (-1000..1000).map(Value::new).find(|value| value.to_string() == self.value);
        found.expect("the text of a value")
    }
}

/// All positions of the file.
pub(crate) fn endings() -> impl Iterator<Item = Ending> {
    ENDINGS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.splitn(4, ' ');
        let mut field = || fields.next().expect("four fields");
        let (value, _turns, mark, text) = (field(), field(), field(), field());
        let setup = Setup::parse(text, Supply::Standard, false).expect("a position");
        let position = setup.validate().expect("a legal position");
        Ending { value: value.to_owned(), is_delicate: mark == "!", position }
    })
}

#[test]
fn the_solver_proves_the_values_in_the_file() {
    let mut solver = Solver::new(16 << 20);
    let (mut count, mut delicate, mut solved) = (0, 0, 0);
    for Ending { value, is_delicate, position } in endings() {
        count += 1;
        delicate += usize::from(is_delicate);
        solver.clear();
        let mut stop = || false;
        let mut budget = Budget { nodes: 60_000, stop: &mut stop };
        let mut bounds = Bounds::UNKNOWN;
        let guess = Value::from(position.outcome());
        let solution = solver.solve_exactly(&position, guess, &mut bounds, &mut budget);
        if let Some(solution) = solution {
            solved += 1;
            assert_eq!(solution.value.to_string(), value, "{position}");
        }
    }
    println!("{solved} of {count} solved, {delicate} delicate");
    assert!(count >= 300 && delicate * 2 >= count, "{count} {delicate}");
    assert!(solved * 100 >= count * 97, "{solved} of {count}");
}

#[test]
fn bounds_of_leaves_hold() {
    let mut solver = Solver::new(1 << 20);
    let mut decided = 0;
    let mut count = 0;
    for Ending { value, position, .. } in endings() {
        count += 1;
        let bounds = solver.solve_leaf(&position, 200);
        decided += usize::from(bounds.is_decided());
        let winner = match value.chars().next() {
            Some('W') => Some(Color::White),
            Some('R') => Some(Color::Red),
            _ => None,
        };
        assert!(winner != Some(Color::White) || bounds.upper > Value::DRAW, "{position}");
        assert!(winner != Some(Color::Red) || bounds.lower < Value::DRAW, "{position}");
        assert!(
            !bounds.is_decided()
                || bounds.lower.winner() == winner
                || bounds.upper.winner() == winner
        );
    }
    println!("{decided} of {count} decided");
    assert!(decided * 3 > count, "{decided} of {count}");
}
