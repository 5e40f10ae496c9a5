//! The rows of a run: what each thread did, in order, and what the variables held.

use unravel_kinds::{Property, Related, StepKind, ViolationKind};
use unravel_span::Files;

use crate::model::{Finding, RelatedKind, StepRow, ThreadRow};
use crate::words::violation;
use crate::{place, shared};

use super::condense::shorten;
use super::marks::Marks;
use super::{Style, words};

/// A cell that names no variable is not cut below this.
const MIN_TEXT: usize = 20;
/// A value is cut above this.
pub const MAX_VALUE: usize = 14;

/// A line of a table.
#[derive(Clone)]
pub enum Row {
    /// Something a thread did, or is stopped from doing.
    Step(Cells),
    /// Steps that are left out, in words.
    Folded(String),
}

impl Row {
    /// The step, if it is one.
    pub fn cells(&self) -> Option<&Cells> {
        match self {
            Row::Step(cells) => Some(cells),
            Row::Folded(_) => None,
        }
    }
}

/// A step as a table shows it.
#[derive(Clone)]
pub struct Cells {
    /// The step's number; a thread that waits takes none.
    pub number: Option<u32>,
    /// The thread.
    pub thread: u32,
    /// Where, as `file:line`.
    pub place: String,
    /// What the thread does.
    pub text: String,
    /// The variable that the text names.
    pub variable: Option<String>,
    /// Its value.
    pub value: Option<String>,
    /// It is one of the steps that show the mistake.
    pub is_key: bool,
    /// The orders it is an end of: `*A`.
    pub mark: String,
    /// Values after the step, one per variable shown.
    pub values: Vec<String>,
    /// Whether the property is decided here, and how.
    pub outcome: Option<Outcome>,
}

/// What becomes of the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is violated.
    Fails,
    /// It holds.
    Holds,
}

impl Outcome {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Fails => "FAILS",
            Outcome::Holds => "holds",
        }
    }
}

impl Cells {
    /// Whether the step must be seen: an end of an order, a step of the mistake, the failure.
    pub fn is_needed(&self) -> bool {
        self.outcome.is_some() || self.is_key || !self.mark.is_empty()
    }

    /// Width of text and mark.
    pub fn width(&self) -> usize {
        self.text.chars().count() + self.mark_width()
    }

    /// Width of the mark with the space before it.
    pub fn mark_width(&self) -> usize {
        if self.mark.is_empty() { 0 } else { self.mark.chars().count() + 2 }
    }

    /// The width below which the step cannot be read: its variable and its value must be there.
    pub fn least(&self) -> usize {
        let all = self.text.chars().count();
        let named = self.variable.as_deref().filter(|name| !name.is_empty());
        let end = named.and_then(|name| end_of(&self.text, 0, name, usize::MAX));
        let Some(end) = end else { return all.min(MIN_TEXT) + self.mark_width() };
        let value = self.value.as_deref();
        let end = value.and_then(|value| end_of(&self.text, end, value, MAX_VALUE)).unwrap_or(end);
        let needed = self.text.get(..end).map_or(all, |text| text.chars().count());
        // What is cut ends in three dots.
        all.min(needed + 3) + self.mark_width()
    }
}

/// Where a word ends in a text, looked for behind `from`; of a long word, only its beginning.
fn end_of(text: &str, from: usize, word: &str, most: usize) -> Option<usize> {
    let at = from + text.get(from..)?.find(word)?;
    let shown: usize = word.chars().take(most).map(char::len_utf8).sum();
    Some(at + shown)
}

/// A thread of a run with its title, `T1 writer0`.
#[derive(Clone)]
pub struct Column {
    /// The thread.
    pub thread: u32,
    /// Its title.
    pub title: String,
}

/// A run, ready to be laid out.
#[derive(Clone)]
pub struct Grid {
    /// Its threads.
    pub columns: Vec<Column>,
    /// Variables whose values are shown.
    pub names: Vec<String>,
    /// Its steps.
    pub rows: Vec<Row>,
}

