//! Tests that look into the tree after a search.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::barrier::Barrier;
use super::iteration::Worker;
use super::params::Params;
use super::task::SearchTask;
use super::tree::Tree;
use super::tree::edge::{CounterAccess, Edge};
use super::tree::node::Node;
use super::tree::pool::Address;
use super::{Config, Limits, SearchResult, Searcher, StopSignal};
use crate::board::Size;
use crate::eval::{Evaluator, EvaluatorKind, WeightsSource};
use crate::game::{Move, Position, Rules, Step};

/// Divides iterations in debug builds, which are about thirty times slower.
const DEBUG_DIVISOR: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

pub(super) fn start(size: u64) -> Position {
    let size = Size::new(size).unwrap();
    Position::new(Rules { size, pie: false, ..Rules::default() })
}

pub(super) fn config(threads: usize, memory: usize) -> Config {
    let params = Params { rollout_turns: 0.0, ..Params::default() };
    Config {
        threads,
        memory,
        seed: 1,
        evaluator: EvaluatorKind::Linear,
        weights: WeightsSource::built_in(),
        params,
    }
}

fn search(
    searcher: &mut Searcher,
    position: &Position,
    config: &Config,
    count: u64,
) -> SearchResult {
    let limits = Limits { iterations: Some(count), ..Limits::default() };
    searcher.search(position, config, &limits, &StopSignal::default()).finish()
}

pub(super) fn tree(searcher: &Searcher) -> Arc<Tree> {
    Arc::clone(&searcher.memory.as_ref().unwrap().tree)
}

/// The visits of the position's node, 0 when there is none.
fn node_visits(searcher: &Searcher, position: &Position) -> u64 {
    tree(searcher).find(position.hash()).map_or(0, |node| u64::from(node.visits()))
}

/// All nodes reachable from the position's node, which comes first.
fn reachable_nodes<'a>(tree: &'a Tree, position: &Position) -> Vec<Node<'a>> {
    let root = tree.find(position.hash()).unwrap();
    let mut seen = HashSet::from([root.address.bits()]);
    let mut nodes = vec![root];
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        next += 1;
        // Addresses in the new half that are stored in old nodes are stale.
        let is_current = |address| tree.pool().is_current(address);
        let follows = |&child: &Address| is_current(node.address) || !is_current(child);
        let children = node.edges(tree.pool()).filter_map(Edge::child).filter(follows);
        for child in children.filter(|child| seen.insert(child.bits())) {
            nodes.push(Node::at(tree.pool(), child));
        }
    }
    nodes
}

/// Checks that the visits of every reachable node are the sum of its edges' visits, so that none is
/// in progress; returns the number of nodes.
fn check_sums(tree: &Tree, position: &Position) -> usize {
    let nodes = reachable_nodes(tree, position);
    for node in &nodes {
        let sum: u32 = node.edges(tree.pool()).map(Edge::visits).sum();
        assert_eq!(sum, node.visits());
        assert_eq!(node.edges(tree.pool()).count(), node.opened());
    }
    nodes.len()
}

#[test]
fn well_visited_nodes_have_refined_priors() {
    let position = start(10);
    for (after, evaluator) in [(4, EvaluatorKind::Linear), (100_000, EvaluatorKind::Rollout)] {
        let mut searcher = Searcher::default();
        let mut config = Config { evaluator, ..config(1, 64) };
        config.params.refine_after = f64::from(after);
        // Learning from a node refines its priors, too.
        config.params.history = false;
        search(&mut searcher, &position, &config, 3000 / DEBUG_DIVISOR);
        let tree = tree(&searcher);
        let nodes = reachable_nodes(&tree, &position);
        assert!(nodes[0].is_refined());
        let is_due = |node: &Node<'_>| node.visits() > after && node.bounds().exact().is_none();
        let others = nodes[1..].iter().filter(|node| node.is_refined() != is_due(node));
        // The root of the search for the second tile.
        let expected = usize::from(after > 4);
        assert_eq!(others.count(), expected, "{evaluator:?} {after}");
        assert!(nodes[1..].iter().any(|node| node.visits() > 4));
    }
}

