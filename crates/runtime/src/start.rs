//! The start of the program: is there a recorder?

use core::sync::atomic::Ordering;

use unravel_wire::{Control, MAGIC, VERSION, control};

use crate::{create, ends, real, sanitizer, sys, token};

/// Runs before every constructor, of libraries, too. The environment comes as an argument: the C
/// library has not taken note of it yet.
#[used]
#[unsafe(link_section = ".preinit_array")]
static START: unsafe extern "C" fn(i32, *const *const u8, *const *const u8) = start;

unsafe extern "C" fn start(_count: i32, _words: *const *const u8, environment: *const *const u8) {
    // SAFETY: the loader passes the environment: texts, and a null at the end.
    let Some(descriptor) = (unsafe { descriptor_in(environment) }) else { return };
    let size = sys::size_of_file(descriptor);
    if size < size_of::<Control>() {
        return;
    }
    let memory = sys::map_shared(descriptor, size);
    if memory.is_null() {
        return;
    }
    // SAFETY: the memory is large enough, and never given back.
    let control: &'static Control = unsafe { &*memory.cast() };
    if control.magic != MAGIC || control.version != VERSION {
        sys::complain(b"unravel: this program was built by another version of unravel cc\n");
        return;
    }
    // A child of a controlled process is none of ours.
    let free =
        control.process.compare_exchange(0, sys::process(), Ordering::AcqRel, Ordering::Relaxed);
    // SAFETY: the control block was just read from this memory.
    if free.is_err() || !unsafe { token::configure(control, memory) } {
        return;
    }
    // The program is to find no file that it has not opened.
    sys::close(descriptor);
    sanitizer::begin();
    create::make_key();
    ends::watch_exit();
    ends::watch_signals();
    // SAFETY: the real function, with a function of ours.
    unsafe {
        real!("__register_atfork" (0 => usize, 0 => usize, in_child as *const () => *const (), 0 => usize) -> i32);
    }
    load_unwinder();
    create::adopt_main();
    token::ACTIVE.store(1, Ordering::Relaxed);
    create::main_started();
}

/// Has the C library load what `pthread_exit` needs. It would do so in the middle of the run, with the
/// loader's lock, and what it allocates then would belong to the program.
fn load_unwinder() {
    let mut frame = 0_usize;
    // SAFETY: the real function, with room for the one frame that it may write.
    unsafe { real!("backtrace" (&raw mut frame => *mut usize, 1 => i32) -> i32) };
}

/// A child goes on without us.
extern "C" fn in_child() {
    token::ACTIVE.store(0, Ordering::Relaxed);
}

/// The number of the descriptor that the environment names.
///
/// # Safety
/// `environment` is a list of texts that ends in null.
unsafe fn descriptor_in(environment: *const *const u8) -> Option<i32> {
    let mut at = environment;
    loop {
        // SAFETY: as the caller says.
        let text = unsafe { *at };
        if text.is_null() {
            return None;
        }
        // SAFETY: a text of the environment ends in NUL.
        let text = unsafe { core::ffi::CStr::from_ptr(text.cast()) }.to_bytes();
        let value = text.strip_prefix(control::VARIABLE.as_bytes());
        if let Some(value) = value.and_then(|it| it.strip_prefix(b"=")) {
            return number(value);
        }
        // SAFETY: the list has not ended.
        at = unsafe { at.add(1) };
    }
}

fn number(text: &[u8]) -> Option<i32> {
    let digit = |c: &u8| c.is_ascii_digit().then(|| i32::from(c - b'0'));
    text.iter().try_fold(0_i32, |sum, c| sum.checked_mul(10)?.checked_add(digit(c)?))
}
