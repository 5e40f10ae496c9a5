//! Reports made by hand, for the tests of all renderers.

pub mod diagnosed;
pub mod localized;
pub mod repaired;

use unravel_kinds::{
    Awaited, Cut, Deed, InputSource, Properties, Property, Related, StepKind, StopReason,
    SyncClass, Unmodelled, Untranslated, Variable, ViolationKind, Wait,
};
use unravel_span::{FileId, Files, Span};

use crate::model::{
    Bounds, Command, Finding, InputRow, Place, Reason, ReasonKind, RelatedKind, Remark, Report,
    StepRow, ThreadRow, Verdict,
};

/// A lock that succeeds.
pub const LOCK: StepKind = StepKind::Sync { deed: Deed::Lock, code: Some(0) };

pub const RACE_C: &str = "\
#include <assert.h>
#include <pthread.h>

int x, y;

void *writer0(void *arg) {
    x = 0;
    y = 0;
    return 0;
}

void *writer1(void *arg) {
    x = 1;
    y = 1;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, writer0, 0);
    pthread_create(&t2, 0, writer1, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == y);
}
";

const BANK_C: &str = "\
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

void *deposit(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return 0;
}

void *withdraw(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return 0;
}
";

const COUNTER_C: &str = "\
int counter;

void *worker(void *arg) {
    counter++;
    return 0;
}

int main(void) {
    counter = __VERIFIER_nondet_int() - 3;
    start(worker);
    start(worker);
    assert(counter == 8);
}
";

const RING_C: &str = "\
int head, tail;

void *consumer(void *arg) {
    while (head == tail)
        work();
    return 0;
}

void *producer(void *arg) {
    for (;;)
        tail++;
}
";

/// A report without findings about one file.
pub fn empty(verdict: Verdict, path: &str, text: Option<&str>) -> (Report, FileId) {
    let mut files = Files::new();
    let id = files.intern(path);
    if let Some(text) = text {
        files.set_text(id, text.to_owned());
    }
    let report = Report {
        command: Command::Check,
        verdict,
        reasons: Vec::new(),
        stopped: None,
        bounds: Bounds::default(),
        unsupported: Vec::new(),
        handed_over: Vec::new(),
        properties: Properties::by_default(),
        threads: Vec::new(),
        findings: Vec::new(),
        repairs: None,
        explored_states: Some(124),
        stats: vec![("states", 124), ("steps", 310)],
        time_ms: 31,
        files,
    };
    (report, id)
}

pub fn place(file: FileId, line: u32, column: u32, function: &str) -> Option<Place> {
    Some(Place { span: Span::new(file, line, column), function: function.to_owned() })
}

pub fn thread(id: u32, name: &str, created_at: Option<Place>) -> ThreadRow {
    ThreadRow { id, name: name.to_owned(), created_at }
}

/// An assertion that can fail.
pub fn assertion(text: &str) -> ViolationKind {
    ViolationKind::Assertion { text: text.to_owned() }
}

/// A variable of the program.
pub fn variable(name: &str) -> Variable {
    Variable::Named(name.to_owned())
}

/// A finding with an empty run.
pub fn finding(kind: ViolationKind) -> Finding {
    Finding {
        id: 1,
        kind,
        place: None,
        thread: 0,
        related: Vec::new(),
        inputs: Vec::new(),
        threads: Vec::new(),
        schedule: Vec::new(),
        context_switches: 0,
        fewest_switches: true,
        output: String::new(),
        objects: Vec::new(),
        mistake: None,
        diagnosis: None,
        comparison: None,
        localization: None,
    }
}

/// Numbers steps as they are added.
pub struct Run {
    pub file: FileId,
    pub steps: Vec<StepRow>,
}

impl Run {
    pub fn new(file: FileId) -> Run {
        Run { file, steps: Vec::new() }
    }

    pub fn step(mut self, thread: u32, at: (u32, u32), kind: StepKind) -> Run {
        self.steps.push(StepRow {
            step: self.steps.len() as u32 + 1,
            thread,
            place: place(self.file, at.0, at.1, "f"),
            kind,
            variable: None,
            value: None,
        });
        self
    }

