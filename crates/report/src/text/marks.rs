//! Letters of orders at the steps that are their ends: `*A`.

use std::collections::{BTreeMap, HashMap};

use unravel_kinds::StepKind;
use unravel_span::Span;

use crate::model::{Core, End, EndKind, Finding, Order, PassingRun, Place, StepRow};
use crate::shared;

use super::words;

/// Which steps of a run are ends of orders.
#[derive(Default)]
pub struct Marks {
    steps: BTreeMap<u32, Vec<String>>,
    waiting: Vec<(u32, Span, String)>,
}

impl Marks {
    /// Marks in the failing run of a core.
    pub fn failing(finding: &Finding, core: &Core) -> Marks {
        let mut marks = Marks::default();
        for (letter, end) in shared::ends(core) {
            let span = end.place.as_ref().map(|place| place.span);
            match (end.step, span) {
                (Some(step), _) => marks.add(step, letter),
                _ if shared::is_violation(finding, end) => {
                    marks.add(shared::violating_number(finding), letter);
                }
                (None, Some(span)) => marks.waiting.push((end.thread, span, letter.to_owned())),
                (None, None) => {}
            }
        }
        marks
    }

    /// Marks in a run that passes, where there is no doubt which steps are the ends.
    pub fn passing(finding: &Finding, core: &Core, run: &PassingRun) -> Marks {
        let mut marks = Marks::default();
        let (failing, passing) = (Steps::new(&finding.schedule), Steps::new(&run.schedule));
        for (letter, end) in shared::ends(core) {
            if let Some(step) = same_step(&failing, &passing, end) {
                marks.add(step.step, letter);
            }
        }
        marks
    }

    fn add(&mut self, step: u32, letter: &str) {
        let mine = self.steps.entry(step).or_default();
        if !mine.iter().any(|known| known == letter) {
            mine.push(letter.to_owned());
        }
    }

    /// Whether the step of that number is an end.
    pub fn has(&self, number: Option<u32>) -> bool {
        number.is_some_and(|number| self.steps.contains_key(&number))
    }

    /// The mark of the step of that number: `*A *B`.
    pub fn of(&self, number: Option<u32>) -> String {
        written(number.and_then(|number| self.steps.get(&number)).into_iter().flatten())
    }

    /// The mark of a thread that waits at a place.
    pub fn of_waiting(&self, thread: u32, span: Option<Span>) -> String {
        let is_it = |it: &&(u32, Span, String)| it.0 == thread && Some(it.1) == span;
        written(self.waiting.iter().filter(is_it).map(|(_, _, letter)| letter))
    }
}

fn written<'a>(letters: impl Iterator<Item = &'a String>) -> String {
    letters.map(|letter| words::clean(&format!("*{letter}"))).collect::<Vec<_>>().join(" ")
}

/// Steps of a run by what they have in common with the ends that they may be.
struct Steps<'a>(HashMap<Key<'a>, Vec<&'a StepRow>>);

/// Thread, place and variable.
type Key<'a> = (u32, Option<Span>, Option<&'a str>);

impl<'a> Steps<'a> {
    fn new(schedule: &'a [StepRow]) -> Steps<'a> {
        let mut steps: HashMap<Key<'a>, Vec<&StepRow>> = HashMap::new();
        for step in schedule {
            let key = (step.thread, span(&step.place), step.variable.as_deref());
            steps.entry(key).or_default().push(step);
        }
        Steps(steps)
    }

    /// Those that may be an end, in their order.
    fn like<'b>(&'b self, end: &'b End) -> impl Iterator<Item = &'a StepRow> + use<'a, 'b> {
        let same = self.0.get(&(end.thread, span(&end.place), end.variable.as_deref()));
        same.into_iter().flatten().copied().filter(|step| fits(end.kind, step))
    }
}

/// The step of a passing run that is an end of an order: the only one that may be it or, in a loop
/// that takes such a step in every iteration, that of the same iteration.
fn same_step<'a>(failing: &Steps<'_>, passing: &Steps<'a>, end: &End) -> Option<&'a StepRow> {
    let mut same = passing.like(end);
    let Some(iteration) = end.iteration else {
        let step = same.next();
        return step.filter(|_| same.next().is_none());
    };
    let nth = usize::try_from(iteration).ok()?.checked_sub(1)?;
    let failing = failing.like(end).nth(nth);
    same.nth(nth).filter(|_| failing.is_some_and(|step| Some(step.step) == end.step))
}

fn span(place: &Option<Place>) -> Option<Span> {
    place.as_ref().map(|place| place.span)
}

/// Whether a step may be an end of that kind.
fn fits(kind: EndKind, step: &StepRow) -> bool {
    match kind {
        EndKind::Read => step.kind.is_access() && step.kind != StepKind::Write,
        EndKind::Write => step.kind.is_write(),
        EndKind::Update => step.kind == StepKind::Update,
        EndKind::Use => step.kind.is_access(),
        EndKind::Free => step.kind == StepKind::Free,
        EndKind::Sync(deed) => step.kind.deed() == Some(deed),
    }
}

/// Whether both ends of an order may happen in a run; if one does not, nothing is reversed.
pub fn has_both(run: &PassingRun, order: &Order) -> bool {
    let happens = |end: &End| {
        let is_here = |step: &StepRow| span(&step.place) == span(&end.place);
        run.schedule.iter().any(|step| step.thread == end.thread && is_here(step))
    };
    happens(&order.before) && happens(&order.after)
}
