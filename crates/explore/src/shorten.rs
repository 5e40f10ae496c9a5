//! A failing run made short: fewest context switches, then fewest steps.
//!
//! A run that a solver finds fails, and that is all it was asked for: threads run that have nothing
//! to do with the failure, and loops turn until the solver had enough. Whoever reads the run has to
//! follow all of it.
//!
//! Two things are done in turn, within a limit of counted work:
//!
//! 1. [`Trimmer`] leaves parts of the run out and carries out what is left. It is quick, also on long
//!    runs, and finds what no single change makes better.
//! 2. The exploration looks for runs with fewer switches: first among the threads that are left, with
//!    few iterations of loops, then among all runs. If it sees all of those to their end, the number
//!    of switches is the fewest possible.
//!
//! Whatever is shortened was carried out by the interpreter and ends in a violation; so nothing has
//! to be believed.

use unravel_interp::choice::{Choice, ChoiceKind, Chooser, Script};
use unravel_interp::event::NoRecorder;
use unravel_interp::run::{hang_at, replay_failing};
use unravel_interp::schedule::Decision;
use unravel_interp::{
    Config, End, Machine, Notes, Property, Readiness, Run, State, StepEnd, ThreadId, Violation,
};
use unravel_program::Program;
use unravel_watch::Watch;

use crate::{Exploration, Limits, explore};

/// How much work may be done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Steps of the interpreter for runs that are tried.
    pub steps: usize,
    /// States of each exploration.
    pub states: usize,
}

/// A run made short.
#[derive(Clone, Debug)]
pub struct Shortened {
    /// The run.
    pub run: Run<Violation>,
    /// No run has fewer context switches, of those that end in such a violation.
    pub fewest_switches: bool,
}

/// Which violations a shorter run may end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Any: one is wanted, and the easiest to follow is the best.
    Any,
    /// The one of the run.
    Same,
}

/// Iterations of loops among which runs with fewer switches are looked for first.
const FEW_ITERATIONS: [u32; 2] = [1, 2];

/// Makes a failing run short. `config` is the one that the run was found with.
#[must_use]
pub fn shorten(
    program: &Program,
    config: &Config,
    found: &Run<Violation>,
    (ends, effort): (Ends, Effort),
    watch: &mut dyn Watch,
) -> Shortened {
    let machine = Machine::new(program, config.clone());
    let spurious = wakes_without_signal(&machine, found);
    let trimmed = |run| trimmed(&machine, run, spurious, effort);
    let mut best = trimmed(found.clone());
    let mut fewest_switches = best.context_switches() == 0;
    let threads = best.decisions.iter().fold(0, |mask, it| mask | 1 << (it.thread.0 % 64));
    let bounds =
        FEW_ITERATIONS.into_iter().filter(|&it| config.unwind.is_none_or(|most| it < most));
    for (unwind, threads) in bounds.map(|it| (Some(it), threads)).chain([(config.unwind, u64::MAX)])
    {
        if fewest_switches || effort.states == 0 || config.alarm.rings() {
            break;
        }
        let below = best.context_switches();
        let limits = Limits {
            first_only: ends == Ends::Any,
            states: effort.states,
            threads,
            switches: below.saturating_sub(1),
            spurious,
            ..Limits::default()
        };
        let explored = explore(program, Config { unwind, ..config.clone() }, limits, watch);
        let is_limited = !explored.notes.is_empty();
        let is_whole = threads == u64::MAX && explored.sampled.is_empty() && !is_limited;
        let is_all = is_whole && explored.levels >= below;
        if let Some(fewer) = fewer(&machine, &explored, &best, ends) {
            // Of the levels before the one on which a run is found, nothing is left out.
            fewest_switches = is_whole && explored.levels >= fewer.context_switches();
            best = trimmed(fewer);
        }
        fewest_switches |= is_all;
    }
    Shortened { run: best, fewest_switches }
}

/// Whether a thread of a run wakes without a signal. If none does, none does in the shorter run: it
/// would be a poorer proof, since such wakeups are rare.
fn wakes_without_signal(machine: &Machine<'_>, run: &Run<Violation>) -> bool {
    let mut state = machine.initial();
    let mut notes = Notes::new();
    run.decisions.iter().any(|Decision { thread, choices }| {
        let readiness = machine.readiness(&state, *thread);
        let mut script = Script::new(choices.clone());
        machine.step(&mut state, *thread, &mut script, &mut NoRecorder, &mut notes);
        readiness == Readiness::Spurious
    })
}

/// A run of an exploration with fewer switches.
fn fewer(
    machine: &Machine<'_>,
    explored: &Exploration,
    best: &Run<Violation>,
    ends: Ends,
) -> Option<Run<Violation>> {
    let mut found = explored.found.iter();
    let run = found.find(|it| ends == Ends::Any || it.fails_like(best))?;
    let is_fewer = run.context_switches() < best.context_switches();
    (is_fewer && ends_as_it_says(machine, run)).then(|| run.clone())
}

