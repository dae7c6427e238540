//! A finished game as recorded in a journal.
//!
//! **Identity.** Five values identify a game of the schedule: `a`, `b`, `round`, `opening` and
//! `white`. A run compares them with its schedule to find the missing games, so they must be
//! written exactly as scheduled. Engines are identified by name, because a number would mean
//! another engine after a change of the list.
//!
//! **Seats and colours.** The engine that opens as White has seat 0. A swap exchanges colours,
//! never seats:
//!
//! ```text
//! seat 0 (`white`)    plays White    after a swap Red
//! seat 1              plays Red      after a swap White
//! ```
//!
//! `white`, `overheads` and `versions` are by seat, `result` and `scores` by final colour. Mixing
//! the two up credits the loser of every swapped game. `winner` names the engine, so that readers
//! of the file need not know about swaps.
//!
//! **Compatibility.** Journals are kept for years. A field keeps its name and its meaning. A new
//! field is optional (`serde(default)`), and left out where it is empty. So old journals can be
//! resumed, and [`merge`](super::merge::merge) can compare entries for equality.

use serde::{Deserialize, Serialize};

use crate::adjudication::{AdjudicatedBy, Evaluation};
use crate::engines::failure::{Failure, FailureKind};
use crate::openings::text::format_opening;
use crate::referee::{GameEnd, PlayedGame};
use crate::schedule::GameKey;
use crate::statistics::tally::GameScore;
use pontifex::game::{Color, Move, Outcome, Position, Rules, Score, Setup, compare};
use pontifex::notation::{GameResult, ParseMoveError, Record, RecordedMove, Tag, WonBy};

/// A finished game: one line of a journal.
///
/// Engines are identified by name, numbers start at 0, and times are in seconds, rounded to
/// microseconds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The name of the pairing's first engine, which comes first in the tournament's list.
    pub a: String,
    /// The name of the pairing's second engine.
    pub b: String,
    /// The number of the pair of games within the pairing, from 0.
    pub round: usize,
    /// The opening's number in the tournament's list, from 0.
    pub opening: usize,
    /// The engine in seat 0, which opened as White: `a` or `b`.
    pub white: String,
    /// The result by final colours, as in records: `W+5` by points, `R+R` by resignation, `W+T` on
    /// time, `W+F` by forfeit, `0` for a draw.
    pub result: String,
    /// The engine that won; `null` in a draw.
    pub winner: Option<String>,
    /// `score`, `resignation`, `adjudication`, `proof`, or the kind of the failure.
    pub reason: String,
    /// Points, islands and bridges of White and of Red in the final position.
    pub scores: [[u16; 3]; 2],
    /// Whether the players swapped colours.
    pub swapped: bool,
    /// How many of the first moves belong to the opening. The engines did not choose them.
    pub opening_moves: usize,
    /// All moves, separated by spaces, the opening included.
    pub moves: String,
    /// The time of each move in seconds, from the command to the end of the answer; 0 in the
    /// opening.
    pub seconds: Vec<f64>,
    /// The mover's own evaluation before each move: its win rate, from 0 to 1, and its lead in
    /// points. `null` in the opening and for engines that give none. Empty if no move has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluations: Vec<Option<[f64; 2]>>,
    /// By how many seconds each move exceeded its time, by seat. Negative if the move was in time;
    /// empty without a clock. A stalled engine's last wait is included.
    pub overheads: [Vec<f64>; 2],
    /// The duration of the whole game in seconds, from the first command to the last answer.
    pub wall: f64,
    /// The seed given to engines that have the parameter `seed`; below 2⁵³.
    pub seed: u64,
    /// Identity and checksum of each seat's engine, as in `NAME VERSION (1a2b3c4d)`; empty for an
    /// engine that did not start. A change shows that a program was rebuilt between games.
    pub versions: [String; 2],
    /// When the game ended, in UTC as in `2026-11-20T13:34:18.494Z`.
    pub finished: String,
    /// The failure that ended the game; `None` if no engine failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

