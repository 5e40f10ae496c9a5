//! `cargo run --example concurrent -- SEED` prints the concurrent program of a
//! seed; `-- FIRST COUNT DIRECTORY` writes the programs of several seeds as
//! `SEED.c`, and prints the seed and the constructs of each in a line.

use std::path::Path;
use unravel_cgen::concurrent;

fn main() -> std::io::Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let number = |i: usize| args.get(i).and_then(|arg| arg.parse::<u64>().ok());
    let first = number(0).unwrap_or(0);
    let (Some(count), Some(directory)) = (number(1), args.get(2)) else {
        print!("{}", concurrent(first).source);
        return Ok(());
    };
    for seed in first..first + count {
        let program = concurrent(seed);
        std::fs::write(Path::new(directory).join(format!("{seed}.c")), program.source)?;
        let names: Vec<_> = program.constructs.iter().map(|construct| construct.name()).collect();
        println!("{seed} {}", names.join(" "));
    }
    Ok(())
}
