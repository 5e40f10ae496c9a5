//! Arithmetic that is undefined for some values, which only some schedules give.

use crate::concurrent::generator::Gen;

/// What one thread computes, what it must know before, and what the other writes; `@` is the
/// variable, `$` the value that was read.
struct Operation {
    start: &'static str,
    write: &'static str,
    test: &'static str,
    compute: &'static str,
}

const OPERATIONS: &[Operation] = &[
    Operation { start: "2", write: "@ = 0;", test: "$ != 0", compute: "12 / $" },
    Operation { start: "2", write: "@ = 0;", test: "$ != 0", compute: "12 % $" },
    Operation { start: "1", write: "@ = -1;", test: "$ != -1", compute: "INT_MIN / $" },
    Operation { start: "1", write: "@ = 32;", test: "$ < 32", compute: "(int)(1u << $)" },
    Operation { start: "1", write: "@ = 31;", test: "$ < 31", compute: "1 << $" },
    Operation { start: "1", write: "@ = -2;", test: "$ >= 0", compute: "$ << 1" },
    Operation { start: "1", write: "@ = 200;", test: "$ < 128", compute: "(signed char)(float)$" },
    Operation { start: "1", write: "@ = INT_MIN;", test: "$ != INT_MIN", compute: "abs($)" },
    Operation { start: "3", write: "@ = -1;", test: "$ >= 0", compute: "64 >> $" },
    Operation { start: "1", write: "@ = INT_MAX;", test: "$ < INT_MAX", compute: "$ + 1" },
    Operation { start: "1", write: "@ = INT_MIN;", test: "$ != INT_MIN", compute: "-$" },
    Operation { start: "2", write: "@ = 65536;", test: "$ < 65536", compute: "$ * 65536 / 2" },
];

/// A value is checked, and then used. The broken one reads it a second time.
pub(super) fn checked(g: &mut Gen, broken: bool) {
    let index = g.rng.index(OPERATIONS.len());
    let operation = &OPERATIONS[index];
    let (name, out) = (g.name("n"), g.int("out", 0));
    let ty = g.rng.pick(&["int", "atomic_int", "volatile int"]);
    g.global(&name, format!("{ty} {name} = {};", operation.start));
    let [writer, reader] = g.singles();
    g.put_text(writer, &operation.write.replace('@', &name));
    let local = g.name("l");
    let value = if broken { &name } else { &local };
    let (test, compute) =
        (operation.test.replace('$', value), operation.compute.replace('$', value));
    let declare = if broken { String::new() } else { format!("{local}: int {local} = {name};") };
    g.put_text(reader, &format!("{declare}\nif ({test})\n    {out} = {compute};"));
}

/// Counting up to the largest value and not beyond it; the broken ones check without a lock.
pub(super) fn limit(g: &mut Gen, broken: bool) {
    let name = g.name("n");
    g.global(&name, format!("int {name} = INT_MAX - 1;"));
    let guard = g.guard();
    let actors: [_; 2] = g.singles();
    for actor in actors {
        let body = g.text(&format!("if ({name} < INT_MAX)\n    {name}++;"));
        let body = if broken { body } else { g.guarded(&guard, body) };
        g.put(actor, body);
    }
}

/// A sum that fits whoever comes first; the broken one has a step in between that does not.
pub(super) fn sum(g: &mut Gen, broken: bool) {
    let name = g.name("n");
    g.global(&name, format!("int {name} = INT_MAX - 2;"));
    let guard = g.guard();
    let [first, second] = g.singles();
    let (up, down) = (g.rng.between(1, 2), g.rng.between(1, 2));
    let up = if broken { 3 } else { up };
    for (actor, text) in
        [(first, format!("{name} += {up};")), (second, format!("{name} -= {down};"))]
    {
        let body = g.text(&text);
        // Three more is too much unless the other was there before.
        let body = g.guarded(&guard, body);
        g.put(actor, body);
    }
}
