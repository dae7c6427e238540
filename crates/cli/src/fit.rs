//! `pontifex fit`: fits weights to games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::exit::UsageError;
use super::named_files::{spare, write_file};
use super::{exit, named_files};
use pontifex::eval::linear::{Evaluation, Linear, Weights};
use pontifex::files;
use pontifex::game::{Position, Rules, Step};
use pontifex::notation::Assumed;
use pontifex_train::selfplay::{self, Played};
use pontifex_train::{
    BlendFit, BlendOptions, Game, Games, PolicyFit, PolicyOptions, PolicyQuality, ValueFit,
    ValueOptions, ValueQuality, blend_loss,
};

/// Fit the weights of the evaluation and the prior to games
///
/// Reads game records in any format, or files of self-play games, and writes
/// weights to FILE. Prints the quality of the weights on held-out games to
/// standard output, and progress to standard error.
#[derive(Args, Debug)]
pub(super) struct Fit {
    /// Game records
    #[arg(value_name = "FILES", required = true)]
    inputs: Vec<PathBuf>,
    /// File to write the weights to
    #[arg(short, long, value_name = "FILE", required_unless_present = "measure")]
    output: Option<PathBuf>,
    /// Weights to start from, or to measure [default: zero to start from; the
    /// built-in ones for the board and supply of each game to measure]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Only measure the weights, on all games
    #[arg(long, conflicts_with = "output")]
    measure: bool,
    /// Part to fit: value, blend (values in leaf blends), prior (linear sums,
    /// then the hidden layer), or all
    #[arg(long, value_name = "PART", value_parser = ["value", "blend", "prior", "all"],
          default_value = "all")]
    part: String,
    /// Hold out one game in N, in pairs; 0 holds out none
    #[arg(long, value_name = "N", default_value_t = 10)]
    hold_out: usize,
    /// Turns at the beginning of each game to leave out of the prior
    #[arg(long, value_name = "N", default_value_t = PolicyOptions::default().skip)]
    skip: usize,
    /// Passes over the games in each of the prior's two fits
    #[arg(long, value_name = "N", default_value_t = PolicyOptions::default().epochs)]
    epochs: usize,
    /// Penalty on squared weights of the value
    #[arg(long, value_name = "X", default_value_t = ValueOptions::default().decay)]
    decay: f64,
    /// Penalty on squared changes of those weights from phase to phase
    #[arg(long, value_name = "X", default_value_t = ValueOptions::default().smoothness)]
    smoothness: f64,
    /// Seed of the order of games in the prior's fits, and of the initial hidden
    /// layer
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Fit {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.output {
            spare(&self.inputs, "--output", path)?;
            // Fail now rather than after hours of fitting.
            files::check_writable(path)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let start = match &self.weights {
            Some(path) => Some(read_weights(path)?),
            None => None,
        };
        let mut games = Vec::new();
        for path in &self.inputs {
            games.extend(read_games(path)?);
        }
        let mut out = io::stdout().lock();
        if self.measure {
            exit::end_unread();
            return match &start {
                Some(weights) => self.report_one(&mut out, &games, weights),
                None => self.report(&mut out, &games, &Linear::built_in),
            };
        }
        let games = Games::split(games, self.hold_out);
        if games.fitted.is_empty() {
            return Err(UsageError("no games to fit to".to_owned()).into());
        }
        let mut weights = start.unwrap_or_else(Weights::zero);
        let is_wanted = |part: &str| self.part == part || self.part == "all";
        if is_wanted("value") {
            self.fit_value(&games.fitted, &mut weights);
        }
        if is_wanted("blend") {
            fit_blend(&games.fitted, &mut weights);
        }
        if is_wanted("prior") {
            self.fit_prior(&games.fitted, &mut weights);
        }
        if let Some(path) = &self.output {
            let comment = comment(&self.part, games.fitted.len());
            write_file(path, weights.to_text(&comment))?;
        }
        // Measure the weights as written, which are rounded.
        let rounded = Weights::parse(&weights.to_text("")).unwrap_or(weights);
        self.report_one(&mut out, &games.held_out, &rounded)
    }

    fn fit_value(&self, games: &[Game], weights: &mut Weights) {
        let options = ValueOptions {
            decay: self.decay,
            smoothness: self.smoothness,
            ..ValueOptions::default()
        };
        let mut fit = ValueFit::new(games);
        fit.fit(weights, &options, &mut |head, step, loss| {
            if step % 10 == 0 {
                let _ = writeln!(io::stderr(), "{head}: step {step}, loss {loss:.5}");
            }
        });
    }

    fn fit_prior(&self, games: &[Game], weights: &mut Weights) {
        let options = PolicyOptions {
            epochs: self.epochs,
            skip: self.skip,
            seed: self.seed,
            ..PolicyOptions::default()
        };
        let fit = PolicyFit::new(games, options);
        fit.fit(weights, &mut |epoch, loss| {
            let _ = writeln!(io::stderr(), "prior: epoch {epoch}, loss {loss:.5}");
        });
        fit.fit_layer(weights, &mut |epoch, loss| {
            let _ = writeln!(io::stderr(), "layer: epoch {epoch}, loss {loss:.5}");
        });
    }

    /// Prints the quality of `weights` on `games`, beside that of others.
    fn report_one(
        &self,
        out: &mut impl Write,
        games: &[Game],
        weights: &Weights,
    ) -> anyhow::Result<()> {
        let linear = Linear::new(weights);
        self.report(out, games, &|_| &linear)
    }

    /// Prints the quality of `linear`, which gives the weights for games by some
    /// rules.
    fn report<'l>(
        &self,
        out: &mut impl Write,
        games: &[Game],
        linear: ByRules<'_, 'l>,
    ) -> anyhow::Result<()> {
        let built_in: ByRules<'_, 'l> = &|rules| Linear::built_in(rules);
        writeln!(out, "{} games", games.len())?;
        let even = |_: &Position| Evaluation { win: 0.5, lead: 0.0 };
        let rows = [
            ("even", ValueQuality::of(games, &even)),
            ("points", ValueQuality::of(games, &by_points)),
            ("built in", ValueQuality::of_linear(games, built_in)),
            ("linear", ValueQuality::of_linear(games, linear)),
        ];
        writeln!(out, "value      loss    right   lead rmse")?;
        for (name, q) in &rows {
            let rmse = q.lead_error.sqrt();
            writeln!(out, "{name:8} {:.4}   {:.1}%   {rmse:.3}", q.loss, q.accuracy * 100.0)?;
        }
        writeln!(out, "expected  happened  share")?;
        for (count, expected, result) in rows[3].1.calibration {
            let share = 100.0 * count / rows[3].1.positions.max(1.0);
            writeln!(out, "{expected:.3}     {result:.3}     {share:.1}%")?;
        }
        writeln!(out, "blend      loss")?;
        for (name, linear) in [("built in", built_in), ("linear", linear)] {
            let loss = blend_loss(games, linear, &BlendOptions::default());
            writeln!(out, "{name:8} {loss:.4}")?;
        }
        writeln!(out, "prior      loss    first   five    by step")?;
        let quality = |prior: fn(&Linear, &Position, &mut Vec<(Step, f32)>),
                       linear: ByRules<'_, '_>| {
            let prior = |position: &Position, steps: &mut Vec<_>| {
                prior(linear(*position.rules()), position, steps);
            };
            PolicyQuality::of(games, self.skip, &prior)
        };
        for (name, q) in [
            ("built in", quality(Linear::priors, built_in)),
            ("+ layer", quality(Linear::refined_priors, built_in)),
            ("linear", quality(Linear::priors, linear)),
            ("+ layer", quality(Linear::refined_priors, linear)),
        ] {
            let [first, five] = [q.first, q.first_five].map(|share| share * 100.0);
            let [a, b] = q.by_step;
            writeln!(out, "{name:8} {:.4}   {first:.1}%   {five:.1}%   {a:.4} {b:.4}", q.loss)?;
        }
        Ok(out.flush()?)
    }
}

