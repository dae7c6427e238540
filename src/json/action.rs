use serde_json::{Map, Value};

use super::fields::{Fields, Refusal};

/// What is asked for besides analyses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    QueryVersion,
    /// Give the memory of searches back.
    ClearCache,
    /// End the analyses of the query with this id, of all without one: all
    /// turns, or these.
    Terminate {
        id: Option<String>,
        turns: Option<Vec<usize>>,
    },
}

const NAMES: &str = "query_version, clear_cache, terminate or terminate_all";

impl Action {
    /// The action that `map` asks for; `None` when it is a query.
    ///
    /// # Errors
    /// The field that is wrong.
    pub(super) fn read(map: &Map<String, Value>) -> Result<Option<Action>, Refusal> {
        let fields = Fields(map);
        let Some(name) = fields.text("action")? else { return Ok(None) };
        let turns = || -> Result<_, Refusal> {
            // No turn has a negative number.
            let numbers = fields.integers("turnNumbers")?;
            let turn = |number: i64| usize::try_from(number).ok();
            Ok(numbers.map(|numbers| numbers.into_iter().filter_map(turn).collect()))
        };
        Ok(Some(match name {
            "query_version" => Action::QueryVersion,
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

    /// The acknowledgement: what was asked, and what is answered to it.
    pub(super) fn acknowledge(&self, mut asked: Map<String, Value>) -> Value {
        if *self == Action::QueryVersion {
            asked.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
            asked.insert("git_hash".to_owned(), "<omitted>".into());
        }
        asked.into()
    }
}
