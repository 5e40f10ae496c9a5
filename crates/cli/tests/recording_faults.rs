//! Nothing of a recording is lost, whatever ends the run or the recorder; and a file that is damaged, or
//! a program that is none of ours, is refused with a message.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use support::{code, failures, none_fail, stderr, stdout};
use tempfile::TempDir;
use unravel_trace::{Header, Recording, Writer};
use unravel_wire::{Kind, Record};

/// Ends as its argument says.
const PROGRAM: &str = r#"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int total;
static void *work(void *arg) {
    for (int i = 0; i < 100; i++)
        total += i & 1;
    return arg;
}
int main(int count, char **words) {
    pthread_t thread;
    const char *how = count > 1 ? words[1] : "";
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(how, "crash"))
        *(volatile int *)8 = total;
    if (!strcmp(how, "leave"))
        _exit(3);
    if (!strcmp(how, "abort"))
        abort();
    while (!strcmp(how, "forever"))
        total++;
    pthread_join(thread, NULL);
    return 0;
}
"#;

/// A folder with the program in it.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().expect("a folder") };
        std::fs::write(place.path("program.c"), PROGRAM).expect("writable");
        let output = place.unravel(&["cc", "-g", "-pthread", "program.c", "-o", "program"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    fn unravel(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(Path::new(env!("CARGO_BIN_EXE_unravel")), arguments);
        command.output().expect("unravel starts")
    }

    /// Runs something of the system's.
    fn tool(&self, name: &str, arguments: &[&str]) {
        let output = self.command(Path::new(name), arguments).output().expect("it starts");
        assert!(output.status.success(), "{name}: {}", stderr(&output));
    }
}

#[test]
fn whatever_ends_the_program_its_run_is_whole() {
    let place = Place::new();
    for (how, exit, end) in [
        ("kill", 1, "the program was ended by SIGKILL\n"),
        ("crash", 1, "the program was ended by SIGSEGV\n"),
        ("leave", 0, "the program ended by _exit with code 3\n"),
        ("abort", 1, "the program was aborted\n"),
    ] {
        let recorded = place.unravel(&["record", "-o", "run", "./program", how]);
        assert_eq!(code(&recorded), exit, "{how}: {}", stderr(&recorded));
        let shown = place.unravel(&["show", "run"]);
        assert_eq!(code(&shown), 0, "{how}: {}", stderr(&shown));
        let text = stdout(&shown);
        // Two for each round of the loop.
        assert_eq!(text.matches(" total = ").count() / 100, 2, "{how}: {text}");
        assert!(text.ends_with(end), "{how}: {text}");
    }
}

#[test]
fn what_a_killed_recorder_has_written_is_read() {
    let place = Place::new();
    let own = Path::new(env!("CARGO_BIN_EXE_unravel"));
    let mut recorder =
        place.command(own, &["record", "-o", "run", "./program", "forever"]).spawn().expect("runs");
    let begin = Instant::now();
    let has_chunk = || std::fs::metadata(place.path("run")).is_ok_and(|it| it.len() > 20_000);
    while !has_chunk() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    recorder.kill().expect("it runs");
    assert_eq!(recorder.wait().expect("it is over").signal(), Some(9));
    let shown = place.unravel(&["show", "--format", "json", "run"]);
    assert_eq!(code(&shown), 3, "{}", stderr(&shown));
    assert!(
        stderr(&shown).contains("the recording ends before the run does"),
        "{}",
        stderr(&shown)
    );
    assert!(stdout(&shown).len() > 100_000);
}

#[test]
fn a_full_disk_is_said() {
    let place = Place::new();
    let output = place.unravel(&["record", "-o", "/dev/full", "./program"]);
    assert_eq!(code(&output), 2);
    let said = stderr(&output);
    assert!(said.contains("cannot be written: No space left on device"), "{said}");
    let output = place.unravel(&["record", "-o", "nowhere/run", "./program"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("`nowhere/run` cannot be written"), "{}", stderr(&output));
}

/// Numbers that look random, and are the same in every run.
struct Numbers(u64);

impl Numbers {
    /// The next one, below a limit (xorshift).
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).unwrap_or(0)
    }
}

/// The bytes of a file with something wrong with them.
fn damaged(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = numbers.below(bytes.len());
    match numbers.below(5) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << numbers.below(8),
        2 => bytes[at..].iter_mut().take(16).for_each(|it| *it = 0xff),
        3 => {
            let part = bytes[at..].to_vec();
            bytes.extend(part);
        }
        _ => drop(bytes.drain(at..(at + 7).min(bytes.len()))),
    }
    bytes
}

/// The same records with something wrong with them, in a file that is whole.
fn rewritten(recording: &Recording, numbers: &mut Numbers) -> Vec<u8> {
    let mut records = recording.records.clone();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(records.len());
        let bit = 1_u64 << numbers.below(64);
        match numbers.below(6) {
            0 => records[at].head ^= bit,
            1 => records[at].site ^= bit,
            2 => records[at].a ^= bit,
            3 => records[at].b ^= bit,
            4 => drop(records.remove(at)),
            _ => {
                let kind = Kind::ALL[numbers.below(Kind::ALL.len())];
                records.insert(at, Record::new(kind, numbers.below(9) as u16, bit).with(bit, 1));
            }
        }
    }
    written(&recording.header, &records)
}

fn written(header: &Header, records: &[Record]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), header).expect("memory");
    writer.push(records).expect("memory");
    writer.finish(Some(0), None).expect("memory").1
}

/// How many damaged files there are: 1,000 of both kinds together in `make corpus`.
fn count() -> u64 {
    let is_all = std::env::var("UNRAVEL_CORPUS").is_ok_and(|it| it == "all");
    if is_all { 500 } else { 100 }
}

