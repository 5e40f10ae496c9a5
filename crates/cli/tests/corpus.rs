//! Every corpus program gives what its header says.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{c_files, failures, json, program_exit_code, root, run_natively, stderr, unravel};

/// A corpus program and what it says of itself (`corpus/README.md`).
struct Entry {
    path: PathBuf,
    /// The path as given to the program.
    shown: String,
    keys: BTreeMap<String, String>,
    /// Line of each marker `//@name`.
    markers: BTreeMap<String, u64>,
}

impl Entry {
    fn read(path: &Path) -> Entry {
        let text = std::fs::read_to_string(path).expect("readable");
        let shown = path.strip_prefix(root()).expect("below the root");
        let shown = shown.to_string_lossy().into_owned();
        Entry { path: path.into(), keys: keys(&text, &shown), markers: markers(&text), shown }
    }

    fn get(&self, key: &str) -> &str {
        self.keys.get(key).map_or("", String::as_str)
    }

    fn flags(&self) -> Vec<&str> {
        self.get("flags").split_whitespace().collect()
    }

    /// Lines on which the violation may be reported.
    fn lines(&self) -> Vec<u64> {
        let names = self.get("at").split(',').map(str::trim).filter(|name| !name.is_empty());
        names.filter_map(|name| self.markers.get(name).copied()).collect()
    }
}

fn keys(text: &str, shown: &str) -> BTreeMap<String, String> {
    let header = text
        .strip_prefix("/* unravel-corpus")
        .and_then(|rest| rest.split_once("*/"))
        .map(|(header, _)| header)
        .unwrap_or_else(|| panic!("{shown}: no corpus header"));
    let lines = header.lines().filter_map(|line| {
        let (key, value) = line.trim().trim_start_matches('*').trim().split_once(':')?;
        Some((key.trim().to_owned(), value.trim().to_owned()))
    });
    lines.collect()
}

fn markers(text: &str) -> BTreeMap<String, u64> {
    let found = (1u64..).zip(text.lines()).filter_map(|(number, line)| {
        let (_, name) = line.split_once("//@")?;
        Some((name.trim().to_owned(), number))
    });
    found.collect()
}

fn corpus() -> Vec<Entry> {
    c_files("corpus").iter().map(|path| Entry::read(path)).collect()
}

