//! The words of a command line: response files, and flags that are left out.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// Response files name others; one that names itself would have no end.
const DEPTH: usize = 20;

/// Flags with which an object holds no machine code, or which need them, and those that keep files
/// of steps that we take otherwise. The rest of the program is the same without them.
const DETOURS: &[&str] = &[
    "-flto",
    "-flto=",
    "-flto-jobs=",
    "-flto-partitions=",
    "-ffat-lto-objects",
    "-fno-fat-lto-objects",
    "-fwhole-program-vtables",
    "-fsplit-lto-unit",
    "-fvirtual-function-elimination",
    "-fthinlto-index=",
    "-funified-lto",
    "-fembed-bitcode",
    "-fembed-bitcode=",
    "-save-temps",
    "-save-temps=",
    "--save-temps",
    "--save-temps=",
];

/// Replaces `@FILE` by the words in the file, where `read` finds one. One that is not there stays as
/// it is, as clang leaves it.
pub fn expand(
    args: Vec<OsString>,
    read: &mut impl FnMut(&OsStr) -> Option<Vec<u8>>,
) -> Vec<OsString> {
    let mut result = Vec::new();
    expand_into(args, read, DEPTH, &mut result);
    result
}

fn expand_into(
    args: Vec<OsString>,
    read: &mut impl FnMut(&OsStr) -> Option<Vec<u8>>,
    depth: usize,
    result: &mut Vec<OsString>,
) {
    for arg in args {
        let file = arg.as_bytes().strip_prefix(b"@").filter(|_| depth > 0);
        match file.and_then(|file| read(OsStr::from_bytes(file))) {
            Some(text) => expand_into(words(&text), read, depth - 1, result),
            None => result.push(arg),
        }
    }
}

/// The words of a response file: separated by spaces, with quotes of both kinds, and `\` before a
/// character that stands for itself.
fn words(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(byte),
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (b' ' | b'\t' | b'\n' | b'\r', None) => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

/// A response file with these words.
#[must_use]
pub fn quoted(args: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for arg in args {
        text.push(b'"');
        for byte in arg.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(*byte);
        }
        text.extend(b"\"\n");
    }
    text
}

/// Leaves out the flags that would keep machine code out of objects, if there are any.
#[must_use]
pub fn without_detours(args: &[OsString]) -> Option<Vec<OsString>> {
    let is_detour = |arg: &OsString| {
        let text = arg.to_string_lossy();
        DETOURS.iter().any(|it| match it.strip_suffix('=') {
            Some(_) => text.starts_with(it),
            None => text == *it,
        })
    };
    args.iter().any(is_detour).then(|| args.iter().filter(|it| !is_detour(it)).cloned().collect())
}

/// Whether the user asks for the commands, and for nothing to be run.
#[must_use]
pub fn asks_for_plan(args: &[OsString]) -> bool {
    args.iter().any(|arg| arg == "-###")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(args: &[&str]) -> Vec<OsString> {
        args.iter().map(OsString::from).collect()
    }

    #[test]
    fn response_files_are_read_in_place() {
        let mut read = |name: &OsStr| match name.to_str() {
            Some("a") => Some(b"-c 'x y.c' \"q\\\"\" @b\n".to_vec()),
            Some("b") => Some(b"-DX=\\\\ ''".to_vec()),
            _ => None,
        };
        let all = expand(strings(&["-O2", "@a", "@missing", "@"]), &mut read);
        let expected = ["-O2", "-c", "x y.c", "q\"", "-DX=\\", "", "@missing", "@"];
        assert_eq!(all, strings(&expected));
    }

    #[test]
    fn a_response_file_that_names_itself_ends() {
        let all = expand(strings(&["@a"]), &mut |_| Some(b"-c @a".to_vec()));
        assert_eq!(all.len(), DEPTH + 1);
    }

    #[test]
    fn what_is_quoted_is_read_back() {
        let args = strings(&["a b", "q\"\\'", "", "-D'x'"]);
        assert_eq!(words(&quoted(&args)), args);
    }

    #[test]
    fn only_flags_of_link_time_optimization_are_left_out() {
        let left = without_detours(&strings(&["-flto=thin", "-O2", "-flto", "-c", "-save-temps"]));
        assert_eq!(left, Some(strings(&["-O2", "-c"])));
        assert_eq!(without_detours(&strings(&["-fltox", "-O2"])), None);
    }
}
