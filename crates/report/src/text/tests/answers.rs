//! The other answers as the terminal shows them.

use expect_test::expect;

use super::{PLAIN, check};
use crate::examples;
use crate::model::{Command, CommandLine, Report};
use crate::text::render;

#[test]
fn a_cut_loop() {
    check(
        &examples::inconclusive(),
        PLAIN,
        expect![[r#"
            inconclusive: no violation found, but the search was cut
             --> ring.c:4:5
              |
            4 |     while (head == tail)
              |     ^^^^^ the loop was unrolled 4 times; it may go on
              |
              = help: try `--unwind 8`, or leave the bound out

            not modelled:
              ring.c:5:9  call of `work`, which no given file defines,

            SUMMARY: inconclusive: 0 violations of 4 properties; 2 threads, 1 loop cut, 1 not modelled, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn several_reasons() {
    check(
        &examples::several_reasons(),
        PLAIN,
        expect![[r#"
            inconclusive: no violation found, but the search was cut
              --> ring.c:4:5
               |
             4 |     while (head == tail)
               |     ^^^^^ the loop was unrolled 4 times; it may go on
            ...
            10 |     for (;;)
               |     ^^^ the loop was unrolled 4 times; it may go on
               |
               = help: try `--unwind 8`, or leave the bound out
            also: part of the program is not modelled
              --> ring.c:5:9
               |
             5 |         work();
               |         ^^^^^^ inline assembly is not modelled
               = help: replace it by code that Unravel can see, or leave this part out
            also: the search is not complete
               |
               = note: the time limit of 60 s was reached
               = help: use fewer threads or iterations, or raise `--time-limit` or `--memory-limit`

            SUMMARY: inconclusive: 0 violations of 4 properties; 2 threads, 2 loops cut, 1 not modelled, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn safe() {
    check(
        &examples::safe(),
        PLAIN,
        expect![[r#"
            safe: no violation in any schedule (exhaustive: 124 states, 3 threads, no loop cut, memory model
                  sc); checked: assertions, memory errors, deadlocks, misuse of locks and threads; not checked:
                  data races (--races), undefined arithmetic (--ub)

            SUMMARY: safe: 0 violations of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

fn called(words: &[&str]) -> Option<CommandLine> {
    let words = words.iter().map(|&it| it.to_owned()).collect();
    Some(CommandLine { words, has_environment: false })
}

#[test]
fn for_a_command_line() {
    let mut report = examples::safe();
    report.bounds.called = called(&["race", "3", "it's"]);
    report.bounds.calls_succeed = true;
    check(
        &report,
        PLAIN,
        expect![[r#"
        safe: no violation in any schedule for the command line `race 3 'it'\''s'` (exhaustive: 124 states,
              3 threads, no loop cut, memory model sc, calls of the system assumed to succeed); checked:
              assertions, memory errors, deadlocks, misuse of locks and threads; not checked: data races
              (--races), undefined arithmetic (--ub)

        SUMMARY: safe: 0 violations of 4 properties for the command line `race 3 'it'\''s'`; 3 threads, 0 loops cut, memory model sc, calls of the system assumed to succeed, 0.03s
    "#]],
    );
}

#[test]
fn without_a_second_thread() {
    let mut report = examples::safe();
    report.threads.truncate(1);
    check(
        &report,
        PLAIN,
        expect![[r#"
        safe: no second thread starts: the program creates none in any run, so this is no proof about
              threads; no violation in any schedule (exhaustive: 124 states, 1 thread, no loop cut, memory
              model sc); checked: assertions, memory errors, deadlocks, misuse of locks and threads; not
              checked: data races (--races), undefined arithmetic (--ub)

        SUMMARY: safe: no second thread starts; 0 violations of 4 properties; 1 thread, 0 loops cut, memory model sc, 0.03s
    "#]],
    );
    report.bounds.called = called(&["race"]);
    check(
        &report,
        PLAIN,
        expect![[r#"
        safe: no second thread starts: called without arguments, the program creates none (usually a usage
              message, not a proof); say what it is called with: --args '3 100'; no violation in any
              schedule for the command line `race` (exhaustive: 124 states, 1 thread, no loop cut, memory
              model sc); checked: assertions, memory errors, deadlocks, misuse of locks and threads; not
              checked: data races (--races), undefined arithmetic (--ub)

        SUMMARY: safe: no second thread starts; 0 violations of 4 properties for the command line `race`; 1 thread, 0 loops cut, memory model sc, 0.03s
    "#]],
    );
    report.bounds.called = called(&["race", "0"]);
    check(
        &report,
        PLAIN,
        expect![[r#"
        safe: no second thread starts: called as `race 0`, the program creates none (usually a usage
              message, not a proof); `--args` says what else to call it with; no violation in any schedule
              for the command line `race 0` (exhaustive: 124 states, 1 thread, no loop cut, memory model
              sc); checked: assertions, memory errors, deadlocks, misuse of locks and threads; not checked:
              data races (--races), undefined arithmetic (--ub)

        SUMMARY: safe: no second thread starts; 0 violations of 4 properties for the command line `race 0`; 1 thread, 0 loops cut, memory model sc, 0.03s
    "#]],
    );
}

/// Every command says that it was stopped, and what it knows.
#[test]
fn stopped() {
    use unravel_kinds::StopReason::{Interrupted, Memory, Time};
    let last = |report: &Report, reason, command| {
        let report = Report { stopped: Some(reason), command, ..report.clone() };
        let shown = render(&report, PLAIN);
        let lines = shown.lines().skip_while(|it| !it.starts_with("stopped: "));
        lines.take_while(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
    };
    let minute = Time(std::time::Duration::from_secs(60));
    let (nothing, failing) = (examples::inconclusive(), examples::xy());
    let mut partial = examples::diagnosed::partial();
    let said = [
        last(&nothing, minute, Command::Check),
        last(&failing, Memory(4 << 30), Command::Check),
        last(&failing, Interrupted, Command::Diagnose),
        last(&partial, minute, Command::Diagnose),
        last(&examples::repaired::none(), Interrupted, Command::Repair),
        last(&examples::repaired::two(), minute, Command::Repair),
        last(&failing, minute, Command::Compare),
        last(&examples::localized::values(), Interrupted, Command::Localize),
    ];
    expect![[r#"
        stopped: time limit of 60 s; no failing run is known, and not all runs were seen
        stopped: memory limit of 4096 MiB; one failing run is known
        stopped: interrupted; one failing run is known, its causes are not known
        stopped: time limit of 60 s; one failing run is known, its causes are not complete
        stopped: interrupted; one failing run is known, no repair was verified yet
        stopped: time limit of 60 s; one failing run is known, 2 repairs are verified, there may be better
                 ones
        stopped: time limit of 60 s; one failing run is known, no passing run is known
        stopped: interrupted; one failing run is known, 5 faults, there may be others"#]].assert_eq(&said.join("\n"));
    // What was not stopped says nothing.
    partial.stopped = None;
    assert!(!render(&partial, PLAIN).contains("stopped"));
}
