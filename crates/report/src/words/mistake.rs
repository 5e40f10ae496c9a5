//! What was done wrong, at which line, and why it matters, in a sentence.

use std::collections::BTreeSet;

use unravel_kinds::{Deed, Harm, Holder, Mistake};
use unravel_span::Files;

use super::{all_of, say, thread};
use crate::model::{End, EndKind};
use crate::place;

/// A mistake as a clause that begins with the line at fault.
#[must_use]
pub fn sentence(mistake: &Mistake<End>, files: &Files) -> String {
    let mut in_files = BTreeSet::new();
    mistake.map(&mut |end| in_files.extend(end.place.as_ref().map(|it| it.span.file)));
    say(Writer { files, is_one_file: in_files.len() < 2 }.clause(mistake))
}

/// What is wrong at the line at fault, for a label beside it.
#[must_use]
pub fn label(mistake: &Mistake<End>) -> String {
    say(match mistake {
        Mistake::Unlocked { lock, .. } => format!("{} is not held here", name(lock)),
        Mistake::Unguarded { .. } => "no lock is held here".to_owned(),
        Mistake::Split { gap, .. } => format!("{} is given back too early", name(gap)),
        Mistake::DifferentLocks { lock, .. } => {
            format!("another lock is held here, {}", name(lock))
        }
        Mistake::NotRetested { .. } => "nothing is tested after the wakeup".to_owned(),
        Mistake::Published { .. } => "others can see it too early".to_owned(),
        Mistake::EndedInUse { .. } => "it is still in use".to_owned(),
        Mistake::StartedTooEarly { .. } => "the thread starts too early".to_owned(),
        Mistake::NotAwaited { .. } => "nothing is waited for here".to_owned(),
        Mistake::LockOrder { .. } => "the locks are taken in another order here".to_owned(),
        Mistake::LockedTwice { .. } => "the thread holds it already".to_owned(),
        Mistake::NotUnlocked { .. } => "it is not unlocked".to_owned(),
        Mistake::SignalTooEarly { .. } => "nothing is tested before the wait".to_owned(),
        Mistake::OneSignal { .. } => "only one thread is woken".to_owned(),
        Mistake::NoSignal { .. } => "no signal follows".to_owned(),
    })
}

struct Writer<'a> {
    files: &'a Files,
    /// All steps stand in one file, so that it is named only once.
    is_one_file: bool,
}

