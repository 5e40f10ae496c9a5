//! The scaling families: C programs of a given size, safe ones and failing ones.
//!
//! `main` creates and joins its threads one by one, without loop or array, and there are no
//! pointers but the locks': peers refuse much else, and the point here is how the orders of the
//! accesses scale. All of it is our own text. One module per group of families.

mod accesses;
mod buffers;
mod locks;
mod readers;

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::corpus::scratch;
use crate::peers::{Answer, Task};

pub use accesses::counter;

/// The right answer for all sizes of a series.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// No run fails.
    Safe,
    /// A run fails, and violates this property (as Unravel's report calls it).
    Fails(&'static str),
}

/// One family in one variant, over growing sizes.
pub struct Series {
    /// The family that it belongs to.
    pub family: &'static str,
    /// Family and variant.
    pub name: &'static str,
    /// What it does, and what N is.
    pub what: &'static str,
    /// The sizes, growing. The last is far: no tool is meant to run out of sizes before time.
    sizes: &'static [u32],
    /// The right answer.
    pub right: Right,
    /// A bound that suffices for its loops, for the peers; none where they are not asked, since
    /// they do not look for what is wrong, or do not know what it uses.
    unwind: Option<fn(u32) -> u32>,
    source: fn(u32) -> String,
}

impl Series {
    /// The sizes to run.
    pub fn sizes(&self, quick: bool) -> &[u32] {
        if quick { &self.sizes[..self.sizes.len().min(3)] } else { self.sizes }
    }

    /// Peers are asked.
    pub fn for_peers(&self) -> bool {
        self.unwind.is_some()
    }

    /// Writes the program of size `n`.
    pub fn task(&self, n: u32) -> Result<Task, String> {
        let path = directory()?.join(format!("{}_{n}.c", self.name));
        let text = (self.source)(n);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        let (expected, property) = match self.right {
            Right::Safe => (Answer::Safe, None),
            Right::Fails(property) => (Answer::Unsafe, Some(property.to_owned())),
        };
        Ok(Task {
            name: format!("{} {n}", self.name),
            path,
            expected,
            property,
            flags: Vec::new(),
            unwind: self.unwind.map_or(0, |unwind| unwind(n)),
            for_peers: self.for_peers(),
        })
    }
}

/// All of them, in the order in which they are run.
pub fn all() -> impl Iterator<Item = &'static Series> {
    [accesses::SERIES, locks::SERIES, buffers::SERIES, readers::SERIES].into_iter().flatten()
}

/// The names of the families, each once.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = all().map(|series| series.family).collect();
    names.dedup();
    names
}

/// A program that does nothing: what every answer costs at least.
pub fn empty() -> Result<Task, String> {
    let path = directory()?.join("empty.c");
    let text = program("", &[], "");
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Task {
        name: "empty".to_owned(),
        path,
        expected: Answer::Safe,
        property: None,
        flags: Vec::new(),
        unwind: 1,
        for_peers: true,
    })
}

/// Where the programs go.
pub fn directory() -> Result<PathBuf, String> {
    scratch("bench")
}

fn repeat(function: &str, times: u32) -> Vec<&str> {
    vec![function; times as usize]
}

/// A loop over `i`.
fn each(times: u32, step: &str) -> String {
    let step = step.replace("\n", "\n    ");
    format!("for (int i = 0; i < {times}; i++) {{\n        {step}\n    }}")
}

fn under(lock: &str, locked: bool, step: &str) -> String {
    match locked {
        true => {
            format!("pthread_mutex_lock(&{lock});\n    {step}\n    pthread_mutex_unlock(&{lock});")
        }
        false => step.to_owned(),
    }
}

/// The definition of an array of mutexes.
fn mutexes(name: &str, count: u32) -> String {
    let initial = vec!["PTHREAD_MUTEX_INITIALIZER"; count as usize].join(", ");
    format!("static pthread_mutex_t {name}[{count}] = {{{initial}}};\n")
}

/// A thread's function.
pub fn thread(name: &str, body: &str) -> String {
    format!(
        "static void *{name}(void *arg) {{\n    (void)arg;\n    {body}\n    return NULL;\n}}\n\n"
    )
}

/// A program whose `main` runs one thread for each of `threads`, and then `check`.
pub fn program(globals: &str, threads: &[&str], check: &str) -> String {
    prepared("", globals, threads, check)
}

/// The same, with `prepare` before the threads.
fn prepared(prepare: &str, globals: &str, threads: &[&str], check: &str) -> String {
    let mut main = String::new();
    for number in 0..threads.len() {
        // Writing to a string does not fail.
        let _ = writeln!(main, "    pthread_t t{number};");
    }
    if !prepare.is_empty() {
        let _ = writeln!(main, "    {prepare}");
    }
    for (number, function) in threads.iter().enumerate() {
        let _ = writeln!(main, "    pthread_create(&t{number}, NULL, {function}, NULL);");
    }
    for number in 0..threads.len() {
        let _ = writeln!(main, "    pthread_join(t{number}, NULL);");
    }
    if !check.is_empty() {
        let _ = writeln!(main, "    {check}");
    }
    let semaphores = if globals.contains("sem_t") { "#include <semaphore.h>\n" } else { "" };
    format!(
        "#include <assert.h>\n#include <pthread.h>\n{semaphores}\n{globals}\
         int main(void) {{\n{main}    return 0;\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_and_names_differ() {
        for series in all() {
            assert!(series.sizes.is_sorted_by(|a, b| a < b), "{}", series.name);
            assert!(series.name.starts_with(series.family), "{}", series.name);
            let same = all().filter(|other| other.name == series.name);
            assert_eq!(same.count(), 1, "{}", series.name);
        }
    }

    #[test]
    fn braces_are_balanced() {
        for series in all() {
            let text = (series.source)(3);
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        }
    }
}
