//! Calls: of the program's functions, of the library, through pointers, and inline assembly.

use unravel_program::variadic::{self, Further};
use unravel_program::{FunctionId, Op, Operand, Ordering, Primitive, Reg, Type};

use crate::assembly::{self, Known};
use crate::function::Body;
use crate::intrinsic::unit;
use crate::llvm::{InlineAsm, Opcode, Ty, Value};
use crate::lower::{What, c_name};

impl<'m> Body<'_, 'm> {
    pub(crate) fn call(&mut self, at: Value<'m>) -> Result<(), What> {
        let callee = at.called().ok_or("a malformed call")?;
        if let Some(assembly) = callee.inline_asm() {
            return self.assembly(at, &assembly);
        }
        let Some(function) = called_function(callee) else { return self.call_indirect(at, callee) };
        if let Some(name) = function.name().strip_prefix("llvm.") {
            return self.intrinsic(at, name);
        }
        match self.cx.defined(function) {
            Some(id) => self.call_defined(at, function, id),
            None => {
                let args = self.arguments(at)?;
                let results = self.call_results(at)?;
                self.call_undefined(function, args, &results)
            }
        }
    }

    /// Registers of a call's results; an error if they cannot be represented.
    fn call_results(&mut self, at: Value<'m>) -> Result<Vec<Reg>, What> {
        self.cx.leaves(at.ty().ok_or("a malformed call")?)?;
        Ok(self.results(at))
    }

    /// Arguments with their types, structs flattened. What is passed by value behind a pointer is
    /// copied here, since the callee may change it.
    fn arguments(&mut self, at: Value<'m>) -> Result<Vec<(Type, Operand)>, What> {
        let mut args = Vec::new();
        for (index, arg) in (0u32..).zip(at.args()) {
            let types = self.cx.leaf_types(arg.ty().ok_or("a malformed call")?)?;
            let mut operands = self.operands(arg)?;
            if let (Some(ty), [pointer]) = (at.byval_argument(index), operands.as_mut_slice()) {
                *pointer = self.copied(*pointer, ty)?;
            }
            args.extend(types.into_iter().zip(operands));
        }
        Ok(args)
    }

    fn copied(&mut self, from: Operand, ty: Ty<'m>) -> Result<Operand, What> {
        let size = self.cx.layout.size(ty).ok_or("an argument of unknown size")?;
        let dst = self.fresh(Type::Ptr);
        let align = self.cx.layout.align(ty);
        self.emit(Op::Alloca { dst, size, count: Operand::Int(1), align, name: None, ty: None });
        let (to, length) = (Operand::Reg(dst), Operand::Int(u128::from(size)));
        let unit = unit(align, length);
        self.emit(Op::MemoryCopy { to, from, length, may_overlap: false, unit });
        Ok(to)
    }

    /// C without prototypes lets the call and the definition disagree: missing arguments have no
    /// value, surplus ones are dropped, and others keep their bits.
    fn call_defined(
        &mut self,
        at: Value<'m>,
        function: Value<'m>,
        callee: FunctionId,
    ) -> Result<(), What> {
        let signature = self.cx.signature(function.value_type().ok_or("a malformed call")?)?;
        let given = self.arguments(at)?;
        let mut args = Vec::new();
        for (index, param) in signature.params.iter().enumerate() {
            args.push(match given.get(index) {
                Some((ty, operand)) => self.converted(*operand, *ty, *param),
                None => Operand::Undef,
            });
        }
        let further = self.further(at, function.value_type(), &given)?;
        args.extend(further.iter().map(|it| it.address));
        let wanted = self.call_results(at)?;
        let types = self.cx.leaf_types(at.ty().ok_or("a malformed call")?)?;
        if types == signature.returns {
            self.call_with(further, Op::Call { results: wanted, callee, args });
            return Ok(());
        }
        let results: Vec<_> = signature.returns.iter().map(|ty| self.fresh(*ty)).collect();
        self.call_with(further, Op::Call { results: results.clone(), callee, args });
        for (index, (dst, to)) in wanted.into_iter().zip(types).enumerate() {
            let value = match (results.get(index), signature.returns.get(index)) {
                (Some(reg), Some(from)) => self.converted(Operand::Reg(*reg), *from, to),
                _ => Operand::Undef,
            };
            self.emit(Op::Copy { dst, value });
        }
        Ok(())
    }

    /// What a call passes beyond the named arguments to a function of a type.
    fn further(
        &mut self,
        at: Value<'m>,
        ty: Option<Ty<'m>>,
        given: &[(Type, Operand)],
    ) -> Result<Option<Further>, What> {
        let ty = ty.ok_or("a malformed call")?;
        let signature = self.cx.signature(ty)?;
        if !signature.variadic {
            return Ok(None);
        }
        let named = ty.function().map_or(0, |(_, params, _)| params.len());
        let beyond = (0u32..).take(at.args().len()).skip(named);
        let by_value = beyond.filter(|&index| at.byval_argument(index).is_some()).count();
        let target = self.cx.target;
        let rest = given.get(signature.params.len()..).unwrap_or_default();
        let mut fresh = |ty| self.fresh(ty);
        let further = variadic::further(rest, target, &mut fresh).filter(|_| by_value == 0);
        further.map(Some).ok_or_else(|| What::from("a variable argument of this type"))
    }

    fn call_with(&mut self, further: Option<Further>, call: Op) {
        let (before, after) = further.map_or_else(Default::default, |it| (it.before, it.after));
        before.into_iter().chain([call]).chain(after).for_each(|op| self.emit(op));
    }

    /// A call of a function without a body: of the library model, of one that is an instruction
    /// here, or of one that nobody knows.
    pub(crate) fn call_undefined(
        &mut self,
        function: Value<'m>,
        args: Vec<(Type, Operand)>,
        results: &[Reg],
    ) -> Result<(), What> {
        let name = c_name(function);
        if self.cx.foreign.contains(&name) {
            return Err(What::OwnFunction(name));
        }
        if let Some(primitive) = Primitive::named(&name) {
            return self.library(primitive, args, results);
        }
        if let Some(primitive) = harmless(&name, &args) {
            return self.library(primitive, args, results);
        }
        if matches!(name.as_str(), "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk") {
            return Err("longjmp".into());
        }
        // The first return; a second one needs `longjmp`, which ends what can be said.
        if matches!(name.as_str(), "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp")
            && let [dst] = *results
        {
            self.emit(Op::Copy { dst, value: Operand::Int(0) });
            return Ok(());
        }
        if function.returns_twice() {
            return Err(format!("`{name}`, which returns twice").into());
        }
        if !self.runtime(&name, &args, results)? {
            self.emit(Op::External { results: results.to_vec(), name, args });
        }
        Ok(())
    }

    pub(crate) fn library(
        &mut self,
        primitive: Primitive,
        args: Vec<(Type, Operand)>,
        results: &[Reg],
    ) -> Result<(), What> {
        if results.len() > 1 {
            return Err(format!("`{}` that returns a struct", primitive.name()).into());
        }
        self.emit(Op::Library { result: results.first().copied(), primitive, args });
        Ok(())
    }

    fn call_indirect(&mut self, at: Value<'m>, callee: Value<'m>) -> Result<(), What> {
        let callee = self.operand(callee)?;
        let mut args = self.arguments(at)?;
        let results = self.call_results(at)?;
        let ty = at.called_type().ok_or("a malformed call")?;
        let further = self.further(at, Some(ty), &args)?;
        if let Some(further) = &further {
            args.truncate(self.cx.signature(ty)?.params.len());
            args.push((Type::Ptr, further.address));
        }
        self.call_with(further, Op::CallIndirect { results, callee, args });
        Ok(())
    }

    /// Assembly without instructions is a barrier for the compiler, which has no effect on what
    /// unoptimized code does. A few instructions without operands are known.
    fn assembly(&mut self, at: Value<'m>, assembly: &InlineAsm) -> Result<(), What> {
        let template = assembly.template.trim().trim_end_matches([';', '\n', '\t']);
        let results = self.call_results(at)?;
        match assembly::known(template).filter(|_| results.is_empty()) {
            Some(Known::Idle) => return Ok(()),
            Some(Known::Fence) => {
                self.emit(Op::Fence { ordering: Ordering::SequentiallyConsistent });
                return Ok(());
            }
            None => {}
        }
        // `asm("" : "+r"(x))` hides the value of `x` from the optimizer.
        let constraints: Vec<_> = assembly.constraints.split(',').collect();
        if let ("", [dst], ["=r", "0", ..], [value]) =
            (template, &results[..], &constraints[..], &at.args()[..])
        {
            let value = self.operand(*value)?;
            self.emit(Op::Copy { dst: *dst, value });
            return Ok(());
        }
        Err("inline assembly".into())
    }
}

