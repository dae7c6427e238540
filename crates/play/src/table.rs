//! The table of a session: a game with its variations, who plays, and where it continues.
//!
//! Two nodes of the tree matter. The game continues at the *tip*, whatever pages look at. Pages
//! show the *current* node:
//!
//! ```text
//!   0 ── 1 ── 2 ── 3     tip = 3: the side to move there plays, its clock runs
//!        └── 4           current = 4: what pages show, a variation beside the game
//! ```
//!
//! - Without a tip the game is paused: a record was loaded, a turn was taken back between two
//!   engines, an engine could not play. A human's move or `move_now` sets a tip again.
//! - A game is over at a node, not as a whole: by the rules where the position says so, or early
//!   (resignation, time, agreement) at the node of its [`Ending`]. Variations from earlier nodes
//!   can still be continued.
//! - *Seats* stay with people, colours do not: seat 0 opened as White, and after a swap it has Red.
//!   Clocks, players and tokens belong to seats. Every question about a colour therefore names the
//!   node at which it is asked.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::review::FinishedReview;
use super::shared::Shared;
use super::terms::Clocks;
use super::terms::{BUILT_IN, ClockKind, LinkId, Seat, Strength, TermsError};
use super::tree::{GameTree, TreeError};
use pontifex::clock::{Clock, Seconds};
use pontifex::game::{Color, Move, Position, Rules};
use pontifex::notation::{GameResult, WonBy};

/// A game that ended before its end by the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ending {
    /// The node at which the game ended.
    pub(super) node: u32,
    /// Who has won, or a draw that was agreed.
    pub(super) result: GameResult,
    /// The reason in one line; may be empty.
    pub(super) detail: String,
}

/// A game with a friend who plays on another device. The two send each other links that hold the
/// whole game. Each device moves for its own seat only.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Link {
    pub(super) game: LinkId,
    /// How far the friend has the game: the node, and whether it ended there early.
    pub(super) sent: Option<(u32, bool)>,
}

/// What the clocks of White and Red show: time and byo-yomi periods left.
pub(super) type ClockReadings = [(Seconds, u32); 2];

/// Why a request cannot be carried out at the table.
#[derive(Clone, PartialEq, Debug, Error)]
pub(crate) enum TableError {
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error(transparent)]
    Terms(#[from] TermsError),
    #[error("the game is over: {0}")]
    Over(GameResult),
    #[error("{0} is thinking: send undo or move_now first")]
    NotHuman(String),
    #[error("there is no move of a human to take back")]
    NothingToUndo,
    #[error("it is for the friend to move")]
    FriendsTurn,
    #[error("a game by links goes on only where it stands")]
    Elsewhere,
    #[error("a game by links keeps its players: a human and a friend, without clocks")]
    LinkTerms,
    #[error("this is not a game by links")]
    NoLink,
    #[error("the link has another game, or an earlier turn of this one")]
    OtherLink,
}

/// The table of a session.
#[derive(Clone, Debug)]
pub struct Table {
    /// The number of games the session had before this one.
    pub(super) game: u64,
    pub(super) tree: GameTree,
    /// The node that pages show.
    pub(super) current: u32,
    /// The node where the game continues; `None` while it is paused.
    pub(super) tip: Option<u32>,
    /// The player who opened as White, and the other one.
    pub(super) seats: [Seat; 2],
    pub(super) strength: Strength,
    pub(super) clocks: Clocks,
    pub(super) ending: Option<Ending>,
    /// The last finished review.
    pub(super) finished_review: Option<FinishedReview>,
    /// The link of a game with a friend by links, where one seat is the friend's; else `None`.
    pub(super) link: Option<Link>,
    /// The seats of a session that people share by an invitation; else `None`.
    pub(super) shared: Option<Shared>,
    /// The node at which the built-in engine moves in a human's place.
    engine_moves_at: Option<u32>,
}

impl Table {
    /// A new game between `seats`, White's and Red's.
    ///
    /// # Errors
    /// When the strength or the clock is out of range.
    pub(super) fn new(
        start: &Position,
        seats: [Seat; 2],
        strength: Strength,
        clock: ClockKind,
    ) -> Result<Table, TermsError> {
        let (strength, clocks) = (strength.check()?, Clocks::new(clock)?);
        Ok(Table { seats, strength, clocks, ..Table::with_start(start) })
    }

