//! The search for deadlocks on the classic programs, beside a published average.

use crate::compare::mean;
use crate::families::{Right, Series};
use crate::peers::Run;
use crate::table::{Table, cells, ms};

/// The numbers of threads, besides `main`, that the published average is over.
const THREADS: std::ops::RangeInclusive<u32> = 3..=7;

/// The families of mutexes only, where N counts the threads: like the published ones.
const CLASSIC: [&str; 2] = ["philosophers", "lockcycle"];

const REFERENCE: &str = "\
Means are over what was solved. The published reference is 3.7 s and 49 MB on average over 30 classic
instances of 3 to 7 threads. It is carried over from \"Deadlock Verification via Ordering-Constrained
Mutex Modeling\" (CAV 2026): another machine, other programs, and not measured here.
Peak memory is that of the largest process, clang included.";

/// Programs of one kind.
#[derive(Default)]
struct Part {
    /// How many there are, whether they were solved or not.
    instances: usize,
    /// Seconds of the whole process and peak memory in MB of each one that was solved.
    solved: Vec<(f64, f64)>,
}

/// What has been measured on the classic programs of 3 to 7 threads.
#[derive(Default)]
pub struct Tally {
    with: Part,
    without: Part,
}

impl Tally {
    /// Keeps what counts of a series: its sizes, and the runs that solved them.
    pub fn add(&mut self, series: &Series, sizes: &[u32], solved: &[(u32, Run)]) {
        if !CLASSIC.contains(&series.family) {
            return;
        }
        let part = match series.right {
            Right::Fails(_) => &mut self.with,
            Right::Safe => &mut self.without,
        };
        part.instances += sizes.iter().filter(|n| THREADS.contains(n)).count();
        let solved = solved.iter().filter(|(n, _)| THREADS.contains(n));
        part.solved.extend(solved.map(|(_, run)| (run.whole, run.peak)));
    }

    /// Nothing of it was asked for.
    pub fn is_empty(&self) -> bool {
        self.with.instances + self.without.instances == 0
    }

    /// Prints the averages. `floor` is the run on an empty program: most of the memory is there
    /// already, since it is that of clang and of LLVM's libraries.
    pub fn print(&self, floor: Option<&Run>) {
        println!("\n## Deadlocks, 3 to 7 threads\n");
        let header =
            ["instances", "solved", "mean ms", "longest ms", "mean peak MB", "largest peak MB"];
        let mut table = Table::new(cells(&header));
        table.row(self.with.row("with a deadlock"));
        table.row(self.without.row("without"));
        let floor = floor.map(|run| (run.whole, run.peak)).into_iter().collect();
        table.row(Part { instances: 1, solved: floor }.row("an empty program"));
        print!("{table}");
        println!("\n{REFERENCE}");
    }
}

impl Part {
    fn row(&self, name: &str) -> Vec<String> {
        let seconds = || self.solved.iter().map(|(seconds, _)| *seconds);
        let peaks = || self.solved.iter().map(|(_, peak)| *peak);
        let mb = |peak: Option<f64>| peak.map_or("?".to_owned(), |peak| format!("{peak:.0}"));
        vec![
            name.to_owned(),
            format!("{} of {}", self.solved.len(), self.instances),
            ms(mean(seconds())),
            ms(seconds().max_by(f64::total_cmp)),
            mb(mean(peaks())),
            mb(peaks().max_by(f64::total_cmp)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::peers::Answer;

    fn run(whole: f64, peak: f64) -> Run {
        let (answer, solved, wrong) = (Answer::Unsafe, true, false);
        Run { answer, solved, wrong, whole, engine: None, front: None, peak }
    }

    #[test]
    fn only_three_to_seven_threads_of_the_classic_families_count() {
        let mut tally = Tally::default();
        for series in families::all() {
            tally.add(series, &[2, 3, 7, 8], &[(2, run(9.0, 9.0)), (3, run(1.0, 40.0))]);
        }
        let row = ["a", "2 of 4", "1000", "1000", "40", "40"];
        assert_eq!(tally.with.row("a"), row);
        assert_eq!(tally.without.row("a"), row);
    }
}
