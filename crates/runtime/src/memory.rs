//! `malloc` and its family, taken over.
//!
//! Blocks that were made before the run was under control, or by threads that are not, belong to the
//! C library; each block goes back to whom it came from.

use unravel_wire::record::Ending;
use unravel_wire::{Kind, Record};

use crate::posix::counts;
use crate::real::set_errno;
use crate::{heap, local, sanitizer, token};

const ENOMEM: i32 = 12;
const EINVAL: i32 = 22;
const LEAST: usize = 16;

/// A new block of ours.
fn allocate(size: usize, align: usize) -> usize {
    let runtime = token::runtime();
    let block = if sanitizer::has_heap() {
        // SAFETY: a new block.
        unsafe { sanitizer::memalign(align, size) }
    } else {
        heap::locked(&mut runtime.heap, |heap| heap.allocate(size, align))
    };
    if block == 0 {
        set_errno(ENOMEM);
    } else {
        runtime.objects.forget(block, block + size);
        token::record(event(Kind::Allocate).with(block as u64, size as u64));
    }
    block
}

fn event(kind: Kind) -> Record {
    token::event(kind, token::call_site())
}

/// Frees a block of ours.
fn release(block: usize) {
    if local::is_somebody() && token::is_active() {
        let runtime = token::runtime();
        if runtime.heap.block(block).is_none() {
            wrong_free(block);
        }
        // When a block is freed is seen by whoever accesses it later.
        token::point(token::call_site(), block, true);
        if token::runtime().heap.block(block).is_none() {
            wrong_free(block);
        }
        token::record(event(Kind::Free).with(block as u64, 0));
    }
    let runtime = token::runtime();
    heap::locked(&mut runtime.heap, |heap| {
        if heap.block(block).is_some() {
            heap.free(block);
        }
    });
}

#[cold]
fn wrong_free(block: usize) -> ! {
    let twice = token::runtime().heap.was_block(block);
    let ending = if twice { Ending::DoubleFree } else { Ending::InvalidFree };
    token::finish(event(Kind::Ending).numbered(ending as u32).with(block as u64, 0))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> usize {
    if counts() {
        return allocate(size, LEAST);
    }
    // SAFETY: the caller's own call, passed on; so in all functions below.
    unsafe { sanitizer::malloc(size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> usize {
    if !counts() {
        // SAFETY: see `malloc`.
        return unsafe { sanitizer::calloc(count, size) };
    }
    let Some(bytes) = count.checked_mul(size) else {
        set_errno(ENOMEM);
        return 0;
    };
    let block = allocate(bytes, LEAST);
    if block != 0 {
        // SAFETY: the block is new and of this size.
        unsafe { core::ptr::write_bytes(block as *mut u8, 0, bytes) };
    }
    block
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(block: usize, size: usize) -> usize {
    if block != 0 && !heap::contains(block) || block == 0 && !counts() {
        note_free(block);
        // SAFETY: see `malloc`.
        let new = unsafe { sanitizer::realloc(block, size) };
        if new != 0 && sanitizer::has_heap() && counts() {
            token::record(event(Kind::Allocate).with(new as u64, size as u64));
        }
        return new;
    }
    if block == 0 {
        return allocate(size, LEAST);
    }
    let Some(old) = token::runtime().heap.block(block) else { wrong_free(block) };
    let new = if counts() {
        allocate(size, LEAST)
    } else {
        // SAFETY: see `malloc`.
        unsafe { sanitizer::malloc(size) }
    };
    if new != 0 {
        // SAFETY: both blocks are that long.
        unsafe {
            core::ptr::copy_nonoverlapping(block as *const u8, new as *mut u8, old.min(size))
        };
        release(block);
    }
    new
}

#[unsafe(no_mangle)]
unsafe extern "C" fn reallocarray(block: usize, count: usize, size: usize) -> usize {
    let Some(bytes) = count.checked_mul(size) else {
        set_errno(ENOMEM);
        return 0;
    };
    // SAFETY: see `malloc`.
    unsafe { realloc(block, bytes) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(block: usize) {
    if heap::contains(block) {
        return release(block);
    }
    note_free(block);
    // SAFETY: see `malloc`.
    unsafe { sanitizer::free(block) };
}

/// A block of the sanitizer's is freed.
fn note_free(block: usize) {
    if block != 0 && sanitizer::has_heap() && counts() {
        token::point(token::call_site(), block, true);
        token::record(event(Kind::Free).with(block as u64, 0));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn memalign(align: usize, size: usize) -> usize {
    if counts() {
        return allocate(size, align.max(LEAST).next_power_of_two());
    }
    // SAFETY: see `malloc`.
    unsafe { sanitizer::memalign(align, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn aligned_alloc(align: usize, size: usize) -> usize {
    // SAFETY: see `malloc`.
    unsafe { memalign(align, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(place: *mut usize, align: usize, size: usize) -> i32 {
    if !align.is_power_of_two() || align % size_of::<usize>() != 0 {
        return EINVAL;
    }
    // SAFETY: see `malloc`.
    let block = unsafe { memalign(align, size) };
    if block == 0 {
        return ENOMEM;
    }
    // SAFETY: the program passes the address of a pointer.
    unsafe { place.write(block) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn valloc(size: usize) -> usize {
    const PAGE: usize = 4096;
    // SAFETY: see `malloc`.
    unsafe { memalign(PAGE, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc_usable_size(block: usize) -> usize {
    if heap::contains(block) {
        return token::runtime().heap.block(block).unwrap_or(0);
    }
    // SAFETY: see `malloc`.
    unsafe { crate::real!("malloc_usable_size" (block => usize) -> usize) }
}
