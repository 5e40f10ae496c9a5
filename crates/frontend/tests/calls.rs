//! Calls of all kinds: functions, the library, pointers, intrinsics, inline assembly.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::{function, global, load_c, load_ll, load_with, ops, unsupported};
use unravel_program::*;

/// Names of the library functions that a function calls, in order.
fn library(program: &Program, name: &str) -> Vec<&'static str> {
    let calls = ops(program, name).into_iter().filter_map(|op| match op {
        Op::Library { primitive, .. } => Some(primitive.name()),
        _ => None,
    });
    calls.collect()
}

/// Names of the unknown functions that a function calls, in order.
fn external(program: &Program, name: &str) -> Vec<String> {
    let calls = ops(program, name).into_iter().filter_map(|op| match op {
        Op::External { name, .. } => Some(name.clone()),
        _ => None,
    });
    calls.collect()
}

#[test]
fn library_functions_are_instructions() {
    let program = load_c(
        "#include <pthread.h>
         #include <stdio.h>
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         void *run(void *arg) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return arg; }
         int main(void) {
           pthread_t t; pthread_create(&t, 0, run, &t); pthread_join(t, 0);
           printf(\"%d %f\\n\", 1, 2.5); return 0;
         }",
    );
    assert_eq!(library(&program, "run"), ["pthread_mutex_lock", "pthread_mutex_unlock"]);
    assert_eq!(library(&program, "main"), ["pthread_create", "pthread_join"]);
    let run = program.function_named("run").unwrap();
    let main = ops(&program, "main");
    assert!(main.iter().any(|op| matches!(op, Op::Library { args, .. }
        if args.get(2).is_some_and(|arg| arg.1 == Operand::Function(run)))));
    // A call with a constant format is one of a function that is made for it.
    let printf = function(&program, "printf.0");
    let types: Vec<Type> = printf.params.iter().map(|&it| printf.type_of(it)).collect();
    assert_eq!(types, [Type::Ptr, Type::Int(32), Type::F64]);
    let callee = program.function_named("printf.0").unwrap();
    assert!(main.iter().any(|op| matches!(op, Op::Call { callee: it, .. } if *it == callee)));
}

#[test]
fn verifier_functions_have_a_fixed_meaning() {
    let program = load_c(
        "#include <stdlib.h>
         int x;
         int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);
         void __VERIFIER_assume(int c) { if (!c) abort(); }
         void reach_error(void) { exit(3); }
         void __VERIFIER_atomic_begin(void) {} void __VERIFIER_atomic_end(void) {}
         void __VERIFIER_atomic_add(int n) { x += n; }
         int main(void) {
           __VERIFIER_assume(__VERIFIER_nondet_int() + __VERIFIER_nondet_uchar() > 1);
           __VERIFIER_atomic_begin(); __VERIFIER_atomic_add(2); __VERIFIER_atomic_end();
           if (x) reach_error();
           return 0;
         }",
    );
    let expected = [
        "__VERIFIER_nondet_",
        "__VERIFIER_nondet_",
        "__VERIFIER_assume",
        "__VERIFIER_atomic_begin",
        "__VERIFIER_atomic_end",
        "reach_error",
    ];
    assert_eq!(library(&program, "main"), expected);
    assert!(function(&program, "__VERIFIER_atomic_add").atomic);
    assert!(program.function_named("reach_error").is_none());
    assert!(program.functions.iter().all(|it| it.atomic == (it.name == "__VERIFIER_atomic_add")));
}

#[test]
fn a_definition_in_the_program_wins_over_the_model() {
    let program = load_c("int rand(void) { return 4; } int main(void) { return rand(); }");
    assert!(matches!(ops(&program, "main")[0], Op::Call { .. }));
}

#[test]
fn unknown_functions_are_external() {
    let program = load_c(
        "struct s { long a, b; }; struct s unknown(int x, double y, struct s z);
         int main(void) { struct s s = { 1, 2 }; s = unknown(3, 4, s); return s.a; }",
    );
    let found = ops(&program, "main").into_iter().find_map(|op| match op {
        Op::External { results, name, args } => Some((results.len(), name.as_str(), args.len())),
        _ => None,
    });
    assert_eq!(found, Some((2, "unknown", 4)));
}