    /// A step that concerns a variable and its value.
    pub fn access(
        self,
        thread: u32,
        at: (u32, u32),
        kind: StepKind,
        name: &str,
        value: &str,
    ) -> Run {
        self.step(thread, at, kind).named(name).value(value)
    }

    /// Names the variable of the last step.
    pub fn named(mut self, name: &str) -> Run {
        if let Some(step) = self.steps.last_mut() {
            step.variable = Some(name.to_owned());
        }
        self
    }

    /// Gives the last step its value.
    pub fn value(mut self, value: &str) -> Run {
        if let Some(step) = self.steps.last_mut() {
            step.value = Some(value.to_owned());
        }
        self
    }
}

/// The two writers of x and y.
pub fn xy() -> Report {
    xy_with(Some(RACE_C))
}

pub fn xy_with(text: Option<&str>) -> Report {
    let (mut report, file) = empty(Verdict::Unsafe, "race.c", text);
    report.threads = vec![
        thread(0, "main", None),
        thread(1, "writer0", place(file, 20, 5, "main")),
        thread(2, "writer1", place(file, 21, 5, "main")),
    ];
    let run = Run::new(file)
        .step(0, (20, 5), StepKind::Create(1))
        .step(0, (21, 5), StepKind::Create(2))
        .access(1, (7, 7), StepKind::Write, "x", "0")
        .access(2, (13, 7), StepKind::Write, "x", "1")
        .access(2, (14, 7), StepKind::Write, "y", "1")
        .step(2, (15, 5), StepKind::End)
        .access(1, (8, 7), StepKind::Write, "y", "0")
        .step(1, (9, 5), StepKind::End)
        .step(0, (22, 5), StepKind::Join(1))
        .step(0, (23, 5), StepKind::Join(2))
        .access(0, (24, 5), StepKind::Read, "x", "1")
        .access(0, (24, 5), StepKind::Read, "y", "0");
    report.findings.push(Finding {
        place: place(file, 24, 5, "main"),
        threads: report.threads.clone(),
        schedule: run.steps,
        context_switches: 4,
        ..finding(assertion("x == y"))
    });
    report
}

/// Two locks in opposite order.
pub fn deadlock() -> Report {
    let (mut report, file) = empty(Verdict::Unsafe, "bank.c", Some(BANK_C));
    report.threads = vec![
        thread(0, "main", None),
        thread(1, "deposit", place(file, 19, 5, "main")),
        thread(2, "withdraw", place(file, 20, 5, "main")),
    ];
    let run = Run::new(file)
        .step(0, (19, 5), StepKind::Create(1))
        .step(0, (20, 5), StepKind::Create(2))
        .step(1, (7, 5), LOCK)
        .named("a")
        .step(2, (13, 5), LOCK)
        .named("b");
    let waits = |line, thread, lock: &str, holder| Remark {
        place: place(file, line, 5, "deposit"),
        what: RelatedKind::Step(Related::Waits(Wait {
            thread,
            awaited: Awaited::Object(SyncClass::Mutex, variable(lock)),
            held_by: Some(holder),
        })),
    };
    report.findings.push(Finding {
        place: place(file, 14, 5, "withdraw"),
        thread: 2,
        related: vec![waits(8, 1, "b", 2), waits(14, 2, "a", 1)],
        threads: report.threads.clone(),
        schedule: run.steps,
        context_switches: 2,
        ..finding(ViolationKind::LockCycle { threads: vec![1, 2] })
    });
    report
}

