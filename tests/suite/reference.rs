//! The incremental position against the slow reference, after every step of random games of every
//! size, supply and style.
//!
//! Before a release, and after any change to the rules' code, play more games:
//!
//! ```text
//! cargo test --release many_random_games -- --ignored --nocapture
//! ```
//!
//! A failure names the game's number; `PONTIFEX_FIRST_GAME=n PONTIFEX_GAMES=1` repeats that game.

use std::collections::BTreeSet;
use std::fmt::Display;

use pontifex::board::{Cell, Cells, Geometry, Site, SiteSet, Size};
use pontifex::game::{Color, Move, MoveCounts, Position, Rules, Setup, Stage, Step};
use pontifex_testing::reference_rules::{
    Bridge, Reference, cells, cross, is_bridge_shape, spanned,
};
use rayon::prelude::*;

use pontifex_testing::random_games::{Gambler, size_of_game};

/// The value of an environment variable, or `default` if it is not set.
fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number"))
    })
}

fn set(cells: Cells) -> BTreeSet<Cell> {
    cells.into_iter().collect()
}

fn bridges(sites: &SiteSet) -> BTreeSet<Bridge> {
    sites.iter().map(|site| site.ends().into()).collect()
}

/// Compares all state, between turns or within one.
fn assert_agree(position: &Position, reference: &Reference, at: &impl Display) {
    assert_eq!(position.is_half_turn(), reference.is_half_turn(), "{at}: half turn");
    assert_eq!(position.is_over(), reference.is_over(), "{at}: over");
    assert_eq!(position.stage(), reference.stage(), "{at}: stage");
    assert_eq!(position.side(), reference.side(), "{at}: side");
    assert_eq!(position.may_swap(), reference.may_swap(), "{at}: swap");
    assert_eq!(position.bridges_left(), reference.bridges_left(), "{at}: bridges left");
    assert_eq!(position.outcome(), reference.outcome(), "{at}: outcome");
    assert_eq!(set(position.spanned_cells()), reference.blocked(), "{at}: blocked");
    let built: BTreeSet<Bridge> = reference.bridges().iter().copied().collect();
    assert_eq!(bridges(position.bridges()), built, "{at}: bridges");
    let carriers = built.iter().flat_map(|&(a, b)| [a, b]).collect();
    assert_eq!(set(position.bridge_ends()), carriers, "{at}: bridge ends");
    for color in Color::BOTH {
        assert_eq!(set(position.tiles(color)), reference.tiles(color), "{at}: {color} tiles");
        assert_eq!(position.tiles_left(color), reference.tiles_left(color), "{at}: {color} left");
        assert_eq!(position.score(color), reference.score(color), "{at}: {color} score");
        assert_tiles_agree(position, reference, color, at);
    }
    assert_networks_agree(position, reference, at);
    assert_sites_agree(position, reference, at);

    let next = reference.next_tiles();
    assert_eq!(set(position.tile_steps()), next, "{at}: tile steps");
    if !position.is_half_turn() {
        assert_eq!(position.can_place_two_tiles(), !next.is_empty(), "{at}: can place");
    }
    let passes = !reference.is_half_turn() && !reference.is_over() && next.is_empty();
    assert_eq!(position.may_pass(), passes, "{at}: pass");
}

fn assert_tiles_agree(position: &Position, reference: &Reference, color: Color, at: &impl Display) {
    let groups = reference.groups(color);
    for group in &groups {
        for &cell in group {
            assert_eq!(set(position.group(color, cell)), *group, "{at}: group of {cell}");
        }
    }
    let islands = groups.into_iter().filter(|group| group.len() == 4).flatten().collect();
    assert_eq!(set(position.islands(color)), islands, "{at}: {color} islands");

    let candidates = reference.candidates(color);
    assert_eq!(set(position.open_cells(color)), candidates, "{at}: {color} candidates");
    for cell in candidates {
        let joins = reference.group_with(color, cell).len() - 1;
        assert_eq!(usize::from(position.join_count(color, cell)), joins, "{at}: {cell} joins");
        assert_eq!(
            position.completing_cells(color).contains(cell),
            joins == 3,
            "{at}: {cell} completes"
        );
        assert!(
            position.open_cells_by_join_count(color)[joins].contains(cell),
            "{at}: {cell} is joining {joins}"
        );
    }
}

fn assert_networks_agree(position: &Position, reference: &Reference, at: &impl Display) {
    let mut representatives = BTreeSet::new();
    for network in Color::BOTH.into_iter().flat_map(|color| reference.networks(color)) {
        let found: BTreeSet<Cell> =
            network.iter().map(|&cell| position.network_root(cell)).collect();
        assert_eq!(found.len(), 1, "{at}: one network: {network:?}");
        assert!(representatives.is_disjoint(&found), "{at}: a network apart: {network:?}");
        representatives.extend(found);
        let islands = reference.islands_in(&network);
        for &cell in &network {
            assert_eq!(usize::from(position.network_islands(cell)), islands, "{at}: {network:?}");
        }
    }
}

