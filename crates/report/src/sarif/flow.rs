//! Runs in SARIF's form.

use serde_json::{Map, Value, json};

use unravel_kinds::{Deed, StepKind};

use crate::model::{Finding, Place, StepRow, ThreadRow};
use crate::{shared, words};

use super::location::Locations;

/// A step with its thread, as both code flows show it.
struct Located {
    thread: u32,
    value: Value,
}

/// The run in order, then the same thread by thread; nothing where there is no run.
pub fn code_flows(locations: &Locations<'_>, finding: &Finding) -> Vec<Value> {
    let steps = steps(locations, finding);
    if steps.is_empty() {
        return Vec::new();
    }
    let all: Vec<&Value> = steps.iter().map(|step| &step.value).collect();
    let merged = json!({
        "message": { "text": "the failing run, all threads in the order of their steps" },
        "threadFlows": [{ "id": "run", "locations": all }],
    });
    let by_thread = json!({
        "message": { "text": "the failing run, thread by thread" },
        "threadFlows": by_thread(finding, &steps),
    });
    [merged, by_thread].into_iter().chain(passing(locations, finding)).collect()
}

/// The run that passes for the last order of the core that has one.
fn passing(locations: &Locations<'_>, finding: &Finding) -> Option<Value> {
    let (order, run) = shared::passing(shared::core(finding)?)?;
    let names = names(finding);
    let mut values = vec![None; names.len()];
    let mut steps = Vec::new();
    for row in &run.schedule {
        shared::observe(&mut values, &names, row);
        let event = Event { importance: importance(row, &names), ..Event::of(row) };
        let located = event.located(locations, &run.threads, state(&names, &values));
        steps.push(located.value);
    }
    let text = format!("a run that passes with the same inputs, without order {}", order.id);
    (!steps.is_empty()).then(|| {
        json!({
            "message": { "text": text },
            "threadFlows": [{ "id": "passing", "locations": steps }],
        })
    })
}

/// Variables whose values are shown.
fn names(finding: &Finding) -> Vec<&str> {
    let mut names = shared::variables(finding);
    for name in shared::core_variables(finding) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn by_thread(finding: &Finding, steps: &[Located]) -> Vec<Value> {
    let mut ids: Vec<u32> = steps.iter().map(|step| step.thread).collect();
    ids.sort_unstable();
    ids.dedup();
    let flow = |id: u32| {
        let mine = steps.iter().filter(|step| step.thread == id);
        let locations: Vec<&Value> = mine.map(|step| &step.value).collect();
        let title = title(&finding.threads, id);
        json!({ "id": format!("T{id}"), "message": { "text": title }, "locations": locations })
    };
    ids.into_iter().map(flow).collect()
}

/// `T1 writer0`.
fn title(threads: &[ThreadRow], id: u32) -> String {
    let thread = threads.iter().find(|thread| thread.id == id);
    let name = thread.map_or("", |thread| thread.name.as_str());
    format!("T{id} {name}").trim_end().to_owned()
}

fn steps(locations: &Locations<'_>, finding: &Finding) -> Vec<Located> {
    let names = names(finding);
    let core: Vec<u32> = core_steps(finding);
    let mut values = vec![None; names.len()];
    let violating = shared::violating_step(finding);
    let mut steps = Vec::new();
    let message = words::violation::message(&finding.kind);
    for (index, row) in finding.schedule.iter().enumerate() {
        shared::observe(&mut values, &names, row);
        let is_violation = violating == Some(index);
        let is_essential = is_violation || core.contains(&row.step);
        let mut event = Event::of(row);
        event.importance = if is_essential { "essential" } else { importance(row, &names) };
        if is_violation {
            event.text = format!("{}: {message}", event.text);
            event.kinds = &["danger"];
        }
        steps.push(event.located(locations, &finding.threads, state(&names, &values)));
    }
    steps.extend(violation(locations, finding).filter(|_| violating.is_none()));
    steps
}

/// The violation as the last step of the run.
fn violation(locations: &Locations<'_>, finding: &Finding) -> Option<Located> {
    let event = Event {
        order: shared::violating_number(finding),
        thread: finding.thread,
        place: finding.place.as_ref(),
        text: words::violation::message(&finding.kind),
        importance: "essential",
        kinds: &["danger"],
    };
    Some(event.located(locations, &finding.threads, Map::new()))
}

/// Numbers of the steps that are ends of orders.
fn core_steps(finding: &Finding) -> Vec<u32> {
    let ends = shared::core(finding).into_iter().flat_map(shared::ends);
    ends.filter_map(|(_, end)| end.step).collect()
}

/// What a location of a thread flow is made from.
struct Event<'a> {
    order: u32,
    thread: u32,
    place: Option<&'a Place>,
    text: String,
    importance: &'static str,
    kinds: &'static [&'static str],
}

