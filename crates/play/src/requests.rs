//! Carries out the requests of pages: those that change the game, and questions about positions.
//!
//! A request that changes the game or its seats sets `is_changed`: the session then saves. Most
//! return no answer, because the new `state` is the answer; those that make a variation answer with
//! its node, those about seats with the seats. A question returns its own message and leaves the
//! game as it is. A [`Refusal`] says why a request fails. Turns and studies are not started here
//! but by the session, which compares what should run with what runs (`turns`, `studies`).

use thiserror::Error;

use super::effect::{Effect, MessageKind, Page};
use super::message::{
    ByColor, Illegal, Mended, Message, NewGame, ReadText, Request, ReviewRequest, Unread,
    Unreadable, Why,
};
use super::saved::SavedSession;
use super::state::{AnalysisOptions, ReviewOrder, State};
use super::table::{Table, TableError};
use super::terms::{ClockKind, Seat, Strength, TermsError, no_engine};
use super::tree::TreeError;
use super::view;
use pontifex::board::{Cell, Cells};
use pontifex::clock::Seconds;
use pontifex::game::{Color, IllegalMove, Move, Position, Rules, SetupError, Step};
use pontifex::notation::{ReplayError, WonBy};

/// The default number of moves in an analysis.
const DEFAULT_MOVES: usize = 10;
/// The largest number of moves in an analysis.
const MAX_MOVES: usize = 100;

/// The longest search of a review. Set by judgement: a review searches once or twice for each turn,
/// so that a long game takes half an hour with this limit.
const MAX_REVIEW_TIME: Seconds = Seconds::whole(10);
/// The most iterations of a review's search.
const MAX_REVIEW_PLAYOUTS: u64 = 200_000;
/// The default limit of a review's search, in iterations. Set by judgement for a review that a
/// person waits for; more would judge close moves better.
const REVIEW_PLAYOUTS: u64 = 2000;

impl State {
    /// Carries out a request and returns the answer; `None` when the message `state` is the answer.
    pub(super) fn answer(&mut self, page: Page, request: Request) -> Option<Message> {
        match self.permit(page, &request).and_then(|()| self.carry_out(page, request)) {
            Ok(answer) => answer,
            Err(Refusal::Illegal(mv, reason)) => Some(illegal(mv, reason)),
            Err(reason) => Some(match reason.load_error() {
                Some(why) => Message::load_error(&reason.to_string(), why),
                None => Message::error(&reason.to_string()),
            }),
        }
    }

    fn carry_out(&mut self, page: Page, request: Request) -> Result<Option<Message>, Refusal> {
        match request {
            Request::Ping => return Ok(Some(Message::Pong)),
            Request::View { node } => return self.view(node).map(Some),
            Request::Seconds { first, node } => return self.seconds(first, node).map(Some),
            Request::Why(why) => return self.why(&why).map(Some),
            Request::Check { text } => return check(text).map(Some),
            Request::Hint { node } => return self.hint(node).map(Some),
            Request::Consider { mv, node } => return self.consider(mv, node).map(Some),
            Request::Analyze { on, ownership, multi, node } => {
                let max_moves = multi.unwrap_or(DEFAULT_MOVES).clamp(1, MAX_MOVES);
                self.wanted_analysis = on.then_some(AnalysisOptions { ownership, max_moves, node });
                return Ok(None);
            }
            Request::Review(review) => self.review(&review)?,
            Request::Rematch { level } => self.replace(self.table.rematch(level)?),
            Request::Retry { node, mv } => {
                let node = self.retry(node, mv)?;
                self.is_changed = true;
                return Ok(Some(Message::Played { node }));
            }
            Request::MoveNow { node } => self.move_now(node)?,
            Request::New(game) => {
                let players = self.known_players(game.players.clone())?;
                self.replace(new_game(&game, players, &self.table)?);
            }
            Request::Load { text, name: _, players, level, play } => {
                let players = self.known_players(players)?;
                self.load(text, players, level, play)?;
            }
            Request::Continue { moves, resigned } => self.continue_link(&moves, resigned)?,
            Request::Sent { node } => self.table.mark_sent(node)?,
            Request::Invite { token, key, player } => {
                return self.invite(page, token, key, player).map(Some);
            }
            Request::Enter { token, key } => {
                return Ok(Some(self.enter(page, token, key.as_ref())));
            }
            Request::Free { player, key } => return self.free(page, player, key).map(Some),
            Request::Offer { offer } => self.offer(page, offer)?,
            Request::Decline => self.table.withdraw_offer(),
            Request::Settings { players, level } => {
                self.table.set_terms(self.known_players(players)?, level)?;
            }
            Request::Play { mv, node, aside: true } => {
                let node = self.play_aside(self.table.node(node)?, mv)?;
                self.is_changed = true;
                return Ok(Some(Message::Played { node }));
            }
            Request::Play { mv, node, aside: false } => self.play(mv, node)?,
            Request::Goto { node } => self.table.goto(node)?,
            Request::Undo => self.table.undo()?,
            Request::Delete { node } => self.table.delete(node)?,
            Request::Resign { player } => self.resign(player)?,
        }
        self.is_changed = true;
        self.withdraw(MessageKind::Notice);
        Ok(None)
    }

