//! Lessons: positions with a task whose goal the rules can check, and the annotated games. Both are
//! data, in `lessons.json` and `games.json`.

use std::sync::OnceLock;

use serde::Deserialize;

use super::message::{AnnotatedGame, TaskTexts, Texts};
use pontifex::game::{Color, Move, Position, Rules, Setup, Supply};
use pontifex::puzzles::joining_sites;

/// A lesson: one idea.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Lesson {
    pub id: String,
    pub title: Texts,
    pub tasks: Vec<Task>,
}

/// A position and what to do in it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Task {
    pub position: String,
    /// The supply; without it, the standard one.
    pub supply: Option<String>,
    pub goal: Goal,
    /// A right move.
    pub answer: String,
    /// Wrong moves, each with the code of the rule it breaks, or `miss`. Only tests read them.
    #[cfg_attr(not(test), allow(dead_code))]
    pub wrong: Vec<(String, String)>,
    pub texts: TaskTexts,
}

impl Task {
    /// The position; a test rules out that it is illegal.
    pub(crate) fn start(&self) -> Position {
        let supply = self.supply.as_deref().and_then(|text| text.parse().ok());
        let setup = Setup::parse(&self.position, supply.unwrap_or(Supply::Standard), true);
        let position = setup.ok().and_then(|setup| setup.validate().ok());
        debug_assert!(position.is_some(), "{}", self.position);
        position.unwrap_or_else(|| Position::new(Rules::default()))
    }
}

/// All lessons, in their order.
///
/// # Panics
/// If the file cannot be parsed, which a test rules out.
pub(crate) fn lessons() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| {
        let text = include_str!("lessons.json");
        serde_json::from_str(text).unwrap_or_else(|error| panic!("lessons.json: {error}"))
    })
}

/// The annotated games, in their order.
///
/// # Panics
/// If the file cannot be parsed, which a test rules out.
pub(crate) fn annotated_games() -> &'static [AnnotatedGame] {
    static GAMES: OnceLock<Vec<AnnotatedGame>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let text = include_str!("games.json");
        serde_json::from_str(text).unwrap_or_else(|error| panic!("games.json: {error}"))
    })
}

/// The goal of a task: what a move must do, by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Goal {
    /// Place two tiles, anywhere.
    Tiles,
    /// Complete an island.
    Island,
    /// Place two tiles and complete no island.
    Wait,
    /// Join all islands there are in one network.
    Join,
    /// Gain this many points or more at once.
    Gain(u16),
    /// Be able to gain this many points or more by the next move, whatever the opponent does.
    Sure(u16),
    /// Leave the opponent no bridge that joins two networks.
    Stop,
    /// Pass.
    Pass,
    /// Swap.
    Swap,
    /// End the game and win it.
    Win,
}

impl Goal {
    /// Whether a legal turn reaches the goal.
    pub(crate) fn is_reached(self, before: &Position, mv: Move) -> bool {
        let side = before.side();
        let mut after = *before;
        if after.play(mv).is_err() {
            return false;
        }
        let (old, new) = (before.score(side), after.score(side));
        match self {
            Goal::Tiles => matches!(mv, Move::Tiles(..)),
            Goal::Island => new.islands > old.islands,
            Goal::Wait => matches!(mv, Move::Tiles(..)) && new.islands == old.islands,
            Goal::Join => {
                let mut islands = before.islands(side).into_iter();
                let network = islands.next().map(|cell| after.network_root(cell));
                islands.all(|cell| Some(after.network_root(cell)) == network)
            }
            Goal::Gain(points) => new.points >= old.points + points,
            Goal::Sure(points) => can_surely_reach(&after, side, old.points + points),
            Goal::Stop => joining_sites(&after, !side).is_empty(),
            Goal::Pass => mv == Move::Pass,
            Goal::Swap => mv == Move::Swap,
            Goal::Win => after.is_over() && after.outcome().winner() == Some(side),
        }
    }

    /// The opponent's answer that shows what is wrong with a move, if the goal depends on what the
    /// opponent can do.
    pub(crate) fn refutation(self, before: &Position, mv: Move) -> Option<Move> {
        let side = before.side();
        let mut after = *before;
        after.play(mv).ok()?;
        match self {
            Goal::Stop => {
                let joining = joining_sites(&after, !side).into_iter().next();
                joining.map(|site| Move::bridge(site.ends()[0], site.ends()[1]))
            }
            Goal::Sure(points) => {
                let points = before.score(side).points + points;
                after.moves().into_iter().find(|&reply| {
                    let mut then = after;
                    then.play(reply).is_ok() && !can_reach(&then, side, points)
                })
            }
            _ => None,
        }
    }
}

/// The positions after all legal moves.
fn positions_after_moves(position: &Position) -> impl Iterator<Item = Position> {
    position.moves().into_iter().filter_map(|mv| {
        let mut after = *position;
        after.play(mv).ok().map(|()| after)
    })
}

/// Whether `side`, which is to move, has a move that reaches `points`.
fn can_reach(position: &Position, side: Color, points: u16) -> bool {
    positions_after_moves(position).any(|after| after.score(side).points >= points)
}

/// Whether `side` can reach `points` after every move of the opponent.
fn can_surely_reach(position: &Position, side: Color, points: u16) -> bool {
    positions_after_moves(position).all(|reply| can_reach(&reply, side, points))
}
