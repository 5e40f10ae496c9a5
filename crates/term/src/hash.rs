//! A fast hash for small keys, without a random seed.
//!
//! The standard map's hash withstands an adversary and costs several times as much. Keys here are
//! numbers that the program made itself. `rustc-hash` is the compiler's own hash for such keys; it
//! has no seed, so runs repeat exactly. Nothing iterates over these maps.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;
pub use rustc_hash::FxHashMap as FastMap;

/// The fast hash of one value.
pub fn hash_of<T: Hash>(value: &T) -> u64 {
    FxBuildHasher.hash_one(value)
}
