//! Tests of parameters, `src/engine/options.rs`.

use pontifex::engine::{Options, PARAMS, find_param};

#[test]
fn every_default_is_allowed_and_round_trips() {
    for param in PARAMS {
        let mut options = Options::default();
        let default = param.default_value();
        param.set(&mut options, &default).unwrap();
        assert_eq!(options, Options::default(), "{}", param.name);
        assert!(!param.kind.range().contains(' '), "{}", param.name);
    }
}

#[test]
fn errors_say_what_is_allowed() {
    let mut options = Options::default();
    let refusal = |name: &str, value: &str, options: &mut Options| {
        find_param(name).and_then(|param| param.set(options, value)).unwrap_err().to_string()
    };
    assert_eq!(
        refusal("threads", "0", &mut options),
        "threads must be a whole number from 1 to 1024, not '0'"
    );
    assert_eq!(refusal("pie", "maybe", &mut options), "pie must be on or off, not 'maybe'");
    assert!(refusal("tempo", "1", &mut options).contains("there are board supply"));
    assert_eq!(options, Options::default());
}
