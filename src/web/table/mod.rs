//! The table of a session: a game with its variations, who sits where, how
//! long they may think, and whose clock runs.

mod terms;

use std::collections::BTreeMap;
use std::time::Instant;

use thiserror::Error;

use super::settings::BUILT_IN;
use super::tree::{GameTree, MOST_NODES, TreeError};
use crate::game::{Color, Move, Position, Rules};
use crate::notation::{Aside, GameResult, Record, RecordedMove, Tag, WonBy};
use crate::tournament::SeatClock;
pub(super) use terms::{ClockKind, Level, Seat};

/// A game that was over before its end by the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ending {
    /// The node at which it happened.
    pub(super) node: u32,
    /// Who has won.
    pub(super) winner: Color,
    /// How.
    pub(super) by: WonBy,
    /// What happened, one line; may be empty.
    pub(super) detail: String,
}

/// What the clocks of White and Red show: seconds and periods left.
pub(super) type Shown = [(f64, u32); 2];

/// What cannot be done at the table.
#[derive(Clone, PartialEq, Debug, Error)]
pub(super) enum TableError {
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error("the game is over: {0}")]
    Over(GameResult),
    #[error("{0} is thinking; undo or move_now, or make the move elsewhere in the game")]
    NotHuman(String),
    #[error("nothing can be taken back")]
    NothingToUndo,
    #[error(
        "level is {{\"time\": SECONDS}} from 0.01 to {max} or {{\"playouts\": N}} from 1 to {most}",
        max = Level::MOST_TIME, most = Level::MOST_PLAYOUTS
    )]
    Level,
    #[error(
        "clock needs main of 1 to 1000000 seconds (byoyomi 0), increment of 0 or more, period of 0.1 or more, count of 1 to 1000"
    )]
    Clock,
}

/// The table of a session.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The game's number: how many the session had before it.
    pub(super) game: u64,
    pub(super) tree: GameTree,
    /// The node that is looked at.
    pub(super) current: u32,
    /// The node where the game goes on; `None` while it rests.
    pub(super) tip: Option<u32>,
    /// Who opened as White, and the other.
    pub(super) seats: [Seat; 2],
    pub(super) level: Level,
    pub(super) clock: ClockKind,
    /// The clocks of the seats at the tip; `None` without clocks.
    pub(super) clocks: Option<[SeatClock; 2]>,
    /// Since when the clock of who is to move at the tip runs.
    pub(super) since: Option<Instant>,
    pub(super) ending: Option<Ending>,
    /// The node at which this engine moves in a human's place.
    lent: Option<u32>,
    /// The clocks at earlier nodes, for taking back.
    pub(super) earlier: BTreeMap<u32, [SeatClock; 2]>,
}

impl Table {
    /// A new game of `players`, White's and Red's.
    pub(super) fn new(
        start: &Position,
        seats: [Seat; 2],
        level: Level,
        clock: ClockKind,
    ) -> Result<Table, TableError> {
        let clocks = clock.limit()?.map(|limit| [SeatClock::new(limit); 2]);
        Ok(Table {
            game: 0,
            tree: GameTree::new(start),
            current: 0,
            tip: Some(0),
            seats,
            level: level.check()?,
            clock,
            clocks,
            since: None,
            ending: None,
            lent: None,
            earlier: BTreeMap::new(),
        })
    }

    /// What a session has before anybody has chosen: the published game, a
    /// human against the engine at a second a move.
    pub(super) fn first(engine: &str) -> Table {
        Table {
            game: 0,
            tree: GameTree::new(&Position::new(Rules::default())),
            current: 0,
            tip: Some(0),
            seats: [Seat::Human, Seat::Engine(engine.to_owned())],
            level: Level::Time { time: 1.0 },
            clock: ClockKind::None,
            clocks: None,
            since: None,
            ending: None,
            lent: None,
            earlier: BTreeMap::new(),
        }
    }

    /// A game somebody wrote down; it rests at its end. Of variations, what
    /// the rules allow is taken.
    pub(super) fn load(&self, start: &Position, record: &Record) -> Result<Table, TableError> {
        let mut table = Table::new(start, self.seats.clone(), self.level, ClockKind::None)?;
        if record.moves.len() + record.asides.len() >= MOST_NODES {
            return Err(TreeError::Full.into());
        }
        let mut nodes = vec![Some(0)];
        for (before, turn) in record.tree() {
            let parent = nodes.get(before).copied().flatten();
            nodes.push(parent.and_then(|parent| table.tree.play(parent, turn.mv).ok()));
        }
        table.current = nodes[record.moves.len()].unwrap_or(0);
        table.tree.follow(table.current)?;
        table.tip = None;
        Ok(table)
    }

    /// The seat that has `color` at `node`.
    pub(super) fn seat_of(&self, color: Color, node: u32) -> usize {
        usize::from(self.tree.is_swapped(node)) ^ color.index()
    }

    /// Who has `color` at the node that is looked at.
    pub(super) fn player(&self, color: Color) -> &Seat {
        &self.seats[self.seat_of(color, self.current)]
    }

