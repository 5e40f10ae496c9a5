//! The functions of the C library that the runtime has taken over, as they really are.
//!
//! They are looked up when they are first needed, in the libraries behind the program.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::sys;

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlvsym(handle: *mut c_void, name: *const c_char, version: *const c_char) -> *mut c_void;
    fn __errno_location() -> *mut c_int;
}

/// "The next one after mine" (`RTLD_NEXT`).
const NEXT: *mut c_void = usize::MAX as *mut c_void;

/// A function that is looked up once.
pub struct Real {
    name: &'static CStr,
    version: Option<&'static CStr>,
    address: AtomicUsize,
}

impl Real {
    /// The function of this name.
    #[must_use]
    pub const fn new(name: &'static CStr) -> Real {
        Real { name, version: None, address: AtomicUsize::new(0) }
    }

    /// The function of this name and version: of condition variables glibc has two kinds, and the
    /// old one is found first.
    #[must_use]
    pub const fn versioned(name: &'static CStr, version: &'static CStr) -> Real {
        Real { name, version: Some(version), address: AtomicUsize::new(0) }
    }

    /// Its address.
    pub fn address(&self) -> usize {
        let known = self.address.load(Ordering::Relaxed);
        if known != 0 {
            return known;
        }
        #[cfg(feature = "exports")]
        let found = crate::sanitizer::replacement(self.name);
        #[cfg(not(feature = "exports"))]
        let found = 0;
        let found = if found == 0 { self.behind_us() } else { found };
        self.address.store(found, Ordering::Relaxed);
        found
    }

    /// Its address in the libraries behind the program.
    fn behind_us(&self) -> usize {
        // SAFETY: both names end in NUL.
        let found = unsafe {
            match self.version {
                Some(version) => dlvsym(NEXT, self.name.as_ptr(), version.as_ptr()),
                None => dlsym(NEXT, self.name.as_ptr()),
            }
        };
        if found.is_null() {
            self.is_missing();
        }
        found as usize
    }

    /// The program calls a function that its C library has not.
    #[cold]
    fn is_missing(&self) -> ! {
        sys::complain(b"unravel: the C library has no function ");
        sys::complain(self.name.to_bytes());
        sys::complain(b"\n");
        sys::raise(6);
        sys::exit_now(134)
    }
}

/// The address of a function wherever it is; 0 if it is nowhere.
///
/// # Safety
/// The name ends in NUL.
#[cfg(feature = "exports")]
pub unsafe fn anywhere(name: *const c_char) -> usize {
    // SAFETY: as the caller says.
    unsafe { dlsym(core::ptr::null_mut(), name) as usize }
}

/// Sets the calling thread's `errno`.
pub fn set_errno(code: i32) {
    // SAFETY: the C library gives the address of an `int` of this thread.
    unsafe { *__errno_location() = code };
}

/// Calls a real function: `real!("pthread_join"(thread: usize, result: *mut usize) -> i32)`.
#[macro_export]
macro_rules! real {
    ($name:literal @ $version:literal ($($value:expr => $ty:ty),*) $(-> $result:ty)?) => {{
        static REAL: $crate::real::Real = $crate::real::Real::versioned(
            // The literal ends in the NUL that is put here.
            match core::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) { Ok(it) => it, Err(_) => c"" },
            match core::ffi::CStr::from_bytes_with_nul(concat!($version, "\0").as_bytes()) { Ok(it) => it, Err(_) => c"" },
        );
        let function: unsafe extern "C" fn($($ty),*) $(-> $result)? =
            core::mem::transmute(REAL.address());
        function($($value),*)
    }};
    ($name:literal ($($value:expr => $ty:ty),*) $(-> $result:ty)?) => {{
        static REAL: $crate::real::Real = $crate::real::Real::new(
            match core::ffi::CStr::from_bytes_with_nul(concat!($name, "\0").as_bytes()) { Ok(it) => it, Err(_) => c"" },
        );
        let function: unsafe extern "C" fn($($ty),*) $(-> $result)? =
            core::mem::transmute(REAL.address());
        function($($value),*)
    }};
}
