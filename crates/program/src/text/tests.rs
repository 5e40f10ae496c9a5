use super::{generate, parse};
use crate::ir::Program;
use crate::validate::validate;

/// Hand-written and printed alike: every kind of entry and most kinds of instructions.
const EXAMPLE: &str = include_str!("example.txt");

#[test]
fn random_programs_come_back() {
    for seed in 0..500 {
        let program = generate::program(seed);
        let text = program.to_string();
        match parse(&text) {
            Ok(parsed) => assert!(parsed == program, "seed {seed}:\n{text}\n{parsed}"),
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
}

#[test]
fn the_example_is_valid_and_prints_as_it_is_written() {
    let program = parse(EXAMPLE).expect("the example parses");
    assert_eq!(program.to_string(), EXAMPLE);
    assert_eq!(validate(&program), Ok(()));
}

#[test]
fn layout_and_comments_do_not_matter() {
    let text = EXAMPLE.replace('\n', " ; comment\r\n\n  ;\n").replace(", ", " ,\t");
    assert_eq!(parse(&text), parse(EXAMPLE));
}

#[test]
fn texts_of_files_are_left_out() {
    let mut program = parse(EXAMPLE).expect("the example parses");
    let id = program.files.intern("race.c");
    program.files.set_text(id, "int x;".to_owned());
    assert_ne!(parse(&program.to_string()), Ok(program.clone()));
    assert_eq!(parse(&program.to_string()), Ok(program.without_texts()));
}

#[test]
fn no_text_makes_the_parser_panic() {
    let samples = [EXAMPLE.to_owned(), generate::program(7).to_string()];
    for text in samples {
        for (at, c) in text.char_indices() {
            // Cut off here, left out here, and something else here.
            drop(parse(&text[..at]));
            let after = &text[at + c.len_utf8()..];
            drop(parse(&format!("{}{after}", &text[..at])));
            for other in ["\"", "-", "99999999999", "(", "\n"] {
                drop(parse(&format!("{}{other}{after}", &text[..at])));
            }
        }
    }
}

/// The smallest program, with `line` as the only line of its only function.
fn with_line(line: &str) -> String {
    format!("unravel program 1\ntarget pointer 8\nmain @f\nfunction @f() {{\nbb0:\n{line}\n}}\n")
}

fn error_of(text: &str) -> String {
    parse(text).map_or_else(|error| error.to_string(), |program: Program| program.to_string())
}

#[test]
fn errors_of_entries_say_what_is_expected_and_where() {
    let head = "unravel program 1\ntarget pointer 8\n";
    let cases = [
        ("", "1:1: expected `unravel`, found the end of the text"),
        ("unravel program 2\n", "1:17: expected version 1"),
        ("unravel program 1\nmain @#0\n", "3:1: `target` is missing"),
        (head, "3:1: `main` is missing"),
        (&format!("{head}main @f\n"), "3:7: there is no function \"f\""),
        (&format!("{head}main f\n"), "3:6: expected `@`, found `f`"),
        (&format!("{head}target pointer 4\n"), "3:1: a second one of its kind"),
        (&format!("{head}site 1 \"f\"\n"), "3:6: expected 0"),
        (&format!("{head}file 0 \"a\n"), "3:10: expected `\"` at the end of the string"),
        (&format!("{head}file 0 \"\\ff\"\n"), "3:8: the string is not UTF-8"),
        (&format!("{head}file 0 \"a\"\nfile 1 \"a\"\n"), "4:8: the path occurs twice"),
        (
            &format!("{head}type 0 \"t\" 4 round\n"),
            "3:14: expected the shape of a type, found `round`",
        ),
        (&format!("{head}global @x size 4\n"), "3:17: expected `align`, found the end of the line"),
        (
            &format!("{head}global @x size 4 align 4 = 5\n"),
            "3:28: expected `zero`, `bytes` or `external`, found `5`",
        ),
        (
            &format!("{head}typo\n"),
            "3:1: expected an entry such as `site`, `global` or `function`, found `typo`",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error_of(text), message, "{text}");
    }
}

#[test]
fn errors_of_code_say_what_is_expected_and_where() {
    let cases = [
        ("jump b1", "6:6: expected a block, found `b1`"),
        ("frobnicate 1", "6:1: expected an instruction, found `frobnicate`"),
        ("%0 = copy 1", "6:11: the type of register %0 is missing"),
        ("%1: i32 = copy 1\nunreachable", "8:1: the type of register %0 is missing"),
        ("%0: i8 = copy -129", "6:16: -129 does not fit into i8"),
        ("return -1", "6:9: a negative number without an integer type"),
        ("store i32 1 @x", "6:13: expected `,`, found `@`"),
        ("%0 = add i32 1", "6:15: expected `,`, found the end of the line"),
        ("%0 = add ptr 1, 2", "6:10: expected an integer type"),
        ("add i32 1, 2", "6:12: expected 1 registers before `=`"),
        ("jump bb0\nbb2:", "7:1: expected `bb1`, found `bb2`"),
        ("jump bb0\n%0 = copy 1", "7:1: expected a block, found `%`"),
        ("= 5", "6:1: expected an instruction, found `=`"),
        ("call @(5)", "6:7: expected the name of a function, found `(`"),
        ("switch i8 1, bb0 [\n%1: bb0\n]", "7:2: expected a number"),
        ("fence strong", "6:7: expected a memory ordering, found `strong`"),
        ("library no_such()", "6:9: there is no model of \"no_such\""),
        ("return %", "6:9: expected the number of a register, found the end of the line"),
        ("return 0xg", "6:8: `0xg` is not a number of at most 128 bits"),
        ("return ?", "6:8: unexpected character `?`"),
    ];
    for (line, message) in cases {
        assert_eq!(error_of(&with_line(line)), message, "{line}");
    }
    assert!(parse(&with_line("return")).is_ok());
}
