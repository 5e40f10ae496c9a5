//! Reports that no driver should make: nothing may panic on them.

use unravel_span::Span;

use super::super::{Style, render};
use crate::examples::{self, Run};
use crate::model::{
    Cause, Core, Diagnosis, End, Finding, Order, PassingRun, Place, Reason, Remark, Report,
    StepRow, Verdict,
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
const KINDS: [&str; 8] = ["read", "write", "create", "local", "output", "lock", "free", ""];
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

    fn place(&mut self, report: &mut Report) -> Option<Place> {
        let name = self.one_of(&["a.c", "b.c", "", "\u{f6} \n.c"]);
        let file = report.files.intern(name);
        let far = self.one_of(&[4, 12, u32::MAX]);
        let span = Span::new(file, self.below(far.min(5)), self.below(far));
        let place = Place { span, function: self.one_of(&WORDS).to_owned() };
        (self.below(8) > 0).then_some(place)
    }

    fn step(&mut self, report: &mut Report) -> StepRow {
        StepRow {
            step: self.below(100),
            thread: self.below(5),
            place: self.place(report),
            kind: self.one_of(&KINDS),
            variable: (self.below(4) > 0).then(|| self.one_of(&WORDS).to_owned()),
            value: (self.below(4) > 0).then(|| self.one_of(&WORDS).to_owned()),
            text: self.one_of(&WORDS).repeat(self.below(30) as usize),
        }
    }

    fn remark(&mut self, report: &mut Report) -> Remark {
        Remark { place: self.place(report), what: self.one_of(&WORDS).to_owned() }
    }

    fn finding(&mut self, report: &mut Report) -> Finding {
        let property = self.one_of(&["reach", "deadlock", "race", "?"]);
        let mut finding = examples::finding(property, "kind", self.one_of(&WORDS));
        finding.place = self.place(report);
        finding.thread = self.below(7);
        finding.schedule = (0..self.below(12)).map(|_| self.step(report)).collect();
        finding.related = (0..self.below(4)).map(|_| self.remark(report)).collect();
        finding.threads =
            (0..self.below(4)).map(|id| examples::thread(id, self.one_of(&WORDS), None)).collect();
        if self.below(3) == 0 {
            finding.place = finding.schedule.last().and_then(|step| step.place.clone());
        }
        finding.diagnosis = (self.below(2) == 0).then(|| self.diagnosis(report));
        finding
    }

    fn end(&mut self, report: &mut Report) -> End {
        let StepRow { step, thread, place, variable, value, text, .. } = self.step(report);
        End {
            thread,
            thread_name: self.one_of(&WORDS).to_owned(),
            place,
            kind: self.one_of(&KINDS),
            variable,
            value,
            text,
            turn: (self.below(2) == 0).then(|| self.below(3)),
            step: (self.below(2) == 0).then_some(step),
        }
    }

    fn order(&mut self, report: &mut Report) -> Order {
        let schedule = (0..self.below(5)).map(|_| self.step(report)).collect();
        Order {
            id: self.one_of(&WORDS).to_owned(),
            before: self.end(report),
            after: self.end(report),
            so: self.one_of(&WORDS).to_owned(),
            passing: Some(PassingRun { threads: Vec::new(), schedule, context_switches: 0 }),
        }
    }

    fn diagnosis(&mut self, report: &mut Report) -> Diagnosis {
        let mut cores = Vec::new();
        for _ in 0..self.below(4) {
            let orders = (0..self.below(5)).map(|_| self.order(report)).collect();
            cores.push(Core { orders, inputs: Vec::new(), other_inputs: false, is_minimal: true });
        }
        let cause = |numbers: &mut Numbers| Cause {
            pattern: "pattern",
            message: numbers.one_of(&WORDS).to_owned(),
            cores: (0..numbers.below(3)).map(|_| numbers.below(5) as usize).collect(),
        };
        Diagnosis {
            pattern: None,
            sequential: self.below(4) == 0,
            remarks: (0..self.below(3)).map(|_| self.one_of(&WORDS).to_owned()).collect(),
            causes: (0..self.below(12)).map(|_| cause(self)).collect(),
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
            let remark = self.remark(&mut report);
            report.unsupported.push(remark.clone());
            let Remark { place, what } = remark;
            report.reasons.push(Reason { kind: "bound", message: what, place, help: None });
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
        report.properties.clear();
        report.stats.clear();
        report.findings.push(examples::finding("reach", "assertion", ""));
        let run = Run::new(file).step(0, (0, 0), "", "");
        let mut finding = examples::finding("race", "data-race", "");
        finding.schedule = run.steps;
        report.findings.push(finding);
        assert!(!render(&report, Style::default()).is_empty());
    }
}
