//! The session as a state machine: events in, effects out.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::SavedSession;
use crate::tree::MOVES_MADE;
use crate::{
    BUILT_IN, Effect, Event, Job, JobId, MessageKind, Outcome, Page, Reply, Report, Session, Table,
    read_request,
};
use pontifex::engine::{Analysis, Bounds, RootInfo};
use pontifex::game::{Color, Position, Rules, Value as Points};

/// A session whose effects are recorded.
pub(super) struct Test {
    pub(super) session: Session,
    now: Duration,
    /// The page that sends the requests.
    page: Page,
    effects: Vec<Effect>,
    /// The position of the last search.
    searched: Option<Position>,
}

impl Test {
    /// A session that one page shows, with a new game on a board of 6.
    fn new(players: &Value, clock: &Value) -> Test {
        let (session, effects) = Session::start("0".to_owned(), Table::first(), &[BUILT_IN]);
        assert!(matches!(effects[..], [_, Effect::Broadcast(MessageKind::State, _)]));
        let mut test = Test { session, now: Duration::ZERO, page: 1, effects, searched: None };
        test.ask(&json!({"type": "new", "board": 6, "pie": false, "players": players,
            "level": {"playouts": 10}, "clock": clock}));
        test.tell(Event::Pages(1));
        test
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

    fn report(&mut self, job: JobId, report: Report) {
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
fn one_move_analysis(mover: Color, winrate: f64, best: &str) -> Analysis {
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
fn progress(mover: Color, winrate: f64, best: &str) -> Report {
    Report::Progress(Box::new(one_move_analysis(mover, winrate, best)))
}

fn move_outcome(mv: &str, seconds: f64) -> Outcome {
    Outcome::Move { mv: mv.parse().unwrap(), seconds, analysis: None }
}

#[test]
fn an_engine_answers_a_human() {
    let mut test = Test::against_engine();
    let state = test.play("a1,c3");
    assert_eq!(state["thinking"], json!({"player": "red", "engine": "pontifex"}));
    let (job, Job::Turn(turn)) = test.started().unwrap() else { panic!("no engine's turn") };
    assert_eq!((turn.color, turn.line.moves.len()), (Color::Red, 1));
    assert!(test.session.is_busy());
    test.report(job, Report::Queued);
    assert_eq!(test.message(MessageKind::Thinking).unwrap()["queued"], true);
    test.report(job, progress(Color::Red, 0.75, "e1,e5"));
    assert_eq!(test.message(MessageKind::Thinking).unwrap()["move"], "e1,e5");
    let mv = "e1,e5".parse().unwrap();
    let analysis = Some(Box::new(one_move_analysis(Color::Red, 0.75, "e1,e5")));
    test.done(job, Outcome::Move { mv, seconds: 0.5, analysis });
    let state = test.state();
    assert_eq!((&state["current"], &state["thinking"]), (&json!(2), &Value::Null));
    assert_eq!(state["tree"][1]["winrate"], 0.25, "White's, before the move");
    assert!(!test.session.is_busy());
}

#[test]
fn changes_are_saved_before_they_are_shown() {
    let mut test = Test::against_engine();
    test.play("a1,c3");
    let index = |is_wanted: fn(&Effect) -> bool| test.effects.iter().position(is_wanted).unwrap();
    let saved = index(|effect| matches!(effect, Effect::Save(_)));
    let broadcast = index(|effect| matches!(effect, Effect::Broadcast(MessageKind::State, _)));
    let replied = index(|effect| matches!(effect, Effect::Reply(Reply::State(_))));
    assert!(saved < broadcast && broadcast < replied);
    test.tell(Event::NotSaved("the disk is full".to_owned()));
    let notice = test.message(MessageKind::Notice).unwrap();
    assert_eq!(notice["text"], "the game cannot be saved: the disk is full");
}

#[test]
fn questions_change_nothing() {
    let mut test = Test::humans();
    for (request, kind) in [
        (json!({"type": "ping"}), "pong"),
        (json!({"type": "seconds", "first": "a1"}), "seconds"),
        (json!({"type": "why", "cell": "a1"}), "legal"),
        (json!({"type": "play", "move": "a1,a1"}), "illegal"),
        (json!({"type": "goto", "node": 9}), "error"),
    ] {
        assert_eq!(test.ask(&request)["type"], kind);
        assert_eq!(test.effects.len(), 1, "only the reply");
    }
}

#[test]
fn an_undo_cancels_the_engines_turn() {
    let mut test = Test::against_engine();
    test.play("a1,c3");
    let job = test.started_id();
    let state = test.ask(&json!({"type": "undo"}));
    assert!(test.is_cancelled(job));
    assert_eq!((&state["current"], &state["thinking"]), (&json!(0), &Value::Null));
    test.done(job, move_outcome("e1,e5", 1.0));
    assert!(test.effects.is_empty(), "a late answer has no effect");
}

#[test]
fn a_move_that_fails_leaves_the_shown_turn_and_the_main_line() {
    let mut test = Test::humans();
    test.play("a1,b1");
    test.play("f5,f6");
    // A variation whose game has ended. The main line continues.
    test.ask(&json!({"type": "goto", "node": 0}));
    test.play("d3,d4");
    test.ask(&json!({"type": "resign", "player": "red"}));
    test.ask(&json!({"type": "goto", "node": 2}));
    for (node, mv) in [(3, "a1,a2"), (0, "a1,a1"), (9, "a1,a2")] {
        let before = test.session.table().record(0);
        let answer = test.ask(&json!({"type": "play", "move": mv, "node": node}));
        assert!(answer["type"] == "error" || answer["type"] == "illegal", "{answer}");
        assert_eq!(test.effects.len(), 1, "only the reply");
        assert_eq!(test.session.table().current, 2);
        assert_eq!(test.session.table().record(0), before);
    }
    // The engine's turn is not a page's to play.
    let mut test = Test::against_engine();
    test.play("a1,b1");
    test.ask(&json!({"type": "goto", "node": 0}));
    let answer = test.ask(&json!({"type": "play", "move": "f5,f6", "node": 1}));
    assert_eq!(answer["type"], "error");
    assert_eq!(test.session.table().current, 0);
}

#[test]
fn a_loaded_record_with_a_swap_has_the_wanted_players() {
    let text = "# board: 6\na1,a6 swap c3,d4";
    let mut test = Test::humans();
    let players = json!({"white": "human", "red": "pontifex"});
    let load = json!({"type": "load", "text": text, "players": players, "play": true});
    assert_eq!(test.ask(&load)["players"], players);
    // A game that is loaded without players, or a new one, keeps them.
    let again = test.ask(&json!({"type": "load", "text": "# board: 6\na1,a6"}));
    assert_eq!(again["players"], players);
    let again = test.ask(&json!({"type": "load", "text": text}));
    assert_eq!(again["players"], players);
    assert_eq!(test.ask(&json!({"type": "new", "board": 6}))["players"], players);
}

#[test]
fn nobody_plays_on_with_a_loaded_game_that_is_over() {
    let engines = json!({"white": "human", "red": "pontifex"});
    let mut test = Test::new(&engines, &json!({"kind": "none"}));
    let open =
        "# board: 5\n# pie: off\nd3,d4 e3,e4 b2,d5 b1,e5 b2-d3 a3,e2 b3,d2 a2,b4 a1,b5 c1,c5";
    assert_eq!(test.ask(&json!({"type": "load", "text": open}))["players"], engines);
    let over = format!("{open} b3-d4 pass");
    let state = test.ask(&json!({"type": "load", "text": over}));
    assert_eq!(state["players"], json!({"white": "human", "red": "human"}), "{state}");
}

#[test]
fn comments_of_a_record_are_shown_saved_and_written() {
    let mut test = Test::humans();
    let text =
        "(;SZ[6]C[Two friends.];W[a1,a6]C[Far apart\\: good.](;B[c3,d4])(;B[c3,c4]C[Or so.]))";
    let state = test.ask(&json!({"type": "load", "text": text}));
    let comments = |state: &Value| {
        let tree = state["tree"].as_array().unwrap().iter();
        tree.map(|node| node["comment"].as_str().unwrap_or("-").to_owned()).collect::<Vec<_>>()
    };
    let expected = ["Two friends.", "Far apart: good.", "-", "Or so."];
    assert_eq!(comments(&state), expected);
    let saved = serde_json::to_string(&SavedSession::of(test.session.table())).unwrap();
    let table = serde_json::from_str::<SavedSession>(&saved).unwrap().table().unwrap();
    for table in [&table, test.session.table()] {
        let written = table.export("sgf", None).unwrap();
        let again = String::from_utf8(written.bytes).unwrap();
        let mut other = Test::humans();
        assert_eq!(
            comments(&other.ask(&json!({"type": "load", "text": again}))),
            expected,
            "{again}"
        );
    }
}

#[test]
fn engines_wait_for_a_page_and_finish_their_turn_without_one() {
    let engines = json!({"white": "pontifex", "red": "pontifex"});
    let mut test = Test::new(&engines, &json!({"kind": "none"}));
    let job = test.started_id();
    test.tell(Event::Pages(0));
    assert!(!test.is_cancelled(job));
    test.done(job, move_outcome("a1,c3", 1.0));
    assert_eq!(test.state()["current"], 1);
    assert!(test.started().is_none());
    test.tell(Event::Pages(1));
    assert!(test.started().is_some());
}

#[test]
fn a_clock_runs_out() {
    let clock = json!({"kind": "absolute", "main": 5});
    let mut test = Test::new(&json!({"white": "human", "red": "pontifex"}), &clock);
    assert_eq!(test.session.alarm(), Some(Duration::from_secs(1)));
    test.now = Duration::from_secs(1);
    test.tell(Event::Tick);
    let clock = test.message(MessageKind::Clock).unwrap();
    assert_eq!((&clock["white"], &clock["running"]), (&json!(4.0), &json!("white")));
    test.now = Duration::from_millis(1500);
    test.play("a1,c3");
    let job = test.started_id();
    assert_eq!(test.session.alarm(), None, "the engine waits for its search");
    test.now = Duration::from_secs(100);
    test.report(job, Report::Began);
    let clock = test.message(MessageKind::Clock).unwrap();
    assert_eq!(clock["white"], 3.5);
    assert_eq!((&clock["red"], &clock["running"]), (&json!(5.0), &json!("red")));
    // Its answer may be on the way for half a second.
    test.now = Duration::from_millis(105_400);
    test.tell(Event::Tick);
    assert_eq!(test.session.alarm(), Some(Duration::from_millis(105_500)));
    test.now = Duration::from_millis(105_500);
    test.tell(Event::Tick);
    assert_eq!(test.state()["position"]["result"]["text"], "W+T");
    assert!(test.is_cancelled(job));
    assert_eq!(test.session.alarm(), None);
}

#[test]
fn failures_forfeit_and_inability_pauses_the_game() {
    for (outcome, result, tip) in [
        (Outcome::Resigned, json!("W+R"), json!(1)),
        (Outcome::Unable("it cannot".to_owned()), Value::Null, Value::Null),
        (move_outcome("a1,a2", 1.0), Value::Null, Value::Null),
    ] {
        let mut test = Test::against_engine();
        test.play("a1,c3");
        test.done(test.started_id(), outcome);
        assert_eq!(test.state()["position"]["result"]["text"], result);
        assert_eq!(test.state()["tip"], tip);
        assert_eq!(test.message(MessageKind::Notice).is_some(), tip.is_null());
    }
}

#[test]
fn move_now_hurries_the_engine_or_lets_it_move_for_a_human() {
    let mut test = Test::against_engine();
    test.ask(&json!({"type": "move_now"}));
    let job = test.started_id();
    test.ask(&json!({"type": "move_now"}));
    assert!(test.effects.iter().any(|effect| matches!(effect, Effect::Hurry(id) if *id == job)));
    test.done(job, move_outcome("a1,c3", 1.0));
    let state = test.ask(&json!({"type": "move_now", "node": 0}));
    assert_eq!(state["current"], 1, "the game has gone on");
}

#[test]
fn an_analysis_goes_on_until_it_is_solved_and_follows_the_page() {
    let mut test = Test::humans();
    assert_eq!(test.ask(&json!({"type": "analyze", "on": true}))["analysis"], true);
    let first = test.started_id();
    test.report(first, progress(Color::White, 0.5, "a1,c3"));
    assert_eq!(test.message(MessageKind::Analysis).unwrap()["finished"], false);
    // The host ended the search so that others could search.
    test.done(first, search_outcome(Color::White, 0.6, "a1,c3"));
    let second = test.started_id();
    assert_ne!(first, second);
    test.play("a1,c3");
    let third = test.started_id();
    assert!(test.is_cancelled(second));
    test.report(second, progress(Color::White, 0.5, "a1,c3"));
    assert!(test.effects.is_empty(), "late reports are not sent");
    test.done(second, search_outcome(Color::White, 0.7, "a1,c3"));
    let mut solved = one_move_analysis(Color::Red, 0.0, "e1,e5");
    solved.root.bounds = Bounds::of(Points::new(5));
    test.done(third, Outcome::Analysis(Box::new(solved)));
    let message = test.message(MessageKind::Analysis).unwrap();
    assert_eq!((&message["node"], &message["finished"]), (&json!(1), &json!(true)));
    let tree = &test.state()["tree"];
    assert_eq!(tree[0]["winrate"], 0.7, "the result of a cancelled search is kept");
    assert_eq!(tree[1]["winrate"], 1.0);
    assert!(test.started().is_none());
    let state = test.ask(&json!({"type": "analyze", "on": false}));
    assert_eq!(state["analysis"], false);
}

#[test]
fn a_cancelled_analysis_says_nothing_about_the_next_game() {
    let mut test = Test::humans();
    test.ask(&json!({"type": "analyze", "on": true}));
    let job = test.started_id();
    test.ask(&json!({"type": "new", "board": 6}));
    test.done(job, search_outcome(Color::White, 0.7, "a1,c3"));
    let state = test.ask(&json!({"type": "goto", "node": 0}));
    assert!(state["tree"][0].get("winrate").is_none());
}

#[test]
fn a_review_searches_one_position_after_the_other() {
    let mut test = Test::humans();
    test.ask(&json!({"type": "load", "text": "# board: 6\na1,a6 c3,d4"}));
    let state = test.ask(&json!({"type": "review", "playouts": 50}));
    assert_eq!(state["review"], json!({"node": 2}));
    assert_eq!(test.message(MessageKind::Review).unwrap()["done"], 0);
    // The start, the position after its best move, after the first move (the best one), and the
    // end.
    let mut lengths = Vec::new();
    for (mover, best) in [
        (Color::White, "c3,d4"),
        (Color::Red, "a1,a6"),
        (Color::Red, "c3,d4"),
        (Color::White, "f1,f6"),
    ] {
        let (job, Job::Search(search)) = test.started().unwrap() else { panic!("no search") };
        lengths.push(search.line.moves.len());
        test.done(job, search_outcome(mover, 0.5, best));
    }
    assert_eq!(lengths, [0, 1, 1, 2]);
    assert!(test.started().is_none());
    let review = test.message(MessageKind::Review).unwrap();
    assert_eq!((&review["done"], &review["finished"]), (&json!(2), &json!(true)));
    assert_eq!(review["turns"][1]["node"], 2);
    let state = test.state();
    assert_eq!(state["review"], Value::Null);
    assert_eq!(state["tree"][2]["winrate"], 0.5);
}

#[test]
fn a_review_can_be_cancelled() {
    let mut test = Test::humans();
    test.ask(&json!({"type": "load", "text": "# board: 6\na1,a6 c3,d4"}));
    test.ask(&json!({"type": "review"}));
    let job = test.started_id();
    test.ask(&json!({"type": "review", "cancel": true}));
    assert!(test.is_cancelled(job));
    test.done(job, Outcome::Nothing);
    assert!(test.effects.is_empty());
}

#[test]
fn closing_cancels_all_jobs_and_saves() {
    let mut test = Test::against_engine();
    test.play("a1,c3");
    let job = test.started_id();
    test.tell(Event::Close);
    assert!(test.is_cancelled(job));
    assert!(matches!(test.effects.last(), Some(Effect::Save(_))));
}

#[test]
fn a_loaded_file_is_decoded_and_the_page_is_told_what_was_mended() {
    let mut test = Test::humans();
    let file = |bytes: &[u8]| json!({"base64": STANDARD.encode(bytes)});
    let state =
        test.ask(&json!({"type": "load", "text": file(b"(;SZ[6]CA[latin1]C[\xe9];W[a1,b1])")}));
    assert_eq!((&state["current"], &state["mended"]), (&json!(1), &Value::Null));
    let state = test.ask(&json!({"type": "load", "text": file(b"(;SZ[6]C[\xe9];W[a1,b1]")}));
    let codes = |answer: &Value| {
        let mended = answer["mended"].as_array().unwrap().iter();
        mended.map(|mended| mended["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&state), ["guessed_encoding", "missing_parenthesis"]);
    // Only the page that loaded the record gets the warnings.
    assert!(test.state().get("mended").is_none());
    assert!(test.play("c3,d3").get("mended").is_none());
    let answer = test.ask(&json!({"type": "check", "text": "Look: (;SZ[6]AW[a1])"}));
    assert_eq!(
        (&answer["type"], codes(&answer)),
        (&json!("legal"), vec!["skipped_text".to_owned()])
    );
    let answer = test.ask(&json!({"type": "load", "text": {"base64": "?"}}));
    assert_eq!(answer["text"], "base64: Invalid symbol 63, offset 0.");
    let (_, error) = read_request(r#"{"type": "load", "text": 1}"#).unwrap_err();
    assert_eq!(error, r#"text is a string, or {"base64": the bytes of a file}"#);
}

#[test]
fn a_game_that_another_one_replaces_is_kept() {
    let mut test = Test::humans();
    let kept_games = |test: &Test| -> Vec<Vec<String>> {
        let saved = test.effects().iter().filter_map(|effect| match effect {
            Effect::Keep(saved) => Some(saved.table().unwrap()),
            _ => None,
        });
        saved
            .map(|table| {
                let end = table.tree.main_line(table.current).last().copied().unwrap();
                table.tree.moves(end).iter().map(ToString::to_string).collect()
            })
            .collect()
    };
    let new = json!({"type": "new", "board": 6, "pie": false, "players": {"white": "human", "red": "human"}});
    test.ask(&new);
    assert!(kept_games(&test).is_empty(), "nothing was played");
    test.play("a1,c1");
    test.ask(&new);
    assert_eq!(kept_games(&test), [["a1,c1"]]);
    test.play("b2,d3");
    test.ask(&json!({"type": "load", "text": "d4,e6 c3,g6"}));
    assert_eq!(kept_games(&test), [["b2,d3"]]);
    test.ask(&json!({"type": "rematch"}));
    assert_eq!(kept_games(&test), [["d4,e6", "c3,g6"]]);
}

/// No request about a late turn replays the game.
#[test]
fn a_click_replays_nothing() {
    let mut test = Test::humans();
    let players = json!({"white": "human", "red": "human"});
    test.ask(&json!({"type": "new", "board": 10, "pie": false, "players": players}));
    while test.state()["tree"].as_array().unwrap().len() <= 20 {
        let legal = test.state()["position"]["legal"]["cells"].clone();
        let first = legal[0].as_str().unwrap().to_owned();
        let seconds = test.ask(&json!({"type": "seconds", "first": first}));
        let second = seconds["cells"][0].as_str().unwrap().to_owned();
        test.play(&format!("{first},{second}"));
    }
    for (request, made) in [
        (json!({"type": "goto", "node": 7}), 0),
        (json!({"type": "view", "node": 9}), 0),
        (json!({"type": "goto", "node": 20}), 0),
        (json!({"type": "why", "cell": "a1"}), 0),
        (json!({"type": "seconds", "first": "a1"}), 0),
        (json!({"type": "hint"}), 0),
        (json!({"type": "analyze", "on": true}), 0),
        (json!({"type": "undo"}), 0),
    ] {
        let before = MOVES_MADE.with(std::cell::Cell::get);
        test.ask(&request);
        assert_eq!(MOVES_MADE.with(std::cell::Cell::get) - before, made, "{request}");
    }
    // A new move, unlike the one that was taken back, is made once.
    let legal = test.state()["position"]["legal"]["cells"].clone();
    let first = legal[0].as_str().unwrap().to_owned();
    let seconds = test.ask(&json!({"type": "seconds", "first": first}));
    let before = MOVES_MADE.with(std::cell::Cell::get);
    let second = seconds["cells"].as_array().unwrap().last().unwrap();
    test.play(&format!("{first},{}", second.as_str().unwrap()));
    assert_eq!(MOVES_MADE.with(std::cell::Cell::get) - before, 1);

    // Nor does a host replay it for the list of games, after every change.
    let before = MOVES_MADE.with(std::cell::Cell::get);
    let saved = SavedSession::of(test.session.table());
    assert_eq!(saved.entry().map(|entry| entry.turns), Some(20));
    assert_eq!(MOVES_MADE.with(std::cell::Cell::get) - before, 0);
}

#[test]
fn a_text_that_cannot_be_loaded_says_where_and_why() {
    let mut test = Test::humans();
    for (text, unread) in [
        ("", json!({"code": "empty"})),
        (
            "# board: 6\na1,b2\nc3,z9",
            json!({"code": "place", "line": 3, "column": 1, "found": "c3,z9"}),
        ),
        (
            "# board: 6\na1,b2\n  hello",
            json!({"code": "place", "line": 3, "column": 3, "found": "hello"}),
        ),
        ("(;GM[1]SZ[19])", json!({"code": "other_game", "game": "1"})),
        ("6/6/6/6/6/7 w - -", json!({"code": "place", "line": 1, "column": 1, "found": null})),
    ] {
        let answer = test.ask(&json!({"type": "load", "text": text}));
        assert_eq!((&answer["type"], &answer["unread"]), (&json!("error"), &unread), "{text}");
    }
    let answer = test.ask(&json!({"type": "load", "text": "# board: 6\na1,b2\na1,c3"}));
    let why = &answer["unread"]["why"];
    assert_eq!((&answer["unread"]["turn"], &why["code"]), (&json!(2), &json!("occupied")));
    let start = "# board: 6\n# start: 6/6/6/6/6/w1w3 w a1-e1 -\n";
    let answer = test.ask(&json!({"type": "load", "text": start}));
    assert_eq!(answer["unread"]["code"], "start", "{answer}");
    // Other refusals are not about a text.
    assert_eq!(test.ask(&json!({"type": "goto", "node": 99}))["unread"], json!(null));
}

/// A game by links on a board of 6, in which this device has a colour.
fn by_links(white: &str, red: &str) -> Test {
    let mut test = Test::humans();
    let new = json!({"type": "new", "board": 6, "pie": true, "link": "ab1-2",
        "players": {"white": white, "red": red}});
    let state = test.ask(&new);
    assert_eq!(state["link"], json!({"game": "ab1-2", "sent": false}));
    test
}

#[test]
fn a_game_by_links_goes_to_and_fro() {
    let mut test = by_links("human", "friend");
    assert_eq!(test.play("a1,c1")["type"], "state");
    assert_eq!(test.play("a5,c5")["text"], "it is for the friend to move");
    assert_eq!(test.ask(&json!({"type": "undo"}))["current"], 0, "before it is sent");
    test.play("a1,d1");
    let tip = test.session.table().tip.unwrap();
    let sent = json!({"type": "sent", "node": tip});
    assert_eq!(test.ask(&sent)["link"]["sent"], true);
    assert_eq!(
        test.ask(&json!({"type": "undo"}))["text"],
        "there is no move of a human to take back"
    );
    // The friend swaps: this device has Red, and Red is to move.
    let go_on = |moves: &[&str]| json!({"type": "continue", "moves": moves});
    let state = test.ask(&go_on(&["a1,d1", "swap"]));
    assert_eq!(state["players"], json!({"white": "friend", "red": "human"}));
    assert_eq!((&state["link"]["sent"], &state["live"]), (&json!(true), &json!(true)));
    assert_eq!(test.ask(&json!({"type": "undo"}))["type"], "error");
    test.play("f5,f6");
    // A link that is behind, one of another game, and one with an illegal turn change nothing.
    let before = test.session.table().record(0);
    for (moves, answer) in [
        (vec!["a1,d1", "swap"], "error"),
        (vec!["a1,d1", "a4,a5", "b6,d6"], "error"),
        (vec!["a1,d1", "swap", "f5,f6", "c3,d3", "c3,d3"], "illegal"),
    ] {
        assert_eq!(test.ask(&go_on(&moves))["type"], answer, "{moves:?}");
        assert_eq!(test.session.table().record(0), before);
    }
    let state = test.ask(&json!({"type": "continue", "resigned": "white",
        "moves": ["a1,d1", "swap", "f5,f6", "c3,d3", "b6,d6"]}));
    assert_eq!((&state["end"]["text"], &state["link"]["sent"]), (&json!("R+R"), &json!(true)));
    // Saved and read again, it is the same.
    let saved = serde_json::to_string(&SavedSession::of(test.session.table())).unwrap();
    let restored = serde_json::from_str::<SavedSession>(&saved).unwrap().table().unwrap();
    assert_eq!(restored.link, test.session.table().link);
    assert!(restored.is_sent());
}

#[test]
fn in_a_game_by_links_nobody_moves_for_the_friend_and_no_engine_helps() {
    let mut test = by_links("friend", "human");
    for request in [
        json!({"type": "play", "move": "a1,c1"}),
        json!({"type": "play", "move": "a1,c1", "node": 0}),
        json!({"type": "resign", "player": "white"}),
        json!({"type": "undo"}),
        json!({"type": "hint"}),
        json!({"type": "consider", "move": "a1,c1"}),
        json!({"type": "move_now"}),
        json!({"type": "analyze", "on": true}),
        json!({"type": "rematch"}),
        json!({"type": "settings", "players": {"white": "human", "red": "human"}}),
        json!({"type": "new", "players": {"white": "human", "red": "friend"}}),
        json!({"type": "new", "link": "x", "players": {"white": "human", "red": "human"}}),
        json!({"type": "new", "link": "x", "players": {"white": "human", "red": "friend"},
            "clock": {"kind": "absolute", "main": 60}}),
        json!({"type": "load", "text": "a1,c1", "players": {"white": "human", "red": "friend"}}),
    ] {
        assert_eq!(test.ask(&request)["type"], "error", "{request}");
        assert_eq!(test.effects.len(), 1, "only the reply");
    }
    // A refused request changes nothing, not even in part.
    let before = SavedSession::of(test.session.table());
    let refused = json!({"type": "settings", "level": {"level": 7},
        "players": {"white": "human", "red": "human"}});
    assert_eq!(test.ask(&refused)["type"], "error");
    assert_eq!(SavedSession::of(test.session.table()), before);
    test.ask(&json!({"type": "continue", "moves": ["a1,c1"]}));
    test.play("a5,c5");
    // Moves at an earlier node and deleting turns of the game are refused, too.
    for request in [
        json!({"type": "play", "move": "a5,d5", "node": 1}),
        json!({"type": "delete", "node": 2}),
        json!({"type": "resign", "player": "white"}),
    ] {
        assert_eq!(test.ask(&request)["type"], "error", "{request}");
    }
    let aside = test.ask(&json!({"type": "play", "move": "a5,d5", "node": 1, "aside": true}));
    assert_eq!(test.ask(&json!({"type": "delete", "node": aside["node"]}))["type"], "state");
    assert_eq!(test.ask(&json!({"type": "resign", "player": "red"}))["link"]["sent"], false);
    assert_eq!(test.ask(&json!({"type": "undo"}))["type"], "error");
    // Another game in this session has no friend.
    let state = test.ask(&json!({"type": "new"}));
    assert_eq!(state["players"], json!({"white": "human", "red": "human"}));
    assert_eq!(state["link"], Value::Null);
}

const ANNA: &str = "annaannaannaanna";
const BEN: &str = "benbenbenbenbenben";
const KEY: &str = "keykeykeykeykeykey";

/// A session that page 1 shares and page 2 has come to. Page 3 watches.
fn shared(clock: &Value) -> Test {
    let mut test = Test::new(&json!({"white": "human", "red": "human"}), clock);
    let invite = json!({"type": "invite", "token": ANNA, "key": KEY, "player": "white"});
    assert_eq!(test.ask(&invite), json!({"type": "seat", "seat": 1, "key": KEY}));
    assert_eq!(test.state()["shared"]["taken"], json!({"white": true, "red": false}));
    test.as_page(2);
    let enter = json!({"type": "enter", "token": BEN, "key": KEY});
    assert_eq!(test.ask(&enter), json!({"type": "seat", "seat": 2, "key": null}));
    test.as_page(3);
    let enter = json!({"type": "enter", "token": "carlcarlcarlcarl", "key": KEY});
    assert_eq!(test.ask(&enter)["seat"], Value::Null, "both seats are taken");
    test
}

impl Test {
    /// Lets another page send the next requests.
    fn as_page(&mut self, page: Page) -> &mut Test {
        self.page = page;
        self
    }
}

#[test]
fn in_a_shared_session_a_page_acts_for_its_own_seat_only() {
    let mut test = shared(&json!({"kind": "none"}));
    let (watching, not_yours) =
        ("you are watching: both seats are taken", "this is for the other player");
    let play = |mv: &str| json!({"type": "play", "move": mv});
    // Page 4 has not sent its token.
    for (page, request, text) in [
        (3, play("a1,c1"), watching),
        (4, play("a1,c1"), watching),
        (2, play("a1,c1"), not_yours),
        (2, json!({"type": "resign", "player": "white"}), not_yours),
        (3, json!({"type": "resign", "player": "white"}), watching),
        (3, json!({"type": "offer", "offer": "draw"}), watching),
        (3, json!({"type": "decline"}), watching),
    ] {
        assert_eq!(test.as_page(page).ask(&request)["text"], text, "{page}: {request}");
        assert_eq!(test.effects.len(), 1, "only the reply");
    }
    // Requests that change the game for both players are refused, too.
    for request in [
        json!({"type": "new"}),
        json!({"type": "load", "text": "a1,c1"}),
        json!({"type": "rematch"}),
        json!({"type": "undo"}),
        json!({"type": "hint"}),
        json!({"type": "move_now"}),
        json!({"type": "analyze", "on": true}),
        json!({"type": "goto", "node": 0}),
        json!({"type": "delete", "node": 1}),
        json!({"type": "settings", "level": {"level": 1}}),
        json!({"type": "play", "move": "a1,c1", "aside": true}),
        json!({"type": "invite", "token": BEN, "key": KEY, "player": "white"}),
        json!({"type": "offer", "offer": "rematch"}),
    ] {
        assert_eq!(test.as_page(1).ask(&request)["type"], "error", "{request}");
        assert_eq!(test.effects.len(), 1, "only the reply: {request}");
    }
    assert_eq!(test.as_page(1).play("a1,c1")["type"], "state");
    assert_eq!(test.as_page(1).play("a5,c5")["text"], not_yours);
    assert_eq!(test.as_page(2).play("a5,c5")["type"], "state");
    // Questions are free.
    assert_eq!(test.as_page(3).ask(&json!({"type": "view", "node": 1}))["type"], "view");
    // A page that comes again has its seat, also after the session was saved and read.
    let saved = serde_json::to_string(&SavedSession::of(test.session.table())).unwrap();
    let table = serde_json::from_str::<SavedSession>(&saved).unwrap().table().unwrap();
    let (session, effects) = Session::start("0".to_owned(), table, &[BUILT_IN]);
    let mut test = Test { session, now: Duration::ZERO, page: 9, effects, searched: None };
    assert!(!test.state().to_string().contains(ANNA), "secrets stay here");
    assert_eq!(test.play("e1,e3")["text"], watching);
    assert_eq!(test.ask(&json!({"type": "enter", "token": ANNA}))["seat"], 1);
    assert_eq!(test.play("e1,e3")["type"], "state");
    test.tell(Event::Left(9));
    assert_eq!(test.ask(&json!({"type": "resign", "player": "white"}))["text"], watching);
}

#[test]
fn players_of_a_shared_session_agree_on_takebacks_draws_and_rematches() {
    let mut test = shared(&json!({"kind": "none"}));
    let offer = |kind: &str| json!({"type": "offer", "offer": kind});
    assert_eq!(
        test.as_page(1).ask(&offer("takeback"))["text"],
        "there is no move of a human to take back"
    );
    test.as_page(1).play("a1,c1");
    test.as_page(2).play("a5,c5");
    let state = test.as_page(1).ask(&offer("takeback"));
    assert_eq!(state["shared"]["offer"], json!({"player": "white", "offer": "takeback"}));
    assert_eq!(state["current"], 2, "not yet");
    assert_eq!(test.as_page(2).ask(&json!({"type": "decline"}))["shared"]["offer"], Value::Null);
    test.as_page(1).ask(&offer("takeback"));
    let state = test.as_page(2).ask(&offer("takeback"));
    assert_eq!((&state["current"], &state["shared"]["offer"]), (&json!(0), &Value::Null));
    // A move withdraws the offer.
    test.as_page(1).ask(&offer("draw"));
    assert_eq!(test.as_page(1).play("b2,d2")["shared"]["offer"], Value::Null);
    test.as_page(2).ask(&offer("draw"));
    let state = test.as_page(1).ask(&offer("draw"));
    assert_eq!(
        (&state["end"]["by"], &state["end"]["winner"]),
        (&json!("agreement"), &json!("draw"))
    );
    let saved = SavedSession::of(test.session.table());
    assert_eq!(SavedSession::of(&saved.table().unwrap()), saved);
    test.as_page(2).ask(&offer("rematch"));
    let state = test.as_page(1).ask(&offer("rematch"));
    assert_eq!((&state["current"], &state["live"]), (&json!(0), &json!(true)));
    assert!(test.effects.iter().any(|effect| matches!(effect, Effect::Keep(_))));
    // The colours are exchanged.
    assert_eq!(test.as_page(1).play("a1,c1")["type"], "error");
    assert_eq!(test.as_page(2).ask(&json!({"type": "enter", "token": BEN}))["seat"], 1);
    assert_eq!(test.as_page(2).play("a1,c1")["type"], "state");
}

#[test]
fn a_refused_offer_leaves_the_other_players_offer() {
    let mut test = shared(&json!({"kind": "none"}));
    test.as_page(1).play("a1,c1");
    let offer = |kind: &str| json!({"type": "offer", "offer": kind});
    let draw_offer = test.as_page(1).ask(&offer("draw"))["shared"]["offer"].clone();
    assert_eq!(draw_offer, json!({"player": "white", "offer": "draw"}));
    // Red has no turn to take back, and the game is not over.
    for refused in ["takeback", "rematch"] {
        assert_eq!(test.as_page(2).ask(&offer(refused))["type"], "error");
    }
    let state = test.as_page(2).ask(&offer("draw"));
    assert_eq!(state["end"]["by"], "agreement");
}

#[test]
fn the_host_frees_a_seat_and_clocks_wait_for_both_players() {
    let clock = json!({"kind": "absolute", "main": 60});
    let mut test = shared(&clock);
    assert!(test.session.alarm().is_some(), "the clock of White runs");
    let free = json!({"type": "free", "player": "red", "key": "otherotherotherother"});
    assert_eq!(test.as_page(2).ask(&free)["type"], "error");
    assert_eq!(test.as_page(1).ask(&free)["key"], "otherotherotherother");
    assert_eq!(test.state()["shared"]["taken"]["red"], false);
    // The old invitation is void.
    let enter = |key: &str| json!({"type": "enter", "token": "carlcarlcarlcarl", "key": key});
    assert_eq!(test.as_page(3).ask(&enter(KEY))["seat"], Value::Null);
    assert_eq!(test.as_page(3).ask(&enter("otherotherotherother"))["seat"], 2);
    let mut test = Test::new(&json!({"white": "human", "red": "pontifex"}), &clock);
    let invite = json!({"type": "invite", "token": ANNA, "key": KEY, "player": "white"});
    assert_eq!(test.ask(&invite)["type"], "error", "an engine has the other seat");
    let short = json!({"type": "invite", "token": "short", "key": KEY, "player": "red"});
    assert!(read_request(&short.to_string()).is_err());
}
