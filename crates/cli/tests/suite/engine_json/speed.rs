//! Queries as a library call, and their time compared with that of plain searches.

use std::io::Cursor;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use pontifex::engine::{AnalysisRequest, Engine, Options, StopSignal};
use pontifex::json::Settings;
use serde_json::json;

use super::{Turn, test_turns};

/// Queries against plain searches of the same positions.
struct Comparison {
    turns: Vec<Turn>,
    options: Options,
    /// The queries, one per line.
    input: String,
}

impl Comparison {
    const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();

    fn new(positions: usize) -> Comparison {
        let mut options = Options { playouts: 800, ..Options::default() };
        (options.search.threads, options.search.memory) = (1, 512);
        let query = |(number, turn): (usize, &Turn)| {
            let moves = &turn.moves[..turn.number];
            format!(
                "{}\n",
                json!({ "id": number.to_string(), "moves": moves, "rules": turn.rules })
            )
        };
        let turns = test_turns(positions);
        let input = turns.iter().enumerate().map(query).collect();
        Comparison { turns, options, input }
    }

    /// Answers all queries, two positions at a time. Returns the elapsed time.
    fn query(&self) -> Duration {
        let (start, mut output) = (Instant::now(), Vec::new());
        let mut options = self.options.clone();
        options.search.memory *= 2;
        let settings = Settings { options, positions: Self::THREADS, points: false, warns: true };
        let input = Cursor::new(self.input.clone());
        pontifex::json::run(settings, input, &mut output, &AtomicBool::new(false)).unwrap();
        let answered = String::from_utf8(output).unwrap().matches("\"moveInfos\":[{").count();
        assert_eq!(answered, self.turns.len());
        start.elapsed()
    }

    /// Searches all positions on two threads. Returns the elapsed time.
    fn search(&self) -> Duration {
        let (start, next) = (Instant::now(), AtomicUsize::new(0));
        let work = || {
            let mut engine = Engine::new(self.options.clone());
            while let Some(turn) = self.turns.get(next.fetch_add(1, Relaxed)) {
                engine.set_position(turn.position()).unwrap();
                let (request, stop) = (AnalysisRequest::default(), StopSignal::default());
                engine.analyze(&request, false, &stop, &mut |_| {}).finish().unwrap();
            }
        };
        thread::scope(|scope| {
            scope.spawn(work);
            scope.spawn(work);
        });
        start.elapsed()
    }
}

/// Queries as a library call, without a process.
#[test]
fn a_session_in_memory_answers_all_queries() {
    Comparison::new(4).query();
}

#[test]
#[ignore = "measures time: needs an idle machine"]
fn queries_cost_little_beside_the_searches() {
    let comparison = Comparison::new(400);
    // Rounds alternate, and the best of each counts, because other programs interfere.
    let (mut queries, mut plain) = (Duration::MAX, Duration::MAX);
    for _ in 0..5 {
        (queries, plain) = (queries.min(comparison.query()), plain.min(comparison.search()));
    }
    let ratio = plain.as_secs_f64() / queries.as_secs_f64();
    println!("400 positions: queries {queries:.2?}, searches {plain:.2?}, {ratio:.3}");
    // Queries may cost a tenth of the speed: the number in tests/README.md.
    assert!(ratio >= 0.9, "{ratio}");
}
