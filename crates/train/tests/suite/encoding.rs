//! Tests of `src/selfplay/record.rs`, by files of games.

use std::fs;
use std::path::Path;

use pontifex::board::{Cell, Cells, Site, Size};
use pontifex::game::{Color, Rules, Step, Supply};
use pontifex_train::selfplay::{DataError, DataFile, Header, Kind, Played, PlayedStep, read};
use proptest::collection::vec;
use proptest::prelude::*;

use pontifex_testing::folder;

const HEADER: &[u8] = b"pontifex-games 3 board=4\n";

/// Codes of steps, as in docs/training.md.
const SITES: u16 = 192;
const PASS: u16 = 1728;

/// Writes a file of these games and returns its bytes.
fn write_file(path: &Path, games: &[Played]) -> Vec<u8> {
    fs::write(path, HEADER).unwrap();
    let mut file = DataFile::open(path, &Header::parse("board=4"), &mut |_| true).unwrap();
    for game in games {
        file.add(game).unwrap();
    }
    fs::read(path).unwrap()
}

/// The encoding of a game.
fn encode(path: &Path, game: &Played) -> Vec<u8> {
    write_file(path, std::slice::from_ref(game)).split_off(HEADER.len() + 8)
}

/// Reads a file that has these bytes after its header.
fn read_tail(path: &Path, tail: &[u8]) -> Result<Vec<Played>, DataError> {
    fs::write(path, [HEADER, tail].concat()).unwrap();
    read(path)
}

/// The game with this encoding.
fn decode(path: &Path, bytes: &[u8]) -> Option<Played> {
    let (length, checksum) = (bytes.len() as u32, crc32fast::hash(bytes));
    let tail = [&length.to_le_bytes()[..], &checksum.to_le_bytes(), bytes].concat();
    read_tail(path, &tail).ok()?.pop()
}

/// All sites of the largest board.
fn sites() -> Vec<Site> {
    let cells = Cells::board(Size::MAX);
    let ends = cells.into_iter().flat_map(|a| cells.into_iter().map(move |b| (a, b)));
    ends.filter(|(a, b)| a < b).filter_map(|(a, b)| Site::between(a, b)).collect()
}

fn steps() -> impl Strategy<Value = Step> {
    let coordinates = (0..12u8, 0..12u8);
    prop_oneof![
        coordinates.prop_map(|(column, row)| Step::Tile(Cell::new(column, row))),
        prop::sample::select(sites()).prop_map(Step::Bridge),
        Just(Step::Pass),
    ]
}

fn played_steps() -> impl Strategy<Value = PlayedStep> {
    let kinds = vec![Kind::Random, Kind::Quick, Kind::Full, Kind::Finishing];
    let kind = prop::sample::select(kinds);
    let visits = vec((steps(), 0..=u32::from(u16::MAX)), 0..20);
    (steps(), kind, any::<u16>(), any::<i16>(), visits).prop_map(
        |(step, kind, winrate, lead, visits)| {
            let winrate = f32::from(winrate) / f32::from(u16::MAX);
            let lead = f32::from(lead) / 64.0;
            let visits = if kind == Kind::Full { visits } else { Vec::new() };
            if kind == Kind::Random {
                return PlayedStep::random(step);
            }
            PlayedStep { step, kind, winrate, lead, visits }
        },
    )
}

fn rules() -> impl Strategy<Value = Rules> {
    let sizes: Vec<Size> = Size::all().collect();
    let limited =
        (0..200u16, 0..100u16).prop_map(|(tiles, bridges)| Supply::Limited { tiles, bridges });
    let supply = prop_oneof![Just(Supply::Standard), Just(Supply::Unlimited), limited];
    (prop::sample::select(sizes), supply).prop_map(|(size, supply)| {
        let standard = Supply::Standard;
        // Equal limits decode to the standard supply.
        let is_standard = supply.limits(size) == standard.limits(size);
        Rules { size, supply: if is_standard { standard } else { supply }, pie: false }
    })
}

