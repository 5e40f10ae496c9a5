//! For the tests of handlers: a small C program in, candidates of one kind out.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use expect_test::Expect;
use unravel_diagnose::{Diagnosis, Listener, Order, causes, diagnose};
use unravel_encode::{Encoding, Options, encode};
use unravel_events::{Bounds, PointsTo, build};
use unravel_interp::{Config, Machine, Properties};
use unravel_kinds::RepairKind;
use unravel_patch::Sources;
use unravel_patch::diff::diff;
use unravel_program::Program;
use unravel_repair::cover::{Problem, covers};
use unravel_repair::plan::{cores, of_races};
use unravel_repair::spot::Spots;
use unravel_repair::{kill_sets, plans};

use crate::{Candidate, Context, Unwritten, for_diagnosis, for_plan};

/// How often loops of a test program are unrolled.
const UNWIND: u32 = 3;

/// Two threads, `one` and `two`, and a check after their end.
pub fn two_threads(functions: &str, check: &str) -> String {
    let functions = functions.trim_start_matches('\n');
    format!(
        "#include <assert.h>
#include <pthread.h>
{functions}
int main(void) {{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert({check});
    return 0;
}}
"
    )
}

/// Compares the first candidate of a kind: what is changed, what that costs, why it helps, and the
/// changed lines.
#[track_caller]
pub fn check(kind: RepairKind, text: &str, expected: Expect) {
    let shown = with_candidates(text, |program, candidates, _| {
        let mut own = candidates.iter().filter(|it| it.kind == kind);
        own.find_map(|it| show(program, it)).unwrap_or_default()
    });
    expected.assert_eq(&shown);
}

/// Compares the changes of a kind that cannot be written, with the reasons.
#[track_caller]
pub fn check_refused(kind: RepairKind, text: &str, expected: Expect) {
    let shown = with_candidates(text, |_, _, unwritten| {
        let mut lines: Vec<String> = Vec::new();
        for it in unwritten.iter().filter(|it| it.change.kind() == kind) {
            let line = format!("{:?}: {}\n", it.change, it.why);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines.concat()
    });
    expected.assert_eq(&shown);
}

/// A candidate as text; `None` if its edits overlap, so that the driver would refuse it.
fn show(program: &Program, it: &Candidate) -> Option<String> {
    let diff = diff(&program.files, &it.edits)?;
    let is_changed = |line: &&str| {
        !line.starts_with("---") && !line.starts_with("+++") && line.starts_with(['+', '-'])
    };
    let lines: Vec<&str> = diff.lines().filter(is_changed).collect();
    let changes: Vec<_> = it.changes.rounds.iter().flatten().collect();
    let costs: Vec<_> = it.costs.rounds.iter().flatten().collect();
    Some(format!("{changes:?}\n{costs:?}\n{:?}\n{}\n", it.because(), lines.join("\n")))
}

/// Compiles and diagnoses a program, and hands over all candidates and what cannot be written.
fn with_candidates<T>(
    text: &str,
    show: impl FnOnce(&Program, &[Candidate], &[Unwritten]) -> T,
) -> T {
    let program = compiled(text);
    let (encoding, diagnosis) = diagnosed(&program);
    let graph = encoding.graph();
    let runs: Vec<usize> = (0..diagnosis.runs.len()).collect();
    let causes = causes(&program, graph, &diagnosis, &runs);
    let spots = Spots::new(&program, graph);
    let kill_sets = kill_sets(graph, &spots, &cores(&diagnosis));
    let problem = Problem {
        graph,
        spots: &spots,
        kill_sets: &kill_sets,
        always_before: &|a, b| encoding.always_before(a, b),
        cost: &|_| 1,
    };
    let covers = covers(&problem, &mut || false);
    let mut plans = plans(&program, graph, &diagnosis, &causes, &covers);
    plans.extend(of_races(&program, &spots, &diagnosis));
    let sources = Sources::parse(&program.files);
    let context = Context { program: &program, graph, spots: &spots, sources: &sources };
    let mut unwritten = Vec::new();
    let mut candidates = for_diagnosis(&context, &diagnosis, &causes, &mut unwritten);
    for plan in &plans {
        candidates.extend(for_plan(&context, plan, &mut unwritten));
    }
    show(&program, &candidates, &unwritten)
}

fn compiled(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.c");
    std::fs::write(&path, text).expect("it can be written");
    let options = unravel_frontend::Options::default();
    unravel_frontend::load(&[path], &options).unwrap_or_else(|error| panic!("{error:?}"))
}

fn diagnosed(program: &Program) -> (Encoding, Diagnosis) {
    let properties = Properties::by_default();
    let mut config = Config::new(properties);
    config.unwind = Some(UNWIND);
    let points = PointsTo::of_program(program);
    let graph = build(program, &config, &Bounds::fixed(UNWIND), &points, &mut || false);
    let graph = graph.expect("nothing stops it");
    let encoding = encode(graph, &Options::new(properties), &mut || false);
    let mut encoding = encoding.expect("nothing stops it");
    let mut diagnosis = Diagnosis::default();
    let machine = Machine::new(program, config);
    let ended = diagnose(&machine, &mut encoding, None, &mut diagnosis, &mut Quiet);
    assert!(ended.is_ok(), "{ended:?}");
    (encoding, diagnosis)
}

/// Listens to a diagnosis and says nothing.
struct Quiet;

impl Listener for Quiet {
    fn should_stop(&mut self) -> bool {
        false
    }

    fn found_so_far(&mut self, _encoding: &Encoding, _orders: &[Order]) {}

    fn explained(&mut self, _encoding: &Encoding, _diagnosis: &Diagnosis) {}
}
