//! Training of the network: what `pontifex train` does.

mod gradient;
mod integers;
pub(crate) mod model;
mod sample;

use rayon::prelude::*;

use self::gradient::{Losses, Scratch, Shares, learn};
use self::model::Weights;
pub use self::sample::Targets;
use self::sample::{Images, Sample, samples};
use super::selfplay::Played;
use crate::board::Size;
use crate::eval::dispatch::compiled_for;
use crate::eval::linear::Linear;
use crate::eval::{Instructions, Random};

/// Parts of a batch whose gradients are added up one after the other: the
/// same whatever the number of threads.
const PARTS: usize = 8;

/// A network that is being trained.
#[derive(Debug)]
pub struct Trainer {
    pub(crate) weights: Weights,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u64,
    /// Decay of the inputs.
    pub decays: f32,
    gradients: Vec<Vec<f32>>,
    images: Vec<Vec<Images>>,
}

/// Positions made ready to learn from.
#[derive(Debug, Default)]
pub struct Samples(Vec<Sample>);

impl Samples {
    /// The positions of `games`.
    pub fn new(games: &[Played], targets: &Targets) -> Samples {
        let linear = Linear::built_in();
        Samples(games.par_iter().flat_map_iter(|game| samples(game, targets, linear)).collect())
    }

