//! Runs as text.

use unravel_interp::run::replay;
use unravel_interp::{Decision, End, Machine};
use unravel_schedule::{GraphRun, Until, passing_run, violating_run};
use unravel_staged::{Encoded, config};

/// An encoded program whose runs are printed.
pub struct Runs(Encoded);

impl Runs {
    pub fn new(code: &str) -> Runs {
        Runs(Encoded::new(code))
    }

    /// A run that fails, in which these lines come in this order.
    pub fn failing(&mut self, orders: &[(u32, u32)]) -> String {
        let failing = self.0.encoding.failing();
        let model = self.0.model(failing, orders);
        let reached = self.0.encoding.end_of(&model).expect("it fails");
        let machine = Machine::new(&self.0.program, config());
        let run = violating_run(&machine, &self.0.encoding, model, &reached, Until::First);
        self.run(&machine, &run.expect("the interpreter follows it"))
    }

    /// A run that passes, in which these lines come in this order.
    pub fn passing(&mut self, orders: &[(u32, u32)]) -> String {
        let passing = self.0.encoding.passing();
        let model = self.0.model(passing, orders);
        let machine = Machine::new(&self.0.program, config());
        let run = passing_run(&machine, &self.0.encoding, model);
        self.run(&machine, &run.expect("the interpreter follows it"))
    }

    fn run<E>(&self, machine: &Machine<'_>, run: &GraphRun<E>) -> String {
        let decisions: Vec<String> = run.decisions.iter().map(decision).collect();
        let replayed = replay(machine, &run.decisions).expect("the decisions fit");
        let end = match &replayed.end {
            End::Violation(it) => format!("{} at L{}", it.kind.code(), self.0.line(it.site)),
            other => format!("{other:?}"),
        };
        format!(
            "decisions: {}\nswitches: {}\nsteps: {}\nend: {end}",
            decisions.join(" "),
            run.context_switches(),
            self.0.steps(&run.steps),
        )
    }
}

/// `T1`, or `T1(7)` where the step has a choice, which is 7.
fn decision(decision: &Decision) -> String {
    let choices: Vec<String> = decision.choices.iter().map(u128::to_string).collect();
    let given = if choices.is_empty() { String::new() } else { format!("({})", choices.join(",")) };
    format!("T{}{given}", decision.thread.0)
}
