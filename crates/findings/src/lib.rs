//! What the engines found, as the data of a report.
//!
//! An engine speaks of sites, steps of an event graph and decisions of a run; a report speaks of
//! lines, variables and threads. This stage translates: it takes what an engine found and gives the
//! rows of [`unravel_report::model`]. It makes no sentence (those are made by `report`, module
//! `words`), asks no solver and decides nothing about the answer.
//!
//! - [`violation`]: a failing run as a finding; `steps`: its steps, threads and inputs as rows;
//!   `wakeups`: which wakeups came without a signal;
//! - [`limits`]: what was cut, not modelled or stopped, as the reasons of an answer;
//! - [`order_ends`]: the two ends of an order; [`cause`]: the shape of a cause; [`race`]: the two
//!   accesses of a data race;
//! - [`mistake`]: the line at fault;
//! - [`comparison`]: two runs side by side; [`faults`]: values that would have to be different.
#![forbid(unsafe_code)]

pub mod cause;
pub mod comparison;
pub mod faults;
pub mod limits;
pub mod mistake;
pub mod names;
pub mod order_ends;
pub mod race;
mod steps;
pub mod violation;
mod wakeups;

pub use steps::{inputs, passing_run, place, steps, threads};