impl Grid {
    /// The steps that are shown.
    pub fn steps(&self) -> impl Iterator<Item = &Cells> {
        self.rows.iter().filter_map(Row::cells)
    }
}

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// In the violation of the finding.
    Violation,
    /// Without it.
    Pass,
}

/// A run to show.
pub struct Shown<'a> {
    /// The finding it belongs to.
    pub finding: &'a Finding,
    /// Its threads.
    pub threads: &'a [ThreadRow],
    /// Its steps.
    pub schedule: &'a [StepRow],
    /// Variables whose values are shown.
    pub names: &'a [&'a str],
    /// Which steps are ends of orders.
    pub marks: Marks,
    /// Steps that show the mistake, by number.
    pub keys: Vec<u32>,
    /// How it ends.
    pub ending: Ending,
}

impl Shown<'_> {
    /// The run as rows and columns.
    pub fn grid(&self, files: &Files, style: Style) -> Grid {
        let values = vec![None; self.names.len()];
        let mut builder = Builder { shown: self, files, style, values, rows: Vec::new() };
        builder.steps();
        if self.ending == Ending::Violation {
            builder.end();
        }
        let rows = builder.rows;
        let names = self.names.iter().map(|name| words::clean(name)).collect();
        shorten(Grid { columns: self.columns(), names, rows }, style)
    }

    /// Threads of the run, and any that steps name but the list of threads lacks.
    fn columns(&self) -> Vec<Column> {
        let listed = self.threads.iter().map(|thread| (thread.id, thread.name.as_str()));
        let stray = self.schedule.iter().map(|step| (step.thread, ""));
        let last = (self.ending == Ending::Violation).then_some((self.finding.thread, ""));
        let mut columns: Vec<Column> = Vec::new();
        for (thread, name) in listed.chain(stray).chain(last) {
            if columns.iter().all(|column| column.thread != thread) {
                let title = words::clean(format!("T{thread} {name}").trim_end());
                columns.push(Column { thread, title });
            }
        }
        columns.sort_by_key(|column| column.thread);
        columns
    }

    /// Index of the step behind which the assertion of the finding holds, if the run shows that:
    /// the last one that evaluates it.
    fn holds_after(&self) -> Option<usize> {
        let finding = self.finding;
        if self.ending != Ending::Pass || !matches!(finding.kind, ViolationKind::Assertion { .. }) {
            return None;
        }
        let span = finding.place.as_ref()?.span;
        let evaluates = |step: &StepRow| {
            shared::is_access(step) && step.place.as_ref().is_some_and(|place| place.span == span)
        };
        self.schedule.iter().rposition(evaluates)
    }
}

/// Builds rows while keeping track of values.
struct Builder<'a> {
    shown: &'a Shown<'a>,
    files: &'a Files,
    style: Style,
    values: Vec<Option<&'a str>>,
    rows: Vec<Row>,
}

impl<'a> Builder<'a> {
    fn steps(&mut self) {
        let steps: &'a [StepRow] = self.shown.schedule;
        let fails = self.shown.ending == Ending::Violation;
        let violating = shared::violating_step(self.shown.finding).filter(|_| fails);
        let holds = self.shown.holds_after();
        let mut at = self.fold_before_threads(steps);
        while let Some(step) = steps.get(at) {
            let outputs = self.output_run(steps, at);
            if outputs.count > 1 {
                self.fold(words::count(outputs.count, "output step"), step.thread, "");
                at = outputs.end;
                continue;
            }
            shared::observe(&mut self.values, self.shown.names, step);
            if self.is_shown(step) {
                let cells = self.cells(step, violating == Some(at));
                self.rows.push(Row::Step(cells));
            }
            if holds == Some(at) {
                self.decided(None, step.thread, Outcome::Holds);
            }
            at += 1;
        }
    }

    fn is_shown(&self, step: &StepRow) -> bool {
        self.style.verbose || step.kind != StepKind::Local
    }

