//! Both engines on one program.

use std::path::Path;

use unravel_corpus::CorpusProgram;
use unravel_driver::{CheckOptions, Counts, Engine, StopReason, Watch, Work, check};
use unravel_interp::{Properties, Property};
use unravel_kinds::ViolationKind;
use unravel_program::Program;
use unravel_report::model::{ReasonKind, Verdict};

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

/// A watch that stops an engine at its n-th check: a limit that does not depend on how fast the
/// machine is.
pub struct StopAfter(pub u64);

impl Watch for StopAfter {
    fn check(&mut self, _counts: &Counts) -> Option<StopReason> {
        self.0 = self.0.saturating_sub(1);
        (self.0 == 0).then_some(StopReason::Work(Work::Other))
    }
}

/// Loads a C file; `None` if it does not compile.
pub fn load(path: &Path) -> Option<Program> {
    unravel_frontend::load(&[path.to_owned()], &unravel_frontend::Options::default()).ok()
}

/// Loads a program of the corpus, called with the arguments that its header names; `None` if it does
/// not compile.
pub fn load_corpus_program(program: &CorpusProgram) -> Option<Program> {
    let arguments = program.header.flags.arguments.clone().unwrap_or_default();
    let options = unravel_frontend::Options { arguments, ..Default::default() };
    unravel_frontend::load(std::slice::from_ref(&program.path), &options).ok()
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
    let explored =
        match check(&program, &options(Engine::Explore, properties), &mut StopAfter(1 << 24)) {
            Ok(checked) => checked.report,
            Err(failure) => return Some(Err(format!("exploration: {failure}"))),
        };
    let symbolic = match check(&program, &options(Engine::Sat, properties), &mut StopAfter(1 << 24))
    {
        Ok(checked) => checked.report,
        Err(failure) => return Some(Err(format!("symbolic: {failure}"))),
    };
    let verdicts = Verdicts { symbolic: symbolic.verdict, explored: explored.verdict };
    if explored.verdict == Verdict::Inconclusive || verdicts.symbolic == verdicts.explored {
        return Some(Ok(verdicts));
    }
    let reasons: Vec<&ReasonKind> = symbolic.reasons.iter().map(|it| &it.kind).collect();
    let found: Vec<&ViolationKind> = symbolic.findings.iter().map(|it| &it.kind).collect();
    let other: Vec<&ViolationKind> = explored.findings.iter().map(|it| &it.kind).collect();
    Some(Err(format!("{verdicts:?}: {reasons:?} {found:?}, explored: {other:?}")))
}
