//! Tests of `src/eval/linear`.

use pontifex::eval::linear::{EvaluationUse, Linear, Weights};
use pontifex::game::{Position, Rules};

#[test]
fn each_purpose_has_its_own_weights() {
    let position = Position::new(Rules::default());
    let purposes = [EvaluationUse::Alone, EvaluationUse::Leaf, EvaluationUse::End];
    let logits = |text: &str| {
        let linear = Linear::new(&Weights::parse(text).unwrap());
        purposes.map(|purpose| {
            let win = linear.evaluate_for(&position, purpose).win;
            (win / (1.0 - win)).ln()
        })
    };
    let value = "value bias 1 1 1 1 0  0 0 0 0 0\n";
    let blend = format!("{value}blend bias 2 2 2 2 0  -3 -3 -3 -3 0");
    for (text, expected) in [(value, [1.0, 1.0, 1.0]), (&blend, [1.0, 2.0, -3.0])] {
        let apart =
            logits(text).into_iter().zip(expected).map(|(is, should): (f32, f32)| is - should);
        assert!(apart.into_iter().all(|apart| apart.abs() < 1e-3), "{:?}", logits(text));
    }
}

#[test]
fn wrong_weights_are_refused() {
    for (text, problem) in [
        ("# a\nvalue own.fame 1", "line 2: no feature is called 'own.fame'"),
        ("value bias 1 2", "line 1: 2 numbers where 10 are needed"),
        ("blend bias 1 2 3", "line 1: 3 numbers where 10 are needed"),
        ("step pass 1 2 3 4 5 6 7 x", "line 1: 'x' is not a number from -1000 to 1000"),
        ("step pass 1 2 3 4 5 6 7 NaN", "line 1: 'NaN' is not a number from -1000 to 1000"),
        ("step pass 1 2 3 4 5 6 7 -3e38", "line 1: '-3e38' is not a number from -1000 to 1000"),
        ("hidden pass 1 2", "line 1: no feature is called 'pass'"),
        ("hidden tile.edge.0.0 1 2", "line 1: 2 numbers where 32 are needed"),
        ("unit 32", "line 1: '32' is not a unit from 0 to 31"),
        ("unit 31 1", "line 1: 1 numbers where 16 are needed"),
        ("luck pass", "line 1: 'luck' is not one of value, blend, step, unit, hidden"),
    ] {
        assert_eq!(Weights::parse(text).unwrap_err().to_string(), problem);
    }
}
