//! Table 2 of ConcBugAssist, row by row, beside ours.

use super::diagnosis::Row;
use super::figures::{mean, names, number, percent};
use super::published::Published;
use super::why;
use crate::table::{Table, cells};

/// The directory of its programs.
pub const DIRECTORY: &str = "concbugassist";

/// A published row and ours, if the corpus has the program and it could be run.
type Pair<'a> = (&'a Published, Option<&'a Row>);

/// The section.
pub fn section(rows: &[Row], published: &[Published]) -> String {
    let pairs: Vec<Pair> = published.iter().map(|it| (it, ours(rows, it))).collect();
    let [sizes, causes] = [sizes(&pairs), causes(&pairs)];
    let [differing, missing] = [differing(&pairs), missing(&pairs)];
    format!("{INTRODUCTION}\n{sizes}\n{causes}\n{differing}\n{missing}")
}

const INTRODUCTION: &str = "### Beside ConcBugAssist\n\n\
    ConcBugAssist published these figures for 34 programs (its Tables 1 and 2; they are in \
    `bench/published/concbugassist.tsv`).\n\
    Its programs are not public in that form: ours are written after descriptions of the same bugs, \
    and differ in size and in detail.\n\n\
    What the columns count differs, too:\n\n\
    - **sch**: only orders between conflicting steps count here: two accesses to the same memory, one \
    of which writes, and operations on the same lock only where memory alone does not explain the \
    failure. That a step has happened before one that the run never comes to counts, too.\n\
    - **core**: a core here is proved minimal, and a smallest one for its run is taken.\n\
    - **it**: the enumeration is complete up to the bound on loops. A smaller core rules more failing \
    runs out, so fewer iterations do not mean fewer failing runs.\n\
    - **uniq**: a pair of steps counts once there, whichever comes first: `jetty-1187` and `queue_seq` \
    have two different cores of one constraint each, and one unique constraint. So it does here, and \
    *directed* counts both directions.\n\
    - **ratio**: uniq / sch, row by row, and the average is that of the ratios: so the published ones \
    come out. Since sch counts less here, the ratio is larger, and it exceeds 100 % where cores of \
    different runs share few pairs of steps.\n";

/// The program that stands for a published one.
fn ours<'a>(rows: &'a [Row], published: &Published) -> Option<&'a Row> {
    let stands_for = format!("ConcBugAssist, Table 1, {}", published.name);
    rows.iter().find(|row| {
        row.program.directory == DIRECTORY && row.program.header.stands_for == stands_for
    })
}

/// The columns of Table 2.
fn sizes(pairs: &[Pair]) -> String {
    let mut table = Table::new(cells(&[
        "program", "it", "ours", "sch", "ours", "core", "ours", "uniq", "ours", "directed",
        "ratio", "ours",
    ]));
    for (published, ours) in pairs {
        let answer = ours.map(|row| &row.answer).filter(|answer| answer.pattern.is_some());
        let with_core = answer.filter(|answer| answer.cores > 0);
        table.row(vec![
            published.name.clone(),
            number(Some(published.iterations), 0),
            number(answer.map(|it| it.iterations as f64), 0),
            number(Some(published.per_run), 0),
            number(answer.and_then(|it| it.per_run()), 1),
            number(Some(published.per_core), 1),
            number(answer.and_then(|it| it.per_core()), 1),
            number(Some(published.unique), 0),
            number(with_core.map(|it| it.pairs as f64), 0),
            number(with_core.map(|it| it.directed as f64), 0),
            percent(Some(published.ratio()), 1),
            percent(answer.and_then(|it| it.ratio()), 1),
        ]);
    }
    let with_core: Vec<Pair> = pairs
        .iter()
        .filter(|(_, ours)| ours.is_some_and(|row| row.answer.cores > 0))
        .copied()
        .collect();
    table.row(averages(&format!("average of {}", pairs.len()), pairs, false));
    let name = format!("average of {} with a core", with_core.len());
    table.row(averages(&name, &with_core, true));
    table.to_string()
}

/// A row of averages; of ours only where all programs have them.
fn averages(name: &str, pairs: &[Pair], with_ours: bool) -> Vec<String> {
    let theirs = |value: fn(&Published) -> f64| mean(pairs.iter().map(|(it, _)| value(it)));
    let ours = |value: fn(&Row) -> Option<f64>, digits: usize| match with_ours {
        true => number(mean(pairs.iter().filter_map(|(_, row)| value((*row)?))), digits),
        false => String::new(),
    };
    let ratio = match with_ours {
        true => percent(mean(pairs.iter().filter_map(|(_, row)| (*row)?.answer.ratio())), 1),
        false => String::new(),
    };
    vec![
        name.to_owned(),
        number(theirs(|it| it.iterations), 2),
        ours(|row| Some(row.answer.iterations as f64), 2),
        number(theirs(|it| it.per_run), 2),
        ours(|row| row.answer.per_run(), 2),
        number(theirs(|it| it.per_core), 2),
        ours(|row| row.answer.per_core(), 2),
        number(theirs(|it| it.unique), 2),
        ours(|row| Some(row.answer.pairs as f64), 2),
        ours(|row| Some(row.answer.directed as f64), 2),
        percent(theirs(Published::ratio), 1),
        ratio,
    ]
}