    /// The players of a request, if every engine among them exists.
    fn known_players(&self, players: Option<ByColor<Seat>>) -> Result<Option<[Seat; 2]>, Refusal> {
        let players: Option<[Seat; 2]> = players.map(Into::into);
        for player in players.iter().flatten() {
            if let Seat::Engine(name) = player
                && !self.engines.contains(name)
            {
                let engines = self.engines.iter().map(String::as_str);
                return Err(Refusal::NoEngine(no_engine(name, engines)));
            }
        }
        Ok(players)
    }

    /// Continues a game by links with all moves of the friend's link.
    fn continue_link(&mut self, moves: &[Move], resigned: Option<Color>) -> Result<(), Refusal> {
        let last = moves.last().map_or_else(String::new, ToString::to_string);
        let result = self.table.continue_link(moves, resigned);
        result.map_err(|error| illegal_move(&last, error))
    }

    fn resign(&mut self, player: Color) -> Result<(), Refusal> {
        let tip = self.table.tip_or_current();
        if *self.table.player(player, tip) == Seat::Friend {
            return Err(TableError::FriendsTurn.into());
        }
        Ok(self.table.end(!player, WonBy::Resignation, String::new())?)
    }

    fn play(&mut self, mv: Move, node: Option<u32>) -> Result<(), Refusal> {
        if node.is_some_and(|node| self.table.running_tip().is_some_and(|(tip, _)| tip != node)) {
            return Err(Refusal::MovedOn);
        }
        let node = self.table.node(node)?;
        self.table.play(node, mv).map_err(|error| illegal_move(&mv.to_string(), error))
    }

    /// Adds a variation beside the game, which stays as it is; returns its node.
    pub(super) fn play_aside(&mut self, node: u32, mv: Move) -> Result<u32, Refusal> {
        self.table.play_aside(node, mv).map_err(|error| illegal_move(&mv.to_string(), error))
    }

    fn review(&mut self, request: &ReviewRequest) -> Result<(), Refusal> {
        if request.cancel {
            if self.wanted_review.take().is_some() {
                self.show_kept_review();
            }
            return Ok(());
        }
        let limit = match (request.playouts, request.time) {
            (Some(playouts), None) if (1..=MAX_REVIEW_PLAYOUTS).contains(&playouts) => {
                Strength::Playouts { playouts }
            }
            (None, Some(time)) if (Seconds::millis(10)..=MAX_REVIEW_TIME).contains(&time) => {
                Strength::Time { time }
            }
            (None, None) => Strength::Playouts { playouts: REVIEW_PLAYOUTS },
            _ => return Err(Refusal::ReviewLimit),
        };
        let node = self.table.node(request.node)?;
        let line = self.table.tree.main_line(node);
        if line.len() == 1 {
            return Err(Refusal::NothingToReview);
        }
        let reviewed_end = self.table.finished_review.as_ref().map(|review| review.end);
        if request.once && (self.wanted_review.is_some() || reviewed_end == line.last().copied()) {
            return Ok(());
        }
        let number = self.next_number();
        self.wanted_review = Some(ReviewOrder { number, node, limit });
        Ok(())
    }

    fn load(
        &mut self,
        text: ReadText,
        players: Option<[Seat; 2]>,
        level: Option<Strength>,
        play: bool,
    ) -> Result<(), Refusal> {
        if players.iter().flatten().any(|seat| *seat == Seat::Friend) {
            return Err(TableError::LinkTerms.into());
        }
        let (record, warnings) = *text.0.map_err(Refusal::Text)?;
        let start = record.start.validate()?;
        record.position_after(record.moves.len())?;
        let mut table = self.table.load(&start, &record, play)?;
        // A finished game must not make an engine play when a person goes back in it.
        let is_over = table.result(table.current).is_some();
        if let Some(players) = players.or(is_over.then_some([Seat::Human, Seat::Human])) {
            table.set_players(players);
        }
        if let Some(level) = level {
            table.strength = level.check()?;
        }
        self.mended = warnings.iter().map(Mended::from).collect();
        self.replace(table);
        Ok(())
    }

    /// Replaces the game with another one. The old one is kept if it has a move.
    pub(super) fn replace(&mut self, mut table: Table) {
        if self.table.has_move() {
            self.emit(Effect::Keep(Box::new(SavedSession::of(&self.table))));
        }
        (self.wanted_review, self.wanted_analysis) = (None, None);
        self.end_advice();
        self.withdraw(MessageKind::Review);
        // Wraps: a saved file may contain any number.
        table.game = self.table.game.wrapping_add(1);
        table.set_now(self.table.clocks.now());
        self.table = table;
    }
}

