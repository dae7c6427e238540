//! What pages and sessions send each other: [`Request`]s from pages and [`Message`]s to them.
//! `docs/web.md` is their reference, `crates/page/messages.d.ts` their declaration in TypeScript;
//! both follow from this file, and tests compare them with it.
//!
//! Cells, moves, positions and results are texts in the project's notation. A node is named by its
//! number in the game tree (`tree`). Unless stated otherwise, win rates are from 0 to 1, leads in
//! points and times in seconds.

use std::collections::BTreeMap;

use base64::engine::general_purpose::STANDARD;
use base64::{DecodeError, Engine as _};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use thiserror::Error;
use ts_rs::TS;

use super::review::ReviewMessage;
use super::shared::Token;
use super::terms::{ClockKind, LinkId, Seat, Strength};
use pontifex::analysis::Purpose;
use pontifex::board::{Cell, Cells, Site, Size};
use pontifex::clock::Seconds;
use pontifex::engine::{self, Analysis};
use pontifex::game::{
    self, Color, IllegalMove, Move, Position, Rules, Score, SetupError, Stage, Supply,
};
use pontifex::messages::{data_error, one_line};
use pontifex::notation::{DefaultRules, Problem, Record, RecordError, Text, Warning};
use pontifex::puzzles::{Goal, Theme};

/// A request of a page.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[ts(optional_fields)]
pub enum Request {
    /// Starts a new game.
    New(NewGame),
    /// Changes the players or the level of the running game. A missing field changes nothing.
    Settings {
        players: Option<ByColor<Seat>>,
        level: Option<Strength>,
    },
    /// Plays a human's move; the answer is the new `state`, or `played` for a variation.
    Play {
        #[serde(rename = "move")]
        mv: Move,
        /// The node before it; the current one if missing.
        node: Option<u32>,
        /// Whether to play it as a variation: the game stays as it is, and the answer is `played`.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        aside: bool,
    },
    /// Asks for the message `view`: a node as `state` describes the current one.
    View {
        node: u32,
    },
    /// Asks for the legal second cells after a first tile, which is not played yet.
    Seconds {
        first: Cell,
        node: Option<u32>,
    },
    /// Asks why a click is illegal.
    Why(Why),
    /// Checks a position or record without loading it.
    Check {
        text: ReadText,
    },
    /// Searches for a good move; the message `hint` follows.
    Hint {
        node: Option<u32>,
    },
    /// Asks what a move would give away, before it is played; the message `considered` follows.
    Consider {
        #[serde(rename = "move")]
        mv: Move,
        node: Option<u32>,
    },
    /// Plays another move in place of a reviewed one; the message `retry` follows.
    Retry {
        node: u32,
        #[serde(rename = "move")]
        mv: Move,
    },
    /// Starts a new game on the same terms with the colours exchanged.
    Rematch {
        level: Option<Strength>,
    },
    /// Makes a node current for all pages. The game still continues at its tip.
    Goto {
        node: u32,
    },
    /// Returns to the human's last turn and removes the turns since then from the game.
    Undo,
    /// Deletes a node with everything after it.
    Delete {
        node: u32,
    },
    Resign {
        player: Color,
    },
    /// Makes the thinking engine play at once, or lets the engine play in a human's place.
    MoveNow {
        node: Option<u32>,
    },
    /// Streams an analysis of the node, or stops it.
    Analyze {
        on: bool,
        /// Whether to include who will probably have each cell.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        ownership: bool,
        /// The most moves to list, 10 if missing.
        multi: Option<usize>,
        /// The node; if missing, the analysis follows the current one.
        node: Option<u32>,
    },
    /// Reviews the main line through a node, or stops the review.
    Review(ReviewRequest),
    /// Replaces the game with a record or position.
    Load {
        text: ReadText,
        /// The name of the file.
        #[serde(default)]
        name: Option<String>,
        players: Option<ByColor<Seat>>,
        level: Option<Strength>,
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        play: bool,
    },
    /// Continues a game by links with all moves of the friend's link, and plays the new ones.
    Continue {
        moves: Vec<Move>,
        resigned: Option<Color>,
    },
    /// Says that the friend has received a link to the game as it stands at the node.
    Sent {
        node: u32,
    },
    /// Shares the session: the page gets the seat of `player`, and whoever has the key gets the
    /// other one. The message `seat` is the answer.
    Invite {
        token: Token,
        key: Token,
        player: Color,
    },
    /// Says which browser the page is in, and takes a free seat with the key of the invitation. The
    /// message `seat` is the answer.
    Enter {
        token: Token,
        key: Option<Token>,
    },
    /// Frees a seat for another invitation. The message `seat` is the answer.
    Free {
        player: Color,
        key: Token,
    },
    /// Offers something to the other player, or agrees to it.
    Offer {
        offer: Offer,
    },
    /// Declines or withdraws the offer.
    Decline,
    /// Asks for the message `pong`, to see whether the session still answers.
    Ping,
}