impl Entry {
    /// The entry of a game that ends now. `names` are the engines' names by the numbers that `key`
    /// uses. `versions` stay empty: the caller, who knows the programs, fills them in.
    pub fn new(
        key: &GameKey,
        names: &[String],
        opening_moves: usize,
        seed: u64,
        game: PlayedGame,
    ) -> Entry {
        let seats = key.seats();
        let name = |seat: usize| names[seats[seat]].clone();
        let [a, b] = key.pairing.map(|engine| names[engine].clone());
        let result = result_of(&game).to_string();
        let (reason, failure) = match game.end {
            GameEnd::Score => ("score", None),
            GameEnd::Resignation { .. } => ("resignation", None),
            GameEnd::Adjudication { by: AdjudicatedBy::Proof, .. } => ("proof", None),
            GameEnd::Adjudication { .. } => ("adjudication", None),
            GameEnd::Failure { failure, .. } => ("", Some(*failure)),
        };
        Entry {
            a,
            b,
            round: key.round,
            opening: key.opening,
            white: name(0),
            result,
            winner: game.winner.map(name),
            reason: failure.as_ref().map_or(reason.to_owned(), |failure| failure.kind.to_string()),
            scores: game.scores.map(|Score { points, islands, bridges }| {
                [points, u16::from(islands), u16::from(bridges)]
            }),
            swapped: game.colors[0] == Color::Red,
            opening_moves,
            moves: format_opening(&game.moves),
            seconds: round_all(&game.seconds),
            evaluations: if game.evaluations.iter().any(Option::is_some) {
                game.evaluations.iter().map(|evaluation| evaluation.map(rate_and_lead)).collect()
            } else {
                Vec::new()
            },
            overheads: game.overheads.map(|overheads| round_all(&overheads)),
            wall: round_to_micros(game.wall),
            seed,
            versions: Default::default(),
            finished: pontifex::gtp::utc_now(),
            failure,
        }
    }

    /// The game's key, with engines numbered by their place in `names`; `None` if an engine is not
    /// in `names` or `white` is neither of the two.
    pub fn key(&self, names: &[String]) -> Option<GameKey> {
        let number = |name: &String| names.iter().position(|known| known == name);
        let pairing = [number(&self.a)?, number(&self.b)?];
        let exchanged = self.white == self.b;
        // A schedule puts the lower number first. Accepting the other order would give the same
        // game a second key, and it would be played again.
        (pairing[0] < pairing[1] && (exchanged || self.white == self.a)).then_some(GameKey {
            pairing,
            round: self.round,
            opening: self.opening,
            exchanged,
        })
    }

    /// The score of the pairing's first engine.
    pub fn score(&self) -> GameScore {
        match &self.winner {
            None => GameScore::Draw,
            Some(winner) if *winner == self.a => GameScore::Win,
            Some(_) => GameScore::Loss,
        }
    }

    /// The points of the pairing's first engine minus those of the second. `None` if the game ended
    /// before its score decided it, because its final margin is unknown.
    pub fn margin(&self) -> Option<i32> {
        // Scores are by final colours, and a swap has exchanged the engines' colours.
        let [white, red] = self.scores.map(|[points, ..]| i32::from(points));
        let a_is_white = (self.white == self.a) != self.swapped;
        let margin = if a_is_white { white - red } else { red - white };
        (self.reason == "score").then_some(margin)
    }

    /// The names of the engines in seat 0, which opened as White, and seat 1.
    pub fn seats(&self) -> [&str; 2] {
        if self.white == self.b { [&self.b, &self.a] } else { [&self.a, &self.b] }
    }

    /// A name for a file about the game, as in `00012-A-B-1`, without an extension.
    pub fn file_stem(&self) -> String {
        file_stem([&self.a, &self.b], self.round, self.white != self.a)
    }

