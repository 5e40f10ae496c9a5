//! The parts of C that a program can use, one name each.

/// Declares the enum, the list of all its members and their names together,
/// so that the three cannot drift apart.
macro_rules! features {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// A part of the language or the library that a program uses.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs)] // the names say what they are
        pub enum Feature { $($(#[$doc])* $name),* }

        impl Feature {
            /// Every feature, in the order of declaration.
            pub const ALL: &'static [Feature] = &[$(Feature::$name),*];

            /// The name, as written in the source.
            pub fn name(self) -> &'static str {
                match self { $(Feature::$name => stringify!($name)),* }
            }
        }
    };
}

features! {
    // Integer types and literals.
    Bool, PlainChar, SignedChar, UnsignedChar, Short, UnsignedShort, Int, UnsignedInt,
    Long, UnsignedLong, LongLong, UnsignedLongLong, Int128, UnsignedInt128,
    FixedWidthTypedef, BitField, Enum, ExtremeLiteral,
    // Operators and conversions.
    SimpleAssign, CompoundAssign, PreIncDec, PostIncDec, Ternary, Comma, ShortCircuit,
    Shift, Comparison, UnaryMinus, BitNot, LogicNot, BitwiseOp, Division, Remainder,
    WrappedArithmetic, NativeArithmetic, GuardedHelper, ImplicitConversion, ExplicitCast,
    SignExtension, Truncation, Sizeof,
    // Aggregates.
    Struct, NestedStruct, StructParam, StructReturn, SmallStruct, LargeStruct, FloatInStruct,
    UnionPunning, Array1D, Array2D, ArrayOfStructs, StructCopy, CompoundLiteral,
    DesignatedInit, StaticLocal, ConstTable, GlobalPointerInit, StringLiteral,
    // Pointers.
    PointerToLocal, PointerToGlobal, PointerToElement, PointerToField, PointerArithmetic,
    PointerDifference, PointerCompare, CharWalk, PointerToPointer, UintptrRoundTrip,
    FunctionPointerTable, FunctionPointerParam, VoidPointer, PointerParam,
    // Control flow.
    If, Else, While, DoWhile, For, Switch, SwitchFallthrough, SwitchDefault, GotoForward,
    GotoBackward, Break, Continue, NestedLoop, Recursion, VariableLengthArray, ComputedBound,
    // Functions.
    PureCall, ImpureCall, Inline, StaticInline, AlwaysInline, VariadicCall,
    // Heap.
    Malloc, Calloc, Realloc, Free, LinkedList,
    // Library functions.
    Memcpy, Memmove, Memset, Memcmp, Strlen, Strcmp, Strncmp, Strcpy, Strncpy, Strcat, Strchr,
    Strrchr, Snprintf, Sprintf, Puts, Putchar, Printf, Abs, Labs, Atoi, Strtol,
    // Directives of the printf family.
    FmtD, FmtI, FmtU, FmtLowerX, FmtUpperX, FmtO, FmtC, FmtS, FmtLd, FmtLld, FmtLu, FmtLlu,
    FmtHhd, FmtHd, FmtZu, FmtWidth, FmtLeft, FmtZero, FmtPlus, FmtPrecisionS, FmtStar,
    FmtAlternate, FmtPercent, FmtF, FmtPrecisionF, FmtE, FmtG,
    // Floating point.
    FloatArithmetic, DoubleArithmetic, FloatCompare, IntToFloat, FloatToInt, FloatToDouble,
    DoubleToFloat, Fabs, Sqrt, Floor, Ceil,
    // Atomics and storage classes.
    AtomicC11, AtomicGnu, AtomicSync, AtomicWidth1, AtomicWidth2, AtomicWidth4, AtomicWidth8,
    AtomicLoad, AtomicStore, AtomicExchange, AtomicFetchAdd, AtomicFetchSub, AtomicFetchAnd,
    AtomicFetchOr, AtomicFetchXor, AtomicFetchNand, AtomicCompareExchange,
    ThreadLocal, StaticGlobal, ExternalGlobal, Volatile,
    // Compiler builtins.
    Popcount, Clz, Ctz, Bswap16, Bswap32, Bswap64, Expect, AddOverflow, SubOverflow,
    MulOverflow, Parity,
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
