//! Hangs (DESIGN §2, case (c) of `deadlock`): every thread that has not ended waits or turns a loop in
//! which nothing changes, and none can ever let another go.
//!
//! A state is a hang if some thread can step and, with *all* states that its threads can reach by
//! steps other than spurious wakeups:
//!
//! 1. nothing ends there: no thread, not the process, and nothing is violated, stuck or created;
//! 2. nobody asks for an input: whoever polls for something outside of the program is not stuck;
//! 3. each thread that can step comes back, alone, to the very same state, so that what it does in an
//!    iteration changes nothing in the end. Threads that take turns for ever make progress;
//! 4. each thread that steps stays in one loop. Either it has a way out, which the thread waits for;
//!    or it has none, but then it does something in each turn (`while (1) sleep(1);`) and another
//!    thread waits. A thread in `while (1);` counts as able to go on.
//!
//! All of this but (3) holds for every state that a hang leads to. So whoever asks about a state gets
//! a hang that it leads to.
//!
//! The search is bounded. Where it does not come to an end, nothing is claimed
//! and [`Hangs::is_undecided`] says so.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use unravel_kinds::{Related, Spin, Variable, ViolationKind};
use unravel_program::loops::Purpose;
use unravel_program::{BlockId, FunctionId, Op, Operand, SiteId};

use crate::choice::{Choice, ChoiceKind, Pick, Script};
use crate::deadlock;
use crate::describe;
use crate::event::{Event, EventKind, NoRecorder, Recorder};
use crate::fingerprint::fingerprint;
use crate::machine::{Machine, Readiness, StepEnd};
use crate::memory::{ObjectId, Origin};
use crate::note::Notes;
use crate::property::{Property, Violation};
use crate::schedule::Decision;
use crate::state::{Frame, State, Status, ThreadId};

/// Most states of one search.
const MOST_STATES: usize = 1 << 14;

/// Most states that a thread goes through alone until it comes back.
const MOST_ALONE: usize = 1 << 17;

/// Searches that may come to no end before none is made any more: each takes about a second.
const MOST_UNDECIDED: usize = 8;

/// A hang, with the way to it from the state that was asked about.
#[derive(Clone, Debug)]
pub struct Hang {
    /// Steps that lead to it.
    pub way: Vec<Decision>,
    /// What is wrong.
    pub violation: Violation,
}

/// What searches for hangs have found out, so that none is made twice.
#[derive(Clone, Debug, Default)]
pub struct Hangs {
    /// Fingerprints of states that are no hang and lead to none by what was looked at.
    lively: HashSet<u128>,
    /// Searches that did not come to their end.
    undecided: usize,
}

/// A state without counts of turns: a loop that is turned once more is in the same state.
pub(crate) fn without_turns(state: &State) -> State {
    let mut state = state.clone();
    for id in state.thread_ids() {
        if state.thread(id).frames.iter().any(|frame| !frame.turns.is_empty()) {
            state.thread_mut(id).frames.iter_mut().for_each(|frame| frame.turns.clear());
        }
    }
    state
}

/// How a search ended.
enum Searched {
    /// These are all states.
    Closed(Graph),
    /// Something ends, or somebody asks for an input.
    Lively,
    /// There are too many states.
    TooMany,
}

