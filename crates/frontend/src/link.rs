//! Reads the units and makes one module of them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::clang::first_error;
use crate::error::Error;
use crate::input::Unit;
use crate::llvm::{Linkage, Module, Session};

/// What is done with the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Locals become registers.
    Registers,
    /// Locals stay in memory.
    Memory,
    /// The units have their form already.
    Given,
}

impl Form {
    pub(crate) fn of(options: &crate::Options) -> Form {
        if options.keep_locals { Form::Memory } else { Form::Registers }
    }
}

/// One module of all units.
pub(crate) fn link<'s>(
    session: &'s Session,
    units: &[Unit],
    wrapped: &[String],
    form: Form,
) -> Result<Module<'s>, Error> {
    let mut modules = Vec::new();
    for unit in units {
        let name = unit.path.to_string_lossy();
        let module = session.read(&unit.ir, &name).map_err(|reason| Error::BadBitcode {
            file: unit.path.clone(),
            reason: reader_message(&reason),
        })?;
        module.mark_signed_shifts(&unit.signed_shifts);
        let module = wrapped.iter().fold(module, |module, name| module.wrap(name));
        modules.push((unit.path.as_path(), module));
    }
    let spare: Vec<&Path> =
        units.iter().filter(|it| it.spare).map(|it| it.path.as_path()).collect();
    leave_out_spare(&mut modules, &spare);
    check_targets(&modules)?;
    check_definitions(&modules)?;
    let mut modules = modules.into_iter();
    let Some((_, mut whole)) = modules.next() else { return Err(Error::NoInputs) };
    for (path, module) in modules {
        session.link(&mut whole, module).map_err(|reason| {
            Error::Invalid(format!("cannot link `{}`: {}", path.display(), one_line(&reason)))
        })?;
    }
    if form == Form::Given {
        return Ok(whole);
    }
    whole.prepare(form == Form::Memory).map_err(|reason| Error::Invalid(one_line(&reason)))
}

/// A program of the user's own takes the place of that of the database.
fn leave_out_spare(modules: &mut Vec<(&Path, Module<'_>)>, spare: &[&Path]) {
    let has_main = |module: &Module<'_>| {
        module.functions().iter().any(|it| it.name() == "main" && !it.is_declaration())
    };
    if modules.iter().any(|(path, module)| !spare.contains(path) && has_main(module)) {
        modules.retain(|(path, module)| !spare.contains(path) || !has_main(module));
    }
}

/// What LLVM's reader says, `a.ll:1:5: error: message` with an excerpt, as one line.
fn reader_message(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match (first_error(line), line.split_once(": error: ")) {
        (Some(it), _) => format!("{} at line {}, column {}", it.message, it.line, it.column),
        (None, Some((_, message))) => one_line(message),
        (None, None) => one_line(text),
    }
}

fn one_line(text: &str) -> String {
    text.trim().trim_end_matches('.').replace('\n', "; ")
}

fn check_targets(modules: &[(&Path, Module<'_>)]) -> Result<(), Error> {
    let Some((first, module)) = modules.first() else { return Ok(()) };
    let layout = module.layout_string();
    match modules.iter().find(|(_, module)| module.layout_string() != layout) {
        Some((second, _)) => {
            Err(Error::TargetMismatch { first: first.to_path_buf(), second: second.to_path_buf() })
        }
        None => Ok(()),
    }
}

/// Finds a symbol with two strong definitions. LLVM's linker finds it too, but cannot tell the
/// files.
fn check_definitions(modules: &[(&Path, Module<'_>)]) -> Result<(), Error> {
    let mut owners: HashMap<String, PathBuf> = HashMap::new();
    for (path, module) in modules {
        let symbols =
            module.functions().into_iter().chain(module.globals()).chain(module.aliases());
        for symbol in symbols {
            if symbol.is_declaration() || symbol.linkage() != Linkage::Strong {
                continue;
            }
            let name = symbol.name();
            if let Some(first) = owners.get(&name) {
                let (first, second) = (first.clone(), path.to_path_buf());
                return Err(Error::LinkConflict { symbol: name, first, second });
            }
            owners.insert(name, path.to_path_buf());
        }
    }
    Ok(())
}
