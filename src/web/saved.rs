//! A session as a file keeps it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::table::{ClockKind, Ending, Level, Seat, Table};
use super::tree::GameTree;
use crate::board::Size;
use crate::game::{Rules, Setup};
use crate::notation::GameResult;
use crate::tournament::SeatClock;

/// The form of the files; another is not read.
const VERSION: u32 = 1;

/// A table as JSON: texts in the notation that users know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SavedSession {
    version: u32,
    /// Files of earlier versions have none.
    #[serde(default)]
    game: u64,
    board: u64,
    supply: String,
    pie: bool,
    start: String,
    seats: [Seat; 2],
    level: Level,
    clock: ClockKind,
    clocks: Option<[SeatClock; 2]>,
    /// What they were at earlier nodes; files of earlier versions do not say.
    #[serde(default)]
    earlier: BTreeMap<u32, [SeatClock; 2]>,
    nodes: Vec<KeptNode>,
    current: u32,
    tip: Option<u32>,
    ending: Option<KeptEnding>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct KeptNode {
    node: u32,
    parent: u32,
    #[serde(rename = "move")]
    mv: String,
    value: Option<(f64, f64)>,
    /// Whether it is what followed its parent when that was last looked at;
    /// files of earlier versions do not say so.
    #[serde(default)]
    followed: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct KeptEnding {
    node: u32,
    result: String,
    detail: String,
}

/// The file is not a session.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{0}")]
pub(super) struct Damaged(String);

impl SavedSession {
    /// What is to be kept of a table.
    pub(super) fn of(table: &Table) -> SavedSession {
        let rules = table.tree.start().rules();
        let nodes = table.tree.nodes().filter_map(|(number, node)| {
            let (parent, mv) = node.from?;
            let followed = table.tree.is_followed(number);
            Some(KeptNode { node: number, parent, mv: mv.to_string(), value: node.value, followed })
        });
        SavedSession {
            version: VERSION,
            game: table.game,
            board: u64::from(rules.size.get()),
            supply: rules.supply.to_string(),
            pie: rules.pie,
            start: table.tree.start().to_string(),
            seats: table.seats.clone(),
            level: table.level,
            clock: table.clock,
            clocks: table.clocks,
            earlier: table.earlier.clone(),
            nodes: nodes.collect(),
            current: table.current,
            tip: table.tip,
            ending: table.ending.as_ref().map(|ending| KeptEnding {
                node: ending.node,
                result: GameResult::Won { winner: ending.winner, by: ending.by }.to_string(),
                detail: ending.detail.clone(),
            }),
        }
    }

    /// The table again.
    ///
    /// # Errors
    /// What is wrong with the file: everything in it is checked.
    pub(super) fn table(&self) -> Result<Table, Damaged> {
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
        let table = Table::new(&start, self.seats.clone(), self.level, self.clock);
        let mut table = table.map_err(damaged)?;
        table.game = self.game;
        table.tree = self.tree(GameTree::new(&start))?;
        for node in [self.current].iter().chain(&self.tip).chain(self.earlier.keys()) {
            table.tree.node(*node).map_err(damaged)?;
        }
        (table.current, table.tip) = (self.current, self.tip);
        if self.clocks.is_some() != table.clocks.is_some()
            || !self.earlier.is_empty() && self.clocks.is_none()
        {
            return Err(Damaged("the clocks do not fit the clock".to_owned()));
        }
        (table.clocks, table.earlier) = (self.clocks, self.earlier.clone());
        table.ending = self.ending.as_ref().map(ending).transpose()?;
        table.tree.follow(self.current).map_err(damaged)?;
        Ok(table)
    }

    fn tree(&self, mut tree: GameTree) -> Result<GameTree, Damaged> {
        for KeptNode { node, parent, mv, value, .. } in &self.nodes {
            let mv = mv.parse().map_err(damaged)?;
            tree.put_back(*node, *parent, mv, *value)
                .map_err(|reason| Damaged(format!("node {node}: {reason}")))?;
        }
        // Where nothing is said, the last that was played is what followed.
        for KeptNode { node, .. } in &self.nodes {
            tree.follow(*node).map_err(damaged)?;
        }
        for KeptNode { node, .. } in self.nodes.iter().filter(|node| node.followed) {
            tree.prefer(*node).map_err(damaged)?;
        }
        Ok(tree)
    }
}

fn ending(kept: &KeptEnding) -> Result<Ending, Damaged> {
    match kept.result.parse().map_err(damaged)? {
        GameResult::Won { winner, by } => {
            Ok(Ending { node: kept.node, winner, by, detail: kept.detail.clone() })
        }
        _ => Err(Damaged(format!("'{}' is no early end", kept.result))),
    }
}

fn damaged(reason: impl std::fmt::Display) -> Damaged {
    Damaged(reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Color;
    use crate::notation::WonBy;

    #[test]
    fn what_is_kept_comes_back() {
        let mut table = Table::first("pontifex");
        table.game = 3;
        table.clock = ClockKind::Absolute { main: 60.0 };
        table.clocks = table.clock.limit().unwrap().map(|limit| [SeatClock::new(limit); 2]);
        table.play("a1,b1".parse().unwrap()).unwrap();
        table.play_at_tip(1, "swap".parse().unwrap(), 0.5).unwrap();
        table.play("a1,c1".parse().unwrap()).unwrap_err();
        table.play("c4,b6".parse().unwrap()).unwrap();
        table.tree.set_value(3, Some((0.25, -1.5)));
        table.goto(1).unwrap();
        table.play("e4,b6".parse().unwrap()).unwrap();
        table.end(Color::White, WonBy::Time, "late".to_owned()).unwrap();
        let kept = SavedSession::of(&table);
        let text = serde_json::to_string(&kept).unwrap();
        let back = serde_json::from_str::<SavedSession>(&text).unwrap().table().unwrap();
        assert_eq!(SavedSession::of(&back), kept);
        assert_eq!(back.game, 3);
        assert_eq!(back.result(4), table.result(4));
    }

    #[test]
    fn what_was_followed_stays_the_main_line() {
        let mut table = Table::first("pontifex");
        table.play("a1,b1".parse().unwrap()).unwrap();
        table.goto(0).unwrap();
        table.play("c1,d1".parse().unwrap()).unwrap();
        table.goto(1).unwrap();
        table.goto(0).unwrap();
        assert_eq!(table.tree.main_line(0), [0, 1]);
        assert_eq!(SavedSession::of(&table).table().unwrap().tree.main_line(0), [0, 1]);
    }

    #[test]
    fn clocks_are_as_they_were_when_a_turn_is_taken_back() {
        let mut table = Table::first("pontifex");
        table.clock = ClockKind::Absolute { main: 60.0 };
        table.clocks = table.clock.limit().unwrap().map(|limit| [SeatClock::new(limit); 2]);
        table.start_clock();
        table.play("a1,b1".parse().unwrap()).unwrap();
        table.play_at_tip(1, "d4,e6".parse().unwrap(), 60.0).unwrap();
        let mut kept = SavedSession::of(&table);
        assert_eq!(kept.clocks.unwrap()[1].allowed(), Some(0.0));
        let allowed =
            |table: &Table| table.clocks.unwrap().map(|clock| clock.allowed().unwrap() as u32);
        kept.earlier.get_mut(&0).unwrap()[0].spend(9.0);
        let mut back = kept.table().unwrap();
        back.undo().unwrap();
        assert_eq!(allowed(&back), [51, 60]);
        // Files of earlier versions do not say what they were, and nobody can
        // go on without time.
        kept.earlier.clear();
        let mut back = kept.table().unwrap();
        back.undo().unwrap();
        assert_eq!(allowed(&back), [60, 60]);
    }

    #[test]
    fn damage_is_told() {
        type Damage = fn(&mut SavedSession);
        fn clocks(node: u32) -> BTreeMap<u32, [SeatClock; 2]> {
            let limit = ClockKind::Absolute { main: 60.0 }.limit().unwrap().unwrap();
            BTreeMap::from([(node, [SeatClock::new(limit); 2])])
        }
        let mut table = Table::first("pontifex");
        table.play("a1,b1".parse().unwrap()).unwrap();
        let kept = SavedSession::of(&table);
        let cases: [(Damage, &str); 10] = [
            (|kept| kept.version = 9, "version"),
            (|kept| kept.board = 99, "99"),
            (|kept| kept.start = "x".to_owned(), "fields"),
            (|kept| kept.nodes[0].mv = "a1,a1".to_owned(), "a1"),
            (|kept| kept.nodes[0].parent = 7, "no node 7"),
            (|kept| kept.nodes[0].node = u32::MAX, "no node 4294967295"),
            (|kept| kept.current = 5, "no node 5"),
            (|kept| kept.board = 8, "another board"),
            (|kept| kept.earlier = clocks(5), "no node 5"),
            (|kept| kept.earlier = clocks(1), "the clocks"),
        ];
        for (damage, words) in cases {
            let mut kept = kept.clone();
            damage(&mut kept);
            let error = kept.table().unwrap_err().to_string();
            assert!(error.contains(words), "{words}: {error}");
        }
    }
}
