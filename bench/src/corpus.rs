//! The programs of `corpus/`, with the answer that their headers expect.

use std::fs;
use std::path::{Path, PathBuf};

use crate::peers::{Answer, Task};

/// The root of the repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// The programs of one directory of the corpus, by name.
pub fn programs(directory: &str) -> Result<Vec<Task>, String> {
    let path = root().join("corpus").join(directory);
    let failed = |error| format!("{}: {error}", path.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|extension| extension == "c") {
            files.push(file);
        }
    }
    files.sort();
    files.into_iter().map(task).collect()
}

fn task(path: PathBuf) -> Result<Task, String> {
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let expected = match key(&text, "verdict") {
        Some("safe") => Answer::Safe,
        Some("unsafe") => Answer::Unsafe,
        Some("inconclusive") => Answer::Unknown,
        _ => return Err(format!("{}: no verdict in its header", path.display())),
    };
    let flags: Vec<String> =
        key(&text, "flags").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let reach = expected == Answer::Safe || key(&text, "property") == Some("reach");
    Ok(Task {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        for_peers: reach && flags.is_empty() && expected != Answer::Unknown,
        // Loops of the corpus turn at most four times, by its rules.
        unwind: 5,
        path,
        expected,
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
}