/// What the players of a shared session offer each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Offer {
    Draw,
    Takeback,
    Rematch,
}

/// A new game. Missing players and level stay as they are. Other missing fields are those of the
/// published game.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[ts(optional_fields)]
pub struct NewGame {
    pub board: Option<Size>,
    pub supply: Option<Supply>,
    pub pie: Option<bool>,
    pub players: Option<ByColor<Seat>>,
    pub level: Option<Strength>,
    pub clock: Option<ClockKind>,
    /// The id of a game with a friend by links; missing in any other game.
    pub link: Option<LinkId>,
}

/// Asks why a move (`move`), a tap on a cell (`cell`), a second tile after a first (`first` and
/// `cell`) or the beginning of a bridge (`from`) is illegal.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[ts(optional_fields)]
pub struct Why {
    /// A whole move; excludes `cell`, `first` and `from`.
    #[serde(rename = "move")]
    pub mv: Option<Move>,
    /// A tap on a cell for the first tile, or for the second one if `first` is given.
    pub cell: Option<Cell>,
    pub first: Option<Cell>,
    /// The end at which a bridge was begun; excludes `move`, `cell` and `first`.
    pub from: Option<Cell>,
    pub node: Option<u32>,
}

/// A review to start or to stop.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[ts(optional_fields)]
pub struct ReviewRequest {
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub cancel: bool,
    /// The limit of each search, in iterations or as a time; not both.
    pub playouts: Option<u64>,
    pub time: Option<Seconds>,
    /// A node of the line; the current one if missing.
    pub node: Option<u32>,
    /// Whether to start no review if one is running, or if one of the same line is finished.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub once: bool,
}

impl Request {
    /// Whether the request replaces the game with another one.
    pub(super) fn replaces(&self) -> bool {
        matches!(
            self,
            Request::New(_)
                | Request::Load { .. }
                | Request::Rematch { .. }
                | Request::Offer { offer: Offer::Rematch }
        )
    }

    /// Whether the request asks an engine for help.
    pub(super) fn is_help(&self) -> bool {
        match self {
            Request::Hint { .. }
            | Request::Consider { .. }
            | Request::Retry { .. }
            | Request::MoveNow { .. } => true,
            Request::Analyze { on, .. } => *on,
            Request::Review(review) => !review.cancel,
            _ => false,
        }
    }
}

/// A record and the warnings of its reader, or why the text is not a record.
///
/// Deserialising the message reads the record. A long one takes milliseconds, so a host with
/// threads deserialises before it locks the session.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[serde(from = "RecordText")]
#[ts(as = "RecordText")]
pub struct ReadText(pub(super) Result<Box<(Record, Vec<Warning>)>, Unreadable>);

impl From<RecordText> for ReadText {
    fn from(text: RecordText) -> ReadText {
        ReadText(text.record().map(Box::new))
    }
}

