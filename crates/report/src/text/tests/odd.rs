//! Reports that no driver should make: nothing may panic on them.

use unravel_kinds::{
    Awaited, Cut, Deed, Mistake, Pattern, Properties, Related, Spin, StepKind, StopReason,
    Unmodelled, Variable, ViolationKind, Wait,
};
use unravel_span::Span;

use super::super::{Style, render};
use crate::examples::{self, Run, variable};
use crate::model::{
    Cause, CauseShape, Core, CorePoint, CoreRegion, Diagnosis, DiagnosisRemark, End, EndKind,
    Finding, GivenInput, InputOutcome, Order, PassingRun, Place, RaceAccess, Reason, ReasonKind,
    RelatedKind, Remark, Report, StepRow, Verdict,
};
use crate::{json, sarif};

const TEXTS: [&str; 10] = [
    "",
    "\n",
    "x",
    "\tx = 1;\r\n\r\n\ty++;\r\n",
    "int \u{f6} = \u{1f600};\n\u{2026}\n= = =\n",
    "a\rb\n\0\u{1b}[31m\n",
    "f(((\n)))\n",
    "((((]]]]",
    "\u{200b}\u{301}e\u{301}\n\u{3000}\u{4e2d}\u{6587} = 1;\n",
    "x = (a\n",
];
const KINDS: [StepKind; 10] = [
    StepKind::Read,
    StepKind::Write,
    StepKind::Update,
    StepKind::Create(u32::MAX),
    StepKind::Local,
    StepKind::Output,
    StepKind::Sync { deed: Deed::Lock, code: Some(i32::MIN) },
    StepKind::Sync { deed: Deed::Wait, code: None },
    StepKind::Free,
    StepKind::Exit(-1),
];
const ENDS: [EndKind; 6] = [
    EndKind::Read,
    EndKind::Write,
    EndKind::Update,
    EndKind::Free,
    EndKind::Use,
    EndKind::Sync(Deed::Lock),
];
const WORDS: [&str; 6] = ["", "x", "T1 waits", "\u{1b}[0m\n", "\u{4e2d}\u{6587}\u{f6}", "`[a](1)`"];

