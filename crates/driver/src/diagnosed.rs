//! A diagnosis as a report.

use unravel_diagnose::{Cause, Core, Diagnosis, Explained, Member, Pattern, Reason, causes};
use unravel_encode::{Answer, Encoding, Query, Runs};
use unravel_events::FindingKind;
use unravel_findings::cause::Causes;
use unravel_findings::comparison::letter;
use unravel_findings::names::Named;
use unravel_findings::order_ends::Ends;
use unravel_findings::violation::finding;
use unravel_findings::{mistake, passing_run, race};
use unravel_interp::run::replay_passing;
use unravel_interp::{Machine, Schedule};
use unravel_kinds::Mistake;
use unravel_program::Program;
use unravel_report::model::{
    self, Command, DiagnosisRemark, End, Finding, GivenInput, InputOutcome, InputRow, Obstacle,
};

use crate::check::{
    CheckOptions, Checked, InternalFailure, confirm, passing_file, report, schedule_file,
};
use crate::counterfactual::{closest_without, in_run_order, shown_member};
use crate::search::Search;
use crate::tracked::core_of;

/// Turns a diagnosis into a report.
pub struct Reporter<'a> {
    pub program: &'a Program,
    pub options: &'a CheckOptions,
    pub machine: Machine<'a>,
    pub encoding: Encoding,
    pub diagnosis: Diagnosis,
    /// The first run is the one that the user asked about.
    pub is_given: bool,
    /// The first run has the fewest context switches possible.
    pub fewest: bool,
}

