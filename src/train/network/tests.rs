use std::fs;
use std::path::{Path, PathBuf};

use super::gradient::{Scratch, learn};
use super::heads::{LEAD_SHARE, OWNER_SHARE, POLICY_SHARE};
use super::images::Images;
use super::losses::Losses;
use super::model::{
    COUNTED, INPUT, INPUT_BIAS, OUTPUT, OUTPUT_BIAS, OWNER, OWNER_BIAS, PLY, PLY_BIAS, Part,
    SECOND, SECOND_BIAS, SHARED,
};
use super::sample::{Sample, followed, samples, samples_of};
use super::trainer::Trainer;
use super::training::Training;
use super::*;
use crate::board::{Cell, Size};
use crate::eval::network::{Accumulators, Network, ply_row};
use crate::game::Ply;
use crate::search::{Below, Searcher};
use crate::train::selfplay::{DataFile, Played, Settings};

/// Games on a board of `size`, all turns searched in full.
fn games(size: u64, count: u64) -> Vec<Played> {
    let size = Size::new(size).unwrap();
    let settings =
        Settings { size, full: 60, quick: 20, full_share: 1.0, resign: 0.0, ..Settings::default() };
    let mut searcher = Searcher::default();
    (0..count).map(|number| settings.play(number, &mut searcher).unwrap()).collect()
}

/// Small steps through few games.
fn options() -> TrainOptions {
    TrainOptions {
        batch: 64,
        window: 4,
        epochs: 2,
        below_share: 1.0,
        search_share: 0.5,
        hold_out: 0,
        ..TrainOptions::default()
    }
}

fn training(options: TrainOptions, games: Vec<Played>) -> Training {
    Training::new(options, TrainGames { games, files: Vec::new() })
}

/// The weights after some windows of the games.
fn weights(options: TrainOptions, games: &[Played], windows: usize) -> Vec<f32> {
    let mut training = training(options, games.to_vec());
    for _ in 0..windows {
        training.advance().unwrap();
    }
    training.trainer.weights
}

/// What the gradient is of.
fn objective(weights: &[f32], samples: &[Sample], images: &Images) -> f64 {
    let of = |sample: &Sample| {
        let Losses { result, lead, policy, owner, .. } =
            learn(weights, sample, images, &mut Scratch::default(), None);
        // Leads that are off by more than 10 points weigh less.
        let off = (lead / 100.0).sqrt();
        let lead = if off < 1.0 { off * off / 2.0 } else { off - 0.5 };
        let value = result + f64::from(LEAD_SHARE) * lead;
        f64::from(sample.weight) * value
            + f64::from(POLICY_SHARE) * policy
            + f64::from(OWNER_SHARE) * owner
    };
    samples.iter().map(of).sum()
}

#[test]
fn gradients_are_the_slopes_of_the_losses() {
    let games = games(6, 2);
    let samples: Vec<Sample> = samples_of(&games, &[0, 1], &options(), 1);
    let below: Vec<_> = samples.iter().filter(|sample| sample.owners.is_none()).take(2).collect();
    let whole = samples.iter().filter(|sample| !sample.plies.is_empty()).step_by(3).take(6);
    let samples: Vec<Sample> = whole.chain(below).cloned().collect();
    assert_eq!(samples.len(), 8);
    let images = &Images::all(samples[0].size)[5];
    let weights = model::initial(7);
    let mut gradient = vec![0.0; weights.len()];
    for sample in &samples {
        learn(&weights, sample, images, &mut Scratch::default(), Some(&mut gradient));
    }
    let parts: [(&str, Part); 12] = [
        ("input", INPUT),
        ("input bias", INPUT_BIAS),
        ("shared", SHARED),
        ("counted", COUNTED),
        ("second", SECOND),
        ("second bias", SECOND_BIAS),
        ("output", OUTPUT),
        ("output bias", OUTPUT_BIAS),
        ("ply", PLY),
        ("ply bias", PLY_BIAS),
        ("owner", OWNER),
        ("owner bias", OWNER_BIAS),
    ];
    for (name, part) in parts {
        // The steepest, and some others that are not flat.
        let mut places: Vec<usize> = part.all().collect();
        places.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
        for at in [0, 1, 2, 3].map(|n| places[n]) {
            let slope = |step: f32| {
                let mut weights = weights.clone();
                weights[at] += step;
                let more = objective(&weights, &samples, images);
                weights[at] -= 2.0 * step;
                (more - objective(&weights, &samples, images)) / (2.0 * f64::from(step))
            };
            let (expected, found) = (slope(2e-3), f64::from(gradient[at]));
            let error = (found - expected).abs() / expected.abs().max(0.02);
            assert!(error < 0.02, "{name} {at}: {found}, not {expected}");
        }
    }
}

