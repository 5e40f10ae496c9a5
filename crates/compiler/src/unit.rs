//! One unit: from a command of clang's that compiles it to two, with bitcode between them.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::plan::Job;
use crate::refusal::Refusal;

/// What a unit is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, and what is like it.
    C,
    /// C++.
    Cxx,
}

impl Language {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "c++",
        }
    }
}

/// A command that compiles a unit.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    job: &'a Job,
    /// Where in its arguments it is said what comes out.
    action: usize,
    /// Where in its arguments `-x` stands.
    kind: usize,
    /// What the unit is written in.
    pub language: Language,
}

/// What clang's compiler may be asked for that has machine code, or IR that becomes some.
const ACTIONS: &[&str] = &["-emit-obj", "-S", "-emit-llvm-bc", "-emit-llvm"];

/// Flags of the first command only: files that it writes beside its output, and what it shows.
/// Those with a value have it as the next word.
const FIRST_ONLY: &[(&str, bool)] = &[
    ("-dependency-file", true),
    ("-MT", true),
    ("-dependency-dot", true),
    ("-header-include-file", true),
    ("-serialize-diagnostic-file", true),
    ("-diagnostic-log-file", true),
    ("-include-pch", true),
    ("-include", true),
    ("-sys-header-deps", false),
    ("-MP", false),
    ("-MG", false),
    ("-MV", false),
    ("-H", false),
    ("-v", false),
    ("-verify", false),
    ("-Werror", false),
];

/// What makes bitcode as hooks need it. Passes of LLVM would change which accesses there are;
/// places and types are read from the debug information. A product and a sum stay two operations, as
/// they are for the analysis.
const FIRST: &[&str] = &[
    "-disable-llvm-passes",
    "-disable-O0-optnone",
    "-debug-info-kind=constructor",
    "-ffp-contract=off",
];

impl<'a> Unit<'a> {
    pub(crate) fn of(job: &'a Job) -> Option<Unit<'a>> {
        if job.args.first()? != "-cc1" || !is_recordable(value_of(job, "-triple")?) {
            return None;
        }
        let action = job.args.iter().position(|arg| ACTIONS.iter().any(|it| arg == it))?;
        let kind = job.args.iter().rposition(|arg| arg == "-x")?;
        let language = match job.args.get(kind + 1)?.to_str()? {
            "ir" => return None,
            name if name.contains("c++") || name.contains("objective-c++") => Language::Cxx,
            _ => Language::C,
        };
        // The input stands last.
        (kind + 3 == job.args.len()).then_some(Unit { job, action, kind, language })
    }

    /// The file, as the compiler names it.
    #[must_use]
    pub fn source(&self) -> &'a OsStr {
        self.job.args.last().map(OsString::as_os_str).unwrap_or_default()
    }

    /// Why it cannot have hooks.
    #[must_use]
    pub fn refusal(&self) -> Option<Refusal> {
        let flags =
            self.job.args.iter().filter_map(|arg| arg.to_str()?.strip_prefix("-fsanitize="));
        let mut sanitizers = flags.flat_map(|list| list.split(','));
        sanitizers.find_map(|name| match name {
            "thread" => Some(Refusal::ThreadSanitizer),
            "memory" | "kernel-memory" | "dataflow" | "type" => Some(Refusal::ShadowSanitizer),
            _ => None,
        })
    }

    /// The command that compiles it to bitcode.
    #[must_use]
    pub fn to_bitcode(&self, bitcode: &Path) -> Job {
        let mut args = self.job.args.clone();
        let debug = |arg: &OsString| arg.to_string_lossy().starts_with("-debug-info-kind=");
        if let Some(action) = args.get_mut(self.action) {
            *action = "-emit-llvm-bc".into();
        }
        set_output(&mut args, bitcode);
        let has_version = args.iter().any(|it| it.to_string_lossy().starts_with("-dwarf-version"));
        let version = (!has_version).then_some("-dwarf-version=5");
        let input = args.split_off(self.kind);
        args.retain(|arg| !debug(arg));
        args.extend(FIRST.iter().copied().chain(version).map(OsString::from));
        args.extend(input);
        Job { program: self.job.program.clone(), args }
    }

    /// The user's command with another output.
    #[must_use]
    pub fn plain(&self, output: &Path) -> Job {
        let mut args = self.job.args.clone();
        set_output(&mut args, output);
        Job { program: self.job.program.clone(), args }
    }

    /// The command that makes what was asked for of bitcode.
    #[must_use]
    pub fn from_bitcode(&self, bitcode: &Path) -> Job {
        let mut args = Vec::new();
        let mut all = self.job.args.iter().take(self.kind);
        while let Some(arg) = all.next() {
            match FIRST_ONLY.iter().find(|(name, _)| arg == name) {
                Some((_, has_value)) => {
                    if *has_value {
                        all.next();
                    }
                }
                None if is_of_first(arg) => {}
                None => args.push(arg.clone()),
            }
        }
        // Warnings were given with the source; what the code generator would say is about hooks, too.
        args.extend(["-w", "-x", "ir"].map(OsString::from));
        args.push(bitcode.into());
        Job { program: self.job.program.clone(), args }
    }
}

fn set_output(args: &mut [OsString], output: &Path) {
    if let Some(place) = args.iter().position(|arg| arg == "-o")
        && let Some(word) = args.get_mut(place + 1)
    {
        *word = output.into();
    }
}

fn is_of_first(arg: &OsStr) -> bool {
    arg.to_str().is_some_and(|arg| {
        ["-ftime-trace", "-stats-file=", "-ffp-contract="].iter().any(|it| arg.starts_with(it))
    })
}

/// The word behind a flag.
pub(crate) fn value_of<'a>(job: &'a Job, flag: &str) -> Option<&'a OsString> {
    let place = job.args.iter().position(|arg| arg == flag)?;
    job.args.get(place + 1)
}

fn is_recordable(triple: &OsStr) -> bool {
    triple.to_str().is_some_and(|triple| {
        triple.starts_with("x86_64-") && triple.contains("linux") && !triple.ends_with("x32")
    })
}
