//! Reads-from: which write each read takes its value from.
//!
//! Candidates that no run can use are dropped before anything is encoded: writes that must come
//! after the read, and writes that another one, certain to be executed, must overwrite before it.
//! A read whose source is then certain needs no order theory at all. Bits that all sources of a read
//! have in common are constant (`known`).

use std::collections::{BTreeMap, BTreeSet};

use unravel_events::{Access, FindingKind, ObjectId, PROVENANCE, Space, Value};
use unravel_kinds::Unmodelled;
use unravel_solver::{ClauseSink, Lit, ReadId, WriteId};
use unravel_term::{Node, Term};

use crate::Encoder;
use crate::cells::{Cell, Cut};
use crate::known::{Read, known_bits};

/// A part of an access: its index in the graph, and which part.
pub type Part = (usize, usize);

/// All writes, by cell.
#[derive(Default)]
pub(crate) struct Writes {
    data: BTreeMap<Cell, Vec<Part>>,
    sync: BTreeMap<Cell, Vec<Part>>,
    life: BTreeMap<ObjectId, Vec<Part>>,
    ids: BTreeMap<Part, WriteId>,
}

/// That a part of a read may take its value from a part of a write, or from what memory held at
/// first.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// The read: index of the access, and which part of it.
    pub read: Part,
    /// The write, likewise.
    pub source: Option<Part>,
    /// Whether it does.
    pub taken: Lit,
}

/// Where a part of a read may take its value from, each with the literal that it does: a write of
/// the same bytes, or what memory held at first.
type Sources = Vec<(Option<Part>, Lit)>;

/// A write that a read may take its value from.
struct Candidate {
    part: Part,
    /// The two go to the same place.
    same: Term,
}

/// A read of data, with all that may be where it reads.
pub(crate) struct DataRead {
    /// With a guard that it goes somewhere.
    access: Access,
    /// When it goes nowhere.
    nowhere: Option<Term>,
    parts: Vec<PartRead>,
}

/// One part of a read.
struct PartRead {
    part: Part,
    value: Value,
    /// Writes, each with what it writes there.
    sources: Vec<(Candidate, Value)>,
    /// What memory held at first, if that may be read.
    initial: Option<Value>,
    /// The writes of just these bytes, of a value of that size.
    whole: BTreeSet<Part>,
}

impl Encoder {
    /// All reads of data, with their sources: terms only, so that what is known of them is known
    /// before anything becomes clauses.
    pub fn data_reads(
        &mut self,
        cuts: &[Option<Cut>],
        stop: &mut dyn FnMut() -> bool,
    ) -> Vec<DataRead> {
        self.writes = self.collect_writes(cuts);
        let mut reads = Vec::new();
        for (index, cut) in self.alarm.until(cuts.iter().enumerate()) {
            self.stopped = self.stopped || stop();
            let access = self.graph.accesses[index].clone();
            if let Some(cut) = cut
                && !access.writes
                && access.space != Space::Sync
                && !self.stopped
            {
                reads.push(self.data_read(cuts, access, index, cut));
            }
        }
        reads
    }

    /// Bits that are the same in all sources of a read are constant.
    pub fn fix_known_bits(&mut self, reads: &[DataRead]) {
        let mut all = Vec::new();
        for read in reads {
            // A value in parts has no variable for each.
            let [part] = read.parts.as_slice() else { continue };
            let written = part.sources.iter().map(|it| it.1).chain(part.initial);
            let (bits, provenances): (Vec<Term>, Vec<Term>) =
                written.map(|it| (it.bits, it.provenance)).unzip();
            for (value, sources) in [(part.value.bits, bits), (part.value.provenance, provenances)]
            {
                if let Node::Var(variable) = self.graph.terms.node(value) {
                    all.push(Read { variable, sources });
                }
            }
        }
        let found = known_bits(&self.graph.terms, &all, self.blaster.fixed(), &self.alarm);
        for (variable, known, bits) in found {
            self.blaster.fix(variable, known, bits);
        }
    }

