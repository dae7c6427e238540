//! Tests of the linear evaluation and prior.

use super::fitting::{INPUTS, PARAMETERS, TILE, UNITS, edge, phase};
use super::model::BUILT_IN;
use super::step_features::EDGES;
use super::weights::PHASES;
use super::*;
use crate::board::{Cells, Size, Symmetry};
use crate::eval::Random;
use crate::eval::dispatch::Instructions;
use crate::game::{Position, Rules, Step, Supply};

/// A position for each step of random games on boards of all sizes.
fn positions(games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut random = Random::new(seed);
        let size = Size::all().nth(seed as usize % 9).unwrap();
        let supply = match seed % 4 {
            0 | 1 => Supply::Standard,
            2 => Supply::Unlimited,
            _ => Supply::Limited { tiles: 2 * u16::from(size.get()), bridges: 3 },
        };
        let mut position = Position::new(Rules { size, supply, pie: seed % 5 == 0 });
        while !position.is_over() {
            positions.push(position);
            let sites = position.bridge_steps();
            // Prefer cells beside own tiles, or random games make no islands.
            let [_, one, two, three] = position.open_cells_by_join_count(position.side());
            let near = (one | two | three) & position.tile_steps();
            let cell = random.cell(near).filter(|_| random.chance(160));
            let cell = cell.or_else(|| random.cell(position.tile_steps()));
            let site = random.site(&sites).filter(|_| random.chance(90) || cell.is_none());
            let step = site.map(Step::Bridge).or(cell.map(Step::Tile)).unwrap_or(Step::Pass);
            position.make(step);
        }
        positions.push(position);
    }
    positions
}

#[test]
fn built_in_weights_have_every_feature() {
    let mut names: Vec<String> = position_features::names().chain(step_features::names()).collect();
    for text in BUILT_IN {
        let weights = Weights::parse(text).unwrap();
        assert_eq!(Weights::parse(&weights.to_text("again")).unwrap(), weights);
        let lines = text.lines().filter(|line| !line.starts_with('#')).count();
        let layer = UNITS + TILE;
        assert_eq!(lines, 2 * INPUTS + PARAMETERS + layer);
        assert_eq!(names.len() + INPUTS + layer, lines);
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "two features have the same name");
}

#[test]
fn all_instructions_give_the_same_results() {
    let (mut steps, mut portable) = (Vec::new(), Vec::new());
    let mut refined = 0;
    for position in positions(18) {
        let linear = Linear::built_in(*position.rules());
        let value = linear.evaluate(&position);
        assert!((0.0..=1.0).contains(&value.win) && value.lead.is_finite());
        let mut plain = Vec::new();
        for hidden in [None, linear.hidden.as_deref()] {
            let portable_code = Instructions::available().next().unwrap();
            linear.priors_on(portable_code, hidden, &position, &mut portable);
            for instructions in Instructions::available() {
                let evaluation = linear.evaluate_on(instructions, &position, EvaluationUse::Alone);
                assert_eq!(evaluation, value, "{instructions:?}");
                linear.priors_on(instructions, hidden, &position, &mut steps);
                assert_eq!(steps, portable, "{instructions:?}");
            }
            if hidden.is_none() {
                plain.clone_from(&portable);
            }
        }
        refined += usize::from(plain != portable);
    }
    assert!(refined > 100, "{refined}");
}

#[test]
fn phases_range_from_full_to_empty_boards() {
    for position in positions(18) {
        assert!(phase(&position) < PHASES);
    }
    let rules = Rules { supply: Supply::Unlimited, ..Rules::default() };
    assert_eq!(phase(&Position::new(rules)), PHASES - 1);
}

#[test]
fn edge_classes_are_symmetric() {
    for size in Size::all() {
        let mut seen = [false; EDGES];
        for cell in Cells::board(size) {
            let class = edge(cell, size);
            seen[class] = true;
            for symmetry in Symmetry::all() {
                assert_eq!(edge(symmetry.apply(cell, size), size), class);
            }
        }
        if size == Size::MAX {
            assert!(seen.iter().all(|&seen| seen));
        }
    }
}
