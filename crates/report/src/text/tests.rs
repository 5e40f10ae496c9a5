use super::*;
use crate::examples;
#[test]
fn look() {
    for r in examples::all() {
        println!("{}\n==========", render(&r, Style::default()));
    }
    println!("{}", render(&examples::xy(), Style { unicode: true, ..Style::default() }));
    println!("{}", render(&examples::race(), Style { verbose: true, ..Style::default() }));
}
