//! `unravel repair` towards its surroundings: arguments, files, streams, exit codes. Which repairs
//! there are is the engine's matter; what holds here holds for any of them.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::{code, guarded, json, root, stderr, stdout, unravel};
use unravel_kinds::RepairKind;

const RACE: &str = "\
#include <assert.h>
#include <pthread.h>

int x, y;

void *writer0(void *arg) {
    x = 0;
    y = 0;
    return arg;
}

void *writer1(void *arg) {
    x = 1;
    y = 1;
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, writer0, 0);
    pthread_create(&t2, 0, writer1, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == y);
}
";

const SAFE: &str = "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 1); }\n";

/// A folder with one file.
fn folder(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    (folder, path)
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

#[test]
fn what_is_no_source_cannot_be_repaired() {
    let (folder, path) = folder("a.c", SAFE);
    let made = folder.path().join("a.ll");
    let status = Command::new("clang-19")
        .args(["-g", "-S", "-emit-llvm", "-o"])
        .args([&made, &path])
        .status()
        .expect("clang runs");
    assert!(status.success());
    let output = unravel(&["repair", shown(&made)]);
    assert_eq!(code(&output), 2);
    let text = stderr(&output);
    assert!(text.contains("is made from its source and cannot be changed"), "{text}");
    assert!(text.contains("help: give the C files that it is made from"), "{text}");
}

#[test]
fn wrong_usage_is_told() {
    let wrong: [&[&str]; 8] = [
        &["--strategy", "prayer"],
        &["--strategy", "mutex,prayer"],
        &["--order-cost", "8:13"],
        &["--pick", "0"],
        &["--diff", "--apply"],
        &["--diff", "--format", "json"],
        &["--unsafe-fixes"],
        &["--no-such-flag"],
    ];
    for flags in wrong {
        let mut args = vec!["repair", "corpus/figures/conc_list_seq.c"];
        args.extend(flags);
        let output = unravel(&args);
        assert_eq!(code(&output), 2, "{flags:?}");
        assert!(stderr(&output).starts_with("error: "), "{flags:?}");
        assert_eq!(stdout(&output), "", "{flags:?}");
    }
}

#[test]
fn nothing_to_repair_is_fine() {
    let (_folder, path) = folder("a.c", SAFE);
    let output = unravel(&["repair", shown(&path)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("no violation in any schedule"));
    let output = unravel(&["repair", shown(&path), "--diff"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (0, ""));
    assert!(stderr(&output).contains("there is no patch"));
    let output = unravel(&["repair", shown(&path), "--apply"]);
    assert_eq!(code(&output), 0);
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), SAFE);
}

#[test]
fn nothing_is_written_without_being_asked() {
    let (folder, path) = folder("race.c", RACE);
    for flags in [&[][..], &["--diff"], &["--all"], &["--explain-covers"]] {
        let mut args = vec!["repair", shown(&path)];
        args.extend(flags);
        let output = unravel(&args);
        assert!([0, 1, 3].contains(&code(&output)), "{flags:?}: {}", stderr(&output));
    }
    assert_eq!(std::fs::read_to_string(&path).expect("readable"), RACE);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn the_report_fits_its_schema_and_its_exit_code() {
    let (_folder, path) = folder("race.c", RACE);
    let (exit, report) = json(&["repair", shown(&path), "--explain-covers"]);
    assert_eq!((&report["command"], &report["verdict"]), (&"repair".into(), &"unsafe".into()));
    let repairs = report["findings"][0]["repairs"].as_array().expect("a list");
    let expected = match repairs.first() {
        Some(best) if best["verified"] == "complete" => 0,
        Some(_) => 3,
        None => 1,
    };
    assert_eq!(exit, expected);
    assert!(report["repairs_refused"].is_array(), "refused ones are listed");
    let ranks: Vec<u64> = repairs.iter().filter_map(|it| it["rank"].as_u64()).collect();
    assert_eq!(ranks, (1..=repairs.len() as u64).collect::<Vec<_>>());
}

#[test]
fn the_edits_of_a_repair_are_its_patch() {
    let (folder, path) = folder("race.c", RACE);
    let (_, report) = json(&["repair", shown(&path), "--all"]);
    for repair in report["findings"][0]["repairs"].as_array().expect("a list") {
        let mut edited = RACE.to_owned();
        for edit in repair["edits"].as_array().expect("a list").iter().rev() {
            let at = |name: &str| {
                usize::try_from(edit[name].as_u64().expect("a number")).expect("small")
            };
            edited.replace_range(at("start")..at("end"), edit["text"].as_str().expect("a text"));
        }
        let patched = folder.path().join("patched.c");
        std::fs::write(&patched, RACE).expect("written");
        patch(repair["diff"].as_str().expect("a text"), &patched);
        assert_eq!(std::fs::read_to_string(&patched).expect("readable"), edited);
    }
}

/// Applies a patch of one file with `patch`.
fn patch(diff: &str, file: &Path) {
    let mut child = Command::new("patch")
        .args(["--quiet", shown(file)])
        .stdin(Stdio::piped())
        .spawn()
        .expect("patch runs");
    let mut pipe = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut pipe, diff.as_bytes()).expect("written");
    drop(pipe);
    assert!(child.wait().expect("ends").success(), "{diff}");
}

/// The built program, run in a folder.
fn unravel_in(folder: &Path, args: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unravel"));
    command.args(guarded(args)).current_dir(folder).stdin(Stdio::null());
    command.output().expect("unravel starts")
}

#[test]
fn a_patch_and_an_applied_repair_are_the_same() {
    let (folder, path) = folder("race.c", RACE);
    let output = unravel_in(folder.path(), &["repair", "race.c", "--diff"]);
    let diff = stdout(&output);
    if diff.is_empty() {
        assert!(stderr(&output).contains("there is no patch"), "{}", stderr(&output));
        assert_eq!(code(&output), 1);
        return;
    }
    assert!(diff.starts_with("--- a/race.c\n") || diff.starts_with("diff --git "), "{diff}");
    assert!(diff.ends_with('\n') && !diff.contains("SUMMARY"), "{diff}");
    let flags: &[&str] = if code(&output) == 3 { &["--unsafe-fixes"] } else { &[] };
    let mut args = vec!["repair", "race.c", "--apply"];
    args.extend(flags);
    let applied = unravel_in(folder.path(), &args);
    assert_eq!(code(&applied), code(&output), "{}", stderr(&applied));
    assert!(stderr(&applied).contains("was written to `race.c`"), "{}", stderr(&applied));
    let copy = folder.path().join("copy.c");
    std::fs::write(&copy, RACE).expect("written");
    patch(&diff, &copy);
    let read = |path: &Path| std::fs::read_to_string(path).expect("readable");
    assert_eq!(read(&path), read(&copy));
    let again = unravel_in(folder.path(), &["repair", "race.c", "--apply"]);
    assert_eq!(code(&again), 0, "what is repaired needs no repair: {}", stdout(&again));
    assert_eq!(read(&path), read(&copy));
}

/// Hands a patch to `git apply` in a folder.
fn git_apply(folder: &Path, diff: &str) {
    let mut child = Command::new("git")
        .args(["-C", shown(folder), "apply"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("git runs");
    let mut pipe = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut pipe, diff.as_bytes()).expect("written");
    drop(pipe);
    assert!(child.wait().expect("ends").success(), "{diff}");
}

/// A folder with `src/race.c`, an empty folder beside it, and a compilation database.
fn project() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a path");
    for name in ["src", "build"] {
        std::fs::create_dir(root.join(name)).expect("made");
    }
    let file = root.join("src/race.c");
    std::fs::write(&file, RACE).expect("written");
    let database = format!(
        r#"[{{"directory": "{}", "file": "../src/race.c", "arguments": ["cc", "-c", "../src/race.c"]}}]"#,
        shown(&root.join("build"))
    );
    std::fs::write(root.join("build/compile_commands.json"), database).expect("written");
    (folder, root)
}

/// From `here`, the patch is for `base` and fits there, and the report says so.
fn patch_fits(here: &Path, input: &[&str], base: &Path, file: &Path) {
    let call = [&["repair"], input].concat();
    let output = unravel_in(here, &[&call[..], &["--diff"]].concat());
    let named = file.strip_prefix(base).expect("below");
    let diff = stdout(&output);
    assert!(diff.starts_with(&format!("--- a/{}\n", shown(named))), "{input:?}: {diff}");
    git_apply(base, &diff);
    assert_ne!(std::fs::read_to_string(file).expect("readable"), RACE, "{input:?}");
    std::fs::write(file, RACE).expect("written");
    let advice = match here == base {
        true => "git apply".to_owned(),
        false => format!("git -C {} apply", shown(base)),
    };
    let text = stdout(&unravel_in(here, &call));
    assert!(text.contains(&format!("--diff | {advice}\n")), "{input:?}: {text}");
    let said = stderr(&output).contains(&format!("the patch is for `{advice}`"));
    assert_eq!(said, here != base, "{}", stderr(&output));
}

#[test]
fn a_patch_fits_wherever_the_file_is() {
    let (_folder, root) = project();
    let file = root.join("src/race.c");
    let build = root.join("build");
    patch_fits(&build, &["../src/race.c"], &root.join("src"), &file);
    let status = Command::new("git").args(["init", "--quiet", shown(&root)]).status();
    assert!(status.expect("git runs").success());
    patch_fits(&root.join("src"), &["race.c"], &root.join("src"), &file);
    patch_fits(&root, &[shown(&file)], &root, &file);
    patch_fits(&build, &["../src/race.c"], &root, &file);
    patch_fits(&build, &["-p", "."], &root, &file);
}

#[test]
fn the_patch_of_a_report_fits_where_the_file_is() {
    let (folder, path) = folder("race.c", RACE);
    let (_, report) = json(&["repair", shown(&path)]);
    let diff = report["findings"][0]["repairs"][0]["diff"].as_str().expect("a text");
    git_apply(folder.path(), diff);
}

#[test]
fn the_help_names_every_strategy() {
    let help = stdout(&unravel(&["repair", "--help"]));
    for kind in RepairKind::ALL.map(RepairKind::code) {
        assert!(help.contains(kind), "{kind}: {help}");
    }
}

#[test]
fn macros_of_a_header_are_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(root().join("corpus/mistakes/own_names.c"));
    let text = text.expect("readable");
    let (macros, rest): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("#define "));
    let include = folder.path().join("include");
    std::fs::create_dir(&include).expect("made");
    std::fs::write(include.join("calls.h"), macros.join("\n") + "\n").expect("written");
    let file = folder.path().join("ferry.c");
    let rest =
        rest.join("\n").replace("#include <stdlib.h>", "#include <stdlib.h>\n#include \"calls.h\"");
    std::fs::write(&file, rest).expect("written");
    let (name, flag) = (file.display().to_string(), format!("-I{}", include.display()));
    let output = unravel(&["repair", &name, "--diff", "--", &flag]);
    let diff = stdout(&output);
    assert!(diff.contains("+    Cond_broadcast(&f->left);"), "{diff}{}", stderr(&output));
}

/// A file with a Latin-1 letter in a comment and in a string, and with a blank in its name.
#[test]
fn a_file_that_is_no_utf_8_is_repaired_byte_by_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read(root().join("corpus/figures/conc_xy.c")).expect("text");
    let latin = [&b"/* caf\xe9 */\nconst char *name = \"caf\xe9\";\n"[..], &text].concat();
    let file = folder.path().join("a b.c");
    std::fs::write(&file, &latin).expect("written");
    let path = file.to_str().expect("UTF-8");
    let output = unravel(&["repair", path, "--diff"]);
    let diff = output.stdout.clone();
    let patched = Command::new("patch")
        .args(["-p1", "--dry-run", "-f"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .and_then(|mut child| {
            std::io::Write::write_all(child.stdin.as_mut().expect("a pipe"), &diff)?;
            child.wait_with_output()
        })
        .expect("patch runs");
    assert!(patched.status.success(), "{}", String::from_utf8_lossy(&patched.stdout));
    let output = unravel(&["repair", path, "--apply"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let repaired = std::fs::read(&file).expect("text");
    assert!(repaired.starts_with(b"/* caf\xe9 */\n") && repaired != latin);
}
