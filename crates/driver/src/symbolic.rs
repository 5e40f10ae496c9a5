//! The symbolic engine, from bound to bound.
//!
//! Each round builds the events up to the current bounds, encodes them and asks three questions:
//! is a violation reachable; if not, is a bound; if not, is something that is not modelled? Loops
//! whose bound is reachable get a larger one, and only those. No violation, no bound and nothing
//! unknown reachable means *safe*, without a bound.

mod deeper;

use std::collections::{BTreeMap, BTreeSet};

use unravel_encode::{Answer, Encoding, Options, Query, Reached, Runs, encode};
use unravel_events::{Bounds, EventGraph, FindingKind, LoopId, PointsTo, build};
use unravel_interp::schedule::ThreadInfo;
use unravel_interp::{Config, Machine, Note, Notes, Property, Run, ThreadId, Violation};
use unravel_kinds::{Cut, Unmodelled};
use unravel_program::{Program, SiteId};
use unravel_report::model::HandOver;
use unravel_schedule::{FailingRun, Until, violating_run};
use unravel_solver::{Lit, Model, Outcome};
use unravel_term::Term;
use unravel_watch::{Counts, Phase, StopReason, Stopped, Watch, Work};

use crate::check::{CheckOptions, InternalFailure};
use crate::endless;
use crate::search::Search;
pub use deeper::Depth;

/// Bound from which the exploration has a try, if the user set none: loops that wait turn as often
/// as they like, and no bound holds for them.
const PATIENCE: u32 = 16;

/// How far the symbolic engine goes before the exploration has a try: looks of the solver at its
/// watch, so that the answer does not depend on how fast the machine is.
const LOOKS: u64 = 30_000;

/// The same for programs of few steps, of which the exploration may see the end in a moment.
const FEW_LOOKS: u64 = 5_000;
const FEW_STEPS: u64 = 400;

/// So many times fewer where only an answer is wanted, which either engine can give.
const BRIEFLY: u64 = 20;

/// So many times more before the second try of the exploration.
const LONGER: u64 = 4;

/// How far pointers are followed before the exploration has a try: so many flow from one place to
/// another. It is about a second's work, where most programs take a hundredth of one.
const POINTERS: u64 = 5_000_000;

/// Hangs that may be taken back one by one.
const MOST_TAKEN_BACK: usize = 16;

/// How long to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Until it gets hard; then the exploration may try.
    Brief,
    /// The same, where this engine has more to give than an answer.
    Short,
    /// Longer, after the exploration had a first try and before it has a second.
    Middle,
    /// To the end.
    Long,
}

/// A search in progress.
struct Symbolic<'a, 'p> {
    program: &'p Program,
    options: &'a CheckOptions,
    config: Config,
    points: PointsTo,
    bounds: Bounds,
    search: Search,
    rounds: u64,
    patience: Patience,
    looks: u64,
    /// The program has few steps, up to the bounds of this round.
    is_small: bool,
    depth: Depth,
    /// What the last round was asked on.
    encoding: Option<Encoding>,
    /// Places of what was taken for a hang in this round and is none.
    taken_back: Vec<SiteId>,
}

/// Searches by symbolic execution and SAT.
///
/// # Errors
/// A model that is no run, or a solver that contradicts itself.
pub fn search(
    program: &Program,
    options: &CheckOptions,
    patience: Patience,
    watch: &mut dyn Watch,
) -> Result<Search, InternalFailure> {
    search_with_formula(program, options, patience, Depth::Shallow, watch).map(|it| it.search)
}

/// What a search found, with the formula of its last round.
pub struct WithFormula {
    /// What was found.
    pub search: Search,
    /// The formula, if there was a round; more questions can be asked of it.
    pub encoding: Option<Encoding>,
}

