//! The options of a query's searches: `overrideSettings` and the limits.

use serde_json::{Map, Value};

use super::fields::{Fields, Refusal, Warnings, is_off, shown};
use crate::engine::{Options, ParamKind, find_param};
use crate::game::Color;

/// Parameters that `rules` sets.
pub(super) const RULES: [&str; 3] = ["board", "supply", "pie"];

/// Parameters of games, which have no effect on an analysis.
const OF_GAMES: [&str; 3] = ["level", "resign", "ponder"];

/// Settings that are no parameters.
const OTHERS: [&str; 4] = ["maxPlayouts", "maxVisits", "maxTime", PERSPECTIVE];
const PERSPECTIVE: &str = "reportAnalysisWinratesAs";

/// The options of the searches, and the side whose win rates are reported: the
/// side to move if `None`.
pub(super) fn settings(
    fields: Fields<'_>,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<(Options, Option<Color>), Refusal> {
    let mut settings = options.clone();
    let none = Map::new();
    let given = fields.object("overrideSettings")?.unwrap_or(&none);
    let refuse = |reason: String| Refusal::field("overrideSettings", reason);
    let mut unknown = Vec::new();
    for (name, value) in given.iter().filter(|(name, _)| !OTHERS.contains(&name.as_str())) {
        if RULES.contains(&name.as_str()) {
            return Err(refuse(format!("{name} is one of the rules: it belongs in rules")));
        }
        if OF_GAMES.contains(&name.as_str()) {
            return Err(refuse(format!("{name} has no effect on an analysis")));
        }
        if find_param(name).is_ok() {
            set(&mut settings, name, value).map_err(refuse)?;
        } else if !is_off(value) {
            unknown.push(name);
        }
    }
    warnings.add_names("overrideSettings", "no setting is named", unknown);
    let (share, asked) = (options.search.memory, settings.search.memory);
    if asked > share {
        let reason = format!("memory cannot be {asked}: {share} MiB is the share of one position");
        return Err(refuse(reason));
    }
    // The fields of the query come before those of the settings.
    let inside = |error: Refusal| refuse(error.reason);
    let others = Fields(given);
    if let Some(count) = playouts(others).map_err(inside)? {
        settings.playouts = count;
    }
    if let Some(count) = playouts(fields)? {
        settings.playouts = count;
    }
    let time = fields.seconds("maxTime")?.or(others.seconds("maxTime").map_err(inside)?);
    settings.time = time.or(settings.time);
    let word = others.text(PERSPECTIVE).map_err(inside)?.unwrap_or("SIDETOMOVE");
    let perspective = match word.to_ascii_lowercase().as_str() {
        "sidetomove" => None,
        "white" | "w" => Some(Color::White),
        "black" | "b" | "red" | "r" => Some(Color::Red),
        _ => {
            let reason = format!("{PERSPECTIVE} must be BLACK, WHITE or SIDETOMOVE, not '{word}'");
            return Err(refuse(reason));
        }
    };
    Ok((settings, perspective))
}

/// The limit of iterations: `maxPlayouts` or `maxVisits`.
fn playouts(fields: Fields<'_>) -> Result<Option<u64>, Refusal> {
    match (fields.count("maxPlayouts")?, fields.count("maxVisits")?) {
        (Some(_), Some(_)) => {
            let reason = "maxVisits is another name of maxPlayouts: only one can be given";
            Err(Refusal::field("maxVisits", reason))
        }
        (playouts, visits) => Ok(playouts.or(visits)),
    }
}

/// Sets a parameter of the registry.
pub(super) fn set(options: &mut Options, name: &str, value: &Value) -> Result<(), String> {
    let param = find_param(name).map_err(|error| error.to_string())?;
    let word = match value {
        Value::String(text) => text.clone(),
        Value::Bool(on) if param.kind == ParamKind::Switch => {
            if *on { "on" } else { "off" }.to_owned()
        }
        other => shown(other),
    };
    param.set(options, &word).map_err(|error| error.to_string())
}
