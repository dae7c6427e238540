//! Making a set of even first placements for the pie rule.
//!
//! With the pie rule the second player takes the better side, so the first player's best
//! placement is the most even one. There are too many placements to search all of them for long
//! (660 up to symmetry on 10×10, 1347 on 12×12), and a short search is not exact enough to name
//! the most even. So the search narrows in stages, as for the shipped files:
//!
//! ```text
//! stage 1   all placements    1,000 iterations
//! stage 2   the best 256      4,000
//! stage 3   the best 128     16,000
//! stage 4   the best 64      64,000           the best 32 are written
//! ```
//!
//! Each stage has four times the iterations for at most half of the placements, and keeps twice
//! to eight times as many as are wanted in the end, so that one bad estimate does not lose a
//! good placement.
//!
//! Unlike a suite, the file is sorted and therefore written only at the end. Results so far go
//! line by line to a second file, from which an interrupted run continues.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::openings::candidate::{Canonical, judge, unevenness};
use crate::openings::suite::{Lines, MakeError};
use crate::openings::text::line;
use pontifex::files;
use pontifex::game::{Move, Position, Rules};

/// Makes a set of even first placements for the pie rule, in four stages. The
/// first stage evaluates all placements, up to symmetry, by short searches;
/// each further stage evaluates the most even ones by longer searches.
#[derive(Clone, PartialEq, Debug)]
pub struct FirstMaker {
    /// Board and supply.
    pub rules: Rules,
    /// The largest number of placements kept; fewer if fewer are within `threshold`.
    pub count: usize,
    /// Iterations of each of the two searches for a placement in the last
    /// stage. Each earlier stage has a quarter of the next one's.
    pub playouts: u64,
    /// The largest distance of White's expected result from ½, 0 to ½.
    pub threshold: f64,
    /// The seed of the searches.
    pub seed: u64,
    /// The number of placements evaluated at a time, at least 1; no influence on the result.
    pub threads: usize,
}

impl FirstMaker {
    /// How many placements, in multiples of `count`, each stage passes to the
    /// next. Chosen; the last stage passes on `count`.
    const SURVIVORS: [usize; 3] = [8, 4, 2];

    /// Placements per thread evaluated between two writes. Chosen: so many are lost by an
    /// interruption at most.
    const BATCH: usize = 4;

    /// Makes the file at `path`, most even placements first. Results so far are
    /// kept in a second file, whose name ends in `.part`, from which an
    /// interrupted run continues and which is removed at the end. `report` is
    /// called with the number of placements evaluated in the stage, their
    /// total, and the stage (from 1).
    ///
    /// # Errors
    /// A file cannot be written, or the `.part` file was made with other
    /// options.
    pub fn make(
        &self,
        path: &Path,
        report: &mut dyn FnMut(usize, usize, usize),
    ) -> Result<Vec<(Move, f64)>, MakeError> {
        let part = {
            let mut name = path.as_os_str().to_owned();
            name.push(".part");
            PathBuf::from(name)
        };
        let header = self.header();
        let (mut file, lines) = Lines::open(&part, &header)?;
        let known: HashMap<(usize, String), f64> =
            lines.iter().filter_map(|line| read_judgement(line)).collect();
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        let mut judged: Vec<(Move, f64)> =
            first_placements(self.rules).into_iter().map(|mv| (mv, 0.5)).collect();
        for stage in 0..=Self::SURVIVORS.len() {
            let total = judged.len();
            // A quarter for each stage that is still to come.
            let playouts = self.playouts >> (2 * (Self::SURVIVORS.len() - stage));
            for (number, batch) in judged.chunks_mut(Self::BATCH * self.threads).enumerate() {
                let judge = |(mv, white): &mut (Move, f64)| {
                    let known = known.get(&(stage, mv.to_string()));
                    *white = known.copied().unwrap_or_else(|| self.judge(*mv, playouts.max(1)));
                    known.is_none().then(|| format!("{stage} {mv} {white}"))
                };
                let new: Vec<Option<String>> = match &pool {
                    Some(pool) if self.threads > 1 => {
                        pool.install(|| batch.par_iter_mut().map(judge).collect())
                    }
                    _ => batch.iter_mut().map(judge).collect(),
                };
                new.into_iter().flatten().try_for_each(|line| file.push(&line))?;
                let done = number * Self::BATCH * self.threads + batch.len();
                report(done, total, stage + 1);
            }
            // The sort is stable, so the order is the same on every machine.
            judged.sort_by(|a, b| unevenness(a.1).total_cmp(&unevenness(b.1)));
            let survivors = Self::SURVIVORS.get(stage).map_or(self.count, |n| n * self.count);
            judged.truncate(survivors);
        }
        judged.retain(|&(_, white)| unevenness(white) <= self.threshold);
        let lines = judged.iter().map(|&(mv, white)| format!("{}  # {white:.3}\n", line(&[mv])));
        let text = header + &lines.collect::<String>();
        files::write_whole(path, text.as_bytes())
            .and_then(|()| fs::remove_file(&part))
            .map_err(|reason| MakeError::File { file: path.to_owned(), reason })?;
        Ok(judged)
    }

    /// White's expected result after a first placement without a swap.
    fn judge(&self, mv: Move, playouts: u64) -> f64 {
        let mut position = Position::new(Rules { pie: false, ..self.rules });
        position.steps_of(mv).for_each(|step| position.make(step));
        judge(&position, playouts, self.seed)
    }

    /// The file's first lines.
    fn header(&self) -> String {
        format!(
            "# First placements for Ponte del Diavolo's pie rule, near even.\n\
             # board: {}\n# supply: {}\n# made by: pontifex {}\n# count: {}\n\
             # playouts: {}\n# threshold: {}\n# seed: {}\n\
             # Behind a placement: White's expected result when nobody swaps.\n",
            self.rules.size,
            self.rules.supply,
            env!("CARGO_PKG_VERSION"),
            self.count,
            self.playouts,
            self.threshold,
            self.seed,
        )
    }
}

/// White's first placements by `rules` in notation order, one of each class
/// under symmetry.
fn first_placements(rules: Rules) -> Vec<Move> {
    let empty = Position::new(Rules { pie: false, ..rules });
    let mut seen = HashSet::new();
    let mut moves = empty.moves();
    moves.retain(|&mv| {
        let mut after = empty;
        empty.steps_of(mv).for_each(|step| after.make(step));
        matches!(mv, Move::Tiles(..)) && seen.insert(Canonical::of(&after))
    });
    moves
}

/// Reads `STAGE MOVE RESULT`, with the stage from 0; `None` for any other line, whose placement is
/// then searched again.
fn read_judgement(line: &str) -> Option<((usize, String), f64)> {
    let mut words = line.split_whitespace();
    let (stage, mv) = (words.next()?.parse().ok()?, words.next()?.to_owned());
    Some(((stage, mv), words.next()?.parse().ok()?))
}
