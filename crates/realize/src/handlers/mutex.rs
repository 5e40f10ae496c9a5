//! `mutex`: code is guarded by a mutex.
//!
//! - *Applies* where stretches of code must exclude each other (a torn region, a deadlock that one
//!   outer lock prevents, a data race).
//! - *Writes* a lock before and an unlock behind each stretch, on every way out of it. The mutex is one
//!   that the program has and that guards the same data elsewhere, or a new one at file scope.
//! - *Costs* the critical sections, and a mutex if it is new.
//! - *Refused* if a stretch is no run of statements of one function or its callers, if control can
//!   leave it unseen, or if the mutex cannot be named there.
//!
//! Where a section of the mutex becomes longer instead, it is a [`widen`](super::widen).

use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Change, GuardedBy};
use unravel_patch::guard::Mutex;

use super::{Handler, Rank};
use crate::{Attempt, GuardedCode};

/// Guards code with a mutex.
pub(super) struct MutexHandler;

impl Handler for MutexHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::Mutex
    }

    fn rank(&self) -> Rank {
        Rank { decides_order: true, reuses_locks: false, guards: true }
    }

    fn guard(&self, code: &GuardedCode) -> Option<Attempt> {
        if code.is_widened() {
            return None;
        }
        let with = match &code.mutex {
            Mutex::New { name } => GuardedBy::NewMutex(name.clone()),
            Mutex::Existing { expression, .. } => GuardedBy::Mutex(shown(expression)),
            Mutex::Spelled { spelling, .. } => GuardedBy::Statement(one_line(&spelling.take)),
        };
        let change = Change::Mutex { what: code.what.clone(), with };
        let written = code.written();
        Some(Attempt { change, written, enforces: None, is_last_resort: false })
    }
}

/// A mutex as a title shows it: without the `&` of a call's argument.
pub(super) fn shown(expression: &str) -> String {
    expression.trim_start_matches('&').to_owned()
}

/// A statement on one line, as a title quotes it.
pub(super) fn one_line(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    words.join(" ").trim_end_matches(';').trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use unravel_kinds::RepairKind;

    use crate::testing::{check, check_refused, two_threads};

    #[test]
    fn two_writes_that_belong_together_get_a_new_mutex() {
        let text = two_threads(
            r#"
int x, y;
static void *one(void *arg) {
    x = 0;
    y = 0;
    return arg;
}
static void *two(void *arg) {
    x = 1;
    y = 1;
    return arg;
}"#,
            "x == y",
        );
        check(
            RepairKind::Mutex,
            &text,
            expect![[r#"
            [Mutex { what: [Lines { first: 5, last: 6, function: Some("one") }, Lines { first: 10, last: 11, function: Some("two") }], with: NewMutex("xy_lock") }]
            [Sections { new_mutex: true, sections: 2, statements: 4 }]
            Required
            +static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;
            +    pthread_mutex_lock(&xy_lock);
            +    pthread_mutex_unlock(&xy_lock);
            +    pthread_mutex_lock(&xy_lock);
            +    pthread_mutex_unlock(&xy_lock);
        "#]],
        );
    }

    /// The mutex has to be one that several threads take: others order nothing, and are no events.
    #[test]
    fn a_mutex_that_guards_the_data_elsewhere_is_taken() {
        let text = two_threads(
            r#"
int x, seen;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void look(void) {
    pthread_mutex_lock(&m);
    seen = x;
    pthread_mutex_unlock(&m);
}
static void *one(void *arg) {
    look();
    int old = x;
    x = old + 1;
    return arg;
}
static void *two(void *arg) {
    look();
    int old = x;
    x = old + 1;
    return arg;
}"#,
            "x == 2",
        );
        check(
            RepairKind::Mutex,
            &text,
            expect![[r#"
            [Mutex { what: [Lines { first: 12, last: 13, function: Some("one") }, Lines { first: 18, last: 19, function: Some("two") }], with: Mutex("m") }]
            [Sections { new_mutex: false, sections: 2, statements: 4 }]
            Required
            +    pthread_mutex_lock(&m);
            +    pthread_mutex_unlock(&m);
            +    pthread_mutex_lock(&m);
            +    pthread_mutex_unlock(&m);
        "#]],
        );
    }

    #[test]
    fn a_region_that_a_jump_leads_into_is_refused() {
        let text = two_threads(
            r#"
int x;
static void *one(void *arg) {
    if (arg)
        goto in;
    int old = x;
in:
    x = old + 1;
    return arg;
}
static void *two(void *arg) {
    x = x + 1;
    return arg;
}"#,
            "x == 2",
        );
        check_refused(
            RepairKind::Mutex,
            &text,
            expect![[r#"
            Mutex { what: [Lines { first: 7, last: 9, function: Some("one") }, Lines { first: 13, last: 13, function: Some("two") }], with: NewMutex("x_lock") }: a `goto` leads into the region
        "#]],
        );
    }
}