/// A record or position as a page sends it: as text, or as the bytes of a file in any encoding.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[serde(untagged, expecting = "text is a string, or {\"base64\": the bytes of a file}")]
pub enum RecordText {
    Text(String),
    File { base64: String },
}

impl RecordText {
    /// Reads the first game in any format. Also returns the faults that were mended. Does not check
    /// the moves.
    ///
    /// # Errors
    /// When the text is not a record.
    pub(super) fn record(&self) -> Result<(Record, Vec<Warning>), Unreadable> {
        let bytes;
        let text = match self {
            RecordText::Text(text) => Text::from(text.as_str()),
            RecordText::File { base64 } => {
                bytes = STANDARD.decode(base64)?;
                Text::decode(&bytes)
            }
        };
        Ok(Record::read(text, &DefaultRules::default())?)
    }
}

/// The error for a text that is not a record.
#[derive(Clone, PartialEq, Debug, Error)]
pub(super) enum Unreadable {
    #[error("base64: {0}")]
    Base64(#[from] DecodeError),
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Why a text could not be loaded, in a form that a page can translate.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Unread {
    /// The text is empty.
    Empty {},
    /// The file is a picture, or another one without text.
    Binary {},
    /// The text is a record of another game, `game`.
    OtherGame { game: String },
    /// There is a fault at this place; lines and columns count from 1.
    Place {
        line: usize,
        column: usize,
        /// The faulty value as the text has it; null where something is missing.
        found: Option<String>,
    },
    /// A turn breaks a rule.
    Turn { turn: usize, why: Illegal },
    /// The position at the start breaks a rule.
    Start { why: Illegal },
    /// Anything else.
    Record {},
}

impl From<&Unreadable> for Unread {
    fn from(error: &Unreadable) -> Unread {
        let Unreadable::Record(error) = error else { return Unread::Record {} };
        match error {
            RecordError::Empty => Unread::Empty {},
            RecordError::Binary => Unread::Binary {},
            RecordError::At { problem: Problem::OtherGame(game), .. } => {
                Unread::OtherGame { game: game.clone() }
            }
            RecordError::At { at, problem } => {
                let quoted = match problem {
                    Problem::Value { found, .. } | Problem::Expected { found, .. } => Some(found),
                    _ => None,
                };
                // The reader quotes the value in its message; the text has it without quotes.
                let found = quoted.map(|value| value.trim_matches('\'').to_owned());
                Unread::Place { line: at.line, column: at.column, found }
            }
            &RecordError::Position { line, .. } => Unread::Place { line, column: 1, found: None },
            _ => Unread::Record {},
        }
    }
}

/// The number that a page gave its request, repeated in the reply; `None` if it gave none.
pub type RequestId = Option<Number>;

/// Reads a page's request and its id.
///
/// # Errors
/// The id and what is wrong with the request; the answer is [`Message::error`] of it.
pub fn read_request(text: &str) -> Result<(RequestId, Request), (RequestId, String)> {
    let message: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|reason| (None, format!("not JSON: {}", data_error(&reason))))?;
    let id = match message.get("id") {
        Some(Value::Number(id)) => Some(id.clone()),
        _ => None,
    };
    match serde_json::from_value(message) {
        Ok(request) => Ok((id, request)),
        Err(reason) => Err((id, data_error(&reason))),
    }
}

/// A message from a session: to all pages, or in answer to one.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The session, after connecting and after every change.
    State(Box<TableState>),
    /// The answer to `view`: a node, for a page that does not show the current one.
    View {
        game: u64,
        #[serde(flatten)]
        seen: Box<NodeView>,
    },
    /// The legal second cells after a first tile.
    Seconds {
        first: Cell,
        #[ts(as = "Vec<Cell>")]
        cells: Cells,
    },
    /// The move, click or position that was asked about breaks a rule.
    Illegal(Illegal),
    /// The move, click or position that was asked about breaks no rule.
    Legal {
        /// The move or cell that was asked about; missing after `check`.
        #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        asked: Option<String>,
        /// After `check`: the islands of the position.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        islands: Option<Vec<Island>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<Mended>>")]
        mended: Vec<Mended>,
    },
    /// A move was added beside the game as a variation: the node after it.
    Played { node: u32 },
    /// Which seat the page's browser has in a shared session.
    Seat {
        /// 1 opened as White, 2 as Red; null for a browser that watches.
        seat: Option<u8>,
        /// The key of the invitation, for the browser that made it.
        key: Option<Token>,
    },
    /// The search for a hint has begun.
    Searching { node: u32 },
    /// A good move at the node.
    Hint {
        node: u32,
        #[serde(rename = "move")]
        mv: Move,
        /// What the move does, the most important purpose first.
        why: Vec<Purpose>,
    },
    /// What a move that is not yet played gives away.
    Considered(Considered),
    /// The judgement of a move that was tried again.
    Retry(Retried),
    /// What the engine to move thinks so far. Win rate and lead are those of its side.
    Thinking {
        player: Color,
        #[serde(flatten)]
        so_far: Thoughts,
    },
    /// An analysis of a node; win rates and leads are those of the side to move.
    Analysis {
        node: u32,
        #[serde(flatten)]
        found: Found,
    },
    /// The clocks, once a second while one runs.
    Clock {
        /// Seconds left.
        #[serde(flatten)]
        left: ByColor<f64>,
        /// Periods left.
        periods: ByColor<u32>,
        /// The side whose clock runs.
        running: Option<Color>,
    },
    /// The judgement of a move in an exercise.
    Verdict {
        right: bool,
        #[serde(rename = "move")]
        mv: Move,
        #[serde(flatten)]
        judged: Judged,
        /// The state after the move.
        state: Box<TableState>,
        /// The opponent's best reply, where one is known: after a right move the one that resists
        /// longest, after a wrong move its refutation.
        reply: Option<Move>,
        /// The state after the reply.
        then: Option<Box<TableState>>,
        /// Whether another move has to be found, after the reply.
        goes_on: bool,
    },
    /// The right moves of an exercise, and what each of them does.
    Show { right: Vec<Move>, why: Vec<Vec<Purpose>> },
    /// An error, in one line. With an id it answers that request; without one it concerns the
    /// session.
    Error {
        text: String,
        /// Why a text could not be loaded.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        unread: Option<Box<Unread>>,
    },
    /// The answer to `ping`.
    Pong,
    /// A review so far. It has a `type` of its own, because it is also saved in this form.
    #[serde(untagged)]
    Review(ReviewMessage),
}

