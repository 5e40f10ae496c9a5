//! Composes the stages into commands.
//!
//! The driver is the only place that follows an arrow of the map twice: it asks an engine, has the
//! answer checked, and turns it into a [`Report`](unravel_report::Report). It knows no files,
//! clocks or terminals: what comes from outside (a budget, an interrupt) reaches it as a
//! [`Watch`].
//!
//! - [`check`]: `unravel check`: the verdict and, for *unsafe*, a run that was replayed;
//! - [`diagnose`]: `unravel diagnose`: which few orders make it fail; `diagnosed` makes the
//!   report, `points` and `causes` are its words; `tracked` hands cores to the tests' oracle;
//! - [`mod@localize`]: `unravel localize`: which values, if they were others, would let it pass;
//! - [`symbolic`]: the symbolic engine, from bound to bound; [`search`]: what any engine found;
//!   `failure_search`: failing runs with the formula that they were found on; `failing`: one run in
//!   a formula;
//! - [`run`]: `unravel run`: one run, fair or as a schedule file says;
//! - [`mod@sequentialize`]: `unravel sequentialize`: the failing run as one C file, confirmed;
//! - `probe`: a few plain runs, before a hard question;
//! - `rows`: a run as rows of a report; `wakeups`: which of them nobody signalled.
#![forbid(unsafe_code)]

pub mod check;
pub mod compare;
mod counterfactual;
pub mod diagnose;
mod diagnosed;
mod endless;
mod failing;
mod failure_search;
pub mod localize;
mod obstacles;
mod probe;
pub mod recorded;
pub mod repair;
pub mod run;
pub mod search;
pub mod sequentialize;
pub mod stub;
mod subject;
pub mod symbolic;
mod tracked;

pub use check::{CheckOptions, Checked, InternalFailure, check};
pub use compare::{CompareOptions, HowClose, compare, compare_and_track};
pub use diagnose::{diagnose, diagnose_and_track};
pub use localize::{TrackedFault, localize, localize_and_track};
pub use repair::{Rebuild, RepairOptions, repair};
pub use search::Engine;
pub use sequentialize::{
    Sequentialized, confirm_corrected, confirm_sequential, sequentialize, sequentialize_fault,
    sequentialize_with,
};
pub use stub::stubs;
pub use subject::{GivenRun, Refused, Subject, replay_failing};
pub use tracked::{Operation, TrackedComparison, TrackedCores};
pub use unravel_compare::Distance;
pub use unravel_patch::delays::with_calls;
pub use unravel_patch::diff::diff;
pub use unravel_sequentialize::{Replacement, Sequential, Unsupported};
pub use unravel_solver::cadical_version;
pub use unravel_watch::{Alarm, Counts, NoWatch, Phase, Progress, StopReason, Watch, Work};

/// Ways to break the symbolic engine.
#[cfg(feature = "mutants")]
pub mod mutants {
    pub use unravel_encode::Mutant as Encoding;
    pub use unravel_events::Mutant as Events;
    pub use unravel_solver::Mutant as Theory;
}
