//! What a search leaves behind in its tree.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::barrier::Barrier;
use super::edge::{Counting, Edge};
use super::iteration::Worker;
use super::node::Node;
use super::node_pool::Address;
use super::*;
use crate::board::{Cell, Cells, Size};
use crate::eval::{Evaluator, EvaluatorKind, Random, WeightsSource, rollout};
use crate::game::Rules;

/// Debug builds are some thirty times slower.
const SLOW: u64 = if cfg!(debug_assertions) { 20 } else { 1 };

fn start(size: u64) -> Position {
    let size = Size::new(size).unwrap();
    Position::new(Rules { size, pie: false, ..Rules::default() })
}

fn config(threads: usize, memory: usize) -> Config {
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

fn search(searcher: &mut Searcher, position: &Position, config: &Config, count: u64) -> Report {
    let limits = Limits { iterations: Some(count), ..Limits::default() };
    searcher.search(position, config, &limits, &StopSignal::default())
}

fn tree(searcher: &Searcher) -> Arc<Tree> {
    Arc::clone(&searcher.memory.as_ref().unwrap().tree)
}

/// The visits of the position's node, 0 when there is none.
fn visits(searcher: &Searcher, position: &Position) -> u64 {
    tree(searcher).find(position.hash()).map_or(0, |node| u64::from(node.visits()))
}

/// Every node that can be reached from the position's, which comes first.
fn reachable<'a>(tree: &'a Tree, position: &Position) -> Vec<Node<'a>> {
    let root = tree.find(position.hash()).unwrap();
    let mut seen = HashSet::from([root.address.bits()]);
    let mut nodes = vec![root];
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        next += 1;
        // From the old half nothing leads into the new one.
        let is_current = |address| tree.pool().is_current(address);
        let follows = |&child: &Address| is_current(node.address) || !is_current(child);
        let children = node.edges(tree.pool()).filter_map(Edge::child).filter(follows);
        for child in children.filter(|child| seen.insert(child.bits())) {
            nodes.push(Node::at(tree.pool(), child));
        }
    }
    nodes
}

/// Of every such node the visits are those of its steps, none of them still
/// under way. How many there are.
fn check_sums(tree: &Tree, position: &Position) -> usize {
    let nodes = reachable(tree, position);
    for node in &nodes {
        let sum: u32 = node.edges(tree.pool()).map(Edge::visits).sum();
        assert_eq!(sum, node.visits());
        assert_eq!(node.edges(tree.pool()).count(), node.opened());
    }
    nodes.len()
}

#[test]
fn nodes_that_are_visited_often_have_refined_priors() {
    let position = start(10);
    for (after, evaluator) in [(4, EvaluatorKind::Linear), (100_000, EvaluatorKind::Rollout)] {
        let mut searcher = Searcher::default();
        let mut config = Config { evaluator, ..config(1, 64) };
        config.params.refine_after = f64::from(after);
        // What is learnt from is refined, too.
        config.params.history = 0.0;
        search(&mut searcher, &position, &config, 3000 / SLOW);
        let tree = tree(&searcher);
        let nodes = reachable(&tree, &position);
        assert!(nodes[0].is_refined());
        let is_due = |node: &Node<'_>| node.visits() > after && node.bounds().exact().is_none();
        let others = nodes[1..].iter().filter(|node| node.is_refined() != is_due(node));
        // The root of the search for the second tile.
        let expected = usize::from(after > 4);
        assert_eq!(others.count(), expected, "{evaluator:?} {after}");
        assert!(nodes[1..].iter().any(|node| node.visits() > 4));
    }
}

