//! The interface of a game to its engines ([`MatchEngine`]), and the built-in engine, which plays
//! inside this process.
//!
//! The built-in engine needs no protocol and starts no process. With a fixed number of iterations
//! its games are exactly repeatable, which tests of the match rely on. Its errors name the GTP
//! command that a process would have received, so that reports of failures read alike.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use pontifex::clock::{Limit, Seconds};
use pontifex::engine::{
    AnalysisRequest, Answer, Engine, Options, Param, RootInfo, StopSignal, find_param,
};
use pontifex::game::{Color, Move, Rules};

use crate::adjudication::Evaluation;
use crate::engines::failure::{EngineError, Failure, FailureKind};
use crate::engines::gtp::GameLog;
use crate::engines::spec::EngineSpec;

/// An engine that plays one side of a game.
///
/// After an error the only call allowed is [`MatchEngine::abort`]: the engine's state is unknown.
pub(super) trait MatchEngine: Debug + Send {
    /// Name and version as the engine states them; empty before it has.
    fn identity(&self) -> &str;

    /// Prepares a game on the empty board. No setting of an earlier game remains.
    fn new_game(&mut self, setup: &GameSetup) -> Result<(), EngineError>;

    /// Plays a legal move of either colour.
    fn play(&mut self, color: Color, mv: Move) -> Result<(), EngineError>;

    /// Tells the engine how much time `color` has left, and how many periods (0 in main time).
    fn time_left(&mut self, color: Color, remaining: (Seconds, u32)) -> Result<(), EngineError>;

    /// Asks for a move of `color`, the side to move. The engine also plays it on its own board. The
    /// referee judges whether the answer is a legal move. A process that stays silent for longer
    /// than `timeout` has stalled.
    fn genmove(&mut self, color: Color, timeout: Duration) -> Result<Genmove, EngineError>;

    /// Takes the warnings about settings that the engine does not support, one line each.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Logs the traffic from now on; `None` stops logging. The built-in engine has no traffic.
    fn log_to(&mut self, _log: Option<GameLog>) {}

    /// Asks the engine to quit, and ends it.
    fn quit(self: Box<Self>) {}

    /// Kills the engine after a failure and adds to the record the last lines of the protocol and
    /// of stderr, and the exit status.
    fn abort(self: Box<Self>, _failure: &mut Failure) {}
}

/// An answer to `genmove`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Genmove {
    /// The move as the engine wrote it, or `resign`. Not checked.
    pub(crate) text: String,
    /// From sending the command to the end of the answer.
    pub(crate) elapsed: Duration,
    /// The engine's evaluation of the position before the move; `None` if it was not asked for one
    /// or gave none.
    pub(crate) evaluation: Option<Evaluation>,
}

/// The settings of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct GameSetup {
    pub(crate) rules: Rules,
    pub(crate) limit: Limit,
    /// For engines that have a parameter `seed`, unless their specification sets it.
    pub(crate) seed: u64,
    /// Whether the engine may get the chance to swap, if the rules allow it.
    pub(crate) may_swap: bool,
    /// The longest time for the answer to any command but `genmove`.
    pub(crate) stall: Duration,
    /// Whether the engine is asked to evaluate its moves.
    pub(crate) evaluations: bool,
}

/// The built-in engine. It searches with one thread unless its parameters say otherwise: a match
/// runs several games at a time, and games are repeatable only with one thread.
#[derive(Debug)]
pub(super) struct BuiltinEngine {
    engine: Engine,
    params: Vec<(String, String)>,
    evaluates: bool,
}

impl BuiltinEngine {
    /// An engine with the parameters of `spec`. Files that they name, such as weights, are read
    /// now.
    pub(super) fn new(spec: &EngineSpec) -> Result<BuiltinEngine, EngineError> {
        let mut options = Options::default();
        options.search.threads = 1;
        set_params(&spec.params, &mut options, |_| true)?;
        Ok(BuiltinEngine {
            engine: Engine::new(options),
            params: spec.params.clone(),
            evaluates: false,
        })
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
        // Files are not read again: if one changed during the match, later games would be played by
        // another engine.
        set_params(&self.params, &mut options, |param| !param.kind.is_file())?;
        if let Limit::Iterations { count } = setup.limit {
            options.playouts = count;
        }
        options.rules = setup.rules;
        self.evaluates = setup.evaluations;
        self.engine = Engine::new(options);
        self.engine.set_time_control(setup.limit.time_control());
        Ok(())
    }