    /// The game as a record. The comment on an engine's move is its time, followed by the engine's
    /// evaluation of the position before the move.
    ///
    /// # Errors
    /// A move that cannot be parsed, as in a journal that was edited by hand.
    pub fn record(&self, rules: Rules) -> Result<Record, ParseMoveError> {
        let mut record = Record::new(Setup::empty(rules));
        let mut position = Position::new(rules);
        for (number, word) in self.moves.split_whitespace().enumerate() {
            let mv = word.parse::<Move>()?;
            let mut recorded_move = RecordedMove::from(mv);
            // Opening moves have a time of 0, which would read like a very fast move.
            let seconds = self.seconds.get(number).filter(|_| number >= self.opening_moves);
            let time = seconds.map_or(String::new(), |seconds| format!("{seconds:.3} s"));
            recorded_move.comment = match self.evaluations.get(number) {
                Some(Some([winrate, lead])) => {
                    let (side, percent) = (color_name(position.side()), 100.0 * winrate);
                    format!("{time}; {side}'s win rate {percent:.1} %, lead {lead:+.1}")
                }
                _ => time,
            };
            // The position only supplies the side to move. Readers of the record check the rules.
            let _ = position.play(mv);
            record.moves.push(recorded_move);
        }
        let [mut white, mut red] = self.seats();
        if self.swapped {
            std::mem::swap(&mut white, &mut red);
        }
        record.set_tag(Tag::White, white);
        record.set_tag(Tag::Red, red);
        record.set_tag(Tag::Event, &format!("{} - {}", self.a, self.b));
        record.set_tag(Tag::Round, &(self.round + 1).to_string());
        record.set_tag(Tag::Date, &self.finished);
        record.result = self.result.parse().ok();
        if let Some(failure) = &self.failure {
            record.comment = failure.to_string();
        } else if let "adjudication" | "proof" = &*self.reason {
            record.comment = format!("ended by {}", self.reason);
        }
        Ok(record)
    }
}

/// The name of a file about a game, without an extension. `00012-A-B-1` consists of the round (from
/// 1), the engines of the pairing, and the game's number within the pair (1 or 2). Five digits make
/// files sort by round, up to 99,999 rounds.
pub(crate) fn file_stem(pairing: [&str; 2], round: usize, exchanged: bool) -> String {
    // Engine names such as `a/b` and `a:b` are not valid file names.
    let plain = |name: &str| name.replace(|c: char| !c.is_alphanumeric() && c != '_', "_");
    let [a, b] = pairing.map(plain);
    format!("{:05}-{a}-{b}-{}", round + 1, 1 + usize::from(exchanged))
}

/// The result of a game by final colours. A failure is a loss on time if the engine was too slow,
/// and a forfeit otherwise.
fn result_of(game: &PlayedGame) -> GameResult {
    let by = match &game.end {
        GameEnd::Score => return GameResult::Played(compare(game.scores[0], game.scores[1])),
        GameEnd::Adjudication { winner: None, .. } => {
            return GameResult::Played(Outcome::Draw);
        }
        GameEnd::Adjudication { .. } => WonBy::Unstated,
        GameEnd::Resignation { .. } => WonBy::Resignation,
        GameEnd::Failure { failure, .. } => match failure.kind {
            FailureKind::Timeout | FailureKind::Stall => WonBy::Time,
            _ => WonBy::Forfeit,
        },
    };
    match game.winner {
        Some(seat) => GameResult::Won { winner: game.colors[seat], by },
        None => GameResult::Void,
    }
}

fn rate_and_lead(evaluation: Evaluation) -> [f64; 2] {
    [round_to_micros(evaluation.winrate), round_to_micros(evaluation.score_lead)]
}

/// The colour's name with a capital letter, for sentences.
fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Red => "Red",
    }
}

fn round_all(seconds: &[f64]) -> Vec<f64> {
    seconds.iter().copied().map(round_to_micros).collect()
}

/// Rounds to six decimals, for a time to microseconds. More digits would be noise, and a line has
/// up to hundreds of numbers.
fn round_to_micros(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
