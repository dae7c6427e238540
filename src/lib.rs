//! Rules, search and protocol for the board game *Ponte del Diavolo* (Martin Ebel, 2007).
//!
//! The crate is an engine and the library behind it. Most programs need only
//! [`Engine`](engine::Engine), which plays and analyses a game, and the types of its interface:
//! [`Position`](game::Position), [`Move`](game::Move) and [`Record`](notation::Record). This page
//! is an overview: one paragraph per module, from the bottom up. A module depends only on those
//! above it in this list.
//!
//! - [`board`]: geometry that never changes. Sizes from 4×4 to 12×12, cells, sets of cells as
//!   bitboards, the sites where bridges can stand.
//! - [`game`]: the rules. [`Position`](game::Position) with legal moves, networks (incremental
//!   union-find), score and outcome. Untrusted input is a [`Setup`](game::Setup); only validation
//!   turns it into a position. A move that breaks a rule is an [`IllegalMove`](game::IllegalMove),
//!   which names the rule and the cells. `docs/rules.md` states the rules.
//! - [`notation`]: moves, positions and game records as text: SGF, Abstract Play, Boardspace, move
//!   lists.
//! - [`render`]: a board as text, as SVG and, with the feature `png`, as PNG.
//! - [`clock`]: time controls, clocks, and the time for each move.
//! - [`eval`]: the evaluation of positions and the prior of moves, fitted to the engine's own
//!   games; random numbers and rollouts.
//! - [`search`]: parallel Monte Carlo tree search (PUCT over steps: one tile, a bridge or a pass)
//!   with exact solving of endings.
//! - [`engine`]: one game, its options and clocks, and the search. Every front end uses
//!   [`Engine`](engine::Engine) and nothing deeper.
//! - [`analysis`]: why a move is good, and the review of whole games.
//! - [`puzzles`]: positions with provable answers, how they are found in games and how a move is
//!   judged.
//! - [`gtp`]: the engine as a GTP program: framing, session, commands, GoGui.
//! - [`json`]: analysis queries as JSON lines.
//!
//! The programs around it are crates of their own in the same repository; its `CONTRIBUTING.md`
//! describes them.
//!
//! # Example
//! Play a move against the engine, analyse the position, read a record.
//!
//! ```
//! use pontifex::engine::{AnalysisRequest, Answer, Engine, Options, StopSignal};
//! use pontifex::game::{Color, Move};
//! use pontifex::notation::Record;
//!
//! // 200 search iterations per move on one thread: the same result on every machine.
//! let mut options = Options { playouts: 200, ..Options::default() };
//! options.search.threads = 1;
//! let mut engine = Engine::new(options);
//! let stop = StopSignal::default();
//!
//! engine.play(Color::White, "d4,e6".parse()?)?;
//! let answer = engine.genmove(Color::Red, &stop)?;
//! assert!(matches!(answer, Answer::Move(_)));
//! assert_eq!(engine.game().len(), 2);
//!
//! // An illegal move is an error that names the rule it breaks.
//! let side = engine.position().side();
//! let error = engine.play(side, "d4,e6".parse()?).unwrap_err();
//! println!("{error}");
//!
//! let analysis = engine.analyze(&AnalysisRequest::default(), false, &stop, &mut |_| {}).finish()?;
//! let best = &analysis.moves[0];
//! assert!(engine.position().check(best.mv).is_ok());
//! assert!((0.0..=1.0).contains(&best.winrate));
//!
//! let record = Record::parse("d4,e6 c3,g6 d4-e6")?;
//! let moves: Vec<Move> = record.moves.iter().map(|recorded| recorded.mv).collect();
//! assert_eq!(moves.len(), 3);
//! assert_eq!(record.position_after(3)?.side(), Color::Red);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Implements serde for a type as text: `Display` writes it and `FromStr` parses it. In the page's
/// TypeScript the type is an alias of `string`, so that the declarations of messages name the
/// strings they expect.
macro_rules! text_in_json {
    ($type:ident) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$type, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }

        #[cfg(feature = "ts")]
        impl ts_rs::TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(_: &ts_rs::Config) -> String {
                stringify!($type).to_owned()
            }

            fn inline(_: &ts_rs::Config) -> String {
                "string".to_owned()
            }

            fn decl(_: &ts_rs::Config) -> String {
                concat!("type ", stringify!($type), " = string;").to_owned()
            }

            fn output_path() -> Option<std::path::PathBuf> {
                Some(stringify!($type).into())
            }
        }
    };
}

pub mod analysis;
pub mod board;
pub mod clock;
pub mod engine;
pub mod eval;
#[doc(hidden)]
pub mod files;
pub mod game;
pub mod gtp;
pub mod json;
#[doc(hidden)]
pub mod messages;
pub mod notation;
pub mod puzzles;
pub mod render;
pub mod search;
