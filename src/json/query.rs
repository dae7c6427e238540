//! Queries: the fields of a request for analyses.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::fields::{Fields, Refusal, cut, shown};
use crate::analysis::json::Extent;
use crate::engine::{AnalysisRequest, Game, Options, ParamKind, find_param};
use crate::game::{Color, Move, Position, Setup};
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
    /// Its turn: the number of moves made before it.
    pub(super) turn: usize,
    pub(super) position: Position,
    pub(super) priority: i64,
    pub(super) request: AnalysisRequest,
}

/// Every field of a query.
const FIELDS: [&str; 17] = [
    "id",
    "initialPosition",
    "moves",
    "rules",
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
    "includePVVisits",
    "maxMoves",
];

/// Parameters that `rules` sets.
const RULES: [&str; 3] = ["board", "supply", "pie"];

/// Parameters of games, which have no effect on an analysis.
const OF_GAMES: [&str; 2] = ["resign", "ponder"];

/// Unknown fields, each with a warning.
pub(super) fn unknown_fields(map: &Map<String, Value>) -> impl Iterator<Item = (&str, String)> {
    let unknown = map.keys().map(String::as_str).filter(|name| !FIELDS.contains(name));
    unknown.map(|name| {
        let known = FIELDS.join(" ");
        (name, format!("no query has a field '{}'; there are {known}", cut(name)))
    })
}

impl Query {
    /// Reads a query; `options` are the defaults.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub(super) fn read(map: &Map<String, Value>, options: &Options) -> Result<Query, Refusal> {
        let fields = Fields(map);
        let positions = positions(fields, options)?;
        let extent = Extent {
            moves: fields.count("maxMoves")?.map_or(usize::MAX, |moves| moves as usize),
            line_visits: fields.switch("includePVVisits")?,
        };
        let request = AnalysisRequest {
            ownership: fields.switch("includeOwnership")?,
            interval: fields.seconds("reportDuringSearchEvery")?,
            ..AnalysisRequest::default()
        };
        let (avoid, allow) = (moves_of(fields, "avoidMoves")?, moves_of(fields, "allowMoves")?);
        let numbers = turn_numbers(fields, positions.len() - 1)?;
        let priorities = priorities(fields, numbers.len())?;
        let query = |(turn, priority): (usize, i64)| {
            let position = positions[turn];
            let request = restrict(&request, &avoid, &allow, &position)?;
            Ok(PositionQuery { turn, position, priority, request })
        };
        let queries: Result<_, Refusal> = numbers.into_iter().zip(priorities).map(query).collect();
        let queries = queries?;
        let options = Arc::new(settings(fields, options)?);
        Ok(Query { options, extent, positions: queries })
    }
}

