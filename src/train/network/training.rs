use super::adam::Pace;
use super::curves::{Curves, Row};
use super::games::TrainGames;
use super::losses::{Losses, Summary};
use super::options::TrainOptions;
use super::sample::{Sample, samples_of};
use super::shuffle;
use super::trainer::Trainer;
use crate::eval::Random;
use crate::train::selfplay::Played;

/// Decides which positions below those of games held out are measured.
const HELD_OUT_SEED: u64 = 1;

/// A network on its way through all the windows of games. What comes next
/// follows from the options, the games and the number of windows alone, so
/// that it can be left and taken up again after any of them.
#[derive(Debug)]
pub(crate) struct Training {
    options: TrainOptions,
    fitted: Vec<Played>,
    held_out: Vec<Sample>,
    held_out_games: usize,
    pub(super) trainer: Trainer,
    /// Windows learnt.
    pub(super) windows: u64,
    pub(super) curves: Curves,
}

impl Training {
    /// Nothing is learnt yet.
    pub(crate) fn new(options: TrainOptions, games: TrainGames) -> Training {
        let is_held_out = |game: &Played| options.holds_out(game.number);
        let (held_out, fitted): (Vec<_>, Vec<_>) = games.games.into_iter().partition(is_held_out);
        let all: Vec<usize> = (0..held_out.len()).collect();
        Training {
            options,
            fitted,
            held_out: samples_of(&held_out, &all, &options, HELD_OUT_SEED),
            held_out_games: held_out.len(),
            trainer: Trainer::new(options.seed),
            windows: 0,
            curves: Curves::default(),
        }
    }

    /// Games that are learnt, and those held out.
    pub(crate) fn games(&self) -> [usize; 2] {
        [self.fitted.len(), self.held_out_games]
    }

    /// Windows of an epoch.
    fn of_epoch(&self) -> u64 {
        self.fitted.len().div_ceil(self.options.window) as u64
    }

    /// Windows in all.
    pub(crate) fn planned(&self) -> u64 {
        self.of_epoch() * self.options.epochs
    }

    /// Learns the next window, if there is one.
    pub(crate) fn advance(&mut self) -> Option<&Row> {
        if self.windows >= self.planned() {
            return None;
        }
        let (epoch, number) = (self.windows / self.of_epoch(), self.windows % self.of_epoch());
        let mut samples = self.window(epoch, number);
        let mut random = Random::new(self.seed(epoch, number + 1));
        let along = (number as f32 + 0.5) / self.of_epoch() as f32;
        let rate = self.options.rate(epoch, along);
        let decays = [self.options.input_decay, self.options.decay];
        let pace = Pace { rate, decays };
        let losses = self.trainer.learn(&mut samples, self.options.batch, pace, &mut random);
        // Their memory is wanted for the next.
        drop(samples);
        self.windows += 1;
        let epoch = self.windows as f64 / self.of_epoch() as f64;
        let positions = self.curves.positions() + losses.positions;
        self.curves.add(Row {
            epoch,
            rate: f64::from(rate),
            positions,
            train: Summary::of(&losses),
            held_out: self.measure(),
        });
        self.curves.rows.last()
    }

    /// The positions of a window, game after game.
    fn window(&self, epoch: u64, number: u64) -> Vec<Sample> {
        let mut order: Vec<usize> = (0..self.fitted.len()).collect();
        shuffle(&mut order, &mut Random::new(self.seed(epoch, 0)));
        let picked = order.chunks(self.options.window).nth(number as usize).unwrap_or_default();
        let seed = Random::new(!self.seed(epoch, number + 1)).bits();
        samples_of(&self.fitted, picked, &self.options, seed)
    }

    /// A seed for each window of each epoch, and for each epoch itself: 0.
    fn seed(&self, epoch: u64, number: u64) -> u64 {
        self.options.seed ^ (epoch << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The losses on the games held out.
    pub(crate) fn measure(&self) -> Summary {
        Summary::of(&self.trainer.measure(&self.held_out))
    }

    /// Those of the linear evaluation.
    pub(crate) fn measure_linear(&self) -> Summary {
        Summary::of(&Losses::of_linear_on(&self.held_out))
    }
}