    /// Folds what `main` does before there is anybody to notice it; gives the index after it.
    fn fold_before_threads(&mut self, steps: &'a [StepRow]) -> usize {
        let first = shared::first_creation(steps);
        let before = steps.get(..first).unwrap_or_default();
        let count = before.iter().filter(|step| self.is_shown(step)).count();
        let thread = before.first().map_or(0, |step| step.thread);
        let is_needed = |step: &StepRow| {
            let (marks, keys) = (&self.shown.marks, &self.shown.keys);
            step.thread != thread || marks.has(Some(step.step)) || keys.contains(&step.step)
        };
        if self.style.verbose || count < 2 || before.iter().any(is_needed) {
            return 0;
        }
        for step in before {
            shared::observe(&mut self.values, self.shown.names, step);
        }
        self.fold(words::count(count, "step"), thread, " before the first thread starts");
        first
    }

    fn fold(&mut self, what: String, thread: u32, when: &str) {
        let (sign, who) = (self.style.ellipsis(), words::thread(thread));
        self.rows.push(Row::Folded(format!("{sign} {what} of {who}{when} (show with -v)")));
    }

    /// How many steps in a row, from `at` on, are output of one thread.
    fn output_run(&self, steps: &[StepRow], at: usize) -> OutputRun {
        let mut run = OutputRun { count: 0, end: at };
        let Some(first) = steps.get(at).filter(|_| !self.style.verbose) else { return run };
        for (index, step) in steps.iter().enumerate().skip(at) {
            match step.kind {
                StepKind::Output if step.thread == first.thread => {
                    run = OutputRun { count: run.count + 1, end: index + 1 };
                }
                StepKind::Local if run.count > 0 => {}
                _ => break,
            }
        }
        run
    }

    fn cells(&self, step: &StepRow, fails: bool) -> Cells {
        let place = step.place.as_ref().map(|place| place::short_line(self.files, place.span));
        Cells {
            number: Some(step.step),
            thread: step.thread,
            place: place.unwrap_or_default(),
            text: crate::words::step::cell(step),
            variable: step.variable.clone(),
            value: step.value.clone(),
            is_key: self.shown.keys.contains(&step.step),
            mark: self.shown.marks.of(Some(step.step)),
            values: self.written_values(),
            outcome: fails.then_some(Outcome::Fails),
        }
    }

    fn written_values(&self) -> Vec<String> {
        self.values.iter().map(|value| value.unwrap_or("-").to_owned()).collect()
    }

    /// Rows for the violation, unless a step is it.
    fn end(&mut self) {
        let finding = self.shown.finding;
        if finding.property() == Property::Deadlock {
            return self.blocked_threads();
        }
        if shared::violating_step(finding).is_none() {
            let number = Some(shared::violating_number(finding));
            self.decided(number, finding.thread, Outcome::Fails);
        }
    }

    /// A row for the statement at the place of the violation.
    fn decided(&mut self, number: Option<u32>, thread: u32, outcome: Outcome) {
        let finding = self.shown.finding;
        let span = finding.place.as_ref().map(|place| place.span);
        let statement = span.and_then(|span| place::statement(self.files, span));
        let place = span.map(|span| place::short_line(self.files, span)).unwrap_or_default();
        self.rows.push(Row::Step(Cells {
            number,
            thread,
            place,
            text: statement.unwrap_or(finding.kind.code()).to_owned(),
            variable: None,
            value: None,
            is_key: true,
            mark: self.shown.marks.of(number),
            values: self.written_values(),
            outcome: Some(outcome),
        }));
    }

    /// One row per thread of the deadlock.
    fn blocked_threads(&mut self) {
        for remark in &self.shown.finding.related {
            let (thread, text) = match &remark.what {
                RelatedKind::Step(Related::Waits(wait)) => (wait.thread, violation::waits(wait)),
                RelatedKind::Step(Related::Spins(spin)) => (spin.thread, violation::spins(spin)),
                _ => continue,
            };
            let span = remark.place.as_ref().map(|place| place.span);
            self.rows.push(Row::Step(Cells {
                number: None,
                thread,
                place: span.map(|at| place::short_line(self.files, at)).unwrap_or_default(),
                text: text.replace('`', ""),
                variable: None,
                value: None,
                is_key: true,
                mark: self.shown.marks.of_waiting(thread, span),
                values: self.written_values(),
                outcome: None,
            }));
        }
    }
}

struct OutputRun {
    count: usize,
    end: usize,
}
