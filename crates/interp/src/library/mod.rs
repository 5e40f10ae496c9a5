//! The library model, executed.
//!
//! What the functions do is defined in `unravel_program::library`; here it happens. One file per
//! topic, one function per action.

mod memory;
mod print;
mod show;
mod sync;
mod thread;

use unravel_kinds::{Unmodelled, ViolationKind};
use unravel_program::library::{Action, Convention, Math, Primitive, Process, Verifier, codes};
use unravel_program::{Operand, Reg, Type};

use crate::choice::{ChoiceKind, InputSource};
use crate::event::EventKind;
use crate::exec::{Exec, Interrupt, Result};
use crate::math;
use crate::memory::{ObjectKind, Origin};
use crate::state::{Pending, Stuck};
use crate::value::Value;

pub(crate) use sync::static_object;

/// Arguments of a call, with their types.
pub(crate) type Args<'a> = &'a [(Type, Operand)];

impl Exec<'_, '_> {
    /// Performs a library function and moves on.
    pub fn library(
        &mut self,
        primitive: Primitive,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> Result<()> {
        let value = match primitive.action() {
            Action::Sync(op, convention) => return self.sync(op, convention, args, result),
            Action::Thread(action, convention) => {
                return self.thread_function(action, convention, args, result);
            }
            Action::Memory(function) => self.memory_function(function, args)?,
            Action::Process(process) => return self.process(process, args),
            Action::Verifier(verifier) => self.verifier(verifier, primitive, args, result)?,
            Action::Print(print) => self.print(print, args)?,
            Action::Show(show) => {
                self.show(show, args)?;
                Value::ZERO
            }
            Action::Attribute => self.attribute_refuses(args)?,
            Action::Math(function) => self.math(function, args)?,
            Action::Nothing => Value::ZERO,
            Action::ErrnoLocation => self.errno_location(),
        };
        self.finish(result, value);
        Ok(())
    }

    /// Hands over the result, cut to its type, and moves on.
    pub fn finish(&mut self, result: Option<Reg>, value: Value) {
        if let Some(reg) = result {
            let width = self.result_width(reg);
            let mut value = value;
            value.bits &= crate::value::mask(width);
            self.set(reg, value);
        }
        self.advance();
    }

    fn result_width(&mut self, reg: Reg) -> u16 {
        let id = self.frame_mut().function;
        self.width(self.function(id).type_of(reg))
    }

    /// An error code in the form the function reports it.
    pub fn report_code(&mut self, convention: Convention, code: i32) -> Value {
        let number = match convention {
            Convention::Code => code,
            Convention::C11 => codes::c11_result(code),
            Convention::Errno if code != 0 => {
                self.set_errno(code);
                -1
            }
            Convention::Errno | Convention::Void => 0,
        };
        Value::int(i128::from(number).cast_unsigned())
    }

    /// An argument as a pointer-wide value; undefined if the call has too few.
    pub fn arg(&mut self, args: Args<'_>, index: usize) -> Value {
        match args.get(index) {
            Some(&(ty, operand)) => self.operand(operand, self.width(ty)),
            None => Value::undefined(64),
        }
    }

    /// An argument on whose value something depends.
    pub fn number(&mut self, args: Args<'_>, index: usize) -> Result<u64> {
        match args.get(index) {
            Some(&(ty, operand)) => Ok(self.forced(operand, self.width(ty))?.bits as u64),
            None => self.unsupported(Unmodelled::TooFewArguments),
        }
    }

    /// What a thread that stands before this call waits for.
    pub fn pending_library(&mut self, primitive: Primitive, args: Args<'_>) -> Result<Pending> {
        match primitive.action() {
            Action::Sync(op, _) => self.pending_sync(op, args),
            Action::Thread(action, _) => self.pending_join(action, args),
            _ => Ok(Pending::Ready),
        }
    }

    /// Whether others can notice the call.
    pub fn is_visible_library(&mut self, primitive: Primitive, args: Args<'_>) -> bool {
        let shared = |exec: &Self, index: usize| {
            args.get(index).is_some_and(|&(_, operand)| exec.is_shared(operand))
        };
        match primitive.action() {
            // The others are the mutex of a wait, where a value goes, attributes, a time.
            Action::Sync(..) => (0..args.len()).any(|index| shared(self, index)),
            Action::Thread(action, _) => self.is_visible_thread(action) || shared(self, 0),
            Action::Memory(_) => shared(self, 0) || self.machine.reuses_addresses,
            Action::Verifier(verifier) => verifier == Verifier::AtomicBegin,
            Action::Print(_) => (0..args.len()).any(|index| shared(self, index)),
            Action::Attribute => shared(self, 0),
            Action::Process(_)
            | Action::Math(_)
            | Action::Show(_)
            | Action::Nothing
            | Action::ErrnoLocation => false,
        }
    }

    fn process(&mut self, process: Process, args: Args<'_>) -> Result<()> {
        match process {
            Process::AssertFail => {
                let pointer = self.arg(args, 0);
                let text = self.c_string(pointer).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                self.violation(ViolationKind::Assertion { text })
            }
            Process::Abort => self.violation(ViolationKind::Abort),
            Process::ReachError => self.violation(ViolationKind::ErrorCall),
            Process::Exit => {
                let code = self.number(args, 0)? as u32;
                self.exit_process(code.cast_signed())
            }
        }
    }

    fn verifier(
        &mut self,
        verifier: Verifier,
        primitive: Primitive,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> Result<Value> {
        match verifier {
            Verifier::Nondet => return self.arbitrary(primitive.name(), result),
            Verifier::Assume => {
                if self.number(args, 0)? == 0 {
                    self.record(EventKind::AssumeFailed, None, None);
                    return Err(Interrupt::Stuck(Stuck::Assume));
                }
            }
            Verifier::AtomicBegin => self.state.thread_mut(self.me).atomic_depth += 1,
            Verifier::AtomicEnd => {
                let thread = self.state.thread_mut(self.me);
                thread.atomic_depth = thread.atomic_depth.saturating_sub(1);
            }
            Verifier::Between => return self.between(args),
        }
        Ok(Value::ZERO)
    }

    fn arbitrary(&mut self, name: &str, result: Option<Reg>) -> Result<Value> {
        let Some(reg) = result else { return Ok(Value::ZERO) };
        let width = self.result_width(reg);
        let id = self.frame_mut().function;
        let ty = match self.function(id).type_of(reg) {
            float @ (Type::F32 | Type::F64) => float,
            _ => Type::Int(width),
        };
        Ok(Value::int(self.input_of(ty, InputSource::Call(name.to_owned()))?))
    }

    /// A value of a range, as the model of a library function gives it: 0 decides for the ordinary
    /// one, other numbers for those of the range, in order; the first of them is left out if it is
    /// the ordinary one.
    fn between(&mut self, args: Args<'_>) -> Result<Value> {
        let [ordinary, low, high] =
            [self.number(args, 0)?, self.number(args, 1)?, self.number(args, 2)?];
        let apart = u64::from(ordinary != low);
        let last = high.wrapping_sub(low).saturating_add(apart);
        let width = u16::try_from(u64::BITS - last.leading_zeros()).unwrap_or(64);
        let source = InputSource::Call(self.library_function());
        let choice = self.choice(ChoiceKind::Input { width, source });
        let decision = u64::try_from(self.decide(&choice)?).unwrap_or(0);
        let value = match decision {
            0 => ordinary,
            nth if nth <= last => low.wrapping_add(nth - apart),
            _ => ordinary,
        };
        let value = Value::int(u128::from(value));
        self.record(EventKind::Input(choice), None, Some((value, Type::Int(64))));
        Ok(value)
    }

    /// The library function that the program called, whose model is executed.
    fn library_function(&self) -> String {
        let frames = self.state.thread(self.me).frames.iter().rev();
        let functions = frames.map(|frame| self.function(frame.function));
        let outermost = functions.take_while(|function| function.library).last();
        let name = outermost.map_or("", |function| function.name.as_str());
        // What a function that prints leaves there.
        let is_own = name.starts_with("__unravel_");
        (if is_own { "errno" } else { name }).to_owned()
    }

    fn errno_location(&mut self) -> Value {
        let known = self.state.thread(self.me).errno;
        let id = known.unwrap_or_else(|| {
            let origin = Origin::Runtime("errno");
            let id = self.state.allocate(ObjectKind::ThreadLocal, 4, 4, origin, true);
            self.state.thread_mut(self.me).errno = Some(id);
            id
        });
        let base = self.state.object(id).map_or(0, |object| object.base);
        Value::pointer(base, id)
    }

    pub(crate) fn set_errno(&mut self, code: i32) {
        let pointer = self.errno_location();
        let pointer_bytes = self.machine.pointer_bytes();
        if let Some(object) = pointer.provenance.and_then(|id| self.state.object_mut(id)) {
            object.write(0, 4, pointer_bytes, Value::int(u128::from(code.cast_unsigned())));
        }
    }

    /// A function of numbers, computed; what it does not define or cannot represent sets `errno`.
    fn math(&mut self, function: Math, args: Args<'_>) -> Result<Value> {
        let ty = args.first().map_or(Type::F64, |&(ty, _)| ty);
        let mut bits = Vec::new();
        for index in 0..args.len() {
            bits.push(u128::from(self.number(args, index)?));
        }
        let Some(computed) = math::evaluate(function, ty, &bits) else {
            return self.unsupported(Unmodelled::TooFewArguments);
        };
        if let Some(code) = computed.errno {
            self.set_errno(code);
        }
        Ok(Value::int(computed.bits))
    }
}
