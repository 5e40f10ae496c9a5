//! What runs of a patched program show.

use unravel_kinds::repair::{RunFailure, Tried, WhyNotRun};

/// What runs of the patched program show.
pub fn tried(tried: &Tried) -> String {
    match tried {
        Tried::Runs { runs: 1, cut } => {
            format!("tried: 1 run, which did not fail{}", of_more(*cut))
        }
        Tried::Runs { runs, cut } => format!("tried: {runs} runs, none failed{}", of_more(*cut)),
        Tried::NotRun(why) => format!("not tried: {}", why_not_run(why)),
    }
}

fn of_more(cut: bool) -> &'static str {
    if cut { "; there was no time for more" } else { "" }
}

fn why_not_run(why: &WhyNotRun) -> String {
    match why {
        WhyNotRun::NotBuilt(message) => format!("the program cannot be built: {message}"),
        WhyNotRun::NotStarted(message) => format!("the program cannot be started: {message}"),
        WhyNotRun::AtomicByName(name) => {
            format!("`{name}` is atomic by its name, which a compiler does not know")
        }
        WhyNotRun::NeverEnds { seconds } => {
            format!("the program as it is does not end within {seconds} s either")
        }
        WhyNotRun::Stopped => "there was no time".to_owned(),
    }
}

/// How a run of a patched program fails.
pub fn run_failure(how: RunFailure) -> String {
    match how {
        RunFailure::Hangs { seconds } => format!("does not end within {seconds} s"),
        RunFailure::Signal(number) => format!("is ended by {}", signal(number)),
        RunFailure::ExitCode(code) => {
            format!("ends with exit code {code}, which no run of the program as it is does")
        }
    }
}

/// A signal by its name, where everybody knows it.
fn signal(number: i32) -> String {
    let name = match number {
        4 => "SIGILL",
        6 => "SIGABRT (a failed assertion)",
        7 => "SIGBUS",
        8 => "SIGFPE",
        11 => "SIGSEGV",
        _ => return format!("signal {number}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_said() {
        let table = [
            (Tried::Runs { runs: 70, cut: false }, "tried: 70 runs, none failed"),
            (
                Tried::Runs { runs: 1, cut: true },
                "tried: 1 run, which did not fail; there was no time for more",
            ),
            (
                Tried::NotRun(WhyNotRun::NeverEnds { seconds: 10 }),
                "not tried: the program as it is does not end within 10 s either",
            ),
        ];
        for (seen, expected) in table {
            assert_eq!(tried(&seen), expected);
        }
        assert_eq!(run_failure(RunFailure::Signal(11)), "is ended by SIGSEGV");
    }
}
