//! The one place that asks what the processor can do.

/// Calls `$inner`, an `#[inline(always)]` function, compiled for processors
/// that count and find bits in one instruction, where this is one of them:
/// the portable build takes a dozen. What is not inlined gains nothing.
macro_rules! with_bit_instructions {
    ($inner:ident($($argument:ident: $type:ty),*) -> $result:ty) => {{
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
            fn compiled_for_them($($argument: $type),*) -> $result {
                $inner($($argument),*)
            }

            if is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
            {
                // SAFETY: the processor has every feature the function is
                // compiled for.
                #[expect(unsafe_code, reason = "no other way to call such a function")]
                return unsafe { compiled_for_them($($argument),*) };
            }
        }
        $inner($($argument),*)
    }};
}

pub(super) use with_bit_instructions;
