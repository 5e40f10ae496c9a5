//! Every function that is modelled by code, and every one that prints or computes: what it touches,
//! what it returns, how it fails.
//!
//! Each row becomes C programs, and the built program must answer all of them: its use as its page
//! says is safe and keeps to its results; null, a freed block and one that is too small are memory
//! errors; another thread that uses the memory at the same time is a race; each error can happen.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/library_rows.rs"]
mod library_rows;
mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use library_rows::{ROWS, Row, Touch};
use support::{code, stdout, unravel};
use unravel_program::library::{Action, Primitive, models};

const HEAD: &str = "\
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <syslog.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static _Alignas(16) char memory[64] = \"abc\", other[64] = \"abc\";
static char *P = memory;
static void on_signal(int number) { (void)number; }
static void sched_yield_at_exit(void) { sched_yield(); }
#define WITH_ARGUMENTS(name, parameters, last, call) \\
    static int name(parameters const char *format, ...) { \\
        va_list arguments; va_start(arguments, last); int r = call; va_end(arguments); return r; }
#define TO char *to,
#define TO_N char *to, size_t n,
#define TO_NEW char **to,
WITH_ARGUMENTS(by_vprintf, , format, vprintf(format, arguments))
WITH_ARGUMENTS(by_vfprintf, , format, vfprintf(stderr, format, arguments))
WITH_ARGUMENTS(by_vdprintf, , format, vdprintf(2, format, arguments))
WITH_ARGUMENTS(by_vsyslog, , format, (vsyslog(LOG_INFO, format, arguments), 0))
WITH_ARGUMENTS(by_vsprintf, TO, format, vsprintf(to, format, arguments))
WITH_ARGUMENTS(by_vsnprintf, TO_N, format, vsnprintf(to, n, format, arguments))
WITH_ARGUMENTS(by_vasprintf, TO_NEW, format, vasprintf(to, format, arguments))
static void count_up(void *number) { ++*(int *)number; }
";

const EMPTY: &str = "static void *thread(void *a) { return a; }\n";
const WRITER: &str = "static void *thread(void *a) { P[0] = 'x'; return a; }\n";
const READER: &str = "static void *thread(void *a) { return P[0] == 'x' ? a : 0; }\n";

/// A program to check, with the exit code and the word that its report must contain.
struct Case {
    name: String,
    source: String,
    flags: Vec<&'static str>,
    exit: i32,
    word: &'static str,
}

#[test]
fn every_function_has_a_row() {
    let parsed = unravel_program::text::parse(models::source(8)).expect("parses");
    let mut names: BTreeSet<String> =
        models::modelled(&parsed).map(|function| function.name.clone()).collect();
    let computed = Primitive::all()
        .filter(|primitive| matches!(primitive.action(), Action::Math(_) | Action::Print(_)));
    names.extend(computed.map(|primitive| primitive.name().to_owned()));
    let rows: BTreeSet<String> = ROWS.iter().map(|row| row.name.to_owned()).collect();
    // The rows of attributes and names of threads are in `thread_library.rs`.
    let is_elsewhere = |name: &str| name.contains("attr_") || name == "pthread_setname_np";
    let missing: Vec<_> = names.difference(&rows).filter(|it| !is_elsewhere(it)).collect();
    let unknown: Vec<_> = rows.difference(&names).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "no row: {missing:?}; {unknown:?}");
}

#[test]
fn every_row_is_as_it_says() {
    let folder = std::env::temp_dir().join(format!("unravel-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let cases: Vec<Case> = ROWS.iter().flat_map(cases).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(failure(&folder, case));
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// What is wrong with the answer to a case, if anything.
fn failure(folder: &Path, case: &Case) -> Option<String> {
    let file = folder.join(format!("{}.c", case.name));
    std::fs::write(&file, &case.source).expect("written");
    let mut args = vec!["check", file.to_str().expect("a name")];
    args.extend(&case.flags);
    let output = unravel(&args);
    let report = stdout(&output);
    let (exit, said) = (code(&output), report.contains(case.word));
    (exit != case.exit || !said).then(|| {
        let lines: Vec<&str> = report.lines().take(4).collect();
        format!(
            "{}: exit code {exit}, not {} with {:?}\n  {}",
            case.name,
            case.exit,
            case.word,
            lines.join("\n  ")
        )
    })
}

fn cases(row: &Row) -> Vec<Case> {
    let holds = format!("    {};\n    assert({});\n", row.call, row.holds);
    let mut all = vec![case(row, "use", EMPTY, "", &holds, &[], 0, "safe")];
    for (index, possible) in row.possible.iter().enumerate() {
        let body = format!("    {};\n    if ({possible})\n        reach_error();\n", row.call);
        all.push(case(row, &format!("possible_{index}"), EMPTY, "", &body, &[], 1, "error"));
    }
    let Some((bytes, writes, may_be_null)) = row.touch.extent() else { return all };
    let call = format!("    {};\n", row.call);
    let null = "    P = 0;\n";
    if may_be_null {
        all.push(case(row, "null", EMPTY, null, &call, &[], 0, "safe"));
    } else {
        all.push(case(row, "null", EMPTY, null, &call, &[], 1, "error[null"));
    }
    let freed = format!("    P = malloc({bytes});\n    strcpy(P, \"\");\n    free(P);\n");
    all.push(case(row, "freed", EMPTY, &freed, &call, &[], 1, "error[use-after-free"));
    let small = match row.touch {
        Touch::Text | Touch::TextIfGiven => {
            "    P = malloc(2);\n    P[0] = P[1] = 'a';\n".to_owned()
        }
        _ => format!("    P = malloc({0});\n    strncpy(P, \"abc\", {0});\n", bytes - 1),
    };
    all.push(case(row, "small", EMPTY, &small, &call, &[], 1, "error[out-of-bounds"));
    let thread = if writes { READER } else { WRITER };
    all.push(case(row, "raced", thread, "", &call, &["--races"], 1, "error[data-race"));
    all
}

#[allow(clippy::too_many_arguments, reason = "the parts of a program")]
fn case(
    row: &Row,
    what: &str,
    thread: &str,
    before: &str,
    body: &str,
    flags: &[&'static str],
    exit: i32,
    word: &'static str,
) -> Case {
    let source = format!(
        "{HEAD}{thread}int main(void) {{\n    pthread_t t;\n{before}    pthread_create(&t, 0, thread, 0);\n{body}    \
         pthread_join(t, 0);\n    return 0;\n}}\n"
    );
    let number = ROWS.iter().position(|it| std::ptr::eq(it, row)).expect("a row");
    let name = format!("{}_{number}_{what}", row.name);
    Case { name, source, flags: flags.to_vec(), exit, word }
}
