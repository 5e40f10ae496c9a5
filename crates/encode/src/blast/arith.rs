//! Circuits on words: literals, low bit first.

use unravel_solver::{ClauseSink, Lit};

use super::gates::{Gates, signed};

/// Bits of a byte.
const BYTE: usize = 8;

/// Gates and where their clauses go.
pub struct Circuit<'a> {
    pub gates: &'a mut Gates,
    pub sink: &'a mut dyn ClauseSink,
}

impl Circuit<'_> {
    /// A constant literal.
    pub fn constant(&self, value: bool) -> Lit {
        signed(self.gates.truth(), !value)
    }

    pub fn and2(&mut self, a: Lit, b: Lit) -> Lit {
        self.gates.and2(self.sink, a, b)
    }

    pub fn or2(&mut self, a: Lit, b: Lit) -> Lit {
        self.gates.or2(self.sink, a, b)
    }

    pub fn xor2(&mut self, a: Lit, b: Lit) -> Lit {
        self.gates.xor2(self.sink, a, b)
    }

    /// A gate for each pair of bits.
    pub fn zip(&mut self, a: &[Lit], b: &[Lit], gate: fn(&mut Self, Lit, Lit) -> Lit) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| gate(self, x, y)).collect()
    }

    /// `a` if `c` holds, else `b`.
    pub fn choose(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| self.gates.ite(self.sink, c, x, y)).collect()
    }

    /// Extended by zeros or copies of the sign.
    pub fn extended(&self, a: &[Lit], width: usize, by_sign: bool) -> Vec<Lit> {
        let zero = self.constant(false);
        let fill = if by_sign { a.last().copied().unwrap_or(zero) } else { zero };
        let mut bits = a.to_vec();
        bits.resize(width, fill);
        bits
    }

    /// Whether both words are equal.
    ///
    /// A constant is compared by bytes, from the top: an address is compared with every place of an
    /// array, and these agree in all but a byte or two, so that most gates have been made before.
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| !self.xor2(x, y)).collect();
        if same.len() <= 2 * BYTE || !b.iter().all(|&bit| self.gates.is_constant(bit)) {
            return self.gates.and(self.sink, &same);
        }
        let upper = self.constant(true);
        same.chunks(BYTE).rev().fold(upper, |upper, byte| {
            let byte = self.gates.and(self.sink, byte);
            self.and2(upper, byte)
        })
    }

    /// Whether `a < b`, unsigned: the borrow of `a - b`.
    pub fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut borrow = self.constant(false);
        for (&x, &y) in a.iter().zip(b) {
            borrow = self.gates.majority(self.sink, !x, y, borrow);
        }
        borrow
    }

    /// Whether `a < b`, signed: as unsigned, but the sign bits count the other way.
    pub fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        if let (Some(x), Some(y)) = (a.last_mut(), b.last_mut()) {
            std::mem::swap(x, y);
        }
        self.less(&a, &b)
    }

    /// `a + b + carry`.
    fn sum_with_carry(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut bits = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            bits.push(self.gates.xor3(self.sink, x, y, carry));
            if i + 1 < a.len() {
                carry = self.gates.majority(self.sink, x, y, carry);
            }
        }
        bits
    }

    /// `a + b`.
    pub fn sum(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let carry = self.constant(false);
        self.sum_with_carry(a, b, carry)
    }

    /// `a - b`, as `a + ¬b + 1`.
    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let not_b: Vec<Lit> = b.iter().map(|&lit| !lit).collect();
        let carry = self.constant(true);
        self.sum_with_carry(a, &not_b, carry)
    }

    /// `-a`.
    pub fn negate(&mut self, a: &[Lit]) -> Vec<Lit> {
        let zero = vec![self.constant(false); a.len()];
        self.subtract(&zero, a)
    }

    /// `-a` if the condition holds, else `a`.
    fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = a.iter().map(|&lit| self.xor2(lit, condition)).collect();
        let zero = vec![self.constant(false); a.len()];
        self.sum_with_carry(&flipped, &zero, condition)
    }

    /// The number, if all its bits are constant.
    fn as_number(&self, a: &[Lit]) -> Option<u128> {
        let truth = self.gates.truth();
        let mut number = 0;
        for (i, &lit) in a.iter().enumerate() {
            if lit.var() != truth.var() {
                return None;
            }
            number |= u128::from(lit == truth) << i;
        }
        Some(number)
    }

    /// `a · b`.
    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        if let Some(number) = self.as_number(b) {
            return self.multiply_by(a, number);
        }
        if let Some(number) = self.as_number(a) {
            return self.multiply_by(b, number);
        }
        // The factor with fewer rows chooses them.
        let (a, b) = if self.rows(a) < self.rows(b) { (b, a) } else { (a, b) };
        let top = sign_run(b);
        let mut sum = vec![self.constant(false); a.len()];
        for (i, &row) in b.iter().enumerate().take(top) {
            self.add_row(&mut sum, a, i, row, false);
        }
        // From here up b is copies of one bit s: together -s · 2^top.
        self.add_row(&mut sum, a, top, b[top], top + 1 < b.len());
        sum
    }

    /// The number of additions with this factor as the one that chooses.
    fn rows(&self, a: &[Lit]) -> usize {
        let zero = self.constant(false);
        a[..=sign_run(a)].iter().filter(|&&lit| lit != zero).count()
    }

    /// Adds `(a << shift) & row` to the sum, or subtracts it.
    fn add_row(&mut self, sum: &mut [Lit], a: &[Lit], shift: usize, row: Lit, minus: bool) {
        if row == self.constant(false) {
            return;
        }
        let upper = &mut sum[shift..];
        let addend: Vec<Lit> = a[..upper.len()].iter().map(|&lit| self.and2(lit, row)).collect();
        let result = if minus { self.subtract(upper, &addend) } else { self.sum(upper, &addend) };
        upper.copy_from_slice(&result);
    }

    /// `a · number`, with digits 1, 0, -1 of which no two neighbours are other than 0.
    fn multiply_by(&mut self, a: &[Lit], mut number: u128) -> Vec<Lit> {
        let one = self.constant(true);
        let mut sum = vec![self.constant(false); a.len()];
        for shift in 0..a.len() {
            if number & 1 == 1 {
                // The lowest bit of a run of ones: subtract here, add above the run.
                let minus = number & 2 == 2;
                self.add_row(&mut sum, a, shift, one, minus);
                number = if minus { number.wrapping_add(1) } else { number - 1 };
                if number == 0 {
                    break;
                }
            }
            number >>= 1;
        }
        sum
    }

    /// Quotient and remainder, unsigned, digit by digit from the top as on paper. What is left
    /// after a step is less than the divisor, so it needs no more bits than that; but for
    /// the divisor 0, by which every digit is 1 and nothing is ever subtracted.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let (zero, width) = (self.constant(false), a.len());
        let used = b.iter().rposition(|&lit| lit != zero).map_or(0, |top| top + 1);
        let mut quotient = vec![zero; width];
        let mut rest: Vec<Lit> = Vec::with_capacity(width);
        for i in (0..width).rev() {
            rest.insert(0, a[i]);
            let (low, high) = b.split_at(rest.len());
            let too_big = self.gates.or(self.sink, high);
            if rest.iter().all(|&lit| lit == zero) {
                // Nothing left yet: only 0 goes into it.
                let some = self.gates.or(self.sink, low);
                quotient[i] = !self.or2(some, too_big);
            } else {
                let less = self.less(&rest, low);
                quotient[i] = !self.or2(less, too_big);
                let reduced = self.subtract(&rest, low);
                rest = self.choose(quotient[i], &reduced, &rest);
            }
            rest.truncate(used);
        }
        rest.resize(width, zero);
        if used == width {
            return (quotient, rest);
        }
        // Bits were dropped on the assumption that the divisor is not 0.
        let by_zero = !self.gates.or(self.sink, b);
        let ones = vec![self.constant(true); width];
        (self.choose(by_zero, &ones, &quotient), self.choose(by_zero, a, &rest))
    }

    /// Quotient and remainder, signed: of the absolute values, with the signs put back.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let zero = self.constant(false);
        let sign_a = a.last().copied().unwrap_or(zero);
        let sign_b = b.last().copied().unwrap_or(zero);
        let size_a = self.negate_if(sign_a, a);
        let size_b = self.negate_if(sign_b, b);
        let (quotient, rest) = self.divide(&size_a, &size_b);
        let differ = self.xor2(sign_a, sign_b);
        (self.negate_if(differ, &quotient), self.negate_if(sign_a, &rest))
    }

    /// `a << by`.
    pub fn shift_left(&mut self, a: &[Lit], by: &[Lit]) -> Vec<Lit> {
        let reversed: Vec<Lit> = a.iter().rev().copied().collect();
        let mut bits = self.shift_right(&reversed, by, false);
        bits.reverse();
        bits
    }

    /// `a >> by`, stage by stage: by 1 if bit 0 of the amount is set, by 2 if bit 1 is, …
    pub fn shift_right(&mut self, a: &[Lit], by: &[Lit], by_sign: bool) -> Vec<Lit> {
        let zero = self.constant(false);
        let fill = if by_sign { a.last().copied().unwrap_or(zero) } else { zero };
        let mut bits = a.to_vec();
        let stages = by.len().min(a.len().next_power_of_two().trailing_zeros() as usize);
        for (stage, &bit) in by[..stages].iter().enumerate() {
            let mut shifted = bits[bits.len().min(1 << stage)..].to_vec();
            shifted.resize(bits.len(), fill);
            bits = self.choose(bit, &shifted, &bits);
        }
        let far = self.gates.or(self.sink, &by[stages..]);
        let filled = vec![fill; bits.len()];
        self.choose(far, &filled, &bits)
    }
}

/// Where the copies of the sign begin: the lowest bit equal to all bits above it.
fn sign_run(a: &[Lit]) -> usize {
    let mut start = a.len() - 1;
    while start > 0 && a[start - 1] == a[start] {
        start -= 1;
    }
    start
}
