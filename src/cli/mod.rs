//! The command line, one file per subcommand: arguments, options, work.

pub mod convert;
