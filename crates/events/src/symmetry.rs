//! Threads that nothing tells apart.
//!
//! A program with ten equal workers has ten factorial times the runs that it needs: whatever one
//! worker does in a run, another can do instead. Threads are *interchangeable* if
//!
//! - they run the same function with the same argument, and exist under the same condition;
//! - they do not ask who they are. (What they make may have any place in memory, see `exec::layout`,
//!   so that the address of an object does not tell who made it);
//! - their creator does nothing but create threads from the first of them to the last. A run in
//!   which one works before the next is created is also one in which all were created before;
//! - nobody joins them, or one thread does nothing but join from the first of them to the last: it
//!   may as well begin to join when all have ended. All return the same;
//! - they create, join and detach nobody.
//!
//! Then a run in which two of them have changed places is a run again, up to when main creates and
//! joins, and violates the same. Only the order of creations and joins among the steps of others
//! does not carry over: who asks for that may not use it.

use std::collections::{BTreeMap, BTreeSet};

use unravel_program::Program;
use unravel_term::Term;

use crate::bounds::Bounds;
use crate::exec::handle;
use crate::graph::{EventGraph, StepId, Thread, ThreadId};
use crate::mutant::Mutant;

/// Threads that nothing tells apart, two at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymmetryClass {
    /// Who, in the order of creation.
    pub members: Vec<ThreadId>,
    /// For each, the step by which to put them in order.
    pub keys: Vec<StepId>,
    /// Steps that create or join them, and those between.
    pub frame: BTreeSet<StepId>,
}

/// Finds all classes of interchangeable threads.
pub(crate) fn classes(
    program: &Program,
    graph: &EventGraph,
    bounds: &Bounds,
) -> Vec<SymmetryClass> {
    let Some(mut finder) = Finder::new(program, graph) else { return Vec::new() };
    finder.ignores_arguments = bounds.broken(Mutant::ArgumentsAreAlike);
    let mut groups: Vec<Vec<ThreadId>> = Vec::new();
    for id in (0u32..).map(ThreadId).take(graph.threads.len()) {
        if !finder.is_plain(id) {
            continue;
        }
        match groups.iter_mut().find(|group| finder.alike(group[group.len() - 1], id)) {
            Some(group) => group.push(id),
            None => groups.push(vec![id]),
        }
    }
    groups.into_iter().filter_map(|members| finder.class(members)).collect()
}

struct Finder<'a> {
    program: &'a Program,
    graph: &'a EventGraph,
    /// The threads that each step creates.
    creations: BTreeMap<StepId, ThreadId>,
    /// The thread that each join is for.
    joins: BTreeMap<StepId, ThreadId>,
    /// Threads that join or detach others, or are detached on the way.
    busy: BTreeSet<ThreadId>,
    /// Steps that access shared memory, and whether they write.
    accesses: BTreeMap<StepId, bool>,
    /// Only if it is broken on purpose.
    ignores_arguments: bool,
}

