//! The one place that asks what the processor can do.

/// What the machine code of a hot function may use. Results are the same
/// whichever it is.
///
/// [`detect`](Self::detect) and [`available`](Self::available) say what this
/// processor has; nothing else may be called with one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instructions {
    /// What every processor of the kind has.
    Portable,
    /// AVX2 and the bit instructions that came with it (x86-64-v3).
    Avx2,
    /// AVX-512 with VNNI.
    Avx512,
}

impl Instructions {
    /// The best this processor has.
    #[inline]
    pub fn detect() -> Instructions {
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
                return Instructions::Avx512;
            }
            if has_avx2 {
                return Instructions::Avx2;
            }
        }
        Instructions::Portable
    }

    /// All that this processor has, the plainest first.
    pub fn available() -> impl Iterator<Item = Instructions> {
        let best = Instructions::detect();
        let all = [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];
        all.into_iter().filter(move |&instructions| instructions as u8 <= best as u8)
    }
}

/// Calls `$inner`, an `#[inline(always)]` function, compiled for
/// `$instructions`, which this processor must have. What is not inlined gains
/// nothing.
macro_rules! compiled_for {
    ($instructions:expr, $inner:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty) => {{
        #[cfg(target_arch = "x86_64")]
        {
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

            match $instructions {
                Instructions::Portable => $inner($($argument),*),
                // SAFETY: the processor has every feature the function is
                // compiled for: the caller has it from `detect`.
                #[expect(unsafe_code, reason = "no other way to call such a function")]
                Instructions::Avx2 => unsafe { for_avx2($($argument),*) },
                // SAFETY: as above.
                #[expect(unsafe_code, reason = "no other way to call such a function")]
                Instructions::Avx512 => unsafe { for_avx512($($argument),*) },
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _: Instructions = $instructions;
            $inner($($argument),*)
        }
    }};
}

pub(crate) use compiled_for;
