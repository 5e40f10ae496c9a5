//! `unravel compare` from given runs: the schedules of the MaxSMT text's figures, schedules that
//! `--emit schedule=` wrote, and files that are no failing run; and that no failing program has an
//! empty projection.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::engines::load;
use support::{code, failing_in, failures, json, root, stderr, stdout, unravel};
use unravel_corpus::CorpusProgram;
use unravel_interp::choice::Ordinary;
use unravel_interp::event::NoRecorder;
use unravel_interp::schedule_file::ScheduleFile;
use unravel_interp::{Config, Decision, Machine, Notes, Properties, Readiness, StepEnd, ThreadId};

const FIGURE_1: &str = "corpus/figures/maxsmt_fig1_atomic.c";
const FIGURE_2: &str = "corpus/figures/maxsmt_fig2.c";

/// A thread goes on for so many steps, or as far as it can.
type Turn = (u32, usize);
const AS_FAR_AS_IT_CAN: usize = usize::MAX;

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The decisions of these turns, up to the first violation.
fn decisions(path: &Path, turns: &[Turn]) -> Vec<Decision> {
    let program = load(path).expect("it compiles");
    let machine = Machine::new(&program, Config::new(Properties::by_default()));
    let (mut state, mut notes) = (machine.initial(), Notes::new());
    let mut decisions = Vec::new();
    for &(thread, steps) in turns {
        let thread = ThreadId(thread);
        for _ in 0..steps {
            if machine.readiness(&state, thread) != Readiness::Ready {
                break;
            }
            decisions.push(Decision { thread, choices: Vec::new() });
            let end = machine.step(&mut state, thread, &mut Ordinary, &mut NoRecorder, &mut notes);
            if matches!(end, StepEnd::Violated(_)) {
                return decisions;
            }
        }
    }
    decisions
}

/// Writes a schedule file by hand: it does not say which source it was made for.
fn write_schedule(folder: &Path, decisions: Vec<Decision>) -> PathBuf {
    let file = ScheduleFile {
        tool: "by hand".to_owned(),
        sources: Vec::new(),
        unwind: None,
        properties: Properties::by_default(),
        violation: None,
        decisions,
    };
    let path = folder.join("by_hand.schedule");
    std::fs::write(&path, file.print(&[])).expect("a file");
    path
}

fn compared(program: &str, schedule: &Path) -> Value {
    let schedule = schedule.to_str().expect("a path");
    let (code, report) = json(&["compare", program, "--schedule", schedule]);
    assert_eq!(code, 1, "{program} fails");
    report["findings"][0]["comparison"].clone()
}

/// Branches, DF, BS, CTX and OP.
fn numbers(comparison: &Value) -> [u64; 5] {
    ["branches", "df", "bs", "ctx", "op"].map(|key| comparison[key].as_u64().expect("a number"))
}

/// Per difference: thread and variable of the read, and the threads that wrote what it sees.
type Row = (u64, String, Option<u64>, Option<u64>);

fn differences(comparison: &Value) -> Vec<Row> {
    let rows = comparison["differences"].as_array().expect("differences");
    let row = |it: &Value| {
        let thread = |end: &Value| end["thread"].as_u64();
        (
            thread(&it["read"]).expect("a thread"),
            it["read"]["variable"].as_str().unwrap_or_default().to_owned(),
            thread(&it["failing"]),
            thread(&it["passing"]),
        )
    };
    rows.iter().map(row).collect()
}

/// Threads and lines of a run.
fn lines(schedule: &Value) -> Vec<(u64, u64)> {
    let steps = schedule.as_array().expect("steps").iter();
    steps.filter_map(|it| Some((it["thread"].as_u64()?, it["line"].as_u64()?))).collect()
}

/// Figure 1, from the failing schedule ⟨T4, T5, T2, T3⟩ of §3.1 (T2 to T5 are threads 1 to 4 here):
/// two pairs must be reordered at once, `y` read by T2 before T4 writes it and `z` read by T3 before
/// T5 does. One swap is not enough.
#[test]
fn figure_1_needs_both_data_flows() {
    let folder = folder("compare_figure_1");
    let path = root().join(FIGURE_1);
    let all = AS_FAR_AS_IT_CAN;
    let turns = [(0, all), (3, all), (4, all), (1, all), (2, all), (0, all)];
    let schedule = write_schedule(&folder, decisions(&path, &turns));
    let comparison = compared(FIGURE_1, &schedule);
    assert_eq!(comparison["optimal"], true);
    let expected: Vec<Row> =
        vec![(1, "y".to_owned(), Some(3), None), (2, "z".to_owned(), Some(4), None)];
    assert_eq!(differences(&comparison), expected);
    // OP: two writes and two reads; and where T4, T5 and T2, T3 change places, the last creation, the
    // first join and the four ends of those two pieces.
    assert_eq!(numbers(&comparison), [0, 2, 0, 3, 10]);
}