/// Whether a run, carried out, ends in its violation: an exploration with a bound may end a run
/// where without one it goes on.
fn ends_as_it_says(machine: &Machine<'_>, run: &Run<Violation>) -> bool {
    let replayed = replay_failing(machine, &run.decisions, run.violation());
    let end = replayed.ok().map(|it| it.end);
    matches!(end, Some(End::Violation(violation)) if violation.is_same(run.violation()))
}

/// The run with everything left out that can be, one part at a time.
fn trimmed(
    machine: &Machine<'_>,
    run: Run<Violation>,
    spurious: bool,
    effort: Effort,
) -> Run<Violation> {
    let mut trimmer = Trimmer { machine, best: run.clone(), left: effort.steps, spurious };
    loop {
        let before = trimmer.cost();
        trimmer.leave_out_threads();
        trimmer.leave_out_stretches();
        trimmer.join_stretches();
        trimmer.end_stretches_early();
        if trimmer.cost() == before || trimmer.left == 0 {
            break;
        }
    }
    if ends_as_it_says(machine, &trimmer.best) { trimmer.best } else { run }
}

/// Steps of one thread without a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    thread: ThreadId,
    /// Steps that the thread has taken at its end, since it began. So a thread catches up later with
    /// what is left out of it.
    until: usize,
}

/// Leaves out parts of a run as long as it fails.
struct Trimmer<'m, 'p> {
    machine: &'m Machine<'p>,
    best: Run<Violation>,
    /// Steps that may still be taken.
    left: usize,
    /// Threads may wake without a signal.
    spurious: bool,
}

impl Trimmer<'_, '_> {
    /// Switches, then steps.
    fn cost(&self) -> (u32, usize) {
        (self.best.context_switches(), self.best.decisions.len())
    }

