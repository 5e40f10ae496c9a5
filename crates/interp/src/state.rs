//! A state of the program between two steps.
//!
//! States are cloned at every step of an exploration, so the parts that a step rarely changes
//! (objects, other threads) are behind [`Arc`] and copied when written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use unravel_program::library::sync::{Deed, SyncOp};
use unravel_program::{BlockId, FunctionId, GlobalId, Reg, SiteId};

use crate::layout::Layout;
use crate::memory::{Object, ObjectId, ObjectKind, Origin};
use crate::race::Races;
use crate::sync::{Request, SyncObject};
use crate::value::Value;

/// A thread: 0 is `main`, then in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

/// A place that holds a synchronization object.
pub type Place = (ObjectId, u64);

/// The whole program between two steps.
#[derive(Clone, Debug)]
pub struct State {
    /// Threads, ended ones included.
    pub threads: Vec<Arc<Thread>>,
    /// Live objects.
    pub objects: BTreeMap<ObjectId, Arc<Object>>,
    /// State of synchronization objects, by place.
    pub sync: Arc<BTreeMap<Place, SyncObject>>,
    /// Freed heap blocks whose address a later allocation may get.
    pub freed: Vec<Freed>,
    /// Destructors of thread-specific data, by key; `None` for a deleted key.
    pub keys: Vec<Option<Value>>,
    /// `main` has returned or some thread called `exit`: the process may end at any moment.
    pub exited: Option<i32>,
    /// A run that went wrong inside an atomic section: nothing can follow.
    pub dead: bool,
    /// Happens-before bookkeeping, where races are checked.
    pub races: Option<Arc<Races>>,
    /// Which objects lie below which, as far as somebody asked.
    pub layout: Arc<Layout>,
    /// How many heap blocks each place has allocated: only for their names.
    pub allocated: Arc<BTreeMap<SiteId, u32>>,
    /// Next free address.
    pub next_address: u64,
    /// Number of the next object.
    pub next_object: u32,
}

/// A freed heap block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freed {
    /// The object that was there.
    pub object: ObjectId,
    /// Its address.
    pub base: u64,
    /// Its size.
    pub size: u64,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Call stack, innermost last.
    pub frames: Vec<Frame>,
    /// Whether it runs, has ended, or is stuck.
    pub status: Status,
    /// The place that created it.
    pub created_at: SiteId,
    /// Its start function.
    pub start: FunctionId,
    /// Its result, once ended.
    pub result: Value,
    /// Nobody will join it, or somebody has.
    pub detached: bool,
    /// Its result is an `int` (C11).
    pub c11: bool,
    /// What its id is made of: its own number, or that of a thread which is gone and whose id it
    /// got.
    pub handle: u32,
    /// How far the destructors of its data have come.
    pub destructed: Destructed,
    /// Thread-specific data by key.
    pub specific: BTreeMap<u32, Value>,
    /// Its instances of thread-local variables, made when first used.
    pub locals: BTreeMap<GlobalId, ObjectId>,
    /// Its `errno`, made when first used.
    pub errno: Option<ObjectId>,
    /// The thread that it has created and whose handle it is about to store.
    pub creating: Option<ThreadId>,
    /// Depth of nested atomic sections.
    pub atomic_depth: u32,
    /// The operation it stands before.
    pub pending: Pending,
}

/// How far the destructors of a thread's data have come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Destructed {
    /// Rounds that are over.
    pub round: u8,
    /// Keys whose destructor was called in this round.
    pub keys: BTreeSet<u32>,
}

/// The operation a thread stands before; it stays the same until the thread steps.
#[derive(Clone, Debug)]
pub enum Pending {
    /// Something that never blocks.
    Ready,
    /// An operation on a synchronization object.
    Sync(Request),
    /// The end of a thread.
    Join(ThreadId),
}

/// What a thread does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It has an instruction to execute (which may block).
    Running,
    /// It has ended.
    Ended,
    /// It goes no further in this run.
    Stuck(Stuck),
}

/// Why a thread goes no further although it has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stuck {
    /// An `assume` failed.
    Assume,
    /// A bound was reached: it could go on.
    Bound,
    /// Something is not modelled: it could go on.
    Unsupported,
    /// It violated a property that is not checked.
    Violation,
    /// It ended the process.
    Exited,
}

/// A call in progress.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// Index of the next instruction; the number of instructions for the terminator.
    pub index: usize,
    /// The values of the registers.
    pub registers: Vec<Value>,
    /// Objects to free on return.
    pub objects: Vec<ObjectId>,
    /// Where the caller wants the results.
    pub results: Vec<Reg>,
    /// What happens on return beyond handing over the results.
    pub on_return: OnReturn,
    /// Second half of an operation that waits in the middle.
    pub phase: Option<SyncOp>,
    /// Bytes of a `memcpy` or `memset` done so far, or parts of the creation of a thread.
    pub progress: u64,
    /// How often each loop head was entered through a back edge, where loops are bounded.
    pub turns: BTreeMap<BlockId, u32>,
}

