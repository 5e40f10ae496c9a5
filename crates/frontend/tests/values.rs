//! Registers, control flow and structs in registers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::{function, load_c, load_ll, load_with, named, ops, unsupported};
use unravel_program::*;

#[test]
fn a_struct_in_two_registers_is_flattened() {
    let program = load_c(
        "struct pair { long a, b; };
         struct pair make(long a) { struct pair p = { a, a + 1 }; return p; }
         long sum(struct pair p) { return p.a + p.b; }
         int main(void) { return (int)sum(make(3)); }",
    );
    assert_eq!(function(&program, "make").returns, [Type::Int(64), Type::Int(64)]);
    assert_eq!(function(&program, "sum").params.len(), 2);
    let calls = ops(&program, "main").into_iter().filter_map(|op| match op {
        Op::Call { results, args, .. } => Some((results.len(), args.len())),
        _ => None,
    });
    assert_eq!(calls.collect::<Vec<_>>(), [(2, 1), (1, 2)]);
}

#[test]
fn floats_in_a_struct_are_passed_as_one_integer() {
    let program = load_c(
        "struct point { float x, y; };
         struct point swap(struct point p) { struct point q = { p.y, p.x }; return q; }
         int main(void) { struct point p = { 1, 2 }; p = swap(p); return p.x > 1; }",
    );
    assert_eq!(function(&program, "swap").returns, [Type::Int(64)]);
    assert_eq!(function(&program, "swap").registers[0].ty, Type::Int(64));
}

#[test]
fn a_large_struct_by_value_is_copied_at_the_call() {
    let program = load_c(
        "struct big { int a[10]; };
         int first(struct big b) { b.a[0]++; return b.a[0]; }
         int main(void) { struct big b = {{ 1 }}; return first(b); }",
    );
    let main = ops(&program, "main");
    let call = main.iter().position(|op| matches!(op, Op::Call { .. })).unwrap();
    let Op::Call { args, .. } = main[call] else { unreachable!() };
    let Op::MemoryCopy { to, length, .. } = main[call - 1] else { panic!("{:?}", main[call - 1]) };
    assert_eq!((args[0], *length), (*to, Operand::Int(40)));
    assert!(matches!(main[call - 2], Op::Alloca { size: 40, .. }));
}

#[test]
fn nested_insertvalue_and_extractvalue_are_resolved() {
    let program = load_ll(
        "define {i64, [2 x i32]} @f(i64 %a, i32 %b) {
           %1 = insertvalue {i64, [2 x i32]} undef, i64 %a, 0
           %2 = insertvalue {i64, [2 x i32]} %1, i32 %b, 1, 1
           ret {i64, [2 x i32]} %2
         }
         define i32 @g({i64, [2 x i32]} %s) {
           %1 = extractvalue {i64, [2 x i32]} %s, 1
           %2 = extractvalue [2 x i32] %1, 1
           ret i32 %2
         }
         define {i8, i64} @h(ptr %p, i1 %c) {
           %1 = load {i8, i64}, ptr %p
           %2 = select i1 %c, {i8, i64} %1, {i8, i64} zeroinitializer
           ret {i8, i64} %2
         }",
    );
    let Terminator::Return(values) = &function(&program, "f").blocks[0].end else { panic!() };
    assert_eq!(values[..], [Operand::Reg(Reg(0)), Operand::Undef, Operand::Reg(Reg(1))]);
    let Terminator::Return(values) = &function(&program, "g").blocks[0].end else { panic!() };
    assert_eq!(values[..], [Operand::Reg(Reg(2))]);
    let loads = ops(&program, "h").into_iter().filter(|op| matches!(op, Op::Load { .. }));
    assert_eq!(loads.count(), 2);
    assert!(ops(&program, "h").iter().any(|op| matches!(op, Op::Offset { constant: 8, .. })));
    let selects = ops(&program, "h").into_iter().filter(|op| matches!(op, Op::Select { .. }));
    assert_eq!(selects.count(), 2);
}

#[test]
fn edges_from_a_switch_to_one_block_carry_the_same_values() {
    let program = load_c(
        "int f(int x) {
           int r = x;
           switch (x) { case 1: case 2: r = 10; break; case 7: r = 20; case 9: break; default: r = 0; }
           return r;
         }
         int main(void) { return f(2); }",
    );
    let f = function(&program, "f");
    let Terminator::Switch { width, cases, .. } = &f.blocks[0].end else { panic!() };
    assert_eq!((*width, cases.len()), (32, 4));
    assert_eq!(cases[0].1, cases[1].1);
    let merge = f.blocks.iter().find(|block| !block.params.is_empty()).unwrap();
    assert_eq!(merge.params.len(), 1);
}

