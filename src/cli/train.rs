//! `pontifex train`: the network, from games of `pontifex selfplay`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::train::network::{Samples, Targets, TrainOptions, Trainer};
use crate::train::selfplay;

/// Train the evaluation.
#[derive(Args, Debug)]
pub(super) struct Train {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    #[arg(long)]
    output: PathBuf,
    #[arg(long, default_value_t = 6)]
    epochs: u64,
    #[arg(long, default_value_t = 4096)]
    batch: usize,
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    #[arg(long, default_value_t = 0.3)]
    input_decay: f32,
    #[arg(long, default_value_t = 0.5)]
    search_share: f32,
    #[arg(long, default_value_t = 0.3)]
    below_share: f32,
    #[arg(long, default_value_t = 400)]
    window: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Train {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut out = io::stdout();
        let start = Instant::now();
        let targets = Targets { search_share: self.search_share, below_share: self.below_share };
        let (mut held_out, mut fitted) = (Vec::new(), Vec::new());
        for path in &self.inputs {
            for game in selfplay::read(path)? {
                if game.number % 30 == 7 {
                    held_out.push(game)
                } else {
                    fitted.push(game)
                };
            }
        }
        writeln!(out, "{} games, {} held out", fitted.len(), held_out.len())?;
        if let Ok(net) = std::env::var("PROBE") {
            crate::train::network::probe(&held_out, &crate::eval::NetworkSource::load(&net)?);
            return Ok(());
        }
        let test = Samples::new(&held_out, &targets);
        writeln!(out, "{} positions held out, {:.1} s", test.len(), start.elapsed().as_secs_f64())?;
        let mut trainer = Trainer::new(self.seed);
        trainer.decays = self.input_decay;
        let options =
            TrainOptions { batch: self.batch, window: self.window, targets, decay: self.decay };
        writeln!(out, "linear {:?}", Trainer::measure_linear(&test))?;
        for epoch in 0..self.epochs {
            let rate = |epoch: u64| {
                let along = epoch as f32 / self.epochs as f32;
                self.rate * (0.02 + 0.98 * 0.5 * (1.0 + (along * std::f32::consts::PI).cos()))
            };
            let seed = self.seed ^ epoch << 32;
            let mut since = Instant::now();
            trainer.epoch(&fitted, &options, (rate(epoch), rate(epoch + 1)), seed, |trainer, along, s| {
                let speed = s.positions / since.elapsed().as_secs_f64();
                let line = |name: &str, s: &crate::train::network::Summary| {
                    println!(
                        "{:.3} {name} result {:.4} error {:.4} foreseen {:.4} lead {:.3} policy {:.4} first {:.4} owner {:.4} {speed:.0}/s",
                        epoch as f64 + along, s.result, s.error, s.foreseen, s.lead, s.policy, s.first, s.owner
                    );
                };
                line("train", s);
                if (along * 4.0).fract() < 1e-3 || (along * 10.0) as u64 % 3 == 0 {
                    line("test ", &trainer.measure(&test));
                    let _ = std::fs::write(&self.output, trainer.to_bytes());
                }
                since = Instant::now();
            });
        }
        std::fs::write(&self.output, trainer.to_bytes())?;
        Ok(())
    }
}
