//! Flags of the user: which reach the compiler, which change what is linked, and which cannot be
//! followed.
//!
//! A flag that changes the program must not be passed over. Those that change how one file is read
//! go to clang, which follows them. Those for the linker never reach one, so each is followed here,
//! known to change nothing, or refused.

use std::fs;
use std::path::Path;

use crate::error::{Error, FlagProblem};

/// What the flags of a call come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// Those for clang.
    pub(crate) compiler: Vec<String>,
    /// Functions whose calls go to a wrapper (`-Wl,--wrap=f`).
    pub(crate) wrapped: Vec<String>,
}

/// Response files in response files.
const DEPTH: usize = 10;

/// Linker options that leave alone what the program does. One that ends in `=` takes a value there
/// or as the next word.
const HARMLESS: &[&str] = &[
    "--as-needed",
    "--build-id",
    "--build-id=",
    "--color-diagnostics",
    "--copy-dt-needed-entries",
    "--demangle",
    "--disable-new-dtags",
    "--eh-frame-hdr",
    "--enable-new-dtags",
    "--end-group",
    "--export-dynamic",
    "--fatal-warnings",
    "--gc-sections",
    "--hash-style=",
    "--icf=",
    "--no-as-needed",
    "--no-copy-dt-needed-entries",
    "--no-gc-sections",
    "--no-undefined",
    "--print-map",
    "--sort-common",
    "--start-group",
    "--stats",
    "--strip-all",
    "--strip-debug",
    "--threads=",
    "--trace",
    "--verbose",
    "--warn-common",
    "-(",
    "-)",
    "-E",
    "-L",
    "-M",
    "-Map=",
    "-O0",
    "-O1",
    "-O2",
    "-S",
    "-l",
    "-rpath=",
    "-rpath-link=",
    "-s",
    "-soname=",
    "-v",
];

/// Words behind `-z` of the same kind.
const HARMLESS_Z: &[&str] = &[
    "defs",
    "lazy",
    "nocopyreloc",
    "nodelete",
    "noexecstack",
    "norelro",
    "now",
    "origin",
    "relro",
    "text",
];

/// Flags that ask for other output than ours, or write files; with whether a value follows.
const DROPPED: &[(&str, bool)] = &[
    ("-c", false),
    ("-S", false),
    ("-E", false),
    ("-o", true),
    ("-MF", true),
    ("-MT", true),
    ("-MQ", true),
    ("-MJ", true),
    ("-M", false),
    ("-MM", false),
    ("-MD", false),
    ("-MMD", false),
    ("-MG", false),
    ("-MP", false),
    ("-MV", false),
    ("-pg", false),
    ("--coverage", false),
    ("-fsyntax-only", false),
    ("-static", false),
    ("-static-pie", false),
    ("-shared", false),
    ("-rdynamic", false),
    ("-s", false),
];

/// The same by their beginning.
const DROPPED_PREFIXES: &[&str] = &[
    "-flto",
    "-fno-lto",
    "-fprofile",
    "-fcoverage",
    "-ftest-coverage",
    "-save-temps",
    "--save-temps",
    "-fno-sanitize",
    "-fuse-ld",
    "-Wp,-M",
];

/// Sorts the flags of a call; paths in it are relative to `directory`.
pub(crate) fn sort(flags: &[String], directory: &Path) -> Result<Flags, Error> {
    let flags = expanded(flags, directory, DEPTH)?;
    let mut sorted = Flags::default();
    let mut linker = Vec::new();
    let mut rest = flags.into_iter();
    while let Some(flag) = rest.next() {
        if let Some(words) = flag.strip_prefix("-Wl,") {
            linker.extend(words.split(',').map(str::to_owned));
        } else if matches!(flag.as_str(), "-Xlinker" | "-z" | "-e" | "-u" | "-T") {
            if flag != "-Xlinker" {
                linker.push(flag);
            }
            linker.extend(rest.next());
        } else if let Some((_, value)) = DROPPED.iter().find(|(name, _)| *name == flag) {
            if *value {
                rest.next();
            }
        } else if let Some(problem) = problem(&flag) {
            return Err(refused(&flag, problem));
        } else if flag == "-x" || flag == "--language" {
            let language = rest.next().unwrap_or_default();
            language_is_c(&language)?;
            sorted.compiler.extend([flag, language]);
        } else if takes_value(&flag) {
            sorted.compiler.push(flag);
            sorted.compiler.extend(rest.next());
        } else if !DROPPED_PREFIXES.iter().any(|it| flag.starts_with(it)) && !is_output(&flag) {
            sorted.compiler.push(flag);
        }
    }
    sorted.wrapped = wrapped(&linker)?;
    Ok(sorted)
}

