//! Tests of `src/selfplay/file.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use pontifex::board::Size;
use pontifex::search::Searcher;
use pontifex_train::selfplay::{DataError, DataFile, Played, Settings, read};

/// A path in the temporary folder, without a file.
fn fresh_path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("pontifex-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn settings() -> Settings {
    Settings { size: Size::MIN, full_iterations: 12, quick_iterations: 4, ..Settings::default() }
}

/// The bytes of a game in a file.
fn frame(game: &Played) -> Vec<u8> {
    let path = fresh_path(&format!("frame-{}.games", game.number));
    let (mut file, _) = open(&path).unwrap();
    let begin = fs::read(&path).unwrap().len();
    file.add(game).unwrap();
    let bytes = fs::read(&path).unwrap().split_off(begin);
    fs::remove_file(path).unwrap();
    bytes
}

fn open(path: &Path) -> Result<(DataFile, Vec<u64>), DataError> {
    let mut numbers = Vec::new();
    let file = DataFile::open(path, &settings().header(), &mut |game: &Played| {
        numbers.push(game.number);
        true
    })?;
    Ok((file, numbers))
}

#[test]
fn a_run_continues_a_file() {
    let path = fresh_path("resume.games");
    let games = [3, 1].map(|n| settings().play(n, &mut Searcher::default()).unwrap());
    let (mut file, numbers) = open(&path).unwrap();
    assert!(numbers.is_empty());
    file.add(&games[0]).unwrap();
    assert!(matches!(open(&path), Err(DataError::Locked { .. })));
    // Readers need no lock.
    assert_eq!(read(&path).unwrap().len(), 1);
    file.sync().unwrap();
    drop(file);
    // Cut off at every byte of a game.
    let (whole, next) = (fs::read(&path).unwrap(), frame(&games[1]));
    for cut in 0..next.len() {
        fs::write(&path, [&whole, &next[..cut]].concat()).unwrap();
        let (mut file, numbers) = open(&path).unwrap();
        assert_eq!(numbers, [3]);
        file.add(&games[1]).unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), [&whole[..], &next].concat());
    }
    assert_eq!(open(&path).unwrap().1, [3, 1]);
    fs::remove_file(path).unwrap();
}

#[test]
fn a_torn_first_line_is_rewritten() {
    let path = fresh_path("torn.games");
    drop(open(&path).unwrap());
    let first = fs::read(&path).unwrap();
    assert_eq!(first, format!("pontifex-games 3 {}\n", settings().header()).as_bytes());
    for cut in 0..first.len() {
        fs::write(&path, &first[..cut]).unwrap();
        assert!(open(&path).unwrap().1.is_empty());
        assert_eq!(fs::read(&path).unwrap(), first);
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn refused_files_are_unchanged() {
    let path = fresh_path("other.games");
    let first = format!("pontifex-games 3 {}\n", settings().header());
    let game = frame(&settings().play(0, &mut Searcher::default()).unwrap());
    let mut damaged = [first.as_bytes(), &game, &game].concat();
    damaged[first.len() + 9] ^= 4;
    let cases: [(&[u8], &str); 4] = [
        (b"a letter", "is not a file of pontifex selfplay"),
        (b"pontifex-games 2 board=4\n", "does not begin with 'pontifex-games 3'"),
        (b"pontifex-games 3 board=4 full=9\n", "full is 9 in the file, 12 now"),
        (&damaged, "game 1 of the file"),
    ];
    for (bytes, message) in cases {
        fs::write(&path, bytes).unwrap();
        let error = open(&path).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    // A game with a correct checksum that is not sound.
    fs::write(&path, [first.as_bytes(), &game].concat()).unwrap();
    let error = DataFile::open(&path, &settings().header(), &mut |_| false).unwrap_err();
    assert!(matches!(error, DataError::Damaged { before: 0, .. }), "{error}");
    let folder = std::env::temp_dir();
    assert!(matches!(open(&folder), Err(DataError::File { .. })));
    fs::remove_file(path).unwrap();
}
