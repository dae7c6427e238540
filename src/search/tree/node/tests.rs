//! Tests of nodes, on one thread and on several.

use std::collections::{HashMap, HashSet};
use std::sync::Barrier;
use std::thread;

use super::*;
use crate::game::{Color, Value};

/// The number of steps a test can list: more than any position has.
const ALL: usize = 144 + Site::TABLE;

/// `count` steps by rising prior.
fn steps(count: usize) -> Vec<(Step, f32)> {
    let step = |number: usize| match number {
        0..144 => Step::Tile(Cell::from_index((number / 12 * 16 + number % 12) as u8)),
        _ => Step::Bridge(Site::from_index(number as u16 - 144)),
    };
    (0..count).map(|number| (step(number), 1.0 / (2 + number) as f32)).rev().collect()
}

fn add_node<'a>(
    pool: &'a NodePool,
    allocator: &mut Allocator,
    hash: u64,
    count: usize,
) -> Node<'a> {
    Node::new(pool, allocator, hash, &steps(count), &mut Vec::new()).unwrap()
}

#[test]
fn steps_are_sorted_by_falling_prior() {
    let pool = NodePool::new(1 << 20);
    let mut allocator = Allocator::default();
    for step in [Step::Pass, Step::Swap] {
        let node = Node::new(&pool, &mut allocator, 1, &[(step, 1.0)], &mut Vec::new());
        assert_eq!(node.unwrap().step(0), (step, 1.0));
    }
    let node = add_node(&pool, &mut allocator, 7, ALL);
    assert_eq!((node.len(), node.opened(), node.hash(), node.visits()), (ALL, 0, 7, 0));
    let mut listed: Vec<Step> = (0..ALL).map(|index| node.step(index).0).collect();
    assert!((1..ALL).all(|index| node.step(index).1 <= node.step(index - 1).1));
    listed.sort();
    let mut all: Vec<Step> = steps(ALL).into_iter().map(|(step, _)| step).collect();
    all.sort();
    assert_eq!(listed, all);
}

/// More steps than the blocks of doubling size would hold within a chunk.
#[test]
fn all_steps_of_a_large_node_can_be_opened() {
    let pool = NodePool::new(1 << 20);
    let mut allocator = Allocator::default();
    let node = add_node(&pool, &mut allocator, 7, ALL);
    for index in 0..ALL {
        let edge = node.open(&pool, &mut allocator, index).unwrap();
        assert_eq!(edge.prior().to_bits(), node.step(index).1.to_bits());
        for _ in 0..=index % 3 {
            edge.begin_visits(1, CounterAccess::Shared);
        }
        let again = node.open(&pool, &mut allocator, index);
        assert_eq!(again.err(), Some(NotOpened::Taken), "a step is opened only once");
    }
    let visits: Vec<u32> = node.edges(&pool).map(Edge::visits).collect();
    let expected: Vec<u32> = (0..ALL).map(|index| 1 + index as u32 % 3).collect();
    assert_eq!(visits, expected);
}

/// The same steps with their priors in reverse order.
fn reversed(count: usize) -> Vec<(Step, f32)> {
    let priors = steps(count).into_iter().rev().map(|(_, prior)| prior);
    steps(count).into_iter().zip(priors).map(|((step, _), prior)| (step, prior)).collect()
}

#[test]
fn refined_priors_sort_the_unopened_steps() {
    let pool = NodePool::new(1 << 20);
    let mut allocator = Allocator::default();
    let node = add_node(&pool, &mut allocator, 7, 91);
    for index in 0..5 {
        node.open(&pool, &mut allocator, index).unwrap().begin_visits(1, CounterAccess::Shared);
    }
    let before: Vec<(Step, f32)> = (0..5).map(|index| node.step(index)).collect();
    assert!(!node.is_refined());
    node.refine(&pool, &reversed(91), &mut Vec::new());
    assert!(node.is_refined());
    assert_eq!((node.len(), node.opened()), (91, 5));
    let prior = |step| reversed(91).iter().find(|other| other.0 == step).unwrap().1;
    for (index, edge) in node.edges(&pool).enumerate() {
        let (step, refined) = node.step(index);
        assert_eq!((step, edge.visits()), (before[index].0, 1));
        assert_eq!(edge.prior().to_bits(), refined.to_bits());
        assert!((refined - prior(step)).abs() < 2.0 / PRIOR_FIXED && refined < before[index].1);
    }
    let unopened: Vec<(Step, f32)> = (5..91).map(|index| node.step(index)).collect();
    assert!(unopened.is_sorted_by(|a, b| a.1 >= b.1));
    assert_eq!(unopened[0].0, reversed(91)[0].0);
    let mut all: Vec<Step> = before.iter().chain(&unopened).map(|&(step, _)| step).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 91);
    // Nodes can be refined again, and copies keep refined priors.
    node.refine(&pool, &steps(91), &mut Vec::new());
    assert!((0..5).all(|index| node.step(index) == before[index]));
    node.refine(&pool, &reversed(91), &mut Vec::new());
    assert_eq!(node.step(5), unopened[0]);
    let copy = Node::copy(&pool, &mut allocator, node).unwrap();
    assert!(copy.is_refined());
    assert_eq!((copy.len(), copy.opened(), copy.step(5)), (91, 5, unopened[0]));
}

/// The next step to open, read once: other threads open steps, too.
fn next_step(node: Node<'_>) -> Option<usize> {
    Some(node.opened()).filter(|&index| index < node.len())
}

