//! Critical sections: of two sections of one lock, one ends before the other begins.

use std::collections::BTreeMap;

use unravel_events::{Access, Initial, Lock, LockUse, ObjectId, Space, StepId, Value};
use unravel_kinds::Unmodelled;
use unravel_program::library::sync::Class;
use unravel_solver::{ClauseSink, Lit};
use unravel_term::Term;

use crate::{Encoder, Mutant};

/// Bytes of a lock that say what it is: up to its kind.
const LOCK_BYTES: u64 = 20;

impl Encoder {
    pub fn encode_locks(&mut self, stop: &mut dyn FnMut() -> bool) {
        let locks = self.graph.locks.clone();
        if !self.broken(Mutant::NoLockDisjunction) {
            for (index, first) in locks.iter().enumerate() {
                self.stopped = self.stopped || stop();
                if self.stopped {
                    return;
                }
                for second in self.alarm.until(&locks[index + 1..]) {
                    self.exclude(first, second);
                }
            }
        }
        for refusal in self.alarm.until(self.graph.refusals.clone()) {
            let guard = self.lit(refusal.guard);
            let in_the_way = |it: &&Lock| !(refusal.shared && it.shared);
            let locks: Vec<Lock> = locks.iter().filter(in_the_way).cloned().collect();
            self.lies_inside(guard, refusal.step, refusal.address, &locks);
        }
        for lifetime in self.alarm.until(self.graph.lifetimes.clone()) {
            let in_use = self.graph.terms.and(lifetime.guard, lifetime.in_use);
            let in_use = self.lit(in_use);
            self.lies_inside(in_use, lifetime.step, lifetime.address, &locks);
        }
        let uses = self.graph.lock_uses.clone().into_iter().filter(|it| !it.has_state);
        for lock_use in self.alarm.until(uses) {
            self.after_destroy(&lock_use);
            self.before_init(&lock_use);
        }
        self.overwritten_locks();
        self.mixed_classes();
    }

    fn thread_of(&self, step: StepId) -> u32 {
        self.graph.step(step).thread.0
    }

    fn exclude(&mut self, a: &Lock, b: &Lock) {
        if self.thread_of(a.step) == self.thread_of(b.step) || a.shared && b.shared {
            return;
        }
        if a.shared != b.shared && self.broken(Mutant::NoReaderCount) {
            return;
        }
        let same = self.same_address(a.address, b.address);
        let both = self.graph.terms.and_all(&[same, a.guard, b.guard]);
        if self.graph.terms.is_false(both) {
            return;
        }
        let both = self.lit(both);
        let mut clause = vec![!both];
        clause.extend(self.ends_before(a, b));
        clause.extend(self.ends_before(b, a));
        self.solver.clause(&clause);
    }

    /// A literal that, if true, puts the end of one section before the begin of another.
    fn ends_before(&mut self, a: &Lock, b: &Lock) -> Option<Lit> {
        if self.must.precedes(b.step, a.step) || a.unlocks.is_empty() {
            return None;
        }
        if let [(unlock, closes)] = a.unlocks[..] {
            let closes = self.lit(closes);
            if self.must.precedes(unlock, b.step) {
                return Some(closes);
            }
            let order = self.solver.new_lit();
            self.solver.clause(&[!order, closes]);
            self.order_lit(order, unlock, b.step);
            self.handovers.push((unlock, b.step, order));
            return Some(order);
        }
        let order = self.solver.new_lit();
        let mut some = vec![!order];
        for &(unlock, closes) in &a.unlocks {
            let closes = self.lit(closes);
            some.push(closes);
            if self.must.precedes(unlock, b.step) {
                continue;
            }
            let this = self.solver.new_lit();
            self.solver.clause(&[!order, !closes, this]);
            self.order_lit(this, unlock, b.step);
            self.handovers.push((unlock, b.step, this));
        }
        self.solver.clause(&some);
        Some(order)
    }

