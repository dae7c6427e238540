//! The state of a session: its table, its jobs, and the effects of the event that is being handled.
//!
//! The table is the game and is saved. Everything else here is about pages and jobs and begins anew
//! when a session is read from its file. A job is kept with a key that says what it is for
//! ([`TurnKey`], [`StudyKey`]). When the key that the table asks for differs, the job is out of
//! date and is cancelled, whatever made it so.

use std::collections::BTreeMap;
use std::time::Duration;

use super::effect::{Effect, MessageKind};
use super::effect::{Job, JobId, Page};
use super::message::{Mended, Message, Reviewing, TableState, Thinking};
use super::review::{Review, TurnMessage};
use super::saved::SavedSession;
use super::shared::Token;
use super::table::Table;
use super::terms::Strength;
use super::view;
use pontifex::game::{Color, Move};
use pontifex::messages::one_line;

/// The interval of clock messages. Set by judgement: a page counts the seconds itself and needs the
/// messages only to correct its own clock.
const CLOCK_INTERVAL: Duration = Duration::from_secs(1);

/// The state of a session.
#[derive(Debug)]
pub(super) struct State {
    id: String,
    pub(super) table: Table,
    /// The number of pages that show the session.
    pub(super) pages: usize,
    /// The browsers' tokens of the pages that have sent one with `enter` or `invite`.
    pub(super) tokens: BTreeMap<Page, Token>,
    revision: u64,
    /// The number of the last job or review.
    last_number: u64,
    /// The engine's turn that is being played.
    pub(super) turn: Option<RunningTurn>,
    /// The options of the analysis that pages want; `None` while it is off.
    pub(super) wanted_analysis: Option<AnalysisOptions>,
    /// The review that was asked for.
    pub(super) wanted_review: Option<ReviewOrder>,
    /// The analysis or review that runs or has ended.
    pub(super) study: Option<Study>,
    /// Cancelled analyses that have not ended yet.
    pub(super) cancelled_analyses: Vec<CancelledAnalysis>,
    /// The hint or judgement that is being searched or was last shown.
    pub(super) advice: Option<Advice>,
    /// The engines that may play.
    pub(super) engines: Vec<String>,
    /// Why the session is not saved; `None` while it is.
    pub(super) unsaved: Option<String>,
    /// Whether the event that is being handled has changed what is saved or sent.
    pub(super) is_changed: bool,
    /// The faults that were mended in the record that the request loads.
    pub(super) mended: Vec<Mended>,
    /// When pages were last sent the clocks.
    clocks_sent: Duration,
    effects: Vec<Effect>,
}

/// An engine's turn that is being played.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct RunningTurn {
    pub(super) job: JobId,
    pub(super) key: TurnKey,
}

/// Identifies an engine's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TurnKey {
    /// The game's number.
    pub(super) game: u64,
    pub(super) tip: u32,
    /// The engine's name.
    pub(super) name: String,
}

/// The options of an analysis that pages want.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct AnalysisOptions {
    pub(super) ownership: bool,
    /// The most moves to list.
    pub(super) max_moves: usize,
    /// The node; the current one if `None`.
    pub(super) node: Option<u32>,
}

/// A review that was asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ReviewOrder {
    pub(super) number: u64,
    /// A node of the main line to review.
    pub(super) node: u32,
    /// The limit of each search.
    pub(super) limit: Strength,
}

/// An analysis or a review.
#[derive(Debug)]
pub(super) struct Study {
    pub(super) key: StudyKey,
    /// The job that runs; `None` between two searches and after the last.
    pub(super) job: Option<JobId>,
    /// What a review has found so far; `None` for an analysis.
    pub(super) review_progress: Option<Review>,
}

/// Identifies an analysis or a review.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum StudyKey {
    /// The game's number and the node.
    Analysis(u64, u32, AnalysisOptions),
    /// The review's number.
    Review(u64),
}

/// A cancelled analysis. Its result is still useful.
#[derive(Clone, Copy, Debug)]
pub(super) struct CancelledAnalysis {
    pub(super) job: JobId,
    pub(super) game: u64,
    pub(super) node: u32,
}

/// A hint or a judgement.
#[derive(Clone, Debug)]
pub(super) struct Advice {
    /// The job that runs; `None` once it has ended.
    pub(super) job: Option<JobId>,
    /// The game's number.
    pub(super) game: u64,
    /// The current node when it was asked for.
    pub(super) current: u32,
    pub(super) question: Question,
}

#[derive(Clone, Debug)]
pub(super) enum Question {
    /// A good move at the node.
    Hint(u32),
    /// The judgement of a move that was tried again.
    Retry(Retry),
    /// What a move that is not yet played would give away.
    Consider(Considering),
}

