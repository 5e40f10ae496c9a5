//! The whole file: what is kept of the source, and the segments in one `main`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tree_sitter::Node;
use unravel_report::words::violation;

use unravel_patch::source::descendants;

use crate::failure::FAILS;
use crate::helpers::{self, stand_ins};
use crate::keeper::Keeper;
use crate::output::{Line, Output};
use crate::trace::Trace;
use crate::tree::field;
use crate::unit::{Unit, unquoted, words};
use crate::{Sequential, Unsupported};

/// Headers that a program without threads does not need.
const THREAD_HEADERS: [&str; 3] = ["<pthread.h>", "<semaphore.h>", "<threads.h>"];

/// Puts the file together.
pub fn file(
    unit: &Unit<'_>,
    trace: &Trace,
    mut out: Output,
    defines: &[String],
) -> Result<Sequential, Unsupported> {
    out.lines.sort_by_key(|it| it.segment);
    if defines.iter().any(|it| it == "NDEBUG" || it.starts_with("NDEBUG=")) {
        without_assertions(&mut out);
    }
    use_all(&mut out);
    let (body, fails_at) = segments(unit, trace, &out);
    let mut keeper = Keeper { unit, kept: BTreeMap::new() };
    let code: Vec<&str> = out.lines.iter().map(|it| it.text.as_str()).collect();
    let main = unquoted(&code.join("\n"));
    let named: BTreeSet<&str> = words(&main).collect();
    keeper.functions(out.functions.iter().filter(|it| named.contains(it.as_str())))?;
    let in_helper =
        |it: &&String| out.blocks.values().any(|name| it.ends_with(&format!(" {name};")));
    let released = named.contains(out.release.as_str());
    let globals: Vec<String> =
        out.globals.iter().filter(|it| !(released && in_helper(it))).cloned().collect();
    // What stood there is named in a comment, and whoever reads that looks for it.
    let named = format!("{main}\n{}", unit.changes.originals());
    let items = keeper.items(&named, &globals)?;
    let code = unquoted(&format!("{items}\n{main}"));
    let helpers = helpers::all(unit, trace, &mut out, &code);
    let mut text = head(unit, trace);
    for define in defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        let _ = writeln!(text, "#define {name} {value}");
    }
    text.push_str(&features(unit));
    text.push_str(&includes(unit, &code));
    for part in [stand_ins(&format!("{items}{main}")), helpers, items] {
        if !part.trim().is_empty() {
            let _ = write!(text, "\n{}\n", part.trim());
        }
    }
    text.push_str("\nint main(void) {\n");
    for statement in &unit.changes.at_first {
        let _ = writeln!(text, "    {statement}");
    }
    let before = text.lines().count();
    text.push_str(&body);
    text.push_str("    return 0;\n}\n");
    let (text, replaced) = unit.changes.with_notes(&text);
    let fails_at = u32::try_from(before + fails_at).unwrap_or(u32::MAX);
    Ok(Sequential { text, fails_at, segments: trace.segments.len(), replaced })
}

/// Without assertions the file still has to fail.
fn without_assertions(out: &mut Output) {
    for line in out.lines.iter_mut().filter(|it| it.fails) {
        line.text = line.text.replace(FAILS, "abort();");
    }
}

/// Says what the file is.
fn head(unit: &Unit<'_>, trace: &Trace) -> String {
    let message = trace.violation.as_ref().map(|it| violation::message(&it.kind));
    let message = message.unwrap_or_default();
    let other = match unit.changes.is_empty() {
        true => "",
        false => {
            " * Other values than in the program stand before `instead of`: with them it passes.\n *\n"
        }
    };
    format!(
        "/*\n * A failing run of {}, one statement after the other: {message}\n *\n{other} \
         * Written by `unravel sequentialize`. The comments name the thread and the line.\n \
         * What one thread does without others in between is kept as it was; loops and calls that\n \
         * others step into are written out, and an expression is split into temporaries. Inputs\n \
         * have the values of the run. Where the run takes a branch, `other_way` ends the program\n \
         * with exit code 0 if it would go the other way.\n */\n",
        unit.main_name()
    )
}

