//! Reading a client's line: a query, which becomes jobs ([`read_jobs`]), or an [`Action`].
//!
//! A query has the game (`game`), the turns to analyse with their priorities, the moves to avoid
//! and to allow, and the options of the searches: `overrideSettings` and the limits. It becomes one
//! job for each turn.
//!
//! A query is checked as a whole before any of it is queued. Either all of its turns are analysed,
//! or none is and the answer is one error. This includes restrictions, which depend on the turn: if
//! one leaves a turn without a legal move, the query is refused.
//!
//! The names are those of KataGo's analysis engine, so that its clients work unchanged. A field
//! with one of these names has the same meaning here.

use std::collections::HashSet;
use std::str::FromStr;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::fields::{
    Count, Edge, Perspective, Player, QueryRefusal, Time, Warnings, Whole, asks_for_nothing, read,
    set_param,
};
use super::game::{MoveEntry, QueryTurn, RULE_NAMES, RulesField, parse_point, read_turns};
use super::queue::Job;
use super::response::AnswerFormat;
use crate::analysis::points::{cells_of, moves_beginning_with};
use crate::board::Cells;
use crate::engine::{AnalysisRequest, Options, find_param};
use crate::game::{Color, Move};
use crate::messages::one_line;

/// A query as written. A `null` counts as missing.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct QueryForm {
    pub(super) initial_position: Option<String>,
    pub(super) initial_stones: Option<Vec<MoveEntry>>,
    pub(super) initial_player: Option<Player>,
    pub(super) moves: Option<Vec<MoveEntry>>,
    pub(super) rules: Option<RulesField>,
    #[serde(rename = "boardXSize")]
    pub(super) board_x_size: Option<Edge>,
    #[serde(rename = "boardYSize")]
    pub(super) board_y_size: Option<Edge>,
    analyze_turns: Option<Vec<Whole>>,
    max_playouts: Option<Count>,
    max_visits: Option<Count>,
    max_time: Option<Time>,
    priority: Option<Whole>,
    priorities: Option<Vec<Whole>>,
    report_during_search_every: Option<Time>,
    avoid_moves: Option<Restrictions>,
    allow_moves: Option<Restrictions>,
    override_settings: Option<Map<String, Value>>,
    include_ownership: Option<bool>,
    include_moves_ownership: Option<bool>,
    include_policy: Option<bool>,
    #[serde(rename = "includePVVisits")]
    include_pv_visits: Option<bool>,
    #[serde(rename = "analysisPVLen")]
    analysis_pv_len: Option<Count>,
    max_moves: Option<Count>,
    points: Option<bool>,
}

/// Every field of a query: those of [`QueryForm`] and `id`. `komi` and `whiteHandicapBonus` have no
/// meaning in this game; KataGo's clients always send them.
const FIELDS: &str = "id initialPosition initialStones initialPlayer moves rules boardXSize \
    boardYSize komi whiteHandicapBonus analyzeTurns maxPlayouts maxVisits maxTime priority \
    priorities reportDuringSearchEvery avoidMoves allowMoves overrideSettings includeOwnership \
    includeMovesOwnership includePolicy includePVVisits analysisPVLen maxMoves points";

/// Reads the query `id`. Returns a job for each position to analyse, at least one, in the order of
/// the request. `options` are the defaults; `points` forces answers by single points.
///
/// # Errors
/// The first field that is wrong.
pub(super) fn read_jobs(
    id: &str,
    map: &Map<String, Value>,
    options: &Options,
    points: bool,
    warnings: &mut Warnings,
) -> Result<Vec<Job>, QueryRefusal> {
    let form: QueryForm = read(map)?;
    let turns = read_turns(&form, options, warnings)?;
    let ownership = form.include_ownership == Some(true);
    let request = AnalysisRequest {
        // `boardXSize` marks a client of KataGo, which expects `scoreStdev`. That comes with the
        // ownership.
        ownership: ownership || form.board_x_size.is_some(),
        moves_ownership: form.include_moves_ownership == Some(true),
        interval: form.report_during_search_every.map(|Time(time)| time.duration()),
        points: points
            || form.points == Some(true)
            || turns.iter().any(|t| t.first_point.is_some()),
        ..AnalysisRequest::default()
    };
    let avoid = read_selections("avoidMoves", form.avoid_moves.as_ref(), warnings)?;
    let allow = read_selections("allowMoves", form.allow_moves.as_ref(), warnings)?;
    let numbers = read_turn_numbers(&form, turns.len() - 1)?;
    let priorities = read_priorities(&form, numbers.len())?;
    let (options, perspective) = read_settings(&form, options, warnings)?;
    let (id, options): (Arc<str>, _) = (id.into(), Arc::new(options));
    let at_most = |count: Option<Count>| count.map_or(usize::MAX, |Count(n)| n as usize);
    let format = AnswerFormat {
        moves: at_most(form.max_moves),
        line: at_most(form.analysis_pv_len),
        line_visits: form.include_pv_visits == Some(true),
        ownership,
        policy: form.include_policy == Some(true),
        perspective,
    };
    warn_of_unknown(map, warnings);
    let job = |(number, priority): (usize, i64)| {
        let turn = turns[number];
        let request = restrict(&request, &avoid, &allow, &turn)?;
        let (id, options) = (Arc::clone(&id), Arc::clone(&options));
        let stop = Arc::default();
        Ok(Job { id, number, priority, turn, request, options, format, stop })
    };
    numbers.into_iter().zip(priorities).map(job).collect()
}

