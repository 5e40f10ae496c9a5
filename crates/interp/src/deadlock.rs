//! Deadlocks (DESIGN §2): (a) a cycle of threads each waiting for a lock held by, or for the end
//! of, the next, whatever other threads do; (b) a state in which no thread can step and some
//! thread has not ended. Case (c), threads that turn loops for ever, is in [`crate::hang`].

use unravel_kinds::{Awaited, Related, ViolationKind, Wait};
use unravel_program::library::sync::{Class, Deed, MutexKind};
use unravel_program::{Program, SiteId};

use crate::describe;
use crate::machine::{Machine, Readiness};
use crate::property::{Property, Violation};
use crate::state::{Pending, Place, State, Status, ThreadId};

/// The deadlock that a state is in, if any.
#[must_use]
pub fn find(machine: &Machine<'_>, state: &State) -> Option<Violation> {
    if state.dead || !machine.config.properties.has(Property::Deadlock) {
        return None;
    }
    if let Some(cycle) = cycle(machine, state) {
        return Some(cycle_violation(machine, state, &cycle));
    }
    global(machine, state)
}

/// Whom a blocked thread waits for, where that is one particular thread.
fn waits_for(machine: &Machine<'_>, state: &State, id: ThreadId) -> Vec<ThreadId> {
    if machine.readiness(state, id) != Readiness::Blocked {
        return Vec::new();
    }
    match &state.thread(id).pending {
        Pending::Ready => Vec::new(),
        Pending::Join(target) => vec![*target],
        Pending::Sync(request) => {
            let place = match request.op.deed() {
                // Awake, but for the mutex.
                Deed::Wake => {
                    let object = state.sync.get(&request.place);
                    let awake = object.is_some_and(|object| object.released.contains(&id));
                    request.mutex.filter(|_| awake)
                }
                Deed::TimedOut => request.mutex,
                _ => Some(request.place),
            };
            place.map_or_else(Vec::new, |place| {
                // A reader that is held back waits for the writers before it.
                let queue = writers_before(state, place).filter(|_| request.op.deed().is_shared());
                queue.unwrap_or_else(|| holders(state, place))
            })
        }
    }
}

/// The writers for whom readers are held back, if the lock prefers writers and no writer has it.
fn writers_before(state: &State, place: Place) -> Option<Vec<ThreadId>> {
    let object = state.sync.get(&place)?;
    let held_back = object.kind == MutexKind::PrefersWriters && object.owner.is_none();
    held_back.then(|| object.waiting.clone())
}

pub(crate) fn holders(state: &State, place: Place) -> Vec<ThreadId> {
    let Some(object) = state.sync.get(&place) else { return Vec::new() };
    if !object.class.is_lock() {
        return Vec::new();
    }
    object.owner.into_iter().chain(object.readers.iter().copied()).collect()
}

/// A cycle in the waits-for graph, beginning with its smallest thread.
fn cycle(machine: &Machine<'_>, state: &State) -> Option<Vec<ThreadId>> {
    let edges: Vec<Vec<ThreadId>> =
        state.thread_ids().map(|id| waits_for(machine, state, id)).collect();
    let mut waiting = state.thread_ids().filter(|id| !edges[id.0 as usize].is_empty());
    waiting.find_map(|start| {
        let mut path = vec![start];
        let mut seen = vec![false; edges.len()];
        walk(&edges, &mut path, &mut seen, start).then_some(path)
    })
}

/// Extends the path to a way back to `start`.
fn walk(
    edges: &[Vec<ThreadId>],
    path: &mut Vec<ThreadId>,
    seen: &mut [bool],
    start: ThreadId,
) -> bool {
    let Some(&last) = path.last() else { return false };
    for &next in &edges[last.0 as usize] {
        if next == start {
            return true;
        }
        if std::mem::replace(&mut seen[next.0 as usize], true) {
            continue;
        }
        path.push(next);
        if walk(edges, path, seen, start) {
            return true;
        }
        path.pop();
    }
    false
}