    /// If the literal holds, the step lies inside a section of another thread.
    fn lies_inside(&mut self, lit: Lit, step: StepId, address: Value, locks: &[Lock]) {
        if lit == !self.solver.truth() {
            return;
        }
        let mut clause = vec![!lit];
        for lock in self.alarm.until(locks) {
            let same = self.same_address(lock.address, address);
            let there = self.graph.terms.and(same, lock.guard);
            let own = self.thread_of(lock.step) == self.thread_of(step);
            if own || self.graph.terms.is_false(there) || self.must.precedes(step, lock.step) {
                continue;
            }
            let there = self.lit(there);
            let inside = self.solver.new_lit();
            clause.push(inside);
            self.solver.clause(&[!inside, there]);
            self.order_lit(inside, lock.step, step);
            for &(unlock, closes) in &lock.unlocks {
                let closes = self.lit(closes);
                if self.must.precedes(unlock, step) {
                    self.solver.clause(&[!inside, !closes]);
                    continue;
                }
                let before = self.solver.new_lit();
                self.solver.clause(&[!inside, !closes, before]);
                self.order_lit(before, step, unlock);
            }
        }
        self.solver.clause(&clause);
    }

    /// A lock must not be used after it was destroyed.
    fn after_destroy(&mut self, lock_use: &LockUse) {
        for lifetime in self.alarm.until(self.graph.lifetimes.clone()) {
            let ordered = self.must.precedes(lock_use.step, lifetime.step);
            if !lifetime.ends || ordered || lifetime.step == lock_use.step {
                continue;
            }
            let same = self.same_address(lifetime.address, lock_use.address);
            let parts = [same, lifetime.done, lock_use.guard];
            let both = self.graph.terms.and_all(&parts);
            if self.graph.terms.is_false(both) {
                continue;
            }
            let both = self.lit(both);
            let late = self.solver.new_lit();
            self.solver.clause(&[!late, both]);
            self.order_lit(late, lifetime.step, lock_use.step);
            let reborn = self.is_written(lock_use, Some(lifetime.step))
                || self
                    .graph
                    .lifetimes
                    .iter()
                    .any(|it| !it.ends && !self.must.precedes(it.step, lifetime.step));
            let kind = if reborn {
                unravel_events::FindingKind::Unsupported(Unmodelled::ReinitializedLock)
            } else {
                self.misuse(Unmodelled::DestroyedLock)
            };
            self.reach_at(kind, late, lock_use.step);
        }
    }

    /// A lock in memory that was never written must be initialized before it is used.
    fn before_init(&mut self, lock_use: &LockUse) {
        let undefined = self.undefined_objects(lock_use);
        if undefined.is_empty() || lock_use.written && lock_use.static_initializer {
            return;
        }
        let written = lock_use.static_initializer && self.is_written(lock_use, None);
        let there = self.graph.terms.or_all(&undefined);
        let there = self.graph.terms.and(there, lock_use.guard);
        let early = self.solver.new_lit();
        let there = self.lit(there);
        self.solver.clause(&[!early, there]);
        for lifetime in self.alarm.until(self.graph.lifetimes.clone()) {
            if lifetime.ends {
                continue;
            }
            let same = self.same_address(lifetime.address, lock_use.address);
            let made = self.graph.terms.and(same, lifetime.done);
            if self.graph.terms.is_false(made) {
                continue;
            }
            let made_lit = self.lit(made);
            if self.must.precedes(lifetime.step, lock_use.step) {
                self.solver.clause(&[!early, !made_lit]);
                continue;
            }
            let before = self.solver.new_lit();
            self.solver.clause(&[!early, !made_lit, before]);
            self.order_lit(before, lock_use.step, lifetime.step);
        }
        let kind = if written {
            unravel_events::FindingKind::Unsupported(Unmodelled::LockFromBytes)
        } else {
            self.misuse(Unmodelled::UninitializedLock)
        };
        self.reach_at(kind, early, lock_use.step);
    }

    /// A lock whose bytes are written as data begins anew, maybe as another kind: modelled only
    /// where that certainly happens before any use, with zeros.
    fn overwritten_locks(&mut self) {
        // Uses of one lock by one name are one question.
        let mut locks: BTreeMap<Term, (LockUse, Vec<LockUse>)> = BTreeMap::new();
        for lock_use in self.graph.lock_uses.clone() {
            let known = locks.entry(lock_use.address.bits);
            known.or_insert_with(|| (lock_use.clone(), Vec::new())).1.push(lock_use);
        }
        for write in self.alarm.until(self.graph.accesses.clone()) {
            if !write.writes || write.space != Space::Data {
                continue;
            }
            let objects = self.graph.candidates(&write.may);
            for (lock, uses) in self.alarm.until(locks.values()) {
                if self.graph.candidates(&lock.may).iter().any(|id| objects.contains(id)) {
                    self.overwritten_lock(&write, lock, uses);
                }
            }
        }
    }

