//! Runs written by hand: what each shows.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use unravel_interp::schedule::{End, Step, ThreadInfo};
use unravel_interp::{Schedule, ThreadId, Violation};
use unravel_kinds::{
    Awaited, Deed, Holder, Mistake, Related, Spin, StepKind, SyncClass, Variable, ViolationKind,
    Wait,
};
use unravel_program::{FunctionId, Program, Site, SiteId, Target, Types};
use unravel_span::{Files, Span};

use crate::{Evidence, Order, Shape, Spot, mistake, spots};

/// A run: each step is a thread, a line, and what it does there.
struct Run {
    steps: Vec<Step>,
    held: Vec<(ThreadId, Variable)>,
}

fn named(name: &str) -> Variable {
    Variable::Named(name.to_owned())
}

impl Run {
    fn new() -> Run {
        let run = Run { steps: Vec::new(), held: Vec::new() };
        run.step(0, 1, StepKind::Create(1), None, None).step(0, 2, StepKind::Create(2), None, None)
    }

    fn step(
        mut self,
        thread: u32,
        line: u32,
        kind: StepKind,
        variable: Option<Variable>,
        value: Option<&str>,
    ) -> Run {
        let (thread, site, value) = (ThreadId(thread), SiteId(line), value.map(str::to_owned));
        let continues = false;
        self.steps.push(Step { decision: 0, thread, site, kind, variable, value, continues });
        self
    }

    fn reads(self, thread: u32, line: u32, name: &str) -> Run {
        self.step(thread, line, StepKind::Read, Some(named(name)), Some("0"))
    }

    fn writes(self, thread: u32, line: u32, name: &str, value: &str) -> Run {
        self.step(thread, line, StepKind::Write, Some(named(name)), Some(value))
    }

    fn does(self, thread: u32, line: u32, deed: Deed, name: &str) -> Run {
        let code = (deed != Deed::Wait).then_some(0);
        self.step(thread, line, StepKind::Sync { deed, code }, Some(named(name)), None)
    }

    fn locks(self, thread: u32, line: u32, lock: &str) -> Run {
        self.does(thread, line, Deed::Lock, lock)
    }

    fn unlocks(self, thread: u32, line: u32, lock: &str) -> Run {
        self.does(thread, line, Deed::Unlock, lock)
    }

    fn holding(mut self, thread: u32, lock: &str) -> Run {
        self.held.push((ThreadId(thread), named(lock)));
        self
    }

    fn ends_in(self, violation: Violation) -> Schedule {
        let thread =
            |id: u32| ThreadInfo { id: ThreadId(id), name: format!("t{id}"), created_at: None };
        Schedule {
            decisions: Vec::new(),
            threads: (0..3).map(thread).collect(),
            steps: self.steps,
            inputs: Vec::new(),
            output: String::new(),
            held: self.held,
            end: End::Violation(violation),
        }
    }
}

fn assertion(thread: u32, line: u32) -> Violation {
    let kind = ViolationKind::Assertion { text: "ok".to_owned() };
    Violation { kind, thread: ThreadId(thread), site: SiteId(line), related: Vec::new() }
}

fn deadlock(waits: Vec<(u32, u32, Awaited)>) -> Violation {
    let threads = waits.iter().map(|it| it.0).collect();
    let wait = |(thread, line, awaited): (u32, u32, Awaited)| {
        (SiteId(line), Related::Waits(Wait { thread, awaited, held_by: None }))
    };
    Violation {
        kind: ViolationKind::NoProgress { threads },
        thread: ThreadId(1),
        site: SiteId(0),
        related: waits.into_iter().map(wait).collect(),
    }
}

fn mutex(name: &str) -> Awaited {
    Awaited::Object(SyncClass::Mutex, named(name))
}

/// A program in which the site of each number stands on the line of that number.
fn program() -> Program {
    let mut files = Files::new();
    let file = files.intern("a.c");
    let site = |line: u32| Site {
        span: Some(Span { file, line, column: 1 }),
        function: "f".to_owned(),
        inlined_at: None,
        hook: None,
    };
    Program {
        target: Target { pointer_bytes: 8 },
        files,
        types: Types::default(),
        sites: (0..100).map(site).collect(),
        globals: Vec::new(),
        functions: Vec::new(),
        constructors: Vec::new(),
        main: FunctionId(0),
        arguments: Vec::new(),
        unsupported: Vec::new(),
    }
}

