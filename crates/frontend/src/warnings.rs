//! What compilers warn about, so that a change of the source brings nothing new.

use std::path::{Path, PathBuf};

use crate::Options;
use crate::clang::{self, Job};
use crate::error::Error;
use crate::gcc::Gcc;
use crate::input::{Compiler, sources};
use crate::overlay::{Overlay, failed};

/// Warnings and errors of `-Wall -Wextra`, without their places: those move with every change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    clang: Vec<String>,
    /// None if gcc is not installed.
    gcc: Option<Vec<String>>,
    /// Gcc does not accept the program.
    gcc_fails: bool,
}

impl Warnings {
    /// Those that were not there before, each as often as it is new. What gcc says counts only if
    /// it accepted the program before: not all flags for clang are flags for gcc.
    #[must_use]
    pub fn new_since(&self, old: &Warnings) -> Vec<String> {
        let mut new = added(&self.clang, &old.clang);
        if let (Some(gcc), Some(before), false) = (&self.gcc, &old.gcc, old.gcc_fails) {
            new.extend(added(gcc, before));
        }
        new
    }
}

/// The members of `new` beyond those of `old`.
fn added(new: &[String], old: &[String]) -> Vec<String> {
    let mut rest = old.to_vec();
    let is_new = |message: &&String| match rest.iter().position(|it| it == *message) {
        Some(at) => {
            rest.swap_remove(at);
            false
        }
        None => true,
    };
    new.iter().filter(is_new).cloned().collect()
}

/// What clang and, where it is installed, gcc say about the C files.
///
/// # Errors
/// As for [`load`](crate::load).
pub fn warnings(inputs: &[PathBuf], options: &Options) -> Result<Warnings, Error> {
    let overlay = Overlay::new(&options.overlay)?;
    let sources = sources(inputs, options, &overlay)?;
    let mains: Vec<PathBuf> = sources.iter().map(|source| source.path.clone()).collect();
    let gcc = Gcc::find(&overlay, &mains).map_err(failed)?;
    let mut compiler = Compiler::new(options, &overlay, sources.len() == 1)?;
    let mut result = Warnings { gcc: gcc.as_ref().map(|_| Vec::new()), ..Warnings::default() };
    for source in &sources {
        compiler.with_job(source, |clang, job| {
            let (clang, gcc) = in_parallel(|| clang.check(&job), || gcc_says(gcc.as_ref(), &job));
            result.clang.extend(messages(&clang?));
            if let (Some((text, accepts)), Some(all)) = (gcc?, &mut result.gcc) {
                all.extend(messages(&text));
                result.gcc_fails |= !accepts;
            }
            Ok(())
        })?;
    }
    Ok(result)
}

/// Warnings that the new text brings: [`Warnings::new_since`] of two programs.
///
/// # Errors
/// As for [`load`](crate::load).
pub fn new_warnings(
    inputs: &[PathBuf],
    old: &Options,
    new: &Options,
) -> Result<Vec<String>, Error> {
    let old = warnings(inputs, old)?;
    Ok(warnings(inputs, new)?.new_since(&old))
}

fn gcc_says(gcc: Option<&Gcc>, job: &Job<'_>) -> Result<Option<(String, bool)>, Error> {
    gcc.map(|gcc| gcc.check(job))
        .transpose()
        .map_err(|error| clang::failed(Path::new("gcc"), &error))
}

/// Two things at the same time: each compiler takes about as long as the other.
fn in_parallel<A, B: Send>(
    a: impl FnOnce() -> A,
    b: impl FnOnce() -> Result<B, Error> + Send,
) -> (A, Result<B, Error>) {
    std::thread::scope(|scope| {
        let b = scope.spawn(b);
        let a = a();
        let stopped = || Err(Error::Invalid("a thread was stopped".to_owned()));
        (a, b.join().unwrap_or_else(|_| stopped()))
    })
}

/// The messages in a compiler's output: `warning: unused variable 'x' [-Wunused-variable]`.
fn messages(text: &str) -> impl Iterator<Item = String> {
    const MARKS: [&str; 3] = [": warning: ", ": error: ", ": fatal error: "];
    text.lines().filter_map(|line| {
        let at = MARKS.iter().filter_map(|mark| line.find(mark)).min()?;
        line.get(at + 2..).map(|message| message.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_places() {
        let text = "a.c:3:5: warning: unused variable 'x' [-Wunused-variable]\n    3 | int x;\n\
                    a.c:4: note: here\na.c:9:1: error: no\n";
        let found: Vec<String> = messages(text).collect();
        assert_eq!(found, ["warning: unused variable 'x' [-Wunused-variable]", "error: no"]);
    }

    #[test]
    fn a_warning_that_comes_twice_is_new_once() {
        let list = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert_eq!(added(&list(&["b", "a", "a"]), &list(&["a", "c"])), ["b", "a"]);
        let clang = |names: &[&str]| Warnings { clang: list(names), ..Warnings::default() };
        assert_eq!(clang(&["a"]).new_since(&clang(&["a"])), Vec::<String>::new());
    }

    #[test]
    fn gcc_counts_if_it_accepted_the_program_before() {
        let gcc = |fails, names: &[&str]| Warnings {
            gcc: Some(names.iter().map(|it| (*it).to_owned()).collect()),
            gcc_fails: fails,
            ..Warnings::default()
        };
        assert_eq!(gcc(true, &["error: x"]).new_since(&gcc(false, &[])), ["error: x"]);
        assert!(gcc(true, &["error: x"]).new_since(&gcc(true, &[])).is_empty());
    }
}