    /// For experiments.
    pub fn dump(&self, dir: &str, name: &str) -> std::io::Result<()> {
        use std::io::Write;
        let open = |what: &str| {
            std::fs::File::create(format!("{dir}/{name}.{what}")).map(std::io::BufWriter::new)
        };
        let (mut bits, mut counts, mut targets) =
            (open("bits")?, open("counts")?, open("targets")?);
        for sample in &self.0 {
            let mut words = [0u64; crate::eval::network::inputs::WORDS];
            for &bit in &sample.bits {
                words[usize::from(bit) / 64] |= 1 << (bit % 64);
            }
            // Cells of ten columns only.
            for word in words {
                bits.write_all(&word.to_le_bytes())?;
            }
            for &count in sample.counts.iter() {
                counts.write_all(&count.to_le_bytes())?;
            }
            for value in [
                sample.result[0] + 0.5 * sample.result[1],
                sample.lead,
                sample.linear.0,
                sample.linear.1,
            ] {
                targets.write_all(&value.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How a network is trained.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainOptions {
    /// Positions of a step.
    pub batch: usize,
    /// Length of the first step.
    pub rate: f32,
    /// Times all positions are looked at.
    pub epochs: u64,
    /// What each weight loses in a step, as a part of the rate.
    pub decay: f32,
}

const SHARES: Shares = Shares { lead: 0.5, policy: 1.0, owner: 1.5 };

impl Trainer {
    /// A network that knows nothing.
    pub fn new(seed: u64) -> Trainer {
        Trainer::with(model::initial(seed))
    }

    /// Goes on from these weights.
    pub(crate) fn with(weights: Weights) -> Trainer {
        let zero = || vec![0.0; weights.len()];
        let (mean, square) = (zero(), zero());
        let gradients = (0..PARTS).map(|_| zero()).collect();
        let images = (0..=Size::MAX.get())
            .map(|n| Size::new(u64::from(n)).map(Images::all).unwrap_or_default())
            .collect();
        Trainer { weights, mean, square, steps: 0, decays: 0.0, gradients, images }
    }

    /// One pass over the samples in an order drawn from `seed`; the rate
    /// falls from `rates.0` to `rates.1`.
    pub fn epoch(
        &mut self,
        samples: &Samples,
        options: &TrainOptions,
        rates: (f32, f32),
        seed: u64,
    ) -> Summary {
        let mut random = Random::new(seed);
        let mut order: Vec<u32> = (0..samples.0.len() as u32).collect();
        for n in (1..order.len()).rev() {
            order.swap(n, random.below(n as u32 + 1) as usize);
        }
        let mut losses = Losses::default();
        let batches = order.len().div_ceil(options.batch);
        for (number, batch) in order.chunks(options.batch).enumerate() {
            let along = number as f32 / batches as f32;
            let rate = rates.0 + (rates.1 - rates.0) * along;
            let seed = random.bits();
            losses += self.step(&samples.0, batch, rate, options.decay, seed);
        }
        Summary::of(&losses)
    }

    fn step(
        &mut self,
        samples: &[Sample],
        batch: &[u32],
        rate: f32,
        decay: f32,
        seed: u64,
    ) -> Losses {
        let (weights, images) = (&self.weights, &self.images);
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
                        samples: &[Sample],
                        batch: &[u32],
                        images: &[Vec<Images>],
                        random: &mut Random,
                        gradient: &mut [f32],
                    ) -> Losses
                )
            })
            .collect();
        self.descend(batch.len(), losses.len(), rate, decay);
        losses.into_iter().fold(Losses::default(), |mut all, losses| {
            all += losses;
            all
        })
    }

    /// Adam, with decay apart from the gradient (Loshchilov, Hutter,
    /// "Decoupled Weight Decay Regularization", 2019).
    fn descend(&mut self, count: usize, parts: usize, rate: f32, decay: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        const PIECE: usize = 1 << 14;
        self.steps += 1;
        let correct = |decay: f32, steps: u64| 1.0 - f64::from(decay).powf(steps as f64);
        let (c1, c2) = (correct(MEAN, self.steps) as f32, correct(SQUARE, self.steps) as f32);
        let gradients = &self.gradients[..parts];
        let each = 1.0 / count as f32;
        let decays = self.decays;
        let pieces = self.weights.par_chunks_mut(PIECE);
        let pieces = pieces.zip(self.mean.par_chunks_mut(PIECE));
        let pieces = pieces.zip(self.square.par_chunks_mut(PIECE)).enumerate();
        pieces.for_each(|(n, ((weights, mean), square))| {
            let at = n * PIECE;
            let mut sum = [0.0f32; PIECE];
            let sum = &mut sum[..weights.len()];
            for gradient in gradients {
                for (sum, g) in sum.iter_mut().zip(&gradient[at..]) {
                    *sum += g * each;
                }
            }
            let decay = if at < model::INPUT.all().end { decays } else { decay };
            adam(sum, weights, mean, square, rate, c1, c2, decay);
        });
    }

    /// The bytes of the finished network.
    pub fn to_bytes(&self) -> Vec<u8> {
        integers::of(&self.weights).to_bytes()
    }

    /// The mean losses of the linear evaluation on `samples`.
    pub fn measure_linear(samples: &Samples) -> Summary {
        let mut all = Losses::default();
        for sample in &samples.0 {
            let (logit, lead) = sample.linear;
            let win = 1.0 / (1.0 + (-logit).exp());
            let [a, b, c] = sample.result;
            let target = a + b * 0.5;
            all.positions += 1.0;
            all.square += f64::from((win - target).powi(2));
            all.result -= f64::from(
                target * win.max(1e-6).ln() + (1.0 - target) * (1.0 - win).max(1e-6).ln(),
            );
            if (a - c).abs() > 0.5 {
                all.decided += 1.0;
                all.foreseen += f64::from(u8::from((win > 0.5) == (a > c)));
            }
            all.lead += f64::from((lead - sample.lead * 10.0).powi(2));
            if !sample.plies.is_empty() {
                let sum: f32 = sample.plies.iter().map(|ply| ply.logit.exp()).sum();
                let mut best = (0.0, f32::MIN);
                let mut most = 0.0f32;
                for ply in &sample.plies {
                    all.policy -= f64::from(ply.share * (ply.logit - sum.ln()));
                    if ply.logit > best.1 {
                        best = (ply.share, ply.logit);
                    }
                    most = most.max(ply.share);
                }
                all.policies += 1.0;
                all.first += f64::from(u8::from(best.0 >= most));
            }
        }
        Summary::of(&all)
    }

    /// The mean losses on `samples`.
    pub fn measure(&self, samples: &Samples) -> Summary {
        let parts: Vec<Losses> = samples
            .0
            .par_chunks(1024)
            .map(|part| {
                let mut scratch = Scratch::default();
                let mut all = Losses::default();
                for sample in part {
                    let images = &self.images[usize::from(sample.size.get())][0];
                    all += learn(&self.weights, sample, images, &SHARES, &mut scratch, None);
                }
                all
            })
            .collect();
        let all = parts.into_iter().fold(Losses::default(), |mut all, losses| {
            all += losses;
            all
        });
        Summary::of(&all)
    }
}

#[expect(clippy::too_many_arguments, reason = "to be changed")]
fn adam(
    gradient: &[f32],
    weights: &mut [f32],
    mean: &mut [f32],
    square: &mut [f32],
    rate: f32,
    c1: f32,
    c2: f32,
    decay: f32,
) {
    for (((w, m), s), g) in weights.iter_mut().zip(mean).zip(square).zip(gradient) {
        *m += 0.1 * (g - *m);
        *s += 0.001 * (g * g - *s);
        *w -= rate * ((*m / c1) / ((*s / c2).sqrt() + 1e-8) + decay * *w);
        // What the integers of the finished network can hold.
        *w = w.clamp(-1.98, 1.98);
    }
}

#[inline(always)]
fn learn_all(
    weights: &[f32],
    samples: &[Sample],
    batch: &[u32],
    images: &[Vec<Images>],
    random: &mut Random,
    gradient: &mut [f32],
) -> Losses {
    let mut scratch = Scratch::default();
    let mut losses = Losses::default();
    for &n in batch {
        let sample = &samples[n as usize];
        let images = &images[usize::from(sample.size.get())][random.below(8) as usize];
        losses += learn(weights, sample, images, &SHARES, &mut scratch, Some(gradient));
    }
    losses
}

/// Mean losses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Cross-entropy of the result in nats.
    pub result: f64,
    /// Root of the mean squared error of the expected result.
    pub error: f64,
    /// Share of decided results that were foreseen.
    pub foreseen: f64,
    /// Root of the mean squared error of the lead, in points.
    pub lead: f64,
    /// Cross-entropy of the policy in nats.
    pub policy: f64,
    /// How often the most visited ply was the likeliest.
    pub first: f64,
    /// Cross-entropy of the cells' owners.
    pub owner: f64,
}

impl Summary {
    fn of(losses: &Losses) -> Summary {
        let positions = losses.positions.max(1.0);
        let policies = losses.policies.max(1.0);
        Summary {
            result: losses.result / positions,
            error: (losses.square / positions).sqrt(),
            foreseen: losses.foreseen / losses.decided.max(1.0),
            lead: (losses.lead / positions).sqrt(),
            policy: losses.policy / policies,
            first: losses.first / policies,
            owner: losses.owner / positions,
        }
    }
}