/// A message together with the id that it is sent with.
#[derive(Serialize)]
struct Addressed<'a> {
    #[serde(flatten)]
    message: &'a Message,
    /// The id of the request that it answers, or null.
    id: &'a RequestId,
}

impl Message {
    /// An error; `text` becomes one line.
    pub fn error(text: &str) -> Message {
        Message::Error { text: one_line(text), unread: None }
    }

    /// The error for a text that could not be loaded: in one line, and in parts.
    pub(super) fn load_error(text: &str, why: Unread) -> Message {
        Message::Error { text: one_line(text), unread: Some(Box::new(why)) }
    }

    /// The message as it is sent, in answer to the request with this id.
    ///
    /// # Panics
    /// Never: every message can be written.
    pub fn to_json(&self, id: &RequestId) -> String {
        let text = serde_json::to_string(&Addressed { message: self, id });
        text.expect("messages have keys that are texts")
    }
}

/// A value for White and one for Red.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS)]
pub struct ByColor<T> {
    pub white: T,
    pub red: T,
}

impl<T> ByColor<T> {
    pub(super) fn new(value_of: impl FnMut(Color) -> T) -> ByColor<T> {
        let [white, red] = Color::BOTH.map(value_of);
        ByColor { white, red }
    }
}

impl<T> From<ByColor<T>> for [T; 2] {
    fn from(both: ByColor<T>) -> [T; 2] {
        [both.white, both.red]
    }
}