/// Searches, and hands out the formula for more questions.
///
/// # Errors
/// A model that is no run, or a solver that contradicts itself.
pub fn search_with_formula(
    program: &Program,
    options: &CheckOptions,
    patience: Patience,
    depth: Depth,
    watch: &mut dyn Watch,
) -> Result<WithFormula, InternalFailure> {
    let config = options.config();
    watch.phase(Phase::Build);
    let mut bounds = options.unwind.map_or_else(Bounds::growing, Bounds::fixed);
    if depth == Depth::Lingering {
        bounds = bounds.lingering();
    }
    break_on_purpose(&mut bounds, options);
    let work = match patience {
        Patience::Brief | Patience::Short => POINTERS,
        Patience::Middle => POINTERS * LONGER,
        Patience::Long => u64::MAX,
    };
    let Some(points) = PointsTo::until(program, &options.alarm, work) else {
        return Ok(WithFormula { search: without_points(options, watch), encoding: None });
    };
    let mut symbolic = Symbolic {
        program,
        options,
        points,
        bounds,
        search: no_search(options),
        config,
        rounds: 0,
        patience,
        looks: 0,
        is_small: false,
        depth,
        encoding: None,
        taken_back: Vec::new(),
    };
    while !symbolic.round(watch)? {}
    let Symbolic { search, encoding, .. } = symbolic;
    Ok(WithFormula { search, encoding })
}

#[cfg(feature = "mutants")]
fn break_on_purpose(bounds: &mut Bounds, options: &CheckOptions) {
    bounds.mutant = options.event_mutant;
}

#[cfg(not(feature = "mutants"))]
fn break_on_purpose(_bounds: &mut Bounds, _options: &CheckOptions) {}

/// What is known if pointers could not be followed to the end.
fn without_points(options: &CheckOptions, watch: &mut dyn Watch) -> Search {
    let reason = watch.check(&Counts::default());
    let handed_over = reason.is_none().then_some((SiteId(0), HandOver::HardQuestion));
    let reason = reason.unwrap_or(StopReason::Work(Work::Search));
    let stopped = Some(Stopped::Asked(reason));
    Search { stopped, handed_over, ..no_search(options) }
}

/// What is known before anything was searched.
pub fn no_search(options: &CheckOptions) -> Search {
    Search {
        found: Vec::new(),
        fewest_switches: false,
        notes: Notes::new(),
        sampled: BTreeSet::new(),
        stopped: None,
        threads: Vec::new(),
        unwind: options.unwind,
        explored_states: None,
        stats: Vec::new(),
        handed_over: None,
        explored: false,
        endless: false,
    }
}

impl Symbolic<'_, '_> {
    /// One round; whether it was the last.
    fn round(&mut self, watch: &mut dyn Watch) -> Result<bool, InternalFailure> {
        self.rounds += 1;
        self.taken_back.clear();
        watch.phase(Phase::Build);
        let mut reason = None;
        let graph = build(self.program, &self.config, &self.bounds, &self.points, &mut || {
            reason = reason.take().or_else(|| watch.check(&Counts::default()));
            reason.is_some()
        });
        let Some(graph) = graph else { return Ok(self.stop(reason, watch)) };
        self.search.threads = threads(self.program, &graph);
        watch.phase(Phase::Encode);
        let mut reason = None;
        let encoding = encode(graph, &self.encode_options(), &mut || {
            reason = reason.take().or_else(|| watch.check(&Counts::default()));
            reason.is_some()
        });
        let Some(mut encoding) = encoding else { return Ok(self.stop(reason, watch)) };
        watch.phase(Phase::Solve);
        self.is_small = encoding.counts().steps <= FEW_STEPS;
        let ended = self.violations(&mut encoding, watch)?;
        let last = if ended {
            !self.goes_deeper(&mut encoding, watch)?
        } else {
            self.cuts(&mut encoding, watch)?
        };
        self.search.stats = self.stats(&encoding);
        self.encoding = Some(encoding);
        Ok(last)
    }

    /// Notes why the search ends here.
    fn stop(&mut self, reason: Option<StopReason>, watch: &mut dyn Watch) -> bool {
        // Who heard the alarm does not know why it rings.
        let reason = reason.or_else(|| watch.check(&Counts::default()));
        let reason = reason.unwrap_or(StopReason::Work(Work::Other));
        self.search.stopped = Some(Stopped::Asked(reason));
        true
    }

    fn encode_options(&self) -> Options {
        Options {
            properties: self.options.properties,
            solver: self.options.solver.clone(),
            alarm: self.options.alarm.clone(),
            #[cfg(feature = "mutants")]
            mutant: self.options.mutant,
        }
    }

