//! Which places an excerpt points at, and what it says there.

use std::collections::HashSet;

use unravel_kinds::{Deed, Property, Related, StepKind};
use unravel_span::{FileId, Span};

use crate::model::{End, Finding, Place, RelatedKind, Remark, StepRow};
use crate::shared;
use crate::words::{step, violation};

use super::{order_labels, phrase, words};

/// Lines an excerpt points at; more than these nobody reads.
const MAX_LINES: usize = 8;
/// Steps of one thread that the label of a line names.
const MAX_STEPS: usize = 4;
/// Different things done on a line that its label names.
const MAX_PHRASES: usize = 4;
/// Threads that the label of a line names.
const MAX_THREADS: usize = 3;
/// Whether steps of a kind are seen in the table but say little about why a run fails.
fn is_bookkeeping(kind: StepKind) -> bool {
    use StepKind::{Create, End, Exit, Input, Join, Local, Output, Sync};
    matches!(kind, Local | Create(_) | Join(_) | End | Exit(_) | Output | Input)
        || matches!(kind, Sync { deed: Deed::Init | Deed::Destroy, .. })
}

/// Words for a place.
pub struct Label {
    /// The place that the label points at.
    pub span: Span,
    /// Is it the place of the violation?
    pub primary: bool,
    /// The words.
    pub text: String,
}

/// A line, as far as an excerpt is concerned.
type Line = (FileId, u32);

fn line(span: Span) -> Line {
    (span.file, span.line)
}

fn line_of(place: Option<&Place>) -> Option<Line> {
    place.map(|place| line(place.span))
}

/// Labels of an excerpt, that of the violation first.
///
/// There is one per line, but where other threads run the violating line too they get their own
/// on it, so that neither hides the other.
pub fn labels(finding: &Finding) -> Vec<Label> {
    let candidates = candidates(finding);
    let mut labels = Vec::new();
    if let Some(place) = &finding.place {
        let text = failure(finding, own_remark(finding)) + &order_labels::of_violation(finding);
        labels.push(Label { span: place.span, primary: true, text });
        labels.extend(beside(finding, &candidates, place));
    }
    let own = line_of(finding.place.as_ref());
    let others = lines(finding, &candidates).into_iter().filter(|&line| Some(line) != own);
    labels.extend(others.filter_map(|line| secondary(finding, &candidates, line)));
    labels
}

/// Remarks that no label shows, because they have no place or their line is left out.
pub fn unlabelled(finding: &Finding) -> Vec<&Remark<RelatedKind>> {
    let own = line_of(finding.place.as_ref());
    let lines = lines(finding, &candidates(finding));
    let shown = |remark: &&Remark<RelatedKind>| {
        let line = line_of(remark.place.as_ref());
        line.is_some_and(|line| lines.contains(&line) || Some(line) == own)
    };
    finding.related.iter().filter(|remark| !shown(remark)).collect()
}

/// Steps worth a label: the ends of the orders that explain the run; where there are none, accesses
/// of variables that matter and synchronization, once there are threads, and the last write of each
/// variable.
fn candidates(finding: &Finding) -> Vec<usize> {
    if shared::core(finding).is_some() {
        let ends = order_labels::steps(finding);
        return indices(finding, |_, step| ends.contains(&step.step));
    }
    let names: HashSet<&str> = shared::variables(finding).into_iter().collect();
    let matters = |step: &StepRow| match &step.variable {
        Some(name) if shared::is_access(step) => names.contains(name.as_str()),
        _ => !shared::is_access(step) && !is_bookkeeping(step.kind),
    };
    let first = shared::first_creation(&finding.schedule);
    let writes: HashSet<usize> = last_writes(finding).into_iter().collect();
    let is_last = |at: usize| writes.contains(&at);
    let chosen = indices(finding, |at, step| (at >= first && matters(step)) || is_last(at));
    if chosen.is_empty() { indices(finding, |_, step| shared::is_access(step)) } else { chosen }
}

/// The last write of each variable that matters.
fn last_writes(finding: &Finding) -> Vec<usize> {
    let has_core = shared::core(finding).is_some();
    let names = if has_core { Vec::new() } else { shared::variables(finding) };
    shared::last_writes(finding, &names)
}

fn indices(finding: &Finding, wanted: impl Fn(usize, &StepRow) -> bool) -> Vec<usize> {
    let steps = finding.schedule.iter().enumerate();
    let wanted = steps.filter(|(at, step)| step.place.is_some() && wanted(*at, step));
    wanted.map(|(at, _)| at).collect()
}

