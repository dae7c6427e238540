//! Tests of `src/search/params.rs`.

use pontifex::search::Params;

#[test]
fn the_text_form_is_read_back() {
    let text = "exploration=1.5,transpositions=0,history=1,doubt=0.5";
    let params: Params = text.parse().unwrap();
    assert!(!params.transpositions && params.history);
    assert_eq!(params.to_string().parse(), Ok(params));
    assert!(params.to_string().contains(",transpositions=0,"));
    for wrong in ["exploration", "exploration=-1", "speed=2", "history=2", "history=true"] {
        assert!(wrong.parse::<Params>().is_err(), "{wrong}");
    }
}
