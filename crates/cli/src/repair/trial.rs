//! `repair --try`: a second pair of eyes on every patch.
//!
//! The program is built with the user's flags, as it is and with each patch, and run: the patched
//! one natively, and with delays at the changed places. The engines say that no schedule of a
//! patched program fails; a run that fails or hangs nevertheless is a bug of ours, and the patch is
//! withheld. Which exit codes are right, and how long a run may take, the unpatched program tells.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use unravel_driver::with_calls;
use unravel_frontend::{Error, Options, build};
use unravel_kinds::Property;
use unravel_kinds::repair::{RunFailure, Tried, WhyNotRun, WhyRefused};
use unravel_program::Program;
use unravel_report::Report;
use unravel_report::model::{Refused, Repair};
use unravel_span::{Edit, Files};

use super::apply;
use super::native::{End, Run};
use crate::args::Input;
use crate::load;

/// Runs of the program as it is. Some may fail: it is to be repaired.
const BEFORE: u32 = 10;

/// Of these so many may hang, each for as long as the watchdog waits.
const MOST_HANGS: usize = 2;

/// Runs of a patched program as it is, and with delays.
const NATIVE: u32 = 50;
const DELAYED: u32 = 20;

/// A run may take so many times as long as the longest of the program as it is.
const FACTOR: u32 = 20;

/// Every run may take as long as this.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// No run may take longer than this.
const LONGEST: Duration = Duration::from_secs(60);

/// What a program calls that nobody but a verifier defines, and the delays.
const SUPPORT: &str = include_str!("support.c");

/// The declaration of the delay, before the text that calls it.
const DECLARATION: &str = "void unravel_try_delay(unsigned place);\n";

/// What the runs of the program as it is tell.
struct Before {
    /// Exit codes of runs that ended by themselves.
    codes: BTreeSet<i32>,
    /// Some run ended, in whatever way.
    ends: bool,
    patience: Duration,
}

/// Tries the patches of one program.
pub struct Trial<'a> {
    pub input: &'a Input,
    pub program: &'a Program,
    /// How long any run may take.
    pub patience: Duration,
    /// The limits are reached, or the user wants no more.
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// What came of a patch.
enum Outcome {
    Fine(Tried),
    Fails { how: RunFailure, run: u32, delayed: bool },
}

