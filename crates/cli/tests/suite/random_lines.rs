//! Random request lines, valid or not: each gets exactly one well-formed answer with its number,
//! and failing requests change nothing.

use pontifex::engine::{Options, PARAMS};
use pontifex::gtp::Session;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::client::run;

/// A line and the expected answer.
struct Line {
    bytes: Vec<u8>,
    /// The number of the answer, if there is an answer.
    answer: Option<String>,
}

/// The beginnings of error texts.
const ERRORS: [&str; 9] = [
    "unknown command",
    "syntax error",
    "unacceptable size",
    "illegal move",
    "illegal position",
    "cannot undo",
    "cannot score",
    "cannot load file",
    "cannot save file",
];

const WORDS: &[&str] = &[
    "w",
    "white",
    "L",
    "r",
    "red",
    "BLACK",
    "dark",
    "g",
    "0",
    "1",
    "2",
    "4",
    "10",
    "12",
    "13",
    "-1",
    "1.5",
    "1e9",
    "nan",
    "inf",
    "99999999999999999999999",
    "on",
    "off",
    "count",
    "none",
    "move",
    "absolute",
    "fischer",
    "byoyomi",
    "pass",
    "swap",
    "resign",
    "a1",
    "d4,e6",
    "d4-e6",
    "a1,a1",
    "k1,l12",
    "z9",
    "standard",
    "unlimited",
    "20,7",
    "rollout",
    "auto",
    "-",
    "pie",
    "last",
    "over",
    "10/10/10/10/10/10/10/10/10/10",
    "4/4/4/4",
    "w1w1/4/4/r2r",
    "a4-c4",
    "ä",
    "日本語",
    "\u{2028}",
    "\u{85}",
    "e\u{301}",
    "🂡",
    "'",
    "\"",
    "\\n",
    "%s",
    "..",
    "a,b,c",
    "no/such/file",
    "interval",
    "avoid",
    "ownership",
    "true",
    "J5",
];

const GARBAGE_COMMANDS: &[&str] =
    &["fly", "PLAY", "play,", "=1", "?", "ponte-", "x1", "-5", "1x", "ö", "\u{feff}name"];

struct Lines {
    random: Xoshiro256PlusPlus,
    commands: Vec<String>,
    /// The line that must come next, if one must.
    next: Option<String>,
}

