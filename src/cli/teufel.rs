//! `pontifex teufel`: the game Teufel, Teufel.

use std::io::{self, BufReader};
use std::time::Duration;

use anyhow::ensure;
use clap::{Args, Subcommand};

use super::exit::UsageError;
use super::output::print;
use super::progress::Progress;
use crate::teufel::{Limits, Match, Player, Session, play_at_terminal};

/// Play Teufel, Teufel: the dealer on stdin and stdout, a match, or a game by hand
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Teufel {
    #[command(subcommand)]
    kind: Option<Kind>,
    #[command(flatten)]
    common: Common,
}

#[derive(Args, Debug)]
struct Common {
    /// Who plays: ismcts, greedy or random
    #[arg(long, value_name = "PLAYER", default_value = "ismcts")]
    player: Player,
    /// Seconds per decision [default: 1 unless --playouts is given]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Iterations per decision
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Subcommand, Debug)]
enum Kind {
    /// Play games between players, and print their ranks
    Match {
        /// Two to six players: ismcts, greedy or random
        #[arg(long, value_name = "PLAYER,..", value_delimiter = ',', required = true)]
        players: Vec<Player>,
        /// Number of games; every deal is played from each rotation of the seats
        #[arg(long, value_name = "N", default_value_t = 100)]
        games: usize,
        #[command(flatten)]
        common: Common,
    },
    /// Play by hand against one to five engines
    Play {
        /// Engines at the table
        #[arg(long, value_name = "N", default_value_t = 1)]
        opponents: usize,
        #[command(flatten)]
        common: Common,
    },
}

impl Teufel {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.kind {
            None => {
                let mut session = self.common.session(2);
                Ok(session.serve(BufReader::new(io::stdin()), io::stdout())?)
            }
            Some(Kind::Play { opponents, common }) => {
                ensure!((1..=5).contains(&opponents), UsageError("--opponents: 1 to 5".to_owned()));
                let session = common.session(opponents + 1);
                Ok(play_at_terminal(session, io::stdin().lock(), io::stdout())?)
            }
            Some(Kind::Match { players, games, common }) => {
                let error = || UsageError("--players: 2 to 6 can play".to_owned());
                ensure!((2..=6).contains(&players.len()), error());
                let progress = Progress::new("games", games);
                let contest = Match { players, limits: common.limits(), seed: common.seed };
                let play = |number| contest.play(number).inspect(|_| progress.advance());
                let ranks = (0..games).map(play).collect::<Result<Vec<_>, _>>()?;
                print(contest.report(&ranks).as_bytes())
            }
        }
    }
}

impl Common {
    fn limits(&self) -> Limits {
        let default = self.playouts.is_none().then_some(Duration::from_secs(1));
        Limits { time: self.time.or(default), iterations: self.playouts }
    }

    fn session(&self, players: usize) -> Session {
        Session::new(players, self.player, self.limits(), self.seed)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