    pub fn encode_memory(
        &mut self,
        cuts: &[Option<Cut>],
        reads: Vec<DataRead>,
        stop: &mut dyn FnMut() -> bool,
    ) {
        let mut reads = reads.into_iter();
        for (index, cut) in self.alarm.until(cuts.iter().enumerate()) {
            let access = self.graph.accesses[index].clone();
            self.stopped = self.stopped || stop();
            match cut {
                Some(cut) if access.writes => {
                    let (_, nowhere) = self.somewhere(&access, cut);
                    self.remark_nowhere(&access, nowhere);
                }
                _ if access.writes || self.stopped => {}
                Some(cut) if access.space == Space::Sync => {
                    let (guard, nowhere) = self.somewhere(&access, cut);
                    self.remark_nowhere(&access, nowhere);
                    self.state_read(cuts, &Access { guard, ..access }, (index, 0), cut);
                }
                Some(_) => reads.next().into_iter().for_each(|read| self.encode_read(read)),
                None => self.life_read(&access, (index, 0)),
            }
        }
    }

    fn encode_read(&mut self, read: DataRead) {
        let DataRead { access, nowhere, parts } = read;
        self.remark_nowhere(&access, nowhere);
        let mut found = Vec::new();
        for PartRead { part, value, sources, initial, whole } in parts {
            let mut sources = self.read_from(part, value, sources, initial, access.guard);
            sources.retain(|(source, _)| source.is_none_or(|part| whole.contains(&part)));
            found.push(sources);
        }
        self.whole_pointer(&access, &found);
    }

    fn collect_writes(&mut self, cuts: &[Option<Cut>]) -> Writes {
        let mut writes = Writes::default();
        for (index, access) in self.alarm.until(self.graph.accesses.iter().enumerate()) {
            if !access.writes {
                continue;
            }
            match &cuts[index] {
                Some(cut) if access.space == Space::Sync => {
                    for &place in &cut.places {
                        writes.sync.entry(place).or_default().push((index, 0));
                    }
                }
                Some(cut) => {
                    for (number, &(offset, _)) in cut.parts.iter().enumerate() {
                        for &(object, start) in &cut.places {
                            let cell = (object, start + offset);
                            writes.data.entry(cell).or_default().push((index, number));
                        }
                    }
                }
                None => {
                    for object in self.graph.candidates(&access.may) {
                        writes.life.entry(object).or_default().push((index, 0));
                    }
                }
            }
        }
        writes
    }

    /// An access through a pointer from memory goes where the points-to analysis says. If it did
    /// not, it would go nowhere and be forgotten; so that is something to be found, too. Gives when
    /// it goes somewhere: only then is there something to read, and a read of nothing must not make
    /// the run impossible that is to be found. Also gives when it goes nowhere, if it can.
    fn somewhere(&mut self, access: &Access, cut: &Cut) -> (Term, Option<Term>) {
        if access.may.anywhere_in.is_empty() {
            return (access.guard, None);
        }
        let width = self.graph.terms.width(access.address.bits);
        let mut places = Vec::new();
        for &(id, offset) in self.alarm.until(&cut.places) {
            let at = u128::from(self.graph.objects.get(id).base + offset);
            let at = self.graph.terms.constant(width, at);
            places.push(self.graph.terms.eq(access.address.bits, at));
        }
        let known = self.graph.terms.or_all(&places);
        let nowhere = self.graph.terms.not(known);
        let nowhere = self.graph.terms.and(access.guard, nowhere);
        (self.graph.terms.and(access.guard, known), Some(nowhere))
    }

    fn remark_nowhere(&mut self, access: &Access, nowhere: Option<Term>) {
        if let Some(guard) = nowhere {
            self.remark(guard, access.step, Unmodelled::UnforeseenAccess);
        }
    }