/// The positions before and after each move.
fn positions(fields: Fields<'_>, options: &Options) -> Result<Vec<Position>, Refusal> {
    let refuse = |name: &str, reason: String| Refusal::field(name, reason);
    let mut of_game = options.clone();
    let rules = fields.object("rules")?;
    for (name, value) in rules.into_iter().flatten() {
        if !RULES.contains(&name.as_str()) {
            return Err(refuse("rules", format!("rules has no '{name}'; it has board supply pie")));
        }
        set(&mut of_game, name, value).map_err(|reason| refuse("rules", reason))?;
    }
    let rules_given = of_game.rules;
    let text = fields.text("initialPosition")?;
    let start = text.map(|text| {
        let refuse = |reason: String| refuse("initialPosition", reason);
        let setup = Setup::parse(text, rules_given.supply, rules_given.pie);
        let setup = setup.map_err(|error| refuse(error.to_string()))?;
        let size = setup.rules.size;
        if rules.is_some_and(|rules| rules.contains_key("board")) && size != rules_given.size {
            let board = rules_given.size;
            return Err(refuse(format!("it has {size} rows, but board is {board} in rules")));
        }
        setup.validate().map_err(|error| refuse(error.to_string()))
    });
    let start = start.transpose()?.unwrap_or_else(|| Position::new(rules_given));
    if text.is_none() && fields.get("moves").is_none() {
        let reason = "moves is missing: the moves so far, [] for none; or initialPosition";
        return Err(refuse("moves", reason.to_owned()));
    }
    let mut game = Game::new(start);
    let mut positions = vec![start];
    for (number, text) in fields.texts("moves")?.unwrap_or_default().into_iter().enumerate() {
        let refuse = |reason: String| refuse("moves", format!("moves[{number}]: {reason}"));
        let mv: Move = text.parse().map_err(|error: ParseMoveError| refuse(error.to_string()))?;
        game.play(mv).map_err(|reason| refuse(format!("{text} is illegal: {reason}")))?;
        positions.push(*game.position());
    }
    Ok(positions)
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

/// The options of this query's searches.
fn settings(fields: Fields<'_>, options: &Options) -> Result<Options, Refusal> {
    let mut settings = options.clone();
    for (name, value) in fields.object("overrideSettings")?.into_iter().flatten() {
        let refuse = |reason: String| Refusal::field("overrideSettings", reason);
        if RULES.contains(&name.as_str()) {
            return Err(refuse(format!("{name} is one of the rules: it belongs in rules")));
        }
        if OF_GAMES.contains(&name.as_str()) {
            return Err(refuse(format!("{name} has no effect on an analysis")));
        }
        set(&mut settings, name, value).map_err(refuse)?;
    }
    let (share, asked) = (options.search.memory, settings.search.memory);
    if asked > share {
        let reason = format!("memory cannot be {asked}: {share} MiB is the share of one position");
        return Err(Refusal::field("overrideSettings", reason));
    }
    let playouts = (fields.count("maxPlayouts")?, fields.count("maxVisits")?);
    settings.playouts = match playouts {
        (Some(_), Some(_)) => {
            let reason = "maxVisits is another name of maxPlayouts: only one can be given";
            return Err(Refusal::field("maxVisits", reason));
        }
        (Some(count), None) | (None, Some(count)) => count,
        (None, None) => settings.playouts,
    };
    settings.time = fields.seconds("maxTime")?.map(|time| time.as_secs_f64()).or(settings.time);
    Ok(settings)
}

/// Sets a parameter of the registry.
fn set(options: &mut Options, name: &str, value: &Value) -> Result<(), String> {
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

/// Moves to avoid or allow, of one colour or of the side to move.
struct Selection {
    player: Option<Color>,
    moves: Vec<Move>,
}

/// The moves in `field`: a list of moves, or of objects with `player`, `moves`
/// and `untilDepth`.
fn moves_of(fields: Fields<'_>, field: &str) -> Result<Vec<Selection>, Refusal> {
    let Some(value) = fields.get(field) else { return Ok(Vec::new()) };
    let form = format!("{field} must be a list of moves or of objects with player and moves");
    let refuse = |reason: &str| Refusal::field(field, reason);
    let list = value.as_array().ok_or_else(|| refuse(&form))?;
    if list.iter().all(Value::is_string) {
        let moves = parsed(list.iter().filter_map(Value::as_str)).map_err(|text| refuse(&text))?;
        return Ok(vec![Selection { player: None, moves }]);
    }
    let selection = |value: &Value| {
        let object = Fields(value.as_object().ok_or_else(|| refuse(&form))?);
        let inside = |error: Refusal| refuse(&error.reason);
        let player = match object.text("player").map_err(inside)?.map(str::to_ascii_lowercase) {
            None => return Err(refuse("player is missing: W or R")),
            Some(text) if matches!(text.as_str(), "w" | "white") => Color::White,
            Some(text) if matches!(text.as_str(), "r" | "red") => Color::Red,
            Some(text) => return Err(refuse(&format!("player must be W or R, not '{text}'"))),
        };
        if object.count("untilDepth").map_err(inside)?.is_some_and(|depth| depth != 1) {
            return Err(refuse("untilDepth can be 1 only: the turn that is analysed"));
        }
        let moves = object.texts("moves").map_err(inside)?;
        let moves = moves.ok_or_else(|| refuse("moves is missing: a list of moves"))?;
        let moves = parsed(moves.into_iter()).map_err(|text| refuse(&text))?;
        Ok(Selection { player: Some(player), moves })
    };
    list.iter().map(selection).collect()
}

fn parsed<'a>(moves: impl Iterator<Item = &'a str>) -> Result<Vec<Move>, String> {
    moves.map(|text| text.parse().map_err(|error: ParseMoveError| error.to_string())).collect()
}

/// The request with the moves to avoid and allow at `position`.
fn restrict(
    request: &AnalysisRequest,
    avoid: &[Selection],
    allow: &[Selection],
    position: &Position,
) -> Result<AnalysisRequest, Refusal> {
    let of_mover =
        |selection: &&Selection| selection.player.is_none_or(|player| player == position.side());
    // Legal moves only: this also bounds their number.
    let legal = |selections: &[Selection]| {
        let moves = selections.iter().filter(of_mover).flat_map(|selection| &selection.moves);
        let mut legal: Vec<Move> =
            moves.copied().filter(|&mv| position.check(mv).is_ok()).collect();
        legal.sort();
        legal.dedup();
        legal
    };
    let request = AnalysisRequest { avoid: legal(avoid), allow: legal(allow), ..request.clone() };
    if position.is_over() {
        return Ok(request);
    }
    if allow.iter().any(|selection| of_mover(&selection)) && request.allow.is_empty() {
        return Err(Refusal::field("allowMoves", "allowMoves has no legal move"));
    }
    if request.is_restricted() && !request.permits_any(position) {
        return Err(Refusal::field("avoidMoves", "avoidMoves leaves no legal move"));
    }
    Ok(request)
}
