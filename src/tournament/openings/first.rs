use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::candidate::{judge, unevenness};
use super::made::{Lines, MakeError};
use super::{Canonical, line};
use crate::game::{Move, Position, Rules};

/// How a set of even first placements for the pie rule is made: all of them,
/// up to symmetry, are judged by a quick search, those nearest to even by
/// longer ones, in four stages.
#[derive(Clone, PartialEq, Debug)]
pub struct FirstMaker {
    /// Board and supply.
    pub rules: Rules,
    /// How many placements are kept at most.
    pub count: usize,
    /// Iterations of a search in the last stage, of which there are two for a
    /// placement; a stage before has a quarter of those of the next.
    pub playouts: u64,
    /// How far from ½ White's expected result may be.
    pub threshold: f64,
    /// Seed of all that is random.
    pub seed: u64,
    /// Placements judged at a time.
    pub threads: usize,
}

impl FirstMaker {
    /// Of those a stage judged, how many times `count` go on to the next.
    const GOING_ON: [usize; 3] = [8, 4, 2];

    /// Placements judged between two writings, for each thread.
    const BATCH: usize = 4;

    /// Makes the file at `path`, nearest to even first. What was judged so
    /// far is in a file beside it, with `.part` at the end of its name, that
    /// is taken up when the work was interrupted and removed at the end.
    /// `report` is told of every placement judged: how many in the stage, of
    /// how many, and the stage.
    ///
    /// # Errors
    /// A file cannot be written, or the work was begun in another way.
    pub fn make(
        &self,
        path: &Path,
        mut report: impl FnMut(usize, usize, usize),
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
        for stage in 0..=Self::GOING_ON.len() {
            let total = judged.len();
            let playouts = self.playouts >> (2 * (Self::GOING_ON.len() - stage));
            // What is new is written after every batch.
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
            // A stable sort: the same order everywhere.
            judged.sort_by(|a, b| unevenness(a.1).total_cmp(&unevenness(b.1)));
            let going_on = Self::GOING_ON.get(stage).map_or(self.count, |n| n * self.count);
            judged.truncate(going_on);
        }
        judged.retain(|&(_, white)| unevenness(white) <= self.threshold);
        let lines = judged.iter().map(|&(mv, white)| format!("{}  # {white:.3}\n", line(&[mv])));
        let text = header + &lines.collect::<String>();
        fs::write(path, text)
            .and_then(|()| fs::remove_file(&part))
            .map_err(|reason| MakeError::File { file: path.to_owned(), reason })?;
        Ok(judged)
    }

    /// White's expected result after a first placement that stays his.
    fn judge(&self, mv: Move, playouts: u64) -> f64 {
        let mut position = Position::new(Rules { pie: false, ..self.rules });
        position.steps_of(mv).for_each(|step| position.make(step));
        judge(&position, playouts, self.seed)
    }

    /// The lines a file begins with.
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

/// White's first placements by `rules`, one of each class under symmetry, in
/// notation order.
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

/// `STAGE MOVE RESULT`.
fn read_judgement(line: &str) -> Option<((usize, String), f64)> {
    let mut words = line.split_whitespace();
    let (stage, mv) = (words.next()?.parse().ok()?, words.next()?.to_owned());
    Some(((stage, mv), words.next()?.parse().ok()?))
}