    /// The position that is looked at.
    pub(super) fn position(&self) -> Position {
        self.tree.position(self.current)
    }

    /// Where the game goes on, with the position there: not when it rests or
    /// is over.
    pub(super) fn running(&self) -> Option<(u32, Position)> {
        let tip = self.tip?;
        if self.ending.as_ref().is_some_and(|ending| ending.node == tip) {
            return None;
        }
        let position = self.tree.position(tip);
        (!position.is_over()).then_some((tip, position))
    }

    /// The engine that is to move where the game goes on.
    pub(super) fn engine_to_move(&self) -> Option<(u32, Position, &str)> {
        let (tip, position) = self.running()?;
        match &self.seats[self.seat_of(position.side(), tip)] {
            Seat::Engine(name) => Some((tip, position, name)),
            Seat::Human if self.lent == Some(tip) => Some((tip, position, BUILT_IN)),
            Seat::Human => None,
        }
    }

    /// This engine makes one move in the place of the human who is to move
    /// where the game goes on.
    pub(super) fn lend(&mut self) {
        // What he has thought himself is his.
        self.stop_clock();
        self.lent = self.tip;
    }

    /// How the game ended at `node`, if it did.
    pub(super) fn result(&self, node: u32) -> Option<GameResult> {
        match &self.ending {
            Some(Ending { node: at, winner, by, .. }) if *at == node => {
                Some(GameResult::Won { winner: *winner, by: *by })
            }
            _ => {
                let position = self.tree.position(node);
                position.is_over().then(|| GameResult::Played(position.outcome()))
            }
        }
    }

