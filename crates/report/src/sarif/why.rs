//! Why a finding fails, in SARIF's form.

use serde_json::{Value, json};
use unravel_kinds::Pattern;

use crate::model::{Diagnosis, Finding, Place, Report};
use crate::{place, shared, words};

use super::link;

/// What to add to the message: the cause, and the orders with links to their ends, whose ids begin
/// with `first`.
pub fn message(finding: &Finding, first: usize) -> String {
    let Some(diagnosis) = &finding.diagnosis else { return String::new() };
    if diagnosis.sequential {
        return "; no thread order avoids it: it fails in every run".to_owned();
    }
    let mut text = String::new();
    if let Some(cause) = diagnosis.causes.first() {
        text.push_str(&format!("; {}", words::cause::named(cause)));
    }
    let orders = shared::core(finding).map_or(&[][..], |core| &core.orders);
    for (index, order) in orders.iter().enumerate() {
        let at = first + 2 * index;
        let end = |text: &str, place: Option<&Place>, id| match place {
            Some(_) => link(text, id),
            None => text.to_owned(),
        };
        let before = end(&words::step::end(&order.before), order.before.place.as_ref(), at);
        let after = end(&words::step::end(&order.after), order.after.place.as_ref(), at + 1);
        text.push_str(&format!("; order {}: {before} before {after}", order.id));
    }
    text
}

/// Places of the ends of the orders, with words for them; two per order.
pub fn places(finding: &Finding) -> impl Iterator<Item = (Option<&Place>, String)> {
    let ends = shared::core(finding).into_iter().flat_map(shared::ends);
    ends.map(|(letter, end)| {
        let what = words::step::end(end);
        let text = format!("order {letter}: T{} {}: {what}", end.thread, end.thread_name);
        (end.place.as_ref(), text)
    })
}

/// The statements of the core's orders, by which it is known again when lines move.
pub fn steps(report: &Report, finding: &Finding) -> Vec<String> {
    let ends = shared::core(finding).into_iter().flat_map(shared::ends);
    let step = |end: &crate::model::End| {
        let span = end.place.as_ref().map(|place| place.span);
        let statement = span.and_then(|span| place::statement(&report.files, span));
        let variable = end.variable.as_deref().unwrap_or("");
        format!("{}\0{}\0{variable}\0{}", end.thread_name, end.kind.code(), statement.unwrap_or(""))
    };
    ends.map(|(_, end)| step(end)).collect()
}

/// What is known about the diagnosis as a whole.
pub fn properties(diagnosis: &Diagnosis) -> Value {
    json!({
        "pattern": diagnosis.pattern.map(Pattern::code),
        "sequential": diagnosis.sequential,
        "complete": diagnosis.is_complete,
        "causes": diagnosis.causes.len(),
        "cores": diagnosis.cores.len(),
    })
}
