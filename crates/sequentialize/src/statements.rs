//! Statements: written as they are where one segment holds them, else taken apart along the way that
//! the thread went.

use tree_sitter::Node;
use unravel_patch::source::descendants;

use crate::condition::Context;
use crate::trace::{Fate, What};
use crate::tree::{field, parts};
use crate::walk::{Halt, Walk, Walker};

/// How control leaves a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next one.
    Next,
    /// Out of a loop or a `switch`.
    Break,
    /// To the next turn of a loop.
    Continue,
    /// Out of the function.
    Return,
    /// To a label.
    Goto(String),
}

impl<'a> Walker<'_, 'a> {
    /// Walks through a statement.
    pub fn statement(&mut self, node: Node<'a>) -> Walk<Flow> {
        if self.sought.is_some() && !self.holds_label(node) {
            return Ok(Flow::Next);
        }
        let apart = matches!(
            node.kind(),
            "compound_statement"
                | "declaration"
                | "labeled_statement"
                | "type_definition"
                | "struct_specifier"
                | "union_specifier"
                | "enum_specifier"
        );
        if !apart
            && self.sought.is_none()
            && let Some(extent) = self.is_whole(node)
        {
            self.whole(node, extent.end, extent.segment)?;
            return Ok(Flow::Next);
        }
        match node.kind() {
            "compound_statement" => self.block(node),
            "declaration" => self.declaration(node).map(|()| Flow::Next),
            "type_definition" | "struct_specifier" | "union_specifier" | "enum_specifier" => {
                self.local_type(node).map(|()| Flow::Next)
            }
            "expression_statement" => {
                parts(node).first().map_or(Ok(()), |it| self.effect(*it)).map(|()| Flow::Next)
            }
            "if_statement" => self.branch(node),
            "while_statement" => self.while_loop(node),
            "do_statement" => self.do_loop(node),
            "for_statement" => self.for_loop(node),
            "switch_statement" => self.switch(node),
            "return_statement" => self.return_value(node).map(|()| Flow::Return),
            "break_statement" => Ok(Flow::Break),
            "continue_statement" => Ok(Flow::Continue),
            "goto_statement" => {
                let label = field(node, "label").map_or("", |it| self.unit.text(it));
                Ok(Flow::Goto(label.to_owned()))
            }
            "labeled_statement" => self.labeled(node),
            "attributed_statement" | "else_clause" => match parts(node).last() {
                Some(inner) => self.statement(*inner),
                None => Ok(Flow::Next),
            },
            "comment" => Ok(Flow::Next),
            kind => {
                let what = kind.replace('_', " ");
                self.refuse(format!("{what} inside of a function"), node)
            }
        }
    }

    fn whole(&mut self, node: Node<'a>, end: usize, segment: Option<usize>) -> Walk<()> {
        let segment = segment.unwrap_or(self.segment);
        let useless = node.kind() == "expression_statement"
            && (self.is_void_name(node) || parts(node).is_empty());
        if !useless {
            let text = self.text(node)?;
            self.write(segment, text, node);
        }
        self.go(end);
        Ok(())
    }

    /// `(void)arg;`, which is there for the compiler.
    fn is_void_name(&self, node: Node<'a>) -> bool {
        let text: String = self.unit.text(node).split_whitespace().collect();
        let name = text.strip_prefix("(void)").and_then(|it| it.strip_suffix(';'));
        name.is_some_and(|it| it.chars().all(|c| c.is_alphanumeric() || c == '_'))
    }

    fn block(&mut self, node: Node<'a>) -> Walk<Flow> {
        self.scopes.push(crate::text::Scope::new());
        let flow = self.items(&parts(node));
        self.scopes.pop();
        flow
    }

    /// Statements in a row, and again from a label among them that control goes to.
    fn items(&mut self, items: &[Node<'a>]) -> Walk<Flow> {
        let mut next = 0;
        loop {
            let mut flow = Flow::Next;
            for item in &items[next..] {
                flow = self.statement(*item)?;
                if flow != Flow::Next {
                    break;
                }
            }
            let Flow::Goto(label) = &flow else { return Ok(flow) };
            let Some(target) = items.iter().position(|it| has_label(self, *it, label)) else {
                return Ok(flow);
            };
            (next, self.sought) = (target, Some(label.clone()));
        }
    }

    fn holds_label(&self, node: Node<'a>) -> bool {
        self.sought.as_ref().is_some_and(|it| has_label(self, node, it))
    }

    fn labeled(&mut self, node: Node<'a>) -> Walk<Flow> {
        let label = field(node, "label").map(|it| self.unit.text(it));
        if self.sought.as_deref() == label {
            self.sought = None;
        }
        let inner = parts(node).into_iter().skip(1).last();
        inner.map_or(Ok(Flow::Next), |it| self.statement(it))
    }

    fn branch(&mut self, node: Node<'a>) -> Walk<Flow> {
        if self.sought.is_some() {
            return self.refuse("a jump into a branch", node);
        }
        let Some(condition) = field(node, "condition") else { return Ok(Flow::Next) };
        let taken = self.condition(condition, Context::Branch)?;
        let body = field(node, if taken { "consequence" } else { "alternative" });
        body.map_or(Ok(Flow::Next), |it| self.statement(it))
    }

    fn while_loop(&mut self, node: Node<'a>) -> Walk<Flow> {
        let (Some(condition), Some(body)) = (field(node, "condition"), field(node, "body")) else {
            return Ok(Flow::Next);
        };
        self.no_jump_into(node)?;
        loop {
            let began = self.at;
            if !self.condition(condition, Context::Loop)? {
                return Ok(Flow::Next);
            }
            match self.statement(body)? {
                Flow::Next | Flow::Continue => self.turn(began)?,
                Flow::Break => return Ok(Flow::Next),
                other => return Ok(other),
            }
        }
    }

    fn do_loop(&mut self, node: Node<'a>) -> Walk<Flow> {
        let (Some(condition), Some(body)) = (field(node, "condition"), field(node, "body")) else {
            return Ok(Flow::Next);
        };
        self.no_jump_into(node)?;
        loop {
            let began = self.at;
            match self.statement(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                other => return Ok(other),
            }
            if !self.condition(condition, Context::Loop)? {
                return Ok(Flow::Next);
            }
            self.turn(began)?;
        }
    }

    fn for_loop(&mut self, node: Node<'a>) -> Walk<Flow> {
        self.no_jump_into(node)?;
        self.scopes.push(crate::text::Scope::new());
        let flow = self.for_turns(node);
        self.scopes.pop();
        flow
    }

    fn for_turns(&mut self, node: Node<'a>) -> Walk<Flow> {
        let Some(body) = field(node, "body") else { return Ok(Flow::Next) };
        match field(node, "initializer") {
            Some(init) if init.kind() == "declaration" => self.declaration(init)?,
            Some(init) => self.effect(init)?,
            None => {}
        }
        loop {
            let began = self.at;
            if let Some(condition) = field(node, "condition")
                && !self.condition(condition, Context::Loop)?
            {
                return Ok(Flow::Next);
            }
            match self.statement(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                other => return Ok(other),
            }
            if let Some(update) = field(node, "update") {
                self.effect(update)?;
            }
            self.turn(began)?;
        }
    }

    fn no_jump_into(&self, node: Node<'a>) -> Walk<()> {
        if self.sought.is_some() { self.refuse("a jump into a loop", node) } else { Ok(()) }
    }

    /// A loop whose turns do nothing that is recorded but jumps would turn here forever.
    fn turn(&mut self, began: usize) -> Walk<()> {
        if self.at > began {
            return Ok(());
        }
        match self.entries().get(self.at) {
            Some(entry) if entry.what == What::Other && entry.fate == Fate::Done => {
                self.go(self.at + 1);
                Ok(())
            }
            _ => Err(Halt::End),
        }
    }

    /// The case that control went to is the one that the next entry lies in.
    fn switch(&mut self, node: Node<'a>) -> Walk<Flow> {
        let (Some(value), Some(body)) = (field(node, "condition"), field(node, "body")) else {
            return Ok(Flow::Next);
        };
        let value = self.value(value)?;
        let value = self.keep(value, node, "value")?;
        let switch = self.find(|it| it.what == What::Switch)?;
        self.go(switch + 1);
        let cases = parts(body);
        let next = self.entries()[self.at..].iter().find(|it| it.span.is_some());
        let offset = next.and_then(|it| self.unit.offset(it.span?));
        let taken =
            cases.iter().position(|it| offset.is_some_and(|at| it.byte_range().contains(&at)));
        self.case_check(&cases, taken, &value.text, node)?;
        let Some(taken) = taken else { return Ok(Flow::Next) };
        self.scopes.push(crate::text::Scope::new());
        let mut flow = Flow::Next;
        for case in &cases[taken..] {
            let label = field(*case, "value");
            let items: Vec<_> = parts(*case).into_iter().filter(|it| Some(*it) != label).collect();
            flow = self.items(&items)?;
            if flow != Flow::Next {
                break;
            }
        }
        self.scopes.pop();
        Ok(if flow == Flow::Break { Flow::Next } else { flow })
    }

    /// That the value is one of the labels in a row that lead to a case.
    fn case_check(
        &mut self,
        cases: &[Node<'a>],
        taken: Option<usize>,
        value: &str,
        node: Node<'a>,
    ) -> Walk<()> {
        let label = |it: &Node<'a>| field(*it, "value");
        let falls_to = |at: usize| {
            let empty = |it: &Node<'a>| parts(*it).len() <= usize::from(label(it).is_some());
            taken.is_some_and(|taken| {
                at == taken || at < taken && cases[at..taken].iter().all(empty)
            })
        };
        let chosen: Vec<usize> = (0..cases.len()).filter(|at| falls_to(*at)).collect();
        let by_default = chosen.is_empty() || chosen.iter().any(|at| label(&cases[*at]).is_none());
        let mut tests = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            if let Some(label) = label(case)
                && by_default != chosen.contains(&at)
            {
                tests.push(format!("{value} == {}", self.line_text(label)?));
            }
        }
        if !tests.is_empty() {
            let tests = tests.join(" || ");
            let test = if by_default { tests } else { format!("!({tests})") };
            self.check(test, self.segment, node);
        }
        Ok(())
    }
}

fn has_label(walker: &Walker<'_, '_>, node: Node<'_>, label: &str) -> bool {
    descendants(node)
        .filter(|it| it.kind() == "labeled_statement")
        .any(|it| field(it, "label").is_some_and(|it| walker.unit.text(it) == label))
}
