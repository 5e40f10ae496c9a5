//! Builds the runtime that `unravel cc` links into programs: one object file, which becomes part of
//! the command line program and so is found wherever that is installed.
//!
//! The compiler is called directly, since cargo cannot build a dependency for another panic strategy
//! and with another crate type. Link-time optimization makes one object of the runtime, its two crates
//! and what it uses of Rust's core library; nothing else has to be linked.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const FLAGS: &[&str] = &[
    "--edition=2024",
    "-Cpanic=abort",
    "-Copt-level=3",
    "-Ccodegen-units=1",
    "-Crelocation-model=pic",
    "-Cforce-unwind-tables=yes",
    "-Cembed-bitcode=yes",
    "--cap-lints=allow",
];

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let crates = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("..");
    for name in ["sync", "wire", "runtime"] {
        println!("cargo::rerun-if-changed={}", crates.join(name).join("src").display());
    }
    library(&crates, &out, "sync");
    library(&crates, &out, "wire");
    let archive = out.join("libunravel_runtime.a");
    let mut command = compiler(&crates, "runtime", &archive);
    command.args(["--crate-type=staticlib", "-Clto=fat", "--cfg=feature=\"exports\""]);
    if env::var_os("CARGO_FEATURE_MUTANTS").is_some() {
        command.arg("--cfg=feature=\"mutants\"");
    }
    for name in ["sync", "wire"] {
        let path = out.join(format!("libunravel_{name}.rlib"));
        command.arg("--extern").arg(format!("unravel_{name}={}", path.display()));
    }
    run(command);
    let archive = fs::read(&archive).unwrap_or_default();
    let Some(object) = member(&archive, "unravel_runtime") else {
        fail("the runtime's archive has no object");
    };
    if fs::write(out.join("runtime.o"), object).is_err() {
        fail("the runtime's object cannot be written");
    }
}

fn library(crates: &Path, out: &Path, name: &str) {
    let mut command = compiler(crates, name, &out.join(format!("libunravel_{name}.rlib")));
    command.arg("--crate-type=rlib");
    run(command);
}

fn compiler(crates: &Path, name: &str, out: &Path) -> Command {
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(FLAGS).arg(format!("--crate-name=unravel_{name}"));
    command.arg(crates.join(name).join("src/lib.rs")).arg("-o").arg(out);
    command
}

fn run(mut command: Command) {
    match command.status() {
        Ok(status) if status.success() => {}
        _ => fail("the runtime cannot be compiled"),
    }
}

#[expect(clippy::exit, reason = "a build script has no other way to fail with its own message")]
fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    std::process::exit(1)
}

/// The member of an archive whose name contains a text (the format of `ar`, with GNU's long names).
fn member<'a>(archive: &'a [u8], name: &str) -> Option<&'a [u8]> {
    const HEADER: usize = 60;
    let mut rest = archive.strip_prefix(b"!<arch>\n")?;
    let mut names: &[u8] = &[];
    while rest.len() >= HEADER {
        let (header, after) = rest.split_at(HEADER);
        let size: usize = std::str::from_utf8(&header[48..58]).ok()?.trim().parse().ok()?;
        let body = after.get(..size)?;
        let short = std::str::from_utf8(&header[..16]).ok()?.trim_end();
        let long = match short.strip_prefix('/').and_then(|it| it.parse::<usize>().ok()) {
            Some(at) => String::from_utf8_lossy(names.get(at..)?).lines().next()?.to_owned(),
            None => short.to_owned(),
        };
        if short == "//" {
            names = body;
        } else if long.contains(name) {
            return Some(body);
        }
        rest = after.get(size + size % 2..)?;
    }
    None
}
