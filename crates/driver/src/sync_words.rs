//! Operations on synchronization objects in words.

use unravel_program::library::sync::Deed;

/// What a thread does to an object.
pub fn does(deed: Deed, name: &str) -> String {
    match deed {
        Deed::Init => format!("initializes {name}"),
        Deed::Destroy => format!("destroys {name}"),
        Deed::Lock => format!("locks {name}"),
        Deed::ReadLock => format!("locks {name} for reading"),
        Deed::WriteLock => format!("locks {name} for writing"),
        Deed::TryLock | Deed::TimedLock | Deed::TryReadLock | Deed::TimedReadLock => {
            format!("tries to lock {name}")
        }
        Deed::Unlock => format!("unlocks {name}"),
        Deed::Wait => format!("begins to wait on {name}"),
        Deed::Wake | Deed::TimedOut => format!("takes {name} again after a wait"),
        Deed::Signal => format!("signals {name}"),
        Deed::Broadcast => format!("broadcasts {name}"),
        Deed::Arrive | Deed::Pass => format!("arrives at {name}"),
        Deed::Once | Deed::OnceDone => format!("comes to {name}"),
        Deed::SemWait => format!("takes one from {name}"),
        Deed::SemTryWait | Deed::SemTimedWait => format!("tries to take one from {name}"),
        Deed::Post => format!("posts {name}"),
        Deed::GetValue => format!("reads the value of {name}"),
    }
}

/// What follows if one operation comes before another on the same object.
pub fn so(first: Deed, second: Deed, before: &str, after: &str) -> String {
    // The end of a wait takes its mutex like a lock operation.
    let locks = |deed: Deed| deed.takes_lock() || matches!(deed, Deed::Wake | Deed::TimedOut);
    match (first, second) {
        (Deed::Signal | Deed::Broadcast, Deed::Wait) => {
            format!("so {after} waits for a signal that is over")
        }
        (Deed::Wait, Deed::Signal) => {
            format!("so {before} is among those that the signal may wake")
        }
        (Deed::Wait, Deed::Broadcast) => format!("so the broadcast wakes {before}"),
        (Deed::Wait, Deed::Wait) => format!("so {before} waits first"),
        _ if locks(first) && locks(second) && second.is_attempt() => {
            format!("so {after} may be refused")
        }
        _ if locks(first) && locks(second) => format!("so {after} waits"),
        (_, Deed::Unlock) if locks(first) && first.is_attempt() => {
            format!("so {before} may be refused")
        }
        (Deed::Destroy, _) => format!("so {after} uses what is gone"),
        (_, Deed::Destroy | Deed::Init) => format!("so {before} uses it before that"),
        (Deed::Init, _) => format!("so {after} finds it ready"),
        _ if first.takes_from_semaphore() && second.takes_from_semaphore() => {
            format!("so {after} finds one less")
        }
        (Deed::Post, _) if second.takes_from_semaphore() || second == Deed::GetValue => {
            format!("so {after} finds one more")
        }
        (_, Deed::Post) if first.takes_from_semaphore() => {
            format!("so {before} does not get that one")
        }
        _ => String::new(),
    }
}
