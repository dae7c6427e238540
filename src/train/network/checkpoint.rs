//! A training that was left: a line with a checksum, text that says what is
//! trained and how far, then numbers.

use std::fmt::Write;

use super::adam::Adam;
use super::curves::Curves;
use super::games::GameFile;
use super::model;
use super::training::Training;
use crate::train::selfplay::Header;

const MAGIC: &str = "pontifex-checkpoint 2 crc=";

/// Bytes that are no checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// They begin otherwise.
    Foreign,
    /// They are not what was written.
    Damaged,
}

/// What is trained.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Subject {
    /// With which options.
    pub(super) options: Header,
    /// From which games.
    pub(super) files: Vec<GameFile>,
}

/// A training that can be taken up again.
#[derive(Debug)]
pub(super) struct Checkpoint {
    pub(super) subject: Subject,
    /// Windows learnt.
    pub(super) windows: u64,
    pub(super) curves: Curves,
    pub(super) weights: Vec<f32>,
    pub(super) adam: Adam,
}

impl Subject {
    /// What another has otherwise, a few words each.
    pub(super) fn differences(&self, now: &Subject) -> Vec<String> {
        let mut differences = self.options.differences(&now.options);
        let names = |subject: &Subject| -> Vec<String> {
            subject.files.iter().map(|file| file.name.clone()).collect()
        };
        if names(self) != names(now) {
            let [there, now] = [self, now].map(|subject| names(subject).join(", "));
            differences.push(format!("its games are from {there}, not from {now}"));
            return differences;
        }
        for (there, now) in self.files.iter().zip(&now.files) {
            if there.games != now.games {
                let (name, before, now) = (&there.name, there.games, now.games);
                differences.push(format!("{name} had {before} games, now {now}"));
            } else if there.sum != now.sum {
                differences.push(format!("{} has other games than then", there.name));
            }
        }
        differences
    }

    /// A line of options, then one for each file.
    fn to_text(&self) -> String {
        let mut text = format!("options {}\n", self.options);
        for GameFile { name, games, sum } in &self.files {
            let _ = writeln!(text, "file {games} {sum:08x} {name}");
        }
        text
    }

    fn parse<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<(Subject, u64)> {
        let options = Header::parse(lines.next()?.strip_prefix("options ")?);
        let mut files = Vec::new();
        for line in lines {
            if let Some(windows) = line.strip_prefix("windows ") {
                return Some((Subject { options, files }, windows.parse().ok()?));
            }
            let mut words = line.strip_prefix("file ")?.splitn(3, ' ');
            let games = words.next()?.parse().ok()?;
            let sum = u32::from_str_radix(words.next()?, 16).ok()?;
            files.push(GameFile { name: words.next()?.to_owned(), games, sum });
        }
        None
    }
}

/// The bytes of a checkpoint of `training`.
pub(super) fn to_bytes(subject: &Subject, training: &Training) -> Vec<u8> {
    let trainer = &training.trainer;
    let mut text = subject.to_text();
    let _ = write!(text, "windows {}\n{}\n", training.windows, training.curves);
    let mut body = text.into_bytes();
    body.extend(trainer.adam.steps.to_le_bytes());
    for numbers in [&trainer.weights, &trainer.adam.mean, &trainer.adam.square] {
        body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    let mut bytes = format!("{MAGIC}{:08x}\n", crc32fast::hash(&body)).into_bytes();
    bytes.extend(body);
    bytes
}

/// The checkpoint of these bytes.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, Fault> {
    let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(Fault::Foreign)?;
    let (sum, rest) = rest.split_at_checked(8).ok_or(Fault::Damaged)?;
    let sum = str::from_utf8(sum).ok().and_then(|sum| u32::from_str_radix(sum, 16).ok());
    let body = rest.strip_prefix(b"\n").ok_or(Fault::Damaged)?;
    if sum != Some(crc32fast::hash(body)) {
        return Err(Fault::Damaged);
    }
    parse(body).ok_or(Fault::Damaged)
}

fn parse(body: &[u8]) -> Option<Checkpoint> {
    let end = body.windows(2).position(|pair| pair == b"\n\n")? + 1;
    let text = str::from_utf8(&body[..end]).ok()?;
    let (subject, windows) = Subject::parse(&mut text.lines())?;
    let table = text.split_once("\nwindows ").and_then(|(_, rest)| rest.split_once('\n'))?.1;
    let (steps, numbers) = body[end + 1..].split_first_chunk()?;
    let (numbers, []) = numbers.as_chunks() else { return None };
    let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    // Those of another engine's network, the options say, are more or fewer.
    let count = numbers.len() / 3;
    let (weights, rest) = numbers.split_at(count);
    let (mean, square) = rest.split_at(count);
    let adam =
        Adam { mean: mean.to_vec(), square: square.to_vec(), steps: u64::from_le_bytes(*steps) };
    Some(Checkpoint {
        subject,
        windows,
        curves: Curves::parse(table)?,
        weights: weights.to_vec(),
        adam,
    })
}

impl Checkpoint {
    /// Whether its numbers are those of a network of this engine's shape.
    pub(super) fn fits(&self) -> bool {
        [&self.weights, &self.adam.mean, &self.adam.square]
            .iter()
            .all(|numbers| numbers.len() == model::COUNT)
    }
}
