//! Messages of violations, and what belongs to them.

use unravel_kinds::{
    Awaited, Misuse, ObjectName, Property, Related, Spin, SyncClass, Undefined, ViolationKind, Wait,
};

use unravel_span::Files;

use super::{all_of, explanation, mistake, say, thread as who};
use crate::model::{Finding, RelatedKind};

/// What goes wrong: `assertion `x == y` can fail`.
#[must_use]
pub fn message(kind: &ViolationKind) -> String {
    say(clause(kind))
}

/// What goes wrong in a finding; where it was asked why, also at which line, and why.
#[must_use]
pub fn of_finding(finding: &Finding, files: &Files) -> String {
    let what = message(&finding.kind);
    match finding.explained_mistake() {
        Some(mistake) => format!("{what}, because {}", mistake::sentence(mistake, files)),
        None => what,
    }
}

pub(super) fn clause(kind: &ViolationKind) -> String {
    match kind {
        ViolationKind::Assertion { text } => format!("assertion `{text}` can fail"),
        ViolationKind::Abort => "`abort` can be reached".to_owned(),
        ViolationKind::ErrorCall => "the error call can be reached".to_owned(),
        ViolationKind::OutOfBounds { bytes, offset, object, size } => {
            let s = if *bytes == 1 { "" } else { "s" };
            let object = object_name(object);
            format!("access of {bytes} byte{s} at offset {offset} of {object}, which has {size}")
        }
        ViolationKind::InvalidFree { into: Some(object) } => {
            let object = object_name(object);
            format!("free of a pointer into {object}, which is not what malloc gave")
        }
        ViolationKind::WriteToConstant { object } => {
            format!("write to {}, which is constant", object_name(object))
        }
        ViolationKind::LockCycle { threads } => match &threads[..] {
            [one] => format!("deadlock: {} waits for itself", who(*one)),
            _ => format!("deadlock: {} wait for each other", threads_in_words(threads)),
        },
        ViolationKind::NoProgress { threads } => {
            let verb = if threads.len() == 1 { "waits" } else { "wait" };
            format!("deadlock: {} {verb} forever", threads_in_words(threads))
        }
        ViolationKind::Hang { waiting, spinning } => hang(waiting, spinning),
        ViolationKind::Misuse { what, object: Some(object) } => {
            format!("{}: `{object}`", misuse(*what))
        }
        ViolationKind::OverwriteInUse { object } => {
            format!("write over a synchronization object that is in use: `{object}`")
        }
        ViolationKind::DataRace { variable, writes } => {
            let verb = if *writes { "write" } else { "read" };
            format!("data race on `{variable}`: this {verb} is not ordered with the other access")
        }
        plain => plain_message(plain).to_owned(),
    }
}

/// Messages without data.
fn plain_message(kind: &ViolationKind) -> &'static str {
    match kind {
        ViolationKind::NullDereference => "null pointer dereference",
        ViolationKind::UseAfterFree => "access to a heap block after it was freed",
        ViolationKind::UseAfterReturn => {
            "access to a local variable after its block or function has ended"
        }
        ViolationKind::UseAfterExit => {
            "access to a thread-local variable after its thread has ended"
        }
        ViolationKind::DoubleFree => "free of a heap block that was already freed",
        ViolationKind::InvalidFree { .. } => "free of a pointer to no object",
        ViolationKind::UninitializedPointer => "access through an uninitialized pointer",
        ViolationKind::WildPointer => "access through a pointer to no object",
        ViolationKind::BadAccess => "access to memory that holds no data",
        ViolationKind::BadCall { creates_thread: false } => {
            "call through a pointer that is no function"
        }
        ViolationKind::BadCall { creates_thread: true } => {
            "a thread is created from a pointer that is no function"
        }
        ViolationKind::Misuse { what, .. } => misuse(*what),
        ViolationKind::Undefined(what) => undefined(*what),
        ViolationKind::Unreachable => "the end of a function without a return, or unreachable code",
        _ => "a violation",
    }
}

fn hang(waiting: &[u32], spinning: &[u32]) -> String {
    let verb = |threads: &[u32], one: &str, many: &str| {
        let verb = if threads.len() == 1 { one } else { many };
        format!("{} {verb}", threads_in_words(threads))
    };
    let spin = verb(spinning, "spins", "spin");
    if waiting.is_empty() {
        return format!("hang: {spin} forever");
    }
    format!("hang: {spin} while {}, forever", verb(waiting, "waits", "wait"))
}

