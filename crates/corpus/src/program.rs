//! A corpus program.

use std::path::{Path, PathBuf};

use crate::error::Located;
use crate::{Error, Header, Markers, Problem, Verdict};

/// A file of a program.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// The path from the root of the repository: `corpus/everyday/threadpool/pool.c`.
    pub shown: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// The name of the file: `pool.c`.
    #[must_use]
    pub fn file_name(&self) -> &str {
        last_part(&self.shown)
    }
}

/// A program of the corpus, with what it says of itself.
#[derive(Clone, Debug)]
pub struct CorpusProgram {
    /// The file; of a program of several files, the folder.
    pub path: PathBuf,
    /// The path from the root of the repository, as a user there would type it:
    /// `corpus/figures/conc_xy.c`, `corpus/everyday/threadpool`.
    pub shown: String,
    /// The text of the file; of a program of several files, of the one that has the header.
    pub text: String,
    /// All its files: the one with the header, then the others by name.
    pub sources: Vec<Source>,
    /// What the program says of itself.
    pub header: Header,
    /// Its marked lines.
    pub markers: Markers,
}

impl CorpusProgram {
    /// A program of one file, from its text.
    ///
    /// # Errors
    /// What is wrong with its header or its markers.
    pub fn parse(path: &Path, shown: &str, text: String) -> Result<CorpusProgram, Error> {
        let source = Source { path: path.to_owned(), shown: shown.to_owned(), text };
        CorpusProgram::of_sources(path, shown, vec![source])
    }

    /// A program from its files, the one with the header first.
    ///
    /// # Errors
    /// What is wrong with its header or its markers.
    pub fn of_sources(
        path: &Path,
        shown: &str,
        sources: Vec<Source>,
    ) -> Result<CorpusProgram, Error> {
        let Some(first) = sources.first() else {
            return Err(in_file(shown, Located::new(0, Problem::NoHeader)));
        };
        let text = first.text.clone();
        let mut markers = Markers::default();
        for source in &sources {
            markers.add(source).map_err(|it| in_file(&source.shown, it))?;
        }
        let header = Header::parse(&sources, &markers).map_err(|it| in_file(&first.shown, it))?;
        let (path, shown) = (path.to_owned(), shown.to_owned());
        Ok(CorpusProgram { path, shown, text, sources, header, markers })
    }

    /// The C files, which a user would name on the command line: as paths from the root of the
    /// repository, by name.
    #[must_use]
    pub fn c_files(&self) -> Vec<&str> {
        let all = self.sources.iter().map(|it| it.shown.as_str());
        let mut files: Vec<&str> = all.filter(|it| is_c_file(it)).collect();
        files.sort_unstable();
        files
    }

    /// The directory of the corpus that the program is in: `figures`.
    #[must_use]
    pub fn directory(&self) -> &str {
        self.shown.rsplit('/').nth(1).unwrap_or_default()
    }

    /// The name of the file or folder: `conc_xy.c`, `threadpool`.
    #[must_use]
    pub fn file_name(&self) -> &str {
        last_part(&self.shown)
    }

    /// The name of the program: `conc_xy`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.file_name().trim_end_matches(".c")
    }

    /// Whether some run fails.
    #[must_use]
    pub fn is_unsafe(&self) -> bool {
        self.header.verdict == Verdict::Unsafe
    }
}

fn is_c_file(shown: &str) -> bool {
    Path::new(shown).extension().is_some_and(|it| it == "c")
}

fn last_part(shown: &str) -> &str {
    shown.rsplit('/').next().unwrap_or_default()
}

fn in_file(shown: &str, it: Located) -> Error {
    Error { file: shown.to_owned(), line: it.line, problem: it.problem }
}
