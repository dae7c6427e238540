//! The list of checks.

use std::time::Duration;

use crate::check::checker::{CheckResult, CheckVerdict, Checker, Finding};
use crate::check::{game, protocol};
use crate::engines::process_groups::ProcessGroups;
use crate::engines::spec::{EngineCommand, EngineSpec};

/// The name of a check and its function.
type Check = (&'static str, fn(&mut Checker) -> Finding);

/// All checks in order.
const CHECKS: [Check; 11] = [
    ("starts and answers", protocol::starts),
    ("protocol version", protocol::version),
    ("required commands", protocol::required_commands),
    ("unknown command", protocol::unknown_command),
    ("board sizes", protocol::board_sizes),
    ("plays moves", game::plays),
    ("refuses illegal moves", game::refuses),
    ("takes back moves", game::takes_back),
    ("parameters", protocol::parameters),
    ("plays a whole game in time", game::whole_game),
    ("quits", protocol::quits),
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
