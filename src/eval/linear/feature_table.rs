//! A macro for features: each has its name and its expression on one line.

/// Defines the names of some features as a constant, and a function that returns their values in
/// the same order.
///
/// A name and its expression share a line, so the order of the names cannot differ from the order
/// of the values. It is a macro because closures and function pointers in a table would not be
/// compiled for the caller's instructions.
macro_rules! feature_table {
    (
        $(#[$names_doc:meta])*
        $names_vis:vis const $names:ident;
        $(#[$values_doc:meta])*
        $values_vis:vis fn $values:ident($($argument:ident: $type:ty),* $(,)?) -> [$value:ty] {
            $($setup:tt)*
        }
        $($name:literal => $expression:expr,)*
    ) => {
        $(#[$names_doc])*
        $names_vis const $names: [&str; [$($name),*].len()] = [$($name),*];

        $(#[$values_doc])*
        #[inline(always)]
        $values_vis fn $values($($argument: $type),*) -> [$value; $names.len()] {
            $($setup)*
            [$($expression),*]
        }
    };
}

pub(super) use feature_table;
