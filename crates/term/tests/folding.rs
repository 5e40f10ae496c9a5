//! The rules that matter most do apply. That they are right is for `random.rs` to show.

use unravel_term::{Node, Term, Terms};

/// A pool with conditions `c`, `d`, `e` and numbers `x`, `y` of 32 bits.
struct World {
    t: Terms,
    c: Term,
    d: Term,
    e: Term,
    x: Term,
    y: Term,
}

fn world() -> World {
    let mut t = Terms::new();
    let (c, d, e) = (t.var(1), t.var(1), t.var(1));
    let (x, y) = (t.var(32), t.var(32));
    World { t, c, d, e, x, y }
}

impl World {
    fn k(&mut self, bits: u128) -> Term {
        self.t.constant(32, bits)
    }
}

#[test]
fn connectives() {
    let World { mut t, c, d, e, .. } = world();
    let (not_c, not_d) = (t.not(c), t.not(d));
    let cd = t.and(c, d);
    assert_eq!(t.and(c, not_c), t.falsity());
    assert_eq!(t.and(cd, c), cd);
    assert_eq!(t.and(cd, not_d), t.falsity());
    assert_eq!(t.or(cd, c), c);
    // Guards three deep still know their parts two levels down.
    let cde = t.and(cd, e);
    assert_eq!(t.and(cde, c), cde);
    assert_eq!(t.and(cde, not_c), t.falsity());
    assert_eq!(t.or(cde, cd), cd);
    // De Morgan, from either side.
    let or = t.or(not_c, not_d);
    assert_eq!(or, t.not(cd));
    assert_eq!(t.and(or, cd), t.falsity());
    assert_eq!(t.or(or, cd), t.truth());
    // Modus ponens.
    let implied = t.implies(c, d);
    assert_eq!(t.and(c, implied), cd);
}

#[test]
fn branches_meet_again() {
    let World { mut t, c, d, e, .. } = world();
    let (not_d, not_e) = (t.not(d), t.not(e));
    let (yes, no) = (t.and(c, d), t.and(c, not_d));
    assert_eq!(t.or(yes, no), c);
    let (yes_yes, yes_no) = (t.and(yes, e), t.and(yes, not_e));
    let yes_again = t.or(yes_yes, yes_no);
    assert_eq!(t.or(yes_again, no), c);
    // One path of the inner branch has ended: c ∧ (¬d ∨ e).
    let partly = t.or(yes_yes, no);
    let rest = t.implies(d, e);
    assert_eq!(partly, t.and(c, rest));
}

#[test]
fn choices() {
    let World { mut t, c, d, x, y, .. } = world();
    let inner = t.ite(c, x, y);
    assert_eq!(t.ite(c, inner, y), inner);
    let not_c = t.not(c);
    assert_eq!(t.ite(not_c, y, x), inner);
    let outer = t.ite(d, inner, y);
    let both = t.and(c, d);
    assert_eq!(outer, t.ite(both, x, y));
    assert_eq!(t.ite(c, t.truth(), t.falsity()), c);
    assert_eq!(t.ite(c, d, t.falsity()), both);
    let xor = t.xor(c, d);
    assert_eq!(t.ite(c, not_c, d), t.and(not_c, d));
    let not_d = t.not(d);
    assert_eq!(t.ite(c, not_d, d), xor);
}

#[test]
fn choices_of_constants() {
    let mut w = world();
    let (one, two, three, four, five) = (w.k(1), w.k(2), w.k(3), w.k(4), w.k(5));
    let World { mut t, c, d, x, .. } = w;
    let choice = t.ite(c, one, two);
    assert_eq!(t.add(choice, three), t.ite(c, four, five));
    assert_eq!(t.eq(choice, one), c);
    assert_eq!(t.eq(choice, two), t.not(c));
    assert_eq!(t.eq(choice, three), t.falsity());
    assert_eq!(t.ult(choice, two), c);
    assert_eq!(t.ult(choice, three), t.truth());
    // A chain, as of a `switch`.
    let chain = t.ite(d, three, choice);
    let not_d = t.not(d);
    assert_eq!(t.eq(chain, one), t.and(not_d, c));
    let open = t.ite(d, three, x);
    let x_is_one = t.eq(x, one);
    assert_eq!(t.eq(open, one), t.and(not_d, x_is_one));
    let is_three = t.eq(x, three);
    assert_eq!(t.eq(open, three), t.or(d, is_three));
    // A truth value as a number and back.
    let number = t.zext(c, 32);
    let zero = t.constant(32, 0);
    assert_eq!(t.ne(number, zero), c);
    assert_eq!(t.extract(number, 0, 1), c);
}

