//! `make tables`: writes `docs/results.md`, what Unravel finds on the corpus, beside published
//! results. Everything on the page is measured or computed here, other than the published figures
//! (`bench/published/`).
//!
//! The exit code is 1 if Unravel does not run or gives a wrong or changing answer, 2 for wrong
//! arguments or a page that cannot be written, else 0: a target that is missed is only printed.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

use unravel_bench::{corpus, tables};

const HELP: &str = "\
What Unravel finds on the corpus, beside published results, as Markdown

Usage: tables [OPTIONS]

  -o FILE           write to this file instead of standard output
  --unravel PATH    this program instead of target/release/unravel
  --only-compare    the tables of the comparisons alone
  --only-localize   the table of the fault localization alone";

struct Options {
    output: Option<PathBuf>,
    unravel: PathBuf,
    only_compare: bool,
    only_localize: bool,
}

/// The options; none if help is asked for.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let unravel = corpus::root().join("target/release/unravel");
    let mut options = Options { output: None, unravel, only_compare: false, only_localize: false };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value"));
        match argument.as_str() {
            "-o" => options.output = Some(PathBuf::from(value()?)),
            "--unravel" => options.unravel = PathBuf::from(value()?),
            "--only-compare" => options.only_compare = true,
            "--only-localize" => options.only_localize = true,
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
    let page = match (options.only_compare, options.only_localize) {
        (true, _) => tables::comparisons(),
        (_, true) => tables::localizations(&options.unravel),
        (false, false) => tables::page(&options.unravel),
    };
    let page = match page {
        Ok(page) => page,
        Err(message) => return failed(&message, 1),
    };
    match &options.output {
        None => print!("{}", page.text),
        Some(file) => {
            if let Err(error) = std::fs::write(file, &page.text) {
                return failed(&format!("{}: {error}", file.display()), 2);
            }
        }
    }
    match page.wrong.is_empty() {
        true => ExitCode::SUCCESS,
        false => failed(&page.wrong.join("\nerror: "), 1),
    }
}

fn failed(message: &str, code: u8) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(code)
}
