//! The players: the search, and two simple ones to measure it by.

use std::str::FromStr;

use super::game::View;
use super::policy;
use super::rules::Step;
use super::search::{Limits, search};
use crate::eval::Random;

/// A kind of player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Information-set Monte Carlo tree search.
    Ismcts,
    /// To the nearest missing letter, devils avoided.
    Greedy,
    /// Any legal step.
    Random,
}

impl Player {
    /// Decides. The limits are those of the search.
    pub fn choose(self, view: &View, limits: Limits, seed: u64) -> Step {
        match self {
            Player::Ismcts => search(view, limits, seed),
            Player::Greedy => policy::greedy(&view.table, false, &mut Random::new(seed)),
            Player::Random => policy::any(&view.table, &mut Random::new(seed)),
        }
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        match text {
            "ismcts" => Ok(Player::Ismcts),
            "greedy" => Ok(Player::Greedy),
            "random" => Ok(Player::Random),
            _ => Err(format!("'{text}' is not a player: ismcts, greedy or random")),
        }
    }
}
