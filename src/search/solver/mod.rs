//! Exact endings: the value of a position with best play by both sides.
//!
//! The tree search estimates, and in an ending, where one point or one bridge decides, an estimate
//! is not enough. The solver proves. The search uses it in three ways: on the root, beside the
//! iterations; on small leaves, with very few nodes; and to find a step that keeps what is proved.
//!
//! The parts, in the order to read them:
//!
//! - `exact`: [`Solver`], which asks questions of the form "is the value at least *n*?" until only
//!   one value is left.
//! - `alpha_beta`: the search that answers one question.
//! - `bounds`: bounds on the value from the board alone. They are why the search reaches deep: the
//!   game is monotone. Candidates, open bridge sites and possible islands only become fewer, and
//!   scores only rise. So the bounds settle most positions long before the last pass.
//! - `order`: tries promising moves first.
//! - `table`: remembers what is proved.
//! - `size`: estimates how hard a position is to solve.
//!
//! [`Solver`] uses values for White; the parts below it use numbers for the side to move. The pie
//! rule is a choice of seats and does not change values; before White's first turn the solver
//! ignores it.

mod alpha_beta;
mod bounds;
mod exact;
mod order;
mod size;
mod table;

pub use alpha_beta::Budget;
pub use exact::{Solution, Solver};
pub(super) use size::is_small_enough;
#[doc(hidden)]
pub use size::size_estimate;
