//! Kinds of violation.

use crate::{Misuse, ObjectName, Property, Variable};

/// How a property was violated, with the data that a message needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A failed `assert`.
    Assertion {
        /// The text of its condition.
        text: String,
    },
    /// A call of `abort`.
    Abort,
    /// A call of `reach_error` or `__VERIFIER_error`.
    ErrorCall,
    /// An access through a null pointer.
    NullDereference,
    /// An access outside of its object.
    OutOfBounds {
        /// The size of the access.
        bytes: u64,
        /// Where it begins.
        offset: i64,
        /// The object that its pointer belongs to.
        object: ObjectName,
        /// The size of that object.
        size: u64,
    },
    /// An access to a heap block that was freed.
    UseAfterFree,
    /// An access to a local variable of a function that has returned.
    UseAfterReturn,
    /// An access to a thread-local variable of a thread that has ended.
    UseAfterExit,
    /// A second `free` of one block.
    DoubleFree,
    /// A `free` of something that is no heap block.
    InvalidFree {
        /// The object that its pointer leads into, if there is one.
        into: Option<ObjectName>,
    },
    /// An access through a pointer that was never set.
    UninitializedPointer,
    /// An access through a number that is no object's address.
    WildPointer,
    /// A write to a constant.
    WriteToConstant {
        /// The constant.
        object: ObjectName,
    },
    /// An access to memory that holds no data, such as a function.
    BadAccess,
    /// A call through a pointer that is no function.
    BadCall {
        /// The call creates a thread.
        creates_thread: bool,
    },
    /// Threads that wait for each other in a circle.
    LockCycle {
        /// The threads, each waiting for the next.
        threads: Vec<u32>,
    },
    /// No thread can step, and some have not ended.
    NoProgress {
        /// The threads that wait.
        threads: Vec<u32>,
    },
    /// Some threads turn loops in which nothing changes, the others wait, and none can ever let
    /// another go.
    Hang {
        /// The threads that wait.
        waiting: Vec<u32>,
        /// The threads that turn loops; at least one.
        spinning: Vec<u32>,
    },
    /// Misuse of a synchronization object or a thread.
    Misuse {
        /// What is wrong.
        what: Misuse,
        /// The object; a thread has no name.
        object: Option<Variable>,
    },
    /// A plain write over a synchronization object that is in use.
    OverwriteInUse {
        /// The object.
        object: Variable,
    },
    /// Two accesses that nothing orders.
    DataRace {
        /// The memory that they access.
        variable: Variable,
        /// The second access writes.
        writes: bool,
    },
    /// Arithmetic without a defined result.
    Undefined(Undefined),
    /// The end of a function without a return, or `__builtin_unreachable`.
    Unreachable,
}

/// Arithmetic without a defined result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Undefined {
    /// Division or remainder by zero. There is no result.
    DivisionByZero,
    /// `MIN / -1`. There is no result.
    DivisionOverflow,
    /// A shift by the width or more.
    ShiftOutOfRange,
    /// A left shift of a negative number, or one whose result does not fit its signed type.
    LeftShift,
    /// A signed result that does not fit.
    SignedOverflow,
    /// A floating point number whose integer part does not fit the type it is converted to.
    Conversion,
}

impl Undefined {
    /// All of them.
    pub const ALL: [Undefined; 6] = [
        Undefined::DivisionByZero,
        Undefined::DivisionOverflow,
        Undefined::ShiftOutOfRange,
        Undefined::LeftShift,
        Undefined::SignedOverflow,
        Undefined::Conversion,
    ];

    /// The word for it in JSON.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Undefined::DivisionByZero => "division-by-zero",
            Undefined::DivisionOverflow => "division-overflow",
            Undefined::ShiftOutOfRange => "shift-out-of-range",
            Undefined::LeftShift => "left-shift",
            Undefined::SignedOverflow => "signed-overflow",
            Undefined::Conversion => "float-conversion",
        }
    }
}

impl ViolationKind {
    /// The same with other names of variables.
    #[must_use]
    pub fn renamed(&self, rename: &impl Fn(&Variable) -> Variable) -> ViolationKind {
        match self {
            ViolationKind::Misuse { what, object } => {
                ViolationKind::Misuse { what: *what, object: object.as_ref().map(rename) }
            }
            ViolationKind::OverwriteInUse { object } => {
                ViolationKind::OverwriteInUse { object: rename(object) }
            }
            ViolationKind::DataRace { variable, writes } => {
                ViolationKind::DataRace { variable: rename(variable), writes: *writes }
            }
            other => other.clone(),
        }
    }

