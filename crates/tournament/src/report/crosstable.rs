//! The crosstable of a tournament.

use crate::report::align::align;
use crate::statistics::elo::signed;
use crate::statistics::pairings::Pairings;
use crate::statistics::ratings::Ratings;
use pontifex::messages::printable;

/// A tournament's results as aligned plain text, the strongest engine first:
///
/// ```text
/// #  engine     Elo   ±  games  score        1        2      3
/// 1  strongest  +28  32    320  52.2%        -  155/300  12/20
/// 2  plain      +17  33    320  49.1%  145/300        -  12/20
/// 3  ö          -45  58     40  40.0%     8/20     8/20      -
/// ```
///
/// `±` is half the 95 % interval. A cell has the points out of the games against
/// the engine of that number. Engines that have not played have no Elo. If some
/// ratings cannot be compared, a last line names the groups. Every line ends in a
/// line feed, without trailing spaces.
///
/// # Panics
/// If names, results and ratings have different numbers of engines.
pub fn crosstable(names: &[impl AsRef<str>], pairings: &Pairings, ratings: &Ratings) -> String {
    assert_eq!(names.len(), pairings.engines(), "names and results differ in number");
    assert_eq!(names.len(), ratings.groups().len(), "names and ratings differ in number");
    let ranking = ratings.ranking();
    let mut rows = vec![["#", "engine", "Elo", "±", "games", "score"].map(String::from).to_vec()];
    rows[0].extend((1..=ranking.len()).map(|number| number.to_string()));
    for (place, &engine) in ranking.iter().enumerate() {
        let total = pairings.total(engine);
        let mut row = vec![(place + 1).to_string(), printable(names[engine].as_ref())];
        row.extend(match ratings.elo(engine) {
            Some(elo) => [signed(elo.value, 0), format!("{:.0}", elo.margin())],
            None => ["-", "-"].map(String::from),
        });
        row.push(total.games().to_string());
        row.push(total.score().map_or("-".to_owned(), |score| format!("{:.1}%", 100.0 * score)));
        row.extend(ranking.iter().map(|&opponent| {
            let tally = pairings.tally(engine, opponent);
            match tally.games() {
                0 => "-".to_owned(),
                games => format!("{}/{games}", tally.points()),
            }
        }));
        rows.push(row);
    }
    // Names to the left, numbers to the right.
    align(&rows, |column| column == 1) + &unconnected(&ranking, ratings)
}

/// A line with the groups that cannot be compared; empty if there is one group.
fn unconnected(ranking: &[usize], ratings: &Ratings) -> String {
    if ratings.is_connected() {
        return String::new();
    }
    // The ranking keeps groups together.
    let mut numbers = 1..;
    let groups = ranking.chunk_by(|&a, &b| ratings.groups()[a] == ratings.groups()[b]);
    let members: Vec<String> = groups
        .map(|group| {
            let numbers =
                numbers.by_ref().take(group.len()).map(|number: usize| number.to_string());
            numbers.collect::<Vec<_>>().join(" ")
        })
        .collect();
    format!(
        "No games connect the groups {}: compare Elo within a group only.\n",
        members.join(" | ")
    )
}
