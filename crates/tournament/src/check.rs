//! Tests whether an engine can be refereed, for `pontifex match --check`.
//!
//! **For whom.** The checks are for authors of engines, before their first match. In a match a
//! faulty engine just loses. Here its author gets one line for each check: what is wrong and what
//! would be right.
//!
//! **How.** Each check talks to the engine through the `GtpClient` that the match uses, so framing
//! and deadlines are those of a match. The last check but one plays a whole game with the real
//! referee. A check has one of these results:
//!
//! ```text
//! Ok(detail)        pass     what the engine did
//! Problem::Warn     warn     a match works without it: an optional command, an error's text
//! Problem::Fail     fail     the engine would lose games by it
//! Problem::Skip     skipped  it needs commands that an earlier check found broken
//! Problem::Engine   fail     no answer, or an unreadable one
//! ```
//!
//! **Order.** From the first answer to the end of the process, so that the first line that is not
//! `pass` is the one to repair first.
//!
//! **Independence.** Only the first check stops the others, because an engine that does not start
//! can do nothing. The other checks do not depend on each other's state: each sets up its own
//! board. If an answer is missing or wrongly framed, the engine is ended, and the next check
//! restarts it.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::adjudication::Adjudication;
use crate::engines::failure::{EngineError, Failure, FailureKind};
use crate::engines::gtp::{GtpClient, QUIT_TIMEOUT, Reply};
use crate::engines::player::Player;
use crate::engines::process_groups::ProcessGroups;
use crate::engines::spec::{EngineCommand, EngineSpec};
use crate::referee::{GameEnd, GameTask, play_game};
use pontifex::board::Size;
use pontifex::clock::{Limit, Seconds};
use pontifex::game::{Rules, Supply};
use pontifex::messages::printable;

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckResult {
    /// The name of the check, as in "board sizes".
    pub name: &'static str,
    /// Whether the engine passed, and if not, whether a match is still possible.
    pub verdict: CheckVerdict,
    /// One line: what the engine did, or what is wrong and how to repair it.
    pub detail: String,
}

/// Whether an engine passed a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// The engine did what the referee needs.
    Pass,
    /// The engine can be refereed, but should be improved.
    Warn,
    /// The engine cannot be refereed.
    Fail,
    /// The check needs something that an earlier check found broken.
    Skipped,
}

/// The name of a check and its function.
type Check = (&'static str, fn(&mut Checker) -> Finding);

/// All checks in order.
const CHECKS: [Check; 11] = [
    ("starts and answers", starts),
    ("protocol version", protocol_version),
    ("required commands", required_commands),
    ("unknown command", unknown_command),
    ("board sizes", board_sizes),
    ("plays moves", plays_moves),
    ("refuses illegal moves", refuses_illegal_moves),
    ("takes back moves", takes_back_moves),
    ("parameters", parameters),
    ("plays a whole game in time", whole_game),
    ("quits", quits),
];

/// Runs all checks, in order. `timeout` applies to each answer. For a move the engine also has its
/// time: its own limit, or 0.2 s.
///
/// The path of the program is not checked; see [`EngineSpec::check_path`].
pub fn check(spec: &EngineSpec, groups: &ProcessGroups, timeout: Duration) -> Vec<CheckResult> {
    if spec.command == EngineCommand::Builtin {
        let detail = "the built-in engine runs in this process and speaks no GTP".to_owned();
        return vec![CheckResult { name: CHECKS[0].0, verdict: CheckVerdict::Pass, detail }];
    }
    let mut checker = Checker { spec, groups, timeout, client: None };
    let mut is_startable = true;
    let mut results = Vec::with_capacity(CHECKS.len());
    for (number, (name, run)) in CHECKS.into_iter().enumerate() {
        let (verdict, detail) = if is_startable {
            checker.run(run)
        } else {
            (CheckVerdict::Skipped, "the engine does not start".to_owned())
        };
        // A later failure says nothing about the start.
        is_startable &= number > 0 || verdict != CheckVerdict::Fail;
        results.push(CheckResult { name, verdict, detail });
    }
    results
}

/// The result of a check: what the engine did, in words, or what is wrong.
type Finding = Result<String, Problem>;

/// Why an engine does not pass a check, in words for its author.
enum Problem {
    /// The engine can be refereed, but should be improved.
    Warn(String),
    /// The engine cannot be refereed.
    Fail(String),
    /// A command fails that the check needs, and that an earlier check tests.
    Skip(String),
    /// An answer is missing or wrongly framed.
    Engine(EngineError),
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Problem {
        Problem::Engine(error)
    }
}

/// An engine under test. It is started for the first command.
struct Checker<'a> {
    spec: &'a EngineSpec,
    groups: &'a ProcessGroups,
    /// The longest time for an answer that needs no search.
    timeout: Duration,
    /// `None` before the first command, and after an answer that was missing or wrongly framed.
    client: Option<GtpClient>,
}

