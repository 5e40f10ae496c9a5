//! Six small programs with the times that peers took on them, for a machine without the peers.
//!
//! The programs are written after their descriptions beside those times, and need not be the same
//! to the letter.
//!
//! The times are wall seconds of the whole process, median of three, measured at another time on a
//! loaded machine with two cores: good to a factor of two or three.

use std::fs;

use crate::families::{counter, directory, program, thread};
use crate::peers::{Answer, Kind, Task};

/// A program and what was measured.
pub struct Small {
    /// How it is called.
    pub name: &'static str,
    expected: Answer,
    unwind: u32,
    source: fn() -> String,
    /// Seconds of CBMC 6.3.1; none where it did not solve it.
    cbmc: Option<f64>,
    /// Seconds of Deagle 4.1; none where it did not solve it.
    deagle: Option<f64>,
}

/// All six.
pub const ALL: &[Small] = &[
    Small {
        name: "race1",
        expected: Answer::Unsafe,
        unwind: 2,
        source: || counter(2, 1, false),
        cbmc: Some(0.37),
        deagle: Some(0.28),
    },
    Small {
        name: "race3",
        expected: Answer::Unsafe,
        unwind: 4,
        source: || counter(2, 3, false),
        cbmc: Some(0.20),
        deagle: Some(0.17),
    },
    Small {
        name: "safe1",
        expected: Answer::Safe,
        unwind: 2,
        source: || counter(2, 1, true),
        cbmc: Some(2.55),
        deagle: Some(0.15),
    },
    Small {
        name: "safe3",
        expected: Answer::Safe,
        unwind: 4,
        source: || counter(2, 3, true),
        // More than 120 s.
        cbmc: None,
        deagle: Some(0.38),
    },
    Small {
        name: "account",
        expected: Answer::Unsafe,
        unwind: 2,
        source: account,
        cbmc: Some(34.75),
        deagle: Some(0.14),
    },
    Small {
        name: "deadlock",
        expected: Answer::Unsafe,
        unwind: 2,
        source: deadlock,
        // Neither looks for deadlocks.
        cbmc: None,
        deagle: None,
    },
];

impl Small {
    /// Writes the program.
    pub fn task(&self) -> Result<Task, String> {
        let path = directory()?.join(format!("{}.c", self.name));
        let text = (self.source)();
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Task {
            name: self.name.to_owned(),
            path,
            expected: self.expected,
            property: None,
            flags: Vec::new(),
            unwind: self.unwind,
            for_peers: self.deagle.is_some(),
        })
    }

    /// The published seconds of a peer.
    pub fn published(&self, peer: Kind) -> Option<f64> {
        match peer {
            Kind::Unravel => None,
            Kind::Cbmc => self.cbmc,
            Kind::Deagle => self.deagle,
        }
    }
}

/// Two withdrawals; each looks, and takes later, under the lock both times.
fn account() -> String {
    let account = "static int balance = 10;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int look(void) {
    pthread_mutex_lock(&m);
    int seen = balance;
    pthread_mutex_unlock(&m);
    return seen;
}

static void take(int amount) {
    pthread_mutex_lock(&m);
    balance -= amount;
    pthread_mutex_unlock(&m);
}

";
    let text = format!("{account}{}", thread("withdraw", "if (look() >= 10)\n        take(10);"));
    program(&text, &["withdraw", "withdraw"], "assert(balance >= 0);")
}

/// Two locks in opposite orders.
fn deadlock() -> String {
    let both = |first: &str, second: &str| {
        format!(
            "pthread_mutex_lock(&{first});\n    pthread_mutex_lock(&{second});\n    \
             pthread_mutex_unlock(&{second});\n    pthread_mutex_unlock(&{first});"
        )
    };
    let text = format!(
        "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;\n\
         static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;\n\n{}{}",
        thread("up", &both("a", "b")),
        thread("down", &both("b", "a")),
    );
    program(&text, &["up", "down"], "")
}
