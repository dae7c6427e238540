//! From the weights as they are trained to the integers of the finished
//! network.

use super::gradient::{COUNT_UNIT, SHARED_UNIT};
use super::model::{
    COUNTED, INPUT, INPUT_BIAS, OUTPUT, OUTPUT_BIAS, OWNER, OWNER_BIAS, PLY, PLY_BIAS, Part,
    SECOND, SECOND_BIAS, SHARED,
};
use crate::board::Cell;
use crate::eval::linear::value::FEATURES;
use crate::eval::linear::{UNDER_NETWORKS, built_in_text};
use crate::eval::network::format::Numbers;
use crate::eval::network::inputs::{BITS, NUMBER_BITS};
use crate::eval::network::{FIRST_SHIFT, HIDDEN, ONE, SHIFT};

/// The finished network.
pub(super) fn of(weights: &[f32]) -> Numbers {
    let first = (ONE << FIRST_SHIFT) as f32;
    let rows = |rows: usize, row: &dyn Fn(usize, usize) -> f32| -> Vec<i16> {
        let weights = (0..rows).flat_map(|n| (0..HIDDEN).map(move |h| (n, h)));
        weights.map(|(n, h)| (row(n, h) * first).round() as i16).collect()
    };
    let at = |part: Part, row: usize, h: usize| weights[part.row(row)][h];
    let bytes = |part: Part| -> Vec<i8> {
        let one = (1 << SHIFT) as f32;
        weights[part.all()].iter().map(|w| (w * one).round().clamp(-127.0, 127.0) as i8).collect()
    };
    let biases = |part: Part| -> Vec<i32> {
        let one = (ONE << SHIFT) as f32;
        weights[part.all()].iter().map(|w| (w * one).round() as i32).collect()
    };
    Numbers {
        first: rows(BITS, &|n, h| {
            let shared =
                if n < NUMBER_BITS { SHARED_UNIT * at(SHARED, n / Cell::TABLE, h) } else { 0.0 };
            at(INPUT, n, h) + shared
        }),
        first_bias: rows(1, &|n, h| at(INPUT_BIAS, n, h)),
        counted: rows(FEATURES, &|n, h| COUNT_UNIT * at(COUNTED, n, h)),
        second: bytes(SECOND),
        second_bias: biases(SECOND_BIAS),
        output: bytes(OUTPUT),
        output_bias: biases(OUTPUT_BIAS),
        ply: bytes(PLY),
        ply_bias: biases(PLY_BIAS),
        owner: bytes(OWNER),
        owner_bias: biases(OWNER_BIAS),
        linear: built_in_text(UNDER_NETWORKS).to_owned(),
    }
}