    /// A pointer that is read in parts must not be put together from two: all parts come from one
    /// write, or from what memory held at first.
    fn whole_pointer(&mut self, access: &Access, parts: &[Sources]) {
        let number = self.graph.terms.constant(PROVENANCE, 0);
        let [first, rest @ ..] = parts else { return };
        if rest.is_empty() || access.value.provenance == number {
            return;
        }
        let mixed = self.solver.new_lit();
        let guard = self.lit(access.guard);
        self.solver.clause(&[!mixed, guard]);
        let mut ways = vec![!guard, mixed];
        for (source, lit) in first {
            let write = |source: &Option<Part>| source.map(|(access, _)| access);
            let same = |it: &&(Option<Part>, Lit)| write(&it.0) == write(source);
            let others = rest.iter().map(|part| part.iter().find(same));
            let Some(others) = others.map(|it| it.map(|it| it.1)).collect::<Option<Vec<Lit>>>()
            else {
                continue;
            };
            let whole = self.solver.new_lit();
            let mut broken = vec![!mixed, !*lit];
            self.solver.clause(&[!whole, *lit]);
            for other in others {
                self.solver.clause(&[!whole, other]);
                broken.push(!other);
            }
            self.solver.clause(&broken);
            ways.push(whole);
        }
        self.solver.clause(&ways);
        let what = Unmodelled::PointerFromParts;
        self.reach_at(FindingKind::Unsupported(what), mixed, access.step);
    }

    fn access(&self, part: Part) -> &Access {
        &self.graph.accesses[part.0]
    }

    // ----- Data -----

    fn data_read(
        &mut self,
        cuts: &[Option<Cut>],
        mut access: Access,
        index: usize,
        cut: &Cut,
    ) -> DataRead {
        let (guard, nowhere) = self.somewhere(&access, cut);
        access.guard = guard;
        let parts = 0..cut.parts.len();
        let parts = parts.map(|part| self.part_read(cuts, &access, (index, part), cut)).collect();
        DataRead { access, nowhere, parts }
    }

    fn part_read(
        &mut self,
        cuts: &[Option<Cut>],
        access: &Access,
        part: Part,
        cut: &Cut,
    ) -> PartRead {
        let (offset, bytes) = cut.parts[part.1];
        let cells: Vec<Cell> = cut.places.iter().map(|&(id, at)| (id, at + offset)).collect();
        let mut parts: BTreeSet<Part> = BTreeSet::new();
        for cell in self.alarm.until(&cells) {
            parts.extend(self.writes.data.get(cell).into_iter().flatten());
        }
        let mut candidates = Vec::new();
        for write in self.alarm.until(parts) {
            if let Some(same) = self.same_cell(cuts, part, write, cut) {
                candidates.push(Candidate { part: write, same });
            }
        }
        let overwritten = self.prune(access, &mut candidates);
        let initial = (!overwritten).then(|| self.initial_value(access, &cells, offset, bytes));
        let value = self.part_value(access, offset, bytes);
        let mut whole = BTreeSet::new();
        let sources = candidates
            .into_iter()
            .map(|candidate| {
                let write = self.access(candidate.part).clone();
                let (from, _) = cuts[candidate.part.0]
                    .as_ref()
                    .and_then(|cut| cut.parts.get(candidate.part.1).copied())
                    .unwrap_or((0, 0));
                let mut written = self.part_value(&write, from, bytes);
                if from != offset || write.bytes != access.bytes {
                    written = Value::number(&mut self.graph.terms, written.bits);
                } else {
                    whole.insert(candidate.part);
                }
                (candidate, written)
            })
            .collect();
        PartRead { part, value, sources, initial, whole }
    }

    /// The bits of a part, with the provenance of the whole.
    fn part_value(&mut self, access: &Access, offset: u64, bytes: u64) -> Value {
        let low = u16::try_from(offset * 8).unwrap_or(0);
        let width = u16::try_from(bytes * 8).unwrap_or(8);
        let bits = self.graph.terms.extract(access.value.bits, low, width);
        Value { bits, ..access.value }
    }

