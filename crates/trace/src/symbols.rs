//! The variables of an executable, by address.

use std::collections::BTreeMap;

use object::{Object as _, ObjectSegment as _, ObjectSymbol as _, SymbolKind};

/// A variable with static storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name for the linker.
    pub name: String,
    /// Bytes.
    pub size: u64,
}

/// Variables and functions of an executable.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// By address in the file, or, for thread-local ones, by offset in the block of a thread.
    variables: BTreeMap<u64, Symbol>,
    functions: BTreeMap<u64, Symbol>,
    locals: BTreeMap<u64, Symbol>,
    /// The address in the file of what lies first in memory.
    first: u64,
    /// Bytes of a thread's block, with its alignment.
    block: u64,
}

/// What cannot be read as an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoExecutable(pub String);

impl Symbols {
    /// Reads them from the bytes of an executable.
    ///
    /// # Errors
    /// They are none.
    pub fn read(bytes: &[u8]) -> Result<Symbols, NoExecutable> {
        let file = object::File::parse(bytes).map_err(|error| NoExecutable(error.to_string()))?;
        let first = file.segments().map(|it| it.address()).min().unwrap_or(0);
        let block = block(bytes).unwrap_or(0);
        let mut symbols = Symbols { first, block, ..Symbols::default() };
        for symbol in file.symbols() {
            let (Ok(name), size) = (symbol.name(), symbol.size()) else { continue };
            let entry = Symbol { name: name.to_owned(), size };
            let table = match symbol.kind() {
                SymbolKind::Data if size > 0 => &mut symbols.variables,
                SymbolKind::Text => &mut symbols.functions,
                SymbolKind::Tls if size > 0 => &mut symbols.locals,
                _ => continue,
            };
            table.insert(symbol.address(), entry);
        }
        Ok(symbols)
    }

    /// Whether the executable was stripped of its names.
    #[must_use]
    pub fn is_stripped(&self) -> bool {
        self.variables.is_empty() && self.functions.is_empty()
    }

    /// The variable that an address lies in, and how far from its beginning; `base` is where the
    /// executable lies.
    #[must_use]
    pub fn variable(&self, address: u64, base: u64) -> Option<(&Symbol, u64)> {
        within(&self.variables, address.wrapping_sub(base).wrapping_add(self.first))
    }

    /// The function that begins at an address.
    #[must_use]
    pub fn function(&self, address: u64, base: u64) -> Option<&Symbol> {
        self.functions.get(&address.wrapping_sub(base).wrapping_add(self.first))
    }

    /// The thread-local variable that an address lies in; `pointer` is the thread's own.
    #[must_use]
    pub fn local(&self, address: u64, pointer: u64) -> Option<(&Symbol, u64)> {
        within(&self.locals, address.wrapping_sub(pointer.wrapping_sub(self.block)))
    }
}

fn within(table: &BTreeMap<u64, Symbol>, address: u64) -> Option<(&Symbol, u64)> {
    let (start, symbol) = table.range(..=address).next_back()?;
    let offset = address - start;
    (offset < symbol.size).then_some((symbol, offset))
}

/// Bytes of a thread's block of the executable: the program header of type TLS, rounded up to its
/// alignment (x86-64 ABI for TLS, variant II).
fn block(bytes: &[u8]) -> Option<u64> {
    use object::read::elf::{FileHeader as _, ProgramHeader as _};
    let header = object::elf::FileHeader64::<object::Endianness>::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let mut headers = header.program_headers(endian, bytes).ok()?.iter();
    let tls = headers.find(|it| it.p_type(endian) == object::elf::PT_TLS)?;
    Some(tls.p_memsz(endian).next_multiple_of(tls.p_align(endian).max(1)))
}
