//! A recorded run with names: what each record did, to which variable, on which line.
//!
//! The executable says where its variables lie, and the IR inside it what the sites are. What has no
//! hook (a library that locks a mutex) is shown at the call that led there.

use std::collections::BTreeMap;

use unravel_kinds::{Deed, Misuse, StepKind};
use unravel_program::library::sync::SyncOp;
use unravel_program::{Function, Op, Program, Shape, SiteId, TypeId};
use unravel_report::model::{Place as SourcePlace, StepRow, ThreadRow};
use unravel_report::recorded::{RunEnd, Waiting};
use unravel_trace::Trailer;
use unravel_trace::memory::{Memory, Object, Place};
use unravel_trace::symbols::Symbols;
use unravel_wire::record::Ending;
use unravel_wire::{Kind, Record};
use xxhash_rust::xxh3::xxh3_64;

/// What the sites of a program are.
pub struct Sites<'p> {
    program: &'p Program,
    places: BTreeMap<u64, SiteId>,
    locals: BTreeMap<u64, (&'p str, Option<TypeId>)>,
    globals: BTreeMap<&'p str, (&'p str, Option<TypeId>)>,
}

impl<'p> Sites<'p> {
    /// Those of the program that was found in an executable.
    #[must_use]
    pub fn of(program: &'p Program) -> Sites<'p> {
        let mut sites = Sites {
            program,
            places: BTreeMap::new(),
            locals: BTreeMap::new(),
            globals: BTreeMap::new(),
        };
        for (index, site) in (0..).zip(&program.sites) {
            if let Some(hook) = site.hook {
                sites.places.insert(hook, SiteId(index));
            }
        }
        for global in &program.globals {
            sites.globals.insert(&global.name, (&global.shown_name, global.ty));
        }
        program.functions.iter().for_each(|it| sites.add_locals(it));
        sites
    }

    fn add_locals(&mut self, function: &'p Function) {
        for instruction in function.blocks.iter().flat_map(|it| &it.instructions) {
            if let (Op::Alloca { name: Some(name), ty, .. }, Some(hook)) =
                (&instruction.op, self.program.site(instruction.site).hook)
            {
                self.locals.insert(hook, (name, *ty));
            }
        }
    }

    /// Where a site stands.
    #[must_use]
    pub fn place(&self, site: u64) -> Option<SourcePlace> {
        let site = self.program.site(*self.places.get(&site)?);
        Some(SourcePlace { span: site.span?, function: site.function.clone() })
    }

    fn line(&self, site: u64) -> u32 {
        self.place(site).map_or(0, |it| it.span.line)
    }

    /// The name of a piece of memory, and its type.
    fn name(&self, place: &Place, bytes: u64) -> (String, Option<TypeId>) {
        let offset = place.offset;
        let (root, ty) = match &place.object {
            Object::Global(name) | Object::ThreadLocal(_, name) => {
                let known = self.globals.get(name.as_str()).copied();
                known.map_or((name.as_str(), None), |it| it)
            }
            Object::Local(_, site) => self.locals.get(site).copied().unwrap_or(("a local", None)),
            Object::Heap { site, nth } => {
                let line = self.line(*site);
                let variable = unravel_kinds::Variable::Heap { line, nth: *nth, offset };
                return (variable.to_string(), None);
            }
            Object::Unknown => return (format!("{offset:#x}"), None),
        };
        match ty {
            Some(ty) => {
                let (name, ty) = self.program.types.path(root, ty, offset, bytes);
                (name, Some(ty))
            }
            None if offset == 0 => (root.to_owned(), None),
            None => (format!("{root}+{offset}"), None),
        }
    }

    /// A value as a person would write it.
    fn value(&self, memory: &Memory<'_>, bits: u64, bytes: u8, ty: Option<TypeId>) -> String {
        let shape = ty.and_then(|ty| self.program.types.get(ty)).map(|it| &it.shape);
        let width = u32::from(bytes.clamp(1, 8)) * 8;
        let signed = (bits << (64 - width)).cast_signed() >> (64 - width);
        match shape {
            Some(Shape::Pointer) => self.pointer(memory, bits),
            Some(Shape::Bool) => (bits != 0).to_string(),
            Some(Shape::Unsigned) => bits.to_string(),
            Some(Shape::Float) if width == 32 => f32::from_bits(bits as u32).to_string(),
            Some(Shape::Float) => f64::from_bits(bits).to_string(),
            None if width == 64 && bits >= LEAST_ADDRESS => self.pointer(memory, bits),
            _ => signed.to_string(),
        }
    }

    fn pointer(&self, memory: &Memory<'_>, bits: u64) -> String {
        if bits == 0 {
            return "NULL".to_owned();
        }
        if let Some(function) = memory.function(bits) {
            return function.to_owned();
        }
        match memory.place(bits) {
            Place { object: Object::Unknown, .. } => format!("{bits:#x}"),
            place => format!("&{}", self.name(&place, 1).0),
        }
    }
}

/// Numbers above this are shown as addresses where nothing else is known of them.
const LEAST_ADDRESS: u64 = 0x1000_0000_0000;

/// What is shown of a run.
pub struct Listing {
    /// Its threads.
    pub threads: Vec<ThreadRow>,
    /// Its steps, in order.
    pub steps: Vec<StepRow>,
    /// Who waits in the end.
    waiting: Vec<Waiting>,
    /// The last record.
    last: Option<Record>,
}

/// Names what happened.
#[must_use]
pub fn listing(sites: &Sites<'_>, symbols: &Symbols, records: &[Record]) -> Listing {
    let mut memory = Memory::new(symbols);
    let main = ThreadRow { id: 0, name: "main".to_owned(), created_at: None };
    let last = records.last().copied();
    let mut listing = Listing { threads: vec![main], steps: Vec::new(), waiting: Vec::new(), last };
    for (index, record) in records.iter().enumerate() {
        memory.step(record);
        if record.kind() == Some(Kind::Create) {
            let name = memory.function(record.b).unwrap_or("a thread").to_owned();
            let created_at = sites.place(record.site);
            listing.threads.push(ThreadRow { id: record.a as u32, name, created_at });
        }
        listing.waiting.extend(waiting(sites, &memory, record));
        let Some(kind) = kind(record) else { continue };
        let step = listing.steps.len() as u32 + 1;
        let thread = u32::from(record.thread());
        let place = sites.place(record.site);
        let mut row = StepRow { step, thread, place, kind, variable: None, value: None };
        if has_address(record) {
            let bytes = u64::from(record.size().max(1));
            let (name, ty) = sites.name(&memory.place(record.a), bytes);
            row.variable = Some(name);
            let value = value_of(record, records.get(index + 1));
            row.value = value.map(|it| sites.value(&memory, it, record.size(), ty));
        } else if kind == StepKind::Input {
            row.value = Some(record.a.cast_signed().to_string());
        }
        listing.steps.push(row);
    }
    listing
}

/// The value that an access reads or leaves.
fn value_of(record: &Record, next: Option<&Record>) -> Option<u64> {
    use Kind as K;
    match record.kind()? {
        K::Update => next.filter(|it| it.kind() == Some(K::New)).map(|it| it.b),
        K::Read | K::Write | K::AtomicRead | K::AtomicWrite | K::FailedUpdate => Some(record.b),
        _ => None,
    }
}

fn has_address(record: &Record) -> bool {
    use Kind as K;
    matches!(
        record.kind(),
        Some(
            K::Read
                | K::Write
                | K::AtomicRead
                | K::AtomicWrite
                | K::Update
                | K::FailedUpdate
                | K::Free
                | K::Sync
                | K::ReadRange
                | K::WriteRange
        )
    )
}

/// What a record is, if it is a step.
fn kind(record: &Record) -> Option<StepKind> {
    use Kind as K;
    Some(match record.kind()? {
        K::Read | K::AtomicRead | K::ReadRange => StepKind::Read,
        K::Write | K::AtomicWrite | K::WriteRange => StepKind::Write,
        K::Update => StepKind::Update,
        K::FailedUpdate => StepKind::FailedUpdate,
        K::Free => StepKind::Free,
        K::Sync => sync(record.number())?,
        K::Create => StepKind::Create(record.a as u32),
        K::Join => StepKind::Join(record.a as u32),
        K::End => StepKind::End,
        K::Nondet => StepKind::Input,
        K::AssumeFailed => StepKind::AssumeFailed,
        _ => return None,
    })
}

/// The operation in the lower bits of a number, its error code in the upper ones.
fn sync(number: u32) -> Option<StepKind> {
    let op = SyncOp::ALL.get((number & 0x7fff) as usize)?;
    let halves = matches!(op.deed(), Deed::Wait | Deed::Arrive);
    let code = (!halves).then_some(i32::from((number >> 16) as u16 as i16));
    Some(StepKind::Sync { deed: op.deed(), code })
}

impl Listing {
    /// How the run ended.
    #[must_use]
    pub fn end(&self, trailer: Option<&Trailer>) -> RunEnd {
        let (code, signal) = trailer.map_or((None, None), |it| (it.code, it.signal));
        let end = end(self.last.as_ref(), code, signal);
        match end {
            RunEnd::Deadlock(_) => RunEnd::Deadlock(self.waiting.clone()),
            RunEnd::NoProgress(_) => RunEnd::NoProgress(self.waiting.clone()),
            other => other,
        }
    }
}

/// How a run ended, by its last record and what the system says.
#[must_use]
pub fn end(last: Option<&Record>, code: Option<i32>, signal: Option<i32>) -> RunEnd {
    if let Some(end) = last.and_then(seen_end) {
        return end;
    }
    match (code, signal) {
        (_, Some(signal)) => RunEnd::Signal(signal),
        (Some(code), None) => RunEnd::QuickExit(code),
        (None, None) => RunEnd::Unknown,
    }
}

/// What the runtime saw of the end.
fn seen_end(last: &Record) -> Option<RunEnd> {
    match last.kind()? {
        Kind::AssumeFailed => return Some(RunEnd::AssumeFailed),
        Kind::Misuse => {
            let misuse = Misuse::ALL.get(last.number() as usize)?;
            return Some(RunEnd::Misuse(*misuse));
        }
        Kind::Ending => {}
        _ => return None,
    }
    Some(match Ending::ALL.get(last.number() as usize)? {
        Ending::Exit => RunEnd::Exit(last.a as i32),
        Ending::QuickExit => RunEnd::QuickExit(last.a as i32),
        Ending::Assert => RunEnd::Assert,
        Ending::Abort | Ending::Error => RunEnd::Abort,
        Ending::Signal => RunEnd::Signal(last.a as i32),
        Ending::Deadlock => RunEnd::Deadlock(Vec::new()),
        Ending::NoProgress => RunEnd::NoProgress(Vec::new()),
        Ending::OutOfBounds => RunEnd::OutOfBounds,
        Ending::UseAfterFree => RunEnd::UseAfterFree,
        Ending::DoubleFree => RunEnd::DoubleFree,
        Ending::InvalidFree => RunEnd::InvalidFree,
        Ending::Limit => RunEnd::Limit,
        Ending::Sanitizer => RunEnd::Sanitizer,
    })
}

/// A thread that waits at the end.
fn waiting(sites: &Sites<'_>, memory: &Memory<'_>, record: &Record) -> Option<Waiting> {
    const JOIN: u32 = u32::MAX;
    const POLLS: u32 = u32::MAX - 2;
    if record.kind() != Some(Kind::Waits) {
        return None;
    }
    let thread = u32::from(record.thread());
    let holder = record.b.checked_sub(1).map(|it| it as u32);
    Some(match record.number() {
        JOIN => Waiting { thread, object: holder.map(thread_end), holder: None, polls: false },
        POLLS => Waiting { thread, object: None, holder: None, polls: true },
        _ => {
            let (name, _) = sites.name(&memory.place(record.a), 1);
            Waiting { thread, object: Some(name), holder, polls: false }
        }
    })
}

fn thread_end(thread: u32) -> String {
    format!("T{thread}")
}

/// How many steps of the listing stand before a record.
#[must_use]
pub fn steps_before(records: &[Record], index: usize) -> usize {
    records.iter().take(index).filter(|it| kind(it).is_some()).count()
}

/// What a program is known by.
#[must_use]
pub fn fingerprint(executable: &[u8]) -> String {
    format!("{:016x}", xxh3_64(executable))
}
