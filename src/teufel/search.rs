//! Information-set Monte Carlo tree search.
//!
//! Every iteration deals the hidden cards anew, in agreement with what the
//! player knows, and walks down one tree that all deals share. An edge counts how
//! often it was legal, as the steps differ from deal to deal. Several players
//! each maximise the value of their own rank (max^n).
//!
//! Source: P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo
//! Tree Search", IEEE TCIAIG 4(2), 2012: single-observer ISMCTS.

use std::time::{Duration, Instant};

use super::card::{Colour, MOST};
use super::game::View;
use super::policy;
use super::rules::Step;
use super::table::{Decision, Table};
use crate::eval::Random;

/// The exploration constant, and the share of the rollouts' choice in the prior.
const EXPLORATION: f64 = 0.3;
const POLICY: f64 = 0.6;
/// Turns of a rollout for each player, and how many of 256 are random moves.
const ROLLOUT_TURNS: usize = 3;
const NOISE: u8 = 16;
/// In letters: a card face up with a missing letter, a turn to the next of them, a
/// devil peg, to have left, and the lead that is worth the whole value.
const VISIBLE: f64 = 0.3;
const NEAR: f64 = 0.1;
const DEVIL: f64 = 0.2;
const LEFT: f64 = 12.0;
const SCALE: f64 = 12.0;
/// Iterations between two looks at the clock.
const CLOCK: u64 = 8;

/// When a search ends: at the first limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The longest time.
    pub time: Option<Duration>,
    /// The largest number of iterations.
    pub iterations: Option<u64>,
}

struct Edge {
    step: Step,
    /// Who decides; the same node may belong to different players, as a card may
    /// or may not leave a decision to its mover.
    chooser: Colour,
    visits: f64,
    /// How often the step was possible when the node was visited.
    available: f64,
    /// How often it was the rollouts' choice.
    preferred: f64,
    total: f64,
    /// The index of the node below; 0 while there is none.
    child: usize,
}

/// The tree: every node is a list of edges; the root is the first.
struct Search {
    nodes: Vec<Vec<Edge>>,
    random: Random,
}

/// The best step for the side to decide: the most visited. Within a number of
/// iterations, a seed gives the same step on every machine.
pub fn search(view: &View, limits: Limits, seed: u64) -> Step {
    let mut search = Search { nodes: vec![Vec::new()], random: Random::new(seed) };
    let start = Instant::now();
    if let [only] = policy::candidates(&view.table)[..] {
        return only;
    }
    for iteration in 0..limits.iterations.unwrap_or(u64::MAX) {
        let is_late = |time| iteration % CLOCK == 0 && iteration > 0 && start.elapsed() >= time;
        if limits.time.is_some_and(is_late) {
            break;
        }
        let table = view.deal(&mut search.random);
        search.iterate(table);
    }
    let best = search.nodes[0].iter().max_by(|a, b| a.visits.total_cmp(&b.visits));
    best.map_or_else(|| policy::any(&view.table, &mut search.random), |edge| edge.step)
}

/// Plays on with quick decisions.
fn roll_out(table: &mut Table, random: &mut Random) {
    let last = table.turn + (ROLLOUT_TURNS * table.players) as u32;
    while table.decision != Decision::Over && table.turn < last {
        let is_noise = table.decision == Decision::Act && random.chance(NOISE);
        let goal = if is_noise { table.goals().random(random) } else { None };
        let step = goal.map(|cell| Step::Go(cell, false));
        table.apply(step.unwrap_or_else(|| policy::greedy(table, true, random)), random);
    }
}

impl Search {
    /// Select, expand, roll out, back up.
    fn iterate(&mut self, mut table: Table) {
        let (mut path, mut node) = (Vec::new(), 0);
        while table.decision != Decision::Over {
            let index = self.select(node, &table);
            path.push((node, index));
            let next = self.nodes.len();
            let edge = &mut self.nodes[node][index];
            table.apply(edge.step, &mut self.random);
            if edge.visits == 0.0 {
                break;
            } else if edge.child == 0 {
                edge.child = next;
            }
            node = edge.child;
            if node == next {
                self.nodes.push(Vec::new());
            }
        }
        roll_out(&mut table, &mut self.random);
        let values = values(&table);
        for (node, index) in path {
            let edge = &mut self.nodes[node][index];
            edge.visits += 1.0;
            edge.total += values[edge.chooser.index()];
        }
    }

    /// The most promising edge of a node (PUCT), of those that are possible in
    /// this deal. New steps become edges.
    fn select(&mut self, node: usize, table: &Table) -> usize {
        let chooser = table.chooser;
        let mut steps = policy::candidates(table);
        let preferred = policy::greedy(table, true, &mut self.random);
        if !steps.contains(&preferred) {
            steps.push(preferred);
        }
        let edges = &mut self.nodes[node];
        let own = edges.iter().filter(|edge| edge.chooser == chooser);
        let (visits, total) = own.fold((0.0, 0.0), |(n, t), e| (n + e.visits, t + e.total));
        // Unvisited steps are worth what their siblings are on average.
        let average = if visits > 0.0 { total / visits } else { 0.5 };
        let share = (1.0 - POLICY) / steps.len() as f64;
        let mut best = (0, f64::NEG_INFINITY);
        for step in steps {
            let is_same = |edge: &Edge| edge.step == step && edge.chooser == chooser;
            let index = edges.iter().position(is_same).unwrap_or(edges.len());
            if index == edges.len() {
                let (visits, available, preferred, total) = (0.0, 0.0, 0.0, 0.0);
                edges.push(Edge { step, chooser, visits, available, preferred, total, child: 0 });
            }
            let edge = &mut edges[index];
            edge.available += 1.0;
            edge.preferred += f64::from(u8::from(step == preferred));
            let value = if edge.visits > 0.0 { edge.total / edge.visits } else { average };
            let prior = share + POLICY * edge.preferred / edge.available;
            let bound = value + EXPLORATION * prior * edge.available.sqrt() / (1.0 + edge.visits);
            if bound > best.1 {
                best = (index, bound);
            }
        }
        best.0
    }
}

/// What a table is worth to each player, from 0 to 1: the mean of the comparisons
/// with the others.
fn values(table: &Table) -> [f64; MOST] {
    let mut progress = [0.0; MOST];
    table.colours().for_each(|who| progress[who.index()] = progress_of(table, who));
    let mut values = [0.0; MOST];
    let loses = |who: Colour| table.decision == Decision::Over && !table.has_left(who);
    for who in table.colours().filter(|&who| !loses(who)) {
        let against = |other: Colour| {
            let lead = progress[who.index()] - progress[other.index()];
            (0.5 + lead / SCALE).clamp(0.0, 1.0)
        };
        let others = table.colours().filter(|&other| other != who);
        values[who.index()] = others.map(against).sum::<f64>() / (table.players - 1) as f64;
    }
    values
}

/// How close a player is to leaving, in letters; those who have left are ahead of
/// all others, in the order of their ranks.
fn progress_of(table: &Table, who: Colour) -> f64 {
    if table.has_left(who) {
        return LEFT - table.rank(who) as f64;
    }
    let (visible, near) = policy::outlook(table, who);
    let devil = if table.has_devil(who) { DEVIL } else { 0.0 };
    table.letters(who).len() as f64 + VISIBLE * visible as f64 - devil - NEAR * near as f64
}
