//! What `unravel diagnose` says about a program.

use std::collections::BTreeSet;

use serde_json::Value;

use super::summary::headline;
use super::those;
use super::unravel::Unravel;
use crate::compare::median;
use crate::corpus::Program;

/// A program and what is said about it.
pub struct Row {
    /// The program.
    pub program: Program,
    /// The answer.
    pub answer: Answer,
    /// The time of the diagnosis with all that belongs to it, clang too.
    pub seconds: f64,
    /// The time of the engine in it, in seconds.
    pub engine: f64,
    /// The time of the engine in `unravel check`, in seconds.
    pub check: f64,
}

impl Row {
    /// Directory and name.
    pub fn path(&self) -> String {
        format!("{}/{}", self.program.directory, self.program.task.name)
    }
}

/// The answer, which is the same in every run.
#[derive(PartialEq, Debug)]
pub struct Answer {
    /// Failing runs, each of which has a core that the others do not have.
    pub iterations: u64,
    orders_in_runs: u64,
    orders_in_cores: u64,
    /// Cores of all findings.
    pub cores: usize,
    /// Different orders in all cores.
    pub directed: u64,
    /// Different pairs of places in all cores, whichever comes first.
    pub pairs: usize,
    /// Causes of all findings.
    pub causes: usize,
    /// The kind of the first cause; none if nothing is diagnosed.
    pub pattern: Option<String>,
    /// What the first cause says, where an order is to blame.
    pub cause: Option<String>,
    /// All failing runs up to the bound are diagnosed.
    pub is_complete: bool,
    /// The bound cuts a loop, so there may be failing runs beyond it.
    pub is_cut: bool,
    /// Why something is not diagnosed, or not by orders.
    pub reason: String,
}

impl Answer {
    /// Orders in a failing run, on average.
    pub fn per_run(&self) -> Option<f64> {
        average(self.orders_in_runs, self.iterations)
    }

    /// Orders in a core, on average.
    pub fn per_core(&self) -> Option<f64> {
        average(self.orders_in_cores, self.cores as u64)
    }

    /// The reduction ratio: different pairs in all cores, divided by the orders in one run.
    pub fn ratio(&self) -> Option<f64> {
        let per_run = self.per_run().filter(|&per_run| self.cores > 0 && per_run > 0.0)?;
        Some(self.pairs as f64 / per_run)
    }
}