/// The code of the mistake and the line at fault.
fn of(run: &Schedule, orders: &[Order], shape: Option<&Shape>) -> Option<(&'static str, u32)> {
    of_runs(run, &[], orders, shape)
}

fn of_runs(
    failing: &Schedule,
    passing: &[Schedule],
    orders: &[Order],
    shape: Option<&Shape>,
) -> Option<(&'static str, u32)> {
    let End::Violation(violation) = &failing.end else { panic!("the run fails") };
    let program = program();
    let evidence = Evidence { program: &program, failing, violation, passing, orders, shape };
    let found = mistake(&evidence)?;
    Some((found.code(), found.at()?.site.0))
}

/// The spot of the step on a line.
fn at(run: &Schedule, thread: u32, line: u32) -> Spot {
    let is_it = |it: &Spot| it.thread == thread && it.site.0 == line;
    spots(run).into_iter().find(is_it).expect("a step there")
}

fn order(before: Spot, after: Spot) -> Order {
    Order { before, after, passing: None }
}

#[test]
fn a_write_without_the_lock_between_a_test_and_its_wait() {
    let run = Run::new()
        .locks(1, 10, "m")
        .reads(1, 11, "stop")
        .writes(0, 20, "stop", "1")
        .does(0, 21, Deed::Broadcast, "c")
        .does(1, 12, Deed::Wait, "c")
        .ends_in(deadlock(vec![(1, 12, Awaited::Signal(named("c")))]));
    assert_eq!(of(&run, &[], None), Some(("unlocked-access", 20)));
}

#[test]
fn a_test_before_the_lock_is_taken() {
    let run = Run::new()
        .reads(1, 10, "done")
        .locks(0, 20, "m")
        .writes(0, 21, "done", "1")
        .does(0, 22, Deed::Signal, "c")
        .unlocks(0, 23, "m")
        .locks(1, 11, "m")
        .does(1, 12, Deed::Wait, "c")
        .ends_in(deadlock(vec![(1, 12, Awaited::Signal(named("c")))]));
    assert_eq!(of(&run, &[], None), Some(("unlocked-access", 10)));
}

#[test]
fn a_signal_before_a_wait_that_tests_nothing() {
    let run = Run::new()
        .does(0, 20, Deed::Signal, "c")
        .locks(1, 10, "m")
        .does(1, 11, Deed::Wait, "c")
        .ends_in(deadlock(vec![(1, 11, Awaited::Signal(named("c")))]));
    assert_eq!(of(&run, &[], None), Some(("signal-early", 11)));
}

#[test]
fn a_change_without_a_signal() {
    let run = Run::new()
        .locks(1, 10, "m")
        .reads(1, 11, "n")
        .does(1, 12, Deed::Wait, "c")
        .locks(0, 20, "m")
        .writes(0, 21, "n", "1")
        .unlocks(0, 22, "m")
        .ends_in(deadlock(vec![(1, 12, Awaited::Signal(named("c")))]));
    assert_eq!(of(&run, &[], None), Some(("no-signal", 21)));
}

#[test]
fn locks_in_different_orders_and_twice() {
    let run = Run::new()
        .locks(1, 10, "a")
        .locks(2, 20, "b")
        .holding(1, "a")
        .holding(2, "b")
        .ends_in(deadlock(vec![(1, 11, mutex("b")), (2, 21, mutex("a"))]));
    assert_eq!(of(&run, &[], None), Some(("lock-order", 21)));
    let run =
        Run::new().locks(1, 10, "a").holding(1, "a").ends_in(deadlock(vec![(1, 11, mutex("a"))]));
    assert_eq!(of(&run, &[], None), Some(("locked-twice", 11)));
}

#[test]
fn a_lock_that_is_never_given_back() {
    let run = Run::new()
        .locks(1, 10, "a")
        .step(1, 13, StepKind::End, None, None)
        .holding(1, "a")
        .ends_in(deadlock(vec![(2, 20, mutex("a"))]));
    assert_eq!(of(&run, &[], None), Some(("not-unlocked", 10)));
}

