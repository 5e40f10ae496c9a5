//! Arguments beyond the named ones of a function (`...`).
//!
//! The caller lays them out in a block of its frame, as they lie on the stack of the platform, and hands over
//! the address as a last argument: what `va_start` needs is there.

use crate::ir::{Access, Op, Operand, Reg, Target, Type};

/// Further arguments as memory: what has to be done before the call and after it.
pub struct Further {
    /// Makes the block and fills it.
    pub before: Vec<Op>,
    /// The address of the block.
    pub address: Operand,
    /// Ends the block.
    pub after: Vec<Op>,
}

/// Lays out arguments; `None` if one is of a type that lies there in another way.
pub fn further(
    args: &[(Type, Operand)],
    target: Target,
    fresh: &mut dyn FnMut(Type) -> Reg,
) -> Option<Further> {
    if args.is_empty() {
        let (before, after) = (Vec::new(), Vec::new());
        return Some(Further { before, address: Operand::Int(0), after });
    }
    let slot = u64::from(target.pointer_bytes);
    let mut places = Vec::new();
    let mut size = 0u64;
    for &(ty, operand) in args {
        let fits = matches!(ty, Type::Int(32 | 64) | Type::Ptr | Type::F64);
        if !fits {
            return None;
        }
        places.push((i64::try_from(size).ok()?, ty, operand));
        size += ty.bytes(target).next_multiple_of(slot);
    }
    let block = fresh(Type::Ptr);
    let (dst, count, align) = (block, Operand::Int(1), 16);
    let mut before = vec![Op::Alloca { dst, size, count, align, name: None, ty: None }];
    for (constant, ty, value) in places {
        let dst = fresh(Type::Ptr);
        before.push(Op::Offset { dst, base: Operand::Reg(block), constant, terms: Vec::new() });
        let (address, access) = (Operand::Reg(dst), Access::Plain);
        before.push(Op::Store { ty, address, value, access });
    }
    let address = Operand::Reg(block);
    Some(Further { before, address, after: vec![Op::EndLocal { address }] })
}