fn assert_sites_agree(position: &Position, reference: &Reference, at: &impl Display) {
    let mut buildable = [SiteSet::EMPTY; 2];
    let mut open = SiteSet::EMPTY;
    for site in position.geometry().sites().iter() {
        let bridge = site.ends().into();
        if reference.is_open(bridge) {
            open.insert(site);
        }
        for color in Color::BOTH {
            if reference.is_buildable(color, bridge) {
                buildable[color.index()].insert(site);
            }
        }
    }
    assert_eq!(*position.open_sites(), open, "{at}: open sites");
    for color in Color::BOTH {
        assert_eq!(
            position.buildable_sites(color),
            buildable[color.index()],
            "{at}: {color} builds"
        );
    }
    let may_build =
        !reference.is_over() && !reference.is_half_turn() && reference.bridges_left() != Some(0);
    let steps = if may_build { buildable[reference.side().index()] } else { SiteSet::EMPTY };
    assert_eq!(position.bridge_steps(), steps, "{at}: bridge steps");
}

/// Compares the list of moves, which the reference makes slowly, and the counts.
fn assert_moves_agree(position: &Position, reference: &Reference, at: &impl Display) {
    let moves = reference.legal_moves();
    let listed = position.moves();
    assert_eq!(listed.len(), moves.len(), "{at}: a move is listed twice or missing");
    assert_eq!(listed.into_iter().collect::<BTreeSet<Move>>(), moves, "{at}: moves");
    let count = |kind: fn(&Move) -> bool| moves.iter().filter(|&mv| kind(mv)).count() as u32;
    let mover = reference.side();
    let has_tile = !reference.is_over() && reference.tiles_left(mover) != Some(0);
    let counts = MoveCounts {
        cells: if has_tile { reference.candidates(mover).len() as u32 } else { 0 },
        pairs: count(|mv| matches!(mv, Move::Tiles(..))),
        bridges: count(|mv| matches!(mv, Move::Bridge(..))),
        pass: moves.contains(&Move::Pass),
        swap: moves.contains(&Move::Swap),
    };
    assert_eq!(position.counts(), counts, "{at}: counts");
    assert_eq!(counts.total(), moves.len() as u64, "{at}: total");
}

/// A position rebuilt from its setup is the same in everything.
fn assert_rebuilds(position: &Position, at: &impl Display) {
    let setup = Setup::from(position);
    let rebuilt = setup.validate().unwrap_or_else(|error| panic!("{at}: {error}"));
    assert!(rebuilt == *position && rebuilt.hash() == position.hash(), "{at}: rebuilt");
    assert_eq!(Setup::from(&rebuilt), setup, "{at}: described again");
    assert_eq!(rebuilt.bridges_left(), position.bridges_left(), "{at}: rebuilt bridges left");
    assert_eq!(rebuilt.spanned_cells(), position.spanned_cells(), "{at}: rebuilt blocked");
    assert_eq!(rebuilt.bridge_ends(), position.bridge_ends(), "{at}: rebuilt bridge ends");
    assert_eq!(rebuilt.open_sites(), position.open_sites(), "{at}: rebuilt open sites");
    for color in Color::BOTH {
        let all = |p: &Position| {
            let cells = (p.open_cells(color), p.completing_cells(color), p.islands(color));
            (cells, p.buildable_sites(color), p.score(color), p.tiles_left(color))
        };
        assert_eq!(all(&rebuilt), all(position), "{at}: rebuilt {color}");
    }
    let reference = Reference::from_setup(&setup).unwrap_or_else(|| panic!("{at}: refused"));
    assert_eq!(reference.stage(), position.stage(), "{at}: rebuilt stage");
}

/// What occurred in the games, to see that they cover the rules.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    games: u64,
    steps: u64,
    bridges: u64,
    islands: u64,
    joined_islands: u64,
    swaps: u64,
    last_turns: u64,
    supplies_used_up: u64,
}

impl Tally {
    fn plus(self, other: Tally) -> Tally {
        Tally {
            games: self.games + other.games,
            steps: self.steps + other.steps,
            bridges: self.bridges + other.bridges,
            islands: self.islands + other.islands,
            joined_islands: self.joined_islands + other.joined_islands,
            swaps: self.swaps + other.swaps,
            last_turns: self.last_turns + other.last_turns,
            supplies_used_up: self.supplies_used_up + other.supplies_used_up,
        }
    }
}

