//! Sums of products of units and weights, the same on every processor.

use crate::eval::Instructions;

/// What a layer puts out, or a row of the next layer's weights: whole lines
/// of the processor's cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Lanes<T, const N: usize>(pub(crate) [T; N]);

/// The sum of the products of `units`, 0 to 127, and `weights`. The processor
/// must have `instructions`, and the caller be compiled for them, or this is
/// slow.
#[inline(always)]
pub(super) fn dot<const N: usize>(
    units: &Lanes<u8, N>,
    weights: &Lanes<i8, N>,
    instructions: Instructions,
) -> i32 {
    #[cfg(target_arch = "x86_64")]
    match instructions {
        Instructions::Portable => {}
        // SAFETY: the processor has the instructions.
        #[expect(unsafe_code, reason = "no other way to call such a function")]
        Instructions::Avx2 => return unsafe { x86::dot_avx2(&units.0, &weights.0) },
        // SAFETY: as above.
        #[expect(unsafe_code, reason = "no other way to call such a function")]
        Instructions::Avx512 => return unsafe { x86::dot_avx512(&units.0, &weights.0) },
    }
    let _ = instructions;
    let mut sum = 0;
    for (&unit, &weight) in units.0.iter().zip(&weights.0) {
        sum += i32::from(unit) * i32::from(weight);
    }
    sum
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_dpbusd_epi32, _mm256_extracti128_si256, _mm256_loadu_si256,
        _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    };

    /// 32 bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load<T: Copy>(bytes: &[T; 32]) -> __m256i {
        const { assert!(size_of::<T>() == 1) };
        // SAFETY: there are 32 bytes, and they may lie anywhere.
        #[expect(unsafe_code, reason = "the load takes a pointer")]
        unsafe {
            _mm256_loadu_si256(bytes.as_ptr().cast())
        }
    }

    /// The sum of eight numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn sum(sums: __m256i) -> i32 {
        let half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        let pair = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0b_1110));
        _mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_shuffle_epi32(pair, 1)))
    }

    /// Two products at most are added in 16 bits: 2 · 127 · 128 fits.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn dot_avx2<const N: usize>(units: &[u8; N], weights: &[i8; N]) -> i32 {
        const { assert!(N.is_multiple_of(32)) };
        let mut sums = _mm256_setzero_si256();
        let ones = _mm256_set1_epi16(1);
        for (units, weights) in units.as_chunks().0.iter().zip(weights.as_chunks().0) {
            let pairs = _mm256_maddubs_epi16(load(units), load(weights));
            sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, ones));
        }
        sum(sums)
    }

    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512vl,avx512vnni")]
    pub(super) fn dot_avx512<const N: usize>(units: &[u8; N], weights: &[i8; N]) -> i32 {
        const { assert!(N.is_multiple_of(32)) };
        let mut sums = _mm256_setzero_si256();
        for (units, weights) in units.as_chunks().0.iter().zip(weights.as_chunks().0) {
            sums = _mm256_dpbusd_epi32(sums, load(units), load(weights));
        }
        sum(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Random;

    fn assert_same<const N: usize>(units: &Lanes<u8, N>, weights: &Lanes<i8, N>) {
        let products = units.0.iter().zip(&weights.0).map(|(&u, &w)| i64::from(u) * i64::from(w));
        let sum: i64 = products.sum();
        for instructions in Instructions::available() {
            let found = dot(units, weights, instructions);
            assert_eq!(i64::from(found), sum, "{instructions:?}");
        }
    }

    #[test]
    fn all_processors_find_the_same() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let units = std::array::from_fn(|_| random.below(128) as u8);
            let weights = std::array::from_fn(|_| random.below(256) as i8);
            assert_same::<128>(&Lanes(units), &Lanes(weights));
            let units = std::array::from_fn(|_| random.below(2) as u8 * 127);
            let weights = std::array::from_fn(|_| [i8::MIN, i8::MAX][random.below(2) as usize]);
            assert_same::<32>(&Lanes(units), &Lanes(weights));
        }
        assert_same(&Lanes([127; 128]), &Lanes([i8::MIN; 128]));
        assert_same(&Lanes([127; 128]), &Lanes([i8::MAX; 128]));
    }
}
