//! Another program, run to its end or to the user's limit.
//!
//! The child has a process group of its own, so that a script that stands for a compiler ends
//! together with what it started. Its output is read by threads: nobody waits for a pipe that stays
//! open.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use unravel_watch::Alarm;

/// Time between two looks at the alarm.
const LOOK: Duration = Duration::from_millis(20);

/// Time between two looks at a child that has closed its output and will end soon.
const MOMENT: Duration = Duration::from_millis(1);

/// Runs a command to its end.
///
/// # Errors
/// Those of the operating system; [`ErrorKind::Interrupted`] if the alarm rang first.
pub(crate) fn run(mut command: Command, input: Option<&[u8]>, alarm: &Alarm) -> Result<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    // If it does not want the input, its own message is the one to show.
    if let (Some(mut pipe), Some(text)) = (child.stdin.take(), input.map(<[u8]>::to_vec)) {
        thread::spawn(move || pipe.write_all(&text));
    }
    let output = read(child.stdout.take());
    let messages = read(child.stderr.take());
    let ended = collect(&output, alarm).and_then(|stdout| {
        let stderr = collect(&messages, alarm)?;
        Ok(Output { status: wait(&mut child, alarm)?, stdout, stderr })
    });
    if ended.is_err() {
        end(&mut child);
    }
    ended
}

/// Reads a pipe to its end, in a thread.
fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read before an error is all there is.
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        let _ = sender.send(bytes);
    });
    receiver
}

fn collect(pipe: &Receiver<Vec<u8>>, alarm: &Alarm) -> Result<Vec<u8>> {
    loop {
        match pipe.recv_timeout(LOOK) {
            Ok(bytes) => return Ok(bytes),
            Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            Err(RecvTimeoutError::Timeout) if alarm.rings() => return Err(stopped()),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn wait(child: &mut Child, alarm: &Alarm) -> Result<ExitStatus> {
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(status),
            None if alarm.rings() => return Err(stopped()),
            None => thread::sleep(MOMENT),
        }
    }
}

fn stopped() -> Error {
    Error::new(ErrorKind::Interrupted, "it was stopped")
}

/// Ends a child with all that it started.
fn end(child: &mut Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // It may have ended by itself meanwhile.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
    let _ = child.wait();
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn shell(text: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        command
    }

    #[test]
    fn output_and_status_are_collected() {
        let output = run(shell("cat; echo no >&2; exit 3"), Some(b"yes"), &Alarm::default());
        let output = output.unwrap();
        assert_eq!((output.stdout, output.stderr), (b"yes".to_vec(), b"no\n".to_vec()));
        assert_eq!(output.status.code(), Some(3));
    }

    #[test]
    fn much_output_and_input_do_not_block_each_other() {
        let text = vec![b'x'; 1 << 20];
        let output = run(shell("cat"), Some(&text), &Alarm::default()).unwrap();
        assert_eq!(output.stdout, text);
    }

    #[test]
    fn what_a_script_started_ends_with_it() {
        let alarm = Alarm::new();
        alarm.ring();
        // The inner shell holds the pipes open, and would for an hour.
        let error = run(shell("sh -c 'sleep 3600; true'; true"), None, &alarm).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted);
    }
}
