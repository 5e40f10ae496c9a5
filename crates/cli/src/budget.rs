//! Time, memory, Ctrl-C and progress: what reaches an engine from outside.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use unravel_driver::{Counts, Phase, StopReason, Watch};

/// Progress shows after this time, so that quick answers come without a flicker.
const PATIENCE: Duration = Duration::from_millis(500);

/// Watches over an engine.
pub struct Budget {
    start: Instant,
    time: Duration,
    memory: u64,
    interrupted: Arc<AtomicBool>,
    progress: Option<ProgressBar>,
    looks: u64,
    phase: Option<(Phase, Instant)>,
    spent: BTreeMap<Phase, Duration>,
    /// What is known before all is, and since when.
    news: Option<(String, Instant)>,
    /// It was told.
    is_told: bool,
}

/// News show after this time: mostly the whole answer is there sooner.
const NEWS: Duration = Duration::from_secs(1);

impl Budget {
    /// Starts the clock and listens for Ctrl-C.
    pub fn start(time: Duration, memory: u64) -> Budget {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // Without a handler Ctrl-C simply ends the process.
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst));
        Budget {
            start: Instant::now(),
            time,
            memory,
            interrupted,
            progress: None,
            looks: 0,
            phase: None,
            spent: BTreeMap::new(),
            news: None,
            is_told: false,
        }
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::SeqCst)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time spent in each phase so far, in milliseconds, with its name in the statistics.
    pub fn phases(&mut self) -> Vec<(&'static str, u64)> {
        self.end_phase();
        let row = |(phase, time): (&Phase, &Duration)| {
            (name(*phase), u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
        };
        let mut rows: Vec<(&'static str, u64)> = self.spent.iter().map(row).collect();
        let all: Duration = self.spent.values().sum();
        if let (Some(plan), verify) = (self.spent.get(&Phase::Plan), self.spent.get(&Phase::Verify))
        {
            let first = *plan + verify.copied().unwrap_or_default();
            rows.push(("first_repair_us", u64::try_from(first.as_micros()).unwrap_or(u64::MAX)));
        }
        rows.push(("engine_us", u64::try_from(all.as_micros()).unwrap_or(u64::MAX)));
        rows
    }

    fn end_phase(&mut self) {
        if let Some((phase, since)) = self.phase.take() {
            *self.spent.entry(phase).or_default() += since.elapsed();
        }
    }

    /// Takes the progress line away.
    pub fn clear(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.finish_and_clear();
        }
    }

    /// Prints news that have waited long enough.
    fn tell(&mut self) {
        let is_due = |(_, since): &mut (String, Instant)| since.elapsed() >= NEWS;
        if let Some((what, _)) = self.news.take_if(is_due)
            && !std::mem::replace(&mut self.is_told, true)
        {
            let line = format!("so far: {what} (looking for others; Ctrl-C shows what is known)");
            match &self.progress {
                Some(progress) => progress.suspend(|| eprintln!("{line}")),
                None => eprintln!("{line}"),
            }
        }
    }

    fn show(&mut self, counts: &Counts) {
        if self.elapsed() < PATIENCE {
            return;
        }
        // Hidden by indicatif when standard error is no terminal.
        let progress = self.progress.get_or_insert_with(|| {
            let bar = ProgressBar::new_spinner();
            bar.set_style(ProgressStyle::default_spinner());
            bar
        });
        let doing = match self.phase {
            Some((Phase::Explore, _)) | None => format!(
                "exploring  {} states  {} context switches",
                counts.states, counts.context_switches
            ),
            Some((phase, _)) => verb(phase).to_owned(),
        };
        let time = self.start.elapsed();
        progress
            .set_message(format!("{doing}  {time:.0?}  (Ctrl-C stops and keeps what is known)"));
        progress.tick();
    }
}

fn verb(phase: Phase) -> &'static str {
    match phase {
        Phase::Build => "executing symbolically",
        Phase::Encode => "encoding",
        Phase::Solve => "solving",
        Phase::Replay => "replaying",
        Phase::Explore => "exploring",
        Phase::Plan => "planning repairs",
        Phase::Compile => "compiling a patch",
        Phase::Verify => "verifying a patch",
        Phase::Rank => "looking for better repairs",
    }
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Build => "build_ms",
        Phase::Encode => "encode_ms",
        Phase::Solve => "solve_ms",
        Phase::Replay => "replay_ms",
        Phase::Explore => "explore_ms",
        Phase::Plan => "plan_ms",
        Phase::Compile => "compile_ms",
        Phase::Verify => "verify_ms",
        Phase::Rank => "rank_ms",
    }
}

impl Watch for Budget {
    fn phase(&mut self, phase: Phase) {
        self.end_phase();
        self.phase = Some((phase, Instant::now()));
    }

    fn news(&mut self, what: String) {
        // Better words for what is known already do not start the wait anew.
        let since = self.news.take().map_or_else(Instant::now, |(_, since)| since);
        self.news = Some((what, since));
    }

    fn check(&mut self, counts: &Counts) -> Option<StopReason> {
        self.tell();
        if self.is_interrupted() {
            return Some(StopReason::Interrupted);
        }
        if self.elapsed() >= self.time {
            return Some(StopReason::Time(self.time));
        }
        self.looks += 1;
        if self.looks.is_multiple_of(64) {
            self.show(counts);
            if resident_bytes().is_some_and(|bytes| bytes > self.memory) {
                return Some(StopReason::Memory(self.memory));
            }
        }
        None
    }
}

/// Memory this process takes now; `None` where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    // Linux on x86 has pages of 4 KiB.
    Some(pages * 4096)
}