    /// Asks for a violation, or for each. Whether the search ends here.
    fn violations(
        &mut self,
        encoding: &mut Encoding,
        watch: &mut dyn Watch,
    ) -> Result<bool, InternalFailure> {
        if !self.options.all {
            return self.violation(encoding, &Question::Any, watch);
        }
        let all: Vec<Reached> = encoding.reached().to_vec();
        for reached in all.into_iter().filter(is_violation) {
            let stop = if is_deadlock(&reached) {
                self.deadlocks(encoding, &reached, watch)?
            } else if self.search.found.iter().any(|it| is_found(it, &reached)) {
                false
            } else {
                self.violation(encoding, &Question::This(reached, Vec::new()), watch)?
            };
            if stop {
                return Ok(self.search.stopped.is_some());
            }
        }
        Ok(!self.search.found.is_empty())
    }

    /// Asks for deadlocks until there is none in which nobody waits at a place already found. The
    /// formula has one literal for all of them, so a found place is left out of the next question.
    fn deadlocks(
        &mut self,
        encoding: &mut Encoding,
        reached: &Reached,
        watch: &mut dyn Watch,
    ) -> Result<bool, InternalFailure> {
        let mut except = Vec::new();
        loop {
            let known = self.search.found.len();
            let question = Question::This(reached.clone(), except.clone());
            if self.violation(encoding, &question, watch)? {
                return Ok(true);
            }
            let Some(found) = self.search.found.get(known) else { return Ok(false) };
            except.extend(encoding.waiting_at(found.violation().site));
        }
    }

    /// Asks for a violation. Whether one was found, or the search was stopped.
    ///
    /// Runs that meet nothing unknown come first: what follows after something that is not
    /// modelled may be invented, and then the interpreter does not follow. Such a run is no answer.
    fn violation(
        &mut self,
        encoding: &mut Encoding,
        question: &Question,
        watch: &mut dyn Watch,
    ) -> Result<bool, InternalFailure> {
        let mut questions = vec![Runs::All, Runs::Clean];
        while let Some(runs) = questions.pop() {
            let model = match self.ask_violation(encoding, question, runs, watch)? {
                SolverAnswer::No => continue,
                SolverAnswer::Stopped => return Ok(true),
                SolverAnswer::Yes(model) => model,
            };
            let reached = match question {
                Question::This(reached, _) => Some(reached.clone()),
                Question::Any => {
                    let reached = encoding.reached_in(&model, Query::Violation);
                    reached.first().map(|it| (*it).clone())
                }
            };
            let Some(reached) = reached else {
                let why = "the solver found a violation that is none".to_owned();
                return Err(InternalFailure::Broken(why));
            };
            let until = match question {
                Question::Any => Until::First,
                Question::This(..) => Until::TheOne,
            };
            match self.follow(encoding, *model.clone(), (&reached, until), watch) {
                Ok(found) => {
                    self.add_found(found.run);
                    return Ok(!self.options.all);
                }
                Err(Unfollowed::NoHang) => {
                    self.take_back(encoding, &model, reached.site);
                    questions.push(runs);
                }
                Err(Unfollowed::Broken(failure)) if runs == Runs::Clean => return Err(failure),
                Err(Unfollowed::Broken(_)) => {}
            }
        }
        Ok(false)
    }

    /// What was taken for a hang is none: the formula does not look into what others do in a turn. It
    /// is left out of what is asked from now on, after a few all hangs are. Others with the same loops
    /// may be left out with it, so that *safe* cannot follow from this formula.
    fn take_back(&mut self, encoding: &mut Encoding, model: &Model, site: SiteId) {
        self.taken_back.push(site);
        if self.taken_back.len() < MOST_TAKEN_BACK {
            encoding.not_this_hang(model);
        } else {
            encoding.no_hangs();
        }
    }

    fn ask_violation(
        &mut self,
        encoding: &mut Encoding,
        question: &Question,
        runs: Runs,
        watch: &mut dyn Watch,
    ) -> Result<SolverAnswer, InternalFailure> {
        match question {
            Question::Any => self.ask(encoding, Query::Violation, runs, &[], watch),
            Question::This(reached, except) => {
                self.ask_watched(watch, |stop| encoding.ask_for(reached.lit, except, runs, stop))
            }
        }
    }

    fn add_found(&mut self, found: Run<Violation>) {
        if !self.search.found.iter().any(|it| it.fails_like(&found)) {
            self.search.found.push(found);
        }
    }