/// Lines to point at: those of remarks, the last write of each variable, then the steps nearest
/// to the violation.
fn lines(finding: &Finding, candidates: &[usize]) -> Vec<Line> {
    let related = finding.related.iter().filter_map(|remark| line_of(remark.place.as_ref()));
    let last_writes = last_writes(finding).into_iter().filter_map(|at| place_line(finding, at));
    let nearest = candidates.iter().rev().filter_map(|&at| place_line(finding, at));
    let missing = order_labels::missing(finding).filter_map(|(_, end)| line_of(end.place.as_ref()));
    let own = line_of(finding.place.as_ref());
    let mut lines: Vec<Line> = own.into_iter().collect();
    for line in related.chain(last_writes).chain(missing).chain(nearest) {
        if lines.len() >= MAX_LINES {
            break;
        }
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

fn place_line(finding: &Finding, at: usize) -> Option<Line> {
    line_of(finding.schedule.get(at)?.place.as_ref())
}

fn secondary(finding: &Finding, candidates: &[usize], line: Line) -> Option<Label> {
    let steps = steps_on(finding, candidates, line);
    let remark = remark_on(finding, line, None);
    let said = remark.map(|it| remark_text(finding, &steps, it));
    let text = join(describe(finding, &steps), said.as_deref());
    let step = steps.first().and_then(|&at| finding.schedule.get(at));
    let step = step.and_then(|step| step.place.as_ref());
    let is_here = |end: &End| line_of(end.place.as_ref()) == Some(line);
    let missing = order_labels::missing(finding).map(|(_, end)| end).find(|end| is_here(end));
    let place = step.or_else(|| remark.and_then(|remark| remark.place.as_ref()));
    let place = place.or_else(|| missing.and_then(|end| end.place.as_ref()))?;
    // A remark says already what a thread does here that is not in the run.
    let text = match missing {
        Some(_) if remark.is_some() => text + &order_labels::of_missing(finding, is_here),
        Some(_) => join(text, Some(&order_labels::described(finding, is_here))),
        None => text,
    };
    Some(Label { span: place.span, primary: false, text })
}

/// The remark, less the thread where the steps before it name it already.
fn remark_text(finding: &Finding, steps: &[usize], remark: &Remark<RelatedKind>) -> String {
    let mut rows = steps.iter().filter_map(|&at| finding.schedule.get(at));
    match &remark.what {
        RelatedKind::Step(it @ Related::OtherAccess { thread })
            if rows.any(|step| step.thread == *thread) =>
        {
            violation::step_without_thread(it)
        }
        other => violation::related(other),
    }
}

fn steps_on(finding: &Finding, candidates: &[usize], line: Line) -> Vec<usize> {
    let is_here = |at: &&usize| place_line(finding, **at) == Some(line);
    candidates.iter().filter(is_here).copied().collect()
}

fn remark_on<'a>(
    finding: &'a Finding,
    line: Line,
    except: Option<&Remark<RelatedKind>>,
) -> Option<&'a Remark<RelatedKind>> {
    let is_other = |remark: &&Remark<RelatedKind>| except != Some(*remark);
    let is_here = |remark: &&Remark<RelatedKind>| line_of(remark.place.as_ref()) == Some(line);
    finding.related.iter().filter(is_other).find(is_here)
}

fn join(first: String, second: Option<&str>) -> String {
    match second {
        Some(second) if first.is_empty() => words::clean(second),
        Some(second) => format!("{first}; {}", words::clean(second)),
        None => first,
    }
}

/// `step 3 (T1): writes x = 0`, `steps 2, 5 (T1), 3 (T2): reads x, writes x`.
fn describe(finding: &Finding, steps: &[usize]) -> String {
    let rows: Vec<&StepRow> = steps.iter().filter_map(|&at| finding.schedule.get(at)).collect();
    let Some(first) = rows.first() else { return String::new() };
    let noun = if rows.len() == 1 { "step" } else { "steps" };
    let few = rows.iter().all(|row| row.thread == first.thread) && rows.len() <= 2;
    let mut phrases: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for (row, &at) in rows.iter().zip(steps) {
        let phrase = match rows.len() {
            1 if shared::core(finding).is_none() => phrase::full(finding, at),
            1 => step::with_value(row),
            _ if few => step::with_value(row),
            _ => step::without_value(row),
        };
        if known.insert(phrase.clone()) {
            phrases.push(phrase);
        }
    }
    let orders = order_labels::of_steps(finding, &rows);
    words::clean(&format!("{noun} {}: {}{orders}", numbers(&rows), listed(&phrases)))
}

