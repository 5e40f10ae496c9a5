//! The scaling families: C programs of a given size, safe ones and failing ones.
//!
//! `main` creates and joins its threads one by one, without loop or array, and there are no
//! pointers but the locks': peers refuse much else, and the point here is how the orders of the
//! accesses scale. All of it is our own text.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::corpus::scratch;
use crate::peers::{Answer, Task};

/// One family in one variant, over growing sizes.
pub struct Series {
    /// The family that it belongs to.
    pub family: &'static str,
    /// Family and variant.
    pub name: &'static str,
    /// What it does, and what N is.
    pub what: &'static str,
    /// The sizes, growing. The last is far: no tool is meant to run out of sizes before time.
    sizes: &'static [u32],
    expected: Answer,
    /// A bound that suffices for its loops.
    unwind: fn(u32) -> u32,
    source: fn(u32) -> String,
}

impl Series {
    /// The sizes to run.
    pub fn sizes(&self, quick: bool) -> &[u32] {
        if quick { &self.sizes[..self.sizes.len().min(3)] } else { self.sizes }
    }

    /// Writes the program of size `n`.
    pub fn task(&self, n: u32) -> Result<Task, String> {
        let path = directory()?.join(format!("{}_{n}.c", self.name));
        let text = (self.source)(n);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Task {
            name: format!("{} {n}", self.name),
            path,
            expected: self.expected,
            flags: Vec::new(),
            unwind: (self.unwind)(n),
            for_peers: true,
        })
    }
}

/// Where the programs go.
pub fn directory() -> Result<PathBuf, String> {
    scratch("bench")
}

const THREADS: &[u32] = &[2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64];
const THREADS_OF_TWO_KINDS: &[u32] = &[1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32];
const ROUNDS: &[u32] = &[1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256];
/// Fibonacci numbers leave `int` after 22 rounds.
const FIBONACCI: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 22];

/// All of them, in the order in which they are run.
pub const ALL: &[Series] = &[
    Series {
        family: "counter",
        name: "counter_plain",
        what: "N threads increment a counter once, without a lock",
        sizes: THREADS,
        expected: Answer::Unsafe,
        unwind: |_| 2,
        source: |n| counter(n, 1, false),
    },
    Series {
        family: "counter",
        name: "counter_locked",
        what: "N threads increment a counter once, under a lock",
        sizes: THREADS,
        expected: Answer::Safe,
        unwind: |_| 2,
        source: |n| counter(n, 1, true),
    },
    Series {
        family: "counter",
        name: "counter_rounds_plain",
        what: "2 threads increment a counter N times, without a lock",
        sizes: ROUNDS,
        expected: Answer::Unsafe,
        unwind: |n| n + 1,
        source: |n| counter(2, n, false),
    },
    Series {
        family: "counter",
        name: "counter_rounds_locked",
        what: "2 threads increment a counter N times, under a lock",
        sizes: ROUNDS,
        expected: Answer::Safe,
        unwind: |n| n + 1,
        source: |n| counter(2, n, true),
    },
    Series {
        family: "fibonacci",
        name: "fibonacci_safe",
        what: "i += j and j += i, N rounds each; the largest value is never exceeded",
        sizes: FIBONACCI,
        expected: Answer::Safe,
        unwind: |n| n + 1,
        source: |n| fibonacci(n, "<="),
    },
    Series {
        family: "fibonacci",
        name: "fibonacci_unsafe",
        what: "i += j and j += i, N rounds each; the largest value is reached in one order only",
        sizes: FIBONACCI,
        expected: Answer::Unsafe,
        unwind: |n| n + 1,
        source: |n| fibonacci(n, "<"),
    },
    Series {
        family: "reorder",
        name: "reorder_unsafe",
        what: "N writers set two variables, N checkers see one of them set",
        sizes: THREADS_OF_TWO_KINDS,
        expected: Answer::Unsafe,
        unwind: |_| 2,
        source: |n| reorder(n, false),
    },
    Series {
        family: "reorder",
        name: "reorder_locked",
        what: "N writers set two variables under a lock, N checkers read them under it",
        sizes: THREADS_OF_TWO_KINDS,
        expected: Answer::Safe,
        unwind: |_| 2,
        source: |n| reorder(n, true),
    },
    Series {
        family: "stack",
        name: "stack_cas",
        what: "2 threads push and pop N times on a lock-free stack",
        sizes: ROUNDS,
        expected: Answer::Safe,
        unwind: |n| 2 * n + 2,
        source: |n| stack(n, true),
    },
    Series {
        family: "stack",
        name: "stack_broken",
        what: "The same with check-then-act in place of compare-and-swap",
        sizes: ROUNDS,
        expected: Answer::Unsafe,
        unwind: |n| 2 * n + 2,
        source: |n| stack(n, false),
    },
    Series {
        family: "array",
        name: "array_cells",
        what: "2 threads increment N cells; cell i is under lock i mod 2",
        sizes: ROUNDS,
        expected: Answer::Safe,
        unwind: |n| n + 1,
        source: |n| array(2, n, false),
    },
    Series {
        family: "array",
        name: "array_cells_wrong",
        what: "The same, and one thread takes the wrong lock",
        sizes: ROUNDS,
        expected: Answer::Unsafe,
        unwind: |n| n + 1,
        source: |n| array(2, n, true),
    },
    Series {
        family: "array",
        name: "array_locks",
        what: "N threads increment 2 N cells; cell i is under lock i mod N",
        sizes: THREADS,
        expected: Answer::Safe,
        unwind: |n| 2 * n + 1,
        source: |n| array(n, 2 * n, false),
    },
    Series {
        family: "array",
        name: "array_locks_wrong",
        what: "The same, and one thread takes the wrong lock",
        sizes: THREADS,
        expected: Answer::Unsafe,
        unwind: |n| 2 * n + 1,
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
    let locks = vec!["PTHREAD_MUTEX_INITIALIZER"; threads as usize].join(", ");
    let adds = |name: &str, lock: &str| {
        let step = under(&format!("m[{lock} % {threads}]"), true, "cell[i]++;");
        thread(name, &each(cells, &step))
    };
    let mut text = format!(
        "static int cell[{cells}];\nstatic pthread_mutex_t m[{threads}] = {{{locks}}};\n\n{}",
        adds("add", "i")
    );
    let mut workers = repeat("add", threads);
    if wrong {
        text.push_str(&adds("careless", "(i + 1)"));
        workers[0] = "careless";
    }
    let check = format!("for (int i = 0; i < {cells}; i++)\n        assert(cell[i] == {threads});");
    program(&text, &workers, &check)
}

fn repeat(function: &str, times: u32) -> Vec<&str> {
    vec![function; times as usize]
}

fn lock(locked: bool) -> &'static str {
    if locked { "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" } else { "" }
}

