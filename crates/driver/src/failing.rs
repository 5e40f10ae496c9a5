//! A failing run together with the model that it is a run of: found by the solver, or given by its
//! decisions and found again in the formula.

use unravel_compare::Trace;
use unravel_encode::{Answer, Encoding, Query, Reached, Runs};
use unravel_events::{FindingKind, ThreadId as Instance};
use unravel_explore::Found;
use unravel_interp::schedule::Decision;
use unravel_interp::{Machine, Property, Violation};
use unravel_program::Program;
use unravel_schedule::{Given, Run, given, violating_run};
use unravel_solver::{Lit, Model, Outcome};

use crate::check::{CheckOptions, InternalFailure};

/// A failing run and its model. The step in which it fails is one of its steps.
pub struct FailingRun {
    /// The model.
    pub model: Model,
    /// The run.
    pub run: Run,
}

/// What became of a search for a failing run.
pub enum Sought {
    /// It was found.
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
) -> Result<Sought, InternalFailure> {
    any_run_without(machine, encoding, &[], stop)
}

/// The same, with none of these literals true.
pub fn any_run_without(
    machine: &Machine<'_>,
    encoding: &mut Encoding,
    without: &[Lit],
    stop: &mut dyn FnMut() -> bool,
) -> Result<Sought, InternalFailure> {
    let model = match encoding.ask(Query::Violation, Runs::Clean, without, stop) {
        Answer::Reached(model) => *model,
        Answer::Unreachable => return Ok(Sought::None { turns: 0 }),
        Answer::Stopped => return Ok(Sought::Stopped),
        Answer::Broken(why) => return Err(InternalFailure::Broken(why)),
    };
    let reached = encoding.reached_in(&model, Query::Violation);
    let Some(reached) = reached.first().map(|it| (*it).clone()) else {
        return Ok(Sought::None { turns: 0 });
    };
    let run = violating_run(machine, encoding, &model, &reached);
    let mut run = run.map_err(|it| InternalFailure::Broken(it.why))?;
    if run.violation.property() == Property::Race {
        return Ok(Sought::None { turns: 0 });
    }
    run.steps.extend(encoding.violating_step(&reached, &model));
    Ok(Sought::Found(Box::new(FailingRun { model, run })))
}

/// The failing run with these decisions: its steps in this order and before all others, with what
/// it is given.
pub fn given_run(
    program: &Program,
    options: &CheckOptions,
    encoding: &mut Encoding,
    run: (&[Decision], &Violation),
    stop: &mut dyn FnMut() -> bool,
) -> Result<Sought, InternalFailure> {
    given_run_with(program, options, encoding, run, &[], stop)
}

/// The same, under further assumptions.
pub fn given_run_with(
    program: &Program,
    options: &CheckOptions,
    encoding: &mut Encoding,
    (decisions, violation): (&[Decision], &Violation),
    also: &[Lit],
    stop: &mut dyn FnMut() -> bool,
) -> Result<Sought, InternalFailure> {
    let mut config = options.config();
    // Turns of loops are counted only below a bound.
    config.unwind = Some(u32::MAX);
    let machine = Machine::new(program, config);
    let given = given(&machine, encoding.graph(), decisions)
        .map_err(|it| InternalFailure::Broken(it.why))?;
    let turns = given.most_turns;
    let Some(mut assumptions) = assumptions(encoding, &given, violation) else {
        return Ok(Sought::None { turns });
    };
    assumptions.extend(also);
    let model = match encoding.assume(&assumptions, stop) {
        Outcome::Sat(model) => model,
        Outcome::Unsat(_) => return Ok(Sought::None { turns }),
        Outcome::Stopped => return Ok(Sought::Stopped),
        Outcome::Broken(why) => return Err(InternalFailure::Broken(why)),
    };
    let ends = encoding.reached_in(&model, Query::Violation).into_iter();
    let ends = ends.filter(|it| is_end(it, &given, violation));
    let end = ends.min_by_key(|it| it.position).cloned();
    let mut steps = given.steps;
    steps.extend(end.and_then(|end| encoding.violating_step(&end, &model)));
    // Threads that the graph does not have do nothing that it knows.
    let threads = given.threads.into_iter().map(|it| it.unwrap_or(Instance(u32::MAX))).collect();
    let run = Run { decisions: decisions.to_vec(), violation: violation.clone(), steps, threads };
    Ok(Sought::Found(Box::new(FailingRun { model, run })))
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
    let mut trace = Trace::of(encoding, &failing.model, failing.run.steps.clone());
    let line = |site| unravel_findings::place(program, site).map(|it| (it.span.file, it.span.line));
    let failure = line(failing.run.violation.site);
    let branches = &encoding.graph().branches;
    trace.branches.retain(|&index, _| line(branches[index].site) != failure);
    trace
}

/// A run as the exploration would hand it over.
pub fn found(run: &Run) -> Found {
    let decisions = run.decisions.clone();
    let switches = decisions.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    let context_switches = u32::try_from(switches).unwrap_or(u32::MAX);
    Found { violation: run.violation.clone(), decisions, context_switches }
}
