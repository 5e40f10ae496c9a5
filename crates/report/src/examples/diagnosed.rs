//! Reports of `unravel diagnose`, made by hand.

use unravel_kinds::{Pattern, StepKind};
use unravel_span::FileId;

use super::{LOCK, Run, assertion, deadlock, empty, finding, place, race, two_files, xy};
use crate::model::{
    Cause, CauseShape, Command, Core, CorePoint, CoreRegion, Diagnosis, DiagnosisRemark, End,
    EndKind, Finding, GivenInput, InputOutcome, Obstacle, Order, PassingRun, RaceAccess, Report,
    StepRow, ThreadRow, Verdict,
};

const FLAG_C: &str = "\
#include <assert.h>
#include <pthread.h>
int flag;

void *setter(void *arg) {
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, setter, 0);
    assert(flag == 1);
    pthread_join(t, 0);
}
";

const LOOP_C: &str = "\
#include <assert.h>
#include <pthread.h>
int counter;

void *worker(void *arg) {
    for (int i = 0; i < 2; i++)
        counter++;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(counter == 4);
}
";

/// An end that the run of the finding has.
fn end(finding: &Finding, step: u32) -> End {
    let row = finding.schedule.iter().find(|row| row.step == step).unwrap();
    let thread = finding.threads.iter().find(|thread| thread.id == row.thread).unwrap();
    End {
        thread: row.thread,
        thread_name: thread.name.clone(),
        place: row.place.clone(),
        kind: end_kind(row.kind),
        variable: row.variable.clone(),
        value: row.value.clone(),
        iteration: None,
        step: Some(step),
    }
}

/// What an end does whose step is in the run.
fn end_kind(kind: StepKind) -> EndKind {
    match kind {
        StepKind::Read | StepKind::FailedUpdate => EndKind::Read,
        StepKind::Write => EndKind::Write,
        StepKind::Update => EndKind::Update,
        StepKind::Free => EndKind::Free,
        other => other.deed().map_or(EndKind::Use, EndKind::Sync),
    }
}

fn iteration(iteration: u32, end: End) -> End {
    End { iteration: Some(iteration), ..end }
}

/// A run that passes, in the threads of the finding.
fn passing(threads: &[ThreadRow], schedule: Vec<StepRow>) -> PassingRun {
    let switches = schedule.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    PassingRun { threads: threads.to_vec(), schedule, context_switches: switches as u32 }
}

fn order(id: &str, (before, after): (End, End), passing: PassingRun) -> Order {
    Order { id: id.to_owned(), before, after, passing: Some(passing) }
}

fn cause(pattern: Pattern, shape: CauseShape, cores: &[usize]) -> Cause {
    Cause { pattern, shape, mistake: None, cores: cores.to_vec() }
}

/// Lines of the start function of a thread.
fn region(file: FileId, function: &str, (first, last): (u32, u32)) -> CoreRegion {
    CoreRegion {
        thread_name: function.to_owned(),
        first: place(file, first, 5, function),
        last: place(file, last, 5, function),
        iterations: None,
    }
}

/// A line of the start function of a thread.
fn point(file: FileId, function: &str, line: u32) -> CorePoint {
    let place = place(file, line, 5, function);
    CorePoint { thread_name: function.to_owned(), place, deed: None }
}

/// A step that should have come later, and the one that should have come before it.
fn early(first: CorePoint, second: CorePoint) -> CauseShape {
    CauseShape::Early { first, second, more: 0 }
}

fn diagnosis(causes: Vec<Cause>, cores: Vec<Core>) -> Diagnosis {
    Diagnosis {
        pattern: causes.first().map(|cause| cause.pattern),
        sequential: false,
        remarks: Vec::new(),
        causes,
        cores,
        is_complete: true,
    }
}

/// Turns a report of `check` into one of `diagnose`.
fn explained(mut report: Report, explain: impl Fn(&Finding) -> Diagnosis) -> Report {
    report.command = Command::Diagnose;
    for found in &mut report.findings {
        found.diagnosis = Some(explain(found));
    }
    report
}

fn file(finding: &Finding) -> FileId {
    finding.place.as_ref().unwrap().span.file
}

