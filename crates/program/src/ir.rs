//! The data types of a [`Program`].
//!
//! The IR is LLVM's at `-O0` after `mem2reg`, made smaller and explicit:
//!
//! - **Registers are scalars.** Aggregates are flattened by the front end: a struct returned by
//!   value is several results, a load of one is several loads.
//! - **Blocks take parameters** where LLVM has φ-nodes.
//! - **Constants are bits.** An [`Operand::Int`] holds the bits of an integer, a float or an
//!   address; the instruction says how wide they are.
//! - **Library functions are instructions** ([`Op::Library`]): a call of a function that
//!   [`crate::library`] models names its primitive.
//! - **Unsupported is an instruction** ([`Op::Unsupported`]), so that it counts only if it is
//!   reached, and then with its place.
//!
//! Everything is plain data with public fields; ids are indices into the vectors of the program
//! or of the function.

use unravel_kinds::Untranslated;
use unravel_span::{Files, Span};

use crate::library::Primitive;
use crate::names::TypeId;
use crate::names::Types;

/// Index into [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// Index into [`Program::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// Index into [`Function::blocks`]; block 0 is the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

/// Index into [`Function::registers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg(pub u32);

/// Index into [`Program::sites`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);

/// A whole program: the hand-off type of the front end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Sizes and layout of the machine it was compiled for.
    pub target: Target,
    /// Source files that sites point into.
    pub files: Files,
    /// Debug types, for names such as `queue.slots[2].next`.
    pub types: Types,
    /// Places in the source; site 0 is "no place".
    pub sites: Vec<Site>,
    /// Variables with static storage, string literals included.
    pub globals: Vec<Global>,
    /// Functions with a body.
    pub functions: Vec<Function>,
    /// Functions that run before `main`, in order (`__attribute__((constructor))`).
    pub constructors: Vec<FunctionId>,
    /// Where execution begins.
    pub main: FunctionId,
    /// What `main` is called with: constants and addresses of globals. Missing ones are undefined.
    pub arguments: Vec<Operand>,
    /// What could not be represented at all and is not tied to one instruction
    /// (file-scope inline assembly, a destructor that would run after `main`).
    pub unsupported: Vec<Unsupported>,
}

/// The machine the program was compiled for; always little endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// 8, or 4 with `-m32`. Also the natural word: wider accesses are several steps.
    pub pointer_bytes: u8,
}

impl Target {
    /// Width of a pointer in bits.
    #[must_use]
    pub fn pointer_bits(self) -> u16 {
        u16::from(self.pointer_bytes) * 8
    }
}

/// Something that is not modelled, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unsupported {
    /// Where it stands.
    pub site: SiteId,
    /// What it is.
    pub what: Untranslated,
}

/// A place in the source, with the call it was inlined at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// File, line and column; `None` for code the compiler made up.
    pub span: Option<Span>,
    /// The C function it stands in.
    pub function: String,
    /// The call site, where the compiler inlined this function (`always_inline`).
    pub inlined_at: Option<SiteId>,
    /// The number of its instruction in a program that was built with hooks: what a recording
    /// names. Instructions with different numbers stand at different sites.
    pub hook: Option<u64>,
}

/// A variable with static storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Linker name.
    pub name: String,
    /// The name to show; differs for static locals (`count` instead of `next.count`).
    pub shown_name: String,
    /// Its debug type, if known.
    pub ty: Option<TypeId>,
    /// Where it is declared.
    pub site: SiteId,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Never written: a string literal or a `const` object.
    pub constant: bool,
    /// One instance per thread.
    pub thread_local: bool,
    /// Initial bytes; shorter than `size` if the rest is zero. `None`: an external variable that
    /// no file defines (its content is arbitrary).
    pub bytes: Option<Vec<u8>>,
    /// Addresses within the initial bytes, by offset, in order.
    pub relocations: Vec<Relocation>,
}

/// An address stored in a global's initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Byte offset of the address within the global.
    pub offset: u64,
    /// What it points to: [`Operand::Global`] or [`Operand::Function`].
    pub target: Operand,
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Linker name.
    pub name: String,
    /// Where it is defined.
    pub site: SiteId,
    /// The first registers, in order.
    pub params: Vec<Reg>,
    /// Scalar types of the results; empty for `void`, several for a flattened struct.
    pub returns: Vec<Type>,
    /// Takes further arguments (`...`): its last parameter is the address where they lie
    /// ([`crate::variadic`]).
    pub variadic: bool,
    /// Its body runs as one step (`__VERIFIER_atomic_*`).
    pub atomic: bool,
    /// A model of a library function: its steps are shown at the call in user code.
    pub library: bool,
    /// Wraps one operation, such as a lock: its steps are shown at the call, too
    /// ([`crate::wrappers`]).
    pub wrapper: bool,
    /// Registers, with their types.
    pub registers: Vec<Register>,
    /// Basic blocks; the first is the entry and has no parameters.
    pub blocks: Vec<Block>,
}