/// `-oFILE` as one word.
fn is_output(flag: &str) -> bool {
    flag.starts_with("-o") && !flag.starts_with("-object")
}

/// Flags of clang whose value is the next word: it is not to be taken for a flag.
fn takes_value(flag: &str) -> bool {
    const FLAGS: &[&str] = &[
        "-D",
        "-U",
        "-I",
        "-L",
        "-l",
        "-F",
        "-B",
        "-include",
        "-imacros",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-isysroot",
        "--sysroot",
        "-target",
        "-arch",
        "-mllvm",
        "-Xclang",
        "-Xpreprocessor",
        "-Xassembler",
        "--param",
    ];
    FLAGS.contains(&flag)
}

/// Why a flag of the driver cannot be followed.
fn problem(flag: &str) -> Option<FlagProblem> {
    let starts = |prefix: &str| flag.starts_with(prefix);
    Some(match flag {
        "-nostdlib" | "-nodefaultlibs" | "-nolibc" | "-nostartfiles" => FlagProblem::NoLibrary,
        "-fopenmp-simd" => return None,
        _ if starts("-fopenmp") => FlagProblem::OpenMp,
        _ if starts("-fsanitize=") => FlagProblem::Sanitizer,
        _ if starts("-T") && !starts("-Tbss") => FlagProblem::Linker,
        _ if starts("-xc++") || starts("--language=c++") => FlagProblem::Language,
        _ if starts("-") || starts("@") => return None,
        _ => match Path::new(flag).extension().and_then(|it| it.to_str()) {
            Some("o" | "a" | "so" | "obj" | "lo" | "la") => FlagProblem::Object,
            Some("c" | "i" | "bc" | "ll") => FlagProblem::Source,
            _ => return None,
        },
    })
}

fn language_is_c(language: &str) -> Result<(), Error> {
    match language {
        "c" | "none" | "cpp-output" | "c-header" => Ok(()),
        _ => Err(refused(&format!("-x {language}"), FlagProblem::Language)),
    }
}

fn refused(flag: &str, problem: FlagProblem) -> Error {
    Error::Flag { flag: flag.to_owned(), problem }
}

/// The functions that the linker wraps; an error for an option that may do something else.
fn wrapped(words: &[String]) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let long = word.replacen("--", "-", 1);
        if let Some(name) = long.strip_prefix("-wrap=") {
            found.push(name.to_owned());
        } else if long == "-wrap" {
            found.extend(words.next().cloned());
        } else if word == "-z" {
            let value = words.next().map_or("", String::as_str);
            if !HARMLESS_Z.contains(&value) {
                return Err(refused(&format!("-z {value}"), FlagProblem::Linker));
            }
        } else if word == "-u" || long == "-undefined" {
            words.next();
        } else if let Some(takes_value) = harmless(word) {
            if takes_value {
                words.next();
            }
        } else {
            return Err(refused(word, FlagProblem::Linker));
        }
    }
    Ok(found)
}

