//! Values for inputs.

use std::collections::BTreeSet;

use unravel_interp::value::mask;
use unravel_program::{Op, Operand, Program, Terminator};

/// Most values that an input takes which cannot take all.
const MOST_SAMPLES: usize = 32;

/// The constants that a program compares with, switches on or computes with.
#[must_use]
pub fn constants(program: &Program) -> BTreeSet<u128> {
    let mut found = BTreeSet::new();
    for block in program.functions.iter().flat_map(|function| &function.blocks) {
        for instruction in &block.instructions {
            if let Op::Compare { lhs, rhs, .. } | Op::Binary { lhs, rhs, .. } = &instruction.op {
                found.extend([lhs, rhs].into_iter().filter_map(|operand| match operand {
                    Operand::Int(bits) => Some(*bits),
                    _ => None,
                }));
            }
        }
        if let Terminator::Switch { cases, .. } = &block.end {
            found.extend(cases.iter().map(|(bits, _)| *bits));
        }
    }
    found
}

/// All values of so many bits.
#[must_use]
pub fn all(width: u16) -> Vec<u128> {
    (0..=mask(width)).collect()
}

/// Some values of so many bits: small ones, the extremes, and the neighbours of the constants.
#[must_use]
pub fn samples(width: u16, constants: &BTreeSet<u128>) -> Vec<u128> {
    let all = mask(width);
    let (max, min) = (all >> 1, (all >> 1) + 1);
    let mut values = vec![0, 1, all, 2, max, min];
    for &constant in constants {
        let near = [constant, constant.wrapping_add(1), constant.wrapping_sub(1)];
        values.extend(near.into_iter().filter(|_| constant <= all).map(|value| value & all));
    }
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(*value));
    values.truncate(MOST_SAMPLES);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_inputs_take_all_values() {
        assert_eq!(all(1), [0, 1]);
        assert_eq!(all(8).len(), 256);
    }

    #[test]
    fn wide_inputs_take_the_neighbours_of_constants() {
        let values = samples(32, &BTreeSet::from([42]));
        for value in [0, 41, 42, 43, 0x7fff_ffff, 0xffff_ffff] {
            assert!(values.contains(&value), "{value}");
        }
    }
}