    /// Whether a write part goes to the cell of a read part; `None` if it cannot.
    fn same_cell(
        &mut self,
        cuts: &[Option<Cut>],
        read: Part,
        write: Part,
        read_cut: &Cut,
    ) -> Option<Term> {
        let write_cut = cuts[write.0].as_ref()?;
        let single = read_cut.places.len() == 1 && write_cut.places.len() == 1;
        if single || self.broken(crate::Mutant::NoAddressEquality) {
            return Some(self.graph.terms.truth());
        }
        let read_at = self.part_address(read, read_cut);
        let write_at = self.part_address(write, write_cut);
        let same = self.graph.terms.eq(read_at, write_at);
        (!self.graph.terms.is_false(same)).then_some(same)
    }

    fn part_address(&mut self, part: Part, cut: &Cut) -> Term {
        let bits = self.access(part).address.bits;
        let width = self.graph.terms.width(bits);
        let offset = self.graph.terms.constant(width, u128::from(cut.parts[part.1].0));
        self.graph.terms.add(bits, offset)
    }

    /// What memory holds at first, at whichever place the read goes to.
    fn initial_value(&mut self, access: &Access, cells: &[Cell], offset: u64, bytes: u64) -> Value {
        let mut value: Option<Value> = None;
        for &(object, at) in self.alarm.until(cells.iter().rev()) {
            // A pointer is known as one only if it is read whole.
            let whole = self.graph.objects.initial(
                &mut self.graph.terms,
                object,
                at - offset,
                access.bytes,
            );
            let low = u16::try_from(offset * 8).unwrap_or(0);
            let width = u16::try_from(bytes * 8).unwrap_or(8);
            let bits = self.graph.terms.extract(whole.bits, low, width);
            let here = Value { bits, ..whole };
            value = Some(match value {
                None => here,
                Some(other) => {
                    let base = self.graph.objects.get(object).base;
                    let width = self.graph.terms.width(access.address.bits);
                    let at = u128::from(base.wrapping_add(at - offset));
                    let at = self.graph.terms.constant(width, at);
                    let is_here = self.graph.terms.eq(access.address.bits, at);
                    here.or_else(&mut self.graph.terms, is_here, other)
                }
            });
        }
        let zero = self.graph.terms.constant(u16::try_from(bytes * 8).unwrap_or(8), 0);
        value.unwrap_or_else(|| Value::number(&mut self.graph.terms, zero))
    }

    // ----- Synchronization objects -----

    /// The state of an object: as the last operation left it, or zero.
    fn state_read(&mut self, cuts: &[Option<Cut>], access: &Access, part: Part, cut: &Cut) {
        let mut parts: BTreeSet<Part> = BTreeSet::new();
        for cell in self.alarm.until(&cut.places) {
            parts.extend(self.writes.sync.get(cell).into_iter().flatten());
        }
        let mut candidates = Vec::new();
        for write in self.alarm.until(parts) {
            if let Some(same) = self.same_cell(cuts, part, write, cut) {
                candidates.push(Candidate { part: write, same });
            }
        }
        let overwritten = self.prune(access, &mut candidates);
        let initial = (!overwritten).then(|| {
            let width = self.graph.terms.width(access.value.bits);
            let zero = self.graph.terms.constant(width, 0);
            Value::number(&mut self.graph.terms, zero)
        });
        let sources = candidates
            .into_iter()
            .map(|candidate| {
                let written = self.access(candidate.part).value;
                (candidate, written)
            })
            .collect();
        self.read_from(part, access.value, sources, initial, access.guard);
    }

    // ----- Existence of objects -----

