//! What is looked for.

use std::path::{Path, PathBuf};

use unravel_driver::{CheckOptions, NoWatch};
use unravel_frontend::Options;
use unravel_program::Program;
use unravel_recorder::{Plan, run};
use unravel_report::model::Verdict;
use unravel_wire::{Kind, Record};

use super::{Line, State, programs};

/// Two threads, each of which may overwrite what the other has written.
const EXAMPLE: &str = "#include <assert.h>
#include <errno.h>
#include <pthread.h>
static int sum;
static void *add(void *arg) { sum = sum + 1; return arg; }
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(sum == 2);
    return 0;
}
";

/// A program for ThreadSanitizer: that it starts is all that is asked.
const EMPTY: &str = "int main(void) { return 0; }\n";

/// Memory that Unravel allows itself by default; with less, it should be told.
const WANTED_GIB: u64 = 4;

/// Events of the example, at most.
const MOST_EVENTS: u64 = 10_000;

/// All checks: what is required first.
pub fn all() -> Vec<Line> {
    let mut lines = vec![own(), clang(), check(), hooks(), wide()];
    lines.push(tool("gcc", "gcc", "a second opinion on the warnings of a repair"));
    lines.push(tool("git", "git", "`unravel repair --diff | git apply`"));
    lines.push(tool("patch", "patch", "`unravel repair --diff | patch -p1`"));
    lines.push(tool("gdb", "gdb", "`unravel replay --gdb`"));
    lines.push(thread_sanitizer());
    lines.push(tool("cbmc", "cbmc", "comparison, by `make bench` and `make tables`"));
    lines.push(peer("deagle", "by `make bench` and `make tables`"));
    lines.push(peer("genmc", "a model checker for weak memory, too"));
    lines.push(machine());
    lines
}

fn ok(what: &'static str, detail: String) -> Line {
    Line { state: State::Ok, what, detail }
}

fn optional(what: &'static str, detail: String) -> Line {
    Line { state: State::Optional, what, detail }
}

fn missing(what: &'static str, detail: String) -> Line {
    Line { state: State::Missing, what, detail }
}

fn own() -> Line {
    let (llvm, _) = unravel_frontend::versions();
    let (own, solver) = (env!("CARGO_PKG_VERSION"), unravel_driver::cadical_version());
    ok("unravel", format!("{own}, with CaDiCaL {solver} and LLVM {llvm}"))
}

fn clang() -> Line {
    match unravel_frontend::versions().1 {
        Some(version) => ok("clang", version),
        None => {
            let detail = "not found: clang 19 reads C; on Debian: apt install clang-19";
            missing("clang", detail.to_owned())
        }
    }
}

/// A program in a folder of its own, or why it cannot be written.
fn written(text: &str) -> Result<(tempfile::TempDir, PathBuf), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let path = folder.path().join("example.c");
    std::fs::write(&path, text).map_err(|error| format!("no temporary file: {error}"))?;
    Ok((folder, path))
}

/// Reads the example.
fn read(flags: &[&str]) -> Result<Program, String> {
    let (_folder, path) = written(EXAMPLE)?;
    let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
    let options = Options { flags, ..Options::default() };
    unravel_frontend::load(&[path], &options).map_err(|error| error.to_string())
}

/// The whole way, from C to a verdict.
fn check() -> Line {
    let verdict = read(&[]).and_then(|program| {
        let options = CheckOptions::new();
        let checked = unravel_driver::check(&program, &options, &mut NoWatch);
        checked.map(|it| it.report.verdict).map_err(|failure| failure.to_string())
    });
    match verdict {
        Ok(Verdict::Unsafe) => {
            ok("check", "a small program was read, and the bug in it was found".to_owned())
        }
        Ok(verdict) => {
            let word = verdict.word();
            missing("check", format!("a small program with a bug is said to be {word}"))
        }
        Err(error) => {
            let install = "C headers are in Debian's libc6-dev";
            missing("check", format!("a small program cannot be checked: {error}; {install}"))
        }
    }
}

