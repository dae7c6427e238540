//! Making a suite of even openings.
//!
//! **Why even.** An opening that one colour always wins gives each engine one win and says nothing
//! about either.
//!
//! **Why different under symmetry.** A rotated opening is the same opening. Its pair of games would
//! count as new evidence, although it repeats earlier games.
//!
//! **How.** Candidates are numbered from 0. Candidate n is drawn from a random generator seeded by
//! the suite's seed and n. It is dropped if it equals an earlier candidate under symmetry. The
//! others are searched, several at a time, and kept if White's expected result is near ½:
//!
//! ```text
//! 0: d4,e6 c3,g6     searched: 0.512 ──> written
//! 1: a1,b5 ...       searched: 0.781     too uneven
//! 2: (0 rotated)     dropped without a search
//! 3: ...
//! ```
//!
//! Results are written in the order of the numbers, whichever search ends first. So the suite does
//! not depend on the number of threads.
//!
//! **Resuming.** Making a suite takes hours, so the file itself is the saved state: a header with
//! all options, and one line for each opening ([`GrowingFile`]). As in journals, a torn last line
//! is cut off. An interrupted run draws all candidates up to the number on the last line again.
//! That is cheap without the searches, and restores the set of candidates seen so far. Each line
//! must equal the candidate of its number. A file that was edited or made with other options is
//! refused and left unchanged.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use thiserror::Error;

use crate::openings::candidate::{Canonical, draw_opening, evaluate, unevenness};
use crate::openings::text::format_opening;
use pontifex::eval::Random;
use pontifex::files;
use pontifex::game::{Move, Position, Rules};
use pontifex::messages::excerpt;
use pontifex::notation::without_mark;

/// Makes a suite of openings: random turns of two tiles, kept if searches evaluate the position as
/// near even. No two openings are the same under the symmetries of the board.
///
/// The suite does not depend on the number of threads or on interruptions.
#[derive(Clone, PartialEq, Debug)]
pub struct SuiteMaker {
    /// Board and supply; the pie rule is off.
    pub rules: Rules,
    /// The number of turns of an opening. Each number in the range is equally likely.
    pub turns: RangeInclusive<usize>,
    /// The iterations of each of the two searches for a candidate.
    pub playouts: u64,
    /// The largest distance of White's expected result from ½, 0 to ½. A smaller one makes a suite
    /// more even, and rejects more candidates.
    pub threshold: f64,
    /// The seed of the candidates and of the searches. Another seed makes another suite.
    pub seed: u64,
    /// The number of candidates evaluated at a time, at least 1. It does not influence the result.
    pub threads: usize,
}

impl SuiteMaker {
    /// The number of repeated candidates in a row after which the search for new ones stops. Small
    /// boards have few openings, and would keep it running for ever. Set by judgement: a candidate
    /// that has not been drawn by then is very improbable.
    const MAX_REPEATS: u64 = 20_000;

    /// Makes openings until the file at `path` has `count` of them. Openings that the file already
    /// has are kept. `report` is called for each opening with the number of openings and of
    /// candidates so far.
    ///
    /// # Errors
    /// The file cannot be written, was made with other options, or no further openings are found.
    pub fn make(
        &self,
        path: &Path,
        count: usize,
        report: &mut dyn FnMut(usize, u64),
    ) -> Result<(), MakeError> {
        let header = self.header();
        let (mut file, lines) = GrowingFile::open(path, &header)?;
        let mut candidates = Candidates { maker: self, next: 0, seen: HashSet::new() };
        for (number, line) in lines.iter().enumerate() {
            if let Err(wanted) = candidates.catch_up(line) {
                return Err(mismatch(path, header.lines().count() + number + 1, line, &wanted));
            }
            report(number + 1, candidates.next);
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build().ok();
        // All threads wait for the slowest at the end of a batch, so a batch has four candidates
        // for each thread. Larger ones would waste more of the last batch.
        let batch_size = if self.threads > 1 { 4 * self.threads } else { 1 };
        let mut written = lines.len();
        while written < count {
            let batch: Vec<Candidate> = candidates.by_ref().take(batch_size).collect();
            if batch.is_empty() {
                return Err(MakeError::Exhausted { found: written, count, tried: candidates.next });
            }
            let evaluate_candidate =
                |candidate: &Candidate| evaluate(&candidate.position, self.playouts, self.seed);
            let results: Vec<f64> = match &pool {
                Some(pool) if batch.len() > 1 => {
                    pool.install(|| batch.par_iter().map(evaluate_candidate).collect())
                }
                _ => batch.iter().map(evaluate_candidate).collect(),
            };
            for (candidate, white) in batch.iter().zip(results) {
                if written < count && unevenness(white) <= self.threshold {
                    let moves = format_opening(&candidate.opening);
                    file.push(&format!("{moves}  # {} {white:.3}", candidate.number))?;
                    written += 1;
                    report(written, candidate.number + 1);
                }
            }
        }
        Ok(())
    }

    /// The file's first lines. They contain everything that the result depends on, so comparing
    /// headers compares options. The version is included, because another version may evaluate
    /// candidates differently.
    fn header(&self) -> String {
        let (first, last) = (self.turns.start(), self.turns.end());
        format!(
            "# Openings for Ponte del Diavolo, near even, no two the same under symmetry.\n\
             # board: {}\n# supply: {}\n# made by: pontifex {}\n# turns: {first}..{last}\n\
             # playouts: {}\n# threshold: {}\n# seed: {}\n\
             # Behind an opening: its number among the candidates, White's expected result.\n",
            self.rules.size,
            self.rules.supply,
            env!("CARGO_PKG_VERSION"),
            self.playouts,
            self.threshold,
            self.seed,
        )
    }

    /// Draws the candidate of a number; `None` if the game ends within its turns.
    fn draw_candidate(&self, number: u64) -> Option<Candidate> {
        // The rotation keeps seed 1 with number 2 different from seed 2 with number 1.
        let mut random = Random::new(self.seed.rotate_left(32) ^ number);
        let spread = self.turns.end().saturating_sub(*self.turns.start());
        let turns = self.turns.start() + random.below(spread as u32 + 1) as usize;
        let (opening, position) = draw_opening(self.rules, turns, &mut random)?;
        Some(Candidate { number, opening, position })
    }
}

/// An opening that was drawn but not evaluated.
struct Candidate {
    number: u64,
    opening: Vec<Move>,
    position: Position,
}

/// An iterator over the candidates of a maker, without those that repeat an earlier one.
struct Candidates<'a> {
    maker: &'a SuiteMaker,
    /// The number of the next candidate to draw.
    next: u64,
    /// The final positions of all candidates before it, kept or not.
    seen: HashSet<Canonical>,
}

