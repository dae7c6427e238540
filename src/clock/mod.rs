//! Time controls, clocks and the allotment of time to moves.

mod clock;
mod limit;
mod seat;

pub use clock::{Allotment, Clock, TimeControl};
pub use limit::{Limit, LimitError};
pub use seat::SeatClock;