    fn stretches(&self) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut taken: Vec<usize> = Vec::new();
        for Decision { thread, .. } in &self.best.decisions {
            let until = count(&mut taken, *thread);
            match stretches.last_mut().filter(|it| it.thread == *thread) {
                Some(last) => last.until = until,
                None => stretches.push(Stretch { thread: *thread, until }),
            }
        }
        stretches
    }

    /// Threads that take no part.
    fn leave_out_threads(&mut self) {
        let mut threads: Vec<ThreadId> = self.best.decisions.iter().map(|it| it.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        for thread in threads.into_iter().rev() {
            let rest = self.stretches().into_iter().filter(|it| it.thread != thread);
            self.try_run(rest.collect());
        }
    }

    /// Stretches that are not needed, or not then.
    fn leave_out_stretches(&mut self) {
        self.each_stretch(|stretches, at| {
            let mut rest = stretches.to_vec();
            rest.remove(at);
            rest
        });
    }

    /// What a thread does later, at once.
    fn join_stretches(&mut self) {
        self.each_stretch(|stretches, at| {
            let mut joined = stretches.to_vec();
            let thread = joined[at].thread;
            let next = joined.iter().skip(at + 1).position(|it| it.thread == thread);
            if let Some(next) = next {
                joined[at].until = joined.remove(at + 1 + next).until;
            }
            joined
        });
    }

    /// Tries a change of each stretch, from the last to the first.
    fn each_stretch(&mut self, change: impl Fn(&[Stretch], usize) -> Vec<Stretch>) {
        let mut at = self.stretches().len();
        while at > 0 {
            at -= 1;
            let stretches = self.stretches();
            at = at.min(stretches.len().saturating_sub(1));
            if at < stretches.len() {
                self.try_run(change(&stretches, at));
            }
        }
    }

    /// Stretches that end earlier, as in loops of which fewer iterations do: with what the thread does
    /// later, or without.
    fn end_stretches_early(&mut self) {
        let mut at = self.stretches().len();
        while at > 0 && self.left > 0 {
            at = (at - 1).min(self.stretches().len().saturating_sub(1));
            self.end_early(at);
        }
    }

    fn end_early(&mut self, at: usize) {
        let stretches = self.stretches();
        let Some(&Stretch { thread, until }) = stretches.get(at) else { return };
        let before = stretches[..at].iter().rev().find(|it| it.thread == thread);
        let begin = before.map_or(0, |it| it.until);
        for until in ends(begin + 1, until) {
            let mut shorter = stretches.clone();
            shorter[at].until = until;
            let (kept, later) = shorter.split_at(at + 1);
            let others = later.iter().filter(|it| it.thread != thread);
            let without: Vec<Stretch> = kept.iter().chain(others).copied().collect();
            if self.try_run(without) || self.try_run(shorter) {
                return;
            }
        }
    }

    /// Keeps a run if it fails and is shorter.
    fn try_run(&mut self, mut stretches: Vec<Stretch>) -> bool {
        // Whoever fails may need more steps than before, or fewer.
        let failing = self.best.violation().thread;
        if let Some(last) = stretches.iter_mut().rev().find(|it| it.thread == failing) {
            last.until = usize::MAX;
        }
        let Some(run) = self.carry_out(&stretches) else { return false };
        let is_shorter = (run.context_switches(), run.decisions.len()) < self.cost();
        if is_shorter {
            self.best = run;
        }
        is_shorter
    }

    /// The run of these stretches, if it fails as before. A thread that cannot go on ends its stretch.
    fn carry_out(&mut self, stretches: &[Stretch]) -> Option<Run<Violation>> {
        let choices = self.choices();
        let longest = 2 * self.best.decisions.len();
        let mut state = self.machine.initial();
        let (mut taken, mut decisions) = (Vec::new(), Vec::new());
        for Stretch { thread, until } in stretches {
            let most = self.best.decisions.len();
            let begin = decisions.len();
            while taken.get(thread.0 as usize).copied().unwrap_or(0) < *until
                && self.can_step(&state, *thread)
            {
                let endless = *until == usize::MAX && decisions.len() - begin > most;
                if self.left == 0 || decisions.len() > longest || endless {
                    return None;
                }
                self.left -= 1;
                let nth = count(&mut taken, *thread) - 1;
                let known = choices.get(thread.0 as usize).and_then(|it| it.get(nth));
                let known = known.map_or(&[][..], Vec::as_slice);
                let (choices, end) = self.step(&mut state, *thread, known);
                decisions.push(Decision { thread: *thread, choices });
                match end {
                    Ended::GoesOn => {}
                    Ended::Fails(violation) => {
                        return Some(Run { decisions, end: *violation });
                    }
                    Ended::Otherwise => return None,
                }
            }
        }
        self.hangs(&state).map(|violation| Run { decisions, end: violation })
    }

    fn can_step(&self, state: &State, thread: ThreadId) -> bool {
        let exists = (thread.0 as usize) < state.threads.len();
        exists
            && match self.machine.readiness(state, thread) {
                Readiness::Ready => true,
                Readiness::Spurious => self.spurious,
                Readiness::Blocked | Readiness::Gone => false,
            }
    }

    /// What the run decides, by thread and step of the thread.
    fn choices(&self) -> Vec<Vec<Vec<u128>>> {
        let mut choices: Vec<Vec<Vec<u128>>> = Vec::new();
        for Decision { thread, choices: made } in &self.best.decisions {
            let at = thread.0 as usize;
            if choices.len() <= at {
                choices.resize(at + 1, Vec::new());
            }
            choices[at].push(made.clone());
        }
        choices
    }

    fn step(&self, state: &mut State, thread: ThreadId, known: &[u128]) -> (Vec<u128>, Ended) {
        let wanted = self.best.violation();
        let mut chooser = AsBefore { known, made: Vec::new() };
        let mut notes = Notes::new();
        let end = self.machine.step(state, thread, &mut chooser, &mut NoRecorder, &mut notes);
        let violation = match end {
            // A run goes on after a race, unless it is the one that is wanted.
            StepEnd::Done(soft) => soft.into_iter().find(|it| it.is_same(wanted)),
            StepEnd::Violated(violation) => Some(violation),
            StepEnd::Open(_) => return (chooser.made, Ended::Otherwise),
        };
        let end = match violation.or_else(|| self.machine.deadlock(state)) {
            None => Ended::GoesOn,
            Some(violation) if violation.is_same(wanted) => Ended::Fails(Box::new(violation)),
            Some(_) => Ended::Otherwise,
        };
        (chooser.made, end)
    }

    /// The hang that the run ends in, if that is what it should end in.
    fn hangs(&self, state: &State) -> Option<Violation> {
        let wanted = self.best.violation();
        if wanted.property() != Property::Deadlock {
            return None;
        }
        hang_at(self.machine, state).filter(|it| it.is_same(wanted))
    }
}

/// Counts a step of a thread.
fn count(taken: &mut Vec<usize>, thread: ThreadId) -> usize {
    let at = thread.0 as usize;
    if taken.len() <= at {
        taken.resize(at + 1, 0);
    }
    taken[at] += 1;
    taken[at]
}

/// Where a stretch may end instead: everywhere near its beginning, then ever more seldom.
fn ends(begin: usize, end: usize) -> impl Iterator<Item = usize> {
    const NEAR: usize = 32;
    let next = move |&at: &usize| Some(at + 1 + (at - begin) / NEAR * ((at - begin) / NEAR));
    std::iter::successors(Some(begin), next).take_while(move |&at| at < end)
}

/// What a step of a run that is tried leads to.
enum Ended {
    GoesOn,
    /// In the violation that is wanted.
    Fails(Box<Violation>),
    /// In another one.
    Otherwise,
}

/// Decides as in the run before as far as that fits, else the most ordinary.
struct AsBefore<'a> {
    known: &'a [u128],
    made: Vec<u128>,
}

impl Chooser for AsBefore<'_> {
    fn choose(&mut self, choice: &Choice) -> Option<u128> {
        let fits = |value: &u128| match choice.kind {
            ChoiceKind::Pick { options, .. } => *value < u128::from(options),
            ChoiceKind::Input { width, .. } => width >= 128 || *value >> width == 0,
        };
        let known = self.known.get(self.made.len()).copied().filter(fits);
        self.made.push(known.unwrap_or(0));
        self.made.last().copied()
    }
}
