use super::model;
use crate::eval::linear;
use crate::train::selfplay::Header;

/// How a network is trained.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainOptions {
    /// Positions of a step.
    pub batch: usize,
    /// Games whose positions are shuffled and learnt together.
    pub window: usize,
    /// How often every game is learnt.
    pub epochs: u64,
    /// The rate of the first steps; by a cosine it falls to a fiftieth.
    pub rate: f32,
    /// What each weight loses in a step, as a part of the rate.
    pub decay: f32,
    /// The same for the rows of the input.
    pub input_decay: f32,
    /// The search's share in the targets of value and lead; the rest is what
    /// came of the game.
    pub search_share: f32,
    /// Share of the positions below those of the games that is learnt, beside
    /// those whose policy is.
    pub below_share: f32,
    /// One game in so many is not learnt but measured; 0 is none.
    pub hold_out: u64,
    /// Decides first weights, order and symmetries.
    pub seed: u64,
}

impl Default for TrainOptions {
    fn default() -> Self {
        TrainOptions {
            batch: 2048,
            window: 5000,
            epochs: 6,
            rate: 0.001,
            decay: 0.01,
            input_decay: 1.0,
            search_share: 0.95,
            below_share: 0.1,
            hold_out: 30,
            seed: 1,
        }
    }
}

impl TrainOptions {
    /// All that decides, but for the games, what network is made.
    pub(super) fn header(&self) -> Header {
        let mut header = Header::default();
        header.push("weights", model::COUNT);
        header.push("linear", format!("{:08x}", linear::built_in_checksum(linear::UNDER_NETWORKS)));
        header.push("batch", self.batch);
        header.push("window", self.window);
        header.push("epochs", self.epochs);
        header.push("rate", self.rate);
        header.push("decay", self.decay);
        header.push("input-decay", self.input_decay);
        header.push("search-share", self.search_share);
        header.push("below-share", self.below_share);
        header.push("hold-out", self.hold_out);
        header.push("seed", self.seed);
        header
    }

    /// Whether the game of this number is held out.
    pub(super) fn holds_out(&self, number: u64) -> bool {
        self.hold_out > 0 && number % self.hold_out == 7 % self.hold_out
    }

    /// The rate so far along in an epoch, 0 to 1: a cosine over the epochs,
    /// straight between them.
    pub(super) fn rate(&self, epoch: u64, along: f32) -> f32 {
        let at = |epoch: u64| {
            let along = epoch as f32 / self.epochs as f32;
            self.rate * (0.02 + 0.98 * 0.5 * (1.0 + (along * std::f32::consts::PI).cos()))
        };
        at(epoch) + (at(epoch + 1) - at(epoch)) * along
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_says_all_options() {
        let options = TrainOptions::default();
        let mut others = [options; 10];
        others[0].batch = 9;
        others[1].window = 9;
        others[2].epochs = 9;
        others[3].rate = 0.5;
        others[4].decay = 0.5;
        others[5].input_decay = 0.5;
        others[6].search_share = 0.5;
        others[7].below_share = 0.5;
        others[8].hold_out = 9;
        others[9].seed = 9;
        for other in others {
            let (there, now) = (options.header(), other.header());
            assert_eq!(there.differences(&now).len(), 1, "{now}");
            assert_eq!(Header::parse(&now.to_string()), now);
        }
    }

    #[test]
    fn the_rate_falls_to_a_fiftieth() {
        let options = TrainOptions::default();
        let rates: Vec<f32> =
            (0..6).flat_map(|epoch| [0.0, 0.5].map(|along| options.rate(epoch, along))).collect();
        assert!(rates.is_sorted_by(|a, b| a > b), "{rates:?}");
        assert!((rates[0] - 0.001).abs() < 1e-9 && (rates[6] - 0.000_51).abs() < 1e-8);
        assert!((options.rate(5, 1.0) - 0.000_02).abs() < 1e-9);
    }

    #[test]
    fn one_game_in_so_many_is_held_out() {
        let held_out = |hold_out| {
            let options = TrainOptions { hold_out, ..TrainOptions::default() };
            (0..60).filter(|&number| options.holds_out(number)).count()
        };
        assert_eq!([0, 1, 2, 7, 30].map(held_out), [0, 60, 30, 9, 2]);
    }
}
