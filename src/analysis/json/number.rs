//! Rounding of numbers for output.

/// Rounds to at most `decimals` digits after the decimal point. The result is
/// never -0.
pub fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (number * scale).round() / scale + 0.0
}
