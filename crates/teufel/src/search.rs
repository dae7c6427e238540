//! Information-set Monte Carlo tree search (ISMCTS).
//!
//! **The problem.** A player does not know the hidden cards, so there is no single game tree to
//! search. Dealing them several times and searching each deal by itself does not help: each of
//! these searches plays as if it knew the cards, and would never look at one first.
//!
//! **The idea.** One tree for all deals, whose nodes are what the player can see. Every iteration
//! deals the hidden cards anew, in agreement with all that the player has seen, and then does what
//! any tree search does:
//!
//! ```text
//! deal      the unknown cards, at random
//! select    down the tree, among the steps that are legal in this deal
//! expand    one new edge
//! roll out  a few turns with the policy, then estimate
//! back up   to each edge, the value for the player who decided there
//! ```
//!
//! Three things differ from a search with open cards:
//!
//! - Steps differ from deal to deal. So an edge counts how often it was available, and this count
//!   takes the place of the parent's visits in the formula of selection (PUCT). With the parent's
//!   visits a step that is seldom legal would look neglected and be explored too much.
//! - A step may turn up a card, which is chance. Behind an edge there is a node for each card that
//!   has turned up.
//! - There are up to six players. Each maximises the value of their own rank (max^n), so a value is
//!   one number for each player.
//!
//! **What it leaves out.** Only the searching player's knowledge is modelled (single-observer
//! ISMCTS). The others act on what they have seen in the deal, by `policy`, and the tree does not
//! bluff.
//!
//! Sources: P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE
//! TCIAIG 4(2), 2012; for max^n, C. Luckhardt, K. Irani, "An Algorithmic Solution of N-Person
//! Games", AAAI 1986.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::board::{Card, Colour};
use super::game::View;
use super::policy;
use super::rules::Step;
use super::table::{Decision, Sledge, Table};
use pontifex::eval::Random;

// These numbers were chosen by hand, not fitted. `docs/teufel.md` has the strength of the player
// with them.

/// The weight of exploration in the selection. Larger values spread the visits over more steps.
const EXPLORATION: f64 = 1.0;
/// The share of the prior that goes to the steps which the rollout policy chooses, by how often it
/// does. The rest is spread evenly, so that every step is eventually tried.
const ROLLOUT_PRIOR_SHARE: f64 = 0.6;
/// Turns of a rollout for each player. A whole game would be long and mostly chance; after a few
/// turns it is visible whether the step led anywhere.
const ROLLOUT_TURNS: usize = 5;

// The estimate of a position counts in letters: one letter in the sledge is 1.

/// The value of a missing letter face up: the way is known, but others may be faster.
const VISIBLE_LETTER: f64 = 0.15;
/// The cost of each turn on the way to the next missing letter.
const TURN_TO_TARGET: f64 = 0.1;
/// The cost of a devil peg: it keeps the player from leaving, and a second one takes letters.
const DEVIL_PEG: f64 = 0.2;
/// The value of leaving, minus the rank: well above the six letters of a full sledge.
const LEFT: f64 = 12.0;
/// The range of leads that the value distinguishes: with 6 letters behind it is 0, even 0.5, with 6
/// letters ahead 1.
const LEAD_RANGE: f64 = 12.0;

/// When a search ends: at the first limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// The time for one decision; `None` is no limit. The clock is read after each iteration.
    pub time: Option<Duration>,
    /// The number of iterations for one decision; `None` is no limit.
    pub iterations: Option<u64>,
}

/// A step from a node. The same node may belong to different players, as a card may or may not
/// leave a decision to its mover.
type Key = (Colour, Step);

#[derive(Default)]
struct Edge {
    visits: f64,
    /// The sum of the values for the player who decides.
    total: f64,
    /// How often the step was possible when the node was visited.
    available: f64,
    /// How often it was the rollouts' choice.
    preferred: f64,
    /// The nodes below, by the card that the step turned up, as indices into the tree.
    children: BTreeMap<Option<Card>, usize>,
}

/// The tree: a node is its edges; the root is the first.
struct Search {
    /// Ordered maps: the same seed must visit edges in the same order on every machine.
    nodes: Vec<BTreeMap<Key, Edge>>,
    random: Random,
}