/// A loop over `i`.
fn each(times: u32, step: &str) -> String {
    let step = step.replace("\n", "\n    ");
    format!("for (int i = 0; i < {times}; i++) {{\n        {step}\n    }}")
}

fn under(lock: &str, locked: bool, step: &str) -> String {
    match locked {
        true => {
            format!("pthread_mutex_lock(&{lock});\n    {step}\n    pthread_mutex_unlock(&{lock});")
        }
        false => step.to_owned(),
    }
}

/// A thread's function.
pub fn thread(name: &str, body: &str) -> String {
    format!(
        "static void *{name}(void *arg) {{\n    (void)arg;\n    {body}\n    return NULL;\n}}\n\n"
    )
}

/// A program whose `main` runs one thread for each of `threads`, and then `check`.
pub fn program(globals: &str, threads: &[&str], check: &str) -> String {
    let mut main = String::new();
    for number in 0..threads.len() {
        // Writing to a string does not fail.
        let _ = writeln!(main, "    pthread_t t{number};");
    }
    for (number, function) in threads.iter().enumerate() {
        let _ = writeln!(main, "    pthread_create(&t{number}, NULL, {function}, NULL);");
    }
    for number in 0..threads.len() {
        let _ = writeln!(main, "    pthread_join(t{number}, NULL);");
    }
    if !check.is_empty() {
        let _ = writeln!(main, "    {check}");
    }
    format!(
        "#include <assert.h>\n#include <pthread.h>\n\n{globals}\
         int main(void) {{\n{main}    return 0;\n}}\n"
    )
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

    #[test]
    fn sizes_grow_and_names_differ() {
        for series in ALL {
            assert!(series.sizes.is_sorted_by(|a, b| a < b), "{}", series.name);
            assert!(series.name.starts_with(series.family), "{}", series.name);
            let same = ALL.iter().filter(|other| other.name == series.name);
            assert_eq!(same.count(), 1, "{}", series.name);
        }
    }

    #[test]
    fn braces_are_balanced() {
        for series in ALL {
            let text = (series.source)(3);
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        }
    }
}
