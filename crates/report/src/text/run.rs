//! The failing run: what each thread did, in order, and what the variables held.

use annotate_snippets::renderer::Effects;
use unravel_span::Files;

use crate::model::{Finding, InputRow, StepRow};
use crate::{place, shared};

use super::{Style, layout, list, words};

/// Variables whose values are shown.
const MAX_VALUES: usize = 4;

/// A line of the table.
pub enum Row {
    /// Something a thread did, or is stopped from doing.
    Step(Cells),
    /// Steps that are left out, in words.
    Folded(String),
}

/// A step as the table shows it.
pub struct Cells {
    /// The step's number; a thread that waits takes none.
    pub number: Option<u32>,
    /// The thread.
    pub thread: u32,
    /// Where, as `file:line`.
    pub place: String,
    /// What.
    pub text: String,
    /// Values after the step, one per variable shown.
    pub values: Vec<String>,
    /// Is it the violation?
    pub fails: bool,
}

/// A thread of the run with its title, `T1 writer0`.
pub struct Column {
    /// The thread.
    pub thread: u32,
    /// Its title.
    pub title: String,
}

/// The run of a finding: header, table or list, inputs.
pub fn render(finding: &Finding, files: &Files, style: Style) -> String {
    let names = shown_variables(finding);
    let rows = rows(finding, files, &names, style);
    if rows.is_empty() {
        return inputs(finding, files);
    }
    let columns = columns(finding);
    let table = layout::table(&columns, &names, &rows, style);
    let body = table.unwrap_or_else(|| list::list(&columns, &rows, style));
    let mut out = header(finding, style);
    out.push_str(&body);
    out.push_str(&inputs(finding, files));
    if style.verbose {
        out.push_str(&output(finding));
    }
    out
}

fn header(finding: &Finding, style: Style) -> String {
    let switches = words::count(finding.context_switches as usize, "context switch");
    let fewest = if finding.fewest_switches { ", fewest possible" } else { "" };
    let title = style.paint(Effects::BOLD.into(), "failing run");
    format!("{title} ({switches}{fewest})\n")
}

/// The variables touched last, in the order in which the run first touches them.
fn shown_variables(finding: &Finding) -> Vec<&str> {
    let mut names = shared::variables(finding);
    names.truncate(MAX_VALUES);
    let first = |name: &&str| {
        let is_named = |step: &StepRow| step.variable.as_deref() == Some(*name);
        finding.schedule.iter().position(|step| shared::is_access(step) && is_named(step))
    };
    names.sort_by_key(first);
    names
}

/// Threads of the run, and any that steps name but the list of threads lacks.
fn columns(finding: &Finding) -> Vec<Column> {
    let listed = finding.threads.iter().map(|thread| (thread.id, thread.name.as_str()));
    let stray = finding.schedule.iter().map(|step| (step.thread, ""));
    let mut columns: Vec<Column> = Vec::new();
    for (thread, name) in listed.chain(stray).chain([(finding.thread, "")]) {
        if columns.iter().all(|column| column.thread != thread) {
            let title = words::clean(format!("T{thread} {name}").trim_end());
            columns.push(Column { thread, title });
        }
    }
    columns.sort_by_key(|column| column.thread);
    columns
}

/// Builds rows while keeping track of values.
struct Builder<'a> {
    finding: &'a Finding,
    files: &'a Files,
    names: &'a [&'a str],
    style: Style,
    values: Vec<Option<&'a str>>,
    rows: Vec<Row>,
}

fn rows(finding: &Finding, files: &Files, names: &[&str], style: Style) -> Vec<Row> {
    let values = vec![None; names.len()];
    let mut builder = Builder { finding, files, names, style, values, rows: Vec::new() };
    builder.steps();
    builder.end();
    builder.rows
}

impl<'a> Builder<'a> {
    fn steps(&mut self) {
        let steps: &'a [StepRow] = &self.finding.schedule;
        let folded = self.fold_before_threads(steps);
        let violating = shared::violating_step(self.finding);
        let mut at = folded;
        while let Some(step) = steps.get(at) {
            let outputs = self.output_run(steps, at);
            if outputs.count > 1 {
                self.fold(words::count(outputs.count, "output step"), step.thread, "");
                at = outputs.end;
                continue;
            }
            shared::observe(&mut self.values, self.names, step);
            if self.is_shown(step) {
                let cells = self.cells(step, violating == Some(at));
                self.rows.push(Row::Step(cells));
            }
            at += 1;
        }
    }

