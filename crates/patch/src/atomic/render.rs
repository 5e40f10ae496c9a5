//! Atomic operations as C writes them: the builtins of GCC and Clang for plain variables, the
//! functions of `<stdatomic.h>` for those declared atomic, which the builtins do not take.

use unravel_span::Edit;

use super::operation::Op;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST)`.
    Builtin,
    /// `atomic_fetch_add(&x, 1)`.
    Standard,
}

const ORDER: &str = "__ATOMIC_SEQ_CST";

impl Dialect {
    /// An atomic read.
    #[must_use]
    pub fn load(self, address: &str) -> String {
        match self {
            Dialect::Builtin => format!("__atomic_load_n({address}, {ORDER})"),
            Dialect::Standard => format!("atomic_load({address})"),
        }
    }

    /// An atomic write.
    #[must_use]
    pub fn store(self, address: &str, value: &str) -> String {
        match self {
            Dialect::Builtin => format!("__atomic_store_n({address}, {value}, {ORDER})"),
            Dialect::Standard => format!("atomic_store({address}, {value})"),
        }
    }

    /// Writes and gives the old value.
    #[must_use]
    pub fn exchange(self, address: &str, value: &str) -> String {
        match self {
            Dialect::Builtin => format!("__atomic_exchange_n({address}, {value}, {ORDER})"),
            Dialect::Standard => format!("atomic_exchange({address}, {value})"),
        }
    }

    /// Updates and gives the old value.
    #[must_use]
    pub fn fetch(self, op: Op, address: &str, by: &str) -> String {
        let word = op.word;
        match self {
            Dialect::Builtin => format!("__atomic_fetch_{word}({address}, {by}, {ORDER})"),
            Dialect::Standard => format!("atomic_fetch_{word}({address}, {by})"),
        }
    }

    /// Updates and gives the new value. The standard has no function for it; `by` is written twice.
    #[must_use]
    pub fn updated(self, op: Op, address: &str, by: &str) -> String {
        let (word, sign) = (op.word, op.sign);
        let is_word = by.chars().all(|c| c.is_alphanumeric() || c == '_');
        let again = if is_word { by.to_owned() } else { format!("({by})") };
        match self {
            Dialect::Builtin => format!("__atomic_{word}_fetch({address}, {by}, {ORDER})"),
            Dialect::Standard => format!("(atomic_fetch_{word}({address}, {by}) {sign} {again})"),
        }
    }

    /// Writes if the value is the one that a local holds.
    #[must_use]
    pub fn compare_exchange(self, address: &str, expected: &str, value: &str) -> String {
        match self {
            Dialect::Builtin => format!(
                "__atomic_compare_exchange_n({address}, &{expected}, {value}, 0, {ORDER}, {ORDER})"
            ),
            Dialect::Standard => {
                format!("atomic_compare_exchange_strong({address}, &{expected}, {value})")
            }
        }
    }
}

/// Whether an edit of [`atomic`](super::atomic) writes an operation that reads and writes in one step.
#[must_use]
pub fn is_update(edit: &Edit) -> bool {
    ["fetch", "exchange", "compare_and_swap"].iter().any(|it| edit.text.contains(it))
}
