//! What `unravel repair` shows: the violation in short, the best repair as a patch with what there
//! is to say about it, and the others in a line each.

use annotate_snippets::renderer::{AnsiColor, Effects};
use annotate_snippets::{Group, Level, Origin};
use unravel_kinds::repair::WhyNone;
use unravel_span::Files;

use crate::model::{Finding, Place, Refused, Repair, Repairs, Report};
use crate::place;
use crate::words::repair as repair_words;

use crate::words::cause::named;
use crate::words::violation;

use super::{Style, excerpt, words};

/// Changes that are not offered and shown all the same, where nobody asked for all.
const MAX_REFUSED: usize = 8;

/// Which repairs to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairView {
    /// The rank of the one to show in full.
    pub pick: u32,
    /// Show all in full, and what was refused.
    pub all: bool,
    /// Commands that write the repair to the files, and that apply it as a patch.
    pub commands: Option<(String, String)>,
    /// The command to go on with, where there are no repairs to show.
    pub next: Option<String>,
}

impl Default for RepairView {
    fn default() -> Self {
        RepairView { pick: 1, all: false, commands: None, next: None }
    }
}

/// A violation in a few lines: message, place, cause.
pub fn violation(finding: &Finding, files: &Files, style: Style) -> String {
    let title = Level::ERROR
        .primary_title(words::clean(&violation::message(&finding.kind)))
        .id(finding.kind.code());
    let mut group = Group::with_title(title);
    if let Some(place) = &finding.place {
        let origin = Origin::path(words::clean(files.path(place.span.file)));
        let line = origin.line(place.span.line as usize);
        group = group.element(line.char_column(place.span.column as usize));
    }
    let mut out = excerpt::print(&[group], style);
    let Some(diagnosis) = &finding.diagnosis else { return out };
    let bold = |text: &str| style.paint(Effects::BOLD.into(), text);
    let width = style.width.max(40);
    if diagnosis.sequential {
        let lead = format!("{}: ", bold("no thread order avoids it"));
        out.push_str(&words::wrap(&lead, "it fails in every schedule", width));
    }
    for cause in &diagnosis.causes {
        let text = named(cause);
        out.push_str(&words::wrap(&format!("{}: ", bold("cause")), &text, width));
    }
    out
}

/// What there is to say about repairs; some blocks may be empty.
pub fn blocks(report: &Report, repairs: &Repairs, view: &RepairView, style: Style) -> Vec<String> {
    let writer = Writer { report, repairs, view, style, width: style.width.max(40) };
    if report.findings.is_empty() {
        return vec![writer.remarks()];
    }
    let shown: Vec<&Repair> = repairs.verified.iter().filter(|it| writer.is_shown(it)).collect();
    let last = shown.len().saturating_sub(1);
    let one = |(at, repair): (usize, &&Repair)| {
        let others = if at == last { writer.others() } else { String::new() };
        writer.repair(repair) + &others
    };
    let mut blocks: Vec<String> = shown.iter().enumerate().map(one).collect();
    if repairs.verified.is_empty() {
        blocks.push(writer.none());
    }
    blocks.extend([writer.refused(), writer.remarks(), writer.commands(&shown)]);
    blocks
}

/// Writes about the repairs of a report.
struct Writer<'a> {
    report: &'a Report,
    repairs: &'a Repairs,
    view: &'a RepairView,
    style: Style,
    width: usize,
}