/// A session with its game, for pages that show the current node.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct TableState {
    /// The session's id.
    pub session: String,
    /// Increases with every `state` since the session was opened.
    pub revision: u64,
    /// Increases with every new game and is saved with it.
    pub game: u64,
    pub rules: Rules,
    pub level: Strength,
    pub clock: ClockState,
    pub tree: Vec<TreeNode>,
    #[serde(flatten)]
    pub seen: NodeView,
    /// The node from which the game continues; null while it is paused.
    pub tip: Option<u32>,
    /// Whether the game continues at `tip`: it is neither paused nor over there.
    pub live: bool,
    /// How a game by links stands; null in any other game.
    pub link: Option<LinkState>,
    /// The seats of a session that people share by an invitation; null in any other.
    pub shared: Option<SharedState>,
    /// The engine that thinks about its turn; null if none does.
    pub thinking: Option<Thinking>,
    /// Whether an analysis is on.
    pub analysis: bool,
    /// The review in progress; null if there is none.
    pub review: Option<Reviewing>,
    /// Why the session cannot be saved at present; null while it can.
    pub unsaved: Option<String>,
    /// In the answer to `load`: what was mended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Mended>>")]
    pub mended: Vec<Mended>,
}

/// A game with a friend by links.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct LinkState {
    pub game: LinkId,
    /// Whether the friend has received the game as it stands.
    pub sent: bool,
}

/// The seats of a shared session, by the colours where the game stands.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct SharedState {
    /// Whether somebody has the seat.
    pub taken: ByColor<bool>,
    /// The offer that is not yet answered; null if there is none.
    pub offer: Option<OfferState>,
}

/// An offer that is not yet answered.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct OfferState {
    /// The player who made it, by their colour where the game stands.
    pub player: Color,
    pub offer: Offer,
}

/// An engine that thinks for a player.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Thinking {
    pub player: Color,
    pub engine: String,
}

/// A review in progress, of the main line through this node.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Reviewing {
    pub node: u32,
}

/// The kind of clock, and what the clocks show, if there are any.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct ClockState {
    #[serde(flatten)]
    pub kind: ClockKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub white: Option<ClockFace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub red: Option<ClockFace>,
}

/// What one player's clock shows.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct ClockFace {
    /// Seconds left.
    pub left: f64,
    /// Byo-yomi periods left; 0 with other clocks.
    pub periods: u32,
    pub running: bool,
}

/// A node of the game tree.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct TreeNode {
    pub node: u32,
    pub parent: Option<u32>,
    /// The move to it; missing at the start.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mv: Option<Move>,
    /// Who made the move that led to the node; missing at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub player: Option<Color>,
    /// The number of the move's turn; missing at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub turn: Option<usize>,
    /// White's expected result and lead, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub winrate: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lead: Option<f64>,
    /// The record's comment on the move, or at the start on the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub comment: Option<String>,
}

/// What pages see of a node.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct NodeView {
    /// The node.
    pub current: u32,
    /// Who plays which colour at the current node: a swap exchanges them.
    pub players: ByColor<Seat>,
    /// The nodes of the main line through it.
    pub main: Vec<u32>,
    /// The result at the end of `main`, if the game ended there.
    pub end: Option<GameEnd>,
    pub position: NodePosition,
}

/// The position at a node.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct NodePosition {
    #[serde(flatten)]
    pub board: Board,
    /// The number of the next turn.
    pub turn: usize,
    /// The move that led to it.
    pub last: Option<LastMove>,
    /// The result if the game ended there.
    pub result: Option<GameEnd>,
}

