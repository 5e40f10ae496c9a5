//! Reads the units of a program, and lowers them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use object::read::elf::{ElfFile64, FileHeader as _};
use object::{Object as _, ObjectSection as _};
use unravel_program::Program;

use crate::debug::Paths;
use crate::error::{Error, UnitsError};
use crate::hooks::{Unit, section};
use crate::input::Unit as Ir;
use crate::link::{Form, link};
use crate::llvm::Session;
use crate::overlay::Overlay;
use crate::{Options, complete, lower};

/// The units of a program or an object that was built with hooks, in the order of the linker.
///
/// # Errors
/// [`Error::Units`] says why there are none.
pub fn units(executable: &[u8]) -> Result<Vec<Unit>, Error> {
    let failed = |error| Err(Error::Units(error));
    let Ok(kind) = object::FileKind::parse(executable) else {
        return failed(UnitsError::NoProgram);
    };
    match kind {
        object::FileKind::Elf64 => {}
        object::FileKind::Elf32 => return failed(UnitsError::OtherMachine),
        _ => return failed(UnitsError::NoProgram),
    }
    let Ok(file) = ElfFile64::<object::Endianness>::parse(executable) else {
        return failed(UnitsError::NoProgram);
    };
    if file.elf_header().e_machine(file.endian()) != object::elf::EM_X86_64 {
        return failed(UnitsError::OtherMachine);
    }
    let mut found = Vec::new();
    let mut sections = 0;
    for section in file.sections().filter(|it| it.name() == Ok(section::NAME)) {
        sections += 1;
        let Ok(data) = section.data() else {
            return failed(UnitsError::Damaged { offset: 0 });
        };
        found.extend(section::unpack(data)?);
    }
    if sections == 0 { failed(UnitsError::NoHooks) } else { Ok(found) }
}

/// The program that the units make, as it was compiled: each instruction with a hook has a site
/// that says so.
///
/// # Errors
/// As those of reading bitcode and linking it; [`Error::NoMain`] if no unit has a `main`.
pub fn program(units: &[Unit]) -> Result<Program, Error> {
    let session = Session::new();
    let given: Vec<Ir> =
        units.iter().map(|unit| Ir::new(source(unit), unit.bitcode.clone(), false)).collect();
    let overlay = Overlay::new(&[])?;
    let paths = Paths::new(given.iter().map(|unit| unit.path.as_path()), &overlay);
    let module = link(&session, &given, &[], Form::Given)?;
    let program = lower::program(&module, paths, BTreeSet::new())?;
    let flags: Vec<String> = units.iter().flat_map(|it| it.header.arguments.clone()).collect();
    let options = Options { flags, ..Options::default() };
    complete(program, &options, &overlay)
}

/// The file that a unit was compiled from.
fn source(unit: &Unit) -> PathBuf {
    Path::new(&unit.header.directory).join(&unit.header.source)
}
