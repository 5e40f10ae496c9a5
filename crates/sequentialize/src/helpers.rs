//! What the file needs beside the program's own text: types and functions that stand in for those of
//! the thread library, and the ways in which it ends.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::output::Output;
use crate::trace::Trace;
use crate::unit::{Unit, words};

/// The end of a deadlock or a race. CBMC and its kind report assertions and nothing else.
const REACH_ERROR: &str = "
/* The run ends without a failed assertion; a verifier that knows only those gets one. */
static void reach_error(void) {
#ifdef __CPROVER__
    assert(0);
#endif
    exit(1);
}
";

/// The thread library's objects.
const SYNC_OBJECT: &str = "\
/* A lock, a condition variable: the schedule is fixed. Semaphores and barriers count. */
typedef struct {
    unsigned sync_count, sync_arrived;
} sync_object;
";

/// Types that stand in for those of the thread library.
pub fn stand_ins(text: &str) -> String {
    let mut all = String::new();
    let used: BTreeSet<&str> = words(text).collect();
    if used.contains("sync_object") {
        all.push_str(SYNC_OBJECT);
    }
    if used.contains("thread_number") {
        all.push_str("typedef unsigned long thread_number;\n");
    }
    if used.contains("key_number") {
        all.push_str("typedef unsigned key_number;\n");
    }
    all
}

/// All helpers that the code names.
pub fn all(unit: &Unit<'_>, trace: &Trace, out: &mut Output, code: &str) -> String {
    let mut all = String::new();
    let used: BTreeSet<&str> = words(code).collect();
    if used.contains(out.other_way.as_str()) {
        let place = match unit.is_several() {
            true => "line ".to_owned(),
            false => format!("{}:", unit.main_name()),
        };
        let _ = write!(
            all,
            "/* The run goes another way than the failing one: it is none of the program's. */\n\
             static void {}(int line) {{\n    fprintf(stderr, \"{place}%d: goes another way than in \
             the failing run\\n\", line);\n    exit(0);\n}}\n",
            out.other_way
        );
    }
    if let Some(kept) = out.blocks.values().next().filter(|_| used.contains(out.release.as_str())) {
        let _ = write!(
            all,
            "\n/* The block that is used after it is freed. */\nstatic uintptr_t {kept};\n\n\
             static __attribute__((noinline)) void {}(void *block) {{\n    \
             {kept} = (uintptr_t)block;\n    free(block);\n}}\n",
            out.release
        );
    }
    if used.contains("reach_error") && !unit.functions.contains_key("reach_error") {
        all.push_str(REACH_ERROR);
    }
    if used.contains("__VERIFIER_error") && !unit.functions.contains_key("__VERIFIER_error") {
        all.push_str("\nstatic void __VERIFIER_error(void) {\n    abort();\n}\n");
    }
    if trace.updates_pointer() {
        all.push_str(&moves(out, &used));
    }
    all
}

/// Additions to atomic pointers. The schedule is fixed, so nothing has to be atomic any more.
fn moves(out: &mut Output, used: &BTreeSet<&str>) -> String {
    let (at, old) = (out.fresh("moved_at"), out.fresh("moved_from"));
    let all = [("add", '+'), ("sub", '-')].into_iter().flat_map(|(name, sign)| {
        [("", ""), ("_explicit", ", order")].map(|(suffix, order)| (name, sign, suffix, order))
    });
    let mut text = String::new();
    for (name, sign, suffix, order) in all {
        let name = format!("atomic_fetch_{name}{suffix}");
        if used.contains(name.as_str()) {
            let _ = write!(
                text,
                "#undef {name}\n#define {name}(place, distance{order}) __extension__({{ \\\n    \
                 __typeof__(place) {at} = (place); \\\n    \
                 __typeof__(*{at} + 0) {old} = *{at}; \\\n    \
                 *{at} = {old} {sign} (distance); \\\n    {old}; \\\n}})\n"
            );
        }
    }
    let why =
        "\n/* gcc moves an atomic pointer by bytes, clang by elements. */\n#ifndef __clang__\n";
    if text.is_empty() { text } else { format!("{why}{text}#endif\n") }
}
