//! The value of a position by brute force: alpha-beta over whole turns with a hash table.
//!
//! The solver adds bounds, move ordering and knowledge of the game to such a search. [`Brute`]
//! shares none of that code, so a mistake in either shows as a difference. [`minimax`] is simpler
//! still: it is the definition of the value and nothing else, and [`Brute`] is checked against it.

use std::collections::HashMap;

use pontifex::board::Cells;
use pontifex::game::{Color, Move, Position, Step, Value};

/// A search with a limit of positions, and a hash table that all its calls share. The table trusts
/// the 64-bit hash of a position. A collision is very improbable, and would make a test fail.
pub struct Brute {
    /// The least and the greatest possible value, by hash. Equal when the value is known.
    table: HashMap<u64, (Value, Value)>,
    /// The number of positions that may still be searched.
    budget: u64,
}

impl Brute {
    /// A search that stops after `limit` positions, counted over all calls.
    pub fn new(limit: u64) -> Brute {
        Brute { table: HashMap::new(), budget: limit }
    }

    /// The value of a position, or `None` if the limit is reached.
    pub fn value(&mut self, position: &Position) -> Option<Value> {
        self.search(position, Value::MIN, Value::MAX)
    }

    /// The value of a position, or `None` if the limit is reached. Faster if the value equals
    /// `guess`: a window of one value on either side then proves it. Otherwise a search with the
    /// full window follows.
    pub fn value_near(&mut self, position: &Position, guess: Value) -> Option<Value> {
        let (low, high) = (Value::new(guess.get() - 1), Value::new(guess.get() + 1));
        let value = self.search(position, low, high)?;
        if low < value && value < high { Some(value) } else { self.value(position) }
    }

    /// Fail-soft alpha-beta: a result inside the window is exact, one outside it is a bound. White
    /// maximizes, Red minimizes.
    fn search(&mut self, position: &Position, mut low: Value, mut high: Value) -> Option<Value> {
        if position.is_over() {
            return Some(Value::from(position.outcome()));
        }
        let entry = self.table.get(&position.hash()).copied();
        let (least, most) = entry.unwrap_or((Value::MIN, Value::MAX));
        if least >= high || least == most {
            return Some(least);
        }
        if most <= low {
            return Some(most);
        }
        self.budget = self.budget.checked_sub(1)?;
        let (window_low, window_high) = (low, high);
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
        // Inside the requested window, `best` is exact. Outside, it is a bound on one side, and the
        // other side keeps the bound of the table.
        let range = match (best > window_low, best < window_high) {
            (true, true) => (best, best),
            (true, false) => (best.max(least), most),
            (false, _) => (least, best.min(most)),
        };
        self.table.insert(position.hash(), range);
        Some(best)
    }
}

/// The positions after every turn, or after every second tile of a half-made turn. A swap is left
/// out, because it exchanges the players and leaves the board as it is.
fn successors(position: &Position) -> impl Iterator<Item = Position> {
    let (cells, mut moves) = if position.is_half_turn() {
        (position.tile_steps(), Vec::new())
    } else {
        (Cells::EMPTY, position.moves())
    };
    moves.retain(|&mv| mv != Move::Swap);
    let after = |steps: &mut dyn Iterator<Item = Step>| {
        let mut next = *position;
        steps.for_each(|step| next.make(step));
        next
    };
    let after_tiles = cells.into_iter().map(move |cell| after(&mut [Step::Tile(cell)].into_iter()));
    after_tiles.chain(moves.into_iter().rev().map(move |mv| after(&mut mv.steps())))
}

/// The value of a position by its definition, without a window. Only for very small positions.
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