#[test]
fn training_lowers_the_losses() {
    let games = games(6, 8);
    let options = TrainOptions { epochs: 40, window: 8, rate: 0.01, hold_out: 7, ..options() };
    let mut training = training(options, games);
    assert_eq!(training.games(), [6, 2]);
    let first = *training.advance().unwrap();
    while training.advance().is_some() {}
    let last = training.curves.rows.last().unwrap();
    assert_eq!(training.curves.rows.len() as u64, training.planned());
    assert!((last.epoch - 40.0).abs() < 1e-9);
    let fell = |name: &str, before: f64, after: f64, by: f64| {
        assert!(after < before * by, "{name}: {before} to {after}");
    };
    fell("result", first.train.result, last.train.result, 0.98);
    fell("lead", first.train.lead, last.train.lead, 0.9);
    fell("policy", first.train.policy, last.train.policy, 0.99);
    fell("owner", first.train.owner, last.train.owner, 0.95);
    assert!(last.held_out.values().iter().all(|loss| loss.is_finite()));
    let linear = training.measure_linear();
    assert!(linear.owner.is_nan() && linear.result > 0.0 && linear.policy > 0.0);
}

#[test]
fn owners_are_measured_where_they_are_known() {
    let games = games(5, 2);
    let all = samples_of(&games, &[0, 1], &options(), 1);
    let owned: Vec<Sample> = all.iter().filter(|sample| sample.owners.is_some()).cloned().collect();
    assert!(!owned.is_empty() && owned.len() < all.len());
    let trainer = Trainer::new(1);
    let owner = |samples: &[Sample]| Summary::of(&trainer.measure(samples)).owner;
    assert!((owner(&all) - owner(&owned)).abs() < 1e-9);
}

#[test]
fn the_finished_network_says_what_the_trained_one_does() {
    let games = [games(5, 3), games(8, 1), games(12, 1)].concat();
    let options = TrainOptions { epochs: 30, rate: 0.005, ..options() };
    let mut training = training(options, games.clone());
    while training.advance().is_some() {}
    let trainer = &training.trainer;
    let network = Network::from_bytes(&trainer.to_bytes()).unwrap();
    let mut accumulators = Accumulators::new(&network);
    let (mut positions, mut learnt, mut farthest) = (0, 0.0f64, 0.0f64);
    for game in &games {
        let mut values = Vec::new();
        game.replay(|ply| {
            if !ply.played.visits.is_empty() {
                let evaluation = network.evaluate(ply.position, &mut accumulators);
                let mut priors = Vec::new();
                network.priors(ply.position, &mut accumulators, &mut priors);
                values.push((evaluation, priors));
            }
        });
        let options = TrainOptions { below_share: 0.0, ..options };
        let samples = samples(game, &options, &mut Random::new(1));
        let known = samples.iter().filter(|sample| !sample.plies.is_empty());
        for (sample, (evaluation, priors)) in known.zip(values) {
            // Losses say what the network does: those of a sure win, of a
            // lead of nothing, of each ply in turn.
            let mut sample = sample.clone();
            (sample.result, sample.lead) = ([1.0, 0.0, 0.0], 0.0);
            let losses = trainer.measure(std::slice::from_ref(&sample));
            let win = 1.0 - losses.square.sqrt();
            let lead = losses.lead.sqrt();
            farthest = farthest.max((win - f64::from(evaluation.win)).abs());
            assert!((win - f64::from(evaluation.win)).abs() < 0.03, "{win} {evaluation:?}");
            assert!((lead - f64::from(evaluation.lead.abs())).abs() < 0.8, "{lead} {evaluation:?}");
            let prior = |row: u16| {
                let of = |ply| ply_row(ply, Size::MAX) == usize::from(row);
                priors.iter().find(|&&(ply, _)| of(ply)).unwrap().1
            };
            let expected: f64 = sample
                .plies
                .iter()
                .filter(|ply| ply.share > 0.0)
                .map(|ply| -f64::from(ply.share * prior(ply.row).ln()))
                .sum();
            assert!((losses.policy - expected).abs() < 0.05, "{} {expected}", losses.policy);
            let linear = Losses::of_linear_on(&[sample]);
            learnt = learnt.max((win - (1.0 - linear.square.sqrt())).abs());
            positions += 1;
        }
    }
    // Not because there was nothing to say.
    assert!(positions > 30 && learnt > 0.1, "{positions} {learnt} {farthest}");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let games = games(5, 6);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| weights(options(), &games, 3))
    };
    let one = with(1);
    assert!(one == with(2) && one == with(3));
    assert!(one != weights(TrainOptions { seed: 2, ..options() }, &games, 3));
}

