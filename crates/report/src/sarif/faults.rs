//! Values that would have to be others, in SARIF's form.

use crate::model::{Finding, Place};
use crate::words::explanation::{fault_label, fault_line};

/// What to add to the message: the first fault, or that it is none.
pub fn message(finding: &Finding) -> String {
    let Some(localization) = &finding.localization else { return String::new() };
    if localization.is_order {
        return "; an order, not a value, is at fault".to_owned();
    }
    let Some(fault) = localization.faults.first() else { return String::new() };
    let lines: Vec<String> = fault.lines.iter().map(fault_line).collect();
    format!("; fault: {} ({})", lines.join(" and "), fault_label(fault))
}

/// Places of all faults, with words for them.
pub fn places(finding: &Finding) -> impl Iterator<Item = (Option<&Place>, String)> {
    let faults = finding.localization.iter().flat_map(|it| &it.faults);
    faults.enumerate().flat_map(|(index, fault)| {
        let label = fault_label(fault);
        fault.lines.iter().map(move |line| {
            let text = format!("fault {}: {}; {label}", index + 1, fault_line(line));
            (line.place.as_ref(), text)
        })
    })
}
