//! Two statements that are one atomic operation: a value is read into a local and stored back
//! changed; what an update left is read in the next statement; a flag is tested and then set.

use tree_sitter::Node;
use unravel_span::Edit;

use super::operation::{Effect, Operation, Target, is_used, new_value, parse};
use super::render::Dialect;
use super::{checked, dialect_of};
use crate::expr::{
    bare, call, cast, changed_names, contains, declared_names, descendants, is_pure, names,
    operator, parts, tokens,
};
use crate::place::{remove, siblings};
use crate::source::{Source, Sources, ancestors};

/// Two statements of one block.
struct Pair<'s, 'f> {
    sources: &'s Sources<'f>,
    source: Source<'s>,
    first: Node<'s>,
    second: Node<'s>,
    between: Vec<Node<'s>>,
}

/// The edits that make one operation of a statement and one beside it; `is_wanted` knows which
/// statements are to be changed.
pub fn fuse<'s>(
    sources: &'s Sources<'_>,
    source: Source<'s>,
    statement: Node<'s>,
    is_wanted: impl Fn(Node<'s>) -> bool,
) -> Option<Vec<Edit>> {
    let (all, at) = siblings(statement)?;
    let later = (at + 1..all.len()).map(|other| (at, other));
    let earlier = (0..at).rev().map(|other| (other, at));
    later.chain(earlier).find_map(|(i, j)| {
        let between = all[i + 1..j].to_vec();
        let pair = Pair { sources, source, first: all[i], second: all[j], between };
        let both = is_wanted(all[i]) && is_wanted(all[j]);
        pair.stored_back().or_else(|| both.then(|| pair.both_wanted()).flatten())
    })
}

