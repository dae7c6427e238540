//! Tests whether an engine can be refereed.
//!
//! Each check talks to the engine as the referee does. An engine that fails a
//! check fatally is restarted for the next one.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::engines::failure::{EngineError, FailureKind};
use crate::engines::gtp::{Answer, GtpClient, ponte_time_settings, read_move, time_settings};
use crate::engines::match_engine::gtp_color;
use crate::engines::process_groups::ProcessGroups;
use crate::engines::spec::{EngineCommand, EngineSpec};
use pontifex::board::Size;
use pontifex::clock::{Clock, Limit, Seconds};
use pontifex::game::{Position, Rules, Supply};
use pontifex::messages::printable;

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckResult {
    /// The name of the check.
    pub name: &'static str,
    /// Whether the engine passed.
    pub verdict: CheckVerdict,
    /// What the engine did, or what is wrong and how to fix it, in one line.
    pub detail: String,
}

/// Whether an engine passed a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// The engine passed.
    Pass,
    /// The engine can be refereed, but should be improved.
    Warn,
    /// The engine cannot be refereed.
    Fail,
    /// The check was not possible because an earlier one failed.
    Skipped,
}

/// The name of a check and its function.
type Check = (&'static str, fn(&mut Checker) -> Finding);

/// All checks in order.
const CHECKS: [Check; 11] = [
    ("starts and answers", starts),
    ("protocol version", version),
    ("required commands", required_commands),
    ("unknown command", unknown_command),
    ("board sizes", board_sizes),
    ("plays moves", plays),
    ("refuses illegal moves", refuses),
    ("takes back moves", takes_back),
    ("parameters", parameters),
    ("plays a whole game in time", whole_game),
    ("quits", quits),
];

/// Checks everything that the referee needs of an engine. The engine may take
/// `patience` for each answer, and in addition the time for a move: its own
/// limit, or 0.2 s.
///
/// The path of the program is not checked; see [`EngineSpec::check_path`].
pub fn check(spec: &EngineSpec, groups: &ProcessGroups, patience: Duration) -> Vec<CheckResult> {
    if spec.command == EngineCommand::Builtin {
        let detail = "the built-in engine runs in this process and speaks no GTP".to_owned();
        return vec![CheckResult { name: CHECKS[0].0, verdict: CheckVerdict::Pass, detail }];
    }
    let mut checker = Checker::new(spec, groups, patience);
    let mut is_startable = true;
    let mut results = Vec::with_capacity(CHECKS.len());
    for (number, (name, run)) in CHECKS.into_iter().enumerate() {
        let (verdict, detail) = if is_startable {
            checker.run(run)
        } else {
            (CheckVerdict::Skipped, "the engine does not start".to_owned())
        };
        is_startable &= number > 0 || verdict != CheckVerdict::Fail;
        results.push(CheckResult { name, verdict, detail });
    }
    results
}

/// The outcome of a check. A missing or wrongly framed answer is an error.
type Finding = Result<(CheckVerdict, String), EngineError>;

/// An engine under test.
struct Checker<'a> {
    spec: &'a EngineSpec,
    groups: &'a ProcessGroups,
    patience: Duration,
    client: Option<GtpClient>,
}