/// The correction reaches nodes that are refined again and nodes made later.
#[test]
fn the_history_corrects_priors() {
    let position = start(10);
    for history in [false, true] {
        let mut searcher = Searcher::default();
        let mut config = config(1, 64);
        (config.params.history, config.params.first_step_share) = (history, 1.0);
        search(&mut searcher, &position, &config, 3000 / DEBUG_DIVISOR);
        let tree = tree(&searcher);
        let root = tree.find(position.hash()).unwrap();
        let is_corrected = |node: Node<'_>, position: &Position| {
            let evaluator = Evaluator::new(config.evaluator, &config.weights);
            let mut steps = Vec::new();
            if node.is_refined() {
                evaluator.refined_priors(position, &mut steps);
            } else {
                evaluator.priors(position, &mut steps);
            }
            let original: HashMap<Step, f32> = steps.into_iter().collect();
            (0..node.len()).map(|index| node.step(index)).any(|(step, prior)| {
                let rounding = 2.0 / f32::from(u16::MAX);
                (prior - original[&step]).abs() > 0.05 * original[&step] + rounding
            })
        };
        let mut corrected = [0, 0];
        for (index, edge) in root.edges(tree.pool()).enumerate() {
            let Some(child) = root.child(tree.pool(), edge) else { continue };
            let mut after = position;
            after.make(root.step(index).0);
            corrected[usize::from(child.is_refined())] += usize::from(is_corrected(child, &after));
        }
        assert_eq!(is_corrected(root, &position), history);
        assert!(corrected.iter().all(|&count| (count > 0) == history), "{corrected:?} {history}");
    }
}

#[test]
fn no_visit_is_lost_among_threads() {
    let position = start(10);
    let count = 20_000 / DEBUG_DIVISOR;
    for threads in [1, 4] {
        let mut searcher = Searcher::default();
        let mut config = config(threads, 64);
        config.params.first_step_share = 1.0;
        let report = search(&mut searcher, &position, &config, count);
        // If two threads open the root's first step at the same time, one iteration adds no visit.
        let counted = node_visits(&searcher, &position);
        assert!(counted <= count && counted * 100 >= count * 95, "{counted} {report:?}");
        assert!(threads > 1 || counted == count, "{counted}");
        let nodes = check_sums(&tree(&searcher), &position);
        assert!(nodes > count as usize / 10 && nodes <= report.nodes + 1, "{nodes} {report:?}");
        let root = tree(&searcher).find(position.hash()).unwrap().address;
        assert!(root.bits() < 1000, "the whole tree fitted into memory");
    }
}

#[test]
fn while_no_step_can_be_opened_an_opened_one_is_visited() {
    let position = start(10);
    let mut searcher = Searcher::default();
    let mut config = config(1, 64);
    config.params.first_step_share = 1.0;
    search(&mut searcher, &position, &config, 3000 / DEBUG_DIVISOR);
    let tree = tree(&searcher);
    let root = tree.find(position.hash()).unwrap();
    let (visits, opened) = (root.visits(), root.opened());
    root.lock_steps();
    let (barrier, stop) = (Barrier::new(1), StopSignal::default());
    let task = SearchTask::new(&position, &config, Limits::default(), &stop, &tree);
    let mut worker = Worker::new(&task, &barrier, 2);
    let iterations = 20_000 / DEBUG_DIVISOR as u32;
    (0..iterations).for_each(|_| assert_eq!(worker.iterate(root, 1, || true), 1));
    assert_eq!((root.visits(), root.opened()), (visits + iterations, opened));
    check_sums(&tree, &position);
}

