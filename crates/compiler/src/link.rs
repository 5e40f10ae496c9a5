//! The command that links, and where the runtime stands in it.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::plan::Job;
use crate::refusal::Refusal;
use crate::unit::value_of;

/// What a command is for, as far as linking goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It does not link.
    No,
    /// It makes a shared object, or one object of several: hooks stay undefined, so that a program
    /// has one runtime.
    Part,
    /// It makes a program.
    Program,
}

impl Job {
    /// What it links.
    #[must_use]
    pub fn link(&self) -> Link {
        let is_compiler = self.args.first().is_some_and(|it| it == "-cc1" || it == "-cc1as");
        let name = self.program.file_name().and_then(OsStr::to_str).unwrap_or_default();
        // Assemblers, archivers and `objcopy` run beside the linker.
        let is_other = ["as", "ar", "objcopy", "llvm-lib"].iter().any(|it| name.ends_with(it));
        if is_compiler || is_other {
            return Link::No;
        }
        let parts = ["-shared", "-Bshareable", "-r", "-i", "-Ur", "--relocatable", "-relocatable"];
        let is_part = self.args.iter().any(|arg| parts.iter().any(|it| arg == it));
        if is_part { Link::Part } else { Link::Program }
    }

    /// Why the program that it links cannot have hooks.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        let has = |part: &str| self.args.iter().any(|arg| arg.to_string_lossy().contains(part));
        if has("libclang_rt.tsan") {
            return Some(Refusal::ThreadSanitizer);
        }
        if has("libclang_rt.msan") || has("libclang_rt.dfsan") {
            return Some(Refusal::ShadowSanitizer);
        }
        if value_of(self, "-m").is_some_and(|machine| machine != "elf_x86_64") {
            return Some(Refusal::OtherMachine);
        }
        self.args.iter().any(|arg| arg == "-static").then_some(Refusal::Static)
    }
}

/// The command with the runtime: before the user's files, since what lies behind an array of gigabytes
/// cannot be reached from the runtime's code. Hooks are visible to libraries that are loaded later.
#[must_use]
pub fn link(job: &Job, runtime: &Path) -> Job {
    let begins = |arg: &OsString| arg.to_string_lossy().contains("/crtbegin");
    // With `-nostartfiles` there is none; then anywhere behind the options is as good.
    let place = job.args.iter().position(begins).map_or(job.args.len(), |at| at + 1);
    let mut args = job.args.clone();
    let added = [
        OsString::from("--undefined=__unravel_call"),
        runtime.into(),
        OsString::from("--export-dynamic-symbol=__unravel_*"),
    ];
    args.splice(place..place, added);
    Job { program: job.program.clone(), args }
}
