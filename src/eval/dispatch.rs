//! Chooses machine code by the instructions that the processor has. The results are the same
//! whichever code runs.
//!
//! The binary is built for any x86-64, which lacks even a population count. The hot functions of
//! the evaluation are therefore compiled three times, and the processor is asked at run time.
//! [`compiled_for`] makes the copies: it wraps an `#[inline(always)]` function in one function for
//! each set of instructions. A function that is not inlined into it stays portable, so a forgotten
//! `#[inline(always)]` costs speed, never correctness.
//!
//! The promise of equal results rests on integers: sums of 16-bit weights do not depend on the
//! order in which vectors add them. Tests compare every set of instructions bit for bit with the
//! portable one, and `bench` has the same signature on all.

/// Instructions that this processor has.
///
/// Only [`detect`](Self::detect) and [`available`](Self::available) create values, so holding one
/// proves that code compiled for it may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Instructions(InstructionSet);

/// A set of instructions, whether or not this processor has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(super) enum InstructionSet {
    /// The instructions that every processor of the target has.
    Portable,
    /// AVX2 and the bit instructions that came with it (x86-64-v3).
    Avx2,
    /// AVX-512 with byte and word operations, and VNNI.
    Avx512,
}

impl Instructions {
    /// The best that this processor has.
    #[inline]
    pub(super) fn detect() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        {
            let has_avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt");
            let has_avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni");
            if has_avx2 && has_avx512 {
                return Instructions(InstructionSet::Avx512);
            }
            if has_avx2 {
                return Instructions(InstructionSet::Avx2);
            }
        }
        Instructions(InstructionSet::Portable)
    }

    /// All that this processor has, the portable ones first.
    #[cfg(test)]
    pub(super) fn available() -> impl Iterator<Item = Instructions> {
        let best = Instructions::detect().set();
        let sets = [InstructionSet::Portable, InstructionSet::Avx2, InstructionSet::Avx512];
        sets.into_iter().filter(move |&set| set <= best).map(Instructions)
    }

    /// The set of these instructions.
    #[inline(always)]
    pub(super) fn set(self) -> InstructionSet {
        self.0
    }
}

/// Calls `$inner`, an `#[inline(always)]` function, compiled for `$instructions`. Only what is
/// inlined into `$inner` uses them.
macro_rules! compiled_for {
    ($instructions:expr, $inner:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty) => {{
        let instructions: $crate::eval::dispatch::Instructions = $instructions;
        #[cfg(target_arch = "x86_64")]
        {
            use $crate::eval::dispatch::InstructionSet;

            #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
            fn for_avx2($($argument: $type),*) -> $result {
                $inner($($argument),*)
            }

            #[target_feature(
                enable = "popcnt,bmi1,bmi2,lzcnt,avx2,avx512f,avx512bw,avx512vl,avx512vnni"
            )]
            fn for_avx512($($argument: $type),*) -> $result {
                $inner($($argument),*)
            }

            // SAFETY: an `Instructions` exists only for what detection found,
            // and each function is compiled for what detection checks for its
            // set.
            #[expect(unsafe_code, reason = "no safe way to call such a function")]
            unsafe {
                match instructions.set() {
                    InstructionSet::Portable => $inner($($argument),*),
                    InstructionSet::Avx2 => for_avx2($($argument),*),
                    InstructionSet::Avx512 => for_avx512($($argument),*),
                }
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = instructions.set();
            $inner($($argument),*)
        }
    }};
}

pub(super) use compiled_for;

/// Types without padding for which every bit pattern is a valid value.
///
/// # Safety
/// The type must have no padding, and every bit pattern must be valid.
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "`cast` relies on it")]
pub(super) unsafe trait Bits: Copy {}

#[cfg(target_arch = "x86_64")]
mod bits {
    #![expect(unsafe_code, reason = "integers and vectors of integers are plain bits")]

    use std::arch::x86_64::{__m256i, __m512i};

    use super::Bits;

    // SAFETY: an integer has no padding, and all its bit patterns are valid.
    unsafe impl Bits for i16 {}
    // SAFETY: 256 bits of integers.
    unsafe impl Bits for __m256i {}
    // SAFETY: 512 bits of integers.
    unsafe impl Bits for __m512i {}
    // SAFETY: arrays add no padding.
    unsafe impl<T: Bits, const N: usize> Bits for [T; N] {}
}

/// The same bits as another type of the same size: a load or store of whole vectors.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn cast<A: Bits, B: Bits>(bits: &A) -> B {
    const { assert!(size_of::<A>() == size_of::<B>()) };
    // SAFETY: the sizes are equal, `A` has no uninitialized bytes, and every
    // bit pattern is a valid `B`.
    #[expect(unsafe_code, reason = "the intrinsics for loads and stores take pointers")]
    unsafe {
        std::mem::transmute_copy(bits)
    }
}
