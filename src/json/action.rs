//! Actions: requests other than queries.

use serde_json::{Map, Value, json};

use super::fields::{Fields, Refusal};
use crate::engine::{Options, find_param};

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
