//! Is an engine fit to be refereed?

use std::time::Duration;

use serde::Serialize;

use super::groups::ProcessGroups;
use super::spec::EngineSpec;

/// What one check of an engine found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckResult {
    /// What was checked, a few words.
    pub name: &'static str,
    /// What was found.
    pub verdict: CheckVerdict,
    /// What the engine did, or what is wrong and how to mend it; one line.
    pub detail: String,
}

/// Whether an engine passed a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    /// It did.
    Pass,
    /// It can be refereed, but something would be better.
    Warn,
    /// It cannot be refereed like this.
    Fail,
    /// It could not be tried, because something before failed.
    Skipped,
}

/// Tries all that a referee needs of an engine. It may take `patience` for
/// each answer.
pub fn check(spec: &EngineSpec, groups: &ProcessGroups, patience: Duration) -> Vec<CheckResult> {
    let _ = (spec, groups, patience);
    Vec::new()
}
