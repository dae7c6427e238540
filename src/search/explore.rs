//! Searches that games are learnt from: of one step, with noise at the root.

use rand_distr::{Distribution, Gamma};

use super::driver::{Found, Run};
use super::forced::{self, Opened};
use super::node::Node;
use super::node_pool::NodePool;
use super::tree::Tree;
use super::{Bounds, Config, Limits, Params, Searcher, StopSignal, choice};
use crate::eval::Random;
use crate::game::{Color, Position, Step};

/// What makes a search look at steps it would not look at otherwise, as in
/// `KataGo`'s self-play (Wu, "Accelerating Self-Play Learning in Go", 2019).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exploration {
    /// Share of the noise in the priors of the root.
    pub noise: f32,
    /// The noise's concentration, spread evenly over the steps.
    pub concentration: f32,
    /// A step with prior p of a root with n visits gets at least the square
    /// root of this times p·n visits, once it has one.
    pub forced: f32,
}

impl Default for Exploration {
    fn default() -> Self {
        Exploration { noise: 0.25, concentration: 10.0, forced: 2.0 }
    }
}

/// What a search of one step found.
#[derive(Clone, PartialEq, Debug)]
pub struct Explored {
    /// The step to make if one wants to win.
    pub best: Step,
    /// The steps that were looked at and their visits, without those that
    /// only [`Exploration::forced`] explains.
    pub visits: Vec<(Step, u32)>,
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
    /// Steps from the root.
    pub depth: u8,
    /// The step that leads to it from the last position above.
    pub step: Step,
    /// Visits, those of earlier searches among them.
    pub visits: u32,
    /// The expected result of the player to move there, 0 to 1.
    pub winrate: f32,
    /// His expected lead in points.
    pub lead: f32,
}

impl Below {
    /// Visits from which a position below the root is always told of.
    pub const OFTEN: u32 = 24;
}

/// In how many of 256 cases one with fewer is.
const SELDOM: u8 = 20;

impl Searcher {
    /// Searches the next step of `position`, whose game is not over and where
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
        let (tree, solver) = self.prepare_memory(config);
        let exploration = exploration.unwrap_or(&Exploration::NONE);
        let run = Run {
            tree: &tree,
            config,
            position,
            limits: &Limits { iterations: Some(iterations), ..Limits::default() },
            stop: &StopSignal::default(),
            expected: None,
            solver: Some(&solver),
            exploration: Some(exploration),
            watch: None,
            root_moves: None,
        };
        Some(explored(&tree, &run.run(None)?, position, &config.params, exploration))
    }
}

/// What a run of the root found.
fn explored(
    tree: &Tree,
    found: &Found<'_>,
    position: &Position,
    params: &Params,
    exploration: &Exploration,
) -> Explored {
    let Found { root, iterations, ref solution } = *found;
    let mover = position.side();
    let mean = root.mean();
    let mut below = Vec::new();
    if exploration != &Exploration::NONE {
        let random = &mut Random::new(position.hash());
        walk(tree.pool(), root, position, 1, random, &mut below);
    }
    let mut explored = Explored {
        best: choice::best(tree, root, mover, params).0,
        visits: visits(tree, root, params, exploration.forced),
        iterations,
        winrate: mean.win,
        lead: if mover == Color::White { mean.lead } else { -mean.lead },
        bounds: root.bounds(),
        below,
    };
    if let Some(solution) = solution {
        explored.bounds = Bounds::of(solution.value);
        explored.best = solution.best.unwrap_or(explored.best);
    }
    if let Some(value) = explored.bounds.exact() {
        let value = value.seen_by(mover);
        (explored.winrate, explored.lead) = (value.white_share(), value.points());
    }
    explored
}

/// The steps of `root` that have visits without those they were forced to
/// have.
fn visits(tree: &Tree, root: Node<'_>, params: &Params, forced: f32) -> Vec<(Step, u32)> {
    let mut steps: Vec<Opened> = root
        .edges(tree.pool())
        .map(|edge| {
            let (visits, prior, utility) = (edge.visits(), edge.prior(), edge.utility());
            Opened { visits, prior, utility }
        })
        .collect();
    if forced > 0.0 {
        let total = root.visits();
        let scale = params.exploration as f32 * (total.max(1) as f32).sqrt();
        forced::prune(&mut steps, total, forced, scale);
    }
    let with_step = steps.iter().enumerate().map(|(index, step)| (root.step(index).0, step.visits));
    with_step.filter(|&(_, visits)| visits > 0).collect()
}

/// Tells of what is below `node`: all that was visited often, some of the rest
/// and what lies on the way there.
fn walk(
    pool: &NodePool,
    node: Node<'_>,
    position: &Position,
    depth: u8,
    random: &mut Random,
    below: &mut Vec<Below>,
) {
    for (index, edge) in node.edges(pool).enumerate() {
        let Some(child) = node.child(pool, edge) else { continue };
        if child.visits() < 2 || below.len() + usize::from(depth) >= usize::from(u8::MAX) {
            continue;
        }
        let step = node.step(index).0;
        let mut after = *position;
        after.make(step);
        let mover = after.side();
        let (winrate, lead) = if let Some(value) = child.bounds().exact() {
            let value = value.seen_by(mover);
            (value.white_share(), value.points())
        } else {
            let mean = child.mean();
            (mean.win, if mover == Color::White { mean.lead } else { -mean.lead })
        };
        let is_wanted = child.visits() >= Below::OFTEN || random.chance(SELDOM);
        let before = below.len();
        below.push(Below { depth, step, visits: child.visits(), winrate, lead });
        walk(pool, child, &after, depth + 1, random, below);
        if !is_wanted && below.len() == before + 1 {
            below.pop();
        }
    }
}

