//! The value of a position by brute force: alpha-beta over whole turns with a
//! hash table.
//!
//! It shares no code with the solver, and none of its knowledge of the game: a mistake in one of
//! them shows as a difference. [`minimax`] is simpler still, the definition of the value and
//! nothing else.

use std::collections::HashMap;

use pontifex::board::Cells;
use pontifex::game::{Color, Move, Position, Step, Value};

/// A search with a limit of positions and a hash table for all its questions. The table trusts
/// the 64-bit hash of a position: a collision, which is very improbable, would be a failing test.
pub struct Brute {
    /// The range of the value, by hash.
    table: HashMap<u64, (Value, Value)>,
    /// The positions left to search.
    left: u64,
}

impl Brute {
    /// A search that gives up after `limit` positions, counted over all questions.
    pub fn new(limit: u64) -> Brute {
        Brute { table: HashMap::new(), left: limit }
    }

    /// The value of a position, or `None` if the limit is reached.
    pub fn value(&mut self, position: &Position) -> Option<Value> {
        self.search(position, Value::MIN, Value::MAX)
    }

    /// The value of a position, found faster if it equals `guess`: a window of three values
    /// proves it, and only if it fails the full window follows.
    pub fn value_near(&mut self, position: &Position, guess: Value) -> Option<Value> {
        let (low, high) = (Value::new(guess.get() - 1), Value::new(guess.get() + 1));
        let found = self.search(position, low, high)?;
        if low < found && found < high { Some(found) } else { self.value(position) }
    }

    /// Fail-soft alpha-beta: a result inside the window is exact, one outside is
    /// a bound. White maximizes, Red minimizes.
    fn search(&mut self, position: &Position, mut low: Value, mut high: Value) -> Option<Value> {
        if position.is_over() {
            return Some(Value::from(position.outcome()));
        }
        let known = self.table.get(&position.hash()).copied();
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
        // Inside the window the value is exact; at an end of it, `best` bounds it from one side.
        let range = match (best > asked_low, best < asked_high) {
            (true, true) => (best, best),
            (true, false) => (best.max(least), most),
            (false, _) => (least, best.min(most)),
        };
        self.table.insert(position.hash(), range);
        Some(best)
    }
}

/// The positions after every turn or second tile. Swap is left out: it
/// exchanges the players and not the board.
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

/// The value by its definition, without a window. [`Brute`] is checked against
/// it.
pub fn minimax(position: &Position, table: &mut HashMap<u64, Value>) -> Value {
    if position.is_over() {
        return Value::from(position.outcome());
    }
    if let Some(&value) = table.get(&position.hash()) {
        return value;
    }
    let values = successors(position).map(|after| minimax(&after, table));
    let best = if position.side() == Color::White { values.max() } else { values.min() };
    let best = best.expect("a turn is always possible");
    table.insert(position.hash(), best);
    best
}
