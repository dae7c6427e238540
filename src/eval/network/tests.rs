use std::collections::BTreeSet;

use super::format::Numbers;
use super::inputs::{Inputs, offset};
use super::*;
use crate::eval::Random;
use crate::game::{Rules, Supply};

/// A network of random weights: it knows nothing, but all of it matters.
pub(super) fn random_numbers(seed: u64) -> Numbers {
    let mut random = Random::new(seed);
    let mut some = |count: usize, most: u32| -> Vec<i32> {
        (0..count).map(|_| random.below(2 * most + 1) as i32 - most as i32).collect()
    };
    let words = |numbers: Vec<i32>| -> Vec<i16> { numbers.iter().map(|&n| n as i16).collect() };
    let bytes = |numbers: Vec<i32>| -> Vec<i8> { numbers.iter().map(|&n| n as i8).collect() };
    Numbers {
        first: words(some(BITS * HIDDEN, 200)),
        first_bias: words(some(HIDDEN, 1000)),
        counted: words(some(FEATURES * HIDDEN, 30)),
        second: bytes(some(LAYER * HIDDEN, 127)),
        second_bias: some(LAYER, 8000),
        output: bytes(some(OUTPUTS * LAYER, 127)),
        output_bias: some(OUTPUTS, 8000),
        ply: bytes(some(PLIES * HIDDEN, 60)),
        ply_bias: some(PLIES, 8000),
        owner: bytes(some(OWNERS * HIDDEN, 60)),
        owner_bias: some(OWNERS, 8000),
        linear: linear::built_in_text(linear::UNDER_NETWORKS).to_owned(),
    }
}

fn network(numbers: &Numbers) -> Network {
    Network::from_bytes(&numbers.to_bytes()).unwrap()
}

/// Random games, uniform ones and such as the linear prior finds likely, on
/// boards of all sizes; the positions before each ply.
fn for_each_position(games: u64, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(0);
    let mut plies = Vec::new();
    for game in 0..games {
        let sizes: Vec<Size> = Size::all().collect();
        let size = sizes[game as usize % sizes.len()];
        let supply = match random.below(3) {
            0 => Supply::Unlimited,
            1 => Supply::Limited { tiles: 9, bridges: 3 },
            _ => Supply::Standard,
        };
        let is_uniform = random.below(4) == 0;
        let mut position = Position::new(Rules { size, supply, pie: false });
        while !position.is_over() {
            visit(&position);
            linear::priors(&position, &mut plies);
            let mut point = random.below(1 << 24) as f32 / (1 << 24) as f32;
            let likely = plies.iter().find(|(_, likelihood)| {
                point -= likelihood;
                point < 0.0
            });
            let any = plies[random.below(plies.len() as u32) as usize];
            position.make(if is_uniform { any.0 } else { likely.unwrap_or(&any).0 });
        }
        visit(&position);
    }
}

/// So many games; debug builds are slow.
const GAMES: u64 = if cfg!(debug_assertions) { 27 } else { 1000 };

#[test]
fn sums_kept_are_those_made_anew_on_all_processors() {
    let best = network(&random_numbers(1));
    let mut all: Vec<(Network, Accumulators)> = Instructions::available()
        .map(|instructions| (best.limited_to(instructions), Accumulators::new(&best)))
        .collect();
    let (mut known, mut plies) = (Vec::new(), Vec::new());
    let mut live = [false; HIDDEN];
    for_each_position(GAMES, |position| {
        let mut fresh = Accumulators::new(&best);
        let value = best.evaluate(position, &mut fresh);
        assert!((0.0..=1.0).contains(&value.win) && value.lead.is_finite());
        best.priors(position, &mut Accumulators::new(&best), &mut known);
        assert_legal(position, &known);
        for (network, kept) in &mut all {
            assert_eq!(network.evaluate(position, kept), value);
            network.priors(position, kept, &mut plies);
            assert_eq!(plies, known);
        }
        if position.is_over() {
            return;
        }
        let inputs = Inputs::of_position(position);
        let sums = fresh.of(&best, position, &inputs);
        for (live, unit) in live.iter_mut().zip(units(sums).0) {
            *live |= unit > 0 && i32::from(unit) < ONE;
        }
        for (network, kept) in &mut all {
            assert_eq!(kept.of(network, position, &inputs), sums);
        }
    });
    assert_eq!(live, [true; HIDDEN]);
}