    fn life_read(&mut self, access: &Access, part: Part) {
        let mut candidates = Vec::new();
        let mut seen = BTreeSet::new();
        let mut mortal = Vec::new();
        for id in self.alarm.until(self.graph.candidates(&access.may)) {
            if !self.graph.objects.get(id).mortal {
                continue;
            }
            let number = self.graph.terms.constant(PROVENANCE, id.provenance());
            mortal.push(self.graph.terms.eq(access.address.provenance, number));
            for &write in self.writes.life.get(&id).into_iter().flatten() {
                if seen.insert(write) && write != part {
                    let other = self.graph.accesses[write.0].address.provenance;
                    let same = self.graph.terms.eq(access.address.provenance, other);
                    if !self.graph.terms.is_false(same) {
                        candidates.push(Candidate { part: write, same });
                    }
                }
            }
        }
        let overwritten = self.prune(access, &mut candidates);
        let initial = (!overwritten).then(|| {
            let alive = self.graph.terms.truth();
            Value::number(&mut self.graph.terms, alive)
        });
        let is_mortal = self.graph.terms.or_all(&mortal);
        let guard = self.graph.terms.and(access.guard, is_mortal);
        let sources = candidates
            .into_iter()
            .map(|candidate| {
                let written = self.access(candidate.part).value;
                (candidate, written)
            })
            .collect();
        self.read_from(part, access.value, sources, initial, guard);
    }

    // ----- Sources -----

    /// Whether an event certainly comes before another, if both are executed.
    pub(crate) fn precedes(&self, a: &Access, b: &Access) -> bool {
        if a.step == b.step { a.position < b.position } else { self.must.precedes(a.step, b.step) }
    }

    /// Drops writes that come after the read, and those that are certainly overwritten before
    /// it. Says whether the initial value is.
    fn prune(&mut self, read: &Access, candidates: &mut Vec<Candidate>) -> bool {
        candidates.retain(|it| !self.precedes(read, self.access(it.part)));
        let mut killers: Vec<Part> = Vec::new();
        for candidate in self.alarm.until(candidates.iter()) {
            let write = self.access(candidate.part);
            let (guard, before) = (write.guard, self.precedes(write, read));
            if before
                && self.graph.terms.is_true(candidate.same)
                && self.conjuncts.implies(&self.graph.terms, read.guard, guard)
            {
                killers.push(candidate.part);
            }
        }
        candidates.retain(|it| {
            let write = self.access(it.part);
            !killers
                .iter()
                .any(|&killer| killer != it.part && self.precedes(write, self.access(killer)))
        });
        !killers.is_empty()
    }

    /// Encodes that a read takes its value from one of its sources.
    fn read_from(
        &mut self,
        part: Part,
        value: Value,
        sources: Vec<(Candidate, Value)>,
        initial: Option<Value>,
        guard: Term,
    ) -> Sources {
        let found = self.sources_of(part, value, sources, initial, guard);
        // What `realloc` copies is nothing that the program reads.
        if !self.access(part).mode.silent {
            let flow = |&(source, taken): &(Option<Part>, Lit)| Flow { read: part, source, taken };
            self.flows.extend(found.iter().map(flow));
        }
        found
    }

    fn sources_of(
        &mut self,
        part: Part,
        value: Value,
        sources: Vec<(Candidate, Value)>,
        initial: Option<Value>,
        guard: Term,
    ) -> Sources {
        let read = &self.access(part).clone();
        let guard = self.lit(guard);
        if guard == !self.solver.truth() {
            return Vec::new();
        }
        self.counts.reads += 1;
        self.counts.candidates += sources.len() as u64 + u64::from(initial.is_some());
        let count = sources.len() + usize::from(initial.is_some());
        let all_before = sources.iter().all(|(it, _)| self.precedes(self.access(it.part), read));
        // One source, certain and known to come first: nothing to decide, nothing to order.
        if count == 1 && all_before {
            let (live, written) = match sources.first() {
                Some((candidate, written)) => (self.live(candidate), *written),
                None => (self.solver.truth(), initial.unwrap_or(value)),
            };
            self.solver.clause(&[!guard, live]);
            self.equate(guard, value, written);
            return vec![(sources.first().map(|(it, _)| it.part), guard)];
        }
        let node = self.nodes[read.step.0 as usize];
        let id = self.solver.read(node, read.position, guard);
        let mut options = vec![!guard];
        let mut found = Vec::new();
        for (candidate, written) in self.alarm.until(sources) {
            let rf = if count == 1 { guard } else { self.solver.new_lit() };
            options.push(rf);
            found.push((Some(candidate.part), rf));
            self.source(id, guard, rf, &candidate, value, written);
            self.sees_whole_sections(read, rf, &candidate);
        }
        if let Some(initial) = initial {
            let rf = if count == 1 { guard } else { self.solver.new_lit() };
            options.push(rf);
            found.push((None, rf));
            self.solver.clause(&[!rf, guard]);
            self.equate(rf, value, initial);
            let truth = self.solver.truth();
            self.solver.source(id, self.initial_write, Some(rf), truth);
        }
        self.solver.clause(&options);
        self.at_most_one(&options[1..]);
        found
    }

