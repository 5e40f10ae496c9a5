//! Where in a function its locals exist.

use std::collections::HashSet;

use crate::hooks::prepare::is_intrinsic;
use crate::llvm::{Editor, Opcode, Value};

/// The locals that a function makes when it is entered.
pub(super) struct Frame<'m> {
    locals: HashSet<Value<'m>>,
    /// The first instruction behind them.
    first: Option<Value<'m>>,
}

impl<'m> Frame<'m> {
    pub(super) fn new(function: Value<'m>) -> Self {
        let entry = function.blocks().first().map(|it| it.instructions()).unwrap_or_default();
        let leading = entry.iter().take_while(|at| is_of_entry(**at)).count();
        let last = entry[..leading].iter().rposition(|at| at.opcode() == Some(Opcode::LLVMAlloca));
        let behind = last.map_or(0, |index| index + 1);
        let locals = entry[..behind]
            .iter()
            .filter(|at| at.opcode() == Some(Opcode::LLVMAlloca))
            .copied()
            .collect();
        Frame { locals, first: entry.get(behind).copied() }
    }

    /// The instruction before which a local exists that is made on entry; `None` for one that is
    /// made later, and exists right behind its `alloca`.
    pub(super) fn anchor(&self, local: Value<'m>) -> Option<Value<'m>> {
        self.first.filter(|_| self.locals.contains(&local))
    }
}

/// Lets the editor add what follows where a local exists.
pub(super) fn go_behind<'m>(
    editor: &Editor<'m>,
    local: Value<'m>,
    anchor: Option<Value<'m>>,
) -> bool {
    match anchor {
        Some(anchor) => {
            editor.before(anchor);
            true
        }
        None => editor.after(local),
    }
}

/// Whether an instruction may stand between the locals that are made when a function is entered.
fn is_of_entry(at: Value<'_>) -> bool {
    match at.opcode() {
        // The size of an array of variable length is computed.
        Some(Opcode::LLVMAlloca) => at.operand(0).and_then(Value::int_bits).is_some(),
        Some(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast) => true,
        Some(Opcode::LLVMCall) => is_intrinsic(at, &["llvm.dbg.declare", "llvm.dbg.value"]),
        _ => false,
    }
}