/// How a command ends that was given a damaged file; an error if it crashes, hangs or says nothing.
fn survives(place: &Place, command: &str, file: &str, codes: &[i32]) -> Result<(), String> {
    let own = Path::new(env!("CARGO_BIN_EXE_unravel"));
    let limited = ["60", &own.to_string_lossy(), command, file];
    let output = place.command(Path::new("timeout"), &limited).output().expect("it starts");
    let (ended, said) = (code(&output), stderr(&output));
    if !codes.contains(&ended) || said.contains("panicked") || ended > 1 && said.is_empty() {
        return Err(format!("{command} {file}: {ended} {said}"));
    }
    Ok(())
}

#[test]
fn damaged_recordings_are_refused_or_read_as_far_as_they_are_whole() {
    let place = Place::new();
    assert_eq!(code(&place.unravel(&["record", "-o", "run", "./program"])), 0);
    let bytes = std::fs::read(place.path("run")).expect("readable");
    let recording = Recording::parse(&bytes).expect("whole");
    let seeds: Vec<u64> = (0..count()).collect();
    none_fail(&failures(&seeds, |&seed| {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 ^ seed << 20);
        let (broken, other) = (format!("broken{seed}"), format!("other{seed}"));
        std::fs::write(place.path(&broken), damaged(&bytes, &mut numbers)).expect("writable");
        survives(&place, "show", &broken, &[0, 2, 3])?;
        std::fs::write(place.path(&other), rewritten(&recording, &mut numbers)).expect("writable");
        survives(&place, "show", &other, &[0, 2, 3])?;
        if seed % 10 == 0 {
            survives(&place, "replay", &broken, &[0, 2, 3])?;
            survives(&place, "replay", &other, &[0, 2, 3])?;
        }
        Ok(())
    }));
}

#[test]
fn what_is_no_program_of_ours_is_refused() {
    let place = Place::new();
    std::fs::write(place.path("plain.c"), "int main(void) { return 0; }\n").expect("writable");
    place.tool("clang-19", &["plain.c", "-o", "plain"]);
    place.tool("clang-19", &["--target=aarch64-linux-gnu", "-c", "plain.c", "-o", "arm.o"]);
    for (program, why) in [
        ("plain", "it was not built with `unravel cc`"),
        ("arm.o", "it is a program for another machine"),
        ("plain.c", "it is no program"),
        ("missing", "cannot be read: No such file or directory"),
    ] {
        let output = place.unravel(&["record", "-o", "run", program]);
        let said = stderr(&output);
        assert_eq!(code(&output), 2, "{program}: {said}");
        assert!(said.contains(why), "{program}: {said}");
        assert!(!place.path("run").exists(), "{program}");
    }
    let output = place.unravel(&["show", "plain"]);
    assert_eq!(
        (code(&output), stderr(&output)),
        (2, "error: `plain`: it is no recording\n".into())
    );
}

#[test]
fn a_stripped_program_is_recorded_without_names() {
    let place = Place::new();
    place.tool("strip", &["-s", "program"]);
    assert_eq!(code(&place.unravel(&["record", "-o", "run", "./program"])), 0);
    let shown = place.unravel(&["show", "run"]);
    assert_eq!(code(&shown), 0, "{}", stderr(&shown));
    assert!(stderr(&shown).contains("is stripped: its variables have no names"));
    assert!(stdout(&shown).contains("program.c:"), "{}", stdout(&shown));
    place.tool("objcopy", &["--remove-section=.unravel", "program"]);
    let output = place.unravel(&["record", "./program"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("it was not built with `unravel cc`"), "{}", stderr(&output));
}

#[test]
fn a_run_of_another_build_is_refused() {
    let place = Place::new();
    assert_eq!(code(&place.unravel(&["record", "-o", "run", "./program"])), 0);
    let build = ["cc", "-g", "-O2", "-pthread", "program.c", "-o", "program"];
    assert_eq!(code(&place.unravel(&build)), 0);
    for command in ["show", "replay"] {
        let output = place.unravel(&[command, "run"]);
        let said = stderr(&output);
        assert_eq!(code(&output), 2, "{command}: {said}");
        assert!(said.contains("is not the program that was recorded"), "{command}: {said}");
        assert!(said.contains("help: it was built again since"), "{command}: {said}");
    }
}

#[test]
fn without_clang_it_says_what_to_install() {
    let place = Place::new();
    let own = Path::new(env!("CARGO_BIN_EXE_unravel"));
    let mut command = place.command(own, &["cc", "-c", "program.c"]);
    let output = command.env("PATH", place.folder.path()).output().expect("it starts");
    assert_eq!(code(&output), 1);
    let expected = "error: cannot find `clang-19`\nhelp: install the package `clang-19`\n";
    assert_eq!(stderr(&output), expected);
}

/// A descriptor of ours would move those of the program, and by another number in a replay.
#[test]
fn a_program_gets_its_usual_descriptors() {
    let place = Place::new();
    let text = "#include <fcntl.h>\nint main(void) { return open(\"/dev/null\", O_RDONLY); }\n";
    std::fs::write(place.path("opens.c"), text).expect("writable");
    assert_eq!(code(&place.unravel(&["cc", "-g", "opens.c", "-o", "opens"])), 0);
    let plain = place.command(Path::new("./opens"), &[]).status().expect("it starts");
    let output = place.unravel(&["record", "-o", "run", "./opens"]);
    let expected = format!("exit code {}", plain.code().expect("it exits"));
    assert!(stderr(&output).contains(&expected), "{expected}: {}", stderr(&output));
    let output = place.unravel(&["replay", "-n", "3", "run"]);
    assert!(stdout(&output).starts_with("3 of 3 runs went the same way"), "{}", stdout(&output));
}
