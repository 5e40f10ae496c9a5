//! Functions that have no model but are known to leave the program alone: they return a value, and
//! at most read what they are given; and what is said of all others.
//!
//! Any other function whose code is not given may write a variable, take a lock or end the program.
//! Nothing that comes after its call can be told: a forgotten file must make nothing *safe*, and no
//! lock that is taken in it may be missed.

/// They return a value that depends on nothing here. The functions of `<math.h>` are listed without
/// the `f` or `l` of their other precisions.
const RETURNS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// The same, for others.
const RETURNS_ALSO: &[&str] = &[
    "close",
    "difftime",
    "drand48",
    "dup",
    "dup2",
    "fdatasync",
    "fsync",
    "getegid",
    "geteuid",
    "getgid",
    "getpagesize",
    "getppid",
    "getuid",
    "htonl",
    "htons",
    "isatty",
    "isblank",
    "iscntrl",
    "isgraph",
    "isprint",
    "ispunct",
    "isxdigit",
    "lrand48",
    "lseek",
    "mrand48",
    "ntohl",
    "ntohs",
    "pthread_getconcurrency",
    "sched_get_priority_max",
    "sched_get_priority_min",
    "sched_getcpu",
    "socket",
    "srand48",
    "sync",
    "sysconf",
    "umask",
];

/// They read what they are given.
const READS: &[&str] = &[
    "access",
    "chdir",
    "chmod",
    "creat",
    "fclose",
    "fwrite",
    "mkdir",
    "mkfifo",
    "open",
    "openlog",
    "pthread_attr_setaffinity_np",
    "pthread_setaffinity_np",
    "pthread_setschedparam",
    "remove",
    "rename",
    "rmdir",
    "send",
    "sendto",
    "setenv",
    "syslog",
    "unlink",
    "unsetenv",
    "write",
    "writev",
];

/// Whether a function without a model and without code only returns a value.
#[must_use]
pub fn leaves_all_alone(name: &str) -> bool {
    let other_precision = name.strip_suffix(['f', 'l']);
    let is_math =
        RETURNS.contains(&name) || other_precision.is_some_and(|it| RETURNS.contains(&it));
    is_math || RETURNS_ALSO.contains(&name) || READS.contains(&name)
}

/// Variables of the C library. What they point to is for its functions to know.
const VARIABLES: &[&str] = &[
    "__environ",
    "daylight",
    "environ",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "signgam",
    "stderr",
    "stdin",
    "stdout",
    "timezone",
    "tzname",
];

/// Whether a variable that no file defines is the C library's.
#[must_use]
pub fn is_library_variable(name: &str) -> bool {
    VARIABLES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_precisions_are_known_and_strangers_are_not() {
        assert!(leaves_all_alone("sqrt") && leaves_all_alone("sqrtf") && leaves_all_alone("sqrtl"));
        assert!(leaves_all_alone("write"));
        assert!(!leaves_all_alone("read") && !leaves_all_alone("counter_add"));
    }
}
