//! A corpus program.

use std::path::{Path, PathBuf};

use crate::error::Located;
use crate::{Error, Header, Markers, Verdict};

/// A program of the corpus, with what it says of itself.
#[derive(Clone, Debug)]
pub struct CorpusProgram {
    /// The file.
    pub path: PathBuf,
    /// The path from the root of the repository, as a user there would type it:
    /// `corpus/figures/conc_xy.c`.
    pub shown: String,
    /// The text of the file.
    pub text: String,
    /// What the program says of itself.
    pub header: Header,
    /// Its marked lines.
    pub markers: Markers,
}

impl CorpusProgram {
    /// A program from its text.
    ///
    /// # Errors
    /// What is wrong with its header or its markers.
    pub fn parse(path: &Path, shown: &str, text: String) -> Result<CorpusProgram, Error> {
        let in_file =
            |it: Located| Error { file: shown.to_owned(), line: it.line, problem: it.problem };
        let markers = Markers::of(&text).map_err(in_file)?;
        let header = Header::parse(&text, &markers).map_err(in_file)?;
        Ok(CorpusProgram { path: path.into(), shown: shown.to_owned(), text, header, markers })
    }

    /// The directory of the corpus that the program is in: `figures`.
    #[must_use]
    pub fn directory(&self) -> &str {
        self.shown.rsplit('/').nth(1).unwrap_or_default()
    }

    /// The name of the file: `conc_xy.c`.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.shown.rsplit('/').next().unwrap_or_default()
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
