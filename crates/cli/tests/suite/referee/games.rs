//! Games that are played to their end.

use std::time::{Duration, Instant};

use pontifex::game::{Color, Move, Position};
use pontifex_tournament::{
    EngineSpec, GameEnd, GameTask, Limit, PlayedGame, Player, ProcessGroups, play_game,
};

use super::engines::{plain, play, pontifex, quick_task, start};

/// Checks a game that was played to its end.
fn check_game(game: &PlayedGame, task: &GameTask) {
    assert_eq!(game.end, GameEnd::Score, "{:?}", game.end);
    let mut position = Position::new(task.rules);
    game.moves.iter().for_each(|&mv| position.play(mv).unwrap());
    assert!(position.is_over());
    assert_eq!(game.position, position.to_string());
    assert_eq!(game.scores, Color::BOTH.map(|color| position.score(color)));
    let swapped = game.moves.contains(&Move::Swap);
    assert_eq!(game.colors[0] == Color::Red, swapped);
    let winner = position.outcome().winner();
    assert_eq!(game.winner.map(|seat| game.colors[seat]), winner);
    assert_eq!(game.seconds.len(), game.moves.len());
}

#[test]
fn an_external_engine_plays_many_games() {
    let groups = ProcessGroups::default();
    let mut players = [start(&plain(1), &groups), start(&EngineSpec::builtin("good"), &groups)];
    let mut foreign_moves = 0;
    for number in 0..24 {
        let mut task = quick_task(if number % 4 == 0 { 8 } else { 6 }, "playouts=1");
        task.seed = number;
        let game = if number % 2 == 0 {
            play(&mut players, &task)
        } else {
            let [foreign, good] = &mut players;
            play_game([good, foreign], &task)
        };
        check_game(&game, &task);
        foreign_moves += game.moves.len() / 2;
    }
    assert_eq!((players[0].starts(), players[1].starts()), (1, 1));
    assert_eq!(players[0].identity(), "Plain 1");
    let warnings = players[0].warnings();
    assert_eq!(warnings.len(), 2);
    assert!(warnings[0].contains("does not support pie=off"));
    assert!(warnings[1].contains("does not support playouts=1"));
    assert!(foreign_moves > 100);
    players.into_iter().for_each(Player::quit);
    assert!(groups.is_empty());
}

#[test]
fn an_engine_without_reports_plays_without_evaluations() {
    let groups = ProcessGroups::default();
    let mut players = [start(&plain(1), &groups), start(&EngineSpec::builtin("good"), &groups)];
    let task = GameTask { evaluations: true, ..quick_task(6, "playouts=1") };
    let game = play(&mut players, &task);
    check_game(&game, &task);
    let warning = "does not know ponte-genmove_analyze: it evaluates no move";
    assert!(players[0].warnings().iter().any(|text| text == warning));
    let is_own = |seat: usize| move |&(number, _): &(usize, _)| number % 2 == seat;
    let evaluations_of =
        |seat| game.evaluations.iter().enumerate().filter(is_own(seat)).map(|(_, value)| value);
    assert!(
        evaluations_of(0).all(Option::is_none) && evaluations_of(1).all(Option::is_some),
        "{:?}",
        game.evaluations
    );
    players.into_iter().for_each(Player::quit);
}

#[test]
#[cfg(unix)]
fn an_engine_may_begin_its_output_with_a_byte_order_mark() {
    let groups = ProcessGroups::default();
    let line = format!(
        "sh -c \"printf '\\357\\273\\277'; exec '{}' gtp\"",
        env!("CARGO_BIN_EXE_pontifex")
    );
    let mut players = [
        start(&EngineSpec::process("marked", &line), &groups),
        start(&EngineSpec::builtin("good"), &groups),
    ];
    let task = quick_task(6, "playouts=1");
    check_game(&play(&mut players, &task), &task);
    assert!(players[0].warnings().is_empty(), "{:?}", players[0].warnings());
    players.into_iter().for_each(Player::quit);
}

#[test]
fn two_external_engines_play_on_the_published_boards() {
    let groups = ProcessGroups::default();
    let mut players = [start(&plain(1), &groups), start(&plain(2), &groups)];
    for size in [10, 12] {
        let task =
            GameTask { limits: ["tc=60+1".parse().unwrap(); 2], ..quick_task(size, "time=1") };
        check_game(&play(&mut players, &task), &task);
    }
}

