//! Every corpus program gives what its header says.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;

use serde_json::Value;
use support::{
    corpus, failing_corpus, failures, json, none_fail, program_exit_code, run_natively, stderr,
    unravel,
};
use unravel_corpus::{CorpusProgram, Verdict};

/// The property that the header names, as reports call it.
fn violated(program: &CorpusProgram) -> &'static str {
    program.header.property.map_or("", |it| it.name())
}

/// The finding that the header announces.
fn expected_finding(program: &CorpusProgram, report: &Value) -> Result<(), String> {
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let finding = findings.first().ok_or("no finding")?;
    if finding["property"] != violated(program) {
        return Err(format!("violates {} instead: {}", finding["property"], finding["message"]));
    }
    let line = finding["line"].as_u64().unwrap_or(0);
    let related = finding["related"].as_array().cloned().unwrap_or_default();
    let mut at = vec![line];
    at.extend(related.iter().filter_map(|remark| remark["line"].as_u64()));
    let expected: Vec<u64> = program.header.at.iter().map(|marker| marker.line).collect();
    if at.iter().any(|line| expected.contains(line)) {
        return Ok(());
    }
    Err(format!("at line {at:?} instead of {expected:?}: {}", finding["message"]))
}

#[test]
fn check_gives_what_the_header_says() {
    let failed = failures(&corpus(), |program| {
        let mut args = vec!["check", "--engine", "explore", program.shown.as_str()];
        args.extend(program.header.flags.args());
        let (code, report) = json(&args);
        let wrong = |message: String| Err(format!("{}: {message}", program.shown));
        let (verdict, expected) =
            (report["verdict"].as_str().unwrap_or(""), program.header.verdict);
        if verdict != expected.name() {
            let detail = if verdict == "unsafe" {
                &report["findings"][0]["message"]
            } else {
                &report["reasons"]
            };
            return wrong(format!("{verdict} instead of {}: {detail}", expected.name()));
        }
        let expected_code = match expected {
            Verdict::Safe => 0,
            Verdict::Unsafe => 1,
            Verdict::Inconclusive => 3,
        };
        if code != expected_code {
            return wrong(format!("exit code {code}"));
        }
        if expected == Verdict::Unsafe {
            expected_finding(program, &report).or_else(wrong)?;
        }
        Ok(())
    });
    none_fail(&failed);
}

/// The cores of a finding, each as a set of orders, written as headers write them.
fn cores(program: &CorpusProgram, finding: &Value) -> Vec<BTreeSet<String>> {
    let marker = |line: &Value| {
        let line = line.as_u64().unwrap_or(0);
        program.markers.on_line(line).map_or_else(|| line.to_string(), str::to_owned)
    };
    let core = |core: &Value| {
        let orders = core["orders"].as_array().into_iter().flatten();
        let order = |it: &Value| {
            format!("{} < {}", marker(&it["before"]["line"]), marker(&it["after"]["line"]))
        };
        orders.map(order).collect()
    };
    finding["cores"].as_array().into_iter().flatten().map(core).collect()
}

/// The causes that a header names, each as a set of orders.
fn named_causes(program: &CorpusProgram) -> Vec<BTreeSet<String>> {
    let causes = program.header.orders.iter();
    causes.map(|cause| cause.iter().map(ToString::to_string).collect()).collect()
}

/// Whether a program was diagnosed, or what is wrong with its diagnosis.
fn diagnosis_is_as_the_header_says(program: &CorpusProgram) -> Result<bool, String> {
    let wrong = |message: String| Err(format!("{}: {message}", program.shown));
    let mut args = vec!["diagnose", program.shown.as_str()];
    args.extend(program.header.flags.args());
    let (code, report) = json(&args);
    let finding = &report["findings"][0];
    if code != 1 || finding["property"] != violated(program) {
        return wrong(format!("exit code {code}, {}", finding["message"]));
    }
    let Some(pattern) = finding["pattern"].as_str() else {
        let reasons = finding["remarks"].as_array().map_or(0, Vec::len);
        return if reasons > 0 { Ok(false) } else { wrong("neither pattern nor reason".into()) };
    };
    if let Some(expected) = program.header.pattern.filter(|it| it.name() != pattern) {
        return wrong(format!("{pattern} instead of {}", expected.name()));
    }
    // Runs with wakeups that nobody owes are not always explained, but that is said.
    let remarks = finding["remarks"].as_array().map_or(0, Vec::len);
    if finding["complete"] != true && remarks == 0 {
        return wrong("the diagnosis is not complete and does not say why".to_owned());
    }
    let (found, named) = (cores(program, finding), named_causes(program));
    if !named.is_empty() && !named.iter().any(|cause| found.contains(cause)) {
        return wrong(format!("none of the cores is in the header: {found:?}"));
    }
    Ok(true)
}

#[test]
fn diagnose_gives_what_the_header_says() {
    let programs = failing_corpus();
    let diagnosed = std::sync::atomic::AtomicUsize::new(0);
    let failed = failures(&programs, |program| {
        let is_diagnosed = diagnosis_is_as_the_header_says(program)?;
        diagnosed.fetch_add(usize::from(is_diagnosed), std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    none_fail(&failed);
    let diagnosed = diagnosed.into_inner();
    assert!(diagnosed >= 155, "only {diagnosed} of {} are diagnosed", programs.len());
}

#[test]
fn failing_runs_replay_from_their_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = failing_corpus();
    let failed = failures(&programs, |program| {
        let file = folder.path().join(program.shown.replace('/', "_"));
        let emit = format!("schedule={}", file.display());
        let mut args = vec!["check", program.shown.as_str(), "--emit", &emit];
        args.extend(program.header.flags.args());
        unravel(&args);
        let file = file.display().to_string();
        let replayed = unravel(&["run", &program.shown, "--schedule", &file]);
        match support::code(&replayed) {
            1 => Ok(()),
            code => Err(format!("{}: exit code {code}: {}", program.shown, stderr(&replayed))),
        }
    });
    none_fail(&failed);
}

#[test]
fn the_interpreter_prints_what_the_binary_prints() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut programs = corpus();
    programs.retain(|it| it.header.is_deterministic);
    assert!(programs.len() >= 20, "only {} programs end with a fixed output", programs.len());
    let failed = failures(&programs, |program| {
        let wrong = |message: String| Err(format!("{}: {message}", program.shown));
        let Some((output, code)) = run_natively(&program.path, folder.path())? else {
            return wrong("the binary does not end".to_owned());
        };
        let ran = unravel(&["run", &program.shown]);
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
    let failed = failures(&corpus(), |program| {
        let output = unravel(&["check", &program.shown, "--emit", "program"]);
        let text = support::stdout(&output);
        let parsed = unravel_program::text::parse(&text)
            .map_err(|error| format!("{}: {error:?}", program.shown))?;
        if parsed.to_string() != text {
            return Err(format!("{}: prints otherwise the second time", program.shown));
        }
        Ok(())
    });
    none_fail(&failed);
}

/// The reader of headers has checked that verdicts are known, that markers exist, and that whatever
/// is unsafe has a property.
#[test]
fn the_corpus_is_as_large_as_promised() {
    let programs = corpus();
    assert!(programs.len() >= 60, "{} programs", programs.len());
    for program in programs.iter().filter(|it| it.is_unsafe()) {
        assert!(program.header.property.is_some(), "{}: no property", program.shown);
        assert!(!program.header.at.is_empty(), "{}: no line", program.shown);
    }
}
