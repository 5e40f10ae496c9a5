//! Plans in words.

use unravel_patch::Sources;
use unravel_patch::around::function_name;
use unravel_program::{FunctionId, Program};
use unravel_repair::{Plan, Requirement, SourceOrder, Spot, Stretch};
use unravel_span::Span;

use unravel_findings::source_name::expression_at;

/// Words for places of the text.
pub struct Words<'a> {
    pub program: &'a Program,
    pub sources: &'a Sources<'a>,
}

impl Words<'_> {
    /// `line 5 of f1`.
    pub fn spot(&self, spot: &Spot) -> String {
        spot.place().map_or_else(|| self.role(spot.role), |place| self.place(place))
    }

    /// `line 5 of f1`.
    pub fn place(&self, place: Span) -> String {
        let function = function_name(self.sources, place);
        let of = function.map_or(String::new(), |name| format!(" of {name}"));
        format!("line {}{of}", place.line)
    }

    /// `lines 5 to 6 of f1`.
    pub fn stretch(&self, stretch: &Stretch) -> String {
        match stretch.ends() {
            Some((_, first, last)) if first.line == last.line => self.place(first),
            Some((_, first, last)) => {
                let function = function_name(self.sources, first);
                let of = function.map_or(String::new(), |name| format!(" of {name}"));
                let (from, to) = (first.line.min(last.line), first.line.max(last.line));
                format!("lines {from} to {to}{of}")
            }
            None => self.role(stretch.role()),
        }
    }

    /// `lines 5 to 6 of f1 and lines 10 to 11 of f2`.
    pub fn stretches(&self, stretches: &[Stretch]) -> String {
        let mut all: Vec<String> = Vec::new();
        for stretch in stretches.iter().map(|it| self.stretch(it)) {
            if !all.contains(&stretch) {
                all.push(stretch);
            }
        }
        match all.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => String::new(),
        }
    }

    /// `line 6 of f1 before line 10 of f2`.
    pub fn order(&self, order: &SourceOrder) -> String {
        format!("{} before {}", self.spot(&order.before), self.spot(&order.after))
    }

    /// What a plan requires, one clause each.
    pub fn plan(&self, plan: &Plan) -> Vec<String> {
        let one = |requirement: &Requirement| match requirement {
            Requirement::Before(order) => self.order(order),
            Requirement::Exclusive(stretches) => match &stretches[..] {
                [one] => format!("{} in one thread at a time", self.stretch(one)),
                _ => format!("{}, one at a time", self.stretches(stretches)),
            },
        };
        plan.requirements.iter().map(one).collect()
    }

    /// Why a change helps.
    pub fn because(&self, kind: &str, plan: Option<&Plan>) -> String {
        let one = |requirement: &Requirement| match requirement {
            Requirement::Before(order) => {
                format!(
                    "{} always comes before {}",
                    self.spot(&order.before),
                    self.spot(&order.after)
                )
            }
            Requirement::Exclusive(_) if kind == "atomic" => {
                "nothing can come between the read and the write of one update".to_owned()
            }
            Requirement::Exclusive(stretches) => {
                let what = self.stretches(stretches);
                if what.contains(" and ") {
                    format!("{what} can no longer interleave")
                } else {
                    format!("no two threads are in {what} at the same time")
                }
            }
        };
        match (kind, plan) {
            ("lock-order", _) => "all threads take the two locks in the same order".to_owned(),
            ("predicate-loop", _) => {
                "a wait ends only when what it waits for holds, whenever the signal came".to_owned()
            }
            ("move", _) => "what other threads are told of is there by then".to_owned(),
            ("widen", None) => {
                "nobody else who takes the mutex gets in between any more".to_owned()
            }
            (_, Some(plan)) => {
                let mut all: Vec<String> = plan.requirements.iter().map(one).collect();
                all.dedup();
                all.join("; ")
            }
            (_, None) => "the orders that make it fail cannot come up any more".to_owned(),
        }
    }

    fn role(&self, role: FunctionId) -> String {
        self.program.function(role).name.clone()
    }

    /// A name for what stretches access: `balance`, `head_tail`.
    pub fn subject(&self, places: impl Iterator<Item = Span>) -> String {
        let mut names: Vec<String> = Vec::new();
        for place in places {
            let name = expression_at(&self.program.files, place).and_then(|it| last_word(&it));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        match &names[..] {
            [] => "shared".to_owned(),
            [one] => one.clone(),
            [one, other, ..] if one.len() + other.len() <= 2 => format!("{one}{other}"),
            [one, other] if one.len() + other.len() <= 16 => format!("{one}_{other}"),
            [one, ..] => one.clone(),
        }
    }
}

/// Words that can end what is seen of an expression and name nothing: those of casts, mostly.
const KEYWORDS: [&str; 15] = [
    "assert", "char", "const", "double", "enum", "float", "int", "long", "return", "short",
    "signed", "struct", "unsigned", "void", "volatile",
];

/// The last identifier of an expression: `count` of `q->slots[i].count`.
fn last_word(expression: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut outside = String::new();
    let mut depth = 0;
    for c in expression.chars() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    // Constants, words of the language and what the implementation reserves name no data.
    let is_data = |it: &&str| {
        (it.len() == 1 || it.chars().any(|c| c.is_ascii_lowercase()))
            && !it.starts_with("__")
            && !KEYWORDS.contains(it)
            && !it.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut words = outside.split(|c: char| !is_part(c)).filter(|it| !it.is_empty());
    words.next_back().filter(is_data).map(str::to_lowercase)
}
