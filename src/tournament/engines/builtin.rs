use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::clock::Limit;
use crate::engine::{Answer, Engine, Options, Param, StopSignal, find_param};
use crate::game::{Color, Move};
use crate::tournament::engines::failure::FailureKind;
use crate::tournament::engines::player::{EngineError, GameSetup};
use crate::tournament::engines::spec::EngineSpec;

/// This engine in this process: fast, and with fixed iterations exactly
/// repeatable, as it has one thread unless its parameters say otherwise.
#[derive(Debug)]
pub(in crate::tournament) struct Builtin(Engine);

impl Builtin {
    /// An engine with the parameters of `spec`.
    pub(in crate::tournament) fn new(spec: &EngineSpec) -> Result<Builtin, EngineError> {
        let mut options = Options::default();
        options.search.threads = 1;
        set_params(spec, &mut options, |_| true)?;
        Ok(Builtin(Engine::new(options)))
    }

    /// Prepares a game.
    pub(in crate::tournament) fn new_game(
        &mut self,
        spec: &EngineSpec,
        setup: &GameSetup,
    ) -> Result<(), EngineError> {
        let mut options = self.0.options().clone();
        options.search.seed = setup.seed;
        options.playouts = 0;
        // Files are read once: another game is of the same engine.
        set_params(spec, &mut options, |param| !param.kind.is_file())?;
        if let Limit::Iterations { count } = setup.limit {
            options.playouts = count;
        }
        options.rules = setup.rules;
        self.0 = Engine::new(options);
        self.0.set_time_control(setup.limit.time_control());
        Ok(())
    }

    /// Tells a move of either colour.
    pub(in crate::tournament) fn play(
        &mut self,
        color: Color,
        mv: Move,
    ) -> Result<(), EngineError> {
        self.0.play(color, mv).map_err(|reason| EngineError {
            kind: FailureKind::Refusal,
            detail: format!("it refuses the legal move {mv}: {reason}"),
            command: format!("play {color} {mv}"),
        })
    }

    /// Tells what is left on the clock.
    pub(in crate::tournament) fn time_left(&mut self, color: Color, (seconds, moves): (f64, u32)) {
        self.0.set_time_left(color, seconds, moves);
    }

    /// Has it move: its answer, and how long it took.
    pub(in crate::tournament) fn genmove(
        &mut self,
        color: Color,
    ) -> Result<(String, Duration), EngineError> {
        let error =
            |kind, detail| EngineError { kind, detail, command: format!("genmove {color}") };
        let start = Instant::now();
        let search = || self.0.genmove(color, &StopSignal::default());
        let answer = catch_unwind(AssertUnwindSafe(search))
            .map_err(|_| error(FailureKind::Crash, "the search panicked".to_owned()))?;
        let elapsed = start.elapsed();
        match answer {
            Ok(Answer::Move(mv)) => Ok((mv.to_string(), elapsed)),
            Ok(Answer::Resign) => Ok(("resign".to_owned(), elapsed)),
            Err(reason) => Err(error(FailureKind::Refusal, reason.to_string())),
        }
    }
}

/// Sets those of the parameters that the engine is given for itself which are
/// wanted.
fn set_params(
    spec: &EngineSpec,
    options: &mut Options,
    is_wanted: impl Fn(&Param) -> bool,
) -> Result<(), EngineError> {
    spec.params.iter().try_for_each(|(name, value)| {
        let set = find_param(name)
            .and_then(|param| if is_wanted(param) { param.set(options, value) } else { Ok(()) });
        set.map_err(|error| EngineError {
            kind: FailureKind::Start,
            detail: error.to_string(),
            command: format!("ponte-set_param {name} {value}"),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::eval::linear::built_in_text;
    use crate::game::Rules;

    #[test]
    fn files_are_read_before_the_first_game_only() {
        let path = std::env::temp_dir().join(format!("pontifex-{}-weights", std::process::id()));
        std::fs::write(&path, built_in_text(Size::STANDARD)).unwrap();
        let text = format!("name=a cmd=builtin param.weights='{}'", path.display());
        let spec: EngineSpec = text.parse().unwrap();
        let mut engine = Builtin::new(&spec).unwrap();
        let before = engine.0.options().search.weights.clone();
        std::fs::remove_file(&path).unwrap();
        let setup = GameSetup {
            rules: Rules::default(),
            limit: Limit::Iterations { count: 4 },
            seed: 7,
            may_swap: false,
            stall: Duration::from_secs(1),
        };
        assert!(engine.new_game(&spec, &setup).is_ok());
        let options = engine.0.options();
        assert_eq!((&options.search.weights, options.search.seed), (&before, 7));
        assert_eq!(before.name(), path.to_str().unwrap());
        // Another match would miss it.
        assert!(Builtin::new(&spec).is_err());
    }
}
