//! Why something is not known; faulty values; how runs were compared.

use unravel_kinds::Unmodelled;

use super::{say, unmodelled};
use crate::model::{
    DiagnosisRemark, Fault, FaultLine, FaultSite, GivenInput, HandOver, InputOutcome,
    LocalizationRemark, Method, Obstacle, Schedules,
};

/// A remark on why a program fails, as a clause.
#[must_use]
pub fn diagnosis_remark(remark: &DiagnosisRemark) -> String {
    say(match remark {
        DiagnosisRemark::NotKnown(why) => {
            format!("which orders make it fail is not known: {}", obstacle_clause(why))
        }
        DiagnosisRemark::WithInputs { inputs, outcome } => with_inputs(inputs, *outcome),
        DiagnosisRemark::SameOrderCut => {
            "which orders make it fail is not known: a run in which the same steps come in \
             the same order comes to a bound, or meets something that is not modelled"
                .to_owned()
        }
        DiagnosisRemark::SameOrderPasses => {
            "a run in which the same steps come in the same order passes: something else \
             than the order of accesses decides"
                .to_owned()
        }
        DiagnosisRemark::NothingNew => {
            "the search for other causes was ended, since for long it had found no new one"
                .to_owned()
        }
    })
}

fn with_inputs(inputs: &[GivenInput], outcome: InputOutcome) -> String {
    let what = match outcome {
        InputOutcome::EveryRunFails => "every run fails, whatever the schedule",
        InputOutcome::NoRunPasses => "no run passes; some are stopped by an assume or a bound",
    };
    if inputs.is_empty() {
        return what.to_owned();
    }
    let input = |it: &GivenInput| match it.line {
        Some(line) => format!("input {} at line {line}", it.value),
        None => format!("input {}", it.value),
    };
    let inputs: Vec<String> = inputs.iter().map(input).collect();
    format!("with {}, {what}", inputs.join(" and "))
}

/// Why something is not known, as a clause.
#[must_use]
pub fn obstacle(why: &Obstacle) -> String {
    say(obstacle_clause(why))
}

pub(super) fn obstacle_clause(why: &Obstacle) -> String {
    let plain = match why {
        Obstacle::NeedsSymbolicEngine => "that takes `--engine sat`",
        Obstacle::HandedOver(what) => {
            return format!("{} is not in the symbolic engine yet", hand_over_noun(what));
        }
        Obstacle::Stopped => "the search was stopped",
        Obstacle::RaceOrStopped => {
            "it fails only by a data race, for which no other order is to blame, or the search was \
             stopped"
        }
        Obstacle::Race => {
            "no value is to blame for a data race, but that nothing orders its accesses"
        }
        Obstacle::NotAllModelled => "the symbolic engine does not model all of the program",
        Obstacle::ManyIterations(iterations) => {
            return format!("its loops run {iterations} iterations, which is too many for that");
        }
        Obstacle::NoFailingRunInBounds => {
            "no failing run is within the bounds up to which values are changed"
        }
        Obstacle::GivenRunNotInBounds { iterations } => {
            return format!(
                "the symbolic engine does not have this run up to its bounds; its loops run up \
                 to {iterations} iterations, so `--unwind {}` may help",
                iterations.saturating_add(1)
            );
        }
        Obstacle::EveryFailingRunMeets { what } => return every_failing_run_meets(what.as_ref()),
        Obstacle::NonePasses => "no run with the same inputs passes",
        Obstacle::NoPassingRunKnown => {
            "whatever does not fail comes to a bound on loops, or meets something that the \
             symbolic engine does not model"
        }
    };
    plain.to_owned()
}

fn every_failing_run_meets(what: Option<&(Unmodelled, Option<u32>)>) -> String {
    let what = match what {
        Some((what, line)) => {
            let at = line.map_or(String::new(), |line| format!(" at line {line}"));
            format!("what is not modelled: {}{at}", unmodelled::noun(what))
        }
        None => "something that is not modelled".to_owned(),
    };
    format!("every failing run may meet {what}")
}

