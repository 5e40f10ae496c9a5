//! `unravel stub`: bodies for functions that the program lacks.

use unravel_patch::stubs::{self, Wanted};
use unravel_program::Program;
use unravel_program::missing::missing_functions;

/// A file with a stub for each function that may be called and is neither defined nor modelled;
/// `None` if there is none. `texts`: the files of the program after the preprocessor.
#[must_use]
pub fn stubs(program: &Program, texts: &[String]) -> Option<String> {
    let missing = missing_functions(program);
    let wanted = missing.into_iter().map(|(name, site)| {
        let called_at = match unravel_findings::place(program, site) {
            Some(it) => format!("{}:{}", program.files.path(it.span.file), it.span.line),
            None => "a place without a line".to_owned(),
        };
        Wanted { name, called_at }
    });
    let wanted: Vec<Wanted> = wanted.collect();
    (!wanted.is_empty()).then(|| stubs::stubs(&wanted, texts))
}
