use super::sample::Sample;

/// Sums of losses over positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Losses {
    pub(crate) positions: f64,
    /// Cross-entropy of the result in nats.
    pub(crate) result: f64,
    /// Squared error of the expected result.
    pub(crate) square: f64,
    /// Positions whose decided result was foreseen, and decided ones.
    pub(crate) foreseen: f64,
    pub(crate) decided: f64,
    /// Squared error of the lead in points.
    pub(crate) lead: f64,
    /// Positions with a policy, its cross-entropy, and how often no ply was
    /// visited more than the likeliest.
    pub(crate) policies: f64,
    pub(crate) policy: f64,
    pub(crate) first: f64,
    /// Positions with owners, and the mean cross-entropy of a cell's.
    pub(crate) owned: f64,
    pub(crate) owner: f64,
}

impl Losses {
    /// Those of what the linear evaluation and prior say of a position.
    fn of_linear(sample: &Sample) -> Losses {
        let mut losses = Losses { positions: 1.0, ..Losses::default() };
        let (logit, lead) = sample.linear;
        let win = 1.0 / (1.0 + (-logit).exp());
        let [a, b, c] = sample.result;
        let target = a + b * 0.5;
        let hit = target * win.max(1e-6).ln() + (1.0 - target) * (1.0 - win).max(1e-6).ln();
        losses.result = -f64::from(hit);
        losses.square = f64::from(win - target).powi(2);
        if (a - c).abs() > 0.5 {
            losses.decided = 1.0;
            losses.foreseen = f64::from(u8::from((win > 0.5) == (a > c)));
        }
        losses.lead = f64::from(lead - sample.lead * 10.0).powi(2);
        if !sample.plies.is_empty() {
            let logits = || sample.plies.iter().map(|ply| ply.logit);
            let highest = logits().fold(f32::MIN, f32::max);
            let sum: f32 = logits().map(|logit| (logit - highest).exp()).sum();
            let hits = sample.plies.iter().map(|ply| ply.share * (ply.logit - highest - sum.ln()));
            losses.policies = 1.0;
            losses.policy = -f64::from(hits.sum::<f32>());
            losses.first = f64::from(u8::from(sample.is_first(logits())));
        }
        losses
    }

    /// Those of the linear evaluation and prior on some positions.
    pub(crate) fn of_linear_on(samples: &[Sample]) -> Losses {
        samples.iter().map(Losses::of_linear).sum()
    }
}

impl std::ops::AddAssign for Losses {
    fn add_assign(&mut self, other: Losses) {
        self.positions += other.positions;
        self.result += other.result;
        self.square += other.square;
        self.foreseen += other.foreseen;
        self.decided += other.decided;
        self.lead += other.lead;
        self.policies += other.policies;
        self.policy += other.policy;
        self.first += other.first;
        self.owned += other.owned;
        self.owner += other.owner;
    }
}

impl std::iter::Sum for Losses {
    fn sum<I: Iterator<Item = Losses>>(all: I) -> Losses {
        all.fold(Losses::default(), |mut sum, losses| {
            sum += losses;
            sum
        })
    }
}

/// Mean losses over some positions; not a number where none of them can tell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// Cross-entropy of the result in nats.
    pub result: f64,
    /// Root of the mean squared error of the expected result.
    pub error: f64,
    /// Share of the positions as good as decided whose winner was foreseen.
    pub foreseen: f64,
    /// Root of the mean squared error of the lead, in points.
    pub lead: f64,
    /// Cross-entropy of the policy in nats.
    pub policy: f64,
    /// How often no ply was visited more than the likeliest.
    pub first: f64,
    /// Cross-entropy of a cell's owner in nats.
    pub owner: f64,
}

impl Summary {
    /// What its values are called.
    pub const NAMES: [&str; 7] =
        ["result", "error", "foreseen", "lead", "policy", "first", "owner"];

    pub(super) fn of(losses: &Losses) -> Summary {
        Summary {
            result: losses.result / losses.positions,
            error: (losses.square / losses.positions).sqrt(),
            foreseen: losses.foreseen / losses.decided,
            lead: (losses.lead / losses.positions).sqrt(),
            policy: losses.policy / losses.policies,
            first: losses.first / losses.policies,
            owner: losses.owner / losses.owned,
        }
    }

    /// Its values in the order of their names.
    pub fn values(&self) -> [f64; 7] {
        let Summary { result, error, foreseen, lead, policy, first, owner } = *self;
        [result, error, foreseen, lead, policy, first, owner]
    }

    pub(super) const fn from_values(values: [f64; 7]) -> Summary {
        let [result, error, foreseen, lead, policy, first, owner] = values;
        Summary { result, error, foreseen, lead, policy, first, owner }
    }
}
