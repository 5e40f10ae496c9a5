//! Places of the source as the data that titles and reports show.

use unravel_kinds::repair::{Code, CodeOrder, Required};
use unravel_patch::around::function_name;
use unravel_repair::{Plan, Requirement, SourceOrder, Spot, Stretch};
use unravel_span::Span;

use crate::Context;

impl Context<'_> {
    /// The line of a place, in its function.
    #[must_use]
    pub fn line(&self, place: Span) -> Code {
        let function = function_name(self.sources, place);
        Code::Lines { first: place.line, last: place.line, function }
    }

    /// The line of a spot, in its function.
    #[must_use]
    pub fn spot(&self, spot: &Spot) -> Code {
        let whole = || Code::Function(self.thread_name(spot));
        spot.place().map_or_else(whole, |place| self.line(place))
    }

    /// The lines of a stretch, in their function.
    #[must_use]
    pub fn stretch(&self, stretch: &Stretch) -> Code {
        match stretch.ends() {
            Some((_, first, last)) => {
                let function = function_name(self.sources, first);
                let (from, to) = (first.line.min(last.line), first.line.max(last.line));
                Code::Lines { first: from, last: to, function }
            }
            None => Code::Function(self.thread_name(&stretch.first)),
        }
    }

    /// The lines of stretches, the same lines once.
    #[must_use]
    pub fn stretches(&self, stretches: &[Stretch]) -> Vec<Code> {
        let mut all: Vec<Code> = Vec::new();
        for code in stretches.iter().map(|it| self.stretch(it)) {
            if !all.contains(&code) {
                all.push(code);
            }
        }
        all
    }

    /// An order of the source.
    #[must_use]
    pub fn order(&self, order: &SourceOrder) -> CodeOrder {
        CodeOrder { before: self.spot(&order.before), after: self.spot(&order.after) }
    }

    /// What a plan requires.
    #[must_use]
    pub fn required(&self, plan: &Plan) -> Vec<Required> {
        let one = |requirement: &Requirement| match requirement {
            Requirement::Before(order) => Required::Before(self.order(order)),
            Requirement::Exclusive(stretches) => {
                Required::OneAtATime(stretches.iter().map(|it| self.stretch(it)).collect())
            }
        };
        plan.requirements.iter().map(one).collect()
    }
}
