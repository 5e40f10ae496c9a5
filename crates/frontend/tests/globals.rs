//! Variables, their initial values, names, types and places.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::{Sources, global, load_c, named, ops};
use unravel_program::*;

fn shape<'p>(program: &'p Program, name: &str) -> &'p DebugType {
    program.types.get(global(program, name).ty.unwrap()).unwrap()
}

#[test]
fn initial_values_are_bytes_and_relocations() {
    let program = load_c(
        "struct node { struct node *next; short v; } a, b = { &a, -2 };
         int arr[3] = { 1, 2, 0 }; int *middle = &arr[1]; long number = (long)&arr[2];
         const char *text = \"hi\"; char buffer[4] = \"xy\"; int zero; extern int elsewhere;
         int main(void) { return zero + *middle + elsewhere + (b.v != number) + *text + buffer[0]; }",
    );
    let id = |name| {
        let index = program.globals.iter().position(|it| it.name == name).unwrap();
        GlobalId(u32::try_from(index).unwrap())
    };
    let b = global(&program, "b");
    assert_eq!(b.relocations, [Relocation { offset: 0, target: Operand::Global(id("a"), 0) }]);
    assert_eq!(b.bytes.as_deref(), Some(&[0, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff][..]));
    let arr = global(&program, "arr");
    assert_eq!((arr.size, arr.bytes.as_deref()), (12, Some(&[1, 0, 0, 0, 2][..])));
    assert_eq!(global(&program, "middle").relocations[0].target, Operand::Global(id("arr"), 4));
    assert_eq!(global(&program, "number").relocations[0].target, Operand::Global(id("arr"), 8));
    assert_eq!(global(&program, "buffer").bytes.as_deref(), Some(&b"xy"[..]));
    assert_eq!(global(&program, "zero").bytes.as_deref(), Some(&[][..]));
    assert_eq!(global(&program, "elsewhere").bytes, None);
}

#[test]
fn what_cannot_be_initialized_is_told() {
    let program = load_c(
        "int a, b; __asm__(\".globl nothing\");
         __attribute__((destructor)) void leave(void) {}
         int main(void) { return a + b; }",
    );
    let what: Vec<_> = program.unsupported.iter().map(|it| named(&it.what)).collect();
    assert_eq!(what, ["the destructor `leave`", "file-scope inline assembly"]);
    assert_eq!(program.site(program.unsupported[0].site).span.unwrap().line, 2);
}

#[test]
fn constructors_run_by_priority() {
    let program = load_c(
        "__attribute__((constructor(300))) void late(void) {}
         __attribute__((constructor(200))) void early(void) {}
         __attribute__((constructor)) void last(void) {}
         int main(void) { return 0; }",
    );
    let names: Vec<_> =
        program.constructors.iter().map(|it| program.function(*it).name.as_str()).collect();
    assert_eq!(names, ["early", "late", "last"]);
}

#[test]
fn thread_locals_and_statics_are_globals() {
    let program = load_c(
        "_Thread_local int own = 7;\n\
         int next(void) {\n  static int count = 5;\n  return ++count + own;\n}\n\
         int main(void) { return next(); }\n",
    );
    assert!(global(&program, "own").thread_local);
    assert!(
        ops(&program, "next")
            .iter()
            .any(|op| matches!(op, Op::Copy { value: Operand::Global(..), .. }))
    );
    let count = global(&program, "next.count");
    let site = program.site(count.site);
    assert_eq!((count.shown_name.as_str(), site.function.as_str()), ("count", "next"));
    assert_eq!(site.span.unwrap().line, 3);
}

#[test]
fn string_literals_are_named_by_their_text() {
    let program = load_c(
        "#include <stdio.h>\nint main(void) { puts(\"a\\n'b'\"); puts(\"a rather long text\"); return 0; }",
    );
    // Beside those of the library's models.
    let own = || program.globals.iter().filter(|it| it.shown_name.starts_with('"'));
    let names: Vec<_> = own().map(|it| it.shown_name.as_str()).collect();
    assert_eq!(names, ["\"a\\n'b'\"", "\"a rather lon…\""]);
    assert!(own().all(|it| it.constant));
}

#[test]
fn types_have_the_shape_of_the_source() {
    let program = load_c(
        "#include <stdint.h>
         typedef struct queue { int head; const uint8_t data[2][3]; struct queue *next;
           union { float f; unsigned u; }; unsigned a : 3, b : 20; volatile _Bool full; } queue_t;
         queue_t q; enum colour { RED } c; int main(void) { return q.head + c; }",
    );
    let queue = shape(&program, "q");
    assert_eq!((queue.name.as_str(), queue.size), ("queue_t", global(&program, "q").size));
    let name =
        |offset, bytes| program.types.path("q", global(&program, "q").ty.unwrap(), offset, bytes).0;
    assert_eq!(name(0, 4), "q.head");
    assert_eq!(name(8, 1), "q.data[1][1]");
    assert_eq!(name(16, 8), "q.next");
    assert_eq!(name(24, 4), "q.f");
    assert_eq!(name(28, 4), "q.a");
    let Shape::Struct(members) = &queue.shape else { panic!() };
    let of = |name: &str| {
        let member = members.iter().find(|it| it.name == name).unwrap();
        program.types.get(member.ty).unwrap()
    };
    assert_eq!(
        (of("full").shape.clone(), of("next").name.as_str()),
        (Shape::Bool, "struct queue *")
    );
    assert_eq!(shape(&program, "c").shape, Shape::Unsigned);
}

