//! Tests of `src/analysis/json/response.rs`.

use std::time::Duration;

use pontifex::analysis::json::{Extent, of_analysis};
use pontifex::board::Size;
use pontifex::engine::{Analysis, Bounds};
use pontifex::game::{Color, Value as GameValue};
use serde_json::{Map, Value};

#[test]
fn a_proof_names_the_winner_and_the_result_if_it_covers_them() {
    let proof = |lower, upper| {
        let analysis = Analysis {
            mover: Color::White,
            winrate: 0.5,
            lead: 0.0,
            bounds: Bounds { lower: GameValue::new(lower), upper: GameValue::new(upper) },
            visits: 10,
            iterations: 10,
            elapsed: Duration::ZERO,
            candidates: Vec::new(),
            ownership: None,
        };
        let extent = Extent { moves: 1, line_visits: false };
        let map = of_analysis(&analysis, Size::STANDARD, extent);
        let root = map["rootInfo"].as_object().unwrap();
        let of_proof = |key: &str| matches!(key, "solved" | "winner" | "result");
        let proof = root.iter().filter(|(key, _)| of_proof(key));
        let proof: Map<_, _> = proof.map(|(key, value)| (key.clone(), value.clone())).collect();
        Value::from(proof).to_string()
    };
    assert_eq!(proof(-5, 3), r#"{"solved":false}"#);
    assert_eq!(proof(1, 9), r#"{"solved":false,"winner":"W"}"#);
    assert_eq!(proof(-9, -1), r#"{"solved":false,"winner":"R"}"#);
    assert_eq!(proof(-7, -7), r#"{"solved":true,"winner":"R","result":"R+5"}"#);
    assert_eq!(proof(0, 0), r#"{"solved":true,"winner":"draw","result":"0"}"#);
}