fn play_game(number: u64) -> Tally {
    let mut gambler = Gambler::new(number);
    let rules = gambler.rules(size_of_game(number));
    let mut position = Position::new(rules);
    let mut reference = Reference::new(rules);
    let mut tally = Tally { games: 1, ..Tally::default() };
    loop {
        let at = format!("game {number} ({rules:?}), step {}", tally.steps);
        assert_agree(&position, &reference, &at);
        if !position.is_half_turn() {
            assert_rebuilds(&position, &at);
            let area = u32::from(rules.size.get()).pow(2);
            if position.is_over() || gambler.one_in(area / 12) {
                assert_moves_agree(&position, &reference, &at);
            }
        }
        let Some(step) = gambler.step(&position) else { break };
        tally.swaps += u64::from(step == Step::Swap);
        tally.last_turns += u64::from(position.stage() == Stage::Last);
        match step {
            Step::Tile(cell) => reference.place_tile(cell),
            Step::Bridge(site) => {
                let [a, b] = site.ends();
                reference.play(Move::Bridge(a, b));
            }
            Step::Pass => reference.play(Move::Pass),
            Step::Swap => reference.play(Move::Swap),
        }
        position.make(step);
        tally.steps += 1;
    }
    for color in Color::BOTH {
        let score = position.score(color);
        tally.bridges += u64::from(score.bridges);
        tally.islands += u64::from(score.islands);
        tally.joined_islands += u64::from(score.points > score.islands.into());
        tally.supplies_used_up += u64::from(position.tiles_left(color).is_some_and(|n| n < 2));
    }
    tally.supplies_used_up += u64::from(position.bridges_left() == Some(0));
    tally
}

/// Plays games `first` to `first + count - 1`.
fn play_games(first: u64, count: u64) -> Tally {
    let tally =
        (first..first + count).into_par_iter().map(play_game).reduce(Tally::default, Tally::plus);
    println!("{tally:?}");
    tally
}

#[test]
fn random_games() {
    let tally = play_games(0, 100);
    let Tally { games, steps, bridges, islands, joined_islands, .. } = tally;
    assert!(steps > 20 * games && bridges > games && islands > games, "{tally:?}");
    assert!(joined_islands > games / 4 && tally.swaps > games / 5, "{tally:?}");
    assert!(tally.last_turns > games / 4 && tally.supplies_used_up > games / 4, "{tally:?}");
}

#[test]
#[ignore = "takes minutes"]
fn many_random_games() {
    play_games(variable("PONTIFEX_FIRST_GAME", 0), variable("PONTIFEX_GAMES", 10_000));
}

#[test]
fn bridge_sites_of_every_board() {
    for size in Size::all() {
        let geometry = Geometry::of(size);
        let pairs =
            cells(size).flat_map(|a| cells(size).filter(move |&b| b > a).map(move |b| (a, b)));
        let shapes: BTreeSet<Bridge> = pairs.filter(|&pair| is_bridge_shape(pair)).collect();
        assert_eq!(bridges(geometry.sites()), shapes, "{size}");
        assert_eq!(geometry.sites().len() as usize, shapes.len(), "{size}");
        for site in geometry.sites().iter() {
            let [a, b] = site.ends();
            assert_eq!(Site::between(b, a), Some(site));
            assert_eq!(set(geometry.span(site)), spanned((a, b)).into_iter().collect());
            for cell in geometry.board() {
                let is_over = geometry.sites_over(cell).contains(site);
                assert_eq!(is_over, geometry.span(site).contains(cell), "{size}: {site} {cell}");
            }
            let crossed = bridges(geometry.crossed_by(site));
            let expected = shapes.iter().copied().filter(|&other| cross((a, b), other));
            assert_eq!(crossed, expected.collect(), "{size}: {site}");
        }
    }
}

/// White's only candidates are the two ends of a row of three, four columns apart. A tile on one
/// completes an island that a tile on the other would touch. Random games do not reach such
/// positions.
#[test]
fn a_tile_can_spoil_a_cell_four_columns_away() {
    let cells = |text: &str| text.split(' ').map(|cell| cell.parse::<Cell>().unwrap()).collect();
    let setup = Setup {
        tiles: [cells("b1 c1 d1 a4 b4 a5 b5 d4 e4 d5 e5"), cells("a2 b2 d2 e2")],
        bridges: vec![("b2".parse().unwrap(), "d2".parse().unwrap())],
        ..Setup::empty(Rules { size: Size::new(5).unwrap(), ..Rules::default() })
    };
    let position = setup.validate().unwrap();
    assert_eq!(set(position.open_cells(Color::White)), set(cells("a1 e1")));
    assert!(!position.can_place_two_tiles() && position.may_pass());
    assert_eq!(position.tile_steps(), Cells::EMPTY);
    let reference = Reference::from_setup(&setup).unwrap();
    assert_agree(&position, &reference, &"the row");
    assert_moves_agree(&position, &reference, &"the row");
}