    /// Follows a model on the interpreter.
    fn follow(
        &self,
        encoding: &Encoding,
        model: Model,
        (reached, until): (&Reached, Until),
        watch: &mut dyn Watch,
    ) -> Result<FailingRun, Unfollowed> {
        watch.phase(Phase::Replay);
        let machine = Machine::new(self.program, self.config.clone());
        let run = violating_run(&machine, encoding, model, reached, until);
        let run = run.map_err(|divergence| {
            if divergence.is_no_hang {
                return Unfollowed::NoHang;
            }
            let site = self.program.site(reached.site);
            let line = site.span.as_ref().map_or(0, |span| span.line);
            Unfollowed::Broken(InternalFailure::Broken(format!(
                "the run that should fail at line {line} cannot be followed: after {} steps, {}",
                divergence.at, divergence.why
            )))
        })?;
        watch.phase(Phase::Solve);
        Ok(run)
    }

    /// No violation: asks what was cut. Raises bounds, or ends the search.
    fn cuts(
        &mut self,
        encoding: &mut Encoding,
        watch: &mut dyn Watch,
    ) -> Result<bool, InternalFailure> {
        let Some(bounds) = self.collect(encoding, Query::Bound, watch)? else { return Ok(true) };
        let fixed = self.options.unwind.is_some() || bounds.iter().any(is_size);
        let primitive =
            encoding.reached().iter().any(|it| matches!(it.kind, FindingKind::Primitive(_)));
        let waits = self.bounds.largest() >= PATIENCE && self.patience != Patience::Long;
        if bounds.is_empty() || fixed || primitive || waits {
            let unknown = self.collect(encoding, Query::Unsupported, watch)?;
            self.add_notes(&bounds);
            self.add_notes(unknown.as_deref().unwrap_or_default());
            self.set_hand_over(&bounds, unknown.as_deref().unwrap_or_default());
            self.note_taken_back();
            // A primitive that no run reaches is no reason to stop.
            let go_on = !bounds.is_empty() && !fixed && self.search.handed_over.is_none();
            if !go_on {
                self.search.endless = bounds.is_empty() && self.is_endless(encoding, watch)?;
                self.leave_out_threads(encoding, watch)?;
                return Ok(true);
            }
            self.search.notes.clear();
        }
        self.raise(&bounds);
        Ok(false)
    }

    /// Hangs that were taken back in this round leave open whether there are others.
    fn note_taken_back(&mut self) {
        for &site in &self.taken_back {
            self.search.notes.insert(Note::Bound { site, what: Cut::Polling });
            let hard = (SiteId(0), HandOver::HardQuestion);
            self.search.handed_over.get_or_insert(hard);
        }
    }

    /// Leaves out the threads of a program in which no second one starts in any run: the graph has
    /// all whose creation it cannot exclude. Costs one question where it is not plain.
    fn leave_out_threads(
        &mut self,
        encoding: &mut Encoding,
        watch: &mut dyn Watch,
    ) -> Result<(), InternalFailure> {
        let others = encoding.graph().threads.iter().skip(1);
        let guards: Vec<Term> = others.map(|it| it.guard).collect();
        if guards.is_empty() || guards.iter().any(|&it| encoding.graph().terms.is_true(it)) {
            return Ok(());
        }
        let exist: Vec<Lit> = guards.into_iter().map(|it| encoding.holds(it)).collect();
        let some = encoding.some_of(&exist);
        let known = (self.search.stopped, self.search.handed_over.clone());
        if matches!(self.ask_for_run(encoding, some, watch)?, SolverAnswer::No) {
            self.search.threads.truncate(1);
        }
        // The answer does not depend on this question, however hard it is.
        (self.search.stopped, self.search.handed_over) = known;
        Ok(())
    }

    /// Asks for a run in which a literal is true.
    fn ask_for_run(
        &mut self,
        encoding: &mut Encoding,
        lit: Lit,
        watch: &mut dyn Watch,
    ) -> Result<SolverAnswer, InternalFailure> {
        self.ask_watched(watch, |stop| match encoding.assume(&[lit], stop) {
            Outcome::Sat(model) => Answer::Reached(Box::new(model)),
            Outcome::Unsat(_) => Answer::Unreachable,
            Outcome::Stopped => Answer::Stopped,
            Outcome::Broken(why) => Answer::Broken(why),
        })
    }