impl Lines {
    fn new(seed: u64) -> Lines {
        let mut session = Session::new(Options::default());
        let answer = session.answer_line(b"list_commands").unwrap();
        let commands = answer[2..].split_whitespace().map(str::to_owned);
        let commands = commands.filter(|name| name != "quit").collect();
        Lines { random: Xoshiro256PlusPlus::seed_from_u64(seed), commands, next: None }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.random_range(0..choices.len())]
    }

    fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end)
    }

    fn cell(&mut self, size: usize) -> String {
        let column = b'a' + self.below(size) as u8;
        format!("{}{}", char::from(column), 1 + self.below(size))
    }

    fn mv(&mut self) -> String {
        let size = [4, 5, 10, 12][self.below(4)];
        let sign = if self.chance(70) { ',' } else { '-' };
        match self.below(20) {
            0 => "pass".to_owned(),
            1 => "swap".to_owned(),
            2 => self.pick(WORDS).to_owned(),
            _ => format!("{}{sign}{}", self.cell(size), self.cell(size)),
        }
    }

    fn color(&mut self) -> &'static str {
        self.pick(&["w", "r", "white", "red", "L", "Dark", "b"])
    }

    /// Arguments that are often valid for the command.
    fn arguments(&mut self, command: &str) -> String {
        match command {
            "play" => format!("{} {}", self.color(), self.mv()),
            "ponte-play_sequence" => {
                (0..self.below(5)).map(|_| self.mv() + " ").collect::<String>()
            }
            "boardsize" => self.random.random_range(2..14).to_string(),
            "known_command" => self.pick(&["play", "fly"]).to_owned(),
            "gg-undo" => self.below(6).to_string(),
            "time_settings" | "time_left" => {
                let first = if command == "time_left" { self.color() } else { "60" };
                format!("{first} {} {}", self.below(100), self.below(3))
            }
            "ponte-time_settings" => self
                .pick(&["none", "move 1", "absolute 9", "fischer 9 1", "byoyomi 9 1 3"])
                .to_owned(),
            "genmove" | "reg_genmove" => self.color().to_owned(),
            "ponte-get_param" => PARAMS[self.below(PARAMS.len())].name.to_owned(),
            "ponte-set_param" => {
                let name = PARAMS[self.below(PARAMS.len())].name;
                format!("{name} {}", self.pick(WORDS))
            }
            "ponte-set_position" => self
                .pick(&[
                    "4/4/4/4 w - -",
                    "w1w1/4/4/r2r w a4-c4 -",
                    "wwww/4/4/rr2 r - last",
                    "ww3/5/5/5/rrr2 r - -",
                    "ww8/10/10/10/10/10/10/10/10/10 r - pie",
                    "wwww1/5/5/5/5 r - over",
                    "wwwww/5/5/5/5 r - -",
                ])
                .to_owned(),
            "ponte-legal_moves" => self.pick(&["", "count", "count", "count"]).to_owned(),
            "komi" => "6.5".to_owned(),
            "ponte-analyze" => self.keys(),
            "ponte-genmove_analyze" => format!("{} {}", self.color(), self.keys()),
            "gogui-params" => self.pick(&["", "", "live_graphics 0", "pie 1"]).to_owned(),
            _ => String::new(),
        }
    }

    /// Keys and values of an analysis.
    fn keys(&mut self) -> String {
        let mut keys = String::new();
        for _ in 0..self.below(4) {
            keys += match self.below(7) {
                0 => "interval 1 ",
                1 => "maxmoves 2 ",
                2 => "minmoves 3 ",
                3 => "rootInfo true ",
                4 => "pvVisits true ",
                5 => "ownership true ",
                _ => "maxmoves 1 ",
            };
            if self.chance(20) {
                let key = self.pick(&["avoid", "allow"]);
                keys.extend([key, " ", &self.mv(), ",", &self.mv(), " "]);
            }
        }
        keys
    }

    /// A command with arguments.
    fn request(&mut self) -> String {
        if let Some(request) = self.next.take() {
            return request;
        }
        if self.chance(5) {
            return format!("{} {}", self.pick(GARBAGE_COMMANDS), self.pick(WORDS));
        }
        // Searches are slow, so most of them are replaced.
        let is_slow = |name: &str| {
            let searches = ["best_moves", "main_line", "winrates", "ownership"];
            name.contains("genmove")
                || name == "ponte-analyze"
                || searches.iter().any(|search| name.ends_with(search))
        };
        let index = self.below(self.commands.len());
        let command = self.commands[index].clone();
        if is_slow(&command) && self.chance(90) {
            return "ponte-status".to_owned();
        }
        let mut arguments = if self.chance(80) {
            self.arguments(&command)
        } else {
            (0..self.below(5)).map(|_| self.pick(WORDS).to_owned() + " ").collect()
        };
        if self.random.random_range(0..2000) == 0 {
            arguments = self.pick(WORDS).repeat(self.random.random_range(100..20_000));
        }
        // No file must be written, whatever is appended to the line.
        if command == "printsgf" {
            "no/such/folder/file".clone_into(&mut arguments);
        }
        let request = format!("{command} {arguments}");
        if is_slow(&command) {
            self.next = Some(request);
            return format!("ponte-set_param playouts {}", 1 + self.below(3));
        }
        request
    }

    fn line(&mut self) -> Line {
        if self.next.is_none() && self.chance(4) {
            let silent: &[&[u8]] = &[b"", b" ", b"\t", b"\r", b"# 5 name", b" \x00#", b"#\xff\xc3"];
            return Line { bytes: silent[self.below(silent.len())].to_vec(), answer: None };
        }
        let id = self.chance(60).then(|| match self.below(10) {
            0 => "0".to_owned(),
            1 => "99999999999999999999".to_owned(),
            2 => format!("00{}", self.below(9)),
            _ => self.below(1_000_000).to_string(),
        });
        let is_bare_number = id.is_some() && self.next.is_none() && self.chance(1);
        let request = if is_bare_number { String::new() } else { self.request() };
        let text = format!("{} {request}", id.as_deref().unwrap_or_default());
        let mut bytes = Vec::with_capacity(text.len());
        for byte in text.into_bytes() {
            bytes.push(if byte == b' ' && self.chance(5) { b'\t' } else { byte });
            if self.chance(1) {
                bytes.push([0, 1, 7, 8, 11, 12, 13, 27, 31, 127][self.below(10)]);
            }
        }
        if self.chance(2) {
            bytes.extend([b' ', 0xff, 0xc3, 0x28]);
        }
        if self.chance(5) {
            bytes.extend(b" # 7 quit \xff\t");
        }
        if self.chance(10) {
            bytes.push(b'\r');
        }
        Line { bytes, answer: Some(id.unwrap_or_default()) }
    }
}

