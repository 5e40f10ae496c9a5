//! Diagnoses as text.

use unravel_diagnose::{
    Cause, Diagnosis, Explained, Listener, Order, Pattern, Point, Reason, Region, Shape, causes,
    diagnose,
};
use unravel_encode::Encoding;
use unravel_interp::Machine;
use unravel_program::{Program, SiteId};
use unravel_staged::{Encoded, config};

/// A diagnosed program.
struct Diagnosed {
    program: Program,
    encoding: Encoding,
    diagnosis: Diagnosis,
}

/// Why the program of a text fails: the reasons of its failing runs, then the causes. Which failing
/// run the solver finds first does not matter, so reasons are sorted.
pub fn diagnosed(code: &str) -> String {
    let Encoded { program, mut encoding } = Encoded::new(code);
    let mut diagnosis = Diagnosis::default();
    let machine = Machine::new(&program, config());
    let ended = diagnose(&machine, &mut encoding, None, &mut diagnosis, &mut Quiet);
    assert_eq!(ended, Ok(()));
    Diagnosed { program, encoding, diagnosis }.printed()
}

/// Listens to a diagnosis and says nothing.
struct Quiet;

impl Listener for Quiet {
    fn should_stop(&mut self) -> bool {
        false
    }

    fn found_so_far(&mut self, _encoding: &Encoding, _orders: &[Order]) {}

    fn explained(&mut self, _encoding: &Encoding, _diagnosis: &Diagnosis) {}
}

impl Diagnosed {
    fn printed(&self) -> String {
        let mut rows: Vec<String> = self.diagnosis.runs.iter().map(|it| self.reason(it)).collect();
        rows.sort();
        let runs: Vec<usize> = (0..self.diagnosis.runs.len()).collect();
        let causes = causes(&self.program, self.encoding.graph(), &self.diagnosis, &runs);
        rows.extend(causes.iter().map(|it| self.cause(it)));
        if !self.diagnosis.is_complete {
            rows.push("incomplete".to_owned());
        }
        rows.join("\n")
    }

    /// `core L3 < L9, L8 < L4`, or another reason.
    fn reason(&self, failing: &Explained) -> String {
        let core = match &failing.reason {
            Reason::Core(core) => core,
            Reason::Sequential { inputs, .. } => return format!("sequential{}", given(inputs)),
            other => return format!("{other:?}"),
        };
        assert!(core.is_minimal && core.is_smallest);
        let mut orders: Vec<String> = core.members.iter().map(|it| self.order(&it.order)).collect();
        orders.sort();
        format!("core {}{}", orders.join(", "), given(&core.inputs))
    }

    fn cause(&self, cause: &Cause) -> String {
        let several = matches!(cause.pattern, Pattern::AtomicityViolation { multi_variable: true });
        let several = if several { " of several variables" } else { "" };
        let (pattern, shape) = (cause.pattern.code(), self.shape(&cause.shape));
        format!("cause {pattern}{several}: {shape}; cores: {}", cause.runs.len())
    }

    fn shape(&self, shape: &Shape) -> String {
        match shape {
            Shape::Torn { region, by } => {
                format!("{} torn by {}", self.region(region), self.region(by))
            }
            Shape::Early(pairs) => {
                let one = |(early, late): &(Point, Point)| {
                    format!("{} before {}", self.point(early), self.point(late))
                };
                pairs.iter().map(one).collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn region(&self, region: &Region) -> String {
        format!("{}..{}", self.point(&region.first), self.point(&region.last))
    }

    fn order(&self, order: &Order) -> String {
        let (before, after) = order.points();
        format!("{} < {}", self.point(&before), self.point(&after))
    }

    fn point(&self, point: &Point) -> String {
        self.line(point.site(self.encoding.graph()))
    }

    fn line(&self, site: SiteId) -> String {
        self.program.site(site).span.map_or("-".to_owned(), |it| format!("L{}", it.line))
    }
}

/// The values of the inputs that a failure needs.
fn given(inputs: &[(usize, u128)]) -> String {
    inputs.iter().map(|(index, value)| format!(" with input {index} = {value}")).collect()
}