/// A register: assigned once on every way through an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its type.
    pub ty: Type,
}

/// Type of a scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// An integer of 1 to 128 bits.
    Int(u16),
    /// An address.
    Ptr,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
}

impl Type {
    /// Width in bits.
    #[must_use]
    pub fn bits(self, target: Target) -> u16 {
        match self {
            Type::Int(width) => width,
            Type::Ptr => target.pointer_bits(),
            Type::F32 => 32,
            Type::F64 => 64,
        }
    }

    /// Bytes it takes in memory.
    #[must_use]
    pub fn bytes(self, target: Target) -> u64 {
        u64::from(self.bits(target)).div_ceil(8)
    }
}

/// An argument of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// The bits of a constant, zero-extended; null is 0.
    Int(u128),
    /// The address of a global plus a byte offset (of this thread's instance if thread-local).
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FunctionId),
    /// No particular value (an uninitialized local). An input once something depends on it.
    Undef,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Registers assigned on entry, in parallel, from the arguments of the edge.
    pub params: Vec<Reg>,
    /// Straight-line code.
    pub instructions: Vec<Instruction>,
    /// Site of the terminator.
    pub end_site: SiteId,
    /// Where control goes.
    pub end: Terminator,
}

/// An instruction and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its place in the source.
    pub site: SiteId,
    /// What it does.
    pub op: Op,
}

