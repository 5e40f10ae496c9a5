//! One process: its time, its memory, what it printed.
//!
//! Memory is the kernel's high-water mark, read while the process lives. It is gone with the
//! process, so a thread reads it every millisecond; what is lost is growth in the last one, a few
//! percent at most beside `/usr/bin/time`.
//! (`wait4` would be exact and needs `unsafe`.)

use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A process that has ended, or was ended at the limit.
pub struct Measured {
    /// From start to end, in seconds.
    pub seconds: f64,
    /// High-water mark of the largest process of its tree, in MB.
    pub peak_mb: f64,
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// The limit ended it.
    pub timed_out: bool,
    /// Its standard output.
    pub output: String,
}

/// Runs `command`, its standard output going through the file `output`.
pub fn run(command: &mut Command, limit: Duration, output: &Path) -> io::Result<Measured> {
    // A file, not a pipe: nobody has to read along, which would disturb the time.
    command.stdin(Stdio::null()).stdout(File::create(output)?).stderr(Stdio::null());
    // Its own group, so that the limit ends what it has started, too.
    command.process_group(0);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let pid = child.id();
    let (done, ended) = channel();
    let (status, seconds, watched) = thread::scope(|scope| {
        let watcher = scope.spawn(move || watch(pid, start, limit, &ended));
        let status = child.wait();
        let seconds = start.elapsed().as_secs_f64();
        drop(done);
        (status, seconds, watcher.join().unwrap_or_default())
    });
    let output = String::from_utf8_lossy(&fs::read(output)?).into_owned();
    let (peak_kb, timed_out) = watched;
    let peak_mb = peak_kb as f64 / 1024.0;
    Ok(Measured { seconds, peak_mb, code: status?.code(), timed_out, output })
}

/// Follows a process until `ended` says so: its peak in kB, and whether the limit ended it.
fn watch(pid: u32, start: Instant, limit: Duration, ended: &Receiver<()>) -> (u64, bool) {
    let mut peak = 0;
    let mut killed = false;
    loop {
        peak = peak.max(largest(pid));
        if !killed && start.elapsed() >= limit {
            kill_group(pid);
            killed = true;
        }
        match ended.recv_timeout(Duration::from_millis(1)) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => return (peak, killed),
        }
    }
}

/// The standard library ends one process only, and a group needs `unsafe` or the shell.
fn kill_group(pid: u32) {
    // `-s KILL` and not `-KILL`: Debian's shell takes `--` only after the former.
    let kill = format!("kill -s KILL -- -{pid}");
    // An error means that it has ended by itself in the meantime.
    let _ = Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status();
}

/// High-water mark in kB of the largest process among `pid` and what it has started.
fn largest(pid: u32) -> u64 {
    let read = |file: &str| fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let own = high_water_mark(&read("status"));
    let children = read(&format!("task/{pid}/children"));
    let children = children.split_whitespace().filter_map(|child| child.parse().ok());
    children.map(largest).fold(own, u64::max)
}

fn high_water_mark(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration, name: &str) -> Measured {
        let output = std::env::temp_dir().join(format!("{name}.{}", std::process::id()));
        let measured = run(Command::new("sh").args(["-c", script]), limit, &output).unwrap();
        fs::remove_file(output).unwrap();
        measured
    }

    /// Only a process that hangs takes so long.
    const HANG_TIME: Duration = Duration::from_secs(30 * 60);

    #[test]
    fn a_process_that_ends() {
        let ended = shell("sleep 0.1; echo done; exit 3", HANG_TIME, "ends");
        assert_eq!(
            (ended.code, ended.output.as_str(), ended.timed_out),
            (Some(3), "done\n", false)
        );
        assert!(ended.seconds >= 0.1);
    }

    /// Whether a process is there and has not ended.
    fn is_running(pid: &str) -> bool {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit(") ").next().and_then(|it| it.chars().next());
        state.is_some_and(|it| it != 'Z')
    }

    #[test]
    fn a_process_that_does_not_end_is_ended_with_its_children() {
        let limit = Duration::from_secs(1);
        let ended = shell("sleep 86400 & echo $!; wait", limit, "never");
        assert!(ended.timed_out && ended.code.is_none() && ended.seconds >= 1.0);
        // Memory is read before the limit ends a process.
        assert!(ended.peak_mb > 0.0);
        // On a very slow machine the limit ends the shell before it has started its child.
        let child = ended.output.trim();
        let start = Instant::now();
        while !child.is_empty() && is_running(child) {
            assert!(start.elapsed() < HANG_TIME, "the child was not ended");
            thread::sleep(Duration::from_millis(10));
        }
    }
}
