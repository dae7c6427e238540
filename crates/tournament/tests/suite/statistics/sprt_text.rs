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
    for (text, error) in [
        (
            "elo0=0,elo1",
            "'elo1' is not KEY=VALUE; a test looks like elo0=0,elo1=20,alpha=0.05,beta=0.05",
        ),
        ("", "'' is not KEY=VALUE; a test looks like elo0=0,elo1=20,alpha=0.05,beta=0.05"),
        ("elo0=0,gamma=1", "unknown key 'gamma'; the keys are elo0, elo1, alpha, beta and model"),
        ("elo0=0,elo0=1", "elo0 is given twice"),
        ("elo0=0", "elo1 is missing; a test looks like elo0=0,elo1=20,alpha=0.05,beta=0.05"),
        ("elo0=zero,elo1=20", "elo0=zero is not a number, as in elo0=0"),
        ("elo0=0,elo1=nan", "elo1=nan is not a number, as in elo1=20"),
        ("elo0=0,elo1=5000", "elo1=5000 is not between -4000 and 4000"),
        ("elo0=5,elo1=5", "elo0=5 must be less than elo1=5"),
        ("elo0=0,elo1=5,alpha=5", "alpha=5 is not between 0 and 0.5 (both excluded)"),
        ("elo0=0,elo1=5,beta=0", "beta=0 is not between 0 and 0.5 (both excluded)"),
        ("elo0=0,elo1=5,model=bayes", "model=bayes is neither normalized nor logistic"),
    ] {
        assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), error);
    }
}
