//! Under which conditions two engines play, in the words of the record of
//! experiments: `10x10 0.1s`, `12x12 1500 iterations`.

use crate::matches::plan::threads_of;
use pontifex::clock::Seconds;
use pontifex_tournament::{Limit, Tournament};

/// The board and the limits of a pairing.
pub(super) fn limit(tournament: &Tournament, pairing: [usize; 2]) -> String {
    let [a, b] = pairing.map(|engine| limit_of(tournament, engine));
    let size = tournament.rules.size.get();
    if a == b { format!("{size}x{size} {a}") } else { format!("{size}x{size} {a} against {b}") }
}

/// The limit of one engine, with its threads if they are known to be several.
fn limit_of(tournament: &Tournament, engine: usize) -> String {
    let limit = match tournament.limit_of(engine) {
        Limit::Move { seconds } => format!("{seconds}s"),
        Limit::Fischer { main, increment: Seconds::ZERO } => format!("{main}s per game"),
        Limit::Fischer { main, increment } => format!("{main}+{increment}s"),
        Limit::ByoYomi { main, period, periods } => format!("{main}+{period}x{periods}s"),
        Limit::Iterations { count: 1 } => "1 iteration".to_owned(),
        Limit::Iterations { count } => format!("{count} iterations"),
    };
    match threads_of(&tournament.engines[engine]) {
        0 | 1 => limit,
        threads => format!("{limit} {threads} threads"),
    }
}
