//! Reports of `unravel diagnose`, made by hand.

use unravel_span::FileId;

use super::{Run, deadlock, empty, finding, place, race, two_files, xy};
use crate::model::{
    Cause, Core, Diagnosis, End, Finding, Order, PassingRun, Report, StepRow, ThreadRow, Verdict,
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
        kind: row.kind,
        variable: row.variable.clone(),
        value: row.value.clone(),
        text: row.text.clone(),
        turn: None,
        step: Some(step),
    }
}

fn turn(turn: u32, end: End) -> End {
    End { turn: Some(turn), ..end }
}

/// A run that passes, in the threads of the finding.
fn passing(threads: &[ThreadRow], schedule: Vec<StepRow>) -> PassingRun {
    let switches = schedule.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    PassingRun { threads: threads.to_vec(), schedule, context_switches: switches as u32 }
}

fn order(id: &str, ends: (End, End), so: &str, passing: PassingRun) -> Order {
    let (before, after) = ends;
    Order { id: id.to_owned(), before, after, so: so.to_owned(), passing: Some(passing) }
}

fn cause(pattern: &'static str, message: &str, cores: &[usize]) -> Cause {
    Cause { pattern, message: message.to_owned(), cores: cores.to_vec() }
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
    report.command = "diagnose";
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
    let mut run = Run::new(file(finding)).step(0, (20, 5), "create", "creates T1").step(
        0,
        (21, 5),
        "create",
        "creates T2",
    );
    for thread in [first, 3 - first] {
        let (line, value) = if thread == 1 { (7, "0") } else { (13, "1") };
        run = run
            .access(thread, (line, 7), "write", "x", value)
            .access(thread, (line + 1, 7), "write", "y", value)
            .step(thread, (line + 2, 5), "end", "ends");
    }
    let last = if first == 1 { "1" } else { "0" };
    let run = run
        .step(0, (22, 5), "join", "joins T1")
        .step(0, (23, 5), "join", "joins T2")
        .access(0, (24, 5), "read", "x", last)
        .access(0, (24, 5), "read", "y", last);
    passing(&finding.threads, run.steps)
}

/// Two orders that tear the writes apart.
fn torn(finding: &Finding) -> Core {
    let first = one_after_the_other(finding, 2);
    let second = one_after_the_other(finding, 1);
    let orders = vec![
        order("A", (end(finding, 3), end(finding, 4)), "so x becomes 1", first),
        order("B", (end(finding, 5), end(finding, 7)), "so y becomes 0", second),
    ];
    Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }
}

/// The same the other way round, of another run.
fn torn_otherwise(finding: &Finding) -> Core {
    let elsewhere = |step| End { step: None, ..end(finding, step) };
    let run = one_after_the_other(finding, 1);
    let orders = vec![
        order("A", (elsewhere(4), elsewhere(3)), "so x becomes 0", run.clone()),
        order("B", (elsewhere(7), elsewhere(5)), "so y becomes 1", run),
    ];
    Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }
}

const TORN: &str = "lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of \
                    writer1 get in between";