fn average(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// Checks and diagnoses a program.
pub fn measure(unravel: &Unravel, program: Program) -> Result<Row, String> {
    let checks = unravel.reports("check", &program)?;
    let diagnoses = unravel.reports("diagnose", &program)?;
    let stat = |reports: &[Value], name: &str, unit: f64| {
        let values = reports.iter().filter_map(|it| it["stats"][name].as_f64()).collect();
        median(values)
            .map(|value| value / unit)
            .ok_or(format!("{}/{}: no `{name}` in a report", program.directory, program.task.name))
    };
    let check = stat(&checks, "engine_us", 1e6)?;
    let engine = stat(&diagnoses, "engine_us", 1e6)?;
    let seconds = stat(&diagnoses, "time_ms", 1e3)?;
    let mut answers = diagnoses.iter().map(answer);
    let answer = answers.next().ok_or("no report")?;
    let row = Row { program, answer, seconds, engine, check };
    match answers.all(|other| other == row.answer) {
        true => Ok(row),
        false => Err(format!("{}: two runs of `unravel diagnose` do not say the same", row.path())),
    }
}

/// Reads a report.
pub fn answer(report: &Value) -> Answer {
    let stat = |name: &str| report["stats"][name].as_u64().unwrap_or(0);
    let findings = list(&report["findings"]);
    let cores: Vec<&Value> = findings.iter().flat_map(|it| list(&it["cores"])).collect();
    let orders = cores.iter().flat_map(|core| list(&core["orders"]));
    let pairs: BTreeSet<_> = orders.map(pair).collect();
    let pattern = findings.iter().find_map(|it| it["pattern"].as_str());
    Answer {
        iterations: stat("iterations"),
        orders_in_runs: stat("orders_in_runs"),
        orders_in_cores: stat("orders_in_cores"),
        cores: cores.len(),
        directed: stat("unique_orders"),
        pairs: pairs.len(),
        causes: findings.iter().map(|it| list(&it["causes"]).len()).sum(),
        pattern: pattern.map(str::to_owned),
        cause: cause(report),
        is_complete: !findings.is_empty() && findings.iter().all(|it| it["complete"] == true),
        is_cut: !list(&report["bounds"]["cut_loops"]).is_empty(),
        reason: reason(report),
    }
}

/// What the first cause of a report says.
pub fn cause(report: &Value) -> Option<String> {
    let mut causes = list(&report["findings"]).iter().flat_map(|it| list(&it["causes"]));
    causes.find_map(|it| it["message"].as_str()).map(str::to_owned)
}

/// The two places of an order, in any order.
fn pair(order: &Value) -> (String, String) {
    // Not all of a point: values differ from run to run.
    let place = |point: &Value| {
        let keys = ["thread", "file", "line", "column", "turn", "kind", "variable"];
        keys.map(|key| point[key].to_string()).join(" ")
    };
    let (before, after) = (place(&order["before"]), place(&order["after"]));
    if before < after { (before, after) } else { (after, before) }
}

/// Why a sequential bug has no core.
const NO_ORDER: &str = "it fails in every schedule, so no order is to blame";

/// Why something is missing: what the symbolic engine handed over, or else what the findings or the
/// verdict say.
fn reason(report: &Value) -> String {
    let texts = |values: &[Value], key: &str| -> Vec<String> {
        values.iter().filter_map(|it| it[key].as_str()).map(str::to_owned).collect()
    };
    let remarks = list(&report["findings"]).iter().flat_map(|it| list(&it["remarks"]));
    let remarks = remarks.filter_map(Value::as_str).map(|remark| {
        remark.strip_prefix("which orders make it fail is not known: ").unwrap_or(remark).to_owned()
    });
    let mut findings = list(&report["findings"]).iter();
    let sequential = findings.any(|it| it["sequential"] == true).then(|| NO_ORDER.to_owned());
    let sources = [
        sequential.into_iter().collect(),
        texts(list(&report["notes"]), "what"),
        remarks.collect(),
        texts(list(&report["reasons"]), "message"),
    ];
    let first = sources.into_iter().find(|texts| !texts.is_empty());
    first.map_or("no reason is given".to_owned(), |texts| texts.join("; "))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// What the tables below are about.
pub fn heading(rows: &[Row]) -> String {
    let diagnosed = those(rows, |row| row.answer.pattern.is_some());
    let complete = diagnosed.iter().filter(|row| row.answer.is_complete).count();
    let complete =
        if complete == diagnosed.len() { "all".to_owned() } else { complete.to_string() };
    let cut = diagnosed.iter().filter(|row| row.answer.is_cut).count();
    let headline = headline(&format!(
        "Of {} programs with a bug, {} are diagnosed, {complete} of them completely.",
        rows.len(),
        diagnosed.len(),
    ));
    format!(
        "## Diagnosis: the few orders that make a program fail\n\n\
         `unravel diagnose` on the programs of the corpus that have a bug, with the flags that \
         their headers ask for.\n\n\
         {headline}\n\
         Completely: every failing run has a core, or no order is to blame, up to the bound on \
         loops, which cuts a loop in {cut} of them.\n\
         The other {} are listed with the reason.\n\n\
         | column | meaning |\n|---|---|\n\
         | it | iterations: failing runs that had to be looked at, each with a core of its own |\n\
         | sch | orders between threads in one of these runs, on average |\n\
         | core | orders in a core, on average; `-` where no order is to blame |\n\
         | uniq | different pairs of steps in all cores, whichever of the two comes first |\n\
         | directed | the same, where the two directions of a pair count as two |\n\
         | ratio | reduction ratio: uniq / sch |\n\
         | causes | groups of cores that one change of the program would rule out |\n\
         | kind | the kind of bug that the first of the causes is |\n\
         | s | seconds in all, clang included; the median of three runs if they are short |\n",
        rows.len() - diagnosed.len(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(findings: &str) -> Value {
        let stats =
            r#"{"iterations": 2, "orders_in_runs": 6, "orders_in_cores": 4, "unique_orders": 4}"#;
        serde_json::from_str(&format!(r#"{{"findings": {findings}, "stats": {stats}}}"#)).unwrap()
    }

    /// Two lines in the order of a core.
    fn order(before: u32, after: u32) -> String {
        format!(
            r#"{{"before": {{"line": {before}, "value": "{after}"}}, "after": {{"line": {after}}}}}"#
        )
    }

    #[test]
    fn a_pair_counts_once_whichever_comes_first() {
        let cores = [(1, 2), (2, 1)]
            .map(|(a, b)| format!(r#"{{"orders": [{}, {}]}}"#, order(a, b), order(3, 4)));
        let finding = format!(
            r#"[{{"pattern": "deadlock", "complete": true, "causes": [0], "cores": [{}]}}]"#,
            cores.join(",")
        );
        let answer = answer(&report(&finding));
        assert_eq!((answer.cores, answer.pairs, answer.causes), (2, 2, 1));
        assert_eq!((answer.per_run(), answer.per_core()), (Some(3.0), Some(2.0)));
        assert!(
            answer.is_complete && answer.ratio().is_some_and(|it| (it - 2.0 / 3.0).abs() < 1e-9)
        );
    }

    #[test]
    fn what_is_not_diagnosed_has_a_reason() {
        let remark = "which orders make it fail is not known: it is too hard";
        let finding =
            format!(r#"[{{"pattern": null, "complete": false, "remarks": ["{remark}"]}}]"#);
        let answer = answer(&report(&finding));
        assert_eq!((answer.pattern, answer.reason.as_str()), (None, "it is too hard"));
        assert!(!answer.is_complete);
    }

    #[test]
    fn what_fails_in_every_schedule_has_no_core_and_says_so() {
        let finding = r#"[{"pattern": "sequential", "sequential": true, "complete": true}]"#;
        let answer = answer(&report(finding));
        assert_eq!((answer.reason.as_str(), answer.cause), (NO_ORDER, None));
    }

    #[test]
    fn the_first_cause_speaks() {
        let causes = r#"[{"message": "a before b"}, {"message": "b before c"}]"#;
        let finding = format!(r#"[{{"pattern": "order violation", "causes": {causes}}}]"#);
        assert_eq!(answer(&report(&finding)).cause.as_deref(), Some("a before b"));
    }
}
