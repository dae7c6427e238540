//! The protocol: documented examples, random lines; the terminal and matches.

use std::fs;
use std::path::Path;

use pontifex::eval::Random;
use pontifex::teufel::{Colour, Limits, Match, Player, Session, play_at_terminal};

use super::super::transcript::{matches, parse};
use super::reference::cells;

const LIMITS: Limits = Limits { time: None, iterations: Some(4) };

fn session() -> Session {
    Session::new(2, Player::Ismcts, LIMITS, 1)
}

fn ask(session: &mut Session, line: &str) -> String {
    session.answer_line(line.as_bytes()).unwrap()
}

#[test]
fn examples_of_teufel_md_replay_and_show_every_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/teufel.md");
    let text = fs::read_to_string(path).unwrap();
    let mut shown = String::new();
    for block in text.split("```gtp\n").skip(1) {
        let mut session = session();
        for exchange in parse(block.split("```").next().unwrap()) {
            let actual = ask(&mut session, &exchange.command);
            let expected: Vec<&str> = exchange.answers[0].iter().map(String::as_str).collect();
            let lines: Vec<&str> = actual.trim_end().lines().collect();
            assert!(matches(&expected, &lines), "{}\ngives\n{actual}", exchange.command);
            shown = shown + " " + &exchange.command + " ";
        }
    }
    for command in ask(&mut session(), "list_commands")[2..].split_whitespace() {
        assert!(text.contains(&format!("`{command}")), "{command} is not described");
        assert!(shown.contains(&format!(" {command} ")), "{command} has no example");
    }
}

/// A random line: words that fit, or not, in an order that may fit.
fn random_line(session: &Session, random: &mut Random) -> String {
    let (table, steps) = (session.game.table(), session.game.table().steps());
    let mut below = |n: usize| random.below(n as u32) as usize;
    let colour = Colour::first(6).nth(below(6)).unwrap();
    let who = if below(5) > 0 { table.chooser } else { colour };
    let words = "protocol_version name version known_command list_commands clear_board players seed \
        bordered place play genmove legal_actions showboard status undo move swap scatter to turn \
        look exorcise from drop pass a1 b2 d4 g7 c3 h8 a1,b2 c3,d4 a1,a1 2 7 -1 AB ZZ blue green \
        pink \u{e9} , ,, # 99999999999999999999";
    let words: Vec<&str> = words.split_whitespace().collect();
    match below(12) {
        0..4 if !steps.is_empty() => {
            format!("play {who} {}", table.line(steps[below(steps.len())]))
        }
        4 => format!("genmove {who} # comment"),
        5 => format!("showboard {who}"),
        _ => {
            let number = 1 + below(6);
            (0..number).map(|_| words[below(words.len())]).collect::<Vec<_>>().join(" ")
        }
    }
}

#[test]
fn random_lines_are_answered_in_step_and_failures_change_nothing() {
    let (mut session, mut random) = (session(), Random::new(5));
    let (mut failures, mut input, mut answers) = (0, String::new(), String::new());
    for number in 0..20_000 {
        let line = format!("{number} {}\n", random_line(&session, &mut random));
        let before = format!("{:?}", session.game);
        let answer = ask(&mut session, &line);
        if answer.starts_with('?') {
            failures += 1;
            assert_eq!(answer.trim_end().lines().count(), 1, "{line}\n{answer}");
            assert_eq!(format!("{:?}", session.game), before, "{line}");
        }
        assert!(answer[1..].starts_with(&number.to_string()), "{answer}");
        assert!(answer.ends_with("\n\n"), "{answer}");
        input += &line;
        answers += &answer;
    }
    assert!((5_000..15_000).contains(&failures), "{failures} failures");
    let mut output = Vec::new();
    self::session().serve(input.as_bytes(), &mut output).unwrap();
    assert!(String::from_utf8(output).unwrap() == answers, "the same lines get the same answers");
}