#[test]
fn both_ways_of_counting_give_the_same_statistics() {
    let position = start(10);
    let config = config(1, 64);
    let statistics = [CounterAccess::Exclusive, CounterAccess::Shared].map(|counting| {
        let mut searcher = Searcher::default();
        search(&mut searcher, &position, &config, 1);
        let tree = tree(&searcher);
        let root = tree.find(position.hash()).unwrap();
        let (barrier, stop) = (Barrier::new(1), StopSignal::default());
        let task = SearchTask::new(&position, &config, Limits::default(), &stop, &tree);
        let mut worker = Worker::new(&task, &barrier, 2);
        worker.counting = counting;
        (0..2000 / DEBUG_DIVISOR).for_each(|_| assert_eq!(worker.iterate(root, 1, || true), 1));
        assert!(root.visits() > 2000 / DEBUG_DIVISOR as u32);
        check_sums(&tree, &position);
        let numbers = |edge: Edge<'_>| (edge.visits(), edge.utility(), edge.variance());
        let edges: Vec<_> = root.edges(tree.pool()).map(numbers).collect();
        (root.mean(), edges)
    });
    assert_eq!(statistics[0], statistics[1]);
}

/// Iterations in a row start from a node below the root, and the nodes above get their results in
/// one addition.
#[test]
fn iterations_in_a_row_count_like_single_ones() {
    let position = start(10);
    let mut searcher = Searcher::default();
    let mut config = config(1, 64);
    config.params.first_step_share = 1.0;
    search(&mut searcher, &position, &config, 3000);
    let tree = tree(&searcher);
    let root = tree.find(position.hash()).unwrap();
    let priors = || (0..root.len()).map(|index| root.step(index).1).collect::<Vec<_>>();
    let (visits, before) = (root.visits(), priors());
    let (barrier, stop) = (Barrier::new(1), StopSignal::default());
    let task = SearchTask::new(&position, &config, Limits::default(), &stop, &tree);
    let mut worker = Worker::new(&task, &barrier, 2);
    (0..250).for_each(|_| assert_eq!(worker.iterate(root, 8, || true), 8));
    assert_eq!(root.visits(), visits + 2000);
    check_sums(&tree, &position);
    // Nothing is proved yet, so no result was clamped: the edges have the same sum as the node.
    let sums = root.edges(tree.pool()).map(|edge| edge.utility() * edge.visits() as f32);
    let (sum, root_sum) = (sums.sum::<f32>(), root.mean().utility * root.visits() as f32);
    assert!((sum - root_sum).abs() < 1e-3 * root_sum, "{sum} {root_sum}");
    assert_ne!(priors(), before, "the history has learnt from the root at 4096 visits");
}

#[test]
fn iterations_in_a_row_end_at_a_requested_stop() {
    let position = start(10);
    let mut searcher = Searcher::default();
    let mut config = config(1, 64);
    config.params.first_step_share = 1.0;
    search(&mut searcher, &position, &config, 3000);
    let tree = tree(&searcher);
    let root = tree.find(position.hash()).unwrap();
    let visits = root.visits();
    let (barrier, stop) = (Barrier::new(1), StopSignal::default());
    let task = SearchTask::new(&position, &config, Limits::default(), &stop, &tree);
    let mut worker = Worker::new(&task, &barrier, 2);
    assert_eq!(worker.iterate(root, 8, || false), 1);
    barrier.request();
    assert_eq!(worker.iterate(root, 8, || true), 1);
    assert_eq!(root.visits(), visits + 2);
    check_sums(&tree, &position);
}

#[test]
fn the_search_goes_on_when_the_memory_is_full() {
    let position = start(10);
    for threads in [1, 4] {
        let mut searcher = Searcher::default();
        let mut config = config(threads, 1);
        config.params.first_step_share = 1.0;
        let count = 10_000 / DEBUG_DIVISOR;
        let mut nodes = 0;
        for round in 1..=6 {
            let report = search(&mut searcher, &position, &config, count);
            assert_eq!(report.iterations, count + 1, "one for the second tile");
            assert!(report.tree_bytes <= 1 << 20, "{report:?}");
            // The root has been copied with its statistics.
            let counted = node_visits(&searcher, &position);
            assert!(counted * 100 >= round * count * 60, "{counted} in round {round}");
            check_sums(&tree(&searcher), &position);
            nodes += report.nodes;
        }
        // Several times what fits: a node takes a few hundred bytes.
        assert!(nodes > 4_000 / DEBUG_DIVISOR as usize, "{nodes}");
    }
}

