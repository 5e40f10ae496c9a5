//! The meaning of the operations once more, bit by bit where the crate uses machine arithmetic.

use super::Random;

/// What can be asked of a pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Var(usize),
    Const(u128),
    Not,
    Neg,
    And,
    Or,
    Xor,
    Implies,
    Ite,
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Extract(u16),
    Concat,
    Zext,
    Sext,
}

pub const BINARY: [Op; 14] = [
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Udiv,
    Op::Urem,
    Op::Sdiv,
    Op::Srem,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Implies,
];

pub const PREDICATES: [Op; 10] =
    [Op::Eq, Op::Ne, Op::Ult, Op::Ule, Op::Ugt, Op::Uge, Op::Slt, Op::Sle, Op::Sgt, Op::Sge];

impl Op {
    pub fn is_predicate(self) -> bool {
        PREDICATES.contains(&self)
    }
}

pub fn random_op(random: &mut Random) -> Op {
    match random.below(16) {
        0..=4 => random.pick(&BINARY[..13]),
        5..=7 => random.pick(&PREDICATES),
        8..=10 => Op::Ite,
        11 => random.pick(&[Op::Not, Op::Neg]),
        12 => Op::Extract(0),
        13 => Op::Concat,
        14 => Op::Zext,
        _ => Op::Sext,
    }
}

fn cut(width: u16, bits: u128) -> u128 {
    if width == 128 { bits } else { bits % (1 << width) }
}

fn bit(bits: u128, index: u16) -> bool {
    index < 128 && (bits >> index) % 2 == 1
}

fn from_bits(width: u16, value: impl Fn(u16) -> bool) -> u128 {
    (0..width).filter(|&i| value(i)).map(|i| 1 << i).sum()
}

fn negative(width: u16, a: u128) -> bool {
    bit(a, width - 1)
}

fn minus(width: u16, a: u128) -> u128 {
    cut(width, (!a).wrapping_add(1))
}

fn absolute(width: u16, a: u128) -> u128 {
    if negative(width, a) { minus(width, a) } else { a }
}

fn less_signed(width: u16, a: u128, b: u128) -> bool {
    let flip = 1 << (width - 1);
    (a ^ flip) < (b ^ flip)
}

fn times(width: u16, a: u128, b: u128) -> u128 {
    let rows = (0..width).filter(|&i| bit(b, i)).map(|i| a << i);
    cut(width, rows.fold(0, u128::wrapping_add))
}

fn divide(width: u16, a: u128, b: u128) -> (u128, u128) {
    match a.checked_div(b) {
        Some(quotient) => (quotient, a - quotient * b),
        None => (from_bits(width, |_| true), a),
    }
}

fn divide_signed(width: u16, a: u128, b: u128) -> (u128, u128) {
    let (q, r) = divide(width, absolute(width, a), absolute(width, b));
    let q = if negative(width, a) != negative(width, b) { minus(width, q) } else { q };
    let r = if negative(width, a) { minus(width, r) } else { r };
    (q, r)
}

/// The value of an operation on values, whose widths are `from`.
pub fn apply(op: Op, width: u16, [a, b, c]: [u128; 3], from: [u16; 3]) -> u128 {
    let w = from[0];
    let amount = u16::try_from(b).unwrap_or(128).min(128);
    match op {
        Op::Var(_) => 0,
        Op::Const(bits) => cut(width, bits),
        Op::Not => from_bits(width, |i| !bit(a, i)),
        Op::Neg => minus(width, a),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Implies => from_bits(width, |i| !bit(a, i) || bit(b, i)),
        Op::Ite => [c, b][a as usize],
        Op::Eq => (a == b).into(),
        Op::Ne => (a != b).into(),
        Op::Ult => (a < b).into(),
        Op::Ule => (a <= b).into(),
        Op::Ugt => (a > b).into(),
        Op::Uge => (a >= b).into(),
        Op::Slt => less_signed(w, a, b).into(),
        Op::Sle => (!less_signed(w, b, a)).into(),
        Op::Sgt => less_signed(w, b, a).into(),
        Op::Sge => (!less_signed(w, a, b)).into(),
        Op::Add => cut(width, a.wrapping_add(b)),
        Op::Sub => cut(width, a.wrapping_sub(b)),
        Op::Mul => times(width, a, b),
        Op::Udiv => divide(width, a, b).0,
        Op::Urem => divide(width, a, b).1,
        Op::Sdiv => divide_signed(width, a, b).0,
        Op::Srem => divide_signed(width, a, b).1,
        Op::Shl => from_bits(width, |i| i >= amount && bit(a, i - amount)),
        Op::Lshr => from_bits(width, |i| i + amount < width && bit(a, i + amount)),
        Op::Ashr => from_bits(width, |i| bit(a, (i + amount).min(width - 1))),
        Op::Extract(low) => from_bits(width, |i| bit(a, i + low)),
        Op::Concat => {
            from_bits(width, |i| if i < from[1] { bit(b, i) } else { bit(a, i - from[1]) })
        }
        Op::Zext => a,
        Op::Sext => from_bits(width, |i| bit(a, i.min(w - 1))),
    }
}
