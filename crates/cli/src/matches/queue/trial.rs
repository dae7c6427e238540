//! One experiment while its queue is played.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;

use super::file::Experiment;
use crate::exit::UsageError;
use crate::matches::plan;
use crate::matches::run::{Played, Run, does_not_start};
use pontifex_tournament::{Ending, EngineCommand, ProcessGroups};

/// An experiment, its games and its state.
pub(super) struct Trial<'e> {
    pub(super) experiment: &'e Experiment,
    pub(super) run: Run<'e>,
    pub(super) state: State,
}

/// How far an experiment is.
pub(super) enum State {
    /// Its turn has not come.
    Waiting,
    /// Its test is decided, or all games are played.
    Finished,
    /// Some games are played, others are missing.
    Interrupted,
    /// An engine does not start, or a file cannot be written.
    Failed(anyhow::Error),
}

impl State {
    pub(super) fn word(&self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Finished => "finished",
            State::Interrupted => "interrupted",
            State::Failed(_) => "failed",
        }
    }
}

impl<'e> Trial<'e> {
    /// Prepares an experiment, with the games of its journal if that exists.
    ///
    /// Wrong settings of the built-in engine are errors of the file. A missing
    /// program may be there when its turn comes: it is returned as a warning.
    pub(super) fn prepare(
        experiment: &'e Experiment,
    ) -> Result<(Trial<'e>, Option<String>), UsageError> {
        let options = &experiment.options;
        let mut run = Run::new(options, plan::tournament(options)?);
        if options.journal.as_ref().is_some_and(|path| path.exists()) {
            run.open_journal()?;
        }
        let mut warning = None;
        if !run.is_finished() {
            let tournament = run.tournament();
            for engine in &tournament.engines {
                match plan::check_engine(engine, tournament.stall) {
                    Err(error) if engine.command == EngineCommand::Builtin => {
                        return Err(UsageError(error.to_string()));
                    }
                    Err(error) => warning = Some(error.to_string()),
                    Ok(()) => {}
                }
            }
        }
        Ok((Trial { experiment, run, state: State::Waiting }, warning))
    }

    /// Takes up an experiment as its journal says, to report on it and not to
    /// play.
    pub(super) fn read(experiment: &'e Experiment) -> Result<Trial<'e>, UsageError> {
        let options = &experiment.options;
        let mut run = Run::new(options, plan::tournament(options)?);
        if options.journal.as_ref().is_some_and(|path| path.exists()) {
            run.read_journal()?;
        }
        let state = match run.results().games() {
            _ if run.is_finished() => State::Finished,
            0 => State::Waiting,
            _ => State::Interrupted,
        };
        Ok(Trial { experiment, run, state })
    }

    /// Plays the missing games.
    pub(super) fn play(&mut self, groups: &ProcessGroups, stop: &AtomicBool) {
        self.state = self.try_play(groups, stop).unwrap_or_else(State::Failed);
    }

    fn try_play(&mut self, groups: &ProcessGroups, stop: &AtomicBool) -> anyhow::Result<State> {
        if !self.run.is_finished() {
            plan::check_engines(self.run.tournament())?;
        }
        let Played { ending, records } = self.run.play(groups, stop)?;
        records?;
        match ending {
            Ending::Complete | Ending::Decided(_) => Ok(State::Finished),
            Ending::Stopped if stop.load(Ordering::Relaxed) => Ok(State::Interrupted),
            Ending::Stopped => Err(anyhow!("the games ended early")),
            Ending::CannotStart(failure) => Err(does_not_start(&failure).into()),
        }
    }
}
