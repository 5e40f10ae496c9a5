//! `atomic`: each update of a variable becomes one atomic operation.
//!
//! - *Applies* where stretches that must exclude each other are one access or one update of one
//!   variable; and to a diagnosis as a whole, for each variable that is read and written. A cause names
//!   one torn region, but the update that lets a run go wrong may be another one: of a count of readers,
//!   say, that is torn long before the data is. Variables that the orders of a core are about come
//!   first, and all places that access the variable are changed.
//! - *Writes* `__atomic_fetch_add` and the like, or the functions of `<stdatomic.h>` for variables that
//!   are declared atomic.
//! - *Costs* no lock.
//! - *Refused* if some operation has no atomic form: on a bit-field, a pointer, a floating-point number.

use std::collections::BTreeMap;

use unravel_diagnose::{Diagnosis, Reason};
use unravel_events::Space;
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Because, Change, Cost};
use unravel_patch::{Edit, Refusal, atomic};
use unravel_repair::{Spot, Stretch};
use unravel_span::{FileId, Span};

use super::{Handler, Rank};
use crate::{Attempt, Context};

/// Variables that are tried for a diagnosis.
const MOST: usize = 6;

/// Makes updates atomic.
pub(super) struct AtomicHandler;

impl Handler for AtomicHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::Atomic
    }

    fn rank(&self) -> Rank {
        Rank::default()
    }

    fn because(&self, has_plan: bool) -> Because {
        if has_plan { Because::RequiredByAtomics } else { Because::OrdersExcluded }
    }

    fn exclusive(&self, context: &Context<'_>, stretches: &[Stretch]) -> Vec<Attempt> {
        let spots = stretches.iter().flat_map(|it| [&it.first, &it.last]);
        let mut places: Vec<Span> = spots.filter_map(Spot::place).collect();
        let variable = places.first().and_then(|place| context.expression_at(*place));
        let Some(variable) = variable else { return Vec::new() };
        places.sort();
        places.dedup_by_key(|place| (place.file, place.line));
        let edits = atomic::atomic(context.sources, &places, &variable);
        vec![attempt(variable, edits)]
    }

    fn for_diagnosis(&self, context: &Context<'_>, diagnosis: &Diagnosis) -> Vec<Attempt> {
        let all = accesses_by_name(context);
        let named = named_in_cores(context, diagnosis);
        let others = all.iter().filter(|(name, _)| !named.contains(name));
        let others = others.filter(|(_, variable)| variable.is_read && variable.is_written);
        let mut attempts: Vec<Attempt> = Vec::new();
        for name in named.iter().chain(others.map(|(name, _)| name)) {
            let Some(Variable { written_as, places, .. }) = all.get(name) else { continue };
            let places: Vec<Span> = places.values().copied().collect();
            let edits = atomic::atomic(context.sources, &places, written_as);
            // Loads and stores are one step as they are; only an update can be torn.
            let has_update = edits.as_ref().is_ok_and(|it| it.iter().any(atomic::is_update));
            if has_update && attempts.len() < MOST {
                attempts.push(attempt(written_as.clone(), edits));
            }
        }
        attempts
    }
}

fn attempt(variable: String, edits: Result<Vec<Edit>, Refusal>) -> Attempt {
    Attempt::new(Change::Atomic { variable }, Cost::NoLock, edits)
}

/// A variable, as far as its name tells.
struct Variable {
    /// The first expression for it in the source.
    written_as: String,
    /// One place for each line, as those of one statement are changed together.
    places: BTreeMap<(FileId, u32), Span>,
    is_read: bool,
    is_written: bool,
}

impl Variable {
    fn new(written_as: String) -> Variable {
        Variable { written_as, places: BTreeMap::new(), is_read: false, is_written: false }
    }
}

/// The variables of the program, by the last name in how they are written.
fn accesses_by_name(context: &Context<'_>) -> BTreeMap<String, Variable> {
    let mut found: BTreeMap<String, Variable> = BTreeMap::new();
    for access in context.graph.accesses.iter().filter(|it| it.space == Space::Data) {
        let Some(place) = context.program.site(access.site).span else { continue };
        let Some((name, written_as)) = accessed(context, place) else { continue };
        let variable = found.entry(name).or_insert_with(|| Variable::new(written_as));
        variable.is_read |= !access.writes;
        variable.is_written |= access.writes;
        variable.places.entry((place.file, place.line)).or_insert(place);
    }
    found
}

/// The variables that the orders of the cores are about.
fn named_in_cores(context: &Context<'_>, diagnosis: &Diagnosis) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for run in &diagnosis.runs {
        let Reason::Core(core) = &run.reason else { continue };
        let orders = core.members.iter().map(|it| &it.order);
        for step in orders.flat_map(|order| [order.before, order.after]) {
            let place = context.place_of(step);
            let name = place.and_then(|it| accessed(context, it)).map(|it| it.0);
            found.extend(name.filter(|name| !found.contains(name)));
        }
    }
    found
}

/// What is accessed at a place: its last name, and the whole expression.
fn accessed(context: &Context<'_>, place: Span) -> Option<(String, String)> {
    let expression = context.expression_at(place)?;
    Some((atomic::last_name(&expression).to_owned(), expression))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use unravel_kinds::RepairKind;

    use crate::testing::{check, check_refused, two_threads};

    #[test]
    fn an_update_becomes_one_operation() {
        let text = two_threads(
            r#"
int x;
static void *one(void *arg) {
    x++;
    return arg;
}
static void *two(void *arg) {
    x = x + 2;
    return arg;
}"#,
            "x == 3",
        );
        check(
            RepairKind::Atomic,
            &text,
            expect![[r#"
            [Atomic { variable: "x" }]
            [NoLock]
            OrdersExcluded
            -    x++;
            +    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
            -    x = x + 2;
            +    __atomic_fetch_add(&x, 2, __ATOMIC_SEQ_CST);
        "#]],
        );
    }

    #[test]
    fn a_floating_point_number_has_no_atomic_update() {
        let text = two_threads(
            r#"
double x;
static void *one(void *arg) {
    x += 1;
    return arg;
}
static void *two(void *arg) {
    x += 1;
    return arg;
}"#,
            "x == 2",
        );
        check_refused(
            RepairKind::Atomic,
            &text,
            expect![[r#"
            Atomic { variable: "x" }: `x` is no integer
        "#]],
        );
    }
}
