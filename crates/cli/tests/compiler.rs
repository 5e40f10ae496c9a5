//! `unravel cc` and `unravel c++`: command lines as builds use them, the section with the bitcode,
//! and programs that do what they do without hooks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use support::{code, root, stderr, stdout};
use tempfile::TempDir;
use unravel_frontend::hooks::{Unit, program, units};
use unravel_program::Op;

/// A folder to build in, with the compiler under its one-word names.
struct Build {
    folder: TempDir,
}

impl Build {
    fn new(files: &[(&str, &str)]) -> Build {
        let folder = tempfile::tempdir().unwrap();
        for name in ["unravel-cc", "unravel-c++"] {
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_unravel"), folder.path().join(name))
                .unwrap();
        }
        let build = Build { folder };
        for (name, text) in files {
            build.write(name, text);
        }
        build
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Runs a command in the folder, the compiler first on the path.
    fn run(&self, command: &str) -> Output {
        self.run_with(command, Stdio::null())
    }

    fn run_with(&self, command: &str, input: Stdio) -> Output {
        let path = std::env::var("PATH").unwrap();
        Command::new("sh")
            .args(["-c", command])
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", self.folder.path().display()))
            .stdin(input)
            .output()
            .unwrap()
    }

    /// Runs a command that succeeds and says nothing on standard error; its standard output.
    fn quiet(&self, command: &str) -> String {
        let output = self.run(command);
        let said = stderr(&output);
        assert!(
            output.status.success() && said.is_empty(),
            "{command}: {:?} {said}",
            output.status
        );
        stdout(&output)
    }

    fn units(&self, name: &str) -> Vec<Unit> {
        units(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The sources of the units in a file.
    fn sources(&self, name: &str) -> Vec<String> {
        self.units(name).into_iter().map(|unit| unit.header.source).collect()
    }
}

const MAIN: &str = "#include <stdio.h>\nint other(void);\nint count;\n\
                    int main(void) { count = other(); printf(\"%d\\n\", count); return 0; }\n";
const OTHER: &str = "int other(void) { return 42; }\n";

fn two_files() -> Build {
    Build::new(&[("main.c", MAIN), ("other.c", OTHER)])
}

#[test]
fn several_files_become_a_program_with_all_units() {
    let build = two_files();
    build.quiet("unravel-cc -O2 -o program main.c other.c");
    assert_eq!(build.quiet("./program"), "42\n");
    let units = build.units("program");
    assert_eq!(build.sources("program"), ["main.c", "other.c"]);
    assert_eq!(units[0].header.arguments, ["-O2", "-o", "program", "main.c", "other.c"]);
    assert_eq!(
        Path::new(&units[0].header.directory),
        fs::canonicalize(build.folder.path()).unwrap()
    );
    assert_eq!(units[0].header.language, "c");
    assert!(!build.has("main.o"), "objects between the steps are not kept");
}

#[test]
fn the_bitcode_of_a_program_is_lowered_with_the_numbers_of_its_hooks() {
    let build = two_files();
    build.quiet("unravel-cc -O1 -o program main.c other.c");
    let program = program(&build.units("program")).unwrap();
    let main = program.function_named("main").unwrap();
    let main = &program.functions[main.0 as usize];
    let hooked = |found: fn(&Op) -> bool| {
        let all = main.blocks.iter().flat_map(|block| &block.instructions);
        let sites = all.filter(|it| found(&it.op)).map(|it| program.site(it.site));
        sites.map(|site| (site.hook.is_some(), site.span.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(hooked(|op| matches!(op, Op::Store { .. })), [(true, true)]);
    // What prints, and a function of another unit, which leaves the unit: both calls have a number.
    assert_eq!(hooked(|op| matches!(op, Op::Call { .. })), [(true, true); 2]);
}

#[test]
fn objects_are_made_one_by_one_or_together() {
    let build = two_files();
    build.quiet("unravel-cc -c main.c other.c && unravel-cc -c other.c -o x.o");
    build.quiet("unravel-cc main.o x.o -o program");
    assert_eq!(build.quiet("./program"), "42\n");
    assert_eq!(build.sources("program"), ["main.c", "other.c"]);
}

#[test]
fn the_result_without_a_name_is_a_out() {
    let build = two_files();
    build.quiet("unravel-cc main.c other.c");
    assert_eq!(build.quiet("./a.out"), "42\n");
}

#[test]
fn assembly_text_has_the_section_and_assembles() {
    let build = two_files();
    build.quiet("unravel-cc -S -O2 main.c && unravel-cc -S -o - other.c > other.s");
    build.quiet("unravel-cc -c main.s other.s && unravel-cc main.o other.o -o program");
    assert_eq!(build.quiet("./program"), "42\n");
    assert_eq!(build.sources("program"), ["main.c", "other.c"]);
}

#[test]
fn other_assemblers_are_used_as_asked() {
    let build = two_files();
    build.quiet("unravel-cc -fno-integrated-as main.c other.c -o program");
    assert_eq!(build.quiet("./program"), "42\n");
    assert_eq!(build.sources("program"), ["main.c", "other.c"]);
}

#[test]
fn the_preprocessor_and_dependencies_are_clangs() {
    let build = two_files();
    build.write("with.c", "#include \"own.h\"\nint x = OWN;\n");
    build.write("own.h", "#define OWN 3\n");
    for call in ["-E with.c", "-E -P with.c", "-M with.c", "-MM with.c", "-E -dM -xc /dev/null"] {
        assert_eq!(
            build.quiet(&format!("unravel-cc {call}")),
            build.quiet(&format!("clang-19 {call}"))
        );
    }
    build.quiet("unravel-cc -MD -c with.c -o sub.o && unravel-cc -MMD -MP -MF d.d -MT a -c with.c");
    let text = |name| String::from_utf8(build.read(name)).unwrap();
    assert_eq!(text("sub.d"), "sub.o: with.c own.h\n");
    assert_eq!(text("d.d"), "a: with.c own.h\nown.h:\n");
}

#[test]
fn the_language_and_the_input_can_be_said() {
    let build = Build::new(&[("text", MAIN), ("other.c", OTHER)]);
    let input = fs::File::open(build.path("other.c")).unwrap();
    let output = build.run_with("unravel-cc -x c -c -o other.o -", input.into());
    assert!(output.status.success(), "{}", stderr(&output));
    build.quiet("unravel-cc -x c text -x none other.o -o program");
    assert_eq!(build.quiet("./program"), "42\n");
    assert_eq!(build.sources("program"), ["text", "-"]);
}

#[test]
fn preprocessed_text_is_compiled() {
    let build = two_files();
    build.quiet("unravel-cc -E main.c -o main.i && unravel-cc -c main.i other.c");
    build.quiet("unravel-cc main.o other.o -o program");
    assert_eq!(build.sources("program"), ["main.i", "other.c"]);
}

#[test]
fn response_files_are_read() {
    let build = two_files();
    build.write("args", "-O2 -flto\n\"main.c\" @more");
    build.write("more", "other.c -o 'a program'");
    build.quiet("unravel-cc @args");
    assert_eq!(build.quiet("'./a program'"), "42\n");
    assert_eq!(build.sources("a program"), ["main.c", "other.c"]);
}

#[test]
fn a_very_long_command_line_is_no_trouble() {
    let build = two_files();
    let flags: String = (0..8000).map(|n| format!("-DNAME_OF_SOMETHING_{n}=1 ")).collect();
    build.write("args", &flags);
    build.quiet("unravel-cc @args main.c other.c -o program");
    assert_eq!(build.quiet("./program"), "42\n");
}

#[test]
fn shared_objects_have_hooks_and_no_runtime() {
    let build = two_files();
    build.quiet("unravel-cc -shared -fPIC other.c -o libother.so && unravel-cc -c main.c");
    build.quiet("unravel-cc main.o -L. -lother -Wl,-rpath,$PWD -o program");
    assert_eq!(build.quiet("./program"), "42\n");
    assert_eq!(build.sources("program"), ["main.c"]);
    assert_eq!(build.sources("libother.so"), ["other.c"]);
    let defined = build.quiet("nm -D --defined-only libother.so");
    assert!(!defined.contains("__unravel"), "{defined}");
}

#[test]
fn a_library_that_is_loaded_later_finds_the_hooks() {
    let build = Build::new(&[
        ("plugin.c", "int shared; int plugin(void) { shared++; return shared + 41; }\n"),
        (
            "main.c",
            "#include <dlfcn.h>\n#include <stdio.h>\nint main(void) {\n\
            void *it = dlopen(\"./plugin.so\", RTLD_NOW);\n\
            if (!it) { puts(dlerror()); return 1; }\n\
            int (*f)(void) = (int (*)(void))dlsym(it, \"plugin\");\n\
            printf(\"%d\\n\", f()); return 0; }\n",
        ),
    ]);
    build.quiet("unravel-cc -shared -fPIC plugin.c -o plugin.so && unravel-cc main.c -o program");
    assert_eq!(build.quiet("./program"), "42\n");
}

#[test]
fn the_section_survives_archives_and_linkers() {
    let build = two_files();
    build.quiet("unravel-cc -ffunction-sections -fdata-sections -c main.c other.c");
    build.quiet("ar rc libother.a other.o && unravel-cc main.o libother.a -o from_archive");
    build.quiet("ld -r main.o other.o -o both.o && unravel-cc both.o -o from_one");
    build.quiet("unravel-cc -r main.o other.o -o again.o && unravel-cc again.o -o from_again");
    build.quiet("unravel-cc -Wl,--gc-sections main.o other.o -o collected");
    build.quiet("unravel-cc -fuse-ld=gold main.o other.o -o by_gold || true");
    build.quiet("unravel-cc -g main.o other.o -o stripped && strip --strip-debug stripped");
    for program in ["from_archive", "from_one", "from_again", "collected", "stripped"] {
        assert_eq!(build.sources(program), ["main.c", "other.c"], "{program}");
        assert_eq!(build.quiet(&format!("./{program}")), "42\n");
    }
}

#[test]
fn link_time_optimization_makes_ordinary_objects() {
    let build = two_files();
    build.quiet(
        "unravel-cc -O2 -flto=thin -c main.c other.c && unravel-cc -flto main.o other.o -o program",
    );
    assert_eq!(build.quiet("./program"), "42\n");
    assert_eq!(build.sources("program"), ["main.c", "other.c"]);
}

#[test]
fn sanitizers_of_memory_and_arithmetic_work_beside_hooks() {
    let build = Build::new(&[(
        "main.c",
        "#include <stdlib.h>\nint main(int argc, char **argv) {\n\
         int *p = malloc(8); p[argc + 1] = 1; return p[0] * 0; }\n",
    )]);
    build.quiet("unravel-cc -g -fsanitize=address,undefined main.c -o program");
    let said = stderr(&build.run("./program"));
    assert!(said.contains("heap-buffer-overflow"), "{said}");
    assert!(said.contains("main.c:3"), "{said}");
    // What the runtime copies for the program is looked at, too, and a controlled run ends the same.
    build.write(
        "copies.c",
        "#include <stdlib.h>\n#include <string.h>\n#include <pthread.h>\nchar from[64];\n\
         static void *f(void *to) { memcpy(to, from, 64); return 0; }\n\
         int main(void) { char *p = malloc(60); pthread_t t;\n\
         pthread_create(&t, 0, f, p); pthread_join(t, 0); free(p); return 0; }\n",
    );
    build.quiet("unravel-cc -g -fsanitize=address copies.c -o copies -pthread");
    let unravel = env!("CARGO_BIN_EXE_unravel");
    for call in ["./copies".to_owned(), format!("{unravel} record -o run ./copies")] {
        let said = stderr(&build.run(&call));
        assert!(said.contains("heap-buffer-overflow"), "{call}: {said}");
        assert!(said.contains("copies.c:5"), "{call}: {said}");
    }
    let again = build.run(&format!("{unravel} replay -n 3 run"));
    assert_eq!(stdout(&again), "3 of 3 runs went the same way: a sanitizer ended the program\n");
}

#[test]
fn what_cannot_have_hooks_is_refused_with_the_reason() {
    let build = two_files();
    for (call, reason) in [
        ("-fsanitize=thread -c main.c", "`-fsanitize=thread` does not work with hooks"),
        ("-fsanitize=memory -c main.c", "this `-fsanitize` does not work with hooks"),
        ("-static main.c other.c", "`-static` does not work with hooks yet"),
        ("-m32 main.c other.c", "only programs for 64-bit x86 Linux can have hooks"),
    ] {
        let output = build.run(&format!("unravel-cc {call}"));
        let said = stderr(&output);
        assert_eq!(code(&output), 1, "{call}");
        assert!(said.starts_with(&format!("error: {reason}")), "{call}: {said}");
        assert!(said.contains("help: "), "{call}: {said}");
        assert!(!build.has("a.out") && !build.has("main.o"), "{call}");
    }
    build.quiet("unravel-cc -m32 -c other.c -o other32.o");
    assert!(units(&build.read("other32.o")).is_err());
}

#[test]
fn questions_are_answered_by_clang() {
    let build = two_files();
    for call in [
        "--version",
        "-dumpmachine",
        "-dumpversion",
        "-print-search-dirs",
        "-print-prog-name=ld",
        "-print-file-name=libc.so",
        "-print-resource-dir",
        "-v",
        "--help",
        "main.c -o program",
        "-fsyntax-only main.c",
    ] {
        let call = if call.starts_with("main.c") { "-### main.c -o program" } else { call };
        let (ours, clangs) =
            (build.run(&format!("unravel-cc {call}")), build.run(&format!("clang-19 {call}")));
        let without_names = |text: String| {
            text.lines().filter(|it| !it.contains("/tmp/")).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(code(&ours), code(&clangs), "{call}");
        assert_eq!(stdout(&ours), stdout(&clangs), "{call}");
        assert_eq!(without_names(stderr(&ours)), without_names(stderr(&clangs)), "{call}");
    }
}

#[test]
fn errors_and_warnings_are_clangs_own() {
    let build = Build::new(&[
        ("bad.c", "int main(void) { return x; }\n"),
        ("warns.c", "int main(void) { int unused; return 1 ? 0 : 2 / 0; }\n"),
        ("links.c", "int missing(void); int main(void) { return missing(); }\n"),
        ("good.c", "int f(void) { return 1; }\n"),
        ("sub/inline.c", "int f(void) { __asm__(\"nonsense %eax\"); return 1; }\n"),
    ]);
    for call in [
        "-c bad.c",
        "-Wall -c warns.c",
        "-Wall -Werror -c warns.c",
        "-c missing.c",
        "",
        "-c -nonsense good.c",
        "-c good.c -lm -L/nowhere",
        "-c good.c -o a.o -std=c++17",
        "-c sub/inline.c",
        "-Wall -Wextra bad.c warns.c -c",
    ] {
        let (ours, clangs) =
            (build.run(&format!("unravel-cc {call}")), build.run(&format!("clang-19 {call}")));
        assert_eq!(stderr(&ours), stderr(&clangs), "{call}");
        assert_eq!(code(&ours), code(&clangs), "{call}");
    }
    let output = build.run("unravel-cc links.c");
    let said = stderr(&output);
    assert_eq!(code(&output), 1);
    assert!(said.contains("undefined reference to `missing'"), "{said}");
    assert!(
        said.ends_with(
            "error: linker command failed with exit code 1 (use -v to see invocation)\n"
        ),
        "{said}"
    );
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let build = Build::new(&[("bad.c", "int f(void) { return x; }\n"), ("other.c", OTHER)]);
    let output = build.run("unravel-cc -c bad.c other.c");
    assert_eq!(code(&output), 1);
    assert!(build.has("other.o") && !build.has("bad.o"));
    let output = build.run("unravel-cc bad.c other.c -o program");
    assert_eq!(code(&output), 1);
    assert!(!build.has("program"));
}

#[test]
fn the_steps_are_shown_if_asked_for() {
    let build = two_files();
    let output = build.run("unravel-cc -v main.c other.c -o program");
    let said = stderr(&output);
    assert!(output.status.success());
    assert!(said.contains("clang version 19") && said.contains("search starts here"), "{said}");
    assert!(said.contains("\"-dynamic-linker\""), "{said}");
}

/// What ccache and reproducible builds rely on.
#[test]
fn the_same_call_makes_the_same_object() {
    let build = two_files();
    build.quiet("unravel-cc -O2 -g -c main.c && cp main.o first.o && unravel-cc -O2 -g -c main.c");
    assert_eq!(build.read("first.o"), build.read("main.o"));
}

#[test]
fn tests_of_configure_that_only_compile_work() {
    let build = Build::new(&[]);
    build.write("conftest.c", "int main(void) { return sizeof(int) == 4 ? 0 : 1; }\n");
    build.quiet(
        "unravel-cc -c -o /dev/null conftest.c && unravel-cc conftest.c -o conftest && ./conftest",
    );
    let output =
        build.run("echo 'int x[sizeof(long) == 4 ? 1 : -1];' | unravel-cc -x c -c -o /dev/null -");
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("array with a negative size"), "{}", stderr(&output));
}

#[test]
fn the_two_word_names_are_the_same_compilers() {
    let build = Build::new(&[
        ("main.cc", "#include <iostream>\nint main() { std::cout << 42 << std::endl; }\n"),
        ("other.c", OTHER),
    ]);
    let unravel = env!("CARGO_BIN_EXE_unravel");
    build.quiet(&format!("{unravel} c++ main.cc -o program && {unravel} cc -c other.c"));
    assert_eq!(build.quiet("./program"), "42\n");
    assert_eq!(build.sources("other.o"), ["other.c"]);
    assert_eq!(build.units("program")[0].header.language, "c++");
}

#[test]
fn exceptions_threads_and_templates_work() {
    let build = Build::new(&[(
        "main.cc",
        "#include <map>\n#include <mutex>\n#include <stdexcept>\n#include <string>\n#include <thread>\n\
         #include <iostream>\n\
         struct Big { long a[9]; };\n\
         static std::map<std::string, int> all; static std::mutex m;\n\
         static long sum(Big b) { long s = 0; for (long x : b.a) s += x; return s; }\n\
         static int find(const std::string &k) {\n\
           std::lock_guard<std::mutex> g(m);\n\
           if (!all.count(k)) throw std::runtime_error(\"no \" + k);\n\
           return all[k]; }\n\
         int main() {\n\
           std::thread t([] { std::lock_guard<std::mutex> g(m); all[\"a\"] = 40; }); t.join();\n\
           Big b{}; b.a[3] = 2;\n\
           try { std::cout << find(\"a\") + sum(b) << std::endl; find(\"b\"); }\n\
           catch (const std::exception &e) { std::cout << e.what() << std::endl; }\n\
           long double x = 1.5L; std::cout << (double)(x * 2) << std::endl; }\n",
    )]);
    for level in ["-O0", "-O2"] {
        build.quiet(&format!("unravel-c++ {level} main.cc -o program -pthread"));
        assert_eq!(build.quiet("./program"), "42\nno b\n3\n", "{level}");
        let lowered = program(&build.units("program"));
        assert!(lowered.is_ok(), "{:?}", lowered.err());
    }
}

/// The runtime of the tests shows every hook that is reached, with its value.
#[test]
fn hooks_are_called_with_the_values_of_the_program() {
    let build = Build::new(&[(
        "main.c",
        "#include <stdatomic.h>\n#include <string.h>\n#include <unistd.h>\n\
         int g; atomic_int a; struct S { int x, y; } s, t = {1, 2};\n\
         int main(int argc, char **argv) {\n\
           g = 7; g += argc; atomic_fetch_add(&a, 5);\n\
           s = t; return (int)write(1, \"\", 0) + g - 8; }\n",
    )]);
    let stub = root().join("crates/cli/tests/compiler/runtime.c");
    build.quiet(&format!("clang-19 -c {} -o stub.o", stub.display()));
    for level in ["-O0", "-O3"] {
        build.quiet(&format!("unravel-cc {level} -c main.c && clang-19 main.o stub.o -o program"));
        let output = build.run("UNRAVEL_HOOKS=1 ./program");
        assert_eq!(code(&output), 0);
        let expected = "1 write 4 7\n2 read 4\n3 write 4 8\n4 atomic 4\n4 done 2 0 0\n\
                        5 memcpy 8 4\n6 call\n6 result 0\n7 read 4\n";
        assert_eq!(stderr(&output), expected, "{level}");
    }
}

#[test]
fn a_file_without_hooks_says_so() {
    let build = two_files();
    build.quiet("clang-19 main.c other.c -o plain");
    let why = |name: &str| units(&build.read(name)).unwrap_err().to_string();
    assert_eq!(why("plain"), "it was not built with `unravel cc`");
    assert_eq!(why("main.c"), "it is no program");
    build.quiet("clang-19 -m32 -c other.c -o other32.o");
    assert_eq!(why("other32.o"), "it is a program for another machine");
}
