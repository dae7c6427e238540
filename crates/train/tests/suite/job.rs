//! Tests of `src/selfplay/playing.rs`.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use pontifex::board::Size;
use pontifex_train::selfplay::{DataFile, Played, Settings, read, run};

fn small_settings() -> Settings {
    Settings { size: Size::MIN, full_iterations: 12, quick_iterations: 4, ..Settings::default() }
}

/// Plays games 0 to 9 into a new file and reads them back, by number.
fn play(name: &str, threads: usize, stop_after: usize) -> Vec<Played> {
    let path = std::env::temp_dir().join(format!("pontifex-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    let settings = small_settings();
    let mut file = DataFile::open(&path, &settings.header(), &mut |_| true).unwrap();
    let stop = AtomicBool::new(false);
    let mut count = 0;
    run(&settings, &mut (0..10), threads, &mut file, &stop, &mut |_| {
        count += 1;
        stop.store(count >= stop_after, Ordering::Relaxed);
    })
    .unwrap();
    let mut games = read(&path).unwrap();
    assert_eq!(games.len(), count);
    fs::remove_file(path).unwrap();
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn games_do_not_depend_on_the_number_of_threads() {
    let alone = play("alone.games", 1, 10);
    assert!(alone.iter().map(|game| game.number).eq(0..10));
    assert_eq!(play("together.games", 3, 10), alone);
}

#[test]
fn running_games_are_finished_after_a_stop() {
    let games = play("stopped.games", 2, 1);
    // At most one more on each thread, and those already sent.
    assert!((1..10).contains(&games.len()), "{} games", games.len());
}
