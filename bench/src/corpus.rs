//! The programs of `corpus/`, with the answer that their headers expect.

use std::fs;
use std::path::{Path, PathBuf};

use crate::peers::{Answer, Task};

/// The root of the repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

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
    /// What it stands for.
    pub stands_for: Option<String>,
    /// The kind of bug that it has.
    pub pattern: Option<String>,
    /// Kinds of repair, best first.
    pub repair: Vec<String>,
    /// Why the answer is another one than the published one, where the answer itself does not show it.
    pub differs: Option<String>,
    /// Its sizes, if it has several: the name of each, and the value of `SIZE` that makes it.
    pub sizes: Vec<(String, u32)>,
}

/// All programs of all directories, by directory and name.
pub fn all() -> Result<Vec<Program>, String> {
    let corpus = root().join("corpus");
    let mut directories = Vec::new();
    for path in entries(&corpus)? {
        if path.is_dir() {
            directories.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    directories.sort();
    let mut all = Vec::new();
    for directory in directories {
        for task in programs(&directory)? {
            let text = read(&task.path)?;
            let value = |name: &str| key(&text, name).map(str::to_owned);
            let sizes = sizes(&value("sizes").unwrap_or_default());
            let sizes = sizes.ok_or(format!("{}: its sizes", task.path.display()))?;
            let repair = value("repair").unwrap_or_default();
            all.push(Program {
                directory: directory.clone(),
                task,
                stands_for: value("stands-for"),
                pattern: value("pattern"),
                repair: repair.split(", ").map(str::to_owned).collect(),
                differs: value("differs"),
                sizes,
            });
        }
    }
    Ok(all)
}

/// Sizes as headers have them: `S 2 M 18 L 100`.
fn sizes(text: &str) -> Option<Vec<(String, u32)>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let size = |pair: &[&str]| match pair {
        [name, number] => Some(((*name).to_owned(), number.parse().ok()?)),
        _ => None,
    };
    words.chunks(2).map(size).collect()
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", directory.display());
    let entries = fs::read_dir(directory).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The programs of one directory of the corpus, by name.
pub fn programs(directory: &str) -> Result<Vec<Task>, String> {
    let mut files = entries(&root().join("corpus").join(directory))?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files.into_iter().map(task).collect()
}

/// Loops of the corpus turn at most so often, by its rules, if the header does not say more.
const USUAL_TURNS: u32 = 4;

fn task(path: PathBuf) -> Result<Task, String> {
    let text = read(&path)?;
    let expected = match key(&text, "verdict") {
        Some("safe") => Answer::Safe,
        Some("unsafe") => Answer::Unsafe,
        Some("inconclusive") => Answer::Unknown,
        _ => return Err(format!("{}: no verdict in its header", path.display())),
    };
    let flags: Vec<String> =
        key(&text, "flags").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let turns = match key(&text, "turns") {
        None => Some(USUAL_TURNS),
        Some(turns) => turns.parse().ok(),
    };
    let turns: u32 = turns.ok_or(format!("{}: its turns", path.display()))?;
    let reach = expected == Answer::Safe || key(&text, "property") == Some("reach");
    Ok(Task {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        for_peers: reach && flags.is_empty() && expected != Answer::Unknown,
        // Tools see the end of a loop one turn later.
        unwind: turns + 1,
        path,
        expected,
        property: key(&text, "property").map(str::to_owned),
        flags,
    })
}

fn key<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let header = text.split("*/").next().unwrap_or_default();
    let start = format!(" * {key}: ");
    header.lines().find_map(|line| line.strip_prefix(&start)).map(str::trim)
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

    #[test]
    fn sizes_are_pairs() {
        let both = vec![("S".to_owned(), 2), ("L".to_owned(), 100)];
        assert_eq!(sizes("S 2 L 100"), Some(both));
        assert_eq!(sizes(""), Some(Vec::new()));
        assert_eq!((sizes("S"), sizes("S two")), (None, None));
    }
}
