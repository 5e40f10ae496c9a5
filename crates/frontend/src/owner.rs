//! Whose a function is that is called and not defined: the library's, or the user's.
//!
//! A project may have a `send`, `log` or `remove` of its own, in a file that was not given. Its name
//! alone says nothing, but its declaration does: with another type than the library's, or in a
//! header of the project where no header of the system declares it, it is the project's.
//!
//! Most files declare no function that they do not define, and their texts show that. For the others
//! clang is asked: the file with the headers of the system after it does not compile where a
//! declaration of the file has another type.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use unravel_program::Primitive;
use unravel_program::library::Action;
use unravel_program::library::models::is_modelled;
use unravel_span::bytes;

use crate::clang::{Clang, Job};
use crate::error::Error;
use crate::headers;
use crate::llvm::{Module, Value};
use crate::overlay::Overlay;

/// Where the library declares what a program may mean by one of its names.
const HEADERS: &[&str] = &[
    "arpa/inet.h",
    "ctype.h",
    "dirent.h",
    "errno.h",
    "fcntl.h",
    "inttypes.h",
    "locale.h",
    "math.h",
    "netdb.h",
    "netinet/in.h",
    "poll.h",
    "pthread.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/epoll.h",
    "sys/eventfd.h",
    "sys/mman.h",
    "sys/prctl.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/types.h",
    "sys/uio.h",
    "sys/wait.h",
    "syslog.h",
    "termios.h",
    "threads.h",
    "time.h",
    "unistd.h",
    "wchar.h",
];

/// Functions that a module calls and does not define, with names of the library.
pub(crate) fn library_names(module: &Module<'_>) -> BTreeSet<String> {
    let declared = module.functions().into_iter().filter(|it| it.is_declaration());
    declared.map(Value::name).filter(|name| is_library_name(name)).collect()
}

fn is_library_name(name: &str) -> bool {
    // The names of verifiers are nobody else's, and no header has them.
    let is_verifier = name.starts_with("__") || name == "reach_error" || name.starts_with("llvm.");
    // Nobody has a `malloc` or an `exit` of his own: C reserves these names, and linkers insist.
    let is_reserved = |it: Primitive| matches!(it.action(), Action::Memory(_) | Action::Process(_));
    let primitive = Primitive::named(name);
    let model = primitive.is_some_and(|it| !is_reserved(it)) || is_modelled(name);
    !is_verifier && model
}

/// Those of the names that a file means otherwise.
pub(crate) fn foreign(
    clang: &Clang,
    job: &Job<'_>,
    overlay: &Overlay,
    names: &BTreeSet<String>,
) -> Result<BTreeSet<String>, Error> {
    let texts = own_texts(job, overlay);
    let own: Vec<BTreeSet<&str>> = texts.iter().map(|text| declared(text, names)).collect();
    if own.iter().all(BTreeSet::is_empty) {
        return Ok(BTreeSet::new());
    }
    let mut found = conflicting(&clang.diagnostics(job, &with_headers(job))?, names);
    let main = own.first().cloned().unwrap_or_default();
    let only_in_headers: BTreeSet<&str> =
        own.iter().skip(1).flatten().copied().filter(|it| !main.contains(it)).collect();
    if !only_in_headers.is_empty() {
        let expanded = clang.expanded(job)?;
        let system = system_text(&expanded);
        let known = declared(&system, names);
        found.extend(only_in_headers.difference(&known).map(|&it| it.to_owned()));
    }
    Ok(found)
}

/// The text of a file, then those of the project's headers that it includes.
fn own_texts(job: &Job<'_>, overlay: &Overlay) -> Vec<String> {
    let directory = job.directory.unwrap_or(Path::new(""));
    let folders: Vec<PathBuf> =
        headers::include_directories(job.flags).iter().map(|it| directory.join(it)).collect();
    let mut paths = vec![directory.join(job.file)];
    let mut texts = Vec::new();
    let mut at = 0;
    while let Some(path) = paths.get(at).cloned() {
        at += 1;
        let read = || fs::read(&path).ok().map(|it| bytes::decode(&it));
        let Some(text) = overlay.text(&path).map(str::to_owned).or_else(read) else { continue };
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        for (name, quoted) in headers::all_included(&text) {
            let first = quoted.then_some(&beside).into_iter();
            let found = first.chain(&folders).map(|it| it.join(&name)).find(|it| it.is_file());
            if let Some(header) = found.filter(|it| !paths.contains(it)) {
                paths.push(header);
            }
        }
        texts.push(text);
    }
    texts
}