impl Checker<'_> {
    /// Runs a check. An engine whose answer is missing or wrongly framed is ended, and the next
    /// check restarts it.
    fn run(&mut self, check: fn(&mut Checker) -> Finding) -> (CheckVerdict, String) {
        match check(self) {
            Ok(detail) => (CheckVerdict::Pass, detail),
            Err(Problem::Warn(detail)) => (CheckVerdict::Warn, detail),
            Err(Problem::Fail(detail)) => (CheckVerdict::Fail, detail),
            Err(Problem::Skip(detail)) => (CheckVerdict::Skipped, detail),
            Err(Problem::Engine(error)) => {
                let tail = self.client.take().map(|mut client| {
                    client.process.end(Duration::ZERO);
                    client.process.stderr_tail()
                });
                let tail = tail.unwrap_or_default();
                let detail = explain_failure(error.kind, &error.detail, &tail);
                (CheckVerdict::Fail, detail)
            }
        }
    }

    /// The engine, started if it is not running.
    fn client(&mut self) -> Result<&mut GtpClient, EngineError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => GtpClient::start(self.spec, self.groups)
                .map_err(|error| EngineError::new(FailureKind::Start, "", error.to_string()))?,
        };
        Ok(self.client.insert(client))
    }

    /// The answer to a command that needs no search.
    fn ask(&mut self, command: &str) -> Result<Reply, EngineError> {
        let timeout = self.timeout;
        self.client()?.ask(command, timeout).map(|answer| answer.reply)
    }

    /// Sends commands that the engine must accept. `problem` turns a description of the first
    /// refusal into the result of the check.
    fn require_all(
        &mut self,
        commands: &[&str],
        problem: fn(String) -> Problem,
    ) -> Result<(), Problem> {
        for command in commands {
            let reply = self.ask(command)?;
            if reply.is_err() {
                return Err(problem(format!("'{command}' is refused: {}", quote_reply(&reply))));
            }
        }
        Ok(())
    }

    /// Whether `known_command` answers `true` for a command. A refusal counts as no.
    fn knows(&mut self, command: &str) -> Result<bool, EngineError> {
        let reply = self.ask(&format!("known_command {command}"))?;
        Ok(reply.is_ok_and(|text| text.eq_ignore_ascii_case("true")))
    }
}

/// Describes a failure: what happened, a hint for the author, the last line of stderr.
fn explain_failure(kind: FailureKind, detail: &str, stderr: &[String]) -> String {
    let hint = match kind {
        FailureKind::Crash => "it must answer every command and keep running",
        FailureKind::Stall => "flush the output after each answer",
        FailureKind::Framing => {
            "an answer is = or ?, the command's number, a space, the text, an empty line"
        }
        FailureKind::Timeout => "it must reserve some milliseconds for overhead",
        FailureKind::Illegal => "moves are CELL,CELL, CELL-CELL, pass and swap",
        FailureKind::Start | FailureKind::Refusal => "see its stderr",
    };
    let last_line = stderr.last().map(|line| format!("; the last line of its stderr: {line}"));
    format!("{detail}; {hint}{}", last_line.unwrap_or_default())
}

/// Quotes an answer: its sign and at most 80 characters of its text, without control characters.
fn quote_reply(reply: &Reply) -> String {
    let (sign, text) = match reply {
        Ok(text) => ('=', text),
        Err(refusal) => ('?', &refusal.0),
    };
    let text: String = text.chars().take(80).collect();
    format!("'{}'", format!("{sign} {}", printable(&text)).trim_end())
}

/// The commands that GTP 2 requires of every engine. A match uses neither `komi` nor
/// `list_commands`, but other controllers such as GoGui do.
const REQUIRED: [&str; 11] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
];

fn starts(checker: &mut Checker) -> Finding {
    let start = Instant::now();
    // The first answer's time includes the start of the process. Its text does not matter here.
    let _ = checker.ask("protocol_version")?;
    let seconds = start.elapsed().as_secs_f64();
    let name = checker.ask("name")?.unwrap_or_default();
    let version = checker.ask("version")?.unwrap_or_default();
    Ok(format!("{name} {version}, first answer after {seconds:.2} s"))
}

fn protocol_version(checker: &mut Checker) -> Finding {
    let reply = checker.ask("protocol_version")?;
    match reply.as_deref() {
        Ok("2") => Ok("2".to_owned()),
        _ => Err(Problem::Warn(format!(
            "the answer is {}, expected '= 2'; GTP 2 is assumed",
            quote_reply(&reply)
        ))),
    }
}