impl Frame {
    /// How far the thread is inside of its instruction: bytes copied, or parts of a wait.
    #[must_use]
    pub fn progress(&self) -> u64 {
        let parts = match self.phase.map(SyncOp::deed) {
            Some(Deed::TimedOut) => 2,
            Some(Deed::Wake | Deed::Pass) => 1,
            _ => 0,
        };
        self.progress + parts
    }
}

/// What happens when a frame returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnReturn {
    /// The caller goes on.
    Continue,
    /// The thread ends with the result.
    EndThread,
    /// The caller's operation enters its second half (`pthread_once`).
    EnterPhase(SyncOp),
    /// The next destructor of thread-specific data, or the end of the thread.
    NextDestructor,
    /// The next constructor, or `main`.
    NextConstructor(u32),
}

impl Thread {
    /// The innermost call.
    #[must_use]
    pub fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// Whether it is neither ended nor stuck.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.status == Status::Running
    }
}

impl State {
    /// A thread.
    #[must_use]
    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.0 as usize]
    }

    /// A thread, to change it.
    pub fn thread_mut(&mut self, id: ThreadId) -> &mut Thread {
        Arc::make_mut(&mut self.threads[id.0 as usize])
    }

    /// All thread ids.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..u32::try_from(self.threads.len()).unwrap_or(u32::MAX)).map(ThreadId)
    }

    /// Whether another thread than `me` could still step: only then does it matter when `me`
    /// accesses shared memory.
    #[must_use]
    pub fn others_run(&self, me: ThreadId) -> bool {
        self.thread_ids().any(|id| id != me && self.thread(id).is_running())
    }

    /// Whether the process has ended or every thread has.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.exited.is_some() || self.threads.iter().all(|thread| thread.status == Status::Ended)
    }

    /// A live object.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&Arc<Object>> {
        self.objects.get(&id)
    }

    /// A live object, to change it.
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(&id).map(Arc::make_mut)
    }

    /// Adds an object at a fresh address.
    pub fn allocate(
        &mut self,
        kind: ObjectKind,
        size: u64,
        align: u64,
        origin: Origin,
        zeroed: bool,
    ) -> ObjectId {
        let base = self.fresh_address(size, align);
        self.insert(kind, Object::new(base, size, origin, zeroed))
    }

    /// An address at which nothing ever was.
    pub fn fresh_address(&mut self, size: u64, align: u64) -> u64 {
        let base = self.next_address.next_multiple_of(align.max(16));
        // A gap keeps one-past-the-end of one object apart from the start of the next.
        self.next_address = base.saturating_add(size).saturating_add(16);
        base
    }

    /// Adds an object that has its address already.
    pub fn insert(&mut self, kind: ObjectKind, object: Object) -> ObjectId {
        let id = ObjectId { kind, number: self.next_object };
        self.next_object += 1;
        self.objects.insert(id, Arc::new(object));
        id
    }

    /// Marks an object, and all it leads to, as reachable by other threads.
    ///
    /// To reach an object a thread needs a pointer derived from it, so an object stays private
    /// until such a pointer is stored where others can look.
    pub fn share(&mut self, id: ObjectId) {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let Some(object) = self.objects.get(&id) else { continue };
            if object.shared {
                continue;
            }
            work.extend(object.pointers().map(|(_, target)| target));
            if let Some(object) = self.object_mut(id) {
                object.shared = true;
            }
        }
    }

    /// Removes an object, with the synchronization objects in it.
    pub fn remove(&mut self, id: ObjectId) {
        self.objects.remove(&id);
        if self.sync.range((id, 0)..=(id, u64::MAX)).next().is_some() {
            Arc::make_mut(&mut self.sync).retain(|place, _| place.0 != id);
        }
        if let Some(races) = &mut self.races {
            Arc::make_mut(races).forget(id);
        }
    }

    /// The live object that holds an address, for pointers whose provenance is lost.
    #[must_use]
    pub fn find(&self, address: u64) -> Option<ObjectId> {
        let holds = |object: &Object| {
            address.checked_sub(object.base).is_some_and(|offset| offset < object.size())
        };
        self.objects.iter().find(|(_, object)| holds(object)).map(|(&id, _)| id)
    }

    /// The synchronization operation a thread stands before.
    #[must_use]
    pub fn waits_at(&self, thread: ThreadId) -> Option<(SyncOp, Place)> {
        match &self.thread(thread).pending {
            Pending::Sync(request) if self.thread(thread).is_running() => {
                Some((request.op, request.place))
            }
            _ => None,
        }
    }
}
