//! Words for repairs: titles, reasons, costs, and why a change is not offered.

use unravel_kinds::Property;
use unravel_kinds::repair::{
    Because, Change, Changes, Code, CodeOrder, Cost, Costs, GuardedBy, HeldBy, Join, LockOrder,
    PredicateLoop, Required, SignalWait, WhyNone, WhyRefused,
};

use super::{reason, say, tried, unmodelled, violation};
use crate::model::{Forbids, Repair};

#[cfg(test)]
mod tests;

/// What a repair changes: `guard lines 5 to 6 of f1 with one new mutex `x_lock``.
#[must_use]
pub fn title(changes: &Changes) -> String {
    say(all_changes(changes))
}

fn all_changes(changes: &Changes) -> String {
    let round = |round: &Vec<Change>| round.iter().map(change).collect::<Vec<_>>().join("; ");
    changes.rounds.iter().map(round).collect::<Vec<_>>().join("; then ")
}

/// One change of a title.
fn change(change: &Change) -> String {
    match change {
        Change::Mutex { what, with } => guard(&list(what), with),
        Change::Widen { what, held, callers_lock_for } => {
            format!("{}{}", hold(&list(what), held), callers_lock(callers_lock_for))
        }
        Change::Atomic { variable } => {
            format!("make each update of `{variable}` one atomic operation")
        }
        Change::Move { line, before } => format!("move line {line} before {}", code(before)),
        Change::Join(it) => join(it),
        Change::SignalWait(it) => signal_wait(it),
        Change::LockOrder(it) => lock_order(it),
        Change::PredicateLoop(it) => predicate_loop(it),
    }
}

fn guard(what: &str, with: &GuardedBy) -> String {
    match with {
        GuardedBy::NewMutex(name) => format!("guard {what} with one new mutex `{name}`"),
        GuardedBy::Mutex(name) | GuardedBy::Statement(name) => {
            format!("guard {what} with `{name}`")
        }
    }
}

fn hold(what: &str, held: &HeldBy) -> String {
    match held {
        HeldBy::Mutex(name) => format!("hold `{name}` all through {what}"),
        HeldBy::Statements { take, give } => {
            format!("keep {what} all between `{take}` and `{give}`")
        }
    }
}

/// Which functions leave the locking to their callers.
fn callers_lock(functions: &[String]) -> String {
    let names: Vec<String> = functions.iter().map(|it| format!("`{it}`")).collect();
    match &names[..] {
        [] => String::new(),
        [one] => format!("; the callers of {one} lock for it"),
        several => format!("; the callers of {} lock for them", several.join(" and ")),
    }
}

fn join(join: &Join) -> String {
    match join {
        Join::Thread { thread, before, instead_of } => {
            let instead = instead_of.as_ref().map(|it| format!(", instead of at {}", code(it)));
            format!("join `{thread}` before {}{}", code(before), instead.unwrap_or_default())
        }
        Join::BeforeCreation { thread, other } => {
            format!("join `{thread}` before `{other}` is created")
        }
        Join::EachBeforeNext { thread } => {
            format!("join each `{thread}` before the next is created")
        }
        Join::FirstThread { before, is_creation } => {
            let what = if *is_creation { "the creation at " } else { "" };
            format!("join the first thread before {what}{}", code(before))
        }
        Join::StatementFirst { statement, thread } => {
            format!("move {} before the creation of `{thread}`", code(statement))
        }
        Join::CreatedAfter { thread, statement } => {
            format!("create `{thread}` only after {}", code(statement))
        }
    }
}

fn signal_wait(wait: &SignalWait) -> String {
    match wait {
        SignalWait::Step { waiting, awaited } => {
            format!("let {} wait for {}", code(waiting), code(awaited))
        }
        SignalWait::Creation { creation, awaited } => {
            format!("let the creation at {} wait for {}", code(creation), code(awaited))
        }
        SignalWait::NextCreation { thread, passed } => {
            format!("create the next `{thread}` when the last has passed line {passed}")
        }
    }
}

fn lock_order(order: &LockOrder) -> String {
    match order {
        LockOrder::InnerFirst { inner, outer } => {
            format!("take the lock of line {inner} before that of {}", code(outer))
        }
        LockOrder::ByAddress { lines } => {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            let lines = lines.join(" and ");
            format!("take the locks of lines {lines} in the order of their addresses")
        }
    }
}

