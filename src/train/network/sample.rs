//! Positions to learn from.

use crate::board::{Cell, Geometry, Site, Size};
use crate::board::{Cells, Symmetry};
use crate::eval::Random;
use crate::eval::linear::value::FEATURES;
use crate::eval::linear::{Linear, UNIT};
use crate::eval::network::inputs::{Inputs, permutation};
use crate::eval::network::{LEAD_UNIT, PLIES, ply_row};
use crate::game::{Color, Ply, Position};
use crate::train::selfplay::{Kind, Played, PlayedPly, ReplayedPly};

/// A position and what came of it, for the player to move.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) size: Size,
    /// The bits of its input.
    pub(crate) bits: Box<[u16]>,
    /// What is counted for the linear evaluation.
    pub(crate) counts: Box<[i8; FEATURES]>,
    /// How much it counts.
    pub(crate) weight: f32,
    /// Win, draw, loss.
    pub(crate) result: [f32; 3],
    /// What the linear evaluation says of it: the result's logit, the lead.
    pub(crate) linear: (f32, f32),
    /// The lead, in tens of points.
    pub(crate) lead: f32,
    /// The cells of islands at the end, the mover's and the other's.
    pub(crate) owners: [Cells; 2],
    pub(crate) has_owners: bool,
    /// The plies with their rows, the logits the prior gives them and their
    /// shares of the visits; none where these are not known.
    pub(crate) plies: Box<[PlySample]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PlySample {
    pub(crate) row: u16,
    pub(crate) logit: f32,
    pub(crate) share: f32,
}

/// What is learnt from a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Targets {
    /// Share of the search's value in the target, the rest is the result.
    pub search_share: f32,
    /// Share of the positions below those of the game that is used.
    pub below_share: f32,
}

/// The positions of `game`; none when it is not a legal game.
pub(crate) fn samples(
    game: &Played,
    targets: &Targets,
    linear: &Linear,
    random: &mut Random,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut boards = Vec::new();
    let mut sides = Vec::new();
    let mut plies = Vec::new();
    let end = game.replay(|ReplayedPly { position, played }| {
        if !matches!(played.kind, Kind::Quick | Kind::Full) {
            return;
        }
        below(position, played, &mut boards);
        let inputs = Inputs::of_position(position);
        let bits = inputs.iter().map(|bit| bit as u16).collect();
        let sum: u32 = played.visits.iter().map(|&(_, count)| count).sum();
        let known = if sum > 0 {
            linear.logits(position, &mut plies);
            let share = |ply: Ply| {
                let visits = played.visits.iter().find(|&&(other, _)| other == ply);
                visits.map_or(0.0, |&(_, count)| count as f32 / sum as f32)
            };
            let known = plies.iter().map(|&(ply, logit)| PlySample {
                row: row(ply) as u16,
                logit: logit / UNIT,
                share: share(ply),
            });
            known.collect()
        } else {
            Box::default()
        };
        sides.push(position.side());
        samples.push(Sample {
            size: position.size(),
            bits,
            counts: Box::new(inputs.counts),
            weight: 1.0,
            result: [played.winrate, 0.0, 1.0 - played.winrate],
            lead: played.lead,
            linear: linear.logit(position, &inputs.counts.map(f32::from)),
            owners: [Cells::EMPTY; 2],
            plies: known,
            has_owners: true,
        });
    });
    let Some(end) = end else { return Vec::new() };
    for (sample, side) in samples.iter_mut().zip(sides) {
        label(sample, side, &end, targets);
    }
    let chance = (targets.below_share * 256.0) as u32;
    boards.retain(|_| random.below(256) < chance);
    samples.extend(boards.into_iter().map(|(position, visits, winrate, lead)| {
        let inputs = Inputs::of_position(&position);
        Sample {
            size: position.size(),
            bits: inputs.iter().map(|bit| bit as u16).collect(),
            counts: Box::new(inputs.counts),
            // The less, the more chance was in it.
            weight: 0.02 / (0.06 / visits as f32 + 0.02),
            result: [winrate, 0.0, 1.0 - winrate],
            linear: linear.logit(&position, &inputs.counts.map(f32::from)),
            lead: lead / LEAD_UNIT,
            owners: [Cells::EMPTY; 2],
            has_owners: false,
            plies: Box::default(),
        }
    }));
    samples
}