impl Hangs {
    /// Whether some search did not come to its end.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        self.undecided > 0
    }

    /// The hang that a state is in or leads to.
    pub(crate) fn find(&mut self, machine: &Machine<'_>, state: &State) -> Option<Hang> {
        if self.undecided >= MOST_UNDECIDED || !may_hang(machine, state) {
            return None;
        }
        let state = without_turns(state);
        let key = fingerprint(&state, machine.pointer_bytes());
        if self.lively.contains(&key) {
            return None;
        }
        // A thread that goes on alone is the most frequent reason why there is no hang.
        for thread in ready(machine, &state) {
            if self.goes_on_alone(machine, &state, key, thread) {
                return None;
            }
        }
        let Searched::Closed(graph) = self.search(machine, &state, key) else { return None };
        let hang = graph.hang(machine);
        if hang.is_none() {
            self.lively.insert(key);
        }
        hang
    }

    /// Whether something ends by what a thread does alone, as far as nothing is chosen there.
    fn goes_on_alone(
        &mut self,
        machine: &Machine<'_>,
        state: &State,
        key: u128,
        thread: ThreadId,
    ) -> bool {
        let mut state = state.clone();
        let mut seen = HashSet::from([key]);
        while machine.readiness(&state, thread) == Readiness::Ready {
            let before = state.clone();
            let mut script = Script::new(Vec::new());
            let end =
                machine.step(&mut state, thread, &mut script, &mut NoRecorder, &mut Notes::new());
            let asks = match end {
                StepEnd::Open(choice) if options(&choice).is_some() => return false,
                StepEnd::Open(_) | StepEnd::Violated(_) => true,
                StepEnd::Done(_) => makes_progress(&before, &state),
            };
            state = without_turns(&state);
            let key = fingerprint(&state, machine.pointer_bytes());
            if asks || self.lively.contains(&key) {
                self.lively.extend(seen);
                return true;
            }
            if !seen.insert(key) {
                return false;
            }
            if seen.len() > MOST_ALONE {
                self.undecided += 1;
                return true;
            }
        }
        false
    }

    /// Looks at all that follows.
    fn search(&mut self, machine: &Machine<'_>, state: &State, key: u128) -> Searched {
        let mut graph = Graph::new(state.clone(), key);
        let mut next = 0;
        while next < graph.nodes.len() {
            if graph.nodes.len() > MOST_STATES {
                self.undecided += 1;
                return Searched::TooMany;
            }
            let from = graph.nodes[next].state.clone();
            for thread in ready(machine, &from) {
                if !self.expand(machine, &mut graph, next, &from, thread) {
                    self.enter_lively(&graph, next);
                    return Searched::Lively;
                }
            }
            next += 1;
        }
        Searched::Closed(graph)
    }

    /// Steps a thread, once for each way its choices can go. Whether nothing ends by it.
    fn expand(
        &self,
        machine: &Machine<'_>,
        graph: &mut Graph,
        at: usize,
        from: &State,
        thread: ThreadId,
    ) -> bool {
        let mut open = vec![Vec::new()];
        while let Some(choices) = open.pop() {
            let mut state = from.clone();
            let mut script = Script::new(choices.clone());
            let mut notes = Notes::new();
            let end = machine.step(&mut state, thread, &mut script, &mut graph.seen, &mut notes);
            match end {
                StepEnd::Violated(_) => return false,
                StepEnd::Open(choice) => match options(&choice) {
                    None => return false,
                    Some(options) => open.extend((0..options).rev().map(|option| {
                        let mut longer = choices.clone();
                        longer.push(u128::from(option));
                        longer
                    })),
                },
                // A race is a violation of its own, and the threads go on from it.
                StepEnd::Done(_) => {
                    if makes_progress(from, &state) {
                        return false;
                    }
                    let state = without_turns(&state);
                    let key = fingerprint(&state, machine.pointer_bytes());
                    if self.lively.contains(&key) {
                        return false;
                    }
                    graph.enter(at, Decision { thread, choices }, state, key);
                }
            }
        }
        true
    }

    /// Whatever leads to a state from which something goes on is no hang.
    fn enter_lively(&mut self, graph: &Graph, at: usize) {
        let mut at = Some(at);
        while let Some(index) = at {
            self.lively.insert(graph.nodes[index].key);
            at = graph.nodes[index].parent;
        }
    }
}

/// How many ways a choice can go that is part of the schedule; `None` if it is the environment's.
fn options(choice: &Choice) -> Option<u32> {
    match choice.kind {
        ChoiceKind::Input { .. } | ChoiceKind::Pick { what: Pick::AllocationFailure, .. } => None,
        ChoiceKind::Pick { options, .. } => Some(options),
    }
}

/// Whether a state can be a hang at all, as far as that is seen at once.
fn may_hang(machine: &Machine<'_>, state: &State) -> bool {
    let checked = machine.config.properties.has(Property::Deadlock);
    if !checked || state.dead || state.is_complete() {
        return false;
    }
    let stuck = |id: ThreadId| matches!(state.thread(id).status, Status::Stuck(_));
    let mut ready = ready(machine, state).into_iter().peekable();
    let in_loop = |id: ThreadId| {
        let mut frames = state.thread(id).frames.iter();
        frames.any(|frame| machine.loops.contains(frame.function, frame.block))
    };
    ready.peek().is_some() && !state.thread_ids().any(stuck) && ready.all(in_loop)
}

