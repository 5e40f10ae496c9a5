//! The programs of `corpus/` as tasks, with the answer that their headers expect.

use std::fs;
use std::path::PathBuf;

use unravel_corpus::{CorpusProgram, Header, Verdict};
use unravel_kinds::Property;

use crate::peers::{Answer, Task};

pub use unravel_corpus::root;

/// A directory below `target/` for what is written on the way.
pub fn scratch(name: &str) -> Result<PathBuf, String> {
    let path = root().join("target").join(name);
    fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// A program of the corpus with what its header says.
pub struct Program {
    /// The directory of the corpus.
    pub directory: String,
    /// Name, file, flags, and the right answer.
    pub task: Task,
    /// What it says of itself.
    pub header: Header,
}

impl From<CorpusProgram> for Program {
    fn from(program: CorpusProgram) -> Program {
        Program {
            directory: program.directory().to_owned(),
            task: task(&program),
            header: program.header,
        }
    }
}

/// All programs of all directories, by directory and name.
pub fn all() -> Result<Vec<Program>, String> {
    let programs = unravel_corpus::all().map_err(|error| error.to_string())?;
    Ok(programs.into_iter().map(Program::from).collect())
}

/// The programs of one directory of the corpus, by name.
pub fn programs(directory: &str) -> Result<Vec<Task>, String> {
    let programs = unravel_corpus::directory(directory).map_err(|error| error.to_string())?;
    Ok(programs.iter().map(task).collect())
}

/// Loops of the corpus turn at most so often, by its rules, if the header does not say more.
const USUAL_TURNS: u32 = 4;

fn task(program: &CorpusProgram) -> Task {
    let header = &program.header;
    let expected = match header.verdict {
        Verdict::Safe => Answer::Safe,
        Verdict::Unsafe => Answer::Unsafe,
        Verdict::Inconclusive => Answer::Unknown,
    };
    let reach = expected == Answer::Safe || header.property == Some(Property::Reach);
    Task {
        name: program.name().to_owned(),
        for_peers: reach && header.flags.is_empty() && expected != Answer::Unknown,
        // Tools see the end of a loop one iteration later.
        unwind: header.turns.unwrap_or(USUAL_TURNS) + 1,
        path: program.path.clone(),
        expected,
        property: header.property.map(|it| it.name().to_owned()),
        flags: header.flags.words.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_have_headers() {
        let figures = programs("figures").unwrap();
        let xy = figures.iter().find(|task| task.name == "conc_xy").unwrap();
        assert!(xy.expected == Answer::Unsafe && xy.for_peers);
    }
}