impl Trial<'_> {
    /// Tries all repairs of a report, and withholds those with which a run fails: they are no longer
    /// among the verified ones, and are given back.
    pub fn all(&self, report: &mut Report) -> Vec<Refused> {
        let deadlocks = report.findings.iter().any(|it| it.property() == Property::Deadlock);
        let Some(repairs) = &mut report.repairs else { return Vec::new() };
        let before = self.before();
        let mut withheld = Vec::new();
        for mut repair in std::mem::take(&mut repairs.verified) {
            let outcome = match &before {
                Ok(before) => self.one(&repair, before, deadlocks),
                Err(why) => Outcome::Fine(Tried::NotRun(why.clone())),
            };
            match outcome {
                Outcome::Fine(tried) => {
                    repair.verified_for.tried = Some(tried);
                    repairs.verified.push(repair);
                }
                Outcome::Fails { how, run, delayed } => {
                    let why = WhyRefused::FailsWhenRun { how, run, delayed };
                    let Repair { kind, changes, .. } = repair;
                    withheld.push(Refused { kind, changes, why });
                }
            }
        }
        let lost_best = repairs.verified.first().is_some_and(|it| it.rank != 1);
        for (repair, rank) in repairs.verified.iter_mut().zip(1..) {
            repair.rank = rank;
            // What the others forbid was said beside the best one.
            repair.forbids = repair.forbids.filter(|_| !lost_best);
        }
        repairs.refused.extend(withheld.iter().cloned());
        withheld
    }

    /// Runs the program as it is.
    fn before(&self) -> Result<Before, WhyNotRun> {
        let by_name = |name: &str| {
            name.starts_with("__VERIFIER_atomic_")
                && !matches!(name, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end")
        };
        let mut users = self.program.functions.iter().filter(|it| !it.library);
        if let Some(function) = users.find(|it| by_name(&it.name)) {
            return Err(WhyNotRun::AtomicByName(function.name.clone()));
        }
        let folder = folder()?;
        let program = self.build(Vec::new(), folder.path())?;
        let mut before = Before { codes: BTreeSet::new(), ends: false, patience: self.patience };
        let (mut longest, mut hangs) = (Duration::ZERO, 0);
        for number in 1..=BEFORE {
            let start = Instant::now();
            let end = self.run(&program, number, self.patience)?;
            match end {
                End::Exit(code) => {
                    before.codes.insert(code);
                    longest = longest.max(start.elapsed());
                }
                End::Signal(_) => {}
                End::Hangs => hangs += 1,
                End::Stopped => return Err(WhyNotRun::Stopped),
            }
            before.ends |= end != End::Hangs;
            if hangs >= MOST_HANGS {
                break;
            }
        }
        before.patience = (longest * FACTOR).clamp(self.patience, LONGEST);
        Ok(before)
    }

    fn one(&self, repair: &Repair, before: &Before, deadlocks: bool) -> Outcome {
        self.runs(repair, before, deadlocks).unwrap_or_else(|why| Outcome::Fine(Tried::NotRun(why)))
    }

    fn runs(
        &self,
        repair: &Repair,
        before: &Before,
        deadlocks: bool,
    ) -> Result<Outcome, WhyNotRun> {
        let mut runs = 0;
        for (delayed, wanted) in [(false, NATIVE), (true, DELAYED)] {
            let Some(texts) = texts(&self.program.files, &repair.edits, delayed) else { continue };
            let folder = folder()?;
            let program = self.build(texts, folder.path())?;
            for number in 1..=wanted {
                let end = self.run(&program, number, before.patience)?;
                if end == End::Stopped {
                    let tried = Tried::Runs { runs, cut: true };
                    let none = Tried::NotRun(WhyNotRun::Stopped);
                    return Ok(Outcome::Fine(if runs == 0 { none } else { tried }));
                }
                // A server does not end, and a deadlock is no way to end.
                if end == End::Hangs && !before.ends && !deadlocks && runs == 0 {
                    return Err(WhyNotRun::NeverEnds { seconds: before.patience.as_secs() });
                }
                if let Some(how) = before.failure(end) {
                    return Ok(Outcome::Fails { how, run: number, delayed });
                }
                runs += 1;
            }
        }
        Ok(Outcome::Fine(Tried::Runs { runs, cut: false }))
    }

    /// Builds the program with some texts in place of those of its files.
    fn build(&self, overlay: Vec<(PathBuf, String)>, folder: &Path) -> Result<PathBuf, WhyNotRun> {
        let support = folder.join("support.c");
        let failed = |error: std::io::Error| WhyNotRun::NotBuilt(error.to_string());
        fs::write(&support, SUPPORT).map_err(failed)?;
        let options = Options { overlay, ..load::options(self.input) };
        build(&self.input.files, &options, &[support], folder).map_err(|error| match error {
            Error::Stopped => WhyNotRun::Stopped,
            error => WhyNotRun::NotBuilt(first_line(&error)),
        })
    }

    fn run(&self, program: &Path, number: u32, patience: Duration) -> Result<End, WhyNotRun> {
        // A file that a run leaves behind is not there for the next one.
        let folder = folder()?;
        let arguments = self.input.arguments();
        let run = Run { program, arguments: &arguments, folder: folder.path(), number, patience };
        run.run(self.is_stopped).map_err(|error| WhyNotRun::NotStarted(error.to_string()))
    }
}

impl Before {
    /// How a run of a patched program fails, if it does. An exit code says something only if runs of
    /// the program as it is have some.
    fn failure(&self, end: End) -> Option<RunFailure> {
        match end {
            End::Exit(code) => {
                let is_right = code == 0 || self.codes.is_empty() || self.codes.contains(&code);
                (!is_right).then_some(RunFailure::ExitCode(code))
            }
            End::Signal(number) => Some(RunFailure::Signal(number)),
            End::Hangs => Some(RunFailure::Hangs { seconds: self.patience.as_secs() }),
            End::Stopped => None,
        }
    }
}

fn folder() -> Result<TempDir, WhyNotRun> {
    tempfile::tempdir().map_err(|error| WhyNotRun::NotStarted(error.to_string()))
}

/// The texts of the files with edits made, with delays beside the changed statements; `None` if
/// there is nothing to delay.
fn texts(files: &Files, edits: &[Edit], delayed: bool) -> Option<Vec<(PathBuf, String)>> {
    let changes = apply::changes(files, edits).ok()?;
    if !delayed {
        return Some(changes.into_iter().map(|it| (it.path, it.new)).collect());
    }
    let (mut texts, mut any) = (Vec::new(), false);
    for change in changes {
        let of_file = edits.iter().filter(|it| Path::new(files.path(it.file)) == change.path);
        let ranges = changed(of_file.cloned().collect());
        let call = |number| format!("unravel_try_delay({number});");
        let text = with_calls(&change.new, &ranges, call);
        any |= text.is_some();
        let text = text.map_or(change.new, |it| format!("{DECLARATION}{it}"));
        texts.push((change.path, text));
    }
    any.then_some(texts)
}

/// Where the changed text of a file lies, once all edits are made. What is taken out leaves its
/// neighbours behind.
fn changed(mut edits: Vec<Edit>) -> Vec<Range<usize>> {
    edits.sort_by_key(|it| it.start);
    let (mut added, mut removed) = (0, 0);
    let mut ranges = Vec::new();
    for edit in edits {
        let start = edit.start + added - removed;
        let end = start + edit.text.len();
        ranges.push(if edit.text.trim().is_empty() {
            start.saturating_sub(1)..end + 1
        } else {
            start..end
        });
        added += edit.text.len();
        removed += edit.end - edit.start;
    }
    ranges
}

