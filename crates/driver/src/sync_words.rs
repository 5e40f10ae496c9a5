//! Operations on synchronization objects in words.

use unravel_program::library::sync::SyncOp;

/// What a thread does to an object.
pub fn does(op: SyncOp, name: &str) -> String {
    match op {
        SyncOp::MutexLock | SyncOp::SpinLock => format!("locks {name}"),
        SyncOp::MutexTryLock
        | SyncOp::MutexTimedLock
        | SyncOp::SpinTryLock
        | SyncOp::RwTryReadLock
        | SyncOp::RwTimedReadLock
        | SyncOp::RwTryWriteLock
        | SyncOp::RwTimedWriteLock => format!("tries to lock {name}"),
        SyncOp::MutexUnlock | SyncOp::SpinUnlock | SyncOp::RwUnlock => format!("unlocks {name}"),
        SyncOp::RwReadLock => format!("locks {name} for reading"),
        SyncOp::RwWriteLock => format!("locks {name} for writing"),
        SyncOp::CondWait | SyncOp::CondTimedWait => format!("begins to wait on {name}"),
        SyncOp::CondWake | SyncOp::CondTimedWake | SyncOp::CondTimedOut => {
            format!("takes {name} again after a wait")
        }
        SyncOp::CondSignal => format!("signals {name}"),
        SyncOp::CondBroadcast => format!("broadcasts {name}"),
        SyncOp::BarrierWait | SyncOp::BarrierPass => format!("arrives at {name}"),
        SyncOp::Once | SyncOp::OnceFinish => format!("comes to {name}"),
        SyncOp::SemWait => format!("takes one from {name}"),
        SyncOp::SemTryWait | SyncOp::SemTimedWait => format!("tries to take one from {name}"),
        SyncOp::SemPost => format!("posts {name}"),
        SyncOp::SemGetValue => format!("reads the value of {name}"),
        SyncOp::MutexDestroy
        | SyncOp::SpinDestroy
        | SyncOp::RwDestroy
        | SyncOp::CondDestroy
        | SyncOp::BarrierDestroy
        | SyncOp::SemDestroy => format!("destroys {name}"),
        SyncOp::MutexInit
        | SyncOp::MutexInitC11
        | SyncOp::MutexAttrInit
        | SyncOp::MutexAttrSetType
        | SyncOp::SpinInit
        | SyncOp::RwInit
        | SyncOp::CondInit
        | SyncOp::BarrierInit
        | SyncOp::SemInit => format!("initializes {name}"),
    }
}

/// One word for what is done, for machines.
pub fn kind(op: SyncOp) -> &'static str {
    match op {
        SyncOp::CondWait | SyncOp::CondTimedWait => "wait",
        SyncOp::CondSignal => "signal",
        SyncOp::CondBroadcast => "broadcast",
        SyncOp::BarrierWait | SyncOp::BarrierPass => "barrier",
        SyncOp::Once | SyncOp::OnceFinish => "once",
        SyncOp::SemWait | SyncOp::SemTryWait | SyncOp::SemTimedWait => "sem-wait",
        SyncOp::SemPost => "sem-post",
        SyncOp::SemGetValue => "sem-value",
        _ if does(op, "").starts_with("destroys") => "destroy",
        _ if does(op, "").starts_with("initializes") => "init",
        _ if does(op, "").starts_with("unlocks") => "unlock",
        _ => "lock",
    }
}

/// What follows if one operation comes before another on the same object.
pub fn so(first: SyncOp, second: SyncOp, before: &str, after: &str) -> String {
    match (kind(first), kind(second)) {
        ("signal" | "broadcast", "wait") => format!("so {after} waits for a signal that is over"),
        ("wait", "signal") => format!("so {before} is among those that the signal may wake"),
        ("wait", "broadcast") => format!("so the broadcast wakes {before}"),
        ("wait", "wait") => format!("so {before} waits first"),
        ("lock", "lock") if is_attempt(second) => format!("so {after} may be refused"),
        ("lock", "lock") => format!("so {after} waits"),
        ("lock", "unlock") if is_attempt(first) => format!("so {before} may be refused"),
        ("destroy", _) => format!("so {after} uses what is gone"),
        (_, "destroy" | "init") => format!("so {before} uses it before that"),
        ("init", _) => format!("so {after} finds it ready"),
        ("sem-wait", "sem-wait") => format!("so {after} finds one less"),
        ("sem-post", "sem-wait" | "sem-value") => format!("so {after} finds one more"),
        ("sem-wait", "sem-post") => format!("so {before} does not get that one"),
        _ => String::new(),
    }
}

fn is_attempt(op: SyncOp) -> bool {
    does(op, "").starts_with("tries")
}
