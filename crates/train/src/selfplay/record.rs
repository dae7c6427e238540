//! A self-play game: its steps and what the searches found.

use pontifex::game::{Color, Position, Rules, Step};

/// A self-play game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its number in the job.
    pub number: u64,
    /// Board and supply. The pie rule is off.
    pub rules: Rules,
    /// All steps to the end of the game.
    pub steps: Vec<PlayedStep>,
    /// The winner once the result was clear, if that was before the end.
    pub clear: Option<Color>,
    /// Whether the game was played on with full strength after that, to check
    /// the prediction.
    pub is_check: bool,
}

/// A step and the result of the search for it.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedStep {
    /// The step.
    pub step: Step,
    /// How it was chosen.
    pub kind: Kind,
    /// The expected result for the side to move, 0 to 1.
    pub winrate: f32,
    /// The expected lead of the side to move, in points.
    pub lead: f32,
    /// The visits of each step, after a full search.
    pub visits: Vec<(Step, u32)>,
}

/// How a step was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// At random.
    Random,
    /// By a quick search.
    Quick,
    /// By a full search.
    Full,
    /// By a tiny search, because the result was clear.
    Finishing,
}

/// A step of a replayed game.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedStep<'a> {
    /// The position before it.
    pub position: &'a Position,
    /// The step.
    pub played: &'a PlayedStep,
}

/// Whether `step` is legal. Self-play games have no swap.
fn is_legal(position: &Position, step: Step) -> bool {
    match step {
        _ if position.is_over() => false,
        Step::Tile(cell) => position.tile_steps().contains(cell),
        Step::Bridge(site) => position.bridge_steps().contains(site),
        Step::Pass => position.may_pass(),
        Step::Swap => false,
    }
}

impl PlayedStep {
    /// A step that was played at random.
    pub fn random(step: Step) -> PlayedStep {
        PlayedStep { step, kind: Kind::Random, winrate: 0.5, lead: 0.0, visits: Vec::new() }
    }
}

impl Played {
    /// Replays the game, calls `show` for each step, and returns the final
    /// position; `None` if a step is not legal.
    pub fn replay(&self, mut show: impl FnMut(ReplayedStep<'_>)) -> Option<Position> {
        let mut position = Position::new(self.rules);
        for played in &self.steps {
            if !is_legal(&position, played.step) {
                return None;
            }
            show(ReplayedStep { position: &position, played });
            position.make(played.step);
        }
        Some(position)
    }
}
