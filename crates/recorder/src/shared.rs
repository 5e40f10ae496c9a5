//! The memory that is shared with a recorded program.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use memmap2::MmapRaw;
use unravel_wire::control::DESCRIPTOR;
use unravel_wire::{Choice, Control, MAGIC, Record, Segment, VERSION};

/// Records in the ring: 8 MiB, which fits into the processor's caches.
const RING: usize = 1 << 18;
const PAGE: usize = 4096;

/// The memory, and the descriptor that the program inherits.
pub(crate) struct Shared {
    file: File,
    memory: MmapRaw,
    ring_at: usize,
    /// Records read so far.
    tail: u64,
}

impl Shared {
    /// Memory for one run. `prepare` fills in the wishes.
    pub(crate) fn new(
        segments: &[Segment],
        choices: &[Choice],
        prepare: impl FnOnce(&mut Control),
    ) -> io::Result<Shared> {
        let segments_at = size_of::<Control>().next_multiple_of(PAGE);
        let choices_at = segments_at + size_of_val(segments);
        let ring_at = (choices_at + size_of_val(choices)).next_multiple_of(PAGE);
        let size = ring_at + RING * size_of::<Record>();
        let file = anonymous_file()?;
        file.set_len(size as u64)?;
        let memory = MmapRaw::map_raw(&file)?;
        // SAFETY: the memory is of zeros, which are a valid control block; nobody else has it yet.
        let control = unsafe { &mut *memory.as_mut_ptr().cast::<Control>() };
        (control.magic, control.version) = (MAGIC, VERSION);
        (control.segments_at, control.segments) = (segments_at as u64, segments.len() as u64);
        (control.choices_at, control.choices) = (choices_at as u64, choices.len() as u64);
        (control.ring_at, control.ring) = (ring_at as u64, RING as u64);
        prepare(control);
        // SAFETY: both lists fit between the control block and the ring.
        unsafe {
            let at = memory.as_mut_ptr().add(segments_at).cast();
            std::ptr::copy_nonoverlapping(segments.as_ptr(), at, segments.len());
            let at = memory.as_mut_ptr().add(choices_at).cast();
            std::ptr::copy_nonoverlapping(choices.as_ptr(), at, choices.len());
        }
        Ok(Shared { file, memory, ring_at, tail: 0 })
    }

    /// The descriptor of the memory, here.
    pub(crate) fn descriptor(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// The control block. The program changes only its atomics while it runs.
    pub(crate) fn control(&self) -> &Control {
        // SAFETY: the memory begins with one, and lives as long as `self`.
        unsafe { &*self.memory.as_ptr().cast::<Control>() }
    }

    /// The records that were written since the last time.
    pub(crate) fn take(&mut self) -> Vec<Record> {
        let head = self.control().head.load(Ordering::Acquire);
        // A program that has gone wild may have written anything there.
        let count = head.saturating_sub(self.tail).min(RING as u64);
        let begin = (self.tail % RING as u64) as usize;
        let count = count as usize;
        let first = count.min(RING - begin);
        let mut records: Vec<Record> = Vec::with_capacity(count);
        // SAFETY: the ring lies there, and both parts are within it. What the program writes at the same
        // time, if it has gone wild, is copied as it is: all bit patterns are records. There is room
        // for all of them.
        unsafe {
            let ring = self.memory.as_ptr().add(self.ring_at).cast::<Record>();
            let to = records.as_mut_ptr();
            std::ptr::copy_nonoverlapping(ring.add(begin), to, first);
            std::ptr::copy_nonoverlapping(ring, to.add(first), count - first);
            records.set_len(count);
        }
        self.tail += count as u64;
        let control = self.control();
        control.tail.store(self.tail, Ordering::Release);
        control.room.fetch_add(1, Ordering::Release);
        futex(control.room.as_ptr(), libc::FUTEX_WAKE, i32::MAX as u32, None);
        records
    }

    /// Waits until the program rings, at most so long.
    pub(crate) fn wait(&self, at_most: Duration) {
        let bell = &self.control().bell;
        let value = bell.load(Ordering::Acquire);
        if self.control().head.load(Ordering::Acquire) == self.tail {
            futex(bell.as_ptr(), libc::FUTEX_WAIT, value, Some(at_most));
        }
    }
}

fn futex(word: *const u32, operation: i32, value: u32, at_most: Option<Duration>) {
    let time = at_most.map(|it| libc::timespec {
        tv_sec: it.as_secs().try_into().unwrap_or(1),
        tv_nsec: it.subsec_nanos().into(),
    });
    let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the word lies in memory that is mapped; the time, if there is one, lives here.
    unsafe { libc::syscall(libc::SYS_futex, word, operation, value, time) };
}

/// The number under which a program inherits the memory.
pub(crate) fn inherited() -> RawFd {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    let code = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    let highest = i32::try_from(limit.rlim_cur).unwrap_or(i32::MAX).saturating_sub(1);
    if code == 0 { DESCRIPTOR.min(highest) } else { DESCRIPTOR }
}

/// A file without a name.
fn anonymous_file() -> io::Result<File> {
    // SAFETY: the name ends in NUL; the descriptor is new and nobody else's.
    unsafe {
        let descriptor = libc::memfd_create(c"unravel".as_ptr(), libc::MFD_CLOEXEC);
        if descriptor < 0 {
            Err(io::Error::last_os_error())
        } else {
            Ok(File::from_raw_fd(descriptor))
        }
    }
}

/// What a program is told between `fork` and `exec`: to die with its recorder, since its records would be
/// lost, and whether its addresses are random. It inherits the memory under a number of its own.
pub(crate) fn prepare_child(command: &mut Command, shared: &Shared, randomizes: bool) {
    let (descriptor, inherited) = (shared.descriptor(), inherited());
    // SAFETY: between `fork` and `exec` only system calls are made.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::dup2(descriptor, inherited) < 0 {
                return Err(io::Error::last_os_error());
            }
            if !randomizes {
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            }
            Ok(())
        });
    }
}
