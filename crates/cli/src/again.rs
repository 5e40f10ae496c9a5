//! Calls that go on from this one, as the user would type them.

/// Options of a call that the next one does not need: each with whether a value follows.
const DROPPED: [(&str, bool); 4] =
    [("--emit", true), ("--format", true), ("--verbose", false), ("-v", false)];

/// The arguments of this call.
pub fn given() -> Vec<String> {
    std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned()).collect()
}

/// The same call again, to write the repair, and to hand the patch to a command that applies it.
pub fn to_take(given: &[String], git: &str) -> (String, String) {
    let at = given.iter().position(|it| it == "--").unwrap_or(given.len());
    let (before, after) = given.split_at(at);
    let words = |list: &[String]| {
        let shown = list.iter().filter(|it| *it != "--explain-covers");
        shown.map(|it| format!(" {}", quoted(it))).collect::<String>()
    };
    let (before, after) = (words(before), words(after));
    let with = |flag: &str| format!("unravel{before} {flag}{after}");
    (with("--apply"), format!("{} | {git}", with("--diff")))
}

/// Another command on the same program; none if the call does not begin with its command.
pub fn to_ask(command: &str, next: &str, given: &[String]) -> Option<String> {
    let mut rest = given.strip_prefix(&[command.to_owned()])?.iter();
    let mut line = format!("unravel {next}");
    let mut is_ours = true;
    while let Some(argument) = rest.next() {
        is_ours = is_ours && argument != "--";
        let dropped = DROPPED.iter().filter(|_| is_ours).find(|(name, _)| {
            argument == name || argument.strip_prefix(name).is_some_and(|it| it.starts_with('='))
        });
        match dropped {
            Some((name, true)) if argument == name => {
                rest.next();
            }
            Some(_) => {}
            None => line.push_str(&format!(" {}", quoted(argument))),
        }
    }
    Some(line)
}

/// As a shell reads it.
pub fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_repeat_the_call() {
        let given = ["repair", "a b.c", "--explain-covers", "--races", "--", "-DX='1'"];
        let given = given.map(str::to_owned);
        let (apply, diff) = to_take(&given, "git apply");
        assert_eq!(apply, r"unravel repair 'a b.c' --races --apply -- '-DX='\''1'\'''");
        assert_eq!(diff, r"unravel repair 'a b.c' --races --diff -- '-DX='\''1'\''' | git apply");
    }

    #[test]
    fn the_next_command_has_the_same_program() {
        let given = ["check", "--emit", "schedule=s", "a b.c", "--races", "-v", "--", "-v"];
        let given = given.map(str::to_owned);
        let next = to_ask("check", "diagnose", &given);
        assert_eq!(next.as_deref(), Some("unravel diagnose 'a b.c' --races -- -v"));
        let given = ["check", "a.c", "--format=text"].map(str::to_owned);
        assert_eq!(to_ask("check", "diagnose", &given).as_deref(), Some("unravel diagnose a.c"));
        assert_eq!(to_ask("diagnose", "repair", &given), None);
    }
}