/// Those of nodes that are refined anew and of nodes made late.
#[test]
fn what_is_found_of_a_step_bends_its_priors() {
    let position = start(10);
    for history in [0.0, 1.0] {
        let mut searcher = Searcher::default();
        let mut config = config(1, 64);
        (config.params.history, config.params.first_step_share) = (history, 1.0);
        search(&mut searcher, &position, &config, 3000 / SLOW);
        let tree = tree(&searcher);
        let root = tree.find(position.hash()).unwrap();
        let is_bent = |node: Node<'_>, position: &Position| {
            let evaluator = Evaluator::new(config.evaluator, &config.weights);
            let mut steps = Vec::new();
            if node.is_refined() {
                evaluator.refined_priors(position, &mut steps);
            } else {
                evaluator.priors(position, &mut steps);
            }
            let unbent: HashMap<Step, f32> = steps.into_iter().collect();
            (0..node.len()).map(|index| node.step(index)).any(|(step, prior)| {
                let rounding = 2.0 / f32::from(u16::MAX);
                (prior - unbent[&step]).abs() > 0.05 * unbent[&step] + rounding
            })
        };
        let mut bent = [0, 0];
        for (index, edge) in root.edges(tree.pool()).enumerate() {
            let Some(child) = root.child(tree.pool(), edge) else { continue };
            let mut after = position;
            after.make(root.step(index).0);
            bent[usize::from(child.is_refined())] += usize::from(is_bent(child, &after));
        }
        assert_eq!(is_bent(root, &position), history > 0.0);
        assert!(bent.iter().all(|&count| (count > 0) == (history > 0.0)), "{bent:?} {history}");
    }
}

#[test]
fn no_visit_is_lost_among_threads() {
    let position = start(10);
    let count = 20_000 / SLOW;
    for threads in [1, 4] {
        let mut searcher = Searcher::default();
        let mut config = config(threads, 64);
        config.params.first_step_share = 1.0;
        let report = search(&mut searcher, &position, &config, count);
        // Where two threads want to open the first step of the root at once, one of
        // them counts nothing.
        let counted = visits(&searcher, &position);
        assert!(counted <= count && counted * 100 >= count * 95, "{counted} {report:?}");
        assert!(threads > 1 || counted == count, "{counted}");
        let nodes = check_sums(&tree(&searcher), &position);
        assert!(nodes > count as usize / 10 && nodes <= report.nodes + 1, "{nodes} {report:?}");
        let root = tree(&searcher).find(position.hash()).unwrap().address;
        assert!(root.bits() < 1000, "there was memory for all of it");
    }
}

#[test]
fn where_no_step_can_be_opened_an_open_one_is_visited() {
    let position = start(10);
    let mut searcher = Searcher::default();
    let mut config = config(1, 64);
    config.params.first_step_share = 1.0;
    search(&mut searcher, &position, &config, 3000 / SLOW);
    let tree = tree(&searcher);
    let root = tree.find(position.hash()).unwrap();
    let (visits, opened) = (root.visits(), root.opened());
    root.hold();
    let evaluator = Evaluator::new(config.evaluator, &config.weights);
    let barrier = Barrier::new(1);
    let mut worker = Worker::new(&tree, &config.params, evaluator, &barrier, &position, 2);
    let more = 20_000 / SLOW as u32;
    (0..more).for_each(|_| worker.iterate(root));
    assert_eq!((root.visits(), root.opened()), (visits + more, opened));
    check_sums(&tree, &position);
}