#[test]
fn opening_steps_while_others_refine_loses_nothing() {
    let refined: HashMap<Step, f32> = reversed(ALL).into_iter().collect();
    for _ in 0..50 {
        let pool = NodePool::new(1 << 20);
        let node = add_node(&pool, &mut Allocator::default(), 7, ALL);
        let start = Barrier::new(4);
        let opened: Vec<Vec<usize>> = thread::scope(|scope| {
            let open = || {
                let mut allocator = Allocator::default();
                let mut opened = Vec::new();
                start.wait();
                while let Some(index) = next_step(node) {
                    if node.open(&pool, &mut allocator, index).is_ok() {
                        opened.push(index);
                    }
                }
                opened
            };
            let refine = || {
                start.wait();
                for _ in 0..3 {
                    node.refine(&pool, &reversed(ALL), &mut Vec::new());
                }
            };
            let threads = [scope.spawn(open), scope.spawn(open)];
            scope.spawn(refine);
            refine();
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let mut indices = opened.concat();
        indices.sort_unstable();
        assert!(indices.into_iter().eq(0..ALL));
        assert!(node.is_refined());
        let steps: Vec<(Step, f32)> = (0..ALL).map(|index| node.step(index)).collect();
        let distinct: HashSet<Step> = steps.iter().map(|&(step, _)| step).collect();
        assert_eq!(distinct.len(), ALL);
        assert!(
            steps.iter().all(|(step, prior)| (prior - refined[step]).abs() < 2.0 / PRIOR_FIXED)
        );
        let priors = node.edges(&pool).map(|edge| edge.prior().to_bits());
        assert!(priors.eq(steps.iter().map(|&(_, prior)| prior.to_bits())));
    }
}

#[test]
fn opening_steps_on_several_threads_loses_nothing() {
    const THREADS: u64 = 4;
    for round in 0..20 {
        let pool = NodePool::new(1 << 20);
        let node = add_node(&pool, &mut Allocator::default(), round, 300);
        let open = || {
            let mut allocator = Allocator::default();
            let mut opened = 0;
            while let Some(index) = next_step(node) {
                opened += u32::from(node.open(&pool, &mut allocator, index).is_ok());
                node.edges(&pool).for_each(|edge| {
                    edge.begin_visits(1, CounterAccess::Shared);
                    let result = SearchValue { utility: 0.5, win: 0.5, lead: -1.0 };
                    let mut sums = Sums::default();
                    sums.add(result, result, Color::White);
                    edge.add_results(&sums, CounterAccess::Shared);
                    node.add_results(&sums, CounterAccess::Shared);
                });
            }
            opened
        };
        let opened: u32 = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(opened, 300);
        assert_eq!(node.edges(&pool).count(), 300);
        let visits: u32 = node.edges(&pool).map(Edge::visits).sum();
        assert_eq!(visits, node.visits());
        for (index, edge) in node.edges(&pool).enumerate() {
            assert_eq!(edge.prior().to_bits(), node.step(index).1.to_bits());
            assert!(edge.visits() == 0 || (edge.utility() - 0.5).abs() < 1e-6);
        }
        assert!((node.mean().lead + 1.0).abs() < 1e-3, "{:?}", node.mean());
    }
}

#[test]
fn a_copy_keeps_statistics_and_drops_lost_children() {
    let pool = NodePool::new(1 << 20);
    let mut allocator = Allocator::default();
    let first = add_node(&pool, &mut allocator, 7, 90);
    let bounds = Bounds { lower: Value::new(-3), upper: Value::new(9) };
    first.tighten(bounds);
    for index in 0..40 {
        let edge = first.open(&pool, &mut allocator, index).unwrap();
        let child = add_node(&pool, &mut allocator, index as u64, 2);
        edge.set_child(None, child.address);
        edge.tighten(Bounds::of(Value::new(index as i16)));
        for _ in 0..=index {
            edge.begin_visits(1, CounterAccess::Shared);
            let result = SearchValue { utility: 0.25, win: 0.5, lead: 2.0 };
            let mut sums = Sums::default();
            sums.add(result, result, Color::White);
            edge.add_results(&sums, CounterAccess::Shared);
            first.add_results(&sums, CounterAccess::Shared);
        }
    }
    let assert_same = |copy: Node<'_>| {
        assert_eq!((copy.len(), copy.opened(), copy.hash()), (90, 40, 7));
        assert_eq!((copy.visits(), copy.mean()), (first.visits(), first.mean()));
        assert_eq!(copy.bounds(), bounds);
        for (index, edge) in copy.edges(&pool).enumerate() {
            assert_eq!(edge.visits(), index as u32 + 1);
            assert_eq!(edge.prior().to_bits(), copy.step(index).1.to_bits());
            assert_eq!(edge.bounds(), Bounds::of(Value::new(index as i16)));
            assert!((edge.utility() - 0.25).abs() < 1e-6);
        }
    };
    assert_same(first);
    pool.flip();
    allocator = Allocator::default();
    let second = Node::copy(&pool, &mut allocator, first).unwrap();
    assert!(pool.is_current(second.address));
    assert_same(second);
    // The children have not moved.
    for (index, edge) in second.edges(&pool).enumerate() {
        assert_eq!(Node::at(&pool, edge.child().unwrap()).hash(), index as u64);
    }
    let moved = add_node(&pool, &mut allocator, 0, 2).address;
    let edge = second.edges(&pool).next().unwrap();
    edge.set_child(edge.child(), moved);
    pool.flip();
    allocator = Allocator::default();
    let third = Node::copy(&pool, &mut allocator, second).unwrap();
    // Children that were not copied before the flip are lost.
    let children: Vec<Option<Address>> = third.edges(&pool).map(Edge::child).collect();
    assert_eq!(children[0], Some(moved));
    assert_eq!(children[1..], [None; 39]);
    assert_eq!((third.len(), third.opened(), third.visits()), (90, 40, second.visits()));
    assert!(third.edges(&pool).zip(1..).all(|(edge, visits)| edge.visits() == visits));
}
