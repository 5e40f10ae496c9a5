//! Every function of the thread library: right use, each error that it returns, a pointer that is null,
//! freed, or leads to too little memory, and use that POSIX leaves undefined, in both engines. A row of
//! the library's table that is not tried here fails the test, and so does an error that it returns and
//! that nobody asks for.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "thread_library/attributes.rs"]
mod attributes;
#[path = "thread_library/rows.rs"]
mod rows;
mod support;

use std::collections::BTreeSet;

use attributes::{ATTRIBUTES, pointers};
use rows::{PRELUDE, ROWS, Row};
use support::engines::{StopAfter, options, properties};
use unravel_driver::{Engine, check};
use unravel_program::library::sync::Then;
use unravel_program::library::{Action, Convention, Primitive, codes, models};
use unravel_program::{Program, text};
use unravel_report::model::Verdict;

/// Bodies of functions, each with the code of what is found, or nothing.
type Cases = Vec<(String, Option<&'static str>)>;

/// Tried elsewhere, or in the last of these tests.
const BESIDE: &[&str] = &["pthread_setname_np", "pthread_attr_setaffinity_np"];

fn cases_of(row: &Row) -> Cases {
    let mut cases: Cases = row.right.iter().map(|body| ((*body).to_owned(), None)).collect();
    cases.extend(row.pointers.iter().flat_map(|(ty, call)| pointers(ty, call)));
    // A null result, or null attributes, are no error.
    let result = ["pthread_join", "thrd_join"].contains(&row.function);
    let optional =
        |body: &str| result && body.contains("*p = 0;") || body.contains("attr_t *p = 0;");
    cases.retain(|(body, _)| !optional(body));
    cases.extend(row.wrong.iter().map(|(body, code)| ((*body).to_owned(), Some(*code))));
    cases
}

/// Loads a file with a function per case.
fn load(name: &str, cases: &Cases) -> Program {
    let mut source = PRELUDE.to_owned();
    for (index, (body, _)) in cases.iter().enumerate() {
        source += &format!("int case_{index}(void) {{ {body} return 0; }}\n");
    }
    source += "int main(void) { return 0; }\n";
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(format!("{name}.c"));
    std::fs::write(&path, source).expect("written");
    let options = unravel_frontend::Options { flags: vec!["-w".into()], ..Default::default() };
    unravel_frontend::load(&[path], &options).unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

/// What an engine finds in one case.
fn found(program: &Program, engine: Engine) -> (Verdict, Vec<String>) {
    let checked = check(program, &options(engine, properties()), &mut StopAfter(1 << 22));
    let report = checked.unwrap_or_else(|failure| panic!("{failure}")).report;
    let codes = report.findings.iter().map(|it| it.kind.code().to_owned()).collect();
    (report.verdict, codes)
}

/// Runs all cases of a file; gives what is wrong.
fn run(name: &str, cases: &Cases) -> Vec<String> {
    let mut program = load(name, cases);
    let mut wrong = Vec::new();
    for (index, (body, code)) in cases.iter().enumerate() {
        program.main = program.function_named(&format!("case_{index}")).expect("a case");
        let expected = if code.is_some() { Verdict::Unsafe } else { Verdict::Safe };
        for engine in [Engine::Explore, Engine::Sat] {
            let (verdict, codes) = found(&program, engine);
            let handed_over = engine == Engine::Sat && verdict == Verdict::Inconclusive;
            let named = code.is_none_or(|code| codes.iter().any(|it| it == code));
            if !handed_over && (verdict != expected || !named) {
                wrong.push(format!(
                    "{name} [{engine:?}] {body}\n  {verdict:?} {codes:?}, not {code:?}"
                ));
            }
        }
    }
    wrong
}

#[test]
fn every_function_does_what_its_row_says() {
    let wrong: Vec<String> =
        ROWS.iter().flat_map(|row| run(row.function, &cases_of(row))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn attribute_objects_are_checked_and_keep_what_is_set() {
    let tried = ATTRIBUTES.iter().flat_map(|it| run(it.name, &attributes::cases(it).0));
    let wrong: Vec<String> = tried.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn other_models_of_the_thread_library() {
    let cases: Cases = vec![
        ("assert(pthread_setname_np(pthread_self(), \"fifteen letters\") == 0);".into(), None),
        (
            "assert(pthread_setname_np(pthread_self(), \"sixteen  letters\") == ERANGE);".into(),
            None,
        ),
        (
            "char s[2] = {'a', 'b'}; pthread_setname_np(pthread_self(), s);".into(),
            Some("out-of-bounds"),
        ),
        ("pthread_setname_np(pthread_self(), 0);".into(), Some("null-dereference")),
        (
            "assert(pthread_setconcurrency(-1) == EINVAL && pthread_setconcurrency(1) == 0);"
                .into(),
            None,
        ),
        ("assert(thrd_sleep(&bad, 0) < 0 && thrd_sleep(&soon, 0) == 0);".into(), None),
        ("thrd_sleep(0, 0);".into(), Some("null-dereference")),
    ];
    let wrong = run("others", &cases);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_function_of_the_thread_library_is_tried() {
    let mut tried: BTreeSet<String> = ROWS.iter().map(|row| row.function.to_owned()).collect();
    tried.extend(ATTRIBUTES.iter().flat_map(|it| attributes::cases(it).1));
    tried.extend(BESIDE.iter().map(|it| (*it).to_owned()));
    let primitives = Primitive::all()
        .filter(|it| matches!(it.action(), Action::Sync(..) | Action::Thread(..)))
        .map(|it| it.name().to_owned());
    let mut known: BTreeSet<String> = primitives.collect();
    let models = text::parse(models::source(8)).expect("parses");
    let names = models::modelled(&models).map(|function| function.name.clone());
    known.extend(names.filter(|name| name.contains("attr_") || name == "pthread_setname_np"));
    assert_eq!(tried, known);
}

/// The error codes that a function returns by its cases, misuse aside.
fn errors(then: &Then, found: &mut BTreeSet<i32>) {
    match then {
        Then::Return(_, code) | Then::Spurious(_, code) => {
            found.insert(*code);
        }
        Then::Choice(ways) => ways.iter().for_each(|way| errors(way, found)),
        Then::Enter(..) | Then::CallThenEnter(..) | Then::Block | Then::Misuse(..) => {}
    }
}

#[test]
fn every_error_that_is_returned_is_asked_for() {
    for primitive in Primitive::all() {
        let Action::Sync(op, convention) = primitive.action() else { continue };
        let row = ROWS.iter().find(|row| row.function == primitive.name()).expect("a row");
        let mut returned = BTreeSet::new();
        op.cases().iter().for_each(|case| errors(&case.then, &mut returned));
        for code in returned.into_iter().filter(|&code| code > 0) {
            let name = match (convention, code) {
                (Convention::Void, _) => continue,
                (Convention::C11, codes::EBUSY) => "thrd_busy",
                (Convention::C11, codes::ETIMEDOUT) => "thrd_timedout",
                // There are no error-checking mutexes and no barriers in C11.
                (Convention::C11, codes::EDEADLK | codes::EPERM)
                    if row.function != "mtx_unlock" =>
                {
                    continue;
                }
                (Convention::C11, _) => "thrd_error",
                _ => codes::name(code).expect("a name"),
            };
            let asked = row.right.iter().any(|body| body.contains(name));
            assert!(asked, "{} may return {name}, which nobody asks for", row.function);
        }
    }
}
