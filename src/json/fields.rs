//! Typed access to the fields of a JSON object, and the errors and warnings about
//! them.

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::board::Size;
use crate::clock::Seconds;
use crate::engine::{Options, ParamKind, find_param};
use crate::game::Color;
use crate::messages::{excerpt, one_line};

/// Why a line is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}")]
pub(super) struct Refusal {
    pub(super) reason: String,
    /// The field that is wrong, if one is.
    pub(super) field: Option<String>,
    /// The query's id, if known.
    pub(super) id: Option<String>,
}

impl Refusal {
    /// A line is not a query.
    pub(super) fn line(reason: impl Into<String>) -> Refusal {
        Refusal { reason: reason.into(), field: None, id: None }
    }

    /// A field of a query is wrong.
    pub(super) fn field(field: &str, reason: impl Into<String>) -> Refusal {
        Refusal { reason: reason.into(), field: Some(field.to_owned()), id: None }
    }

    /// Adds the id of the query.
    pub(super) fn of(self, id: &str) -> Refusal {
        Refusal { id: Some(id.to_owned()), ..self }
    }

    /// The answer to the client.
    pub(super) fn answer(self) -> Value {
        let mut answer = json!({ "error": one_line(&self.reason) });
        for (name, text) in [("field", self.field), ("id", self.id)] {
            if let Some(text) = text {
                answer[name] = text.into();
            }
        }
        answer
    }
}

/// What of a query is ignored: the fields and the reasons.
#[derive(Debug, Default)]
pub(super) struct Warnings(Vec<(String, String)>);

impl Warnings {
    pub(super) fn add(&mut self, field: &str, reason: String) {
        self.0.push((field.to_owned(), reason));
    }

    /// Adds `reason` and the names it is about, unless there are none.
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

    /// The one line for the client, unless nothing is ignored.
    pub(super) fn answer(&self, id: &str) -> Option<Value> {
        let (field, _) = self.0.first()?;
        let mut reasons: Vec<&str> = self.0.iter().map(|(_, reason)| reason.as_str()).collect();
        reasons.dedup();
        Some(json!({ "warning": reasons.join("; "), "field": excerpt(field), "id": id }))
    }
}

/// Whether a value switches something off that is not there anyway.
pub(super) fn is_off(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(false)) || value.as_f64() == Some(0.0)
}

/// The player that `W` or `B` means, in either case. Red is `B` in KataGo, and
/// `R` here.
pub(super) fn player(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "white" => Some(Color::White),
        "b" | "black" | "r" | "red" => Some(Color::Red),
        _ => None,
    }
}

/// The fields of a JSON object, read by name and type. A `null` counts as
/// missing.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// The value of a field.
    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The field converted by `read`; an error that names what is `expected` if
    /// it cannot be.
    fn read<T>(
        self,
        name: &str,
        expected: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let refuse = |value| {
            Refusal::field(name, format!("{name} must be {expected}, not {}", shown(value)))
        };
        self.get(name).map(|value| read(value).ok_or_else(|| refuse(value))).transpose()
    }

    pub(super) fn text(self, name: &str) -> Result<Option<&'a str>, Refusal> {
        self.read(name, "a string", Value::as_str)
    }

    pub(super) fn switch(self, name: &str) -> Result<bool, Refusal> {
        Ok(self.read(name, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    pub(super) fn integer(self, name: &str) -> Result<Option<i64>, Refusal> {
        self.read(name, "a whole number", Value::as_i64)
    }

    /// A player; see [`player`].
    pub(super) fn color(self, name: &str) -> Result<Option<Color>, Refusal> {
        self.read(name, "W or B", |value| player(value.as_str()?))
    }

    /// The size of a board.
    pub(super) fn size(self, name: &str) -> Result<Option<Size>, Refusal> {
        let (least, most) = (Size::MIN, Size::MAX);
        self.read(name, &format!("a whole number from {least} to {most}"), |value| {
            Size::new(value.as_u64()?).ok()
        })
    }

    pub(super) fn list(self, name: &str) -> Result<Option<&'a Vec<Value>>, Refusal> {
        self.read(name, "a list", Value::as_array)
    }

    /// A whole number from 1.
    pub(super) fn count(self, name: &str) -> Result<Option<u64>, Refusal> {
        let count = |value: &Value| value.as_u64().filter(|&count| count > 0);
        self.read(name, "a whole number from 1", count)
    }

    /// A time; KataGo's settings have numbers like 1e20 for no limit.
    pub(super) fn seconds(self, name: &str) -> Result<Option<Seconds>, Refusal> {
        let seconds = |value: &Value| {
            value.as_f64().filter(|&seconds| seconds >= 0.001).map(Seconds::saturating)
        };
        self.read(name, "a number of seconds, at least 0.001", seconds)
    }

    pub(super) fn object(self, name: &str) -> Result<Option<&'a Map<String, Value>>, Refusal> {
        self.read(name, "an object", Value::as_object)
    }

    pub(super) fn texts(self, name: &str) -> Result<Option<Vec<&'a str>>, Refusal> {
        self.read(name, "a list of strings", |value| {
            value.as_array()?.iter().map(Value::as_str).collect()
        })
    }

    pub(super) fn integers(self, name: &str) -> Result<Option<Vec<i64>>, Refusal> {
        self.read(name, "a list of whole numbers", |value| {
            value.as_array()?.iter().map(Value::as_i64).collect()
        })
    }
}

/// A value as an error shows it.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// Sets a parameter of the registry to the value of a field.
pub(super) fn set_param(options: &mut Options, name: &str, value: &Value) -> Result<(), String> {
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
