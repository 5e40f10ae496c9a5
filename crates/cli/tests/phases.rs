//! Every phase of every command hears the alarm: little work is done between two looks at it, and
//! little after it rang. Work is counted in requests for memory, so that no test depends on the speed
//! of the machine. A phase that forgets to look does all its work between two looks.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use support::engines::load;
use unravel_driver::{
    Alarm, CheckOptions, Checked, CompareOptions, Counts, Engine, InternalFailure, StopReason,
    Watch, check, compare, diagnose, localize,
};
use unravel_heap::{Heap, requests};
use unravel_interp::{Properties, Property};
use unravel_program::Program;
use unravel_report::model::Verdict;

#[global_allocator]
static HEAP: Heap = Heap;

/// Most work between two looks, and most after the alarm: a few hundredths of a second. The programs
/// below take each of the phases many times as much.
const MOST: u64 = 150_000;

/// Tells an engine what the alarm says.
struct Listener(Alarm);

impl Watch for Listener {
    fn check(&mut self, _counts: &Counts) -> Option<StopReason> {
        self.0.rings().then_some(StopReason::Interrupted)
    }
}

/// Locks, conditions, semaphores, joins, arrays and blocks, for many threads.
const BUSY: &str = r"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static sem_t tokens;
static int slots[64], first, last, done, seen;
struct note { struct note *next; int number; };
static struct note *notes;
static void *worker(void *unused) {
    for (int i = 0; i < 6; i++) {
        sem_wait(&tokens);
        struct note *note = malloc(sizeof *note);
        pthread_mutex_lock(&lock);
        while (first == last && !done)
            pthread_cond_wait(&ready, &lock);
        note->number = slots[first % 64];
        first++;
        note->next = notes;
        notes = note;
        pthread_mutex_unlock(&lock);
        seen++;
    }
    return unused;
}
int main(void) {
    pthread_t threads[10];
    sem_init(&tokens, 0, 0);
    for (int i = 0; i < 10; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 60; i++) {
        pthread_mutex_lock(&lock);
        slots[last % 64] = i;
        last++;
        pthread_cond_signal(&ready);
        pthread_mutex_unlock(&lock);
        sem_post(&tokens);
    }
    for (int i = 0; i < 10; i++)
        pthread_join(threads[i], 0);
    struct note *head = notes;
    notes = head->next;
    free(head);
    assert(first == last);
}
";

/// Two threads that lose updates, in a few steps.
const LOST: &str = r"
#include <assert.h>
#include <pthread.h>
static int count, sum;
static void *add(void *unused) {
    for (int i = 0; i < 3; i++) {
        count = count + 1;
        sum = sum + i;
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 6 && sum == 6);
}
";

/// Many pointers, among many functions.
fn pointers() -> String {
    let mut text = String::from(
        "#include <pthread.h>\n#include <stdlib.h>\nstruct n { struct n *a, *b, *(*f)(struct n *); };\n\
         extern struct n *(*all[60])(struct n *);\nstatic struct n *kept[8];\n",
    );
    for i in 0..60 {
        let (next, other) = ((i * 7 + 3) % 60, (i * 11 + 5) % 60);
        text.push_str(&format!(
            "static struct n *f{i}(struct n *x) {{ struct n *p = malloc(sizeof *p); p->a = x; \
             p->b = kept[{i} % 8]; p->f = all[{next}]; if (x) {{ x->a = p; x->f = all[{other}]; }} \
             kept[{i} % 8] = p; return p->f ? p->f(p->b) : p->a; }}\n"
        ));
    }
    let names: Vec<String> = (0..60).map(|i| format!("f{i}")).collect();
    text.push_str(&format!("struct n *(*all[60])(struct n *) = {{ {} }};\n", names.join(", ")));
    text.push_str("static void *run(void *x) { return f3(x); }\n");
    text.push_str("int main(void) { pthread_t t; pthread_create(&t, 0, run, kept[1]); f5(kept[0]); pthread_join(t, 0); }\n");
    text
}

type Ask = fn(&Program, &CheckOptions, &mut dyn Watch) -> Result<Checked, InternalFailure>;

fn by_solver(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    check(program, &CheckOptions { hand_over: false, ..options.clone() }, watch)
}

fn by_exploration(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    check(program, &CheckOptions { engine: Engine::Explore, ..options.clone() }, watch)
}

fn compared(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    let how =
        CompareOptions { equal_weights: false, linear: false, search: None, conflicts: 200_000 };
    compare(program, options, &how, watch)
}

fn diagnosed(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    diagnose(program, options, watch)
}

fn localized(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    localize(program, options, watch)
}

fn program(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("written");
    load(&path).expect("it compiles")
}

/// Asks with an alarm that rings at some look; looks at what follows.
fn stop_at(look: u64, name: &str, ask: Ask, program: &Program, properties: Properties) -> u64 {
    let alarm = Alarm::at_look(look, requests);
    let options = CheckOptions { properties, alarm: alarm.clone(), ..CheckOptions::new() };
    let answer = ask(program, &options, &mut Listener(alarm.clone()));
    let (between, since) = (alarm.most_work(), alarm.work_since());
    assert!(between <= MOST, "{name}: {between} between two looks, the alarm rings at {look}");
    let rang = alarm.looks() >= look;
    assert!(!rang || since <= MOST, "{name}: {since} after the alarm at look {look}");
    // What is cut short may contradict itself; it must only not be called safe.
    if let (true, Ok(checked)) = (rang, answer) {
        assert_ne!(checked.report.verdict, Verdict::Safe, "{name}, stopped at look {look}");
    }
    alarm.looks()
}

/// Looks at which the alarm rings: ever further apart, since phases grow longer.
fn looks() -> impl Iterator<Item = u64> {
    (0u64..14).map(|it| 1 + it.pow(4) * 15)
}

fn hears(name: &str, ask: Ask, program: &Program, properties: Properties) {
    for look in looks() {
        if stop_at(look, name, ask, program, properties) < look {
            return;
        }
    }
}

#[test]
fn phases_of_the_solver_hear_it() {
    let properties = Properties::by_default();
    hears("solver", by_solver, &program(BUSY), properties);
    hears("solver, races", by_solver, &program(BUSY), properties.with(Property::Race));
}

#[test]
fn the_exploration_hears_it() {
    hears("exploration", by_exploration, &program(BUSY), Properties::by_default());
}

#[test]
fn the_analysis_of_pointers_hears_it() {
    hears("pointers", by_solver, &program(&pointers()), Properties::by_default());
}

#[test]
fn commands_that_explain_hear_it() {
    let program = program(LOST);
    let commands: [(&str, Ask); 3] =
        [("diagnose", diagnosed), ("compare", compared), ("localize", localized)];
    for (name, ask) in commands {
        hears(name, ask, &program, Properties::by_default());
    }
}