/// The other way in: a program with hooks and the runtime, and a run of it.
fn hooks() -> Line {
    let recorded = written(EXAMPLE).and_then(|(folder, path)| {
        let binary = folder.path().join("example");
        let (source, target) = (path.to_string_lossy(), binary.to_string_lossy());
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        programs::succeeds(&own, &["cc", "-pthread", "-o", &target, &source])?;
        let mut records: Vec<Record> = Vec::new();
        let plan = Plan { quiet: true, limit: Some(MOST_EVENTS), ..Plan::new(&binary) };
        match run(&plan, &mut records) {
            Ok(_) => Ok(records.iter().filter(|it| it.kind() == Some(Kind::Start)).count()),
            Err(failure) => Err(format!("{failure:?}")),
        }
    });
    match recorded {
        Ok(3) => ok("hooks", "a program was built by `unravel cc`, and a run recorded".to_owned()),
        Ok(threads) => optional("hooks", format!("{threads} of 3 threads of a run were recorded")),
        Err(reason) => optional("hooks", format!("only for `unravel cc` and recording ({reason})")),
    }
}

/// Headers for 32 bits.
fn wide() -> Line {
    match read(&["-m32"]) {
        Ok(_) => ok("32 bit", "programs for 32 bits can be read (`-- -m32`)".to_owned()),
        Err(_) => {
            let what = "only for programs of 32 bits (`-- -m32`)";
            optional("32 bit", format!("{what}; on Debian: apt install libc6-dev-i386"))
        }
    }
}

fn tool(name: &'static str, package: &str, purpose: &str) -> Line {
    let install = format!("only for {purpose}; on Debian: apt install {package}");
    programs::version(name).map_or_else(|| optional(name, install), |version| ok(name, version))
}

fn peer(name: &'static str, purpose: &str) -> Line {
    let purpose = format!("only for comparison, {purpose}; Debian has no package");
    programs::version(name).map_or_else(|| optional(name, purpose), |version| ok(name, version))
}

/// Builds and starts a program under ThreadSanitizer.
fn thread_sanitizer() -> Line {
    let tried = written(EMPTY).and_then(|(folder, path)| {
        let binary = folder.path().join("example");
        let (source, target) = (path.to_string_lossy(), binary.to_string_lossy());
        let arguments = ["-fsanitize=thread", "-o", &target, &source];
        programs::succeeds(Path::new("clang-19"), &arguments)?;
        programs::succeeds(&binary, &[])
    });
    match tried {
        Ok(()) => ok("tsan", "ThreadSanitizer builds and runs a program".to_owned()),
        Err(reason) => {
            let purpose = "ThreadSanitizer, only for the tutorial and `make corpus`";
            let install = "on Debian: apt install libclang-rt-19-dev";
            optional("tsan", format!("{purpose}; {install} ({reason})"))
        }
    }
}

/// Cores and memory.
fn machine() -> Line {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let noun = if cores == 1 { "core" } else { "cores" };
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    match memory_gib(&text) {
        Some(gib) if gib < WANTED_GIB => {
            let advice = format!("give `--memory-limit` less than its default of {WANTED_GIB}G");
            optional("machine", format!("{cores} {noun}, {gib} GiB of memory: {advice}"))
        }
        Some(gib) => ok("machine", format!("{cores} {noun}, {gib} GiB of memory")),
        None => ok("machine", format!("{cores} {noun}; the memory is not known")),
    }
}

/// From `/proc/meminfo`, which counts in KiB; rounded, since a part is kept back by the kernel.
fn memory_gib(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kib + (1 << 19)) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_gib() {
        assert_eq!(memory_gib("MemTotal:       24597732 kB\nMemFree: 1 kB\n"), Some(23));
        assert_eq!(memory_gib("MemTotal: much\n"), None);
        assert_eq!(memory_gib(""), None);
    }
}