impl<'a> Checker<'a> {
    /// A checker that starts the engine when it is first asked.
    fn new(spec: &'a EngineSpec, groups: &'a ProcessGroups, patience: Duration) -> Checker<'a> {
        Checker { spec, groups, patience, client: None }
    }

    /// Runs a check. An error is a failure; it ends the engine, and the next
    /// check starts it again.
    fn run(&mut self, check: fn(&mut Checker) -> Finding) -> (CheckVerdict, String) {
        check(self).unwrap_or_else(|error| {
            let hint = match error.kind {
                FailureKind::Crash => "it must answer every command and keep running",
                FailureKind::Stall => "flush the output after each answer",
                FailureKind::Framing => {
                    "an answer is = or ?, the command's number, a space, the text, an empty line"
                }
                _ => "see its stderr",
            };
            let said = self.client.take().and_then(|mut client| {
                client.process.end(Duration::ZERO);
                client.process.stderr_tail().pop()
            });
            let said = said
                .map(|line| format!("; the last line of its stderr: {line}"))
                .unwrap_or_default();
            (CheckVerdict::Fail, format!("{}; {hint}{said}", error.detail))
        })
    }

    /// The engine, started if it is not running.
    fn client(&mut self) -> Result<&mut GtpClient, EngineError> {
        let client = match self.client.take() {
            Some(client) => client,
            None => GtpClient::start(self.spec, self.groups)
                .map_err(|detail| EngineError::new(FailureKind::Start, "", detail))?,
        };
        Ok(self.client.insert(client))
    }

    /// The answer to a command that needs no search.
    fn ask(&mut self, command: &str) -> Result<Result<String, String>, EngineError> {
        let patience = self.patience;
        self.client()?.ask(command, patience).map(|answer| answer.text)
    }

    /// The answer to `genmove`, for which the engine has its limit in addition.
    fn genmove(&mut self, color: char, limit: Limit) -> Result<Answer, EngineError> {
        let limit = Clock::new(limit).allowed().unwrap_or_default();
        let patience = self.patience.saturating_add(limit.duration());
        self.client()?.ask(&format!("genmove {color}"), patience)
    }

    fn knows(&mut self, command: &str) -> Result<bool, EngineError> {
        let answer = self.ask(&format!("known_command {command}"))?;
        Ok(answer.is_ok_and(|text| text.eq_ignore_ascii_case("true")))
    }
}

fn pass(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Pass, detail)
}

fn warn(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Warn, detail)
}

fn fail(detail: impl Into<String>) -> Finding {
    found(CheckVerdict::Fail, detail)
}

#[expect(clippy::unnecessary_wraps, reason = "the return type of checks")]
fn found(verdict: CheckVerdict, detail: impl Into<String>) -> Finding {
    Ok((verdict, detail.into()))
}

