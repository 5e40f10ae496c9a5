//! `make tables`: writes `docs/results.md`, what Unravel finds on the corpus, beside published
//! results. Everything on the page is measured or computed here, other than the published figures
//! (`bench/published/`).
//!
//! The exit code is 1 if Unravel does not run or gives a wrong or changing answer, 2 for wrong
//! arguments or a page that cannot be written, else 0: a target that is missed is only printed.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use unravel_bench::{corpus, tables};

const HELP: &str = "\
What Unravel finds on the corpus, beside published results, as Markdown

Usage: tables [OPTIONS]

  -o FILE           write to this file instead of standard output
  --unravel PATH    this program instead of target/release/unravel
  --only-compare    the tables of the comparisons alone
  --only-localize   the table of the fault localization alone
  --only-peers      the peers on the PATH alone
  --only-scaling    the growing families alone
  --only-published  the tables beside ConcBugAssist alone: diagnosis and repair
Plots go beside FILE; without -o there are none.";

struct Options {
    output: Option<PathBuf>,
    unravel: PathBuf,
    /// One part of the page, by the name of its option; the whole without.
    only: Option<&'static str>,
}

/// The options; none if help is asked for.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let unravel = corpus::root().join("target/release/unravel");
    let mut options = Options { output: None, unravel, only: None };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value"));
        match argument.as_str() {
            "-o" => options.output = Some(PathBuf::from(value()?)),
            "--unravel" => options.unravel = PathBuf::from(value()?),
            "--only-compare" => options.only = Some("compare"),
            "--only-localize" => options.only = Some("localize"),
            "--only-peers" => options.only = Some("peers"),
            "--only-scaling" => options.only = Some("scaling"),
            "--only-published" => options.only = Some("published"),
            "-h" | "--help" => return Ok(None),
            _ => return Err(format!("unknown argument `{argument}`; see --help")),
        }
    }
    Ok(Some(options))
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(message) => return failed(&message, 2),
    };
    let page = match options.only {
        Some("compare") => tables::comparisons(),
        Some("localize") => tables::localizations(&options.unravel),
        Some("peers") => tables::peers(&options.unravel),
        Some("published") => tables::published(&options.unravel),
        Some(_) => tables::families(&options.unravel),
        None => tables::page(&options.unravel),
    };
    let page = match page {
        Ok(page) => page,
        Err(message) => return failed(&message, 1),
    };
    match &options.output {
        None => print!("{}", page.text),
        Some(file) => {
            if let Err(message) = write(file, &page) {
                return failed(&message, 2);
            }
        }
    }
    match page.wrong.is_empty() {
        true => ExitCode::SUCCESS,
        false => failed(&page.wrong.join("\nerror: "), 1),
    }
}

/// Writes the page, and its plots beside it.
fn write(file: &Path, page: &tables::Page) -> Result<(), String> {
    let directory = file.parent().unwrap_or(Path::new("."));
    let plots = page.plots.iter().map(|(path, text)| (directory.join(path), text));
    for (path, text) in plots.chain([(file.to_owned(), &page.text)]) {
        let parent = path.parent().unwrap_or(directory);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn failed(message: &str, code: u8) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(code)
}
