//! `cargo run --example print -- SEED` prints the program of a seed.

fn main() {
    let seed = std::env::args().nth(1).and_then(|arg| arg.parse().ok()).unwrap_or(0);
    print!("{}", unravel_cgen::sequential(seed).source);
}