/// A small generator of numbers (xorshift), so that the test is the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % u64::from(limit.max(1))) as u32
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    fn word(&mut self) -> String {
        self.one_of(&WORDS).to_owned()
    }

    fn words(&mut self) -> Vec<String> {
        (0..self.below(3)).map(|_| self.word()).collect()
    }

    fn variable(&mut self) -> Variable {
        match self.below(4) {
            0 => Variable::Heap { line: self.below(3), nth: self.below(3), offset: u64::MAX },
            1 => Variable::Freed,
            _ => variable(&self.word()),
        }
    }

    fn place(&mut self, report: &mut Report) -> Option<Place> {
        let name = self.one_of(&["a.c", "b.c", "", "\u{f6} \n.c"]);
        let file = report.files.intern(name);
        let far = self.one_of(&[4, 12, u32::MAX]);
        let span = Span::new(file, self.below(far.min(5)), self.below(far));
        let place = Place { span, function: self.word() };
        (self.below(8) > 0).then_some(place)
    }

    fn step(&mut self, report: &mut Report) -> StepRow {
        StepRow {
            step: self.below(100),
            thread: self.below(5),
            place: self.place(report),
            kind: self.one_of(&KINDS),
            variable: (self.below(4) > 0).then(|| self.word()),
            value: (self.below(4) > 0).then(|| self.word().repeat(self.below(30) as usize)),
        }
    }

    fn violation(&mut self) -> ViolationKind {
        let threads = (0..self.below(4)).collect();
        match self.below(7) {
            0 => ViolationKind::Assertion { text: self.word() },
            1 => ViolationKind::LockCycle { threads },
            2 => ViolationKind::NoProgress { threads },
            3 => ViolationKind::DataRace { variable: self.variable(), writes: true },
            4 => ViolationKind::OverwriteInUse { object: self.variable() },
            5 => ViolationKind::Hang { waiting: threads, spinning: vec![0] },
            _ => ViolationKind::Unreachable,
        }
    }

    fn related(&mut self, report: &mut Report) -> Remark<RelatedKind> {
        let (thread, held_by) = (self.below(7), (self.below(2) == 0).then(|| self.below(7)));
        let what = match self.below(6) {
            0 => Related::OtherAccess { thread },
            1 => Related::HeldBy { thread },
            2 => Related::Took { thread, lock: self.variable() },
            4 => {
                let until = vec![self.variable()];
                Related::Spins(Spin { thread, until, others: held_by.into_iter().collect() })
            }
            3 => Related::Waits(Wait { thread, awaited: Awaited::Nothing, held_by }),
            _ => {
                let awaited = Awaited::Signal(self.variable());
                Related::Waits(Wait { thread, awaited, held_by })
            }
        };
        Remark { place: self.place(report), what: RelatedKind::Step(what) }
    }

    fn finding(&mut self, report: &mut Report) -> Finding {
        let mut finding = examples::finding(self.violation());
        finding.place = self.place(report);
        finding.thread = self.below(7);
        finding.schedule = (0..self.below(12)).map(|_| self.step(report)).collect();
        finding.related = (0..self.below(4)).map(|_| self.related(report)).collect();
        finding.threads =
            (0..self.below(4)).map(|id| examples::thread(id, self.one_of(&WORDS), None)).collect();
        if self.below(3) == 0 {
            finding.place = finding.schedule.last().and_then(|step| step.place.clone());
        }
        finding.diagnosis = (self.below(2) == 0).then(|| self.diagnosis(report));
        let mistakes = Mistake::examples(&mut || self.end(report));
        finding.mistake = mistakes.into_iter().nth(self.below(24) as usize);
        finding
    }

    fn end(&mut self, report: &mut Report) -> End {
        let StepRow { step, thread, place, variable, value, .. } = self.step(report);
        End {
            thread,
            thread_name: self.word(),
            place,
            kind: self.one_of(&ENDS),
            variable,
            value,
            iteration: (self.below(2) == 0).then(|| self.below(3)),
            step: (self.below(2) == 0).then_some(step),
        }
    }

    fn order(&mut self, report: &mut Report) -> Order {
        let schedule = (0..self.below(5)).map(|_| self.step(report)).collect();
        Order {
            id: self.word(),
            before: self.end(report),
            after: self.end(report),
            passing: Some(PassingRun { threads: Vec::new(), schedule, context_switches: 0 }),
        }
    }

    fn region(&mut self, report: &mut Report) -> CoreRegion {
        CoreRegion {
            thread_name: self.word(),
            first: self.place(report),
            last: self.place(report),
            iterations: (self.below(2) == 0).then(|| (self.below(3), self.below(3))),
        }
    }

    fn point(&mut self, report: &mut Report) -> CorePoint {
        let deed = self.one_of(&[None, Some(Deed::Wait), Some(Deed::Signal)]);
        CorePoint { thread_name: self.word(), place: self.place(report), deed }
    }

    fn access(&mut self, report: &mut Report) -> RaceAccess {
        RaceAccess { thread: self.below(5), place: self.place(report), locks: self.words() }
    }

    fn shape(&mut self, report: &mut Report) -> CauseShape {
        match self.below(5) {
            0 => CauseShape::Torn {
                region: self.region(report),
                by: self.region(report),
                same_function: self.below(2) == 0,
                variables: self.words(),
            },
            1 => CauseShape::Circle {
                regions: (0..self.below(4)).map(|_| self.region(report)).collect(),
                threads: self.below(4) as usize,
            },
            2 => CauseShape::Early {
                first: self.point(report),
                second: self.point(report),
                more: self.below(3) as usize,
            },
            3 => CauseShape::Race { first: self.access(report), second: self.access(report) },
            _ => CauseShape::Unknown,
        }
    }

    fn cause(&mut self, report: &mut Report) -> Cause {
        Cause {
            pattern: self.one_of(&Pattern::ALL),
            mistake: None,
            shape: self.shape(report),
            cores: (0..self.below(3)).map(|_| self.below(5) as usize).collect(),
        }
    }

    fn diagnosis_remark(&mut self) -> DiagnosisRemark {
        let line = (self.below(2) == 0).then(|| self.below(9));
        let inputs = vec![GivenInput { value: self.word(), line }];
        DiagnosisRemark::WithInputs { inputs, outcome: InputOutcome::NoRunPasses }
    }

    fn diagnosis(&mut self, report: &mut Report) -> Diagnosis {
        let mut cores = Vec::new();
        for _ in 0..self.below(4) {
            let orders = (0..self.below(5)).map(|_| self.order(report)).collect();
            cores.push(Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true });
        }
        Diagnosis {
            pattern: None,
            sequential: self.below(4) == 0,
            remarks: (0..self.below(3)).map(|_| self.diagnosis_remark()).collect(),
            causes: (0..self.below(12)).map(|_| self.cause(report)).collect(),
            cores,
            is_complete: self.below(2) == 0,
        }
    }

    fn report(&mut self) -> Report {
        let verdict = self.one_of(&[Verdict::Safe, Verdict::Unsafe, Verdict::Inconclusive]);
        let text = self.one_of(&TEXTS);
        let (mut report, _) = examples::empty(verdict, "a.c", Some(text));
        let other = report.files.intern("b.c");
        report.files.set_text(other, self.one_of(&TEXTS).to_owned());
        for _ in 0..self.below(3) {
            let finding = self.finding(&mut report);
            report.findings.push(finding);
            let place = self.place(&mut report);
            let what = Unmodelled::SymbolicFunction(self.word());
            report.unsupported.push(Remark { place: place.clone(), what });
            let unmodelled = Unmodelled::MissingFunction(self.word());
            report.handed_over.push(Remark { place: place.clone(), what: unmodelled.clone() });
            let kind = match self.below(3) {
                0 => ReasonKind::Budget(StopReason::Interrupted),
                1 => ReasonKind::Unmodelled(unmodelled),
                _ => ReasonKind::Bound { cut: Cut::Loop { iterations: 0 }, unwind: None },
            };
            report.reasons.push(Reason { kind, place });
        }
        report
    }
}

