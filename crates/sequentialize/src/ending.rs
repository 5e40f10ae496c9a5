//! Ends of a run that are no step of a thread: deadlocks and races.

use unravel_interp::Property;
use unravel_report::words::violation as words;

use crate::Unsupported;
use crate::failure::say;
use crate::output::{Line, Output};
use crate::trace::Trace;
use crate::unit::Unit;

/// Writes how the run ends, if no statement does.
///
/// # Errors
/// If some statement should have, and was not met on the way through the source.
pub fn write(unit: &Unit<'_>, trace: &Trace, out: &mut Output) -> Result<(), Unsupported> {
    let Some(violation) = trace.violation.as_ref().filter(|_| !out.lines.iter().any(|it| it.fails))
    else {
        return Ok(());
    };
    if !matches!(violation.property(), Property::Deadlock | Property::Race) {
        let at = unit.program.site(violation.site).span;
        return Err(Unsupported::new("the way to the failing statement", at));
    }
    out.lines.append(&mut out.waiting);
    let segment = trace.segments.len().saturating_sub(1);
    let message = words::message(&violation.kind);
    let mut said = vec![say(&format!("{}: {message}", place(unit, violation.site)))];
    for (site, related) in &violation.related {
        let what = words::step(related);
        said.push(say(&format!("{}: {what}", place(unit, *site))));
    }
    said.push("reach_error();".to_owned());
    let comment = format!("the run ends here: {}", violation.property().name());
    out.lines.push(Line { segment, text: said.join("\n"), comment, fails: true });
    Ok(())
}

fn place(unit: &Unit<'_>, site: unravel_program::SiteId) -> String {
    let span = unit.program.site(site).span;
    span.map_or_else(
        || unit.main_name().to_owned(),
        |it| format!("{}:{}", unit.file_name(it.file), it.line),
    )
}