#[test]
fn a_wait_without_a_second_test() {
    let run = |again: bool| {
        let run = Run::new().locks(1, 10, "m").reads(1, 11, "n").does(1, 12, Deed::Wait, "c").does(
            1,
            12,
            Deed::Wake,
            "c",
        );
        let run = if again { run.reads(1, 11, "n") } else { run };
        run.reads(1, 13, "n").ends_in(assertion(1, 13))
    };
    assert_eq!(of(&run(false), &[], None), Some(("not-retested", 12)));
    assert_eq!(of(&run(true), &[], None), None, "a loop tests again");
}

#[test]
fn the_one_access_without_the_lock() {
    let run = Run::new()
        .reads(1, 10, "balance")
        .locks(2, 11, "m")
        .reads(2, 12, "balance")
        .writes(2, 13, "balance", "50")
        .unlocks(2, 14, "m")
        .locks(1, 11, "m")
        .writes(1, 13, "balance", "-30")
        .unlocks(1, 14, "m")
        .ends_in(assertion(0, 30));
    let orders = [order(at(&run, 1, 10), at(&run, 2, 13)), order(at(&run, 2, 13), at(&run, 1, 13))];
    assert_eq!(of(&run, &orders, None), Some(("unlocked-access", 10)));
}

#[test]
fn what_main_does_while_it_is_alone_needs_no_lock() {
    let run = Run::new()
        .locks(1, 10, "m")
        .writes(1, 11, "n", "1")
        .unlocks(1, 12, "m")
        .step(0, 20, StepKind::Join(1), None, None)
        .step(0, 21, StepKind::Join(2), None, None)
        .reads(0, 22, "n")
        .ends_in(assertion(0, 22));
    let orders = [order(at(&run, 1, 11), at(&run, 0, 22))];
    assert_eq!(of(&run, &orders, None), None);
}

/// T1 sets `flag` and then `data`; T2 reads both in this order.
fn published(value: &str, data: &str) -> Schedule {
    Run::new()
        .writes(1, 10, "flag", value)
        .reads(2, 20, "flag")
        .reads(2, 21, data)
        .writes(1, 11, data, "1")
        .ends_in(assertion(2, 21))
}

#[test]
fn a_pointer_that_others_get_too_early() {
    let run = published("&box", "box.data");
    let orders = [order(at(&run, 1, 10), at(&run, 2, 20)), order(at(&run, 2, 21), at(&run, 1, 11))];
    assert_eq!(of(&run, &orders, None), Some(("published-early", 10)));
}

#[test]
fn a_flag_is_a_gate_only_if_without_it_nobody_comes_to_the_second_step() {
    let run = published("1", "data");
    let gated = Run::new().reads(2, 20, "flag").ends_in(assertion(0, 0));
    let open = Run::new().reads(2, 20, "flag").reads(2, 21, "data").ends_in(assertion(0, 0));
    let orders = [
        Order { passing: Some(0), ..order(at(&run, 1, 10), at(&run, 2, 20)) },
        order(at(&run, 2, 21), at(&run, 1, 11)),
    ];
    assert_eq!(of_runs(&run, &[gated], &orders, None), Some(("published-early", 10)));
    let shape = Shape::Torn {
        region: (at(&run, 1, 10), at(&run, 1, 11)),
        by: (at(&run, 2, 20), at(&run, 2, 21)),
    };
    let found = of_runs(&run, &[open], &orders, Some(&shape));
    assert_eq!(found, Some(("no-lock", 10)), "both are read in any case");
}

#[test]
fn a_section_that_ends_too_early() {
    let run = Run::new()
        .locks(1, 10, "m")
        .reads(1, 11, "n")
        .unlocks(1, 12, "m")
        .locks(2, 20, "m")
        .writes(2, 21, "n", "0")
        .unlocks(2, 22, "m")
        .locks(1, 13, "m")
        .writes(1, 14, "n", "-1")
        .unlocks(1, 15, "m")
        .ends_in(assertion(1, 16));
    let orders = [order(at(&run, 1, 11), at(&run, 2, 21)), order(at(&run, 2, 21), at(&run, 1, 14))];
    let by = at(&run, 2, 21);
    let shape = Shape::Torn { region: (at(&run, 1, 11), at(&run, 1, 14)), by: (by.clone(), by) };
    assert_eq!(of(&run, &orders, Some(&shape)), Some(("lock-given-back", 12)));
}

