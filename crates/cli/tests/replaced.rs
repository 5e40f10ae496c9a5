//! `localize` and `sequentialize` together: the lines of a robust fault, replaced by their values in
//! the file that is written of the failing run, make that file pass. Nothing but those lines differs.
//!
//! Each fault is tried on the run that `localize` explains, and on the one that `sequentialize` writes
//! by itself where that is another: what passes under all schedules passes in both.
//!
//! By default one of several failing programs; all with `UNRAVEL_CORPUS=all`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use support::differing::{Origin, differ_only_at};
use support::engines::StopAfter;
use support::{HANG_TIME, code, failing_corpus, failures, stderr, stdout, unravel};
use unravel_corpus::CorpusProgram;
use unravel_driver::{
    CheckOptions, NoWatch, Replacement, Sequentialized, Subject, TrackedFault, localize_and_track,
    replay_failing, sequentialize_with,
};
use unravel_interp::schedule_file::ScheduleFile;
use unravel_program::Program;
use unravel_report::model::{Fault, Schedules};

/// One of so many programs is tried by default.
const FRACTION: usize = 9;

/// Robust faults that all programs have together, at least.
const LEAST: usize = 600;

/// Checks of its watch after which a search is given up: `localize` may find fewer faults then.
const CHECKS: u64 = 1 << 20;

/// A program, with what its header asks for.
fn load(program: &CorpusProgram, keep_locals: bool) -> Program {
    let flags = if keep_locals { vec!["-Dconst=".to_owned()] } else { Vec::new() };
    let arguments = program.header.flags.arguments.clone().unwrap_or_default();
    let options = unravel_frontend::Options { keep_locals, flags, arguments, ..Default::default() };
    unravel_frontend::load(std::slice::from_ref(&program.path), &options).expect("it compiles")
}

fn options(program: &CorpusProgram) -> CheckOptions {
    CheckOptions { properties: program.header.flags.properties, ..CheckOptions::new() }
}

/// A failing program of the corpus, loaded as it is written, with its options.
struct Failing<'c> {
    source: &'c CorpusProgram,
    options: CheckOptions,
    program: Program,
}

/// What happened to the faults of all programs.
#[derive(Default)]
struct Counts {
    /// Robust ones that do not restate the assertion.
    robust: usize,
    replaced: usize,
    /// Files of runs other than that of `localize`.
    others: usize,
    /// Files in which something is taken apart that the plain file has as it was.
    apart: usize,
    /// How many values of each kind.
    kinds: BTreeMap<String, usize>,
}

fn text(written: Sequentialized) -> Result<String, String> {
    match written {
        Sequentialized::Written(written) => Ok(written.text),
        Sequentialized::Unsupported(why) => Err(format!("{why}")),
        Sequentialized::Corrected(..) | Sequentialized::NoRun(_) | Sequentialized::NoFault(_) => {
            Err("there is no run".to_owned())
        }
    }
}

/// The file of a run, with other values.
fn written(
    failing: &Failing<'_>,
    run: &ScheduleFile,
    other: &[Replacement],
) -> Result<String, String> {
    let (program, options) = (&failing.program, &failing.options);
    let given = replay_failing(program, options, run).map_err(|why| format!("refused: {why:?}"))?;
    let subject = Subject { program, given: Some(&given) };
    let written = sequentialize_with(subject, options, &[], other, &mut NoWatch);
    text(written.map_err(|failure| failure.to_string())?)
}

/// Compiles a file and runs it: whether it ends well, and what it says.
fn compile_and_run(text: &str, folder: &Path) -> Result<(bool, String), String> {
    let (file, program) = (folder.join("run.c"), folder.join("run"));
    std::fs::write(&file, text).expect("written");
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-o"])
        .args([&program, &file])
        .output()
        .map_err(|error| format!("gcc: {error}"))?;
    if !compiled.status.success() {
        return Err(format!("gcc: {}", stderr(&compiled)));
    }
    // Ends a program that hangs.
    let output = Command::new("timeout")
        .arg(HANG_TIME.as_secs().to_string())
        .arg(&program)
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    Ok((output.status.success(), stderr(&output)))
}

/// The schedules of `localize` and of `check`, if they are two.
fn runs(failing: &Failing<'_>, localized: &str) -> Vec<ScheduleFile> {
    let parse = |it: &str| ScheduleFile::parse(it).expect("a schedule");
    let checked = unravel_driver::check(&failing.program, &failing.options, &mut StopAfter(CHECKS));
    let mut all = vec![parse(localized)];
    let checked = checked.expect("it is checked").schedules;
    all.extend(checked.first().map(|it| parse(it)).filter(|it| it.decisions != all[0].decisions));
    all
}

fn is_claimed(fault: &Fault) -> bool {
    fault.schedules == Schedules::All && !fault.restates_assertion
}

/// That a file with the values of a fault passes, and differs from the plain one only there. Whether
/// it has the same statements.
fn judge_fault(
    source: &CorpusProgram,
    (plain, changed): (&str, &str),
    fault: &TrackedFault,
    folder: &Path,
) -> Result<bool, String> {
    if !changed.contains("/* instead of ") {
        return Err("nothing is replaced".to_owned());
    }
    let lines = fault.replacements.iter().map(|it| it.line).collect();
    let origin = Origin { name: source.file_name(), source: &source.text, lines };
    let same = differ_only_at(plain, changed, &origin)?;
    match compile_and_run(changed, folder)? {
        (true, _) => Ok(same),
        (false, said) => Err(format!("it still fails: {said}")),
    }
}