/// A move and the colour that made it.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct LastMove {
    #[serde(rename = "move")]
    pub mv: Move,
    pub player: Option<Color>,
}

/// The result of a game.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct GameEnd {
    pub winner: Winner,
    /// The result in the notation of records, such as `W+5`.
    pub text: String,
    pub by: EndedBy,
    /// The reason for an engine's forfeit.
    pub detail: Option<String>,
    /// The side whose pass ended the game.
    pub passed: Option<Color>,
}

/// Who has won a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    White,
    Red,
    Draw,
}

impl From<Option<Color>> for Winner {
    /// `None` is a draw.
    fn from(winner: Option<Color>) -> Winner {
        match winner {
            Some(Color::White) => Winner::White,
            Some(Color::Red) => Winner::Red,
            None => Winner::Draw,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// The game ended by the rules.
    Score,
    Resignation,
    Time,
    /// An engine broke a rule or failed.
    Forfeit,
    /// A draw that both players agreed to.
    Agreement,
}

/// A position: its text, the board, the score and what is legal.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Board {
    #[ts(type = "string")]
    pub text: Position,
    pub to_move: Color,
    pub status: Stage,
    #[ts(as = "ByColor<Vec<Cell>>")]
    pub tiles: ByColor<Cells>,
    pub bridges: Vec<Bridge>,
    pub islands: Vec<Island>,
    /// The networks that have islands; the others are worth nothing.
    pub networks: Vec<Network>,
    pub score: ByColor<Score>,
    pub supply: SupplyLeft,
    /// The cells where a tile of each colour may still be placed.
    #[ts(as = "ByColor<Vec<Cell>>")]
    pub candidates: ByColor<Cells>,
    pub legal: LegalSteps,
}

/// A bridge on the board, by its ends.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Bridge {
    pub from: Cell,
    pub to: Cell,
    pub player: Option<Color>,
}

/// An island and its four cells.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Island {
    pub player: Color,
    #[ts(as = "Vec<Cell>")]
    pub cells: Cells,
}

/// Groups that bridges join, with the islands among them and what these are worth.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Network {
    pub player: Color,
    pub islands: u32,
    pub points: u32,
    /// All its tiles, those of sandbanks too.
    #[ts(as = "Vec<Cell>")]
    pub cells: Cells,
}

/// The tiles and bridges that may still be used; null without a limit.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct SupplyLeft {
    #[serde(flatten)]
    pub tiles: ByColor<Option<u16>>,
    pub bridges: Option<u16>,
}

/// The steps with which a turn may begin.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct LegalSteps {
    /// The cells where the first tile may be placed.
    #[ts(as = "Vec<Cell>")]
    pub cells: Cells,
    pub bridges: Vec<Site>,
    pub pass: bool,
    pub swap: bool,
}

/// Why a move, or a position that was set up by hand, is illegal.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Illegal {
    /// The move or cell in question; null where the position as a whole breaks a rule.
    #[serde(rename = "move")]
    pub asked: Option<String>,
    /// The rule that is broken, in one line of English.
    pub text: String,
    /// The cells concerned, that of the move first.
    pub cells: Vec<Cell>,
    /// `code` and `data`: the rule, and the values in it by name.
    #[serde(flatten)]
    pub reason: BrokenRule,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Mended>>")]
    pub mended: Vec<Mended>,
}

/// The rule that a move or a position breaks.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(untagged)]
pub enum BrokenRule {
    Move(IllegalMove),
    Setup(SetupError),
    /// Only programs in JavaScript pass moves as texts, so pages never get this.
    #[ts(skip)]
    Text(NotAMove),
}

/// The error for a text that is not a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "code", content = "data", rename_all = "snake_case")]
pub enum NotAMove {
    NotAMove {},
}

impl Illegal {
    /// Why the move, the cell or the bridge that was `asked` about is illegal.
    pub fn new(asked: String, reason: IllegalMove) -> Illegal {
        Illegal {
            asked: Some(asked),
            text: reason.to_string(),
            cells: reason.cells(),
            reason: BrokenRule::Move(reason),
            mended: Vec::new(),
        }
    }
}

