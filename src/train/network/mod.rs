//! Training of the network: what `pontifex train` does.
//!
//! [`TrainGames`] are what `pontifex selfplay` made. A window of them at a
//! time becomes positions (`sample`), which are shuffled and learnt, a batch
//! a step, each turned or mirrored by chance (`images`): through the network
//! and back (`gradient`, `heads`), then down the gradient (`adam`). The
//! weights are floating-point numbers (`model`) until the network is finished
//! (`integers`).
//!
//! [`TrainOptions`] and the games decide all of it, whatever the number of
//! threads and however often it was interrupted (`training`); a [`TrainJob`]
//! keeps its files: network, `checkpoint`, `curves` and their picture
//! (`chart`).

mod adam;
mod chart;
mod checkpoint;
mod curves;
mod games;
mod gradient;
mod heads;
mod images;
mod integers;
mod job;
mod losses;
mod model;
mod options;
mod sample;
mod trainer;
mod training;

pub use self::curves::Row;
pub use self::games::TrainGames;
pub use self::job::{TrainError, TrainJob};
pub use self::losses::Summary;
pub use self::options::TrainOptions;
use crate::eval::Random;

/// Puts all in an order that `random` decides.
fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for n in (1..all.len()).rev() {
        all.swap(n, random.below(n as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests;