/// One cause, two cores of two orders each.
pub fn torn_writes() -> Report {
    explained(xy(), |finding| {
        let causes = vec![cause("atomicity violation", TORN, &[0, 1])];
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
    let run = Run::new(file).step(0, (12, 5), "create", "creates T1").access(
        0,
        (13, 5),
        "read",
        "flag",
        "0",
    );
    report.findings.push(Finding {
        place: place(file, 13, 5, "main"),
        threads: report.threads.clone(),
        schedule: run.steps,
        ..finding("reach", "assertion", "assertion `flag == 1` can fail")
    });
    explained(report, |finding| {
        let late = End {
            thread: 1,
            thread_name: "setter".to_owned(),
            place: place(file, 6, 10, "setter"),
            kind: "write",
            variable: Some("flag".to_owned()),
            value: None,
            text: "writes flag".to_owned(),
            turn: None,
            step: None,
        };
        let run = Run::new(file)
            .step(0, (12, 5), "create", "creates T1")
            .access(1, (6, 10), "write", "flag", "1")
            .step(1, (7, 5), "end", "ends")
            .access(0, (13, 5), "read", "flag", "1")
            .step(0, (14, 5), "join", "joins T1");
        let run = passing(&finding.threads, run.steps);
        let orders = vec![order("A", (end(finding, 2), late), "so main still reads 0", run)];
        let message = "line 6 of setter should come before line 13 of main";
        let causes = vec![cause("order violation", message, &[0])];
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
        let message = "assertion `counter == 8` can fail".to_owned();
        (found.property, found.kind, found.message) = ("reach", "assertion", message);
        found.related.clear();
        found.thread = 0;
        found.place = place(file(found), 12, 5, "main");
    }
    explained(report, |_| Diagnosis {
        pattern: Some("sequential"),
        sequential: true,
        remarks: vec!["with input 3 at line 9, every run fails, whatever the schedule".to_owned()],
        ..diagnosis(Vec::new(), Vec::new())
    })
}

/// No orders were found, and it is not known why.
pub fn not_explained() -> Report {
    explained(xy(), |_| Diagnosis {
        remarks: vec!["which orders make it fail is not known".to_owned()],
        is_complete: false,
        ..diagnosis(Vec::new(), Vec::new())
    })
}

/// Orders between turns of loops.
pub fn in_loops() -> Report {
    let (mut report, file) = empty(Verdict::Unsafe, "loop.c", Some(LOOP_C));
    report.threads = vec![
        super::thread(0, "main", None),
        super::thread(1, "worker", place(file, 13, 5, "main")),
        super::thread(2, "worker", place(file, 14, 5, "main")),
    ];
    let adds = |run: Run, thread, from: &str, to: &str| {
        run.access(thread, (7, 16), "read", "counter", from).access(
            thread,
            (7, 16),
            "write",
            "counter",
            to,
        )
    };
    let start = || {
        Run::new(file).step(0, (13, 5), "create", "creates T1").step(
            0,
            (14, 5),
            "create",
            "creates T2",
        )
    };
    let stop = |run: Run, value: &str| {
        run.step(1, (8, 5), "end", "ends")
            .step(2, (8, 5), "end", "ends")
            .step(0, (15, 5), "join", "joins T1")
            .step(0, (16, 5), "join", "joins T2")
            .access(0, (17, 5), "read", "counter", value)
    };
    let run = start().access(1, (7, 16), "read", "counter", "0");
    let run = adds(adds(run, 2, "0", "1"), 2, "1", "2");
    let run = run.access(1, (7, 16), "write", "counter", "1");
    let run = stop(adds(run, 1, "1", "2"), "2");
    report.findings.push(Finding {
        place: place(file, 17, 5, "main"),
        threads: report.threads.clone(),
        schedule: run.steps,
        context_switches: 7,
        fewest_switches: false,
        ..finding("reach", "assertion", "assertion `counter == 4` can fail")
    });
    explained(report, |finding| {
        let good = adds(adds(start(), 1, "0", "1"), 1, "1", "2");
        let good = stop(adds(adds(good, 2, "2", "3"), 2, "3", "4"), "4");
        let run = passing(&finding.threads, good.steps);
        let first = (turn(1, end(finding, 3)), turn(1, end(finding, 5)));
        let second = (turn(2, end(finding, 7)), turn(1, end(finding, 8)));
        let orders = vec![
            order("A", first, "so T1 still reads 0", run.clone()),
            order("B", second, "so counter becomes 1", run),
        ];
        let message = "line 7 of worker should be one step (counter), but another thread at \
                       line 7 of worker gets in between";
        let causes = vec![cause("atomicity violation", message, &[0])];
        diagnosis(
            causes,
            vec![Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true }],
        )
    })
}

/// A dozen causes, with many cores.
pub fn many_causes() -> Report {
    explained(xy(), |finding| {
        let mut causes = vec![cause("atomicity violation", TORN, &[0, 1, 2, 3])];
        let mut cores = vec![torn(finding)];
        cores.extend((0..40).map(|_| torn_otherwise(finding)));
        for index in 1..12 {
            let message = format!("line {index} of writer1 should come before line 7 of writer0");
            causes.push(cause("order violation", &message, &[index * 3 + 1, index * 3 + 2]));
        }
        diagnosis(causes, cores)
    })
}

/// One of the inputs of the run is needed.
pub fn with_inputs() -> Report {
    explained(race(), |finding| {
        let run = Run::new(file(finding))
            .access(0, (9, 5), "write", "counter", "0")
            .step(0, (9, 9), "input", "input 3")
            .step(0, (10, 5), "create", "creates T1")
            .step(0, (11, 5), "create", "creates T2")
            .access(2, (4, 12), "read", "counter", "0");
        let run = passing(&finding.threads, run.steps);
        let orders = vec![order("A", (end(finding, 9), end(finding, 10)), "so T2 reads 1", run)];
        let inputs = finding.inputs.iter().take(1).cloned().collect();
        let causes = vec![cause("order violation", "T2 comes too late", &[0])];
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
            .step(0, (19, 5), "create", "creates T1")
            .step(0, (20, 5), "create", "creates T2")
            .step(1, (7, 5), "lock", "lock a")
            .named("a")
            .step(1, (8, 5), "lock", "lock b")
            .named("b");
        let run = passing(&finding.threads, run.steps);
        let orders = vec![
            order("A", (end(finding, 3), waits(2, 3, 14)), "so T2 waits", run.clone()),
            order("B", (end(finding, 4), waits(1, 4, 8)), "so T1 waits", run),
        ];
        let causes = vec![cause("deadlock", "deposit and withdraw lock in opposite order", &[0])];
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
            kind: "use",
            text: "uses *p".to_owned(),
            variable: Some("*p".to_owned()),
            step: None,
            ..end(finding, 1)
        };
        let run = passing(&finding.threads, Vec::new());
        let so = "so main uses memory that is gone";
        let orders = vec![order("A", (end(finding, 1), used), so, run)];
        let causes = vec![cause("use after free", "", &[0])];
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
