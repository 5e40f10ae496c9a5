//! Which values to try for a change.
//!
//! With a solver's own choice `x = 1` would become `x = -1832914`. Small numbers, neighbours of the
//! value of the failing run and constants of the program say more, and are more often right in
//! other runs, too.

use std::collections::BTreeSet;

use unravel_program::{Op, Operand, Program, Type};
use unravel_term::value::mask;

/// Constants of the program that are tried.
const MOST_CONSTANTS: usize = 12;

/// Values to try, the best tier first; for a condition, both.
pub(crate) fn candidates(width: u16, original: Option<u128>, constants: &[u128]) -> [Vec<u128>; 2] {
    if width == 1 {
        return [vec![0, 1], Vec::new()];
    }
    let most = mask(width);
    let mut small = vec![0, 1, 2, most];
    if let Some(original) = original {
        small.extend([original.wrapping_add(1) & most, original.wrapping_sub(1) & most]);
    }
    let mut others: Vec<u128> = constants.iter().map(|it| it & most).collect();
    let mut known = BTreeSet::new();
    for values in [&mut small, &mut others] {
        values.retain(|value| known.insert(*value) && Some(*value) != original);
    }
    [small, others]
}

/// Values next to a count, the nearest first.
pub(crate) fn neighbours(width: u16, original: u128) -> Vec<u128> {
    let below = |by: u128| original.checked_sub(by);
    let above = |by: u128| original.checked_add(by).filter(|it| *it <= mask(width));
    [1, 2].into_iter().flat_map(|by| [below(by), above(by)]).flatten().collect()
}

/// Small constants of the user's code.
pub(crate) fn constants(program: &Program) -> Vec<u128> {
    let mut found = BTreeSet::new();
    for function in program.functions.iter().filter(|it| !it.library) {
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let is_integer = match &instruction.op {
                Op::Store { ty: Type::Int(width), .. } => *width > 1,
                Op::Binary { .. } | Op::Compare { ty: Type::Int(_), .. } => true,
                _ => false,
            };
            for operand in instruction.op.uses() {
                match operand {
                    Operand::Int(value) if is_integer && value < 1 << 16 => {
                        found.insert(value);
                    }
                    _ => {}
                }
            }
        }
    }
    found.into_iter().take(MOST_CONSTANTS).collect()
}

#[cfg(test)]
mod tests {
    use super::{candidates, neighbours};

    #[test]
    fn values_are_tried_once_and_the_original_never() {
        let [small, others] = candidates(8, Some(1), &[0, 2, 0x105, 7]);
        assert_eq!(small, [0, 2, 255]);
        assert_eq!(others, [5, 7]);
    }

    #[test]
    fn neighbours_wrap_around_the_width() {
        assert_eq!(candidates(8, Some(255), &[])[0], [0, 1, 2, 254]);
        assert_eq!(candidates(8, None, &[])[0], [0, 1, 2, 255]);
    }

    #[test]
    fn a_condition_has_two_values() {
        assert_eq!(candidates(1, Some(1), &[3]), [vec![0, 1], Vec::new()]);
    }

    #[test]
    fn a_count_has_no_neighbours_below_nothing() {
        assert_eq!(neighbours(32, 3), [2, 4, 1, 5]);
        assert_eq!(neighbours(32, 0), [1, 2]);
        assert_eq!(neighbours(8, 254), [253, 255, 252]);
    }
}
