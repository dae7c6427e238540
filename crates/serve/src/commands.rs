//! Messages to a session's task, and how its jobs send their reports.

use pontifex::engine::Analysis;
use pontifex_play::{JobId, Outcome, Report, Request, Table};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

/// A message to a session's task.
#[derive(Debug)]
pub(super) enum Command {
    /// A page's request.
    Ask(Box<Request>, oneshot::Sender<Answer>),
    /// Pages have come or gone.
    Pages,
    /// A job reports.
    Report(JobId, Report),
    /// Send a copy of the table.
    Table(oneshot::Sender<Table>),
    /// End without saving, if nothing is lost by that; whether it ends.
    End(Ending, oneshot::Sender<bool>),
    /// Cancel everything, save and end.
    Close(oneshot::Sender<()>),
}

/// Why a session that no page shows ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Nothing goes on in it. It can be read again from its file.
    Idle,
    /// It is to be deleted.
    Discarded,
}

/// The answer to a page's request.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) message: Value,
    /// The version of the broadcast `state` that it repeats.
    pub(super) version: Option<u64>,
}

/// Sends a job's reports to its session.
#[derive(Clone, Debug)]
pub(super) struct Reporter {
    job: JobId,
    commands: mpsc::Sender<Command>,
}

impl Reporter {
    pub(super) fn new(job: JobId, commands: mpsc::Sender<Command>) -> Reporter {
        Reporter { job, commands }
    }

    /// The job waits for other searches.
    pub(super) fn queued(&self) {
        let _ = self.commands.try_send(Command::Report(self.job, Report::Queued));
    }

    /// The search begins. Blocks while the session's queue is full.
    pub(super) fn began(&self) {
        let _ = self.commands.blocking_send(Command::Report(self.job, Report::Began));
    }

    /// An interim result; dropped while the session's queue is full.
    pub(super) fn progress(&self, analysis: &Analysis) {
        let report = Report::Progress(Box::new(analysis.clone()));
        let _ = self.commands.try_send(Command::Report(self.job, report));
    }

    /// The job has ended.
    pub(super) async fn done(&self, outcome: Outcome) {
        let report = Report::Done(outcome);
        let _ = self.commands.send(Command::Report(self.job, report)).await;
    }
}