fn none_fail(failures: &[String]) {
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// The finding that the header announces.
fn expected_finding(entry: &Entry, report: &Value) -> Result<(), String> {
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let finding = findings.first().ok_or("no finding")?;
    if finding["property"] != entry.get("property") {
        return Err(format!("violates {} instead: {}", finding["property"], finding["message"]));
    }
    let line = finding["line"].as_u64().unwrap_or(0);
    let related = finding["related"].as_array().cloned().unwrap_or_default();
    let mut at = vec![line];
    at.extend(related.iter().filter_map(|remark| remark["line"].as_u64()));
    let expected = entry.lines();
    if expected.is_empty() || at.iter().any(|line| expected.contains(line)) {
        return Ok(());
    }
    Err(format!("at line {at:?} instead of {expected:?}: {}", finding["message"]))
}

#[test]
fn check_gives_what_the_header_says() {
    let failed = failures(&corpus(), |entry| {
        let limit = ["--time-limit", "5m"];
        let mut args = vec!["check", "--engine", "explore", entry.shown.as_str()];
        args.extend(limit);
        args.extend(entry.flags());
        let (code, report) = json(&args);
        let wrong = |message: String| Err(format!("{}: {message}", entry.shown));
        let verdict = report["verdict"].as_str().unwrap_or("");
        if verdict != entry.get("verdict") {
            let detail = if verdict == "unsafe" {
                &report["findings"][0]["message"]
            } else {
                &report["reasons"]
            };
            return wrong(format!("{verdict} instead of {}: {detail}", entry.get("verdict")));
        }
        let expected_code = match verdict {
            "safe" => 0,
            "unsafe" => 1,
            _ => 3,
        };
        if code != expected_code {
            return wrong(format!("exit code {code}"));
        }
        if verdict == "unsafe" {
            expected_finding(entry, &report).or_else(wrong)?;
        }
        Ok(())
    });
    none_fail(&failed);
}

/// A set of orders by the markers of their lines, as the header writes it.
fn written_orders(orders: &[String]) -> String {
    let mut orders = orders.to_vec();
    orders.sort();
    orders.join(", ")
}

/// The cores of a finding as sets of orders between markers.
fn cores(entry: &Entry, finding: &Value) -> Vec<String> {
    let marker = |line: &Value| {
        let line = line.as_u64().unwrap_or(0);
        let found = entry.markers.iter().find(|(_, at)| **at == line);
        found.map_or_else(|| line.to_string(), |(name, _)| name.clone())
    };
    let core = |core: &Value| {
        let orders = core["orders"].as_array().cloned().unwrap_or_default();
        let order = |it: &Value| {
            format!("{} < {}", marker(&it["before"]["line"]), marker(&it["after"]["line"]))
        };
        written_orders(&orders.iter().map(order).collect::<Vec<_>>())
    };
    finding["cores"].as_array().into_iter().flatten().map(core).collect()
}

/// Whether a program was diagnosed, or what is wrong with its diagnosis.
fn diagnosis_is_as_the_header_says(entry: &Entry) -> Result<bool, String> {
    let wrong = |message: String| Err(format!("{}: {message}", entry.shown));
    let mut args = vec!["diagnose", entry.shown.as_str()];
    args.extend(entry.flags());
    let (code, report) = json(&args);
    let finding = &report["findings"][0];
    if code != 1 || finding["property"] != entry.get("property") {
        return wrong(format!("exit code {code}, {}", finding["message"]));
    }
    let Some(pattern) = finding["pattern"].as_str() else {
        let reasons = finding["remarks"].as_array().map_or(0, Vec::len);
        return if reasons > 0 { Ok(false) } else { wrong("neither pattern nor reason".into()) };
    };
    let expected = entry.get("pattern");
    if !expected.is_empty() && pattern != expected {
        return wrong(format!("{pattern} instead of {expected}"));
    }
    if finding["complete"] != true {
        return wrong("the diagnosis is not complete".to_owned());
    }
    let found = cores(entry, finding);
    let named = entry.get("orders").split(';').map(str::trim).filter(|set| !set.is_empty());
    let set =
        |set: &str| written_orders(&set.split(',').map(|it| it.trim().into()).collect::<Vec<_>>());
    let mut named = named.map(set).peekable();
    if named.peek().is_some() && !named.any(|set| found.contains(&set)) {
        return wrong(format!("none of the cores is in the header: {found:?}"));
    }
    Ok(true)
}

#[test]
fn diagnose_gives_what_the_header_says() {
    let unsafe_entries: Vec<Entry> =
        corpus().into_iter().filter(|entry| entry.get("verdict") == "unsafe").collect();
    let diagnosed = std::sync::atomic::AtomicUsize::new(0);
    let failed = failures(&unsafe_entries, |entry| {
        let is_diagnosed = diagnosis_is_as_the_header_says(entry)?;
        diagnosed.fetch_add(usize::from(is_diagnosed), std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    none_fail(&failed);
    let diagnosed = diagnosed.into_inner();
    assert!(diagnosed >= 155, "only {diagnosed} of {} are diagnosed", unsafe_entries.len());
}

#[test]
fn failing_runs_replay_from_their_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let unsafe_entries: Vec<Entry> =
        corpus().into_iter().filter(|entry| entry.get("verdict") == "unsafe").collect();
    let failed = failures(&unsafe_entries, |entry| {
        let file = folder.path().join(entry.shown.replace('/', "_"));
        let emit = format!("schedule={}", file.display());
        let mut args = vec!["check", entry.shown.as_str(), "--emit", &emit];
        args.extend(entry.flags());
        unravel(&args);
        let file = file.display().to_string();
        let replayed = unravel(&["run", &entry.shown, "--schedule", &file]);
        match support::code(&replayed) {
            1 => Ok(()),
            code => Err(format!("{}: exit code {code}: {}", entry.shown, stderr(&replayed))),
        }
    });
    none_fail(&failed);
}

#[test]
fn the_interpreter_prints_what_the_binary_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    let ends: Vec<Entry> =
        corpus().into_iter().filter(|entry| entry.get("output") == "deterministic").collect();
    assert!(ends.len() >= 20, "only {} programs end with a fixed output", ends.len());
    let failed = failures(&ends, |entry| {
        let wrong = |message: String| Err(format!("{}: {message}", entry.shown));
        let Some((output, code)) = run_natively(&entry.path, folder.path())? else {
            return wrong("the binary does not end".to_owned());
        };
        let ran = unravel(&["run", &entry.shown]);
        if ran.stdout != output {
            return wrong(format!(
                "prints {:?} instead of {:?}\n{}",
                support::stdout(&ran),
                String::from_utf8_lossy(&output),
                stderr(&ran)
            ));
        }
        match program_exit_code(&ran) {
            Some(ended) if ended == code => Ok(()),
            ended => wrong(format!("ends with {ended:?} instead of {code}: {}", stderr(&ran))),
        }
    });
    none_fail(&failed);
}

#[test]
fn the_text_form_of_every_program_parses_back() {
    let failed = failures(&corpus(), |entry| {
        let output = unravel(&["check", &entry.shown, "--emit", "program"]);
        let text = support::stdout(&output);
        let program = unravel_program::text::parse(&text)
            .map_err(|error| format!("{}: {error:?}", entry.shown))?;
        if program.to_string() != text {
            return Err(format!("{}: prints otherwise the second time", entry.shown));
        }
        Ok(())
    });
    none_fail(&failed);
}

#[test]
fn the_corpus_is_as_large_as_promised() {
    let entries = corpus();
    assert!(entries.len() >= 60, "{} programs", entries.len());
    for entry in &entries {
        let verdict = entry.get("verdict");
        assert!(matches!(verdict, "safe" | "unsafe" | "inconclusive"), "{}", entry.shown);
        let unsafe_is_complete = verdict != "unsafe" || !entry.get("property").is_empty();
        assert!(unsafe_is_complete, "{}: unsafe without a property", entry.shown);
        let names = entry.get("at").split(',').map(str::trim).filter(|name| !name.is_empty());
        for name in names {
            assert!(entry.markers.contains_key(name), "{}: no marker {name}", entry.shown);
        }
    }
}