    fn play(&mut self, color: Color, mv: Move) -> Result<(), EngineError> {
        self.engine.play(color, mv).map_err(|reason| {
            let detail = format!("refused the legal move {mv}: {reason}");
            EngineError::new(FailureKind::Refusal, play_command(color, mv), detail)
        })
    }

    fn time_left(
        &mut self,
        color: Color,
        (remaining, periods): (Seconds, u32),
    ) -> Result<(), EngineError> {
        self.engine.set_time_left(color, remaining, periods);
        Ok(())
    }

    /// Ignores the timeout: the built-in engine keeps to its limit.
    fn genmove(&mut self, color: Color, _timeout: Duration) -> Result<Genmove, EngineError> {
        let error = |kind, detail: String| EngineError::new(kind, genmove_command(color), detail);
        let start = Instant::now();
        // Never set. The search ends by its own limit.
        let stop = StopSignal::default();
        let search = || {
            if !self.evaluates {
                let answer = self.engine.genmove(color, &stop);
                return answer.map(|answer| (answer, None)).map_err(|error| error.to_string());
            }
            let request = AnalysisRequest::default();
            let result = self.engine.genmove_analyze(color, &request, &stop, &mut |_| {}).finish();
            let (answer, analysis) = result.map_err(|error| error.to_string())?;
            let RootInfo { winrate, lead, .. } = analysis.root;
            Ok((answer, Some(Evaluation { winrate, score_lead: lead })))
        };
        // A panic loses this game but does not end the match. `AssertUnwindSafe` is sound, because
        // the engine is dropped after an error and its state is never used again.
        let answer = catch_unwind(AssertUnwindSafe(search))
            .map_err(|_| error(FailureKind::Crash, "the search panicked".to_owned()))?;
        let elapsed = start.elapsed();
        let text = |answer| match answer {
            Answer::Move(mv) => mv.to_string(),
            Answer::Resign => "resign".to_owned(),
        };
        match answer {
            Ok((answer, evaluation)) => Ok(Genmove { text: text(answer), elapsed, evaluation }),
            Err(reason) => Err(error(FailureKind::Refusal, reason)),
        }
    }
}

/// Sets the parameters for which `is_wanted` holds. An unknown name is an error in any case.
fn set_params(
    params: &[(String, String)],
    options: &mut Options,
    is_wanted: impl Fn(&Param) -> bool,
) -> Result<(), EngineError> {
    params.iter().try_for_each(|(name, value)| {
        let result = find_param(name)
            .and_then(|param| if is_wanted(param) { param.set(options, value) } else { Ok(()) });
        result.map_err(|error| {
            let command = format!("ponte-set_param {name} {value}");
            EngineError::new(FailureKind::Start, command, error.to_string())
        })
    })
}

/// The command that asks for a move of `color`.
pub(super) fn genmove_command(color: Color) -> String {
    format!("genmove {}", gtp_color(color))
}

/// Like [`genmove_command`], with a report of the position at the end. The report interval of
/// 1,000,000 hundredths of a second, almost three hours, suppresses all earlier reports. The report
/// lists only the best move.
pub(super) fn genmove_analyze_command(color: Color) -> String {
    format!("ponte-genmove_analyze {} 1000000 maxmoves 1 rootInfo true", gtp_color(color))
}

/// The command that plays a move of `color`.
pub(super) fn play_command(color: Color, mv: Move) -> String {
    format!("play {} {mv}", gtp_color(color))
}

/// GTP's name for a colour. GTP has no red: Red is its black.
pub(super) fn gtp_color(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Red => 'b',
    }
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
        let weights = engine.engine.options().search.weights.clone();
        std::fs::remove_file(&path).unwrap();
        let setup = GameSetup {
            rules: Rules::default(),
            limit: Limit::Iterations { count: 4 },
            seed: 7,
            may_swap: false,
            stall: Duration::from_secs(1),
            evaluations: false,
        };
        assert!(engine.new_game(&setup).is_ok());
        let options = engine.engine.options();
        assert_eq!((&options.search.weights, options.search.seed), (&weights, 7));
        assert_eq!(weights.name(), path.to_str().unwrap());
        // A new engine reads it again.
        assert!(BuiltinEngine::new(&spec).is_err());
    }
}