fn ready(machine: &Machine<'_>, state: &State) -> Vec<ThreadId> {
    let ready = |id: &ThreadId| machine.readiness(state, *id) == Readiness::Ready;
    state.thread_ids().filter(ready).collect()
}

/// Whether a step ended, stopped or created something.
fn makes_progress(before: &State, after: &State) -> bool {
    let status = |(a, b): (ThreadId, ThreadId)| before.thread(a).status != after.thread(b).status;
    before.threads.len() != after.threads.len()
        || after.dead
        || after.exited.is_some()
        || before.thread_ids().zip(after.thread_ids()).any(status)
}

/// What threads execute and read.
#[derive(Default)]
struct Seen {
    /// Blocks, by thread and number of calls in progress.
    blocks: BTreeMap<(ThreadId, usize), BTreeSet<(FunctionId, BlockId)>>,
    last: Option<(ThreadId, usize, FunctionId, BlockId)>,
    /// Reads of memory that others reach, with the place of the first.
    reads: BTreeMap<ThreadId, BTreeMap<(ObjectId, u64, u64), SiteId>>,
    /// Writes, in the same way.
    writes: BTreeSet<(ThreadId, ObjectId, u64)>,
}

impl Recorder for Seen {
    fn wants_events(&self) -> bool {
        true
    }

    fn record(&mut self, state: &State, event: Event) {
        let Some((object, offset, bytes)) = event.place else { return };
        if !state.object(object).is_some_and(|it| it.shared && !it.constant) {
            return;
        }
        match event.kind {
            EventKind::Read | EventKind::FailedUpdate | EventKind::Update => {}
            EventKind::Sync(_, Some(code)) if code != 0 => {}
            EventKind::Write => {
                self.writes.insert((event.thread, object, offset));
                return;
            }
            _ => return,
        }
        let reads = self.reads.entry(event.thread).or_default();
        reads.entry((object, offset, bytes)).or_insert(event.site);
    }

    fn executing(&mut self, state: &State, thread: ThreadId) {
        let frames = &state.thread(thread).frames;
        let Some(frame) = frames.last() else { return };
        let at = (thread, frames.len(), frame.function, frame.block);
        if self.last != Some(at) {
            self.last = Some(at);
            let blocks = self.blocks.entry((thread, frames.len())).or_default();
            blocks.insert((frame.function, frame.block));
        }
    }
}

struct Node {
    state: State,
    key: u128,
    parent: Option<usize>,
    by: Option<Decision>,
}

/// States and steps between them.
struct Graph {
    nodes: Vec<Node>,
    numbers: HashMap<u128, usize>,
    /// Per state, who steps where.
    edges: Vec<Vec<(ThreadId, usize)>>,
    seen: Seen,
}

impl Graph {
    fn new(state: State, key: u128) -> Graph {
        let root = Node { state, key, parent: None, by: None };
        Graph {
            nodes: vec![root],
            numbers: HashMap::from([(key, 0)]),
            edges: vec![Vec::new()],
            seen: Seen::default(),
        }
    }

    fn enter(&mut self, from: usize, by: Decision, state: State, key: u128) {
        let thread = by.thread;
        let to = *self.numbers.entry(key).or_insert_with(|| {
            self.nodes.push(Node { state, key, parent: Some(from), by: Some(by) });
            self.edges.push(Vec::new());
            self.nodes.len() - 1
        });
        self.edges[from].push((thread, to));
    }