#[test]
fn what_followed_a_position_below_is_known_or_not() {
    let ply = |n| Ply::Tile(Cell::new(n, 0));
    let below = |depth, n, visits| Below { depth, ply: ply(n), visits, winrate: 0.5, lead: 0.0 };
    let after = [
        below(2, 1, 100),
        below(3, 2, 60),
        below(2, 3, 40),
        below(2, 7, 24),
        // Others of so few visits are not told of.
        below(2, 4, 23),
        below(1, 5, 300),
        below(2, 6, 90),
    ];
    let known = |visits| followed(&below(1, 0, visits), &after);
    assert_eq!(known(200), [(ply(1), 100), (ply(3), 40), (ply(7), 24)]);
    assert_eq!(known(273), known(200));
    assert_eq!(known(199), [], "too few visits");
    assert_eq!(known(274), [], "less than three fifths are known");
}

#[test]
fn what_followed_positions_below_is_learnt() {
    let size = Size::new(6).unwrap();
    let settings =
        Settings { size, full: 1500, full_share: 1.0, resign: 0.0, ..Settings::default() };
    let game = settings.play(1, &mut Searcher::default()).unwrap();
    let learnt = |below_share| -> Vec<Sample> {
        let options = TrainOptions { below_share, ..options() };
        let samples = samples(&game, &options, &mut Random::new(1));
        samples.into_iter().filter(|sample| sample.owners.is_none()).collect()
    };
    let few = learnt(0.0);
    for sample in &few {
        let sum: f32 = sample.plies.iter().map(|ply| ply.share).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    }
    let all = learnt(1.0);
    let with_plies = all.iter().filter(|sample| !sample.plies.is_empty()).count();
    assert!(few.len() > 10 && few.len() == with_plies && all.len() > 2 * few.len());
}

#[test]
fn what_is_not_sound_is_not_learnt() {
    let game = games(5, 1).remove(0);
    assert!(game.is_sound());
    let count = |game: &Played| samples(game, &options(), &mut Random::new(1)).len();
    assert!(count(&game) > game.plies.len() / 2);
    let at = game.plies.iter().position(|ply| ply.below.len() > 2).unwrap();
    let damaged = |change: &dyn Fn(&mut Played)| {
        let mut game = game.clone();
        change(&mut game);
        assert!(!game.is_sound());
        count(&game)
    };
    let cell = game.plies[0].ply;
    let damages: [&dyn Fn(&mut Played); 6] = [
        &|game| game.plies[at].below[0].ply = cell,
        &|game| game.plies[at].below[0].ply = Ply::Pass,
        &|game| game.plies[at].below[0].depth = 0,
        &|game| game.plies[at].below[1].depth = 9,
        &|game| game.plies[at].ply = cell,
        &|game| drop(game.plies.pop()),
    ];
    for damage in damages {
        assert_eq!(damaged(damage), 0);
    }
    // Visits of what cannot be played are no shares of anything.
    assert!(damaged(&|game| game.plies[at].visits[0].0 = cell) > 0);
}

