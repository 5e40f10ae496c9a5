//! Prints the tree as C text.

use super::Extra;
use super::tree::{Item, Part, Stmt, Tree};

/// Headers and declarations, each with words that tell when it is needed.
const PREAMBLE: &[(&str, &[&str])] = &[
    ("#define _GNU_SOURCE\n", &["_INITIALIZER_NP"]),
    ("#include <assert.h>\n", &["assert("]),
    ("#include <errno.h>\n", &["EBUSY", "EDEADLK", "EPERM", "EAGAIN", "ETIMEDOUT"]),
    ("#include <limits.h>\n", &["INT_MAX", "INT_MIN"]),
    ("#include <pthread.h>\n", &["pthread_"]),
    ("#include <semaphore.h>\n", &["sem_"]),
    ("#include <stdatomic.h>\n", &["_Atomic", "atomic_"]),
    ("#include <stdio.h>\n", &["printf(", "puts("]),
    (
        "#include <stdlib.h>\n",
        &["abs(", "malloc(", "calloc(", "realloc(", "free(", "abort(", "exit("],
    ),
    ("#include <string.h>\n", &["memcpy(", "memset("]),
    ("#include <threads.h>\n", &["thrd_", "mtx_", "cnd_", "tss_", "once_flag"]),
    ("#include <time.h>\n", &["timespec"]),
    ("extern unsigned char __VERIFIER_nondet_uchar(void);\n", &["__VERIFIER_nondet_uchar"]),
    ("extern char __VERIFIER_nondet_char(void);\n", &["__VERIFIER_nondet_char"]),
    ("extern _Bool __VERIFIER_nondet_bool(void);\n", &["__VERIFIER_nondet_bool"]),
    ("extern void __VERIFIER_assume(int);\n", &["__VERIFIER_assume"]),
    ("extern void __VERIFIER_atomic_begin(void);\n", &["__VERIFIER_atomic_begin"]),
    ("extern void __VERIFIER_atomic_end(void);\n", &["__VERIFIER_atomic_end"]),
    ("extern void reach_error(void);\n", &["reach_error"]),
];

/// The text of a program.
pub(super) fn tree(tree: &Tree) -> String {
    let mut body = String::new();
    for item in &tree.items {
        let text = self::item(item);
        if text.lines().count() > 1 {
            body.push('\n');
        }
        body.push_str(&text);
    }
    let needed = PREAMBLE.iter().filter(|(_, words)| words.iter().any(|word| body.contains(word)));
    let preamble: String = needed.map(|(text, _)| *text).collect();
    let flags = match tree.extra {
        Extra::None => String::new(),
        extra => format!("/* flags: {} */\n", extra.flags()),
    };
    format!("{flags}{preamble}\n{body}")
}

/// The text of one item, with a newline at its end.
pub(super) fn item(item: &Item) -> String {
    parts(&item.parts) + "\n"
}

/// The text of a list of parts.
pub(super) fn parts(parts: &[Part]) -> String {
    let mut out = String::new();
    write(&mut out, parts, 0);
    out
}

fn write(out: &mut String, parts: &[Part], depth: usize) {
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Hole(parts) => write(out, parts, depth),
            Part::Block(stmts) => write_block(out, stmts, depth),
            Part::Bound(bound) => out.push_str(&bound.to_string()),
            Part::Mark(_) => {}
        }
    }
}

fn write_block(out: &mut String, stmts: &[Stmt], depth: usize) {
    let indent = "    ".repeat(depth);
    out.push_str("{\n");
    for stmt in stmts {
        out.push_str(&indent);
        out.push_str("    ");
        write(out, &stmt.parts, depth + 1);
        out.push('\n');
    }
    out.push_str(&indent);
    out.push('}');
}
