//! Queries: the fields of a request for analyses.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::fields::{Fields, Refusal, Warnings, is_off};
use super::game::{Turn, turns};
use super::response::Extent;
use super::selection::{Selection, restrict};
use super::settings::settings;
use crate::clock::Seconds;
use crate::engine::{AnalysisRequest, Options};
use crate::messages::one_line;

/// A request to analyse turns of a game.
#[derive(Debug)]
pub(super) struct Query {
    /// The options of the searches.
    pub(super) options: Arc<Options>,
    /// How much of each analysis to report.
    pub(super) extent: Extent,
    /// The positions, at least one, in the order of the request.
    pub(super) positions: Vec<PositionQuery>,
}

/// A position to analyse.
#[derive(Debug)]
pub(super) struct PositionQuery {
    /// The number of entries of `moves` before it.
    pub(super) number: usize,
    pub(super) turn: Turn,
    pub(super) priority: i64,
    pub(super) request: AnalysisRequest,
}

/// Every field of a query. `komi` and `whiteHandicapBonus` have no meaning in
/// this game; `KataGo`'s clients always send them.
const FIELDS: [&str; 27] = [
    "id",
    "initialPosition",
    "initialStones",
    "initialPlayer",
    "moves",
    "rules",
    "boardXSize",
    "boardYSize",
    "komi",
    "whiteHandicapBonus",
    "analyzeTurns",
    "maxPlayouts",
    "maxVisits",
    "maxTime",
    "priority",
    "priorities",
    "reportDuringSearchEvery",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "includeOwnership",
    "includeMovesOwnership",
    "includePolicy",
    "includePVVisits",
    "analysisPVLen",
    "maxMoves",
    "points",
];

impl Query {
    /// Reads a query; `options` are the defaults.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub(super) fn read(
        map: &Map<String, Value>,
        options: &Options,
        warnings: &mut Warnings,
    ) -> Result<Query, Refusal> {
        let fields = Fields(map);
        let turns = turns(fields, options, warnings)?;
        let ownership = fields.switch("includeOwnership")?;
        let request = AnalysisRequest {
            // KataGo's clients expect `scoreStdev`, which comes with it.
            ownership: ownership || fields.get("boardXSize").is_some(),
            moves_ownership: fields.switch("includeMovesOwnership")?,
            interval: fields.seconds("reportDuringSearchEvery")?.map(Seconds::duration),
            ..AnalysisRequest::default()
        };
        let avoid = Selection::read(fields, "avoidMoves", warnings)?;
        let allow = Selection::read(fields, "allowMoves", warnings)?;
        let numbers = turn_numbers(fields, turns.len() - 1)?;
        let priorities = priorities(fields, numbers.len())?;
        let query = |(number, priority): (usize, i64)| {
            let turn = turns[number];
            let request = restrict(&request, &avoid, &allow, &turn)?;
            Ok(PositionQuery { number, turn, priority, request })
        };
        let positions: Result<_, Refusal> =
            numbers.into_iter().zip(priorities).map(query).collect();
        let positions = positions?;
        let (options, perspective) = settings(fields, options, warnings)?;
        let most = |count: Option<u64>| count.map_or(usize::MAX, |count| count as usize);
        let extent = Extent {
            moves: most(fields.count("maxMoves")?),
            line: most(fields.count("analysisPVLen")?),
            line_visits: fields.switch("includePVVisits")?,
            ownership,
            policy: fields.switch("includePolicy")?,
            points: fields.switch("points")? || turns.iter().any(|turn| turn.first.is_some()),
            perspective,
        };
        warn_of_unknown(map, warnings);
        Ok(Query { options: Arc::new(options), extent, positions })
    }
}

/// Warns of fields that no query has, unless they switch something off.
fn warn_of_unknown(map: &Map<String, Value>, warnings: &mut Warnings) {
    let is_unknown = |name: &str, value| !FIELDS.contains(&name) && !is_off(value);
    let unknown = map.iter().filter(|(name, value)| is_unknown(name, value));
    let names: Vec<&str> = unknown.map(|(name, _)| name.as_str()).collect();
    if let Some(first) = names.first() {
        let (names, known) = (one_line(&names.join(" ")), FIELDS.join(" "));
        warnings.add(first, format!("no query has the fields {names}; there are {known}"));
    }
}

/// The turns to analyse; by default the last one.
fn turn_numbers(fields: Fields<'_>, last: usize) -> Result<Vec<usize>, Refusal> {
    let Some(given) = fields.integers("analyzeTurns")? else { return Ok(vec![last]) };
    let refuse = |reason: String| Refusal::field("analyzeTurns", reason);
    if given.is_empty() {
        return Err(refuse("analyzeTurns is empty: there is nothing to analyse".to_owned()));
    }
    let mut is_asked = vec![false; last + 1];
    let number = |given: i64| {
        let number = usize::try_from(given).ok().filter(|&number| number <= last);
        let number = number
            .ok_or_else(|| refuse(format!("there is no turn {given}, they are 0..{last}")))?;
        if std::mem::replace(&mut is_asked[number], true) {
            return Err(refuse(format!("turn {number} is asked for twice")));
        }
        Ok(number)
    };
    given.into_iter().map(number).collect()
}

/// The priority of each turn.
fn priorities(fields: Fields<'_>, turns: usize) -> Result<Vec<i64>, Refusal> {
    let one = fields.integer("priority")?.unwrap_or(0);
    let Some(each) = fields.integers("priorities")? else { return Ok(vec![one; turns]) };
    let refuse = |reason: String| Err(Refusal::field("priorities", reason));
    if fields.get("analyzeTurns").is_none() {
        return refuse("priorities are those of analyzeTurns, which is missing".to_owned());
    }
    if each.len() != turns {
        return refuse(format!("{} priorities for {turns} analyzeTurns", each.len()));
    }
    Ok(each)
}