impl Exploration {
    /// None at all.
    pub(super) const NONE: Exploration =
        Exploration { noise: 0.0, concentration: 10.0, forced: 0.0 };

    /// Whether visits are others with it than without.
    pub(super) fn disturbs(&self) -> bool {
        self.noise > 0.0 || self.forced > 0.0
    }

    /// Mixes noise, drawn from a Dirichlet distribution, into the priors of
    /// `steps`: what they add up to, 1, they add up to afterwards.
    pub(super) fn disturb(&self, steps: &mut [(Step, f32)], random: &mut Random) {
        let shape = self.concentration / steps.len().max(1) as f32;
        if self.noise == 0.0 {
            return;
        }
        let Ok(gamma) = Gamma::new(shape, 1.0) else { return };
        let noise: Vec<f32> = steps.iter().map(|_| gamma.sample(random.source())).collect();
        let sum: f32 = noise.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for ((_, prior), noise) in steps.iter_mut().zip(noise) {
            *prior += self.noise * (noise / sum - *prior);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::eval::{EvaluatorKind, WeightsSource, priors};
    use crate::game::Rules;

    fn start(size: u64) -> Position {
        let size = Size::new(size).unwrap();
        Position::new(Rules { size, pie: false, ..Rules::default() })
    }

    fn config() -> Config {
        let (evaluator, params) = (EvaluatorKind::Linear, Params::default());
        let weights = WeightsSource::built_in();
        Config { threads: 1, memory: 4, seed: 1, evaluator, weights, params }
    }

    fn list(position: &Position) -> Vec<(Step, f32)> {
        let mut steps: Vec<(Step, f32)> =
            position.tile_steps().into_iter().map(|cell| (Step::Tile(cell), 0.0)).collect();
        priors(position, &mut steps);
        steps
    }

    #[test]
    fn noise_moves_priors_and_keeps_their_sum() {
        for seed in 0..50 {
            let before = list(&start(6));
            let mut after = before.clone();
            Exploration::default().disturb(&mut after, &mut Random::new(seed));
            let sum: f32 = after.iter().map(|(_, prior)| prior).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            for ((_, before), (_, after)) in before.iter().zip(&after) {
                assert!((0.75 * before - 1e-6..=1.0).contains(after), "{before} {after}");
            }
            let moved = before.iter().zip(&after).any(|(a, b)| (a.1 - b.1).abs() > 0.01);
            assert!(moved);
        }
        let mut steps = list(&start(6));
        Exploration::NONE.disturb(&mut steps, &mut Random::new(1));
        assert_eq!(steps, list(&start(6)));
        // Nothing to disturb.
        Exploration::default().disturb(&mut [], &mut Random::new(1));
    }

    /// All visits of the root are of one search, and every opened step has
    /// those it is owed.
    #[test]
    fn forced_visits_happen() {
        let (position, config) = (start(6), config());
        let exploration = Exploration { forced: 4.0, ..Exploration::default() };
        let mut searcher = Searcher::default();
        for iterations in [1, 50, 300] {
            let explored =
                searcher.explore(&position, &config, iterations, Some(&exploration)).unwrap();
            let (tree, _) = searcher.prepare_memory(&config);
            let root = tree.find(position.hash()).unwrap();
            assert_eq!((explored.iterations, u64::from(root.visits())), (iterations, iterations));
            let edges: Vec<_> = root.edges(tree.pool()).collect();
            for edge in &edges {
                // Owed but for one visit of another that is owed, too.
                let owed = (4.0 * edge.prior() * root.visits() as f32).sqrt();
                assert!(edge.visits() as f32 > owed - edges.len() as f32, "{edge:?}");
            }
            let owed = |edge: &&super::super::Edge<'_>| {
                forced::is_owed(edge.visits(), edge.prior(), root.visits() - 1, 4.0)
            };
            assert!(edges.iter().filter(owed).count() <= 1);
            let left: u64 = explored.visits.iter().map(|&(_, visits)| u64::from(visits)).sum();
            assert!(left <= iterations && explored.visits.iter().all(|&(_, visits)| visits > 0));
        }
    }

    /// However long the search is.
    #[test]
    fn noise_stays() {
        let (position, config) = (start(6), config());
        let mut searcher = Searcher::default();
        let mut priors = |iterations| {
            let exploration = Some(&Exploration { noise: 0.5, ..Exploration::default() });
            searcher.explore(&position, &config, iterations, exploration).unwrap();
            let (tree, _) = searcher.prepare_memory(&config);
            let root = tree.find(position.hash()).unwrap();
            let mut steps: Vec<(Step, f32)> = (0..root.len()).map(|n| root.step(n)).collect();
            steps.sort_by_key(|&(step, _)| step);
            steps
        };
        assert_eq!(priors(1), priors(300));
    }

    #[test]
    fn without_noise_all_visits_count() {
        let position = start(5);
        let mut searcher = Searcher::default();
        let explored = searcher.explore(&position, &config(), 200, None).unwrap();
        let sum: u32 = explored.visits.iter().map(|&(_, visits)| visits).sum();
        assert_eq!(u64::from(sum), explored.iterations);
        searcher.clear();
        assert_eq!(searcher.explore(&position, &config(), 200, None), Some(explored));
    }

    #[test]
    fn an_ending_is_told_exactly() {
        let mut position = start(4);
        let mut searcher = Searcher::default();
        let mut proved = 0;
        while !position.is_over() {
            let explored = searcher.explore(&position, &config(), 200, None).unwrap();
            if let Some(value) = explored.bounds.exact() {
                let value = value.seen_by(position.side());
                assert_eq!(
                    (explored.winrate, explored.lead),
                    (value.white_share(), value.points())
                );
                proved += 1;
            }
            position.make(explored.best);
        }
        assert!(proved > 0);
    }
}