#[test]
fn sums() {
    let mut w = world();
    let (one, two, seven) = (w.k(1), w.k(2), w.k(7));
    let World { mut t, x, y, .. } = w;
    let x1 = t.add(x, one);
    assert_eq!(t.add(x1, one), t.add(x, two));
    assert_eq!(t.sub(x1, one), x);
    assert_eq!(t.sub(x1, x), one);
    let minus = t.sub(x, y);
    assert_eq!(t.add(minus, y), x);
    let back = t.sub(y, x);
    assert_eq!(t.neg(minus), back);
    let eight = t.constant(32, 8);
    let by_seven = t.eq(x, seven);
    assert_eq!(t.eq(x1, eight), by_seven);
    let y1 = t.add(one, y);
    let same = t.eq(x, y);
    assert_eq!(t.eq(x1, y1), same);
    assert_eq!(t.eq(x1, x), t.falsity());
    // Places in an array.
    let four = t.constant(32, 4);
    let (at_x, at_x1) = (t.mul(x, four), t.mul(x1, four));
    assert_eq!(t.sub(at_x1, at_x), four);
}

#[test]
fn slices() {
    let World { mut t, c, x, y, .. } = world();
    let bytes: Vec<Term> = (0..4).map(|i| t.extract(x, 8 * i, 8)).collect();
    let whole = bytes[1..].iter().fold(bytes[0], |low, &byte| t.concat(byte, low));
    assert_eq!(whole, x);
    let upper = bytes[..3].iter().rev().fold(bytes[3], |high, &byte| t.concat(high, byte));
    assert_eq!(upper, x);
    // By shifts, as in C.
    let mut number = t.constant(32, 0);
    for (i, &byte) in bytes.iter().enumerate() {
        let wide = t.zext(byte, 32);
        let by = t.constant(32, 8 * i as u128);
        let part = t.shl(wide, by);
        number = t.or(number, part);
    }
    assert_eq!(number, x);
    // Byte by byte out of a choice.
    let choice = t.ite(c, x, y);
    let low = t.extract(choice, 0, 16);
    let high = t.extract(choice, 16, 16);
    assert_eq!(t.concat(high, low), choice);
    let (mask, long) = (t.constant(32, 0xff), t.zext(x, 64));
    let masked = t.and(x, mask);
    assert_eq!(t.range(masked), (0, 255));
    assert_eq!(t.sext(masked, 64), t.zext(bytes[0], 64));
    assert_eq!(t.extract(long, 0, 32), x);
    let zero = t.constant(32, 0);
    assert_eq!(t.extract(long, 32, 32), zero);
}

#[test]
fn orders() {
    let mut w = world();
    let (zero, one, ten) = (w.k(0), w.k(1), w.k(10));
    let World { mut t, x, y, .. } = w;
    assert_eq!(t.ult(x, zero), t.falsity());
    let is_zero = t.eq(x, zero);
    assert_eq!(t.ult(x, one), is_zero);
    assert_eq!(t.slt(x, zero), t.extract(x, 31, 1));
    let rest = t.urem(x, ten);
    assert_eq!(t.ult(rest, ten), t.truth());
    assert_eq!(t.slt(rest, ten), t.truth());
    let (long_x, long_y) = (t.sext(x, 64), t.sext(y, 64));
    assert_eq!(t.slt(long_x, long_y), t.slt(x, y));
    let long_ten = t.constant(64, 10);
    assert_eq!(t.slt(long_x, long_ten), t.slt(x, ten));
    let huge = t.constant(64, 1 << 40);
    assert_eq!(t.slt(long_x, huge), t.truth());
    let greater = t.sgt(x, y);
    assert_eq!(t.sle(x, y), t.not(greater));
}

#[test]
fn powers_of_two() {
    let mut w = world();
    let (eight, seven) = (w.k(8), w.k(7));
    let World { mut t, x, .. } = w;
    let remainder = t.urem(x, eight);
    assert_eq!(remainder, t.and(x, seven));
    let quotient = t.sdiv(x, eight);
    assert!(!matches!(t.node(quotient), Node::Sdiv(..)));
}

/// Depth costs no stack, and building along it stays linear.
#[test]
fn deep_terms() {
    const DEPTH: u32 = 100_000;
    let World { mut t, x, .. } = world();
    let (mut sum, mut choice, mut guard) = (x, x, t.truth());
    for i in 0..DEPTH {
        let (c, y) = (t.var(1), t.var(32));
        sum = t.add(sum, y);
        sum = if i % 2 == 0 { t.neg(sum) } else { sum };
        let number = t.constant(32, u128::from(i));
        choice = t.ite(c, number, choice);
        let equal = t.eq(choice, number);
        guard = t.and(guard, equal);
        let either = t.implies(c, guard);
        guard = t.or(guard, either);
    }
    let big = t.ult(choice, sum);
    let all = t.and(guard, big);
    let _ = t.eval(all, &|var| u128::from(var.0));
    let five = t.constant(32, 5);
    let is_five = t.eq(choice, five);
    assert_eq!(t.eval(is_five, &|var| u128::from(var.0 == 5 + 2 * 5)), 1);
    assert!(t.len() < 50 * DEPTH as usize, "{}", t.len());
}
