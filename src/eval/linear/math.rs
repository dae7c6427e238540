//! Exponentials from additions and multiplications only. Those of the standard
//! library differ between platforms, and a search would amplify the
//! differences.

/// e to the power of `x`, with a relative error below 2e-5. `x` is clamped to
/// -80..=80.
#[inline]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    // Adding 1.5 * 2^23 rounds to the nearest integer. The difference of the
    // bit patterns is then that integer.
    let rounded = x + ROUNDER;
    let whole = rounded - ROUNDER;
    // The Taylor polynomial of 2^y for y from -1/2 to 1/2.
    let y = (x - whole) * std::f32::consts::LN_2;
    let fraction = 1.0
        + y * (1.0
            + y * (1.0 / 2.0
                + y * (1.0 / 6.0 + y * (1.0 / 24.0 + y * (1.0 / 120.0 + y * (1.0 / 720.0))))));
    let exponent = rounded.to_bits().wrapping_sub(ROUNDER.to_bits()).wrapping_add(127);
    fraction * f32::from_bits(exponent << 23)
}

const ROUNDER: f32 = 12_582_912.0;

/// 1 / (1 + e^-x).
#[inline]
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_small() {
        for n in -8000..=8000 {
            let x = n as f32 / 100.0;
            let real = f64::from(x).exp();
            assert!((f64::from(exp(x)) / real - 1.0).abs() < 2e-5, "{x}");
            let real = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - real).abs() < 1e-6, "{x}");
        }
        assert_eq!(exp(0.0).to_bits(), 1.0f32.to_bits());
        assert!(exp(-1e9) > 0.0 && exp(1e9).is_finite());
    }
}
