//! What tests of the session share: a session whose effects are recorded, and outcomes of jobs.

use std::time::Duration;

use serde_json::{Value, json};

use crate::SavedSession;
use crate::tree::MOVES_MADE;
use crate::{
    BUILT_IN, Effect, Event, Job, JobId, MessageKind, Outcome, Page, Reply, Report, Session, Table,
    read_request,
};
use pontifex::engine::{Analysis, Bounds, RootInfo};
use pontifex::game::{Color, Position, Rules};

/// A session whose effects are recorded.
pub(super) struct Test {
    pub(super) session: Session,
    pub(super) now: Duration,
    /// The page that sends the requests.
    page: Page,
    effects: Vec<Effect>,
    /// The position of the last search.
    searched: Option<Position>,
}

impl Test {
    /// A session that one page shows, with a new game on a board of 6.
    pub(super) fn new(players: &Value, clock: &Value) -> Test {
        let mut test = Test::with_table(Table::first(), 1);
        assert!(matches!(test.effects[..], [_, Effect::Broadcast(MessageKind::State, _)]));
        test.ask(&json!({"type": "new", "board": 6, "pie": false, "players": players,
            "level": {"playouts": 10}, "clock": clock}));
        test.tell(Event::Pages(1));
        test
    }

    /// A session with `table`, whose requests come from `page`.
    pub(super) fn with_table(table: Table, page: Page) -> Test {
        let (session, effects) = Session::start("0".to_owned(), table, &[BUILT_IN]);
        Test { session, now: Duration::ZERO, page, effects, searched: None }
    }

    /// The table after the session was saved and read again.
    pub(super) fn reread_table(&self) -> Table {
        let saved = serde_json::to_string(&SavedSession::of(self.session.table())).unwrap();
        serde_json::from_str::<SavedSession>(&saved).unwrap().table().unwrap()
    }

    pub(super) fn humans() -> Test {
        Test::new(&json!({"white": "human", "red": "human"}), &json!({"kind": "none"}))
    }

    pub(super) fn against_engine() -> Test {
        Test::new(&json!({"white": "human", "red": "pontifex"}), &json!({"kind": "none"}))
    }

    pub(super) fn tell(&mut self, event: Event) {
        self.effects = self.session.handle(event, self.now);
        if let Some((_, Job::Search(search))) = self.started() {
            let count = MOVES_MADE.get();
            self.searched = Some(search.line.position());
            MOVES_MADE.set(count);
        }
    }

    pub(super) fn report(&mut self, job: JobId, report: Report) {
        self.tell(Event::Job(job, report));
    }

    pub(super) fn done(&mut self, job: JobId, mut outcome: Outcome) {
        if let (Outcome::Analysis(analysis), Some(position)) = (&mut outcome, self.searched) {
            analysis.position = position.to_string();
        }
        self.report(job, Report::Done(outcome));
    }

    /// Sends a request and returns the answer.
    pub(super) fn ask(&mut self, request: &Value) -> Value {
        let (_, request) = read_request(&request.to_string()).unwrap();
        self.tell(Event::Request(self.page, Box::new(request)));
        let mut replies = self.effects.iter().filter_map(|effect| match effect {
            Effect::Reply(Reply::State(answer) | Reply::Message(answer)) => Some(json!(answer)),
            _ => None,
        });
        let reply = replies.next().unwrap();
        assert!(replies.next().is_none(), "one reply only");
        reply
    }

    /// Lets another page send the next requests.
    pub(super) fn as_page(&mut self, page: Page) -> &mut Test {
        self.page = page;
        self
    }

    pub(super) fn play(&mut self, mv: &str) -> Value {
        self.ask(&json!({"type": "play", "move": mv}))
    }

    /// The job that was started by the last event.
    pub(super) fn started(&self) -> Option<(JobId, &Job)> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Start(id, job) => Some((*id, job)),
            _ => None,
        })
    }

    pub(super) fn started_id(&self) -> JobId {
        self.started().unwrap().0
    }

    pub(super) fn is_cancelled(&self, job: JobId) -> bool {
        self.effects.iter().any(|effect| matches!(effect, Effect::Cancel(id) if *id == job))
    }

    /// The effects of the last event.
    pub(super) fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// The message of a kind that was broadcast by the last event.
    pub(super) fn message(&self, kind: MessageKind) -> Option<Value> {
        self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Broadcast(other, message) if *other == kind => Some(json!(message)),
            _ => None,
        })
    }

    pub(super) fn state(&self) -> Value {
        self.message(MessageKind::State).unwrap()
    }
}

/// An analysis with one move.
pub(super) fn one_move_analysis(mover: Color, winrate: f64, best: &str) -> Analysis {
    let root = RootInfo { winrate, lead: 1.0, visits: 10, bounds: Bounds::UNKNOWN };
    let mut analysis = Analysis::of_root(&Position::new(Rules::default()), root);
    (analysis.to_move, analysis.iterations) = (mover, 10);
    analysis.moves.push(analysis.unvisited(best.parse().unwrap()));
    analysis
}

/// The outcome of a search.
pub(super) fn search_outcome(mover: Color, winrate: f64, best: &str) -> Outcome {
    Outcome::Analysis(Box::new(one_move_analysis(mover, winrate, best)))
}

/// An interim report of a search.
pub(super) fn progress(mover: Color, winrate: f64, best: &str) -> Report {
    Report::Progress(Box::new(one_move_analysis(mover, winrate, best)))
}

pub(super) fn move_outcome(mv: &str, seconds: f64) -> Outcome {
    Outcome::Move { mv: mv.parse().unwrap(), seconds, analysis: None }
}
