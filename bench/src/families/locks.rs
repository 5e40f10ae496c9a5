//! Philosophers and rings of locks: how the search for deadlocks scales with threads and locks.
//!
//! Peers are not asked: they do not look for deadlocks.

use super::{Right, Series, mutexes, program, thread};

const PHILOSOPHERS: &[u32] = &[3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
/// Bare locks are cheap, so there are larger sizes than for philosophers; 128 threads are the most that
/// Unravel creates.
const RINGS: &[u32] = &[2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 48];

/// The series of this group.
pub const SERIES: &[Series] = &[
    Series {
        family: "philosophers",
        name: "philosophers_naive",
        what: "N philosophers take the left fork, then the right one, and count what they eat",
        sizes: PHILOSOPHERS,
        right: Right::Fails("deadlock"),
        unwind: None,
        source: |n| philosophers(n, false),
    },
    Series {
        family: "philosophers",
        name: "philosophers_fixed",
        what: "The same, and the last of them takes the right fork first",
        sizes: PHILOSOPHERS,
        right: Right::Safe,
        unwind: None,
        source: |n| philosophers(n, true),
    },
    Series {
        family: "lockcycle",
        name: "lockcycle_crossed",
        what: "N threads; thread i takes lock i, then lock i + 1 mod N",
        sizes: RINGS,
        right: Right::Fails("deadlock"),
        unwind: None,
        source: |n| ring(n, false),
    },
    Series {
        family: "lockcycle",
        name: "lockcycle_ordered",
        what: "The same locks, each thread the smaller number first",
        sizes: RINGS,
        right: Right::Safe,
        unwind: None,
        source: |n| ring(n, true),
    },
];

/// Philosopher i sits between forks i and i + 1, and counts the use of both while holding them:
/// beyond the locks there is data that only the locks protect.
fn philosophers(n: u32, left_handed: bool) -> String {
    let eat = |i: u32| {
        let (left, right) = (i, (i + 1) % n);
        let order = if left_handed && i == n - 1 { (right, left) } else { (left, right) };
        both("fork", order, &format!("used[{left}]++;\n    used[{right}]++;\n    "))
    };
    let globals = format!("static int used[{n}];\n{}", mutexes("fork", n));
    let check = format!("for (int i = 0; i < {n}; i++)\n        assert(used[i] == 2);");
    one_function_each("philosopher", n, &globals, eat, &check)
}

/// Nothing but locks.
fn ring(n: u32, ordered: bool) -> String {
    let cross = |i: u32| {
        let next = (i + 1) % n;
        let order = if ordered { (i.min(next), i.max(next)) } else { (i, next) };
        both("lock", order, "")
    };
    one_function_each("cross", n, &mutexes("lock", n), cross, "")
}

/// `work` under two locks, given back in the opposite order.
fn both(locks: &str, (first, second): (u32, u32), work: &str) -> String {
    format!(
        "pthread_mutex_lock(&{locks}[{first}]);\n    pthread_mutex_lock(&{locks}[{second}]);\n    \
         {work}pthread_mutex_unlock(&{locks}[{second}]);\n    \
         pthread_mutex_unlock(&{locks}[{first}]);"
    )
}

/// A program of `n` threads, each with a function of its own: which locks it takes is in the text,
/// and no tool has to follow an argument to see it.
fn one_function_each(
    name: &str,
    n: u32,
    globals: &str,
    body: impl Fn(u32) -> String,
    check: &str,
) -> String {
    let names: Vec<String> = (0..n).map(|i| format!("{name}{i}")).collect();
    let threads: Vec<&str> = names.iter().map(String::as_str).collect();
    let functions: String = (0..n).zip(&threads).map(|(i, name)| thread(name, &body(i))).collect();
    program(&format!("{globals}\n{functions}"), &threads, check)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(text: &str) -> Vec<&str> {
        let calls = text.lines().filter_map(|line| line.trim().strip_prefix("pthread_mutex_lock"));
        calls.collect()
    }

    #[test]
    fn only_the_last_philosopher_is_left_handed() {
        let (naive, fixed) = (philosophers(3, false), philosophers(3, true));
        let (naive, fixed) = (takes(&naive), takes(&fixed));
        assert_eq!(naive[..4], fixed[..4]);
        assert_eq!(naive[4..], ["(&fork[2]);", "(&fork[0]);"]);
        assert_eq!(fixed[4..], ["(&fork[0]);", "(&fork[2]);"]);
    }
}
