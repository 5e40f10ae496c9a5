//! Variables of the C library.

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