/// The best step for the side to decide: the most visited. Within a number of iterations, a seed
/// gives the same step on every machine.
pub(super) fn search(view: &View, limits: Limits, seed: u64) -> Step {
    let mut search = Search { nodes: vec![BTreeMap::new()], random: Random::new(seed) };
    let start = Instant::now();
    // A player who has left only turns up cards for the others: not worth a search. Nor is a
    // decision without a choice.
    if view.table.decision == Decision::Reveal {
        return policy::greedy(&view.table, &mut search.random);
    } else if let ([only], None) = (&view.table.steps()[..], view.table.can_scatter()) {
        return *only;
    }
    // At least one iteration, so that the root has an edge.
    let is_in_time = |n| n == 0 || limits.time.is_none_or(|time| start.elapsed() < time);
    for _ in (0..limits.iterations.unwrap_or(u64::MAX)).take_while(|&n| is_in_time(n)) {
        let table = view.deal(&mut search.random);
        search.iterate(table);
    }
    // All deals agree on what is legal at the root, so the best edge is legal in the real game.
    let best = search.nodes[0].iter().max_by(|a, b| a.1.visits.total_cmp(&b.1.visits));
    best.map_or_else(|| policy::greedy(&view.table, &mut search.random), |(key, _)| key.1)
}

impl Search {
    /// One iteration in a deal: select, expand, roll out, back up.
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
            // A new edge ends the selection. Its node is made when it is visited again.
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
        let values = player_values(&table);
        for (node, key) in path {
            let edge = self.nodes[node].entry(key).or_default();
            edge.visits += 1.0;
            edge.total += values[key.0.index()];
        }
    }

    /// The most promising edge of a node (PUCT), among those that are possible in this deal. New
    /// steps become edges.
    fn select(&mut self, node: usize, table: &Table) -> Key {
        let chooser = table.chooser;
        let mut steps = policy::candidates(table);
        // Swaps and scatterings are too many to be candidates; the policy proposes one at a time.
        let preferred = policy::rollout(table, &mut self.random);
        if !steps.contains(&preferred) {
            steps.push(preferred);
        }
        let edges = &mut self.nodes[node];
        // In another deal this node may belong to another player, whose values say nothing here.
        let own_edges = edges.iter().filter(|(key, _)| key.0 == chooser);
        let (visits, total) =
            own_edges.fold((0.0, 0.0), |(n, t), (_, e)| (n + e.visits, t + e.total));
        // Unvisited steps are worth what their siblings are on average.
        let average = if visits > 0.0 { total / visits } else { 0.5 };
        let share = (1.0 - ROLLOUT_PRIOR_SHARE) / steps.len() as f64;
        let mut best = (preferred, f64::NEG_INFINITY);
        for step in steps {
            let edge = edges.entry((chooser, step)).or_default();
            edge.available += 1.0;
            edge.preferred += f64::from(u8::from(step == preferred));
            let value = if edge.visits > 0.0 { edge.total / edge.visits } else { average };
            let prior = share + ROLLOUT_PRIOR_SHARE * edge.preferred / edge.available;
            let bound = value + EXPLORATION * prior * edge.available.sqrt() / (1.0 + edge.visits);
            if bound > best.1 {
                best = (step, bound);
            }
        }
        (chooser, best.0)
    }
}

/// The value of a table for each player, from 0 to 1: the mean of the comparisons with the others.
/// A player still on the board when the game is over gets 0.
fn player_values(table: &Table) -> Vec<f64> {
    let all_progress: Vec<f64> = table.colours().map(|player| progress(table, player)).collect();
    let value = |player: Colour| {
        let lead = |other: Colour| all_progress[player.index()] - all_progress[other.index()];
        let others = table.colours().filter(|&other| other != player);
        let results = others.map(|other| (0.5 + lead(other) / LEAD_RANGE).clamp(0.0, 1.0));
        let loses = table.decision == Decision::Over && table[player].exit_rank == 0;
        if loses { 0.0 } else { results.sum::<f64>() / (table.players - 1) as f64 }
    };
    table.colours().map(value).collect()
}

/// How close a player is to leaving, in letters. Players who have left are ahead of all others, in
/// the order of their ranks.
fn progress(table: &Table, player: Colour) -> f64 {
    let Sledge { letters, devil, exit_rank, .. } = table[player];
    let (visible, near) = policy::outlook(table, player);
    let pegs = letters.len() as f64 - if devil { DEVIL_PEG } else { 0.0 };
    let outlook = VISIBLE_LETTER * visible as f64 - TURN_TO_TARGET * near as f64;
    if exit_rank > 0 { LEFT - exit_rank as f64 } else { pegs + outlook }
}
