//! Which statements passing runs reach: a patch that makes every schedule pass by never getting
//! anywhere is no repair (DESIGN §5).
//!
//! Asked of the formula, one run after another until none reaches anything new: at most one question
//! per line. Complete runs leave out turns of a loop that change nothing; where lines are left that
//! may be reached in such turns, a formula that keeps one of them is asked, too.

use std::collections::{BTreeMap, BTreeSet};

use unravel_encode::Encoding;
use unravel_events::{EventGraph, StepId};
use unravel_interp::Property;
use unravel_kinds::repair::WhyRefused;
use unravel_patch::between::kept_lines;
use unravel_program::Program;
use unravel_report::model::Place;
use unravel_solver::{Lit, Outcome};
use unravel_span::{Files, Span};
use unravel_term::Term;
use unravel_watch::Counts;

use super::verify::Verified;
use super::watches::SamePhase;
use super::{Progress, Repairer};
use crate::check::{CheckOptions, InternalFailure};
use crate::symbolic::{Depth, Patience, WithFormula, search_with_formula};

/// A line of a file.
type Line = (String, u32);

/// Which runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs {
    /// Complete ones that pass.
    Passing,
    /// Also those in which a thread turns a loop without end, or comes to a bound: what the others
    /// reach then is reached.
    Unrefuted,
}

/// What the original does.
pub struct Before {
    /// The lines that passing runs reach, and those with an error of memory, each with a place on it.
    lines: BTreeMap<Line, Span>,
    /// Some thread may turn a loop for ever.
    hangs: bool,
}

/// The lines that some run reaches, each with a place on it; `None` if that took too long.
fn reached(
    program: &Program,
    encoding: &mut Encoding,
    runs: Runs,
    stop: &mut dyn FnMut() -> bool,
) -> Option<BTreeMap<Line, Span>> {
    let mut open = lines(program, encoding.graph());
    let mut found = BTreeMap::new();
    let counted = match runs {
        Runs::Passing => encoding.passing(),
        Runs::Unrefuted => encoding.unrefuted(),
    };
    while !open.is_empty() {
        let ways: BTreeSet<Term> = open.values().flat_map(|it| it.1.iter().copied()).collect();
        let ways: Vec<Term> = ways.into_iter().collect();
        let lits: Vec<Lit> = ways.iter().map(|&way| encoding.holds(way)).collect();
        let some = encoding.some_of(&lits);
        match encoding.assume(&[counted, some], stop) {
            Outcome::Unsat(_) => return Some(found),
            Outcome::Stopped | Outcome::Broken(_) => return None,
            Outcome::Sat(model) => {
                let taken: BTreeSet<Term> = encoding
                    .valuation(&model)
                    .with(|value| ways.iter().copied().filter(|&it| value(it) == 1).collect());
                let before = open.len();
                open.retain(|line, (span, ways)| {
                    let is_reached = ways.iter().any(|way| taken.contains(way));
                    if is_reached {
                        found.insert(line.clone(), *span);
                    }
                    !is_reached
                });
                if open.len() == before {
                    return None;
                }
            }
        }
    }
    Some(found)
}

/// The lines that some run reaches, with what threads do only while they poll; `None` if that took too
/// long. Costs a search of its own.
fn reached_polling(
    program: &Program,
    options: &CheckOptions,
    runs: Runs,
    progress: &mut Progress<'_>,
) -> Result<Option<BTreeMap<Line, Span>>, InternalFailure> {
    let options = CheckOptions { all: false, ..options.clone() };
    let mut watch = SamePhase(progress.watch);
    let searched =
        search_with_formula(program, &options, Patience::Short, Depth::Lingering, &mut watch)?;
    let mut stop = || progress.watch.check(&Counts::default()).is_some();
    let encoding = searched.encoding;
    Ok(encoding.and_then(|mut encoding| reached(program, &mut encoding, runs, &mut stop)))
}

