//! From arguments to a program.

use unravel_frontend::{Error, Options};
use unravel_program::Program;

use crate::args::{Color, Input};
use crate::exit::Exit;
use crate::limits::alarm;
use crate::message;

/// `unravel --version`: with the versions that matter for an answer.
pub fn long_version() -> String {
    let (llvm, clang) = unravel_frontend::versions();
    let clang = clang.unwrap_or_else(|| "not found".to_owned());
    let solver = unravel_driver::cadical_version();
    let own = env!("CARGO_PKG_VERSION");
    format!("{own}\nsolver: CaDiCaL {solver}\nLLVM: {llvm}\nclang: {clang}")
}

/// How to read the input.
pub fn options(input: &Input) -> Options {
    Options {
        clang: input.clang.clone(),
        flags: input.flags.clone(),
        compile_commands: input.build.clone(),
        targets: input.target.clone(),
        overlay: Vec::new(),
        arguments: input.arguments(),
        assume_calls_succeed: input.assume_calls_succeed,
        keep_locals: false,
        alarm: alarm(),
    }
}

/// That the input is source, which can be changed, or why not.
pub fn check_sources(input: &Input, color: Color) -> Result<(), Exit> {
    unravel_frontend::check_sources(&input.files, &options(input)).map_err(|error| {
        explain(&error, color);
        Exit::Input
    })
}

/// Compiles and lowers the input, or says why not.
pub fn load(input: &Input, color: Color) -> Result<Program, Exit> {
    let program = unravel_frontend::load(&input.files, &options(input)).map_err(|error| {
        explain(&error, color);
        Exit::Input
    })?;
    validate(&program, color)?;
    if input.args.is_some() && program.arguments.is_empty() {
        message::note(color, "`main` takes no arguments; those of `--args` are not used");
    }
    Ok(program)
}

/// The same with locals in memory, where each assignment is a store, and with `const` taken out:
/// clang writes the value of a constant wherever it is used, and its one definition is lost. What
/// does not compile like that, such as an array whose length is a constant variable, is compiled as
/// it is.
pub fn load_for_changes(input: &Input, color: Color) -> Result<Program, Exit> {
    let as_it_is = with_locals(input);
    let mut without_const = as_it_is.clone();
    without_const.flags.push("-Dconst=".to_owned());
    match unravel_frontend::load(&input.files, &without_const) {
        Ok(program) => {
            validate(&program, color)?;
            return Ok(program);
        }
        Err(Error::Stopped) => return Err(Exit::Inconclusive),
        Err(_) => {}
    }
    let program = load_with_locals(input, color)?;
    let what = "with `const` taken out it does not compile, so constants are not changed";
    message::note(color, what);
    Ok(program)
}

/// The program with locals in memory, and its constants as they are.
pub fn load_with_locals(input: &Input, color: Color) -> Result<Program, Exit> {
    let program = unravel_frontend::load(&input.files, &with_locals(input)).map_err(|error| {
        explain(&error, color);
        Exit::Input
    })?;
    validate(&program, color)?;
    Ok(program)
}

fn with_locals(input: &Input) -> Options {
    Options { keep_locals: true, ..options(input) }
}

/// What is wrong with the input. The compiler's own words come first: they have the place.
pub fn explain(error: &Error, color: Color) {
    // Why it was stopped is said by who knows.
    if *error == Error::Stopped {
        return;
    }
    if let Error::CompileFailed { diagnostics, .. } = error {
        message::verbatim(diagnostics);
    }
    message::error(color, &error.to_string());
    let help = error.help().or_else(|| match error {
        Error::CompileFailed { .. } => {
            Some("it must compile with clang; flags for it go after `--`".to_owned())
        }
        _ => None,
    });
    if let Some(help) = help {
        message::help(color, &help);
    }
}

/// The rules that the later stages rely on; a breach is a bug of the front end.
fn validate(program: &Program, color: Color) -> Result<(), Exit> {
    unravel_program::validate::validate(program).map_err(|breaches| {
        message::error(color, "the front end produced an invalid program; nothing is concluded");
        for breach in breaches.iter().take(5) {
            message::note(color, &breach.to_string());
        }
        message::help(color, "please report this, with the input");
        Exit::Internal
    })
}