#[test]
fn the_built_in_engine_repeats_its_games_and_matches_its_own_process() {
    let groups = ProcessGroups::default();
    let task = GameTask {
        limits: [Limit::Iterations { count: 20 }, Limit::Iterations { count: 40 }],
        opening: vec!["b2,c5".parse().unwrap(), "d4,e1".parse().unwrap()],
        ..quick_task(6, "playouts=20")
    };
    let builtin = EngineSpec::builtin("builtin");
    let mut players = [start(&builtin, &groups), start(&builtin, &groups)];
    let game = play(&mut players, &task);
    check_game(&game, &task);
    assert_eq!(game.moves[..2], task.opening[..]);
    assert_eq!(game.seconds[..2], [0.0, 0.0]);
    assert_eq!(play(&mut players, &task).moves, game.moves);
    let other = GameTask { seed: 8, ..task.clone() };
    assert_ne!(play(&mut players, &other).moves, game.moves);

    let mut process = pontifex("");
    process.params.push(("threads".to_owned(), "1".to_owned()));
    let mut players = [start(&process, &groups), start(&process, &groups)];
    assert_eq!(play(&mut players, &task).moves, game.moves);
    assert_eq!(players[0].warnings(), [] as [&str; 0]);
    assert!(players[0].identity().starts_with("pontifex "));
}

#[test]
fn the_engines_open_and_swap_and_exchange_their_seats() {
    let groups = ProcessGroups::default();
    let builtin = EngineSpec::builtin("builtin");
    let mut players = [start(&pontifex("--threads 1"), &groups), start(&builtin, &groups)];
    let mut swaps = 0;
    for seed in 0..12 {
        let mut task = quick_task(6, "playouts=10");
        (task.seed, task.rules.pie) = (seed, true);
        let game = play(&mut players, &task);
        check_game(&game, &task);
        swaps += u32::from(game.moves[1] == Move::Swap);
    }
    assert!((1..12).contains(&swaps), "{swaps}");
    // The swap may also be part of the opening.
    let mut task = quick_task(6, "playouts=10");
    task.rules.pie = true;
    task.opening = vec!["a1,a2".parse().unwrap(), Move::Swap];
    let game = play(&mut players, &task);
    check_game(&game, &task);
    assert_eq!(game.colors, [Color::Red, Color::White]);
}

#[test]
fn clocks_are_kept_and_sent() {
    let groups = ProcessGroups::default();
    let spec = pontifex("--threads 1 --move-overhead 0");
    let mut players = [start(&spec, &groups), start(&EngineSpec::builtin("b"), &groups)];
    for limit in ["time=0.02", "tc=0.5+0.01", "byoyomi=0.2+0.02x2"] {
        let task = GameTask {
            margin: Duration::from_secs(30),
            limits: [limit.parse().unwrap(); 2],
            ..quick_task(5, limit)
        };
        let game = play(&mut players, &task);
        check_game(&game, &task);
        let samples = game.overheads.each_ref().map(Vec::len);
        match limit {
            "time=0.02" => assert_eq!(samples[0] + samples[1], game.moves.len()),
            // Under a game clock: how far the flag was.
            _ => assert!(samples.iter().all(|&count| count > 0)),
        }
    }
    assert_eq!(players[0].warnings(), [] as [&str; 0]);
}

#[test]
fn an_engine_may_resign() {
    let groups = ProcessGroups::default();
    let mut spec = pontifex("--threads 1");
    spec.params.push(("resign".to_owned(), "1".to_owned()));
    let mut players = [start(&spec, &groups), start(&EngineSpec::builtin("b"), &groups)];
    let game = play(&mut players, &quick_task(6, "playouts=10"));
    assert_eq!((game.end, game.winner), (GameEnd::Resignation { seat: 0 }, Some(1)));
    assert_eq!(players[0].starts(), 1);
}

/// The referee costs under 1 ms per move on an idle machine.
#[test]
#[ignore = "measures time, which needs an idle machine"]
fn the_referee_costs_little() {
    let groups = ProcessGroups::default();
    let spec = pontifex("--threads 1");
    let mut players = [start(&spec, &groups), start(&spec, &groups)];
    let task =
        GameTask { limits: [Limit::Iterations { count: 1 }; 2], ..quick_task(10, "playouts=1") };
    play(&mut players, &task);
    let begin = Instant::now();
    let games: Vec<PlayedGame> = (0..5).map(|_| play(&mut players, &task)).collect();
    let wall = begin.elapsed().as_secs_f64();
    let thinking: f64 = games.iter().flat_map(|game| &game.seconds).sum();
    let moves: usize = games.iter().map(|game| game.moves.len()).sum();
    let cost = (wall - thinking) * 1e6 / moves as f64;
    eprintln!("the referee costs {cost:.0} µs a move");
    assert!(cost < 1_000.0, "{cost} µs");
}
