//! Time, memory, Ctrl-C and progress: what reaches an engine from outside.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use unravel_driver::{Counts, Phase, Progress, StopReason, Watch};

use unravel_report::words::count;

use crate::limits::{LastWords, Limits};

/// Progress shows after this time, so that quick answers come without a flicker.
const PATIENCE: Duration = Duration::from_millis(500);

/// Watches over an engine.
pub struct Budget {
    start: Instant,
    limits: Limits,
    progress: Option<ProgressBar>,
    looks: u64,
    phase: Option<(Phase, Instant)>,
    spent: BTreeMap<Phase, Duration>,
    /// How far it is.
    done: Option<Progress>,
    /// What is known before all is, and since when.
    news: Option<(String, Instant)>,
    /// It was told.
    is_told: bool,
}

/// News show after this time: mostly the whole answer is there sooner.
const NEWS: Duration = Duration::from_secs(1);

impl Budget {
    /// Starts the clock, and listens for Ctrl-C and SIGTERM.
    pub fn start(time: Duration, memory: u64, last_words: LastWords) -> Budget {
        let start = Instant::now();
        Budget {
            start,
            limits: Limits::watch(start, time, memory, last_words),
            progress: None,
            looks: 0,
            phase: None,
            spent: BTreeMap::new(),
            done: None,
            news: None,
            is_told: false,
        }
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_interrupted(&self) -> bool {
        self.limits.is_interrupted()
    }

    /// Why to stop, if there is a reason.
    pub fn stopped(&self) -> Option<StopReason> {
        self.limits.reason()
    }

    /// What is known so far.
    pub fn known(&self) -> Option<&str> {
        self.news.as_ref().map(|(what, _)| what.as_str())
    }

    /// An answer is there and will be shown: nobody ends the process any more.
    pub fn answered(&self) {
        self.limits.answered();
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
        let doing = doing(self.phase.map(|(phase, _)| phase), self.done, counts);
        let time = self.start.elapsed();
        progress
            .set_message(format!("{doing}  {time:.0?}  (Ctrl-C stops and keeps what is known)"));
        progress.tick();
    }
}

/// What is being done, and how far it is: `diagnosing: 3 causes, 14 failing runs explained`.
fn doing(phase: Option<Phase>, done: Option<Progress>, counts: &Counts) -> String {
    match (phase, done) {
        (Some(Phase::Explore) | None, _) => format!(
            "exploring  {} states  {} context switches",
            counts.states, counts.context_switches
        ),
        (Some(Phase::Solve | Phase::Replay), Some(Progress::Diagnosing { causes, runs })) => {
            let (causes, runs) = (count(causes, "cause"), count(runs, "failing run"));
            format!("diagnosing: {causes}, {runs} explained")
        }
        (Some(phase), Some(Progress::Repairing { tried })) => {
            format!("{}: {} tried", verb(phase), count(tried, "change"))
        }
        (Some(phase), _) => verb(phase).to_owned(),
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
    fn progress(&mut self, progress: Progress) {
        self.done = Some(progress);
    }

    fn phase(&mut self, phase: Phase) {
        self.end_phase();
        self.phase = Some((phase, Instant::now()));
    }

    fn news(&mut self, what: String) {
        // Better words for what is known already do not start the wait anew.
        let since = self.news.take().map_or_else(Instant::now, |(_, since)| since);
        self.limits.tell(&what);
        self.news = Some((what, since));
    }

    fn check(&mut self, counts: &Counts) -> Option<StopReason> {
        self.tell();
        self.looks += 1;
        if self.looks.is_multiple_of(64) {
            self.show(counts);
        }
        self.limits.reason()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_what_is_done_and_how_far_it_is() {
        let counts = Counts { states: 70, context_switches: 2, ..Counts::default() };
        let said = |phase, done| doing(phase, done, &counts);
        let diagnosing = Some(Progress::Diagnosing { causes: 3, runs: 14 });
        let repairing = Some(Progress::Repairing { tried: 1 });
        assert_eq!(
            said(Some(Phase::Solve), diagnosing),
            "diagnosing: 3 causes, 14 failing runs explained"
        );
        assert_eq!(said(Some(Phase::Verify), repairing), "verifying a patch: 1 change tried");
        assert_eq!(said(Some(Phase::Solve), None), "solving");
        assert_eq!(said(None, None), "exploring  70 states  2 context switches");
    }
}