impl From<SetupError> for Illegal {
    fn from(error: SetupError) -> Illegal {
        let (asked, cells) = match &error {
            SetupError::Tile { cell, reason, .. } => (Some(cell.to_string()), reason.cells()),
            SetupError::Bridge { ends: (a, b), reason } => {
                (Some(format!("{a}-{b}")), reason.cells())
            }
            _ => (None, Vec::new()),
        };
        let text = error.to_string();
        Illegal { asked, text, cells, reason: BrokenRule::Setup(error), mended: Vec::new() }
    }
}

/// A fault of a record that was mended, because its meaning is clear.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Mended {
    /// The kind of fault, such as `missing_parenthesis`.
    pub code: String,
    /// The place and the fault, in one line of English.
    pub text: String,
}

impl From<&Warning> for Mended {
    fn from(warning: &Warning) -> Mended {
        Mended { code: warning.code().to_owned(), text: warning.to_string() }
    }
}

/// What a move that is not yet played gives away.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Considered {
    /// The node before it.
    pub node: u32,
    #[serde(rename = "move")]
    pub mv: Move,
    pub best: Move,
    /// The loss against the best move, in win rate and points; never below 0.
    pub winrate: f64,
    pub points: f64,
    /// Whether the move deserves a warning: it is what a review calls a blunder, or an inaccuracy
    /// of two points or more.
    pub blunder: bool,
    /// What the best move does.
    pub why: Vec<Purpose>,
}

/// A move that was tried again, compared with the reviewed one.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Retried {
    /// The node before and the node after it.
    pub from: u32,
    pub node: u32,
    pub player: Color,
    #[serde(rename = "move")]
    pub mv: Move,
    pub played: Move,
    pub best: Move,
    pub verdict: Verdict,
    /// The gain over the move that was played, in win rate and points.
    pub winrate: f64,
    pub points: f64,
    pub why: Vec<Purpose>,
}

/// The judgement of a move that was tried again: compared with the best one first, then with the
/// one that was played. Differences smaller than an inaccuracy do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The best move of the review.
    Best,
    /// Less than an inaccuracy below the best move.
    Good,
    /// At least an inaccuracy better than the move that was played.
    Better,
    /// Neither better nor worse.
    Similar,
    /// At least an inaccuracy worse than the move that was played.
    Worse,
    /// The move that was played.
    Same,
}

/// What an engine thinks during its turn.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(untagged)]
pub enum Thoughts {
    /// The engine waits for a search slot.
    Queued { queued: bool },
    Found {
        winrate: f64,
        lead: f64,
        visits: u64,
        /// The best move so far.
        #[serde(rename = "move")]
        mv: Option<Move>,
    },
}

/// What an analysis has found so far.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Found {
    #[serde(flatten)]
    pub analysis: Analysis,
    /// Whether the analysis has ended.
    pub finished: bool,
}

impl Found {
    /// An analysis with at most `multi` moves.
    pub fn new(analysis: &Analysis, multi: usize, finished: bool) -> Found {
        Found { analysis: analysis.with_moves(multi), finished }
    }
}

/// What is known about a move in an exercise.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(untagged)]
pub enum Judged {
    /// A move in a puzzle, judged by the solver.
    Puzzle {
        /// White's value with best play before the move; null if it is not known.
        before: Option<game::Value>,
        /// White's value with best play after the move; null if only the winner is known.
        after: Option<game::Value>,
        winner: Option<Winner>,
        theme: Theme,
    },
    /// A move in a tactic, judged by searches.
    Tactic {
        /// The win rate after the move and after the best move, of the side that makes it.
        winrate: f64,
        best: f64,
        theme: Theme,
    },
    /// A move in a lesson's task, judged by the rules.
    Task {},
}

