//! Tests of the numbers in `src/search/analysis.rs`.

use pontifex::engine::rounded;
use serde_json::Value;

#[test]
fn numbers_have_a_decimal_point_and_no_exponent() {
    let texts = [0.0, -0.000_001, 1.0, 0.000_01, -0.123_456_7, 70.0]
        .map(|number| Value::from(rounded(number, 5)).to_string());
    assert_eq!(texts, ["0.0", "0.0", "1.0", "0.00001", "-0.12346", "70.0"]);
    assert_eq!(rounded(0.123_456_78, 6).to_string(), "0.123457");
    assert_eq!(rounded(0.123_456_78, 4).to_string(), "0.1235");
}
