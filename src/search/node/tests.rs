use std::collections::{HashMap, HashSet};
use std::sync::Barrier;
use std::thread;

use super::*;
use crate::game::Value;

/// All the plies that there are room for: more than any position has.
const ALL: usize = 144 + Site::TABLE;

/// Plies, the unlikeliest first.
fn plies(count: usize) -> Vec<(Ply, f32)> {
    let ply = |number: usize| match number {
        0..144 => Ply::Tile(Cell::from_index((number / 12 * 16 + number % 12) as u8)),
        _ => Ply::Bridge(Site::from_index(number as u16 - 144)),
    };
    (0..count).map(|number| (ply(number), 1.0 / (2 + number) as f32)).rev().collect()
}

fn node<'a>(arena: &'a Arena, allocator: &mut Allocator, hash: u64, count: usize) -> Node<'a> {
    Node::new(arena, allocator, hash, &plies(count), &mut Vec::new()).unwrap()
}

#[test]
fn every_ply_comes_back_and_the_likeliest_first() {
    let arena = Arena::new(1 << 20);
    let mut allocator = Allocator::default();
    for ply in [Ply::Pass, Ply::Swap] {
        let node = Node::new(&arena, &mut allocator, 1, &[(ply, 1.0)], &mut Vec::new());
        assert_eq!(node.unwrap().ply(0), (ply, 1.0));
    }
    let node = node(&arena, &mut allocator, 7, ALL);
    assert_eq!((node.len(), node.opened(), node.hash(), node.visits()), (ALL, 0, 7, 0));
    let mut found: Vec<Ply> = (0..ALL).map(|index| node.ply(index).0).collect();
    assert!((1..ALL).all(|index| node.ply(index).1 <= node.ply(index - 1).1));
    found.sort();
    let mut all: Vec<Ply> = plies(ALL).into_iter().map(|(ply, _)| ply).collect();
    all.sort();
    assert_eq!(found, all);
}

/// Also those of a position with more plies than fit into the block that
/// would come next by doubling.
#[test]
fn all_plies_can_be_opened() {
    let arena = Arena::new(1 << 20);
    let mut allocator = Allocator::default();
    let node = node(&arena, &mut allocator, 7, ALL);
    for index in 0..ALL {
        let slot = node.open(&arena, &mut allocator, index).unwrap();
        assert_eq!(slot.prior().to_bits(), node.ply(index).1.to_bits());
        for _ in 0..=index % 3 {
            slot.enter(Counting::Together);
        }
        let again = node.open(&arena, &mut allocator, index);
        assert_eq!(again.err(), Some(NotOpened::Taken), "it is opened once");
    }
    let visits: Vec<u32> = node.slots(&arena).map(Slot::visits).collect();
    let expected: Vec<u32> = (0..ALL).map(|index| 1 + index as u32 % 3).collect();
    assert_eq!(visits, expected);
}

/// The same plies with priors the other way round.
fn others(count: usize) -> Vec<(Ply, f32)> {
    let priors = plies(count).into_iter().rev().map(|(_, prior)| prior);
    plies(count).into_iter().zip(priors).map(|((ply, _), prior)| (ply, prior)).collect()
}

#[test]
fn refined_priors_order_what_is_not_opened() {
    let arena = Arena::new(1 << 20);
    let mut allocator = Allocator::default();
    let node = node(&arena, &mut allocator, 7, 91);
    for index in 0..5 {
        node.open(&arena, &mut allocator, index).unwrap().enter(Counting::Together);
    }
    let before: Vec<(Ply, f32)> = (0..5).map(|index| node.ply(index)).collect();
    assert!(!node.is_refined());
    node.refine(&arena, &others(91), &mut Vec::new());
    assert!(node.is_refined());
    assert_eq!((node.len(), node.opened()), (91, 5));
    let prior = |ply| others(91).iter().find(|other| other.0 == ply).unwrap().1;
    for (index, slot) in node.slots(&arena).enumerate() {
        let (ply, found) = node.ply(index);
        assert_eq!((ply, slot.visits()), (before[index].0, 1));
        assert_eq!(slot.prior().to_bits(), found.to_bits());
        assert!((found - prior(ply)).abs() < 2.0 / PRIOR_FIXED && found < before[index].1);
    }
    let left: Vec<(Ply, f32)> = (5..91).map(|index| node.ply(index)).collect();
    assert!(left.is_sorted_by(|a, b| a.1 >= b.1));
    assert_eq!(left[0].0, others(91)[0].0);
    let mut all: Vec<Ply> = before.iter().chain(&left).map(|&(ply, _)| ply).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 91);
    // It can be done again, and what is copied need not be.
    node.refine(&arena, &plies(91), &mut Vec::new());
    assert!((0..5).all(|index| node.ply(index) == before[index]));
    node.refine(&arena, &others(91), &mut Vec::new());
    assert_eq!(node.ply(5), left[0]);
    let copy = Node::copy(&arena, &mut allocator, node).unwrap();
    assert!(copy.is_refined());
    assert_eq!((copy.len(), copy.opened(), copy.ply(5)), (91, 5, left[0]));
}

/// The ply to open next, if one is left: looked up once, as other threads open
/// plies, too.
fn next(node: Node<'_>) -> Option<usize> {
    Some(node.opened()).filter(|&index| index < node.len())
}

