//! Runs of a compiled program under ThreadSanitizer, and what peers say about its text.
//!
//! ThreadSanitizer knows no C11 threads and keeps a process alive whose `main` has called
//! `pthread_exit`; programs with either run without it. A program that does not link calls what
//! nobody defines (`__VERIFIER_*`) and cannot run.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::{Claim, Difference, Races};
use crate::support::HANG_TIME;

/// How often peers let a loop turn: more than any loop of the corpus does.
const UNWIND: &str = "8";

/// How a run ended.
struct Ended {
    /// None if it had to be stopped.
    status: Option<ExitStatus>,
    said: String,
}

/// Runs a program a number of times; says what went wrong first.
pub fn run(source: &Path, number: usize, races: &Races) -> Option<Difference> {
    let text = std::fs::read_to_string(source).expect("readable");
    let is_known = !text.contains("threads.h") && !text.contains("pthread_exit");
    let binary = built(source, is_known)?;
    (0..number).find_map(|_| wrong(&ended(&binary, races), races))
}

/// The binary; `None` if it does not link.
fn built(source: &Path, with_sanitizer: bool) -> Option<PathBuf> {
    let binary = source.with_extension("bin");
    let flags: &[&str] = if with_sanitizer { &["-fsanitize=thread"] } else { &[] };
    let output = Command::new("clang-19")
        .args(["-std=gnu11", "-g", "-O1", "-w", "-pthread", "-o"])
        .arg(&binary)
        .args(flags)
        .arg(source)
        .arg("-lm")
        .output()
        .expect("clang starts");
    output.status.success().then_some(binary)
}

fn ended(binary: &Path, races: &Races) -> Ended {
    // Orders of locks are left to the exploration: a gate makes any of them right. Names take a
    // process of their own for each race, and matter only if some of them are fine.
    let names = u8::from(matches!(races.claim, Claim::NotKnown));
    // Threads that outlive `main` have microseconds of work: a second each time to wait for them,
    // which is the default, would be most of an hour.
    let options = format!(
        "exitcode=0:detect_deadlocks=0:report_thread_leaks=0:atexit_sleep_ms=20:symbolize={names}"
    );
    let mut child = Command::new(binary)
        .env("TSAN_OPTIONS", options)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stderr.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read until an error counts.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break Some(status);
        }
        if start.elapsed() > HANG_TIME {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    Ended { status, said: reader.join().expect("it reads") }
}

/// What is wrong with a run, if anything.
fn wrong(ended: &Ended, races: &Races) -> Option<Difference> {
    let Some(status) = ended.status else {
        return Some(Difference::new("a run hangs", ended.said.clone()));
    };
    let died = ["Assertion `", "DEADLYSIGNAL"].iter().any(|it| ended.said.contains(it));
    if status.code().is_none() || died {
        return Some(Difference::new("a run fails", format!("{status}: {}", ended.said)));
    }
    ended.said.split("WARNING: ThreadSanitizer: ").skip(1).find_map(|report| {
        let Some(race) = report.strip_prefix("data race") else {
            let kind = report.lines().next().unwrap_or_default();
            return Some(Difference::new("a run misuses something", kind));
        };
        let is_bad = match races.claim {
            Claim::NoneIsLeft => true,
            // Which ones are left is not a matter of chance: see `Patched::race`.
            Claim::SomeIsLeft => false,
            Claim::NotKnown => location(race).is_some_and(|it| races.concern(it)),
        };
        is_bad.then(|| Difference::new("a run has a data race", report))
    })
}

/// The variable that a report of a race names; a static one of a function is called
/// `function.variable` there.
fn location(report: &str) -> Option<&str> {
    let name = report.split_once("Location is global '")?.1.split_once('\'')?.0;
    name.rsplit('.').next()
}

/// Seconds that a peer has for one patch: there are about seven hundred.
const PEER_SECONDS: &str = "10";

/// What CBMC and Deagle say, where they are on the PATH. CBMC takes the operations of C11's atomic
/// types apart, and its `sem_wait` waits for nothing (6.3.1: the body in its library is empty), and so
/// it finds failures that cannot happen; it is not asked about these.
pub fn peers(source: &Path) -> Vec<Difference> {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    let unknown_to_cbmc =
        ["stdatomic.h", "_Atomic", "semaphore.h"].iter().any(|it| text.contains(it));
    let flags: [(&str, &[&str]); 2] =
        [("cbmc", &["--64", "--no-standard-checks"]), ("deagle", &["--allow-pointer-unsoundness"])];
    let refutes = |(peer, flags): (&str, &[&str])| {
        if peer == "cbmc" && unknown_to_cbmc {
            return None;
        }
        let mut command = Command::new("timeout");
        command.args([PEER_SECONDS, peer, "--unwind", UNWIND, "--unwinding-assertions"]);
        // Not on the PATH, or no answer in time: there is nothing to hold against it.
        let output = command.args(flags).arg(source).output().ok()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let failed = failed(&said);
        let refutes = output.status.code() == Some(10) && !failed.is_empty();
        refutes.then(|| Difference::new(format!("{peer} refutes it"), failed))
    };
    flags.into_iter().filter_map(refutes).collect()
}

/// What fails, but for bounds of loops, since that one is too small says nothing, and for CBMC's
/// read-write locks: the first of two readers that unlocks takes the lock from the other. Of a
/// program with a function that it does not know it knows nothing.
fn failed(said: &str) -> String {
    if said.contains("no body for callee") {
        return String::new();
    }
    let failed = said.lines().filter(|line| line.ends_with(": FAILURE"));
    let counts =
        |it: &&str| !it.contains("unwinding assertion") && !it.starts_with("[pthread_rwlock_");
    failed.filter(counts).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_bound_that_is_too_small_refutes_nothing() {
    let bound = "[f.unwind.0] line 3 unwinding assertion loop 0: FAILURE\n";
    let readers = "[pthread_rwlock_unlock.assertion.1] line 10 must hold lock: FAILURE\n";
    let bug = "[main.assertion.1] line 9 assertion x == 2: FAILURE\n";
    assert_eq!(failed(bound), "");
    assert_eq!(failed(readers), "");
    assert_eq!(failed(&format!("[f.no-body.g] line 3 no body for callee g: FAILURE\n{bug}")), "");
    assert_eq!(failed(&format!("{bound}{bug}{readers}")), bug.trim_end());
}

#[test]
fn a_race_counts_unless_it_is_known() {
    let report =
        "WARNING: ThreadSanitizer: data race (pid=1)\n  Location is global 'main.x' of size 4";
    let ended = || Ended { status: Some(ExitStatus::default()), said: report.to_owned() };
    let races = |claim, name: &str| Races { claim, variables: vec![name.to_owned()] };
    let is_wrong = |races: &Races| wrong(&ended(), races).is_some();
    assert!(is_wrong(&races(Claim::NoneIsLeft, "y")));
    assert!(is_wrong(&races(Claim::NotKnown, "x.member")));
    assert!(!is_wrong(&races(Claim::NotKnown, "xy")));
    assert!(!is_wrong(&races(Claim::SomeIsLeft, "x")));
    assert!(wrong(&Ended { status: None, ..ended() }, &races(Claim::SomeIsLeft, "x")).is_some());
}
