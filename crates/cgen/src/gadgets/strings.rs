//! Strings and the functions of <string.h> and <stdlib.h> that read them.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper::Mix;
use crate::tree::{Expr, Stmt, parts};
use crate::types::Int;

type Step = fn(&mut Gen, &str) -> Stmt;

/// Operations on a string buffer. Each adds at most eight characters.
const STEPS: &[Step] = &[copy, copy_some, append, length, compare, compare_some, search, search];

/// A buffer that a few string functions work on.
pub(super) fn operations(g: &mut Gen) -> Vec<Stmt> {
    let s = g.fresh("s");
    let declare = parts![format!("char {s}[48] = \"{}\";", g.word()), Feature::StringLiteral];
    let mut stmts = vec![Stmt::declares(&s, declare)];
    for _ in 0..4 {
        let step = g.rng.pick(STEPS);
        stmts.push(step(g, &s));
    }
    // An empty string gets longer by this; the byte after it is zero anyway.
    let letter = parts![format!("{s}[0] = 'A' + (int)((unsigned)"), g.int_expr(2), " % 26u);"];
    stmts.push(Stmt::new(letter));
    stmts.push(Stmt::new(parts![format!("puts({s});"), Feature::Puts]));
    stmts
}

fn copy(g: &mut Gen, s: &str) -> Stmt {
    Stmt::new(parts![format!("strcpy({s}, \"{}\");", g.word()), Feature::Strcpy])
}

fn copy_some(g: &mut Gen, s: &str) -> Stmt {
    let count = g.rng.between(1, 8);
    Stmt::new(parts![format!("strncpy({s}, \"{}\", {count});", g.word()), Feature::Strncpy])
}

fn append(g: &mut Gen, s: &str) -> Stmt {
    Stmt::new(parts![format!("strcat({s}, \"{}\");", g.word()), Feature::Strcat])
}

fn length(_: &mut Gen, s: &str) -> Stmt {
    Stmt::new(parts![Mix, format!("(strlen({s}));"), Feature::Strlen])
}

/// Only the sign of the result is specified.
fn compare(g: &mut Gen, s: &str) -> Stmt {
    let op = g.rng.pick(&["<", ">", "=="]);
    Stmt::new(parts![Mix, format!("(strcmp({s}, \"{}\") {op} 0);", g.word()), Feature::Strcmp])
}

fn compare_some(g: &mut Gen, s: &str) -> Stmt {
    let (op, count) = (g.rng.pick(&["<", ">", "=="]), g.rng.between(0, 4));
    let test = format!("(strncmp(\"{}\", {s}, {count}) {op} 0);", g.word());
    Stmt::new(parts![Mix, test, Feature::Strncmp])
}

fn search(g: &mut Gen, s: &str) -> Stmt {
    let (function, mark) =
        g.rng.pick(&[("strchr", Feature::Strchr), ("strrchr", Feature::Strrchr)]);
    let found = g.fresh("c");
    let letter = g.rng.pick(&['a', 'b', 'e', 'l', 'z']);
    let find = format!("{{ char *{found} = {function}({s}, '{letter}'); ");
    let tell = format!("({found} ? (int)({found} - {s}) : -1); }}");
    Stmt::new(parts![find, Mix, tell, mark, Feature::PointerDifference])
}

/// Numbers read from strings.
pub(super) fn parsing(g: &mut Gen) -> Vec<Stmt> {
    let (word, end, value) = (g.fresh("t"), g.fresh("e"), g.fresh("v"));
    let declare = format!("const char *{word} = \"{}\";", g.number_word());
    let read = parts![format!("long {value} = strtol({word}, &{end}, 10);"), Feature::Strtol];
    vec![
        Stmt::declares(&word, parts![declare, Feature::StringLiteral]),
        Stmt::declares(&end, parts![format!("char *{end} = 0;")]),
        Stmt::required(read),
        Stmt::new(parts![format!("printf(\"%ld %d\\n\", {value}, (int)({end} - {word}));")]),
        Stmt::new(parts![Mix, format!("(atoi(\"{}\"));", g.number_word()), Feature::Atoi]),
    ]
}

/// A buffer that sprintf or snprintf fills.
pub(super) fn buffer(g: &mut Gen) -> Vec<Stmt> {
    let (b, n) = (g.fresh("b"), g.fresh("n"));
    let count = g.rng.between(1, 3);
    let formatted = g.full(|g| g.formatted(count, ""));
    let call = match g.rng.below(4) {
        0 | 1 => parts![format!("sprintf({b}, "), formatted, Feature::Sprintf],
        // So small a buffer truncates many outputs.
        2 => parts![format!("snprintf({b}, 7, "), formatted, Feature::Snprintf],
        _ => parts![format!("snprintf({b}, sizeof {b}, "), formatted, Feature::Snprintf],
    };
    vec![
        Stmt::declares(&b, parts![format!("char {b}[128] = {{0}};")]),
        Stmt::declares(&n, parts![format!("int {n} = "), call, ");", Feature::VariadicCall]),
        Stmt::new(parts![format!("printf(\"<%s> %d\\n\", {b}, {n});"), Feature::Printf]),
    ]
}

/// A global table of strings.
pub(super) fn table(g: &mut Gen) -> Vec<Stmt> {
    let t = g.fresh("names");
    let words = [g.word(), g.word(), g.word()];
    let text = format!("static const char *const {t}[3] = {{\"{}\"}};", words.join("\", \""));
    let marks = parts![Feature::ConstTable, Feature::GlobalPointerInit, Feature::StringLiteral];
    g.item(&t, parts![text, marks]);
    let (i, j) = (g.index(3, 2), g.index(3, 1));
    let pick = parts![format!("{t}["), i, "]"];
    let compare = parts![Mix, format!("(strcmp({t}[0], {t}["), j, "]) < 0);", Feature::Strcmp];
    vec![
        Stmt::new(parts!["puts(", pick.clone(), ");", Feature::Puts]),
        Stmt::new(parts![Mix, "(strlen(", pick, "));", Feature::Strlen]),
        Stmt::new(compare),
    ]
}

impl Gen {
    /// A call of a library function without side effects.
    pub(crate) fn library_value(&mut self, depth: u32) -> Expr {
        match self.rng.below(4) {
            // The casts keep the most negative value away.
            0 => {
                let value = self.int_expr(depth);
                Expr::int(Int::Int, parts!["abs((short)", value, ")", Feature::Abs])
            }
            1 => {
                let value = self.int_expr(depth);
                Expr::int(Int::Long, parts!["labs((int)", value, ")", Feature::Labs])
            }
            2 => {
                let word = self.word();
                let start = self.index(word.len() as u32 + 1, depth);
                let call = parts![format!("strlen(&\"{word}\"["), start, "])"];
                Expr::int(Int::ULong, parts![call, Feature::Strlen])
            }
            _ => {
                let call = format!("atoi(\"{}\")", self.number_word());
                Expr::int(Int::Int, parts![call, Feature::Atoi])
            }
        }
    }
}
