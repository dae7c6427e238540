//! What a line of the client asks for: a [`Query`] for analyses, or an
//! [`Action`].
//!
//! A query has the game (`game`), the turns to analyse with their priorities,
//! the moves to avoid and to allow, and the options of the searches:
//! `overrideSettings` and the limits.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::fields::{Fields, Refusal, Warnings, is_off, set_param};
use super::game::{RULES, Turn, point, turns};
use super::response::Extent;
use crate::analysis::points::{begun, points_of};
use crate::board::Cells;
use crate::clock::Seconds;
use crate::engine::{AnalysisRequest, Options, find_param};
use crate::game::{Color, Move};
use crate::messages::one_line;
use crate::notation::ParseMoveError;

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

/// Moves and points to avoid or allow, of one colour or of the side to move.
#[derive(Default)]
struct Selection {
    player: Option<Color>,
    moves: HashSet<Move>,
    points: Cells,
}

impl Selection {
    /// The selections in `field`: a list of moves, or of objects with `player`,
    /// `moves` and `untilDepth`.
    fn read(
        fields: Fields<'_>,
        field: &str,
        warnings: &mut Warnings,
    ) -> Result<Vec<Selection>, Refusal> {
        let Some(list) = fields.list(field)? else { return Ok(Vec::new()) };
        let refuse = |reason: String| Refusal::field(field, reason);
        if let Some(words) = list.iter().map(|value| value.as_str()).collect::<Option<Vec<_>>>() {
            return Ok(vec![Selection::of(None, &words).map_err(refuse)?]);
        }
        let form =
            || format!("{field} must be a list of moves or of objects with player and moves");
        let mut selections = Vec::new();
        for value in list {
            let object = Fields(value.as_object().ok_or_else(|| refuse(form()))?);
            let inside = |error: Refusal| refuse(error.reason);
            let missing = || refuse("player is missing: W or B".to_owned());
            let player = object.color("player").map_err(inside)?.ok_or_else(missing)?;
            if object.count("untilDepth").map_err(inside)?.is_some_and(|depth| depth > 1) {
                let text = "untilDepth is 1 at most: only the analysed turn is restricted";
                warnings.add(field, text.to_owned());
            }
            let missing = || refuse("moves is missing: a list of moves".to_owned());
            let words = object.texts("moves").map_err(inside)?.ok_or_else(missing)?;
            selections.push(Selection::of(Some(player), &words).map_err(refuse)?);
        }
        Ok(selections)
    }

    fn of(player: Option<Color>, words: &[&str]) -> Result<Selection, String> {
        let mut selection = Selection { player, ..Selection::default() };
        for word in words {
            if let Some(point) = point(word) {
                selection.points = selection.points.with(point);
            } else {
                let mv = word.parse().map_err(|error: ParseMoveError| error.to_string())?;
                selection.moves.insert(mv);
            }
        }
        Ok(selection)
    }

    /// Whether it names `mv`, which plays `points`: the move, or one of its
    /// points, or `all` of them. `pass` also means a swap.
    fn names(&self, mv: Move, points: Cells, all: bool) -> bool {
        let common = points & self.points;
        self.moves.contains(&mv)
            || mv == Move::Swap && self.moves.contains(&Move::Pass)
            || !common.is_empty() && (!all || common == points)
    }
}