#[test]
fn a_table_of_functions_is_called_through_pointers() {
    let program = load_c(
        "int add(int a) { return a + 1; } int sub(int a) { return a - 1; }
         int (*table[2])(int) = { add, sub };
         int main(int argc, char **argv) { return table[argc & 1](5); }",
    );
    let targets: Vec<_> =
        global(&program, "table").relocations.iter().map(|it| it.target).collect();
    let id = |name| Operand::Function(program.function_named(name).unwrap());
    assert_eq!(targets, [id("add"), id("sub")]);
    assert!(ops(&program, "main").iter().any(|op| matches!(op, Op::CallIndirect { args, .. }
        if args[..] == [(Type::Int(32), Operand::Int(5))])));
}

#[test]
fn functions_without_a_body_get_a_wrapper_when_their_address_is_taken() {
    let program = load_c(
        "#include <pthread.h>
         #include <stdlib.h>
         #include <string.h>
         void reach_error(void) {}
         int (*compare)(const char *, const char *) = strcoll;
         void *(*copy)(void *, const void *, size_t) = memcpy;
         void (*error)(void) = reach_error;
         int main(void) {
           pthread_t t; pthread_create(&t, 0, (void *(*)(void *))abort, 0);
           return compare(\"a\", \"b\");
         }",
    );
    assert_eq!(library(&program, "abort"), ["abort"]);
    assert_eq!(library(&program, "reach_error"), ["reach_error"]);
    assert_eq!(external(&program, "strcoll"), ["strcoll"]);
    assert!(matches!(ops(&program, "memcpy")[..], [Op::MemoryCopy { .. }, Op::Copy { .. }]));
    for name in ["abort", "reach_error", "strcoll", "memcpy"] {
        assert!(function(&program, name).library, "{name}");
    }
    let strcoll = program.function_named("strcoll").unwrap();
    assert_eq!(global(&program, "compare").relocations[0].target, Operand::Function(strcoll));
}

#[test]
fn calls_that_disagree_with_the_definition_are_adapted() {
    let program = load_c(
        "int two(int a, char b) { return a + b; } void nothing(void) {} double half(double x) { return x / 2; }
         int main(void) {
           int r = ((int (*)(int))two)(1);
           r += ((long (*)(long, long, long))two)(1, 2, 3);
           r += ((int (*)(void))nothing)();
           return r + ((float (*)(float))half)(1);
         }",
    );
    let calls = ops(&program, "main").into_iter().filter_map(|op| match op {
        Op::Call { args, .. } => Some(args.clone()),
        _ => None,
    });
    let calls: Vec<_> = calls.collect();
    assert_eq!(calls[0], [Operand::Int(1), Operand::Undef]);
    assert_eq!(calls[1], [Operand::Int(1), Operand::Int(2)]);
}

#[test]
fn calls_without_a_declaration_compile() {
    let program = load_c("int main() { return twice(4); } int twice(n) { return 2 * n; }");
    assert!(ops(&program, "main").iter().any(|op| matches!(op, Op::Call { .. })));
}

#[test]
fn memory_functions_are_instructions() {
    let text = "#include <string.h>
         #include <strings.h>
         void f(char *d, char *s, int n) {
           memcpy(d, s, 4); memmove(d, s, n); char *e = memset(d, n, 9); bzero(e, 3);
         }
         int main(void) { return 0; }";
    for flags in [&[][..], &["-fno-builtin"][..]] {
        let program = load_with(text, flags);
        assert_eq!(external(&program, "f"), Vec::<String>::new(), "{flags:?}");
        let copies = ops(&program, "f").into_iter().filter_map(|op| match op {
            Op::MemoryCopy { may_overlap, .. } => Some(*may_overlap),
            _ => None,
        });
        assert_eq!(copies.collect::<Vec<_>>(), [false, true]);
        let sets = ops(&program, "f").into_iter().filter(|op| matches!(op, Op::MemorySet { .. }));
        assert_eq!(sets.count(), 2);
    }
}

#[test]
fn builtins_are_bits_and_floats() {
    let program = load_c(
        "#include <math.h>
         int f(unsigned x, int *p) {
           return __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctz(x) + __builtin_bswap32(x)
             + __builtin_sadd_overflow(x, 1, p) + __builtin_expect(x, 1) + __builtin_constant_p(x);
         }
         double g(double x, float y) {
           return fabs(x) + sqrt(x) + floorf(y) + fma(x, x, x) + fmax(x, y) + copysign(x, y) + fmod(x, 2);
         }
         int main(void) { return 0; }",
    );
    let bits = ops(&program, "f").into_iter().filter_map(|op| match op {
        Op::Bits { op, overflow, .. } => Some((*op, overflow.is_some())),
        _ => None,
    });
    let expected = [
        (BitsOp::PopCount, false),
        (BitsOp::LeadingZeros, false),
        (BitsOp::TrailingZeros, false),
        (BitsOp::ByteSwap, false),
        (BitsOp::SAddOverflow, true),
    ];
    assert_eq!(bits.collect::<Vec<_>>(), expected);
    assert_eq!(external(&program, "g"), Vec::<String>::new());
    // These are models, since they may set `errno`.
    for (name, op) in [("sqrt", FloatOp::Sqrt), ("fmod", FloatOp::Rem)] {
        let found = |it: &&Op| matches!(it, Op::Float { op: other, .. } if *other == op);
        assert!(ops(&program, name).iter().any(found), "{name}");
    }
    for op in [FloatOp::Abs, FloatOp::Floor, FloatOp::MulAdd] {
        let found = |it: &&Op| matches!(it, Op::Float { op: other, .. } if *other == op);
        assert!(ops(&program, "g").iter().any(found), "{op:?}");
    }
}

#[test]
fn a_product_and_a_sum_are_rounded_twice() {
    let program = load_c(
        "double f(double a, double b, double c) { return a * b + c; } int main(void) { return 0; }",
    );
    let floats = ops(&program, "f").into_iter().filter_map(|op| match op {
        Op::Float { op, .. } => Some(*op),
        _ => None,
    });
    assert_eq!(floats.collect::<Vec<_>>(), [FloatOp::Mul, FloatOp::Add]);
}

#[test]
fn longjmp_is_unsupported_and_further_arguments_lie_in_memory() {
    let program = load_c(
        "#include <setjmp.h>\n#include <stdarg.h>\njmp_buf b;\n\
         int f(int n, ...) {\n  va_list l;\n  va_start(l, n);\n  return 0;\n}\n\
         int g(void) {\n  if (setjmp(b)) return 1;\n  longjmp(b, 1);\n}\n\
         int main(void) { return f(1, 2, 3.0); }\n",
    );
    assert!(function(&program, "f").variadic);
    assert_eq!(function(&program, "f").params.len(), 2);
    assert_eq!(unsupported(&program, "f"), []);
    assert_eq!(unsupported(&program, "g"), [(11, "longjmp".to_owned())]);
    let [Op::Alloca { dst, size: 16, .. }, .., Op::Call { args, .. }, Op::EndLocal { .. }] =
        &ops(&program, "main")[..]
    else {
        panic!("{:?}", ops(&program, "main"))
    };
    assert_eq!(args[..], [Operand::Int(1), Operand::Reg(*dst)]);
}

#[test]
fn inline_assembly_is_unsupported_unless_it_does_nothing() {
    let program = load_c(
        "int x;\n\
         int main(void) {\n\
           asm volatile(\"\" ::: \"memory\");\n\
           asm volatile(\"\" : \"+r\"(x));\n\
           asm volatile(\"pause\");\n\
           asm volatile(\"mfence\" ::: \"memory\");\n\
           asm volatile(\"lfence\\n\\tpause\");\n\
           asm volatile(\"lock; incl %0\" : \"+m\"(x));\n\
           return x;\n}\n",
    );
    assert_eq!(unsupported(&program, "main"), [(8, "inline assembly".to_owned())]);
    assert!(ops(&program, "main").iter().any(|op| matches!(op, Op::Fence { .. })));
}

#[test]
fn other_intrinsics_are_named() {
    let program = load_ll(
        "declare i64 @llvm.readcyclecounter()
         define i64 @f() { %1 = call i64 @llvm.readcyclecounter() ret i64 %1 }
         declare void @llvm.trap()
         define void @g() { call void @llvm.trap() unreachable }",
    );
    let what = "LLVM intrinsic `llvm.readcyclecounter`".to_owned();
    assert_eq!(unsupported(&program, "f"), [(0, what)]);
    assert_eq!(library(&program, "g"), ["__builtin_trap"]);
}

#[test]
fn aliases_stand_for_what_they_name() {
    let program = load_c(
        "int arr[4]; int f(int x) { return x; } int g(int) __attribute__((alias(\"f\")));
         extern int other[4] __attribute__((alias(\"arr\")));
         int main(void) { other[1] = 2; return g(3); }",
    );
    let f = program.function_named("f").unwrap();
    assert!(
        ops(&program, "main")
            .iter()
            .any(|op| matches!(op, Op::Call { callee, .. } if *callee == f))
    );
    assert!(
        ops(&program, "main")
            .iter()
            .any(|op| matches!(op, Op::Store { address: Operand::Global(_, 4), .. }))
    );
    assert!(program.globals.iter().all(|it| it.name != "other"));
}

#[test]
fn inlined_code_knows_its_call() {
    let program = load_c(
        "static inline __attribute__((always_inline)) int get(int *p) { return *p; }\nint x;\n\
         int main(void) {\n  return get(&x);\n}\n",
    );
    let blocks = &function(&program, "main").blocks;
    let load =
        blocks.iter().flat_map(|it| &it.instructions).find(|it| matches!(it.op, Op::Load { .. }));
    let site = program.site(load.unwrap().site);
    assert_eq!((site.function.as_str(), site.span.unwrap().line), ("get", 1));
    let call = program.site(site.inlined_at.unwrap());
    assert_eq!((call.function.as_str(), call.span.unwrap().line), ("main", 4));
}

#[test]
fn functions_that_wrap_one_operation_are_marked() {
    let program = load_c(
        "#include <pthread.h>
         #include <stdatomic.h>
         #include <assert.h>
         #include <stdlib.h>
         struct s { pthread_mutex_t m; int x; };
         struct s *shared;
         atomic_int ready;
         void take(struct s *p) { if (pthread_mutex_lock(&p->m)) abort(); }
         void give(void) { pthread_mutex_unlock(&shared->m); }
         void outer(struct s *p) { take(p); }
         int get(void) { return atomic_load(&ready); }
         void both(struct s *p) { take(p); give(); }
         void writes(struct s *p) { take(p); p->x = 1; }
         void reads(struct s *p) { if (p->x) take(p); }
         void asserts(void) { assert(atomic_load(&ready) == 1); }
         int main(void) { take(shared); outer(shared); both(shared); writes(shared);
                          reads(shared); asserts(); give(); return get(); }",
    );
    for name in ["take", "give", "outer", "get"] {
        assert!(function(&program, name).wrapper, "{name} wraps one operation");
    }
    for name in ["both", "writes", "reads", "asserts", "main"] {
        assert!(!function(&program, name).wrapper, "{name} does more");
    }
}

#[test]
fn calls_that_are_harmless_with_some_arguments_do_nothing_with_these() {
    let program = load_c(
        "#include <pthread.h>
         #include <signal.h>
         #include <sys/prctl.h>
         void handler(int number) { (void)number; }
         void fine(char *name, int *old) {
           prctl(PR_SET_NAME, name); signal(SIGPIPE, SIG_IGN); pthread_setcancelstate(0, 0);
         }
         void other(char *name, int *old) {
           prctl(PR_GET_NAME, name); signal(SIGPIPE, handler); pthread_setcancelstate(0, old);
         }
         int main(void) { char name[16]; int old; fine(name, &old); other(name, &old); return 0; }",
    );
    assert!(external(&program, "fine").is_empty());
    assert_eq!(external(&program, "other"), ["prctl"]);
}
