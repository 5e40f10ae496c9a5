//! From what the user gave to LLVM IR in memory, one unit per file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use unravel_span::bytes;

use crate::Options;
use crate::clang::{Clang, Job, without_stale_markers};
use crate::database::{Database, canonical};
use crate::debug::short_path;
use crate::error::Error;
use crate::flags;
use crate::llvm::Session;
use crate::overlay::Overlay;
use crate::owner::{foreign, library_names};
use crate::shifts::{SignedShifts, checked_shifts, has_shift};

/// One file as LLVM IR.
pub(crate) struct Unit {
    /// The path as the user wrote it.
    pub(crate) path: PathBuf,
    /// Bitcode or textual IR.
    pub(crate) ir: Vec<u8>,
    /// Nobody named it: it stands beside a file that the database does not know, and is left out if
    /// both have a `main`.
    pub(crate) spare: bool,
    /// Which of its left shifts are of signed numbers.
    pub(crate) signed_shifts: SignedShifts,
    /// Functions that it calls and that have a name of the library by accident.
    pub(crate) foreign: BTreeSet<String>,
}

impl Unit {
    pub(crate) fn new(path: PathBuf, ir: Vec<u8>, spare: bool) -> Unit {
        let (signed_shifts, foreign) = (SignedShifts::new(), BTreeSet::new());
        Unit { path, ir, spare, signed_shifts, foreign }
    }
}

/// Makes clang say where locals begin and end that are declared in a block. The sanitizer itself
/// stays off.
const BLOCK_MARKERS: &[&str] = &["-Xclang", "-fsanitize-address-use-after-scope"];

/// Makes clang check left shifts of signed numbers.
const SHIFT_CHECKS: &[&str] = &["-fsanitize=shift-base", "-fsanitize-trap=shift-base"];

/// What a file's name says it holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Source,
    Preprocessed,
    Ir,
}

/// Reads and compiles all inputs; without any, all C files of the compilation database.
pub(crate) fn units(
    inputs: &[PathBuf],
    options: &Options,
    overlay: &Overlay,
    session: &Session,
) -> Result<Vec<Unit>, Error> {
    let sources = sources(inputs, options, overlay)?;
    let mut compiler = Compiler::new(options, overlay, sources.len() == 1)?;
    sources.into_iter().map(|source| compiler.unit(source, session)).collect()
}

/// Reads all inputs. A wrong name is told at once, before the compiler is run on any.
pub(crate) fn sources(
    inputs: &[PathBuf],
    options: &Options,
    overlay: &Overlay,
) -> Result<Vec<Source>, Error> {
    let mut sources = inputs.iter().cloned().map(read).collect::<Result<Vec<_>, _>>()?;
    if let Some(directory) = &options.compile_commands {
        let database = Database::open(directory)?;
        let is_new = |path: &PathBuf| !database.has(path);
        if !options.targets.is_empty() || inputs.iter().all(is_new) {
            let rest = database.files(&options.targets)?;
            let given: Vec<PathBuf> = inputs.iter().map(|it| canonical(it)).collect();
            for path in rest.iter().filter(|it| !given.contains(&canonical(it))) {
                // Named as the user would, not relative to a build directory.
                let source = read(short_path(path))?;
                sources.push(Source { spare: !inputs.is_empty(), ..source });
            }
        }
    }
    if sources.is_empty() {
        return Err(Error::NoInputs);
    }
    if overlay.is_empty() {
        return Ok(sources);
    }
    sources.iter().try_for_each(changeable)?;
    let changed = |source: Source| match overlay.text(&source.path) {
        Some(text) => Source { bytes: bytes::encode(text), ..source },
        None => source,
    };
    Ok(sources.into_iter().map(changed).collect())
}

/// Refuses a file that was made from its source: a change of the source would not reach it.
pub(crate) fn changeable(source: &Source) -> Result<(), Error> {
    let is_made = match source.kind {
        Kind::Source => false,
        Kind::Preprocessed => without_stale_markers(&source.path, &source.bytes).is_none(),
        Kind::Ir => true,
    };
    if is_made { Err(Error::NotSource { path: source.path.clone() }) } else { Ok(()) }
}

/// A file that was read.
pub(crate) struct Source {
    /// The path as the user wrote it.
    pub(crate) path: PathBuf,
    kind: Kind,
    bytes: Vec<u8>,
    spare: bool,
}

impl Source {
    /// Whether it is C.
    pub(crate) fn is_c(&self) -> bool {
        self.kind != Kind::Ir
    }
}

/// Why a pipe, a socket or a device is not read.
const NO_FILE: &str = "it is no regular file";

