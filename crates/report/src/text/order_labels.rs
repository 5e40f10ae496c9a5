//! What an excerpt says about the orders that explain a run, at the places of their ends.

use std::collections::HashSet;

use crate::model::{End, Finding, StepRow};
use crate::shared;
use crate::words::step;

use super::words;

/// Numbers of the steps that are ends of orders.
pub fn steps(finding: &Finding) -> HashSet<u32> {
    let ends = shared::core(finding).into_iter().flat_map(shared::ends);
    ends.filter_map(|(_, end)| end.step).collect()
}

fn once<'a>(letters: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for letter in letters {
        if !found.contains(&letter) {
            found.push(letter);
        }
    }
    found
}

/// `, order [A]`, `, orders [A], [B]`; nothing without letters.
fn written(letters: &[&str]) -> String {
    let all: Vec<String> = letters.iter().map(|letter| format!("[{letter}]")).collect();
    match all.len() {
        0 => String::new(),
        1 => format!(", order {}", all.concat()),
        _ => format!(", orders {}", all.join(", ")),
    }
}

/// The orders that steps are ends of: `, order [A]`.
pub fn of_steps(finding: &Finding, steps: &[&StepRow]) -> String {
    let numbers: HashSet<u32> = steps.iter().map(|step| step.step).collect();
    let ends = shared::core(finding).into_iter().flat_map(shared::ends);
    let mine = ends.filter(|(_, end)| end.step.is_some_and(|step| numbers.contains(&step)));
    let mut found: Vec<&str> = mine.map(|(letter, _)| letter).collect();
    found.sort_unstable();
    found.dedup();
    written(&found)
}

/// The orders that end at the violation, or in a step of its thread on the same line.
pub fn of_violation(finding: &Finding) -> String {
    let line = |end: &End| end.place.as_ref().map(|place| (place.span.file, place.span.line));
    let own = finding.place.as_ref().map(|place| (place.span.file, place.span.line));
    let ends = || shared::core(finding).into_iter().flat_map(shared::ends);
    let number = shared::violating_number(finding);
    let is_own = |end: &End| end.thread == finding.thread && line(end) == own;
    let at = |end: &End| is_own(end) && end.step.is_none_or(|step| step == number);
    let mut text = written(&once(ends().filter(|(_, end)| at(end)).map(|(letter, _)| letter)));
    for (letter, end) in ends().filter(|(_, end)| is_own(end) && !at(end)) {
        let step = end.step.unwrap_or(number);
        text.push_str(&format!("; order [{letter}] at step {step}"));
    }
    words::clean(&text)
}

/// Ends that do not happen in the run, and are not what the violation prevents.
pub fn missing(finding: &Finding) -> impl Iterator<Item = (&str, &End)> {
    let ends = shared::core(finding).into_iter().flat_map(shared::ends);
    ends.filter(|(_, end)| end.step.is_none() && !shared::is_violation(finding, end))
}

/// The orders of ends that do not happen: `, order [A]`.
pub fn of_missing(finding: &Finding, wanted: impl Fn(&End) -> bool) -> String {
    let mine = missing(finding).filter(|(_, end)| wanted(end));
    words::clean(&written(&once(mine.map(|(letter, _)| letter))))
}

/// What does not happen, in words: `T2 would write x here, order [A]; it comes too late`.
pub fn described(finding: &Finding, wanted: impl Fn(&End) -> bool) -> String {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for (letter, end) in missing(finding).filter(|(_, end)| wanted(end)) {
        let text = format!("{} {}", words::thread(end.thread), step::would(end));
        match found.iter_mut().find(|(known, _)| *known == text) {
            Some((_, letters)) => letters.push(letter),
            None => found.push((text, vec![letter])),
        }
    }
    let texts: Vec<String> = found
        .iter()
        .map(|(text, letters)| format!("{text}{}", written(&once(letters.iter().copied()))))
        .collect();
    format!("{}; it comes too late", texts.join(", "))
}
