//! A session that two people share by an invitation, each in their own browser.
//!
//! There are no accounts. A browser makes up a secret [`Token`] for the session and sends it with
//! `enter` whenever it connects; a seat belongs to the token that has taken it. So a reload or
//! another tab of the browser has the seat again, and nobody else can have it:
//!
//! ```text
//!   host    invite(token A, key K, white) ─► seat 0: A, seat 1: free
//!   link    the session's id and K, sent to a friend
//!   friend  enter(token B, key K)         ─► seat 1: B
//!   others  enter(token C)                ─► no seat: they watch
//! ```
//!
//! - The key opens a free seat only, so an old link does no harm. The host, who made the
//!   invitation, may free the other seat with a new key, in case the friend never comes back.
//! - Tokens and keys are never sent to other pages: they see which seats are taken.
//! - A page acts for its own seat, and no engine helps either player during the game
//!   ([`State::permit`]).
//! - A draw, a takeback and a rematch need both players. One makes an offer, and the other agrees
//!   by making the same offer. A move, the end of the game or `decline` withdraws it.

use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::effect::Page;
use super::message::{ByColor, Message, Offer, OfferState, Request, SharedState};
use super::requests::Refusal;
use super::state::State;
use super::table::{Table, TableError};
use pontifex::game::{Color, Outcome};
use pontifex::notation::GameResult;

/// A secret of a browser, or the key of an invitation: 16 to 64 letters a to z and digits. It is
/// never printed; its `Debug` form hides it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl TryFrom<String> for Token {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Token, &'static str> {
        let is_fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        if (16..=64).contains(&text.len()) && text.chars().all(is_fit) {
            Ok(Token(text))
        } else {
            Err("a secret has 16 to 64 letters a to z and digits")
        }
    }
}

impl From<Token> for String {
    fn from(token: Token) -> String {
        token.0
    }
}

/// Who has the seats of a shared session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Shared {
    /// The browser that made the invitation and may free the other seat.
    host: Token,
    /// The browsers that have seat 0, which opened as White, and seat 1; `None` while it is free.
    #[serde(rename = "seats")]
    tokens: [Option<Token>; 2],
    /// The secret of the invitation to the free seat.
    key: Token,
    /// The seat that has offered something, and what.
    offer: Option<(usize, Offer)>,
}

impl Shared {
    fn seat_with_token(&self, token: &Token) -> Option<usize> {
        self.tokens.iter().position(|owner| owner.as_ref() == Some(token))
    }
}

impl Table {
    /// Whether people share it by an invitation.
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Whether two people play on different devices.
    pub(super) fn is_remote(&self) -> bool {
        self.link.is_some() || self.shared.is_some()
    }

    /// Whether both seats are taken; always true in a session that is not shared.
    pub(super) fn is_complete(&self) -> bool {
        self.shared.as_ref().is_none_or(|shared| shared.tokens.iter().all(Option::is_some))
    }

    /// Withdraws the offer, if there is one.
    pub(super) fn withdraw_offer(&mut self) {
        if let Some(shared) = &mut self.shared {
            shared.offer = None;
        }
    }

    /// The seats as pages see them.
    pub(super) fn shared_state(&self) -> Option<SharedState> {
        let shared = self.shared.as_ref()?;
        let tip = self.tip_or_current();
        let offer = shared.offer.and_then(|(seat, offer)| {
            let player = Color::BOTH.into_iter().find(|&color| self.seat_of(color, tip) == seat)?;
            Some(OfferState { player, offer })
        });
        let taken = ByColor::new(|color| shared.tokens[self.seat_of(color, tip)].is_some());
        Some(SharedState { taken, offer })
    }

    /// The next game of the same two people, with the colours exchanged.
    fn shared_rematch(&self) -> Result<Table, TableError> {
        let mut table = self.with_colors_exchanged(None)?;
        let tip = self.tip_or_current();
        table.shared = self.shared.clone().map(|shared| {
            // Seat 0 of the next game belongs to whoever had Red at the end of this one.
            let token_of = |color| shared.tokens[self.seat_of(color, tip)].clone();
            let tokens = [token_of(Color::Red), token_of(Color::White)];
            Shared { tokens, offer: None, ..shared }
        });
        Ok(table)
    }
}

