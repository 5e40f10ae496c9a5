//! Repairs of a report. What a repair is, is data; the sentences are made by `words::repair`.

use unravel_kinds::repair::{
    Because, Changes, CodeOrder, Costs, Required, Tried, WhyNone, WhyRefused,
};
use unravel_kinds::{Property, RepairKind};
use unravel_span::Edit;

use super::Place;

/// Changes of the source after which every schedule passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Verified repairs, best first.
    pub verified: Vec<Repair>,
    /// What was tried and is not offered, each with the reason.
    pub refused: Vec<Refused>,
    /// Why there is none.
    pub remarks: Vec<WhyNone>,
    /// Every choice of one order from each kill set, where that was asked.
    pub covers: Option<Covers>,
}

/// A verified change of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// From 1.
    pub rank: u32,
    /// The kind of its changes.
    pub kind: RepairKind,
    /// What is changed.
    pub changes: Changes,
    /// Verified without a bound; else up to one.
    pub complete: bool,
    /// Several orders, whichever comes first at run time; else one order is always enforced.
    pub composite: bool,
    /// What it enforces, if that can be said in orders.
    pub required: Vec<Required>,
    /// Why that helps.
    pub because: Because,
    /// What was checked.
    pub verified_for: VerifiedFor,
    /// What it adds to the program.
    pub costs: Costs,
    /// If it forbids runs that the best repair allows: how the best one differs.
    pub forbids: Option<Forbids>,
    /// Statements that a passing run of the original reaches and none of the patched program does.
    pub unreachable: Vec<Place>,
    /// The edits, in the order of the text.
    pub edits: Vec<Edit>,
    /// The edits as a patch for `git apply`.
    pub diff: String,
}

/// What the check of a patched program says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifiedFor {
    /// The properties that no schedule violates.
    pub properties: Vec<Property>,
    /// Whether no data race is left; `None` if that is not known.
    pub race_free: Option<bool>,
    /// It is not known whether every statement is still reached and every loop ends.
    pub reach_is_unknown: bool,
    /// What runs of the patched program show, if it was run.
    pub tried: Option<Tried>,
}

/// Why a repair forbids runs that the best one allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbids {
    /// It decides an order that the best repair leaves to the run.
    OneOfTwoOrders,
    /// It requires an order that the best repair does not require.
    MoreThanNeeded,
}

/// A change that is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The kind of its changes.
    pub kind: RepairKind,
    /// What would have been changed.
    pub changes: Changes,
    /// Why it is not offered.
    pub why: WhyRefused,
}

/// Figure 6 of ConcBugAssist: all choices of one order from each kill set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covers {
    /// The kill sets: one per core.
    pub kill_sets: Vec<Vec<CodeOrder>>,
    /// The choices, in the order of the kill sets; cut after a few hundred.
    pub rows: Vec<CoverRow>,
    /// Not all choices are listed.
    pub cut: bool,
}

/// A choice of one order from each kill set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverRow {
    /// The orders chosen.
    pub chosen: Vec<CodeOrder>,
    /// What is left when orders that follow from others are dropped; `None` if they form a cycle.
    pub simplified: Option<Vec<CodeOrder>>,
}
