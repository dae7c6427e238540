//! Tests of `src/tournament/engines/spec.rs`.

use pontifex::tournament::EngineSpec;

#[test]
fn errors_name_the_key_and_the_alternatives() {
    for (text, words) in [
        ("name=A", "an engine needs cmd; the keys are name, cmd"),
        ("cmd=", "an engine needs cmd"),
        ("cmd=a name=", "needs a name that is not empty"),
        ("cmd=a nonsense", "'nonsense' is not KEY=VALUE"),
        ("cmd=a thread=1", "no key is called 'thread'; the keys are"),
        ("cmd=a param.=1", "no key is called 'param.'"),
        ("cmd=a cmd=b", "cmd is given twice"),
        ("cmd=a param.x=1 param.x=2", "param.x is given twice"),
        ("cmd=a time=1 playouts=2", "the limit is given twice"),
        ("cmd=a time=fast", "time cannot be 'fast': seconds"),
        ("cmd=a param.board=9", "param.board is set by the match"),
        ("cmd='a", "a quotation mark (') is not closed"),
        (r#"cmd="'a""#, "a quotation mark (') is not closed"),
    ] {
        let error = text.parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}
