//! Random questions: small, and full of what is easily got wrong.

use crate::instance::{Call, Instance};
use crate::random::Random;

#[derive(Clone, Copy)]
struct Access {
    node: u32,
    position: u32,
    guard: i32,
    /// `None`: not known, may be any.
    address: Option<usize>,
}

pub struct Generator {
    random: Random,
    calls: Vec<Call>,
    stated: Instance,
    /// Per thread, its last node.
    threads: Vec<u32>,
    writes: Vec<Access>,
    reads: Vec<Access>,
    addresses: usize,
    initial: bool,
    /// An order of the nodes, if reads are to see what they see in it. Such questions are often satisfiable, but only
    /// just.
    trace: Option<Vec<u32>>,
    /// Nothing but reads that are forced to see what they see in the trace. The rules alone often leave such a
    /// question undecided.
    dense: bool,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let mut random = Random(seed);
        let addresses = 1 + random.below(2);
        let initial = random.chance(80);
        let dense = random.chance(20);
        let trace = (dense || random.chance(50)).then(Vec::new);
        let addresses = if dense { 2 + random.below(2) } else { addresses };
        Generator {
            random,
            calls: Vec::new(),
            stated: Instance::new(),
            threads: Vec::new(),
            writes: Vec::new(),
            reads: Vec::new(),
            addresses,
            initial,
            trace,
            dense,
        }
    }

    /// One to three rounds of stating and solving.
    pub fn calls(mut self) -> Vec<Call> {
        let rounds = if self.random.chance(50) { 1 } else { 2 + self.random.below(2) };
        let nodes = match (self.dense, &self.trace) {
            (true, _) => 10 + self.random.below(9),
            (false, Some(_)) => 3 + self.random.below(9),
            (false, None) => 3 + self.random.below(5),
        };
        self.begin();
        for _ in 0..rounds {
            self.grow(nodes.div_ceil(rounds));
            for _ in 0..1 + self.random.below(2) {
                let count = if self.dense { 2 } else { 5 };
                let assumptions = (0..self.random.below(count)).map(|_| self.any_lit()).collect();
                self.calls.push(Call::Solve(assumptions));
            }
        }
        self.calls
    }

    fn state(&mut self, call: Call) {
        self.stated.state(&call);
        self.calls.push(call);
    }

    fn var(&mut self) -> i32 {
        self.state(Call::Var);
        self.stated.vars
    }

    fn any_lit(&mut self) -> i32 {
        let var = 1 + self.random.below(self.stated.vars as usize) as i32;
        if self.random.chance(50) { var } else { -var }
    }

    fn node(&mut self) -> u32 {
        self.state(Call::Node);
        self.stated.nodes - 1
    }

    /// Puts a node into the trace, somewhere after another.
    fn trace_after(&mut self, previous: Option<u32>, node: u32) {
        if let Some(trace) = &mut self.trace {
            let first = trace.iter().position(|&other| Some(other) == previous);
            let first = first.map_or(0, |at| at + 1);
            let at = first + self.random.below(trace.len() - first + 1);
            trace.insert(at, node);
        }
    }

    /// What a read sees in the trace: the last write that is certainly executed at its address.
    fn seen_by(&self, read: usize) -> Option<usize> {
        let trace = self.trace.as_ref()?;
        let key =
            |access: Access| (trace.iter().position(|&node| node == access.node), access.position);
        let read = self.reads[read];
        let matching = self.writes.iter().enumerate().filter(|(_, write)| {
            write.guard == 1 && write.address == read.address && key(**write) < key(read)
        });
        matching.max_by_key(|(_, write)| key(**write)).map(|(write, _)| write)
    }

    /// A first node that initializes all addresses, and the beginnings of threads.
    fn begin(&mut self) {
        let first = self.initial.then(|| self.node());
        if let Some(node) = first {
            self.trace_after(None, node);
            for address in 0..self.addresses {
                let position = address as u32;
                self.write(Access { node, position, guard: 1, address: Some(address) });
            }
        }
        let threads = if self.dense { 4 + self.random.below(4) } else { 2 + self.random.below(3) };
        for _ in 0..threads {
            let node = self.node();
            if let Some(first) = first {
                self.state(Call::Edge(first, node));
            }
            self.trace_after(first, node);
            self.threads.push(node);
        }
    }

    fn grow(&mut self, nodes: usize) {
        let (old_reads, old_writes) = (self.reads.len(), self.writes.len());
        for _ in 0..nodes {
            let thread = self.random.below(self.threads.len());
            let node = self.node();
            self.state(Call::Edge(self.threads[thread], node));
            self.trace_after(Some(self.threads[thread]), node);
            self.threads[thread] = node;
            self.events(node);
        }
        self.sources(old_reads, old_writes);
        if self.dense {
            return;
        }
        for _ in 0..self.random.below(4) {
            self.conditional();
        }
        let clauses = if self.trace.is_some() { 2 } else { 2 + self.stated.vars as usize / 4 };
        for _ in 0..self.random.below(clauses) {
            let clause = (0..2 + self.random.below(4)).map(|_| self.any_lit()).collect();
            self.state(Call::Clause(clause));
        }
    }

    fn events(&mut self, node: u32) {
        let count = if self.dense || self.random.chance(70) { 1 } else { 2 + self.random.below(2) };
        for position in 0..count as u32 {
            let known = self.dense || !self.random.chance(10);
            let address = known.then_some(self.random.below(self.addresses));
            let guard = match self.random.below(if self.trace.is_some() { 12 } else { 4 }) {
                _ if self.dense => 1,
                0 => self.var(),
                1 => self.any_lit(),
                _ => 1,
            };
            let access = Access { node, position, guard, address };
            if self.random.chance(50) {
                self.write(access);
            } else {
                self.state(Call::Read(node, position, guard));
                self.reads.push(access);
            }
        }
    }

    fn write(&mut self, access: Access) {
        self.state(Call::Write(access.node, access.position, access.guard));
        self.writes.push(access);
    }

    /// Sources for all pairs of which one is new. Old reads get new sources only where they were left open, because
    /// `guard ⇒ some rf` has been stated for the others.
    fn sources(&mut self, old_reads: usize, old_writes: usize) {
        for read in 0..self.reads.len() {
            let (mut rfs, mut seen) = (Vec::new(), None);
            for write in 0..self.writes.len() {
                if read >= old_reads || write >= old_writes {
                    let rf = self.pair(read, write, read >= old_reads);
                    rfs.extend(rf);
                    seen = seen.or(rf.filter(|_| self.seen_by(read) == Some(write)));
                }
            }
            if read >= old_reads {
                self.close(self.reads[read].guard, &rfs, seen);
            }
        }
    }

    fn pair(&mut self, read: usize, write: usize, may_read: bool) -> Option<i32> {
        let (r, w) = (self.reads[read], self.writes[write]);
        let certain = match (r.address, w.address) {
            (Some(a), Some(b)) if a != b => return None,
            (Some(_), Some(_)) => true,
            _ => false,
        };
        let live = match certain {
            true => w.guard,
            false => self.var(),
        };
        if !certain {
            self.state(Call::Clause(vec![-live, w.guard]));
        }
        let rf = (may_read && (self.dense || self.random.chance(90))).then(|| self.var());
        if let Some(rf) = rf {
            self.state(Call::Clause(vec![-rf, live]));
            self.state(Call::Clause(vec![-rf, r.guard]));
        }
        self.state(Call::Source(read as u32, write as u32, rf, live));
        rf
    }

    /// An executed read has a source, and only one. Sometimes one is forced, to make questions hard.
    fn close(&mut self, guard: i32, rfs: &[i32], seen: Option<i32>) {
        let some = rfs.iter().copied().chain([-guard]).collect();
        self.state(Call::Clause(some));
        for (i, &a) in rfs.iter().enumerate() {
            for &b in &rfs[..i] {
                self.state(Call::Clause(vec![-a, -b]));
            }
        }
        if let Some(seen) = seen
            && self.random.chance(if self.dense { 98 } else { 85 })
        {
            self.state(Call::Clause(vec![seen, -guard]));
        } else if !rfs.is_empty() && self.random.chance(30) {
            let forced = self.random.pick(rfs);
            let other = self.any_lit();
            let clause = if self.random.chance(50) { vec![forced] } else { vec![forced, other] };
            self.state(Call::Clause(clause));
        }
    }

    fn conditional(&mut self) {
        let a = self.random.below(self.stated.nodes as usize) as u32;
        let b = self.random.below(self.stated.nodes as usize) as u32;
        let lit = if self.random.chance(60) { self.var() } else { self.any_lit() };
        self.state(Call::EdgeIf(lit, a, b));
        if self.random.chance(50) {
            let other = if self.random.chance(50) { -lit } else { self.var() };
            self.state(Call::EdgeIf(other, b, a));
            if other != -lit {
                self.state(Call::Clause(vec![lit, other]));
            }
        }
    }
}