impl<'s> Pair<'s, '_> {
    fn both_wanted(&self) -> Option<Vec<Edit>> {
        self.exchanged().or_else(|| self.tested_and_set()).or_else(|| self.read_after_update())
    }

    /// `v = x; x = v + e;`, or a compare-and-swap from `v` to `v + e` whose outcome nobody looks at.
    fn stored_back(&self) -> Option<Vec<Edit>> {
        let (holder, read) = captures(&self.source, self.first).into_iter().next()?;
        let value = self.written(&read.target).or_else(|| self.swapped(&read.target, &holder))?;
        let is_old = |it: Node<'s>| tokens(&self.source, it) == holder;
        let effect = new_value(&self.source, value, is_old)?;
        let whole = Operation { node: read.node, target: read.target, effect };
        checked(self.sources, &self.source, &whole).ok()?;
        let Effect::Update { op, by, .. } = &whole.effect else { return None };
        if !self.may_move(&whole.target, value, &holder) {
            return None;
        }
        let dialect = dialect_of(self.sources, &self.source, &whole.target);
        let text = dialect.fetch(*op, &whole.target.address, by);
        Some(self.edits(whole.node, text))
    }

    /// `v = x; x = c;`.
    fn exchanged(&self) -> Option<Vec<Edit>> {
        let (holder, read) = captures(&self.source, self.first).into_iter().next()?;
        let value = self.written(&read.target)?;
        if contains(&self.source, value, &holder) || !self.may_move(&read.target, value, &holder) {
            return None;
        }
        let dialect = dialect_of(self.sources, &self.source, &read.target);
        let text = dialect.exchange(&read.target.address, self.source.text_of(value));
        Some(self.edits(read.node, text))
    }

    /// `if (x) return; x = 1;` and `while (x); x = 1;`.
    fn tested_and_set(&self) -> Option<Vec<Edit>> {
        let condition = self.first.child_by_field_name("condition").map(bare)?;
        if !leaves_or_spins(self.first) {
            return None;
        }
        let read = read_of(&self.source, condition)?;
        let value = self.written(&read.target)?;
        let text = self.source.text_of(bare(value));
        if !matches!(text, "1" | "true") || !self.may_move(&read.target, value, &[]) {
            return None;
        }
        let kind = read.target.type_of(self.sources, &self.source)?;
        let dialect = dialect_of(self.sources, &self.source, &read.target);
        let address = &read.target.address;
        // Whatever else than 0 the variable holds stays there, as in the original.
        let text = match dialect {
            Dialect::Builtin if !matches!(kind.base.as_str(), "bool" | "_Bool") => {
                format!("!__sync_bool_compare_and_swap({address}, 0, {text})")
            }
            _ => dialect.exchange(address, text),
        };
        Some(self.edits(read.node, text))
    }

    /// `x -= e; if (x == 0) …`: the second reads what the first left.
    fn read_after_update(&self) -> Option<Vec<Edit>> {
        let update = parse(&self.source, expression(self.first)?)?;
        let Effect::Update { op, by, cast: None, .. } = &update.effect else { return None };
        checked(self.sources, &self.source, &update).ok()?;
        if !self.between.is_empty() || is_used(update.node) || !is_pure_by(&update) {
            return None;
        }
        let read = only_read(&self.source, self.second, &update.target)?;
        let dialect = dialect_of(self.sources, &self.source, &update.target);
        let address = &update.target.address;
        let compared = compared_with_zero(&self.source, read);
        let (node, text) = match compared.filter(|_| op.sign == "-") {
            // The usual form for counts of references: the old value is what is taken away.
            Some((whole, sign)) if dialect == Dialect::Standard => {
                (whole, format!("{} {sign} {by}", dialect.fetch(*op, address, by)))
            }
            _ => (read, dialect.updated(*op, address, by)),
        };
        let change = Edit::replace(self.source.file, node.byte_range(), text);
        Some(vec![remove(&self.source, self.first), change])
    }

    /// What the second statement stores.
    fn written(&self, target: &Target<'_>) -> Option<Node<'s>> {
        let operation = parse(&self.source, expression(self.second)?)?;
        match operation.effect {
            Effect::Write(value) if operation.target.is(target) => Some(value),
            _ => None,
        }
    }

    /// What the second statement swaps in for the value that a local holds.
    fn swapped(&self, target: &Target<'_>, holder: &[&str]) -> Option<Node<'s>> {
        let (name, arguments) = call(&self.source, expression(self.second)?)?;
        let [address, expected, value, ..] = arguments.as_slice() else { return None };
        let is_swap = name.starts_with("atomic_compare_exchange_strong")
            || name == "__atomic_compare_exchange_n";
        let expected = Target::pointed(&self.source, *expected);
        let from = tokens(&self.source, expected.node) == holder;
        let to = Target::pointed(&self.source, *address).is(target);
        (is_swap && from && to).then_some(*value)
    }

    /// Whether the second statement's value is the same at the first, and nobody between looks.
    fn may_move(&self, target: &Target<'_>, value: Node<'s>, holder: &[&str]) -> bool {
        let used = names(&self.source, value);
        let quiet = |it: &Node<'s>| {
            let calls = descendants(*it).any(|it| it.kind() == "call_expression");
            let changed = changed_names(&self.source, *it);
            let steady = !used.iter().any(|name| changed.contains(name));
            !calls && !target.occurs_in(&self.source, *it) && steady && !leaves(*it)
        };
        let declared = changed_names(&self.source, self.first);
        let mine = |name: &&str| declared.contains(name) && !holder.contains(name);
        is_pure(cast(bare(value)).map_or(value, |it| it.1))
            && is_pure(target.node)
            && self.between.iter().all(quiet)
            && !used.iter().any(mine)
    }

    /// The first statement's read becomes `text`, and the second goes. A local that nobody else
    /// looks at goes, too.
    fn edits(&self, node: Node<'s>, text: String) -> Vec<Edit> {
        let (range, text) = match self.is_kept() {
            true => (node.byte_range(), text),
            false => (self.first.byte_range(), format!("{text};")),
        };
        let change = Edit::replace(self.source.file, range, text);
        vec![change, remove(&self.source, self.second)]
    }

    /// Whether the first statement declares anything that is used elsewhere, or declares nothing.
    fn is_kept(&self) -> bool {
        let declared = declared_names(&self.source, self.first);
        let pair = [self.first.byte_range(), self.second.byte_range()];
        let function = ancestors(self.first).find(|it| it.kind() == "function_definition");
        let mut others = function.into_iter().flat_map(descendants).filter(|it| {
            it.kind() == "identifier" && !pair.iter().any(|own| own.contains(&it.start_byte()))
        });
        let is_declaration = self.first.kind() == "declaration";
        !is_declaration || others.any(|it| declared.contains(&self.source.text_of(it)))
    }
}

fn is_pure_by(update: &Operation<'_>) -> bool {
    let node = update.node;
    let inner = parts(node).into_iter().all(is_pure);
    let arguments = node.child_by_field_name("arguments").is_some_and(is_pure);
    if node.kind() == "call_expression" { arguments } else { inner }
}