/// That the file of a run fails, and passes with the values of each fault. What does not hold.
fn judge_run(
    failing: &Failing<'_>,
    run: &ScheduleFile,
    faults: &[&TrackedFault],
    counts: &Mutex<Counts>,
) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = written(failing, run, &[])?;
    if compile_and_run(&plain, folder.path())?.0 {
        return Err("the file does not fail".to_owned());
    }
    let mut problems = Vec::new();
    for fault in faults {
        let judged = written(failing, run, &fault.replacements).and_then(|changed| {
            judge_fault(failing.source, (&plain, &changed), fault, folder.path())
        });
        let mut counts = counts.lock().expect("no panic before");
        match judged {
            Ok(same) => counts.apart += usize::from(!same),
            Err(why) => problems.push(format!("{:?}: {why}", fault.replacements)),
        }
    }
    Ok(problems)
}

fn count_faults(faults: &[&TrackedFault], counts: &mut Counts) {
    counts.robust += faults.len();
    for it in faults.iter().flat_map(|it| &it.replacements) {
        let once = if it.iteration.is_some() { ", once" } else { "" };
        *counts.kinds.entry(format!("{:?}{once}", it.what)).or_default() += 1;
    }
}

fn judge(source: &CorpusProgram, counts: &Mutex<Counts>) -> Result<(), String> {
    let failing = Failing { source, options: options(source), program: load(source, false) };
    let marked = load(source, true);
    let localized = localize_and_track(&marked, &failing.options, &mut StopAfter(CHECKS));
    let (checked, tracked) = localized.map_err(|failure| failure.to_string())?;
    let finding = checked.report.findings.first().ok_or("no finding")?;
    let faults = finding.localization.as_ref().map_or(&[][..], |it| &it.faults);
    let faults: Vec<_> =
        faults.iter().zip(&tracked).filter(|it| is_claimed(it.0)).map(|it| it.1).collect();
    let Some(schedule) = checked.schedules.first().filter(|_| !faults.is_empty()) else {
        return Ok(());
    };
    count_faults(&faults, &mut counts.lock().expect("no panic before"));
    let mut all = Vec::new();
    for (at, run) in runs(&failing, schedule).iter().enumerate() {
        let problems = judge_run(&failing, run, &faults, counts)?;
        let mut counts = counts.lock().expect("no panic before");
        if at == 0 {
            counts.replaced += faults.len() - problems.len();
        } else {
            counts.others += faults.len();
        }
        all.extend(problems.into_iter().map(|it| format!("run {at}: {it}")));
    }
    if all.is_empty() { Ok(()) } else { Err(all.join("\n    ")) }
}

fn is_all() -> bool {
    std::env::var("UNRAVEL_CORPUS").is_ok_and(|it| it == "all")
}

fn chosen() -> Vec<CorpusProgram> {
    failing_corpus().into_iter().step_by(if is_all() { 1 } else { FRACTION }).collect()
}

#[test]
fn a_robust_fault_replaced_by_its_value_passes() {
    let chosen = chosen();
    let counts = Mutex::new(Counts::default());
    let failed =
        failures(&chosen, |it| judge(it, &counts).map_err(|why| format!("{}: {why}", it.shown)));
    let Counts { robust, replaced, others, apart, kinds } =
        counts.into_inner().expect("no panic before");
    println!(
        "{} programs: {robust} robust faults, {replaced} replaced, {others} also in another run, \
         {apart} files with more taken apart\n{kinds:?}",
        chosen.len()
    );
    assert!(failed.is_empty(), "{} programs:\n{}", failed.len(), failed.join("\n"));
    assert!(replaced == robust && (!is_all() || robust >= LEAST), "{replaced} of {robust}");
}

#[test]
fn a_fault_is_written_by_its_number() {
    let shown = "corpus/alves/arithmetic_prog.c";
    let output = unravel(&["sequentialize", shown, "--fault", "3"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let text = stdout(&output);
    // Only in one of its executions.
    assert_eq!(text.matches(" = 2 /* instead of number++ */; /* T2 ").count(), 1, "{text}");
    assert!(text.contains("T2_packer_number++;"), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let (passes, said) = compile_and_run(&text, folder.path()).expect("it compiles");
    assert!(passes, "{said}");
}

#[test]
fn a_number_that_no_fault_has_is_refused() {
    for number in ["0", "99"] {
        let output = unravel(&["sequentialize", "corpus/figures/conc_xy.c", "--fault", number]);
        assert_eq!(code(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains("only faults 1 to 3"), "{}", stderr(&output));
        assert!(stdout(&output).is_empty());
    }
    let safe = unravel(&["sequentialize", "corpus/figures/conc_xy_ok.c", "--fault", "1"]);
    assert_eq!(code(&safe), 0, "{}", stderr(&safe));
}

/// The compiler stores a bit-field together with what lies beside it.
#[test]
fn what_the_text_does_not_show_is_said() {
    let output = unravel(&["sequentialize", "corpus/primitives/bitfield_bad.c", "--fault", "1"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("another value for an assignment"), "{}", stderr(&output));
}
