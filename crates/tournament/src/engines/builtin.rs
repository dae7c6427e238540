//! The built-in engine, played with inside this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::engines::commands;
use crate::engines::failure::{EngineError, FailureKind};
use crate::engines::match_engine::{GameSetup, MatchEngine};
use crate::engines::spec::EngineSpec;
use pontifex::clock::{Limit, Seconds};
use pontifex::engine::{Answer, Engine, Options, Param, StopSignal, find_param};
use pontifex::game::{Color, Move};

/// The built-in engine. It searches with one thread unless its parameters say
/// otherwise; with fixed iterations its games are exactly repeatable.
#[derive(Debug)]
pub(super) struct BuiltinEngine {
    engine: Engine,
    params: Vec<(String, String)>,
}

impl BuiltinEngine {
    /// An engine with the parameters of `spec`.
    pub(super) fn new(spec: &EngineSpec) -> Result<BuiltinEngine, EngineError> {
        let mut options = Options::default();
        options.search.threads = 1;
        set_params(&spec.params, &mut options, |_| true)?;
        Ok(BuiltinEngine { engine: Engine::new(options), params: spec.params.clone() })
    }
}

impl MatchEngine for BuiltinEngine {
    fn identity(&self) -> &'static str {
        concat!("pontifex ", env!("CARGO_PKG_VERSION"))
    }

    fn new_game(&mut self, setup: &GameSetup) -> Result<(), EngineError> {
        let mut options = self.engine.options().clone();
        options.search.seed = setup.seed;
        options.playouts = 0;
        // Files are read once, so that all games are played by one engine.
        set_params(&self.params, &mut options, |param| !param.kind.is_file())?;
        if let Limit::Iterations { count } = setup.limit {
            options.playouts = count;
        }
        options.rules = setup.rules;
        self.engine = Engine::new(options);
        self.engine.set_time_control(setup.limit.time_control());
        Ok(())
    }

    fn play(&mut self, color: Color, mv: Move) -> Result<(), EngineError> {
        self.engine.play(color, mv).map_err(|reason| {
            let detail = format!("refused the legal move {mv}: {reason}");
            EngineError::new(FailureKind::Refusal, commands::play(color, mv), detail)
        })
    }

    fn time_left(
        &mut self,
        color: Color,
        (left, periods): (Seconds, u32),
    ) -> Result<(), EngineError> {
        self.engine.set_time_left(color, left, periods);
        Ok(())
    }

    /// The engine keeps to its own limit; `patience` is not needed.
    fn genmove(
        &mut self,
        color: Color,
        _patience: Duration,
    ) -> Result<(String, Duration), EngineError> {
        let error = |kind, detail: String| EngineError::new(kind, commands::genmove(color), detail);
        let start = Instant::now();
        // After a panic the engine is ended, so nobody sees its state.
        let search = || self.engine.genmove(color, &StopSignal::default());
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

/// Sets those of `params` for which `is_wanted` holds.
fn set_params(
    params: &[(String, String)],
    options: &mut Options,
    is_wanted: impl Fn(&Param) -> bool,
) -> Result<(), EngineError> {
    params.iter().try_for_each(|(name, value)| {
        let set = find_param(name)
            .and_then(|param| if is_wanted(param) { param.set(options, value) } else { Ok(()) });
        set.map_err(|error| {
            let command = format!("ponte-set_param {name} {value}");
            EngineError::new(FailureKind::Start, command, error.to_string())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pontifex::eval::linear::fitting::built_in_text;
    use pontifex::game::Rules;

    #[test]
    fn files_are_read_once() {
        let path = std::env::temp_dir().join(format!("pontifex-{}-weights", std::process::id()));
        std::fs::write(&path, built_in_text(Rules::default())).unwrap();
        let text = format!("name=a cmd=builtin param.weights='{}'", path.display());
        let spec: EngineSpec = text.parse().unwrap();
        let mut engine = BuiltinEngine::new(&spec).unwrap();
        let before = engine.engine.options().search.weights.clone();
        std::fs::remove_file(&path).unwrap();
        let setup = GameSetup {
            rules: Rules::default(),
            limit: Limit::Iterations { count: 4 },
            seed: 7,
            may_swap: false,
            stall: Duration::from_secs(1),
        };
        assert!(engine.new_game(&setup).is_ok());
        let options = engine.engine.options();
        assert_eq!((&options.search.weights, options.search.seed), (&before, 7));
        assert_eq!(before.name(), path.to_str().unwrap());
        // A new engine reads it again.
        assert!(BuiltinEngine::new(&spec).is_err());
    }
}
