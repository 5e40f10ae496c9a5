//! System calls, made directly: the runtime must not touch `errno`, be cancelled, or come into
//! functions that it has taken over itself.

use core::arch::asm;
use core::sync::atomic::AtomicU32;

const MMAP: usize = 9;
const WRITE: usize = 1;
const RT_SIGPROCMASK: usize = 14;
const READ: usize = 0;
const OPEN: usize = 2;
const CLOSE: usize = 3;
const GETPID: usize = 39;
const GETTID: usize = 186;
const TGKILL: usize = 234;
const KILL: usize = 62;
const FUTEX: usize = 202;
const CLOCK_GETTIME: usize = 228;
const EXIT_GROUP: usize = 231;
const FSTAT: usize = 5;

/// A system call with up to six arguments; negative results are error codes.
fn call(number: usize, arguments: [usize; 6]) -> isize {
    let result: isize;
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: the kernel's calling convention; it changes `rcx`, `r11` and what the arguments point
    // to, which callers vouch for.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack)
        );
    }
    result
}

/// Waits until the word is not `value` any more, or somebody wakes us, at most so many nanoseconds
/// (0: for ever). May return without a reason.
pub fn futex_wait(word: &AtomicU32, value: u32, nanoseconds: u64) {
    const WAIT: usize = 0;
    let time = [nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000];
    let time = if nanoseconds == 0 { 0 } else { (&raw const time) as usize };
    call(FUTEX, [word.as_ptr() as usize, WAIT, value as usize, time, 0, 0]);
}

/// Wakes who waits at the word.
pub fn futex_wake(word: &AtomicU32) {
    const WAKE: usize = 1;
    call(FUTEX, [word.as_ptr() as usize, WAKE, i32::MAX as usize, 0, 0, 0]);
}

/// Memory shared with who has the other end of a descriptor; null if that cannot be.
pub fn map_shared(descriptor: i32, bytes: usize) -> *mut u8 {
    const READ_WRITE: usize = 3;
    const SHARED: usize = 1;
    pointer(call(MMAP, [0, bytes, READ_WRITE, SHARED, descriptor as usize, 0]))
}

/// Fresh memory anywhere, of zeros; null if there is none.
pub fn map(bytes: usize) -> *mut u8 {
    const READ_WRITE: usize = 3;
    // MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    const FLAGS: usize = 0x02 | 0x20 | 0x4000;
    pointer(call(MMAP, [0, bytes, READ_WRITE, FLAGS, usize::MAX, 0]))
}

/// Fresh memory at an address, if that is free, of zeros; null if there is none.
pub fn map_at(address: usize, bytes: usize) -> *mut u8 {
    const READ_WRITE: usize = 3;
    // MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE
    const FLAGS: usize = 0x02 | 0x20 | 0x4000 | 0x10_0000;
    pointer(call(MMAP, [address, bytes, READ_WRITE, FLAGS, usize::MAX, 0]))
}

fn pointer(result: isize) -> *mut u8 {
    if result < 0 { core::ptr::null_mut() } else { result as *mut u8 }
}

/// The size of a file.
pub fn size_of_file(descriptor: i32) -> usize {
    const SIZE: usize = 6;
    let mut status = [0_u64; 18];
    let result = call(FSTAT, [descriptor as usize, status.as_mut_ptr() as usize, 0, 0, 0, 0]);
    if result < 0 { 0 } else { status[SIZE] as usize }
}

/// Closes a descriptor.
pub fn close(descriptor: i32) {
    call(CLOSE, [descriptor as usize, 0, 0, 0, 0, 0]);
}

/// Writes a text to standard error.
pub fn complain(text: &[u8]) {
    call(WRITE, [2, text.as_ptr() as usize, text.len(), 0, 0, 0]);
}

/// The process.
pub fn process() -> u32 {
    call(GETPID, [0; 6]) as u32
}

/// The kernel's number of the calling thread.
pub fn thread() -> u32 {
    call(GETTID, [0; 6]) as u32
}

/// Whether a thread of this process is gone. The first thread stays as a zombie: what the kernel says of
/// its state is looked at.
pub fn is_gone(thread: u32) -> bool {
    if thread != process() {
        return call(TGKILL, [process() as usize, thread as usize, 0, 0, 0, 0]) < 0;
    }
    let path = c"/proc/self/stat";
    let file = call(OPEN, [path.as_ptr() as usize, 0, 0, 0, 0, 0]);
    if file < 0 {
        return true;
    }
    let mut text = [0_u8; 128];
    let length = call(READ, [file as usize, text.as_mut_ptr() as usize, text.len(), 0, 0, 0]);
    call(CLOSE, [file as usize, 0, 0, 0, 0, 0]);
    // The state stands behind the name, which is in parentheses and may contain any.
    let text = &text[..(length.max(0) as usize).min(text.len())];
    let end = text.iter().rposition(|&byte| byte == b')');
    end.and_then(|end| text.get(end + 2)).is_none_or(|&state| state == b'Z')
}

/// Sends a signal to this process.
pub fn raise(signal: i32) {
    call(KILL, [process() as usize, signal as usize, 0, 0, 0, 0]);
}

/// Ends the process at once.
pub fn exit_now(code: i32) -> ! {
    loop {
        call(EXIT_GROUP, [code as usize, 0, 0, 0, 0, 0]);
    }
}

/// What a clock says, in nanoseconds.
pub fn clock(number: i32) -> u64 {
    let mut time = [0_u64; 2];
    call(CLOCK_GETTIME, [number as usize, time.as_mut_ptr() as usize, 0, 0, 0, 0]);
    time[0].wrapping_mul(1_000_000_000).wrapping_add(time[1])
}

/// Lets a signal through to this thread again.
pub fn unblock(signal: i32) {
    const UNBLOCK: usize = 1;
    let set = 1_u64 << (signal - 1);
    call(RT_SIGPROCMASK, [UNBLOCK, (&raw const set) as usize, 0, 8, 0, 0]);
}
