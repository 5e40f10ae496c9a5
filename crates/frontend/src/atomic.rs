//! Functions behind atomic operations: `__atomic_load_16`, `__sync_fetch_and_add_4` and their kind.
//!
//! clang makes instructions of most atomic operations; it calls these for objects that are wider
//! than a word or misaligned, and GCC's documentation promises them to everyone.
//! <https://gcc.gnu.org/wiki/Atomic/GCCMM/LIbrary>

use unravel_program::{Access, BinaryOp, Op, Operand, Ordering, Reg, RmwOp, Type};

use crate::constant::mask;
use crate::function::Body;
use crate::runtime::Args;

impl Body<'_, '_> {
    /// `__atomic_load(size, object, result, order)` and its kind: values are behind pointers.
    /// `None` if it is none of them, or the size is not that of an integer.
    fn generic_atomic(&mut self, name: &str, args: Args<'_>, results: &[Reg]) -> Option<()> {
        let ((_, size), rest) = args.split_first()?;
        let ty = match size {
            Operand::Int(bytes @ (1 | 2 | 4 | 8 | 16)) => {
                Type::Int(8 * u16::try_from(*bytes).ok()?)
            }
            _ => return None,
        };
        let place =
            |index: usize| rest.get(index).filter(|(ty, _)| *ty == Type::Ptr).map(|it| it.1);
        let address = place(0)?;
        match name {
            "__atomic_load" => {
                let (dst, to) = (self.fresh(ty), place(1)?);
                let access = Access::Atomic(ordering(rest.get(2)));
                self.emit(Op::Load { dst, ty, address, access });
                self.put(ty, to, Operand::Reg(dst));
            }
            "__atomic_store" => {
                let value = self.get(ty, place(1)?);
                let access = Access::Atomic(ordering(rest.get(2)));
                self.emit(Op::Store { ty, address, value, access });
            }
            "__atomic_exchange" => {
                let (value, to) = (self.get(ty, place(1)?), place(2)?);
                let (dst, op, ordering) = (self.fresh(ty), RmwOp::Exchange, ordering(rest.get(3)));
                self.emit(Op::ReadModifyWrite { dst, op, ty, address, value, ordering });
                self.put(ty, to, Operand::Reg(dst));
            }
            "__atomic_compare_exchange" => {
                let new = self.get(ty, place(2)?);
                let mut args = rest.to_vec();
                *args.get_mut(2)? = (ty, new);
                self.atomic_exchange(&args, ty, results)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn get(&mut self, ty: Type, address: Operand) -> Operand {
        let dst = self.fresh(ty);
        self.emit(Op::Load { dst, ty, address, access: Access::Plain });
        Operand::Reg(dst)
    }

    fn put(&mut self, ty: Type, address: Operand, value: Operand) {
        self.emit(Op::Store { ty, address, value, access: Access::Plain });
    }

    /// Lowers a function whose name begins with `__atomic_` or `__sync_`; `None` if it is not
    /// known, or its arguments are odd.
    pub(crate) fn atomic_function(
        &mut self,
        name: &str,
        args: Args<'_>,
        results: &[Reg],
    ) -> Option<()> {
        if let Some(()) = self.generic_atomic(name, args, results) {
            return Some(());
        }
        let (base, bytes) = name.rsplit_once('_')?;
        let bytes: u16 = bytes.parse().ok().filter(|it| [1, 2, 4, 8, 16].contains(it))?;
        let ty = Type::Int(8 * bytes);
        let (_, address) = args.first().copied().filter(|(ty, _)| *ty == Type::Ptr)?;
        match base {
            "__atomic_load" => {
                let access = Access::Atomic(ordering(args.get(1)));
                let dst = self.fresh(ty);
                self.emit(Op::Load { dst, ty, address, access });
                self.return_value(Operand::Reg(dst), ty, results);
            }
            "__atomic_store" => {
                let value = self.atomic_value(args, 1, ty)?;
                let access = Access::Atomic(ordering(args.get(2)));
                self.emit(Op::Store { ty, address, value, access });
            }
            "__sync_lock_release" => {
                let access = Access::Atomic(Ordering::Release);
                self.emit(Op::Store { ty, address, value: Operand::Int(0), access });
            }
            "__atomic_compare_exchange" => self.atomic_exchange(args, ty, results)?,
            "__sync_val_compare_and_swap" | "__sync_bool_compare_and_swap" => {
                let (expected, new) =
                    (self.atomic_value(args, 1, ty)?, self.atomic_value(args, 2, ty)?);
                let seq = Ordering::SequentiallyConsistent;
                let (old, success) = self.swap(address, ty, expected, new, (seq, seq));
                match base {
                    "__sync_val_compare_and_swap" => self.return_value(old, ty, results),
                    _ => self.return_value(success, Type::Int(1), results),
                }
            }
            _ => self.atomic_update(base, args, ty, results)?,
        }
        Some(())
    }

    /// An argument that has the type of the object.
    fn atomic_value(&mut self, args: Args<'_>, index: usize, ty: Type) -> Option<Operand> {
        let (from, value) = args.get(index).copied()?;
        let wide_enough = from.bits(self.cx.target) >= ty.bits(self.cx.target);
        wide_enough.then(|| self.converted(value, from, ty))
    }

    fn swap(
        &mut self,
        address: Operand,
        ty: Type,
        expected: Operand,
        new: Operand,
        (on_success, on_failure): (Ordering, Ordering),
    ) -> (Operand, Operand) {
        let (old, success) = (self.fresh(ty), self.fresh(Type::Int(1)));
        self.emit(Op::CompareExchange {
            old,
            success,
            ty,
            address,
            expected,
            new,
            weak: false,
            on_success,
            on_failure,
        });
        (Operand::Reg(old), Operand::Reg(success))
    }

    /// `__atomic_compare_exchange_N(object, expected, desired, success, failure)`. The library
    /// writes `*expected` only on failure; here it is written always, with its own value on
    /// success, since an instruction has no branches and the variable is the caller's own.
    fn atomic_exchange(&mut self, args: Args<'_>, ty: Type, results: &[Reg]) -> Option<()> {
        let (_, address) = args.first().copied()?;
        let (_, place) = args.get(1).copied().filter(|(ty, _)| *ty == Type::Ptr)?;
        let new = self.atomic_value(args, 2, ty)?;
        let expected = self.get(ty, place);
        let orderings = (ordering(args.get(3)), ordering(args.get(4)));
        let (old, success) = self.swap(address, ty, expected, new, orderings);
        let dst = self.fresh(ty);
        self.emit(Op::Select { dst, condition: success, then: expected, otherwise: old });
        self.put(ty, place, Operand::Reg(dst));
        self.return_value(success, Type::Int(1), results);
        Some(())
    }

    /// Read-modify-write functions, which return the old or the new value.
    fn atomic_update(
        &mut self,
        base: &str,
        args: Args<'_>,
        ty: Type,
        results: &[Reg],
    ) -> Option<()> {
        let (op, returns_new) = update(base)?;
        let (_, address) = args.first().copied()?;
        let value = self.atomic_value(args, 1, ty)?;
        let ordering = match base {
            "__sync_lock_test_and_set" => Ordering::Acquire,
            _ => ordering(args.get(2)),
        };
        let dst = self.fresh(ty);
        self.emit(Op::ReadModifyWrite { dst, op, ty, address, value, ordering });
        let old = Operand::Reg(dst);
        let result = if returns_new { self.updated(op, ty, old, value)? } else { old };
        self.return_value(result, ty, results);
        Some(())
    }

    /// The value that a read-modify-write leaves behind.
    fn updated(&mut self, op: RmwOp, ty: Type, lhs: Operand, rhs: Operand) -> Option<Operand> {
        let width = ty.bits(self.cx.target);
        let binary = match op {
            RmwOp::Add => BinaryOp::Add,
            RmwOp::Sub => BinaryOp::Sub,
            RmwOp::And | RmwOp::Nand => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Xor => BinaryOp::Xor,
            _ => return None,
        };
        let mut apply = |op, lhs, rhs| {
            let dst = self.fresh(ty);
            self.emit(Op::Binary { dst, op, width, lhs, rhs, no_signed_wrap: false });
            Operand::Reg(dst)
        };
        let value = apply(binary, lhs, rhs);
        let ones = Operand::Int(mask(width));
        Some(if op == RmwOp::Nand { apply(BinaryOp::Xor, value, ones) } else { value })
    }
}

/// Operation of a read-modify-write function, and whether it returns the new value.
fn update(base: &str) -> Option<(RmwOp, bool)> {
    if matches!(base, "__atomic_exchange" | "__sync_lock_test_and_set" | "__sync_swap") {
        return Some((RmwOp::Exchange, false));
    }
    let old =
        base.strip_prefix("__atomic_fetch_").or_else(|| base.strip_prefix("__sync_fetch_and_"));
    let new = || {
        let atomic = base.strip_prefix("__atomic_").and_then(|it| it.strip_suffix("_fetch"));
        atomic.or_else(|| base.strip_prefix("__sync_").and_then(|it| it.strip_suffix("_and_fetch")))
    };
    let (name, returns_new) = match old {
        Some(name) => (name, false),
        None => (new()?, true),
    };
    let op = match name {
        "add" => RmwOp::Add,
        "sub" => RmwOp::Sub,
        "and" => RmwOp::And,
        "nand" => RmwOp::Nand,
        "or" => RmwOp::Or,
        "xor" => RmwOp::Xor,
        _ => return None,
    };
    Some((op, returns_new))
}

/// A C11 memory order as an argument; the strongest if it is not a constant.
fn ordering(argument: Option<&(Type, Operand)>) -> Ordering {
    match argument {
        Some((_, Operand::Int(0))) => Ordering::Relaxed,
        Some((_, Operand::Int(1 | 2))) => Ordering::Acquire,
        Some((_, Operand::Int(3))) => Ordering::Release,
        Some((_, Operand::Int(4))) => Ordering::AcquireRelease,
        _ => Ordering::SequentiallyConsistent,
    }
}
