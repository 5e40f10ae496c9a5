//! Regions of which at most one is executed at a time.
//!
//! ```text
//!   regions ──► runs of statements ──► joined, grown over sections that exist ──► lock, unlock
//! ```
//!
//! - [`run`]: the smallest run of sibling statements around a region; a region that ends in a
//!   condition ends before the body of it, with the condition's value in a local;
//! - [`section`]: sections of a mutex that exists, and the run grown until it begins and ends where
//!   the mutex is free;
//! - [`write`]: the run as a critical section, with the lock given back on every way out;
//! - [`hoist`]: values taken into locals;
//! - [`lift`]: functions that take the mutex themselves and are called in a section;
//! - [`lock`]: how a mutex is declared, locked and unlocked.

mod hoist;
mod lift;
mod lock;
mod run;
mod section;
mod write;

use std::collections::BTreeSet;

use tree_sitter::Node;
use unravel_span::FileId;

use crate::exits::siblings;
use crate::source::{descendants, is_statement};
use crate::spelling::Spelling;
use crate::{Edit, Refusal, Region, Sources};
use lock::Lock;
use run::Run;
use write::Writer;

/// What excludes the regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mutex {
    /// A new mutex at file scope.
    New {
        /// Its name, which nothing in the files has.
        name: String,
    },
    /// One that exists.
    Existing {
        /// As written where it is locked: `&q->lock`.
        expression: String,
        /// What callers call it, for regions where that name is not known: `&queue.lock`.
        others: Vec<String>,
    },
    /// One that exists, and is taken and given back by statements of the program's own.
    Spelled {
        /// As written where it is taken.
        spelling: Spelling,
        /// As callers would write it.
        others: Vec<Spelling>,
    },
}

/// Regions as critical sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded {
    /// The change; none if the regions exclude each other already.
    pub edits: Vec<Edit>,
    /// Whether a section that exists was widened: a lock or an unlock went from where it was.
    pub widened: bool,
    /// How many of the user's statements stand in the sections.
    pub statements: usize,
    /// How many sections there are.
    pub sections: usize,
    /// Functions that took the mutex themselves and are called with it held now.
    pub lifted: Vec<String>,
}

/// Makes regions exclude each other.
///
/// # Errors
/// If a region is not a run of statements of one function, if control can leave it unseen, if the
/// mutex cannot be named there, or if it is held there on some ways only.
pub fn guard(sources: &Sources<'_>, regions: &[Region], mutex: &Mutex) -> Result<Guarded, Refusal> {
    let lock = Lock::new(sources, mutex)?;
    let mut runs = Vec::new();
    for region in regions {
        runs.push(run::find(sources, region)?);
    }
    let runs = lift::outermost(sources, run::join(runs));
    // Nobody waits for a mutex within a block that is one step, or gives one back there.
    let runs = section::grow_all(&runs, &Lock::of_atomic_blocks())?;
    let mut groups = named(sources, runs, &lock, mutex)?;
    let mut widened = false;
    let mut takers = Vec::new();
    if !matches!(mutex, Mutex::New { .. }) {
        for (lock, runs) in &mut groups {
            *runs = section::grow_all(runs, lock)?;
        }
        takers = lift::takers(sources, &groups)?;
        groups = lift::lifted(sources, groups, &takers)?;
    }
    let files: BTreeSet<FileId> =
        groups.iter().flat_map(|(_, runs)| runs).map(|run| run.source.file).collect();
    let mut edits = lock.declare(sources, &files, regions)?;
    let mut names = BTreeSet::new();
    for (lock, runs) in &groups {
        for file in &files {
            let here: Vec<&Run<'_>> = runs.iter().filter(|run| run.source.file == *file).collect();
            let Some(first) = here.first() else { continue };
            let mut writer = Writer::new(sources, first.source, lock, &mut names);
            for run in here {
                widened |= writer.write(run)?;
            }
            edits.extend(writer.edits());
        }
    }
    for taker in &takers {
        let mut writer = Writer::new(sources, taker.function.source, &taker.lock, &mut names);
        taker.operations()?.into_iter().for_each(|it| writer.remove(it));
        edits.extend(writer.edits());
    }
    check_apart(sources, &edits)?;
    let all = || groups.iter().flat_map(|(lock, runs)| runs.iter().map(move |run| (lock, run)));
    let statements = all().map(|(lock, run)| count(run, lock)).sum();
    widened |= !takers.is_empty();
    let lifted = takers.iter().map(|it| it.function.name.to_owned()).collect();
    Ok(Guarded { edits, widened, statements, sections: all().count(), lifted })
}

/// Runs, with what the mutex is called in them.
type Group<'a> = (Lock, Vec<Run<'a>>);

/// The runs by the first name of the mutex that is known there.
fn named<'a>(
    sources: &'a Sources<'_>,
    runs: Vec<Run<'a>>,
    lock: &Lock,
    mutex: &Mutex,
) -> Result<Vec<Group<'a>>, Refusal> {
    let others = lock.others(mutex);
    let mut groups: Vec<Group<'a>> = Vec::new();
    for run in runs {
        let name = match lock.check_scope(sources, &run) {
            Ok(()) => lock.clone(),
            Err(refusal) => {
                let known = others.iter().find(|it| it.check_scope(sources, &run).is_ok());
                known.cloned().ok_or(refusal)?
            }
        };
        add_to_group(&mut groups, name, run);
    }
    Ok(groups)
}

fn add_to_group<'a>(groups: &mut Vec<Group<'a>>, lock: Lock, run: Run<'a>) {
    match groups.iter_mut().find(|(it, _)| it.key() == lock.key()) {
        Some((_, runs)) => runs.push(run),
        None => groups.push((lock, vec![run])),
    }
}

/// Refuses edits that overlap, as those of statements that share a line with what is removed may.
fn check_apart(sources: &Sources<'_>, edits: &[Edit]) -> Result<(), Refusal> {
    let why = "the statements stand too close together to be changed";
    let refusal = || Refusal { why: why.to_owned(), at: None };
    crate::diff::diff(sources.files(), edits).map(|_| ()).ok_or_else(refusal)
}

/// The user's statements in a run; locking it is none of them.
fn count(run: &Run<'_>, lock: &Lock) -> usize {
    let condition = usize::from(run.tail);
    let whole = siblings(run.first, run.last).into_iter();
    let whole = whole.filter(|it| !run.tail || *it != run.last).flat_map(descendants);
    let is_plain = |it: &Node<'_>| {
        is_statement(*it)
            && !matches!(it.kind(), "compound_statement" | "labeled_statement" | "case_statement")
            && lock.operation(&run.source, *it).is_none()
    };
    condition + whole.filter(is_plain).count()
}
