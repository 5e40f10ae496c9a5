//! The runtime, as an object file for the linker.

/// The object.
#[must_use]
pub fn object() -> &'static [u8] {
    include_bytes!(concat!(env!("OUT_DIR"), "/runtime.o"))
}
