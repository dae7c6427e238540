//! Tests of `src/report.rs`.

use pontifex_tournament::{Anchor, Bootstrap, PairTally, Pairings, Ratings, crosstable};

fn table(names: &[&str], pairings: &Pairings) -> String {
    let quick = Bootstrap { resamples: 200, seed: 3 };
    let text = crosstable(names, pairings, &Ratings::fit(pairings, Anchor::Mean, quick));
    assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    assert!(text.ends_with('\n') && !text.contains("NaN") && !text.contains("inf"), "{text}");
    text
}

#[test]
fn strongest_first_and_aligned() {
    let mut pairings = Pairings::new(3);
    pairings.add(0, 1, PairTally::from_counts([10, 40, 60, 30, 10]));
    pairings.add(0, 2, PairTally::from_counts([1, 1, 2, 5, 1]));
    pairings.add(1, 2, PairTally::from_counts([0, 2, 3, 4, 1]));
    let text = table(&["plain", "strongest", "ö"], &pairings);
    let expected = "\
#  engine     Elo   ±  games  score        1        2      3
1  strongest  +28  32    320  52.2%        -  155/300  12/20
2  plain      +17  33    320  49.1%  145/300        -  12/20
3  ö          -45  58     40  40.0%     8/20     8/20      -
";
    assert_eq!(text, expected);
}

#[test]
fn unconnected_groups_are_named() {
    let mut pairings = Pairings::new(5);
    pairings.add(0, 3, PairTally::from_counts([0, 0, 0, 0, 3]));
    pairings.add(2, 4, PairTally::from_counts([0, 0, 1, 0, 0]));
    let text = table(&["a", "b", "c", "d", "e"], &pairings);
    let last = "No games connect the groups 1 2 | 3 4 | 5: compare Elo within a group only.\n";
    assert!(text.ends_with(last), "{text}");
    assert!(text.contains("5  b          -    -      0       -    -"), "{text}");
}

#[test]
fn without_games_or_engines() {
    let text = table(&["two\nlines", ""], &Pairings::new(2));
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.contains("1  two lines"), "{text}");
    assert_eq!(table(&[], &Pairings::new(0)), "#  engine  Elo  ±  games  score\n");
}