fn read(path: PathBuf) -> Result<Source, Error> {
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => return Err(Error::InputIsDirectory { path }),
        // A pipe is read for as long as somebody may write to it.
        Ok(metadata) if !metadata.is_file() => {
            return Err(Error::InputUnreadable { path, reason: NO_FILE.to_owned() });
        }
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::InputMissing { path });
        }
        Err(error) => return Err(Error::InputUnreadable { path, reason: error.to_string() }),
    }
    let kind = match path.extension().and_then(|it| it.to_str()) {
        Some("c") => Kind::Source,
        Some("i") => Kind::Preprocessed,
        Some("bc" | "ll") => Kind::Ir,
        _ => return Err(Error::UnknownExtension { path }),
    };
    match fs::read(&path) {
        Ok(bytes) if bytes.trim_ascii().is_empty() => Err(Error::InputEmpty { path }),
        Ok(bytes) => Ok(Source { path, kind, bytes, spare: false }),
        Err(error) => Err(Error::InputUnreadable { path, reason: error.to_string() }),
    }
}

/// Compiles what is C; clang is looked for when it is first needed.
pub(crate) struct Compiler<'a> {
    options: &'a Options,
    overlay: &'a Overlay,
    database: Option<Database>,
    clang: Option<Clang>,
    /// There is only one file.
    alone: bool,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(
        options: &'a Options,
        overlay: &'a Overlay,
        alone: bool,
    ) -> Result<Compiler<'a>, Error> {
        let database = options.compile_commands.as_deref().map(Database::open).transpose()?;
        Ok(Compiler { options, overlay, database, clang: None, alone })
    }

    fn unit(&mut self, source: Source, session: &Session) -> Result<Unit, Error> {
        if source.kind == Kind::Ir {
            self.check(&source.path)?;
            let (path, ir) = (source.path, source.bytes);
            return Ok(Unit::new(path, ir, source.spare));
        }
        let mut extra = Vec::new();
        let mut ir = self.compile(&source, &extra)?;
        let Some((block_local, shift, names)) = session.looked_at(&ir, |module| {
            (module.has_block_local(), has_shift(module), library_names(module))
        }) else {
            // The linker says what is wrong with it.
            return Ok(Unit::new(source.path, ir, source.spare));
        };
        if block_local {
            extra.extend(BLOCK_MARKERS);
            ir = self.compile(&source, &extra)?;
        }
        let mut signed_shifts = SignedShifts::new();
        if shift {
            extra.extend(SHIFT_CHECKS);
            let checked = self.compile(&source, &extra)?;
            signed_shifts = session.looked_at(&checked, checked_shifts).unwrap_or_default();
        }
        let overlay = self.overlay;
        let foreign = match source.kind {
            // Whatever declares a function there was in a header once.
            Kind::Preprocessed | Kind::Ir => BTreeSet::new(),
            Kind::Source => {
                self.with_job(&source, |clang, job| foreign(clang, &job, overlay, &names))?
            }
        };
        Ok(Unit { signed_shifts, foreign, ..Unit::new(source.path, ir, source.spare) })
    }

    fn compile(&mut self, source: &Source, extra: &[&str]) -> Result<Vec<u8>, Error> {
        self.with_job(source, |clang, job| clang.compile(&Job { extra, ..job }))
    }

    /// Refuses IR that would crash LLVM. Without a clang to try it on, it is taken as it is.
    fn check(&mut self, path: &Path) -> Result<(), Error> {
        let Ok(clang) = self.clang() else { return Ok(()) };
        if clang.survives(path)? {
            return Ok(());
        }
        let reason = "LLVM gives up on it".to_owned();
        Err(Error::BadBitcode { file: path.to_owned(), reason })
    }

    /// Has something done with a file of C and the compiler for it.
    pub(crate) fn with_job<T>(
        &mut self,
        source: &Source,
        act: impl FnOnce(&Clang, Job<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut flags = Vec::new();
        let (mut file, mut directory) = (source.path.clone(), None);
        if let Some(database) = &self.database {
            let command = database.command(&source.path)?;
            flags = command.flags;
            file = command.file;
            directory = Some(command.directory);
        }
        flags.extend(flags::sort(&self.options.flags, Path::new(""))?.compiler);
        let text = (source.kind == Kind::Preprocessed)
            .then(|| without_stale_markers(&source.path, &source.bytes))
            .flatten();
        let job = Job {
            shown: &source.path,
            file: &file,
            directory: directory.as_deref(),
            flags: &flags,
            alone: self.alone,
            text,
            extra: &[],
            overlay: self.overlay.list(),
            alarm: &self.options.alarm,
        };
        act(self.clang()?, job)
    }

    /// The compiler.
    pub(crate) fn clang(&mut self) -> Result<&Clang, Error> {
        let clang = match self.clang.take() {
            Some(clang) => clang,
            None => {
                let given = self.options.clang.as_deref().map(Path::as_ref);
                Clang::find(given, &self.options.alarm)?
            }
        };
        Ok(self.clang.insert(clang))
    }
}
