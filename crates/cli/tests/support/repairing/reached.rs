//! Lines that passing runs reach, by brute force: the oracle of what a patch makes unreachable.
//!
//! A walk over the states of a small program, which remembers what each step executes; a line
//! counts if a step that executes it lies on a run that passes.

use std::collections::{BTreeSet, HashMap};

use unravel_explore::{Limits, domain};
use unravel_interp::choice::{Choice, ChoiceKind, Script};
use unravel_interp::event::{Event, Recorder};
use unravel_interp::fingerprint::fingerprint;
use unravel_interp::run::hang_at;
use unravel_interp::state::{Status, Stuck};
use unravel_interp::{Config, Machine, Notes, Readiness, State, StepEnd, ThreadId};
use unravel_program::Program;

/// A step: from a state to another, with the lines that it executes.
struct Edge {
    from: usize,
    to: usize,
    lines: BTreeSet<u32>,
}

struct Walk<'p> {
    machine: Machine<'p>,
    constants: BTreeSet<u128>,
    /// Whether threads wake without a signal.
    spurious: bool,
    numbers: HashMap<u128, usize>,
    edges: Vec<Edge>,
    /// Where a run may end and passes.
    ends: Vec<usize>,
    open: Vec<(State, usize)>,
    notes: Notes,
    is_sampled: bool,
}

/// The lines of the only C file that passing runs execute; `None` if there are more states or
/// something is cut. With `spurious`, also runs in which somebody wakes without a signal.
pub fn reached(
    program: &Program,
    config: Config,
    spurious: bool,
    states: usize,
) -> Option<BTreeSet<u32>> {
    let mut walk = Walk {
        machine: Machine::new(program, config),
        constants: domain::constants(program),
        spurious,
        numbers: HashMap::new(),
        edges: Vec::new(),
        ends: Vec::new(),
        open: Vec::new(),
        notes: Notes::new(),
        is_sampled: false,
    };
    walk.arrive(walk.machine.initial());
    while let Some((state, number)) = walk.open.pop() {
        if walk.numbers.len() > states || walk.edges.len() > 10 * states {
            return None;
        }
        for thread in state.thread_ids() {
            walk.expand(&state, number, thread);
        }
    }
    let is_cut = walk.is_sampled || !walk.notes.is_empty();
    (!is_cut).then(|| walk.passing_lines())
}

impl Walk<'_> {
    fn expand(&mut self, state: &State, from: usize, thread: ThreadId) {
        match self.machine.readiness(state, thread) {
            Readiness::Ready => {}
            Readiness::Spurious if self.spurious => {}
            _ => return,
        }
        let mut open = vec![Vec::new()];
        while let Some(choices) = open.pop() {
            let mut next = state.clone();
            let mut script = Script::new(choices.clone());
            let mut lines = Lines { program: self.machine.program, lines: BTreeSet::new() };
            let notes = &mut self.notes;
            match self.machine.step(&mut next, thread, &mut script, &mut lines, notes) {
                StepEnd::Done(soft) if soft.is_empty() => {
                    if let Some(to) = self.arrive(next) {
                        self.edges.push(Edge { from, to, lines: lines.lines });
                    }
                }
                StepEnd::Done(_) | StepEnd::Violated(_) => {}
                StepEnd::Open(choice) => {
                    let longer = |value| [&choices[..], &[value]].concat();
                    open.extend(self.values(&choice).into_iter().map(longer));
                }
            }
        }
    }

    fn values(&mut self, choice: &Choice) -> Vec<u128> {
        match choice.kind {
            ChoiceKind::Pick { options, .. } => (0..u128::from(options)).collect(),
            ChoiceKind::Input { width, .. } if width <= Limits::default().input_bits => {
                domain::all(width)
            }
            ChoiceKind::Input { width, .. } => {
                self.is_sampled = true;
                domain::samples(width, &self.constants)
            }
        }
    }

    /// The number of a state; `None` if runs end there and fail.
    fn arrive(&mut self, state: State) -> Option<usize> {
        let key = fingerprint(&state, u64::from(self.machine.program.target.pointer_bytes));
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        if self.machine.deadlock(&state).is_some() || hang_at(&self.machine, &state).is_some() {
            return None;
        }
        let number = self.numbers.len();
        self.numbers.insert(key, number);
        if self.passes(&state) {
            self.ends.push(number);
        }
        self.open.push((state, number));
        Some(number)
    }

    /// Whether a run may end here and passes: nobody has to go on, and nobody was stopped.
    fn passes(&self, state: &State) -> bool {
        let is_ready = |id| self.machine.readiness(state, id) == Readiness::Ready;
        let is_fine = |id| match state.thread(id).status {
            Status::Running | Status::Ended => true,
            Status::Stuck(reason) => reason == Stuck::Exited,
        };
        !state.dead && state.thread_ids().all(|id| is_fine(id) && !is_ready(id))
    }

    /// The lines of all steps from which a passing end can be reached.
    fn passing_lines(&self) -> BTreeSet<u32> {
        let mut into: Vec<Vec<&Edge>> = self.numbers.iter().map(|_| Vec::new()).collect();
        self.edges.iter().for_each(|edge| into[edge.to].push(edge));
        let mut seen = vec![false; into.len()];
        let mut open = self.ends.clone();
        let mut lines = BTreeSet::new();
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            for edge in &into[state] {
                lines.extend(&edge.lines);
                open.push(edge.from);
            }
        }
        lines
    }
}

/// Takes note of the lines that are executed.
struct Lines<'p> {
    program: &'p Program,
    lines: BTreeSet<u32>,
}

impl Recorder for Lines<'_> {
    fn wants_events(&self) -> bool {
        false
    }

    fn record(&mut self, _state: &State, _event: Event) {}

    fn executing(&mut self, state: &State, thread: ThreadId) {
        let Some(frame) = state.thread(thread).frames.last() else { return };
        let block = self.program.function(frame.function).block(frame.block);
        let site = block.instructions.get(frame.index).map_or(block.end_site, |it| it.site);
        let span = self.program.site(site).span;
        let own = span.filter(|it| self.program.files.path(it.file).ends_with(".c"));
        self.lines.extend(own.map(|it| it.line));
    }
}
