//! Runs in SARIF's form.

use serde_json::{Map, Value, json};

use crate::model::{Finding, Place, StepRow};
use crate::shared;

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
    vec![merged, by_thread]
}

fn by_thread(finding: &Finding, steps: &[Located]) -> Vec<Value> {
    let mut ids: Vec<u32> = steps.iter().map(|step| step.thread).collect();
    ids.sort_unstable();
    ids.dedup();
    let flow = |id: u32| {
        let mine = steps.iter().filter(|step| step.thread == id);
        let locations: Vec<&Value> = mine.map(|step| &step.value).collect();
        let title = title(finding, id);
        json!({ "id": format!("T{id}"), "message": { "text": title }, "locations": locations })
    };
    ids.into_iter().map(flow).collect()
}

/// `T1 writer0`.
fn title(finding: &Finding, id: u32) -> String {
    let thread = finding.threads.iter().find(|thread| thread.id == id);
    let name = thread.map_or("", |thread| thread.name.as_str());
    format!("T{id} {name}").trim_end().to_owned()
}

fn steps(locations: &Locations<'_>, finding: &Finding) -> Vec<Located> {
    let names = shared::variables(finding);
    let mut values = vec![None; names.len()];
    let violating = shared::violating_step(finding);
    let mut steps = Vec::new();
    for (index, row) in finding.schedule.iter().enumerate() {
        shared::observe(&mut values, &names, row);
        let is_violation = violating == Some(index);
        let text = if row.text.is_empty() { row.kind } else { &row.text };
        let event = Event {
            order: row.step,
            thread: row.thread,
            place: row.place.as_ref(),
            text: if is_violation {
                format!("{text}: {}", finding.message)
            } else {
                text.to_owned()
            },
            importance: if is_violation { "essential" } else { importance(row, &names) },
            kinds: if is_violation { &["danger"] } else { kinds(row.kind) },
        };
        steps.push(event.located(locations, finding, state(&names, &values)));
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
        text: finding.message.clone(),
        importance: "essential",
        kinds: &["danger"],
    };
    Some(event.located(locations, finding, Map::new()))
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
    fn located(
        &self,
        locations: &Locations<'_>,
        finding: &Finding,
        state: Map<String, Value>,
    ) -> Located {
        let text = format!("{}: {}", title(finding, self.thread), self.text);
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
        "local" | "output" | "init" | "destroy" | "end" => "unimportant",
        _ if shared::is_access(step) && !is_named => "unimportant",
        _ => "important",
    }
}

/// SARIF's words for a kind of step.
fn kinds(kind: &str) -> &'static [&'static str] {
    match kind {
        "read" | "write" | "update" | "failed-update" | "free" => &["memory"],
        "lock" | "trylock" | "timedlock" | "read-lock" | "try-read-lock" | "timed-read-lock" => {
            &["acquire", "lock"]
        }
        "unlock" => &["release", "lock"],
        "sem-wait" | "sem-trywait" | "sem-timedwait" | "wake" | "pass" | "join" => &["acquire"],
        "post" | "signal" | "broadcast" | "arrive" | "wait" => &["release"],
        "create" => &["call"],
        "end" | "exit" => &["exit"],
        "input" | "local" => &["value"],
        _ => &[],
    }
}

/// Values known after a step.
fn state(names: &[&str], values: &[Option<&str>]) -> Map<String, Value> {
    let known = names.iter().zip(values).filter_map(|(name, value)| Some((name, (*value)?)));
    known.map(|(name, value)| ((*name).to_owned(), json!({ "text": value }))).collect()
}
