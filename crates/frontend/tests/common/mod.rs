//! Helpers of the tests: write C, load it, check the rules that every program obeys.
#![allow(dead_code, reason = "each test file uses some of them")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use unravel_frontend::{Error, Options, load};
use unravel_kinds::Untranslated;
use unravel_program::*;

/// A directory with files, gone at the end of the test.
pub struct Sources {
    dir: TempDir,
    files: Vec<PathBuf>,
}

impl Sources {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let write = |(name, text): &(&str, &str)| {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path
        };
        let files = files.iter().map(write).collect();
        Sources { dir, files }
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn load(&self, flags: &[&str]) -> Result<Program, Error> {
        let flags = flags.iter().map(|it| (*it).to_owned()).collect();
        let options = Options { flags, ..Options::default() };
        let program = load(&self.files, &options)?;
        assert_well_formed(&program);
        Ok(program)
    }
}

/// Loads one C file.
pub fn load_c(text: &str) -> Program {
    load_with(text, &[])
}

/// Loads one C file with flags.
pub fn load_with(text: &str, flags: &[&str]) -> Program {
    Sources::new(&[("test.c", text)]).load(flags).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Loads one file of LLVM IR, with a `main` added.
pub fn load_ll(text: &str) -> Program {
    let text = format!(
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
         target triple = \"x86_64-pc-linux-gnu\"\n{text}\n\
         define i32 @main() {{ ret i32 0 }}\n"
    );
    Sources::new(&[("test.ll", &text)]).load(&[]).unwrap_or_else(|error| panic!("{error:?}"))
}

pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    let found = program.functions.iter().find(|it| it.name == name);
    found.unwrap_or_else(|| panic!("no function {name}"))
}

pub fn global<'p>(program: &'p Program, name: &str) -> &'p Global {
    let found = program.globals.iter().find(|it| it.name == name || it.shown_name == name);
    found.unwrap_or_else(|| panic!("no global {name}"))
}

/// All instructions of a function, block by block.
pub fn ops<'p>(program: &'p Program, name: &str) -> Vec<&'p Op> {
    let blocks = function(program, name).blocks.iter();
    blocks.flat_map(|block| &block.instructions).map(|it| &it.op).collect()
}

/// A construct that is unsupported, by its name; anything else by its kind.
pub fn named(what: &Untranslated) -> String {
    match what {
        Untranslated::Construct(name) => name.clone(),
        other => format!("{other:?}"),
    }
}

/// What is unsupported in a function, with the line.
pub fn unsupported(program: &Program, name: &str) -> Vec<(u32, String)> {
    let blocks = function(program, name).blocks.iter();
    let instructions = blocks.flat_map(|block| &block.instructions);
    let found = instructions.filter_map(|it| match &it.op {
        Op::Unsupported { what, .. } => {
            Some((program.site(it.site).span.map_or(0, |span| span.line), named(what)))
        }
        _ => None,
    });
    found.collect()
}
/// The rules that every program obeys.
pub fn assert_well_formed(program: &Program) {
    assert_eq!(validate::validate(program), Ok(()));
}
