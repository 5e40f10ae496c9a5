//! Arguments of `unravel cc` and `unravel c++`: those of clang.

use std::ffi::OsString;

use clap::Args;

/// Arguments of `cc` and `c++`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct CompilerArguments {
    /// What clang accepts
    #[arg(value_name = "CLANG ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}