/// A jump to a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The block.
    pub target: BlockId,
    /// Values of its parameters.
    pub args: Vec<Operand>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// A jump without a condition.
    Jump(Edge),
    /// On a one-bit condition.
    Branch {
        /// The condition.
        condition: Operand,
        /// Taken if 1.
        then: Edge,
        /// Taken if 0.
        otherwise: Edge,
    },
    /// On the value of an integer.
    Switch {
        /// The integer.
        value: Operand,
        /// Its width in bits.
        width: u16,
        /// Distinct values with their edges.
        cases: Vec<(u128, Edge)>,
        /// Taken if no case fits.
        default: Edge,
    },
    /// Back to the caller.
    Return(Vec<Operand>),
    /// Never reached in a program without undefined behaviour
    /// (the end of a non-void function, `__builtin_unreachable`).
    Unreachable,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Integer arithmetic, modulo 2^width.
    Binary {
        /// The register that gets the result.
        dst: Reg,
        /// The operation that is carried out.
        op: BinaryOp,
        /// Width in bits.
        width: u16,
        /// Left operand.
        lhs: Operand,
        /// Right operand.
        rhs: Operand,
        /// Signed wrap-around is undefined behaviour (LLVM's `nsw`).
        no_signed_wrap: bool,
    },
    /// Comparison of integers or addresses; the result has one bit.
    Compare {
        /// Result, `Int(1)`.
        dst: Reg,
        /// The comparison that is made.
        op: CompareOp,
        /// Type of the operands: `Int` or `Ptr`.
        ty: Type,
        /// Left operand.
        lhs: Operand,
        /// Right operand.
        rhs: Operand,
    },
    /// Integer operations with one or two operands that C reaches through builtins.
    Bits {
        /// Result; for the `…Overflow` operations the wrapped value.
        dst: Reg,
        /// For the `…Overflow` operations, whether it wrapped (`Int(1)`).
        overflow: Option<Reg>,
        /// The operation that is carried out.
        op: BitsOp,
        /// Width in bits.
        width: u16,
        /// Operands: one, two, or three for funnel shifts.
        args: Vec<Operand>,
    },
    /// A conversion of a value to another type.
    Cast {
        /// The register that gets the result.
        dst: Reg,
        /// The kind of conversion.
        op: CastOp,
        /// Type of the operand.
        from: Type,
        /// Type of the result.
        to: Type,
        /// The operand of the operation.
        value: Operand,
    },
    /// `condition ? then : otherwise` of two values already computed.
    Select {
        /// The register that gets the result.
        dst: Reg,
        /// One-bit condition.
        condition: Operand,
        /// Value if 1.
        then: Operand,
        /// Value if 0.
        otherwise: Operand,
    },
    /// A copy.
    Copy {
        /// The register that gets the result.
        dst: Reg,
        /// The value that is copied or written.
        value: Operand,
    },
    /// Floating point arithmetic and functions.
    Float {
        /// The register that gets the result.
        dst: Reg,
        /// The operation that is carried out.
        op: FloatOp,
        /// `F32` or `F64`.
        ty: Type,
        /// One, two or three operands.
        args: Vec<Operand>,
    },
    /// Floating point comparison; the result has one bit.
    FloatCompare {
        /// Result, `Int(1)`.
        dst: Reg,
        /// The comparison that is made.
        op: FloatCompareOp,
        /// `F32` or `F64`.
        ty: Type,
        /// Left operand.
        lhs: Operand,
        /// Right operand.
        rhs: Operand,
    },
    /// Address arithmetic: `base + constant + Σ index·scale`, modulo the pointer width.
    Offset {
        /// Result, `Ptr`.
        dst: Reg,
        /// Base address.
        base: Operand,
        /// Fixed part in bytes.
        constant: i64,
        /// Variable part: index (sign-extended from its width), its width, scale in bytes.
        terms: Vec<OffsetTerm>,
    },
    /// A new object in the frame, freed when the function returns, or by `EndLocal`.
    Alloca {
        /// Its address.
        dst: Reg,
        /// Bytes of one element.
        size: u64,
        /// Number of elements; not constant for a variable-length array.
        count: Operand,
        /// Alignment in bytes.
        align: u64,
        /// Name of the variable, if it has one.
        name: Option<String>,
        /// Its debug type, if known.
        ty: Option<TypeId>,
    },
    /// The block ends that declares a local: the object of the frame ends before its function does.
    EndLocal {
        /// Its address, as its `Alloca` gave it.
        address: Operand,
    },
    /// A read of memory.
    Load {
        /// The register that gets the result.
        dst: Reg,
        /// Type of the value.
        ty: Type,
        /// The address that is accessed.
        address: Operand,
        /// Plain, or atomic with an ordering.
        access: Access,
    },
    /// A write of memory.
    Store {
        /// Type of the value.
        ty: Type,
        /// The address that is accessed.
        address: Operand,
        /// The value that is copied or written.
        value: Operand,
        /// Plain, or atomic with an ordering.
        access: Access,
    },
    /// An atomic read-modify-write; one step.
    ReadModifyWrite {
        /// The old value.
        dst: Reg,
        /// The operation that is carried out.
        op: RmwOp,
        /// Type of the value.
        ty: Type,
        /// The address that is accessed.
        address: Operand,
        /// The operand of the operation.
        value: Operand,
        /// The memory ordering of the access.
        ordering: Ordering,
    },
    /// An atomic compare-and-swap; one step.
    CompareExchange {
        /// The old value.
        old: Reg,
        /// Whether it was swapped, `Int(1)`.
        success: Reg,
        /// Type of the value.
        ty: Type,
        /// The address that is accessed.
        address: Operand,
        /// Swap if the old value equals this.
        expected: Operand,
        /// New value.
        new: Operand,
        /// May fail although the values are equal; that it does is an input.
        weak: bool,
        /// Ordering on success.
        on_success: Ordering,
        /// Ordering on failure.
        on_failure: Ordering,
    },
    /// A fence between threads.
    Fence {
        /// The memory ordering of the access.
        ordering: Ordering,
    },
    /// `memcpy` or `memmove`: not one step where the memory is shared.
    MemoryCopy {
        /// Destination address.
        to: Operand,
        /// Source address.
        from: Operand,
        /// Number of bytes, of pointer width.
        length: Operand,
        /// The ranges may overlap.
        may_overlap: bool,
        /// Most bytes that are copied in one step.
        unit: u8,
    },
    /// `memset`.
    MemorySet {
        /// Destination address.
        to: Operand,
        /// The byte, as an 8-bit value.
        byte: Operand,
        /// Number of bytes, of pointer width.
        length: Operand,
        /// Most bytes that are set in one step.
        unit: u8,
    },
    /// A call of a function of the program.
    Call {
        /// Results, as many as the callee returns.
        results: Vec<Reg>,
        /// Who is called.
        callee: FunctionId,
        /// Arguments, as many as the callee has parameters.
        args: Vec<Operand>,
    },
    /// A call through a pointer.
    CallIndirect {
        /// The registers that get the results.
        results: Vec<Reg>,
        /// The address of the function.
        callee: Operand,
        /// Arguments, with their types, since a call through a wrong type is undefined.
        args: Vec<(Type, Operand)>,
    },
    /// A call of a modelled library function.
    Library {
        /// The result, if it is used and not `void`.
        result: Option<Reg>,
        /// Which function.
        primitive: Primitive,
        /// Arguments with their types (variadic ones included).
        args: Vec<(Type, Operand)>,
    },
    /// A call of a function that neither the program nor the library model defines:
    /// returns an arbitrary value, and is listed under *not modelled*.
    External {
        /// The results, each an input.
        results: Vec<Reg>,
        /// Its name.
        name: String,
        /// Arguments with their types.
        args: Vec<(Type, Operand)>,
    },
    /// A local variable that lives in registers has this value from here on. For reports only.
    Variable {
        /// Its name.
        name: String,
        /// Its value.
        value: Operand,
        /// Type of the value.
        ty: Type,
    },
    /// Something that is not modelled. A run that reaches it ends there, undecided.
    Unsupported {
        /// Registers it would have assigned.
        results: Vec<Reg>,
        /// What it is.
        what: Untranslated,
    },
}

