//! The runtime that a program with hooks is linked with.

use std::path::{Path, PathBuf};

use crate::exit::Exit;

use super::failed;

/// The runtime, as a file that the linker can read. It is part of this program.
pub fn object(folder: &Path) -> Result<PathBuf, Exit> {
    let path = folder.join("unravel-runtime.o");
    std::fs::write(&path, unravel_recorder::runtime::object())
        .map_err(|error| failed(&format!("cannot write temporary files: {error}")))?;
    Ok(path)
}
