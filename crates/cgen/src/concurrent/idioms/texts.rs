//! Shared texts: one thread formats a new one, another prints or copies it.

use crate::concurrent::generator::Gen;

/// Ways to write a text of two letters to `@`, with the text.
const WRITES: &[(&str, &str)] = &[
    ("sprintf(@, \"%d\", 12);", "12"),
    ("sprintf(@, \"%s%c\", \"x\", 'y');", "xy"),
    ("snprintf(@, 3, \"%x%s\", 31, \"cut\");", "1f"),
    ("snprintf(@, sizeof @, \"%2d\", 7);", " 7"),
];

/// A text is written while it is read, in the broken form without a lock: half of it may be old.
pub(in crate::concurrent) fn shared(g: &mut Gen, broken: bool) {
    let [writer, reader] = g.singles();
    let (text, copy, lock) = (g.name("text"), g.name("copy"), g.name("m"));
    let (write, new) = g.rng.pick(WRITES);
    g.global(&text, format!("char {text}[4] = \"ab\";"));
    g.global(&lock, format!("pthread_mutex_t {lock} = PTHREAD_MUTEX_INITIALIZER;"));
    let write = format!("{} #TextWritten", write.replace('@', &text));
    let is = |at: usize, word: &str| format!("{copy}[{at}] == '{}'", &word[at..=at]);
    let whole = |word: &str| format!("{} && {}", is(0, word), is(1, word));
    let read = match g.rng.below(4) {
        0 => format!("{copy}: int {copy} = printf(\"%s\\n\", {text}); #TextPrinted\n? {copy} == 3"),
        1 => format!("puts({text}); #TextPrinted"),
        2 => format!("fprintf(stderr, \"%d %2s\", 1, {text}); #TextPrinted"),
        _ => {
            let form = g.rng.pick(&["snprintf(%, 3, \"%s\", @);", "sprintf(%, \"%.2s\", @);"]);
            let form = form.replacen('%', &copy, 1).replace('@', &text);
            let holds = format!("{} || {}", whole("ab"), whole(new));
            format!("{copy}: char {copy}[4];\n{form} #TextWritten\n? {holds}")
        }
    };
    for (actor, stmts) in [(writer, write), (reader, read)] {
        let guarded = match broken {
            true => stmts,
            false => format!(
                "1< pthread_mutex_lock(&{lock});\n{stmts}\n1> pthread_mutex_unlock(&{lock});"
            ),
        };
        g.put_text(actor, &guarded);
    }
}
