//! Every change, cost and reason in words.

use expect_test::{Expect, expect};
use unravel_kinds::{ReasonKind, ViolationKind};

use super::*;

fn line(line: u32) -> Code {
    Code::Lines { first: line, last: line, function: Some("f".to_owned()) }
}

fn lines(first: u32, last: u32) -> Code {
    Code::Lines { first, last, function: None }
}

fn name(name: &str) -> String {
    name.to_owned()
}

#[track_caller]
fn check(all: impl IntoIterator<Item = String>, expected: Expect) {
    let all: Vec<String> = all.into_iter().collect();
    expected.assert_eq(&all.join("\n"));
}

fn titles(changes: Vec<Change>) -> Vec<String> {
    changes.into_iter().map(|it| title(&Changes::of(vec![it]))).collect()
}

#[test]
fn locks() {
    let what = || vec![lines(3, 4), line(7), Code::Function(name("g"))];
    let guard = |with| Change::Mutex { what: what(), with };
    let widen = |held, lifted: &[&str]| Change::Widen {
        what: vec![lines(3, 4)],
        held,
        callers_lock_for: lifted.iter().map(|it| name(it)).collect(),
    };
    let held = || HeldBy::Mutex(name("m"));
    let changes = vec![
        guard(GuardedBy::NewMutex(name("x_lock"))),
        guard(GuardedBy::Mutex(name("q->m"))),
        guard(GuardedBy::Statement(name("take(&m)"))),
        widen(held(), &[]),
        widen(held(), &["get"]),
        widen(held(), &["get", "set"]),
        widen(HeldBy::Statements { take: name("take(&m)"), give: name("give(&m)") }, &[]),
        Change::LockOrder(LockOrder::InnerFirst { inner: 9, outer: line(8) }),
        Change::LockOrder(LockOrder::ByAddress { lines: vec![8, 9] }),
    ];
    check(
        titles(changes),
        expect![[r#"
        guard lines 3 to 4, line 7 of f and g with one new mutex `x_lock`
        guard lines 3 to 4, line 7 of f and g with `q->m`
        guard lines 3 to 4, line 7 of f and g with `take(&m)`
        hold `m` all through lines 3 to 4
        hold `m` all through lines 3 to 4; the callers of `get` lock for it
        hold `m` all through lines 3 to 4; the callers of `get` and `set` lock for them
        keep lines 3 to 4 all between `take(&m)` and `give(&m)`
        take the lock of line 9 before that of line 8 of f
        take the locks of lines 8 and 9 in the order of their addresses"#]],
    );
}

#[test]
fn accesses_and_threads() {
    let changes = vec![
        Change::Atomic { variable: name("count") },
        Change::Move { line: 5, before: line(4) },
        Change::Join(Join::Thread { thread: name("t"), before: line(4), instead_of: None }),
        Change::Join(Join::Thread {
            thread: name("t"),
            before: line(4),
            instead_of: Some(line(9)),
        }),
        Change::Join(Join::BeforeCreation { thread: name("t"), other: name("u") }),
        Change::Join(Join::EachBeforeNext { thread: name("t") }),
        Change::Join(Join::FirstThread { before: line(4), is_creation: true }),
        Change::Join(Join::FirstThread { before: line(4), is_creation: false }),
        Change::Join(Join::StatementFirst { statement: line(4), thread: name("t") }),
        Change::Join(Join::CreatedAfter { thread: name("t"), statement: line(4) }),
    ];
    check(
        titles(changes),
        expect![[r#"
        make each update of `count` one atomic operation
        move line 5 before line 4 of f
        join `t` before line 4 of f
        join `t` before line 4 of f, instead of at line 9 of f
        join `t` before `u` is created
        join each `t` before the next is created
        join the first thread before the creation at line 4 of f
        join the first thread before line 4 of f
        move line 4 of f before the creation of `t`
        create `t` only after line 4 of f"#]],
    );
}

#[test]
fn waits_and_signals() {
    let signal = || line(6);
    let changes = vec![
        Change::SignalWait(SignalWait::Step { waiting: line(4), awaited: line(6) }),
        Change::SignalWait(SignalWait::Creation { creation: line(4), awaited: line(6) }),
        Change::SignalWait(SignalWait::NextCreation { thread: name("t"), passed: 6 }),
        Change::PredicateLoop(PredicateLoop::TestAgain { waits: vec![line(4)] }),
        Change::PredicateLoop(PredicateLoop::TestAgain { waits: vec![line(4), line(5)] }),
        Change::PredicateLoop(PredicateLoop::TestAgainAndLockSignal { wait: line(4) }),
        Change::PredicateLoop(PredicateLoop::LockSignal { signal: signal() }),
        Change::PredicateLoop(PredicateLoop::LockChangeAndSignal { signal: signal() }),
        Change::PredicateLoop(PredicateLoop::LockChangeAndWakeAll { signal: signal() }),
        Change::PredicateLoop(PredicateLoop::WakeAll { signal: signal() }),
        Change::PredicateLoop(PredicateLoop::WakeAllLocked { signal: signal() }),
        Change::PredicateLoop(PredicateLoop::RememberSignal),
    ];
    check(
        titles(changes),
        expect![[r#"
        let line 4 of f wait for line 6 of f
        let the creation at line 4 of f wait for line 6 of f
        create the next `t` when the last has passed line 6
        test again after the wait at line 4 of f
        test again after the waits at line 4 of f and line 5 of f
        test again after the wait at line 4 of f, and signal under the mutex
        signal at line 6 of f under the mutex
        change what is waited for and signal at line 6 of f under the mutex
        change what is waited for under the mutex, and wake all at line 6 of f
        wake all waiters at line 6 of f
        wake all waiters at line 6 of f, and do so under the mutex
        remember the signal in a flag that the wait tests"#]],
    );
}

#[test]
fn several_changes_of_one_repair() {
    let atomic = |variable: &str| Change::Atomic { variable: name(variable) };
    let first = Changes::of(vec![atomic("x"), atomic("y")]);
    let costs = Costs::of(vec![Cost::NoLock, Cost::NoLock]);
    let all = [title(&first.then(&Changes::of(vec![atomic("z")]))), cost(&costs.then(&costs))];
    check(
        all,
        expect![[r#"
        make each update of `x` one atomic operation; make each update of `y` one atomic operation; then make each update of `z` one atomic operation
        no lock; no lock"#]],
    );
}

#[test]
fn costs() {
    let sections =
        |new_mutex, sections, statements| Cost::Sections { new_mutex, sections, statements };
    let all = [
        vec![Cost::Nothing],
        vec![Cost::NoLock],
        vec![Cost::NoNewLock],
        vec![sections(true, 1, 1)],
        vec![sections(false, 2, 3)],
        vec![Cost::Flag],
        vec![Cost::Flag, Cost::Nothing, Cost::Flag],
        vec![Cost::WaitsForEnd],
        vec![Cost::NeverTogether],
    ];
    check(
        all.map(|it| cost(&Costs::of(it))),
        expect![[r#"
        nothing new
        no lock
        no new lock
        1 mutex, 1 critical section of 1 statement
        no new mutex, 2 critical sections of 3 statements
        1 flag with its mutex and condition variable
        2 flags, each with its mutex and condition variable; nothing new
        the thread that joins waits for the whole of the other
        the two threads never run at the same time"#]],
    );
}

#[test]
fn requirements() {
    let before = || Required::Before(CodeOrder { before: line(4), after: lines(6, 7) });
    let one = |parts: &[Code]| Required::OneAtATime(parts.to_vec());
    let all = [before(), one(&[line(4)]), one(&[line(4), line(4)]), one(&[line(4), line(9)])];
    let reasons = all.iter().flat_map(|it| {
        let it = std::slice::from_ref(it);
        [by_requirements(it, false), by_requirements(it, true)]
    });
    check(
        orders(&all).into_iter().chain(reasons.collect::<Vec<_>>()),
        expect![[r#"
        line 4 of f before lines 6 to 7
        line 4 of f in one thread at a time
        line 4 of f, one at a time
        line 4 of f and line 9 of f, one at a time
        line 4 of f always comes before lines 6 to 7
        line 4 of f always comes before lines 6 to 7
        no two threads are in line 4 of f at the same time
        nothing can come between the read and the write of one update
        no two threads are in line 4 of f at the same time
        nothing can come between the read and the write of one update
        line 4 of f and line 9 of f can no longer interleave
        nothing can come between the read and the write of one update"#]],
    );
}

#[test]
fn refusals() {
    let message = || name("what it says");
    let fails = || Box::new(ViolationKind::Abort);
    let all = [
        WhyRefused::NotWritten(message()),
        WhyRefused::EditsOverlap,
        WhyRefused::NotCompiled(message()),
        WhyRefused::StillFails { kind: fails(), line: Some(4) },
        WhyRefused::StillFails { kind: fails(), line: None },
        WhyRefused::NotVerified { reason: Some(ReasonKind::States) },
        WhyRefused::NotVerified { reason: None },
        WhyRefused::LeavesRace,
        WhyRefused::NeverEnds,
        WhyRefused::MayHang,
    ];
    check(
        all.map(|it| why_refused(&it)),
        expect![[r#"
            what it says
            two of its changes overlap
            it does not compile cleanly: what it says
            still fails: `abort` can be reached (line 4 of the patched file)
            still fails: `abort` can be reached
            it could not be verified: there are too many states to explore
            it could not be verified: no answer
            every schedule passes, but a data race is left on the same data
            no run of the patched program comes to its end
            some thread may run a loop of the patched program for ever"#]],
    );
}

#[test]
fn no_repair() {
    let all = [
        WhyNone::NotDiagnosed,
        WhyNone::FailsInEverySchedule,
        WhyNone::NoOrderKnown,
        WhyNone::NotModelled(unravel_kinds::Unmodelled::MissingFunction(name("work"))),
        WhyNone::NothingWritten,
        WhyNone::NoneHelps,
        WhyNone::Stopped,
    ];
    check(
        all.map(|it| why_none(&it)),
        expect![[r#"
            no repair was looked for: which orders make it fail is not known
            no order repairs it: it fails in every schedule, so its cause is a value, not an order
            no order of steps is known to be its cause, so no other order was tried
            no change can be verified: call of `work`, which no given file defines, is not modelled
            no change that enforces other orders can be written here
            none of the changes that were tried makes every schedule pass
            repairs were not looked for to the end: the search was stopped"#]],
    );
}
