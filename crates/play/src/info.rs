//! What a page asks its host about: sizes, engines, opponents, limits.

use serde_json::{Value, json};

use super::terms::Level;
use pontifex::board::Size;
use pontifex::engine::Level as Opponent;

/// The answer to `/api/info`. `is_private` is whether links to the host work on
/// this machine only.
pub fn info(engines: &[&str], is_private: bool) -> Value {
    let sizes: Vec<u8> = Size::all().map(Size::get).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "engines": engines,
        "sizes": sizes,
        "private": is_private,
        "levels": levels(),
        "limits": {"time": Level::MAX_TIME, "playouts": Level::MAX_PLAYOUTS},
    })
}

/// The opponents for people: their names and characters in each language.
fn levels() -> Vec<Value> {
    let level = |level: Opponent| {
        let texts = level.texts().map(|text| {
            let value = json!({"name": text.name, "character": text.character});
            (text.language.to_owned(), value)
        });
        Value::Object(texts.into_iter().collect())
    };
    Opponent::all().map(level).collect()
}
