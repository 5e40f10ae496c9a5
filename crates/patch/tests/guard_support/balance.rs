//! Whether a function takes and gives back a mutex in turns on every way through it: an abstract
//! execution over the syntax, written apart from the code under test.

use std::collections::BTreeMap;

use tree_sitter::Node;

/// The mutex may be free.
const FREE: u8 = 1;
/// The mutex may be held.
const HELD: u8 = 2;

/// The faults of all functions of a text.
pub fn faults(text: &str, expression: &str) -> Vec<String> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_c::LANGUAGE.into()).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let mut faults = Vec::new();
    let mut stack = vec![tree.root_node()];
    while let Some(node) = stack.pop() {
        if node.kind() == "function_definition" {
            faults.extend(function_faults(text, expression, node));
        } else {
            let mut cursor = node.walk();
            stack.extend(node.children(&mut cursor));
        }
    }
    faults
}

fn function_faults(text: &str, expression: &str, function: Node<'_>) -> Vec<String> {
    let body = function.child_by_field_name("body").unwrap();
    let mut walk =
        Walk { text, expression, labels: BTreeMap::new(), around: Vec::new(), faults: Vec::new() };
    for _ in 0..4 {
        walk.faults.clear(); // jumps backwards are known in the next round
        let end = walk.execute(body, FREE);
        walk.leave(end, body);
    }
    walk.faults
}

struct Walk<'t> {
    text: &'t str,
    expression: &'t str,
    labels: BTreeMap<&'t str, u8>,
    around: Vec<Around>,
    faults: Vec<String>,
}

/// A loop or `switch` around the statement that is executed.
#[derive(Clone, Copy, Default)]
struct Around {
    is_switch: bool,
    entry: u8,
    breaks: u8,
    continues: u8,
}

impl<'t> Walk<'t> {
    fn text_of(&self, node: Node<'_>) -> &'t str {
        &self.text[node.byte_range()]
    }

    fn leave(&mut self, state: u8, node: Node<'_>) {
        if state & HELD != 0 {
            self.faults
                .push(format!("left with the mutex held, line {}", node.end_position().row + 1));
        }
    }

    fn execute(&mut self, node: Node<'t>, state: u8) -> u8 {
        match node.kind() {
            "compound_statement" | "else_clause" => self.sequence(node, state),
            "case_statement" => {
                let entry =
                    self.around.iter().rev().find(|it| it.is_switch).map_or(0, |it| it.entry);
                self.sequence(node, state | entry)
            }
            "preproc_ifdef" | "preproc_if" => {
                let alternative = node.child_by_field_name("alternative");
                let other = alternative.map_or(state, |it| self.sequence(it, state));
                self.sequence(node, state) | other
            }
            "labeled_statement" => {
                let name = self.text_of(node.child_by_field_name("label").unwrap());
                let from = self.labels.get(name).copied().unwrap_or(0);
                self.sequence(node, state | from)
            }
            "goto_statement" => {
                let name = self.text_of(node.child_by_field_name("label").unwrap());
                *self.labels.entry(name).or_default() |= state;
                0
            }
            "if_statement" => {
                let then = self.execute(node.child_by_field_name("consequence").unwrap(), state);
                let other = node.child_by_field_name("alternative");
                then | other.map_or(state, |it| self.execute(it, state))
            }
            "while_statement" | "for_statement" | "do_statement" => self.repeat(node, state),
            "switch_statement" => {
                self.around.push(Around { is_switch: true, entry: state, ..Around::default() });
                let body = node.child_by_field_name("body").unwrap();
                let end = self.execute(body, 0);
                let breaks = self.around.pop().unwrap().breaks;
                let has_default = self.text_of(body).contains("default");
                end | breaks | if has_default { 0 } else { state }
            }
            "break_statement" => {
                self.around.last_mut().unwrap().breaks |= state;
                0
            }
            "continue_statement" => {
                self.around.iter_mut().rev().find(|it| !it.is_switch).unwrap().continues |= state;
                0
            }
            "return_statement" => {
                self.leave(state, node);
                0
            }
            _ => self.simple(node, state),
        }
    }

    fn sequence(&mut self, list: Node<'t>, mut state: u8) -> u8 {
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor).collect::<Vec<_>>() {
            if !child.kind().starts_with("preproc_el") {
                state = self.execute(child, state);
            }
        }
        state
    }

    fn repeat(&mut self, node: Node<'t>, state: u8) -> u8 {
        let condition = node.child_by_field_name("condition").map(|it| self.text_of(it));
        let endless =
            condition.map_or(node.kind() == "for_statement", |it| it == "(1)" || it == "(true)");
        let is_do = node.kind() == "do_statement";
        let body = node.child_by_field_name("body").unwrap();
        let (mut head, mut tested) = (state, 0);
        let mut breaks = 0;
        for _ in 0..3 {
            self.around.push(Around::default());
            let end = self.execute(body, head);
            let around = self.around.pop().unwrap();
            breaks |= around.breaks;
            tested |= end | around.continues;
            head |= tested;
        }
        let exit = if is_do { tested } else { head };
        breaks | if endless { 0 } else { exit }
    }

    fn simple(&mut self, node: Node<'t>, state: u8) -> u8 {
        let text: String = self.text_of(node).split_whitespace().collect();
        let called = |name: &str| text == format!("{name}({});", self.expression);
        if called("pthread_mutex_lock") {
            if state & HELD != 0 {
                self.faults.push(format!("taken twice, line {}", node.start_position().row + 1));
            }
            return if state == 0 { 0 } else { HELD };
        }
        if called("pthread_mutex_unlock") {
            if state & FREE != 0 {
                self.faults
                    .push(format!("given back twice, line {}", node.start_position().row + 1));
            }
            return if state == 0 { 0 } else { FREE };
        }
        if text.starts_with("pthread_exit(") || text.starts_with("thrd_exit(") {
            self.leave(state, node);
            return 0;
        }
        let ends = ["exit(", "abort("].iter().any(|it| text.starts_with(it));
        if ends { 0 } else { state }
    }
}
