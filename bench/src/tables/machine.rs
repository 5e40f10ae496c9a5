//! What the page was made with.

use std::fs;
use std::process::Command;

/// A paragraph: tool, machine, date. `version` is what `unravel --version` prints.
pub fn describe(version: &str) -> String {
    let mut lines = version.lines();
    let tool = lines.next().unwrap_or("unravel").replace("unravel", "Unravel");
    let parts: Vec<&str> = lines.collect();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = field("/proc/meminfo", "MemTotal").and_then(|it| kb_in_gb(&it));
    let memory = memory.map_or("?".to_owned(), |gb| format!("{gb:.0}"));
    let processor = field("/proc/cpuinfo", "model name").unwrap_or("unknown processor".to_owned());
    let kernel = word("/proc/sys/kernel/osrelease");
    let load = word("/proc/loadavg");
    format!(
        "Made with {tool} ({parts}) on {date}: {cores} cores ({processor}), {memory} GB of memory, \
         Linux {kernel}, load {load} at the start.",
        parts = parts.join("; "),
        date = date().unwrap_or("an unknown day".to_owned()),
    )
}

/// The value of the first line `name : value` of a file.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

/// The first word of a file.
fn word(file: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.split_whitespace().next().unwrap_or("?").to_owned()
}

fn kb_in_gb(text: &str) -> Option<f64> {
    let kb: f64 = text.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kb / 1024.0 / 1024.0)
}

fn date() -> Option<String> {
    let output = Command::new("date").args(["-u", "+%F"]).output().ok()?;
    let date = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!date.is_empty()).then_some(date)
}
