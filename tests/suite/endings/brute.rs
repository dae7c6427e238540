//! The value of a position by trying everything: whole turns, a memory and
//! nothing else in common with the solver.

use std::collections::HashMap;

use pontifex::board::Cells;
use pontifex::game::{Color, Move, Position, Step, Value};

/// Searches until it has looked at so many positions.
pub(crate) struct Brute {
    /// By hash: the value is in this range.
    memory: HashMap<u64, (Value, Value)>,
    left: u64,
}

impl Brute {
    /// A search that gives up after `limit` positions.
    pub(crate) fn new(limit: u64) -> Brute {
        Brute { memory: HashMap::new(), left: limit }
    }

    /// What the position is worth, or `None` when the limit is reached.
    pub(crate) fn value(&mut self, position: &Position) -> Option<Value> {
        self.search(position, Value::MIN, Value::MAX)
    }

    /// The same, looking only for values close to `guess`, which is faster:
    /// it proves the value where the guess is right and finds out where not.
    pub(crate) fn value_near(&mut self, position: &Position, guess: Value) -> Option<Value> {
        let (low, high) = (Value::new(guess.get() - 1), Value::new(guess.get() + 1));
        let found = self.search(position, low, high)?;
        if low < found && found < high { Some(found) } else { self.value(position) }
    }

    /// A value inside the window is exact, one outside a bound (fail-soft
    /// alpha-beta): white maximizes, red minimizes.
    fn search(&mut self, position: &Position, mut low: Value, mut high: Value) -> Option<Value> {
        if position.is_over() {
            return Some(Value::from(position.outcome()));
        }
        let known = self.memory.get(&position.hash()).copied();
        let (least, most) = known.unwrap_or((Value::MIN, Value::MAX));
        if least >= high || least == most {
            return Some(least);
        }
        if most <= low {
            return Some(most);
        }
        self.left = self.left.checked_sub(1)?;
        let (asked_low, asked_high) = (low, high);
        let maximizes = position.side() == Color::White;
        let mut best = if maximizes { Value::MIN } else { Value::MAX };
        for after in successors(position) {
            let value = self.search(&after, low, high)?;
            if maximizes {
                best = best.max(value);
                low = low.max(best);
            } else {
                best = best.min(value);
                high = high.min(best);
            }
            if low >= high {
                break;
            }
        }
        let range = match (best > asked_low, best < asked_high) {
            (true, true) => (best, best),
            (true, false) => (best.max(least), most),
            (false, _) => (least, best.min(most)),
        };
        self.memory.insert(position.hash(), range);
        Some(best)
    }
}

/// What the mover can make of a position: pass, the bridges, the placements;
/// swap aside, which changes seats and not the board.
fn successors(position: &Position) -> impl Iterator<Item = Position> {
    let (cells, mut moves) = if position.is_half_turn() {
        (position.tile_steps(), Vec::new())
    } else {
        (Cells::EMPTY, position.moves())
    };
    moves.retain(|&mv| mv != Move::Swap);
    let after = |steps: &mut dyn Iterator<Item = Step>| {
        let mut after = *position;
        steps.for_each(|step| after.make(step));
        after
    };
    let of_cells = cells.into_iter().map(move |cell| after(&mut [Step::Tile(cell)].into_iter()));
    of_cells.chain(moves.into_iter().rev().map(move |mv| after(&mut position.steps_of(mv))))
}

/// The value by the definition alone, without any window: what [`Brute`] is
/// checked against.
pub(crate) fn minimax(position: &Position, memory: &mut HashMap<u64, Value>) -> Value {
    if position.is_over() {
        return Value::from(position.outcome());
    }
    if let Some(&value) = memory.get(&position.hash()) {
        return value;
    }
    let values = successors(position).map(|after| minimax(&after, memory));
    let best = if position.side() == Color::White { values.max() } else { values.min() };
    let best = best.expect("a turn is always possible");
    memory.insert(position.hash(), best);
    best
}
