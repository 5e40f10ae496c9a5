//! Hooks: calls of a runtime that are put into a program, so that a run of it can be controlled and
//! recorded; and the IR of the program inside the program.
//!
//! [`instrument`] takes the bitcode of one unit as clang made it without any pass.
//!
//! 1. `prepare` makes it the form that is compiled and that the analysis reads: locals in registers,
//!    no undefined values, no promises that the optimizer could act on and the analysis would not.
//! 2. `escape` finds the locals that no other thread can reach.
//! 3. `plan` says which instructions get which hooks, and numbers them.
//! 4. `section` packs the numbered bitcode, to be kept in the object.
//! 5. `insert` adds the calls.
//!
//! [`units`] reads the packed bitcode back from an object or a program, and [`program`] lowers it.
//! What the hooks mean is the contract with the runtime: `docs/decisions/recording.md`.

mod escape;
mod frame;
mod insert;
mod plan;
mod prepare;
mod section;
mod units;
mod unrepresented;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::Error;
use crate::llvm::Session;

pub use units::{program, units};

/// How a unit was compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitHeader {
    /// Where the compiler was called.
    pub directory: String,
    /// The compiler's arguments, as they were given.
    pub arguments: Vec<String>,
    /// The file, as the compiler named it.
    pub source: String,
    /// `c` or `c++`.
    pub language: String,
}

/// One unit of a program that was built with hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The upper 40 bits of the numbers of its sites.
    pub number: u64,
    /// How it was compiled.
    pub header: UnitHeader,
    /// Its prepared and numbered bitcode.
    pub bitcode: Vec<u8>,
}

/// A unit with hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrumented {
    /// The upper 40 bits of the numbers of its sites.
    pub number: u64,
    /// How many instructions have a hook.
    pub sites: u64,
    /// Bitcode with hooks, with the section that holds the bitcode before them.
    pub bitcode: Vec<u8>,
}

/// Bits of a site that count the instructions of a unit.
const INDEX_BITS: u32 = 24;

/// Puts hooks into a unit, and its own bitcode.
///
/// # Errors
/// [`Error::Invalid`] if LLVM does not accept the bitcode, or the unit has too many instructions.
pub fn instrument(bitcode: &[u8], header: &UnitHeader) -> Result<Instrumented, Error> {
    let session = Session::new();
    let invalid = |reason: String| Error::Invalid(reason.trim().replace('\n', "; "));
    let module = session.read(bitcode, &header.source).map_err(invalid)?;
    let module = prepare::prepare(module).map_err(invalid)?;
    let number = xxh3_64(&module.bitcode()) >> INDEX_BITS;
    let sites = plan::plan(&module, number);
    if sites.len() >> INDEX_BITS != 0 {
        return Err(Error::Invalid("a unit with more than 16 million accesses".to_owned()));
    }
    for site in &sites {
        site.at.set_site(module.layout(), site.number);
    }
    let part = section::pack(number, header, &module.bitcode())?;
    let count = sites.len() as u64;
    insert::insert(&module, &sites)
        .map_err(|site| Error::Invalid(format!("no hook fits instruction {site}")))?;
    module.editor().append_assembly(&section::assembly(&part));
    module.verify().map_err(invalid)?;
    Ok(Instrumented { number, sites: count, bitcode: module.bitcode() })
}
