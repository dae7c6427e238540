//! A session in the form in which it is saved.
//!
//! A server keeps this JSON in a file, a browser in its database. It has to be readable for years,
//! by older and newer programs. It may come from anywhere: a person can edit it, a disk can damage
//! it, and all pages are sent what is in it. Hence:
//!
//! - **Texts, not structures.** Moves, positions and results are texts in the project's notation,
//!   so that the form does not depend on how the engine stores them.
//! - **One pass.** Nodes are listed with parents before children. Restoring makes each move once
//!   and stores the position.
//! - **New fields have defaults.** A field that files of earlier versions lack is marked below and
//!   has a value that reproduces what those versions did. `VERSION` changes only if old files could
//!   be misunderstood.
//! - **Everything is checked.** [`SavedSession::table`] trusts nothing: rules, moves, numbers of
//!   nodes, clocks, ranges of values, names. The first fault makes the session [`Damaged`], with
//!   one exception: an unsound review is left out, because the game is worth more.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::message::Entry;
use super::review::FinishedReview;
use super::shared::Shared;
use super::table::{Ending, Link, Table};
use super::terms::Clocks;
use super::terms::{ClockKind, Seat, Strength};
use super::tree::GameTree;
use super::view::game_list_entry;
use pontifex::board::Size;
use pontifex::clock::Clock;
use pontifex::game::{Outcome, Rules, Setup};
use pontifex::messages::one_line;
use pontifex::notation::GameResult;

/// The version of the form. Other versions are not read. New fields with a default need no new
/// version.
const VERSION: u32 = 1;

/// The longest name of an engine, in characters. Set by judgement: far beyond any name, but short
/// enough to send to every page.
const MAX_NAME: usize = 1000;

/// The greatest lead that may be recorded. No score is near it.
const MAX_LEAD: f64 = 10_000.0;

/// A table as JSON. Moves, positions and results are texts in the project's notation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SavedSession {
    version: u32,
    /// Missing in files of earlier versions.
    #[serde(default)]
    game: u64,
    board: u64,
    supply: String,
    pie: bool,
    start: String,
    seats: [Seat; 2],
    level: Strength,
    clock: ClockKind,
    clocks: Option<[Clock; 2]>,
    /// The clocks at earlier nodes; missing in files of earlier versions.
    #[serde(default)]
    earlier: BTreeMap<u32, [Clock; 2]>,
    nodes: Vec<SavedNode>,
    /// The comment at the start; missing in files of earlier versions.
    #[serde(default)]
    comment: String,
    current: u32,
    tip: Option<u32>,
    ending: Option<SavedEnding>,
    /// The finished review; missing in files of earlier versions.
    #[serde(default, deserialize_with = "FinishedReview::if_readable")]
    review: Option<FinishedReview>,
    /// The link of a game with a friend; missing in files of earlier versions.
    #[serde(default)]
    link: Option<Link>,
    /// The seats of a session that people share; missing in files of earlier versions.
    #[serde(default)]
    shared: Option<Shared>,
    /// The session's entry in the list of games. It is made together with the saved form, because
    /// making it later would mean restoring the table. It is not saved itself.
    #[serde(skip)]
    entry: Option<Entry>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SavedNode {
    node: u32,
    parent: u32,
    #[serde(rename = "move")]
    mv: String,
    value: Option<(f64, f64)>,
    /// Whether the node is its parent's main continuation; missing in files of earlier versions.
    #[serde(default)]
    followed: Option<bool>,
    /// Whether the node stays when turns are taken back; missing in files of earlier versions.
    #[serde(default)]
    kept: bool,
    /// The record's comment on the turn; missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SavedEnding {
    node: u32,
    result: String,
    detail: String,
}

/// Why a saved session cannot be restored, in one line.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{0}")]
pub struct Damaged(String);

impl SavedSession {
    /// The saved form of a table.
    pub fn of(table: &Table) -> SavedSession {
        let rules = table.tree.start().rules();
        let nodes = table.tree.nodes().filter_map(|(number, node)| {
            let (parent, mv) = node.from?;
            let followed = Some(table.tree.is_followed(number));
            Some(SavedNode {
                node: number,
                parent,
                mv: mv.to_string(),
                value: node.value,
                followed,
                kept: node.is_kept,
                comment: node.comment.clone(),
            })
        });
        SavedSession {
            version: VERSION,
            game: table.game,
            board: u64::from(rules.size.get()),
            supply: rules.supply.to_string(),
            pie: rules.pie,
            start: table.tree.start().to_string(),
            seats: table.seats.clone(),
            level: table.strength,
            clock: table.clocks.kind(),
            clocks: table.clocks.by_seat(),
            earlier: table.clocks.earlier_clocks().clone(),
            nodes: nodes.collect(),
            comment: table.tree.node_or_start(0).comment.clone(),
            current: table.current,
            tip: table.tip,
            ending: table.ending.as_ref().map(|ending| SavedEnding {
                node: ending.node,
                result: ending.result.to_string(),
                detail: ending.detail.clone(),
            }),
            review: table.finished_review.clone(),
            link: table.link.clone(),
            shared: table.shared.clone(),
            entry: game_list_entry(table),
        }
    }