impl<'a> Finder<'a> {
    /// `None` if it is not known who joins whom.
    fn new(program: &'a Program, graph: &'a EventGraph) -> Option<Finder<'a>> {
        let ids = (0u32..).map(ThreadId).take(graph.threads.len());
        let handles: BTreeMap<u128, ThreadId> = ids.clone().map(|id| (handle(id), id)).collect();
        let of = |term: Term| handles.get(&graph.terms.as_const(term)?).copied();
        let mut joins = BTreeMap::new();
        let mut busy = BTreeSet::new();
        for join in &graph.joins {
            joins.insert(join.step, of(join.handle)?);
            busy.insert(graph.step(join.step).thread);
        }
        for &(handle, step) in &graph.detached {
            busy.extend([of(handle)?, graph.step(step).thread]);
        }
        let created = |id: ThreadId| Some((graph.threads[id.0 as usize].created_by?, id));
        let creations: BTreeMap<StepId, ThreadId> = ids.filter_map(created).collect();
        busy.extend(creations.keys().map(|&step| graph.step(step).thread));
        let mut accesses: BTreeMap<StepId, bool> = BTreeMap::new();
        for access in &graph.accesses {
            *accesses.entry(access.step).or_default() |= access.writes;
        }
        let ignores_arguments = false;
        Some(Finder { program, graph, creations, joins, busy, accesses, ignores_arguments })
    }

    fn thread(&self, id: ThreadId) -> &'a Thread {
        &self.graph.threads[id.0 as usize]
    }

    /// Whether a thread minds its own business, and nothing shows who it is.
    fn is_plain(&self, id: ThreadId) -> bool {
        let thread = self.thread(id);
        thread.created_by.is_some() && !thread.has_identity && !self.busy.contains(&id)
    }

    /// Whether two threads do the same under the same condition.
    fn alike(&self, a: ThreadId, b: ThreadId) -> bool {
        let (a, b) = (self.thread(a), self.thread(b));
        a.start == b.start
            && (a.argument == b.argument || !self.takes_argument(a) || self.ignores_arguments)
            && a.guard == b.guard
            && a.result == b.result
            && a.detached == b.detached
            && self.same_steps(a, b)
    }

    fn takes_argument(&self, thread: &Thread) -> bool {
        let function = self.program.function(thread.start);
        let Some(&parameter) = function.params.first() else { return false };
        let used = |operands: Vec<unravel_program::Operand>| {
            operands.iter().any(|it| it.register() == Some(parameter))
        };
        function.blocks.iter().any(|block| {
            block.instructions.iter().any(|it| used(it.op.uses())) || used(block.end.uses())
        })
    }

    /// Whether the graph has the same steps of both, to the same bounds.
    fn same_steps(&self, a: &Thread, b: &Thread) -> bool {
        let same = |(&a, &b): (&StepId, &StepId)| {
            let (a, b) = (self.graph.step(a), self.graph.step(b));
            a.moment == b.moment && a.sync == b.sync
        };
        a.steps.len() == b.steps.len() && a.steps.iter().zip(&b.steps).all(same)
    }

    fn class(&self, members: Vec<ThreadId>) -> Option<SymmetryClass> {
        if members.len() < 2 {
            return None;
        }
        let created = members.iter().filter_map(|&it| self.thread(it).created_by).collect();
        let mut frame = self.stretch(&created, &self.creations)?;
        let mine = self.joins.iter().filter(|(_, id)| members.contains(id));
        let joins: BTreeSet<StepId> = mine.map(|(&step, _)| step).collect();
        if !joins.is_empty() {
            let joined: BTreeSet<ThreadId> = joins.iter().map(|it| self.joins[it]).collect();
            if joins.len() != members.len() || joined.len() != members.len() {
                return None;
            }
            frame.extend(self.stretch(&joins, &self.joins)?);
        }
        let key = self.key(self.thread(members[0]));
        let keys = members.iter().filter_map(|&it| self.thread(it).steps.get(key).copied());
        let keys: Vec<StepId> = keys.collect();
        (keys.len() == members.len()).then_some(SymmetryClass { members, keys, frame })
    }

    /// The steps of one thread from the first of some to the last, if all are of one kind, follow
    /// each other on one way, and touch no shared memory.
    fn stretch(
        &self,
        ends: &BTreeSet<StepId>,
        kind: &BTreeMap<StepId, ThreadId>,
    ) -> Option<BTreeSet<StepId>> {
        let thread = self.graph.step(*ends.first()?).thread;
        let steps = &self.thread(thread).steps;
        let first = steps.iter().position(|it| ends.contains(it))?;
        let last = steps.iter().rposition(|it| ends.contains(it))?;
        let steps = &steps[first..=last];
        let found = steps.iter().filter(|it| ends.contains(it)).count();
        let is_kind = |it: &StepId| kind.contains_key(it) && !self.accesses.contains_key(it);
        let follows = |pair: &[StepId]| {
            let (one, next) = (self.graph.step(pair[0]), self.graph.step(pair[1]));
            next.guard == one.passed
        };
        let is_stretch =
            found == ends.len() && steps.iter().all(is_kind) && steps.windows(2).all(follows);
        is_stretch.then(|| steps.iter().copied().collect())
    }

    /// Which step puts threads in order best: one that all come to, and that is in order with those
    /// of the others anyway. Any would be right.
    fn key(&self, thread: &Thread) -> usize {
        let locks: BTreeSet<StepId> =
            self.graph.locks.iter().filter(|it| !it.shared).map(|it| it.step).collect();
        let sole = |it: &&StepId| self.graph.step(**it).sole;
        let is_lock = |it: &StepId| locks.contains(it);
        let is_write = |it: &StepId| self.accesses.get(it).copied().unwrap_or(false);
        let position = |wanted: &dyn Fn(&StepId) -> bool| {
            thread.steps.iter().position(|it| sole(&it) && wanted(it))
        };
        position(&is_lock).or_else(|| position(&is_write)).unwrap_or(0)
    }
}
