//! Both engines on one program.

use std::path::Path;

use unravel_driver::{CheckOptions, Counts, Engine, StopReason, Watch, Work, check};
use unravel_interp::{Properties, Property};
use unravel_program::Program;
use unravel_report::model::Verdict;

/// What the engines say.
#[derive(Clone, Copy, Debug)]
pub struct Verdicts {
    /// The symbolic engine.
    pub symbolic: Verdict,
    /// The exploration.
    pub explored: Verdict,
}

/// The properties that both engines check.
pub fn properties() -> Properties {
    [Property::Reach, Property::Memory, Property::Deadlock, Property::Misuse]
        .into_iter()
        .fold(Properties::NONE, Properties::with)
}

/// Stops after so many looks: a bound that does not depend on the machine.
pub struct Looks(pub u64);

impl Watch for Looks {
    fn check(&mut self, _counts: &Counts) -> Option<StopReason> {
        self.0 = self.0.saturating_sub(1);
        (self.0 == 0).then_some(StopReason::Work(Work::Other))
    }
}

/// Loads a C file; `None` if it does not compile.
pub fn load(path: &Path) -> Option<Program> {
    unravel_frontend::load(&[path.to_owned()], &unravel_frontend::Options::default()).ok()
}

/// Options for one engine alone.
pub fn options(engine: Engine, properties: Properties) -> CheckOptions {
    CheckOptions { engine, hand_over: false, properties, states: 1_000_000, ..CheckOptions::new() }
}

/// Verdicts of both engines, or how they differ; `None` if the program does not compile.
///
/// A verdict that is *inconclusive* contradicts nothing, but where the exploration has an answer
/// the symbolic engine is expected to have it, too.
pub fn check_both(path: &Path, properties: Properties) -> Option<Result<Verdicts, String>> {
    let program = load(path)?;
    let explored = match check(&program, &options(Engine::Explore, properties), &mut Looks(1 << 24))
    {
        Ok(checked) => checked.report,
        Err(failure) => return Some(Err(format!("exploration: {failure}"))),
    };
    let symbolic = match check(&program, &options(Engine::Sat, properties), &mut Looks(1 << 24)) {
        Ok(checked) => checked.report,
        Err(failure) => return Some(Err(format!("symbolic: {failure}"))),
    };
    let verdicts = Verdicts { symbolic: symbolic.verdict, explored: explored.verdict };
    if explored.verdict == Verdict::Inconclusive || verdicts.symbolic == verdicts.explored {
        return Some(Ok(verdicts));
    }
    let reasons: Vec<&str> = symbolic.reasons.iter().map(|it| it.message.as_str()).collect();
    let found: Vec<&str> = symbolic.findings.iter().map(|it| it.message.as_str()).collect();
    let other: Vec<&str> = explored.findings.iter().map(|it| it.message.as_str()).collect();
    Some(Err(format!("{verdicts:?}: {reasons:?} {found:?}, explored: {other:?}")))
}