/// The positions below one that was searched, with their values.
fn below(position: &Position, played: &PlayedPly, boards: &mut Vec<(Position, u32, f32, f32)>) {
    let mut line = vec![*position];
    for below in &played.below {
        line.truncate(usize::from(below.depth));
        let Some(mut after) = line.last().copied() else { return };
        after.make(below.ply);
        line.push(after);
        if !after.is_over() {
            boards.push((after, below.visits, below.winrate, below.lead));
        }
    }
}

/// The row of a ply before the board is put in the middle of the largest.
fn row(ply: Ply) -> usize {
    ply_row(ply, Size::MAX)
}

/// Mixes the search's values with what came of the position.
fn label(sample: &mut Sample, side: Color, end: &Position, targets: &Targets) {
    let points = |color: Color| f32::from(end.score(color).points);
    let result = match end.outcome().winner() {
        None => [0.0, 1.0, 0.0],
        Some(winner) if winner == side => [1.0, 0.0, 0.0],
        Some(_) => [0.0, 0.0, 1.0],
    };
    let mix = |search: f32, real: f32| real + targets.search_share * (search - real);
    for (search, real) in sample.result.iter_mut().zip(result) {
        *search = mix(*search, real);
    }
    sample.lead = mix(sample.lead, points(side) - points(!side)) / LEAD_UNIT;
    sample.owners = [end.islands(side), end.islands(!side)];
}

/// Where bits and plies go when a board is turned or mirrored.
#[derive(Debug)]
pub(crate) struct Images {
    pub(crate) bits: Vec<u16>,
    pub(crate) plies: Vec<u16>,
}

impl Images {
    /// All eight, for boards of `size`.
    pub(crate) fn all(size: Size) -> Vec<Images> {
        Symmetry::all()
            .map(|symmetry| {
                let mut plies: Vec<u16> = (0..PLIES as u16).collect();
                for cell in Cells::board(size) {
                    plies[cell.index()] = symmetry.apply(cell, size).index() as u16;
                }
                for site in Geometry::of(size).sites().iter() {
                    let [a, b] = site.ends().map(|end| symmetry.apply(end, size));
                    if let Some(image) = Site::between(a, b) {
                        let at = |site: Site| Cell::TABLE + site.index();
                        plies[at(site)] = at(image) as u16;
                    }
                }
                Images { bits: permutation(symmetry, size), plies }
            })
            .collect()
    }
}

/// For experiments.
pub fn probe(games: &[Played], net: &crate::eval::NetworkSource) {
    use crate::eval::linear::value::phase;
    use crate::eval::{Evaluator, EvaluatorKind, evaluate, playout};
    let mut evaluator = Evaluator::new(EvaluatorKind::Network, net);
    let mut random = Random::new(5);
    let mut all: Vec<(usize, [f64; 12])> = Vec::new();
    for game in games {
        let mut boards = Vec::new();
        game.replay(|ReplayedPly { position, played }| below(position, played, &mut boards));
        boards.retain(|board| board.1 >= 80);
        for _ in 0..12 {
            if boards.is_empty() {
                break;
            }
            let (position, _, win, lead) = boards[random.below(boards.len() as u32) as usize];
            let b = evaluate(&position);
            let n = evaluator.evaluate(&position);
            let side = position.side();
            const T: [u32; 11] = [0, 1, 1, 1, 1, 2, 2, 2, 2, 4, 30];
            const K: usize = 32;
            print!("R {} {:.4} {:.4}", phase(&position), win, lead);
            let mut rows = String::new();
            let mut means = [[0.0f64; 11]; 2];
            let mut products = [[0.0f64; 11]; 11];
            for _ in 0..K {
                let mut end = position;
                let mut row = [0.0f64; 11];
                for (i, turns) in T.into_iter().enumerate() {
                    playout(&mut end, turns, &mut random);
                    let same = end.side() == side;
                    let e = evaluate(&end);
                    let w = f64::from(if same { e.win } else { 1.0 - e.win });
                    let e = evaluator.evaluate(&end);
                    let v = f64::from(if same { e.win } else { 1.0 - e.win });
                    means[0][i] += w / K as f64;
                    means[1][i] += v / K as f64;
                    row[i] = w;
                }
                for a in 0..11 {
                    for c in 0..11 {
                        products[a][c] += row[a] * row[c] / K as f64;
                    }
                }
            }
            for m in &means {
                for x in m {
                    rows += &format!(" {x:.4}");
                }
            }
            for a in 0..11 {
                for c in 0..11 {
                    rows += &format!(" {:.5}", products[a][c] - means[0][a] * means[0][c]);
                }
            }
            println!("{rows}");
            let _ = (b, n, lead, win);
        }
    }
    let _ = all.len();
    all.push((0, [0.0; 12]));
}
