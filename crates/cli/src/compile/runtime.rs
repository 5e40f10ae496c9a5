//! The runtime that a program with hooks is linked with.

use std::path::{Path, PathBuf};

use crate::exit::Exit;

use super::failed;

/// The archive, as a file that the linker can read.
pub fn archive(_folder: &Path) -> Result<PathBuf, Exit> {
    match std::env::var_os("UNRAVEL_RUNTIME") {
        Some(path) => Ok(path.into()),
        None => Err(failed("the runtime is missing: `UNRAVEL_RUNTIME` names no archive")),
    }
}
