//! Texts in place of files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::path::{Path, PathBuf};

use common::{Sources, assert_well_formed, function};
use unravel_frontend::{Error, Options, check_sources, load, new_warnings};
use unravel_program::Program;

const MAIN: &str = "#include \"inc/part.h\"\nint main(void) { return part(); }\n";
const PART: &str = "#include \"more.h\"\nstatic int part(void) { return more(); }\n";
const MORE: &str = "static int more(void) { return 1; }\n";

fn sources() -> Sources {
    Sources::new(&[("src/a.c", MAIN), ("src/inc/part.h", PART), ("src/inc/more.h", MORE)])
}

fn changed(path: PathBuf, text: &str) -> Options {
    Options { overlay: vec![(path, text.to_owned())], ..Options::default() }
}

/// File and line of a function.
fn place(program: &Program, name: &str) -> (String, u32) {
    let span = program.site(function(program, name).site).span.unwrap();
    (program.files.path(span.file).to_owned(), span.line)
}

fn text<'a>(program: &'a Program, path: &Path) -> Option<&'a str> {
    let path = path.canonicalize().unwrap().display().to_string();
    let mut files = program.files.iter();
    files.find(|(_, file)| file.path == path).and_then(|(_, file)| file.text.as_deref())
}

#[test]
fn a_changed_file_is_compiled_in_its_place() {
    let sources = sources();
    let path = sources.path("src/a.c");
    let text = format!("\n\n{MAIN}int added;\n");
    let program = load(std::slice::from_ref(&path), &changed(path.clone(), &text)).unwrap();
    assert_well_formed(&program);
    assert_eq!(place(&program, "main"), (path.display().to_string(), 4));
    assert!(program.globals.iter().any(|it| it.name == "added"));
    let shown = program.files.iter().find(|(_, file)| file.path == path.display().to_string());
    assert_eq!(shown.unwrap().1.text.as_deref(), Some(text.as_str()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), MAIN);
}

#[test]
fn a_changed_header_is_seen_through_relative_includes() {
    let sources = sources();
    let header = sources.path("src/inc/more.h");
    let new = format!("static int added;\n\n{MORE}static int other(void) {{ return added; }}\n");
    let program = load(&[sources.path("src/a.c")], &changed(header.clone(), &new)).unwrap();
    assert_eq!(place(&program, "more"), (header.canonicalize().unwrap().display().to_string(), 3));
    assert_eq!(text(&program, &header), Some(new.as_str()));
    assert_eq!(text(&program, &sources.path("src/inc/part.h")), Some(PART));
}

#[test]
fn a_changed_header_is_seen_through_a_compilation_database() {
    let sources = Sources::new(&[
        ("src/a.c", "#include <part.h>\nint main(void) { return part(); }\n"),
        ("src/inc/part.h", PART),
        ("src/inc/more.h", MORE),
        ("build/x", ""),
    ]);
    let build = sources.path("build").display().to_string();
    let entry = r#""file": "../src/a.c", "command": "gcc -I../src/inc -c ../src/a.c""#;
    let database = format!(r#"[{{"directory": "{build}", {entry}}}]"#);
    std::fs::write(sources.path("build/compile_commands.json"), database).unwrap();
    let new = format!("\n{MORE}");
    for inputs in [vec![], vec![sources.path("src/a.c")]] {
        let options = Options {
            compile_commands: Some(sources.path("build")),
            ..changed(sources.path("src/inc/more.h"), &new)
        };
        let program = load(&inputs, &options).unwrap();
        assert_eq!(place(&program, "more").1, 2);
        let old = Options { overlay: Vec::new(), ..options.clone() };
        assert_eq!(new_warnings(&inputs, &old, &options).unwrap(), Vec::<String>::new());
        let unused = format!("{MORE}static int unused(void) {{ return 1; }}\n");
        let bad = Options { overlay: vec![(sources.path("src/inc/more.h"), unused)], ..options };
        let new = new_warnings(&inputs, &old, &bad).unwrap();
        assert!(
            !new.is_empty() && new.iter().all(|it| it.contains("-Wunused-function")),
            "{new:?}"
        );
    }
}

#[test]
fn an_error_in_the_new_text_names_the_file() {
    let sources = sources();
    let path = sources.path("src/a.c");
    let error = load(std::slice::from_ref(&path), &changed(path.clone(), "int main(void) { x; }"));
    let Error::CompileFailed { first: Some(first), .. } = error.unwrap_err() else {
        panic!("it compiles")
    };
    assert_eq!((first.path, first.line), (path, 1));
}

#[test]
fn only_warnings_that_are_new_are_told() {
    let text = "int f(int unused) { return 1; }\nint main(void) { return f(1); }\n";
    let sources = Sources::new(&[("a.c", text)]);
    let path = sources.path("a.c");
    let warnings = |new: &str| {
        let inputs = [path.clone()];
        new_warnings(&inputs, &Options::default(), &changed(path.clone(), new)).unwrap()
    };
    assert_eq!(warnings(&format!("\n{text}")), Vec::<String>::new());
    let new = warnings(&text.replace("return 1;", "int x; return 1;"));
    assert!(!new.is_empty(), "no new warning");
    assert!(new.iter().all(|it| it.contains("-Wunused-variable")), "{new:?}");
}

#[test]
fn what_is_made_from_its_source_cannot_be_changed() {
    let sources = Sources::new(&[("a.c", MORE), ("a.ll", "; nothing")]);
    let path = sources.path("a.ll");
    let error = check_sources(std::slice::from_ref(&path), &Options::default()).unwrap_err();
    assert_eq!(error, Error::NotSource { path: path.clone() });
    assert!(error.help().unwrap().contains("C files"));
    let options = changed(sources.path("a.c"), MORE);
    assert_eq!(load(std::slice::from_ref(&path), &options).unwrap_err(), error);
    assert_eq!(check_sources(&[sources.path("a.c")], &Options::default()), Ok(()));
}
