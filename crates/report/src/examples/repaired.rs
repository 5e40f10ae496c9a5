//! Reports of `unravel repair`, made by hand.

use unravel_kinds::repair::{
    Because, Change, Changes, Code, CodeOrder, Cost, Costs, GuardedBy, Join, Required, Tried,
    WhyNone, WhyRefused,
};
use unravel_kinds::{Property, RepairKind, ViolationKind};
use unravel_span::{Edit, FileId};

use super::{RACE_C, diagnosed, empty, place, safe};
use crate::model::{
    Command, CoverRow, Covers, Forbids, Refused, Repair, Repairs, Report, Verdict, VerifiedFor,
};

/// The patch that [`guarded`] is.
const GUARDED: &str = "\
--- a/race.c
+++ b/race.c
@@ -4 +4,2 @@
 int x, y;
+static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;
@@ -6,3 +7,5 @@
 void *writer0(void *arg) {
+    pthread_mutex_lock(&xy_lock);
     x = 0;
     y = 0;
+    pthread_mutex_unlock(&xy_lock);
";

const MOVED: &str = "\
--- a/race.c
+++ b/race.c
@@ -19,5 +19,5 @@
     pthread_t t1, t2;
     pthread_create(&t1, 0, writer0, 0);
-    pthread_create(&t2, 0, writer1, 0);
     pthread_join(t1, 0);
+    pthread_create(&t2, 0, writer1, 0);
     pthread_join(t2, 0);
";

fn lines(first: u32, last: u32, function: &str) -> Code {
    Code::Lines { first, last, function: Some(function.to_owned()) }
}

fn at(text: &str) -> usize {
    RACE_C.find(text).unwrap()
}

/// Guards the writes of the first writer.
fn guarded(file: FileId) -> Repair {
    let lock = "static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;\n";
    let after = at("    y = 0;\n") + "    y = 0;\n".len();
    Repair {
        rank: 1,
        kind: RepairKind::Mutex,
        changes: Changes::of(vec![Change::Mutex {
            what: vec![lines(7, 8, "writer0"), lines(13, 14, "writer1")],
            with: GuardedBy::NewMutex("xy_lock".to_owned()),
        }]),
        complete: true,
        composite: true,
        required: vec![Required::OneAtATime(vec![
            lines(7, 8, "writer0"),
            lines(13, 14, "writer1"),
        ])],
        because: Because::Required,
        verified_for: VerifiedFor {
            properties: vec![Property::Reach, Property::Deadlock],
            race_free: Some(true),
            reach_is_unknown: false,
            tried: Some(Tried::Runs { runs: 70, cut: false }),
        },
        costs: Costs::of(vec![Cost::Sections { new_mutex: true, sections: 2, statements: 4 }]),
        forbids: None,
        unreachable: Vec::new(),
        edits: vec![
            Edit::insert(file, at("\nvoid *writer0"), lock),
            Edit::insert(file, at("    x = 0;"), "    pthread_mutex_lock(&xy_lock);\n"),
            Edit::insert(file, after, "    pthread_mutex_unlock(&xy_lock);\n"),
        ],
        diff: GUARDED.to_owned(),
    }
}

/// Runs one writer after the other.
fn moved(file: FileId) -> Repair {
    let create = "    pthread_create(&t2, 0, writer1, 0);\n";
    let from = at(create);
    Repair {
        rank: 2,
        kind: RepairKind::Join,
        changes: Changes::of(vec![Change::Join(Join::BeforeCreation {
            thread: "writer0".to_owned(),
            other: "writer1".to_owned(),
        })]),
        composite: false,
        required: vec![Required::Before(CodeOrder {
            before: lines(10, 10, "writer0"),
            after: lines(21, 21, "main"),
        })],
        because: Because::Required,
        verified_for: VerifiedFor {
            properties: vec![Property::Reach],
            race_free: None,
            reach_is_unknown: true,
            tried: None,
        },
        costs: Costs::of(vec![Cost::WaitsForEnd]),
        forbids: Some(Forbids::OneOfTwoOrders),
        unreachable: place(file, 8, 7, "writer0").into_iter().collect(),
        edits: vec![
            Edit::replace(file, from..from + create.len(), ""),
            Edit::insert(file, at("    pthread_join(t2"), create),
        ],
        diff: MOVED.to_owned(),
        ..guarded(file)
    }
}

fn repaired(repairs: impl FnOnce(FileId) -> Repairs) -> Report {
    let mut report = diagnosed::torn_writes();
    report.command = Command::Repair;
    let file = report.findings[0].place.as_ref().unwrap().span.file;
    report.repairs = Some(repairs(file));
    report
}

fn refused() -> Refused {
    Refused {
        kind: RepairKind::Atomic,
        changes: Changes::of(vec![Change::Atomic { variable: "x".to_owned() }]),
        why: WhyRefused::StillFails {
            kind: Box::new(ViolationKind::Assertion { text: "x == y".to_owned() }),
            line: Some(24),
        },
    }
}

/// Two verified repairs.
pub fn two() -> Report {
    repaired(|file| Repairs {
        verified: vec![guarded(file), moved(file)],
        refused: vec![refused()],
        ..Repairs::default()
    })
}

/// One repair that is verified up to a bound only.
pub fn bounded() -> Report {
    repaired(|file| Repairs {
        verified: vec![Repair { complete: false, ..guarded(file) }],
        ..Repairs::default()
    })
}

/// None at all.
pub fn none() -> Report {
    repaired(|_| Repairs {
        refused: vec![refused()],
        remarks: vec![WhyNone::NoneHelps],
        ..Repairs::default()
    })
}

/// Nothing to repair.
pub fn nothing() -> Report {
    Report { command: Command::Repair, repairs: Some(Repairs::default()), ..safe() }
}

/// With the table of Figure 6, whose orders are as long as given.
pub fn covers(long: bool) -> Report {
    let line = |line: u32| Code::Lines {
        first: line,
        last: line,
        function: long.then(|| if line < 10 { "writer0" } else { "writer1" }.to_owned()),
    };
    let set = |orders: &[(u32, u32)]| -> Vec<CodeOrder> {
        let order = |&(before, after)| CodeOrder { before: line(before), after: line(after) };
        orders.iter().map(order).collect()
    };
    let row = |chosen: &[(u32, u32)], left: Option<&[(u32, u32)]>| CoverRow {
        chosen: set(chosen),
        simplified: left.map(set),
    };
    let covers = Covers {
        kill_sets: vec![set(&[(13, 7), (8, 14)]), set(&[(7, 13), (14, 8)])],
        rows: vec![
            row(&[(13, 7), (7, 13)], None),
            row(&[(13, 7), (14, 8)], Some(&[(14, 8)])),
            row(&[(8, 14), (7, 13)], Some(&[(8, 14)])),
        ],
        cut: long,
    };
    repaired(|file| Repairs {
        verified: vec![guarded(file)],
        covers: Some(covers),
        ..Repairs::default()
    })
}

/// A report of `repair` about a program that was not decided.
pub fn undecided() -> Report {
    let (report, _) = empty(Verdict::Inconclusive, "race.c", Some(RACE_C));
    Report { command: Command::Repair, repairs: Some(Repairs::default()), ..report }
}

pub fn all() -> Vec<Report> {
    vec![two(), bounded(), none(), nothing(), covers(false), covers(true), undecided()]
}