/// What the compiler or the linker says first.
fn first_line(error: &Error) -> String {
    let line = match error {
        Error::CompileFailed { diagnostics, .. } => {
            let is_said = |it: &&str| it.contains("error:") || it.contains("undefined reference");
            diagnostics.lines().find(is_said)
        }
        _ => None,
    };
    line.map_or_else(|| error.to_string(), str::to_owned)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use clap::Parser as _;
    use unravel_kinds::RepairKind;
    use unravel_kinds::repair::{Because, Changes, Costs};
    use unravel_report::model::{Repairs, VerifiedFor};

    use super::*;
    use crate::args::{Arguments, Color, Command};

    /// Two threads, of which one waits for the other.
    const TEXT: &str = "\
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int ready;
static void *f(void *a) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    /* begin */
    while (!ready) ;
    /* end */
    pthread_join(t, 0);
    return 0;
}
";

    /// What is left of a repair that puts texts in place of the two comments, and what is withheld.
    fn tried(begin: &str, end: &str) -> (Vec<Repair>, Vec<Refused>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b.c");
        fs::write(&path, TEXT).unwrap();
        let arguments = ["unravel", "repair", path.to_str().unwrap()];
        let Command::Repair(arguments) = Arguments::try_parse_from(arguments).unwrap().command
        else {
            return (Vec::new(), Vec::new());
        };
        let program = load::load(&arguments.input, Color::Never).map_err(|_| "no program").unwrap();
        let file = program.files.iter().find(|(_, file)| file.path.ends_with("a b.c")).unwrap().0;
        let edit = |what: &str, new: &str| {
            let start = TEXT.find(what).unwrap();
            Edit::replace(file, start..start + what.len(), new.to_owned())
        };
        let repair = Repair {
            rank: 1,
            kind: RepairKind::Mutex,
            changes: Changes::default(),
            complete: true,
            composite: false,
            required: Vec::new(),
            because: Because::OrdersExcluded,
            verified_for: VerifiedFor::default(),
            costs: Costs::default(),
            forbids: None,
            unreachable: Vec::new(),
            edits: vec![edit("/* begin */", begin), edit("/* end */", end)],
            diff: String::new(),
        };
        let mut report = unravel_driver::check(
            &program,
            &unravel_driver::CheckOptions::new(),
            &mut unravel_driver::NoWatch,
        )
        .map_err(|_| "no report")
        .unwrap()
        .report;
        report.repairs = Some(Repairs { verified: vec![repair], ..Repairs::default() });
        let (input, is_stopped) = (&arguments.input, &|| false);
        let patience = Duration::from_secs(3);
        let withheld = Trial { input, program: &program, patience, is_stopped }.all(&mut report);
        (report.repairs.unwrap().verified, withheld)
    }

    #[test]
    fn a_patch_that_hangs_is_withheld() {
        let (verified, withheld) =
            tried("pthread_mutex_lock(&lock);", "pthread_mutex_unlock(&lock);");
        assert!(verified.is_empty());
        let [Refused { why: WhyRefused::FailsWhenRun { how, .. }, .. }] = &withheld[..] else {
            panic!("{withheld:?}")
        };
        assert_eq!(*how, RunFailure::Hangs { seconds: 3 });
    }

    #[test]
    fn a_patch_that_fails_is_withheld() {
        for (text, expected) in
            [("abort();", RunFailure::Signal(6)), ("exit(3);", RunFailure::ExitCode(3))]
        {
            let (_, withheld) = tried("", text);
            let [Refused { why, .. }] = &withheld[..] else { panic!("{text}: {withheld:?}") };
            let expected = WhyRefused::FailsWhenRun { how: expected, run: 1, delayed: false };
            assert_eq!(*why, expected, "{text}");
        }
    }

    #[test]
    fn a_patch_that_is_right_says_how_often_it_ran() {
        let (verified, withheld) = tried("(void)0;", "");
        assert!(withheld.is_empty(), "{withheld:?}");
        let runs = NATIVE + DELAYED;
        assert_eq!(verified[0].verified_for.tried, Some(Tried::Runs { runs, cut: false }));
    }

    #[test]
    fn a_program_that_cannot_be_linked_is_not_tried() {
        let (verified, withheld) = tried("extern int missing(void); missing();", "");
        assert!(withheld.is_empty(), "{withheld:?}");
        let tried = verified[0].verified_for.tried.clone();
        let Some(Tried::NotRun(WhyNotRun::NotBuilt(why))) = tried else { panic!("{tried:?}") };
        assert!(why.contains("undefined reference"), "{why}");
    }

    #[test]
    fn ranges_are_those_of_the_changed_text() {
        let file = unravel_span::FileId(0);
        let edits =
            vec![Edit::replace(file, 10..12, "abc".to_owned()), Edit::insert(file, 2, "xy")];
        assert_eq!(changed(edits), [2..4, 12..15]);
    }
}
