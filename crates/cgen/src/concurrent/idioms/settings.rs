//! What `main` writes before there are threads, and everybody reads.

use crate::concurrent::generator::{Actor, Gen};

/// Turns of a loop as many as a setting says. In the broken form somebody changes it meanwhile.
pub(in crate::concurrent) fn rounds(g: &mut Gen, broken: bool) {
    let first = g.rng.below(2);
    let (setting, value) = (g.int("set", first), g.rng.between(1, 2));
    let write = match g.rng.below(4) {
        0 => {
            let at = g.name("at");
            g.global(&at, format!("int *{at} = &{setting};"));
            format!("*{at} = {value};")
        }
        1 => format!("if ({setting} < {value}) {setting} = {value};"),
        _ => format!("{setting} = {value};"),
    };
    let stmts = g.text(&format!("{write} #Setting"));
    g.setup.extend(stmts);
    let [reader, other] = g.singles();
    let (i, seen) = (g.name("i"), g.int("seen", 0));
    let turn = format!("for (int {i} = 0; {i} < {setting}; {i}++)\n    {seen}++;\n");
    g.put_text(reader, &format!("{turn}? {seen} == {value}"));
    let late = if broken { value + 1 } else { value };
    match broken || g.rng.chance(30) {
        true => g.put_text(other, &format!("{setting} = {late};")),
        false => g.put_text(other, &format!("? {setting} == {value}")),
    }
}

/// Threads of one function write their number; in the broken form the last must not be the first.
pub(in crate::concurrent) fn last(g: &mut Gen, broken: bool) {
    let several = (0..g.threads.len()).find(|f| g.threads[*f].count >= 2);
    let Some(f) = several.filter(|f| g.use_index(*f)) else { return };
    let (last, id, actor) = (g.int("last", 1), g.id(f), Actor::All(f));
    g.put_text(actor, &format!("{last} = {id};"));
    let least = if broken && g.ends(actor) { 1 } else { 0 };
    g.check_text(&format!("? {last} >= {least}"));
}
