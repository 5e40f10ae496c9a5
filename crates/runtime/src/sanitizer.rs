//! Sanitizers of clang beside us, AddressSanitizer above all.
//!
//! They take over functions of the C library, too, under names that give way to ours. So where we pass a
//! call on, it goes to theirs, which stand under a second name (`__interceptor_malloc`). The heap is
//! AddressSanitizer's then, in controlled runs as well: its blocks are the ones with poisoned edges. And
//! what we copy for the program, which its own code does not do any more, is shown to it.

use core::arch::asm;
use core::ffi::CStr;

use unravel_wire::Kind;
use unravel_wire::record::Ending;

use crate::posix::counts;
use crate::token;

/// Most bytes of a name.
const LONGEST: usize = 96;
/// What their functions are called, before the name of the function that they stand for.
const PREFIX: &[u8] = b"__interceptor_";

/// The address of a function that may be missing: 0 then.
macro_rules! weak {
    ($name:literal) => {{
        let address: usize;
        // SAFETY: reads the linker's entry for the name.
        unsafe {
            asm!(concat!(".weak ", $name), concat!("mov {}, qword ptr [rip + ", $name, "@GOTPCREL]"), out(reg) address,
                options(nostack, pure, readonly, preserves_flags));
        }
        address
    }};
}

/// Whether AddressSanitizer is part of the program.
#[inline]
fn has_address_sanitizer() -> bool {
    weak!("__asan_init") != 0
}

/// Lets them begin, and asks to be told when one of them ends the process. Called before anything else:
/// their functions want to be called when they have begun.
pub fn begin() {
    let init = weak!("__asan_init");
    if init != 0 {
        // SAFETY: their function, without arguments; a second call does nothing.
        unsafe { core::mem::transmute::<usize, unsafe extern "C" fn()>(init)() };
    }
    let set = weak!("__sanitizer_set_death_callback");
    if set != 0 {
        // SAFETY: their function, with a function of ours.
        unsafe {
            core::mem::transmute::<usize, unsafe extern "C" fn(extern "C" fn())>(set)(at_end);
        };
    }
}

/// One of them has reported something, and ends the process.
extern "C" fn at_end() {
    if counts() {
        let last = token::event(Kind::Ending, token::call_site());
        token::end_with(last.numbered(Ending::Sanitizer as u32));
    }
}

/// Their function in place of one of the C library; 0 if there is none.
pub fn replacement(name: &CStr) -> usize {
    if !has_address_sanitizer() {
        return 0;
    }
    let name = name.to_bytes();
    let mut whole = [0_u8; LONGEST];
    let Some(place) = whole.get_mut(..PREFIX.len() + name.len()) else { return 0 };
    let (prefix, rest) = place.split_at_mut(PREFIX.len());
    prefix.copy_from_slice(PREFIX);
    rest.copy_from_slice(name);
    // SAFETY: a text that ends in NUL, since the room behind the name is not used.
    unsafe { crate::real::anywhere(whole.as_ptr().cast()) }
}

macro_rules! heap {
    ($($(#[$doc:meta])* $name:ident, $theirs:literal, $plain:ident ($($value:ident),*) $(-> $result:ty)?;)*) => {
        unsafe extern "C" {
            $(fn $plain($($value: usize),*) $(-> $result)?;)*
        }
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// As for the function of the C library.
            pub unsafe fn $name($($value: usize),*) $(-> $result)? {
                let theirs = weak!($theirs);
                // SAFETY: as the caller says; both functions have the same type.
                unsafe {
                    if theirs == 0 {
                        return $plain($($value),*);
                    }
                    core::mem::transmute::<usize, unsafe extern "C" fn($(heap!(@ $value)),*) $(-> $result)?>(theirs)($($value),*)
                }
            }
        )*
    };
    (@ $value:ident) => { usize };
}

heap! {
    /// `malloc` of who has the heap.
    malloc, "__interceptor_malloc", __libc_malloc(size) -> usize;
    /// `calloc` of who has the heap.
    calloc, "__interceptor_calloc", __libc_calloc(count, size) -> usize;
    /// `realloc` of who has the heap.
    realloc, "__interceptor_realloc", __libc_realloc(block, size) -> usize;
    /// `memalign` of who has the heap.
    memalign, "__interceptor_memalign", __libc_memalign(align, size) -> usize;
    /// `free` of who has the heap.
    free, "__interceptor_free", __libc_free(block);
}

/// Whether the heap is a sanitizer's.
#[must_use]
pub fn has_heap() -> bool {
    weak!("__interceptor_malloc") != 0
}

/// We read memory for the program: AddressSanitizer reports what is wrong with that.
#[inline]
pub fn reads(address: usize, bytes: usize) {
    let check = weak!("__asan_loadN");
    if check != 0 {
        show(check, address, bytes);
    }
}

/// The same for a write.
#[inline]
pub fn writes(address: usize, bytes: usize) {
    let check = weak!("__asan_storeN");
    if check != 0 {
        show(check, address, bytes);
    }
}

#[cold]
fn show(check: usize, address: usize, bytes: usize) {
    // SAFETY: their function, which takes an address and a number of bytes, and touches neither.
    unsafe {
        core::mem::transmute::<usize, unsafe extern "C" fn(usize, usize)>(check)(address, bytes)
    }
}
