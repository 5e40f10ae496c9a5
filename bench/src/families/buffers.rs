//! Bounded buffers of two slots: how condition variables and semaphores scale with the number of
//! items that go through.
//!
//! Peers are not asked: a wait may wake up any number of times, so no bound on loops suffices, and
//! they do not know semaphores.

use super::{Right, Series, prepared, program, repeat, thread};

const ITEMS: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8];

/// The series of this group.
pub const SERIES: &[Series] = &[
    Series {
        family: "buffer_cond",
        name: "buffer_cond_while",
        what: "N items over 2 slots, one producer and one consumer, mutex and two conditions",
        sizes: ITEMS,
        right: Right::Safe,
        unwind: None,
        source: |n| conditions(n, 1, "while"),
    },
    Series {
        family: "buffer_cond",
        name: "buffer_cond_if",
        what: "2 N items, one producer and two consumers, `if` in place of `while`",
        sizes: ITEMS,
        right: Right::Fails("reach"),
        unwind: None,
        source: |n| conditions(n, 2, "if"),
    },
    Series {
        family: "buffer_sem",
        name: "buffer_sem_right",
        what: "N items over 2 slots, one producer and one consumer, mutex and two semaphores",
        sizes: ITEMS,
        right: Right::Safe,
        unwind: None,
        source: |n| semaphores(n, 1, true),
    },
    Series {
        family: "buffer_sem",
        name: "buffer_sem_inside",
        what: "2 N items, one producer and two consumers who wait for an item inside of the mutex",
        sizes: ITEMS,
        right: Right::Fails("deadlock"),
        unwind: None,
        source: |n| semaphores(n, 2, false),
    },
];

/// The slots, and what is done under the mutex.
const BUFFER: &str = "static int slot[2];
static int filled, in, out;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
";
const PUT: &str = "assert(filled < 2);\n        slot[in] = item;\n        in = 1 - in;\n        \
                   filled++;";

/// The first in is the first out: with one consumer, the numbers come in order.
fn take(consumers: u32) -> String {
    let check = if consumers == 1 { "assert(got == item);" } else { "(void)got;" };
    format!(
        "assert(filled > 0);\n        int got = slot[out];\n        out = 1 - out;\n        \
         filled--;\n        {check}"
    )
}

/// Who finds no room, or no item, waits for a condition. `wait` is the word before the test: an
/// `if` does not look again after it, when another consumer may have been faster.
fn conditions(items: u32, consumers: u32, wait: &str) -> String {
    let step = |test: &str, waits: &str, work: &str, signals: &str| {
        let body = format!(
            "{wait} ({test})\n            pthread_cond_wait(&{waits}, &m);\n        {work}\n        \
             pthread_cond_signal(&{signals});"
        );
        inside(&body)
    };
    let produce = step("filled == 2", "room", PUT, "stock");
    let consume = step("filled == 0", "stock", &take(consumers), "room");
    let globals = format!(
        "{BUFFER}static pthread_cond_t room = PTHREAD_COND_INITIALIZER;\n\
         static pthread_cond_t stock = PTHREAD_COND_INITIALIZER;\n"
    );
    let (text, threads) = threads(&globals, items, consumers, &produce, &consume);
    program(&text, &threads, "assert(filled == 0);")
}

/// Semaphores count the room and the stock. A consumer who waits for stock while holding the mutex
/// keeps the producer out: `outside` is right.
fn semaphores(items: u32, consumers: u32, outside: bool) -> String {
    let produce = format!("sem_wait(&room);\n        {}\n        sem_post(&stock);", inside(PUT));
    let take = take(consumers);
    let consume = match outside {
        true => format!("sem_wait(&stock);\n        {}", inside(&take)),
        false => inside(&format!("sem_wait(&stock);\n        {take}")),
    };
    let consume = format!("{consume}\n        sem_post(&room);");
    let globals = format!("{BUFFER}static sem_t room, stock;\n");
    let (text, threads) = threads(&globals, items, consumers, &produce, &consume);
    let prepare = "sem_init(&room, 0, 2);\n    sem_init(&stock, 0, 0);";
    prepared(prepare, &text, &threads, "assert(filled == 0);")
}

/// `work` under the mutex, inside of a loop.
fn inside(work: &str) -> String {
    format!("pthread_mutex_lock(&m);\n        {work}\n        pthread_mutex_unlock(&m);")
}

/// A producer of `items` for each of the consumers, and the consumers.
fn threads(
    globals: &str,
    items: u32,
    consumers: u32,
    produce: &str,
    consume: &str,
) -> (String, Vec<&'static str>) {
    let each = |items: u32, step: &str| {
        format!("for (int item = 1; item <= {items}; item++) {{\n        {step}\n    }}")
    };
    let text = format!(
        "{globals}\n{}{}",
        thread("producer", &each(items * consumers, produce)),
        thread("consumer", &each(items, consume)),
    );
    let mut threads = vec!["producer"];
    threads.extend(repeat("consumer", consumers));
    (text, threads)
}