    /// The entry in the list of games of a session that was made from a table; `None` for one that
    /// was read, and when nothing was played or set up.
    pub fn entry(&self) -> Option<&Entry> {
        self.entry.as_ref()
    }

    /// Whether nothing was played or set up.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.table().is_ok_and(|table| table.is_empty())
    }

    /// Restores the table. An unsound review is left out.
    ///
    /// # Errors
    /// The first fault found; everything is checked.
    pub fn table(&self) -> Result<Table, Damaged> {
        if self.version != VERSION {
            let text = format!("version is {}, not {VERSION}", self.version);
            return Err(Damaged(text));
        }
        let size = Size::new(self.board).map_err(damaged)?;
        let supply = self.supply.parse().map_err(damaged)?;
        let rules = Rules { size, supply, pie: self.pie };
        let setup = Setup::parse(&self.start, rules.supply, rules.pie).map_err(damaged)?;
        let start = setup.validate().map_err(damaged)?;
        if start.rules() != &rules {
            return Err(Damaged("the start is on another board".to_owned()));
        }
        self.seats.iter().try_for_each(check_seat)?;
        let table = Table::new(&start, self.seats.clone(), self.level, self.clock);
        let mut table = table.map_err(damaged)?;
        table.game = self.game;
        table.tree = self.tree(GameTree::new(&start))?;
        for node in [self.current].iter().chain(&self.tip).chain(self.earlier.keys()) {
            table.tree.node(*node).map_err(damaged)?;
        }
        (table.current, table.tip) = (self.current, self.tip);
        if let Some(link) = &self.link {
            if let Some((node, _)) = link.sent {
                table.tree.node(node).map_err(damaged)?;
            }
            table = table.by_links(link.game.clone()).map_err(damaged)?;
            table.link = Some(link.clone());
        } else if self.seats.contains(&Seat::Friend) {
            return Err(Damaged("a friend plays without links".to_owned()));
        }
        table.shared.clone_from(&self.shared);
        table.clocks = Clocks::restored(self.clock, self.clocks, self.earlier.clone())
            .ok_or_else(|| Damaged("the clocks do not fit the clock".to_owned()))?;
        let has_node = |node| table.tree.node(node).is_ok();
        table.finished_review = self.review.clone().filter(|review| review.is_sound(has_node));
        if let Some(saved) = &self.ending {
            table.tree.node(saved.node).map_err(damaged)?;
            table.ending = Some(ending(saved)?);
        }
        table.tree.follow(self.current).map_err(damaged)?;
        Ok(table)
    }

    fn tree(&self, mut tree: GameTree) -> Result<GameTree, Damaged> {
        tree.set_comment(0, &self.comment);
        for SavedNode { node, parent, mv, value, kept, comment, .. } in &self.nodes {
            let mv = mv.parse().map_err(damaged)?;
            let is_in_range = |&(winrate, lead): &(f64, f64)| {
                (0.0..=1.0).contains(&winrate) && lead.abs() <= MAX_LEAD
            };
            if !value.iter().all(is_in_range) {
                return Err(Damaged(format!("node {node}: its value is out of range")));
            }
            tree.restore(*node, *parent, mv, *value)
                .map_err(|reason| Damaged(format!("node {node}: {reason}")))?;
            if *kept {
                tree.keep(*node);
            }
            tree.set_comment(*node, comment);
        }
        // Files of earlier versions do not say which child was followed. The last one of each node
        // is the best guess, and it results from following all nodes in order.
        if self.nodes.iter().all(|node| node.followed.is_none()) {
            for SavedNode { node, .. } in &self.nodes {
                tree.follow(*node).map_err(damaged)?;
            }
        }
        for SavedNode { node, .. } in self.nodes.iter().filter(|node| node.followed == Some(true)) {
            tree.prefer(*node).map_err(damaged)?;
        }
        Ok(tree)
    }
}

