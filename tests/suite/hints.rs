//! How much hints have to say, measured in games of a level against itself.

use std::collections::BTreeMap;
use std::env;

use pontifex::analysis::purposes;
use pontifex::engine::{AnalysisRequest, Answer, Engine, Level, Options, StopSignal};
use pontifex::game::{Move, Position, Rules};
use serde_json::json;

fn options(seed: u64, level: Option<u8>) -> Options {
    let rules = Rules { pie: true, ..Rules::default() };
    let level = level.and_then(Level::new);
    let mut options = Options { rules, level, playouts: 1000, ..Options::default() };
    options.search.seed = seed;
    options.search.memory = 64;
    options.search.threads = 1;
    options
}

/// The positions of a game of level 3 against itself.
fn positions(seed: u64) -> Vec<Position> {
    let mut engine = Engine::new(options(seed, Some(3)));
    let mut positions = Vec::new();
    while !engine.position().is_over() {
        positions.push(*engine.position());
        let side = engine.position().side();
        let answer = engine.genmove(side, &StopSignal::default()).unwrap();
        assert!(matches!(answer, Answer::Move(_)));
    }
    positions
}

/// The engine's best move.
fn hint(engine: &mut Engine, position: &Position) -> Move {
    engine.set_position(*position).unwrap();
    let stop = StopSignal::default();
    let request = AnalysisRequest::default();
    let analysis = engine.analyze(&request, false, &stop, &mut |_| {}).finish().unwrap();
    analysis.moves[0].mv
}

#[test]
#[ignore = "a measurement: 20 games and a search at each turn"]
fn hints_seldom_have_nothing_to_say_but_space() {
    let games = env::var("PONTIFEX_HINT_GAMES").map_or(20, |text| text.parse().unwrap());
    let mut engine = Engine::new(options(1, None));
    let (mut hints, mut thin) = (0, 0);
    let mut said: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..games {
        for position in positions(seed) {
            let mv = hint(&mut engine, &position);
            let found: Vec<_> = purposes(&position, mv).iter().map(|each| json!(each)).collect();
            let codes: Vec<&str> = found.iter().filter_map(|each| each["code"].as_str()).collect();
            hints += 1;
            thin += u32::from(codes == ["space"]);
            *said.entry(codes.join(" ")).or_default() += 1;
            if env::var("PONTIFEX_SHOW").is_ok() {
                println!("{position} | {mv} | {}", serde_json::Value::from(found));
            }
        }
    }
    for (codes, count) in &said {
        println!("{count:5} {codes}");
    }
    println!("{thin} of {hints} hints say only that a move takes space");
    assert!(20 * thin < 3 * hints, "{thin} of {hints}");
}