/// One variable part of an [`Op::Offset`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetTerm {
    /// The index.
    pub index: Operand,
    /// Its width in bits; it is sign-extended.
    pub width: u16,
    /// Bytes per unit.
    pub scale: i64,
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// An ordinary access.
    Plain,
    /// An access to a `volatile` object: ordinary as far as races are concerned.
    Volatile,
    /// An atomic access.
    Atomic(Ordering),
}

/// Memory ordering of an atomic access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordering {
    /// `memory_order_relaxed` (and LLVM's `unordered`).
    Relaxed,
    /// `memory_order_acquire` and `consume`.
    Acquire,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcquireRelease,
    /// `memory_order_seq_cst`.
    SequentiallyConsistent,
}

impl Ordering {
    /// Whether a read with this ordering acquires.
    #[must_use]
    pub fn acquires(self) -> bool {
        !matches!(self, Ordering::Relaxed | Ordering::Release)
    }

    /// Whether a write with this ordering releases.
    #[must_use]
    pub fn releases(self) -> bool {
        !matches!(self, Ordering::Relaxed | Ordering::Acquire)
    }
}

/// Integer arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    /// C's `<<` of a signed number: `Shl`, undefined if the left operand is negative or the result
    /// does not fit (C11 6.5.7p4).
    SignedShl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// Integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum CompareOp {
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
}

/// Integer operations behind builtins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's intrinsics")]
pub enum BitsOp {
    PopCount,
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    FunnelShiftLeft,
    FunnelShiftRight,
    Abs,
    SMin,
    SMax,
    UMin,
    UMax,
    SAddOverflow,
    UAddOverflow,
    SSubOverflow,
    USubOverflow,
    SMulOverflow,
    UMulOverflow,
    SAddSat,
    UAddSat,
    SSubSat,
    USubSat,
}

/// Kinds of conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastOp {
    /// Cut off high bits.
    Truncate,
    /// Extend with zeros.
    ZeroExtend,
    /// Extend with the sign.
    SignExtend,
    /// Address to integer.
    PtrToInt,
    /// Integer to address.
    IntToPtr,
    /// Same bits, other type.
    Bitcast,
    /// Float to signed integer, toward zero.
    FloatToSigned,
    /// Float to unsigned integer, toward zero.
    FloatToUnsigned,
    /// Signed integer to float.
    SignedToFloat,
    /// Unsigned integer to float.
    UnsignedToFloat,
    /// Between float widths.
    FloatToFloat,
}

/// Floating point operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's and libm's")]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    Rint,
    MulAdd,
    Min,
    Max,
    CopySign,
}

/// Floating point comparison: ordered predicates are false, unordered ones true, on a NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum FloatCompareOp {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// Atomic read-modify-write operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
}

impl Program {
    /// The function behind an id.
    ///
    /// Ids come from the program itself, so the index is in range by construction; a wrong id is
    /// a bug of the front end that [`crate::validate`] reports before anything runs.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// Of calls in progress, innermost last, the one whose place is shown for what the innermost
    /// does: not one of a library function, nor, if there is another, of a wrapper.
    pub fn shown<'f, F>(
        &self,
        calls: &'f [F],
        function: impl Fn(&F) -> FunctionId,
    ) -> Option<&'f F> {
        let is_user = |call: &&F| !self.function(function(*call)).library;
        let is_wrapper = |call: &&F| self.function(function(*call)).wrapper;
        let mut users = calls.iter().rev().filter(is_user);
        users.find(|it| !is_wrapper(it)).or_else(|| calls.iter().rfind(is_user))
    }

    /// The global behind an id.
    #[must_use]
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    /// The site behind an id.
    #[must_use]
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }

    /// A function by its linker name.
    #[must_use]
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let index = self.functions.iter().position(|function| function.name == name)?;
        u32::try_from(index).ok().map(FunctionId)
    }
}

impl Function {
    /// The block behind an id.
    #[must_use]
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// Type of a register.
    #[must_use]
    pub fn type_of(&self, reg: Reg) -> Type {
        self.registers[reg.0 as usize].ty
    }
}

impl Terminator {
    /// All edges, in order.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        let mut edges = Vec::new();
        match self {
            Terminator::Jump(edge) => edges.push(edge),
            Terminator::Branch { then, otherwise, .. } => edges.extend([then, otherwise]),
            Terminator::Switch { cases, default, .. } => {
                edges.extend(cases.iter().map(|(_, edge)| edge));
                edges.push(default);
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
        edges.into_iter()
    }
}
