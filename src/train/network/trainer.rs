use rayon::prelude::*;

use super::adam::{Adam, Pace};
use super::gradient::{Scratch, learn};
use super::images::Images;
use super::losses::Losses;
use super::model::{self, Weights};
use super::sample::Sample;
use super::{integers, shuffle};
use crate::board::Size;
use crate::eval::dispatch::compiled_for;
use crate::eval::{Instructions, Random};

/// Parts of a batch whose gradients are added up one after the other: the
/// same whatever the number of threads.
const PARTS: usize = 4;

/// Positions that are measured together.
const MEASURED: usize = 1024;

/// A network that is being trained.
#[derive(Debug)]
pub(crate) struct Trainer {
    pub(super) weights: Weights,
    pub(super) adam: Adam,
    /// One for each part of a batch.
    gradients: Vec<Vec<f32>>,
    /// The symmetries of each size of board.
    images: Vec<Vec<Images>>,
}

impl Trainer {
    /// A network that knows nothing.
    pub(crate) fn new(seed: u64) -> Trainer {
        let weights = model::initial(seed);
        let adam = Adam::new(weights.len());
        Trainer::with(weights, adam)
    }

    /// Goes on from there.
    pub(super) fn with(weights: Weights, adam: Adam) -> Trainer {
        let gradients = (0..PARTS).map(|_| vec![0.0; weights.len()]).collect();
        let images = (0..=Size::MAX.get())
            .map(|n| Size::new(u64::from(n)).map(Images::all).unwrap_or_default())
            .collect();
        Trainer { weights, adam, gradients, images }
    }

    /// Learns from the positions in an order drawn from `random`, `batch` of
    /// them a step; their losses, each before the step it was part of.
    pub(crate) fn learn(
        &mut self,
        samples: &mut [Sample],
        batch: usize,
        pace: Pace,
        random: &mut Random,
    ) -> Losses {
        shuffle(samples, random);
        samples.chunks(batch).map(|batch| self.step(batch, pace, random.bits())).sum()
    }

    fn step(&mut self, batch: &[Sample], pace: Pace, seed: u64) -> Losses {
        let (weights, images) = (&self.weights[..], &self.images[..]);
        let instructions = Instructions::detect();
        let part = batch.len().div_ceil(PARTS);
        let losses: Vec<Losses> = self
            .gradients
            .par_iter_mut()
            .zip(batch.par_chunks(part))
            .enumerate()
            .map(|(n, (gradient, batch))| {
                gradient.fill(0.0);
                let random = &mut Random::new(seed ^ n as u64);
                compiled_for!(
                    instructions,
                    learn_all(
                        weights: &[f32],
                        batch: &[Sample],
                        images: &[Vec<Images>],
                        random: &mut Random,
                        gradient: &mut [f32],
                    ) -> Losses
                )
            })
            .collect();
        let gradients = &self.gradients[..losses.len()];
        self.adam.descend(&mut self.weights, gradients, batch.len(), pace);
        losses.into_iter().sum()
    }

    /// The losses on `samples`, from which nothing is learnt.
    pub(crate) fn measure(&self, samples: &[Sample]) -> Losses {
        let (weights, images) = (&self.weights[..], &self.images[..]);
        let instructions = Instructions::detect();
        let parts: Vec<Losses> = samples
            .par_chunks(MEASURED)
            .map(|samples| {
                compiled_for!(
                    instructions,
                    measure_all(
                        weights: &[f32],
                        samples: &[Sample],
                        images: &[Vec<Images>],
                    ) -> Losses
                )
            })
            .collect();
        parts.into_iter().sum()
    }

    /// The bytes of the finished network.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        integers::of(&self.weights).to_bytes()
    }
}

/// The losses of a part of a batch and the sum of its gradients, each position
/// turned or mirrored by chance.
#[inline(always)]
fn learn_all(
    weights: &[f32],
    batch: &[Sample],
    images: &[Vec<Images>],
    random: &mut Random,
    gradient: &mut [f32],
) -> Losses {
    let mut scratch = Scratch::default();
    let mut losses = Losses::default();
    for sample in batch {
        let images = &images[usize::from(sample.size.get())][random.below(8) as usize];
        losses += learn(weights, sample, images, &mut scratch, Some(&mut *gradient));
    }
    losses
}

#[inline(always)]
fn measure_all(weights: &[f32], samples: &[Sample], images: &[Vec<Images>]) -> Losses {
    let mut scratch = Scratch::default();
    let mut losses = Losses::default();
    for sample in samples {
        let images = &images[usize::from(sample.size.get())][0];
        losses += learn(weights, sample, images, &mut scratch, None);
    }
    losses
}