#[test]
fn value_and_policy_are_those_of_priors_and_evaluations() {
    let best = network(&random_numbers(8));
    let mut accumulators = Accumulators::new(&best);
    let (mut refined, mut plies, mut added) = (Vec::new(), Vec::new(), Vec::new());
    let mut compared = 0;
    for_each_position(9, |position| {
        best.priors(position, &mut accumulators, &mut plies);
        best.linear.refined_priors(position, &mut refined);
        added.clone_from(&plies);
        let value = best.value_and_policy(position, &mut accumulators, &mut added);
        assert_eq!(value, best.evaluate(position, &mut Accumulators::new(&best)));
        // Likelihoods are known but for a factor.
        let rest = |n: usize| (plies[n].1 / refined[n].1).ln() - added[n].1;
        let likely = (0..plies.len()).filter(|&n| plies[n].1.min(refined[n].1) > 1e-4);
        let likely: Vec<usize> = likely.collect();
        for pair in likely.windows(2) {
            assert!((rest(pair[0]) - rest(pair[1])).abs() < 1e-3, "{pair:?}");
            compared += 1;
        }
    });
    assert!(compared > 1000, "{compared}");
}

#[test]
fn a_network_that_adds_nothing_has_the_refined_priors() {
    let mut numbers = random_numbers(6);
    let (mut known, mut plies) = (Vec::new(), Vec::new());
    for is_silent in [false, true] {
        if is_silent {
            numbers.ply.fill(0);
            numbers.ply_bias.fill(0);
        }
        let network = network(&numbers);
        let mut accumulators = Accumulators::new(&network);
        let mut different = 0;
        for_each_position(9, |position| {
            network.priors(position, &mut accumulators, &mut plies);
            network.linear.refined_priors(position, &mut known);
            different += u32::from(plies != known);
        });
        assert_eq!(different == 0, is_silent);
    }
}

/// The prior has every legal ply once and adds up to 1.
fn assert_legal(position: &Position, prior: &[(Ply, f32)]) {
    if position.is_over() {
        assert_eq!(prior, []);
        return;
    }
    let sum: f64 = prior.iter().map(|&(_, likelihood)| f64::from(likelihood)).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    assert!(prior.iter().all(|&(_, likelihood)| likelihood > 0.0));
    let plies: BTreeSet<Ply> = prior.iter().map(|&(ply, _)| ply).collect();
    assert_eq!(plies.len(), prior.len());
    let mut legal: BTreeSet<Ply> = position.tile_plies().into_iter().map(Ply::Tile).collect();
    legal.extend(position.bridge_plies().iter().map(Ply::Bridge));
    if position.may_pass() {
        legal.insert(Ply::Pass);
    }
    assert_eq!(plies, legal);
}

#[test]
fn owners_are_chances_and_known_in_the_end() {
    let best = network(&random_numbers(2));
    let mut all: Vec<(Network, Accumulators)> = Instructions::available()
        .map(|instructions| (best.limited_to(instructions), Accumulators::new(&best)))
        .collect();
    for_each_position(GAMES / 20 + 9, |position| {
        let owners = best.owners(position, &mut Accumulators::new(&best));
        for (network, kept) in &mut all {
            assert_eq!(network.owners(position, kept), owners);
        }
        let board = Cells::board(position.size());
        for (chances, color) in owners.iter().zip([position.side(), !position.side()]) {
            for (index, &chance) in chances.iter().enumerate() {
                let cell = board.into_iter().find(|cell| cell.index() == index);
                let islands = position.islands(color);
                match cell {
                    None => assert_eq!(chance.to_bits(), 0),
                    Some(cell) if position.is_over() => {
                        let known = f32::from(u8::from(islands.contains(cell)));
                        assert_eq!(chance.to_bits(), known.to_bits());
                    }
                    Some(_) => assert!(0.0 < chance && chance < 1.0),
                }
            }
        }
    });
}