    /// The game of a new session: the published game, a human against the built-in engine at one
    /// second a move.
    pub fn first() -> Table {
        Table::with_start(&Position::new(Rules::default()))
    }

    fn with_start(start: &Position) -> Table {
        Table {
            game: 0,
            tree: GameTree::new(start),
            current: 0,
            tip: Some(0),
            seats: [Seat::Human, Seat::Engine(BUILT_IN.to_owned())],
            strength: Strength::Time { time: Seconds::whole(1) },
            clocks: Clocks::none(),
            ending: None,
            finished_review: None,
            link: None,
            shared: None,
            engine_moves_at: None,
        }
    }

    /// Whether any move was made, even if only in a variation.
    pub fn has_move(&self) -> bool {
        self.tree.nodes().nth(1).is_some()
    }

    /// Whether nothing was played or set up.
    pub fn is_empty(&self) -> bool {
        let start = self.tree.start();
        !self.has_move() && *start == Position::new(*start.rules())
    }

    /// Sets the current time.
    pub(super) fn set_now(&mut self, now: Duration) {
        self.clocks.set_now(now);
    }

    /// The node of a request, the current one by default.
    ///
    /// # Errors
    /// When there is no such node.
    pub(super) fn node(&self, node: Option<u32>) -> Result<u32, TreeError> {
        let node = node.unwrap_or(self.current);
        self.tree.node(node).map(|_| node)
    }

    /// The node where the game continues; the one that pages show while it is paused.
    pub(super) fn tip_or_current(&self) -> u32 {
        self.tip.unwrap_or(self.current)
    }

    /// The seat, 0 or 1, that has `color` at `node`: a swap on the way exchanges them.
    pub(super) fn seat_of(&self, color: Color, node: u32) -> usize {
        usize::from(self.tree.is_swapped(node)) ^ color.index()
    }

    pub(super) fn player(&self, color: Color, node: u32) -> &Seat {
        &self.seats[self.seat_of(color, node)]
    }

    /// White's and Red's player at `node`.
    pub(super) fn players(&self, node: u32) -> [Seat; 2] {
        Color::BOTH.map(|color| self.player(color, node).clone())
    }

    /// Gives White and Red these players at the current node.
    pub(super) fn set_players(&mut self, [white, red]: [Seat; 2]) {
        let is_swapped = self.tree.is_swapped(self.current);
        self.seats = if is_swapped { [red, white] } else { [white, red] };
    }

    /// The node where the game continues, with its position; `None` while the game is paused or
    /// over.
    pub(super) fn running_tip(&self) -> Option<(u32, Position)> {
        let tip = self.tip?;
        if self.ending.as_ref().is_some_and(|ending| ending.node == tip) {
            return None;
        }
        let position = self.tree.position(tip);
        (!position.is_over()).then_some((tip, *position))
    }

    /// The engine to move where the game continues.
    pub(super) fn engine_to_move(&self) -> Option<(u32, Position, &str)> {
        let (tip, position) = self.running_tip()?;
        match &self.seats[self.seat_of(position.side(), tip)] {
            Seat::Engine(name) => Some((tip, position, name)),
            Seat::Human if self.engine_moves_at == Some(tip) => Some((tip, position, BUILT_IN)),
            Seat::Human | Seat::Friend => None,
        }
    }

    /// Lets the built-in engine make one move in the place of the human to move.
    pub(super) fn let_engine_move(&mut self) {
        // The human is charged for the time until they asked, the engine for the rest.
        self.stop_clock();
        self.engine_moves_at = self.tip;
    }

    /// The result of the game at `node`, if it ended there.
    pub(super) fn result(&self, node: u32) -> Option<GameResult> {
        match &self.ending {
            Some(ending) if ending.node == node => Some(ending.result),
            _ => {
                let position = self.tree.position(node);
                position.is_over().then(|| GameResult::Played(position.outcome()))
            }
        }
    }