/// Figure 3, the failing schedule of Figure 2: T2, then T1 up to `y = 1`, then T3, then the rest of
/// T1. First come two creations; then T1 reads z and w and writes w, x and y.
const FIGURE_3: [Turn; 5] =
    [(0, 2), (1, AS_FAR_AS_IT_CAN), (0, 5), (2, AS_FAR_AS_IT_CAN), (0, AS_FAR_AS_IT_CAN)];

/// Figure 2 with T2 as one step. As printed there is a run that passes on the same path, although
/// §2.1 says that the paths necessarily differ: T2 may add to x between lines 3 and 5 of T1.
fn figure_2_with_t2_as_one_step(folder: &Path) -> PathBuf {
    let mut source = std::fs::read_to_string(root().join(FIGURE_2)).expect("readable");
    let declared = "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n";
    for (what, with) in [
        ("int x, y, z, w;", format!("{declared}int x, y, z, w;")),
        ("z = 1;     //@T2_1", "__VERIFIER_atomic_begin();\n    z = 1;".to_owned()),
        ("y = y + 1; //@T2_3", "y = y + 1;\n    __VERIFIER_atomic_end();".to_owned()),
    ] {
        assert!(source.contains(what), "the figure has {what}");
        source = source.replace(what, &with);
    }
    let path = folder.join("figure_2_atomic.c");
    std::fs::write(&path, source).expect("a file");
    path
}

/// Where the paths must differ, only the branch `y == 0` has to go the other way, `y` being what T1
/// itself wrote; T2 keeps its place at the front, which is what makes the text's Figure 5 better than
/// its Figure 4.
#[test]
fn figure_2_flips_the_branch_next_to_the_failure() {
    let folder = folder("compare_figure_2_atomic");
    let path = figure_2_with_t2_as_one_step(&folder);
    let schedule = write_schedule(&folder, decisions(&path, &FIGURE_3));
    let comparison = compared(path.to_str().expect("a path"), &schedule);
    assert_eq!(comparison["optimal"], true);
    let expected: Vec<Row> = vec![(0, "y".to_owned(), Some(2), Some(0))];
    assert_eq!(differences(&comparison), expected);
    // OP: the read of y and the two writes; the ends of T3; and the step that T3 now comes after.
    assert_eq!(numbers(&comparison), [1, 1, 0, 2, 6]);
    let run = lines(&comparison["passing_schedule"]);
    let first_of_main = run.iter().skip(2).position(|&(thread, _)| thread == 0);
    let last_of_t2 = run.iter().skip(2).rposition(|&(thread, _)| thread == 1);
    assert!(last_of_t2 < first_of_main, "T2 comes first, as in the failing run: {run:?}");
}

/// As printed, the same path comes before fewer data flows: T2 reads the x of T1, and T1 that of T2.
#[test]
fn figure_2_keeps_its_path_if_it_can() {
    let folder = folder("compare_figure_2");
    let schedule = write_schedule(&folder, decisions(&root().join(FIGURE_2), &FIGURE_3));
    let comparison = compared(FIGURE_2, &schedule);
    assert_eq!(comparison["optimal"], true);
    let expected: Vec<Row> =
        vec![(1, "x".to_owned(), None, Some(0)), (0, "x".to_owned(), Some(0), Some(1))];
    assert_eq!(differences(&comparison), expected);
    assert_eq!(numbers(&comparison), [0, 2, 2, 1, 8]);
}