    fn live(&mut self, candidate: &Candidate) -> Lit {
        let guard = self.access(candidate.part).guard;
        let live = self.graph.terms.and(guard, candidate.same);
        self.lit(live)
    }

    fn source(
        &mut self,
        read: ReadId,
        guard: Lit,
        rf: Lit,
        candidate: &Candidate,
        value: Value,
        written: Value,
    ) {
        let live = self.live(candidate);
        self.solver.clause(&[!rf, guard]);
        self.solver.clause(&[!rf, live]);
        self.equate(rf, value, written);
        let write = self.write_id(candidate.part);
        self.solver.source(read, write, Some(rf), live);
    }

    /// What is written in an atomic section is seen by others once the section is completed, and by
    /// itself at once: something may go wrong in it after that.
    fn sees_whole_sections(&mut self, read: &Access, rf: Lit, candidate: &Candidate) {
        let step = self.access(candidate.part).step;
        if let Some(&completed) = self.graph.completions.get(&step)
            && step != read.step
        {
            let completed = self.lit(completed);
            self.solver.clause(&[!rf, completed]);
        }
    }

    fn write_id(&mut self, part: Part) -> WriteId {
        if let Some(&id) = self.writes.ids.get(&part) {
            return id;
        }
        let (step, position, guard) = {
            let write = self.access(part);
            (write.step, write.position, write.guard)
        };
        let guard = self.lit(guard);
        let id = self.solver.write(self.nodes[step.0 as usize], position, guard);
        self.writes.ids.insert(part, id);
        id
    }

    /// Two values are equal where a literal holds.
    pub fn equate(&mut self, condition: Lit, a: Value, b: Value) {
        self.equate_bits(condition, a.bits, b.bits);
        let number = self.graph.terms.constant(PROVENANCE, 0);
        if a.provenance != number {
            self.equate_bits(condition, a.provenance, b.provenance);
        }
    }

    fn equate_bits(&mut self, condition: Lit, a: Term, b: Term) {
        if a == b {
            return;
        }
        let (a, b) = (self.bits(a), self.bits(b));
        for (a, b) in a.into_iter().zip(b) {
            if a != b {
                self.implies(condition, &[!a, b]);
                self.implies(condition, &[a, !b]);
            }
        }
    }

    /// Where a literal holds, one of these does. Much that is written is constant: nothing is said
    /// where one is always true, and those that never are stay out.
    fn implies(&mut self, condition: Lit, some: &[Lit]) {
        let truth = self.solver.truth();
        if !some.contains(&truth) {
            let mut clause = vec![!condition];
            clause.extend(some.iter().filter(|&&lit| lit != !truth));
            self.solver.clause(&clause);
        }
    }

    /// Pairwise for a few, with a chain of counters for many.
    pub(crate) fn at_most_one(&mut self, lits: &[Lit]) {
        if lits.len() <= 6 {
            for (index, &a) in lits.iter().enumerate() {
                for &b in &lits[index + 1..] {
                    self.solver.clause(&[!a, !b]);
                }
            }
            return;
        }
        let mut before: Option<Lit> = None;
        for &lit in lits {
            let seen = self.solver.new_lit();
            self.solver.clause(&[!lit, seen]);
            if let Some(before) = before {
                self.solver.clause(&[!before, seen]);
                self.solver.clause(&[!before, !lit]);
            }
            before = Some(seen);
        }
    }
}