#[test]
fn what_comes_too_early() {
    let run = Run::new()
        .step(1, 10, StepKind::Free, Some(named("block")), None)
        .reads(2, 20, "block.data")
        .ends_in(assertion(2, 20));
    let pair = (at(&run, 1, 10), at(&run, 2, 20));
    let shape = Shape::Early(vec![pair.clone()]);
    let orders = [order(pair.0, pair.1)];
    assert_eq!(of(&run, &orders, Some(&shape)), Some(("ended-in-use", 10)));

    let run =
        Run::new().reads(1, 10, "config").writes(0, 20, "config", "1").ends_in(assertion(1, 10));
    let pair = (at(&run, 1, 10), at(&run, 0, 20));
    let shape = Shape::Early(vec![pair.clone()]);
    let orders = [order(pair.0, pair.1)];
    assert_eq!(of(&run, &orders, Some(&shape)), Some(("started-early", 1)));
}

/// A thread looks at an address, and another frees what is there.
fn looked_at(user: impl Fn(Run) -> Run) -> Option<(&'static str, u32)> {
    let block = || Some(Variable::Heap { line: 5, nth: 1, offset: 0 });
    let run = user(Run::new())
        .locks(2, 20, "m")
        .writes(2, 21, "current", "NULL")
        .unlocks(2, 22, "m")
        .step(2, 23, StepKind::Free, block(), None)
        .step(1, 13, StepKind::Read, block(), Some("0"))
        .ends_in(assertion(1, 13));
    let pair = (at(&run, 2, 23), at(&run, 1, 13));
    let shape = Shape::Early(vec![pair.clone()]);
    of(&run, &[order(pair.0, pair.1)], Some(&shape))
}

fn looks(run: Run) -> Run {
    run.step(1, 11, StepKind::Read, Some(named("current")), Some("heap@5"))
}

#[test]
fn who_looks_at_an_address_without_the_lock_is_at_fault_for_its_end() {
    assert_eq!(looked_at(looks), Some(("unlocked-access", 11)));
}

#[test]
fn a_lock_that_is_given_back_before_the_use_is_at_fault_for_its_end() {
    let early = |run: Run| looks(run.locks(1, 10, "m")).unlocks(1, 12, "m");
    assert_eq!(looked_at(early), Some(("lock-given-back", 12)));
}

#[test]
fn a_wait_in_a_loop_that_counts_its_waiters_is_none() {
    let run = Run::new()
        .locks(1, 10, "m")
        .reads(1, 11, "n")
        .reads(1, 12, "waiters")
        .writes(1, 12, "waiters", "1")
        .does(1, 13, Deed::Wait, "c")
        .does(1, 13, Deed::Wake, "c")
        .reads(1, 14, "waiters")
        .writes(1, 14, "waiters", "0")
        .reads(1, 11, "n")
        .reads(1, 15, "n")
        .ends_in(assertion(1, 15));
    assert_eq!(of(&run, &[], None), None);
}

#[test]
fn who_spins_with_a_lock_has_not_ended() {
    let spin = Spin { thread: 1, until: vec![named("flag")], others: Vec::new() };
    let mut violation = deadlock(vec![(2, 20, mutex("a"))]);
    violation.related.push((SiteId(11), Related::Spins(spin)));
    let run = Run::new().locks(1, 10, "a").reads(1, 11, "flag").holding(1, "a").ends_in(violation);
    let program = program();
    let End::Violation(violation) = &run.end else { panic!("the run fails") };
    let (passing, orders, shape) = (&[], &[], None);
    let evidence = Evidence { program: &program, failing: &run, violation, passing, orders, shape };
    let Some(Mistake::NotUnlocked { holder, .. }) = mistake(&evidence) else {
        panic!("it holds it")
    };
    assert_eq!(holder, Holder::Spins);
}

#[test]
fn who_wakes_without_a_signal_and_tests_nothing_goes_on() {
    let run = |wakeup: StepKind| {
        let run = Run::new().locks(1, 10, "m").does(1, 11, Deed::Wait, "c");
        let run = run.step(1, 11, wakeup, Some(named("c")), None).unlocks(1, 12, "m");
        of(&run.ends_in(assertion(1, 20)), &[], None)
    };
    assert_eq!(run(StepKind::SpuriousWake), Some(("not-retested", 11)));
    assert_eq!(run(StepKind::Sync { deed: Deed::Wake, code: Some(0) }), None);
}
