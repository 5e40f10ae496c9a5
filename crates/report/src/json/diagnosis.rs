//! Why a finding fails, in JSON's form.

use serde::Serialize;
use unravel_kinds::Mistake;
use unravel_span::Files;

use crate::{model, words};

use super::{Input, Place, Step, input, place, step};

#[derive(Serialize)]
pub(super) struct Cause<'a> {
    pattern: &'static str,
    message: String,
    at_fault: Option<AtFault<'a>>,
    cores: &'a [usize],
}

/// The line at fault.
#[derive(Serialize)]
pub(super) struct AtFault<'a> {
    kind: &'static str,
    #[serde(flatten)]
    place: Place<'a>,
    thread: u32,
    variable: Option<&'a str>,
    why: String,
}

/// The line at fault of a mistake.
pub(super) fn at_fault<'a>(
    files: &'a Files,
    mistake: Option<&'a Mistake<model::End>>,
) -> Option<AtFault<'a>> {
    let mistake = mistake?;
    let at = mistake.at()?;
    Some(AtFault {
        kind: mistake.code(),
        place: place(files, at.place.as_ref()),
        thread: at.thread,
        variable: at.variable.as_deref(),
        why: words::mistake::sentence(mistake, files),
    })
}

#[derive(Serialize)]
pub(super) struct Core<'a> {
    orders: Vec<Order<'a>>,
    inputs: Vec<Input<'a>>,
    other_inputs: bool,
    minimal: bool,
}

#[derive(Serialize)]
struct Order<'a> {
    id: &'a str,
    before: End<'a>,
    after: End<'a>,
    so: String,
    passing_schedule: Vec<Step<'a>>,
}

#[derive(Serialize)]
pub(super) struct End<'a> {
    thread: u32,
    #[serde(flatten)]
    place: Place<'a>,
    variable: Option<&'a str>,
    kind: &'static str,
    value: Option<&'a str>,
    turn: Option<u32>,
    step: Option<u32>,
    text: String,
}

/// Causes of a finding; none where nobody asked.
pub(super) fn causes<'a>(
    files: &'a Files,
    diagnosis: Option<&'a model::Diagnosis>,
) -> Vec<Cause<'a>> {
    let causes = diagnosis.map_or(&[][..], |diagnosis| &diagnosis.causes);
    causes.iter().map(|it| Cause::of(files, it)).collect()
}

impl<'a> Cause<'a> {
    fn of(files: &'a Files, cause: &'a model::Cause) -> Cause<'a> {
        let message = words::cause::message(cause);
        let at_fault = at_fault(files, cause.mistake.as_ref());
        Cause { pattern: cause.pattern.code(), message, at_fault, cores: &cause.cores }
    }
}

/// Remarks on why a finding fails.
pub(super) fn remarks(diagnosis: &model::Diagnosis) -> Vec<String> {
    diagnosis.remarks.iter().map(words::explanation::diagnosis_remark).collect()
}

/// Cores of a finding; none where nobody asked.
pub(super) fn cores<'a>(
    files: &'a Files,
    diagnosis: Option<&'a model::Diagnosis>,
) -> Vec<Core<'a>> {
    let cores = diagnosis.map_or(&[][..], |diagnosis| &diagnosis.cores);
    let core = |core: &'a model::Core| Core {
        orders: core.orders.iter().map(|it| order(files, it)).collect(),
        inputs: core.inputs.iter().map(|it| input(files, it)).collect(),
        other_inputs: core.other_inputs,
        minimal: core.is_minimal,
    };
    cores.iter().map(core).collect()
}

fn order<'a>(files: &'a Files, order: &'a model::Order) -> Order<'a> {
    Order {
        id: &order.id,
        before: end(files, &order.before),
        after: end(files, &order.after),
        so: words::step::consequence(order),
        passing_schedule: order
            .passing
            .iter()
            .flat_map(|run| &run.schedule)
            .map(|it| step(files, it))
            .collect(),
    }
}

pub(super) fn end<'a>(files: &'a Files, end: &'a model::End) -> End<'a> {
    End {
        thread: end.thread,
        place: place(files, end.place.as_ref()),
        variable: end.variable.as_deref(),
        kind: end.kind.code(),
        value: end.value.as_deref(),
        turn: end.iteration,
        step: end.step,
        text: words::step::end(end),
    }
}