fn required_commands(checker: &mut Checker) -> Finding {
    let list = checker.ask("list_commands")?.map_err(|refusal| {
        Problem::Fail(format!("list_commands is refused ('? {}'), but GTP requires it", refusal.0))
    })?;
    let listed_commands: Vec<&str> = list.lines().map(str::trim).collect();
    let missing: Vec<&str> =
        REQUIRED.into_iter().filter(|command| !listed_commands.contains(command)).collect();
    if !missing.is_empty() {
        let missing = missing.join(" ");
        return Err(Problem::Fail(format!("list_commands lacks {missing}, which GTP requires")));
    }
    for command in REQUIRED {
        if !checker.knows(command)? {
            return Err(Problem::Warn(format!(
                "known_command {command} is not '= true' although list_commands lists it: the \
                 referee relies on known_command"
            )));
        }
    }
    if checker.knows("pontifex-no-such-command")? {
        return Err(Problem::Fail(
            "known_command answers 'true' for a command that does not exist: the referee would \
             use commands that the engine lacks"
                .to_owned(),
        ));
    }
    Ok(format!("all {} and {} more", REQUIRED.len(), listed_commands.len() - REQUIRED.len()))
}

fn unknown_command(checker: &mut Checker) -> Finding {
    let reply = checker.ask("pontifex-no-such-command")?;
    // Some engines answer an unknown command twice. The second answer would then be read here, and
    // its number is wrong.
    let _ = checker.ask("protocol_version")?;
    match &reply {
        Err(refusal) if refusal.0.starts_with("unknown command") => Ok(quote_reply(&reply)),
        _ => Err(Problem::Warn(format!(
            "the answer is {}, expected '? unknown command'",
            quote_reply(&reply)
        ))),
    }
}

fn board_sizes(checker: &mut Checker) -> Finding {
    checker.require_all(&["boardsize 10", "clear_board"], |refusal| {
        Problem::Fail(format!("{refusal}; it is the standard board"))
    })?;
    checker.require_all(&["boardsize 12", "clear_board"], |refusal| {
        Problem::Warn(format!("{refusal}; it cannot play on the large board"))
    })?;
    let reply = checker.ask("boardsize 3")?;
    match &reply {
        Err(refusal) if refusal.0.starts_with("unacceptable size") => {
            Ok("10 and 12 are accepted, 3 is refused".to_owned())
        }
        _ => Err(Problem::Warn(format!(
            "boardsize 3, a board that does not exist, gives {}, expected '? unacceptable size'",
            quote_reply(&reply)
        ))),
    }
}

fn parameters(checker: &mut Checker) -> Finding {
    let params = &checker.spec.params;
    if !checker.knows("ponte-set_param")? {
        return Err(if params.is_empty() {
            Problem::Warn(
                "ponte-set_param is not known: neither seed nor fixed iterations can be set"
                    .to_owned(),
            )
        } else {
            Problem::Fail("ponte-set_param is not known, but the engine has parameters".to_owned())
        });
    }
    for (name, value) in params {
        checker.require_all(&[&format!("ponte-set_param {name} {value}")], Problem::Fail)?;
    }
    checker.require_all(&["ponte-set_param seed 1"], |refusal| {
        Problem::Warn(format!("{refusal}; the match's seed cannot vary the games"))
    })?;
    checker
        .require_all(&["ponte-set_param playouts 1", "ponte-set_param playouts 0"], |refusal| {
            Problem::Warn(format!("{refusal}; fixed iterations cannot be set"))
        })?;
    Ok("ponte-set_param accepts seed and playouts".to_owned())
}

fn quits(checker: &mut Checker) -> Finding {
    let timeout = checker.timeout;
    let client = checker.client()?;
    let reply = client.ask("quit", timeout)?.reply;
    let start = Instant::now();
    let has_ended = client.process.end(QUIT_TIMEOUT);
    checker.client = None;
    if !has_ended {
        return Err(Problem::Warn(format!(
            "it is still running {} s after its answer to quit and must be killed",
            QUIT_TIMEOUT.as_secs()
        )));
    }
    if reply.is_err() {
        return Err(Problem::Warn(format!("quit is refused: {}", quote_reply(&reply))));
    }
    Ok(format!("answered, and ended after {} ms", start.elapsed().as_millis()))
}

/// Commands that set up a board, followed by legal moves: tiles of both colours and a bridge.
const LEGAL_COMMANDS: [&str; 5] =
    ["boardsize 10", "clear_board", "play w b2,d2", "play b a1,c4", "play w b2-d2"];

