//! The allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::OnceLock;

/// What to do about a request for so many bytes that cannot be met. It must not return, and must not
/// unwind: whoever asked for memory relies on an answer.
type Handler = fn(usize) -> !;

static HANDLER: OnceLock<Handler> = OnceLock::new();

thread_local! {
    /// Without a destructor, so that it is there for as long as its thread.
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with a say when it fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

/// Says what is done when memory runs out. Only the first call counts.
pub fn on_failure(handler: Handler) {
    let _ = HANDLER.set(handler);
}

/// How often this thread has asked for memory.
#[must_use]
pub fn requests() -> u64 {
    REQUESTS.get()
}

/// Counts a request, and looks at what came of it.
fn told(block: *mut u8, bytes: usize) -> *mut u8 {
    REQUESTS.set(REQUESTS.get().wrapping_add(1));
    if block.is_null()
        && let Some(handler) = HANDLER.get()
    {
        handler(bytes)
    }
    block
}

// SAFETY: every block comes from `System` and goes back to it, with the layout that it was asked
// for with. What is done besides neither asks for memory nor unwinds: a counter without a destructor
// is set, and a handler is called that does not return.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that `System` wants.
        told(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        told(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        told(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static HEAP: Heap = Heap;

    #[test]
    fn requests_are_counted() {
        let before = requests();
        let mut block = std::hint::black_box(vec![1u8; 10]);
        block.resize(1000, 0);
        std::hint::black_box(&block);
        assert!(requests() >= before + 2);
    }

    #[test]
    fn without_a_handler_a_failure_is_an_error() {
        let mut block: Vec<u8> = Vec::new();
        assert!(block.try_reserve(usize::MAX / 2).is_err());
    }
}
