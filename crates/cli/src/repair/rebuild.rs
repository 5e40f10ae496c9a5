//! Compiles the program with some of its text changed, without touching a file.

use std::time::{Duration, Instant};

use unravel_driver::Rebuild;
use unravel_frontend::{Error, Options, Warnings};
use unravel_program::Program;
use unravel_span::{Edit, Files};

use crate::args::Input;
use crate::load;

use super::apply;

/// Compiles changes of one program.
pub struct Compiled<'a> {
    input: &'a Input,
    /// The files as they were read.
    files: Files,
    /// What went wrong that is no fault of a change: no folder for temporary files, a source that
    /// is gone.
    failure: Option<Error>,
    /// What the compilers say about the program as it is; asked for once.
    before: Option<Warnings>,
    number: u64,
    time: Duration,
}

impl<'a> Compiled<'a> {
    pub fn new(input: &'a Input, files: &Files) -> Compiled<'a> {
        let (before, failure) = (None, None);
        Compiled { input, files: files.clone(), failure, before, number: 0, time: Duration::ZERO }
    }

    /// What went wrong that is no fault of a change.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// How often it compiled, and how long that took.
    pub fn stats(&self) -> [(&'static str, u64); 2] {
        let time = u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX);
        [("rebuilds", self.number), ("rebuild_ms", time)]
    }

    fn compile(&mut self, edits: &[Edit]) -> Result<Program, String> {
        let changes = apply::changes(&self.files, edits).map_err(|refusal| refusal.to_string())?;
        let overlay = changes.into_iter().map(|change| (change.path, change.new)).collect();
        let options = Options { overlay, ..load::options(self.input) };
        let files = &self.input.files;
        let before = self.before()?;
        // The compilers for the warnings and the one for the program do not wait for each other.
        let (program, after) = std::thread::scope(|scope| {
            let after = scope.spawn(|| unravel_frontend::warnings(files, &options));
            let program = unravel_frontend::load(files, &options);
            (program, after.join())
        });
        let program = program.map_err(|error| self.said(error))?;
        let stopped = |_| "the compiler was stopped".to_owned();
        let after = after.map_err(stopped)?.map_err(|error| self.said(error))?;
        if let Some(warning) = after.new_since(&before).first() {
            return Err(format!("it brings a new warning: {warning}"));
        }
        let breach = |breaches: Vec<_>| match breaches.first() {
            Some(breach) => format!("the front end made an invalid program of it: {breach}"),
            None => "the front end made an invalid program of it".to_owned(),
        };
        unravel_program::validate::validate(&program).map_err(breach)?;
        Ok(program)
    }

    /// What the compiler says first. Where the change is not to blame, that is kept.
    fn said(&mut self, error: Error) -> String {
        let said = first_line(&error);
        let gone = self
            .files
            .iter()
            .find(|(_, file)| file.text.is_some() && !std::path::Path::new(&file.path).exists());
        match (gone, error) {
            (Some((_, file)), Error::CompileFailed { .. }) => {
                self.failure = Some(Error::InputMissing { path: file.path.clone().into() });
            }
            // Who stops the compiler stops the search, too, which says so.
            (_, Error::CompileFailed { .. } | Error::Invalid(_) | Error::Stopped) => {}
            (_, error) => self.failure = Some(error),
        }
        said
    }

    fn before(&mut self) -> Result<Warnings, String> {
        if let Some(before) = &self.before {
            return Ok(before.clone());
        }
        let before = unravel_frontend::warnings(&self.input.files, &load::options(self.input));
        let before = before.map_err(|error| self.said(error))?;
        Ok(self.before.insert(before).clone())
    }
}

impl Rebuild for Compiled<'_> {
    fn rebuild(&mut self, edits: &[Edit]) -> Result<Program, String> {
        let start = Instant::now();
        let result = self.compile(edits);
        self.number += 1;
        self.time += start.elapsed();
        result
    }
}

/// What the compiler says first.
fn first_line(error: &Error) -> String {
    let line = match error {
        Error::CompileFailed { diagnostics, .. } => {
            diagnostics.lines().find(|line| line.contains("error: "))
        }
        _ => None,
    };
    line.map_or_else(|| error.to_string(), str::to_owned)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use unravel_span::FileId;

    use super::*;
    use crate::args::{Arguments, Color, Command};
    use clap::Parser as _;

    const TEXT: &str = "int x;\nint main(void) { x = 1; return 0; }\n";

    /// What the edit of the only file gives.
    fn rebuilt(edit: impl Fn(FileId) -> Edit) -> Result<Program, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, TEXT).unwrap();
        let arguments = ["unravel", "repair", path.to_str().unwrap()];
        let Command::Repair(arguments) = Arguments::try_parse_from(arguments).unwrap().command
        else {
            return Err("another command".to_owned());
        };
        let program = load::load(&arguments.input, Color::Never).map_err(|_| "no program")?;
        let file = program.files.iter().find(|(_, file)| file.path.ends_with("a.c")).unwrap().0;
        let mut compiled = Compiled::new(&arguments.input, &program.files);
        let result = compiled.rebuild(&[edit(file)]);
        assert_eq!(compiled.stats()[0], ("rebuilds", 1));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), TEXT);
        result
    }

    #[test]
    fn a_change_is_compiled_and_the_file_stays() {
        let program = rebuilt(|file| Edit::insert(file, 0, "int y;\n")).unwrap();
        assert!(program.globals.iter().any(|global| global.name == "y"));
    }

    #[test]
    fn what_does_not_compile_is_told_in_the_words_of_the_compiler() {
        let error = rebuilt(|file| Edit::insert(file, 0, "int x(void);\n")).unwrap_err();
        assert!(error.contains("a.c:2:5: error: redefinition of 'x'"), "{error}");
    }

    #[test]
    fn a_change_that_brings_a_warning_is_refused() {
        let error = rebuilt(|file| Edit::insert(file, 0, "static int y;\n")).unwrap_err();
        assert!(error.contains("new warning: ") && error.contains("-Wunused"), "{error}");
    }

    #[test]
    fn an_edit_that_does_not_fit_is_refused() {
        let error = rebuilt(|file| Edit::insert(file, 9999, "x")).unwrap_err();
        assert!(error.contains("does not fit"), "{error}");
    }
}