fn new_game(game: &NewGame, seats: Option<[Seat; 2]>, before: &Table) -> Result<Table, Refusal> {
    let published = Rules::default();
    let rules = Rules {
        size: game.board.unwrap_or(published.size),
        supply: game.supply.unwrap_or(published.supply),
        pie: game.pie.unwrap_or(published.pie),
    };
    let seats = seats.unwrap_or_else(|| before.players(before.current).map(Seat::without_links));
    let level = game.level.unwrap_or(before.strength);
    let clock = game.clock.unwrap_or(ClockKind::None);
    let is_friends = seats.contains(&Seat::Friend);
    let table = Table::new(&Position::new(rules), seats, level, clock)?;
    match &game.link {
        Some(link) => Ok(table.by_links(link.clone())?),
        None if is_friends => Err(TableError::LinkTerms.into()),
        None => Ok(table),
    }
}

/// Questions about positions: what a page sees at a node, and what is legal there.
impl State {
    /// The message `view`: a node, for a page that does not show the current one.
    fn view(&self, node: u32) -> Result<Message, Refusal> {
        let node = self.table.node(Some(node))?;
        let view = view::node(&self.table, node);
        Ok(Message::View { game: self.table.game, seen: Box::new(view) })
    }

    /// The second cells after a first tile.
    fn seconds(&self, first: Cell, node: Option<u32>) -> Result<Message, Refusal> {
        let position = self.table.tree.position(self.table.node(node)?);
        let mut cells = Cells::EMPTY;
        if position.tile_steps().contains(first) {
            let mut half = *position;
            half.make(Step::Tile(first));
            cells = half.tile_steps();
        }
        Ok(Message::Seconds { first, cells })
    }

    /// Why a move, a tap on a cell or the beginning of a bridge is illegal.
    fn why(&self, why: &Why) -> Result<Message, Refusal> {
        let position = self.table.tree.position(self.table.node(why.node)?);
        let &Why { mv, cell, first, from, node: _ } = why;
        let (asked, result) = match (mv, cell, first, from) {
            (Some(mv), None, None, None) => (mv.to_string(), position.check(mv)),
            (None, Some(cell), Some(first), None) => {
                // The first tile is not on the board yet, so the two are checked together.
                (Move::tiles(first, cell).to_string(), position.check_tiles(first, cell))
            }
            (None, Some(cell), None, None) => (cell.to_string(), position.check_first_tile(cell)),
            (None, None, None, Some(from)) => (from.to_string(), position.check_bridge_start(from)),
            _ => return Err(Refusal::Why),
        };
        Ok(match result {
            Err(reason) => illegal(asked, reason),
            Ok(()) => Message::Legal { asked: Some(asked), islands: None, mended: Vec::new() },
        })
    }
}

/// Checks a position that was set up by hand: the answer `legal`, or `illegal` with the rule that
/// the setup breaks.
fn check(text: ReadText) -> Result<Message, Refusal> {
    let (record, warnings) = *text.0.map_err(Refusal::Text)?;
    let mended = warnings.iter().map(Mended::from).collect();
    Ok(match record.start.validate() {
        Ok(position) => {
            Message::Legal { asked: None, islands: Some(view::islands(&position)), mended }
        }
        Err(error) => Message::Illegal(Illegal { mended, ..error.into() }),
    })
}

/// Why a request is refused.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    /// The move breaks a rule.
    #[error("{1}")]
    Illegal(String, IllegalMove),
    #[error(transparent)]
    Terms(#[from] TermsError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The text is not a record.
    #[error(transparent)]
    Text(Unreadable),
    #[error("{0}")]
    NoEngine(String),
    #[error("no engine helps while a game with a friend goes on")]
    Help,
    #[error("you are watching: both seats are taken")]
    Watching,
    #[error("this is for the other player")]
    NotYours,
    #[error("a session that people share does not allow this")]
    Shared,
    #[error("the game has moved on")]
    MovedOn,
    #[error("the game is over")]
    Over,
    #[error("{0} decides by itself when to move")]
    DecidesItself(String),
    #[error("there is no move to review")]
    NothingToReview,
    #[error(
        "a review takes playouts from 1 to {MAX_REVIEW_PLAYOUTS} or time from 0.01 to {MAX_REVIEW_TIME} a turn"
    )]
    ReviewLimit,
    #[error("this turn has no review yet: review the game first")]
    NotReviewed,
    #[error("why needs move, cell, first and cell, or from")]
    Why,
}

impl Refusal {
    /// Why a text could not be loaded.
    fn load_error(&self) -> Option<Unread> {
        match self {
            Refusal::Text(error) => Some(error.into()),
            Refusal::Replay(ReplayError::Illegal { number, mv, reason }) => {
                Some(Unread::Turn { turn: *number, why: Illegal::new(mv.to_string(), *reason) })
            }
            Refusal::Setup(error) => Some(Unread::Start { why: (*error).into() }),
            _ => None,
        }
    }
}

fn illegal(asked: String, reason: IllegalMove) -> Message {
    Message::Illegal(Illegal::new(asked, reason))
}

/// The refusal of a move: an illegal one names the rule that forbids it.
fn illegal_move(mv: &str, error: TableError) -> Refusal {
    match error {
        TableError::Tree(TreeError::Illegal(reason)) => Refusal::Illegal(mv.to_owned(), reason),
        other => other.into(),
    }
}
