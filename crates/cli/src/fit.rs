//! `pontifex fit`: fits weights to games, and measures weights on games that the fit has not seen.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::exit::UsageError;
use super::named_files::{refuse_overwrite, write_file};
use super::options::within;
use super::{exit, named_files};
use pontifex::eval::linear::{Evaluation, Linear, Weights};
use pontifex::files;
use pontifex::game::{Position, Rules, Step};
use pontifex::notation::DefaultRules;
use pontifex_train::selfplay::{self, Played};
use pontifex_train::{
    BlendOptions, Game, GameError, PolicyOptions, PolicyQuality, ValueOptions, ValueQuality,
    blend_loss, fit_blend, fit_layer, fit_prior, fit_value, hold_out,
};

/// Fit the weights of the evaluation and the prior to games
///
/// Reads game records in any format, or files of self-play games, and writes weights to FILE.
/// Prints the quality of the weights on held-out games to standard output, and progress to standard
/// error.
#[derive(Args, Debug)]
pub(super) struct Fit {
    /// Game records
    #[arg(value_name = "FILES", required = true)]
    inputs: Vec<PathBuf>,
    /// File to write the weights to
    #[arg(short, long, value_name = "FILE", required_unless_present = "measure")]
    output: Option<PathBuf>,
    /// Weights to start from, or to measure
    /// [default: zero to start from; the built-in ones for the board and supply of each game to measure]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Only measure the weights, on all games
    #[arg(long, conflicts_with = "output")]
    measure: bool,
    /// Part to fit: value, blend (values in leaf blends), prior (linear sums, then the hidden
    /// layer), or all
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
    /// Initial learning rate of the prior's two fits; it falls linearly to a fiftieth. 0.01 suits a
    /// fit that starts from good weights
    #[arg(long, value_name = "X", default_value_t = PolicyOptions::default().rate,
          value_parser = within(0.0001..=1.0_f32))]
    rate: f32,
    /// Penalty on squared weights of the value
    #[arg(long, value_name = "X", default_value_t = ValueOptions::default().decay,
          value_parser = within(0.0..=1e6_f64))]
    decay: f64,
    /// Penalty on squared changes of those weights from phase to phase
    #[arg(long, value_name = "X", default_value_t = ValueOptions::default().smoothness,
          value_parser = within(0.0..=1e6_f64))]
    smoothness: f64,
    /// Seed of the order of games in the prior's fits, and of the initial hidden layer
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Fit {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.output {
            refuse_overwrite(&self.inputs, "--output", path)?;
            // A missing folder should be noticed before hours of fitting, not after.
            files::check_writable(path)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let initial = match &self.weights {
            Some(path) => Some(read_weights(path)?),
            None => None,
        };
        let mut games = Vec::new();
        for path in &self.inputs {
            games.extend(read_games(path)?);
        }
        let mut out = io::stdout().lock();
        if self.measure {
            exit::exit_on_broken_pipe();
            return match &initial.as_ref().map(Linear::new) {
                Some(linear) => self.report(&mut out, &games, &|_| linear),
                None => self.report(&mut out, &games, &Linear::built_in),
            };
        }
        let (training, held_out) = hold_out(games, self.hold_out);
        if training.is_empty() {
            return Err(UsageError("no games to fit to".to_owned()).into());
        }
        let mut weights = initial.unwrap_or_else(Weights::zero);
        self.fit(&training, &mut weights);
        if let Some(path) = &self.output {
            let comment = weights_comment(&self.part, training.len());
            write_file(path, weights.to_text(&comment))?;
        }
        // Measure what others will use: weights are rounded when they are written.
        let rounded = Linear::new(&Weights::parse(&weights.to_text("")).unwrap_or(weights));
        self.report(&mut out, &held_out, &|_| &rounded)
    }

    fn fit(&self, games: &[Game], weights: &mut Weights) {
        let (skip, epochs, rate, seed) = (self.skip, self.epochs, self.rate, self.seed);
        let value = ValueOptions {
            decay: self.decay,
            smoothness: self.smoothness,
            ..ValueOptions::default()
        };
        let prior = PolicyOptions { epochs, rate, skip, seed, ..PolicyOptions::default() };
        let is_wanted = |part: &str| self.part == part || self.part == "all";
        let mut report = |name: &str, number: usize, loss: f64| {
            let unit = if matches!(name, "prior" | "layer") { "epoch" } else { "step" };
            if unit == "epoch" || number.is_multiple_of(10) {
                let _ = writeln!(io::stderr(), "{name}: {unit} {number}, loss {loss:.5}");
            }
        };
        if is_wanted("value") {
            fit_value(games, &value, weights, &mut report);
        }
        if is_wanted("blend") {
            fit_blend(games, &BlendOptions::default(), weights, &mut report);
        }
        if is_wanted("prior") {
            fit_prior(games, &prior, weights, &mut report);
            fit_layer(games, &prior, weights, &mut report);
        }
    }

    /// Prints the quality of the weights that `linear` gives for the rules of each game.
    fn report<'l>(
        &self,
        out: &mut impl Write,
        games: &[Game],
        linear: ByRules<'_, 'l>,
    ) -> anyhow::Result<()> {
        let built_in: ByRules<'_, 'l> = &|rules| Linear::built_in(rules);
        writeln!(out, "{} games", games.len())?;
        let even = |_: &Position| Evaluation { win: 0.5, lead: 0.0 };
        let value_quality = |linear: ByRules<'_, '_>| {
            ValueQuality::of(games, &|position| linear(*position.rules()).evaluate(position))
        };
        let fitted = value_quality(linear);
        let rows = [
            ("even", &ValueQuality::of(games, &even)),
            ("points", &ValueQuality::of(games, &by_points)),
            ("built in", &value_quality(built_in)),
            ("linear", &fitted),
        ];
        writeln!(out, "value      loss    right   lead rmse")?;
        for (name, quality) in rows {
            let rmse = quality.lead_error.sqrt();
            writeln!(
                out,
                "{name:8} {:.4}   {:.1}%   {rmse:.3}",
                quality.loss,
                quality.accuracy * 100.0
            )?;
        }
        writeln!(out, "expected  happened  share")?;
        for (share, expected, result) in fitted.calibration {
            writeln!(out, "{expected:.3}     {result:.3}     {:.1}%", 100.0 * share)?;
        }
        writeln!(out, "blend      loss")?;
        for (name, linear) in [("built in", built_in), ("linear", linear)] {
            let loss = blend_loss(games, linear, &BlendOptions::default());
            writeln!(out, "{name:8} {loss:.4}")?;
        }
        writeln!(out, "prior      loss    first   five    by step")?;
        let policy_quality = |prior: fn(&Linear, &Position, &mut Vec<(Step, f32)>),
                              linear: ByRules<'_, '_>| {
            let prior = |position: &Position, steps: &mut Vec<_>| {
                prior(linear(*position.rules()), position, steps);
            };
            PolicyQuality::of(games, self.skip, &prior)
        };
        for (name, quality) in [
            ("built in", policy_quality(Linear::priors, built_in)),
            ("+ layer", policy_quality(Linear::refined_priors, built_in)),
            ("linear", policy_quality(Linear::priors, linear)),
            ("+ layer", policy_quality(Linear::refined_priors, linear)),
        ] {
            let [first, five] = [quality.first, quality.first_five].map(|share| share * 100.0);
            let [a, b] = quality.by_step;
            writeln!(
                out,
                "{name:8} {:.4}   {first:.1}%   {five:.1}%   {a:.4} {b:.4}",
                quality.loss
            )?;
        }
        Ok(out.flush()?)
    }
}

