//! The pages of `unravel explain`.

/// A page.
pub struct Page {
    /// Its name; also that of the file.
    pub name: &'static str,
    /// What it is about, in a few words.
    pub about: &'static str,
    /// Codes in reports' `error[…]`, and properties, that it explains besides its name.
    pub codes: &'static [&'static str],
    /// The page in Markdown.
    pub text: &'static str,
}

/// A page whose text is `docs/patterns/NAME.md`.
macro_rules! page {
    ($name:literal, $about:literal, $codes:expr) => {
        Page {
            name: $name,
            about: $about,
            codes: &$codes,
            text: include_str!(concat!("../../../../docs/patterns/", $name, ".md")),
        }
    };
}

/// All of them: patterns, as `cause:` names them, then codes that say only what failed.
pub const PAGES: [Page; 15] = [
    page!("atomicity-violation", "steps that belong together are interrupted", []),
    page!("order-violation", "a step comes before one that it should wait for", []),
    page!("data-race", "two accesses, one a write, that nothing orders", ["race"]),
    page!("deadlock", "threads that wait for each other", ["lock-cycle", "no-progress"]),
    page!("hang", "threads that spin while nobody can let them go on", []),
    page!("lost-wakeup", "a signal comes when nobody waits for it", []),
    page!("use-after-free", "memory is used after it was given back", []),
    page!("use-before-initialization", "memory is read before its first write", []),
    page!("double-free", "a block is freed twice", ["invalid-free"]),
    page!(
        "misuse",
        "a lock, a condition or a thread is used against its rules",
        [
            "uninitialized-sync",
            "use-after-destroy",
            "relock",
            "unlock-not-held",
            "unlock-of-another",
            "destroy-in-use",
            "init-in-use",
            "wait-without-mutex",
            "wait-with-other-mutex",
            "deleted-key",
            "join-twice",
            "join-self",
            "detach-twice",
        ]
    ),
    page!("sequential", "it fails whatever the schedule", []),
    page!("assertion", "a check of the program fails", ["abort", "error-call", "reach"]),
    page!(
        "memory-error",
        "an access that is not inside a living object",
        [
            "null-dereference",
            "out-of-bounds",
            "use-after-return",
            "use-after-exit",
            "uninitialized-pointer",
            "wild-pointer",
            "write-to-constant",
            "bad-access",
            "bad-call",
            "memory",
        ]
    ),
    page!(
        "undefined-behaviour",
        "arithmetic that C leaves undefined",
        [
            "signed-overflow",
            "division-by-zero",
            "division-overflow",
            "shift-out-of-range",
            "left-shift",
            "float-conversion",
            "unreachable",
            "ub",
        ]
    ),
    Page {
        name: "inconclusive",
        about: "why there is no answer, and what Unravel does not see",
        codes: &["limits"],
        text: include_str!("../../../../docs/limits.md"),
    },
];

/// The page of that name, or that explains that code.
pub fn named(name: &str) -> Option<&'static Page> {
    let is_it = |page: &&Page| page.name == name || page.codes.contains(&name);
    PAGES.iter().find(is_it)
}

/// Everything that [`named`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    PAGES.iter().flat_map(|page| [page.name].into_iter().chain(page.codes.iter().copied()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use unravel_kinds::{Pattern, Property, ViolationKind};

    use super::*;

    #[test]
    fn every_code_that_a_report_can_show_is_explained() {
        for kind in ViolationKind::examples() {
            assert!(
                named(kind.code()).is_some(),
                "error[{}] of {:?}",
                kind.code(),
                kind.property()
            );
        }
        for property in Property::ALL {
            assert!(named(property.name()).is_some(), "{}", property.name());
        }
        for pattern in Pattern::ALL {
            let name = pattern.code().replace(' ', "-");
            assert!(named(&name).is_some(), "{name}");
        }
    }

    #[test]
    fn every_code_has_one_page_and_is_real() {
        let mut seen = BTreeSet::new();
        assert!(names().all(|name| seen.insert(name)), "a name stands twice");
        let own: BTreeSet<&str> = PAGES.iter().map(|page| page.name).chain(["limits"]).collect();
        for name in names().filter(|name| !own.contains(name)) {
            let is_kind = ViolationKind::examples().iter().any(|kind| kind.code() == name);
            assert!(is_kind || Property::named(name).is_some(), "{name} is no code");
        }
    }
}
