//! The signature of the search: fixed searches of fixed positions. Their number of nodes is the
//! same on every machine, and changes only when the search's behaviour does.

use super::{Engine, Game, Options, SearchResult, StopSignal};
use crate::board::Size;
use crate::game::{Move, Position, Rules};

/// Search iterations for each position. Set by judgement: enough to exercise every part of the
/// search, and a fraction of a second for all positions.
pub const ITERATIONS: u64 = 2000;

/// The memory of the searches in MiB: more than they need, and available on every machine.
const MEMORY: usize = 64;

/// Positions from games between engines: opening, middle game, ending, on several boards.
const POSITIONS: &[(u64, &str)] = &[
    (10, "d4,e6"),
    (10, "d4,e6 c3,g6 d6,f7 f4,g8 c8,g5 b5,h3"),
    (
        10,
        "d4,e6 c3,g6 d6,f7 f4,g8 c8,g5 b5,h3 c6,d8 e2,i5 b3,i7 e8,g3 h8,i3 b7,c2 f2,j6 a5,b8 \
         b9,h6 e3,j4 d2,d9 a3,f9",
    ),
    (12, "f6,h8 e5,i8 f8,d6"),
    (8, "d4,e5 c3,f6 d6,f4"),
    (6, "c3,d4"),
];

/// The positions of the signature.
///
/// # Panics
/// If the table holds an illegal move, which a test rules out.
pub fn positions() -> impl ExactSizeIterator<Item = Position> {
    POSITIONS.iter().map(|&(size, moves)| {
        let size = Size::new(size).unwrap_or_default();
        let mut position = Position::new(Rules { size, pie: false, ..Rules::default() });
        for mv in moves.split_whitespace() {
            let mv: Move = mv.parse().expect("POSITIONS holds moves");
            position.play(mv).expect("POSITIONS holds legal moves");
        }
        position
    })
}

/// Searches the positions one by one, on one thread and each from scratch. The signature is the sum
/// of their [`SearchResult::nodes`].
///
/// ```
/// use pontifex::engine::bench;
///
/// let first = bench::searches().next().unwrap();
/// assert_eq!(first.iterations, bench::ITERATIONS);
/// assert!(first.nodes > 0);
/// ```
///
/// # Panics
/// If the table holds an illegal move, which a test rules out.
pub fn searches() -> impl ExactSizeIterator<Item = SearchResult> {
    positions().map(|position| {
        let mut options = Options { playouts: ITERATIONS, ..Options::default() };
        options.search.threads = 1;
        options.search.memory = MEMORY;
        let mut engine = Engine::new(options);
        engine.set_game(Game::at(&position));
        engine.search(&StopSignal::default()).expect("no game of POSITIONS is over")
    })
}