    /// A human's move at the node that is looked at. The game goes on there;
    /// after a move in an engine's place it rests.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), TableError> {
        if let Some(result) = self.result(self.current) {
            return Err(TableError::Over(result));
        }
        if let Some((tip, _, name)) = self.engine_to_move()
            && tip == self.current
        {
            return Err(TableError::NotHuman(name.to_owned()));
        }
        let node = self.tree.play(self.current, mv)?;
        let is_humans = *self.player(self.position().side()) == Seat::Human;
        if self.tip == Some(self.current) {
            self.stop_clock();
        } else {
            self.restore_clocks(self.current);
        }
        self.go_on_at(node);
        self.current = node;
        if !is_humans {
            self.tip = None;
        }
        Ok(())
    }

    /// The move of an engine where the game goes on; who looks at the tip
    /// sees it.
    pub(super) fn play_at_tip(&mut self, tip: u32, mv: Move, spent: f64) -> Result<(), TableError> {
        let node = self.tree.play(tip, mv)?;
        self.spend(spent);
        self.go_on_at(node);
        if self.current == tip {
            self.current = node;
        } else {
            // Whoever looks elsewhere still sees what he looks at followed.
            self.tree.follow(node)?;
        }
        Ok(())
    }

    fn go_on_at(&mut self, node: u32) {
        self.tip = Some(node);
        self.lent = None;
        self.since = None;
        if self.ending.as_ref().is_some_and(|ending| ending.node == node) {
            self.ending = None;
        }
    }

    /// Looks at another node.
    pub(super) fn goto(&mut self, node: u32) -> Result<(), TableError> {
        self.tree.follow(node)?;
        self.current = node;
        Ok(())
    }

    /// Goes back to the last turn of a human; between engines, to the last
    /// turn, where the game then rests.
    pub(super) fn undo(&mut self) -> Result<(), TableError> {
        let path = self.tree.path(self.current);
        let earlier = path.split_last().map_or(&[][..], |(_, earlier)| earlier);
        let is_humans = |node: &&u32| {
            let side = self.tree.position(**node).side();
            self.seats[self.seat_of(side, **node)] == Seat::Human
        };
        let last = *earlier.last().ok_or(TableError::NothingToUndo)?;
        let to = earlier.iter().rev().find(is_humans).copied();
        if to.is_none() && self.seats.contains(&Seat::Human) {
            return Err(TableError::NothingToUndo);
        }
        self.current = to.unwrap_or(last);
        (self.tip, self.since, self.lent) = (to, None, None);
        self.restore_clocks(self.current);
        Ok(())
    }

    /// Removes a variation.
    pub(super) fn delete(&mut self, node: u32) -> Result<(), TableError> {
        let parent = self.tree.remove(node)?;
        self.earlier.retain(|node, _| self.tree.node(*node).is_ok());
        if self.tree.node(self.current).is_err() {
            self.current = parent;
        }
        if self.tip.is_some_and(|tip| self.tree.node(tip).is_err()) {
            (self.tip, self.since) = (None, None);
        }
        if self.ending.as_ref().is_some_and(|ending| self.tree.node(ending.node).is_err()) {
            self.ending = None;
        }
        Ok(())
    }

    /// The game ends where it goes on (or, resting, where it is looked at).
    pub(super) fn end(
        &mut self,
        winner: Color,
        by: WonBy,
        detail: String,
    ) -> Result<(), TableError> {
        let node = self.tip.unwrap_or(self.current);
        if let Some(result) = self.result(node) {
            return Err(TableError::Over(result));
        }
        self.stop_clock();
        self.ending = Some(Ending { node, winner, by, detail });
        Ok(())
    }

    /// Changes who plays and how long engines think. The game goes on where
    /// it is looked at.
    pub(super) fn set(
        &mut self,
        players: Option<[Seat; 2]>,
        level: Option<Level>,
    ) -> Result<(), TableError> {
        if let Some(level) = level {
            self.level = level.check()?;
        }
        if let Some([white, red]) = players {
            let seats =
                if self.tree.is_swapped(self.current) { [red, white] } else { [white, red] };
            if seats != self.seats {
                self.seats = seats;
                self.resume();
            }
        }
        Ok(())
    }

    /// The game goes on where it is looked at.
    pub(super) fn resume(&mut self) {
        if self.tip != Some(self.current) {
            self.restore_clocks(self.current);
            (self.tip, self.since) = (Some(self.current), None);
        }
    }

    /// The clock of who is to move at the tip runs from now on.
    pub(super) fn start_clock(&mut self) {
        if self.since.is_none()
            && let (Some(clocks), Some((tip, _))) = (self.clocks, self.running())
        {
            self.earlier.insert(tip, clocks);
            self.since = Some(Instant::now());
        }
    }

    /// The clock that runs has run for so long, in seconds.
    pub(super) fn spent(&self) -> f64 {
        self.since.map_or(0.0, |since| since.elapsed().as_secs_f64())
    }

    /// What the clocks of White and Red show (seconds and periods), and whose
    /// runs; at the tip.
    pub(super) fn shown(&self) -> Option<(Shown, Option<Color>)> {
        let clocks = self.clocks?;
        let at = self.tip.unwrap_or(self.current);
        let running = self.since.and_then(|_| Some(self.running()?.1.side()));
        let shown = Color::BOTH.map(|color| {
            let spent = if running == Some(color) { self.spent() } else { 0.0 };
            clocks[self.seat_of(color, at)].shown(spent).unwrap_or_default()
        });
        Some((shown, running))
    }

    /// How long until the flag falls of who is to move at the tip; `None`
    /// when no clock runs.
    pub(super) fn flag(&self) -> Option<f64> {
        self.since?;
        Some(self.clock_to_move()?.allowed()? - self.spent())
    }

    /// The clock of who is to move at the tip.
    pub(super) fn clock_to_move(&self) -> Option<SeatClock> {
        let (tip, position) = self.running()?;
        Some(self.clocks?[self.seat_of(position.side(), tip)])
    }

    fn stop_clock(&mut self) {
        if self.since.is_some() {
            self.spend(self.spent());
        }
    }

    /// Takes the time of a move off the clock of who is to move at the tip.
    fn spend(&mut self, seconds: f64) {
        self.since = None;
        if let (Some((tip, position)), Some(mut clocks)) = (self.running(), self.clocks) {
            clocks[self.seat_of(position.side(), tip)].spend(seconds);
            self.clocks = Some(clocks);
        }
    }

    fn restore_clocks(&mut self, node: u32) {
        if let Some(clocks) = self.earlier.get(&node) {
            self.clocks = Some(*clocks);
        } else if self.clocks.iter().flatten().any(|clock| clock.allowed() == Some(0.0)) {
            // An old file does not say what they showed, and nobody can go on without time.
            self.clocks = self.clock.limit().ok().flatten().map(|limit| [SeatClock::new(limit); 2]);
        }
    }

    /// The game through `node` as a record, with everything that followed it
    /// and the variations.
    pub(super) fn record(&self, node: u32) -> Record {
        let line = self.tree.main_line(node);
        let end = line.last().copied().unwrap_or(0);
        let mut record = Record::new(self.tree.start().into());
        record.moves = self.tree.moves(end).into_iter().map(RecordedMove::from).collect();
        record.asides = self.asides(&line);
        record.result = self.result(end);
        for (color, tag) in Color::BOTH.into_iter().zip([Tag::White, Tag::Red]) {
            if let Seat::Engine(name) = &self.seats[self.seat_of(color, end)] {
                record.set_tag(tag, name);
            }
        }
        record
    }

    /// The moves beside a line of nodes.
    fn asides(&self, line: &[u32]) -> Vec<Aside> {
        let mut numbers: BTreeMap<u32, usize> = line.iter().copied().zip(0..).collect();
        let mut asides = Vec::new();
        for (number, node) in self.tree.nodes() {
            let Some((parent, mv)) = node.from.filter(|_| !numbers.contains_key(&number)) else {
                continue;
            };
            let after = numbers.get(&parent).copied().unwrap_or(0);
            asides.push(Aside { after, turn: mv.into() });
            numbers.insert(number, line.len() - 1 + asides.len());
        }
        asides
    }
}

#[cfg(test)]
mod tests;
