//! Tests of sessions without a server, on a runtime of one thread.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::*;
use crate::app::Settings;
use crate::store::Store;
use pontifex::engine::Options;
use pontifex_play::{Input, Page, PageMessage};
use pontifex_tournament::ProcessGroups;

/// Sessions in a folder of their own.
struct Test {
    runtime: Runtime,
    app: Arc<AppState>,
    folder: PathBuf,
}

impl Test {
    fn new(name: &str) -> Test {
        let folder = std::env::temp_dir().join(format!("pontifex-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        // One thread for files, so that a test can keep it busy.
        let runtime =
            Builder::new_current_thread().enable_time().max_blocking_threads(1).build().unwrap();
        let app = open(&folder, 10);
        Test { runtime, app, folder }
    }

    fn create(&self) -> SessionId {
        self.runtime.block_on(self.app.create()).unwrap()
    }

    /// A page that shows the session.
    fn join(&self, id: SessionId) -> ShownSession {
        self.runtime.block_on(async {
            let visit = self.app.find(id).await.unwrap();
            let page = visit.session.join().await;
            visit.session.mail(page).await;
            ShownSession { visit, page, inbox: RefCell::default() }
        })
    }

    fn ask(&self, shown: &ShownSession, message: &Value) -> Value {
        self.runtime.block_on(shown.ask(message))
    }

    fn tidy(&self) {
        self.runtime.block_on(self.app.tidy());
    }

    fn is_loaded(&self, id: SessionId) -> bool {
        self.app.sessions.contains_key(&id)
    }

    /// Lets tasks run until the condition holds.
    fn wait_until(&self, holds: impl Fn() -> bool) {
        self.runtime.block_on(async {
            let start = std::time::Instant::now();
            while !holds() {
                assert!(start.elapsed() < Duration::from_secs(60));
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        });
    }

    fn leave(&self, ShownSession { visit, page, .. }: ShownSession) {
        self.runtime.block_on(visit.session.handle(Input::Leave(page)));
    }

    /// The number of moves of each game on disk, in ascending order.
    fn saved_move_counts(&self) -> Vec<Value> {
        let files = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path());
        let games = files.filter(|path| path.extension().is_some_and(|end| end == "json"));
        let mut counts: Vec<usize> = games
            .map(|path| {
                let saved: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
                saved["nodes"].as_array().unwrap().len()
            })
            .collect();
        counts.sort_unstable();
        counts.into_iter().map(Value::from).collect()
    }
}

/// A page with the session that it shows.
struct ShownSession {
    visit: Visit,
    page: Page,
    /// Messages that have come and were not looked at, also those that came with a reply.
    inbox: RefCell<VecDeque<Value>>,
}

impl ShownSession {
    /// Waits for a message of this type.
    async fn next(&self, kind: &str) -> Value {
        self.until(|message| message["type"] == kind).await
    }

    /// Waits for the end of the game.
    async fn ended(&self) -> Value {
        self.until(|message| message["end"].is_object()).await
    }

    async fn until(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let start = std::time::Instant::now();
        loop {
            assert!(start.elapsed() < Duration::from_secs(60));
            self.receive().await;
            while let Some(message) = self.inbox.borrow_mut().pop_front() {
                if is_wanted(&message) {
                    return message;
                }
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Takes the mail, and returns its first reply.
    async fn receive(&self) -> Option<Value> {
        let mail = self.visit.session.mail(self.page).await;
        let reply = mail.replies.first().map(|text| serde_json::from_str(text).unwrap());
        let messages = mail.texts().map(|text| serde_json::from_str(&text).unwrap());
        self.inbox.borrow_mut().extend(messages);
        reply
    }

    /// Sends a request and waits for its reply.
    async fn ask(&self, message: &Value) -> Value {
        let message = PageMessage::read(&message.to_string());
        let session = &self.visit.session;
        session.handle(Input::Message(self.page, message)).await;
        loop {
            if let Some(reply) = self.receive().await {
                return reply;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

impl Drop for Test {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn open(folder: &Path, capacity: usize) -> Arc<AppState> {
    let settings = Settings {
        address: Ipv4Addr::LOCALHOST.into(),
        port: 0,
        allowed_hosts: Vec::new(),
        data: folder.to_owned(),
        engines: Vec::new(),
        options: Options::default(),
        request_timeout: Settings::REQUEST_TIMEOUT,
    };
    let store = Store::open(folder, capacity).unwrap();
    AppState::new(settings, store, ProcessGroups::default())
}

fn new_game(clock: &Value) -> Value {
    json!({
        "type": "new", "board": 6, "pie": false, "clock": clock,
        "players": {"white": "human", "red": "human"},
    })
}

fn play(mv: &str) -> Value {
    json!({"type": "play", "move": mv})
}

#[test]
fn a_session_stays_while_a_page_may_come_back_or_a_clock_runs() {
    let test = Test::new("sessions-stay");
    let id = test.create();
    for _ in 0..3 {
        let visit = test.join(id);
        test.leave(visit);
        test.tidy();
        assert!(test.is_loaded(id), "the page may come back");
    }
    test.tidy();
    assert!(!test.is_loaded(id) && test.app.store.contains(id));

    let visit = test.join(id);
    test.ask(&visit, &new_game(&json!({"kind": "absolute", "main": 1000})));
    test.leave(visit);
    (0..3).for_each(|_| test.tidy());
    assert!(test.is_loaded(id), "a clock runs");
    assert_eq!(
        test.runtime.block_on(test.app.remove(id)).unwrap(),
        Removal::Done,
        "a clock does not keep it from being deleted"
    );
    assert!(!test.is_loaded(id) && !test.app.store.contains(id));
}

/// The disk is full for a while. Nothing that pages were told is lost.
#[test]
fn moves_that_cannot_be_saved_stay_in_memory_until_they_can() {
    let test = Test::new("sessions-unsaved");
    let id = test.create();
    let visit = test.join(id);
    test.ask(&visit, &new_game(&json!({"kind": "none"})));
    assert_eq!(test.ask(&visit, &play("a1,c1"))["unsaved"], Value::Null);
    // A file takes the place of the folder.
    let away = test.folder.with_extension("away");
    fs::rename(&test.folder, &away).unwrap();
    fs::write(&test.folder, "").unwrap();
    let answer = test.ask(&visit, &play("a6,c6"));
    assert!(answer["unsaved"].is_string(), "the answer itself says so: {answer}");
    test.ask(&visit, &new_game(&json!({"kind": "none"})));
    let answer = test.ask(&visit, &play("b2,d2"));
    assert!(answer["unsaved"].is_string(), "{answer}");
    test.leave(visit);
    (0..3).for_each(|_| test.tidy());
    assert!(test.is_loaded(id), "not dropped");
    let refused = test.runtime.block_on(test.app.remove(id)).unwrap();
    assert_eq!(refused, Removal::InUse, "the replaced game would be lost");

    fs::remove_file(&test.folder).unwrap();
    fs::rename(&away, &test.folder).unwrap();
    test.wait_until(|| test.saved_move_counts() == [1, 2]);
    let visit = test.join(id);
    let again = test.ask(&visit, &play("a6,c6"));
    assert_eq!(again["unsaved"], Value::Null);
    test.leave(visit);
    (0..2).for_each(|_| test.tidy());
    assert!(!test.is_loaded(id), "once it is safe");
    assert_eq!(test.saved_move_counts(), [2, 2]);
}

#[test]
fn what_is_still_unsaved_is_tried_once_more_at_the_end() {
    let test = Test::new("sessions-end");
    let id = test.create();
    let visit = test.join(id);
    test.ask(&visit, &new_game(&json!({"kind": "none"})));
    let away = test.folder.with_extension("away");
    fs::rename(&test.folder, &away).unwrap();
    fs::write(&test.folder, "").unwrap();
    test.ask(&visit, &play("a1,c1"));
    fs::remove_file(&test.folder).unwrap();
    fs::rename(&away, &test.folder).unwrap();
    test.runtime.block_on(test.app.close(Duration::from_secs(60)));
    assert_eq!(test.saved_move_counts(), [1]);
}

#[test]
fn a_session_never_lives_twice() {
    let test = Test::new("sessions-once");
    let id = test.create();
    test.runtime.block_on(async {
        let finding = (0..20).map(|_| {
            let app = Arc::clone(&test.app);
            tokio::spawn(async move { app.find(id).await.unwrap() })
        });
        let tidying = (0..20).map(|_| {
            let app = Arc::clone(&test.app);
            tokio::spawn(async move {
                for (id, session) in app.loaded_sessions() {
                    app.drop_idle(id, &session).await;
                }
            })
        });
        let (finding, tidying): (Vec<_>, Vec<_>) = finding.zip(tidying).unzip();
        let mut visits: Vec<Visit> = Vec::new();
        for task in finding {
            visits.push(task.await.unwrap());
        }
        for task in tidying {
            task.await.unwrap();
        }
        let is_same = |visit: &Visit| Arc::ptr_eq(&visit.session, &visits[0].session);
        assert!(visits.iter().all(is_same) && !visits[0].session.is_over(), "visitors hold it");
        // A session that was found is not deleted to make room either.
        for _ in 0..20 {
            test.app.create().await.unwrap();
        }
        assert!(test.app.store.contains(id));
        assert_eq!(test.app.remove(id).await.unwrap(), Removal::InUse);
    });
}

#[test]
fn sessions_that_pages_show_are_not_deleted_to_make_room() {
    let test = Test::new("sessions-room");
    let shown = test.create();
    let visit = test.join(shown);
    for _ in 0..30 {
        // Each was opened, but no page shows it any more.
        let id = test.create();
        let other = test.join(id);
        test.leave(other);
    }
    assert!(test.app.store.contains(shown));
    test.ask(&visit, &new_game(&json!({"kind": "none"})));
    assert_eq!(test.ask(&visit, &play("a1,c1"))["current"], 1);
    assert_eq!(test.saved_move_counts(), [1]);
}

#[test]
fn a_program_that_loads_games_in_a_loop_is_refused_and_deletes_none() {
    let test = Test::new("sessions-loop");
    let others: Vec<SessionId> = (0..3)
        .map(|_| {
            let id = test.create();
            let visit = test.join(id);
            test.ask(&visit, &play("a1,c1"));
            test.leave(visit);
            id
        })
        .collect();
    let visit = test.join(test.create());
    let load = json!({"type": "load", "text": "# board: 6\na1,c1 d4,e6"});
    let answers: Vec<Value> = (0..20).map(|_| test.ask(&visit, &load)).collect();
    let refused = &answers[19];
    assert_eq!(refused["type"], "error", "{refused}");
    assert!(refused["text"].as_str().unwrap().starts_with("there are 10 games"), "{refused}");
    assert!(others.iter().all(|&id| test.app.store.contains(id)));
    assert_eq!(test.saved_move_counts().len(), 10);
    // Its current game continues.
    assert_eq!(test.ask(&visit, &play("c6,b6"))["type"], "state");
}

/// The time that a slow disk takes is charged to no clock.
#[test]
fn saving_is_not_charged_to_the_clock() {
    let test = Test::new("sessions-clock");
    let visit = test.join(test.create());
    test.ask(&visit, &new_game(&json!({"kind": "absolute", "main": 1000})));
    let (release, hold) = channel::<()>();
    // The only thread for files is busy.
    test.runtime.spawn_blocking(move || hold.recv());
    let busy = Duration::from_millis(1500);
    let answer = test.runtime.block_on(async {
        let request = play("a1,c1");
        let wait = async {
            tokio::time::sleep(busy).await;
            release.send(()).unwrap();
        };
        tokio::join!(visit.ask(&request), wait).0
    });
    assert_eq!(answer["clock"]["red"]["running"], true, "{answer}");
    let next = test.ask(&visit, &play("a6,c6"));
    let spent = 1000.0 - next["clock"]["red"]["left"].as_f64().unwrap();
    assert!(spent < 1.0, "{spent} s");
}

#[test]
fn a_job_that_panics_is_reported_to_the_page_and_returns_its_slot() {
    let test = Test::new("sessions-panic");
    test.app.has_broken_engines.store(true, std::sync::atomic::Ordering::Relaxed);
    let shown = test.join(test.create());
    test.ask(&shown, &new_game(&json!({"kind": "none"})));
    // More often than there are search slots.
    for _ in 0..20 {
        test.ask(&shown, &json!({"type": "analyze", "on": true}));
        let notice = test.runtime.block_on(shown.next("error"));
        let text = notice["text"].as_str().unwrap();
        assert!(text.starts_with("a search failed: ") && text.contains("broken"), "{text}");
        test.ask(&shown, &json!({"type": "analyze", "on": false}));
    }
    let players = json!({"white": "human", "red": "pontifex"});
    test.ask(&shown, &json!({"type": "settings", "players": players}));
    test.ask(&shown, &play("a1,c1"));
    let end = test.runtime.block_on(shown.ended());
    assert_eq!(end["end"]["by"], "forfeit", "{end}");
}

#[test]
fn only_32_digits_are_an_id() {
    let id = SessionId::random();
    assert_eq!(id.to_string().parse(), Ok(id));
    assert_ne!(SessionId::random(), id);
    for text in ["", "0", "../../../../../../../etc/passwd0", &"A".repeat(32), &"0".repeat(33)] {
        assert!(text.parse::<SessionId>().is_err(), "{text}");
    }
    assert!(format!("+{}", "0".repeat(31)).parse::<SessionId>().is_err());
}