#[test]
fn refusals_name_the_rule() {
    let mut session = session();
    for (line, answer) in [
        ("place blue a1", "="),
        ("place blue g7", "? illegal move: green decides now"),
        ("place green a2", "? illegal move: place a2: a sledge starts at distance 4"),
        ("play green move a1", "? illegal move: green places the sledge now"),
        ("place yellow a7", "? syntax error: yellow does not play"),
        ("play green fly a1", "? syntax error: 'fly' is not an action"),
        ("players 7", "? syntax error: players 2..6"),
        ("bordered a1 a1 a2 a3 a4 a5", "? syntax error: 'a1,a1,a2,a3,a4,a5' names a cell twice"),
        ("genmove blue", "? illegal move: green decides now"),
        ("go", "? unknown command"),
        ("place green g7", "="),
        ("play blue move b1 b3", "? illegal move: b3 is not beside the cell before it"),
        ("play blue move a1", "? illegal move: a1 is not beside the cell before it"),
        ("play blue move a2 turn", "? illegal move: a2 shows its card anyway"),
        ("play blue swap a1,b1", "? illegal move: swap a1,b1: swaps take two cards, hidden"),
        ("play blue swap b1,b1", "? syntax error: 'b1,b1' names a cell twice"),
        ("play blue scatter b1,c1 to b1,c1", "? illegal move: scatter b1,c1 to b1,c1: only a"),
        ("play blue pass", "? illegal move: pass: nobody passes who can do something"),
        ("play blue look a2", "? illegal move: blue moves, swaps, scatters or passes now"),
        ("play blue move d4", "? illegal move: d4 is not beside"),
    ] {
        let actual = ask(&mut session, line);
        assert!(actual.starts_with(answer), "{line}: {actual}");
    }
}

#[test]
fn a_person_plays_a_whole_game_at_the_terminal() {
    let mut random = Random::new(3);
    for opponents in [1, 3, 5] {
        let session = Session::new(opponents + 1, Player::Greedy, LIMITS, opponents as u64);
        // Whatever comes to mind; much of it is illegal.
        let mut line = || {
            let mut below = |n: usize| random.below(n as u32) as usize;
            let (a, b) = (cells()[below(49)], cells()[below(49)]);
            match below(40) {
                0 => "undo".to_owned(),
                1 => "help".to_owned(),
                2 => "legal".to_owned(),
                3 => "board".to_owned(),
                4..8 => format!("turn {a},{b}"),
                8..16 => format!("swap {a},{b}"),
                16..18 => "from green".to_owned(),
                18..20 => "drop AB".to_owned(),
                20..22 => "pass".to_owned(),
                22..24 => format!("place {a}"),
                24..26 => format!("fly {a}"),
                _ => format!("move {a} {b}"),
            }
        };
        let lines: Vec<String> = (0..50_000).map(|_| line()).collect();
        let (input, mut screen) = (lines.join("\n"), Vec::new());
        play_at_terminal(session, input.as_bytes(), &mut screen).unwrap();
        let text = String::from_utf8(screen).unwrap();
        assert!(text.contains("blue: rank ") && text.contains("green: move "), "{text}");
    }
}

#[test]
fn matches_rotate_the_seats_and_repeat() {
    let players = vec![Player::Ismcts, Player::Greedy, Player::Random];
    let game = Match { players, limits: Limits { iterations: Some(20), ..LIMITS }, seed: 3 };
    let play = || (0..12).map(|number| game.play(number).unwrap()).collect::<Vec<_>>();
    let ranks = play();
    let sum = |player: usize| ranks.iter().map(|ranks| ranks[player]).sum::<usize>();
    assert!(sum(0) < sum(2) && sum(1) < sum(2), "{}", game.report(&ranks));
    assert!(game.report(&ranks).starts_with("12 games, 3 players\n"));
    assert_eq!(ranks, play());
}
