//! Builds a program that runs: the inputs with their flags, and further files beside them.

use std::path::{Path, PathBuf};

use crate::Options;
use crate::error::Error;
use crate::input::{Compiler, changeable, sources};
use crate::overlay::Overlay;

/// Flags of the compiler that the linker has to know, too, by how they begin.
const FOR_LINKER: [&str; 11] =
    ["-l", "-L", "-Wl,", "-static", "-m", "-f", "-no-pie", "-pie", "-rdynamic", "--target", "-B"];

/// Builds the C files of a program, with further files of C beside them, in an empty folder.
///
/// # Errors
/// As for [`load`](crate::load); [`Error::CompileFailed`] if it cannot be linked, too.
pub fn build(
    inputs: &[PathBuf],
    options: &Options,
    beside: &[PathBuf],
    folder: &Path,
) -> Result<PathBuf, Error> {
    let overlay = Overlay::new(&options.overlay)?;
    let sources = sources(inputs, options, &overlay)?;
    sources.iter().try_for_each(changeable)?;
    let mut compiler = Compiler::new(options, &overlay, sources.len() == 1)?;
    let (mut objects, mut flags): (Vec<PathBuf>, Vec<String>) = (Vec::new(), Vec::new());
    for (number, source) in sources.iter().enumerate() {
        let object = folder.join(format!("{number}.o"));
        compiler.with_job(source, |clang, job| {
            let linker = job.flags.iter().filter(|it| is_for_linker(it));
            flags.extend(linker.filter(|it| !flags.contains(it)).cloned().collect::<Vec<_>>());
            clang.object(&job, &object)
        })?;
        objects.push(object);
    }
    let program = folder.join("program");
    compiler.clang()?.link(&objects, beside, &flags, &program)?;
    Ok(program)
}

fn is_for_linker(flag: &str) -> bool {
    FOR_LINKER.iter().any(|it| flag.starts_with(it))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn two_files_and_one_beside_them_are_linked() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let main = file("main.c", "int one(void), two(void);\nint main(void) { return N; }\n");
        let one = file("one.c", "int one(void) { return 1; }\n");
        let two = file("two.c", "int two(void) { return 2; }\n");
        let flags = vec!["-DN=one()+two()".to_owned(), "-lm".to_owned()];
        let options = Options { flags, ..Options::default() };
        let program = build(&[main.clone(), one], &options, &[two], folder.path()).unwrap();
        let status = std::process::Command::new(program).status().unwrap();
        assert_eq!(status.code(), Some(3));
        let missing = build(&[main], &options, &[], folder.path());
        assert!(matches!(missing, Err(Error::CompileFailed { .. })), "{missing:?}");
    }
}