fn predicate_loop(change: &PredicateLoop) -> String {
    match change {
        PredicateLoop::TestAgain { waits } => {
            let word = if waits.len() == 1 { "wait" } else { "waits" };
            let waits: Vec<String> = waits.iter().map(code).collect();
            format!("test again after the {word} at {}", waits.join(" and "))
        }
        PredicateLoop::TestAgainAndLockSignal { wait } => {
            format!("test again after the wait at {}, and signal under the mutex", code(wait))
        }
        PredicateLoop::LockSignal { signal } => {
            format!("signal at {} under the mutex", code(signal))
        }
        PredicateLoop::LockChangeAndSignal { signal } => {
            format!("change what is waited for and signal at {} under the mutex", code(signal))
        }
        PredicateLoop::LockChangeAndWakeAll { signal } => {
            format!("change what is waited for under the mutex, and wake all at {}", code(signal))
        }
        PredicateLoop::WakeAll { signal } => format!("wake all waiters at {}", code(signal)),
        PredicateLoop::WakeAllLocked { signal } => {
            format!("wake all waiters at {}, and do so under the mutex", code(signal))
        }
        PredicateLoop::RememberSignal => {
            "remember the signal in a flag that the wait tests".to_owned()
        }
    }
}

/// `line 5 of f1`, `lines 5 to 6 of f1`.
fn code(code: &Code) -> String {
    match code {
        Code::Lines { first, last, function } => {
            let of = function.as_ref().map_or(String::new(), |name| format!(" of {name}"));
            match first == last {
                true => format!("line {first}{of}"),
                false => format!("lines {first} to {last}{of}"),
            }
        }
        Code::Function(name) => name.clone(),
    }
}