impl Event<'_> {
    fn of(row: &StepRow) -> Event<'_> {
        Event {
            order: row.step,
            thread: row.thread,
            place: row.place.as_ref(),
            text: words::step::cell(row),
            importance: "important",
            kinds: kinds(row.kind),
        }
    }

    fn located(
        &self,
        locations: &Locations<'_>,
        threads: &[ThreadRow],
        state: Map<String, Value>,
    ) -> Located {
        let text = format!("{}: {}", title(threads, self.thread), self.text);
        let location = match self.place {
            Some(place) => locations.at(place, Some(&text)),
            None => json!({ "message": { "text": text } }),
        };
        let mut value = json!({
            "executionOrder": self.order,
            "importance": self.importance,
            "location": location,
            "properties": { "threadId": format!("T{}", self.thread) },
        });
        if !self.kinds.is_empty() {
            value["kinds"] = json!(self.kinds);
        }
        if !state.is_empty() {
            value["state"] = Value::Object(state);
        }
        Located { thread: self.thread, value }
    }
}

fn importance(step: &StepRow, names: &[&str]) -> &'static str {
    let is_named = step.variable.as_deref().is_some_and(|name| names.contains(&name));
    match step.kind {
        StepKind::Local | StepKind::Output | StepKind::End => "unimportant",
        StepKind::Sync { deed: Deed::Init | Deed::Destroy, .. } => "unimportant",
        _ if shared::is_access(step) && !is_named => "unimportant",
        _ => "important",
    }
}

/// SARIF's words for a kind of step.
fn kinds(kind: StepKind) -> &'static [&'static str] {
    match kind {
        StepKind::Read | StepKind::Write | StepKind::Update | StepKind::FailedUpdate => &["memory"],
        StepKind::Free => &["memory"],
        StepKind::Sync { deed, .. } => deed_kinds(deed),
        StepKind::SpuriousWake | StepKind::Join(_) => &["acquire"],
        StepKind::Create(_) => &["call"],
        StepKind::End | StepKind::Exit(_) => &["exit"],
        StepKind::Input | StepKind::Local => &["value"],
        StepKind::AssumeFailed | StepKind::Output => &[],
    }
}

fn deed_kinds(deed: Deed) -> &'static [&'static str] {
    match deed {
        it if it.takes_lock() => &["acquire", "lock"],
        it if it.takes_from_semaphore() => &["acquire"],
        Deed::Unlock => &["release", "lock"],
        Deed::Wake | Deed::Pass => &["acquire"],
        Deed::Post | Deed::Signal | Deed::Broadcast | Deed::Arrive | Deed::Wait => &["release"],
        _ => &[],
    }
}

/// Values known after a step.
fn state(names: &[&str], values: &[Option<&str>]) -> Map<String, Value> {
    let known = names.iter().zip(values).filter_map(|(name, value)| Some((name, (*value)?)));
    known.map(|(name, value)| ((*name).to_owned(), json!({ "text": value }))).collect()
}
