//! Positions to learn from.

use rayon::prelude::*;

use super::options::TrainOptions;
use crate::board::{Cells, Size};
use crate::eval::Random;
use crate::eval::linear::value::FEATURES;
use crate::eval::linear::{Linear, UNDER_NETWORKS, UNIT};
use crate::eval::network::inputs::Inputs;
use crate::eval::network::{LEAD_UNIT, ply_row};
use crate::game::{Color, Ply, Position};
use crate::search::Below;
use crate::train::selfplay::{Kind, Played, ReplayedPly};

/// A position and what came of it, for the player to move.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) size: Size,
    /// The bits of its input.
    pub(crate) bits: Box<[u16]>,
    /// What is counted for the linear evaluation.
    pub(crate) counts: Box<[i8; FEATURES]>,
    /// How much its result and lead count.
    pub(crate) weight: f32,
    /// Win, draw, loss.
    pub(crate) result: [f32; 3],
    /// The lead, in tens of points.
    pub(crate) lead: f32,
    /// What the linear evaluation says of it: the result's logit, the lead in
    /// points.
    pub(crate) linear: (f32, f32),
    /// The cells of islands at the end, the mover's and the other's; only
    /// where the game went through the position.
    pub(crate) owners: Option<[Cells; 2]>,
    /// The legal plies, where it is known how often each was visited.
    pub(crate) plies: Box<[PlySample]>,
}

/// A ply of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlySample {
    /// Its row, before the board is put in the middle of the largest.
    pub(crate) row: u16,
    /// What the prior gives it.
    pub(crate) logit: f32,
    /// Its share of the visits.
    pub(crate) share: f32,
}

impl Sample {
    /// Whether no ply was visited more than the one with the highest of
    /// `logits`.
    #[inline(always)]
    pub(crate) fn is_first(&self, logits: impl Iterator<Item = f32>) -> bool {
        let (mut highest, mut share, mut most) = (f32::MIN, 0.0, 0.0f32);
        for (ply, logit) in self.plies.iter().zip(logits) {
            if logit > highest {
                (highest, share) = (logit, ply.share);
            }
            most = most.max(ply.share);
        }
        share >= most
    }
}

/// The positions of `games` picked by their places, in that order; what
/// chance decides in a game follows from `seed` and its place.
pub(crate) fn samples_of(
    games: &[Played],
    picked: &[usize],
    options: &TrainOptions,
    seed: u64,
) -> Vec<Sample> {
    let each = |&n: &usize| {
        let mut random = Random::new(seed ^ n as u64);
        games.get(n).map_or_else(Vec::new, |game| samples(game, options, &mut random))
    };
    picked.par_iter().flat_map_iter(each).collect()
}

/// The positions of `game`; none when it is not a legal game to its end.
pub(crate) fn samples(game: &Played, options: &TrainOptions, random: &mut Random) -> Vec<Sample> {
    let linear = Linear::built_in(UNDER_NETWORKS);
    let (mut samples, mut sides, mut beneath) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_sound = true;
    let end = game.replay(|ply| {
        if matches!(ply.played.kind, Kind::Quick | Kind::Full) {
            let mut after = ply.played.below.iter();
            let each = |position: &Position, below: &Below| {
                after.next();
                if !position.is_over() {
                    beneath.push((*position, *below, followed(below, after.as_slice())));
                }
            };
            is_sound &= ply.below(each);
            sides.push(ply.position.side());
            samples.push(of_game(&ply, linear));
        }
    });
    let Some(end) = end.filter(|end| is_sound && end.is_over()) else { return Vec::new() };
    for (sample, side) in samples.iter_mut().zip(sides) {
        label(sample, side, &end, options.search_share);
    }
    let chance = (options.below_share * 256.0) as u32;
    beneath.retain(|(_, _, visits)| !visits.is_empty() || random.below(256) < chance);
    let of = |(position, below, visits): &(Position, Below, Vec<_>)| {
        of_below(position, below, visits, linear)
    };
    samples.extend(beneath.iter().map(of));
    samples
}

