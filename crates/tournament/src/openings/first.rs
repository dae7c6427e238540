//! Making a set of even first placements for the pie rule.
//!
//! With the pie rule the second player takes the better side, so the first player's best placement
//! is the most even one. There are too many placements for long searches of all: 660 up to symmetry
//! on 10×10, 1347 on 12×12. Short searches are too inexact to find the most even one. So the search
//! narrows in stages. For the shipped files these were:
//!
//! ```text
//! stage 1   all placements    1,000 iterations
//! stage 2   the best 256      4,000
//! stage 3   the best 128     16,000
//! stage 4   the best 64      64,000           the best 32 are written
//! ```
//!
//! Each stage has four times the iterations of the stage before, for at most half of its
//! placements. It passes on two to eight times as many placements as are wanted in the end, so that
//! one bad estimate does not lose a good placement.
//!
//! The file is sorted, so unlike a suite it is written only at the end. Until then each result is
//! appended to a second file, from which an interrupted run continues.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::openings::candidate::{Canonical, evaluate, unevenness};
use crate::openings::suite::{GrowingFile, MakeError};
use crate::openings::text::format_opening;
use pontifex::files;
use pontifex::game::{Move, Position, Rules};

/// Makes a set of even first placements for the pie rule, in four stages. The first stage evaluates
/// all placements, up to symmetry, by short searches; each further stage evaluates the most even
/// ones by longer searches.
#[derive(Clone, PartialEq, Debug)]
pub struct FirstMaker {
    /// Board and supply.
    pub rules: Rules,
    /// The largest number of placements written. Fewer are written if fewer are within `threshold`.
    pub count: usize,
    /// The iterations of each of the two searches for a placement in the last stage. Each earlier
    /// stage has a quarter of the next one's.
    pub playouts: u64,
    /// The largest distance of White's expected result from ½, 0 to ½.
    pub threshold: f64,
    /// The seed of the searches.
    pub seed: u64,
    /// The number of placements evaluated at a time, at least 1. It does not influence the result.
    pub threads: usize,
}

impl FirstMaker {
    /// How many placements each stage but the last passes on, in multiples of `count`. Set by
    /// judgement: a stage has half the placements and four times the iterations of the one before,
    /// so that most of the time goes into the best placements.
    const SURVIVORS: [usize; 3] = [8, 4, 2];

    /// The number of placements for each thread between two writes. Set by judgement: an
    /// interruption loses at most these, and with fewer the threads would wait for the slowest more
    /// often.
    const BATCH: usize = 4;

    /// Makes the file at `path`, the most even placements first. Returns the placements with
    /// White's expected results. Results so far are kept in a second file, whose name ends in
    /// `.part`, and from which an interrupted run continues. `report` is called with the number of
    /// placements evaluated in the stage, their total, and the stage (from 1).
    ///
    /// # Errors
    /// A file cannot be written, or the `.part` file was made with other options.
    pub fn make(
        &self,
        path: &Path,
        report: &mut dyn FnMut(usize, usize, usize),
    ) -> Result<Vec<(Move, f64)>, MakeError> {
        let part_path = {
            let mut name = path.as_os_str().to_owned();
            name.push(".part");
            PathBuf::from(name)
        };
        let header = self.header();
        let (mut file, lines) = GrowingFile::open(&part_path, &header)?;
        let earlier_results: HashMap<(usize, String), f64> =
            lines.iter().filter_map(|line| read_result(line)).collect();
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        let mut placements: Vec<(Move, f64)> =
            first_placements(self.rules).into_iter().map(|mv| (mv, 0.5)).collect();
        for stage in 0..=Self::SURVIVORS.len() {
            let total = placements.len();
            // Divided by four for each stage still to come.
            let playouts = self.playouts >> (2 * (Self::SURVIVORS.len() - stage));
            for (number, batch) in placements.chunks_mut(Self::BATCH * self.threads).enumerate() {
                let evaluate_placement = |(mv, white): &mut (Move, f64)| {
                    let result = earlier_results.get(&(stage, mv.to_string())).copied();
                    *white = result.unwrap_or_else(|| self.evaluate(*mv, playouts.max(1)));
                    result.is_none().then(|| format!("{stage} {mv} {white}"))
                };
                let new_lines: Vec<Option<String>> = match &pool {
                    Some(pool) if self.threads > 1 => {
                        pool.install(|| batch.par_iter_mut().map(evaluate_placement).collect())
                    }
                    _ => batch.iter_mut().map(evaluate_placement).collect(),
                };
                new_lines.into_iter().flatten().try_for_each(|line| file.push(&line))?;
                let done = number * Self::BATCH * self.threads + batch.len();
                report(done, total, stage + 1);
            }
            // A stable sort, so that equally even placements keep the same order everywhere.
            placements.sort_by(|a, b| unevenness(a.1).total_cmp(&unevenness(b.1)));
            let survivors = Self::SURVIVORS.get(stage).map_or(self.count, |n| n * self.count);
            placements.truncate(survivors);
        }
        placements.retain(|&(_, white)| unevenness(white) <= self.threshold);
        let lines = placements
            .iter()
            .map(|&(mv, white)| format!("{}  # {white:.3}\n", format_opening(&[mv])));
        let text = header + &lines.collect::<String>();
        files::write_whole(path, text.as_bytes())
            .and_then(|()| fs::remove_file(&part_path))
            .map_err(|reason| MakeError::File { file: path.to_owned(), reason })?;
        Ok(placements)
    }

    /// White's expected result after a first placement without a swap.
    fn evaluate(&self, mv: Move, playouts: u64) -> f64 {
        let mut position = Position::new(Rules { pie: false, ..self.rules });
        mv.steps().for_each(|step| position.make(step));
        evaluate(&position, playouts, self.seed)
    }

    /// The file's first lines, with all options on which the result depends.
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

/// White's first placements in notation order, one for each class under symmetry.
fn first_placements(rules: Rules) -> Vec<Move> {
    let empty = Position::new(Rules { pie: false, ..rules });
    let mut seen = HashSet::new();
    let mut moves = empty.moves();
    moves.retain(|&mv| {
        let mut position = empty;
        mv.steps().for_each(|step| position.make(step));
        matches!(mv, Move::Tiles(..)) && seen.insert(Canonical::of(&position))
    });
    moves
}

/// Reads `STAGE MOVE RESULT`, with the stage from 0. `None` for any other line, so that its
/// placement is searched again.
fn read_result(line: &str) -> Option<((usize, String), f64)> {
    let mut words = line.split_whitespace();
    let (stage, mv) = (words.next()?.parse().ok()?, words.next()?.to_owned());
    Some(((stage, mv), words.next()?.parse().ok()?))
}
