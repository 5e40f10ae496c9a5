//! Attribute objects: what `pthread_mutexattr_t` and its kind hold.
//!
//! They are memory like any other, so a copy keeps the settings and every access is checked: the
//! functions that set and read them are code (`threads.c`). An object's first word has one setting in
//! byte 0 and, in byte 3, a tag that says what it is. Whoever is given an attribute object (an
//! initialization, `pthread_create`) looks at these two bytes. The tag is ours: glibc keeps none, and
//! POSIX leaves open what happens to an object that was not initialized.

use crate::Class;

/// The byte with the setting that matters: the kind of a lock, whether threads are detached.
pub const SETTING_AT: u64 = 0;
/// The byte with the tag.
pub const TAG_AT: u64 = 3;
/// Bytes that are looked at.
pub const BYTES: u64 = 4;
/// The tag of an object that was destroyed.
pub const DESTROYED: u8 = 0xaf;
/// The tag of thread attributes.
pub const THREAD: u8 = 0xa5;

/// The tag of the attributes that an initialization of such an object takes, if it takes any.
#[must_use]
pub fn tag(class: Class) -> Option<u8> {
    match class {
        Class::Mutex => Some(0xa1),
        Class::Cond => Some(0xa2),
        Class::Rw => Some(0xa3),
        Class::Barrier => Some(0xa4),
        Class::Spin | Class::Once | Class::Sem => None,
    }
}