    fn hang(&self, machine: &Machine<'_>) -> Option<Hang> {
        let stepping: BTreeSet<ThreadId> = self.edges.iter().flatten().map(|edge| edge.0).collect();
        let mut purposes = BTreeMap::new();
        for &thread in &stepping {
            let purpose = self.purpose(machine, thread)?;
            if purpose == Purpose::Nothing {
                return None;
            }
            purposes.insert(thread, purpose);
        }
        let waits = |id: ThreadId| match purposes.get(&id) {
            Some(purpose) => *purpose == Purpose::Waits,
            None => self.nodes[0].state.thread(id).is_running(),
        };
        if !self.nodes[0].state.thread_ids().any(waits) {
            return None;
        }
        let at = self.recurrent(machine, &stepping)?;
        let violation = self.violation(machine, at);
        Some(Hang { way: self.way(at), violation })
    }

    /// What the loop is for that a thread stays in.
    fn purpose(&self, machine: &Machine<'_>, thread: ThreadId) -> Option<Purpose> {
        let from = (thread, 0);
        let ((_, _), blocks) = self.seen.blocks.range(from..=(thread, usize::MAX)).next()?;
        let &(function, _) = blocks.first()?;
        if blocks.iter().any(|(other, _)| *other != function) {
            return None;
        }
        let blocks = blocks.iter().map(|(_, block)| *block).collect();
        machine.loops.around(function, &blocks).map(|it| it.purpose)
    }

    /// The first state that each thread that can step comes back to alone.
    fn recurrent(&self, machine: &Machine<'_>, stepping: &BTreeSet<ThreadId>) -> Option<usize> {
        // Where nobody steps any more is a standstill, which is case (b).
        let mut possible: Vec<bool> = self.edges.iter().map(|it| !it.is_empty()).collect();
        for &thread in stepping {
            let comes_back = self.comes_back(thread);
            for (at, node) in self.nodes.iter().enumerate() {
                let can_step = machine.readiness(&node.state, thread) == Readiness::Ready;
                possible[at] &= !can_step || comes_back[at];
            }
        }
        let comes_back = |at: usize| {
            stepping.iter().all(|&thread| {
                machine.readiness(&self.nodes[at].state, thread) != Readiness::Ready
                    || self.returns_to(thread, at)
            })
        };
        (0..possible.len()).find(|&at| possible[at] && comes_back(at))
    }

    /// Whether a thread alone comes back to a state.
    fn returns_to(&self, thread: ThreadId, at: usize) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut work = vec![at];
        while let Some(from) = work.pop() {
            for &(by, to) in &self.edges[from] {
                if by != thread {
                    continue;
                }
                if to == at {
                    return true;
                }
                if !std::mem::replace(&mut seen[to], true) {
                    work.push(to);
                }
            }
        }
        false
    }

    /// Per state, whether it lies on a circle of this thread's steps, or between two: what is left
    /// when states without a way on or without a way back are taken away.
    fn comes_back(&self, thread: ThreadId) -> Vec<bool> {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (from, ways) in self.edges.iter().enumerate() {
            let own = ways.iter().filter(|(by, _)| *by == thread);
            edges.extend(own.map(|&(_, to)| (from, to)));
        }
        let backward: Vec<(usize, usize)> = edges.iter().map(|&(from, to)| (to, from)).collect();
        let mut left = vec![true; self.nodes.len()];
        trim(&edges, &mut left);
        trim(&backward, &mut left);
        left
    }

    fn way(&self, at: usize) -> Vec<Decision> {
        let mut way = Vec::new();
        let mut at = Some(at);
        while let Some(index) = at {
            way.extend(self.nodes[index].by.clone());
            at = self.nodes[index].parent;
        }
        way.reverse();
        way
    }

    fn violation(&self, machine: &Machine<'_>, at: usize) -> Violation {
        let state = &self.nodes[at].state;
        let running: Vec<ThreadId> =
            state.thread_ids().filter(|id| state.thread(*id).is_running()).collect();
        let (spinning, waiting): (Vec<ThreadId>, Vec<ThreadId>) =
            running.iter().partition(|id| machine.readiness(state, **id) == Readiness::Ready);
        let related = running
            .iter()
            .map(|&id| match spinning.contains(&id) {
                true => (self.site(machine, state, id), self.spin(machine, state, id)),
                false => deadlock::wait(machine, state, id),
            })
            .collect();
        let thread = spinning[0];
        let numbers = |ids: &[ThreadId]| ids.iter().map(|id| id.0).collect();
        let kind = ViolationKind::Hang { waiting: numbers(&waiting), spinning: numbers(&spinning) };
        Violation { kind, thread, site: self.site(machine, state, thread), related }
    }

    /// Where a thread looks at what it waits for; else where it stands.
    fn site(&self, machine: &Machine<'_>, state: &State, id: ThreadId) -> SiteId {
        let first = self.awaited(id).map(|(_, site)| site).min();
        first.unwrap_or_else(|| deadlock::site(machine, state, id))
    }

    /// What a thread reads in its loop and does not write itself.
    fn awaited(&self, id: ThreadId) -> impl Iterator<Item = ((ObjectId, u64, u64), SiteId)> {
        let reads = self.seen.reads.get(&id).into_iter().flatten();
        let own =
            move |place: &(ObjectId, u64, u64)| self.seen.writes.contains(&(id, place.0, place.1));
        reads.filter(move |(place, _)| !own(place)).map(|(&place, &site)| (place, site))
    }

    fn spin(&self, machine: &Machine<'_>, state: &State, id: ThreadId) -> Related {
        let mut until: Vec<Variable> = Vec::new();
        let mut others: BTreeSet<u32> = BTreeSet::new();
        for ((object, offset, bytes), _) in self.awaited(id) {
            let name = describe::place(machine.program, state, object, offset, bytes);
            if !until.contains(&name) {
                until.push(name);
            }
            let changes = |other: &ThreadId| {
                *other != id
                    && (deadlock::holders(state, (object, offset)).contains(other)
                        || may_write(machine, state, *other, object))
            };
            others.extend(state.thread_ids().filter(changes).map(|it| it.0));
        }
        Related::Spins(Spin { thread: id.0, until, others: others.into_iter().collect() })
    }
}

