//! Searches that games are learnt from: of one ply, with noise at the root.

use std::sync::Mutex;

use rand_distr::{Distribution, Gamma};

use super::arena::Arena;
use super::driver::{Found, Run};
use super::node::Node;
use super::{Bounds, Config, Limits, Searcher, StopSignal};
use crate::eval::Random;
use crate::game::{Color, Ply, Position};

/// What makes a search look at plies it would not look at otherwise, as in
/// KataGo's self-play (Wu, "Accelerating Self-Play Learning in Go", 2019).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exploration {
    /// Share of the noise in the priors of the root.
    pub noise: f32,
    /// The noise's concentration, spread evenly over the plies.
    pub concentration: f32,
    /// A ply with prior p of a root with n visits gets at least the square
    /// root of this times p·n visits, once it has one.
    pub forced: f32,
}

impl Default for Exploration {
    fn default() -> Self {
        Exploration { noise: 0.25, concentration: 10.0, forced: 2.0 }
    }
}

/// What a search of one ply found.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The ply to make if one wants to win.
    pub best: Ply,
    /// The plies that were looked at and their visits, without those that
    /// only [`Exploration::forced`] explains.
    pub visits: Vec<(Ply, u32)>,
    /// Visits in all.
    pub iterations: u64,
    /// The mover's expected result, 0 (loss) to 1 (win).
    pub winrate: f32,
    /// The mover's expected lead in points.
    pub lead: f32,
    /// What is proved of the result.
    pub bounds: Bounds,
    /// The positions below that were visited often, in the order of a walk
    /// that goes down first.
    pub below: Vec<Below>,
}

/// A position that a search has visited often.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Below {
    /// Plies from the root.
    pub depth: u8,
    /// The ply that leads to it from the last position above.
    pub ply: Ply,
    /// Visits, those of earlier searches among them.
    pub visits: u32,
    /// The expected result of the player to move there, 0 to 1.
    pub winrate: f32,
    /// His expected lead in points.
    pub lead: f32,
}

/// Visits from which a position below the root is told of.
const OFTEN: u32 = 24;

impl Searcher {
    /// Searches the next ply of `position`, whose game is not over and where
    /// no swap is due, on one thread with so many iterations. The root's
    /// visits are all of this search; what it finds below it from earlier
    /// ones is used. `None` when the memory is too small for the root.
    pub fn explore(
        &mut self,
        position: &Position,
        config: &Config,
        iterations: u64,
        exploration: Option<&Exploration>,
    ) -> Option<Explored> {
        let (tree, solver) = self.prepare_memory(config.memory);
        let mover = position.side();
        let run = Run {
            tree: &tree,
            config,
            position,
            limits: &Limits { iterations: Some(iterations), ..Limits::default() },
            stop: &StopSignal::default(),
            expected: None,
            solver: &solver as &Mutex<_>,
            exploration: Some(exploration.unwrap_or(&Exploration::NONE)),
        };
        let Found { root, iterations, solution } = run.run(None)?;
        let (best, _) = super::choice::best(&tree, root, mover, &config.params);
        let forced = exploration.map_or(0.0, |exploration| exploration.forced);
        let slots: Vec<_> = root.slots(tree.arena()).collect();
        let most = slots.iter().max_by_key(|slot| slot.visits());
        let root_visits = root.visits();
        let scale = config.params.exploration as f32 * (root_visits.max(1) as f32).sqrt();
        let bound = |slot: &super::Slot<'_>, visits: u32| {
            slot.utility() + scale * slot.prior() / (1 + visits) as f32
        };
        let highest = most.map(|slot| bound(slot, slot.visits()));
        let mut visits = Vec::with_capacity(slots.len());
        for (index, slot) in slots.iter().enumerate() {
            let mut count = slot.visits();
            if let (Some(most), Some(highest)) = (most, highest)
                && forced > 0.0
                && count < most.visits()
            {
                let owed = (forced * slot.prior() * root_visits as f32).sqrt() as u32;
                let least = count.saturating_sub(owed);
                while count > least && bound(slot, count - 1) < highest {
                    count -= 1;
                }
                // A single visit says nothing.
                if count == 1 && slot.visits() > 1 {
                    count = 0;
                }
            }
            visits.push((root.ply(index).0, count));
        }
        visits.retain(|&(_, count)| count > 0);
        let mean = root.mean();
        let (mut winrate, mut lead) = (mean.win, mean.lead);
        if mover == Color::Red {
            lead = -lead;
        }
        let mut below = Vec::new();
        if exploration.is_some() {
            walk(tree.arena(), root, *position, 1, &mut below);
        }
        let bounds = root.bounds();
        let mut found = Explored { best, visits, iterations, winrate, lead, bounds, below };
        if let Some(solution) = solution {
            found.bounds = Bounds::of(solution.value);
            found.best = solution.best.unwrap_or(best);
        }
        if let Some(value) = found.bounds.exact() {
            let value = value.seen_by(mover);
            (winrate, lead) = (value.white_share(), value.points());
            (found.winrate, found.lead) = (winrate, lead);
        }
        Some(found)
    }
}

/// Tells of what is below `node` and was visited often.
fn walk(arena: &Arena, node: Node<'_>, position: Position, depth: u8, below: &mut Vec<Below>) {
    for (index, slot) in node.slots(arena).enumerate() {
        if slot.visits() < OFTEN || below.len() >= usize::from(u8::MAX) {
            continue;
        }
        let Some(address) = slot.child() else { continue };
        let child = Node::at(arena, address);
        if child.visits() < OFTEN {
            continue;
        }
        let ply = node.ply(index).0;
        let mut after = position;
        after.make(ply);
        let mover = after.side();
        let (winrate, lead) = if let Some(value) = child.bounds().exact() {
            let value = value.seen_by(mover);
            (value.white_share(), value.points())
        } else {
            let mean = child.mean();
            (mean.win, if mover == Color::White { mean.lead } else { -mean.lead })
        };
        below.push(Below { depth, ply, visits: child.visits(), winrate, lead });
        walk(arena, child, after, depth + 1, below);
    }
}

impl Exploration {
    /// None at all.
    pub(super) const NONE: Exploration =
        Exploration { noise: 0.0, concentration: 10.0, forced: 0.0 };

    /// Mixes noise into `plies`, whose priors add up to 1.
    pub(super) fn disturb(&self, plies: &mut [(Ply, f32)], random: &mut Random) {
        let shape = self.concentration / plies.len().max(1) as f32;
        let Ok(gamma) = Gamma::new(shape, 1.0) else { return };
        if self.noise == 0.0 {
            return;
        }
        let noise: Vec<f32> = plies.iter().map(|_| gamma.sample(random.source())).collect();
        let sum: f32 = noise.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for ((_, prior), noise) in plies.iter_mut().zip(noise) {
            *prior += self.noise * (noise / sum - *prior);
        }
    }
}