/// One writer after the other; `first` is the one that comes first.
fn one_after_the_other(finding: &Finding, first: u32) -> PassingRun {
    let mut run = Run::new(file(finding)).step(0, (20, 5), StepKind::Create(1)).step(
        0,
        (21, 5),
        StepKind::Create(2),
    );
    for thread in [first, 3 - first] {
        let (line, value) = if thread == 1 { (7, "0") } else { (13, "1") };
        run = run
            .access(thread, (line, 7), StepKind::Write, "x", value)
            .access(thread, (line + 1, 7), StepKind::Write, "y", value)
            .step(thread, (line + 2, 5), StepKind::End);
    }
    let last = if first == 1 { "1" } else { "0" };
    let run = run
        .step(0, (22, 5), StepKind::Join(1))
        .step(0, (23, 5), StepKind::Join(2))
        .access(0, (24, 5), StepKind::Read, "x", last)
        .access(0, (24, 5), StepKind::Read, "y", last);
    passing(&finding.threads, run.steps)
}

/// Two orders that tear the writes apart.
fn torn(finding: &Finding) -> Core {
    let first = one_after_the_other(finding, 2);
    let second = one_after_the_other(finding, 1);
    let orders = vec![
        order("A", (end(finding, 3), end(finding, 4)), first),
        order("B", (end(finding, 5), end(finding, 7)), second),
    ];
    Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }
}

/// The same the other way round, of another run.
fn torn_otherwise(finding: &Finding) -> Core {
    let elsewhere = |step| End { step: None, ..end(finding, step) };
    let run = one_after_the_other(finding, 1);
    let orders = vec![
        order("A", (elsewhere(4), elsewhere(3)), run.clone()),
        order("B", (elsewhere(7), elsewhere(5)), run),
    ];
    Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }
}

const ATOMICITY: Pattern = Pattern::AtomicityViolation { multi_variable: true };

/// The writes of one writer get in between those of the other.
fn torn_shape(finding: &Finding) -> CauseShape {
    CauseShape::Torn {
        region: region(file(finding), "writer0", (7, 8)),
        by: region(file(finding), "writer1", (13, 14)),
        same_function: false,
        variables: vec!["x".to_owned(), "y".to_owned()],
    }
}

/// One cause, two cores of two orders each.
pub fn torn_writes() -> Report {
    explained(xy(), |finding| {
        let causes = vec![cause(ATOMICITY, torn_shape(finding), &[0, 1])];
        diagnosis(causes, vec![torn(finding), torn_otherwise(finding)])
    })
}

/// One order, whose second end does not happen.
pub fn too_early() -> Report {
    let (mut report, file) = empty(Verdict::Unsafe, "flag.c", Some(FLAG_C));
    report.threads = vec![
        super::thread(0, "main", None),
        super::thread(1, "setter", place(file, 12, 5, "main")),
    ];
    let run = Run::new(file).step(0, (12, 5), StepKind::Create(1)).access(
        0,
        (13, 5),
        StepKind::Read,
        "flag",
        "0",
    );
    report.findings.push(Finding {
        place: place(file, 13, 5, "main"),
        threads: report.threads.clone(),
        schedule: run.steps,
        ..finding(assertion("flag == 1"))
    });
    explained(report, |finding| {
        let late = End {
            thread: 1,
            thread_name: "setter".to_owned(),
            place: place(file, 6, 10, "setter"),
            kind: EndKind::Write,
            variable: Some("flag".to_owned()),
            value: None,
            iteration: None,
            step: None,
        };
        let run = Run::new(file)
            .step(0, (12, 5), StepKind::Create(1))
            .access(1, (6, 10), StepKind::Write, "flag", "1")
            .step(1, (7, 5), StepKind::End)
            .access(0, (13, 5), StepKind::Read, "flag", "1")
            .step(0, (14, 5), StepKind::Join(1));
        let run = passing(&finding.threads, run.steps);
        let orders = vec![order("A", (end(finding, 2), late), run)];
        let shape = early(point(file, "main", 13), point(file, "setter", 6));
        let causes = vec![cause(Pattern::OrderViolation, shape, &[0])];
        diagnosis(
            causes,
            vec![Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }],
        )
    })
}

