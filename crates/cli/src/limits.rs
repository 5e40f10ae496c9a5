//! The user's limits: who looks at them, and what happens at them.
//!
//! A thread of its own looks at the clock and at the memory of the process. At a limit it rings the
//! alarm that all parts of an engine listen to, and the engine ends with what it knows. Should some
//! part not listen, the thread says the last words itself when a margin is used up, and ends the
//! process. A request for memory that fails ends the process likewise: whoever asked cannot go on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use unravel_driver::{Alarm, StopReason};

use crate::exit::Exit;

/// Time between two looks at the clock.
const LOOK: Duration = Duration::from_millis(10);

/// Time that an engine has to end after Ctrl-C.
const AFTER_INTERRUPT: Duration = Duration::from_millis(900);

/// Bytes of the request for memory that failed; 0 if none did.
static FAILED: AtomicUsize = AtomicUsize::new(0);

/// The alarm of this process.
pub fn alarm() -> Alarm {
    static ALARM: OnceLock<Alarm> = OnceLock::new();
    ALARM.get_or_init(Alarm::new).clone()
}

/// What is said if an engine does not end by itself: told why, and what is known so far.
pub type LastWords = Box<dyn FnOnce(StopReason, Option<&str>) -> Exit + Send>;

/// Limits of this process.
pub struct Limits(Arc<Shared>);

struct Shared {
    start: Instant,
    time: Duration,
    memory: u64,
    interrupted: AtomicBool,
    state: Mutex<State>,
}

struct State {
    /// Why to stop, and since when.
    stopped: Option<(StopReason, Instant)>,
    /// What is known so far.
    news: Option<String>,
    /// Taken by whoever speaks first.
    last_words: Option<LastWords>,
}

impl Limits {
    /// Watches over the process from now on.
    pub fn watch(start: Instant, time: Duration, memory: u64, last_words: LastWords) -> Limits {
        let state = State { stopped: None, news: None, last_words: Some(last_words) };
        let shared = Arc::new(Shared {
            start,
            time,
            memory,
            interrupted: AtomicBool::new(false),
            state: Mutex::new(state),
        });
        unravel_heap::on_failure(wait_for_the_end);
        let listener = Arc::clone(&shared);
        // Without a handler Ctrl-C simply ends the process.
        let _ = ctrlc::set_handler(move || listener.interrupt());
        let watcher = Arc::clone(&shared);
        thread::spawn(move || {
            loop {
                watcher.look();
                thread::sleep(LOOK);
            }
        });
        Limits(shared)
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_interrupted(&self) -> bool {
        self.0.interrupted.load(Ordering::SeqCst)
    }

    /// Why to stop, if there is a reason.
    pub fn reason(&self) -> Option<StopReason> {
        if !alarm().rings() && self.0.start.elapsed() < self.0.time {
            return None;
        }
        self.0.stop_at_limits(&mut self.0.state());
        self.0.state().stopped.map(|(reason, _)| reason)
    }

    /// Something is known.
    pub fn tell(&self, what: &str) {
        // Who asks for memory in vain must not hold the lock.
        let what = what.to_owned();
        self.0.state().news = Some(what);
    }

    /// There is an answer, and no need for last words.
    pub fn answered(&self) {
        self.0.state().last_words = None;
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ctrl-C or SIGTERM: the first asks the engine to end, the second ends the process.
    fn interrupt(&self) {
        if self.interrupted.swap(true, Ordering::SeqCst) {
            end(Exit::Interrupted);
        }
        self.state().stop(StopReason::Interrupted);
    }

    fn stop_at_limits(&self, state: &mut State) -> u64 {
        let resident = resident_bytes().unwrap_or(0);
        if self.start.elapsed() >= self.time {
            state.stop(StopReason::Time(self.time));
        } else if resident > self.memory || FAILED.load(Ordering::Relaxed) > 0 {
            state.stop(StopReason::Memory(self.memory));
        }
        resident
    }

    fn look(&self) {
        let mut state = self.state();
        let resident = self.stop_at_limits(&mut state);
        let Some((reason, since)) = state.stopped else { return };
        let late = match reason {
            StopReason::Interrupted => since.elapsed() >= AFTER_INTERRUPT,
            _ => since.elapsed() >= margin(self.time),
        };
        let much = resident > self.memory.saturating_add(self.memory / 100 * 7);
        let failed = FAILED.load(Ordering::Relaxed) > 0;
        if !(late || much || failed) {
            return;
        }
        let Some(words) = state.last_words.take() else {
            // The answer is being shown; but not any more by who waits for memory.
            return if failed {
                end(Exit::Inconclusive)
            };
        };
        let news = state.news.take();
        drop(state);
        let reason = if much || failed { StopReason::Memory(self.memory) } else { reason };
        end(words(reason, news.as_deref()))
    }
}

impl State {
    /// The first reason is the one that counts.
    fn stop(&mut self, reason: StopReason) {
        self.stopped.get_or_insert((reason, Instant::now()));
        alarm().ring();
    }
}

/// Time that an engine has to end after the limit. A tenth of the limit and half a second are
/// promised; a busy machine wakes the watching thread late.
fn margin(time: Duration) -> Duration {
    time / 16 + Duration::from_millis(300)
}

/// Ends the process.
#[expect(clippy::exit, reason = "the engine does not listen, and nothing else ends it")]
fn end(exit: Exit) -> ! {
    std::process::exit(exit.code().into())
}

/// A request for memory failed. There is no way on for who asked; the watching thread ends the
/// process. If that was who asked, nothing more can be said.
fn wait_for_the_end(bytes: usize) -> ! {
    if FAILED.swap(bytes.max(1), Ordering::SeqCst) != 0 {
        end(Exit::Inconclusive);
    }
    loop {
        thread::sleep(LOOK);
    }
}

/// Bytes that were asked for in vain, if any were.
pub fn failed_request() -> Option<usize> {
    Some(FAILED.load(Ordering::Relaxed)).filter(|&bytes| bytes > 0)
}

/// Memory this process takes now; `None` where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    // Linux on x86 has pages of 4 KiB.
    Some(pages * 4096)
}