/// A folder with a file of games; the path of a network in it.
fn folder(name: &str, size: u64) -> (PathBuf, Vec<PathBuf>) {
    let folder = std::env::temp_dir().join(format!("pontifex-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("some.games");
    let mut file = DataFile::open(&path, &Settings::default().header(), |_| true).unwrap();
    for game in games(size, 6) {
        file.add(&game).unwrap();
    }
    (folder.join("net.bin"), vec![path])
}

fn open(output: &Path, options: &TrainOptions, paths: &[PathBuf]) -> Result<TrainJob, TrainError> {
    TrainJob::open(output, options, TrainGames::read(paths).unwrap())
}

/// All the files of a network.
fn files(output: &Path) -> Vec<Vec<u8>> {
    ["", ".checkpoint", ".curves.txt", ".curves.svg"]
        .map(|name| fs::read(format!("{}{name}", output.display())).unwrap())
        .to_vec()
}

#[test]
fn what_is_resumed_ends_as_what_was_not_interrupted() {
    let (whole, games) = folder("resume", 5);
    let options = TrainOptions { hold_out: 3, window: 2, ..options() };
    let mut job = open(&whole, &options, &games).unwrap();
    while job.advance().unwrap().is_some() {}
    assert!(job.is_done() && job.windows() == (4, 4));
    let (parts, expected) = (whole.with_file_name("parts.bin"), files(&whole));
    // Left after each window, the curves being ahead of the checkpoint.
    for windows in 0..4 {
        let mut job = open(&parts, &options, &games).unwrap();
        assert_eq!(job.windows(), (windows, 4));
        job.advance().unwrap();
        job.save().unwrap();
        fs::write(whole.with_file_name("parts.bin.curves.txt"), "more").unwrap();
    }
    let mut job = open(&parts, &options, &games).unwrap();
    assert!(job.is_done() && job.advance().unwrap().is_none());
    let found = files(&parts);
    assert!(found[..3] == expected[..3]);
    let svg = String::from_utf8(found[3].clone()).unwrap().replace("parts.bin", "net.bin");
    assert_eq!(svg.as_bytes(), expected[3]);
    fs::remove_dir_all(whole.parent().unwrap()).unwrap();
}

#[test]
fn one_run_trains_a_network_at_a_time() {
    let (output, games) = folder("locked", 4);
    let options = options();
    let checkpoint = output.with_file_name("net.bin.checkpoint");
    let mut first = open(&output, &options, &games).unwrap();
    let refused = || {
        let before = fs::read(&checkpoint).unwrap();
        let error = open(&output, &options, &games).unwrap_err().to_string();
        assert!(error.ends_with("net.bin is being written by another run"), "{error}");
        assert!(fs::read(&checkpoint).unwrap() == before);
    };
    refused();
    // Also once another checkpoint has taken its place.
    first.advance().unwrap();
    first.save().unwrap();
    refused();
    drop(first);
    assert_eq!(open(&output, &options, &games).unwrap().windows().0, 1);
    fs::remove_dir_all(output.parent().unwrap()).unwrap();
}

#[test]
fn other_trainings_and_damaged_checkpoints_are_refused() {
    let (output, games) = folder("refused", 4);
    let options = options();
    let mut job = open(&output, &options, &games).unwrap();
    job.advance().unwrap();
    job.save().unwrap();
    drop(job);
    let refused = |options: &TrainOptions, games: &[PathBuf], said: &str| {
        let before = files(&output);
        let error = open(&output, options, games).unwrap_err().to_string();
        assert!(error.contains(said) && !error.contains('\n'), "{error}");
        assert!(files(&output) == before);
    };
    let other = TrainOptions { epochs: 3, rate: 0.5, ..options };
    let said = "of another training: epochs is 2 in the file, 3 now; rate is 0.001 in the file, \
                0.5 now; go back to what it says, or delete it";
    refused(&other, &games, said);
    let twice = [games.clone(), games.clone()].concat();
    refused(&options, &twice, "from some.games, not from some.games, some.games");
    // The same name, with fewer games and then with others.
    let folder = output.parent().unwrap().join("other");
    fs::create_dir(&folder).unwrap();
    let other = vec![folder.join("some.games")];
    let mut bytes = fs::read(&games[0]).unwrap();
    fs::write(&other[0], &bytes[..bytes.len() - 9]).unwrap();
    refused(&options, &other, "some.games had 6 games, now 5");
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let length = u32::from_le_bytes(*bytes[line..].first_chunk().unwrap()) as usize;
    bytes[line + 8] ^= 64;
    let sum = crc32fast::hash(&bytes[line + 8..line + 8 + length]);
    bytes[line + 4..line + 8].copy_from_slice(&sum.to_le_bytes());
    fs::write(&other[0], &bytes).unwrap();
    refused(&options, &other, "some.games has other games than then");

    let path = PathBuf::from(format!("{}.checkpoint", output.display()));
    let whole = fs::read(&path).unwrap();
    for at in (0..400).step_by(41).chain([whole.len() / 2, whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&path, damaged).unwrap();
        refused(&options, &games, if at < 26 { "is no checkpoint" } else { "is damaged: delete" });
    }
    for end in [26, 30, 35, whole.len() - 1] {
        fs::write(&path, &whole[..end]).unwrap();
        refused(&options, &games, "is damaged: delete");
    }
    fs::remove_file(&path).unwrap();
    fs::write(&output, "Dear network,\n").unwrap();
    let error = open(&output, &options, &games).unwrap_err().to_string();
    assert!(error.ends_with("is there and is no network: name another file for the output"));
    fs::remove_dir_all(output.parent().unwrap()).unwrap();
}