/// An answer as it was sent, cut to one line.
fn shown(answer: &Result<String, String>) -> String {
    let (sign, text) = match answer {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let text: String = text.chars().take(80).collect();
    format!("'{}'", format!("{sign} {}", printable(&text)).trim_end())
}

/// The commands that GTP 2 requires.
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

/// How long an engine may take to end after its answer to `quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(5);

fn starts(checker: &mut Checker) -> Finding {
    let start = Instant::now();
    let _ = checker.ask("protocol_version")?;
    let seconds = start.elapsed().as_secs_f64();
    let name = checker.ask("name")?.unwrap_or_default();
    let version = checker.ask("version")?.unwrap_or_default();
    pass(format!("{name} {version}, first answer after {seconds:.2} s"))
}

fn version(checker: &mut Checker) -> Finding {
    let answer = checker.ask("protocol_version")?;
    if answer.as_deref() == Ok("2") {
        pass("2")
    } else {
        warn(format!("the answer is {}, expected '= 2'; GTP 2 is assumed", shown(&answer)))
    }
}

fn required_commands(checker: &mut Checker) -> Finding {
    let list = match checker.ask("list_commands")? {
        Ok(list) => list,
        Err(refusal) => {
            return fail(format!("list_commands is refused ('? {refusal}'), but GTP requires it"));
        }
    };
    let listed: Vec<&str> = list.lines().map(str::trim).collect();
    let missing: Vec<&str> =
        REQUIRED.into_iter().filter(|command| !listed.contains(command)).collect();
    if !missing.is_empty() {
        return fail(format!("list_commands lacks {}, which GTP requires", missing.join(" ")));
    }
    for command in REQUIRED {
        if !checker.knows(command)? {
            return warn(format!(
                "known_command {command} is not '= true' although list_commands lists it: the \
                 referee relies on known_command"
            ));
        }
    }
    if checker.knows("pontifex-no-such-command")? {
        return fail(
            "known_command answers 'true' for a command that does not exist: the referee would \
             use commands that the engine lacks",
        );
    }
    pass(format!("all {} and {} more", REQUIRED.len(), listed.len() - REQUIRED.len()))
}

fn unknown_command(checker: &mut Checker) -> Finding {
    let answer = checker.ask("pontifex-no-such-command")?;
    // The next answer must have the right id.
    let _ = checker.ask("protocol_version")?;
    match &answer {
        Err(text) if text.starts_with("unknown command") => pass(shown(&answer)),
        _ => warn(format!("the answer is {}, expected '? unknown command'", shown(&answer))),
    }
}

fn board_sizes(checker: &mut Checker) -> Finding {
    for (size, is_needed) in [(10, true), (12, false)] {
        let command = format!("boardsize {size}");
        let answer = checker.ask(&command)?;
        if answer.is_err() {
            let detail = format!("{command} is refused ({})", shown(&answer));
            return if is_needed {
                fail(format!("{detail}: it is the standard board"))
            } else {
                warn(format!("{detail}: it cannot play on the large board"))
            };
        }
        let answer = checker.ask("clear_board")?;
        if answer.is_err() {
            return fail(format!("clear_board is refused: {}", shown(&answer)));
        }
    }
    let answer = checker.ask("boardsize 3")?;
    match &answer {
        Err(text) if text.starts_with("unacceptable size") => {
            pass("10 and 12 are accepted, 3 is refused")
        }
        Err(_) => warn(format!(
            "boardsize 3 is refused with {}, expected '? unacceptable size'",
            shown(&answer)
        )),
        Ok(_) => warn(
            "boardsize 3 is accepted, expected '? unacceptable size' for boards that do not exist",
        ),
    }
}

fn parameters(checker: &mut Checker) -> Finding {
    if checker.knows("ponte-set_param")? {
        for (name, value) in checker.spec.params.clone() {
            let answer = checker.ask(&format!("ponte-set_param {name} {value}"))?;
            if answer.is_err() {
                return fail(format!("param.{name}={value} is refused: {}", shown(&answer)));
            }
        }
        let mut refused = Vec::new();
        for (name, value) in [("seed", "1"), ("playouts", "1"), ("playouts", "0")] {
            if checker.ask(&format!("ponte-set_param {name} {value}"))?.is_err() {
                refused.push(name);
            }
        }
        match refused.first() {
            None => pass("ponte-set_param accepts seed and playouts"),
            Some(name) => warn(format!(
                "ponte-set_param refuses {name}: {}",
                if *name == "seed" {
                    "the match's seed cannot vary the games"
                } else {
                    "fixed iterations cannot be set"
                }
            )),
        }
    } else if checker.spec.params.is_empty() {
        warn("ponte-set_param is not known: neither seed nor fixed iterations can be set")
    } else {
        fail("ponte-set_param is not known, but the engine has parameters")
    }
}

fn quits(checker: &mut Checker) -> Finding {
    let patience = checker.patience;
    let client = checker.client()?;
    let answer = client.ask("quit", patience)?;
    let start = Instant::now();
    let ended = client.process.end(QUIT_PATIENCE);
    checker.client = None;
    let milliseconds = start.elapsed().as_millis();
    if !ended {
        return warn(format!(
            "it is still running {} s after its answer to quit and must be killed",
            QUIT_PATIENCE.as_secs()
        ));
    }
    if answer.text.is_err() {
        return warn(format!("quit is refused: {}", shown(&answer.text)));
    }
    pass(format!("answered, and ended after {milliseconds} ms"))
}

/// The limit of engines without their own.
const DEFAULT_LIMIT: Limit = Limit::Move { seconds: Seconds::millis(200) };

/// By how many seconds an answer may exceed the time.
const MARGIN: f64 = 0.1;

/// Moves that are legal in this order.
const LEGAL: [&str; 3] = ["play w b2,d2", "play b a1,c4", "play w b2-d2"];

/// Moves that are illegal after those, and why.
const ILLEGAL: [(&str, &str); 4] = [
    ("play b b2,d4", "b2 is occupied"),
    ("play b c2,d4", "c2 lies under a bridge"),
    ("play b a3,a3", "two tiles on one cell"),
    ("play b pass", "two tiles can be placed"),
];

/// Starts a game with the moves of [`LEGAL`]; the inner error is a refusal.
fn set_up(checker: &mut Checker) -> Result<Result<(), String>, EngineError> {
    for command in ["boardsize 10", "clear_board"].iter().chain(&LEGAL) {
        let answer = checker.ask(command)?;
        if answer.is_err() {
            return Ok(Err(format!("'{command}' is refused: {}", shown(&answer))));
        }
    }
    Ok(Ok(()))
}

fn plays(checker: &mut Checker) -> Finding {
    match set_up(checker)? {
        Ok(()) => pass("placements and a bridge, as in 'play w b2,d2' and 'play w b2-d2'"),
        Err(refusal) => fail(format!(
            "{refusal}; moves are CELL,CELL, CELL-CELL, pass and swap, colours w and b"
        )),
    }
}

fn refuses(checker: &mut Checker) -> Finding {
    if let Err(refusal) = set_up(checker)? {
        return found(CheckVerdict::Skipped, refusal);
    }
    for (command, reason) in ILLEGAL {
        let answer = checker.ask(command)?;
        match &answer {
            Err(text) if text.starts_with("illegal move") => {}
            Err(_) => {
                return warn(format!(
                    "'{command}' ({reason}) is refused with {}, expected '? illegal move'",
                    shown(&answer)
                ));
            }
            Ok(_) => {
                return warn(format!("'{command}' is accepted although it is illegal: {reason}"));
            }
        }
    }
    let answer = checker.ask("play b a3,d4")?;
    if answer.is_err() {
        return fail(format!(
            "'play b a3,d4' is refused after illegal moves ({}): an illegal move must change nothing",
            shown(&answer)
        ));
    }
    pass(format!("{} illegal moves refused, position unchanged", ILLEGAL.len()))
}

fn takes_back(checker: &mut Checker) -> Finding {
    if !checker.knows("undo")? {
        return warn("undo is not known: the referee does not need it, but graphical boards do");
    }
    if let Err(refusal) = set_up(checker)? {
        return found(CheckVerdict::Skipped, refusal);
    }
    let (last, again) = (LEGAL[2], ["undo", LEGAL[2]]);
    for command in again {
        let answer = checker.ask(command)?;
        if answer.is_err() {
            return warn(format!("'{command}' after '{last}' is refused: {}", shown(&answer)));
        }
    }
    pass("a move can be taken back and played again")
}

/// The engine plays both sides on the smallest of three boards that it accepts.
fn whole_game(checker: &mut Checker) -> Finding {
    let mut size = Size::STANDARD;
    for small in [6, 8].into_iter().flat_map(Size::new) {
        if checker.ask(&format!("boardsize {small}"))?.is_ok() {
            size = small;
            break;
        }
    }
    // Engines without this parameter play by the published rules.
    let may_swap =
        !checker.knows("ponte-set_param")? || checker.ask("ponte-set_param pie off")?.is_err();
    for command in [format!("boardsize {size}"), "clear_board".to_owned()] {
        let answer = checker.ask(&command)?;
        if answer.is_err() {
            return fail(format!("'{command}' is refused: {}", shown(&answer)));
        }
    }
    let limit = checker.spec.limit.unwrap_or(DEFAULT_LIMIT);
    let unsupported = match set_limit(checker, limit)? {
        Ok(unsupported) => unsupported,
        Err(refusal) => return fail(refusal),
    };
    let mut game = SelfPlay {
        position: Position::new(Rules { size, supply: Supply::Standard, pie: may_swap }),
        clocks: [Clock::new(limit); 2],
        moves: 0,
        worst: 0.0,
        late: None,
    };
    if let Err(wrong) = game.play(checker, limit)? {
        return fail(wrong);
    }
    let SelfPlay { moves, worst, late, .. } = game;
    match (late, unsupported) {
        (Some(late), None) => {
            fail(format!("{late}: it must reserve some milliseconds for overhead"))
        }
        (Some(late), Some(unsupported)) => fail(format!("{late}; {unsupported}")),
        (None, unsupported) => {
            let told = format!("{moves} legal moves on {size}×{size}, {worst:.3} s at most");
            unsupported
                .map_or_else(|| pass(&*told), |unsupported| warn(format!("{told}; {unsupported}")))
        }
    }
}

/// A game of an engine against itself.
struct SelfPlay {
    position: Position,
    clocks: [Clock; 2],
    moves: u32,
    /// The longest time a move took, in seconds.
    worst: f64,
    /// The first move that came too late.
    late: Option<String>,
}

impl SelfPlay {
    /// To the end, or until a move is wrong.
    fn play(
        &mut self,
        checker: &mut Checker,
        limit: Limit,
    ) -> Result<Result<(), String>, EngineError> {
        let tells_left = checker.knows("time_left")?;
        let counts_periods = checker.knows("ponte-time_settings")?;
        while !self.position.is_over() {
            let color = gtp_color(self.position.side());
            let clock = &mut self.clocks[self.position.side().index()];
            if let Some((left, count)) = clock.time_left().filter(|_| tells_left) {
                let seconds = left.get();
                let whole = seconds.floor();
                let count = if counts_periods { count } else { count.min(1) };
                let answer = checker.ask(&format!("time_left {color} {seconds:.3} {count}"))?;
                if answer.is_err()
                    && checker.ask(&format!("time_left {color} {whole} {count}"))?.is_err()
                {
                    return Ok(Err(format!("time_left is refused: {}", shown(&answer))));
                }
            }
            let answer = checker.genmove(color, limit)?;
            let seconds = answer.elapsed.as_secs_f64();
            self.moves += 1;
            let allowed = clock.allowed().map(Seconds::get);
            if let Some(allowed) = allowed.filter(|allowed| seconds > allowed + MARGIN) {
                let late = format!("move {} took {seconds:.3} s of {allowed:.3} s", self.moves);
                self.late.get_or_insert(late);
            }
            clock.spend(answer.elapsed.into());
            self.worst = self.worst.max(seconds);
            let read = match &answer.text {
                Ok(text) => read_move(text, &self.position),
                Err(_) => Err("a refusal is not a move".to_owned()),
            };
            match read {
                Ok(Some(mv)) => {
                    self.position.steps_of(mv).for_each(|step| self.position.make(step));
                }
                Ok(None) => break,
                Err(reason) => {
                    let (answer, position) = (shown(&answer.text), &self.position);
                    return Ok(Err(format!(
                        "genmove {color} gives {answer} in {position}: {reason}"
                    )));
                }
            }
        }
        Ok(Ok(()))
    }
}

/// Sets the engine's limit. Returns a warning if it is not fully supported; the
/// inner error is a refusal.
fn set_limit(
    checker: &mut Checker,
    limit: Limit,
) -> Result<Result<Option<String>, String>, EngineError> {
    let command = if checker.knows("ponte-time_settings")? {
        ponte_time_settings(limit)
    } else if checker.knows("time_settings")? {
        time_settings(limit)
    } else {
        let unsupported = "neither ponte-time_settings nor time_settings is known: its limit cannot be \
            set";
        return Ok(Ok(Some(unsupported.to_owned())));
    };
    let answer = checker.ask(&command)?;
    if answer.is_err() {
        return Ok(Err(format!("'{command}' is refused: {}", shown(&answer))));
    }
    let is_known = checker.knows("time_left")?;
    let unsupported =
        (!is_known).then(|| "time_left is not known: it must keep its own clock".to_owned());
    Ok(Ok(unsupported))
}
