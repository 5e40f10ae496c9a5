//! One of everything that a report holds beside kinds: reasons, obstacles, remarks and causes.

use std::time::Duration;

use unravel_kinds::{Cut, Deed, StopReason, Unmodelled, Work};
use unravel_span::FileId;

use super::{kinds, one_of_each};
use crate::examples::place;
use crate::model::{
    CauseShape, CorePoint, CoreRegion, DiagnosisRemark, EndKind, Fault, FaultLine, FaultSite,
    GivenInput, HandOver, InputOutcome, LocalizationRemark, Method, Obstacle, RaceAccess,
    ReasonKind, RelatedKind, Schedules,
};

/// Why an answer is inconclusive.
pub fn reasons() -> Vec<ReasonKind> {
    let cuts = || kinds::cuts().into_iter();
    let unbounded = |cut| ReasonKind::Bound { cut, unwind: None };
    let bounded = |cut| ReasonKind::Bound { cut, unwind: Some(4) };
    let mut all: Vec<ReasonKind> = cuts().map(unbounded).chain(cuts().map(bounded)).collect();
    all.extend(kinds::unmodelled().into_iter().map(ReasonKind::Unmodelled));
    all.extend(one_of_each!(ReasonKind {
        ReasonKind::Bound { .. } => [bounded(Cut::Loop { iterations: 0 })],
        ReasonKind::Unmodelled(_) => [ReasonKind::Unmodelled(Unmodelled::OddRealloc)],
        ReasonKind::Inputs => [ReasonKind::Inputs],
        ReasonKind::NoEnd => [ReasonKind::NoEnd],
        ReasonKind::States => [ReasonKind::States],
        ReasonKind::Budget(_) => [
            ReasonKind::Budget(StopReason::Time(Duration::from_secs(60))),
            ReasonKind::Budget(StopReason::Memory(1 << 30)),
            ReasonKind::Budget(StopReason::Interrupted),
            ReasonKind::Budget(StopReason::Work(Work::Search)),
            ReasonKind::Budget(StopReason::Work(Work::Causes)),
            ReasonKind::Budget(StopReason::Work(Work::Other)),
        ],
        ReasonKind::OneRun => [ReasonKind::OneRun],
        ReasonKind::Incomplete => [ReasonKind::Incomplete],
    }));
    all
}

fn hand_overs() -> Vec<HandOver> {
    one_of_each!(HandOver {
        HandOver::Unmodelled(_) => [
            HandOver::Unmodelled(Unmodelled::SymbolicFunction("qsort".to_owned())),
            HandOver::Unmodelled(Unmodelled::FloatingPoint),
        ],
        HandOver::HardQuestion => [HandOver::HardQuestion],
        HandOver::LongLoop => [HandOver::LongLoop],
    })
}

/// Why something is not known.
pub fn obstacles() -> Vec<Obstacle> {
    let meets =
        |line| Obstacle::EveryFailingRunMeets { what: Some((Unmodelled::OddRealloc, line)) };
    let mut all: Vec<Obstacle> = hand_overs().into_iter().map(Obstacle::HandedOver).collect();
    all.extend(one_of_each!(Obstacle {
        Obstacle::NeedsSymbolicEngine => [Obstacle::NeedsSymbolicEngine],
        Obstacle::HandedOver(_) => [Obstacle::HandedOver(HandOver::LongLoop)],
        Obstacle::Stopped => [Obstacle::Stopped],
        Obstacle::RaceOrStopped => [Obstacle::RaceOrStopped],
        Obstacle::Race => [Obstacle::Race],
        Obstacle::NotAllModelled => [Obstacle::NotAllModelled],
        Obstacle::ManyIterations(_) => [Obstacle::ManyIterations(300)],
        Obstacle::NoFailingRunInBounds => [Obstacle::NoFailingRunInBounds],
        Obstacle::GivenRunNotInBounds { .. } => [
            Obstacle::GivenRunNotInBounds { iterations: 9 },
            Obstacle::GivenRunNotInBounds { iterations: u32::MAX },
        ],
        Obstacle::EveryFailingRunMeets { .. } => [
            Obstacle::EveryFailingRunMeets { what: None },
            meets(None),
            meets(Some(7)),
        ],
        Obstacle::NonePasses => [Obstacle::NonePasses],
        Obstacle::NoPassingRunKnown => [Obstacle::NoPassingRunKnown],
    }));
    all
}

/// What belongs to a finding.
pub fn related() -> Vec<RelatedKind> {
    let mut all: Vec<RelatedKind> = kinds::related().into_iter().map(RelatedKind::Step).collect();
    all.extend(obstacles().into_iter().map(RelatedKind::NoPassingRun));
    for it in &all {
        match it {
            RelatedKind::Step(_) | RelatedKind::NoPassingRun(_) => {}
        }
    }
    all
}

