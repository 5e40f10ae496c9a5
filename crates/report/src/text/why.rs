//! Why a finding fails: its causes and their orders, in words.

use annotate_snippets::renderer::Effects;
use unravel_span::Files;

use crate::model::{Cause, Core, Diagnosis, Finding, InputRow, Order, RelatedKind};
use crate::shared;

use crate::words::cause::named;
use crate::words::explanation::diagnosis_remark;

use super::{Style, orders, run, words};

/// Causes beyond the first that are shown.
const MAX_CAUSES: usize = 8;
/// Inputs that a line names.
const MAX_INPUTS: usize = 4;

/// Writes about one diagnosis.
struct Writer<'a> {
    diagnosis: &'a Diagnosis,
    files: &'a Files,
    style: Style,
    width: usize,
}

/// What there is to say about a diagnosis, below the runs; some blocks may be empty.
pub fn blocks(
    finding: &Finding,
    diagnosis: &Diagnosis,
    files: &Files,
    style: Style,
) -> Vec<String> {
    let writer = Writer { diagnosis, files, style, width: style.width.max(40) };
    let first = match diagnosis.causes.first() {
        Some(cause) => writer.first(finding, cause),
        None => writer.sequential(finding),
    };
    vec![first, writer.others(), writer.remarks()]
}

impl Writer<'_> {
    fn bold(&self, text: &str) -> String {
        self.style.paint(Effects::BOLD.into(), text)
    }

    fn cores<'b>(&'b self, cause: &'b Cause) -> impl Iterator<Item = &'b Core> {
        cause.cores.iter().filter_map(|&at| self.diagnosis.cores.get(at))
    }

    /// The first cause with the orders of its first core.
    fn first(&self, finding: &Finding, cause: &Cause) -> String {
        let title = match self.diagnosis.causes.len() {
            1 => "cause".to_owned(),
            number => format!("cause 1 of {number}"),
        };
        let lead = format!("{}: ", self.bold(&title));
        let mut out = words::wrap(&lead, &named(cause), self.width);
        let mut cores = self.cores(cause);
        let Some(core) = cores.next() else { return out };
        let told = match self.style.verbose {
            true => core.clone(),
            false => Core { orders: told(core), ..core.clone() },
        };
        let mut text = why(&told);
        if told.orders.len() < core.orders.len() {
            text.push_str(" (as long as the memory is still there)");
        }
        if awaits_signal(finding) {
            text.push_str("; only a wakeup without a signal, which nobody owes, could avoid it");
        }
        out.push_str(&words::wrap(&format!("{}: ", self.bold("why")), &text, self.width));
        out.push_str(&orders::full(core, self.files, self.width, self.style.verbose));
        out.push_str(&self.inputs(finding, core));
        out.push_str(&self.more_cores(cause, ""));
        out
    }

    /// Cores beyond the first of a cause: a word on them, or all of them.
    fn more_cores(&self, cause: &Cause, indent: &str) -> String {
        let number = cause.cores.len();
        if number < 2 {
            return String::new();
        }
        if !self.style.verbose {
            let text = format!(
                "the same cause shows in {} (list them with -v)",
                words::count(number, "set") + " of orders"
            );
            return words::wrap(indent, &text, self.width);
        }
        let mut out = String::new();
        for (index, core) in self.cores(cause).enumerate().skip(1) {
            let text = format!("the same cause, set {} of {number} of orders:", index + 1);
            out.push_str(&words::wrap(indent, &text, self.width));
            out.push_str(&self.short_core(core, indent));
        }
        out
    }

    /// A core in a line per order, and one for its inputs.
    fn short_core(&self, core: &Core, indent: &str) -> String {
        let mut out = orders::short(core, self.files, indent, self.width);
        if !core.inputs.is_empty() {
            let lead = format!("{indent}  ");
            let text = format!("it needs {}", some_inputs(&core.inputs));
            out.push_str(&words::wrap(&lead, &text, self.width));
        }
        out
    }

    /// Causes beyond the first.
    fn others(&self) -> String {
        let causes = self.diagnosis.causes.get(1..).unwrap_or_default();
        if causes.is_empty() {
            return String::new();
        }
        let most = if self.style.verbose { causes.len() } else { MAX_CAUSES };
        let mut out = format!("{}:\n", self.bold("other causes"));
        for (index, cause) in causes.iter().enumerate().take(most) {
            let lead = format!("{:>3}. ", index + 2);
            out.push_str(&words::wrap(&lead, &named(cause), self.width));
            if let Some(core) = self.cores(cause).next() {
                out.push_str(&self.short_core(core, "     "));
            }
            if self.style.verbose {
                out.push_str(&self.more_cores(cause, "     "));
            }
        }
        if causes.len() > most {
            let more = words::count(causes.len() - most, "more cause");
            out.push_str(&format!("  {} and {more} (show with -v)\n", self.style.ellipsis()));
        }
        out
    }

    /// What inputs the first core needs, and which the run has.
    fn inputs(&self, finding: &Finding, core: &Core) -> String {
        let title = format!("{}: ", self.bold("inputs"));
        let others: Vec<InputRow> =
            finding.inputs.iter().filter(|it| !core.inputs.contains(it)).cloned().collect();
        let mut out = String::new();
        let last = core.inputs.len().saturating_sub(1);
        for (index, input) in core.inputs.iter().enumerate() {
            let lead = if index == 0 { title.clone() } else { " ".repeat(8) };
            let word = if index == 0 { "it needs" } else { "and" };
            let others =
                if core.other_inputs && index == last { "; some other values do, too" } else { "" };
            let text = format!("{word} {}{others}", run::written_input(input, self.files));
            out.push_str(&words::wrap(&lead, &text, self.width));
        }
        if !others.is_empty() {
            let (lead, what) = match core.inputs.is_empty() {
                true => (title, "any"),
                false => (" ".repeat(8), "all others: any"),
            };
            let text = format!("{what}; the failing run has {}", some_inputs(&others));
            out.push_str(&words::wrap(&lead, &text, self.width));
        }
        out
    }

    /// Words for a violation that no schedule avoids.
    fn sequential(&self, finding: &Finding) -> String {
        if !self.diagnosis.sequential {
            return String::new();
        }
        let with = if finding.inputs.is_empty() { "" } else { " with these inputs" };
        let lead = format!("{}: ", self.bold("no thread order avoids it"));
        let text = format!("it fails in every run{with}");
        let mut out = words::wrap(&lead, &text, self.width);
        let next = "look at what the code computes; the order of its threads does not matter";
        out.push_str(&words::wrap(&format!("{}: ", self.bold("next")), next, self.width));
        out
    }

    fn remarks(&self) -> String {
        let remarks = self.diagnosis.remarks.iter();
        let remarks = remarks.map(diagnosis_remark);
        remarks.map(|remark| words::wrap("note: ", &remark, self.width)).collect()
    }
}