fn threads_in_words(threads: &[u32]) -> String {
    let names: Vec<String> = threads.iter().map(|&id| who(id)).collect();
    all_of(&names)
}

fn object_name(object: &ObjectName) -> String {
    match object {
        ObjectName::Variable(name) => format!("`{name}`"),
        ObjectName::HeapBlock { bytes, line } => {
            format!("a heap block of {bytes} bytes from line {line}")
        }
        ObjectName::Freed => "freed memory".to_owned(),
    }
}

pub(crate) fn misuse(what: Misuse) -> &'static str {
    match what {
        Misuse::Uninitialized => "use of a synchronization object that was never initialized",
        Misuse::AfterDestroy => "use of a synchronization object after it was destroyed",
        Misuse::Relock => "lock of a non-recursive lock that the thread already holds",
        Misuse::UnlockNotHeld => "unlock of a lock that nobody holds",
        Misuse::UnlockHeldByOther => "unlock of a lock that another thread holds",
        Misuse::DestroyInUse => "destroy of a synchronization object that is in use",
        Misuse::InitInUse => "initialization of a synchronization object that is in use",
        Misuse::WaitWithoutMutex => "wait on a condition variable without holding its mutex",
        Misuse::WaitWithOtherMutex => {
            "wait on a condition variable while others wait there with another mutex"
        }
        Misuse::DeletedKey => "use of a key of thread-specific data after it was deleted",
        Misuse::JoinTwice => "join of a thread that was already joined or detached",
        Misuse::JoinSelf => "a thread joins itself",
        Misuse::DetachTwice => "detach of a thread that was already joined or detached",
    }
}

fn undefined(what: Undefined) -> &'static str {
    match what {
        Undefined::DivisionByZero => "division by zero",
        Undefined::DivisionOverflow => "division overflow",
        Undefined::ShiftOutOfRange => "shift by more than the width of the operand",
        Undefined::LeftShift => {
            "left shift of a negative number, or of one that does not fit afterwards"
        }
        Undefined::SignedOverflow => "signed integer overflow",
        Undefined::Conversion => "conversion of a floating-point number that does not fit",
    }
}

/// Something that belongs to a violation: `T1 waits for mutex `b`, held by T2`.
#[must_use]
pub fn related(what: &RelatedKind) -> String {
    match what {
        RelatedKind::Step(related) => step(related),
        RelatedKind::NoPassingRun(why) => {
            say(format!("no passing run beside it: {}", explanation::obstacle_clause(why)))
        }
    }
}

/// A step or a waiting thread that belongs to a violation.
#[must_use]
pub fn step(related: &Related) -> String {
    say(match related {
        Related::OtherAccess { thread } => format!("the other access, by {}", who(*thread)),
        Related::HeldBy { thread } => format!("held by {}", who(*thread)),
        Related::Waits(wait) => format!("{} {}", who(wait.thread), waits_clause(wait)),
        Related::Spins(spin) => format!("{} {}", who(spin.thread), spins_clause(spin)),
        Related::Took { thread, lock } => {
            format!("{} took `{lock}` here and still holds it", who(*thread))
        }
    })
}

/// The same where the steps before it name the thread already.
#[must_use]
pub fn step_without_thread(related: &Related) -> String {
    match related {
        Related::OtherAccess { .. } => say("the other access"),
        other => step(other),
    }
}

/// What a thread of a deadlock does: `waits for mutex `b`, held by T2`.
#[must_use]
pub fn waits(wait: &Wait) -> String {
    say(waits_clause(wait))
}

fn waits_clause(wait: &Wait) -> String {
    let holder = wait.held_by.map_or(String::new(), |it| format!(", held by {}", who(it)));
    format!("waits for {}{holder}", awaited(&wait.awaited))
}

/// What a thread of a hang does: `spins until `ready` changes, which T1 would do later`.
#[must_use]
pub fn spins(spin: &Spin) -> String {
    say(spins_clause(spin))
}

fn spins_clause(spin: &Spin) -> String {
    let names: Vec<String> = spin.until.iter().map(|name| format!("`{name}`")).collect();
    let until = match &names[..] {
        [] => return "spins".to_owned(),
        [one] => format!("{one} changes"),
        [first, second] => format!("{first} or {second} changes"),
        more => format!("one of {} changes", all_of(more)),
    };
    if spin.others.is_empty() {
        return format!("spins until {until}");
    }
    format!("spins until {until}, which {} would do later", threads_in_words(&spin.others))
}

