//! Guarded regions: every case of `tests/guard` is a program with places marked, and what becomes
//! of it.
//!
//! The first line of a case names the mutex (`new NAME`, or `existing EXPRESSION or EXPRESSION`, the
//! names that it has in several functions); a line of `=`
//! separates the program from the result, which is the changed text or `refused: WHY`. `@1` marks a
//! place of region 1; a region with one mark begins and ends there. `UPDATE_EXPECT=1` writes results
//! instead of comparing them: read the diff before committing it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod guard_support;

use guard_support::{Case, check_compiles, check_diff, edited};
use unravel_patch::diff::diff;
use unravel_patch::guard::guard;
use unravel_patch::{Edit, Sources};
use unravel_span::{FileId, Files};

const SEPARATOR: &str = "==========\n";

/// The result of a case, as its file shows it.
fn outcome(case: &Case) -> String {
    let sources = Sources::parse(&case.files);
    match guard(&sources, &case.regions, &case.mutex) {
        Ok(guarded) => guard_support::patched(&case.files, &guarded),
        Err(refusal) => format!("refused: {refusal}\n"),
    }
}

#[test]
fn every_case_becomes_what_its_file_says() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guard");
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 40, "only {} cases", paths.len());
    let mut wrong = String::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let (given, expected) = text.split_once(SEPARATOR).unwrap();
        let (mutex, program) = given.split_once('\n').unwrap();
        let result = outcome(&Case::new(mutex, program));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, format!("{given}{SEPARATOR}{result}")).unwrap();
        } else if result != expected {
            wrong += &format!("{}:\n{result}\n", path.display());
        }
        if !result.starts_with("refused") {
            wrong += &check_compiles(&path, &result);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The changed texts of several files, after git made the same of their diff.
fn changed(case: &Case) -> Vec<String> {
    let sources = Sources::parse(&case.files);
    let guarded = guard(&sources, &case.regions, &case.mutex).unwrap();
    check_diff(&case.files, &guarded.edits);
    case.files.iter().map(|(id, _)| edited(&case.files, id, &guarded.edits)).collect()
}

#[test]
fn a_mutex_of_several_files_is_defined_in_one_and_declared_in_the_others() {
    let header = "#pragma once\n#include <pthread.h>\nextern int x;\n";
    let first = "#include \"x.h\"\nint x;\n\nvoid f(void) {\n    @1x++;\n}\n";
    let second = "#include <stdio.h>\n\nextern int x;\n\nvoid g(void) {\n\t@2x--;\n}";
    let files = [("x.h", header), ("a.c", first), ("b.c", second)];
    let texts = changed(&Case::of_files("new x_lock", &files));
    assert_eq!(texts[0], header);
    assert_eq!(
        texts[1],
        "#include \"x.h\"\nint x;\npthread_mutex_t x_lock = PTHREAD_MUTEX_INITIALIZER;\n\n\
         void f(void) {\n    pthread_mutex_lock(&x_lock);\n    x++;\n    \
         pthread_mutex_unlock(&x_lock);\n}\n"
    );
    assert_eq!(
        texts[2],
        "#include <stdio.h>\n#include <pthread.h>\n\nextern int x;\nextern pthread_mutex_t x_lock;\n\n\
         void g(void) {\n\tpthread_mutex_lock(&x_lock);\n\tx--;\n\tpthread_mutex_unlock(&x_lock);\n}"
    );
}

#[test]
fn carriage_returns_stay() {
    let text = "#include <pthread.h>\r\nint x;\r\n\r\nint f(int c) {\r\n  if (c) @1x++;\r\n  return c;\r\n}\r\n";
    let result = changed(&Case::new("new x_lock", text)).remove(0);
    assert_eq!(result.matches('\n').count(), result.matches("\r\n").count());
    assert!(
        result.contains("  if (c) {\r\n    pthread_mutex_lock(&x_lock);\r\n    x++;\r\n"),
        "{result}"
    );
}

#[test]
fn a_region_in_a_header_alone_is_refused() {
    let case =
        Case::of_files("new x_lock", &[("x.h", "static inline void f(int *x) {\n  @1++*x;\n}\n")]);
    let refusal = guard(&Sources::parse(&case.files), &case.regions, &case.mutex).unwrap_err();
    assert_eq!(refusal.why, "all regions are in headers, where no mutex can be defined");
}

#[test]
fn sections_and_their_statements_are_counted() {
    let text = "#include <pthread.h>\nint x, y;\npthread_mutex_t m;\nvoid f(int c) {\n  @1x++;\n  if (c)\n    y++;\n  \
                @1y++;\n}\nvoid g(void) {\n  pthread_mutex_lock(&m);\n  @2x++;\n  pthread_mutex_unlock(&m);\n  @2y++;\n}\n";
    let case = Case::new("existing &m", text);
    let guarded = guard(&Sources::parse(&case.files), &case.regions, &case.mutex).unwrap();
    assert_eq!((guarded.sections, guarded.statements, guarded.widened), (2, 6, true));
}

#[test]
fn a_diff_marks_the_missing_end_of_line_and_nothing_if_nothing_changes() {
    let mut files = Files::new();
    let file = files.intern("a.c");
    files.set_text(file, "int x;\nint y;".to_owned());
    let edits = [Edit::insert(file, 7, "int z;\n"), Edit::insert(file, 13, " ")];
    check_diff(&files, &edits);
    assert!(diff(&files, &edits).unwrap().contains("\\ No newline at end of file"));
    assert_eq!(diff(&files, &[Edit::replace(file, 0..3, "int")]).as_deref(), Some(""));
    assert_eq!(diff(&files, &[Edit::insert(FileId(7), 0, "x")]), None);
}
