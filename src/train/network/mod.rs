//! Training of the network: what `pontifex train` does.

mod gradient;
mod integers;
pub(crate) mod model;
mod sample;

use rayon::prelude::*;

use self::gradient::{Losses, Scratch, Shares, learn};
use self::model::Weights;
use self::sample::{Images, Sample, samples};
pub use self::sample::{Targets, probe};
use super::selfplay::Played;
use crate::board::Size;
use crate::eval::dispatch::compiled_for;
use crate::eval::linear::Linear;
use crate::eval::{Instructions, Random};

/// Parts of a batch whose gradients are added up one after the other: the
/// same whatever the number of threads.
const PARTS: usize = 4;

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
        let each = |game| samples(game, targets, linear, &mut Random::new(1));
        Samples(games.par_iter().flat_map_iter(each).collect())
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
    /// Games whose positions are shuffled.
    pub window: usize,
    /// What is learnt from them.
    pub targets: Targets,
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

    /// One pass over the games, some hundred at a time, in an order drawn from
    /// `seed`; the rate falls from `rates.0` to `rates.1`. `report` is told
    /// how it goes: the share of the games seen, the losses since the last
    /// time.
    pub fn epoch(
        &mut self,
        games: &[Played],
        options: &TrainOptions,
        rates: (f32, f32),
        seed: u64,
        mut report: impl FnMut(&Trainer, f64, &Summary),
    ) {
        let mut random = Random::new(seed);
        let mut order: Vec<usize> = (0..games.len()).collect();
        shuffle(&mut order, &mut random);
        let windows = order.chunks(options.window);
        let count = windows.len() as f32;
        for (number, window) in windows.enumerate() {
            let linear = Linear::built_in();
            let seed = random.bits();
            let mut samples: Vec<Sample> = window
                .par_iter()
                .flat_map_iter(|&n| {
                    let mut random = Random::new(seed ^ n as u64);
                    samples(&games[n], &options.targets, linear, &mut random)
                })
                .collect();
            shuffle(&mut samples, &mut random);
            let along = (number as f32 + 0.5) / count;
            let rate = rates.0 + (rates.1 - rates.0) * along;
            let mut losses = Losses::default();
            for batch in samples.chunks(options.batch) {
                losses += self.step(batch, rate, options.decay, random.bits());
            }
            report(self, f64::from((number + 1) as f32 / count), &Summary::of(&losses));
        }
    }

    fn step(&mut self, batch: &[Sample], rate: f32, decay: f32, seed: u64) -> Losses {
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
                        batch: &[Sample],
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
        self.steps += 1;
        let correct = |decay: f32, steps: u64| 1.0 - f64::from(decay).powf(steps as f64);
        let (c1, c2) = (correct(MEAN, self.steps) as f32, correct(SQUARE, self.steps) as f32);
        let gradients = &self.gradients[..parts];
        let each = 1.0 / count as f32;
        // Long steps at first would push all units to their ends.
        let rate = rate * (self.steps as f32 / WARM_UP).min(1.0);
        let decays = self.decays;
        let instructions = Instructions::detect();
        let pieces = self.weights.par_chunks_mut(PIECE);
        let pieces = pieces.zip(self.mean.par_chunks_mut(PIECE));
        let pieces = pieces.zip(self.square.par_chunks_mut(PIECE)).enumerate();
        pieces.for_each(|(n, ((weights, mean), square))| {
            let at = n * PIECE;
            let gradients: Vec<&[f32]> = gradients.iter().map(|all| &all[at..]).collect();
            let gradients = &gradients[..];
            let decay = if at < model::INPUT.all().end { decays } else { decay };
            let step = &Step { each, rate, c1, c2, decay };
            compiled_for!(
                instructions,
                adam(
                    gradients: &[&[f32]],
                    weights: &mut [f32],
                    mean: &mut [f32],
                    square: &mut [f32],
                    step: &Step,
                ) -> ()
            );
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

/// Steps until the rate has its full length.
const WARM_UP: f32 = 400.0;

/// Weights that take a step together.
const PIECE: usize = 1 << 13;

/// A step of Adam.
struct Step {
    /// What a position counts.
    each: f32,
    rate: f32,
    c1: f32,
    c2: f32,
    decay: f32,
}

#[inline(always)]
fn adam(
    gradients: &[&[f32]],
    weights: &mut [f32],
    mean: &mut [f32],
    square: &mut [f32],
    step: &Step,
) {
    let mut sum = [0.0f32; PIECE];
    let sum = &mut sum[..weights.len()];
    for gradient in gradients {
        for (sum, g) in sum.iter_mut().zip(*gradient) {
            *sum += g * step.each;
        }
    }
    for (((w, m), s), g) in weights.iter_mut().zip(mean).zip(square).zip(sum) {
        *m += 0.1 * (*g - *m);
        *s += 0.001 * (*g * *g - *s);
        let length = (*m / step.c1) / ((*s / step.c2).sqrt() + 1e-8);
        *w -= step.rate * (length + step.decay * *w);
        // What the integers of the finished network can hold.
        *w = w.clamp(-1.98, 1.98);
    }
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for n in (1..all.len()).rev() {
        all.swap(n, random.below(n as u32 + 1) as usize);
    }
}

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
        losses += learn(weights, sample, images, &SHARES, &mut scratch, Some(gradient));
    }
    losses
}

/// Mean losses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Positions.
    pub positions: f64,
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
            positions: losses.positions,
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
