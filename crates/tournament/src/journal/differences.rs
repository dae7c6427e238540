//! Comparing the configurations of two journals.

use serde_json::Value;

/// The differences between the configuration of a journal and another one, one
/// line each: `engines[0].cmd is "./a" in the journal, "./b" now`.
pub(super) fn differences(journal: &Value, now: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", journal, now, &mut found);
    found
}

fn compare(path: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                let [old, new] = [old, new].map(|object| object.get(key).unwrap_or(&Value::Null));
                let dot = if path.is_empty() { "" } else { "." };
                compare(&format!("{path}{dot}{key}"), old, new, found);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (n, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&format!("{path}[{n}]"), old, new, found);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            found.push(format!("{path} are {} in the journal, {} now", old.len(), new.len()));
        }
        _ if old != new => {
            let text = |value: &Value| match value {
                Value::Null => "not set".to_owned(),
                value => value.to_string(),
            };
            found.push(format!("{path} is {} in the journal, {} now", text(old), text(new)));
        }
        _ => {}
    }
}