/// Moves that are illegal after [`LEGAL_COMMANDS`], and why. Each breaks a different rule.
const ILLEGAL_MOVES: [(&str, &str); 4] = [
    ("play b b2,d4", "b2 is occupied"),
    ("play b c2,d4", "c2 lies under a bridge"),
    ("play b a3,a3", "two tiles on one cell"),
    ("play b pass", "two tiles can be placed"),
];

fn plays_moves(checker: &mut Checker) -> Finding {
    checker.require_all(&LEGAL_COMMANDS, |refusal| {
        Problem::Fail(format!(
            "{refusal}; moves are CELL,CELL, CELL-CELL, pass and swap, colours w and b"
        ))
    })?;
    Ok("placements and a bridge, as in 'play w b2,d2' and 'play w b2-d2'".to_owned())
}

fn refuses_illegal_moves(checker: &mut Checker) -> Finding {
    checker.require_all(&LEGAL_COMMANDS, Problem::Skip)?;
    for (command, reason) in ILLEGAL_MOVES {
        let reply = checker.ask(command)?;
        if !matches!(&reply, Err(refusal) if refusal.0.starts_with("illegal move")) {
            return Err(Problem::Warn(format!(
                "'{command}' ({reason}) gives {}, expected '? illegal move'",
                quote_reply(&reply)
            )));
        }
    }
    // A legal move on cells of the illegal ones: it fails if one of those placed a tile.
    checker.require_all(&["play b a3,d4"], |refusal| {
        Problem::Fail(format!("after illegal moves {refusal}; an illegal move must change nothing"))
    })?;
    Ok(format!("{} illegal moves refused, position unchanged", ILLEGAL_MOVES.len()))
}

fn takes_back_moves(checker: &mut Checker) -> Finding {
    if !checker.knows("undo")? {
        let detail = "undo is not known: the referee does not need it, but graphical boards do";
        return Err(Problem::Warn(detail.to_owned()));
    }
    checker.require_all(&LEGAL_COMMANDS, Problem::Skip)?;
    // The last move is a bridge. If `undo` leaves it on the board, building it again is illegal.
    checker.require_all(&["undo", LEGAL_COMMANDS[4]], |refusal| {
        Problem::Warn(format!("after a move {refusal}"))
    })?;
    Ok("a move can be taken back and played again".to_owned())
}

/// The limit of engines that have none of their own. Set by judgement: the game takes some seconds,
/// and engines in slow languages still find a move in time.
const DEFAULT_LIMIT: Limit = Limit::Move { seconds: Seconds::millis(200) };

/// By how much an answer may exceed its time: 100 ms, the default of `--margin`, so that the check
/// is as strict as a match.
const MARGIN: Duration = Duration::from_millis(100);

/// The engine plays against itself, on 6×6, 8×8 or the standard board: the first it accepts.
fn whole_game(checker: &mut Checker) -> Finding {
    // Games on small boards are shorter. Only the standard board is required of an engine.
    let mut size = Size::STANDARD;
    for small in [6, 8].into_iter().flat_map(Size::new) {
        if checker.ask(&format!("boardsize {small}"))?.is_ok() {
            size = small;
            break;
        }
    }
    // An engine that refuses this parameter plays by the published rules, with the pie rule.
    let pie = checker.ask("ponte-set_param pie off")?.is_err();
    let task = GameTask {
        rules: Rules { size, supply: Supply::Standard, pie },
        opening: Vec::new(),
        limits: [checker.spec.limit.unwrap_or(DEFAULT_LIMIT); 2],
        margin: MARGIN,
        stall: checker.timeout,
        seed: 1,
        evaluations: false,
        adjudication: Adjudication::default(),
    };
    let start = || Player::start(checker.spec, checker.groups, checker.timeout);
    let refuse = |failure: &Failure| {
        let detail = explain_failure(failure.kind, &failure.detail, &failure.stderr_tail);
        let position =
            failure.position.iter().map(|position| format!("; the position is {position}"));
        Problem::Fail(detail + &position.collect::<String>())
    };
    // Two processes, so that each receives the other's moves, as in a match.
    let mut first = start().map_err(|failure| refuse(&failure))?;
    let mut second = start().map_err(|failure| refuse(&failure))?;
    let game = play_game([&mut first, &mut second], &task);
    if let GameEnd::Failure { failure, .. } = &game.end {
        return Err(refuse(failure));
    }
    let slowest = game.seconds.iter().copied().fold(0.0, f64::max);
    let moves = game.moves.len();
    let detail = format!("{moves} legal moves on {size}×{size}, {slowest:.3} s at most");
    match first.warnings() {
        [] => Ok(detail),
        warnings => Err(Problem::Warn(format!("{detail}; {}", warnings.join("; ")))),
    }
}