/// Whether some thread may turn a loop and change nothing.
fn polls(graph: &EventGraph) -> bool {
    graph.threads.iter().any(|thread| !thread.spins.is_empty())
}

/// Lines with code, each with a place on it and the conditions under which a thread gets past some
/// of it.
fn lines(program: &Program, graph: &EventGraph) -> BTreeMap<Line, (Span, BTreeSet<Term>)> {
    let mut lines: BTreeMap<Line, (Span, BTreeSet<Term>)> = BTreeMap::new();
    // All ways out of a thread end in one step, which is at the place of one of them.
    let ends: BTreeSet<StepId> =
        graph.threads.iter().filter_map(|thread| thread.steps.last().copied()).collect();
    let steps = graph.threads.iter().flat_map(|thread| &thread.steps);
    let steps = steps.filter(|it| !ends.contains(it)).map(|&it| graph.step(it));
    let steps = steps.map(|it| (it.site, it.passed));
    let visits = graph.visits.iter().map(|it| (it.site, it.guard));
    for (site, way) in steps.chain(visits) {
        if let Some(span) = program.site(site).span {
            let line = (program.files.path(span.file).to_owned(), span.line);
            lines.entry(line).or_insert((span, BTreeSet::new())).1.insert(way);
        }
    }
    lines
}

/// What becomes of the statements under a patch.
enum Fate {
    /// It is no repair, for this reason.
    Refused(WhyRefused),
    /// Statements that are reached in the original, kept, and not reached any more.
    Kept(Vec<Place>),
    /// There was no answer in time, or the symbolic engine does not know the program.
    Unknown,
}

impl Repairer<'_> {
    /// What the original does; `None` if that took too long.
    pub(super) fn before(
        &mut self,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Before>, InternalFailure> {
        let mut stop = || progress.watch.check(&Counts::default()).is_some();
        let found = reached(self.program, &mut self.encoding, Runs::Passing, &mut stop);
        let Some(mut reached) = found else { return Ok(None) };
        let hangs = hangs(&mut self.encoding, &mut stop);
        let graph = self.encoding.graph();
        let mut all = lines(self.program, graph).into_keys();
        if polls(graph) && all.any(|line| !reached.contains_key(&line)) {
            let options = &self.options.check;
            let polling = reached_polling(self.program, options, Runs::Passing, progress)?;
            let Some(polling) = polling else { return Ok(None) };
            reached.extend(polling);
        }
        reached.extend(self.failing());
        Ok(Some(Before { lines: reached, hangs }))
    }

    /// Statements with an error of memory. No run may pass them, but a repair that works by not
    /// coming there any more has to say so: the statement may be wrong in every order.
    fn failing(&self) -> BTreeMap<Line, Span> {
        let violations = self.diagnosis.runs.iter().map(|it| it.run.violation());
        let memory = violations.filter(|it| it.property() == Property::Memory);
        let places = memory.filter_map(|it| self.program.site(it.site).span);
        let line = |span: Span| (self.program.files.path(span.file).to_owned(), span.line);
        places.map(|span| (line(span), span)).collect()
    }

    /// Finds statements that passing runs of the original reach and none of a patched program does.
    pub(super) fn look_for_unreachable(
        &self,
        progress: &mut Progress<'_>,
        before: Option<&Before>,
        verified: &mut Vec<Verified>,
    ) -> Result<(), InternalFailure> {
        let Some(before) = before else {
            verified.iter_mut().for_each(Verified::reach_is_unknown);
            return Ok(());
        };
        let mut kept = Vec::new();
        for mut it in verified.drain(..) {
            match fate(self.program, &self.options.check, before, &mut it, progress)? {
                Fate::Kept(lost) => {
                    it.unreachable = lost;
                    kept.push(it);
                }
                Fate::Unknown => {
                    it.reach_is_unknown();
                    kept.push(it);
                }
                Fate::Refused(why) => {
                    progress.refuse(it.candidate.kind, it.candidate.changes, why);
                }
            }
        }
        *verified = kept;
        Ok(())
    }
}

