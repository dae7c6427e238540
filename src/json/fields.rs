//! The types of fields, and the errors and warnings about them.
//!
//! Queries are read with serde, but serde's errors speak of Rust types and columns. So each field
//! type here has its own error text, which says what the value must be, and [`read`] prefixes it
//! with the path of the field: `moves[2] must be a move, ...`. An error names the first field that
//! is wrong, and none of the query is analysed. A field that is unknown or has no meaning here only
//! causes a warning, so that clients made for KataGo work.

use std::fmt::Display;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use serde_path_to_error::Segment;
use thiserror::Error;

use crate::board::Size;
use crate::clock::Seconds;
use crate::engine::{Options, ParamKind, find_param};
use crate::game::Color;
use crate::messages::{data_error, excerpt, one_line};

/// Why a line is refused. Serialized, it is the answer: an object with `error` and, where known,
/// `field`, `id` and `turnNumber`.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize)]
#[error("{reason}")]
pub(super) struct QueryRefusal {
    #[serde(rename = "error", serialize_with = "in_one_line")]
    pub(super) reason: String,
    /// The field that is wrong, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) field: Option<String>,
    /// The query's id, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    /// The number of the turn whose analysis failed, if one did.
    #[serde(skip_serializing_if = "Option::is_none", rename = "turnNumber")]
    pub(super) turn: Option<usize>,
}

impl QueryRefusal {
    /// The refusal of a line that is not a query.
    pub(super) fn for_line(reason: impl Into<String>) -> QueryRefusal {
        QueryRefusal { reason: reason.into(), field: None, id: None, turn: None }
    }

    /// The refusal of a query for one of its fields.
    pub(super) fn for_field(field: &str, reason: impl Display) -> QueryRefusal {
        QueryRefusal { field: Some(field.to_owned()), ..QueryRefusal::for_line(reason.to_string()) }
    }
}

fn in_one_line<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&one_line(text))
}

/// Reads the fields of `T`. Others are ignored.
///
/// # Errors
/// The first field that is wrong, and what it must be.
pub(super) fn read<T: DeserializeOwned>(map: &Map<String, Value>) -> Result<T, QueryRefusal> {
    serde_path_to_error::deserialize(map).map_err(|error| {
        let (path, reason) = (error.path(), data_error(error.inner()));
        let field = match path.iter().next() {
            Some(Segment::Map { key }) => key,
            _ => "",
        };
        // Reasons of our own types continue the sentence that begins with the path.
        let colon = if reason.starts_with("must be") { "" } else { ":" };
        QueryRefusal::for_field(field, format!("{path}{colon} {reason}"))
    })
}

/// Defines a field type by a description of its values and a function that parses one.
macro_rules! field {
    ($(#[$doc:meta])* $name:ident($type:ty), $expected:expr, $read:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name(pub(super) $type);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let value = Value::deserialize(deserializer)?;
                let read: fn(&Value) -> Option<$type> = $read;
                let (expected, given) = ($expected, describe(&value));
                let refuse = || D::Error::custom(format!("must be {expected}, not {given}"));
                read(&value).map($name).ok_or_else(refuse)
            }
        }
    };
}

field!(Whole(i64), "a whole number", Value::as_i64);
field!(Count(u64), "a whole number from 1", |value| value.as_u64().filter(|&count| count > 0));
field!(
    /// A time of at most [`Seconds::MAX`]: KataGo's settings use numbers like 1e20 for no limit.
    Time(Seconds),
    "a number of seconds, at least 0.001",
    |value| value.as_f64().filter(|&time| time >= 0.001).map(Seconds::saturating)
);
field!(Edge(Size), format!("a whole number from {} to {}", Size::MIN, Size::MAX), |value| {
    Size::new(value.as_u64()?).ok()
});
field!(
    /// Red is `B`, as in KataGo, or `R`.
    Player(Color),
    "W or B",
    |value| color(value.as_str()?)
);
field!(
    /// The side whose win rates are reported: the side to move if `None`.
    Perspective(Option<Color>),
    "BLACK, WHITE or SIDETOMOVE",
    |value| match value.as_str()? {
        word if word.eq_ignore_ascii_case("sidetomove") => Some(None),
        word => color(word).map(Some),
    }
);

fn color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "white" => Some(Color::White),
        "b" | "black" | "r" | "red" => Some(Color::Red),
        _ => None,
    }
}

/// The ignored fields of a query, each with the reason. They become one line, so that a client gets
/// at most one warning per query.
#[derive(Debug, Default)]
pub(super) struct Warnings(Vec<(String, String)>);

impl Warnings {
    pub(super) fn add(&mut self, field: &str, reason: String) {
        self.0.push((field.to_owned(), reason));
    }

    /// Adds a warning that consists of `reason` and `names`. A no-op if there are no names.
    pub(super) fn add_names<'a>(
        &mut self,
        field: &str,
        reason: &str,
        names: impl IntoIterator<Item = &'a String>,
    ) {
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        if !names.is_empty() {
            self.add(field, format!("{reason} {}", one_line(&names.join(" "))));
        }
    }

    /// The line for the client; `None` if nothing is ignored.
    pub(super) fn answer<'a>(&'a self, id: &'a str) -> Option<WarningAnswer<'a>> {
        let (field, _) = self.0.first()?;
        let mut reasons: Vec<&str> = self.0.iter().map(|(_, reason)| reason.as_str()).collect();
        // `avoidMoves` and `allowMoves` may add the same reason in succession.
        reasons.dedup();
        Some(WarningAnswer { text: reasons.join("; "), field: excerpt(field), id })
    }
}

/// The answer that lists what is ignored.
#[derive(Serialize)]
pub(super) struct WarningAnswer<'a> {
    #[serde(rename = "warning")]
    text: String,
    field: String,
    id: &'a str,
}

/// Whether the value is null, false or 0, so that ignoring its field needs no warning.
pub(super) fn asks_for_nothing(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(false)) || value.as_f64() == Some(0.0)
}

/// A value as an error quotes it: in full, or only its type if it may be long.
fn describe(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// Sets the parameter `name` of the registry to `value`. An error names `field`.
pub(super) fn set_param(
    options: &mut Options,
    field: &str,
    name: &str,
    value: &Value,
) -> Result<(), QueryRefusal> {
    let param = find_param(name).map_err(|error| QueryRefusal::for_field(field, error))?;
    let word = match value {
        Value::String(text) => text.clone(),
        Value::Bool(on) if param.kind == ParamKind::Switch => {
            if *on { "on" } else { "off" }.to_owned()
        }
        other => describe(other),
    };
    param.set(options, &word).map_err(|error| QueryRefusal::for_field(field, error))
}