impl Writer<'_> {
    fn bold(&self, text: &str) -> String {
        self.style.paint(Effects::BOLD.into(), text)
    }

    fn is_shown(&self, repair: &Repair) -> bool {
        self.view.all || repair.rank == self.view.pick
    }

    /// `text` behind a word, in two columns.
    fn line(&self, word: &str, text: &str) -> String {
        let lead = format!("{}{}", self.bold(word), " ".repeat(9usize.saturating_sub(word.len())));
        words::wrap(&lead, text, self.width)
    }

    /// Title, patch, and what there is to say about it.
    fn repair(&self, repair: &Repair) -> String {
        let number = self.repairs.verified.len();
        let mut facts = Vec::new();
        facts.extend((repair.rank == 1 && number > 1).then_some("best"));
        facts.extend((!repair.complete).then_some("verified up to a bound only"));
        let facts = match facts.is_empty() {
            true => String::new(),
            false => format!(" ({})", facts.join(", ")),
        };
        let title = self.bold(&format!("repair {} of {number}", repair.rank));
        let mut out = words::wrap(
            &format!("{title}{facts}: "),
            &repair_words::title(&repair.changes),
            self.width,
        );
        out.push_str(&diff(&repair.diff, self.style));
        out.push_str(&self.line("because", &repair_words::because(repair)));
        for (index, checked) in repair_words::checked(repair).iter().enumerate() {
            out.push_str(&self.line(if index == 0 { "checked" } else { "" }, checked));
        }
        out.push_str(&self.line("cost", &repair_words::cost(&repair.costs)));
        if let Some(forbids) = repair_words::forbids(repair) {
            out.push_str(&self.line("forbids", &forbids));
        }
        for text in self.unreached(&repair.unreachable) {
            out.push_str(&self.line("warning", &text));
        }
        if self.style.verbose {
            for (index, order) in repair_words::orders(&repair.required).iter().enumerate() {
                out.push_str(&self.line(if index == 0 { "orders" } else { "" }, order));
            }
        }
        out
    }

    /// The first statement that is not reached any more, and how many more there are.
    fn unreached_in_short(&self, places: &[Place]) -> Option<String> {
        let (first, more) = places.split_first()?;
        let first = self.statement(first);
        Some(match more.len() {
            0 => format!("{first} is never reached any more"),
            1 => format!("{first} and another line are never reached any more"),
            more => format!("{first} and {more} more lines are never reached any more"),
        })
    }

    /// Statements that are not reached any more: each, or of many in one function the first.
    fn unreached(&self, places: &[Place]) -> Vec<String> {
        let groups = places.chunk_by(|one, next| one.function == next.function);
        let mut lines = Vec::new();
        for group in groups {
            match group {
                [first, _, _, ..] => lines.push(format!(
                    "{} and {} more lines of {} are never reached any more",
                    self.statement(first),
                    group.len() - 1,
                    first.function
                )),
                few => lines.extend(
                    few.iter()
                        .map(|it| format!("{} is never reached any more", self.statement(it))),
                ),
            }
        }
        lines
    }

    fn statement(&self, place: &Place) -> String {
        let files = &self.report.files;
        let at = place::short_line(files, place.span);
        match place::statement(files, place.span) {
            Some(text) => format!("`{text}` ({at})"),
            None => at,
        }
    }

    /// The repairs that are not shown, a line each.
    fn others(&self) -> String {
        let mut out = String::new();
        for repair in self.repairs.verified.iter().filter(|it| !self.is_shown(it)) {
            let mut facts = vec![if repair.complete { "checked" } else { "checked up to a bound" }];
            let forbids = repair_words::forbids(repair);
            facts.extend(forbids.as_deref());
            let unreached = self.unreached_in_short(&repair.unreachable);
            facts.extend(unreached.as_deref());
            let (rank, facts) = (repair.rank, facts.join("; "));
            let title = repair_words::title(&repair.changes);
            let text = format!("{rank}: {title} ({facts})  show: --pick {rank}");
            out.push_str(&self.line(if out.is_empty() { "other" } else { "" }, &text));
        }
        out
    }

    /// That there is none.
    fn none(&self) -> String {
        let sequential = |it: &Finding| it.diagnosis.as_ref().is_some_and(|it| it.sequential);
        let text = if self.report.findings.iter().any(sequential) {
            "no order of the threads makes every schedule pass"
        } else if self.repairs.remarks.contains(&WhyNone::Stopped) {
            "none was verified before the search was stopped"
        } else if self.repairs.refused.is_empty() {
            "there is no change to try"
        } else {
            "after none of the changes that were tried does every schedule pass"
        };
        words::wrap(&format!("{}: ", self.bold("no repair")), text, self.width)
    }

    /// What was tried and is not offered, where there is nothing better to show.
    fn refused(&self) -> String {
        if !self.view.all && !self.repairs.verified.is_empty() {
            return String::new();
        }
        let all = &self.repairs.refused;
        let most = if self.view.all || self.style.verbose { all.len() } else { MAX_REFUSED };
        let mut out = String::new();
        for Refused { kind, changes, why } in all.iter().take(most) {
            let (title, why) = (repair_words::title(changes), repair_words::why_refused(why));
            let text = format!("{}: {title}: {why}", kind.code());
            out.push_str(&self.line(if out.is_empty() { "refused" } else { "" }, &text));
        }
        if all.len() > most {
            let text = format!("and {} more (show with --all)", all.len() - most);
            out.push_str(&self.line("", &text));
        }
        out
    }

    fn remarks(&self) -> String {
        let remarks = self.repairs.remarks.iter();
        let note = |why| words::wrap("note: ", &repair_words::why_none(why), self.width);
        remarks.map(note).collect()
    }

    /// How to take it.
    fn commands(&self, shown: &[&Repair]) -> String {
        let Some((apply, diff)) = &self.view.commands else { return String::new() };
        let Some(repair) = shown.first() else { return String::new() };
        let risk = if repair.complete { "" } else { " --unsafe-fixes" };
        let (apply, diff) = (words::clean(apply), words::clean(diff));
        let lead = self.bold("apply:");
        let first = format!("   {apply}{risk}");
        let line = format!("{first}        or   {diff}");
        if "apply:".len() + line.chars().count() <= self.width {
            return format!("{lead}{line}\n");
        }
        format!("{lead}{first}\n      or {diff}\n")
    }
}

/// A patch with its lines in colour. It is shown, not applied: what would move the cursor is left
/// out.
fn diff(text: &str, style: Style) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let visible: String = line.chars().filter(|&c| c == '\t' || !c.is_control()).collect();
        let look = match line.as_bytes().first() {
            _ if line.starts_with("+++") || line.starts_with("---") => Effects::BOLD.into(),
            Some(b'+') => AnsiColor::Green.on_default(),
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'@') => AnsiColor::Cyan.on_default(),
            _ => {
                out.push_str(&format!("{visible}\n"));
                continue;
            }
        };
        out.push_str(&format!("{}\n", style.paint(look, &visible)));
    }
    out
}
