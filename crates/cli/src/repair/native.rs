//! A run of the user's program: to its end, or until somebody has waited long enough.

use std::io::{Read, Result};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Times between two looks at a program: short ones first, since most programs end at once.
const FIRST_LOOK: Duration = Duration::from_micros(200);
const LAST_LOOK: Duration = Duration::from_millis(20);

/// The variable that tells a program which run it is, for delays that differ from run to run.
pub const RUN: &str = "UNRAVEL_TRY_RUN";

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with an exit code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// It did not end in time.
    Hangs,
    /// Its end was not waited for: a limit of the user's, or Ctrl-C.
    Stopped,
}

/// What to run, and how long to wait.
pub struct Run<'a> {
    pub program: &'a Path,
    pub arguments: &'a [String],
    /// The working directory.
    pub folder: &'a Path,
    pub number: u32,
    pub patience: Duration,
}

impl Run<'_> {
    /// Runs it. What it prints is read and thrown away, and what it starts ends with it.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run(&self, is_stopped: &dyn Fn() -> bool) -> Result<End> {
        let mut command = Command::new(self.program);
        command.args(self.arguments).env(RUN, self.number.to_string()).current_dir(self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.process_group(0).spawn()?;
        drain(child.stdout.take());
        drain(child.stderr.take());
        let end = self.wait(&mut child, is_stopped);
        // Whoever it started and left behind goes, too.
        kill(&child);
        let _ = child.wait();
        end
    }

    fn wait(&self, child: &mut Child, is_stopped: &dyn Fn() -> bool) -> Result<End> {
        let start = Instant::now();
        let mut look = FIRST_LOOK;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(ended(status));
            }
            if start.elapsed() >= self.patience {
                return Ok(End::Hangs);
            }
            if is_stopped() {
                return Ok(End::Stopped);
            }
            thread::sleep(look);
            look = (look * 2).min(LAST_LOOK);
        }
    }
}

fn ended(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Exit(code),
        (None, signal) => End::Signal(signal.unwrap_or_default()),
    }
}

/// Reads what a program prints, so that it never waits for a reader.
fn drain(pipe: Option<impl Read + Send + 'static>) {
    thread::spawn(move || pipe.map(|mut pipe| std::io::copy(&mut pipe, &mut std::io::sink())));
}

fn kill(child: &Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // There may be nobody left.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn shell(text: &str, patience: Duration) -> End {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["-c".to_owned(), text.to_owned()];
        let program = Path::new("/bin/sh");
        let run =
            Run { program, arguments: &arguments, folder: folder.path(), number: 7, patience };
        run.run(&|| false).unwrap()
    }

    #[test]
    fn ends_are_told_apart() {
        let long = Duration::from_secs(600);
        assert_eq!(shell("exit 3", long), End::Exit(3));
        assert_eq!(shell("exit $UNRAVEL_TRY_RUN", long), End::Exit(7));
        assert_eq!(shell("kill -ABRT $$", long), End::Signal(6));
        assert_eq!(shell("read line || exit 5", long), End::Exit(5));
        assert_eq!(shell("sleep 3600; true", Duration::from_millis(50)), End::Hangs);
    }
}
