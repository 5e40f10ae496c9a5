//! Counters, sums, pairs, stacks and arrays: how the orders of plain accesses scale, with and
//! without locks around them.

use super::{Right, Series, each, mutexes, program, repeat, thread, under};

const THREADS: &[u32] = &[2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64];
const THREADS_OF_TWO_KINDS: &[u32] = &[1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32];
const ROUNDS: &[u32] = &[1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256];
/// Fibonacci numbers leave `int` after 22 rounds.
const FIBONACCI: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 22];

/// The series of this group.
pub const SERIES: &[Series] = &[
    Series {
        family: "counter",
        name: "counter_plain",
        what: "N threads increment a counter once, without a lock",
        sizes: THREADS,
        right: Right::Fails("reach"),
        unwind: Some(|_| 2),
        source: |n| counter(n, 1, false),
    },
    Series {
        family: "counter",
        name: "counter_locked",
        what: "N threads increment a counter once, under a lock",
        sizes: THREADS,
        right: Right::Safe,
        unwind: Some(|_| 2),
        source: |n| counter(n, 1, true),
    },
    Series {
        family: "counter",
        name: "counter_rounds_plain",
        what: "2 threads increment a counter N times, without a lock",
        sizes: ROUNDS,
        right: Right::Fails("reach"),
        unwind: Some(|n| n + 1),
        source: |n| counter(2, n, false),
    },
    Series {
        family: "counter",
        name: "counter_rounds_locked",
        what: "2 threads increment a counter N times, under a lock",
        sizes: ROUNDS,
        right: Right::Safe,
        unwind: Some(|n| n + 1),
        source: |n| counter(2, n, true),
    },
    Series {
        family: "fibonacci",
        name: "fibonacci_safe",
        what: "i += j and j += i, N rounds each; the largest value is never exceeded",
        sizes: FIBONACCI,
        right: Right::Safe,
        unwind: Some(|n| n + 1),
        source: |n| fibonacci(n, "<="),
    },
    Series {
        family: "fibonacci",
        name: "fibonacci_unsafe",
        what: "i += j and j += i, N rounds each; the largest value is reached in one order only",
        sizes: FIBONACCI,
        right: Right::Fails("reach"),
        unwind: Some(|n| n + 1),
        source: |n| fibonacci(n, "<"),
    },
    Series {
        family: "reorder",
        name: "reorder_unsafe",
        what: "N writers set two variables, N checkers see one of them set",
        sizes: THREADS_OF_TWO_KINDS,
        right: Right::Fails("reach"),
        unwind: Some(|_| 2),
        source: |n| reorder(n, false),
    },
    Series {
        family: "reorder",
        name: "reorder_locked",
        what: "N writers set two variables under a lock, N checkers read them under it",
        sizes: THREADS_OF_TWO_KINDS,
        right: Right::Safe,
        unwind: Some(|_| 2),
        source: |n| reorder(n, true),
    },
    Series {
        family: "stack",
        name: "stack_cas",
        what: "2 threads push and pop N times on a lock-free stack",
        sizes: ROUNDS,
        right: Right::Safe,
        unwind: Some(|n| 2 * n + 2),
        source: |n| stack(n, true),
    },
    Series {
        family: "stack",
        name: "stack_broken",
        what: "The same with check-then-act in place of compare-and-swap",
        sizes: ROUNDS,
        right: Right::Fails("reach"),
        unwind: Some(|n| 2 * n + 2),
        source: |n| stack(n, false),
    },
    Series {
        family: "array",
        name: "array_cells",
        what: "2 threads increment N cells; cell i is under lock i mod 2",
        sizes: ROUNDS,
        right: Right::Safe,
        unwind: Some(|n| n + 1),
        source: |n| array(2, n, false),
    },
    Series {
        family: "array",
        name: "array_cells_wrong",
        what: "The same, and one thread takes the wrong lock",
        sizes: ROUNDS,
        right: Right::Fails("reach"),
        unwind: Some(|n| n + 1),
        source: |n| array(2, n, true),
    },
    Series {
        family: "array",
        name: "array_locks",
        what: "N threads increment 2 N cells; cell i is under lock i mod N",
        sizes: THREADS,
        right: Right::Safe,
        unwind: Some(|n| 2 * n + 1),
        source: |n| array(n, 2 * n, false),
    },
    Series {
        family: "array",
        name: "array_locks_wrong",
        what: "The same, and one thread takes the wrong lock",
        sizes: THREADS,
        right: Right::Fails("reach"),
        unwind: Some(|n| 2 * n + 1),
        source: |n| array(n, 2 * n, true),
    },
];