/// It fails in every schedule.
pub fn sequential() -> Report {
    let mut report = race();
    for found in &mut report.findings {
        found.kind = assertion("counter == 8");
        found.related.clear();
        found.thread = 0;
        found.place = place(file(found), 12, 5, "main");
    }
    let input = GivenInput { value: "3".to_owned(), line: Some(9) };
    explained(report, |_| Diagnosis {
        pattern: Some(Pattern::Sequential),
        sequential: true,
        remarks: vec![DiagnosisRemark::WithInputs {
            inputs: vec![input.clone()],
            outcome: InputOutcome::EveryRunFails,
        }],
        ..diagnosis(Vec::new(), Vec::new())
    })
}

/// No orders were found, and it is not known why.
pub fn not_explained() -> Report {
    explained(xy(), |_| Diagnosis {
        remarks: vec![DiagnosisRemark::NotKnown(Obstacle::Stopped)],
        is_complete: false,
        ..diagnosis(Vec::new(), Vec::new())
    })
}

/// Orders between iterations of loops.
pub fn in_loops() -> Report {
    let (mut report, file) = empty(Verdict::Unsafe, "loop.c", Some(LOOP_C));
    report.threads = vec![
        super::thread(0, "main", None),
        super::thread(1, "worker", place(file, 13, 5, "main")),
        super::thread(2, "worker", place(file, 14, 5, "main")),
    ];
    let adds = |run: Run, thread, from: &str, to: &str| {
        run.access(thread, (7, 16), StepKind::Read, "counter", from).access(
            thread,
            (7, 16),
            StepKind::Write,
            "counter",
            to,
        )
    };
    let start = || {
        Run::new(file).step(0, (13, 5), StepKind::Create(1)).step(0, (14, 5), StepKind::Create(2))
    };
    let stop = |run: Run, value: &str| {
        run.step(1, (8, 5), StepKind::End)
            .step(2, (8, 5), StepKind::End)
            .step(0, (15, 5), StepKind::Join(1))
            .step(0, (16, 5), StepKind::Join(2))
            .access(0, (17, 5), StepKind::Read, "counter", value)
    };
    let run = start().access(1, (7, 16), StepKind::Read, "counter", "0");
    let run = adds(adds(run, 2, "0", "1"), 2, "1", "2");
    let run = run.access(1, (7, 16), StepKind::Write, "counter", "1");
    let run = stop(adds(run, 1, "1", "2"), "2");
    report.findings.push(Finding {
        place: place(file, 17, 5, "main"),
        threads: report.threads.clone(),
        schedule: run.steps,
        context_switches: 7,
        fewest_switches: false,
        ..finding(assertion("counter == 4"))
    });
    explained(report, |finding| {
        let good = adds(adds(start(), 1, "0", "1"), 1, "1", "2");
        let good = stop(adds(adds(good, 2, "2", "3"), 2, "3", "4"), "4");
        let run = passing(&finding.threads, good.steps);
        let first = (iteration(1, end(finding, 3)), iteration(1, end(finding, 5)));
        let second = (iteration(2, end(finding, 7)), iteration(1, end(finding, 8)));
        let orders = vec![order("A", first, run.clone()), order("B", second, run)];
        let shape = CauseShape::Torn {
            region: region(file, "worker", (7, 7)),
            by: region(file, "worker", (7, 7)),
            same_function: true,
            variables: vec!["counter".to_owned()],
        };
        let pattern = Pattern::AtomicityViolation { multi_variable: false };
        let causes = vec![cause(pattern, shape, &[0])];
        diagnosis(
            causes,
            vec![Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }],
        )
    })
}

/// A dozen causes, with many cores.
pub fn many_causes() -> Report {
    explained(xy(), |finding| {
        let mut causes = vec![cause(ATOMICITY, torn_shape(finding), &[0, 1, 2, 3])];
        let mut cores = vec![torn(finding)];
        cores.extend((0..40).map(|_| torn_otherwise(finding)));
        for line in 1..12 {
            let at = file(finding);
            let shape = early(point(at, "writer0", 7), point(at, "writer1", line));
            let first = line as usize * 3 + 1;
            causes.push(cause(Pattern::OrderViolation, shape, &[first, first + 1]));
        }
        diagnosis(causes, cores)
    })
}