#[test]
fn threads_that_open_while_others_refine_lose_nothing() {
    let refined: HashMap<Ply, f32> = others(ALL).into_iter().collect();
    for _ in 0..50 {
        let arena = Arena::new(1 << 20);
        let node = node(&arena, &mut Allocator::default(), 7, ALL);
        let start = Barrier::new(4);
        let opened: Vec<Vec<usize>> = thread::scope(|scope| {
            let open = || {
                let mut allocator = Allocator::default();
                let mut opened = Vec::new();
                start.wait();
                while let Some(index) = next(node) {
                    if node.open(&arena, &mut allocator, index).is_ok() {
                        opened.push(index);
                    }
                }
                opened
            };
            let refine = || {
                start.wait();
                for _ in 0..3 {
                    node.refine(&arena, &others(ALL), &mut Vec::new());
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
        let plies: Vec<(Ply, f32)> = (0..ALL).map(|index| node.ply(index)).collect();
        let kinds: HashSet<Ply> = plies.iter().map(|&(ply, _)| ply).collect();
        assert_eq!(kinds.len(), ALL);
        assert!(plies.iter().all(|(ply, prior)| (prior - refined[ply]).abs() < 2.0 / PRIOR_FIXED));
        let priors = node.slots(&arena).map(|slot| slot.prior().to_bits());
        assert!(priors.eq(plies.iter().map(|&(_, prior)| prior.to_bits())));
    }
}

#[test]
fn threads_that_open_at_once_lose_nothing() {
    const THREADS: u64 = 4;
    for round in 0..20 {
        let arena = Arena::new(1 << 20);
        let node = node(&arena, &mut Allocator::default(), round, 300);
        let open = || {
            let mut allocator = Allocator::default();
            let mut opened = 0;
            while let Some(index) = next(node) {
                opened += u32::from(node.open(&arena, &mut allocator, index).is_ok());
                node.slots(&arena).for_each(|slot| {
                    slot.enter(Counting::Together);
                    slot.reward(0.5, Counting::Together);
                    node.reward(
                        Payoff { utility: 0.5, win: 0.5, lead: 0.0 },
                        -1.0,
                        Counting::Together,
                    );
                });
            }
            opened
        };
        let opened: u32 = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(opened, 300);
        assert_eq!(node.slots(&arena).count(), 300);
        let visits: u32 = node.slots(&arena).map(Slot::visits).sum();
        assert_eq!(visits, node.visits());
        for (index, slot) in node.slots(&arena).enumerate() {
            assert_eq!(slot.prior().to_bits(), node.ply(index).1.to_bits());
            assert!(slot.visits() == 0 || (slot.utility() - 0.5).abs() < 1e-6);
        }
        assert!((node.mean().lead + 1.0).abs() < 1e-3, "{:?}", node.mean());
    }
}

#[test]
fn a_copy_keeps_what_is_known_and_leaves_out_what_is_lost() {
    let arena = Arena::new(1 << 20);
    let mut allocator = Allocator::default();
    let first = node(&arena, &mut allocator, 7, 90);
    let bounds = Bounds { lower: Value::new(-3), upper: Value::new(9) };
    first.tighten(bounds);
    for index in 0..40 {
        let slot = first.open(&arena, &mut allocator, index).unwrap();
        let child = node(&arena, &mut allocator, index as u64, 2);
        slot.set_child(None, child.address);
        slot.tighten(Bounds::of(Value::new(index as i16)));
        for _ in 0..=index {
            slot.enter(Counting::Together);
            slot.reward(0.25, Counting::Together);
            first.reward(Payoff { utility: 0.25, win: 0.5, lead: 0.0 }, 2.0, Counting::Together);
        }
    }
    let same = |copy: Node<'_>| {
        assert_eq!((copy.len(), copy.opened(), copy.hash()), (90, 40, 7));
        assert_eq!((copy.visits(), copy.mean()), (first.visits(), first.mean()));
        assert_eq!(copy.bounds(), bounds);
        for (index, slot) in copy.slots(&arena).enumerate() {
            assert_eq!(slot.visits(), index as u32 + 1);
            assert_eq!(slot.prior().to_bits(), copy.ply(index).1.to_bits());
            assert_eq!(slot.bounds(), Bounds::of(Value::new(index as i16)));
            assert!((slot.utility() - 0.25).abs() < 1e-6);
        }
    };
    same(first);
    arena.flip();
    allocator = Allocator::default();
    let second = Node::copy(&arena, &mut allocator, first).unwrap();
    assert!(arena.is_current(second.address));
    same(second);
    // The children are still where they were.
    for (index, slot) in second.slots(&arena).enumerate() {
        assert_eq!(Node::at(&arena, slot.child().unwrap()).hash(), index as u64);
    }
    let moved = node(&arena, &mut allocator, 0, 2).address;
    let slot = second.slots(&arena).next().unwrap();
    slot.set_child(slot.child(), moved);
    arena.flip();
    allocator = Allocator::default();
    let third = Node::copy(&arena, &mut allocator, second).unwrap();
    // What was not visited in the meantime is lost.
    let children: Vec<Option<Address>> = third.slots(&arena).map(Slot::child).collect();
    assert_eq!(children[0], Some(moved));
    assert_eq!(children[1..], [None; 39]);
    assert_eq!((third.len(), third.opened(), third.visits()), (90, 40, second.visits()));
    assert!(third.slots(&arena).zip(1..).all(|(slot, visits)| slot.visits() == visits));
}
