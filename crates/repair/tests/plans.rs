//! From diagnosed programs to kill sets, covers and plans.
//!
//! A program is what clang makes of the C file beside it (`unravel check FILE --emit program=…`).
//! Spots are shown by their lines, with `@` and the line of the creation where a thread can be told
//! apart by that.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use expect_test::{Expect, expect};
use unravel_diagnose::{Cause, Diagnosis, Listener, Order, causes, diagnose};
use unravel_encode::Encoding;
use unravel_events::Bounds;
use unravel_interp::Machine;
use unravel_program::Program;
use unravel_repair::cover::{Problem, Table};
use unravel_repair::plan::cores;
use unravel_repair::spot::Spots;
use unravel_repair::{
    Covers, Judge, KillSet, Plan, Requirement, SourceOrder, Spot, Stretch, Verdict, composite,
    covers, kill_sets, plans,
};

const XY: &str = include_str!("programs/xy.ir");
const EARLY: &str = include_str!("programs/early.ir");
const CIRCLE: &str = include_str!("programs/circle.ir");

/// Choices of Figure 6 that are shown.
const MOST_CHOICES: usize = 8;

/// A program with all that this stage knows of it.
struct Planned {
    program: Program,
    encoding: Encoding,
    diagnosis: Diagnosis,
    causes: Vec<Cause>,
    spots: Spots,
    kill_sets: Vec<KillSet>,
    covers: Covers,
}

impl Planned {
    fn new(text: &str) -> Planned {
        Planned::with_cost(text, &|_| 1)
    }

    /// With other costs of orders.
    fn with_cost(text: &str, cost: &dyn Fn(&SourceOrder) -> u32) -> Planned {
        let program = unravel_program::text::parse(text).expect("a program");
        let (encoding, diagnosis) = diagnosed(&program);
        let graph = encoding.graph();
        let runs: Vec<usize> = (0..diagnosis.runs.len()).collect();
        let causes = causes(&program, graph, &diagnosis, &runs);
        let spots = Spots::new(&program, graph);
        let kill_sets = kill_sets(graph, &spots, &cores(&diagnosis));
        let covers = Covers::default();
        let mut planned =
            Planned { program, encoding, diagnosis, causes, spots, kill_sets, covers };
        planned.covers = planned.problem(cost, covers_of);
        planned
    }