#[test]
fn a_thread_alone_counts_as_it_does_among_others() {
    let position = start(10);
    let config = config(1, 64);
    let found = [Counting::Alone, Counting::Together].map(|counting| {
        let mut searcher = Searcher::default();
        search(&mut searcher, &position, &config, 1);
        let tree = tree(&searcher);
        let root = tree.find(position.hash()).unwrap();
        let evaluator = Evaluator::new(config.evaluator, &config.weights);
        let barrier = Barrier::new(1);
        let mut worker = Worker::new(&tree, &config.params, evaluator, &barrier, &position, 2);
        worker.counting = counting;
        (0..2000 / SLOW).for_each(|_| worker.iterate(root));
        assert!(root.visits() > 2000 / SLOW as u32);
        check_sums(&tree, &position);
        let seen = |edge: Edge<'_>| (edge.visits(), edge.utility(), edge.variance());
        let edges: Vec<_> = root.edges(tree.pool()).map(seen).collect();
        (root.mean(), edges)
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn the_halves_change_places_and_the_search_goes_on() {
    let position = start(10);
    for threads in [1, 4] {
        let mut searcher = Searcher::default();
        let mut config = config(threads, 1);
        config.params.first_step_share = 1.0;
        let count = 10_000 / SLOW;
        let mut nodes = 0;
        for round in 1..=6 {
            let report = search(&mut searcher, &position, &config, count);
            assert_eq!(report.iterations, count + 1, "one for the second tile");
            assert!(report.tree_bytes <= 1 << 20, "{report:?}");
            // The root has been moved with all that was known of it.
            let counted = visits(&searcher, &position);
            assert!(counted * 100 >= round * count * 60, "{counted} in round {round}");
            check_sums(&tree(&searcher), &position);
            nodes += report.nodes;
        }
        // Of a few hundred bytes each.
        assert!(nodes > 4_000 / SLOW as usize, "{nodes}");
    }
}

#[test]
fn the_second_tile_continues_the_tree_of_the_first() {
    let position = start(10);
    let mut searcher = Searcher::default();
    let config = config(1, 64);
    let report = search(&mut searcher, &position, &config, 4_000 / SLOW);
    let Move::Tiles(a, b) = report.best else { panic!("{report:?}") };
    let own = (4_000.0 / SLOW as f64 * (1.0 - config.params.first_step_share)).round() as u64;
    let visits = [a, b].map(|first| {
        let mut half = position;
        half.make(Step::Tile(first));
        visits(&searcher, &half)
    });
    assert!(visits.into_iter().max() > Some(own), "{visits:?} {own}");
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let mut position = start(8);
    let mut searcher = Searcher::default();
    let config = config(1, 64);
    let count = 4_000 / SLOW;
    let first = search(&mut searcher, &position, &config, count);
    let known = visits(&searcher, &position);
    let second = search(&mut searcher, &position, &config, count);
    assert!(visits(&searcher, &position) > known, "{second:?}");
    // A turn by each side, both the ones that were thought likeliest.
    position.play(second.best).unwrap();
    let known = visits(&searcher, &position);
    assert!(known > 0);
    let reply = search(&mut searcher, &position, &config, count);
    position.play(reply.best).unwrap();
    let known = visits(&searcher, &position);
    assert!(known > 0);
    search(&mut searcher, &position, &config, 10);
    assert!(visits(&searcher, &position) > known);
    assert!(first.nodes > 0);
    // What is known is forgotten when it should be, and with another memory.
    searcher.clear();
    assert_eq!(visits(&searcher, &position), 0);
    search(&mut searcher, &position, &config, 10);
    let bytes = searcher.memory.as_ref().unwrap().bytes;
    search(&mut searcher, &position, &Config { memory: 2, ..config.clone() }, 10);
    assert_ne!(searcher.memory.as_ref().unwrap().bytes, bytes);
}

/// What was searched before makes no difference once it is forgotten, however
/// often that was, though its memory is used again.
#[test]
fn a_cleared_search_is_as_good_as_new() {
    // So small that the tree is thrown away in part and the tables are full.
    let config = Config { params: Params::default(), ..config(1, 1) };
    let positions: Vec<Position> = (4..=7).map(start).collect();
    let found = |searcher: &mut Searcher, position: &Position| {
        let report = search(searcher, position, &config, 600 / SLOW);
        (report.best, report.winrate.to_bits(), report.bounds, report.iterations, report.nodes)
    };
    let expected: Vec<_> =
        positions.iter().map(|position| found(&mut Searcher::default(), position)).collect();
    let mut searcher = Searcher::default();
    let rounds = if cfg!(debug_assertions) { 3 } else { 10 };
    for round in 0..rounds * 30 {
        let which = round * round % positions.len();
        if round % 30 < 4 {
            assert_eq!(found(&mut searcher, &positions[which]), expected[which], "{round}");
        }
        searcher.clear();
    }
}

#[test]
fn pondering_adds_to_the_tree_until_it_is_told_to_end() {
    for threads in [1, 2] {
        let mut position = start(8);
        let mut searcher = Searcher::default();
        let config = config(threads, 64);
        let report = search(&mut searcher, &position, &config, 200);
        position.play(report.best).unwrap();
        let nodes = tree(&searcher).nodes();
        searcher.ponder(&position, &config);
        thread::sleep(Duration::from_millis(300));
        searcher.stop_pondering();
        let grown = tree(&searcher).nodes();
        assert!(grown > nodes, "{nodes} {grown}");
        let known = visits(&searcher, &position);
        assert!(known > 1, "{known}");
        check_sums(&tree(&searcher), &position);
        // Nobody is at it any more.
        thread::sleep(Duration::from_millis(50));
        assert_eq!((tree(&searcher).nodes(), visits(&searcher, &position)), (grown, known));
        // A reply has been thought of already.
        let reply = search(&mut searcher, &position, &config, 10);
        position.play(reply.best).unwrap();
        assert!(visits(&searcher, &position) > 0);
    }
}

#[test]
fn where_there_is_nothing_to_ponder_nobody_does() {
    let mut position = Position::new(Rules::default());
    let mut searcher = Searcher::default();
    position.play("d4,e6".parse().unwrap()).unwrap();
    searcher.ponder(&position, &config(1, 1));
    assert!(searcher.pondering.is_none(), "the opponent may swap");
}

#[test]
fn a_proved_result_is_what_is_reported() {
    let (mut random, mut searcher) = (Random::new(5), Searcher::default());
    let mut seen = [0; 2];
    for _ in 0..20 {
        let mut position = start(5);
        rollout(&mut position, 3, &mut random);
        while !position.is_over() {
            searcher.clear();
            let report = search(&mut searcher, &position, &config(1, 4), 40);
            if let Some(value) = report.bounds.exact() {
                let value = value.seen_by(position.side());
                let proved = (f64::from(value.white_share()), f64::from(value.points()));
                assert_eq!((report.winrate, report.lead), proved, "{position}");
                seen[usize::from(report.winrate > 0.5)] += 1;
            }
            position.play(report.best).unwrap();
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
}

#[test]
fn a_first_placement_is_found_when_the_usual_ones_are_left_out() {
    let size = Size::new(4).unwrap();
    let position = Position::new(Rules { size, ..Rules::default() });
    let inner: Cells =
        ["b2", "b3", "c2", "c3"].map(|cell| cell.parse::<Cell>().unwrap()).into_iter().collect();
    let is_inner = |mv: &Move| match mv {
        Move::Tiles(a, b) => inner.contains(*a) || inner.contains(*b),
        _ => false,
    };
    let avoid: Vec<Move> = position.moves().into_iter().filter(is_inner).collect();
    let request = AnalysisRequest { avoid, ..AnalysisRequest::default() };
    assert!(request.permits_any(&position));
    let limits = Limits { iterations: Some(200), ..Limits::default() };
    let (stop, config) = (StopSignal::default(), config(1, 4));
    let analysis =
        Searcher::default().analyze(&position, &config, &limits, &request, &stop, &mut |_| {});
    assert!(analysis.candidates.len() > 1);
    for candidate in &analysis.candidates {
        assert!(position.check(candidate.mv).is_ok() && request.permits(candidate.mv));
    }
}

#[test]
fn what_a_swap_is_worth_does_not_depend_on_what_else_may_be_done() {
    let mut position = Position::new(Rules { size: Size::new(6).unwrap(), ..Rules::default() });
    position.play("c3,d4".parse().unwrap()).unwrap();
    let (stop, config) = (StopSignal::default(), config(1, 4));
    let worth = |allow: &[&str], iterations| {
        let allow = allow.iter().map(|mv| mv.parse().unwrap()).collect();
        let request = AnalysisRequest { allow, ..AnalysisRequest::default() };
        let limits = Limits { iterations: Some(iterations), ..Limits::default() };
        let analysis =
            Searcher::default().analyze(&position, &config, &limits, &request, &stop, &mut |_| {});
        let swap = analysis.candidates.iter().find(|candidate| candidate.mv == Move::Swap);
        let other = analysis.candidates.iter().find(|candidate| candidate.mv != Move::Swap);
        (swap.unwrap().winrate, other.map(|other| other.winrate), analysis.candidates[0].mv)
    };
    let (all, best, _) = worth(&[], 400);
    // One of the worst there is: two corners.
    let (alone, corner, first) = worth(&["swap", "a1,f6"], 1600);
    assert!((alone - all).abs() < 1e-12, "{alone} {all}");
    let (best, corner) = (best.unwrap(), corner.unwrap());
    assert!(corner < best - 0.02, "{corner} {best}");
    assert_eq!(first == Move::Swap, all > corner);
}