    /// One place used as two kinds of object: each kind would forget what the other does.
    fn mixed_classes(&mut self) {
        let mut seen: BTreeMap<(Class, Term), LockUse> = BTreeMap::new();
        for lock_use in self.graph.lock_uses.clone() {
            let known = seen.entry((lock_use.class, lock_use.address.bits));
            let known = known.or_insert_with(|| lock_use.clone());
            known.guard = self.graph.terms.or(known.guard, lock_use.guard);
        }
        let all: Vec<LockUse> = seen.into_values().collect();
        for (at, first) in self.alarm.until(all.iter().enumerate()) {
            for second in all[at + 1..].iter().filter(|it| it.class != first.class) {
                let same = self.same_address(first.address, second.address);
                let known = self.graph.terms.as_const(same).is_some();
                let objects = self.graph.candidates(&second.may);
                let meet = self.graph.candidates(&first.may).iter().any(|it| objects.contains(it));
                if known && self.graph.terms.is_true(same) || !known && meet {
                    let what = Unmodelled::TwoSyncClasses;
                    let parts = [same, first.guard, second.guard];
                    let guard = self.graph.terms.and_all(&parts);
                    self.remark(guard, second.step, what);
                }
            }
        }
    }

    fn overwritten_lock(&mut self, write: &Access, lock: &LockUse, uses: &[LockUse]) {
        let zero = self.graph.terms.as_const(write.value.bits) == Some(0);
        let early = |it: &&LockUse| zero && self.must.precedes(write.step, it.step);
        let used: Vec<Term> = uses.iter().filter(|it| !early(it)).map(|it| it.guard).collect();
        let terms = &mut self.graph.terms;
        let used = terms.or_all(&used);
        let (at, held) = (write.address.bits, lock.address.bits);
        let width = terms.width(at);
        let after = terms.constant(width, u128::from(write.bytes));
        let after = terms.add(at, after);
        let end = terms.constant(width, u128::from(LOCK_BYTES));
        let end = terms.add(held, end);
        let overlaps = [terms.ult(at, end), terms.ult(held, after)];
        let overlaps = terms.and_all(&overlaps);
        let guard = terms.and_all(&[write.guard, used, overlaps]);
        if !self.graph.terms.is_false(guard) {
            self.remark(guard, write.step, Unmodelled::OverwrittenLock);
        }
    }

    /// Whether a lock's memory may be written as data, after a step if one is given: then it is a
    /// fresh lock.
    fn is_written(&self, lock_use: &LockUse, after: Option<StepId>) -> bool {
        let mut objects = lock_use.may.objects.clone();
        objects.extend(self.graph.candidates(&lock_use.may));
        let bits = lock_use.address.bits;
        let address = self.graph.terms.as_const(bits).and_then(|it| u64::try_from(it).ok());
        let overlaps = |id: ObjectId, start: u64, bytes: u64| {
            let base = self.graph.objects.get(id).base;
            address.is_none_or(|at| at < base + start + bytes && base + start < at + 8)
        };
        let private = self.graph.private_writes.iter();
        let in_private = private
            .filter(|(id, ..)| objects.contains(id))
            .any(|&(id, start, bytes)| overlaps(id, start, bytes));
        let in_shared = self.graph.accesses.iter().any(|access| {
            let candidates = self.graph.candidates(&access.may);
            let known = self.graph.terms.as_const(access.address.bits);
            let known = known.and_then(|it| u64::try_from(it).ok());
            access.writes
                && access.space == Space::Data
                && !after.is_some_and(|after| self.must.precedes(access.step, after))
                && candidates.iter().any(|id| {
                    let base = self.graph.objects.get(*id).base;
                    objects.contains(id)
                        && known.is_none_or(|at| overlaps(*id, at.wrapping_sub(base), access.bytes))
                })
        });
        in_private || in_shared
    }

    /// Conditions under which the lock lies in memory that holds none at first.
    pub(crate) fn undefined_objects(&mut self, lock_use: &LockUse) -> Vec<Term> {
        let mut found = Vec::new();
        let mut objects = lock_use.may.objects.clone();
        objects.extend(self.graph.candidates(&lock_use.may));
        objects.sort_unstable();
        objects.dedup();
        for id in objects {
            let undefined = matches!(self.graph.objects.get(id).initial, Initial::Undefined);
            if undefined || !lock_use.static_initializer {
                let terms = &mut self.graph.terms;
                let number = terms.constant(unravel_events::PROVENANCE, id.provenance());
                found.push(terms.eq(lock_use.address.provenance, number));
            }
        }
        found
    }
}