fn awaited(what: &Awaited) -> String {
    match what {
        Awaited::Nothing => "nothing".to_owned(),
        Awaited::End { thread } => format!("the end of {}", who(*thread)),
        Awaited::Signal(name) => format!("a signal of `{name}`"),
        Awaited::Object(class, name) => format!("{} `{name}`", noun(*class)),
    }
}

fn noun(class: SyncClass) -> &'static str {
    match class {
        SyncClass::Mutex => "mutex",
        SyncClass::Spin => "spin lock",
        SyncClass::Rw => "read-write lock",
        SyncClass::Cond => "condition variable",
        SyncClass::Barrier => "barrier",
        SyncClass::Once => "once control",
        SyncClass::Sem => "semaphore",
    }
}

/// What is looked for: the property, with its parts where its name does not say them.
#[must_use]
pub fn looked_for(it: Property) -> &'static str {
    match it {
        Property::Ub => {
            "undefined arithmetic (signed overflow, division, shifts, conversions of floating point)"
        }
        _ => property(it),
    }
}

/// A property in the words of somebody who does not know its name.
#[must_use]
pub fn property(property: Property) -> &'static str {
    match property {
        Property::Reach => "assertions",
        Property::Memory => "memory errors",
        Property::Deadlock => "deadlocks",
        Property::Misuse => "misuse of locks and threads",
        Property::Race => "data races",
        Property::Ub => "undefined arithmetic",
    }
}

/// The texts of a rule that a violation breaks.
pub struct Rule {
    /// A title.
    pub short: String,
    /// What it means.
    pub full: &'static str,
    /// What to do about it.
    pub help: &'static str,
}

/// The rule that a violation of this kind breaks.
#[must_use]
pub fn rule(kind: &ViolationKind) -> Rule {
    let (what, full, help) = of_property(kind.property());
    let short = match kind {
        ViolationKind::Assertion { .. } => "An assertion can fail",
        ViolationKind::Abort => "`abort` can be reached",
        ViolationKind::ErrorCall => "The error call can be reached",
        ViolationKind::DataRace { .. } => {
            "Two threads access a variable without an order between them"
        }
        ViolationKind::LockCycle { .. } => "Threads wait for each other",
        ViolationKind::NoProgress { .. } => "Threads wait and nobody can wake them",
        ViolationKind::Hang { .. } => "Threads spin and nobody can let them go on",
        ViolationKind::UseAfterFree => "Memory is used after it was freed",
        ViolationKind::DoubleFree => "Memory is freed twice",
        ViolationKind::NullDereference => "A null pointer is dereferenced",
        ViolationKind::OutOfBounds { .. } => "An access lies outside its object",
        other => {
            let short = say(format!("{what}: {}", other.code().replace('-', " ")));
            return Rule { short, full, help };
        }
    };
    Rule { short: say(short), full, help }
}

/// What a property means in a word and in a sentence, and what to do about a violation.
fn of_property(property: Property) -> (&'static str, &'static str, &'static str) {
    match property {
        Property::Reach => (
            "Failed check",
            "Some order in which the threads run reaches a failing assertion or an error call.",
            "Follow the code flow: look for a step of one thread between two steps of another \
             that belong together, or before a step it should wait for. Guard the steps that \
             belong together with one mutex, or make the thread wait.",
        ),
        Property::Memory => (
            "Memory error",
            "Some order in which the threads run accesses memory that is not valid at that moment.",
            "Follow the code flow: find the step that frees or changes the memory, and make it \
             wait until no other thread uses it.",
        ),
        Property::Deadlock => (
            "Deadlock",
            "Some order in which the threads run leaves threads waiting forever.",
            "Follow the code flow: take locks in the same order in all threads, and wait for a \
             condition in a loop that checks it under the mutex.",
        ),
        Property::Misuse => (
            "Misuse of locks or threads",
            "Some order in which the threads run calls the thread library in a way that it \
             leaves undefined.",
            "Follow the code flow: initialize before use, unlock only what the thread holds, \
             join each thread once, and destroy only what nobody uses.",
        ),
        Property::Race => (
            "Data race",
            "Two threads access the same memory, at least one of them writes, and no lock, join \
             or atomic operation orders the accesses: the program has undefined behaviour.",
            "Guard both accesses with the same mutex, or make the variable atomic.",
        ),
        Property::Ub => (
            "Undefined behaviour",
            "Some order in which the threads run executes an operation that C leaves undefined.",
            "Follow the code flow: find where the operand gets its value, and check it before.",
        ),
    }
}