/// Warns of fields that no query has, unless their value asks for nothing.
fn warn_of_unknown(map: &Map<String, Value>, warnings: &mut Warnings) {
    let is_unknown =
        |name: &str, value| !FIELDS.split(' ').any(|n| n == name) && !asks_for_nothing(value);
    let unknown = map.iter().filter(|(name, value)| is_unknown(name, value));
    let names: Vec<&str> = unknown.map(|(name, _)| name.as_str()).collect();
    if let Some(first) = names.first() {
        let names = one_line(&names.join(" "));
        warnings.add(first, format!("a query has no field {names}; there are {FIELDS}"));
    }
}

/// The turns to analyse; by default the last one.
fn read_turn_numbers(form: &QueryForm, last: usize) -> Result<Vec<usize>, QueryRefusal> {
    let Some(numbers) = &form.analyze_turns else { return Ok(vec![last]) };
    let refuse = |reason: String| QueryRefusal::for_field("analyzeTurns", reason);
    if numbers.is_empty() {
        return Err(refuse("analyzeTurns is empty: there is nothing to analyse".to_owned()));
    }
    let mut is_requested = vec![false; last + 1];
    let check = |&Whole(value): &Whole| {
        let number = usize::try_from(value).ok().filter(|&number| number <= last);
        let number = number.ok_or_else(|| {
            let turns = format!("the turns are 0 to {last}");
            refuse(format!("analyzeTurns: turn {value} does not exist; {turns}"))
        })?;
        if std::mem::replace(&mut is_requested[number], true) {
            return Err(refuse(format!("analyzeTurns: turn {number} is asked for twice")));
        }
        Ok(number)
    };
    numbers.iter().map(check).collect()
}

/// The priority of each turn to analyse, of which there are `turn_count`.
fn read_priorities(form: &QueryForm, turn_count: usize) -> Result<Vec<i64>, QueryRefusal> {
    let shared = form.priority.map_or(0, |Whole(priority)| priority);
    let Some(each) = &form.priorities else { return Ok(vec![shared; turn_count]) };
    let refuse = |reason: String| Err(QueryRefusal::for_field("priorities", reason));
    if form.analyze_turns.is_none() {
        return refuse("priorities are those of analyzeTurns, which is missing".to_owned());
    }
    if each.len() != turn_count {
        return refuse(format!("{} priorities for {turn_count} analyzeTurns", each.len()));
    }
    Ok(each.iter().map(|&Whole(priority)| priority).collect())
}

/// The moves to avoid or to allow: a list for the side to move, or lists with players.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "must be a list of moves, or of objects with player (W or B), moves and perhaps untilDepth (from 1)"
)]
enum Restrictions {
    ForMover(Vec<String>),
    ByPlayer(Vec<Restriction>),
}

/// The moves of one player to avoid or to allow.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Restriction {
    player: Player,
    moves: Vec<String>,
    until_depth: Option<Count>,
}

/// Moves and points to avoid or allow, of one colour or of the side to move.
#[derive(Default)]
struct MoveSelection {
    player: Option<Color>,
    moves: HashSet<Move>,
    points: Cells,
}

/// Reads the selections in `field`.
fn read_selections(
    field: &str,
    restrictions: Option<&Restrictions>,
    warnings: &mut Warnings,
) -> Result<Vec<MoveSelection>, QueryRefusal> {
    let select = |player, words: &[String]| MoveSelection::parse(field, player, words);
    match restrictions {
        None => Ok(Vec::new()),
        Some(Restrictions::ForMover(words)) => Ok(vec![select(None, words)?]),
        Some(Restrictions::ByPlayer(list)) => {
            if list.iter().any(|entry| entry.until_depth.is_some_and(|Count(depth)| depth > 1)) {
                let text = "untilDepth is 1 at most: only the analysed turn is restricted";
                warnings.add(field, text.to_owned());
            }
            list.iter().map(|entry| select(Some(entry.player.0), &entry.moves)).collect()
        }
    }
}