/// `lines 5 to 6 of f1 and lines 10 to 11 of f2`; the same lines once.
fn list(parts: &[Code]) -> String {
    let all: Vec<String> = distinct(parts).into_iter().map(code).collect();
    match all.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn distinct(parts: &[Code]) -> Vec<&Code> {
    let mut all: Vec<&Code> = Vec::new();
    for part in parts {
        if !all.contains(&part) {
            all.push(part);
        }
    }
    all
}

/// `line 6 of f1 before line 10 of f2`.
#[must_use]
pub fn order(order: &CodeOrder) -> String {
    say(in_order(order))
}

fn in_order(order: &CodeOrder) -> String {
    format!("{} before {}", code(&order.before), code(&order.after))
}

/// What a repair enforces, one clause each.
#[must_use]
pub fn orders(required: &[Required]) -> Vec<String> {
    all_orders(required).into_iter().map(say).collect()
}

fn all_orders(required: &[Required]) -> Vec<String> {
    let one = |it: &Required| match it {
        Required::Before(it) => in_order(it),
        Required::OneAtATime(parts) => match &parts[..] {
            [one] => format!("{} in one thread at a time", code(one)),
            _ => format!("{}, one at a time", list(parts)),
        },
    };
    required.iter().map(one).collect()
}

/// Why a repair helps.
#[must_use]
pub fn because(repair: &Repair) -> String {
    say(reason_clause(repair))
}

fn reason_clause(repair: &Repair) -> String {
    let text = match repair.because {
        Because::Required => return by_requirements(&repair.required, false),
        Because::RequiredByAtomics => return by_requirements(&repair.required, true),
        Because::OrdersExcluded => "the orders that make it fail cannot come up any more",
        Because::OneLockOrder => "all threads take the two locks in the same order",
        Because::WaitTests => {
            "a wait ends only when what it waits for holds, whenever the signal came"
        }
        Because::WrittenFirst => "what other threads are told of is there by then",
        Because::WholeSection => "nobody else who takes the mutex gets in between any more",
    };
    text.to_owned()
}

fn by_requirements(required: &[Required], by_atomics: bool) -> String {
    let one = |it: &Required| match it {
        Required::Before(CodeOrder { before, after }) => {
            format!("{} always comes before {}", code(before), code(after))
        }
        Required::OneAtATime(_) if by_atomics => {
            "nothing can come between the read and the write of one update".to_owned()
        }
        Required::OneAtATime(parts) => match &distinct(parts)[..] {
            [_, _, ..] => format!("{} can no longer interleave", list(parts)),
            _ => format!("no two threads are in {} at the same time", list(parts)),
        },
    };
    let mut all: Vec<String> = required.iter().map(one).collect();
    all.dedup();
    all.join("; ")
}

/// What was checked of a repair, the most important first.
#[must_use]
pub fn checked(repair: &Repair) -> Vec<String> {
    let names: Vec<&str> =
        repair.verified_for.properties.iter().map(|it| Property::name(*it)).collect();
    let how = if repair.complete { "exhaustive" } else { "up to the bounds of the loops" };
    let names = names.join(", ");
    let races = match repair.verified_for.race_free {
        Some(true) => "no data race is left",
        Some(false) => "a data race is left, which does no harm here: see `check --races`",
        None => "whether a data race is left is not known",
    };
    let mut all = vec![
        format!("no violation in any schedule of the patched text ({how}): {names}"),
        races.to_owned(),
    ];
    if repair.verified_for.reach_is_unknown {
        let what = "whether every statement is still reached, and every loop ends, is not known";
        all.push(what.to_owned());
    }
    all.extend(repair.verified_for.tried.as_ref().map(tried::tried));
    all.into_iter().map(say).collect()
}

/// What a repair adds; the same several times is said once.
#[must_use]
pub fn cost(costs: &Costs) -> String {
    say(all_costs(costs))
}

fn all_costs(costs: &Costs) -> String {
    let round = |round: &Vec<Cost>| {
        let mut counted: Vec<(&Cost, usize)> = Vec::new();
        for cost in round {
            match counted.iter_mut().find(|(known, _)| *known == cost) {
                Some((_, count)) => *count += 1,
                None => counted.push((cost, 1)),
            }
        }
        counted
            .into_iter()
            .map(|(cost, count)| one_cost(cost, count))
            .collect::<Vec<_>>()
            .join("; ")
    };
    costs.rounds.iter().map(round).collect::<Vec<_>>().join("; ")
}

fn one_cost(cost: &Cost, count: usize) -> String {
    let text = match cost {
        Cost::Nothing => "nothing new",
        Cost::NoLock => "no lock",
        Cost::NoNewLock => "no new lock",
        Cost::Flag if count > 1 => {
            return format!("{count} flags, each with its mutex and condition variable");
        }
        Cost::Flag => "1 flag with its mutex and condition variable",
        Cost::WaitsForEnd => "the thread that joins waits for the whole of the other",
        Cost::NeverTogether => "the two threads never run at the same time",
        Cost::Sections { new_mutex, sections, statements } => {
            let mutex = if *new_mutex { "1 mutex" } else { "no new mutex" };
            let section = if *sections == 1 { "section" } else { "sections" };
            let statement = if *statements == 1 { "statement" } else { "statements" };
            return format!("{mutex}, {sections} critical {section} of {statements} {statement}");
        }
    };
    text.to_owned()
}

/// What the best repair allows and this one does not.
#[must_use]
pub fn forbids(repair: &Repair) -> Option<String> {
    let instead = match repair.forbids? {
        Forbids::OneOfTwoOrders => "where repair 1 allows both orders",
        Forbids::MoreThanNeeded => "which repair 1 does not ask for",
    };
    Some(say(format!("always {}, {instead}", all_orders(&repair.required).join(", and "))))
}

/// Why a change is not offered.
#[must_use]
pub fn why_refused(why: &WhyRefused) -> String {
    say(refusal(why))
}

fn refusal(why: &WhyRefused) -> String {
    let text = match why {
        WhyRefused::NotWritten(message) => message,
        WhyRefused::NotCompiled(message) => {
            return format!("it does not compile cleanly: {message}");
        }
        WhyRefused::StillFails { kind, line } => {
            let message = violation::clause(kind);
            let at = line.map(|line| format!(" (line {line} of the patched file)"));
            return format!("still fails: {message}{}", at.unwrap_or_default());
        }
        WhyRefused::NotVerified { reason } => {
            let reason = reason.as_ref().map_or_else(|| "no answer".to_owned(), reason::clause);
            return format!("it could not be verified: {reason}");
        }
        WhyRefused::EditsOverlap => "two of its changes overlap",
        WhyRefused::LeavesRace => "every schedule passes, but a data race is left on the same data",
        WhyRefused::NeverEnds => "no run of the patched program comes to its end",
        WhyRefused::MayHang => "some thread may run a loop of the patched program for ever",
        WhyRefused::FailsWhenRun { how, run, delayed } => {
            let delays = if *delayed { " with delays at the changed places" } else { "" };
            let how = tried::run_failure(*how);
            return say(format!("every schedule passes, but run {run}{delays} {how}"));
        }
    };
    text.to_owned()
}

/// Why there is no repair.
#[must_use]
pub fn why_none(why: &WhyNone) -> String {
    say(no_repair(why))
}

fn no_repair(why: &WhyNone) -> String {
    let text = match why {
        WhyNone::NotDiagnosed => "no repair was looked for: which orders make it fail is not known",
        WhyNone::FailsInEverySchedule => {
            "no order repairs it: it fails in every schedule, so its cause is a value, not an order"
        }
        WhyNone::NoOrderKnown => {
            "no order of steps is known to be its cause, so no other order was tried"
        }
        WhyNone::NotModelled(what) => {
            let what = unmodelled::noun(what);
            return format!("no change can be verified: {what} is not modelled");
        }
        WhyNone::NothingWritten => "no change that enforces other orders can be written here",
        WhyNone::Stopped => "repairs were not looked for to the end: the search was stopped",
        WhyNone::NoneHelps => "none of the changes that were tried makes every schedule pass",
    };
    text.to_owned()
}
