//! Teufel, Teufel: the protocol and its documentation, the terminal, matches, and the independence
//! of the crate.

use std::fs;

use pontifex::eval::Random;
use teufel::{Colour, Limits, Match, Player, Session, play_at_terminal};

use super::transcript::{matches, parse};
use crate::root;

const LIMITS: Limits = Limits { time: None, iterations: Some(4) };

fn new_session() -> Session {
    Session::new(2, LIMITS, 1)
}

fn ask(session: &mut Session, line: &str) -> String {
    session.answer_line(line.as_bytes()).unwrap()
}

#[test]
fn examples_of_teufel_md_replay_and_show_every_command() {
    let path = root().join("docs/teufel.md");
    let (text, mut examples) = (fs::read_to_string(path).unwrap(), String::new());
    for block in text.split("```gtp\n").skip(1) {
        let mut session = new_session();
        for exchange in parse(block.split("```").next().unwrap()) {
            let actual = ask(&mut session, &exchange.command);
            let expected: Vec<&str> = exchange.answers[0].iter().map(String::as_str).collect();
            let lines: Vec<&str> = actual.trim_end().lines().collect();
            assert!(matches(&expected, &lines), "{}\ngives\n{actual}", exchange.command);
            examples = examples + " " + &exchange.command + " ";
        }
    }
    for command in ask(&mut new_session(), "list_commands")[2..].split_whitespace() {
        assert!(text.contains(&format!("`{command}")), "{command} is not described");
        assert!(examples.contains(&format!(" {command} ")), "{command} has no example");
    }
}

/// A random line: words that fit, or not, in an order that may fit.
fn random_line(session: &mut Session, random: &mut Random) -> String {
    let words = "protocol_version name version known_command list_commands help seed 2 7 pink \
        clear_board players bordered place play genmove legal_actions showboard status undo -1 ZZ \
        move swap scatter to turn look exorcise from drop pass a1 b2 d4 g7 c3 h8 a1,b2 AB c3,d4 \
        a1,a1 blue green \u{e9} , ,, 99999999999999999999";
    let mut pick = |words: &str, separator| {
        let words: Vec<&str> = words.split(separator).collect();
        words[random.below(words.len() as u32) as usize].to_owned()
    };
    let player = ask(session, "status").split(' ').nth(2).unwrap().to_owned();
    match pick("genmove,showboard,legal_actions,play,,,,", ',').as_str() {
        "" => (0..6).map(|_| pick(words, ' ') + &pick(" , , ,# ", ',')).collect(),
        "play" => {
            let legal = ask(session, &format!("legal_actions {player}"));
            format!("play {player} {}", pick(legal[2..].trim_end(), '\n'))
        }
        command => format!("{command} {player}"),
    }
}

#[test]
fn random_lines_are_answered_in_step_and_failures_change_nothing() {
    let (mut session, mut random) = (new_session(), Random::new(5));
    let (mut failures, mut input, mut answers) = (0, String::new(), String::new());
    for number in 0..20_000 {
        let line = format!("{number} {}\n", random_line(&mut session, &mut random));
        let before = session.clone();
        let answer = ask(&mut session, &line);
        if answer.starts_with('?') {
            failures += 1;
            assert_eq!(answer.trim_end().lines().count(), 1, "{line}\n{answer}");
            assert!(session == before, "{line}");
        }
        assert!(answer[1..].starts_with(&number.to_string()), "{line}\n{answer}");
        assert!(answer.ends_with("\n\n"), "{line}\n{answer}");
        input += &line;
        answers += &answer;
    }
    assert!((5_000..15_000).contains(&failures), "{failures} failures");
    let input = input + &"x".repeat(1 << 21) + "\nquit\nname\n";
    answers += "? syntax error: the line is longer than 1048576 bytes\n\n=\n\n";
    let (mut rest, mut output) = (input.as_bytes(), Vec::new());
    self::new_session().serve(&mut rest, &mut output).unwrap();
    assert!(rest == b"name\n");
    assert!(String::from_utf8(output).unwrap() == answers);
}

#[test]
fn a_person_plays_a_whole_game_at_the_terminal() {
    for (players, seed) in [(2, 1), (4, 2), (6, 3)] {
        let new = || Session::new(players, LIMITS, seed);
        let (person, mut session, mut input) = (Colour::BLUE, new(), "legal\nfly\n".to_owned());
        while !ask(&mut session, "status").contains("decision over") {
            let player = ask(&mut session, "status").split(' ').nth(2).unwrap().to_owned();
            let answer = ask(&mut session, &format!("genmove {player}"));
            input += if player == person.to_string() { &answer[2..] } else { "" };
        }
        let mut screen = Vec::new();
        play_at_terminal(new(), person, input.as_bytes(), &mut screen).unwrap();
        let text = String::from_utf8(screen).unwrap();
        assert!(text.contains("blue: rank ") && text.contains("green: move "), "{text}");
        assert!(!text.contains("illegal move") && text.contains("'fly' is not an"), "{text}");
    }
}

#[test]
fn matches_rotate_the_seats_and_repeat() {
    let players = vec![Player::Ismcts, Player::Greedy, Player::Random];
    let limits = Limits { iterations: Some(20), ..LIMITS };
    let game = Match { players, games: 12, limits, seed: 3 };
    let results = game.run(|| {});
    let ranks = results.lines().skip(2).map(|line| line.split_whitespace().nth(2).unwrap());
    let ranks: Vec<f64> = ranks.map(|rank| rank.parse().unwrap()).collect();
    assert!(ranks[0] < ranks[2] && ranks[1] < ranks[2], "{results}");
    assert_eq!(results, game.run(|| {}));
}

#[test]
fn the_crate_uses_only_the_framing_and_random_numbers() {
    for entry in fs::read_dir(root().join("crates/teufel/src")).unwrap() {
        let path = entry.unwrap().path();
        let text = if path.is_file() { fs::read_to_string(&path).unwrap() } else { String::new() };
        for used in text.split("crate::").skip(1) {
            let allowed = ["gtp::{MAX_LINE, Request, frame, read_line}", "eval::Random"];
            assert!(allowed.iter().any(|path| used.starts_with(path)), "{}", path.display());
        }
    }
}