impl State {
    /// Checks that the page may make the request. While a game between devices is running, no
    /// engine helps. In a shared session, a page acts for its own seat only.
    pub(super) fn permit(&self, page: Page, request: &Request) -> Result<(), Refusal> {
        let table = &self.table;
        let running = table.running_tip();
        if table.is_remote() && running.is_some() && request.is_help() {
            return Err(Refusal::Help);
        }
        let Some(shared) = &table.shared else { return Ok(()) };
        let seat = self.tokens.get(&page).and_then(|token| shared.seat_with_token(token));
        let tip = table.tip_or_current();
        let required_seat = match request {
            Request::Ping
            | Request::View { .. }
            | Request::Seconds { .. }
            | Request::Why(_)
            | Request::Check { .. }
            | Request::Enter { .. }
            | Request::Free { .. }
            | Request::Analyze { on: false, .. } => return Ok(()),
            // Every page requests it when the game ends. A second request is a no-op.
            Request::Review(review) if review.once => return Ok(()),
            Request::Play { aside: false, node, .. } => match running {
                Some((tip, position)) if node.is_none_or(|node| node == tip) => {
                    Some(table.seat_of(position.side(), tip))
                }
                _ => return Err(Refusal::Shared),
            },
            Request::Resign { player } => Some(table.seat_of(*player, tip)),
            Request::Offer { .. } | Request::Decline => None,
            Request::Play { .. }
            | Request::Hint { .. }
            | Request::Retry { .. }
            | Request::Analyze { .. }
            | Request::Review(_)
                if running.is_none() =>
            {
                None
            }
            _ => return Err(Refusal::Shared),
        };
        match seat {
            None => Err(Refusal::Watching),
            Some(seat) if required_seat.is_some_and(|required| required != seat) => {
                Err(Refusal::NotYours)
            }
            Some(_) => Ok(()),
        }
    }

    /// Shares the session: the page has the seat of `player`, and whoever has the key gets the
    /// other one.
    pub(super) fn invite(
        &mut self,
        page: Page,
        token: Token,
        key: Token,
        player: Color,
    ) -> Result<Message, Refusal> {
        let table = &mut self.table;
        if table.is_remote() || table.has_engine() {
            return Err(Refusal::Shared);
        }
        let seat = table.seat_of(player, table.tip_or_current());
        let mut tokens = [None, None];
        tokens[seat] = Some(token.clone());
        table.shared = Some(Shared { host: token.clone(), tokens, key, offer: None });
        self.tokens.insert(page, token);
        self.is_changed = true;
        Ok(self.seat_message(page))
    }

    /// Notes the page's browser. With the key of the invitation, the browser takes a free seat.
    pub(super) fn enter(&mut self, page: Page, token: Token, key: Option<&Token>) -> Message {
        if let Some(shared) = &mut self.table.shared
            && Some(&shared.key) == key
            && shared.seat_with_token(&token).is_none()
            && let Some(free) = shared.tokens.iter_mut().find(|token| token.is_none())
        {
            *free = Some(token.clone());
            self.is_changed = true;
        }
        self.tokens.insert(page, token);
        self.seat_message(page)
    }

    /// Frees a seat, for example of a friend who does not come back. Voids the old invitation.
    pub(super) fn free(
        &mut self,
        page: Page,
        player: Color,
        key: Token,
    ) -> Result<Message, Refusal> {
        let seat = self.table.seat_of(player, self.table.tip_or_current());
        let token = self.tokens.get(&page);
        match &mut self.table.shared {
            Some(shared)
                if Some(&shared.host) == token
                    && shared.tokens[seat] != Some(shared.host.clone()) =>
            {
                shared.tokens[seat] = None;
                shared.key = key;
                shared.offer = None;
            }
            _ => return Err(Refusal::Shared),
        }
        self.is_changed = true;
        Ok(self.seat_message(page))
    }

    /// The message `seat`: which seat the page's browser has, numbered from 1, and for the host the
    /// key of the invitation.
    fn seat_message(&self, page: Page) -> Message {
        let shared = self.table.shared.as_ref();
        let token = self.tokens.get(&page);
        let seat = shared.zip(token).and_then(|(shared, token)| shared.seat_with_token(token));
        let key =
            shared.filter(|shared| Some(&shared.host) == token).map(|shared| shared.key.clone());
        Message::Seat { seat: seat.map(|seat| if seat == 0 { 1 } else { 2 }), key }
    }

    /// Makes an offer to the other player, or agrees to theirs. A refusal changes nothing, so the
    /// other player's offer stands.
    pub(super) fn offer(&mut self, page: Page, offer: Offer) -> Result<(), Refusal> {
        let table = &mut self.table;
        let shared = table.shared.as_ref();
        let Some((seat, standing_offer)) = shared
            .zip(self.tokens.get(&page))
            .and_then(|(shared, token)| Some((shared.seat_with_token(token)?, shared.offer)))
        else {
            return Err(Refusal::Watching);
        };
        // A rematch needs a finished game, the other offers a running one.
        if (offer == Offer::Rematch) == table.running_tip().is_some() {
            return Err(Refusal::Shared);
        }
        if standing_offer != Some((1 - seat, offer)) {
            if offer == Offer::Takeback && table.last_turn_of(seat).is_none() {
                return Err(TableError::NothingToUndo.into());
            }
            if let Some(shared) = &mut table.shared {
                shared.offer = Some((seat, offer));
            }
            return Ok(());
        }
        match offer {
            Offer::Takeback => {
                let node = table.last_turn_of(1 - seat).ok_or(TableError::NothingToUndo)?;
                table.go_back_to(node, Some(node));
            }
            Offer::Draw => table.end_with(GameResult::Played(Outcome::Draw), String::new())?,
            Offer::Rematch => {
                let next = table.shared_rematch()?;
                self.replace(next);
            }
        }
        Ok(())
    }
}