/// The segments one after the other, and the line among them that fails.
fn segments(unit: &Unit<'_>, trace: &Trace, out: &Output) -> (String, usize) {
    let (mut text, mut fails_at, mut last) = (String::new(), 0, None);
    for line in &out.lines {
        if last != Some(line.segment) {
            let thread = trace.segments.get(line.segment).map(|it| it.thread);
            let name =
                thread.map_or("", |it| &unit.program.function(trace.state.thread(it).start).name);
            let number = thread.map_or(0, |it| it.0);
            let gap = if last.is_some() { "\n" } else { "" };
            let _ =
                writeln!(text, "{gap}    /* Segment {}: T{number}, {name} */", line.segment + 1);
            last = Some(line.segment);
        }
        if line.fails {
            fails_at = text.lines().count() + failing_line(&line.text);
        }
        text.push_str(&shown(line));
    }
    (text, fails_at)
}

/// Which line of a statement fails, from 1.
fn failing_line(text: &str) -> usize {
    let is_end = |it: &&str| matches!(it.trim(), FAILS | "abort();" | "reach_error();");
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().position(is_end).map_or(1, |at| at + 1)
}

fn shown(line: &Line) -> String {
    let comment = line.comment.replace("*/", "* /").replace("/*", "/ *");
    let mut lines = line.text.lines();
    let first = lines.next().unwrap_or("");
    let gap = if first.is_empty() { "" } else { " " };
    let mut text = format!("    {first}{gap}/* {comment} */\n");
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// A variable that only gets values would be warned of.
fn use_all(out: &mut Output) {
    for name in out.locals.clone() {
        let mut declared = None;
        let mut is_read = false;
        for (index, line) in out.lines.iter().enumerate() {
            let mut uses = uses(&line.text, &name);
            if declared.is_none() && uses.next().is_some() {
                declared = Some(index);
            }
            is_read |= uses.any(|is_read| is_read);
        }
        if let Some(declared) = declared.filter(|_| !is_read) {
            let text = &mut out.lines[declared].text;
            let _ = write!(text, " (void){name};");
        }
    }
}

/// Whether each use of a variable in a text reads it.
fn uses<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = bool> + use<'t> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        let after = behind_member(behind_index(after.trim_start()));
        let sets = after.starts_with('=') && !after.starts_with("==")
            || after.get(1..2) == Some("=") && after.starts_with(['+', '-', '*', '|', '&', '^'])
            || after.starts_with("++;")
            || after.starts_with("--;");
        whole.then_some(!sets)
    })
}

/// The text behind a member, if it begins with one.
fn behind_member(text: &str) -> &str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match text.strip_prefix('.') {
        Some(member) => {
            behind_member(behind_index(member.trim_start_matches(is_word).trim_start()))
        }
        None => text,
    }
}

/// The text behind an index, if it begins with one.
fn behind_index(text: &str) -> &str {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let rest = text.get(at + 1..).filter(|_| c == ']').unwrap_or(text);
            return rest.trim_start();
        }
    }
    text
}

/// What the program asks of the headers, by macros such as `_GNU_SOURCE`.
fn features(unit: &Unit<'_>) -> String {
    let count = u32::try_from(unit.source.root.child_count()).unwrap_or(0);
    let items = (0..count).filter_map(|index| unit.source.root.child(index));
    let mut all: Vec<&str> = Vec::new();
    for item in items.filter(|it| it.kind() == "preproc_def") {
        let name = field(item, "name").map_or("", |it| unit.text(it));
        if name.starts_with('_') && name.ends_with("_SOURCE") && !all.contains(&unit.text(item)) {
            all.push(unit.text(item));
        }
    }
    all.iter().fold(String::new(), |text, it| text + it.trim_end() + "\n")
}

fn includes(unit: &Unit<'_>, main: &str) -> String {
    let mut needed = vec!["<stddef.h>", "<stdint.h>", "<stdio.h>", "<stdlib.h>"];
    let used: BTreeSet<&str> = words(main).collect();
    if ["memcpy", "memcmp", "memset"].iter().any(|it| used.contains(it)) {
        needed.push("<string.h>");
    }
    if used.contains("assert") || used.contains("reach_error") {
        needed.push("<assert.h>");
    }
    // The header of the thread library brings the one of clocks with it.
    if ["timespec", "nanosleep", "time_t"].iter().any(|it| used.contains(it)) {
        needed.push("<time.h>");
    }
    let mut all: BTreeSet<String> = needed.into_iter().map(str::to_owned).collect();
    // What conditional compilation includes stays where it is.
    let is_plain =
        |it: &Node<'_>| it.kind() == "preproc_include" && it.parent() == Some(unit.source.root);
    for node in descendants(unit.source.root).filter(is_plain) {
        let path = field(node, "path").map_or("", |it| unit.text(it));
        if !THREAD_HEADERS.contains(&path) {
            all.insert(path.to_owned());
        }
    }
    all.iter().fold(String::new(), |text, path| text + "#include " + path + "\n")
}
