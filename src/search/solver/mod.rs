//! Exact endings: the value of a position with best play by both sides.
//!
//! A fail-soft alpha-beta search over whole turns (`alpha_beta`) with a hash
//! table (`table`). It reaches deep because the game is monotone: candidates,
//! open bridge sites and possible islands only become fewer, and scores only
//! rise. Cheap bounds on the final score (`bounds`) therefore settle most
//! positions long before the last pass. Turns are tried in order of promise
//! (`order`).
//!
//! Values are White's point of view. The pie rule is a choice of seats and does
//! not change them; before White's first turn the solver ignores it.

mod alpha_beta;
mod bounds;
mod exact;
mod order;
mod table;

pub use alpha_beta::Budget;
pub(super) use bounds::is_small_enough;
#[doc(hidden)]
pub use bounds::size_estimate;
pub use exact::{Solution, Solver};
