//! Information-set Monte Carlo tree search.
//!
//! Every iteration deals the hidden cards anew, in agreement with what the
//! player knows, and walks down one tree that all deals share. An edge counts how
//! often it was legal, as the steps differ from deal to deal. Several players
//! each maximise the value of their own rank (max^n).
//!
//! Source: P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo
//! Tree Search", IEEE TCIAIG 4(2), 2012: single-observer ISMCTS.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::board::{Card, Colour};
use super::game::View;
use super::policy;
use super::rules::Step;
use super::table::{Decision, Sledge, Table};
use pontifex::eval::Random;

/// The exploration constant, and the share of the rollouts' choice in the prior.
const EXPLORATION: f64 = 1.0;
const POLICY: f64 = 0.6;
/// Turns of a rollout for each player.
const ROLLOUT_TURNS: usize = 5;
/// In letters: a card face up with a missing letter, a turn to the next of them, a
/// devil peg, to have left, and the lead that is worth the whole value.
const VISIBLE: f64 = 0.15;
const NEAR: f64 = 0.1;
const DEVIL: f64 = 0.2;
const LEFT: f64 = 12.0;
const SCALE: f64 = 12.0;

/// When a search ends: at the first limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The longest time.
    pub time: Option<Duration>,
    /// The largest number of iterations.
    pub iterations: Option<u64>,
}

/// A step from a node. The same node may belong to different players, as a card may
/// or may not leave a decision to its mover.
type Key = (Colour, Step);

#[derive(Default)]
struct Edge {
    visits: f64,
    total: f64,
    /// How often the step was possible when the node was visited.
    available: f64,
    /// How often it was the rollouts' choice.
    preferred: f64,
    /// The nodes below, by the card that the step turned up.
    children: BTreeMap<Option<Card>, usize>,
}

/// The tree: every node has edges; the root is the first.
struct Search {
    nodes: Vec<BTreeMap<Key, Edge>>,
    random: Random,
}

/// The best step for the side to decide: the most visited. Within a number of
/// iterations, a seed gives the same step on every machine.
pub(super) fn search(view: &View, limits: Limits, seed: u64) -> Step {
    let mut search = Search { nodes: vec![BTreeMap::new()], random: Random::new(seed) };
    let start = Instant::now();
    if view.table.decision == Decision::Turn {
        return policy::greedy(&view.table, &mut search.random);
    } else if let ([only], None) = (&view.table.steps()[..], view.table.can_scatter()) {
        return *only;
    }
    let is_in_time = |n| n == 0 || limits.time.is_none_or(|time| start.elapsed() < time);
    for _ in (0..limits.iterations.unwrap_or(u64::MAX)).take_while(|&n| is_in_time(n)) {
        let table = view.deal(&mut search.random);
        search.iterate(table);
    }
    let best = search.nodes[0].iter().max_by(|a, b| a.1.visits.total_cmp(&b.1.visits));
    best.map_or_else(|| policy::greedy(&view.table, &mut search.random), |(key, _)| key.1)
}

impl Search {
    /// Select, expand, roll out, back up.
    fn iterate(&mut self, mut table: Table) {
        let mut path = Vec::new();
        let mut node = 0;
        while table.decision != Decision::Over {
            let key = self.select(node, &table);
            path.push((node, key));
            let open = table.open;
            table.apply(key.1, &mut self.random);
            let turned = (table.open - open).iter().next().and_then(|cell| table.card(cell));
            let next = self.nodes.len();
            let edge = self.nodes[node].entry(key).or_default();
            if edge.visits == 0.0 {
                break;
            }
            node = *edge.children.entry(turned).or_insert(next);
            if node == next {
                self.nodes.push(BTreeMap::new());
            }
        }
        let last = table.turn + (ROLLOUT_TURNS * table.players) as u32;
        while table.decision != Decision::Over && table.turn < last {
            let step = policy::rollout(&table, &mut self.random);
            table.apply(step, &mut self.random);
        }
        let values = values(&table);
        for (node, key) in path {
            let edge = self.nodes[node].entry(key).or_default();
            edge.visits += 1.0;
            edge.total += values[key.0.index()];
        }
    }

    /// The most promising edge of a node (PUCT), of those that are possible in
    /// this deal. New steps become edges.
    fn select(&mut self, node: usize, table: &Table) -> Key {
        let chooser = table.chooser;
        let mut steps = policy::candidates(table);
        let preferred = policy::rollout(table, &mut self.random);
        if !steps.contains(&preferred) {
            steps.push(preferred);
        }
        let edges = &mut self.nodes[node];
        let own = edges.iter().filter(|(key, _)| key.0 == chooser);
        let (visits, total) = own.fold((0.0, 0.0), |(n, t), (_, e)| (n + e.visits, t + e.total));
        // Unvisited steps are worth what their siblings are on average.
        let average = if visits > 0.0 { total / visits } else { 0.5 };
        let share = (1.0 - POLICY) / steps.len() as f64;
        let mut best = (preferred, f64::NEG_INFINITY);
        for step in steps {
            let edge = edges.entry((chooser, step)).or_default();
            edge.available += 1.0;
            edge.preferred += f64::from(u8::from(step == preferred));
            let value = if edge.visits > 0.0 { edge.total / edge.visits } else { average };
            let prior = share + POLICY * edge.preferred / edge.available;
            let bound = value + EXPLORATION * prior * edge.available.sqrt() / (1.0 + edge.visits);
            if bound > best.1 {
                best = (step, bound);
            }
        }
        (chooser, best.0)
    }
}

/// What a table is worth to each player, from 0 to 1: the mean of the comparisons
/// with the others. Who is on the board when the game is over gets nothing.
fn values(table: &Table) -> Vec<f64> {
    let progress: Vec<f64> = table.colours().map(|who| progress(table, who)).collect();
    let value = |who: Colour| {
        let lead = |other: Colour| progress[who.index()] - progress[other.index()];
        let others = table.colours().filter(|&other| other != who);
        let won = others.map(|other| (0.5 + lead(other) / SCALE).clamp(0.0, 1.0));
        let loses = table.decision == Decision::Over && table[who].left == 0;
        if loses { 0.0 } else { won.sum::<f64>() / (table.players - 1) as f64 }
    };
    table.colours().map(value).collect()
}

/// How close a player is to leaving, in letters; those who have left are ahead of
/// all others, in the order of their ranks.
fn progress(table: &Table, who: Colour) -> f64 {
    let Sledge { letters, devil, left, .. } = table[who];
    let (visible, near) = policy::outlook(table, who);
    let pegs = letters.len() as f64 - if devil { DEVIL } else { 0.0 };
    let waits = pegs + VISIBLE * visible as f64 - NEAR * near as f64;
    if left > 0 { LEFT - left as f64 } else { waits }
}