pub(super) fn hand_over_noun(what: &HandOver) -> String {
    match what {
        HandOver::Unmodelled(Unmodelled::SymbolicFunction(name)) => format!("`{name}`"),
        HandOver::Unmodelled(what) => unmodelled::noun(what),
        HandOver::HardQuestion => "a question that takes the solver long".to_owned(),
        HandOver::LongLoop => "a loop with many iterations".to_owned(),
    }
}

/// A remark that limits a list of faulty values, as a clause.
#[must_use]
pub fn localization_remark(remark: &LocalizationRemark) -> String {
    say(match remark {
        LocalizationRemark::NotKnown(why) => {
            format!("which values would let it pass is not known: {}", obstacle_clause(why))
        }
        LocalizationRemark::PassesUnchanged => {
            "the same order of the same steps can pass without a change, so no value is at fault"
                .to_owned()
        }
        LocalizationRemark::MoreSets => {
            "there may be more sets, of several values each: not all were tried".to_owned()
        }
        LocalizationRemark::FailsInEveryOrder => {
            "with these inputs it fails in every order, so the order of the run was not kept"
                .to_owned()
        }
    })
}

/// What kind of value is at fault: `argument 1`.
#[must_use]
pub fn fault_site(site: FaultSite) -> String {
    say(site_noun(site))
}

fn site_noun(site: FaultSite) -> String {
    match site {
        FaultSite::Assignment => "assignment".to_owned(),
        FaultSite::InitialValue => "initial value".to_owned(),
        FaultSite::UpdateOperand => "operand of the update".to_owned(),
        FaultSite::Argument(number) => format!("argument {number}"),
        FaultSite::ReturnedValue => "returned value".to_owned(),
        FaultSite::Condition => "condition".to_owned(),
    }
}

/// A changed value, without its place: `assignment of `x`: 1 instead of 0, each time`.
#[must_use]
pub fn fault_line(line: &FaultLine) -> String {
    let of = if matches!(line.site, FaultSite::Argument(_)) { "of the call of" } else { "of" };
    let name = line.name.as_ref().map(|name| format!(" {of} `{name}`")).unwrap_or_default();
    let instead = line.original.as_ref().map(|it| format!(" instead of {it}"));
    let when = match (line.iteration, line.is_repeated) {
        (Some(number), _) => format!(", only in execution {number} of the line"),
        (None, true) => ", in all executions of the line".to_owned(),
        (None, false) => String::new(),
    };
    let (site, instead) = (site_noun(line.site), instead.unwrap_or_default());
    say(format!("{site}{name}: {}{instead}{when}", line.value))
}

/// What is said of a set of faulty values as a whole.
#[must_use]
pub fn fault_label(fault: &Fault) -> String {
    say(match (fault.restates_assertion, fault.avoids_check, fault.schedules) {
        (true, ..) => "restates the assertion",
        (_, true, _) => "the check is not made any more",
        (_, _, Schedules::All) => "every schedule passes",
        (_, _, Schedules::ThisOnly) => "this schedule only",
        (_, _, Schedules::Unknown) => "this schedule; others are not known",
    })
}

/// How the closest passing run was searched.
#[must_use]
pub fn method(method: Method) -> String {
    let order = |equal: bool| if equal { "all alike" } else { "data flows first" };
    say(match method {
        Method::Exact { equal_weights, is_cut: true } => {
            format!("closest up to the bounds on loops, {}", order(equal_weights))
        }
        Method::Exact { equal_weights, is_cut: false } => {
            format!("closest of all, {}", order(equal_weights))
        }
        Method::Progressive { equal_weights } => {
            format!("closest near the failure, {}", order(equal_weights))
        }
        Method::Swap => "one pair of steps swapped".to_owned(),
    })
}