#[test]
fn library_types_are_opaque() {
    let program = load_c(
        "#include <pthread.h>\n#include <semaphore.h>\n\
         struct s { pthread_mutex_t m; sem_t s; pthread_t t; } s;\n\
         int main(void) { sem_post(&s.s); return 0; }",
    );
    let Shape::Struct(members) = &shape(&program, "s").shape else { panic!() };
    for member in members {
        assert_eq!(program.types.get(member.ty).unwrap().shape, Shape::Opaque, "{}", member.name);
    }
}

#[test]
fn sites_have_line_column_and_function() {
    let sources =
        Sources::new(&[("race.c", "int x;\nint main(void) {\n  x = 1;\n  return x;\n}\n")]);
    let program = sources.load(&[]).unwrap();
    let shown = sources.path("race.c").display().to_string();
    let instruction = &program.function(program.main).blocks[0].instructions[0];
    let site = program.site(instruction.site);
    let span = site.span.unwrap();
    assert_eq!((span.line, span.column, site.function.as_str()), (3, 5, "main"));
    assert_eq!(program.files.path(span.file), shown);
    assert_eq!(program.files.line(span.file, 3), Some("  x = 1;"));
    assert_eq!(program.site(program.function(program.main).site).span.unwrap().line, 2);
}

#[test]
fn locals_stand_where_they_are_declared() {
    let program =
        load_c("void use(int *);\nint main(void) {\n  int x = 1;\n  use(&x);\n  return x;\n}\n");
    let instructions = &program.function(program.main).blocks[0].instructions;
    let alloca = instructions.iter().find(|it| matches!(it.op, Op::Alloca { .. })).unwrap();
    assert_eq!(program.site(alloca.site).span.unwrap().line, 3);
}

#[test]
fn main_is_called_with_what_is_given() {
    let text = "int main(int argc, char **argv) { return argc + argv[1][0]; }";
    let sources = Sources::new(&[("a.c", text)]);
    let arguments = vec!["7".to_owned(), "a b".to_owned()];
    let options = unravel_frontend::Options { arguments, ..Default::default() };
    let given = unravel_frontend::load(&[sources.path("a.c")], &options).unwrap();
    assert_eq!(given.arguments.first(), Some(&Operand::Int(3)));
    let Some(&Operand::Global(argv, 0)) = given.arguments.get(1) else { panic!("no argv") };
    let strings = given.global(argv).relocations.iter().map(|it| match it.target {
        Operand::Global(id, 0) => given.global(id).bytes.clone().unwrap_or_default(),
        other => panic!("{other:?} is no string"),
    });
    assert_eq!(strings.collect::<Vec<_>>(), [&b"a"[..], b"7", b"a b"]);
    assert_eq!(given.global(argv).size, 4 * 8, "with a null behind them");
    let asked = CommandLine::looked_at(&given).map(|it| it.words);
    assert_eq!(asked, Some(vec!["a".to_owned(), "7".to_owned(), "a b".to_owned()]));
}

#[test]
fn a_program_looks_at_its_command_line_or_not() {
    let words = |text: &str, keep_locals: bool| {
        let sources = Sources::new(&[("bank.c", text)]);
        let options = unravel_frontend::Options { keep_locals, ..Default::default() };
        let program = unravel_frontend::load(&[sources.path("bank.c")], &options).unwrap();
        CommandLine::looked_at(&program).map(|it| (it.words, it.has_environment))
    };
    let bank = || vec!["bank".to_owned()];
    let only_one = "int main(int argc) { return argc; }";
    let both = "int main(int argc, char **argv) { return argc + argv[0][0]; }";
    let all = "int main(int argc, char **argv, char **e) { return e[0] != 0; }";
    let changed = "int main(int argc, char **argv) { argc = 3; return argc; }";
    let unused = "int main(int argc, char **argv) { (void)argc; (void)argv; return 0; }";
    for keep_locals in [false, true] {
        assert_eq!(words(only_one, keep_locals), Some((bank(), false)));
        assert_eq!(words(both, keep_locals), Some((bank(), false)));
        assert_eq!(words(all, keep_locals), Some((bank(), true)));
        assert_eq!(words(unused, keep_locals), None);
    }
    assert_eq!(words(changed, false), None);
}