/// A position with nothing known of it.
fn unlabelled(position: &Position, linear: &Linear) -> Sample {
    let inputs = Inputs::of_position(position);
    Sample {
        size: position.size(),
        bits: inputs.iter().map(|bit| bit as u16).collect(),
        counts: Box::new(inputs.counts),
        weight: 1.0,
        result: [0.0; 3],
        lead: 0.0,
        linear: linear.logit(position, &inputs.counts.map(f32::from)),
        owners: None,
        plies: Box::default(),
    }
}

/// A position that the game went through, with what its search said; the lead
/// is in points still.
fn of_game(ply: &ReplayedPly<'_>, linear: &Linear) -> Sample {
    let played = ply.played;
    Sample {
        result: [played.winrate, 0.0, 1.0 - played.winrate],
        lead: played.lead,
        plies: plies(ply.position, &played.visits, linear),
        ..unlabelled(ply.position, linear)
    }
}

/// The legal plies with their shares of the visits; none when none has any.
fn plies(position: &Position, visits: &[(Ply, u32)], linear: &Linear) -> Box<[PlySample]> {
    let sum: u32 = visits.iter().map(|&(_, count)| count).sum();
    if sum == 0 {
        return Box::default();
    }
    let mut plies = Vec::new();
    linear.refined_logits(position, &mut plies);
    let share = |ply: Ply| {
        let visits = visits.iter().find(|&&(other, _)| other == ply);
        visits.map_or(0.0, |&(_, count)| count as f32 / sum as f32)
    };
    let each = |&(ply, logit): &(Ply, f32)| PlySample {
        row: ply_row(ply, Size::MAX) as u16,
        logit: logit / UNIT,
        share: share(ply),
    };
    plies.iter().map(each).collect()
}

/// A position that a search looked at often; `visits` are those of its plies.
fn of_below(position: &Position, below: &Below, visits: &[(Ply, u32)], linear: &Linear) -> Sample {
    Sample {
        // The less, the more chance was in its value.
        weight: 0.02 / (0.06 / below.visits as f32 + 0.02),
        result: [below.winrate, 0.0, 1.0 - below.winrate],
        lead: below.lead / LEAD_UNIT,
        plies: plies(position, visits, linear),
        ..unlabelled(position, linear)
    }
}

/// Visits from which a position below is worth learning the policy from.
const FOLLOWED: u32 = 200;

/// How often each ply was visited from `below`, a position of so many visits
/// that it is worth learning, when most of that is known; else nothing. `after`
/// is what was told of after it. Visits are those of positions: one that is
/// reached in several ways has those of all.
pub(super) fn followed(below: &Below, after: &[Below]) -> Vec<(Ply, u32)> {
    let inside = after.iter().take_while(|after| after.depth > below.depth);
    let next = inside.filter(|after| after.depth == below.depth + 1);
    // Of others only some are told of.
    let often = next.filter(|after| after.visits >= Below::OFTEN);
    let visits: Vec<(Ply, u32)> = often.map(|after| (after.ply, after.visits)).collect();
    let known: u32 = visits.iter().map(|&(_, count)| count).sum();
    let is_known = below.visits >= FOLLOWED && 5 * known >= 3 * below.visits;
    if is_known { visits } else { Vec::new() }
}

/// Mixes the search's values with what came of the position.
fn label(sample: &mut Sample, side: Color, end: &Position, search_share: f32) {
    let points = |color: Color| f32::from(end.score(color).points);
    let result = match end.outcome().winner() {
        None => [0.0, 1.0, 0.0],
        Some(winner) if winner == side => [1.0, 0.0, 0.0],
        Some(_) => [0.0, 0.0, 1.0],
    };
    let mix = |search: f32, real: f32| real + search_share * (search - real);
    for (search, real) in sample.result.iter_mut().zip(result) {
        *search = mix(*search, real);
    }
    sample.lead = mix(sample.lead, points(side) - points(!side)) / LEAD_UNIT;
    sample.owners = Some([end.islands(side), end.islands(!side)]);
}