#[test]
fn owners_of_small_boards_are_those_in_the_middle_of_the_largest() {
    let mut numbers = random_numbers(3);
    numbers.owner.fill(0);
    numbers.owner_bias.fill(0);
    let [size, large] = [8, 12].map(|size| Size::new(size).unwrap());
    let cell = Cell::new(1, 2);
    numbers.owner_bias[cell.index() + offset(size)] = ONE << SHIFT;
    numbers.owner_bias[Cell::TABLE + cell.index() + offset(large)] = -2 * (ONE << SHIFT);
    let network = network(&numbers);
    let owners_of = |size| {
        let position = Position::new(Rules { size, ..Rules::default() });
        network.owners(&position, &mut Accumulators::new(&network))
    };
    let at = |size| owners_of(size).map(|chances| chances[cell.index()].to_bits());
    assert_eq!(at(size), [math::sigmoid(1.0), 0.5].map(f32::to_bits));
    assert_eq!(at(large), [0.5, math::sigmoid(-2.0)].map(f32::to_bits));
}

#[test]
fn files_are_read_as_they_were_written() {
    let numbers = random_numbers(4);
    let bytes = numbers.to_bytes();
    let (read, _) = Numbers::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.linear, numbers.linear);
    assert_eq!(read.counted, numbers.counted);
    // Of what no board has nothing is kept: a16, on the largest board.
    let row = 15 * HIDDEN..16 * HIDDEN;
    assert!(numbers.first[row.clone()].iter().any(|&weight| weight != 0));
    assert!(read.first[row].iter().all(|&weight| weight == 0));
    let rows = bytes.len() - numbers.linear.len();
    assert!(rows * 4 < 3 * 2 * numbers.first.len() + 3 * numbers.ply.len());
    let network = Network::from_bytes(&bytes).unwrap();
    assert_ne!(network.checksum(), Network::built_in().checksum());
}

#[test]
fn damaged_files_are_refused() {
    let bytes = random_numbers(5).to_bytes();
    let refusal = |bytes: &[u8]| Network::from_bytes(bytes).err().unwrap().to_string();
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let places = (0..=end).chain((end + 1..bytes.len()).step_by(49_999)).chain([bytes.len() - 1]);
    for place in places {
        assert!(Network::from_bytes(&bytes[..place]).is_err(), "cut off at {place}");
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            let error = refusal(&damaged);
            assert!(!error.contains('\n') && error.len() < 400, "{error}");
        }
    }
    let cut = refusal(&bytes[..bytes.len() - 1]);
    assert!(cut.starts_with("the network is damaged: "), "{cut}");
    let mut longer = bytes.clone();
    longer.push(b'\n');
    assert!(refusal(&longer).contains(" bytes follow the first line, not "));
    let mut damaged = bytes.clone();
    damaged[end + 1] ^= 1;
    assert!(refusal(&damaged).contains("its checksum is "));
    let text = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let with_line = |line: &str| [line.as_bytes(), &bytes[end..]].concat();
    let other = refusal(&with_line(&text.replace("hidden=128", "hidden=256")));
    assert!(other.starts_with("a network of another shape: "), "{other}");
    let (before, _) = text.split_once("bytes=").unwrap();
    for length in ["0", "18446744073709551615", "99999999999999999999", "-1", ""] {
        refusal(&with_line(&format!("{before}bytes={length} crc=00000000")));
    }
    for foreign in [&b""[..], b"\n", b"hello\n", &[0xff; 1000], b"pontifex-network 2 x crc=0\n"] {
        assert!(refusal(foreign).starts_with("not a network"), "{foreign:?}");
    }
    let mut numbers = random_numbers(5);
    numbers.linear.push_str("value no-such-feature 1 2 3 4 5\n");
    assert!(refusal(&numbers.to_bytes()).starts_with("the network's linear weights: "));
    numbers = random_numbers(5);
    numbers.first.clear();
    assert!(refusal(&numbers.to_bytes()).starts_with("not a network"));
}