/// `threads` threads add one to `x`, `rounds` times each.
pub fn counter(threads: u32, rounds: u32, locked: bool) -> String {
    let step = under("m", locked, "x++;");
    let body = match rounds {
        1 => step,
        _ => each(rounds, &step),
    };
    let check = format!("assert(x == {});", threads * rounds);
    let text = format!("static int x;\n{}\n{}", lock(locked), thread("count", &body));
    program(&text, &repeat("count", threads), &check)
}

/// Two threads add to each other's number; `relation` holds to the largest that can be reached.
fn fibonacci(rounds: u32, relation: &str) -> String {
    let adds = |name: &str, sum: &str| {
        let body = format!("for (int k = 0; k < {rounds}; k++)\n        {sum};");
        thread(name, &body)
    };
    let text = format!(
        "static int i = 1, j = 1;\n\n{}{}",
        adds("first", "i += j"),
        adds("second", "j += i")
    );
    // Strictly in turn, each sum is the next Fibonacci number; every other order gives less.
    let most = fibonacci_number(2 * rounds + 2);
    let check = format!("assert(i {relation} {most} && j {relation} {most});");
    program(&text, &["first", "second"], &check)
}

/// The n-th Fibonacci number, the first two being one.
fn fibonacci_number(n: u32) -> u32 {
    (1..n).fold((0, 1), |(last, this), _| (this, last + this)).1
}

/// `n` writers set a pair in two steps, `n` checkers look at both.
fn reorder(n: u32, locked: bool) -> String {
    let write = under("m", locked, "a = 1;\n    b = -1;");
    let read = under("m", locked, "int seen_a = a;\n    int seen_b = b;");
    let right = "(seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1)";
    let text = format!(
        "static int a, b;\n{}\n{}{}",
        lock(locked),
        thread("writer", &write),
        thread("checker", &format!("{read}\n    assert({right});")),
    );
    let threads = [repeat("writer", n), repeat("checker", n)].concat();
    program(&text, &threads, "")
}

/// Two threads push and pop on a linked stack of numbered nodes. A node is pushed once, so the
/// stack has no ABA problem; an operation that loses twice gives up, which loses no safety.
fn stack(rounds: u32, atomic: bool) -> String {
    let swap = match atomic {
        true => "    return __sync_bool_compare_and_swap(&top, old, new);\n",
        false => "    if (top != old)\n        return 0;\n    top = new;\n    return 1;\n",
    };
    let nodes = 2 * rounds + 1;
    let work = format!(
        "static int top; // 0: the stack is empty
static int next[{nodes}];
static int taken[2][{nodes}];

static int swap_top(int old, int new) {{
{swap}}}

static void push(int node) {{
    for (int tries = 0; tries < 2; tries++) {{
        int old = top;
        next[node] = old;
        if (swap_top(old, node))
            return;
    }}
}}

static int pop(void) {{
    for (int tries = 0; tries < 2; tries++) {{
        int old = top;
        if (old == 0)
            return 0;
        if (swap_top(old, next[old]))
            return old;
    }}
    return 0;
}}

static void work(int me) {{
    for (int k = 0; k < {rounds}; k++) {{
        push(1 + me * {rounds} + k);
        int node = pop();
        if (node)
            taken[me][node]++;
    }}
}}

{}{}",
        thread("first", "work(0);"),
        thread("second", "work(1);"),
    );
    let check = format!(
        "for (int node = 1; node < {nodes}; node++)\n        \
         assert(taken[0][node] + taken[1][node] <= 1);"
    );
    program(&work, &["first", "second"], &check)
}

/// `threads` threads with as many locks add one to each cell; in the wrong variant the first takes
/// the next cell's lock.
fn array(threads: u32, cells: u32, wrong: bool) -> String {
    let adds = |name: &str, lock: &str| {
        let step = under(&format!("m[{lock} % {threads}]"), true, "cell[i]++;");
        thread(name, &each(cells, &step))
    };
    let mut text =
        format!("static int cell[{cells}];\n{}\n{}", mutexes("m", threads), adds("add", "i"));
    let mut workers = repeat("add", threads);
    if wrong {
        text.push_str(&adds("careless", "(i + 1)"));
        workers[0] = "careless";
    }
    let check = format!("for (int i = 0; i < {cells}; i++)\n        assert(cell[i] == {threads});");
    program(&text, &workers, &check)
}

fn lock(locked: bool) -> &'static str {
    if locked { "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fibonacci_numbers() {
        let numbers: Vec<u32> = (1..8).map(fibonacci_number).collect();
        assert_eq!(numbers, [1, 1, 2, 3, 5, 8, 13]);
        let largest = FIBONACCI.iter().map(|n| fibonacci_number(2 * n + 2)).max();
        assert!(largest.unwrap() <= i32::MAX as u32);
    }
}
