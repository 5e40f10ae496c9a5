//! C that the grammar does not know, in words that it knows.
//!
//! The parser gets a text of the same length: places in it are places in the user's text, and all
//! that is shown or written comes from there.

/// The word that makes a variable thread-local in C11 is not known. This one of the same length is,
/// and stands in the same places.
const THREAD_LOCAL: (&str, &str) = ("_Thread_local", "__forceinline");

/// The grammar takes `_Atomic` for a qualifier only. An unknown word before a type in parentheses is
/// a type to it.
const ATOMIC: (&str, &str) = ("_Atomic", "Atomic_");

/// Behind the name of a variable the grammar knows no attributes.
const ATTRIBUTE: &str = "__attribute__";

/// The text as the parser gets it.
pub fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('_') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let word = &from[..word_length(from)];
        let behind = &from[word.len()..];
        let is_start = !out.ends_with(is_word);
        let is_of_name = is_start && word == ATTRIBUTE && is_behind_name(&out);
        let arguments = arguments(behind).filter(|_| is_of_name);
        let is_atomic = word == ATOMIC.0 && behind.trim_start().starts_with('(');
        match arguments {
            Some(length) => out.extend(from[..word.len() + length].chars().map(blank)),
            None if is_start && word == THREAD_LOCAL.0 => out.push_str(THREAD_LOCAL.1),
            None if is_start && is_atomic => out.push_str(ATOMIC.1),
            None => out.push_str(word),
        }
        let taken = word.len() + arguments.unwrap_or(0);
        rest = &from[taken..];
    }
    out.push_str(rest);
    // A blank takes one byte, and a character of an attribute may take more.
    if out.len() == text.len() { out } else { text.to_owned() }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !is_word(c)).unwrap_or(text.len())
}

/// Lines stay where they are.
fn blank(c: char) -> char {
    if c == '\n' { c } else { ' ' }
}

/// Whether a text ends with the name of a variable, or an array.
fn is_behind_name(text: &str) -> bool {
    text.trim_end().ends_with(|c| is_word(c) || c == ']')
}

/// The length of the arguments of an attribute, if the variable ends or its initial value follows.
/// One that calls a function at the end of the block is no word to pass over.
fn arguments(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => {
                let behind = text[at + 1..].trim_start();
                let is_end = behind.starts_with('=') || behind.starts_with(';');
                return (is_end && !text[..at].contains("cleanup")).then_some(at + 1);
            }
            ')' => depth = depth.checked_sub(1)?,
            ';' | '{' | '}' => return None,
            c if depth == 0 && !c.is_whitespace() => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn words_that_the_grammar_does_not_know_are_replaced() {
        let table = [
            ("static _Thread_local int v;", "static __forceinline int v;"),
            ("_Atomic(int *) p;", "Atomic_(int *) p;"),
            ("_Atomic int p, my_Atomic(int);", "_Atomic int p, my_Atomic(int);"),
            ("int v __attribute__((aligned(16))) = 3;", "int v                              = 3;"),
            ("int v __attribute__((aligned(16)));", "int v                             ;"),
            ("struct s {} __attribute__((packed));", "struct s {} __attribute__((packed));"),
            ("int v __attribute__((cleanup(f)));", "int v __attribute__((cleanup(f)));"),
            ("int \u{e4}_Atomic(int), __attribute__", "int \u{e4}_Atomic(int), __attribute__"),
        ];
        for (text, expected) in table {
            assert_eq!(masked(text), expected);
            assert_eq!(masked(text).len(), text.len());
        }
    }
}
