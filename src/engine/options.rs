//! The engine's options and the search limits that follow from them.

use std::time::Duration;

use super::Level;
use crate::clock::{Allotment, Clock, Seconds};
use crate::eval::{EvaluatorKind, WeightsSource};
use crate::game::{Position, Rules};
use crate::search::{Config, Early, Limits, Params};

/// The engine's options. [`PARAMS`](super::PARAMS) sets each of them by name.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Board size, supply and pie rule of the next game.
    pub rules: Rules,
    /// Configuration of the search.
    pub search: Config,
    /// The most time a move, with and without a clock. `None` is no bound
    /// under a clock. Without a clock it is [`Options::DEFAULT_TIME`], or no
    /// time limit when `playouts` sets a limit.
    pub time: Option<Seconds>,
    /// Search iterations a turn; 0 is no limit.
    pub playouts: u64,
    /// Milliseconds of a move's time reserved for transmitting the answer; at
    /// most a quarter of the time is.
    pub move_overhead: u64,
    /// The win rate below which the engine resigns; 0 is never.
    pub resign: f64,
    /// Whether to search in the opponent's time. Levels do not.
    pub ponder: bool,
    /// The opponent that [`Engine::genmove`](super::Engine::genmove) plays;
    /// `None` is full strength. Analyses ignore it.
    pub level: Option<Level>,
    /// How long a search on one thread goes on before it
    /// [pauses](crate::search::finish); `None` is to its end. Results do not
    /// depend on it.
    pub slice: Option<Duration>,
}

impl Options {
    /// Time a move when no limit is set.
    pub const DEFAULT_TIME: Seconds = Seconds::whole(2);

    /// The limits of the next search.
    pub(super) fn limits(&self, clock: &Clock, position: &Position) -> Limits {
        let move_overhead = Duration::from_millis(self.move_overhead);
        let without_clock = match (self.time, self.playouts) {
            (Some(time), _) => Some(time),
            (None, 0) => Some(Self::DEFAULT_TIME),
            (None, _) => None,
        };
        let bounded = |allotment: Allotment| self.time.map_or(allotment, |t| allotment.at_most(t));
        let under_clock = clock.allot(position).map(bounded);
        let allotment = under_clock.or(without_clock.map(Allotment::fixed));
        let duration = |time: Seconds| {
            let time = time.duration();
            time.saturating_sub(move_overhead.min(time / 4))
        };
        Limits {
            time: allotment.map(|allotment| duration(allotment.most)),
            usual: allotment.filter(|a| a.usual < a.most).map(|a| duration(a.usual)),
            iterations: (self.playouts > 0).then_some(self.playouts),
            early: Early::Never,
            slice: self.slice,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rules: Rules::default(),
            search: Config {
                threads: std::thread::available_parallelism().map_or(1, usize::from),
                memory: 1024,
                seed: 1,
                evaluator: EvaluatorKind::Linear,
                weights: WeightsSource::built_in(),
                params: Params::default(),
            },
            time: None,
            playouts: 0,
            move_overhead: 10,
            resign: 0.0,
            ponder: false,
            level: None,
            slice: None,
        }
    }
}