/// Gives the weights for the rules of a game.
type ByRules<'a, 'l> = &'a (dyn Fn(Rules) -> &'l Linear + Sync);

/// An evaluation by the difference in points alone, for comparison. The slope, 0.25 per point, is a
/// guess, never measured.
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

/// Reads a file of self-play games, or of game records.
pub(super) fn read_games(path: &Path) -> anyhow::Result<Vec<Game>> {
    let refuse = |reason: String| UsageError(format!("{}: {reason}", path.display()));
    let bytes = files::read(path).map_err(|error| refuse(error.to_string()))?;
    let with_number = |number: u64, game: Result<Game, GameError>| {
        game.map_err(|error| refuse(format!("game {number}: {error}")).into())
    };
    if selfplay::is_file_of_games(&bytes) {
        let games = selfplay::read(path).map_err(|error| UsageError(error.to_string()))?;
        let game = |played: Played| with_number(played.number, Game::from_selfplay(played));
        return games.into_iter().map(game).collect();
    }
    let file = path.display().to_string();
    let records = named_files::parse_records(&file, &bytes, &DefaultRules::default())?;
    (1..).zip(&records).map(|(number, record)| with_number(number, Game::new(record))).collect()
}

/// The comment at the top of the weights.
fn weights_comment(part: &str, games: usize) -> String {
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
