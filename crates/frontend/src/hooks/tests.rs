//! What hooks a text of IR gets: IR in, the bodies with hooks out, where a hook is shown as
//! `read4 #1 (@g)`, 1 being the number of the instruction in its unit.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::{INDEX_BITS, UnitHeader, instrument, prepare, section};
use crate::error::{Error, UnitsError};
use crate::llvm::{Session, Value};

const HEADER: &str = "target datalayout = \
    \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n";

fn check(ir: &str, expected: &Expect) {
    let header = UnitHeader { source: "test.ll".to_owned(), ..UnitHeader::default() };
    let result = instrument(format!("{HEADER}{ir}").as_bytes(), &header).unwrap();
    let session = Session::new();
    let module = session.read(&result.bitcode, "test").unwrap();
    let mut text = String::new();
    for function in module.functions().into_iter().filter(|it| !it.is_declaration()) {
        writeln!(text, "{}:", function.name()).unwrap();
        for block in function.blocks() {
            for at in block.instructions() {
                writeln!(text, "    {}", shown(at, result.number)).unwrap();
            }
        }
    }
    expected.assert_eq(&text);
}

fn shown(at: Value<'_>, unit: u64) -> String {
    let printed = at.printed();
    let line = printed.split(", !").next().unwrap_or_default().trim().to_owned();
    let callee = at.callee().map(Value::name).unwrap_or_default();
    let Some(hook) = callee.strip_prefix("__unravel_") else { return line };
    let args = at.arguments();
    let site = u64::try_from(args[0].int_bits().unwrap()).unwrap();
    assert_eq!(site >> INDEX_BITS, unit, "the unit is the upper part of a site");
    let index = site & ((1 << INDEX_BITS) - 1);
    let rest = line.split_once(", ").map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let rest = rest.split(") ").next().unwrap_or_default();
    format!("{hook} #{index} ({rest})")
}

