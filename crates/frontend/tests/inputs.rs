//! Files, flags, the compilation database, and every error.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Sources, assert_well_formed, function, ops};
use unravel_frontend::{DatabaseError, Error, Options, load, versions};
use unravel_program::Op;

const MAIN: &str = "int main(void) { return 0; }";

fn error(files: &[PathBuf]) -> Error {
    let error = load(files, &Options::default()).unwrap_err();
    check_text(&error);
    error
}

/// One lower-case sentence without a full stop; help likewise.
fn check_text(error: &Error) {
    let text = error.to_string();
    assert!(!text.ends_with('.') && !text.contains('\n'), "{text}");
    assert!(!text.starts_with(|c: char| c.is_uppercase()), "{text}");
    assert!(error.help().is_none_or(|help| !help.ends_with('.')));
}

fn clang(arguments: &[&str], directory: &Path) {
    let status = Command::new("clang-19").args(arguments).current_dir(directory).status().unwrap();
    assert!(status.success());
}

#[test]
fn several_files_are_linked() {
    let sources = Sources::new(&[
        (
            "a.c",
            "extern int x; static int local(void) { return 1; } int add(int); int main(void) { return add(x) + local(); }",
        ),
        (
            "b.c",
            "int x = 4; static int local(void) { return 2; } int add(int n) { return n + local(); }",
        ),
    ]);
    let program = sources.load(&[]).unwrap();
    assert_eq!(program.functions.len(), 4);
    assert!(ops(&program, "main").iter().all(|op| !matches!(op, Op::External { .. })));
    let files: Vec<_> = program.files.iter().map(|(_, file)| file.path.clone()).collect();
    let given = ["a.c", "b.c"].map(|name| sources.path(name).display().to_string());
    assert!(given.iter().all(|it| files.contains(it)), "{files:?}");
}

#[test]
fn weak_and_common_definitions_give_way() {
    let sources = Sources::new(&[
        (
            "a.c",
            "int shared; __attribute__((weak)) int f(void) { return 1; } int main(void) { return f() + shared; }",
        ),
        ("b.c", "int shared; int f(void) { return 2; }"),
    ]);
    let program = sources.load(&["-fcommon"]).unwrap();
    assert_eq!(program.functions.iter().filter(|it| it.name == "f").count(), 1);
}

#[test]
fn static_functions_of_one_name_keep_its_meaning() {
    let text = |name: &str, rest: &str| {
        format!(
            "#include <stdlib.h>\nstatic void reach_error(void) {{ abort(); }}\n\
                 void {name}(int x) {{ if (x) reach_error(); }}\n{rest}"
        )
    };
    let (a, b) = (text("f", MAIN), text("g", ""));
    let program = Sources::new(&[("a.c", &a), ("b.c", &b)]).load(&[]).unwrap();
    for name in ["f", "g"] {
        assert!(ops(&program, name).iter().any(|op| matches!(op, Op::Library { primitive, .. }
            if primitive.name() == "reach_error")));
    }
}

#[test]
fn two_definitions_of_a_symbol_conflict() {
    let sources =
        Sources::new(&[("a.c", MAIN), ("b.c", "int f(void) { return 1; }"), ("c.c", "int f;")]);
    let error = sources.load(&[]).unwrap_err();
    check_text(&error);
    let (first, second) = (sources.path("b.c"), sources.path("c.c"));
    assert_eq!(error, Error::LinkConflict { symbol: "f".to_owned(), first, second });
}

#[test]
fn llvm_ir_is_read_as_text_and_as_bitcode() {
    let sources =
        Sources::new(&[("a.c", MAIN), ("b.c", "int main(void) { int x = 3; return x; }")]);
    clang(&["-g", "-S", "-emit-llvm", "b.c", "-o", "b.ll"], sources.dir());
    clang(&["-g", "-c", "-emit-llvm", "b.c", "-o", "b.bc"], sources.dir());
    for name in ["b.ll", "b.bc"] {
        let program = load(&[sources.path(name)], &Options::default()).unwrap();
        assert_well_formed(&program);
        assert!(!ops(&program, "main").iter().any(|op| matches!(op, Op::Alloca { .. })), "{name}");
        let shown = sources.path("b.c").canonicalize().unwrap().display().to_string();
        assert!(program.files.iter().any(|(_, file)| file.path == shown && file.text.is_some()));
    }
}

#[test]
fn files_for_different_machines_do_not_mix() {
    let sources = Sources::new(&[("a.c", MAIN), ("b.c", "int f(void) { return 1; }")]);
    clang(&["-m32", "-c", "-emit-llvm", "b.c", "-o", "b.bc"], sources.dir());
    let (first, second) = (sources.path("a.c"), sources.path("b.bc"));
    assert_eq!(error(&[first.clone(), second.clone()]), Error::TargetMismatch { first, second });
}

