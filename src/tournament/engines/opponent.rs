//! An engine that answers in a game somebody else keeps.

use std::time::Duration;

use crate::clock::Limit;
use crate::game::{Color, Move, Position, Rules};
use crate::tournament::engines::failure::{Failure, FailureKind};
use crate::tournament::engines::groups::ProcessGroups;
use crate::tournament::engines::player::{EngineError, GameSetup, Player};
use crate::tournament::engines::remote::gtp_color;
use crate::tournament::engines::spec::EngineSpec;
use crate::tournament::referee::game::read_move;

/// An engine that is asked for a move now and then, in a game that may have
/// been taken back or gone elsewhere since.
///
/// Its answers are judged as in a match. After a failure it is ended, and the
/// next question starts it anew. Dropped, it is ended with all its children.
#[derive(Debug)]
pub struct Opponent {
    player: Player,
    /// The game as the engine knows it.
    told: Option<(Rules, Limit, Vec<Move>)>,
}

/// A move an engine is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// The rules of the game, which starts from the empty board.
    pub rules: Rules,
    /// The moves so far, which must be legal.
    pub moves: Vec<Move>,
    /// What the engine may use.
    pub limit: Limit,
    /// What its clock has left, as [`SeatClock::time_left`](super::SeatClock::time_left)
    /// says it.
    pub left: Option<(f64, u32)>,
    /// How long the answer may take at the very latest.
    pub patience: Duration,
}

impl Opponent {
    /// Starts an engine, as [`Player::start`] does.
    ///
    /// # Errors
    /// A [`Failure`] of the kind [`Start`](FailureKind::Start).
    pub fn start(spec: &EngineSpec, groups: &ProcessGroups) -> Result<Opponent, Box<Failure>> {
        let player = Player::start(spec, groups, Player::DEFAULT_STALL)?;
        Ok(Opponent { player, told: None })
    }

    /// The engine's name.
    pub fn name(&self) -> &str {
        self.player.name()
    }

    /// The legal move it answers, `None` when it resigns.
    ///
    /// # Errors
    /// How the engine failed; it is ended then.
    pub fn answer(&mut self, question: &Question) -> Result<Option<Move>, Box<Failure>> {
        let answer = self.ask(question);
        if answer.is_err() {
            self.told = None;
        }
        answer
    }

    fn ask(&mut self, question: &Question) -> Result<Option<Move>, Box<Failure>> {
        let Question { rules, moves, limit, left, patience } = question;
        let stall = Player::DEFAULT_STALL;
        let known = match self.told.take() {
            Some((old, of, known))
                if (old, of) == (*rules, *limit) && moves.starts_with(&known) =>
            {
                known.len()
            }
            _ => {
                let may_swap = moves.len() < 2;
                let setup = GameSetup { rules: *rules, limit: *limit, seed: 1, may_swap, stall };
                self.player.new_game(&setup)?;
                0
            }
        };
        let mut position = Position::new(*rules);
        for (number, &mv) in moves.iter().enumerate() {
            let side = position.side();
            position.play(mv).map_err(|reason| self.misled(side, mv, &reason.to_string()))?;
            if number >= known {
                self.player.play(side, mv, stall)?;
            }
        }
        let color = position.side();
        if let Some(left) = left {
            self.player.time_left(color, *left, stall)?;
        }
        let (text, _) = self.player.genmove(color, *patience)?;
        match read_move(&text, &position) {
            Ok(answer) => {
                self.told = Some((*rules, *limit, moves.iter().copied().chain(answer).collect()));
                Ok(answer)
            }
            Err(detail) => {
                let command = format!("genmove {}", gtp_color(color));
                let error = EngineError { kind: FailureKind::Illegal, detail, command };
                let mut failure = self.player.fail(error);
                failure.position = Some(position.to_string());
                Err(failure)
            }
        }
    }

    /// Whoever keeps the game has it wrong.
    fn misled(&mut self, color: Color, mv: Move, reason: &str) -> Box<Failure> {
        let detail = format!("the game cannot be told, {mv} is illegal: {reason}");
        let command = format!("play {} {mv}", gtp_color(color));
        self.player.fail(EngineError { kind: FailureKind::Start, detail, command })
    }
}