/// Whether a linker option is harmless, and then whether its value is the next word.
fn harmless(word: &str) -> Option<bool> {
    let is_same = |known: &str| {
        let known = known.trim_end_matches('=');
        word == known || word.strip_prefix('-') == Some(known)
    };
    let with_value = |known: &&&str| {
        known.ends_with('=')
            && (word.starts_with(**known)
                || word.strip_prefix('-').is_some_and(|it| it.starts_with(**known)))
    };
    if HARMLESS.iter().any(|known| with_value(&known)) {
        return Some(false);
    }
    if (word.starts_with("-L") || word.starts_with("-l")) && word.len() > 2 {
        return Some(false);
    }
    let found = HARMLESS.iter().find(|known| is_same(known))?;
    Some(found.ends_with('=') && !HARMLESS.contains(&word))
}

/// The flags with those of response files (`@FILE`) in their place.
fn expanded(flags: &[String], directory: &Path, depth: usize) -> Result<Vec<String>, Error> {
    let mut result = Vec::new();
    for flag in flags {
        let Some(name) = flag.strip_prefix('@') else {
            result.push(flag.clone());
            continue;
        };
        let path = directory.join(name);
        let text = fs::read_to_string(&path).map_err(|error| Error::InputUnreadable {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        let words = shlex::split(&text).filter(|_| depth > 0);
        let words = words.ok_or_else(|| refused(flag, FlagProblem::Unreadable))?;
        result.extend(expanded(&words, directory, depth - 1)?);
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(flags: &[&str]) -> Result<Flags, Error> {
        let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        sort(&flags, Path::new("."))
    }

    fn problem_of(flags: &[&str]) -> Option<FlagProblem> {
        match sorted(flags) {
            Err(Error::Flag { problem, .. }) => Some(problem),
            _ => None,
        }
    }

    #[test]
    fn flags_for_one_file_reach_clang_and_output_is_ours() {
        let all =
            ["-DX", "-O2", "-include", "a.h", "-fwrapv", "-o", "x", "-c", "-MD", "-pthread", "-lm"];
        let flags = sorted(&all).unwrap();
        assert_eq!(flags.compiler, ["-DX", "-O2", "-include", "a.h", "-fwrapv", "-pthread", "-lm"]);
    }

    #[test]
    fn wrapped_functions_are_found_however_they_are_written() {
        let flags = ["-Wl,--wrap=a", "-Wl,-wrap,b", "-Xlinker", "--wrap", "-Xlinker", "c"];
        assert_eq!(sorted(&flags).unwrap().wrapped, ["a", "b", "c"]);
    }

    #[test]
    fn what_the_linker_would_change_is_refused() {
        for flags in [
            &["-Wl,--defsym=f=g"][..],
            &["-Wl,-T,script.ld"],
            &["-Wl,--whole-archive"],
            &["-Wl,--version-script=v"],
            &["-Wl,-z,muldefs"],
            &["-Wl,--unheard-of"],
            &["-T", "script.ld"],
            &["-Xlinker", "--defsym=f=g"],
        ] {
            assert_eq!(problem_of(flags), Some(FlagProblem::Linker), "{flags:?}");
        }
        assert_eq!(problem_of(&["-nostdlib"]), Some(FlagProblem::NoLibrary));
        assert_eq!(problem_of(&["-fopenmp"]), Some(FlagProblem::OpenMp));
        assert_eq!(problem_of(&["-x", "c++"]), Some(FlagProblem::Language));
        assert_eq!(problem_of(&["lib.a"]), Some(FlagProblem::Object));
        assert_eq!(problem_of(&["-fsanitize=address"]), Some(FlagProblem::Sanitizer));
    }

    #[test]
    fn what_the_linker_does_to_the_file_alone_is_no_matter() {
        let flags = [
            "-static",
            "-Wl,-z,relro,-z,now",
            "-Wl,--as-needed",
            "-Wl,-rpath,/opt/lib",
            "-Wl,-rpath=/opt/lib",
            "-Wl,-Map=out.map",
            "-Wl,-O1",
            "-Wl,--build-id=sha1",
        ];
        assert_eq!(sorted(&flags), Ok(Flags::default()));
    }
}