#[test]
fn preprocessed_files_keep_places_that_exist() {
    let sources = Sources::new(&[("a.c", "int x;\n\nint main(void) { return x; }\n")]);
    clang(&["-E", "a.c", "-o", "a.i"], sources.dir());
    let line = |program: &unravel_program::Program| {
        let span = program.site(program.function(program.main).site).span.unwrap();
        (program.files.path(span.file).to_owned(), span.line)
    };
    let path = sources.path("a.i");
    std::fs::rename(sources.path("a.c"), sources.path("gone.c")).unwrap();
    let program = load(std::slice::from_ref(&path), &Options::default()).unwrap();
    assert_well_formed(&program);
    let text = std::fs::read_to_string(&path).unwrap();
    let expected = text.lines().position(|line| line.contains("main")).unwrap() + 1;
    assert_eq!(line(&program), (path.display().to_string(), u32::try_from(expected).unwrap()));
}

#[test]
fn flags_reach_the_compiler() {
    let sources = Sources::new(&[
        ("a.c", "#include \"part.h\"\nint main(void) { return NUMBER + part(); }"),
        ("inc/part.h", "static int part(void) { return 1; }"),
    ]);
    let include = format!("-I{}", sources.path("inc").display());
    let options =
        Options { flags: vec![include, "-DNUMBER=4".into(), "-O2".into()], ..Options::default() };
    let program = load(&[sources.path("a.c")], &options).unwrap();
    assert_well_formed(&program);
    assert_eq!(program.site(function(&program, "part").site).span.unwrap().line, 1);
}

#[test]
fn the_compilation_database_has_flags_and_files() {
    let sources = Sources::new(&[
        ("src/a.c", "int f(void);\nint main(void) { return f() + A; }"),
        ("src/b.c", "int f(void) { return B; }"),
        ("src/c.cpp", "int g() { return 1; }"),
    ]);
    std::fs::create_dir(sources.path("build")).unwrap();
    let build = sources.path("build").display().to_string();
    let text = format!(
        r#"[{{"directory": "{build}", "file": "../src/a.c", "command": "gcc -DA='1' -O3 -g -c ../src/a.c -o a.o"}},
            {{"directory": "{build}", "file": "../src/b.c", "arguments": ["cc", "-DB=2", "-c", "../src/b.c"], "output": "b.o"}},
            {{"directory": "{build}", "file": "../src/c.cpp", "command": "g++ -c ../src/c.cpp"}}]"#
    );
    std::fs::write(sources.path("build/compile_commands.json"), text).unwrap();
    let options = Options { compile_commands: Some(sources.path("build")), ..Options::default() };
    let given = [sources.path("src/a.c"), sources.path("src/b.c")];
    for inputs in [&given[..], &[]] {
        let program = load(inputs, &options).unwrap();
        assert_well_formed(&program);
        assert_eq!(program.functions.len(), 2);
        let shown = sources.path("src/a.c").canonicalize().unwrap().display().to_string();
        assert!(program.files.iter().any(|(_, file)| file.path == shown));
    }
    let missing = load(&[sources.path("src/c.cpp")], &options).unwrap_err();
    assert!(matches!(missing, Error::UnknownExtension { .. }));
    std::fs::write(sources.path("src/d.c"), MAIN).unwrap();
    // A harness that the database does not list comes with the files of the database.
    let program = load(&[sources.path("src/d.c")], &options).unwrap();
    assert!(program.files.iter().any(|(_, file)| file.path.ends_with("src/b.c")));
}

#[test]
fn a_database_that_is_not_one_is_told() {
    let sources = Sources::new(&[("a.c", MAIN)]);
    let options =
        Options { compile_commands: Some(sources.dir().to_owned()), ..Options::default() };
    let failure = || {
        let error = load(&[], &options).unwrap_err();
        check_text(&error);
        match &error {
            Error::CompilationDatabase(reason) => {
                assert!(error.help().unwrap().contains("CMAKE_EXPORT_COMPILE_COMMANDS"));
                reason.clone()
            }
            _ => panic!("{error:?}"),
        }
    };
    assert!(matches!(failure(), DatabaseError::Missing { .. }));
    std::fs::write(sources.path("compile_commands.json"), "{").unwrap();
    assert!(matches!(failure(), DatabaseError::Malformed { .. }));
    std::fs::write(sources.path("compile_commands.json"), "[]").unwrap();
    assert!(matches!(failure(), DatabaseError::NoFiles { .. }));
}

