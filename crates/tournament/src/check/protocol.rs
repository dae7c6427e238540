//! Checks of commands, board sizes, parameters, start and end.

use std::time::{Duration, Instant};

use crate::check::checker::{Checker, Finding, fail, pass, shown, warn};

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

pub(super) fn starts(checker: &mut Checker) -> Finding {
    let start = Instant::now();
    let _ = checker.ask("protocol_version")?;
    let seconds = start.elapsed().as_secs_f64();
    let name = checker.ask("name")?.unwrap_or_default();
    let version = checker.ask("version")?.unwrap_or_default();
    pass(format!("{name} {version}, first answer after {seconds:.2} s"))
}

pub(super) fn version(checker: &mut Checker) -> Finding {
    let answer = checker.ask("protocol_version")?;
    if answer.as_deref() == Ok("2") {
        pass("2")
    } else {
        warn(format!("the answer is {}, expected '= 2'; GTP 2 is assumed", shown(&answer)))
    }
}

pub(super) fn required_commands(checker: &mut Checker) -> Finding {
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

pub(super) fn unknown_command(checker: &mut Checker) -> Finding {
    let answer = checker.ask("pontifex-no-such-command")?;
    // The next answer must have the right id.
    let _ = checker.ask("protocol_version")?;
    match &answer {
        Err(text) if text.starts_with("unknown command") => pass(shown(&answer)),
        _ => warn(format!("the answer is {}, expected '? unknown command'", shown(&answer))),
    }
}

pub(super) fn board_sizes(checker: &mut Checker) -> Finding {
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

pub(super) fn parameters(checker: &mut Checker) -> Finding {
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

pub(super) fn quits(checker: &mut Checker) -> Finding {
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
