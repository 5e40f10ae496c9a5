//! Carries out the commands of one call.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Output, Stdio};

use unravel_compiler::{Job, Link, Plan, Refusal, Unit};
use unravel_frontend::hooks::{UnitHeader, instrument};

use super::{MOST_BYTES, failed, response_file, runtime};
use crate::args::Color;
use crate::exit::Exit;
use crate::message;

/// What the commands of a call share.
pub struct Jobs<'a> {
    /// The driver.
    pub clang: &'a Path,
    /// The user's arguments.
    pub args: &'a [OsString],
    /// For files between commands.
    pub folder: &'a Path,
    /// Show each command.
    pub verbose: bool,
}

impl Jobs<'_> {
    /// Runs the commands. As with clang, one that fails does not stop those that do not need it.
    pub fn run(&self, plan: &Plan) -> Result<ExitCode, Exit> {
        let units = plan.jobs.iter().filter_map(Job::unit).filter_map(|unit| unit.refusal());
        let links = plan.jobs.iter().filter(|job| job.link() == Link::Program);
        let mut refusals = units.chain(links.filter_map(Job::refusal));
        if let Some(refusal) = refusals.next() {
            return Err(refuse(refusal));
        }
        let mut missing: HashSet<&OsString> = HashSet::new();
        let mut first = None;
        for (index, job) in plan.jobs.iter().enumerate() {
            if job.args.iter().any(|arg| missing.contains(arg)) {
                continue;
            }
            if let Err(code) = self.step(job, index)? {
                missing.extend(job.output());
                first.get_or_insert(code);
            }
        }
        Ok(ExitCode::from(first.unwrap_or(0)))
    }

    /// Runs one command, with hooks if it is for them. The inner error is an exit code.
    fn step(&self, job: &Job, index: usize) -> Result<Result<(), u8>, Exit> {
        if self.verbose {
            // Nothing can be done if standard error is closed.
            let _ = std::io::stderr().lock().write_all(&job.shown());
        }
        if let Some(unit) = job.unit() {
            return self.compile(&unit, index);
        }
        let result = match job.link() {
            Link::Program => {
                let runtime = runtime::object(self.folder)?;
                self.execute(&unravel_compiler::link(job, &runtime), index)?
            }
            Link::No | Link::Part => self.execute(job, index)?,
        };
        if result.is_err() && job.link() != Link::No {
            self.say_like_clang("linker command failed with exit code 1");
        }
        Ok(result)
    }

    fn compile(&self, unit: &Unit<'_>, index: usize) -> Result<Result<(), u8>, Exit> {
        let plain = self.file(index, "plain.bc");
        if let Err(code) = self.execute(&unit.to_bitcode(&plain), index)? {
            return Ok(Err(code));
        }
        let bitcode = std::fs::read(&plain).map_err(|error| self.unreadable(&plain, &error))?;
        let instrumented = instrument(&bitcode, &self.header(unit)).map_err(|error| {
            failed(&format!("cannot put hooks into `{}`: {error}", unit.source().display()))
        })?;
        let hooked = self.file(index, "hooked.bc");
        std::fs::write(&hooked, instrumented.bitcode)
            .map_err(|error| self.unreadable(&hooked, &error))?;
        let result = self.quietly(&unit.from_bitcode(&hooked), index)?;
        if result.status.success() {
            // Nothing can be done if standard error is closed.
            let _ = std::io::stderr().lock().write_all(&result.stderr);
            return Ok(Ok(()));
        }
        self.say_what_clang_says(unit, &result, index)
    }

    /// The code generator has found a mistake, in inline assembly for example. It knows no source; clang,
    /// called as the user has called it, does. It finds nothing wrong only if the fault is ours.
    fn say_what_clang_says(
        &self,
        unit: &Unit<'_>,
        ours: &Output,
        index: usize,
    ) -> Result<Result<(), u8>, Exit> {
        let theirs = self.execute(&unit.plain(&self.file(index, "plain.o")), index)?;
        if theirs.is_err() {
            return Ok(theirs);
        }
        // Nothing can be done if standard error is closed.
        let _ = std::io::stderr().lock().write_all(&ours.stderr);
        Ok(Err(self.code(ours.status)))
    }

    fn file(&self, index: usize, name: &str) -> PathBuf {
        self.folder.join(format!("{index}-{name}"))
    }

    fn unreadable(&self, path: &Path, error: &std::io::Error) -> Exit {
        failed(&format!("cannot write temporary files in `{}`: {error}", path.display()))
    }

    fn header(&self, unit: &Unit<'_>) -> UnitHeader {
        let text = |word: &OsStr| word.to_string_lossy().into_owned();
        UnitHeader {
            directory: std::env::current_dir().map(|it| text(it.as_os_str())).unwrap_or_default(),
            arguments: self.args.iter().map(|arg| text(arg)).collect(),
            source: text(unit.source()),
            language: unit.language.name().to_owned(),
        }
    }

    /// Runs a command with our own standard input, output and error. The inner error is its exit
    /// code.
    fn execute(&self, job: &Job, index: usize) -> Result<Result<(), u8>, Exit> {
        let status = self.command(job, index)?.status().map_err(|error| not_run(job, &error))?;
        Ok(if status.success() { Ok(()) } else { Err(self.code(status)) })
    }

    /// The same, with what it says on standard error kept.
    fn quietly(&self, job: &Job, index: usize) -> Result<Output, Exit> {
        let mut command = self.command(job, index)?;
        command.stdin(Stdio::inherit()).stdout(Stdio::inherit());
        command.output().map_err(|error| not_run(job, &error))
    }

    fn command(&self, job: &Job, index: usize) -> Result<Command, Exit> {
        let mut command = Command::new(&job.program);
        let length: usize = job.args.iter().map(|arg| arg.len()).sum();
        match job.args.split_first() {
            // `-cc1` has to be seen at once.
            Some((first, rest))
                if length > MOST_BYTES && first.to_string_lossy().starts_with("-cc1") =>
            {
                command.arg(first).arg(response_file(rest, &self.file(index, "arguments"))?);
            }
            _ if length > MOST_BYTES => {
                command.arg(response_file(&job.args, &self.file(index, "arguments"))?);
            }
            _ => {
                command.args(&job.args);
            }
        }
        Ok(command)
    }

    fn code(&self, status: ExitStatus) -> u8 {
        if let Some(signal) = status.signal() {
            self.say_like_clang(&format!("command failed due to signal {signal}"));
            return u8::try_from(128 + signal).unwrap_or(1);
        }
        status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
    }

    /// What the driver says when a command fails.
    fn say_like_clang(&self, what: &str) {
        let name = self.clang.file_name().unwrap_or_default().display();
        let text = format!("{name}: error: {what} (use -v to see invocation)");
        message::verbatim(&text);
    }
}

fn not_run(job: &Job, error: &std::io::Error) -> Exit {
    failed(&format!("cannot run `{}`: {error}", job.program.display()))
}

fn refuse(refusal: Refusal) -> Exit {
    message::error(Color::Auto, &refusal.to_string());
    message::help(Color::Auto, refusal.help());
    Exit::Violation
}