#[test]
fn the_second_tile_continues_the_tree_of_the_first() {
    let position = start(10);
    let mut searcher = Searcher::default();
    let config = config(1, 64);
    let report = search(&mut searcher, &position, &config, 4_000 / DEBUG_DIVISOR);
    let Move::Tiles(a, b) = report.best else { panic!("{report:?}") };
    let second_count =
        (4_000.0 / DEBUG_DIVISOR as f64 * (1.0 - config.params.first_step_share)).round() as u64;
    let visits = [a, b].map(|first| {
        let mut half = position;
        half.make(Step::Tile(first));
        node_visits(&searcher, &half)
    });
    assert!(visits.into_iter().max() > Some(second_count), "{visits:?} {second_count}");
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let mut position = start(8);
    let mut searcher = Searcher::default();
    let config = config(1, 64);
    let count = 4_000 / DEBUG_DIVISOR;
    let first = search(&mut searcher, &position, &config, count);
    let visits_before = node_visits(&searcher, &position);
    let second = search(&mut searcher, &position, &config, count);
    assert!(node_visits(&searcher, &position) > visits_before, "{second:?}");
    // One move by each side, both the most visited.
    position.play(second.best).unwrap();
    let visits_before = node_visits(&searcher, &position);
    assert!(visits_before > 0);
    let reply = search(&mut searcher, &position, &config, count);
    position.play(reply.best).unwrap();
    let visits_before = node_visits(&searcher, &position);
    assert!(visits_before > 0);
    search(&mut searcher, &position, &config, 10);
    assert!(node_visits(&searcher, &position) > visits_before);
    assert!(first.nodes > 0);
    // The tree is emptied on request, and replaced for another memory limit.
    searcher.clear();
    assert_eq!(node_visits(&searcher, &position), 0);
    search(&mut searcher, &position, &config, 10);
    let bytes = searcher.memory.as_ref().unwrap().bytes;
    search(&mut searcher, &position, &Config { memory: 2, ..config.clone() }, 10);
    assert_ne!(searcher.memory.as_ref().unwrap().bytes, bytes);
}

#[test]
fn pondering_adds_to_the_tree_until_it_is_stopped() {
    for threads in [1, 2] {
        let mut position = start(8);
        let mut searcher = Searcher::default();
        let config = config(threads, 64);
        let report = search(&mut searcher, &position, &config, 200);
        position.play(report.best).unwrap();
        let nodes = tree(&searcher).nodes();
        searcher.ponder(&position, &config);
        let start = Instant::now();
        while node_visits(&searcher, &position) < 50 && start.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(5));
        }
        searcher.stop_pondering();
        let grown = tree(&searcher).nodes();
        assert!(grown > nodes, "{nodes} {grown}");
        let pondered_visits = node_visits(&searcher, &position);
        assert!(pondered_visits > 1, "{pondered_visits}");
        check_sums(&tree(&searcher), &position);
        // No thread adds to the tree any more.
        thread::sleep(Duration::from_millis(50));
        assert_eq!(
            (tree(&searcher).nodes(), node_visits(&searcher, &position)),
            (grown, pondered_visits)
        );
        // The tree of the reply is reused.
        let reply = search(&mut searcher, &position, &config, 10);
        position.play(reply.best).unwrap();
        assert!(node_visits(&searcher, &position) > 0);
    }
}

#[test]
fn the_engine_does_not_ponder_while_the_opponent_may_swap() {
    let mut position = Position::new(Rules::default());
    let mut searcher = Searcher::default();
    position.play("d4,e6".parse().unwrap()).unwrap();
    searcher.ponder(&position, &config(1, 1));
    assert!(searcher.pondering.is_none());
}
