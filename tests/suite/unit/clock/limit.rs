//! Tests of limits, `src/clock/control.rs`.

use pontifex::clock::Limit;

#[test]
fn text_round_trips() {
    for text in
        ["time=0.5", "tc=60+0", "tc=0.1+1", "byoyomi=0+10x3", "byoyomi=1.5+2x1", "playouts=7"]
    {
        assert_eq!(text.parse::<Limit>().unwrap().to_string(), text);
    }
    assert_eq!("tc=60".parse::<Limit>().unwrap().to_string(), "tc=60+0");
}

#[test]
fn errors_say_what_would_be_right() {
    for text in [
        "time=0",
        "time=-1",
        "time=nan",
        "time=inf",
        "time=",
        "tc=0+0",
        "tc=+",
        "tc=1+-1",
        "byoyomi=1+2",
        "byoyomi=1+2x0",
        "byoyomi=1+0x2",
        "byoyomi=2x3",
        "playouts=0",
        "playouts=1.5",
        "tempo=1",
        "time",
    ] {
        assert!(text.parse::<Limit>().is_err(), "{text}");
    }
    assert_eq!(
        "tc=soon".parse::<Limit>().unwrap_err().to_string(),
        "tc cannot be 'soon': MAIN+INC in seconds, MAIN above 0, as in 60+0.5"
    );
    let error = "tempo=1".parse::<Limit>().unwrap_err().to_string();
    assert!(error.contains("'tempo' is not a limit: time=SECONDS"), "{error}");
}