/// What is done, with commas; of long lists, such as the letters that are copied, only the first.
fn listed(phrases: &[String]) -> String {
    match phrases.get(..MAX_PHRASES) {
        Some(first) if phrases.len() > MAX_PHRASES + 1 => {
            format!("{} and {} more", first.join(", "), phrases.len() - MAX_PHRASES)
        }
        _ => phrases.join(", "),
    }
}

/// `2, 5 (T1), 3 (T2)`.
fn numbers(rows: &[&StepRow]) -> String {
    let mut threads: Vec<u32> = Vec::new();
    for row in rows {
        if !threads.contains(&row.thread) {
            threads.push(row.thread);
        }
    }
    if let (true, Some(first), Some(last)) =
        (threads.len() > MAX_THREADS, rows.first(), rows.last())
    {
        return format!("{} to {} ({} threads)", first.step, last.step, threads.len());
    }
    let of = |thread: &u32| {
        let mine: Vec<&&StepRow> = rows.iter().filter(|row| row.thread == *thread).collect();
        let skipped = mine.len().saturating_sub(MAX_STEPS);
        let shown: Vec<String> =
            mine.iter().skip(skipped).map(|row| row.step.to_string()).collect();
        let dots = if skipped > 0 { "..., " } else { "" };
        format!("{dots}{} ({})", shown.join(", "), words::thread(*thread))
    };
    threads.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// What other threads do on the line of the violation.
fn beside(finding: &Finding, candidates: &[usize], place: &Place) -> Option<Label> {
    let line = line(place.span);
    let mut steps = steps_on(finding, candidates, line);
    let is_other =
        |at: &usize| finding.schedule.get(*at).is_some_and(|s| s.thread != finding.thread);
    steps.retain(is_other);
    let remark = remark_on(finding, line, own_remark(finding));
    let said = remark.map(|it| remark_text(finding, &steps, it));
    let text = join(describe(finding, &steps), said.as_deref());
    (!text.is_empty()).then_some(Label { span: place.span, primary: false, text })
}

/// For a deadlock, the remark on the thread that the violation names.
fn own_remark(finding: &Finding) -> Option<&Remark<RelatedKind>> {
    let is_own = |remark: &&Remark<RelatedKind>| match &remark.what {
        RelatedKind::Step(Related::Waits(wait)) => wait.thread == finding.thread,
        RelatedKind::Step(Related::Spins(spin)) => spin.thread == finding.thread,
        RelatedKind::Step(Related::Took { thread, .. }) => *thread == finding.thread,
        _ => false,
    };
    finding.related.iter().find(is_own)
}

/// What happens at the place of the violation.
fn failure(finding: &Finding, own: Option<&Remark<RelatedKind>>) -> String {
    if finding.property() == Property::Deadlock {
        let waits = format!("{} waits here forever", words::thread(finding.thread));
        return own.map_or(waits, |remark| words::clean(&violation::related(&remark.what)));
    }
    let number = shared::violating_number(finding);
    let who = format!("step {number} ({})", words::thread(finding.thread));
    let own = shared::violating_step(finding).and_then(|at| finding.schedule.get(at));
    if let Some(row) = own {
        return words::clean(&format!("{who}: this access {}", step::with_value(row)));
    }
    words::clean(&format!("{who}: fails here{}", seen(finding)))
}

/// ` with x = 1, y = 0`: what the thread last read on the line where it fails.
fn seen(finding: &Finding) -> String {
    let own = line_of(finding.place.as_ref());
    let is_here =
        |step: &&StepRow| step.thread == finding.thread && line_of(step.place.as_ref()) == own;
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for step in finding.schedule.iter().rev().filter(|it| shared::is_access(it)).filter(is_here) {
        if seen.len() == MAX_STEPS {
            break;
        }
        let (Some(name), Some(value)) = (&step.variable, &step.value) else { continue };
        if seen.iter().all(|known| known.0 != name) {
            seen.push((name, value));
        }
    }
    let shown: Vec<String> = seen.iter().rev().map(|(n, v)| format!("{n} = {v}")).collect();
    if shown.is_empty() { String::new() } else { format!(" with {}", shown.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn long_lists_are_cut() {
        let phrases =
            |number: usize| (0..number).map(|at| format!("writes a[{at}]")).collect::<Vec<_>>();
        assert_eq!(listed(&phrases(2)), "writes a[0], writes a[1]");
        assert!(listed(&phrases(5)).ends_with("writes a[4]"), "one more is as short as saying so");
        assert!(listed(&phrases(15)).ends_with("writes a[3] and 11 more"));
    }
}
