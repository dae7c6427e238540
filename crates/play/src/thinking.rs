//! The built-in engine's jobs. A host with threads runs a job to its end in one call; a host with
//! one thread advances it in slices.
//!
//! An engine is reused from job to job, so each job sets what it needs. Setting the game keeps the
//! search tree where possible. The limit of the last job is replaced completely.

use std::time::Duration;

use super::effect::{EngineTurn, Line, Outcome, Search};
use super::terms::Strength;
use pontifex::clock::{Instant, Seconds, TimeControl};
use pontifex::engine::Level;
use pontifex::engine::{
    self, Analysis, AnalysisRequest, Answer, Engine, Game, NothingToAnalyze, StopSignal,
};

/// The interval of the interim analyses of a turn. Set by judgement: a line of text that changes
/// more often cannot be read.
const INTERVAL: Duration = Duration::from_millis(250);

/// The longest turn of an opponent for people. It needs less than a second; the limit is for
/// machines that are much slower or busy.
const OPPONENT_TIME: Seconds = Seconds::whole(30);

/// The receiver of interim analyses.
pub(crate) type Progress<'a> = &'a mut (dyn FnMut(&Analysis) + Send);

/// Finds the engine's move. `seed` makes an opponent for people play the same game differently;
/// results at full strength do not depend on it.
pub fn take_turn<'a>(
    engine: &'a mut Engine,
    turn: &'a EngineTurn,
    seed: u64,
    stop: &'a StopSignal,
    progress: Progress<'a>,
) -> engine::Search<'a, Outcome> {
    engine::Search::new(find_move(engine, turn, seed, stop, progress))
}

async fn find_move(
    engine: &mut Engine,
    turn: &EngineTurn,
    seed: u64,
    stop: &StopSignal,
    progress: Progress<'_>,
) -> Outcome {
    go_to(engine, &turn.line);
    set_limit(engine, Some(turn.strength));
    let control = turn.clock.map_or(TimeControl::None, |(limit, _)| limit.time_control());
    engine.set_time_control(control);
    if let Some((_, clock)) = turn.clock
        && let Some((left, periods)) = clock.reading(Seconds::ZERO)
    {
        let is_in_period = clock.time_left().is_some_and(|(_, moves)| moves > 0);
        engine.set_time_left(turn.color, left, if is_in_period { periods } else { 0 });
    }
    let configured = engine.options().search.seed;
    if engine.options().level.is_some() {
        engine.options_mut().search.seed = seed;
    }
    let start = Instant::now();
    let request = AnalysisRequest { interval: Some(INTERVAL), ..AnalysisRequest::default() };
    let answer = engine.genmove_analyze(turn.color, &request, stop, progress).await;
    let seconds = start.elapsed().as_secs_f64();
    engine.options_mut().search.seed = configured;
    match answer {
        Ok((Answer::Move(mv), analysis)) => {
            progress(&analysis);
            Outcome::Move { mv, seconds, analysis: Some(Box::new(analysis)) }
        }
        Ok((Answer::Resign, _)) => Outcome::Resigned,
        Err(reason) => Outcome::Unable(reason.to_string()),
    }
}

/// Analyses a position.
///
/// # Errors
/// See [`NothingToAnalyze`].
pub fn analyze<'a>(
    engine: &'a mut Engine,
    search: &'a Search,
    stop: &'a StopSignal,
    progress: Progress<'a>,
) -> engine::Search<'a, Result<Analysis, NothingToAnalyze>> {
    if search.strength.is_some() {
        // Searches of a review must not build on each other.
        engine.set_game(Game::at(&search.line.position()));
    } else {
        go_to(engine, &search.line);
    }
    set_limit(engine, search.strength);
    let is_endless = search.strength.is_none();
    engine.analyze(&search.request, is_endless, stop, progress)
}

/// Sets up a position. The engine keeps its search tree if it knows a game with the same start.
fn go_to(engine: &mut Engine, Line { start, moves }: &Line) {
    if engine.game().start() != start {
        engine.set_game(Game::at(start));
    }
    let common = engine.game().moves().zip(moves).take_while(|(known, mv)| known == *mv).count();
    let surplus = engine.game().len() - common;
    if engine.undo(surplus).is_err() || engine.play_all(&moves[common..]).is_err() {
        engine.set_game(Game::at(start));
        let _ = engine.play_all(moves);
    }
}

/// Limits the next search; `None` removes the limit.
fn set_limit(engine: &mut Engine, limit: Option<Strength>) {
    let options = engine.options_mut();
    options.level = None;
    (options.time, options.playouts) = match limit {
        Some(Strength::Time { time }) => (Some(time), 0),
        Some(Strength::Playouts { playouts }) => (None, playouts),
        Some(Strength::Level { level }) => {
            options.level = Level::new(level);
            (Some(OPPONENT_TIME), 0)
        }
        None => (None, 0),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use pontifex::game::{Move, Position, Rules};

    #[test]
    fn an_opponent_s_seed_ends_with_its_turn() {
        let small = Rules { size: pontifex::board::Size::MIN, pie: false, ..Rules::default() };
        let mut turn = EngineTurn {
            engine: String::new(),
            seat: 0,
            line: Line { start: Position::new(small), moves: Vec::new() },
            color: pontifex::game::Color::White,
            strength: Strength::Level { level: 1 },
            clock: None,
        };
        let mut engine = Engine::new(pontifex::engine::Options::default());
        let configured = engine.options().search.seed;
        let mut play = |turn: &EngineTurn, seed| {
            let stop = StopSignal::default();
            let outcome =
                take_turn(&mut engine, turn, seed, &stop, &mut |_: &Analysis| {}).finish();
            assert_eq!(engine.options().search.seed, configured);
            match outcome {
                Outcome::Move { mv, .. } => mv,
                other => panic!("{other:?}"),
            }
        };
        let moves: Vec<Move> = (0..20).map(|seed| play(&turn, seed)).collect();
        assert!(moves.iter().any(|mv| *mv != moves[0]), "opponents vary");
        turn.strength = Strength::Playouts { playouts: 30 };
        assert_eq!(play(&turn, 1), play(&turn, 2), "full strength does not");
    }

    #[test]
    fn an_engine_can_be_set_to_any_game() {
        let start = Position::new(Rules::default());
        let mut engine = Engine::new(pontifex::engine::Options::default());
        for line in ["a1,c1 swap e1,g1", "a1,c1 e5,g5", "", "a2,c2", "a1,c1 swap"] {
            let moves: Vec<Move> = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
            let line = Line { start, moves };
            go_to(&mut engine, &line);
            assert_eq!(engine.game().moves().collect::<Vec<_>>(), line.moves);
        }
        let small = Rules { size: pontifex::board::Size::MIN, ..Rules::default() };
        go_to(&mut engine, &Line { start: Position::new(small), moves: Vec::new() });
        assert_eq!(engine.position().size(), pontifex::board::Size::MIN);
    }
}