/// A program that is the file, with the headers of the system after it.
fn with_headers(job: &Job<'_>) -> String {
    let path = job.directory.unwrap_or(Path::new("")).join(job.file);
    let path = std::path::absolute(&path).unwrap_or(path);
    let mut text = format!("#include \"{}\"\n", path.display());
    for header in HEADERS {
        text.push_str(&format!("#if __has_include(<{header}>)\n#include <{header}>\n#endif\n"));
    }
    text
}

/// The functions that clang says have two types.
fn conflicting(diagnostics: &str, names: &BTreeSet<String>) -> BTreeSet<String> {
    let name = |line: &str| {
        let (_, message) = line.split_once("error: ")?;
        let quoted = message.strip_prefix("conflicting types for '").or_else(|| {
            let redefined = message.strip_prefix("redefinition of '")?;
            redefined.contains("as different kind of symbol").then_some(redefined)
        })?;
        Some(quoted.split_once('\'')?.0.to_owned())
    };
    diagnostics.lines().filter_map(name).filter(|it| names.contains(it)).collect()
}

/// What comes from headers of the system in a preprocessed text.
fn system_text(expanded: &str) -> String {
    let mut is_system = false;
    let mut text = String::new();
    for line in expanded.lines() {
        match line.strip_prefix("# ").and_then(|it| it.rsplit_once('"')) {
            Some((_, flags)) => is_system = flags.split_whitespace().any(|it| it == "3"),
            None if is_system => text.extend([line, "\n"]),
            None => {}
        }
    }
    text
}

/// The functions among some names that a text declares: a name behind a type, then parameters, then
/// no body.
fn declared<'n>(text: &str, names: &'n BTreeSet<String>) -> BTreeSet<&'n str> {
    const NO_TYPES: &[&str] = &["return", "else", "do", "goto", "case", "sizeof", "typeof"];
    let tokens = tokens(text);
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(name) = names.get(*token).filter(|_| tokens.get(at + 1) == Some(&"(")) else {
            continue;
        };
        let before = at.checked_sub(1).and_then(|it| tokens.get(it)).copied().unwrap_or(";");
        let is_word = before.starts_with(|it: char| it.is_alphabetic() || it == '_');
        let is_type = before == "*" || is_word && !NO_TYPES.contains(&before);
        if is_type && end_of_parameters(&tokens[at + 1..]) != Some("{") {
            found.insert(name.as_str());
        }
    }
    found
}

/// The token behind the parenthesis that closes the first.
fn end_of_parameters<'t>(tokens: &[&'t str]) -> Option<&'t str> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" => depth += 1,
            ")" if depth == 1 => return tokens.get(at + 1).copied(),
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Words and single other characters, without comments, strings and lines of the preprocessor.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut begins_line = true;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => {
                rest.get(2..).and_then(|it| it.find("*/")).map_or(rest.len(), |it| it + 4)
            }
            '#' if begins_line => end_of_directive(rest),
            '"' | '\'' => end_of_literal(rest, first),
            _ if first.is_alphanumeric() || first == '_' => {
                let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_');
                let end = end.unwrap_or(rest.len());
                found.extend(rest.get(..end));
                end
            }
            _ => {
                let end = first.len_utf8();
                found.extend(rest.get(..end).filter(|_| !first.is_whitespace()));
                end
            }
        };
        begins_line = first == '\n' || begins_line && first.is_whitespace();
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

fn end_of_directive(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            return end.saturating_sub(1).max(1);
        }
    }
    text.len()
}

fn end_of_literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if character == '\n' || character == quote && !escaped {
            return at + 1;
        }
        escaped = character == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> BTreeSet<String> {
        all.iter().map(|&it| it.to_owned()).collect()
    }

    #[test]
    fn declarations_are_told_from_calls_and_definitions() {
        let text = "#include \"q.h\"\n// int open(int);\nint send(struct q *, int);\n\
                    static int remove(int x) { return x; }\nvoid *log(void), f(void);\n\
                    int main(void) { sleep(1); return time(0); \"int access(x);\"; }\n";
        let all = names(&["access", "log", "open", "remove", "send", "sleep", "time"]);
        let found: Vec<&str> = declared(text, &all).into_iter().collect();
        assert_eq!(found, ["log", "send"]);
    }

    #[test]
    fn conflicts_are_read_from_what_clang_says() {
        let text = "/usr/include/x.h:138:16: error: conflicting types for 'send'\n\
                    x.c:1:1: error: conflicting types for 'other'\n";
        assert_eq!(conflicting(text, &names(&["send", "open"])), names(&["send"]));
    }

    #[test]
    fn text_of_the_system_is_told_by_its_marks() {
        let text =
            "# 1 \"a.c\"\nint a;\n# 1 \"/usr/include/x.h\" 1 3 4\nint b;\n# 2 \"a.c\" 2\nint c;\n";
        assert_eq!(system_text(text), "int b;\n");
    }
}
