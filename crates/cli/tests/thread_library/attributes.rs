//! Attribute objects: what their functions have in common.

/// A kind of attribute objects, its settings with a value that there is and one that there is not,
/// and other functions that take such an object, as calls with `@`.
pub struct Attributes {
    /// The type without its `_t`.
    pub name: &'static str,
    /// Names behind `set` and `get`, a value, a wrong value with its error.
    pub settings: &'static [(&'static str, &'static str, &'static str, &'static str)],
    /// Setters without getters, and the other way round, with a call that succeeds.
    pub others: &'static [(&'static str, &'static str)],
}

pub const ATTRIBUTES: &[Attributes] = &[
    Attributes {
        name: "pthread_mutexattr",
        settings: &[
            ("type", "PTHREAD_MUTEX_ERRORCHECK", "99", "EINVAL"),
            ("pshared", "PTHREAD_PROCESS_SHARED", "2", "EINVAL"),
            ("protocol", "PTHREAD_PRIO_INHERIT", "3", "EINVAL"),
        ],
        others: &[
            (
                "pthread_mutexattr_setrobust",
                "pthread_mutexattr_setrobust(@, PTHREAD_MUTEX_STALLED) == 0",
            ),
            ("pthread_mutexattr_getrobust", "pthread_mutexattr_getrobust(@, &got) == 0"),
        ],
    },
    Attributes {
        name: "pthread_condattr",
        settings: &[
            ("clock", "CLOCK_MONOTONIC", "CLOCK_PROCESS_CPUTIME_ID", "EINVAL"),
            ("pshared", "PTHREAD_PROCESS_SHARED", "2", "EINVAL"),
        ],
        others: &[],
    },
    Attributes {
        name: "pthread_rwlockattr",
        settings: &[
            ("kind_np", "PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP", "3", "EINVAL"),
            ("pshared", "PTHREAD_PROCESS_SHARED", "2", "EINVAL"),
        ],
        others: &[],
    },
    Attributes {
        name: "pthread_barrierattr",
        settings: &[("pshared", "PTHREAD_PROCESS_SHARED", "2", "EINVAL")],
        others: &[],
    },
    Attributes {
        name: "pthread_attr",
        settings: &[
            ("detachstate", "PTHREAD_CREATE_DETACHED", "2", "EINVAL"),
            ("inheritsched", "PTHREAD_EXPLICIT_SCHED", "2", "EINVAL"),
            ("schedpolicy", "SCHED_FIFO", "SCHED_IDLE", "EINVAL"),
            ("scope", "PTHREAD_SCOPE_SYSTEM", "PTHREAD_SCOPE_PROCESS", "ENOTSUP"),
        ],
        others: &[
            ("pthread_attr_setstacksize", "pthread_attr_setstacksize(@, 1 << 20) == 0"),
            (
                "pthread_attr_getstacksize",
                "pthread_attr_setstacksize(@, 1 << 20) + pthread_attr_getstacksize(@, &bytes) == 0",
            ),
            ("pthread_attr_setguardsize", "pthread_attr_setguardsize(@, 0) == 0"),
            ("pthread_attr_getguardsize", "pthread_attr_getguardsize(@, &bytes) == 0"),
            ("pthread_attr_setschedparam", "pthread_attr_setschedparam(@, &none) == 0"),
            ("pthread_attr_getschedparam", "pthread_attr_getschedparam(@, &none) == 0"),
        ],
    },
];

/// What is tried of attribute objects of one kind: bodies, each with the code of what is found, or
/// nothing; and the functions that are called.
pub fn cases(it: &Attributes) -> (Vec<(String, Option<&'static str>)>, Vec<String>) {
    let name = it.name;
    let begin = format!("{name}_t a; assert({name}_init(&a) == 0);");
    let end = format!("assert({name}_destroy(&a) == 0);");
    let mut functions = vec![format!("{name}_init"), format!("{name}_destroy")];
    let mut calls = vec![format!("{name}_destroy(@)")];
    let mut cases = Vec::new();
    for (what, value, wrong, error) in it.settings {
        let (set, get) = (format!("{name}_set{what}"), format!("{name}_get{what}"));
        let right = format!(
            "{begin} assert({set}(&a, {value}) == 0); assert({set}(&a, {wrong}) == {error});\
             assert({set}(&a, -1) == EINVAL); assert({get}(&a, &got) == 0 && got == {value}); {end}"
        );
        cases.push((right, None));
        calls.extend([format!("{set}(@, {value})"), format!("{get}(@, &got)")]);
        functions.extend([set, get]);
    }
    for (function, call) in it.others {
        cases.push((format!("{begin} assert({}); {end}", call.replace('@', "&a")), None));
        calls.push(call.split(" ==").next().unwrap_or_default().to_owned());
        functions.push((*function).to_owned());
    }
    cases.extend(pointers(&format!("{name}_t"), &format!("{name}_init(@)")));
    cases.extend(calls.iter().flat_map(|call| wrong_uses(name, call)));
    (cases, functions)
}

/// A call with an object that is none, was never initialized, or was destroyed.
fn wrong_uses(name: &str, call: &str) -> Vec<(String, Option<&'static str>)> {
    let used = call.replace('@', "&a");
    let mut cases = pointers(&format!("{name}_t"), call).to_vec();
    let uninitialized = Some("uninitialized-sync");
    cases.push((format!("{name}_t a; {used};"), uninitialized));
    cases.push((format!("static {name}_t a; {used};"), uninitialized));
    let destroyed = format!("{name}_t a; {name}_init(&a); {name}_destroy(&a); {used};");
    cases.push((destroyed, Some("use-after-destroy")));
    cases
}

/// A call with a pointer to no object of its type: null, freed, or too small.
pub fn pointers(ty: &str, call: &str) -> [(String, Option<&'static str>); 3] {
    let with = |made: &str| format!("{ty} *p = {made}; {};", call.replace('@', "p"));
    let freed = format!("{ty} *p = malloc(sizeof(*p)); gone(p); {};", call.replace('@', "p"));
    // Of an attribute object only the first bytes are looked at before what it is.
    let small = if ty.ends_with("attr_t") { "malloc(1)" } else { "malloc(sizeof(*p) - 1)" };
    [
        (with("0"), Some("null-dereference")),
        (freed, Some("use-after-free")),
        (with(small), Some("out-of-bounds")),
    ]
}