/// Takes away states that have no edge to one that is left, until all have.
fn trim(edges: &[(usize, usize)], left: &mut [bool]) {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); left.len()];
    let mut ways = vec![0usize; left.len()];
    for &(from, to) in edges {
        before[to].push(from);
        ways[from] += usize::from(left[to]);
    }
    let mut work: Vec<usize> = (0..left.len()).filter(|&at| left[at] && ways[at] == 0).collect();
    while let Some(at) = work.pop() {
        left[at] = false;
        for &from in &before[at] {
            ways[from] = ways[from].saturating_sub(1);
            if ways[from] == 0 && left[from] {
                work.push(from);
            }
        }
    }
}

/// Whether a thread comes to a write of a global if it goes on: its code has one ahead.
fn may_write(machine: &Machine<'_>, state: &State, id: ThreadId, object: ObjectId) -> bool {
    let thread = state.thread(id);
    let Some(Origin::Global(global)) = state.object(object).map(|it| &it.origin) else {
        return false;
    };
    let writes = |op: &Op| match op {
        Op::Store { address, .. }
        | Op::ReadModifyWrite { address, .. }
        | Op::CompareExchange { address, .. } => {
            matches!(address, Operand::Global(id, _) if id == global)
        }
        _ => false,
    };
    thread.is_running() && ahead(machine, &thread.frames, &writes)
}

/// Whether an instruction of this kind lies ahead of a thread, in its calls or in what they call.
fn ahead(machine: &Machine<'_>, frames: &[Frame], wanted: &dyn Fn(&Op) -> bool) -> bool {
    let mut called: BTreeSet<FunctionId> = BTreeSet::new();
    let mut work: Vec<(FunctionId, BlockId, usize)> =
        frames.iter().map(|frame| (frame.function, frame.block, frame.index)).collect();
    let mut entered: BTreeSet<(FunctionId, BlockId)> = BTreeSet::new();
    while let Some((function, block, index)) = work.pop() {
        let code = machine.program.function(function).block(block);
        for instruction in code.instructions.iter().skip(index) {
            if wanted(&instruction.op) {
                return true;
            }
            if let Op::Call { callee, .. } = instruction.op
                && called.insert(callee)
                && !machine.program.function(callee).blocks.is_empty()
            {
                work.push((callee, BlockId(0), 0));
            }
        }
        for edge in code.end.edges() {
            if entered.insert((function, edge.target)) {
                work.push((function, edge.target, 0));
            }
        }
    }
    false
}