/// Weights for games by some rules.
type ByRules<'a, 'l> = &'a (dyn Fn(Rules) -> &'l Linear + Sync);

fn fit_blend(games: &[Game], weights: &mut Weights) {
    BlendFit::new(games, BlendOptions::default()).fit(weights, &mut |step, loss| {
        if step % 10 == 0 {
            let _ = writeln!(io::stderr(), "blend: step {step}, loss {loss:.5}");
        }
    });
}

/// An evaluation by the difference in points alone.
fn by_points(position: &Position) -> Evaluation {
    let points = |color| f32::from(position.score(color).points);
    let lead = points(position.side()) - points(!position.side());
    Evaluation { win: 1.0 / (1.0 + (-0.25 * lead).exp()), lead }
}

fn read_weights(path: &Path) -> Result<Weights, UsageError> {
    let refuse = |error: String| UsageError(format!("{}: {error}", path.display()));
    let text = files::read_text(path).map_err(|error| refuse(error.to_string()))?;
    Weights::parse(&text).map_err(|error| refuse(error.to_string()))
}

fn read_games(path: &Path) -> anyhow::Result<Vec<Game>> {
    let refuse = |reason: String| UsageError(format!("{}: {reason}", path.display()));
    let bytes = files::read(path).map_err(|error| refuse(error.to_string()))?;
    if selfplay::is_file_of_games(&bytes) {
        let games = selfplay::read(path).map_err(|error| UsageError(error.to_string()))?;
        let game = |played: &Played| {
            let refusal = || refuse(format!("game {}: a step is not legal", played.number)).into();
            Game::of_selfplay(played).ok_or_else(refusal)
        };
        return games.iter().map(game).collect();
    }
    let file = path.display().to_string();
    let records = named_files::parse(&file, &bytes, &Assumed::default())?;
    let game = |(n, record)| {
        Game::new(record).map_err(|error| refuse(format!("game {}: {error}", n + 1)).into())
    };
    records.iter().enumerate().map(game).collect()
}

/// The comment at the top of the weights.
fn comment(part: &str, games: usize) -> String {
    format!(
        "Weights of the linear evaluation and prior\n\
         Fitted by `pontifex fit --part {part}` to {games} games\n\
         Each line is KIND NAME NUMBERS. Phases run from the fullest board to the emptiest.\n\
         value: logit of the result at 4 phases, addend for half turns; the same for the lead.\n\
         blend: logit of the result in a leaf blend: 5 numbers for leaves, 5 for ends of rollouts.\n\
         step: logit of a turn's first step at 4 phases; the same for its second tile.\n\
         unit: biases of a hidden unit for first steps and second tiles; its output weights likewise.\n\
         hidden: weights of the feature for each of the 32 hidden units."
    )
}
