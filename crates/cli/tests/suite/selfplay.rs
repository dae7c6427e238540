//! `pontifex selfplay`: the games, their file, and ends of runs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use pontifex_train::selfplay::{Kind, Played, read};

use super::client::{pontifex, run, test_folder};
use super::tournament::wait_until;

/// Options for fast games on a small board.
const FAST: [[&str; 2]; 4] =
    [["--board", "5"], ["--full", "24"], ["--quick", "6"], ["--threads", "2"]];

/// The arguments for [`FAST`] games in `file`, overridden by `more`.
fn arguments<'a>(file: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let fast = FAST.iter().filter(|[name, _]| !more.contains(name)).flatten().copied();
    let start = ["selfplay", "--output", file.to_str().unwrap()];
    start.into_iter().chain(fast).chain(more.iter().copied()).collect()
}

/// Runs self-play with these arguments.
fn run_fast(file: &Path, more: &[&str]) -> Output {
    run(&arguments(file, more), b"")
}

/// Runs self-play, which must succeed, and returns its output.
fn play(file: &Path, more: &[&str]) -> String {
    let output = run_fast(file, more);
    assert_eq!(output.status.code(), Some(0), "{more:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts that the run is refused with a one-line error and that the file is unchanged.
fn assert_refused(file: &Path, more: &[&str], message: &str) {
    assert_fails(file, more, 2, message);
}

/// Asserts that the run fails with `code` and a one-line error and that the file is unchanged.
fn assert_fails(file: &Path, more: &[&str], code: i32, message: &str) {
    let before = fs::read(file).ok();
    let output = run_fast(file, more);
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{more:?}: {error}");
    assert!(error.lines().count() == 1 && error.contains(message), "{more:?}: {error}");
    assert!(output.stdout.is_empty());
    assert_eq!(fs::read(file).ok(), before);
}

/// The games of a file, sorted by number.
fn read_games(file: &Path) -> Vec<Played> {
    let mut games = read(file).unwrap();
    games.sort_by_key(|game| game.number);
    games
}

fn game_numbers(file: &Path) -> Vec<u64> {
    read_games(file).iter().map(|game| game.number).collect()
}

fn games_file(name: &str) -> PathBuf {
    test_folder(name).join("some.games")
}

#[test]
fn games_are_played_and_counted() {
    let file = games_file("selfplay");
    let report = play(&file, &["--games", "12", "--resign", "0.2"]);
    let games = read_games(&file);
    assert!(games.iter().map(|game| game.number).eq(0..12));
    assert!(games.iter().all(|game| game.replay(|_| {}).unwrap().is_over()));
    let steps = || games.iter().flat_map(|game| &game.steps);
    let positions = steps().count();
    let full = steps().filter(|step| step.kind == Kind::Full).count();
    let value = full + steps().filter(|step| step.kind == Kind::Quick).count();
    let lines: Vec<&str> = report.lines().collect();
    assert!(lines[0].starts_with(&format!("{}: 12 games, ", file.display())), "{report}");
    assert!(lines[0].ends_with(&format!(" turns, {positions} positions")), "{report}");
    assert_eq!(lines[1], format!("to train on: policy {full}, value {value}"));
    assert!(lines[2].starts_with("White won "), "{report}");
    assert!(lines[3].starts_with("decided before the end: "), "{report}");
    assert!(lines[4].ends_with(" games an hour") && lines.len() == 5, "{report}");
    let first = fs::read(&file).unwrap();
    let header = "pontifex-games 3 board=5 supply=standard full=24 quick=6 seed=1 \
                  evaluator=linear full-share=0.25 resign=0.2 resign-check=0.1 weights=";
    assert!(first.starts_with(header.as_bytes()));
}

#[test]
fn a_run_continues_a_truncated_file() {
    let file = games_file("selfplay-resumed");
    play(&file, &["--games", "8"]);
    let (whole, all) = (fs::read(&file).unwrap(), read_games(&file));
    for end in [0, 20, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        fs::write(&file, &whole[..end]).unwrap();
        let count = read(&file).map_or(0, |games| games.len());
        let output = run_fast(&file, &["--games", "8"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let message = format!("has {count} games, {} are missing", 8 - count);
        assert_eq!(stderr(&output).contains(&message), count > 0, "{}", stderr(&output));
        assert_eq!(read_games(&file), all);
    }
    // More games, then the same number again.
    play(&file, &["--games", "10"]);
    let more = fs::read(&file).unwrap();
    assert_eq!(read_games(&file)[..8], all);
    let report = play(&file, &["--games", "10"]);
    assert!(report.contains(": 10 games, ") && !report.contains("an hour"), "{report}");
    assert_eq!(fs::read(&file).unwrap(), more);
}

#[test]
fn shards_add_up_to_the_whole() {
    let folder = test_folder("selfplay-shards");
    let whole = folder.join("whole.games");
    play(&whole, &["--games", "10", "--threads", "1"]);
    let mut merged = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let file = folder.join(shard.replace('/', "-of-"));
        play(&file, &["--games", "10", "--shard", shard]);
        merged.extend(read_games(&file));
        // A shard has the same header, so it can be completed.
        if shard == "2/3" {
            assert_eq!(game_numbers(&file), [1, 4, 7]);
            play(&file, &["--games", "10"]);
            assert_eq!(read_games(&file), read_games(&whole));
        }
    }
    merged.sort_by_key(|game| game.number);
    assert_eq!(merged, read_games(&whole));
}

#[test]
fn unsuitable_files_are_refused() {
    let folder = test_folder("selfplay-refused");
    let path = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let good = folder.join("good.games");
    play(&good, &["--games", "3"]);
    for (more, message) in [
        (&["--full", "25"][..], "full is 24 in the file, 25 now"),
        (&["--board", "6", "--seed", "2"], "board is 5 in the file, 6 now; seed is 1 in the file"),
        (&["--evaluator", "rollout"], "evaluator is linear in the file, rollout now"),
        (&["--full-share", "0.5"], "full-share is 0.25 in the file, 0.5 now"),
        (&["--resign", "0"], "resign is 0.02 in the file, 0 now"),
        (&["--resign-check", "1"], "resign-check is 0.1 in the file, 1 now"),
        (&["--tune", "widening=3"], "tune is not set in the file, exploration=0.8,"),
    ] {
        let args: Vec<&str> = more.iter().chain(&["--games", "4"]).copied().collect();
        assert_refused(&good, &args, message);
    }
    let letter = path("letter.txt", b"Dear games,\n");
    assert_refused(&letter, &[], "is not a file of pontifex selfplay");
    let mut bytes = fs::read(&good).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    assert_refused(&path("damaged.games", &bytes), &[], "game 3 of the file, at byte ");
    assert_fails(&folder, &[], 1, "refused: ");
    assert_fails(&folder.join("no/such/folder.games"), &[], 1, "folder.games: No such file");

    let locked = File::options().write(true).open(&good).unwrap();
    locked.try_lock().unwrap();
    assert_refused(&good, &["--games", "4"], "good.games is being written by another run");
    drop(locked);
    play(&good, &["--games", "4"]);
}

#[test]
fn wrong_usage_is_refused() {
    let folder = test_folder("selfplay-usage");
    let file = folder.join("none.games");
    let config = folder.join("engine.toml");
    fs::write(&config, "resign = 0.1\n").unwrap();
    for (more, message) in [
        (&["--shard", "3/2"][..], "is not a shard"),
        (&["--full-share", "1.5"], "a number from 0 to 1"),
        (&["--resign", "0.6"], "a number from 0 to 0.5"),
        (&["--resign-check", "NaN"], "a number from 0 to 1"),
        (&["--games", "0"], "from 1 to 1000000000"),
        (&["--full", "65536"], "from 1 to 65535"),
        // Options that do not apply to self-play.
        (&["--ponder", "on"], "--ponder"),
        (&["--config", config.to_str().unwrap()], "there is no option 'resign'; there are board"),
    ] {
        assert_refused(&file, more, message);
    }
    assert!(!file.exists());
    // A configuration file can set the options of games.
    fs::write(&config, "board = 4\nthreads = 1\n").unwrap();
    let searches = ["--full", "8", "--quick", "4", "--games", "2", "--output"];
    let files = [file.to_str().unwrap(), "--config", config.to_str().unwrap()];
    let output = run(&[&["selfplay"], &searches[..], &files].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(read_games(&file)[0].rules.size.get(), 4);
}

#[test]
fn files_of_other_weights_are_not_continued() {
    let file = games_file("selfplay-weights");
    play(&file, &["--games", "2"]);
    let bytes = fs::read(&file).unwrap();
    let offset = bytes.windows(8).position(|word| word == b"weights=").unwrap() + 8;
    let (now, other) = (&bytes[offset..offset + 8], b"0123abcd");
    fs::write(&file, [&bytes[..offset], other, &bytes[offset + 8..]].concat()).unwrap();
    let now = String::from_utf8_lossy(now);
    assert_refused(
        &file,
        &["--games", "4"],
        &format!("weights is 0123abcd in the file, {now} now"),
    );
}

#[cfg(unix)]
#[test]
fn one_interrupt_finishes_the_running_games() {
    let file = games_file("selfplay-interrupted");
    let child = pontifex()
        .args(arguments(&file, &["--games", "1000000"]))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("some games", || read(&file).is_ok_and(|games| games.len() > 2));
    crate::client::signal("-INT", &[child.id()]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let numbers = game_numbers(&file);
    assert!(numbers.iter().copied().eq(0..numbers.len() as u64), "{numbers:?}");
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains(&format!(": {} games, ", numbers.len())), "{report}");
    // The file can be continued.
    let more = (numbers.len() + 1).to_string();
    play(&file, &["--games", &more]);
    assert_eq!(read_games(&file).len(), numbers.len() + 1);
}

/// A full disk ends the run. The file keeps whole games and can be continued.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_grow_keeps_its_games() {
    let file = games_file("selfplay-full-disk");
    play(&file, &["--games", "2"]);
    let before = read_games(&file);
    // Limits files to 8 blocks of 512 or 1024 bytes; writing more is an error instead of a signal.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_pontifex")])
        .args(arguments(&file, &["--games", "100"]))
        .output()
        .unwrap();
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.lines().last().unwrap().contains("some.games: "), "{error}");
    let remaining = read_games(&file);
    assert!(remaining.len() > 2 && remaining.len() < 100, "{} games", remaining.len());
    assert!(before.iter().all(|game| remaining.contains(game)));
    let more = (remaining.last().unwrap().number + 2).to_string();
    play(&file, &["--games", &more]);
}
