//! From what the user gave to LLVM IR in memory, one unit per file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Options;
use crate::clang::{Clang, Job, without_stale_markers};
use crate::database::Database;
use crate::debug::short_path;
use crate::error::Error;

/// One file as LLVM IR.
pub(crate) struct Unit {
    /// The path as the user wrote it.
    pub(crate) path: PathBuf,
    /// Bitcode or textual IR.
    pub(crate) ir: Vec<u8>,
}

/// What a file's name says it holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Source,
    Preprocessed,
    Ir,
}

/// Reads and compiles all inputs; without any, all C files of the compilation database.
pub(crate) fn units(inputs: &[PathBuf], options: &Options) -> Result<Vec<Unit>, Error> {
    let database = options.compile_commands.as_deref().map(Database::open).transpose()?;
    let files = match &database {
        // Named as the user would, not relative to a build directory.
        Some(database) if inputs.is_empty() => {
            database.files()?.iter().map(|path| short_path(path)).collect()
        }
        _ => inputs.to_vec(),
    };
    if files.is_empty() {
        return Err(Error::NoInputs);
    }
    // All files are looked at before the compiler is run on any: a wrong name is told at once.
    let sources = files.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let alone = sources.len() == 1;
    let mut compiler = Compiler { options, database, clang: None, alone };
    sources.into_iter().map(|source| compiler.unit(source)).collect()
}

/// A file that was read.
struct Source {
    path: PathBuf,
    kind: Kind,
    bytes: Vec<u8>,
}

fn read(path: PathBuf) -> Result<Source, Error> {
    match fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => return Err(Error::InputIsDirectory { path }),
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
        Ok(bytes) => Ok(Source { path, kind, bytes }),
        Err(error) => Err(Error::InputUnreadable { path, reason: error.to_string() }),
    }
}

/// Compiles what is C; clang is looked for when it is first needed.
struct Compiler<'a> {
    options: &'a Options,
    database: Option<Database>,
    clang: Option<Clang>,
    /// There is only one file.
    alone: bool,
}

impl Compiler<'_> {
    fn unit(&mut self, source: Source) -> Result<Unit, Error> {
        let ir = match source.kind {
            Kind::Ir => {
                self.check(&source.path)?;
                source.bytes
            }
            Kind::Source | Kind::Preprocessed => self.compile(&source)?,
        };
        Ok(Unit { path: source.path, ir })
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

    fn compile(&mut self, source: &Source) -> Result<Vec<u8>, Error> {
        let mut flags = Vec::new();
        let (mut file, mut directory) = (source.path.clone(), None);
        if let Some(database) = &self.database {
            let command = database.command(&source.path)?;
            flags = command.flags;
            file = command.file;
            directory = Some(command.directory);
        }
        flags.extend(self.options.flags.iter().cloned());
        let text = (source.kind == Kind::Preprocessed)
            .then(|| without_stale_markers(&source.path, &source.bytes))
            .flatten();
        let alone = self.alone;
        self.clang()?.compile(&Job {
            shown: &source.path,
            file: &file,
            directory: directory.as_deref(),
            flags: &flags,
            alone,
            text,
        })
    }

    fn clang(&mut self) -> Result<&Clang, Error> {
        let clang = match self.clang.take() {
            Some(clang) => clang,
            None => Clang::find(self.options.clang.as_deref().map(Path::as_ref))?,
        };
        Ok(self.clang.insert(clang))
    }
}