/// A read that sees the first value in the failing run and a write in the passing one: the write is
/// marked in both, each at its own step.
#[test]
fn marks_are_at_the_write_in_both_runs() {
    let folder = folder("compare_marks");
    let path = root().join(FIGURE_2);
    let all = AS_FAR_AS_IT_CAN;
    // T2 has read x before T1 writes it, and writes it after that.
    let turns = [(0, 2), (1, 2), (0, 5), (1, all), (2, all), (0, all)];
    let schedule = write_schedule(&folder, decisions(&path, &turns));
    let expected: Vec<Row> = vec![(1, "x".to_owned(), None, Some(0))];
    assert_eq!(differences(&compared(FIGURE_2, &schedule)), expected);
    let schedule = schedule.to_str().expect("a path");
    let text = stdout(&unravel(&["compare", FIGURE_2, "--schedule", schedule]));
    let halves = text.lines().flat_map(|it| it.split(" | "));
    let marked: Vec<&str> = halves.filter(|half| half.contains("*A")).collect();
    let has = |what: &str| marked.iter().filter(|half| half.contains(what)).count();
    assert_eq!((marked.len(), has("x = 1"), has("x is ")), (4, 2, 2), "{marked:?}");
}

/// What `compare` writes is the run that it compared.
#[test]
fn a_schedule_that_was_written_gives_the_same() {
    let folder = folder("compare_written");
    let programs = [FIGURE_1, FIGURE_2, "corpus/figures/conc_xy.c"];
    for (index, program) in programs.into_iter().enumerate() {
        let file = folder.join(format!("{index}.schedule"));
        let emit = format!("schedule={}", file.display());
        let (_, without) = json(&["compare", program, "--emit", &emit]);
        let with = compared(program, &file);
        assert_eq!(with, without["findings"][0]["comparison"], "{program}");
    }
}

/// `check` hands its run over to `compare`.
#[test]
fn a_schedule_of_check_is_compared() {
    let folder = folder("compare_check");
    let file = folder.join("check.schedule");
    let emit = format!("schedule={}", file.display());
    assert_eq!(code(&unravel(&["check", FIGURE_2, "--emit", &emit])), 1);
    let (_, without) = json(&["compare", FIGURE_2]);
    assert_eq!(compared(FIGURE_2, &file), without["findings"][0]["comparison"]);
}

/// Says what is wrong with a schedule, and what to do.
fn refusal(program: &str, schedule: &Path, what: &str) -> i32 {
    let schedule = schedule.to_str().expect("a path");
    let output = unravel(&["compare", program, "--schedule", schedule]);
    let said = stderr(&output);
    assert!(said.contains(what) && said.contains("help: "), "{said}");
    code(&output)
}

#[test]
fn what_is_no_failing_run_is_refused() {
    let folder = folder("compare_refused");
    let path = root().join(FIGURE_1);
    let all = AS_FAR_AS_IT_CAN;
    let passing = [(0, all), (1, all), (2, all), (3, all), (4, all), (0, all)];
    let passing = decisions(&path, &passing);
    let schedule = write_schedule(&folder, passing.clone());
    assert_eq!(refusal(FIGURE_1, &schedule, "does not fail"), 2);

    let mut other = passing;
    other[0].thread = ThreadId(3);
    let schedule = write_schedule(&folder, other);
    assert_eq!(refusal(FIGURE_1, &schedule, "does not fit at step 1"), 3);

    let file = folder.join("other.schedule");
    let emit = format!("schedule={}", file.display());
    assert_eq!(code(&unravel(&["check", FIGURE_2, "--emit", &emit])), 1);
    assert_eq!(refusal(FIGURE_1, &file, "was made for another"), 2);
}

/// Whether a program has a passing run beside it, or what is wrong.
fn has_projection(program: &CorpusProgram) -> Result<bool, String> {
    let shown = &program.shown;
    let (_, report) = json(&["compare", shown]);
    let comparison = &report["findings"][0]["comparison"];
    if comparison.is_null() {
        return Ok(false);
    }
    match comparison["op"].as_u64() {
        Some(0) | None => Err(format!("{shown}: nothing differs")),
        Some(_) => Ok(true),
    }
}

#[test]
fn no_projection_is_empty() {
    let mut programs = failing_in(&["primitives", "figures", "concbugassist"]);
    programs.retain(|it| it.header.flags.is_empty());
    let without = std::sync::Mutex::new(Vec::new());
    let failed = failures(&programs, |program| {
        if !has_projection(program)? {
            without.lock().expect("no panic before").push(program.shown.clone());
        }
        Ok(())
    });
    assert!(failed.is_empty(), "{} are empty:\n{}", failed.len(), failed.join("\n"));
    let mut without = without.into_inner().expect("no panic before");
    without.sort();
    println!("without a passing run beside them:\n{}", without.join("\n"));
    assert!(without.len() * 4 < programs.len(), "{} of {}", without.len(), programs.len());
}