impl MoveSelection {
    fn parse(
        field: &str,
        player: Option<Color>,
        words: &[String],
    ) -> Result<MoveSelection, QueryRefusal> {
        let mut selection = MoveSelection { player, ..MoveSelection::default() };
        for word in words {
            if let Some(point) = parse_point(word) {
                selection.points = selection.points.with(point);
            } else {
                let mv =
                    Move::from_str(word).map_err(|error| QueryRefusal::for_field(field, error))?;
                selection.moves.insert(mv);
            }
        }
        Ok(selection)
    }

    /// Whether the selection names `mv`, whose points are `points`: the move itself, or one of its
    /// points (with `all`, every one of them). `pass` also names a swap.
    fn includes(&self, mv: Move, points: Cells, all: bool) -> bool {
        let common = points & self.points;
        self.moves.contains(&mv)
            || mv == Move::Swap && self.moves.contains(&Move::Pass)
            || !common.is_empty() && (!all || common == points)
    }
}

/// Returns the request with the moves to avoid and allow at `turn`. A point to avoid excludes all
/// moves that play it. Points to allow permit the moves that play no others.
fn restrict(
    request: &AnalysisRequest,
    avoid: &[MoveSelection],
    allow: &[MoveSelection],
    turn: &QueryTurn,
) -> Result<AnalysisRequest, QueryRefusal> {
    let QueryTurn { ref position, first_point: first } = *turn;
    let is_for_mover = |selection: &&MoveSelection| {
        selection.player.is_none_or(|player| player == position.side())
    };
    let avoid: Vec<&MoveSelection> = avoid.iter().filter(is_for_mover).collect();
    let allow: Vec<&MoveSelection> = allow.iter().filter(is_for_mover).collect();
    let mut request = request.clone();
    if position.is_over() || avoid.is_empty() && allow.is_empty() && first.is_none() {
        return Ok(request);
    }
    // The first point of a half-done move is played and cannot be avoided.
    let is_named = |mv: Move, list: &[&MoveSelection], all: bool| {
        let points = cells_of(mv).into_iter().flatten().filter(|&point| Some(point) != first);
        let points = points.fold(Cells::EMPTY, Cells::with);
        list.iter().any(|selection| selection.includes(mv, points, all))
    };
    let is_allowed = |mv: Move| allow.is_empty() || is_named(mv, &allow, true);
    let moves =
        first.map_or_else(|| position.moves(), |first| moves_beginning_with(position, first));
    if !moves.iter().any(|&mv| is_allowed(mv)) {
        return Err(QueryRefusal::for_field("allowMoves", "allowMoves has no legal move"));
    }
    let (permitted, excluded): (Vec<Move>, Vec<Move>) =
        moves.into_iter().partition(|&mv| is_allowed(mv) && !is_named(mv, &avoid, false));
    if permitted.is_empty() {
        return Err(QueryRefusal::for_field("avoidMoves", "avoidMoves leaves no legal move"));
    }
    // The two lists are equivalent, and the search compares every move with the one it gets: pass
    // the shorter. After a first point only `allow` can say that the move must contain it.
    if first.is_some() || permitted.len() <= excluded.len() {
        request.allow = permitted;
    } else {
        request.avoid = excluded;
    }
    Ok(request)
}

/// Parameters of games, which have no effect on an analysis.
const GAME_PARAMS: [&str; 3] = ["level", "resign", "ponder"];

/// The settings in `overrideSettings` that are not parameters of the engine.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct OverrideSettings {
    max_playouts: Option<Count>,
    max_visits: Option<Count>,
    max_time: Option<Time>,
    report_analysis_winrates_as: Option<Perspective>,
}

/// The names of the fields of [`OverrideSettings`].
const SETTING_NAMES: [&str; 4] =
    ["maxPlayouts", "maxVisits", "maxTime", "reportAnalysisWinratesAs"];

