use super::validate;
use crate::ir::{BlockId, FunctionId, GlobalId, Op, Operand, Program, Reg, SiteId, Terminator};
use crate::text;

/// A valid program that the tests break in one place each.
const VALID: &str = include_str!("../text/example.txt");

fn parse(text: &str) -> Program {
    text::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn broken(program: &Program) -> Vec<String> {
    let list = validate(program).err().unwrap_or_default();
    list.iter().map(ToString::to_string).collect()
}

/// What is wrong with the valid program once `old` is `new`.
fn after(old: &str, new: &str) -> Vec<String> {
    assert_eq!(VALID.matches(old).count(), 1, "{old}");
    broken(&parse(&VALID.replace(old, new)))
}

#[test]
fn the_program_is_valid_before_it_is_broken() {
    assert_eq!(broken(&parse(VALID)), [""; 0]);
}

#[test]
fn tables_are_checked() {
    let cases = [
        ("pointer 8", "pointer 3", "pointers of 3 bytes, not of 4 or 8"),
        ("main @main", "main @#9", "function 9 does not exist"),
        ("constructor @init", "constructor @#9", "function 9 does not exist"),
        ("assembly\" !1", "assembly\" !9", "site 9 does not exist"),
        ("site 0 \"\"", "site 0 0:1:1 \"\"", "site 0 is not \"no place\""),
        ("1:7:1", "9:7:1", "file 9 does not exist"),
        ("inlined 1", "inlined 9", "site 9 does not exist"),
        ("inlined 1", "inlined 2", "a site is inlined at itself"),
        ("10 of 2", "10 of 9", "debug type 9 does not exist"),
        ("\"value\" 8: 0", "\"value\" 8: 3", "a debug type contains itself"),
    ];
    for (old, new, message) in cases {
        assert_eq!(after(old, new).first().map(String::as_str), Some(message), "{new}");
    }
}

#[test]
fn globals_are_checked() {
    let cases = [
        (
            "size 4 align 4 type 0",
            "size 4 align 3 type 0",
            "x: an alignment of 3, not a power of two",
        ),
        ("type 0 = zero", "type 9 = zero", "x: debug type 9 does not exist"),
        ("const size 6", "const size 5", ".str: 6 initial bytes in an object of 5"),
        ("type 2 = zero", "= external", "table: addresses in an object without initial bytes"),
        ("16: &writer", "17: &writer", "table: the address at offset 17 lies outside"),
        (
            "8: @.str",
            "7: @.str",
            "table: the address at offset 7 overlaps or precedes the one before it",
        ),
        ("8: @.str", "8: 5", "table: no address at offset 8"),
        ("8: @.str", "8: @#9", "table: global 9 does not exist"),
    ];
    for (old, new, message) in cases {
        assert_eq!(after(old, new), [format!("global {message}")], "{new}");
    }
}

#[test]
fn code_is_checked() {
    let cases = [
        ("bb1(0)", "bb1", "0 arguments on the edge bb1 -> bb1, not 1"),
        ("jump bb1", "jump bb0(1)", "1 arguments on the edge bb0 -> bb0, not 0"),
        ("jump bb1", "jump bb9", "block 9 does not exist"),
        ("return null", "return", "0 values returned, not 1"),
        ("call @atomically(%4, 5)", "call @atomically(%4)", "1 arguments of atomically, not 2"),
        ("@log(%7, 0xffffffff)", "@log()", "0 arguments of log, not 2"),
        (
            "%2: ptr = call @writer(0)",
            "%2: ptr, %8: i8 = call @writer(0)",
            "2 results of writer, not 1",
        ),
        ("call @writer(0)", "call @#9(0)", "function 9 does not exist"),
        ("%1, -1 ", "%99, -1 ", "register %99 does not exist"),
        ("\"left\" = i32 %4", "\"left\" = i32 %99", "register %99 does not exist"),
        ("\"t\"", "\"t\" type 9", "debug type 9 does not exist"),
        ("(ptr %2)", "(ptr @#9)", "global 9 does not exist"),
        ("  return null", "  return %7", "register %7 may be read before it is assigned"),
        (
            "%6: i64 = copy",
            "%5: i32 = copy 0\n  %6: i64 = copy",
            "register %5 is assigned in 2 places",
        ),
        (
            "function @log(%0: ptr, %1: ptr",
            "function @log(%1: ptr, %0: ptr",
            "its parameters are not the first registers",
        ),
        (
            "main() -> i32 !1 {",
            "main() -> i32 !1 {\n  registers %8: i8",
            "register %8 is assigned in 0 places",
        ),
    ];
    for (old, new, message) in cases {
        let found = after(old, new);
        assert!(found.iter().any(|found| found.ends_with(message)), "{new}: {found:?}");
    }
}

#[test]
fn types_are_checked() {
    let cases = [
        ("%3 = compare", "%3: i8 = compare", "register %3 has type i8, not i1"),
        ("branch %3", "branch %2", "register %2 of type i32 is used as i1"),
        ("select %3, %4", "select %3, %0", "register %0 of type ptr is used as i32"),
        (
            "copy -9223372036854775808",
            "copy 0x10000000000000000",
            "18446744073709551616 is too wide for i64",
        ),
        ("nsw i32 %1, -1", "nsw i32 %1, 0x100000000", "4294967296 is too wide for i32"),
        ("popcount i32 %8", "popcount i32 %8, 1", "2 operands, not 1"),
        (
            "%8, %9 = sadd_overflow i32",
            "%8, %9 = smin i32",
            "an overflow flag where there is none, or none where there is one",
        ),
        ("fcompare olt f64", "fcompare olt i64", "floating point arithmetic on i64"),
        (
            "compare eq i32 %2, 0",
            "compare eq f32 %2, 0",
            "an integer comparison of floating point numbers",
        ),
        ("sext i32 %10 to i64", "trunc i32 %10 to i64", "a cast from i32 to i64 of another kind"),
        ("count %1 align 16", "count %1 align 0", "an alignment of 0, not a power of two"),
        ("    0: bb2", "    -7: bb2", "case 4294967289 occurs twice"),
        ("    0: bb2", "    4294967296: bb2", "case 4294967296 is too wide"),
        ("(ptr %2)", "(i0 0)", "an integer of 0 bits, not of 1 to 128"),
        ("bb1(%2), bb2", "bb1(%0), bb2", "register %0 of type ptr is used as i32"),
        ("memset %3, 255", "memset %3, 256", "256 is too wide for i8"),
    ];
    for (old, new, message) in cases {
        let found = after(old, new);
        assert!(found.iter().any(|found| found.ends_with(message)), "{new}: {found:?}");
    }
}

#[test]
fn wrong_ids_in_all_places_are_found_without_a_panic() {
    let wrong = u32::MAX;
    for index in 0..8 {
        let mut program = parse(VALID);
        let function = &mut program.functions[2];
        match index {
            0 => function.site = SiteId(wrong),
            1 => function.blocks.clear(),
            2 => function.blocks[0].params.push(Reg(wrong)),
            3 => function.blocks[0].end_site = SiteId(wrong),
            4 => function.blocks[0].instructions[0].site = SiteId(wrong),
            5 => {
                function.blocks[2].end =
                    Terminator::Return(vec![Operand::Function(FunctionId(wrong))])
            }
            6 => {
                function.blocks[1].instructions[0].op =
                    Op::Copy { dst: Reg(wrong), value: Operand::Global(GlobalId(wrong), 0) }
            }
            _ => {
                let Terminator::Branch { then, .. } = &mut function.blocks[0].end else { continue };
                then.target = BlockId(wrong);
            }
        }
        let found = broken(&program);
        assert!(found.iter().all(|found| found.starts_with("in function writer: ")), "{found:?}");
        assert!(!found.is_empty(), "{index}");
    }
}
