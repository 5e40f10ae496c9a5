//! Readers and writers of a pair: how read-write locks scale with the number of threads.

use super::{Right, Series, program, repeat, thread};

const THREADS: &[u32] = &[2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32];

/// The series of this group.
pub const SERIES: &[Series] = &[
    Series {
        family: "readers",
        name: "readers_writers",
        what: "N threads: half write a pair under the write lock, half read it under a read lock",
        sizes: THREADS,
        right: Right::Safe,
        unwind: Some(|_| 2),
        source: |n| readers(n, "wrlock"),
    },
    Series {
        family: "readers",
        name: "readers_wrong",
        what: "The same, and the writers take a read lock",
        sizes: THREADS,
        right: Right::Fails("reach"),
        unwind: Some(|_| 2),
        source: |n| readers(n, "rdlock"),
    },
];

/// `n` threads, the writers taking the lock by `pthread_rwlock_` and `writers_take`.
fn readers(n: u32, writers_take: &str) -> String {
    let with = |take: &str, work: &str| {
        format!("pthread_rwlock_{take}(&lock);\n    {work}\n    pthread_rwlock_unlock(&lock);")
    };
    let text = format!(
        "static int a, b;\nstatic pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;\n\n{}{}",
        thread("writer", &with(writers_take, "a++;\n    b++;")),
        thread("reader", &with("rdlock", "assert(a == b);")),
    );
    let writers = n / 2;
    let threads = [repeat("writer", writers), repeat("reader", n - writers)].concat();
    program(&text, &threads, &format!("assert(a == {writers} && b == {writers});"))
}
