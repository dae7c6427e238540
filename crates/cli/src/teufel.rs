//! `pontifex teufel`: the game Teufel, Teufel, which has a crate of its own.

use std::io;

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};

use super::bench::duration;
use super::exit;
use super::exit::UsageError;
use super::named_files::print;
use super::options::whole;
use super::progress::Progress;
use pontifex::clock::Seconds;
use teufel::{Colour, Limits, Match, Player, Session, play_at_terminal};

/// Play Teufel, Teufel: the dealer on stdin and stdout, a match, or a game by hand
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Teufel {
    #[command(subcommand)]
    kind: Option<Kind>,
    #[command(flatten)]
    search: Search,
}

#[derive(Subcommand, Debug)]
enum Kind {
    /// Play games between players, and print their ranks
    Match {
        /// Two to six players: ismcts, greedy or random
        #[arg(long, value_name = "PLAYER,..", value_delimiter = ',', required = true)]
        players: Vec<Player>,
        /// Number of games; every deal is played from each rotation of the seats
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<usize>(1..=1_000_000_000))]
        games: usize,
        #[command(flatten)]
        search: Search,
    },
    /// Play by hand against one to five engines
    Play {
        /// Engines at the table
        #[arg(long, value_name = "N", default_value_t = 1,
            value_parser = whole::<u8>(1..=5))]
        opponents: u8,
        /// Your colour: blue, green, yellow, orange, white or black
        #[arg(long, default_value = "blue")]
        colour: Colour,
        #[command(flatten)]
        search: Search,
    },
}

#[derive(Args, Debug)]
struct Search {
    /// Seconds per decision [default: 1 unless --playouts is given]
    #[arg(long, value_name = "SECONDS", value_parser = duration())]
    time: Option<Seconds>,
    /// Iterations per decision
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    playouts: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Teufel {
    pub(super) fn run(self) -> anyhow::Result<()> {
        exit::exit_on_broken_pipe();
        match self.kind {
            None => Ok(self.search.session(2).serve(io::stdin().lock(), io::stdout())?),
            Some(Kind::Play { opponents, colour, search }) => {
                let players = usize::from(opponents) + 1;
                let error = format!("--colour: {colour} does not play among {players}");
                ensure!(colour.index() < players, UsageError(error));
                let (session, input) = (search.session(players), io::stdin().lock());
                play_at_terminal(session, colour, input, io::stdout()).context("the game broke off")
            }
            Some(Kind::Match { players, games, search }) => {
                let count = players.len();
                let error = format!("--players must be two to six players, not {count}");
                ensure!((2..=6).contains(&count), UsageError(error));
                let progress = Progress::new("games", games);
                let game = Match { players, games, limits: search.limits(), seed: search.seed };
                print(game.run(|| progress.advance()).as_bytes())
            }
        }
    }
}

impl Search {
    fn limits(&self) -> Limits {
        let time = self.time.or(self.playouts.is_none().then_some(Seconds::whole(1)));
        Limits { time: time.map(Seconds::duration), iterations: self.playouts }
    }

    fn session(&self, players: usize) -> Session {
        Session::new(players, self.limits(), self.seed)
    }
}