impl Candidates<'_> {
    /// Draws candidates up to the one on `line` of the file.
    ///
    /// # Errors
    /// The text that the line should have, if it does not match.
    fn catch_up(&mut self, line: &str) -> Result<(), String> {
        let (moves, comment) = line.split_once('#').unwrap_or((line, ""));
        let number = comment.split_whitespace().next().and_then(|word| word.parse::<u64>().ok());
        let Some(number) = number else { return Err("OPENING  # NUMBER RESULT".to_owned()) };
        match self.by_ref().find(|candidate| candidate.number >= number) {
            Some(candidate) if candidate.number == number => {
                let wanted = format_opening(&candidate.opening);
                if moves.trim() == wanted { Ok(()) } else { Err(wanted) }
            }
            _ => Err("an opening with a larger number".to_owned()),
        }
    }
}

impl Iterator for Candidates<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        for _ in 0..SuiteMaker::MAX_REPEATS {
            let candidate = self.maker.draw_candidate(self.next);
            self.next += 1;
            if let Some(candidate) = candidate
                && self.seen.insert(Canonical::of(&candidate.position))
            {
                return Some(candidate);
            }
        }
        None
    }
}

/// Why openings cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The file cannot be read or written.
    #[error("cannot read or write {}: {reason}", file.display())]
    File {
        /// The path of the openings, or of the results so far.
        file: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// The file was made with other options, or is not a file of openings.
    #[error("{} is not a suite made with these options: line {line} is '{found}', not '{wanted}'; name another file", file.display())]
    Mismatch {
        /// The path of the file, which is unchanged.
        file: PathBuf,
        /// The first line that differs, from 1.
        line: usize,
        /// The beginning of the first line that differs, as the file has it.
        found: String,
        /// The line that these options would make.
        wanted: String,
    },
    /// No further opening was found.
    #[error(
        "only {found} of {count} openings found among {tried} candidates: ask for fewer openings, more turns or a larger threshold"
    )]
    Exhausted {
        /// The number of openings found, which are in the file.
        found: usize,
        /// The number of openings wanted.
        count: usize,
        /// The number of candidates drawn.
        tried: u64,
    },
}

/// A file that grows line by line below a header. As in journals, a line feed commits a line.
#[derive(Debug)]
pub(super) struct GrowingFile {
    path: PathBuf,
    file: File,
}

impl GrowingFile {
    /// Opens the file, or creates it with `header` (whole lines). Returns the complete lines below
    /// the header, and cuts off an incomplete last line.
    ///
    /// # Errors
    /// The file cannot be read or written, or begins with another header. It is unchanged then.
    pub(super) fn open(path: &Path, header: &str) -> Result<(GrowingFile, Vec<String>), MakeError> {
        let file_error = |reason| MakeError::File { file: path.to_owned(), reason };
        let read = || io::read_to_string(files::open_regular(path)?);
        let text = match read() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(file_error)?,
        };
        // The length of a byte-order mark, which an editor may have added. It is not part of the
        // header.
        let mark = text.len() - without_mark(text.as_bytes()).len();
        // A file that is empty or ends within its header has no results, so its header is written
        // again. Any other file must begin with the whole header.
        let has_content = !header.starts_with(&text[mark..]);
        if has_content {
            check_header(path, &text[mark..], header)?;
        } else {
            files::write_whole(path, header.as_bytes()).map_err(file_error)?;
        }
        let file = OpenOptions::new().append(true).open(path).map_err(file_error)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        // Only now is the file known to be a suite with these options, and may be changed.
        if has_content {
            file.set_len(whole as u64).map_err(file_error)?;
        }
        let lines = text.get(mark + header.len()..whole).unwrap_or_default().lines();
        Ok((GrowingFile { path: path.to_owned(), file }, lines.map(str::to_owned).collect()))
    }

    /// Appends a line with one write.
    pub(super) fn push(&mut self, line: &str) -> Result<(), MakeError> {
        let file_error = |reason| MakeError::File { file: self.path.clone(), reason };
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(file_error)
    }
}

/// Checks that the text begins with the header.
///
/// # Errors
/// The first line that differs.
fn check_header(path: &Path, text: &str, header: &str) -> Result<(), MakeError> {
    let mut found = text.lines();
    for (number, wanted) in header.lines().enumerate() {
        let found = found.next().unwrap_or_default();
        if found != wanted {
            return Err(mismatch(path, number + 1, found, wanted));
        }
    }
    Ok(())
}

/// The error for a file whose line `line` should be `wanted`.
fn mismatch(path: &Path, line: usize, found: &str, wanted: &str) -> MakeError {
    let (found, wanted) = (excerpt(found), excerpt(wanted));
    MakeError::Mismatch { file: path.to_owned(), line, found, wanted }
}