/// Remarks on why a program fails.
pub fn diagnosis_remarks() -> Vec<DiagnosisRemark> {
    let input = |line| GivenInput { value: "3".to_owned(), line };
    let mut all: Vec<DiagnosisRemark> =
        obstacles().into_iter().map(DiagnosisRemark::NotKnown).collect();
    for outcome in outcomes() {
        for inputs in [vec![], vec![input(Some(9))], vec![input(None), input(Some(9))]] {
            all.push(DiagnosisRemark::WithInputs { inputs, outcome });
        }
    }
    all.extend(one_of_each!(DiagnosisRemark {
        DiagnosisRemark::NotKnown(_) => [DiagnosisRemark::NotKnown(Obstacle::Stopped)],
        DiagnosisRemark::WithInputs { .. } => [
            DiagnosisRemark::WithInputs { inputs: vec![], outcome: InputOutcome::NoRunPasses },
        ],
        DiagnosisRemark::SameOrderCut => [DiagnosisRemark::SameOrderCut],
        DiagnosisRemark::SameOrderPasses => [DiagnosisRemark::SameOrderPasses],
        DiagnosisRemark::NothingNew => [DiagnosisRemark::NothingNew],
    }));
    all
}

fn outcomes() -> Vec<InputOutcome> {
    one_of_each!(InputOutcome {
        InputOutcome::EveryRunFails => [InputOutcome::EveryRunFails],
        InputOutcome::NoRunPasses => [InputOutcome::NoRunPasses],
    })
}

/// Remarks that limit a list of faulty values.
pub fn localization_remarks() -> Vec<LocalizationRemark> {
    let mut all: Vec<LocalizationRemark> =
        obstacles().into_iter().map(LocalizationRemark::NotKnown).collect();
    all.extend(one_of_each!(LocalizationRemark {
        LocalizationRemark::NotKnown(_) => [LocalizationRemark::NotKnown(Obstacle::Stopped)],
        LocalizationRemark::PassesUnchanged => [LocalizationRemark::PassesUnchanged],
        LocalizationRemark::MoreSets => [LocalizationRemark::MoreSets],
        LocalizationRemark::FailsInEveryOrder => [LocalizationRemark::FailsInEveryOrder],
    }));
    all
}

/// What kinds of value can be at fault.
pub fn fault_sites() -> Vec<FaultSite> {
    one_of_each!(FaultSite {
        FaultSite::Assignment => [FaultSite::Assignment],
        FaultSite::InitialValue => [FaultSite::InitialValue],
        FaultSite::UpdateOperand => [FaultSite::UpdateOperand],
        FaultSite::Argument(_) => [FaultSite::Argument(1), FaultSite::Argument(2)],
        FaultSite::ReturnedValue => [FaultSite::ReturnedValue],
        FaultSite::Condition => [FaultSite::Condition],
    })
}

/// Faulty values: each kind of value with and without a name, an old value and an iteration.
pub fn fault_lines(file: FileId) -> Vec<FaultLine> {
    let line = |site, name: Option<&str>, original: Option<&str>| FaultLine {
        place: place(file, 7, 5, "writer0"),
        site,
        name: name.map(str::to_owned),
        iteration: None,
        is_repeated: false,
        original: original.map(str::to_owned),
        value: "1".to_owned(),
    };
    let forms = |site| {
        let first = line(site, Some("x"), Some("0"));
        let all = FaultLine { is_repeated: true, ..line(site, Some("x"), None) };
        let second = FaultLine { iteration: Some(2), ..line(site, None, None) };
        [first, all, second]
    };
    fault_sites().into_iter().flat_map(forms).collect()
}

/// Sets of one faulty value, with everything that can be said of a set.
pub fn faults(file: FileId) -> Vec<Fault> {
    let schedules = one_of_each!(Schedules {
        Schedules::All => [Schedules::All],
        Schedules::ThisOnly => [Schedules::ThisOnly],
        Schedules::Unknown => [Schedules::Unknown],
    });
    let mut all = Vec::new();
    for schedules in schedules {
        for (restates_assertion, avoids_check) in [(false, false), (false, true), (true, false)] {
            let lines = fault_lines(file).into_iter().take(1).collect();
            all.push(Fault { lines, schedules, restates_assertion, avoids_check });
        }
    }
    all
}

