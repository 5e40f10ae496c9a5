//! Threads that increment one variable. Also used by `tests/counting.rs`.

use unravel_solver::{ClauseSink, Lit, NodeId, Options, Solver, WriteId};

/// How a thread increments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// A read, and later a write.
    Plain,
    /// A read and a write in one step.
    Atomic,
    /// A read and a write under a mutex.
    Locked,
}

pub struct Program {
    pub solver: Solver,
    bits: usize,
    writes: Vec<(WriteId, Vec<Lit>)>,
    /// First and last nodes of critical sections, per thread.
    sections: Vec<Vec<(NodeId, NodeId)>>,
    /// Reads wait for their sources until all writes are known.
    reads: Vec<(NodeId, u32, Vec<Lit>)>,
}

impl Program {
    pub fn new(kind: Kind, threads: usize, rounds: usize, options: Options) -> Program {
        let largest = (threads * rounds + 1) as u32;
        let mut program = Program {
            solver: Solver::new(options),
            bits: (u32::BITS - largest.leading_zeros()) as usize,
            writes: Vec::new(),
            sections: Vec::new(),
            reads: Vec::new(),
        };
        let first = program.solver.node();
        let zero = vec![!program.solver.truth(); program.bits];
        program.write(first, 0, zero);
        let last = program.solver.node();
        for _ in 0..threads {
            program.thread(kind, rounds, first, last);
        }
        program.solver.edge(first, last);
        let value = program.word();
        program.reads.push((last, 0, value));
        program.connect();
        program.exclude();
        program
    }

    fn word(&mut self) -> Vec<Lit> {
        (0..self.bits).map(|_| self.solver.new_lit()).collect()
    }

    fn write(&mut self, node: NodeId, position: u32, value: Vec<Lit>) {
        let truth = self.solver.truth();
        let write = self.solver.write(node, position, truth);
        self.writes.push((write, value));
    }

    fn thread(&mut self, kind: Kind, rounds: usize, first: NodeId, last: NodeId) {
        let mut previous = first;
        let mut sections = Vec::new();
        let mut step = |program: &mut Program| {
            let node = program.solver.node();
            program.solver.edge(previous, node);
            previous = node;
            node
        };
        for _ in 0..rounds {
            let lock = (kind == Kind::Locked).then(|| step(self));
            let read = step(self);
            let write = if kind == Kind::Atomic { read } else { step(self) };
            let value = self.word();
            let sum = self.increment(&value);
            self.reads.push((read, 0, value));
            self.write(write, 1, sum);
            if let Some(lock) = lock {
                sections.push((lock, step(self)));
            }
        }
        self.sections.push(sections);
        self.solver.edge(previous, last);
    }

    fn increment(&mut self, value: &[Lit]) -> Vec<Lit> {
        let mut carry = self.solver.truth();
        let mut sum = Vec::new();
        for &bit in value {
            let (out, next) = (self.solver.new_lit(), self.solver.new_lit());
            for (b, c) in [(bit, carry), (bit, !carry), (!bit, carry), (!bit, !carry)] {
                let differ = (b == bit) != (c == carry);
                self.solver.clause(&[!b, !c, if differ { out } else { !out }]);
            }
            self.solver.clause(&[!next, bit]);
            self.solver.clause(&[!next, carry]);
            self.solver.clause(&[next, !bit, !carry]);
            sum.push(out);
            carry = next;
        }
        sum
    }

    /// Every read may see every write.
    fn connect(&mut self) {
        let truth = self.solver.truth();
        for (node, position, value) in std::mem::take(&mut self.reads) {
            let read = self.solver.read(node, position, truth);
            let mut rfs: Vec<Lit> = Vec::new();
            for (write, written) in &self.writes {
                let rf = self.solver.new_lit();
                self.solver.source(read, *write, Some(rf), truth);
                for (&a, &b) in value.iter().zip(written) {
                    self.solver.clause(&[!rf, !a, b]);
                    self.solver.clause(&[!rf, a, !b]);
                }
                for &other in &rfs {
                    self.solver.clause(&[!rf, !other]);
                }
                rfs.push(rf);
            }
            self.solver.clause(&rfs);
            self.reads.push((node, position, value));
        }
    }

    /// Critical sections of different threads exclude each other.
    fn exclude(&mut self) {
        let sections = self.sections.clone();
        for (i, one) in sections.iter().enumerate() {
            for other in &sections[..i] {
                for &(lock, unlock) in one {
                    for &(other_lock, other_unlock) in other {
                        let lit = self.solver.new_lit();
                        self.solver.edge_if(lit, unlock, other_lock);
                        self.solver.edge_if(!lit, other_unlock, lock);
                    }
                }
            }
        }
    }

    /// Literals that say that the final value is this number.
    pub fn equal(&self, number: u32) -> Vec<Lit> {
        let value = self.reads.last().map_or(&[][..], |(_, _, value)| value);
        let bit = |i: usize| number >> i & 1 == 1;
        value.iter().enumerate().map(|(i, &lit)| if bit(i) { lit } else { !lit }).collect()
    }
}