#[test]
fn a_phi_with_a_switch_predecessor_has_arguments_on_every_edge() {
    let program = load_ll(
        "define i32 @f(i32 %x) {
           switch i32 %x, label %end [ i32 1, label %end i32 2, label %end i32 3, label %other ]
         other:
           br label %end
         end:
           %r = phi i32 [ %x, %0 ], [ %x, %0 ], [ %x, %0 ], [ 7, %other ]
           ret i32 %r
         }",
    );
    let Terminator::Switch { cases, default, .. } = &function(&program, "f").blocks[0].end else {
        panic!()
    };
    assert_eq!(default.args, [Operand::Reg(Reg(0))]);
    assert_eq!((&cases[0].1, &cases[1].1), (default, default));
}

#[test]
fn a_variable_length_array_has_a_variable_count() {
    let program =
        load_c("int f(int n) { int a[n]; a[0] = 1; return a[0]; } int main(void) { return f(3); }");
    let found = ops(&program, "f").into_iter().find_map(|op| match op {
        Op::Alloca { size, count: Operand::Reg(_), name, .. } => Some((*size, name.clone())),
        _ => None,
    });
    assert_eq!(found, Some((4, Some("a".to_owned()))));
}

#[test]
fn locals_in_registers_keep_their_names() {
    let program =
        load_c("int f(int n) { int twice = n + n; return twice; } int main(void) { return f(3); }");
    let names = ops(&program, "f").into_iter().filter_map(|op| match op {
        Op::Variable { name, ty, .. } => Some((name.clone(), *ty)),
        _ => None,
    });
    let int = Type::Int(32);
    assert_eq!(names.collect::<Vec<_>>(), [("n".to_owned(), int), ("twice".to_owned(), int)]);
}

#[test]
fn shared_accesses_are_neither_merged_nor_dropped() {
    let program = load_c(
        "int x; volatile int v;
         int main(void) { if (x != 0 && x != 0) x = x; v; return v + x; }",
    );
    let plain = |op: &&Op| matches!(op, Op::Load { access: Access::Plain, .. });
    let volatile = |op: &&Op| matches!(op, Op::Load { access: Access::Volatile, .. });
    assert_eq!(ops(&program, "main").into_iter().filter(plain).count(), 4);
    assert_eq!(ops(&program, "main").into_iter().filter(volatile).count(), 2);
}

#[test]
fn addresses_are_folded_or_have_terms() {
    let program = load_c(
        "struct s { int a; int b[4]; } g[3];
         int f(int i, long j) { return g[2].b[1] + g[i].b[j]; }
         int main(void) { return f(1, 2); }",
    );
    let f = ops(&program, "f");
    assert!(f.iter().any(|op| matches!(op, Op::Load { address: Operand::Global(_, 48), .. })));
    let scales = f.iter().filter_map(|op| match op {
        Op::Offset { terms, constant, .. } => {
            Some((*constant, terms.iter().map(|it| it.scale).collect::<Vec<_>>()))
        }
        _ => None,
    });
    assert_eq!(scales.collect::<Vec<_>>(), [(0, vec![20]), (4, vec![]), (0, vec![4])]);
}

#[test]
fn constant_expressions_that_do_not_fold_are_computed() {
    let program = load_c(
        "int a, b; long d(void) { return (char *)&a - (char *)&b; } \
         int main(void) { return d() > 0; }",
    );
    assert!(ops(&program, "d").iter().any(|op| matches!(
        op,
        Op::Binary { op: BinaryOp::Sub, lhs: Operand::Global(..), rhs: Operand::Global(..), .. }
    )));
}

#[test]
fn pointers_and_integers_of_other_widths_are_cast_in_two_steps() {
    let program = load_c(
        "int f(void *p) { return (int)(long)p; } void *g(int x) { return (void *)(unsigned long)(unsigned)x; }
         int main(void) { return g(f(0)) == 0; }",
    );
    let casts = |name| {
        let casts = ops(&program, name).into_iter().filter_map(|op| match op {
            Op::Cast { op, .. } => Some(*op),
            _ => None,
        });
        casts.collect::<Vec<_>>()
    };
    assert_eq!(casts("f"), [CastOp::PtrToInt, CastOp::Truncate]);
    assert_eq!(casts("g"), [CastOp::ZeroExtend, CastOp::IntToPtr]);
    let narrow = load_ll(
        "define i16 @f(ptr %p) { %1 = ptrtoint ptr %p to i16 ret i16 %1 }
         define ptr @g(i128 %x) { %1 = inttoptr i128 %x to ptr ret ptr %1 }",
    );
    assert_eq!(ops(&narrow, "f").len(), 2);
    assert_eq!(ops(&narrow, "g").len(), 2);
}

