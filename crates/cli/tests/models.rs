//! The library models kept as IR text are what their C source gives.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use support::{root, stderr, stdout, unravel};
use unravel_program::library::models::{source, strip};

#[test]
fn the_models_are_up_to_date() {
    let file = "crates/program/src/library/models.c";
    assert!(root().join(file).exists());
    for (bytes, flag) in [(8, "-m64"), (4, "-m32")] {
        let args =
            ["check", file, "--emit", "program", "--", flag, "-ffreestanding", "-fno-builtin"];
        let output = unravel(&args);
        let program = unravel_program::text::parse(&stdout(&output));
        let program = program.unwrap_or_else(|error| panic!("{error:?}\n{}", stderr(&output)));
        let fresh = strip(&program).to_string();
        assert!(fresh == source(bytes), "{flag}: run `make models` after a change of {file}");
    }
}