/// The request with the moves to avoid and allow at `turn`. Points forbid the
/// moves that play one of them, and allow those that play no others.
fn restrict(
    request: &AnalysisRequest,
    avoid: &[Selection],
    allow: &[Selection],
    turn: &Turn,
) -> Result<AnalysisRequest, Refusal> {
    let Turn { ref position, first } = *turn;
    let is_of_mover =
        |selection: &&Selection| selection.player.is_none_or(|player| player == position.side());
    let avoid: Vec<&Selection> = avoid.iter().filter(is_of_mover).collect();
    let allow: Vec<&Selection> = allow.iter().filter(is_of_mover).collect();
    let mut request = request.clone();
    if position.is_over() || avoid.is_empty() && allow.is_empty() && first.is_none() {
        return Ok(request);
    }
    let is_named = |mv: Move, list: &[&Selection], all: bool| {
        let points = points_of(mv).into_iter().flatten().filter(|&point| Some(point) != first);
        let points = points.fold(Cells::EMPTY, Cells::with);
        list.iter().any(|selection| selection.names(mv, points, all))
    };
    let is_allowed = |mv: Move| allow.is_empty() || is_named(mv, &allow, true);
    let moves = first.map_or_else(|| position.moves(), |first| begun(position, first));
    if !moves.iter().any(|&mv| is_allowed(mv)) {
        return Err(Refusal::field("allowMoves", "allowMoves has no legal move"));
    }
    let (kept, dropped): (Vec<Move>, Vec<Move>) =
        moves.into_iter().partition(|&mv| is_allowed(mv) && !is_named(mv, &avoid, false));
    if kept.is_empty() {
        return Err(Refusal::field("avoidMoves", "avoidMoves leaves no legal move"));
    }
    if first.is_some() || kept.len() <= dropped.len() {
        request.allow = kept;
    } else {
        request.avoid = dropped;
    }
    Ok(request)
}

/// Parameters of games, which have no effect on an analysis.
const OF_GAMES: [&str; 3] = ["level", "resign", "ponder"];

/// Settings that are no parameters.
const OTHERS: [&str; 4] = ["maxPlayouts", "maxVisits", "maxTime", PERSPECTIVE];
const PERSPECTIVE: &str = "reportAnalysisWinratesAs";

/// The options of the searches, and the side whose win rates are reported: the
/// side to move if `None`.
fn settings(
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
            set_param(&mut settings, name, value).map_err(refuse)?;
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

/// A request other than a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    QueryVersion,
    QueryModels,
    /// Free the memory of searches.
    ClearCache,
    /// End the analyses of the query `id` (of all queries if `None`) for
    /// `turns` (all if `None`).
    Terminate {
        id: Option<String>,
        turns: Option<Vec<usize>>,
    },
}

const NAMES: &str = "query_version, query_models, clear_cache, terminate or terminate_all";

impl Action {
    /// Reads an action; `None` if `map` is a query.
    ///
    /// # Errors
    /// The field that is wrong.
    pub(super) fn read(map: &Map<String, Value>) -> Result<Option<Action>, Refusal> {
        let fields = Fields(map);
        let Some(name) = fields.text("action")? else { return Ok(None) };
        let turns = || -> Result<_, Refusal> {
            // Turns are never negative.
            let numbers = fields.integers("turnNumbers")?;
            let turn = |number: i64| usize::try_from(number).ok();
            Ok(numbers.map(|numbers| numbers.into_iter().filter_map(turn).collect()))
        };
        Ok(Some(match name {
            "query_version" => Action::QueryVersion,
            "query_models" => Action::QueryModels,
            "clear_cache" => Action::ClearCache,
            "terminate_all" => Action::Terminate { id: None, turns: turns()? },
            "terminate" => {
                let missing =
                    || Refusal::field("terminateId", "terminateId is missing: the id of a query");
                let id = fields.text("terminateId")?.ok_or_else(missing)?;
                Action::Terminate { id: Some(id.to_owned()), turns: turns()? }
            }
            _ => {
                let reason = format!("action must be {NAMES}, not '{name}'");
                return Err(Refusal::field("action", reason));
            }
        }))
    }

    /// The acknowledgement: the request with the answer added.
    pub(super) fn acknowledge(&self, mut request: Map<String, Value>, options: &Options) -> Value {
        let mut add = |name: &str, value: Value| request.insert(name.to_owned(), value);
        if *self == Action::QueryVersion {
            add("version", env!("CARGO_PKG_VERSION").into());
            add("git_hash", "<omitted>".into());
        } else if *self == Action::QueryModels {
            let name = find_param("evaluator").map(|param| param.get(options)).unwrap_or_default();
            let model = json!({
                "name": name, "internalName": name, "maxBatchSize": 1,
                "usesHumanSLProfile": false, "version": 0, "usingFP16": "false",
            });
            add("models", vec![model].into());
        }
        request.into()
    }
}