/// A move that is not yet played. First the position after it is searched, then the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Considering {
    pub(super) node: u32,
    pub(super) mv: Move,
    /// White's expected result and lead after the move, once they are known.
    pub(super) after: Option<(f64, f64)>,
}

/// A move in place of a reviewed one.
#[derive(Clone, Debug)]
pub(super) struct Retry {
    /// The node before and the node after the move.
    pub(super) from: u32,
    pub(super) node: u32,
    pub(super) mv: Move,
    pub(super) player: Color,
    pub(super) reviewed_turn: TurnMessage,
}

impl State {
    pub(super) fn new(id: String, table: Table, engines: &[&str]) -> State {
        State {
            id,
            table,
            pages: 0,
            tokens: BTreeMap::new(),
            revision: 0,
            last_number: 0,
            turn: None,
            wanted_analysis: None,
            wanted_review: None,
            study: None,
            cancelled_analyses: Vec::new(),
            advice: None,
            engines: engines.iter().map(|&name| name.to_owned()).collect(),
            unsaved: None,
            is_changed: false,
            mended: Vec::new(),
            clocks_sent: Duration::ZERO,
            effects: Vec::new(),
        }
    }

    /// A new number for a job or a review.
    pub(super) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    pub(super) fn start(&mut self, job: Job) -> JobId {
        let id = JobId(self.next_number());
        self.effects.push(Effect::Start(id, job));
        id
    }

    pub(super) fn emit(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// The effects so far.
    pub(super) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    pub(super) fn broadcast(&mut self, kind: MessageKind, message: Message) {
        self.effects.push(Effect::Broadcast(kind, message));
    }

    pub(super) fn withdraw(&mut self, kind: MessageKind) {
        self.effects.push(Effect::Withdraw(kind));
    }

    /// Reports an error to all pages.
    pub(super) fn notice(&mut self, text: &str) {
        self.broadcast(MessageKind::Notice, Message::error(text));
    }

    /// Sends all pages the clocks.
    pub(super) fn send_clocks(&mut self) {
        self.clocks_sent = self.table.clocks.now();
        if let Some(message) = view::clock_message(&self.table) {
            self.broadcast(MessageKind::Clock, message);
        }
    }

    /// When pages should next be sent the clocks.
    pub(super) fn next_clocks(&self) -> Duration {
        self.clocks_sent + CLOCK_INTERVAL
    }

    /// Saves the session.
    pub(super) fn save(&mut self) {
        let saved = SavedSession::of(&self.table);
        self.effects.push(Effect::Save(Box::new(saved)));
    }

    /// Reports to all pages that the session could not be saved, the first time and whenever the
    /// reason changes.
    pub(super) fn report_unsaved(&mut self, reason: &str) {
        let reason = one_line(reason);
        if self.unsaved.is_none() {
            self.notice(&format!("the game cannot be saved: {reason}"));
        }
        if self.unsaved.as_ref() != Some(&reason) {
            self.unsaved = Some(reason);
            self.publish();
        }
    }

    /// The session is saved again.
    pub(super) fn report_saved(&mut self) {
        if self.unsaved.take().is_some() {
            self.withdraw(MessageKind::Notice);
            self.publish();
        }
    }

    /// Sends all pages the message `state`, which is returned.
    pub(super) fn publish(&mut self) -> TableState {
        self.revision += 1;
        let state = self.table_state();
        // The state contains the clocks.
        self.withdraw(MessageKind::Clock);
        self.clocks_sent = self.table.clocks.now();
        self.broadcast(MessageKind::State, Message::State(Box::new(state.clone())));
        state
    }

    fn table_state(&self) -> TableState {
        let table = &self.table;
        let thinking = match (&self.turn, table.engine_to_move()) {
            (Some(_), Some((_, position, name))) => {
                Some(Thinking { player: position.side(), engine: name.to_owned() })
            }
            _ => None,
        };
        TableState {
            session: self.id.clone(),
            revision: self.revision,
            game: table.game,
            rules: *table.tree.start().rules(),
            level: table.strength,
            clock: view::clock(table),
            tree: view::tree(table),
            seen: view::node(table, table.current),
            tip: table.tip,
            live: table.running_tip().is_some(),
            link: view::link(table),
            shared: table.shared_state(),
            thinking,
            analysis: self.wanted_analysis.is_some(),
            review: self.wanted_review.map(|review| Reviewing { node: review.node }),
            unsaved: self.unsaved.clone(),
            mended: Vec::new(),
        }
    }
}
