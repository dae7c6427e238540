//! Tests of `src/selfplay/file.rs`.

use std::fs;
use std::path::{Path, PathBuf};

use pontifex::board::Size;
use pontifex::search::Searcher;
use pontifex_train::selfplay::{DataError, DataFile, Games, Header, Played, Settings, read};

use pontifex_testing::folder;

const HEADER: &[u8] = b"pontifex-games 3 board=4\n";

fn path(name: &str) -> PathBuf {
    folder(name).join("some.games")
}

/// Writes a file of these games and returns its bytes.
fn write_file(path: &Path, games: &[Played]) -> Vec<u8> {
    fs::write(path, HEADER).unwrap();
    let mut file = DataFile::open(path, &Header::parse("board=4"), &mut |_| true).unwrap();
    for game in games {
        file.add(game).unwrap();
    }
    fs::read(path).unwrap()
}

/// Reads a file with these bytes.
fn read_bytes(path: &Path, bytes: &[u8]) -> Result<Vec<Played>, DataError> {
    fs::write(path, bytes).unwrap();
    read(path)
}

/// Games as they are read from a file.
fn games_from_file(path: &Path, count: u64) -> Vec<Played> {
    let settings = Settings {
        size: Size::MIN,
        full_iterations: 12,
        quick_iterations: 4,
        ..Settings::default()
    };
    let mut searcher = Searcher::default();
    let games: Vec<Played> = (0..count).map(|n| settings.play(n, &mut searcher).unwrap()).collect();
    read_bytes(path, &write_file(path, &games)).unwrap()
}

#[test]
fn a_damaged_byte_is_an_error_or_changes_nothing() {
    let path = &path("reader-damaged-byte");
    let games = games_from_file(path, 3);
    let whole = write_file(path, &games);
    assert_eq!(read_bytes(path, &whole).unwrap(), games);
    let mut errors = 0;
    for index in 0..whole.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[index] ^= flip;
            match read_bytes(path, &damaged) {
                // The header is not checked.
                Ok(read) => assert!(index < HEADER.len() && read == games, "byte {index} ^ {flip}"),
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains("some.games"), "{text}");
                    assert!(text.contains("is damaged") || text.contains("is not a file of"));
                    errors += 1;
                }
            }
        }
    }
    assert!(errors >= 3 * (whole.len() - HEADER.len()));
}

#[test]
fn the_damaged_game_is_named() {
    let path = &path("reader-damaged-game");
    let games = games_from_file(path, 3);
    let mut damaged = write_file(path, &games);
    let offset = write_file(path, &games[..1]).len();
    damaged[offset + 20] ^= 1;
    fs::write(path, &damaged).unwrap();
    let mut reader = Games::open(path).unwrap();
    assert_eq!(reader.header().to_string(), "board=4");
    assert_eq!(reader.next().unwrap().unwrap(), games[0]);
    let message = format!("{}: game 2 of the file, at byte {offset}, is damaged", path.display());
    assert!(reader.next().unwrap().unwrap_err().to_string().starts_with(&message));
    assert!(reader.next().is_none());
    assert_eq!(read_bytes(path, &damaged[..offset]).unwrap(), games[..1]);
}

#[test]
fn a_truncated_game_is_left_out() {
    let path = &path("reader-truncated-game");
    let games = games_from_file(path, 2);
    let whole = write_file(path, &games);
    let first = write_file(path, &games[..1]);
    for end in HEADER.len()..whole.len() {
        let count = usize::from(end >= first.len());
        assert_eq!(read_bytes(path, &whole[..end]).unwrap(), games[..count], "{end} bytes");
    }
    for zeros in [1, 7, 8, 9, 4096] {
        let tail = [&first[..], &vec![0; zeros]].concat();
        assert_eq!(read_bytes(path, &tail).unwrap(), games[..1], "{zeros} zeros");
    }
    let tail = [&first[..], &[0; 20], &[1]].concat();
    assert!(matches!(read_bytes(path, &tail), Err(DataError::Damaged { before: 1, .. })));
}

#[test]
fn other_files_are_refused() {
    let path = &path("reader-refused");
    let long = [&b"pontifex-games 3 "[..], &[b'x'; 5000], b"\n"].concat();
    for text in [
        &b""[..],
        b"\n",
        b"pontifex-games 2 board=4\n",
        b"pontifex-games 3 \xff\n",
        b"pontifex-games 33\n",
        b"(;GM[PonteDelDiavolo])\n",
        HEADER.trim_ascii(),
        &long,
    ] {
        let error = read_bytes(path, text).unwrap_err();
        assert!(matches!(error, DataError::Foreign { .. }), "{error}");
    }
    assert_eq!(read_bytes(path, HEADER).unwrap(), []);
}