/// The expression of an expression statement.
fn expression(statement: Node<'_>) -> Option<Node<'_>> {
    let is_one = statement.kind() == "expression_statement";
    parts(statement).first().copied().filter(|_| is_one).map(bare)
}

/// The variables that a statement reads into others: the words of the other, and the read.
fn captures<'s>(source: &Source<'s>, statement: Node<'s>) -> Vec<(Vec<&'s str>, Operation<'s>)> {
    let found = descendants(statement).filter_map(|node| {
        let (holder, value) = match node.kind() {
            "init_declarator" if statement.kind() == "declaration" => {
                let declared = crate::expr::declared(node)?;
                (declared, node.child_by_field_name("value")?)
            }
            "assignment_expression" if expression(statement) == Some(node) => {
                (node.child_by_field_name("left")?, node.child_by_field_name("right")?)
            }
            _ => return None,
        };
        Some((tokens(source, holder), read_of(source, value)?))
    });
    found.collect()
}

/// A read of a variable, plain or by an atomic function, and nothing else.
fn read_of<'s>(source: &Source<'s>, value: Node<'s>) -> Option<Operation<'s>> {
    let node = bare(value);
    match node.kind() {
        "call_expression" => parse(source, node).filter(|it| it.effect == Effect::Read),
        "identifier" | "field_expression" | "subscript_expression" | "pointer_expression" => {
            let target = Target::variable(source, node);
            Some(Operation { node, target, effect: Effect::Read })
        }
        _ => None,
    }
}

/// The one place where a statement reads a variable, if it does so whatever else it does.
fn only_read<'s>(
    source: &Source<'s>,
    statement: Node<'s>,
    target: &Target<'_>,
) -> Option<Node<'s>> {
    let scope = match statement.kind() {
        "if_statement" => statement.child_by_field_name("condition")?,
        "return_statement" | "declaration" | "expression_statement" => statement,
        _ => return None,
    };
    let is_read = |it: &Node<'s>| {
        let read = read_of(source, *it).filter(|read| read.node == *it);
        read.is_some_and(|read| read.target.is(target))
    };
    let reads: Vec<Node<'s>> = descendants(scope).filter(is_read).collect();
    // An atomic load's argument names the variable as well.
    let outermost = *reads.first()?;
    let alone = reads.iter().all(|it| outermost.byte_range().contains(&it.start_byte()));
    let later = scope != statement
        && parts(statement).into_iter().any(|it| it != scope && target.occurs_in(source, it));
    let mut around = ancestors(outermost).skip(1).take_while(|it| *it != scope);
    let fixed = !around.any(|it| is_conditional_or_changes(source, it));
    (alone && fixed && !later).then_some(outermost)
}

/// The comparison of an expression with 0 that it stands in, and whether for equality.
fn compared_with_zero<'s>(source: &Source<'s>, node: Node<'s>) -> Option<(Node<'s>, &'s str)> {
    let whole = node.parent()?;
    let sign = operator(source, whole);
    let right = whole.child_by_field_name("right").map(|it| source.text_of(it));
    (matches!(sign, "==" | "!=") && right == Some("0")).then_some((whole, sign))
}

/// Whether what is inside may not be evaluated, or is not only read.
fn is_conditional_or_changes<'s>(source: &Source<'s>, node: Node<'s>) -> bool {
    match node.kind() {
        "conditional_expression" | "assignment_expression" | "update_expression" => true,
        "binary_expression" => matches!(operator(source, node), "&&" | "||"),
        "pointer_expression" => operator(source, node) == "&",
        "call_expression" => call(source, node).is_some_and(|(name, _)| name == "assert"),
        _ => false,
    }
}

/// Whether an `if` has only a way out as its body, or a loop nothing.
fn leaves_or_spins(statement: Node<'_>) -> bool {
    match statement.kind() {
        "if_statement" => {
            let body = statement.child_by_field_name("consequence");
            let no_else = statement.child_by_field_name("alternative").is_none();
            let last = body.map(|it| match it.kind() {
                "compound_statement" => parts(it).last().copied(),
                _ => Some(it),
            });
            no_else && last.flatten().is_some_and(is_exit)
        }
        "while_statement" => statement.child_by_field_name("body").is_some_and(|it| {
            parts(it).is_empty()
                && matches!(it.kind(), "compound_statement" | "expression_statement")
        }),
        _ => false,
    }
}

fn is_exit(statement: Node<'_>) -> bool {
    matches!(
        statement.kind(),
        "return_statement" | "break_statement" | "continue_statement" | "goto_statement"
    )
}

fn leaves(statement: Node<'_>) -> bool {
    descendants(statement).any(is_exit)
}