/// A data race of one line with itself, with inputs, locals and output.
pub fn race() -> Report {
    let (mut report, file) = empty(Verdict::Unsafe, "counter.c", Some(COUNTER_C));
    report.threads = vec![
        thread(0, "main", None),
        thread(1, "worker", place(file, 10, 5, "main")),
        thread(2, "worker", place(file, 11, 5, "main")),
    ];
    let run = Run::new(file)
        .access(0, (9, 5), StepKind::Write, "counter", "0")
        .step(0, (9, 9), StepKind::Input)
        .value("3")
        .step(0, (10, 5), StepKind::Create(1))
        .step(0, (11, 5), StepKind::Create(2))
        .step(1, (4, 5), StepKind::Output)
        .value("a")
        .access(1, (4, 5), StepKind::Local, "i", "1")
        .step(1, (4, 5), StepKind::Output)
        .value("b")
        .access(1, (4, 12), StepKind::Read, "counter", "0")
        .access(1, (4, 12), StepKind::Write, "counter", "1")
        .access(2, (4, 12), StepKind::Read, "counter", "1");
    report.findings.push(Finding {
        place: place(file, 4, 12, "worker"),
        thread: 2,
        related: vec![Remark { place: place(file, 4, 12, "worker"), what: other_access(1) }],
        inputs: vec![
            InputRow {
                thread: 0,
                place: place(file, 9, 9, "main"),
                source: InputSource::Call("__VERIFIER_nondet_int".to_owned()),
                value: "3".to_owned(),
            },
            InputRow {
                thread: 1,
                place: None,
                source: InputSource::Uninitialized,
                value: "-1".to_owned(),
            },
        ],
        threads: report.threads.clone(),
        schedule: run.steps,
        context_switches: 2,
        fewest_switches: false,
        output: "ab".to_owned(),
        objects: Vec::new(),
        mistake: None,
        diagnosis: None,
        comparison: None,
        localization: None,
        ..finding(ViolationKind::DataRace { variable: variable("counter"), writes: false })
    });
    report
}

fn other_access(thread: u32) -> RelatedKind {
    RelatedKind::Step(Related::OtherAccess { thread })
}

/// A data race of two lines.
pub fn race_of_two_lines() -> Report {
    let mut report = xy();
    report.properties = report.properties.with(Property::Race);
    for found in &mut report.findings {
        let other = found.schedule.iter().find(|step| step.kind == StepKind::Write);
        let place = other.and_then(|step| step.place.clone());
        found.schedule.truncate(4);
        found.related = vec![Remark { place, what: other_access(1) }];
        found.place = found.schedule.last().and_then(|step| step.place.clone());
        found.thread = 2;
        found.context_switches = 2;
        found.kind = ViolationKind::DataRace { variable: variable("x"), writes: true };
    }
    report
}

/// A loop was cut, and a function is not known.
pub fn inconclusive() -> Report {
    let (mut report, file) = empty(Verdict::Inconclusive, "ring.c", Some(RING_C));
    report.threads = vec![thread(0, "main", None), thread(1, "consumer", None)];
    let cut = Cut::Loop { iterations: 4 };
    let at = place(file, 4, 5, "consumer");
    report
        .reasons
        .push(Reason { kind: ReasonKind::Bound { cut, unwind: Some(4) }, place: at.clone() });
    report.bounds.unwind = Some(4);
    report.bounds.cut_loops.push(Remark { place: at, what: cut });
    report.unsupported.push(Remark {
        place: place(file, 5, 9, "consumer"),
        what: Unmodelled::MissingFunction("work".to_owned()),
    });
    report
}

/// Reasons with and without a place.
pub fn several_reasons() -> Report {
    let mut report = inconclusive();
    let assembly = Unmodelled::from(Untranslated::from("inline assembly"));
    let place = report.unsupported[0].place.clone();
    report.reasons.push(Reason { kind: ReasonKind::Unmodelled(assembly), place });
    let (again, mut cut) = (report.reasons[0].clone(), report.bounds.cut_loops[0].clone());
    cut.place = second_loop(&cut);
    report.reasons.push(Reason { place: cut.place.clone(), ..again });
    report.bounds.cut_loops.push(cut);
    let used_up = StopReason::Time(std::time::Duration::from_secs(60));
    report.reasons.push(Reason { kind: ReasonKind::Budget(used_up), place: None });
    report
}

/// The second loop of the file of a remark.
fn second_loop(remark: &Remark<Cut>) -> Option<Place> {
    let file = remark.place.as_ref()?.span.file;
    place(file, 10, 5, "producer")
}

/// Violations of two properties.
pub fn two_findings() -> Report {
    let mut report = xy();
    let mut races = race_of_two_lines().findings;
    races.iter_mut().for_each(|race| race.id = 2);
    report.findings.append(&mut races);
    report
}

pub fn safe() -> Report {
    let (mut report, _) = empty(Verdict::Safe, "race.c", Some(RACE_C));
    report.threads =
        vec![thread(0, "main", None), thread(1, "writer0", None), thread(2, "writer1", None)];
    report
}