/// Checks the name of an engine: it need not exist any more, but all pages show its name.
fn check_seat(seat: &Seat) -> Result<(), Damaged> {
    match seat {
        Seat::Engine(name) if name.chars().count() > MAX_NAME => {
            Err(Damaged(format!("a player's name has more than {MAX_NAME} characters")))
        }
        Seat::Engine(name) if name.chars().any(char::is_control) => {
            Err(Damaged("a player's name has control characters".to_owned()))
        }
        _ => Ok(()),
    }
}

fn ending(saved: &SavedEnding) -> Result<Ending, Damaged> {
    match saved.result.parse().map_err(damaged)? {
        result @ (GameResult::Won { .. } | GameResult::Played(Outcome::Draw)) => {
            Ok(Ending { node: saved.node, result, detail: one_line(&saved.detail) })
        }
        _ => Err(Damaged(format!("'{}' is not an early end", saved.result))),
    }
}

fn damaged(reason: impl std::fmt::Display) -> Damaged {
    Damaged(reason.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use pontifex::clock::Seconds;
    use pontifex::game::Color;
    use pontifex::notation::WonBy;

    #[test]
    fn a_saved_table_is_restored() {
        let mut table = Table::first();
        table.game = 3;
        table.clocks = Clocks::new(ClockKind::Absolute { main: Seconds::whole(60) }).unwrap();
        table.play(table.current, "a1,b1".parse().unwrap()).unwrap();
        table.play_at_tip(1, "swap".parse().unwrap(), 0.5).unwrap();
        table.play(table.current, "a1,c1".parse().unwrap()).unwrap_err();
        table.play(table.current, "c4,b6".parse().unwrap()).unwrap();
        table.tree.set_value(3, Some((0.25, -1.5)));
        table.goto(1).unwrap();
        table.play(table.current, "e4,b6".parse().unwrap()).unwrap();
        table.end(Color::White, WonBy::Time, "late".to_owned()).unwrap();
        let saved = SavedSession::of(&table);
        let text = serde_json::to_string(&saved).unwrap();
        let restored = serde_json::from_str::<SavedSession>(&text).unwrap().table().unwrap();
        assert_eq!(SavedSession::of(&restored), saved);
        assert_eq!(restored.game, 3);
        assert_eq!(restored.result(4), table.result(4));
    }

    #[test]
    fn earlier_clocks_are_restored_when_a_turn_is_taken_back() {
        let mut table = Table::first();
        table.clocks = Clocks::new(ClockKind::Absolute { main: Seconds::whole(60) }).unwrap();
        table.start_clock();
        table.play(table.current, "a1,b1".parse().unwrap()).unwrap();
        table.play_at_tip(1, "d4,e6".parse().unwrap(), 60.0).unwrap();
        let mut saved = SavedSession::of(&table);
        assert_eq!(saved.clocks.unwrap()[1].allowed(), Some(Seconds::ZERO));
        let allowed = |table: &Table| {
            table.clocks.by_seat().unwrap().map(|clock| clock.allowed().unwrap().get() as u32)
        };
        saved.earlier.get_mut(&0).unwrap()[0].spend(Seconds::whole(9));
        let mut restored = saved.table().unwrap();
        restored.undo().unwrap();
        assert_eq!(allowed(&restored), [51, 60]);
        // Files of earlier versions do not record them, and without time the game could not go on.
        saved.earlier.clear();
        let mut restored = saved.table().unwrap();
        restored.undo().unwrap();
        assert_eq!(allowed(&restored), [60, 60]);
    }

    #[test]
    fn errors_name_the_damage() {
        type Damage = fn(&mut SavedSession);
        fn clocks(node: u32) -> BTreeMap<u32, [Clock; 2]> {
            let limit = ClockKind::Absolute { main: Seconds::whole(60) }.limit().unwrap().unwrap();
            BTreeMap::from([(node, [Clock::new(limit); 2])])
        }
        fn ending_at(node: u32) -> SavedEnding {
            SavedEnding { node, result: "W+R".to_owned(), detail: String::new() }
        }
        fn times(main: f64) -> Option<[Clock; 2]> {
            let text = format!(r#"{{"limit":"tc=60","main":{main:?},"periods":0}}"#);
            serde_json::from_str(&text).ok().map(|clock| [clock; 2])
        }
        let mut table = Table::first();
        table.play(table.current, "a1,b1".parse().unwrap()).unwrap();
        let saved = SavedSession::of(&table);
        let cases: [(Damage, &str); 17] = [
            (|saved| saved.version = 9, "version"),
            (|saved| saved.board = 99, "99"),
            (|saved| saved.start = "x".to_owned(), "fields"),
            (|saved| saved.nodes[0].mv = "a1,a1".to_owned(), "a1"),
            (|saved| saved.nodes[0].parent = 7, "no node 7"),
            (|saved| saved.nodes[0].node = u32::MAX, "no node 4294967295"),
            (|saved| saved.current = 5, "no node 5"),
            (|saved| saved.board = 8, "another board"),
            (|saved| saved.earlier = clocks(5), "no node 5"),
            (|saved| saved.earlier = clocks(1), "the clocks"),
            (|saved| saved.nodes[0].value = Some((1.5, 0.0)), "value"),
            (|saved| saved.nodes[0].value = Some((0.5, 1e300)), "value"),
            (|saved| saved.seats[0] = Seat::Engine("x".repeat(1 << 20)), "1000 characters"),
            (|saved| saved.seats[1] = Seat::Engine("\u{1b}[2J".to_owned()), "control"),
            (|saved| saved.ending = Some(ending_at(5)), "no node 5"),
            (
                |saved| {
                    saved.clock = ClockKind::Fischer {
                        main: Seconds::whole(60),
                        increment: Seconds::whole(1),
                    };
                    saved.clocks = times(60.0);
                },
                "the clocks",
            ),
            (
                |saved| {
                    saved.clock = ClockKind::Absolute { main: Seconds::whole(60) };
                    // A clock that cannot be read counts as missing.
                    saved.clocks = times(1e300);
                },
                "the clocks",
            ),
        ];
        for (damage, words) in cases {
            let mut saved = saved.clone();
            damage(&mut saved);
            let error = saved.table().unwrap_err().to_string();
            assert!(error.contains(words), "{words}: {error}");
        }
    }

    #[test]
    fn an_unsound_review_is_left_out() {
        let mut table = Table::first();
        table.play(table.current, "a1,b1".parse().unwrap()).unwrap();
        let value = json!({"winrate": 0.5, "scoreLead": 0.0});
        let side = json!({
            "turns": 1, "loss": {"winrate": 0.0, "points": 0.0}, "inaccuracies": 0,
            "mistakes": 0, "blunders": 0, "accuracy": 100.0,
        });
        let message = json!({
            "type": "review", "done": 1, "total": 1,
            "turns": [{
                "turn": 1, "node": 1, "player": "white", "move": "a1,b1", "best": "d4,e5",
                "pv": ["d4,e5", "swap"], "grade": "mistake", "winrate": 0.5, "scoreLead": 0.5,
                "loss": {"winrate": 0.1, "points": 1.0}, "solved": null,
                "played": value, "bestPlayed": value,
                "why": [{"code": "space", "by": "d4", "player": "white", "free": 8}],
            }],
            "summary": {"white": side, "red": side},
            "worst": {"white": [1], "red": [], "both": [1]}, "end": 1, "finished": true,
        });
        let restored = |message: &Value| {
            let mut saved = json!(SavedSession::of(&table));
            saved["review"] = json!({"end": 1, "message": message});
            let saved: SavedSession = serde_json::from_value(saved).unwrap();
            saved.table().unwrap().finished_review.map(|review| json!(review.message))
        };
        let mut whole = message.clone();
        whole["turns"][0]["winner"] = Value::Null;
        assert_eq!(restored(&message), Some(whole));
        let cases = [
            ("", json!("<script>")),
            ("/type", json!("state")),
            ("/turns", json!([7])),
            ("/turns/0/node", json!(5)),
            ("/turns/0/move", json!("<b>")),
            ("/turns/0/pv", json!(["a1"])),
            ("/turns/0/grade", json!("fine")),
            ("/turns/0/winrate", json!(1e300)),
            ("/turns/0/why", json!({})),
            ("/turns/0/why/0/code", json!("x".repeat(1000))),
            ("/turns/0/why/0", json!([[[[[[[[[]]]]]]]]])),
            ("/summary/red", json!(null)),
            ("/worst/both", json!("1")),
            ("/end", json!(0)),
        ];
        for (place, nonsense) in cases {
            let mut message = message.clone();
            *message.pointer_mut(place).unwrap() = nonsense;
            assert_eq!(restored(&message), None, "{place}");
        }
        let mut more = message.clone();
        more["further"] = json!("x".repeat(1 << 20));
        assert_eq!(restored(&more), None);
    }
}
