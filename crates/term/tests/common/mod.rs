//! Random terms built twice: in the pool, and on a tape that knows no folding.
#![allow(dead_code)]

pub mod plain;

use plain::Op;
use unravel_term::{Term, Terms};

/// A small random generator (xorshift), so that failures repeat.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 20) as usize % bound
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number of this width, corners more often than not.
    pub fn number(&mut self, width: u16) -> u128 {
        let ones = u128::MAX >> (128 - u32::from(width));
        let sign = 1u128 << (width - 1);
        let number = match self.below(12) {
            0 => 0,
            1 => 1,
            2 => ones,
            3 => sign,
            4 => sign - 1,
            5 => ones - 1,
            6 => 1 << self.below(usize::from(width)),
            7 => (1u128 << self.below(usize::from(width))) - 1,
            8 => self.below(6) as u128,
            9 => (self.below(6) as u128).wrapping_neg(),
            _ => (u128::from(self.next()) << 64) | u128::from(self.next()),
        };
        number & ones
    }
}

/// One line of the tape.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub op: Op,
    pub width: u16,
    pub operands: [usize; 3],
    pub term: Term,
}

/// A pool and what was asked of it.
pub struct Tape {
    pub terms: Terms,
    pub lines: Vec<Line>,
    pub vars: Vec<u16>,
}

impl Tape {
    pub fn new(vars: &[u16]) -> Tape {
        let mut tape = Tape { terms: Terms::new(), lines: Vec::new(), vars: vars.to_vec() };
        for (index, &width) in vars.iter().enumerate() {
            let term = tape.terms.var(width);
            tape.lines.push(Line { op: Op::Var(index), width, operands: [0; 3], term });
        }
        tape
    }

    pub fn constant(&mut self, width: u16, bits: u128) -> usize {
        let term = self.terms.constant(width, bits);
        self.push(Op::Const(bits), width, [0; 3], term)
    }

    fn push(&mut self, op: Op, width: u16, operands: [usize; 3], term: Term) -> usize {
        assert_eq!(self.terms.width(term), width, "{op:?}");
        self.lines.push(Line { op, width, operands, term });
        self.lines.len() - 1
    }

    /// Applies an operation to lines.
    pub fn apply(&mut self, op: Op, width: u16, operands: [usize; 3]) -> usize {
        let [a, b, c] = operands.map(|i| self.lines[i].term);
        let t = &mut self.terms;
        let term = match op {
            Op::Var(_) | Op::Const(_) => return operands[0],
            Op::Not => t.not(a),
            Op::Neg => t.neg(a),
            Op::And => t.and(a, b),
            Op::Or => t.or(a, b),
            Op::Xor => t.xor(a, b),
            Op::Implies => t.implies(a, b),
            Op::Ite => t.ite(a, b, c),
            Op::Eq => t.eq(a, b),
            Op::Ne => t.ne(a, b),
            Op::Ult => t.ult(a, b),
            Op::Ule => t.ule(a, b),
            Op::Ugt => t.ugt(a, b),
            Op::Uge => t.uge(a, b),
            Op::Slt => t.slt(a, b),
            Op::Sle => t.sle(a, b),
            Op::Sgt => t.sgt(a, b),
            Op::Sge => t.sge(a, b),
            Op::Add => t.add(a, b),
            Op::Sub => t.sub(a, b),
            Op::Mul => t.mul(a, b),
            Op::Udiv => t.udiv(a, b),
            Op::Urem => t.urem(a, b),
            Op::Sdiv => t.sdiv(a, b),
            Op::Srem => t.srem(a, b),
            Op::Shl => t.shl(a, b),
            Op::Lshr => t.lshr(a, b),
            Op::Ashr => t.ashr(a, b),
            Op::Extract(low) => t.extract(a, low, width),
            Op::Concat => t.concat(a, b),
            Op::Zext => t.zext(a, width),
            Op::Sext => t.sext(a, width),
        };
        self.push(op, width, operands, term)
    }

    /// Some earlier line of this width, the recent more often; a constant if there is none.
    pub fn some(&mut self, random: &mut Random, width: u16) -> usize {
        if random.below(5) == 0 {
            let bits = random.number(width);
            return self.constant(width, bits);
        }
        for _ in 0..40 {
            let recent = self.lines.len().min(if random.below(2) == 0 { 12 } else { 1000 });
            let index = self.lines.len() - 1 - random.below(recent);
            if self.lines[index].width == width {
                return index;
            }
        }
        let vars: Vec<usize> = (0..self.vars.len()).filter(|&v| self.vars[v] == width).collect();
        if vars.is_empty() || random.below(4) == 0 {
            let bits = random.number(width);
            return self.constant(width, bits);
        }
        random.pick(&vars)
    }

    /// One more line, of one of these widths.
    pub fn grow(&mut self, random: &mut Random, widths: &[u16]) {
        let width = random.pick(widths);
        let op = plain::random_op(random);
        match op {
            Op::Ite => {
                let operands =
                    [self.some(random, 1), self.some(random, width), self.some(random, width)];
                self.apply(op, width, operands);
            }
            Op::Extract(_) => {
                let a = random.below(self.lines.len());
                let from = self.lines[a].width;
                let width = if width < from { width } else { 1 + random.below(from.into()) as u16 };
                let low = random.below(usize::from(from - width) + 1) as u16;
                self.apply(Op::Extract(low), width, [a; 3]);
            }
            Op::Concat => {
                let (a, b) = (self.any(random, widths), self.any(random, widths));
                let width = self.lines[a].width + self.lines[b].width;
                if width <= 128 {
                    self.apply(op, width, [a, b, b]);
                }
            }
            Op::Zext | Op::Sext => {
                let a = self.any(random, widths);
                let width = width.max(self.lines[a].width);
                self.apply(op, width, [a; 3]);
            }
            _ => {
                let a = self.some(random, width);
                let b = self.some(random, width);
                let width = if op.is_predicate() { 1 } else { width };
                self.apply(op, width, [a, b, b]);
            }
        }
    }

    fn any(&mut self, random: &mut Random, widths: &[u16]) -> usize {
        if random.below(2) == 0 {
            return self.lines.len() - 1 - random.below(self.lines.len().min(20));
        }
        let width = random.pick(widths);
        self.some(random, width)
    }

    /// The value of every line, without the pool.
    pub fn values(&self, vars: &[u128]) -> Vec<u128> {
        let mut values: Vec<u128> = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            let of = line.operands.map(|i| values.get(i).copied().unwrap_or(0));
            let from = line.operands.map(|i| self.lines[i].width);
            let value = match line.op {
                Op::Var(index) => vars[index],
                op => plain::apply(op, line.width, of, from),
            };
            values.push(value);
        }
        values
    }
}