    /// Whether no run comes to its end, for all the loops in which nothing changes any more. Costs one
    /// question, for programs with several threads and such loops.
    fn is_endless(
        &mut self,
        encoding: &mut Encoding,
        watch: &mut dyn Watch,
    ) -> Result<bool, InternalFailure> {
        let threads = &encoding.graph().threads;
        let spins = threads.len() > 1 && threads.iter().any(|it| !it.spins.is_empty());
        if !spins || !endless::counts(self.program, self.options) {
            return Ok(false);
        }
        let ending = encoding.ending();
        Ok(matches!(self.ask_for_run(encoding, ending, watch)?, SolverAnswer::No))
    }

    /// Raises the bounds of the loops that were cut.
    fn raise(&mut self, cut: &[Reached]) {
        let mut raised: BTreeMap<LoopId, u32> = BTreeMap::new();
        for (id, turns) in cut.iter().filter_map(Encoding::loop_of) {
            let most = raised.entry(id).or_default();
            *most = turns.max(*most);
        }
        for (id, turns) in raised {
            self.bounds.raise(id, turns);
        }
    }

    /// All findings of a kind that can be reached; `None` if the search was stopped.
    fn collect(
        &mut self,
        encoding: &mut Encoding,
        query: Query,
        watch: &mut dyn Watch,
    ) -> Result<Option<Vec<Reached>>, InternalFailure> {
        let mut found: Vec<Reached> = Vec::new();
        let mut except = Vec::new();
        loop {
            match self.ask(encoding, query, Runs::All, &except, watch)? {
                SolverAnswer::No => return Ok(Some(found)),
                SolverAnswer::Stopped => return Ok(None),
                SolverAnswer::Yes(model) => {
                    for reached in encoding.reached_in(&model, query) {
                        except.push(reached.lit);
                        found.push(reached.clone());
                    }
                    // Other iterations of the same loop or place say nothing new.
                    let known = |it: &&Reached| {
                        Query::of(&it.kind) == Some(query)
                            && found.iter().any(|other| same_place(other, it))
                    };
                    except.extend(encoding.reached().iter().filter(known).map(|it| it.lit));
                    except.sort_unstable();
                    except.dedup();
                }
            }
        }
    }

    fn ask(
        &mut self,
        encoding: &mut Encoding,
        query: Query,
        runs: Runs,
        except: &[Lit],
        watch: &mut dyn Watch,
    ) -> Result<SolverAnswer, InternalFailure> {
        self.ask_watched(watch, |stop| encoding.ask(query, runs, except, stop))
    }

    /// Asks a question with a watch over the solver.
    fn ask_watched(
        &mut self,
        watch: &mut dyn Watch,
        question: impl FnOnce(&mut dyn FnMut() -> bool) -> Answer,
    ) -> Result<SolverAnswer, InternalFailure> {
        let mut reason = None;
        let limit = match self.patience {
            Patience::Long => u64::MAX,
            _ if self.is_small => FEW_LOOKS,
            _ => LOOKS,
        };
        let limit = match self.patience {
            Patience::Brief => limit / BRIEFLY,
            Patience::Middle => limit * LONGER,
            Patience::Short | Patience::Long => limit,
        };
        let mut looks = self.looks;
        let answer = question(&mut || {
            looks += 1;
            reason = reason.take().or_else(|| watch.check(&Counts::default()));
            reason.is_some() || looks > limit
        });
        self.looks = looks;
        match answer {
            Answer::Reached(model) => Ok(SolverAnswer::Yes(model)),
            Answer::Unreachable => Ok(SolverAnswer::No),
            Answer::Broken(why) => Err(InternalFailure::Broken(why)),
            Answer::Stopped => {
                // Who heard the alarm does not know why it rings.
                if self.options.alarm.rings() {
                    reason = reason.or_else(|| watch.check(&Counts::default()));
                }
                if reason.is_none() {
                    self.search.handed_over = Some((SiteId(0), HandOver::HardQuestion));
                }
                let reason = reason.unwrap_or(StopReason::Work(Work::Search));
                self.search.stopped = Some(Stopped::Asked(reason));
                Ok(SolverAnswer::Stopped)
            }
        }
    }