/// What a call does that is harmless with these arguments, though not with all: nothing. A thread
/// is given a name, a signal is ignored or does what it does by default, and nobody asks whether
/// threads could be cancelled before.
fn harmless(name: &str, args: &[(Type, Operand)]) -> Option<Primitive> {
    const PR_SET_NAME: u128 = 15;
    let arg = |index: usize| match args.get(index) {
        Some((_, Operand::Int(number))) => Some(*number),
        _ => None,
    };
    let is_harmless = match name {
        "prctl" => arg(0) == Some(PR_SET_NAME),
        _ => false,
    };
    // Any function that does nothing stands for these.
    Primitive::named("sched_yield").filter(|_| is_harmless)
}

/// The function that a callee certainly is, behind aliases and casts.
pub(crate) fn called_function<'m>(callee: Value<'m>) -> Option<Value<'m>> {
    // Aliases of aliases; a cycle would be malformed.
    const DEPTH: usize = 100;
    let mut callee = callee;
    for _ in 0..DEPTH {
        if callee.is_function() {
            return Some(callee);
        }
        callee = match callee.opcode() {
            Some(Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast)
                if callee.kind() == crate::llvm::ValueKind::LLVMConstantExprValueKind =>
            {
                callee.operand(0)?
            }
            Some(_) => return None,
            None => callee.aliasee()?,
        };
    }
    None
}
