//! Tests of `src/statistics/sprt.rs`.

use pontifex_tournament::{EloModel, Sprt};

#[test]
fn texts_read_back() {
    let text = "elo0=-10,elo1=0.5,alpha=0.01,beta=0.1,model=logistic";
    assert_eq!(text.parse::<Sprt>().unwrap().to_string(), text);
    let sprt: Sprt = "model=normalized, elo1=20, elo0=0".parse().unwrap();
    assert_eq!(sprt, Sprt::new(0.0, 20.0, 0.05, 0.05, EloModel::Normalized).unwrap());
}

#[test]
fn errors_name_what_is_wrong() {
    const FORM: &str = "elo0=0,elo1=20,alpha=0.05,beta=0.05,model=normalized";
    for (text, error) in [
        ("elo0=0,elo1", format!("'elo1' is not one of {FORM}")),
        ("", format!("'' is not one of {FORM}")),
        ("elo0=0,gamma=1", format!("'gamma=1' is not one of {FORM}")),
        ("elo0=0,elo0=1", "elo0 is given twice".to_owned()),
        ("elo0=0", format!("elo1 is missing, as in {FORM}")),
        ("elo0=zero,elo1=20", "elo0=zero is not a number from -4000 to 4000".to_owned()),
        ("elo0=0,elo1=nan", "elo1=nan is not above elo0, and at most 4000".to_owned()),
        ("elo0=0,elo1=5000", "elo1=5000 is not above elo0, and at most 4000".to_owned()),
        ("elo0=5,elo1=5", "elo1=5 is not above elo0, and at most 4000".to_owned()),
        ("elo0=0,elo1=5,alpha=5", "alpha=5 is not between 0 and 0.5 (both excluded)".to_owned()),
        ("elo0=0,elo1=5,beta=0", "beta=0 is not between 0 and 0.5 (both excluded)".to_owned()),
        ("elo0=0,elo1=5,model=bayes", "model=bayes is not normalized or logistic".to_owned()),
    ] {
        assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), error);
    }
}