    fn is_shown(&self, step: &StepRow) -> bool {
        self.style.verbose || step.kind != "local"
    }

    /// Folds what `main` does before there is anybody to notice it; gives the index after it.
    fn fold_before_threads(&mut self, steps: &'a [StepRow]) -> usize {
        let first = steps.iter().position(|step| step.kind == "create").unwrap_or(0);
        let before = steps.get(..first).unwrap_or_default();
        let count = before.iter().filter(|step| self.is_shown(step)).count();
        let thread = before.first().map_or(0, |step| step.thread);
        if self.style.verbose || count < 2 || before.iter().any(|step| step.thread != thread) {
            return 0;
        }
        for step in before {
            shared::observe(&mut self.values, self.names, step);
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
                "output" if step.thread == first.thread => {
                    run = OutputRun { count: run.count + 1, end: index + 1 };
                }
                "local" if run.count > 0 => {}
                _ => break,
            }
        }
        run
    }

    fn cells(&self, step: &StepRow, fails: bool) -> Cells {
        let place = step.place.as_ref().map(|place| place::written_line(self.files, place.span));
        Cells {
            number: Some(step.step),
            thread: step.thread,
            place: place.unwrap_or_default(),
            text: if step.text.is_empty() { step.kind.to_owned() } else { step.text.clone() },
            values: self.written_values(),
            fails,
        }
    }

    fn written_values(&self) -> Vec<String> {
        self.values.iter().map(|value| value.unwrap_or("-").to_owned()).collect()
    }

    /// Rows for the violation, unless a step is it.
    fn end(&mut self) {
        if self.finding.property == "deadlock" {
            return self.blocked_threads();
        }
        if shared::violating_step(self.finding).is_some() {
            return;
        }
        let span = self.finding.place.as_ref().map(|place| place.span);
        let statement = span.and_then(|span| place::statement(self.files, span));
        let place = span.map(|span| place::written_line(self.files, span)).unwrap_or_default();
        self.rows.push(Row::Step(Cells {
            number: Some(shared::violating_number(self.finding)),
            thread: self.finding.thread,
            place,
            text: statement.unwrap_or(self.finding.kind).to_owned(),
            values: self.written_values(),
            fails: true,
        }));
    }

    /// One row per thread of the deadlock, in the words of its remark.
    fn blocked_threads(&mut self) {
        for remark in &self.finding.related {
            let Some((thread, what)) = words::speaker(&remark.what) else { continue };
            let span = remark.place.as_ref().map(|place| place.span);
            self.rows.push(Row::Step(Cells {
                number: None,
                thread,
                place: span.map(|at| place::written_line(self.files, at)).unwrap_or_default(),
                text: what.replace('`', ""),
                values: self.written_values(),
                fails: false,
            }));
        }
    }
}

struct OutputRun {
    count: usize,
    end: usize,
}

fn inputs(finding: &Finding, files: &Files) -> String {
    let mut out = String::new();
    for (index, input) in finding.inputs.iter().enumerate() {
        let lead = if index == 0 { "inputs: " } else { "        " };
        out.push_str(&format!("{lead}{}\n", words::clean(&written_input(input, files))));
    }
    out
}

fn written_input(input: &InputRow, files: &Files) -> String {
    let InputRow { source, value, .. } = input;
    let call = if source.contains('_') && !source.contains(' ') { "()" } else { "" };
    let at = input.place.as_ref().map(|place| place::written_line(files, place.span));
    let at = at.map(|at| format!(" at {at}")).unwrap_or_default();
    format!("{source}{call} = {value}{at} ({})", words::thread(input.thread))
}

fn output(finding: &Finding) -> String {
    if finding.output.is_empty() {
        return String::new();
    }
    let lines = finding.output.lines().map(|line| format!("  {}\n", words::clean(line)));
    format!("printed until then:\n{}", lines.collect::<String>())
}