    /// Makes a human's move at `node`, where the game continues. After a move in an engine's place
    /// it is paused. An error leaves the table unchanged.
    pub(super) fn play(&mut self, node: u32, mv: Move) -> Result<(), TableError> {
        if let Some(result) = self.result(node) {
            return Err(TableError::Over(result));
        }
        if let Some((tip, _, name)) = self.engine_to_move()
            && tip == node
        {
            return Err(TableError::NotHuman(name.to_owned()));
        }
        if self.link.is_some() {
            self.check_own_turn(node)?;
        }
        let after = self.tree.play(node, mv)?;
        self.tree.follow(after)?;
        // Before the tip advances: a swap would exchange the players.
        let is_human = *self.player(self.tree.position(node).side(), node) == Seat::Human;
        if self.tip == Some(node) {
            self.stop_clock();
        } else {
            self.clocks.restore(node);
        }
        self.continue_at(after);
        self.current = after;
        if !is_human {
            self.tip = None;
        }
        Ok(())
    }

    /// Makes an engine's move at the tip, which took this many seconds. Pages that show the tip
    /// follow.
    pub(super) fn play_at_tip(
        &mut self,
        tip: u32,
        mv: Move,
        seconds: f64,
    ) -> Result<(), TableError> {
        let node = self.tree.play(tip, mv)?;
        self.spend(seconds);
        self.continue_at(node);
        if self.current == tip {
            self.current = node;
        } else {
            self.tree.follow(node)?;
        }
        Ok(())
    }

    /// Makes a move at `node` as a variation: the game stays as it is.
    pub(super) fn play_aside(&mut self, node: u32, mv: Move) -> Result<u32, TableError> {
        match self.result(node) {
            Some(result) => Err(TableError::Over(result)),
            None => Ok(self.tree.branch(node, mv)?),
        }
    }

    /// A new game on the same terms, or at another strength, with the colours exchanged.
    pub(super) fn rematch(&self, strength: Option<Strength>) -> Result<Table, TableError> {
        if self.link.is_some() {
            return Err(TableError::LinkTerms);
        }
        self.with_colors_exchanged(strength)
    }

    pub(super) fn with_colors_exchanged(
        &self,
        strength: Option<Strength>,
    ) -> Result<Table, TableError> {
        let [white, red] = self.players(self.tip_or_current());
        let strength = strength.unwrap_or(self.strength);
        Ok(Table::new(self.tree.start(), [red, white], strength, self.clocks.kind())?)
    }

    /// Makes the game one with a friend by links.
    ///
    /// # Errors
    /// When the game is not between a human and a friend, or has clocks.
    pub(super) fn by_links(self, game: LinkId) -> Result<Table, TableError> {
        let has_seat = |seat| self.seats.contains(&seat);
        if !has_seat(Seat::Human) || !has_seat(Seat::Friend) || self.clocks.by_seat().is_some() {
            return Err(TableError::LinkTerms);
        }
        Ok(Table { link: Some(Link { game, sent: None }), ..self })
    }

    /// Checks that a game by links stands at `node`, where the human is to move.
    fn check_own_turn(&self, node: u32) -> Result<(), TableError> {
        if self.tip != Some(node) {
            return Err(TableError::Elsewhere);
        }
        match self.player(self.tree.position(node).side(), node) {
            Seat::Friend => Err(TableError::FriendsTurn),
            _ => Ok(()),
        }
    }

    /// Where a game by links stands: the node, and whether it has ended there early. The friend
    /// must receive both, because a resignation adds no node.
    fn standing(&self) -> (u32, bool) {
        let tip = self.tip_or_current();
        (tip, self.ending.as_ref().is_some_and(|ending| ending.node == tip))
    }

