//! `make bench`: what an answer costs, and how the cost grows.
//!
//! Runs the corpus, six small programs and the scaling families through Unravel and through each
//! of CBMC and Deagle that is on the PATH, all in one run, and prints Markdown to standard output
//! (progress to standard error).
//!
//! # How to read it
//!
//! * *whole* is the time of the whole process from outside. Of it, Unravel itself says what was
//!   *front* (clang, reading its bitcode, lowering) and what was *engine* (all that follows);
//!   *rest* is what its clock does not see: starting, printing, ending. `?` is a time that the
//!   tool did not say. Unravel's clock counts whole milliseconds. For the peers, *engine* is
//!   symbolic execution, its postprocessing and the decision procedure, as they print it.
//! * *peak* is the memory of the largest process that took part. On small programs that is clang
//!   or the libraries of LLVM, whatever the engine does.
//! * A ratio (`×`) is Unravel divided by the peer: below 1, Unravel needs less. Only programs that
//!   both solve have one. Engine times below a millisecond count as one.
//! * *Solved* means the right answer within the limit, and for Unravel that the known bug is what it
//!   found. `- time`, `- unknown`, `- error`, `- wrong` say what happened instead; an empty cell was
//!   not run.
//! * In a family, a tool that does not solve a size is not asked for the next. *growth* is the
//!   exponent k of engine time ~ N^k between two rows (whole time where the engine's is unknown),
//!   where both take 10 ms or more. A k that itself grows from row to row is exponential growth.
//! * *Deadlocks* sums up the philosophers and the rings of locks with 3 to 7 threads, beside a
//!   published average; see `deadlocks.rs`.
//!
//! Times are the median of three runs, or one run where that takes a second or more.
//! Peers do not look for deadlocks, memory errors or misuse here, and Unravel does: the comparison
//! is of what a user waits for. Peers are run on corpus programs only where the answer is safe or
//! a failing assertion.
//!
//! Without a peer on the PATH, the targets that name it are judged by published times on a few small
//! programs (see `small.rs`); the table says so, and that is a hint, not a measurement.
//!
//! The programs of the families stay in `target/bench/`. The exit code is 1 if Unravel gave a wrong
//! answer, 2 if something could not be run, else 0: a target that is missed is only printed,
//! since a loaded machine can miss it.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use unravel_bench::options::{self, Asked, Options};
use unravel_bench::sections;

/// Everything that was asked for, in the order in which it is printed.
fn bench(options: &Options) -> Result<bool, String> {
    let mut session = sections::Session::new(options)?;
    session.heading();
    if options.family.is_none() {
        session.figures()?;
        session.small()?;
        if !options.quick {
            session.rest_of_corpus()?;
        }
    }
    session.families()?;
    session.deadlocks()?;
    session.ratios();
    session.targets();
    Ok(session.all_right())
}

fn main() -> ExitCode {
    let options = match options::parse(std::env::args().skip(1)) {
        Ok(Asked::Run(options)) => options,
        Ok(Asked::Help) => {
            println!("{}", options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(message) => return failed(&message),
    };
    match bench(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => failed(&message),
    }
}

fn failed(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}