fn cycle_violation(machine: &Machine<'_>, state: &State, cycle: &[ThreadId]) -> Violation {
    let next = |index: usize| cycle[(index + 1) % cycle.len()];
    let wait = |(index, &id): (usize, &ThreadId)| {
        let is_join = matches!(state.thread(id).pending, Pending::Join(_));
        let queues = matches!(&state.thread(id).pending, Pending::Sync(request)
            if request.op.deed().is_shared() && writers_before(state, request.place).is_some());
        let held_by = (!is_join && !queues).then_some(next(index).0);
        let awaited = awaited(machine.program, state, id);
        (site(machine, state, id), Related::Waits(Wait { thread: id.0, awaited, held_by }))
    };
    let thread = cycle[cycle.len() - 1];
    Violation {
        kind: ViolationKind::LockCycle { threads: cycle.iter().map(|id| id.0).collect() },
        thread,
        site: site(machine, state, thread),
        related: cycle.iter().enumerate().map(wait).collect(),
    }
}

/// Kind (b).
fn global(machine: &Machine<'_>, state: &State) -> Option<Violation> {
    if state.is_complete() {
        return None;
    }
    let mut blocked = Vec::new();
    for id in state.thread_ids() {
        match (machine.readiness(state, id), &state.thread(id).status) {
            (Readiness::Ready, _) => return None,
            // A stuck thread could go on (a bound), or the run is of no interest (an assume).
            (_, Status::Stuck(_)) => return None,
            (_, Status::Ended) => {}
            (_, Status::Running) => blocked.push(id),
        }
    }
    let &thread = blocked.last()?;
    let wait = |&id: &ThreadId| {
        let awaited = awaited(machine.program, state, id);
        (site(machine, state, id), Related::Waits(Wait { thread: id.0, awaited, held_by: None }))
    };
    Some(Violation {
        kind: ViolationKind::NoProgress { threads: blocked.iter().map(|id| id.0).collect() },
        thread,
        site: site(machine, state, thread),
        related: blocked.iter().map(wait).collect(),
    })
}

/// A thread that waits while others turn loops: for what, and who holds it.
pub(crate) fn wait(machine: &Machine<'_>, state: &State, id: ThreadId) -> (SiteId, Related) {
    let is_join = matches!(state.thread(id).pending, Pending::Join(_));
    let holder = waits_for(machine, state, id).first().copied();
    let held_by = holder.filter(|_| !is_join).map(|it| it.0);
    let awaited = awaited(machine.program, state, id);
    (site(machine, state, id), Related::Waits(Wait { thread: id.0, awaited, held_by }))
}

/// What a thread waits for.
fn awaited(program: &Program, state: &State, id: ThreadId) -> Awaited {
    let request = match &state.thread(id).pending {
        Pending::Ready => return Awaited::Nothing,
        Pending::Join(target) => return Awaited::End { thread: target.0 },
        Pending::Sync(request) => request,
    };
    let named = |place: Place| describe::place(program, state, place.0, place.1, 8);
    // Who was woken, or gave up waiting, wants the mutex back.
    let deed = request.op.deed();
    let mutex = match deed {
        Deed::Wake if is_awake(state, request.place, id) => request.mutex,
        Deed::TimedOut => request.mutex,
        _ => None,
    };
    match (deed, mutex) {
        (_, Some(mutex)) => Awaited::Object(Class::Mutex, named(mutex)),
        (Deed::Wake, None) => Awaited::Signal(named(request.place)),
        (Deed::TimedOut, None) => Awaited::Object(Class::Mutex, named(request.place)),
        (_, None) => Awaited::Object(request.op.class(), named(request.place)),
    }
}

fn is_awake(state: &State, place: Place, id: ThreadId) -> bool {
    state.sync.get(&place).is_some_and(|object| object.released.contains(&id))
}

/// Where a thread stands.
#[must_use]
pub fn site(machine: &Machine<'_>, state: &State, id: ThreadId) -> SiteId {
    let frames = &state.thread(id).frames;
    let shown = machine.program.shown(frames, |frame| frame.function);
    shown.map_or(SiteId(0), |frame| {
        let block = machine.program.function(frame.function).block(frame.block);
        block.instructions.get(frame.index).map_or(block.end_site, |it| it.site)
    })
}