/// Returns the options of the searches, and the side whose win rates are reported: the side to move
/// if `None`.
///
/// Memory can only be lowered, because the workers share what the user has granted.
fn read_settings(
    form: &QueryForm,
    options: &Options,
    warnings: &mut Warnings,
) -> Result<(Options, Option<Color>), QueryRefusal> {
    const FIELD: &str = "overrideSettings";
    let mut settings = options.clone();
    let empty = Map::new();
    let map = form.override_settings.as_ref().unwrap_or(&empty);
    let refuse = |reason: String| Err(QueryRefusal::for_field(FIELD, reason));
    let mut unknown = Vec::new();
    for (name, value) in map.iter().filter(|(name, _)| !SETTING_NAMES.contains(&name.as_str())) {
        if RULE_NAMES.contains(&name.as_str()) {
            return refuse(format!("{name} is one of the rules: it belongs in rules"));
        }
        if GAME_PARAMS.contains(&name.as_str()) {
            return refuse(format!("{name} has no effect on an analysis"));
        }
        if find_param(name).is_ok() {
            set_param(&mut settings, FIELD, name, value)?;
        } else if !asks_for_nothing(value) {
            unknown.push(name);
        }
    }
    warnings.add_names(FIELD, "no setting is named", unknown);
    let (share, memory) = (options.search.memory, settings.search.memory);
    if memory > share {
        return refuse(format!(
            "memory must be at most {share}, the share of one position in MiB, not {memory}"
        ));
    }
    let in_settings = |error: QueryRefusal| QueryRefusal { field: Some(FIELD.to_owned()), ..error };
    let overrides: OverrideSettings = read(map).map_err(in_settings)?;
    // The fields of the query take precedence over those of the settings.
    let count = iteration_limit(overrides.max_playouts, overrides.max_visits);
    let count = count.map_err(in_settings)?;
    let count = iteration_limit(form.max_playouts, form.max_visits)?.or(count);
    settings.playouts = count.map_or(settings.playouts, |Count(count)| count);
    let time = form.max_time.or(overrides.max_time);
    settings.time = time.map(|Time(time)| time).or(settings.time);
    let perspective = overrides.report_analysis_winrates_as;
    Ok((settings, perspective.and_then(|Perspective(side)| side)))
}

/// The limit of iterations: `maxPlayouts` or `maxVisits`. Every search begins with an empty tree,
/// so both mean the same.
fn iteration_limit(
    playouts: Option<Count>,
    visits: Option<Count>,
) -> Result<Option<Count>, QueryRefusal> {
    if playouts.is_some() && visits.is_some() {
        let reason = "maxVisits is another name of maxPlayouts: only one can be given";
        return Err(QueryRefusal::for_field("maxVisits", reason));
    }
    Ok(playouts.or(visits))
}

/// A request other than a query.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Action {
    #[serde(rename = "action")]
    pub(super) name: ActionName,
    /// The id of the query whose analyses `terminate` ends. An unknown id is not an error: the last
    /// answer to that query may be on its way.
    pub(super) terminate_id: Option<String>,
    /// The turns whose analyses end; all if `None`.
    pub(super) turn_numbers: Option<Vec<Whole>>,
}

/// The kind of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ActionName {
    QueryVersion,
    QueryModels,
    /// Free the memory of searches.
    ClearCache,
    /// End the analyses of a query.
    Terminate,
    /// End the analyses of all queries.
    TerminateAll,
}

impl Action {
    /// Reads an action. Returns `None` if `map` is a query.
    ///
    /// # Errors
    /// The field that is wrong.
    pub(super) fn read(map: &Map<String, Value>) -> Result<Option<Action>, QueryRefusal> {
        if map.get("action").is_none_or(Value::is_null) {
            return Ok(None);
        }
        let action: Action = read(map)?;
        if action.name == ActionName::Terminate && action.terminate_id.is_none() {
            let reason = "terminateId is missing: the id of a query";
            return Err(QueryRefusal::for_field("terminateId", reason));
        }
        Ok(Some(action))
    }

    /// The acknowledgement: the request with the answer added.
    pub(super) fn acknowledge(
        &self,
        mut request: Map<String, Value>,
        options: &Options,
    ) -> Map<String, Value> {
        let mut add = |name: &str, value: Value| request.insert(name.to_owned(), value);
        if self.name == ActionName::QueryVersion {
            add("version", env!("CARGO_PKG_VERSION").into());
            // KataGo has this field; here the version says enough.
            add("git_hash", "<omitted>".into());
        } else if self.name == ActionName::QueryModels {
            let name = options.search.evaluator.to_string();
            let model = json!({
                "name": name, "internalName": name, "maxBatchSize": 1,
                "usesHumanSLProfile": false, "version": 0, "usingFP16": "false",
            });
            add("models", vec![model].into());
        }
        request
    }
}