/// One of the inputs of the run is needed.
pub fn with_inputs() -> Report {
    explained(race(), |finding| {
        let run = Run::new(file(finding))
            .access(0, (9, 5), StepKind::Write, "counter", "0")
            .step(0, (9, 9), StepKind::Input)
            .value("3")
            .step(0, (10, 5), StepKind::Create(1))
            .step(0, (11, 5), StepKind::Create(2))
            .access(2, (4, 12), StepKind::Read, "counter", "0");
        let run = passing(&finding.threads, run.steps);
        let orders = vec![order("A", (end(finding, 9), end(finding, 10)), run)];
        let inputs = finding.inputs.iter().take(1).cloned().collect();
        let at = |thread| RaceAccess {
            thread,
            place: place(file(finding), 4, 12, "worker"),
            locks: Vec::new(),
        };
        let shape = CauseShape::Race { first: at(1), second: at(2) };
        let causes = vec![cause(Pattern::DataRace, shape, &[0])];
        diagnosis(causes, vec![Core { orders, inputs, other_inputs: false, is_minimal: true }])
    })
}

/// Not all failing runs were looked at; the inputs do not matter.
pub fn partial() -> Report {
    let mut report = torn_writes();
    for found in &mut report.findings {
        found.inputs = race().findings[0].inputs.clone();
        if let Some(diagnosis) = &mut found.diagnosis {
            diagnosis.is_complete = false;
        }
    }
    report
}

/// Two locks in opposite order: the second ends do not happen.
pub fn lock_order() -> Report {
    explained(deadlock(), |finding| {
        let waits = |thread: u32, of: u32, line| End {
            thread,
            thread_name: finding.threads[thread as usize].name.clone(),
            place: place(file(finding), line, 5, "f"),
            step: None,
            ..end(finding, of)
        };
        let run = Run::new(file(finding))
            .step(0, (19, 5), StepKind::Create(1))
            .step(0, (20, 5), StepKind::Create(2))
            .step(1, (7, 5), LOCK)
            .named("a")
            .step(1, (8, 5), LOCK)
            .named("b");
        let run = passing(&finding.threads, run.steps);
        let orders = vec![
            order("A", (end(finding, 3), waits(2, 3, 14)), run.clone()),
            order("B", (end(finding, 4), waits(1, 4, 8)), run),
        ];
        let at = |function, lines| region(file(finding), function, lines);
        let regions = vec![at("deposit", (7, 8)), at("withdraw", (13, 14))];
        let shape = CauseShape::Circle { regions, threads: 2 };
        let causes = vec![cause(Pattern::Deadlock, shape, &[0])];
        diagnosis(
            causes,
            vec![Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }],
        )
    })
}

/// The order ends in the access that the violation prevents.
pub fn freed_too_early() -> Report {
    explained(two_files(), |finding| {
        let used = End {
            thread: 0,
            thread_name: "main".to_owned(),
            place: finding.place.clone(),
            kind: EndKind::Use,
            variable: Some("*p".to_owned()),
            step: None,
            ..end(finding, 1)
        };
        let run = passing(&finding.threads, Vec::new());
        let orders = vec![order("A", (end(finding, 1), used), run)];
        let causes = vec![cause(Pattern::UseAfterFree, CauseShape::Unknown, &[0])];
        diagnosis(
            causes,
            vec![Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }],
        )
    })
}

/// Two findings of one program.
pub fn two_explained() -> Report {
    let mut report = torn_writes();
    let mut second = report.findings[0].clone();
    second.id = 2;
    second.place = place(file(&second), 23, 5, "main");
    report.findings.push(second);
    report
}

/// One of each.
pub fn all() -> Vec<Report> {
    vec![
        torn_writes(),
        too_early(),
        sequential(),
        not_explained(),
        in_loops(),
        many_causes(),
        with_inputs(),
        partial(),
        lock_order(),
        freed_too_early(),
        two_explained(),
    ]
}