#[test]
fn plain_accesses_have_a_hook_before_them() {
    check(
        "@g = global i32 0
         @p = global ptr null
         @d = global double 0.0
         define void @f(ptr %a) {
           %x = load i32, ptr @g
           store i32 %x, ptr %a
           store ptr %a, ptr @p
           %y = load double, ptr @d
           store volatile double %y, ptr %a
           ret void
         }",
        &expect![[r#"
            f:
                read4 #1 (ptr @g)
                %x = load i32, ptr @g, align 4
                %1 = zext i32 %x to i64
                write4 #2 (ptr %a, i64 %1)
                store i32 %x, ptr %a, align 4
                %2 = ptrtoint ptr %a to i64
                write8 #3 (ptr @p, i64 %2)
                store ptr %a, ptr @p, align 8
                read8 #4 (ptr @d)
                %y = load double, ptr @d, align 8
                %3 = bitcast double %y to i64
                write8 #5 (ptr %a, i64 %3)
                store volatile double %y, ptr %a, align 8
                ret void
        "#]],
    );
}

#[test]
fn what_is_no_word_is_told_by_its_size() {
    check(
        "@l = global x86_fp80 0xK00000000000000000000
         @w = global i128 0
         define void @f() {
           %x = load x86_fp80, ptr @l
           store x86_fp80 %x, ptr @l
           %y = load i128, ptr @w
           store i128 %y, ptr @w
           %z = fptrunc x86_fp80 %x to double
           ret void
         }",
        &expect![[r#"
            f:
                read_n #1 (ptr @l, i64 10)
                %x = load x86_fp80, ptr @l, align 16
                write_n #2 (ptr @l, i64 10)
                store x86_fp80 %x, ptr @l, align 16
                wrote_n #2 (ptr @l, i64 10)
                read_n #3 (ptr @w, i64 16)
                %y = load i128, ptr @w, align 16
                write_n #4 (ptr @w, i64 16)
                store i128 %y, ptr @w, align 16
                wrote_n #4 (ptr @w, i64 16)
                %z = fptrunc x86_fp80 %x to double
                %1 = bitcast double %z to i64
                value #5 (i64 %1, i64 0)
                ret void
        "#]],
    );
}

#[test]
fn a_local_that_does_not_escape_has_no_hooks_and_begins_with_zeros() {
    check(
        "define i32 @f(i64 %i, i32 %n) {
           %a = alloca [4 x i32], align 16
           %b = alloca i32
           store i32 %n, ptr %b
           %p = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %i
           store i32 %n, ptr %p
           %x = load i32, ptr %p
           %y = load i32, ptr %b
           %s = add nsw i32 %x, %y
           ret i32 %s
         }",
        &expect![[r#"
            f:
                %a = alloca [4 x i32], align 16
                call void @llvm.memset.p0.i64(ptr align 16 %a, i8 0, i64 16, i1 false)
                %p = getelementptr nusw [4 x i32], ptr %a, i64 0, i64 %i
                store i32 %n, ptr %p, align 4
                %x = load i32, ptr %p, align 4
                %s = add i32 %x, %n
                ret i32 %s
        "#]],
    );
}

#[test]
fn a_local_that_escapes_begins_and_ends() {
    check(
        "declare void @other(ptr nocapture readonly)
         define i32 @f(i64 %n) {
           %a = alloca i32
           %b = alloca i64
           store i32 1, ptr %a
           call void @other(ptr %a)
           %v = alloca i32, i64 %n
           call void @other(ptr %v)
           store i64 %n, ptr %b
           %x = load i32, ptr %a
           ret i32 %x
         }",
        &expect![[r#"
            f:
                %a = alloca i32, align 4
                local #1 (ptr %a, i64 4)
                write4 #2 (ptr %a, i64 1)
                store i32 1, ptr %a, align 4
                call #3 ()
                call void @other(ptr %a)
                %v = alloca i32, i64 %n, align 4
                %1 = mul i64 %n, 4
                local #4 (ptr %v, i64 %1)
                call #5 ()
                call void @other(ptr %v)
                read4 #6 (ptr %a)
                %x = load i32, ptr %a, align 4
                leave #7 ()
                ret i32 %x
        "#]],
    );
}

#[test]
fn atomic_accesses_have_hooks_on_both_sides() {
    check(
        "@g = global i32 0
         @w = global i128 0
         define void @f() {
           %a = load atomic i32, ptr @g seq_cst, align 4
           store atomic i32 %a, ptr @g release, align 4
           %b = atomicrmw add ptr @g, i32 2 seq_cst
           %c = cmpxchg ptr @g, i32 0, i32 1 acq_rel monotonic
           %d = load atomic i128, ptr @w seq_cst, align 16
           fence seq_cst
           fence syncscope(\"singlethread\") seq_cst
           ret void
         }",
        &expect![[r#"
            f:
                atomic #1 (ptr @g, i64 4)
                %a = load atomic i32, ptr @g seq_cst, align 4
                %1 = zext i32 %a to i64
                atomic_done #1 (ptr @g, i64 4, i64 %1, i64 0)
                atomic #2 (ptr @g, i64 4)
                store atomic i32 %a, ptr @g release, align 4
                %2 = zext i32 %a to i64
                atomic_done #2 (ptr @g, i64 260, i64 %2, i64 0)
                atomic #3 (ptr @g, i64 4)
                %b = atomicrmw add ptr @g, i32 2 seq_cst, align 4
                %3 = zext i32 %b to i64
                atomic_done #3 (ptr @g, i64 516, i64 %3, i64 0)
                atomic #4 (ptr @g, i64 4)
                %c = cmpxchg ptr @g, i32 0, i32 1 acq_rel monotonic, align 4
                %4 = extractvalue { i32, i1 } %c, 0
                %5 = zext i32 %4 to i64
                %6 = extractvalue { i32, i1 } %c, 1
                %7 = zext i1 %6 to i64
                atomic_done #4 (ptr @g, i64 772, i64 %5, i64 %7)
                atomic #5 (ptr @w, i64 16)
                %d = load atomic i128, ptr @w seq_cst, align 16
                atomic_done #5 (ptr @w, i64 16, i64 0, i64 0)
                fence #6 ()
                fence seq_cst
                fence syncscope("singlethread") seq_cst
                ret void
        "#]],
    );
}

#[test]
fn copies_are_carried_out_by_the_runtime() {
    check(
        "@s = global [40 x i8] zeroinitializer
         @c = constant [40 x i8] zeroinitializer
         declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
         declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
         declare ptr @memmove(ptr, ptr, i64)
         declare ptr @__memcpy_chk(ptr, ptr, i64, i64)
         define ptr @f(ptr %p, i64 %n) {
           %l = alloca [40 x i8]
           call void @llvm.memcpy.p0.p0.i64(ptr align 8 @s, ptr align 4 %p, i64 40, i1 false)
           call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr @c, i64 40, i1 false)
           call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr @s, i64 %n, i1 false)
           call void @llvm.memset.p0.i64(ptr %p, i8 -1, i64 4, i1 false)
           call void @llvm.memset.p0.i64(ptr %l, i8 0, i64 40, i1 false)
           %m = call ptr @memmove(ptr @s, ptr %p, i64 %n)
           %k = call ptr @__memcpy_chk(ptr %p, ptr @s, i64 8, i64 -1)
           %u = call ptr @__memcpy_chk(ptr %p, ptr @s, i64 %n, i64 40)
           ret ptr %m
         }",
        &expect![[r#"
            f:
                %l = alloca [40 x i8], align 1
                call void @llvm.memset.p0.i64(ptr align 1 %l, i8 0, i64 40, i1 false)
                memcpy #1 (ptr @s, ptr %p, i64 40, i64 4)
                call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr @c, i64 40, i1 false)
                memcpy #2 (ptr %l, ptr @s, i64 %n, i64 8)
                memset #3 (ptr %p, i64 255, i64 4, i64 1)
                call void @llvm.memset.p0.i64(ptr %l, i8 0, i64 40, i1 false)
                memmove #4 (ptr @s, ptr %p, i64 %n, i64 8)
                memcpy #5 (ptr %p, ptr @s, i64 8, i64 1)
                call #6 ()
                %u = call ptr @__memcpy_chk(ptr %p, ptr @s, i64 %n, i64 40)
                %1 = ptrtoint ptr %u to i64
                result #6 (i64 %1)
                ret ptr @s
        "#]],
    );
}

#[test]
fn calls_that_leave_are_told_and_so_is_what_they_return() {
    check(
        "declare i32 @read(i32, ptr, i64)
         declare float @number()
         declare ptr @malloc(i64)
         declare i32 @pthread_mutex_lock(ptr)
         declare { i64, i64 } @div(i64, i64)
         define i32 @own() { ret i32 1 }
         define void @f(ptr %p, ptr %q) {
           %a = call i32 @read(i32 0, ptr %p, i64 8)
           %b = call float @number()
           %c = call ptr @malloc(i64 4)
           %d = call i32 @pthread_mutex_lock(ptr %p)
           %e = call i32 @own()
           %g = call i8 %q()
           %h = call { i64, i64 } @div(i64 7, i64 2)
           ret void
         }",
        &expect![[r#"
            own:
                ret i32 1
            f:
                call #1 ()
                %a = call i32 @read(i32 0, ptr %p, i64 8)
                %1 = zext i32 %a to i64
                result #1 (i64 %1)
                call #2 ()
                %b = call float @number()
                %2 = bitcast float %b to i32
                %3 = zext i32 %2 to i64
                result #2 (i64 %3)
                call #3 ()
                %c = call ptr @malloc(i64 4)
                call #4 ()
                %d = call i32 @pthread_mutex_lock(ptr %p)
                %e = call i32 @own()
                call #5 ()
                %g = call i8 %q()
                %4 = zext i8 %g to i64
                result #5 (i64 %4)
                call #6 ()
                %h = call { i64, i64 } @div(i64 7, i64 2)
                %5 = extractvalue { i64, i64 } %h, 0
                value #6 (i64 %5, i64 0)
                %6 = extractvalue { i64, i64 } %h, 1
                value #6 (i64 %6, i64 0)
                ret void
        "#]],
    );
}

#[test]
fn the_result_of_an_invoke_is_told_on_its_way_only() {
    check(
        "declare i32 @other()
         declare i32 @__gxx_personality_v0(...)
         define i32 @f(i1 %c) personality ptr @__gxx_personality_v0 {
           br i1 %c, label %try, label %done
         try:
           %x = invoke i32 @other() to label %done unwind label %bad
         done:
           %r = phi i32 [ 0, %0 ], [ %x, %try ]
           ret i32 %r
         bad:
           %e = landingpad { ptr, i32 } cleanup
           resume { ptr, i32 } %e
         }",
        &expect![[r#"
            f:
                br i1 %c, label %try, label %done
                call #1 ()
                %x = invoke i32 @other()
                      to label %1 unwind label %bad
                %2 = zext i32 %x to i64
                result #1 (i64 %2)
                br label %done
                %3 = phi i32 [ 0, %0 ], [ %x, %1 ]
                ret i32 %3
                %e = landingpad { ptr, i32 }
                      cleanup
                %4 = extractvalue { ptr, i32 } %e, 0
                %5 = ptrtoint ptr %4 to i64
                value #2 (i64 %5, i64 0)
                %6 = extractvalue { ptr, i32 } %e, 1
                %7 = zext i32 %6 to i64
                value #2 (i64 %7, i64 0)
                resume { ptr, i32 } %e
        "#]],
    );
}

#[test]
fn what_the_analysis_cannot_compute_is_told() {
    check(
        "define i32 @f(<4 x i32> %v, i32 %n) {
           %a = extractelement <4 x i32> %v, i32 0
           %b = call { i32, i32 } asm \"cpuid\", \"={ax},={dx},{ax}\"(i32 %n)
           %c = call i32 asm \"\", \"=r,0\"(i32 %n)
           %d = load i64, ptr addrspace(257) null
           ret i32 %c
         }",
        &expect![[r#"
            f:
                %a = extractelement <4 x i32> %v, i32 0
                %1 = zext i32 %a to i64
                value #1 (i64 %1, i64 0)
                %b = call { i32, i32 } asm "cpuid", "={ax},={dx},{ax}"(i32 %n)
                %2 = extractvalue { i32, i32 } %b, 0
                %3 = zext i32 %2 to i64
                value #2 (i64 %3, i64 0)
                %4 = extractvalue { i32, i32 } %b, 1
                %5 = zext i32 %4 to i64
                value #2 (i64 %5, i64 0)
                %c = call i32 asm "", "=r,0"(i32 %n)
                %d = load i64, ptr addrspace(257) null, align 8
                value #3 (i64 %d, i64 0)
                ret i32 %c
        "#]],
    );
}

#[test]
fn arguments_by_value_are_copied_where_others_can_see_the_original() {
    check(
        "%S = type { [5 x i64] }
         @s = global %S zeroinitializer
         declare void @other(ptr byval(%S) align 8)
         define void @f(ptr byval(%S) align 8 %own) {
           %x = load i64, ptr %own
           call void @other(ptr byval(%S) align 8 @s)
           call void @other(ptr byval(%S) align 8 %own)
           ret void
         }",
        &expect![[r#"
            f:
                %1 = alloca %S, align 8
                call void @llvm.memset.p0.i64(ptr align 8 %1, i8 0, i64 40, i1 false)
                %x = load i64, ptr %own, align 8
                memcpy #1 (ptr %1, ptr @s, i64 40, i64 8)
                call #2 ()
                call void @other(ptr byval(%S) align 8 %1)
                call #3 ()
                call void @other(ptr byval(%S) align 8 %own)
                ret void
        "#]],
    );
}

#[test]
fn naked_functions_and_resolvers_are_left_alone() {
    check(
        "@g = global i32 0
         @chosen = ifunc void (), ptr @resolve
         define internal ptr @resolve() {
           %x = load i32, ptr @g
           ret ptr null
         }
         define void @bare() naked {
           %x = load i32, ptr @g
           unreachable
         }",
        &expect![[r#"
            resolve:
                %x = load i32, ptr @g, align 4
                ret ptr null
            bare:
                %x = load i32, ptr @g, align 4
                unreachable
        "#]],
    );
}

#[test]
fn preparation_drops_promises_and_undefined_values() {
    let ir = "@u = global { i32, i32 } { i32 1, i32 undef }
         declare i1 @llvm.is.constant.i32(i32)
         declare void @llvm.assume(i1)
         declare i32 @llvm.ctlz.i32(i32, i1)
         declare noundef nonnull ptr @pure(ptr nocapture noundef) memory(none) willreturn
         define available_externally i32 @copy() { ret i32 2 }
         define nonnull ptr @f(ptr noalias noundef %p, i32 %n, float %x) memory(read) {
           %c = call i1 @llvm.is.constant.i32(i32 %n)
           call void @llvm.assume(i1 %c)
           %s = shl nuw nsw i32 %n, 1
           %d = sdiv exact i32 %s, 2
           %y = fadd fast float %x, undef
           %z = call i32 @llvm.ctlz.i32(i32 %d, i1 true)
           %q = call nonnull ptr @pure(ptr nonnull %p) memory(none)
           %g = getelementptr inbounds i32, ptr %q, i32 %z
           %k = call i32 @copy()
           %l = load i32, ptr %g, !range !0
           ret ptr poison
         }
         !0 = !{i32 0, i32 2}";
    let session = Session::new();
    let module = session.read(format!("{HEADER}{ir}").as_bytes(), "test").unwrap();
    let module = prepare::prepare(module).unwrap();
    let mut text = String::new();
    for function in module.functions() {
        let printed = function.printed();
        if !function.name().starts_with("llvm.") {
            let lines = printed.lines().filter(|line| !line.trim().is_empty());
            text.extend(lines.map(|line| format!("{}\n", line.trim_end())));
        }
    }
    for global in module.globals() {
        writeln!(text, "{}", global.printed()).unwrap();
    }
    expect![[r#"
        declare ptr @pure(ptr)
        declare i32 @copy()
        define ptr @f(ptr %p, i32 %n, float %x) {
          %s = shl i32 %n, 1
          %d = sdiv i32 %s, 2
          %y = fadd fast float %x, 0.000000e+00
          %z = call i32 @llvm.ctlz.i32(i32 %d, i1 false)
          %q = call ptr @pure(ptr %p)
          %g = getelementptr nusw i32, ptr %q, i32 %z
          %k = call i32 @copy()
          %l = load i32, ptr %g, align 4
          ret ptr null
        }
        @u = global { i32, i32 } { i32 1, i32 0 }
    "#]]
    .assert_eq(&text);
}

#[test]
fn parts_are_found_behind_each_other_and_between_zeros() {
    let header = UnitHeader { source: "a.c".to_owned(), ..UnitHeader::default() };
    let mut all = section::pack(7, &header, b"first").unwrap();
    all.extend([0; 24]);
    all.extend(section::pack(8, &header, &[7; 100_000]).unwrap());
    let units = section::unpack(&all).unwrap();
    let seen: Vec<_> = units.iter().map(|it| (it.number, it.bitcode.len())).collect();
    assert_eq!(seen, [(7, 5), (8, 100_000)]);
    assert_eq!(units[0].header, header);
}

#[test]
fn a_damaged_part_is_an_error_and_never_another_unit() {
    let header = UnitHeader { source: "a.c".to_owned(), ..UnitHeader::default() };
    let whole = section::pack(7, &header, b"some bitcode that is long enough").unwrap();
    for place in 0..whole.len() {
        for flip in [1, 0x80] {
            let mut bytes = whole.clone();
            bytes[place] ^= flip;
            match section::unpack(&bytes) {
                // Padding that is no zero belongs to the next part.
                Err(Error::Units(UnitsError::Damaged { .. })) => {}
                other => panic!("byte {place}: {other:?}"),
            }
        }
        let cut = section::unpack(&whole[..place]);
        assert!(place == 0 || place + 8 > whole.len() || cut.is_err(), "cut at {place}: {cut:?}");
    }
}

#[test]
fn assembly_escapes_every_byte() {
    let part: Vec<u8> = (0..=255).collect();
    let text = section::assembly(&part);
    assert!(text.is_ascii());
    assert!(text.contains("\\000\\001"));
    assert!(text.contains(" !\\\"#"));
    assert!(text.ends_with(".popsection\n"));
}