/// Any game that can be encoded, legal or not.
fn games() -> impl Strategy<Value = Played> {
    let clear = prop::sample::select(vec![None, Some(Color::White), Some(Color::Red)]);
    (any::<u64>(), rules(), vec(played_steps(), 0..30), clear, any::<bool>()).prop_map(
        |(number, rules, steps, clear, is_check)| Played { number, rules, steps, clear, is_check },
    )
}

proptest! {
    #[test]
    fn games_round_trip(games in vec(games(), 0..4)) {
        let path = &folder("encoding-round-trip").join("some.games");
        write_file(path, &games);
        prop_assert_eq!(read(path).unwrap(), games);
    }

    /// A prefix is a game with fewer steps, or no game.
    #[test]
    fn prefixes_are_shorter_games(game in games(), share in 0f64..1.0) {
        let path = &folder("encoding-prefix").join("some.games");
        let bytes = encode(path, &game);
        let part = &bytes[..(bytes.len() as f64 * share) as usize];
        if let Some(part) = decode(path, part) {
            prop_assert!(part.steps.len() < game.steps.len());
            prop_assert_eq!(&part.steps[..], &game.steps[..part.steps.len()]);
        }
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes in vec(any::<u8>(), 0..200)) {
        let path = &folder("encoding-any-bytes").join("some.games");
        let _ = read_tail(path, &bytes);
        let _ = decode(path, &bytes);
    }
}

#[test]
fn invalid_bytes_are_refused() {
    let path = &folder("encoding-invalid").join("some.games");
    let rules = Rules { pie: false, ..Rules::default() };
    let game = Played { number: 7, rules, steps: Vec::new(), clear: None, is_check: true };
    let bytes = encode(path, &game);
    assert_eq!(decode(path, &bytes), Some(game));
    assert_eq!(bytes, [7, 0, 0, 0, 0, 0, 0, 0, 10, 40, 0, 15, 0, 4]);
    for (index, value) in [(8, 3), (8, 13), (13, 3), (13, 8)] {
        let mut bytes = bytes.clone();
        bytes[index] = value;
        assert_eq!(decode(path, &bytes), None, "{value} at {index}");
    }
    // An invalid cell, site, code and kind.
    for word in [12u16, SITES + 12, PASS + 1, 4 << 12] {
        let bytes = [&bytes[..], &word.to_le_bytes()].concat();
        assert_eq!(decode(path, &bytes), None, "{word}");
    }
}

/// Files of games must stay readable.
#[test]
fn the_encoding_is_stable() {
    let path = &folder("encoding-stable").join("some.games");
    let tile = |code: u8| Step::Tile(Cell::new(code >> 4, code & 15));
    let step = |step, kind, winrate, lead, visits: Vec<(Step, u32)>| PlayedStep {
        step,
        kind,
        winrate,
        lead,
        visits,
    };
    let [a, b] = ["a4", "a6"].map(|cell| cell.parse().unwrap());
    let site = Site::between(a, b).unwrap();
    let steps = vec![
        step(tile(0x21), Kind::Random, 0.5, 0.0, vec![]),
        step(tile(0x43), Kind::Quick, 1.0, -1.5, vec![]),
        step(Step::Pass, Kind::Full, 0.0, 0.25, vec![(tile(0x10), 300), (Step::Pass, 2)]),
        step(Step::Bridge(site), Kind::Finishing, 0.0, 0.0, vec![]),
    ];
    let size = Size::MIN;
    let rules = Rules { size, supply: Supply::Unlimited, pie: false };
    let clear = Some(Color::Red);
    let game = Played { number: 0x0102, rules, steps, clear, is_check: false };
    let pass = PASS.to_le_bytes();
    let site = (SITES + 3).to_le_bytes();
    let expected = [
        &[2, 1, 0, 0, 0, 0, 0, 0, 4, 255, 255, 255, 255, 2][..],
        &[0x21, 0x00],
        &[0x43, 0x10, 255, 255, 0xa0, 0xff],
        &[pass[0], pass[1] | 0x20, 0, 0, 16, 0, 2, 0x10, 0, 44, 1, pass[0], pass[1], 2, 0],
        &[site[0], site[1] | 0x30, 0, 0, 0, 0],
    ];
    assert_eq!(encode(path, &game), expected.concat());
}
