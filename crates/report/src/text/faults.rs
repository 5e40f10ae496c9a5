//! The values that would have to be others for a failing run to pass.

use annotate_snippets::renderer::Effects;
use unravel_span::Files;

use crate::model::{Fault, FaultLine, Finding, Localization, Schedules};

use crate::words::explanation;

use super::{Style, run, why, words};

/// Faults that are shown.
const MAX_FAULTS: usize = 8;

/// The run, then the faults; if the cause is an order, the orders between.
pub fn blocks(
    finding: &Finding,
    localization: &Localization,
    files: &Files,
    style: Style,
) -> Vec<String> {
    let mut blocks = vec![run::render(finding, files, style)];
    if let (true, Some(diagnosis)) = (localization.is_order, &finding.diagnosis) {
        blocks.push(headline(localization, style));
        blocks.extend(why::blocks(finding, diagnosis, files, style));
    }
    blocks.push(faults(localization, files, style));
    blocks
}

fn headline(localization: &Localization, style: Style) -> String {
    let lead = format!("{}: ", style.paint(Effects::BOLD.into(), "an order, not a value"));
    let text = if localization.faults.iter().any(is_robust) {
        "it passes as it is if its threads run one after the other"
    } else {
        "no other value lets every schedule pass, but with other orders it passes"
    };
    words::wrap(&lead, text, style.width.max(40))
}

fn faults(localization: &Localization, files: &Files, style: Style) -> String {
    let width = style.width.max(40);
    let bold = |text: &str| style.paint(Effects::BOLD.into(), text);
    let all = &localization.faults;
    let mut out = String::new();
    if !all.is_empty() {
        let title = if localization.is_order { "values of this run" } else { "faults" };
        out.push_str(&words::wrap(&format!("{}: ", bold(title)), &summary(localization), width));
    }
    let most = if style.verbose { all.len() } else { MAX_FAULTS };
    for (index, fault) in all.iter().enumerate().take(most) {
        let lead = format!("{:>3}. ", index + 1);
        out.push_str(&words::wrap(&lead, &fault_in_words(fault, files), width));
    }
    if all.len() > most {
        let more = words::count(all.len() - most, "more set");
        out.push_str(&format!("  {} and {more} (show with -v)\n", style.ellipsis()));
    }
    for remark in &localization.remarks {
        out.push_str(&words::wrap(
            &format!("{}: ", bold("note")),
            &words::clean(&explanation::localization_remark(remark)),
            width,
        ));
    }
    out
}

fn summary(localization: &Localization) -> String {
    let all = &localization.faults;
    let robust = all.iter().filter(|it| is_robust(it)).count();
    let sets = words::count(all.len(), "set");
    let verb = if all.len() == 1 { "lets" } else { "let" };
    let robust = match robust {
        0 => "none of them under all schedules".to_owned(),
        number if number == all.len() => "under all schedules".to_owned(),
        number => format!("{number} of them under all schedules"),
    };
    format!("{sets} of other values {verb} the run pass, {robust}")
}

/// It is right in every schedule, and the check is still there.
fn is_robust(fault: &Fault) -> bool {
    fault.schedules == Schedules::All && !fault.restates_assertion && !fault.avoids_check
}

fn fault_in_words(fault: &Fault, files: &Files) -> String {
    let lines: Vec<String> = fault.lines.iter().map(|line| line_in_words(line, files)).collect();
    format!("{}; {}", lines.join("; and "), explanation::fault_label(fault))
}

fn line_in_words(line: &FaultLine, files: &Files) -> String {
    let at = line.place.as_ref().map(|place| {
        let (file, line) = (words::clean(files.path(place.span.file)), place.span.line);
        format!("{file}:{line}: ")
    });
    format!("{}{}", at.unwrap_or_default(), words::clean(&explanation::fault_line(line)))
}