/// A use after free whose free is in another file.
pub fn two_files() -> Report {
    let (mut report, user) =
        empty(Verdict::Unsafe, "user.c", Some("int use(int *p) {\n\treturn *p;\n}\n"));
    let pool = report.files.intern("lib/pool.c");
    report.files.set_text(
        pool,
        "void drop(int *p) {\r\n\tfree(p); /* gr\u{f6}\u{df}e */\r\n}\r\n".to_owned(),
    );
    report.threads = vec![thread(0, "main", None), thread(1, "dropper", None)];
    let run = Run::new(pool).step(1, (2, 2), StepKind::Free).named("p");
    report.findings.push(Finding {
        place: place(user, 2, 9, "use"),
        threads: report.threads.clone(),
        schedule: run.steps,
        context_switches: 1,
        ..finding(ViolationKind::UseAfterFree)
    });
    report
}

/// More threads than a table has columns for.
pub fn nine_threads() -> Report {
    let (mut report, file) = empty(Verdict::Unsafe, "counter.c", Some(COUNTER_C));
    report.threads =
        (0..9).map(|id| thread(id, if id == 0 { "main" } else { "worker" }, None)).collect();
    let mut run = Run::new(file);
    for id in 1..9 {
        run = run.step(0, (9, 5), StepKind::Create(id));
    }
    for id in 1..9 {
        run = run.access(id, (4, 5), StepKind::Read, "counter", "0");
    }
    for id in 1..9 {
        run = run.access(id, (4, 12), StepKind::Write, "counter", "1");
    }
    report.findings.push(Finding {
        place: place(file, 12, 5, "main"),
        threads: report.threads.clone(),
        schedule: run.steps,
        context_switches: 17,
        ..finding(assertion("counter == 8"))
    });
    report
}

const EURO_C: &str = "\
struct gate { int readers, writer; };
struct { struct gate gate; int rate; } euro;

void *reader(void *arg) {
    euro.gate.readers++;
    assert(!euro.gate.writer);
    euro.gate.readers--;
    return 0;
}

void *writer(void *arg) {
    euro.gate.writer = 1;
    euro.rate = 7;
    euro.gate.writer = 0;
    return 0;
}
";

/// Names so long that columns for all threads do not fit with them.
pub fn long_names() -> Report {
    let (mut report, file) = empty(Verdict::Unsafe, "euro.c", Some(EURO_C));
    let names = ["main", "reader", "reader", "writer"];
    report.threads = (0..).zip(names).map(|(id, name)| thread(id, name, None)).collect();
    let run = Run::new(file)
        .step(0, (20, 5), StepKind::Create(1))
        .step(0, (21, 5), StepKind::Create(2))
        .step(0, (22, 5), StepKind::Create(3))
        .access(1, (5, 22), StepKind::Read, "euro.gate.readers", "0")
        .access(1, (5, 22), StepKind::Write, "euro.gate.readers", "1")
        .access(2, (5, 22), StepKind::Read, "euro.gate.readers", "1")
        .access(2, (5, 22), StepKind::Write, "euro.gate.readers", "2")
        .access(3, (12, 22), StepKind::Write, "euro.gate.writer", "1")
        .access(3, (13, 15), StepKind::Write, "euro.rate", "7")
        .access(1, (6, 5), StepKind::Read, "euro.gate.writer", "1");
    report.findings.push(Finding {
        place: place(file, 6, 5, "reader"),
        thread: 1,
        threads: report.threads.clone(),
        schedule: run.steps,
        context_switches: 4,
        ..finding(assertion("!euro.gate.writer"))
    });
    report
}

/// One of each.
pub fn all() -> Vec<Report> {
    let mut all = checked();
    all.extend(diagnosed::all());
    all.extend(repaired::all());
    all.extend(localized::all());
    all
}

fn checked() -> Vec<Report> {
    vec![
        xy(),
        xy_with(None),
        deadlock(),
        race(),
        race_of_two_lines(),
        inconclusive(),
        several_reasons(),
        two_findings(),
        safe(),
        two_files(),
        nine_threads(),
        long_names(),
    ]
}
