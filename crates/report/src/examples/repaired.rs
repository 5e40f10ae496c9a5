//! Reports of `unravel repair`, made by hand.

use unravel_span::{Edit, FileId};

use super::{RACE_C, diagnosed, empty, place, safe};
use crate::model::{Command, CoverRow, Covers, Refused, Repair, Repairs, Report, Verdict};

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

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|it| (*it).to_owned()).collect()
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
        kind: "mutex",
        title: "guard both pairs of writes with one new mutex `xy_lock`".to_owned(),
        complete: true,
        composite: true,
        orders: texts(&["lines 7 to 8 before lines 13 to 14, or the other way round"]),
        because: "[A] and [B] can no longer point in opposite directions: each pair of writes is \
                  one step"
            .to_owned(),
        checked: texts(&[
            "`x == y` holds in every schedule (exhaustive: no loops, memory model sc)",
            "no deadlock introduced",
        ]),
        cost: "1 mutex, 2 critical sections of 2 statements".to_owned(),
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
        kind: "join",
        title: "join t1 before creating t2".to_owned(),
        composite: false,
        orders: texts(&["the end of writer0 before the beginning of writer1"]),
        because: "writer1 does not run before writer0 has ended".to_owned(),
        checked: texts(&["`x == y` holds in every schedule"]),
        cost: "1 statement moved".to_owned(),
        forbids: Some("removes all parallelism".to_owned()),
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
        kind: "atomic",
        title: "make the writes of `x` atomic".to_owned(),
        why: "`x == y` can still fail".to_owned(),
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
        remarks: texts(&["the assertion is wrong in some run of one thread after the other"]),
        ..Repairs::default()
    })
}

/// Nothing to repair.
pub fn nothing() -> Report {
    Report { command: Command::Repair, repairs: Some(Repairs::default()), ..safe() }
}

/// With the table of Figure 6, whose orders are as long as given.
pub fn covers(long: bool) -> Report {
    let name = |it: &str| match long {
        true => format!("the write in line {it} before the write in line {it}"),
        false => it.to_owned(),
    };
    let set = |names: &[&str]| names.iter().map(|it| name(it)).collect::<Vec<_>>();
    let row = |chosen: &[&str], left: Option<&[&str]>| CoverRow {
        chosen: set(chosen),
        simplified: left.map(set),
    };
    let covers = Covers {
        kill_sets: vec![set(&["13<7", "8<14"]), set(&["7<13", "14<8"])],
        rows: vec![
            row(&["13<7", "7<13"], None),
            row(&["13<7", "14<8"], Some(&["14<8"])),
            row(&["8<14", "7<13"], Some(&["8<14"])),
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