/// Checks that an answer is well formed: sign, number, a space or line break, text without empty
/// lines and control characters, one empty line. Returns whether it is an error.
fn check_answer(answer: &str, id: &str) -> bool {
    let body = answer.strip_suffix("\n\n").expect("an empty line at the end");
    let is_error = body.starts_with('?');
    let rest = body.strip_prefix(['=', '?']).expect("a sign").strip_prefix(id).expect("the number");
    assert!(rest.is_empty() || rest.starts_with([' ', '\n']), "{answer:?}");
    assert!(!rest.ends_with('\n') && !body.contains("\n\n"), "{answer:?}");
    assert!(rest.chars().all(|c| c == '\n' || !c.is_control()), "{answer:?}");
    let text = rest.trim_start();
    assert!(!is_error || ERRORS.iter().any(|error| text.starts_with(error)), "{answer:?}");
    is_error
}

#[test]
fn a_session_answers_every_line() {
    let count = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
    let mut lines = Lines::new(1);
    let mut session = Session::new(Options::default());
    // Searches end as soon as they begin.
    session.stop_signal().request();
    session.answer_line(b"ponte-set_param memory 8");
    session.answer_line(b"ponte-set_param threads 1");
    let (mut errors, mut successes) = (0, 0);
    for _ in 0..count {
        let Line { bytes, answer: expected } = lines.line();
        let before = session.engine().snapshot();
        match (session.answer_line(&bytes), expected) {
            (None, None) => {}
            (Some(answer), Some(id)) if check_answer(&answer, &id) => {
                errors += 1;
                let quoted = String::from_utf8_lossy(&bytes);
                assert!(
                    session.engine().snapshot() == before,
                    "{quoted} failed and changed the state"
                );
            }
            (Some(_), Some(_)) => successes += 1,
            (answer, _) => panic!("{:?} got {answer:?}", String::from_utf8_lossy(&bytes)),
        }
    }
    assert!(errors > count / 5 && successes > count / 5, "{successes} successes, {errors} errors");
}

#[test]
fn the_process_answers_every_line() {
    let mut lines = Lines::new(2);
    let (mut input, mut expected) = (Vec::new(), Vec::new());
    for _ in 0..3000 {
        let Line { bytes, answer } = lines.line();
        // Other parameters could make searches slow or large.
        let text = String::from_utf8_lossy(&bytes);
        if text.contains("ponte-set_param") && !text.contains("playouts") {
            continue;
        }
        input.extend(bytes);
        input.push(b'\n');
        expected.extend(answer);
    }
    let output = run(&["--threads", "1", "--memory", "8", "--playouts", "2"], &input);
    assert_eq!(output.status.code(), Some(0));
    // Only drawings, which begin after gogui-analyze_commands.
    let stderr = String::from_utf8(output.stderr).unwrap();
    let drawing = ["gogui-gfx:", "VAR ", "TEXT "];
    let is_drawn = |line: &str| line.is_empty() || drawing.iter().any(|key| line.starts_with(key));
    assert!(stderr.lines().all(is_drawn), "{stderr}");
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = text.split_inclusive("\n\n").collect();
    assert_eq!(answers.len(), expected.len());
    for (answer, id) in answers.into_iter().zip(expected) {
        check_answer(answer, &id);
    }
}