/// The orders that a reader is told of.
fn told(core: &Core) -> Vec<Order> {
    match core.is_minimal {
        true => shared::told(core).into_iter().cloned().collect(),
        false => core.orders.clone(),
    }
}

/// Whether somebody waits for a signal for ever.
fn awaits_signal(finding: &Finding) -> bool {
    let waits = finding.related.iter().filter_map(|it| match &it.what {
        RelatedKind::Step(related) => related.as_wait(),
        _ => None,
    });
    waits.into_iter().any(unravel_kinds::Wait::is_for_signal)
}

/// What a core means.
fn why(core: &Core) -> String {
    let with = match core.inputs.len() {
        0 => "",
        1 => ", with the input below,",
        _ => ", with the inputs below,",
    };
    let one = core.orders.len() == 1;
    let number = words::count(core.orders.len(), "order");
    let some = if one {
        format!("one order{with} makes this fail")
    } else {
        format!("{number} together{with} make this fail")
    };
    if !core.is_minimal {
        let which = if one { "whether it is" } else { "which of them are" };
        return format!("{some}; the search was stopped before it was clear {which} needed");
    }
    if core.orders.iter().any(|order| order.passing.is_none()) {
        let without = if one { "it" } else { "some of them" };
        return format!(
            "{some}; without {without} it may pass, after more iterations of a loop than were looked at"
        );
    }
    match core.orders.len() {
        0 | 1 if with.is_empty() => {
            "one order is enough to make this fail; the other way round a run passes".to_owned()
        }
        0 | 1 => format!("one order{with} makes this fail; the other way round a run passes"),
        2 => {
            format!("two orders together{with} make this fail; reverse either one and a run passes")
        }
        more => format!(
            "{} orders together{with} make this fail; none of them can be left out: reverse any \
             one and a run passes",
            words::number(more)
        ),
    }
}

/// A few inputs on one line.
fn some_inputs(inputs: &[InputRow]) -> String {
    let mut shown: Vec<String> = inputs.iter().take(MAX_INPUTS).map(run::short_input).collect();
    if inputs.len() > MAX_INPUTS {
        shown.push(format!("{} more", inputs.len() - MAX_INPUTS));
    }
    shown.join(", ")
}
