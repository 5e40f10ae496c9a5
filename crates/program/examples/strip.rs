//! Reads a program's text from standard input and prints it without places and names
//! (`make models`).

use std::io::Read as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut input = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut input) {
        eprintln!("error: {error}");
        return ExitCode::FAILURE;
    }
    match unravel_program::text::parse(&input) {
        Ok(program) => {
            print!("{}", unravel_program::library::models::strip(&program));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {}:{}: {}", error.line, error.column, error.message);
            ExitCode::FAILURE
        }
    }
}