/// A session in the list of games: its main line through the current node.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Entry {
    pub board: Size,
    pub players: ByColor<Seat>,
    pub level: Strength,
    pub turns: usize,
    pub result: Option<GameEnd>,
}

/// The choices that a page offers: the answer to `/api/info`.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Info {
    pub version: &'static str,
    /// The names of the engines that may play.
    pub engines: Vec<String>,
    pub sizes: Vec<Size>,
    /// Whether links to the host work on this machine only.
    pub private: bool,
    /// The formats of records.
    pub formats: Vec<FormatEntry>,
    /// The opponents for people, by language.
    pub levels: Vec<BTreeMap<&'static str, LevelText>>,
    pub limits: Limits,
}

/// An opponent for people in one language.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct LevelText {
    pub name: &'static str,
    pub character: &'static str,
}

/// A format of records, with its title by language.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct FormatEntry {
    pub name: &'static str,
    pub extension: &'static str,
    pub title: BTreeMap<&'static str, &'static str>,
}

/// The longest time and the most iterations of a turn.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Limits {
    pub time: Seconds,
    pub playouts: u64,
}

/// All lessons and puzzles, for the page's lists.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct Exercises {
    pub lessons: Vec<LessonEntry>,
    pub games: &'static [AnnotatedGame],
    pub puzzles: Vec<PuzzleEntry>,
}

/// A game of the engine against itself, and what there is to learn from it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
pub struct AnnotatedGame {
    pub id: String,
    pub title: Texts,
    pub board: Size,
    pub supply: Supply,
    pub moves: Vec<Move>,
    /// The comments, by the number of moves after which they appear.
    pub notes: BTreeMap<usize, Texts>,
}

/// A lesson in the list, with the texts of its tasks.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct LessonEntry {
    pub id: &'static str,
    pub title: &'static Texts,
    pub tasks: Vec<&'static TaskTexts>,
}

/// A puzzle or a tactic in the list.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
pub struct PuzzleEntry {
    pub id: &'static str,
    pub kind: PuzzleKind,
    pub theme: Theme,
    /// From 1, the easiest.
    pub difficulty: u8,
    /// Null for a tactic, where the best move is to be found.
    pub goal: Option<Goal>,
    pub board: Size,
    pub to_move: Color,
    /// White's value with best play; null for a tactic.
    pub value: Option<game::Value>,
    /// The number of right moves.
    pub right: usize,
    /// How many moves have to be found, one after the other.
    pub turns: usize,
}

/// Who judges: the solver, or searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PuzzleKind {
    Puzzle,
    Tactic,
}

/// A text by language: `en`, `de`, `fr`.
pub type Texts = BTreeMap<String, String>;

/// What the page says about a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
pub struct TaskTexts {
    /// The idea and the task.
    pub task: Texts,
    /// After a right move.
    pub done: Texts,
    /// After a legal move that misses the goal.
    pub miss: Texts,
}

/// Rounds to four decimals: a hundredth of a per cent of a win rate. More digits would be noise and
/// lengthen every message.
pub(super) fn rounded(number: f64) -> f64 {
    engine::rounded(number, 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_one_short_line_whatever_the_message_holds() {
        let long = Value::from("\u{1b}\n".repeat(100_000));
        for message in [
            r#"{"type":"a\nb\u001b[31m"}"#.to_owned(),
            format!(r#"{{"type":{long},"id":7}}"#),
            format!(r#"{{"type":"play","move":[{long}]}}"#),
            format!(r#"{{"type":"goto","node":{long}}}"#),
            "\n{\u{1b}".to_owned(),
        ] {
            let (_, reason) = read_request(&message).unwrap_err();
            let Message::Error { text, .. } = Message::error(&reason) else { unreachable!() };
            assert!(!text.contains(char::is_control), "{text:?}");
            assert!(text.chars().count() <= 300, "{text}");
        }
    }
}