#[test]
fn integers_up_to_128_bits_are_supported() {
    let program = load_c(
        "__int128 f(__int128 a) { return a * 3 + ((__int128)1 << 100); }
         int main(void) { return (int)f(2); }",
    );
    assert_eq!(unsupported(&program, "f"), []);
    let wide = Operand::Int(1 << 100);
    assert!(
        ops(&program, "f").iter().any(|op| matches!(op, Op::Binary { rhs, .. } if *rhs == wide))
    );
    let negative = load_ll("define i128 @f(i128 %x) { %1 = add i128 %x, -2 ret i128 %1 }");
    let expected = Operand::Int(u128::MAX - 1);
    assert!(matches!(ops(&negative, "f")[0], Op::Binary { rhs, .. } if *rhs == expected));
}

#[test]
fn floats_are_bits() {
    let program = load_c(
        "double d = -0.5; float f(float x) { return -x * 1.5f; } int main(void) { return f(d) > 0; }",
    );
    let f = ops(&program, "f");
    assert!(matches!(f[1], Op::Float { op: FloatOp::Neg, ty: Type::F32, .. }));
    let three_halves = Operand::Int(u128::from(1.5f32.to_bits()));
    assert!(matches!(f[2], Op::Float { op: FloatOp::Mul, args, .. } if args[1] == three_halves));
    let bytes = common::global(&program, "d").bytes.clone().unwrap();
    assert_eq!(bytes, (-0.5f64).to_le_bytes());
}

#[test]
fn what_has_no_representation_is_unsupported_where_it_stands() {
    let program = load_c(
        "typedef int v4 __attribute__((vector_size(16)));\n\
         int lanes(v4 a, v4 b) {\n  v4 c = a + b;\n  return c[1];\n}\n\
         double wide(double x) {\n  long double y = x;\n  return y;\n}\n\
         int jump(int i) {\n  static void *t[] = { &&a, &&b };\n  goto *t[i];\n  a: return 1; b: return 2;\n}\n\
         int main(void) { return 0; }\n",
    );
    let vector = "a vector operation".to_owned();
    assert_eq!(unsupported(&program, "lanes"), [(3, vector.clone()), (4, vector)]);
    let wide = unsupported(&program, "wide");
    assert_eq!(wide[0], (7, "a `long double` value".to_owned()));
    assert_eq!(unsupported(&program, "jump"), [(10, "a computed `goto`".to_owned())]);
    assert_eq!(program.unsupported.len(), 1);
    assert_eq!(
        named(&program.unsupported[0].what),
        "the address of a label in the initial value of `jump.t`"
    );
}

#[test]
fn exceptions_are_unsupported_and_what_follows_is_dropped() {
    let program = load_ll(
        "declare i32 @__gxx_personality_v0(...)
         declare void @may_throw()
         define void @f() personality ptr @__gxx_personality_v0 {
           invoke void @may_throw() to label %ok unwind label %bad
         ok:
           ret void
         bad:
           %1 = landingpad { ptr, i32 } cleanup
           resume { ptr, i32 } %1
         }",
    );
    let f = function(&program, "f");
    assert_eq!((f.blocks.len(), &f.blocks[0].end), (1, &Terminator::Unreachable));
    assert!(matches!(ops(&program, "f")[..], [Op::Unsupported { .. }]));
}

#[test]
fn pointers_have_four_bytes_with_m32() {
    let text = "#include <pthread.h>\nint *p; long l; struct s { long a; long long b; } s;\n\
                int main(void) { return (int)p + s.b; }";
    let program = load_with(text, &["-m32"]);
    assert_eq!(program.target.pointer_bytes, 4);
    assert_eq!((common::global(&program, "p").size, common::global(&program, "s").size), (4, 12));
}

#[test]
fn optnone_does_not_keep_locals_in_memory() {
    let program = load_c(
        "__attribute__((optnone, noinline)) int f(int a) { int b = a; return b; } \
         int main(void) { return f(1); }",
    );
    assert!(!ops(&program, "f").iter().any(|op| matches!(op, Op::Alloca { .. })));
}