    /// The property that it violates.
    #[must_use]
    pub fn property(&self) -> Property {
        match self {
            ViolationKind::Assertion { .. } | ViolationKind::Abort | ViolationKind::ErrorCall => {
                Property::Reach
            }
            ViolationKind::LockCycle { .. }
            | ViolationKind::NoProgress { .. }
            | ViolationKind::Hang { .. } => Property::Deadlock,
            ViolationKind::Misuse { .. } | ViolationKind::OverwriteInUse { .. } => Property::Misuse,
            ViolationKind::DataRace { .. } => Property::Race,
            ViolationKind::Undefined(_) | ViolationKind::Unreachable => Property::Ub,
            _ => Property::Memory,
        }
    }

    /// The stable word of a report's `error[…]`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ViolationKind::Assertion { .. } => "assertion",
            ViolationKind::Abort => "abort",
            ViolationKind::ErrorCall => "error-call",
            ViolationKind::NullDereference => "null-dereference",
            ViolationKind::OutOfBounds { .. } => "out-of-bounds",
            ViolationKind::UseAfterFree => "use-after-free",
            ViolationKind::UseAfterReturn => "use-after-return",
            ViolationKind::UseAfterExit => "use-after-exit",
            ViolationKind::DoubleFree => "double-free",
            ViolationKind::InvalidFree { .. } => "invalid-free",
            ViolationKind::UninitializedPointer => "uninitialized-pointer",
            ViolationKind::WildPointer => "wild-pointer",
            ViolationKind::WriteToConstant { .. } => "write-to-constant",
            ViolationKind::BadAccess => "bad-access",
            ViolationKind::BadCall { .. } => "bad-call",
            ViolationKind::LockCycle { .. } => "lock-cycle",
            ViolationKind::NoProgress { .. } => "no-progress",
            ViolationKind::Hang { .. } => "hang",
            ViolationKind::Misuse { what, .. } => what.code(),
            ViolationKind::OverwriteInUse { .. } => Misuse::InitInUse.code(),
            ViolationKind::DataRace { .. } => "data-race",
            ViolationKind::Undefined(what) => what.code(),
            ViolationKind::Unreachable => "unreachable",
        }
    }

    /// Whether a pointer led nowhere: it is null, was never set, or is no object's address.
    #[must_use]
    pub fn is_bad_pointer(&self) -> bool {
        matches!(
            self,
            ViolationKind::NullDereference
                | ViolationKind::UninitializedPointer
                | ViolationKind::WildPointer
        )
    }

    /// One of every kind, with all that an enumeration of its own distinguishes.
    ///
    /// What a report can show, `unravel explain` must know and every format must render: tests go
    /// over this list. The `match` of [`ViolationKind::code`] reminds whoever adds a kind.
    #[must_use]
    pub fn examples() -> Vec<ViolationKind> {
        let object = || ObjectName::Variable("table".to_owned());
        let block = ObjectName::HeapBlock { bytes: 16, line: 7 };
        let variable = || Variable::Named("lock".to_owned());
        let heap = Variable::Heap { line: 7, nth: 2, offset: 8 };
        let mut all = vec![
            ViolationKind::Assertion { text: "x == 1".to_owned() },
            ViolationKind::Abort,
            ViolationKind::ErrorCall,
            ViolationKind::NullDereference,
            ViolationKind::OutOfBounds { bytes: 4, offset: -4, object: object(), size: 8 },
            ViolationKind::OutOfBounds { bytes: 1, offset: 16, object: block, size: 16 },
            ViolationKind::UseAfterFree,
            ViolationKind::UseAfterReturn,
            ViolationKind::UseAfterExit,
            ViolationKind::DoubleFree,
            ViolationKind::InvalidFree { into: None },
            ViolationKind::InvalidFree { into: Some(object()) },
            ViolationKind::UninitializedPointer,
            ViolationKind::WildPointer,
            ViolationKind::WriteToConstant { object: object() },
            ViolationKind::BadAccess,
            ViolationKind::BadCall { creates_thread: false },
            ViolationKind::BadCall { creates_thread: true },
            ViolationKind::LockCycle { threads: vec![1] },
            ViolationKind::LockCycle { threads: vec![1, 2] },
            ViolationKind::NoProgress { threads: vec![0] },
            ViolationKind::NoProgress { threads: vec![0, 1, 2] },
            ViolationKind::Hang { waiting: vec![], spinning: vec![0] },
            ViolationKind::Hang { waiting: vec![1], spinning: vec![0, 2] },
            ViolationKind::OverwriteInUse { object: variable() },
            ViolationKind::DataRace { variable: variable(), writes: true },
            ViolationKind::DataRace { variable: heap, writes: false },
            ViolationKind::Unreachable,
        ];
        let misuse = |what| ViolationKind::Misuse { what, object: Some(variable()) };
        all.extend(Misuse::ALL.map(misuse));
        all.extend(Undefined::ALL.map(ViolationKind::Undefined));
        all
    }
}