#[test]
fn inputs_that_are_none_are_told() {
    let sources = Sources::new(&[
        ("empty.c", ""),
        ("blank.c", " \n\t\n"),
        ("empty.bc", ""),
        ("comment.c", "/* nothing */\n"),
        ("a.txt", "x"),
        ("library.c", "int f(void) { return 1; }"),
    ]);
    let path = |name: &str| sources.path(name);
    assert_eq!(error(&[]), Error::NoInputs);
    assert_eq!(error(&[path("no.c")]), Error::InputMissing { path: path("no.c") });
    assert_eq!(error(&[path("")]), Error::InputIsDirectory { path: path("") });
    for name in ["empty.c", "blank.c", "empty.bc"] {
        assert_eq!(error(&[path(name)]), Error::InputEmpty { path: path(name) });
    }
    assert_eq!(error(&[path("a.txt")]), Error::UnknownExtension { path: path("a.txt") });
    assert_eq!(error(&[path("comment.c")]), Error::NoMain);
    assert_eq!(error(&[path("library.c")]), Error::NoMain);
}

#[test]
fn compiler_errors_are_passed_on() {
    let sources =
        Sources::new(&[("a.c", "#include \"b.h\"\nint main(void) { return 0 }\n"), ("b.h", "\n")]);
    let error = error(&[sources.path("a.c")]);
    let Error::CompileFailed { file, diagnostics, first: Some(first) } = &error else {
        panic!("{error:?}")
    };
    assert_eq!((file, &first.path), (&sources.path("a.c"), &sources.path("a.c")));
    assert_eq!((first.line, first.column), (2, 26));
    assert!(diagnostics.contains(&first.message) && first.message.contains("expected ';'"));
}

#[test]
fn bad_bitcode_is_told() {
    let sources = Sources::new(&[
        ("a.bc", "this is no bitcode"),
        ("a.ll", "define i32 @main( {"),
        ("a.c", MAIN),
    ]);
    clang(&["-c", "-emit-llvm", "a.c", "-o", "whole.bc"], sources.dir());
    let whole = std::fs::read(sources.path("whole.bc")).unwrap();
    std::fs::write(sources.path("cut.bc"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(
        sources.path("invalid.ll"),
        "define i32 @main() { %1 = add i32 %2, 1 %2 = add i32 %1, 1 ret i32 %1 }",
    )
    .unwrap();
    for name in ["a.bc", "a.ll", "cut.bc", "invalid.ll"] {
        let error = error(&[sources.path(name)]);
        let Error::BadBitcode { reason, .. } = &error else { panic!("{name}: {error:?}") };
        assert_eq!(name == "a.ll", reason.contains("at line 1, column 20"), "{reason}");
    }
}

/// LLVM's reader crashes on some of these, in a process of its own.
#[test]
fn damaged_bitcode_does_not_crash() {
    let sources = Sources::new(&[("a.c", "struct s { int x; } s; int main(void) { return s.x; }")]);
    clang(&["-g", "-c", "-emit-llvm", "a.c", "-o", "a.bc"], sources.dir());
    let whole = std::fs::read(sources.path("a.bc")).unwrap();
    for step in 1..=24 {
        let mut bytes = whole.clone();
        let at = step * 997 % bytes.len();
        bytes[at] ^= 0x55;
        std::fs::write(sources.path("b.bc"), bytes).unwrap();
        match load(&[sources.path("b.bc")], &Options::default()) {
            Ok(program) => assert_well_formed(&program),
            Err(error) => check_text(&error),
        }
    }
}

#[test]
fn a_compiler_that_is_not_there_is_told() {
    let sources = Sources::new(&[("a.c", MAIN), ("fake", "no program")]);
    let fail = |clang: PathBuf| {
        let options = Options { clang: Some(clang), ..Options::default() };
        let error = load(&[sources.path("a.c")], &options).unwrap_err();
        check_text(&error);
        error
    };
    let missing = fail(sources.path("clang"));
    assert!(matches!(missing, Error::ClangNotFound { .. }));
    assert!(missing.help().unwrap().contains("clang-19"));
    assert!(matches!(fail(sources.path("fake")), Error::ClangFailed { .. }));
}

#[test]
fn a_machine_of_the_other_byte_order_is_refused() {
    let text = "target datalayout = \"E-m:e-i64:64-n32:64\"\ndefine i32 @main() { ret i32 0 }";
    let error = Sources::new(&[("a.ll", text)]).load(&[]).unwrap_err();
    assert!(matches!(error, Error::Invalid(_)));
}

#[test]
fn versions_are_told() {
    let (llvm, clang) = versions();
    assert!(llvm.starts_with("19."));
    assert!(clang.is_some_and(|it| it.contains("version 19.")));
}

#[test]
fn the_same_input_gives_the_same_program() {
    let text = "#include <stdio.h>\nstruct s { int a; } s; int (*p)(const char *) = puts;\n\
                int main(void) { p(\"x\"); return s.a; }";
    let sources = Sources::new(&[("a.c", text)]);
    assert_eq!(sources.load(&[]).unwrap(), sources.load(&[]).unwrap());
}