/// Whether a thread may turn a loop for ever in a run without violation.
fn hangs(encoding: &mut Encoding, stop: &mut dyn FnMut() -> bool) -> bool {
    let hanging = encoding.hanging();
    matches!(encoding.assume(&[hanging], stop), Outcome::Sat(_))
}

/// What becomes of lines that the original reaches. A patch that lets nobody come to the end, or
/// lets some thread wait in a loop for ever where the original does not, is no repair.
fn fate(
    program: &Program,
    options: &CheckOptions,
    before: &Before,
    verified: &mut Verified,
    progress: &mut Progress<'_>,
) -> Result<Fate, InternalFailure> {
    let patched = &verified.patched;
    let mut watch = SamePhase(progress.watch);
    // No run fails, so how deep a search goes after a failure does not matter.
    let searched = match verified.formula.take() {
        Some(known) => known,
        None => {
            search_with_formula(patched, options, Patience::Short, Depth::Complete, &mut watch)?
        }
    };
    let WithFormula { encoding: Some(mut encoding), search } = searched else {
        return Ok(Fate::Unknown);
    };
    let mut stop = || progress.watch.check(&Counts::default()).is_some();
    let ending = encoding.ending();
    if let Outcome::Unsat(_) = encoding.assume(&[ending], &mut stop) {
        // What was cut may be all that comes to an end.
        let is_cut = search.stopped.is_some() || search.handed_over.is_some();
        return Ok(if is_cut { Fate::Unknown } else { Fate::Refused(WhyRefused::NeverEnds) });
    }
    if !before.hangs && hangs(&mut encoding, &mut stop) {
        return Ok(Fate::Refused(WhyRefused::MayHang));
    }
    let Some(after) = reached(patched, &mut encoding, Runs::Unrefuted, &mut stop) else {
        return Ok(Fate::Unknown);
    };
    let mut lost = not_in(&kept_of(program, patched, before), &after);
    if !lost.is_empty() && polls(encoding.graph()) {
        let after = reached_polling(patched, options, Runs::Unrefuted, progress)?;
        let Some(after) = after else { return Ok(Fate::Unknown) };
        lost = not_in(&lost, &after);
    }
    Ok(Fate::Kept(lost.into_values().map(|span| place(program, span)).collect()))
}

/// Lines of a patched program, each with the place in the original that it comes from.
type Origins = BTreeMap<Line, Span>;

/// Lines that the original reaches and a patch keeps.
fn kept_of(program: &Program, patched: &Program, before: &Before) -> Origins {
    let mut origins = BTreeMap::new();
    for ((path, line), &span) in &before.lines {
        let texts = text_of(&program.files, path).zip(text_of(&patched.files, path));
        let moved = texts.and_then(|(old, new)| kept_lines(old, new).get(line).copied());
        if let Some(moved) = moved.filter(|_| !is_bracket(&program.files, path, *line)) {
            origins.insert((path.clone(), moved), span);
        }
    }
    origins
}

fn not_in(origins: &Origins, reached: &BTreeMap<Line, Span>) -> Origins {
    let lost = origins.iter().filter(|(line, _)| !reached.contains_key(line));
    lost.map(|(line, &span)| (line.clone(), span)).collect()
}

fn place(program: &Program, span: Span) -> Place {
    let sites = program.sites.iter().filter(|site| site.span == Some(span));
    let function = sites.map(|it| it.function.clone()).next_back();
    Place { span, function: function.unwrap_or_default() }
}

/// Whether a line has nothing but brackets on it: what ends there is no statement to lose.
fn is_bracket(files: &Files, path: &str, line: u32) -> bool {
    let index = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let text = text_of(files, path).and_then(|text| text.lines().nth(index));
    text.is_some_and(|it| !it.contains(|c: char| c.is_ascii_alphanumeric()))
}

fn text_of<'a>(files: &'a Files, path: &str) -> Option<&'a str> {
    files.iter().find(|(_, file)| file.path == path)?.1.text.as_deref()
}
