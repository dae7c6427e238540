//! Tests of saved clocks, `src/clock/mod.rs`.

use pontifex::clock::{Clock, Limit};

use super::s;

#[test]
fn a_saved_clock_is_read_back() {
    let mut clock = Clock::new("byoyomi=10+2x3".parse::<Limit>().unwrap());
    let texts = [
        r#"{"limit":"byoyomi=10+2x3","main":10.0,"periods":3}"#,
        r#"{"limit":"byoyomi=10+2x3","main":0.0,"periods":3}"#,
        r#"{"limit":"byoyomi=10+2x3","main":0.0,"periods":2}"#,
    ];
    for (text, seconds) in texts.into_iter().zip([10.5, 3.0, 0.0]) {
        assert_eq!(serde_json::to_string(&clock).unwrap(), text);
        assert_eq!(serde_json::from_str::<Clock>(text).unwrap(), clock);
        clock.spend(s(seconds));
    }
    let fallen = r#"{"limit":"tc=5+0","main":0.0,"periods":0}"#;
    assert_eq!(serde_json::from_str::<Clock>(fallen).unwrap().allowed(), Some(s(0.0)));
    assert!(serde_json::to_string(&Clock::new(pontifex::clock::TimeControl::None)).is_err());
}

#[test]
fn a_damaged_clock_is_refused() {
    for (limit, main, periods) in [
        ("tc=60+0", "1e300", 0),
        ("tc=60+0", "-1", 0),
        ("byoyomi=10+2x3", "0", 4),
        ("tc=1e300+0", "1", 0),
        ("byoyomi=1+1e300x1", "1", 1),
    ] {
        let text = format!(r#"{{"limit":"{limit}","main":{main},"periods":{periods}}}"#);
        let error = serde_json::from_str::<Clock>(&text).unwrap_err().to_string();
        assert!(error.lines().count() == 1 && error.len() < 200, "{error}");
    }
}
