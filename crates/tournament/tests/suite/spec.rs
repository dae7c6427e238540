//! Tests of `src/engines/spec.rs`.

use std::path::PathBuf;

use pontifex_tournament::{EngineCommand, EngineSpec};

#[test]
fn all_keys_are_read() {
    let text = r#"cmd="./a 'b c' gtp" name='A 1' dir=/tmp param.threads=1 param.x="y z" tc=60+1"#;
    let spec: EngineSpec = text.parse().unwrap();
    assert_eq!(spec.name, "A 1");
    let (line, dir) = ("./a 'b c' gtp".to_owned(), Some(PathBuf::from("/tmp")));
    assert_eq!(spec.command, EngineCommand::Process { line, dir });
    let params = [("threads", "1"), ("x", "y z")];
    assert_eq!(spec.params, params.map(|(name, value)| (name.into(), value.into())));
    assert_eq!(spec.limit.unwrap().to_string(), "tc=60+1");
    let json = serde_json::to_string(&spec).unwrap();
    assert_eq!(serde_json::from_str::<EngineSpec>(&json).unwrap(), spec);

    let builtin: EngineSpec = "cmd=builtin".parse().unwrap();
    assert_eq!((builtin.command, &*builtin.name), (EngineCommand::Builtin, "builtin"));
    assert_eq!("cmd='../x/engine.py -v'".parse::<EngineSpec>().unwrap().name, "engine");
}

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
        ("cmd='a", "'cmd='a' cannot be read: a quotation mark is not closed"),
        (r#"cmd="'a""#, "''a' cannot be read: a quotation mark is not closed"),
        (r"cmd=a\", "the last backslash escapes nothing"),
    ] {
        let error = text.parse::<EngineSpec>().unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}