    fn add_notes(&mut self, reached: &[Reached]) {
        for it in reached {
            let site = it.site;
            let note = match &it.kind {
                FindingKind::Bound(_, _, what) => Note::Bound { site, what: *what },
                FindingKind::Unsupported(what) => Note::Unsupported { site, what: what.clone() },
                FindingKind::Primitive(name) => {
                    let what = Unmodelled::SymbolicFunction((*name).to_owned());
                    Note::Unsupported { site, what }
                }
                FindingKind::Violation(_) => continue,
            };
            self.search.notes.insert(note);
        }
    }

    /// What the exploration may know better.
    fn set_hand_over(&mut self, bounds: &[Reached], unknown: &[Reached]) {
        if self.search.handed_over.is_some() {
            return;
        }
        let primitive = unknown.iter().find_map(|it| match &it.kind {
            FindingKind::Primitive(name) => {
                Some((it.site, Unmodelled::SymbolicFunction((*name).to_owned())))
            }
            FindingKind::Unsupported(what) => Some((it.site, what.clone())),
            _ => None,
        });
        let waits = self.options.unwind.is_none()
            && self.patience != Patience::Long
            && self.bounds.largest() >= PATIENCE;
        // Merely hard, so it has no place.
        let cut = bounds.first().filter(|_| waits);
        let cut = cut.map(|_| (SiteId(0), HandOver::LongLoop));
        let primitive = primitive.map(|(site, what)| (site, HandOver::Unmodelled(what)));
        self.search.handed_over = primitive.or(cut);
    }

    fn stats(&self, encoding: &Encoding) -> Vec<(&'static str, u64)> {
        let (counts, solver) = (encoding.counts(), encoding.solver_stats());
        let classes = encoding.graph().symmetry.iter();
        let interchangeable = classes.map(|class| class.members.len() as u64).sum();
        vec![
            ("rounds", self.rounds),
            ("largest_bound", u64::from(self.bounds.largest())),
            ("threads", self.search.threads.len() as u64),
            ("interchangeable_threads", interchangeable),
            ("steps", counts.steps),
            ("events", counts.events),
            ("reads", counts.reads),
            ("candidates", counts.candidates),
            ("variables", solver.variables),
            ("clauses", solver.clauses),
            ("theory_propagations", solver.theory_propagations),
            ("theory_conflicts", solver.theory_conflicts),
            ("conflicts", solver.solver_conflicts),
            ("refinements", solver.refinements),
        ]
    }
}

/// Why a model was not followed.
enum Unfollowed {
    /// It was taken for a hang, and the threads can go on.
    NoHang,
    /// An engine is wrong.
    Broken(InternalFailure),
}

/// Which violation is asked for.
enum Question {
    Any,
    /// This place, in runs in which none of these literals holds.
    This(Reached, Vec<Lit>),
}

fn is_violation(reached: &Reached) -> bool {
    matches!(reached.kind, FindingKind::Violation(_))
}

fn is_deadlock(reached: &Reached) -> bool {
    reached.kind == FindingKind::Violation(Property::Deadlock)
}

/// Whether a run that was found is of this place and property: one place may fail in several ways.
fn is_found(found: &Run<Violation>, reached: &Reached) -> bool {
    reached.site == found.violation().site
        && reached.kind == FindingKind::Violation(found.violation().property())
}

/// An answer of the solver.
enum SolverAnswer {
    Yes(Box<Model>),
    No,
    Stopped,
}

fn is_size(reached: &Reached) -> bool {
    matches!(Encoding::loop_of(reached), Some((LoopId::Size, _)))
}

fn same_place(a: &Reached, b: &Reached) -> bool {
    match (Encoding::loop_of(a), Encoding::loop_of(b)) {
        (Some((a, _)), Some((b, _))) => a == b,
        _ => a.site == b.site && a.kind == b.kind,
    }
}

fn threads(program: &Program, graph: &EventGraph) -> Vec<ThreadInfo> {
    let info = |(id, thread): (u32, &unravel_events::Thread)| ThreadInfo {
        id: ThreadId(id),
        name: program.function(thread.start).name.clone(),
        created_at: thread.created_by.map(|step| graph.step(step).site),
    };
    (0u32..).zip(&graph.threads).map(info).collect()
}
