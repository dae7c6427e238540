//! Loading records: what is mended, and what is refused, with the place and the reason.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::fixture::Test;
use crate::read_request;

#[test]
fn a_loaded_file_is_decoded_and_the_page_is_told_what_was_mended() {
    let mut test = Test::humans();
    let file = |bytes: &[u8]| json!({"base64": STANDARD.encode(bytes)});
    let state =
        test.ask(&json!({"type": "load", "text": file(b"(;SZ[6]CA[latin1]C[\xe9];W[a1,b1])")}));
    assert_eq!((&state["current"], &state["mended"]), (&json!(1), &Value::Null));
    let state = test.ask(&json!({"type": "load", "text": file(b"(;SZ[6]C[\xe9];W[a1,b1]")}));
    let codes = |answer: &Value| {
        let mended = answer["mended"].as_array().unwrap().iter();
        mended.map(|mended| mended["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&state), ["guessed_encoding", "missing_parenthesis"]);
    // Only the page that loaded the record gets the warnings.
    assert!(test.state().get("mended").is_none());
    assert!(test.play("c3,d3").get("mended").is_none());
    let answer = test.ask(&json!({"type": "check", "text": "Look: (;SZ[6]AW[a1])"}));
    assert_eq!(
        (&answer["type"], codes(&answer)),
        (&json!("legal"), vec!["skipped_text".to_owned()])
    );
    let answer = test.ask(&json!({"type": "load", "text": {"base64": "?"}}));
    assert_eq!(answer["text"], "base64: Invalid symbol 63, offset 0.");
    let (_, error) = read_request(r#"{"type": "load", "text": 1}"#).unwrap_err();
    assert_eq!(error, r#"text is a string, or {"base64": the bytes of a file}"#);
}

#[test]
fn a_text_that_cannot_be_loaded_says_where_and_why() {
    let mut test = Test::humans();
    for (text, unread) in [
        ("", json!({"code": "empty"})),
        (
            "# board: 6\na1,b2\nc3,z9",
            json!({"code": "place", "line": 3, "column": 1, "found": "c3,z9"}),
        ),
        (
            "# board: 6\na1,b2\n  hello",
            json!({"code": "place", "line": 3, "column": 3, "found": "hello"}),
        ),
        ("(;GM[1]SZ[19])", json!({"code": "other_game", "game": "1"})),
        ("6/6/6/6/6/7 w - -", json!({"code": "place", "line": 1, "column": 1, "found": null})),
    ] {
        let answer = test.ask(&json!({"type": "load", "text": text}));
        assert_eq!((&answer["type"], &answer["unread"]), (&json!("error"), &unread), "{text}");
    }
    let answer = test.ask(&json!({"type": "load", "text": "# board: 6\na1,b2\na1,c3"}));
    let why = &answer["unread"]["why"];
    assert_eq!((&answer["unread"]["turn"], &why["code"]), (&json!(2), &json!("occupied")));
    let start = "# board: 6\n# start: 6/6/6/6/6/w1w3 w a1-e1 -\n";
    let answer = test.ask(&json!({"type": "load", "text": start}));
    assert_eq!(answer["unread"]["code"], "start", "{answer}");
    // Other refusals are not about a text.
    assert_eq!(test.ask(&json!({"type": "goto", "node": 99}))["unread"], json!(null));
}
