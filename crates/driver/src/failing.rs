//! A failing run together with the model that it is a run of: found by the solver, or given by its
//! decisions and found again in the formula.

use unravel_compare::Trace;
use unravel_encode::{Answer, Encoding, Query, Reached, Runs};
use unravel_events::{FindingKind, ThreadId as Instance};
use unravel_interp::{Machine, Property, Run, Violation};
use unravel_program::Program;
use unravel_schedule::{FailingRun, Given, Until, given, violating_run};
use unravel_solver::{Lit, Outcome};

use crate::check::{CheckOptions, InternalFailure};

/// What became of a search for a failing run in a formula.
pub enum RunSearch {
    /// It was found. The step in which it fails is the last of its steps, if it fails in one.
    Found(Box<FailingRun>),
    /// There is none: for a run that is given, not up to the bounds, and its loops turn so often.
    None { turns: u32 },
    /// The search was stopped.
    Stopped,
}

/// Any failing run. Races are no failures of a schedule, so they do not count.
pub fn any_run(
    machine: &Machine<'_>,
    encoding: &mut Encoding,
    stop: &mut dyn FnMut() -> bool,
) -> Result<RunSearch, InternalFailure> {
    any_run_without(machine, encoding, &[], stop)
}

/// The same, with none of these literals true.
pub fn any_run_without(
    machine: &Machine<'_>,
    encoding: &mut Encoding,
    without: &[Lit],
    stop: &mut dyn FnMut() -> bool,
) -> Result<RunSearch, InternalFailure> {
    let races = encoding.reached().iter().filter(|it| is_race(it)).map(|it| it.lit);
    let without: Vec<Lit> = races.chain(without.iter().copied()).collect();
    let model = match encoding.ask(Query::Violation, Runs::Clean, &without, stop) {
        Answer::Reached(model) => *model,
        Answer::Unreachable => return Ok(RunSearch::None { turns: 0 }),
        Answer::Stopped => return Ok(RunSearch::Stopped),
        Answer::Broken(why) => return Err(InternalFailure::Broken(why)),
    };
    let reached = encoding.reached_in(&model, Query::Violation);
    let Some(reached) = reached.first().map(|it| (*it).clone()) else {
        return Ok(RunSearch::None { turns: 0 });
    };
    let run = violating_run(machine, encoding, model.clone(), &reached, Until::TheOne);
    let mut run = match run {
        Ok(run) => run,
        Err(divergence) if divergence.is_no_hang => {
            encoding.not_this_hang(&model);
            return any_run_without(machine, encoding, &without, stop);
        }
        Err(divergence) => return Err(InternalFailure::Broken(divergence.why)),
    };
    run.steps.extend(encoding.violating_step(&reached, &run.model));
    Ok(RunSearch::Found(Box::new(run)))
}

fn is_race(reached: &Reached) -> bool {
    reached.kind == FindingKind::Violation(Property::Race)
}

/// The failing run with these decisions: its steps in this order and before all others, with what
/// it is given.
pub fn given_run(
    program: &Program,
    options: &CheckOptions,
    encoding: &mut Encoding,
    run: &Run<Violation>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<RunSearch, InternalFailure> {
    given_run_with(program, options, encoding, run, &[], stop)
}

/// The same, under further assumptions.
pub fn given_run_with(
    program: &Program,
    options: &CheckOptions,
    encoding: &mut Encoding,
    run: &Run<Violation>,
    also: &[Lit],
    stop: &mut dyn FnMut() -> bool,
) -> Result<RunSearch, InternalFailure> {
    let mut config = options.config();
    // Turns of loops are counted only below a bound.
    config.unwind = Some(u32::MAX);
    let machine = Machine::new(program, config);
    let given = given(&machine, encoding.graph(), &run.decisions)
        .map_err(|it| InternalFailure::Broken(it.why))?;
    let turns = given.most_turns;
    let Some(mut assumptions) = assumptions(encoding, &given, run.violation()) else {
        return Ok(RunSearch::None { turns });
    };
    assumptions.extend(also);
    let model = match encoding.assume(&assumptions, stop) {
        Outcome::Sat(model) => model,
        Outcome::Unsat(_) => return Ok(RunSearch::None { turns }),
        Outcome::Stopped => return Ok(RunSearch::Stopped),
        Outcome::Broken(why) => return Err(InternalFailure::Broken(why)),
    };
    let ends = encoding.reached_in(&model, Query::Violation).into_iter();
    let ends = ends.filter(|it| is_end(it, &given, run.violation()));
    let end = ends.min_by_key(|it| it.position).cloned();
    let mut steps = given.steps;
    steps.extend(end.and_then(|end| encoding.violating_step(&end, &model)));
    // Threads that the graph does not have do nothing that it knows.
    let threads = given.threads.into_iter().map(|it| it.unwrap_or(Instance(u32::MAX))).collect();
    Ok(RunSearch::Found(Box::new(FailingRun { run: run.clone(), steps, threads, model })))
}

/// What pins a run; `None` if the graph does not have its violation.
fn assumptions(encoding: &mut Encoding, given: &Given, violation: &Violation) -> Option<Vec<Lit>> {
    let ends = encoding.reached().iter().filter(|it| is_end(it, given, violation));
    let ends: Vec<Lit> = ends.map(|it| it.lit).collect();
    if ends.is_empty() {
        return None;
    }
    let mut assumptions =
        vec![encoding.begins_with(&given.steps, given.stands_in), encoding.some_of(&ends)];
    assumptions.extend(given.inputs.iter().map(|&(index, value)| encoding.input(index, value)));
    assumptions.extend(given.wakes.iter().map(|&term| encoding.holds(term)));
    Some(assumptions)
}

/// Whether a run may end in this.
fn is_end(reached: &Reached, given: &Given, violation: &Violation) -> bool {
    let thread = given.threads.get(violation.thread.0 as usize).copied().flatten();
    reached.kind == FindingKind::Violation(violation.property())
        && (violation.property() == Property::Deadlock || Some(reached.thread) == thread)
}

/// What happens in a failing run. The branch of the assertion itself does not count: it goes the
/// other way in every run that passes.
pub fn trace(program: &Program, encoding: &Encoding, failing: &FailingRun) -> Trace {
    let mut trace = Trace::of(encoding, &failing.model, failing.steps.clone());
    let line = |site| unravel_findings::place(program, site).map(|it| (it.span.file, it.span.line));
    let failure = line(failing.violation().site);
    let branches = &encoding.graph().branches;
    trace.branches.retain(|&index, _| line(branches[index].site) != failure);
    trace
}