    fn problem<T>(
        &self,
        cost: &dyn Fn(&SourceOrder) -> u32,
        ask: impl FnOnce(&Problem<'_>) -> T,
    ) -> T {
        ask(&Problem {
            graph: self.encoding.graph(),
            spots: &self.spots,
            kill_sets: &self.kill_sets,
            always_before: &|a, b| self.encoding.always_before(a, b),
            cost,
        })
    }

    fn plans(&self) -> Vec<Plan> {
        let graph = self.encoding.graph();
        plans(&self.program, graph, &self.diagnosis, &self.causes, &self.covers)
    }

    fn judge(&mut self, plan: &Plan) -> Verdict {
        let mut judge = Judge { encoding: &mut self.encoding, spots: &self.spots };
        judge.judge(plan, &mut || false)
    }
}

fn covers_of(problem: &Problem<'_>) -> Covers {
    covers(problem, &mut || false)
}

fn diagnosed(program: &Program) -> (Encoding, Diagnosis) {
    let mut encoding = unravel_staged::encoding(program, &Bounds::growing());
    let mut diagnosis = Diagnosis::default();
    let machine = Machine::new(program, unravel_staged::config());
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

fn spot(spot: &Spot) -> String {
    let lines: Vec<String> = spot.path.iter().map(|it| it.line.to_string()).collect();
    let actor = spot.actor.map_or(String::new(), |it| format!("@{}", it.line));
    format!("{}{actor}", lines.join("/"))
}

fn order(order: &SourceOrder) -> String {
    format!("{} < {}", spot(&order.before), spot(&order.after))
}

fn orders(all: &[SourceOrder]) -> String {
    let all: Vec<String> = all.iter().map(order).collect();
    format!("{{{}}}", all.join(", "))
}

fn stretches(all: &[Stretch]) -> String {
    let one = |it: &Stretch| format!("{}..{}", spot(&it.first), spot(&it.last));
    all.iter().map(one).collect::<Vec<_>>().join(" | ")
}

fn plan(plan: &Plan) -> String {
    let one = |it: &Requirement| match it {
        Requirement::Exclusive(all) => stretches(all),
        Requirement::Before(it) => order(it),
    };
    plan.requirements.iter().map(one).collect::<Vec<_>>().join(" and ")
}

#[track_caller]
fn check(lines: impl IntoIterator<Item = String>, expected: Expect) {
    let lines: Vec<String> = lines.into_iter().collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_kill_set_has_every_order_that_excludes_its_core() {
    let sets = |text| {
        let planned = Planned::new(text);
        planned.kill_sets.iter().map(|it| orders(&it.orders)).collect::<Vec<_>>()
    };
    check(
        sets(XY),
        expect![[r#"
        {5@16 < 10@17, 6@16 < 10@17, 11@17 < 5@16, 11@17 < 6@16}
        {6@16 < 10@17, 6@16 < 11@17, 10@17 < 5@16, 11@17 < 5@16}"#]],
    );
    check(sets(EARLY), expect!["{5@10 < 11}"]);
    check(sets(CIRCLE), expect!["{5@19 < 11@20, 12@20 < 4@19}"]);
}

#[test]
fn covers_are_minimal_and_come_by_cost() {
    let shown = |planned: &Planned| -> Vec<String> {
        let covers = planned.covers.all.iter();
        let rows = covers.map(|it| format!("{} costs {}", orders(&it.orders), it.cost));
        rows.chain([format!("complete: {}", planned.covers.is_complete)]).collect()
    };
    check(
        shown(&Planned::new(XY)),
        expect![[r#"
        {6@16 < 10@17} costs 1
        {11@17 < 5@16} costs 1
        {5@16 < 10@17, 6@16 < 11@17} costs 2
        {10@17 < 5@16, 11@17 < 6@16} costs 2
        complete: true"#]],
    );
    let expensive =
        |it: &SourceOrder| if it.before.place().is_some_and(|at| at.line == 6) { 9 } else { 1 };
    check(
        shown(&Planned::with_cost(XY, &expensive)),
        expect![[r#"
        {11@17 < 5@16} costs 1
        {10@17 < 5@16, 11@17 < 6@16} costs 2
        {6@16 < 10@17} costs 9
        {5@16 < 10@17, 6@16 < 11@17} costs 10
        complete: true"#]],
    );
    check(
        shown(&Planned::new(EARLY)),
        expect![[r#"
        {5@10 < 11} costs 1
        complete: true"#]],
    );
}

#[test]
fn a_choice_that_contradicts_itself_is_no_cover() {
    let planned = Planned::new(XY);
    let choices = planned.problem(&|_| 1, |it| Table::new(it).choices(it, MOST_CHOICES));
    let row = |it: &unravel_repair::cover::Choice| {
        let left = it.simplified.as_deref().map_or("cycle".to_owned(), orders);
        format!("{} -> {left}", orders(&it.chosen))
    };
    check(
        choices.iter().map(row),
        expect![[r#"
        {5@16 < 10@17, 6@16 < 10@17} -> {6@16 < 10@17}
        {5@16 < 10@17, 6@16 < 11@17} -> {5@16 < 10@17, 6@16 < 11@17}
        {5@16 < 10@17, 10@17 < 5@16} -> cycle
        {5@16 < 10@17, 11@17 < 5@16} -> cycle
        {6@16 < 10@17, 6@16 < 10@17} -> {6@16 < 10@17}
        {6@16 < 10@17, 6@16 < 11@17} -> {6@16 < 10@17}
        {6@16 < 10@17, 10@17 < 5@16} -> cycle
        {6@16 < 10@17, 11@17 < 5@16} -> cycle"#]],
    );
}

#[test]
fn opposite_covers_are_one_exclusion() {
    let planned = Planned::new(XY);
    let exclusions = composite::of_covers(&planned.covers);
    let groups = composite::joined(&exclusions);
    check(groups.iter().map(|it| stretches(it)), expect!["5@16..6@16 | 10@17..11@17"]);
    assert_eq!(composite::of_covers(&Planned::new(EARLY).covers), []);
}

#[test]
fn exclusions_of_the_same_code_share_a_lock() {
    let planned = Planned::new(XY);
    let all = composite::of_covers(&planned.covers);
    let exclusion = all.first().expect("one exclusion").clone();
    let turned =
        composite::Exclusion { one: exclusion.other.clone(), other: exclusion.one.clone() };
    assert_eq!(composite::joined(&[exclusion.clone(), turned]), composite::joined(&[exclusion]));
}

#[test]
fn plans_begin_with_the_most_promising() {
    for (text, expected) in [
        (
            XY,
            expect![[r#"
        5@16..6@16 | 10@17..11@17: Helps
        6@16 < 10@17: Helps
        11@17 < 5@16: Helps
        5@16 < 10@17 and 6@16 < 11@17: Helps
        10@17 < 5@16 and 11@17 < 6@16: Helps"#]],
        ),
        (EARLY, expect!["5@10 < 11: Helps"]),
        (
            CIRCLE,
            expect![[r#"
        4@19..5@19 | 11@20..12@20: StillFails
        12@20 < 4@19: Helps
        5@19 < 11@20: Helps"#]],
        ),
    ] {
        let mut planned = Planned::new(text);
        let plans = planned.plans();
        let rows: Vec<String> =
            plans.iter().map(|it| format!("{}: {:?}", plan(it), planned.judge(it))).collect();
        check(rows, expected);
    }
}

#[test]
fn an_exclusion_allows_more_than_an_order() {
    let mut planned = Planned::new(XY);
    let plans = planned.plans();
    let composite = plans.iter().find(|it| it.is_composite()).expect("an exclusion").clone();
    let elementary = plans.iter().find(|it| !it.is_composite()).expect("an order").clone();
    let mut judge = Judge { encoding: &mut planned.encoding, spots: &planned.spots };
    assert_eq!(judge.allows_more(&composite, &elementary, &mut || false), Some(true));
    assert_eq!(judge.allows_more(&elementary, &composite, &mut || false), Some(false));
}