    /// Whether the friend has received the game as it stands.
    pub(super) fn is_sent(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.sent == Some(self.standing()))
    }

    /// Records that the friend has received the game as it stands at `node`. A no-op if the game
    /// has continued since then.
    pub(super) fn mark_sent(&mut self, node: u32) -> Result<(), TableError> {
        let standing = self.standing();
        let link = self.link.as_mut().ok_or(TableError::NoLink)?;
        if node == standing.0 {
            link.sent = Some(standing);
        }
        Ok(())
    }

    /// Continues a game by links with all moves of the friend's link. An error leaves the table
    /// unchanged.
    pub(super) fn continue_link(
        &mut self,
        moves: &[Move],
        resigned: Option<Color>,
    ) -> Result<(), TableError> {
        if self.link.is_none() {
            return Err(TableError::NoLink);
        }
        let (tip, has_ended) = self.standing();
        let own_moves = self.tree.moves(tip);
        let new_moves = moves.strip_prefix(&*own_moves).ok_or(TableError::OtherLink)?;
        let result = self.result(tip);
        let is_other = |loser: Color| {
            result != Some(GameResult::Won { winner: !loser, by: WonBy::Resignation })
        };
        if has_ended && (resigned.is_none_or(is_other) || !new_moves.is_empty()) {
            return Err(TableError::OtherLink);
        }
        // On a copy: an illegal move in the middle must leave the table as it is.
        let mut after = self.clone();
        let mut end = tip;
        for &mv in new_moves {
            end = after.tree.play(end, mv)?;
        }
        after.continue_at(end);
        after.goto(end)?;
        if let Some(loser) = resigned {
            after.end(!loser, WonBy::Resignation, String::new())?;
        }
        after.mark_sent(end)?;
        *self = after;
        Ok(())
    }

    fn continue_at(&mut self, node: u32) {
        self.tip = Some(node);
        self.engine_moves_at = None;
        self.withdraw_offer();
        self.clocks.reset();
        if self.ending.as_ref().is_some_and(|ending| ending.node == node) {
            self.ending = None;
        }
    }

    /// Shows another node.
    pub(super) fn goto(&mut self, node: u32) -> Result<(), TableError> {
        self.tree.follow(node)?;
        self.current = node;
        Ok(())
    }

    /// Goes back to a human's last turn and removes the turns since then from the game. Between two
    /// engines it goes back one turn and pauses the game.
    pub(super) fn undo(&mut self) -> Result<(), TableError> {
        if self.link.is_some() {
            self.show_unsent_turn()?;
        }
        let path = self.tree.path(self.current);
        let earlier = path.split_last().map_or(&[][..], |(_, earlier)| earlier);
        let is_human = |node: &&u32| {
            let side = self.tree.position(**node).side();
            self.seats[self.seat_of(side, **node)] == Seat::Human
        };
        let previous = *earlier.last().ok_or(TableError::NothingToUndo)?;
        let human_turn = earlier.iter().rev().find(is_human).copied();
        if human_turn.is_none() && self.seats.contains(&Seat::Human) {
            return Err(TableError::NothingToUndo);
        }
        self.go_back_to(human_turn.unwrap_or(previous), human_turn);
        Ok(())
    }

    /// Goes back to an earlier node and removes the turns since then from the game, which continues
    /// at `tip`.
    pub(super) fn go_back_to(&mut self, node: u32, tip: Option<u32>) {
        self.current = node;
        (self.tip, self.engine_moves_at) = (tip, None);
        self.clocks.reset();
        self.clocks.restore(node);
        self.tree.cut_main_line(node);
        self.forget_removed();
        self.withdraw_offer();
    }

    /// The node before the last turn of a seat.
    pub(super) fn last_turn_of(&self, seat: usize) -> Option<u32> {
        let path = self.tree.path(self.tip?);
        let is_theirs =
            |node: &&u32| self.seat_of(self.tree.position(**node).side(), **node) == seat;
        path.split_last()?.1.iter().rev().find(is_theirs).copied()
    }

    /// Whether an engine has a seat.
    pub(super) fn has_engine(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Engine(_)))
    }

    /// Shows the last turn of a game by links, if it is the human's and the friend has not received
    /// it.
    fn show_unsent_turn(&mut self) -> Result<(), TableError> {
        let (tip, has_ended) = self.standing();
        let parent = self.tree.node(tip)?.from.map(|(parent, _)| parent);
        let mover = parent.map(|node| self.player(self.tree.position(node).side(), node));
        if self.is_sent() || has_ended || mover != Some(&Seat::Human) {
            return Err(TableError::NothingToUndo);
        }
        self.goto(tip)
    }

    /// Removes a variation.
    pub(super) fn delete(&mut self, node: u32) -> Result<(), TableError> {
        if self.link.is_some() && self.tree.path(self.standing().0).contains(&node) {
            return Err(TableError::Elsewhere);
        }
        let parent = self.tree.remove(node)?;
        if self.tree.node(self.current).is_err() {
            self.current = parent;
        }
        if self.tip.is_some_and(|tip| self.tree.node(tip).is_err()) {
            self.tip = None;
            self.clocks.reset();
        }
        self.forget_removed();
        Ok(())
    }

    /// Forgets the clocks, the ending and the review of removed nodes.
    fn forget_removed(&mut self) {
        self.clocks.retain(|node| self.tree.node(node).is_ok());
        if self.ending.as_ref().is_some_and(|ending| self.tree.node(ending.node).is_err()) {
            self.ending = None;
        }
        if self.finished_review.as_ref().is_some_and(|review| self.tree.node(review.end).is_err()) {
            self.finished_review = None;
        }
    }

    /// Ends the game at the tip or, if it is paused, at the current node.
    pub(super) fn end(
        &mut self,
        winner: Color,
        by: WonBy,
        detail: String,
    ) -> Result<(), TableError> {
        self.end_with(GameResult::Won { winner, by }, detail)
    }

    pub(super) fn end_with(
        &mut self,
        result: GameResult,
        detail: String,
    ) -> Result<(), TableError> {
        let node = self.tip_or_current();
        if let Some(result) = self.result(node) {
            return Err(TableError::Over(result));
        }
        self.stop_clock();
        self.ending = Some(Ending { node, result, detail });
        self.withdraw_offer();
        Ok(())
    }

    /// Changes the players or the engines' strength. With other players the game continues at the
    /// current node.
    ///
    /// # Errors
    /// When the strength is out of range, or a game by links would get other players. The table is
    /// unchanged then.
    pub(super) fn set_terms(
        &mut self,
        players: Option<[Seat; 2]>,
        strength: Option<Strength>,
    ) -> Result<(), TableError> {
        let strength = strength.map(Strength::check).transpose()?;
        let players = players.filter(|players| *players != self.players(self.current));
        let has_friend =
            |players: &[Seat; 2]| self.link.is_some() || players.contains(&Seat::Friend);
        if players.as_ref().is_some_and(has_friend) {
            return Err(TableError::LinkTerms);
        }
        // From here on nothing fails: a request changes everything or nothing.
        self.strength = strength.unwrap_or(self.strength);
        if let Some(players) = players {
            self.set_players(players);
            self.resume();
        }
        Ok(())
    }

    /// Continues the game at the current node.
    pub(super) fn resume(&mut self) {
        if self.tip != Some(self.current) {
            self.clocks.restore(self.current);
            self.clocks.reset();
            self.tip = Some(self.current);
        }
    }

    /// Starts the clock of the side to move at the tip.
    pub(super) fn start_clock(&mut self) {
        if let Some((tip, _)) = self.running_tip() {
            self.clocks.start(tip);
        }
    }

    /// What the clocks of White and Red show, and the side whose clock runs.
    pub(super) fn clock_readings(&self) -> Option<(ClockReadings, Option<Color>)> {
        let clocks = self.clocks.by_seat()?;
        let node = self.tip_or_current();
        let side = || Some(self.running_tip()?.1.side());
        let running = if self.clocks.is_running() { side() } else { None };
        let readings = Color::BOTH.map(|color| {
            let spent = if running == Some(color) { self.clocks.spent() } else { Seconds::ZERO };
            clocks[self.seat_of(color, node)].reading(spent).unwrap_or_default()
        });
        Some((readings, running))
    }

    /// Seconds until the running clock's flag falls; `None` while none runs.
    pub(super) fn time_to_flag(&self) -> Option<f64> {
        let allowed = || self.clock_to_move()?.allowed();
        if self.clocks.is_running() {
            Some(allowed()?.get() - self.clocks.spent().get())
        } else {
            None
        }
    }

    /// The clock of the side to move at the tip.
    pub(super) fn clock_to_move(&self) -> Option<Clock> {
        let (tip, position) = self.running_tip()?;
        Some(self.clocks.by_seat()?[self.seat_of(position.side(), tip)])
    }

    fn stop_clock(&mut self) {
        if self.clocks.is_running() {
            self.spend(self.clocks.spent().get());
        }
    }

    /// Stops the clock and charges the side to move at the tip.
    fn spend(&mut self, seconds: f64) {
        match self.running_tip() {
            Some((tip, position)) => {
                let time = Seconds::saturating(seconds);
                self.clocks.spend(self.seat_of(position.side(), tip), time);
            }
            None => self.clocks.reset(),
        }
    }
}