/// Time and kind of bug.
fn causes(pairs: &[Pair]) -> String {
    let header = ["program", "s", "ours", "causes", "published kind", "ours"];
    let mut table = Table::new(cells(&header)).text(&[0, 4, 5]);
    for (published, ours) in pairs {
        let pattern = ours.and_then(|row| row.answer.pattern.as_deref());
        table.row(vec![
            published.name.clone(),
            number(Some(published.seconds), 1),
            number(ours.map(|row| row.seconds), 2),
            pattern.and(*ours).map_or("-".to_owned(), |row| row.answer.causes.to_string()),
            published.bug.to_owned(),
            pattern.unwrap_or("-").to_owned(),
        ]);
    }
    let theirs = || pairs.iter().map(|(published, _)| published.seconds);
    let ours = || pairs.iter().filter_map(|(_, row)| row.map(|row| row.seconds));
    let most = |seconds: Vec<f64>| seconds.into_iter().max_by(f64::total_cmp);
    let row = |name: &str, theirs: Option<f64>, ours: Option<f64>| {
        let mut row = vec![name.to_owned(), number(theirs, 1), number(ours, 2)];
        row.resize(header.len(), String::new());
        row
    };
    table.row(row("average", mean(theirs()), mean(ours())));
    table.row(row("most", most(theirs().collect()), most(ours().collect())));
    format!(
        "Time and kind of bug. The published times are from another machine, a laptop of before 2015, and \
         the published kinds are of its programs.\n\n{table}"
    )
}

/// Why the kind of bug is another one, row by row.
fn differing(pairs: &[Pair]) -> String {
    let line = |(published, row): &Pair| {
        let row = (*row)?;
        let kind = row.answer.pattern.as_deref().filter(|kind| *kind != published.bug)?;
        let why = why(row.program.header.differs.as_deref(), row.answer.cause.as_deref());
        Some(format!("- `{}` ({} there, {kind} here): {why}\n", published.name, published.bug))
    };
    let lines: String = pairs.iter().filter_map(line).collect();
    match lines.is_empty() {
        true => "Every kind is the published one.\n".to_owned(),
        false => format!("{KINDS}\n{lines}"),
    }
}

const KINDS: &str = "Where the kind differs. Here it is that of the orders in the cores: an *atomicity violation* \
    if they put a step of one thread between two of another, an *order violation* if one order decides. \
    A *data race* is a property of its own here (`--races`): that two accesses are not ordered does not \
    say why an assertion fails.\n";

/// What is not in the table, and why.
fn missing(pairs: &[Pair]) -> String {
    let mut text = String::new();
    let absent: Vec<String> = pairs
        .iter()
        .filter(|(_, row)| row.is_none())
        .map(|(published, _)| published.name.clone())
        .collect();
    if !absent.is_empty() {
        text.push_str(&format!("Not run: {}.\n\n", names(absent)));
    }
    let without_core = pairs.iter().filter_map(|(published, row)| Some((*published, (*row)?)));
    let without_core: Vec<_> = without_core.filter(|(_, row)| row.answer.cores == 0).collect();
    if !without_core.is_empty() {
        text.push_str("Without a core:\n\n");
        for (published, row) in without_core {
            text.push_str(&format!("- `{}`: {}\n", published.name, row.answer.reason));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::diagnosis::answer as answer_of;
    use super::super::published::concbugassist;
    use super::*;
    use crate::corpus;
    use unravel_corpus::Pattern;

    #[test]
    fn every_published_program_is_in_the_corpus() {
        let programs = corpus::all().unwrap();
        for published in concbugassist().unwrap() {
            let stands_for = format!("ConcBugAssist, Table 1, {}", published.name);
            let is_there = |it: &corpus::Program| it.header.stands_for == stands_for;
            assert!(programs.iter().any(is_there), "{}", published.name);
        }
    }

    /// No cause can say it where no order is to blame.
    #[test]
    fn a_sequential_program_says_why_it_differs() {
        for program in corpus::all().unwrap().iter().filter(|it| it.directory == DIRECTORY) {
            if program.header.pattern == Some(Pattern::Sequential) {
                assert!(program.header.differs.is_some(), "{}", program.task.name);
            }
        }
    }

    fn row(pattern: &str, cause: Option<&str>) -> Row {
        let answer = serde_json::json!({"findings": [{
            "pattern": pattern, "causes": cause.map(|it| serde_json::json!({"message": it})).as_slice()
        }]});
        let mut programs = corpus::all().unwrap().into_iter();
        let program = programs.find(|it| it.header.differs.is_none()).unwrap();
        Row { program, answer: answer_of(&answer), seconds: 1.0, engine: 1.0, check: 1.0 }
    }

    #[test]
    fn every_row_of_another_kind_says_why() {
        let published = concbugassist().unwrap();
        let [same, other] = [row(published[0].bug, None), row("deadlock", Some("they cross"))];
        let text = differing(&[(&published[0], Some(&same)), (&published[1], Some(&other))]);
        assert_eq!(text.matches("- `").count(), 1, "{text}");
        assert!(
            text.contains("- `testc` (order violation there, deadlock here): they cross"),
            "{text}"
        );
    }
}
