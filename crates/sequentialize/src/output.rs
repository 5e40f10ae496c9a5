//! What has been written so far.

use std::collections::{BTreeMap, BTreeSet};

use unravel_interp::memory::ObjectId;

use crate::reuse::Shared;
use crate::unit::{Unit, words};

/// A statement of the sequential file.
#[derive(Clone, Debug)]
pub struct Line {
    /// The segment of the schedule.
    pub segment: usize,
    /// The text, one line or several.
    pub text: String,
    /// What stands in the comment beside it.
    pub comment: String,
    /// The failure of the run is in it.
    pub fails: bool,
}

/// What has been written so far, by all threads.
#[derive(Debug, Default)]
pub struct Output {
    /// The statements that were written.
    pub lines: Vec<Line>,
    /// Functions that are named.
    pub functions: BTreeSet<String>,
    /// Definitions at file scope, in order.
    pub globals: Vec<String>,
    /// Names of types from inside of functions.
    pub local_types: BTreeSet<String>,
    /// Static locals, by function and name.
    statics: BTreeMap<(String, String), String>,
    /// Names that are in use.
    names: BTreeSet<String>,
    /// Variables of main that may stay unused.
    pub locals: Vec<String>,
    /// Copies of thread-local variables.
    pub own: BTreeSet<String>,
    /// Local variables in memory, as they are named now.
    pub objects: BTreeMap<ObjectId, String>,
    /// Heap blocks whose address is kept in a variable.
    pub blocks: BTreeMap<ObjectId, String>,
    /// Heap blocks that share their address with others.
    pub shared: BTreeMap<ObjectId, Shared>,
    /// The line behind which what a new thread does begins, if it never takes a step that others
    /// can notice.
    pub created: BTreeMap<u32, usize>,
    /// Checks at the end of a deadlock: why threads wait for ever.
    pub waiting: Vec<Line>,
    /// The function that ends the program where it would leave the run.
    pub other_way: String,
    /// The function that frees the block that the failure is about.
    pub release: String,
}

impl Output {
    /// Nothing yet; the names of the file are in use.
    pub fn new(unit: &Unit<'_>) -> Output {
        let names = words(unit.source.text).map(str::to_owned).collect();
        let mut out = Output { names, ..Output::default() };
        out.other_way = out.fresh("other_way");
        out.release = out.fresh("release_block");
        out
    }

    /// A name that is not in use.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|number: u32| format!("{wanted}_{number}"));
        let mut all = std::iter::once(wanted.to_owned()).chain(numbered);
        // The numbers go on for longer than there are names.
        let name = all.find(|it| !self.names.contains(it)).unwrap_or_else(|| wanted.to_owned());
        self.names.insert(name.clone());
        name
    }

    /// Moves the lines from one on to where a thread was created. What it does goes unnoticed until
    /// somebody waits for it, so that is the earliest place, and no wait comes before it.
    pub fn move_to_creation(&mut self, thread: u32, from: usize) {
        let Some(&to) = self.created.get(&thread).filter(|to| (1..=from).contains(*to)) else {
            return;
        };
        let mut moved = self.lines.split_off(from);
        let segment = self.lines[to - 1].segment;
        moved.iter_mut().for_each(|it| it.segment = segment);
        let count = moved.len();
        self.lines.splice(to..to, moved);
        self.created.values_mut().filter(|it| **it > to).for_each(|it| *it += count);
    }

    /// The name of a static local: one for all calls.
    pub fn static_name(&mut self, function: &str, name: &str) -> (String, bool) {
        let key = (function.to_owned(), name.to_owned());
        if let Some(known) = self.statics.get(&key) {
            return (known.clone(), false);
        }
        let new = self.fresh(&format!("{function}_{name}"));
        self.statics.insert(key, new.clone());
        (new, true)
    }
}
