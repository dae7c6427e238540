//! Tests of `src/selfplay/playing.rs`.

use pontifex::board::Size;
use pontifex::search::Searcher;
use pontifex_train::selfplay::{Kind, Played, Settings};

fn small_settings(size: u64) -> Settings {
    let size = Size::new(size).unwrap();
    Settings { size, full_iterations: 40, quick_iterations: 10, ..Settings::default() }
}

#[test]
fn a_number_gives_the_same_game_every_time() {
    let settings = small_settings(6);
    let mut searcher = Searcher::default();
    let games: Vec<Played> =
        (0..4).map(|number| settings.play(number, &mut searcher).unwrap()).collect();
    for number in [2, 0, 3, 1] {
        // The searcher has played other games before.
        let again = settings.play(number, &mut searcher).unwrap();
        assert_eq!(again, games[number as usize]);
        assert_eq!(settings.play(number, &mut Searcher::default()), Some(again));
    }
    assert_ne!(games[0].steps, games[1].steps);
    let other = Settings { seed: 2, ..settings };
    assert_ne!(other.play(0, &mut searcher).unwrap().steps, games[0].steps);
}

#[test]
fn games_are_legal_and_their_steps_consistent() {
    let settings = Settings { resign_below: 0.2, ..small_settings(5) };
    let mut searcher = Searcher::default();
    for number in 0..20 {
        let game = settings.play(number, &mut searcher).unwrap();
        assert!(game.replay(|_| {}).unwrap().is_over());
        let opening = game.steps.iter().take_while(|step| step.kind == Kind::Random).count();
        assert!(opening <= 8 && opening % 2 == 0);
        for step in &game.steps[opening..] {
            assert_ne!(step.kind, Kind::Random);
            assert_eq!(step.visits.is_empty(), step.kind != Kind::Full);
            assert!((0.0..=1.0).contains(&step.winrate));
            assert!(game.clear.is_some() || step.kind != Kind::Finishing);
            assert!(!game.is_check || step.kind != Kind::Finishing);
            let visits: u32 = step.visits.iter().map(|&(_, count)| count).sum();
            assert!(u64::from(visits) <= settings.full_iterations);
        }
    }
}

#[test]
fn shares_decide_the_kinds_of_searches() {
    let mut searcher = Searcher::default();
    let kinds = |settings: &Settings, searcher: &mut Searcher| -> Vec<Kind> {
        let games = (0..6).map(|number| settings.play(number, searcher).unwrap());
        games.flat_map(|game| game.steps).map(|step| step.kind).collect()
    };
    let none = Settings { full_share: 0.0, resign_below: 0.0, ..small_settings(5) };
    let none = kinds(&none, &mut searcher);
    assert!(!none.contains(&Kind::Full) && !none.contains(&Kind::Finishing));
    // Every result is clear at once, and none is checked.
    let all = Settings {
        full_share: 1.0,
        resign_below: 1.0,
        resign_checked_share: 0.0,
        ..small_settings(5)
    };
    let finished = kinds(&all, &mut searcher);
    assert!(finished.contains(&Kind::Full) && finished.contains(&Kind::Finishing));
    let checked = Settings { resign_checked_share: 1.0, ..all };
    assert!(!kinds(&checked, &mut searcher).contains(&Kind::Finishing));
}