impl Writer<'_> {
    fn clause(&self, mistake: &Mistake<End>) -> String {
        match mistake {
            Mistake::Unlocked { access, lock, locked, harm } => {
                self.unlocked(access, lock, locked, harm)
            }
            Mistake::Unguarded { first, last, by } => self.unguarded(first, last, by),
            Mistake::Split { first, gap, last, by } => format!(
                "{} unlocks {} between {}, which belong together, so {} can come in between",
                self.head(gap),
                name(gap),
                self.pair(first, last),
                self.subject(by),
            ),
            Mistake::DifferentLocks { access, lock, other, other_lock } => format!(
                "{} {} {} under {}, while {} holds {}: these locks do not exclude each other",
                self.head(access),
                verb(access),
                name(access),
                name(lock),
                self.line(other),
                name(other_lock),
            ),
            Mistake::NotRetested { wait, test } => self.not_retested(wait, test.as_ref()),
            Mistake::Published { publishes, sets, reads } => format!(
                "{} sets {}, which lets other threads in, before {} {} {}, so {} can be too early \
                 ({})",
                self.head(publishes),
                name(publishes),
                self.line(sets),
                if sets.kind == EndKind::Write { "sets" } else { verb(sets) },
                name(sets),
                thread(reads.thread),
                self.line(reads),
            ),
            Mistake::EndedInUse { ends, uses } => format!(
                "{} {} {} while {} may still use it ({}): nothing makes it wait",
                self.head(ends),
                verb(ends),
                name(ends),
                thread(uses.thread),
                self.line(uses),
            ),
            Mistake::StartedTooEarly { creates, sets, uses } => format!(
                "{} creates {} before {} sets {}, which {} uses ({})",
                self.head(creates),
                thread(uses.thread),
                self.line(sets),
                name(sets),
                thread(uses.thread),
                self.line(uses),
            ),
            Mistake::NotAwaited { uses, sets } => format!(
                "{} {} {} without waiting until {} {} it ({})",
                self.head(uses),
                verb(uses),
                name(uses),
                thread(sets.thread),
                verb(sets),
                self.line(sets),
            ),
            other => self.waiting(other),
        }
    }

    /// Threads that wait for ever.
    fn waiting(&self, mistake: &Mistake<End>) -> String {
        match mistake {
            Mistake::LockOrder { sections } => self.lock_order(sections),
            Mistake::LockedTwice { first, again } => format!(
                "{} locks {}, which {} has locked already ({})",
                self.head(again),
                name(again),
                thread(first.thread),
                self.line(first),
            ),
            Mistake::NotUnlocked { takes, last, holder, blocks } => {
                let then = match holder {
                    Holder::Waits => format!("still holds it while it waits ({})", self.line(last)),
                    Holder::Spins => format!("still holds it while it spins ({})", self.line(last)),
                    Holder::Ended => "ends without unlocking it".to_owned(),
                };
                let then = format!("{} {then}", thread(takes.thread));
                format!(
                    "{} locks {} and {then}, so {} cannot get it ({})",
                    self.head(takes),
                    name(takes),
                    thread(blocks.thread),
                    self.line(blocks),
                )
            }
            Mistake::SignalTooEarly { signal, wait } => format!(
                "{} waits for {} without testing whether that has happened already: the signal \
                 ({}) can come first and is lost",
                self.head(wait),
                name(wait),
                self.line(signal),
            ),
            Mistake::OneSignal { signal, wait } => format!(
                "{} wakes only one of the threads that wait for {}, and {} goes on waiting ({})",
                self.head(signal),
                name(signal),
                thread(wait.thread),
                self.line(wait),
            ),
            Mistake::NoSignal { change, wait } => format!(
                "{} changes {} and sends no signal, so {}, which waits for the change ({}), is not \
                 woken",
                self.head(change),
                name(change),
                thread(wait.thread),
                self.line(wait),
            ),
            _ => String::new(),
        }
    }

    fn unlocked(&self, access: &End, lock: &End, locked: &End, harm: &Harm<End>) -> String {
        let what = format!("{} {} {}", self.head(access), verb(access), name(access));
        match harm {
            Harm::LosesSignal { test, wait, signal } => format!(
                "{what} without holding {}, between the test of {} ({}) and its wait ({}), so the \
                 {} ({}) is lost",
                name(lock),
                thread(test.thread),
                self.line(test),
                self.line(wait),
                signal_noun(signal),
                self.line(signal),
            ),
            Harm::Between { first, last } => format!(
                "{what} without holding {}, so it can come between {} of {}",
                name(lock),
                self.pair(first, last),
                thread(first.thread),
            ),
            Harm::OutOfDate => format!(
                "{what} without holding {}, which is held at {} where {} {} it",
                name(lock),
                self.line(locked),
                if locked.thread == access.thread {
                    "the same thread".to_owned()
                } else {
                    thread(locked.thread)
                },
                verb(locked),
            ),
        }
    }

    fn unguarded(&self, first: &End, last: &End, by: &End) -> String {
        let what = match same_line(first, last) {
            true => format!(
                "{} {} {} in several steps",
                self.head(first),
                verb_of(first, last),
                name(first)
            ),
            false => format!(
                "{} {} {} and {} {} {}",
                self.head(first),
                verb(first),
                name(first),
                self.line(last),
                verb(last),
                name(last),
            ),
        };
        format!("{what} without a lock, so {} can come in between", self.subject(by))
    }

    fn not_retested(&self, wait: &End, test: Option<&End>) -> String {
        match test {
            Some(test) => format!(
                "{} waits, but {} does not test {} ({}) again after the wakeup: the wait needs a \
                 `while` loop around it",
                self.head(wait),
                thread(wait.thread),
                name(test),
                self.line(test),
            ),
            None => format!(
                "{} waits without testing what it waits for: a wakeup may come for another reason",
                self.head(wait),
            ),
        }
    }

    fn lock_order(&self, sections: &[(End, End)]) -> String {
        let one = |(outer, inner): &(End, End), is_first: bool| {
            let at = if is_first { self.head(inner) } else { self.line(inner) };
            format!(
                "{at} locks {} while holding {} ({})",
                name(inner),
                name(outer),
                self.line(outer)
            )
        };
        let all: Vec<String> =
            sections.iter().enumerate().map(|(at, it)| one(it, at == 0)).collect();
        format!("{}: the locks are taken in different orders", all_of(&all))
    }

    /// `T2's write of x (line 9)`.
    fn subject(&self, end: &End) -> String {
        let noun = match end.kind {
            EndKind::Read => "read",
            EndKind::Write => "write",
            EndKind::Update => "update",
            EndKind::Free => "free",
            _ => "step",
        };
        let whose = match end.thread {
            0 => "main's".to_owned(),
            number => format!("T{number}'s"),
        };
        format!("{whose} {noun} ({})", self.line(end))
    }

    fn pair(&self, first: &End, last: &End) -> String {
        if same_line(first, last) {
            return format!("the steps of {}", self.line(first));
        }
        format!("{} and {}", self.line(first), self.line(last))
    }

    /// The line at fault: `pool.c:73`.
    fn head(&self, end: &End) -> String {
        match &end.place {
            Some(place) => place::short_line(self.files, place.span),
            None => end.thread_name.clone(),
        }
    }

    /// Another line: `line 24`, or `log.c:11` where there are several files.
    fn line(&self, end: &End) -> String {
        match &end.place {
            Some(place) if self.is_one_file => format!("line {}", place.span.line),
            _ => self.head(end),
        }
    }
}

fn same_line(one: &End, other: &End) -> bool {
    let line = |end: &End| end.place.as_ref().map(|it| (it.span.file, it.span.line));
    line(one) == line(other)
}

fn name(end: &End) -> String {
    match &end.variable {
        Some(name) => format!("`{name}`"),
        None => "memory".to_owned(),
    }
}

fn verb_of(first: &End, last: &End) -> &'static str {
    if first.kind == last.kind { verb(first) } else { "changes" }
}

fn verb(end: &End) -> &'static str {
    match end.kind {
        EndKind::Read => "reads",
        EndKind::Write => "sets",
        EndKind::Update => "updates",
        EndKind::Free => "frees",
        EndKind::Use => "uses",
        EndKind::Sync(deed) => match deed {
            Deed::Init => "initializes",
            Deed::Destroy => "destroys",
            Deed::Unlock => "unlocks",
            Deed::Signal => "signals",
            Deed::Broadcast => "broadcasts",
            Deed::Post => "posts",
            Deed::Wait => "waits for",
            _ if deed.takes_lock() => "locks",
            _ => "uses",
        },
    }
}

fn signal_noun(signal: &End) -> &'static str {
    match signal.kind {
        EndKind::Sync(Deed::Broadcast) => "broadcast",
        _ => "signal",
    }
}
