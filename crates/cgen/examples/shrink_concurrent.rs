//! `cargo run --example shrink_concurrent -- SEED COMMAND...` makes the program
//! of a seed as small as it can while `COMMAND... FILE` still succeeds, and
//! prints the result.

use std::process::{Command, Stdio};
use unravel_cgen::{ConcurrentProgram, shrink_concurrent};

fn main() -> std::io::Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let seed = args.first().and_then(|arg| arg.parse().ok());
    let (Some(seed), Some(command)) = (seed, args.get(1)) else {
        eprintln!("usage: shrink_concurrent SEED COMMAND...");
        return Ok(());
    };
    let file = std::env::temp_dir().join(format!("cgen-shrink-{}.c", std::process::id()));
    let succeeds = |program: &ConcurrentProgram| -> std::io::Result<bool> {
        std::fs::write(&file, program.source())?;
        let mut run = Command::new(command);
        run.args(&args[2..]).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(run.status()?.success())
    };
    let program = ConcurrentProgram::generate(seed);
    if !succeeds(&program)? {
        eprintln!("the command does not succeed on the program of seed {seed}");
        return Ok(());
    }
    let before = program.weight();
    // A command that cannot be run any more says nothing about the program.
    let small = shrink_concurrent(program, &mut |program| succeeds(program).unwrap_or(false));
    print!("{}", small.source());
    eprintln!("weight {before} to {}", small.weight());
    std::fs::remove_file(&file)
}