impl Reporter<'_> {
    /// The report. Runs that end in the same violation are one finding.
    pub fn report(
        &mut self,
        mut search: Search,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Checked, InternalFailure> {
        let mut findings = Vec::new();
        let (mut schedules, mut passing) = (Vec::new(), Vec::new());
        for (id, runs) in (1u32..).zip(self.by_violation()) {
            self.come_close(self.shown(&runs), stop)?;
            let (finding, schedule) = self.finding(id, &runs)?;
            findings.push(finding);
            schedules.push(schedule);
            passing.extend(self.passing(self.shown(&runs))?);
        }
        if let (true, Some(found)) = (findings.is_empty(), search.found.first()) {
            let schedule = confirm(&self.machine, found)?;
            let mut finding = finding(self.program, 1, found.violation(), &schedule);
            let why = match search.stopped {
                Some(_) => Obstacle::Stopped,
                None => self.unknown(),
            };
            finding.diagnosis = Some(nothing(not_known(why)));
            findings.push(finding);
            let violation = found.violation();
            schedules.push(schedule_file(self.program, self.options, violation, &schedule));
        }
        search.stats.extend(self.numbers());
        let report = report(self.program, self.options, (Command::Diagnose, &search), findings);
        Ok(Checked { report, schedules, passing })
    }

    /// Why no failing run is diagnosed although one was found.
    fn unknown(&mut self) -> Obstacle {
        let answer = self.encoding.ask(Query::Unsupported, Runs::All, &[], &mut || false);
        let mut what = None;
        if let Answer::Reached(model) = answer
            && let Some(reached) = self.encoding.reached_in(&model, Query::Unsupported).first()
            && let FindingKind::Unsupported(it) = &reached.kind
        {
            let place = unravel_findings::place(self.program, reached.site);
            what = Some((it.clone(), place.map(|it| it.span.line)));
        }
        Obstacle::EveryFailingRunMeets { what }
    }

    /// Failing runs by what they end in: first what the run shown for it reaches with the fewest
    /// context switches, since that is the easiest to follow.
    fn by_violation(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let violation = |run: usize| self.diagnosis.runs[run].run.violation();
        for run in 0..self.diagnosis.runs.len() {
            match groups.iter_mut().find(|it| violation(it[0]).is_same(violation(run))) {
                Some(group) => group.push(run),
                None => groups.push(vec![run]),
            }
        }
        let switches =
            |runs: &Vec<usize>| self.diagnosis.runs[self.shown(runs)].run.context_switches();
        let is_asked = |runs: &Vec<usize>| self.is_given && runs.contains(&0);
        groups.sort_by_cached_key(|runs| (!is_asked(runs), switches(runs)));
        groups
    }

    /// The columns of ConcBugAssist's Table 2.
    fn numbers(&self) -> Vec<(&'static str, u64)> {
        let runs = &self.diagnosis.runs;
        let cores = runs.iter().filter_map(core_of);
        let members: Vec<&Member> = cores.flat_map(|core| &core.members).collect();
        let mut unique: Vec<_> =
            members.iter().map(|it| (it.order.before, it.order.after)).collect();
        unique.sort_unstable();
        unique.dedup();
        let orders: usize = runs.iter().map(|run| run.orders).sum();
        let count = |number: usize| number as u64;
        vec![
            ("iterations", count(self.diagnosis.iterations)),
            ("orders_in_runs", count(orders)),
            ("orders_in_cores", count(members.len())),
            ("unique_orders", count(unique.len())),
            ("questions", self.diagnosis.questions),
        ]
    }

    /// The failing run that is shown of several.
    fn shown(&self, runs: &[usize]) -> usize {
        if self.is_given && runs.contains(&0) {
            return 0;
        }
        let causes = causes(self.program, self.encoding.graph(), &self.diagnosis, runs);
        causes.first().map_or(runs[0], |cause| cause.runs[0])
    }

    /// Replaces the passing run that is shown beside a failing one by the closest of its kind.
    fn come_close(
        &mut self,
        run: usize,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), InternalFailure> {
        let failing = &self.diagnosis.runs[run];
        let Some(core) = core_of(failing) else { return Ok(()) };
        let Some(member) = shown_member(self.encoding.graph(), failing, core) else {
            return Ok(());
        };
        let (program, options) = (self.program, self.options);
        let what = (failing, core, member);
        let closest = closest_without(program, options, &mut self.encoding, what, stop)?;
        if let (Some(closest), Reason::Core(core)) = (closest, &mut self.diagnosis.runs[run].reason)
        {
            core.members[member].passing = Some(closest);
        }
        Ok(())
    }

    /// The passing run that is shown beside a failing one, as a schedule file.
    fn passing(&self, run: usize) -> Result<Option<String>, InternalFailure> {
        let failing = &self.diagnosis.runs[run];
        let Some(core) = core_of(failing) else { return Ok(None) };
        let member = shown_member(self.encoding.graph(), failing, core);
        let passing = member.and_then(|it| core.members[it].passing.as_ref());
        let Some(passing) = passing else { return Ok(None) };
        let schedule =
            replay_passing(&self.machine, &passing.decisions).map_err(InternalFailure::Diverged)?;
        Ok(Some(passing_file(self.program, self.options, &schedule)))
    }

    fn finding(&self, id: u32, runs: &[usize]) -> Result<(Finding, String), InternalFailure> {
        let causes = causes(self.program, self.encoding.graph(), &self.diagnosis, runs);
        let shown = self.shown(runs);
        let failing = &self.diagnosis.runs[shown].run;
        let schedule = confirm(&self.machine, failing)?;
        let mut finding = finding(self.program, id, failing.violation(), &schedule);
        finding.fewest_switches = self.fewest && shown == 0;
        let diagnosis = self.rows(runs, &causes, shown, &schedule)?;
        match diagnosis.causes.first() {
            Some(cause) => finding.mistake.clone_from(&cause.mistake),
            None if diagnosis.sequential => finding.mistake = None,
            None => {}
        }
        finding.diagnosis = Some(diagnosis);
        let file = schedule_file(self.program, self.options, failing.violation(), &schedule);
        Ok((finding, file))
    }

    fn rows(
        &self,
        runs: &[usize],
        causes: &[Cause],
        shown: usize,
        schedule: &Schedule,
    ) -> Result<model::Diagnosis, InternalFailure> {
        let mut cores = Vec::new();
        let mut index = vec![0; self.diagnosis.runs.len()];
        for &run in runs {
            let failing = &self.diagnosis.runs[run];
            let Some(core) = core_of(failing) else { continue };
            index[run] = cores.len();
            let own = if run == shown { None } else { Some(confirm(&self.machine, &failing.run)?) };
            let schedule = own.as_ref().unwrap_or(schedule);
            cores.push(self.core(failing, core, schedule, run == shown)?);
        }
        let shapes = Causes { program: self.program, graph: self.encoding.graph() };
        let mut rows = Vec::new();
        for cause in causes {
            rows.push(model::Cause {
                pattern: cause.pattern,
                shape: shapes.shape(cause.pattern, &cause.shape, cores.get(index[cause.runs[0]])),
                mistake: self.mistake(cause)?,
                cores: cause.runs.iter().map(|&run| index[run]).collect(),
            });
        }
        let mut causes = one_per_mistake(rows);
        if matches!(self.diagnosis.runs[shown].reason, Reason::Race) {
            let shape = race::shape(self.program, schedule);
            let (pattern, mistake) = (Pattern::DataRace, race::mistake(self.program, schedule));
            causes.push(model::Cause { pattern, shape, mistake, cores: Vec::new() });
        }
        let sequential = causes.is_empty()
            && runs
                .iter()
                .all(|&run| matches!(self.diagnosis.runs[run].reason, Reason::Sequential { .. }));
        let pattern = causes.first().map(|cause| cause.pattern);
        Ok(model::Diagnosis {
            pattern: if sequential { Some(Pattern::Sequential) } else { pattern },
            sequential,
            remarks: self.remarks(runs),
            causes,
            cores,
            is_complete: self.diagnosis.is_complete,
        })
    }

    /// What was done wrong in the runs of a cause, as its first shows it.
    fn mistake(&self, cause: &Cause) -> Result<Option<Mistake<End>>, InternalFailure> {
        let run = &self.diagnosis.runs[cause.runs[0]];
        let Some(core) = core_of(run) else { return Ok(None) };
        let failing = confirm(&self.machine, &run.run)?;
        let mut passing = Vec::new();
        for member in &core.members {
            let other = member.passing.as_ref();
            let other = other.map(|it| replay_passing(&self.machine, &it.decisions));
            passing.push(other.transpose().map_err(InternalFailure::Diverged)?);
        }
        let explained = mistake::Explained {
            program: self.program,
            ends: self.ends(run),
            failing: &failing,
            violation: run.run.violation(),
            core,
            passing,
            shape: &cause.shape,
        };
        Ok(explained.mistake())
    }

    /// Finds the steps of the orders of a failing run.
    fn ends<'a>(&'a self, failing: &'a Explained) -> Ends<'a> {
        let (program, graph) = (self.program, self.encoding.graph());
        Ends { program, graph, steps: &failing.run.steps, threads: &failing.run.threads }
    }

    fn remarks(&self, runs: &[usize]) -> Vec<DiagnosisRemark> {
        let mut remarks = Vec::new();
        for &run in runs {
            let remark = match &self.diagnosis.runs[run].reason {
                Reason::Core(_) | Reason::Race => continue,
                // That it is sequential says it all.
                Reason::Sequential { inputs, .. } if inputs.is_empty() => continue,
                Reason::Sequential { inputs, .. } => DiagnosisRemark::WithInputs {
                    inputs: self.given(inputs),
                    outcome: InputOutcome::EveryRunFails,
                },
                Reason::NeverPasses { inputs } => DiagnosisRemark::WithInputs {
                    inputs: self.given(inputs),
                    outcome: InputOutcome::NoRunPasses,
                },
                Reason::Unknown => DiagnosisRemark::SameOrderCut,
                Reason::Unexplained => DiagnosisRemark::SameOrderPasses,
            };
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        if self.diagnosis.ended_early {
            remarks.push(DiagnosisRemark::NothingNew);
        }
        remarks
    }

    /// Inputs with their values and lines.
    fn given(&self, inputs: &[(usize, u128)]) -> Vec<GivenInput> {
        let graph = self.encoding.graph();
        let one = |&(index, value): &(usize, u128)| {
            let input = &graph.inputs[index];
            let width = graph.terms.width(input.value);
            let place = unravel_findings::place(self.program, input.site);
            GivenInput {
                value: unravel_interp::value::signed(value, width).to_string(),
                line: place.map(|it| it.span.line),
            }
        };
        inputs.iter().map(one).collect()
    }

    fn core(
        &self,
        failing: &Explained,
        core: &Core,
        schedule: &Schedule,
        is_shown: bool,
    ) -> Result<model::Core, InternalFailure> {
        let ends = self.ends(failing);
        let program = self.program;
        let failing_run = Named::of(program, schedule);
        let mut orders = Vec::new();
        for (index, member) in in_run_order(failing, core).into_iter().enumerate() {
            let member = &core.members[member];
            let passing = member.passing.as_ref();
            let passing = passing.map(|run| replay_passing(&self.machine, &run.decisions));
            let passing = passing.transpose().map_err(InternalFailure::Diverged)?;
            let named = passing.as_ref().map(|run| Named::of(program, run));
            let mut order = ends.order(&member.order, &failing_run, named.as_ref());
            order.id = letter(index);
            if !is_shown {
                (order.before.step, order.after.step) = (None, None);
            }
            order.passing = passing.map(|run| passing_run(self.program, &run));
            orders.push(order);
        }
        let inputs = self.inputs(failing, core, schedule);
        let (other_inputs, is_minimal) = (core.other_inputs > 0, core.is_minimal);
        Ok(model::Core { orders, inputs, other_inputs, is_minimal })
    }

    /// The inputs that a core needs.
    fn inputs(&self, failing: &Explained, core: &Core, schedule: &Schedule) -> Vec<InputRow> {
        let graph = self.encoding.graph();
        let mut rows = unravel_findings::inputs(self.program, &schedule.inputs);
        let is_needed = |row: &InputRow| {
            core.inputs.iter().any(|&(index, _)| {
                let input = &graph.inputs[index];
                let thread = failing.run.threads.get(row.thread as usize);
                thread == Some(&input.thread)
                    && row.place == unravel_findings::place(self.program, input.site)
            })
        };
        rows.retain(is_needed);
        rows
    }
}

/// That the orders are not known, for this reason.
pub fn not_known(why: Obstacle) -> DiagnosisRemark {
    DiagnosisRemark::NotKnown(why)
}

/// A diagnosis without cores, and why there are none.
pub fn nothing(why: DiagnosisRemark) -> model::Diagnosis {
    model::Diagnosis {
        pattern: None,
        sequential: false,
        remarks: vec![why],
        causes: Vec::new(),
        cores: Vec::new(),
        is_complete: false,
    }
}

/// Causes that show the same mistake at the same line are one: mending that line mends them all.
fn one_per_mistake(causes: Vec<model::Cause>) -> Vec<model::Cause> {
    let mut rows: Vec<model::Cause> = Vec::new();
    for mut cause in causes {
        let same = rows
            .iter_mut()
            .find(|it| model::is_same_mistake(it.mistake.as_ref(), cause.mistake.as_ref()));
        match same {
            Some(known) => known.cores.append(&mut cause.cores),
            None => rows.push(cause),
        }
    }
    rows
}