#[test]
fn nothing_panics_and_nothing_escapes() {
    let mut numbers = Numbers(0x5eed);
    for round in 0..1500 {
        let report = numbers.report();
        for width in [0, 30, 100] {
            let unicode = round % 2 == 0;
            let style = Style { color: false, unicode, width, verbose: round % 3 == 0 };
            let text = render(&report, style);
            assert!(!text.contains('\u{1b}'), "{text:?}");
            assert_eq!(text.matches("SUMMARY:").count(), 1);
            let colored = render(&report, Style { color: true, ..style });
            assert!(colored.contains("SUMMARY:"));
        }
        assert!(json::render(&report, "0").ends_with("}\n"));
        assert!(sarif::render(&report, "0").ends_with("}\n"));
    }
}

#[test]
fn a_report_of_nothing_is_rendered() {
    for verdict in [Verdict::Safe, Verdict::Unsafe, Verdict::Inconclusive] {
        let (mut report, file) = examples::empty(verdict, "a.c", None);
        report.properties = Properties::NONE;
        report.explored_states = None;
        report.stats.clear();
        report.findings.push(examples::finding(examples::assertion("")));
        let run = Run::new(file).step(0, (0, 0), StepKind::Local);
        let race = ViolationKind::DataRace { variable: variable(""), writes: false };
        let mut finding = examples::finding(race);
        finding.schedule = run.steps;
        report.findings.push(finding);
        assert!(!render(&report, Style::default()).is_empty());
    }
}