/// How the closest passing run can be searched.
pub fn methods() -> Vec<Method> {
    one_of_each!(Method {
        Method::Exact { .. } => [
            Method::Exact { equal_weights: false, is_cut: false },
            Method::Exact { equal_weights: false, is_cut: true },
            Method::Exact { equal_weights: true, is_cut: false },
            Method::Exact { equal_weights: true, is_cut: true },
        ],
        Method::Progressive { .. } => [
            Method::Progressive { equal_weights: false },
            Method::Progressive { equal_weights: true },
        ],
        Method::Swap => [Method::Swap],
    })
}

/// What an end of an order can do.
pub fn ends() -> Vec<EndKind> {
    let mut all = one_of_each!(EndKind {
        EndKind::Read => [EndKind::Read],
        EndKind::Write => [EndKind::Write],
        EndKind::Update => [EndKind::Update],
        EndKind::Free => [EndKind::Free],
        EndKind::Use => [EndKind::Use],
        EndKind::Sync(_) => [],
    });
    all.extend(kinds::deeds().map(EndKind::Sync));
    all
}

/// A region from a line of one function to a line of another; `start` is the start function.
fn region(file: FileId, start: &str, first: (&str, u32), last: (&str, u32)) -> CoreRegion {
    CoreRegion {
        thread_name: start.to_owned(),
        first: place(file, first.1, 5, first.0),
        last: place(file, last.1, 5, last.0),
        iterations: None,
    }
}

/// Regions of every form: one line, several lines, from iteration to iteration, backwards, across
/// functions, in a function that the thread calls, and without a place.
fn regions(file: FileId) -> Vec<CoreRegion> {
    let lines = |from, to| region(file, "writer0", ("writer0", from), ("writer0", to));
    vec![
        lines(7, 7),
        lines(7, 8),
        CoreRegion { iterations: Some((1, 2)), ..lines(7, 8) },
        lines(8, 7),
        region(file, "writer0", ("writer0", 7), ("add", 3)),
        region(file, "writer0", ("add", 2), ("add", 3)),
        CoreRegion { first: None, ..lines(7, 8) },
    ]
}

/// What can happen in the runs of a cause.
pub fn shapes(file: FileId) -> Vec<CauseShape> {
    let point = |function: &str, line, deed| CorePoint {
        thread_name: "writer0".to_owned(),
        place: place(file, line, 5, function),
        deed,
    };
    let nowhere = CorePoint { place: None, ..point("add", 1, None) };
    let access = |thread, locks: &[&str]| RaceAccess {
        thread,
        place: place(file, 7, 5, "writer0"),
        locks: locks.iter().map(|it| (*it).to_owned()).collect(),
    };
    let wait = Some(Deed::Wait);
    let hidden = RaceAccess { place: None, ..access(0, &["m", "n"]) };
    let early = |first, second, more| CauseShape::Early { first, second, more };
    let mut all = torn(file);
    all.extend(circles(file));
    all.extend(one_of_each!(CauseShape {
        CauseShape::Torn { .. } => [],
        CauseShape::Circle { .. } => [],
        CauseShape::Early { .. } => [
            early(point("writer0", 7, None), point("add", 3, None), 0),
            early(point("writer0", 7, wait), point("add", 3, Some(Deed::Signal)), 0),
            early(point("writer0", 7, wait), point("add", 3, Some(Deed::Broadcast)), 0),
            early(point("writer0", 7, Some(Deed::Signal)), point("add", 3, wait), 2),
            early(nowhere.clone(), point("add", 3, wait), 1),
        ],
        CauseShape::Race { .. } => [
            CauseShape::Race { first: access(1, &[]), second: access(2, &[]) },
            CauseShape::Race { first: access(1, &["m"]), second: access(2, &[]) },
            CauseShape::Race { first: hidden.clone(), second: access(2, &["k"]) },
        ],
        CauseShape::Unknown => [CauseShape::Unknown],
    }));
    all
}

/// Each form of region that another one interrupts, and each form that interrupts it.
fn torn(file: FileId) -> Vec<CauseShape> {
    let by = region(file, "writer1", ("writer1", 13), ("writer1", 14));
    let variables = vec!["x".to_owned(), "y".to_owned()];
    let shape = |region, by, same_function, variables| CauseShape::Torn {
        region,
        by,
        same_function,
        variables,
    };
    let mut all = Vec::new();
    for it in regions(file) {
        all.push(shape(it.clone(), by.clone(), false, variables.clone()));
        all.push(shape(by.clone(), it.clone(), false, Vec::new()));
        all.push(shape(it.clone(), it, true, Vec::new()));
    }
    all
}

fn circles(file: FileId) -> Vec<CauseShape> {
    let all = regions(file);
    let circle = |number: usize| CauseShape::Circle {
        regions: all.iter().take(number).cloned().collect(),
        threads: number.max(3),
    };
    [0, 1, 2, 3].map(circle).into()
}
