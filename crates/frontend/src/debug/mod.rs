//! Debug information: places, names and types of the source.

mod paths;
mod sites;
mod types;

use std::collections::HashMap;

use unravel_program::{Site, SiteId, TypeId, Types};
use unravel_span::Files;

pub(crate) use paths::{Paths, short_path};

use crate::llvm::{Layout, Metadata, MetadataKind, Value, operand};

/// Collects files, sites and types while the module is lowered.
pub(crate) struct Debug<'m> {
    layout: Layout<'m>,
    files: Files,
    paths: Paths,
    sites: sites::Sites,
    types: types::TypeTable,
    /// Whether an expression node is empty, by its key: asking means printing it.
    plain_expressions: HashMap<usize, bool>,
}

/// A variable as debug information declares it.
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) ty: Option<TypeId>,
}

impl<'m> Debug<'m> {
    pub(crate) fn new(layout: Layout<'m>, paths: Paths) -> Self {
        Debug {
            layout,
            files: Files::new(),
            paths,
            sites: sites::Sites::new(),
            types: types::TypeTable::default(),
            plain_expressions: HashMap::new(),
        }
    }

    /// Reads the text of all files that were met, and gives everything that was collected.
    pub(crate) fn finish(mut self) -> (Files, Types, Vec<Site>) {
        self.paths.read_texts(&mut self.files);
        (self.files, self.types.finish(), self.sites.finish())
    }

    /// Where an instruction stands; in `function` but nowhere if it has no location.
    pub(crate) fn site_of(&mut self, instruction: Value<'m>, function: &str) -> SiteId {
        let site = match self.layout.location(instruction) {
            Some(location) => self.location_site(location),
            None => self.sites.intern(Site {
                span: None,
                function: function.to_owned(),
                inlined_at: None,
                hook: None,
            }),
        };
        self.with_hook(site, instruction)
    }

    /// A site with the number of an instruction's hooks, if it has some.
    pub(crate) fn with_hook(&mut self, site: SiteId, instruction: Value<'m>) -> SiteId {
        match instruction.site(self.layout) {
            Some(hook) => self.sites.with_hook(site, hook),
            None => site,
        }
    }

    /// Whether a site lies somewhere in a file.
    pub(crate) fn has_place(&self, site: SiteId) -> bool {
        self.sites.has_place(site)
    }

    /// Where a function is defined; in itself, but nowhere, without debug information.
    pub(crate) fn function_site(&mut self, function: Value<'m>) -> SiteId {
        let span = self.layout.subprogram(function).and_then(|subprogram| {
            let file = subprogram.operand(operand::FILE)?;
            self.span(file, subprogram.declaration_line(), 0)
        });
        let function = self.function_name(function);
        self.sites.intern(Site { span, function, inlined_at: None, hook: None })
    }

    /// The name of a function in the source.
    pub(crate) fn function_name(&self, function: Value<'m>) -> String {
        let subprogram = self.layout.subprogram(function);
        subprogram.and_then(name_of).unwrap_or_else(|| function.name())
    }

    /// Name, type and place of a global variable.
    pub(crate) fn global(&mut self, global: Value<'m>) -> Option<(Variable, SiteId)> {
        let variable = self.layout.global_variable(global)?;
        let span = variable
            .operand(operand::VARIABLE_FILE)
            .and_then(|file| self.span(file, variable.declaration_line(), 0));
        let scope = variable.operand(operand::VARIABLE_SCOPE);
        let function = scope.and_then(enclosing_function).unwrap_or_default();
        let site = self.sites.intern(Site { span, function, inlined_at: None, hook: None });
        Some((self.variable(variable)?, site))
    }

    /// The `alloca` that a call of `llvm.dbg.declare` names, with the variable.
    pub(crate) fn declared(&mut self, call: Value<'m>) -> Option<(Value<'m>, Variable)> {
        let (value, variable) = self.described(call)?;
        Some((value, self.variable(variable)?))
    }

    /// The value that a call of `llvm.dbg.value` gives to a variable.
    pub(crate) fn assigned(&mut self, call: Value<'m>) -> Option<(Value<'m>, String)> {
        let (value, variable) = self.described(call)?;
        Some((value, variable.operand(operand::VARIABLE_NAME)?.text()?))
    }

    /// Value and variable of a debug call, unless a piece or function of the value is meant.
    fn described(&mut self, call: Value<'m>) -> Option<(Value<'m>, Metadata<'m>)> {
        let args = call.args();
        let [value, variable, expression] = args.as_slice() else { return None };
        let expression = self.layout.argument(*expression)?;
        if !self.is_plain(expression) {
            return None;
        }
        let value = self.layout.argument(*value)?.wrapped()?;
        Some((value, self.layout.argument(*variable)?))
    }

    fn is_plain(&mut self, expression: Metadata<'m>) -> bool {
        let is_plain = || expression.printed().contains("!DIExpression()");
        *self.plain_expressions.entry(expression.key()).or_insert_with(is_plain)
    }

    fn variable(&mut self, variable: Metadata<'m>) -> Option<Variable> {
        let name = variable.operand(operand::VARIABLE_NAME)?.text()?;
        let ty = variable.operand(operand::VARIABLE_TYPE).map(|ty| self.types.intern(ty));
        Some(Variable { name, ty })
    }
}

/// Name of a type or subprogram, if it has one.
fn name_of(node: Metadata<'_>) -> Option<String> {
    node.operand(operand::NAME)?.text().filter(|name| !name.is_empty())
}

/// Name of the function that a scope lies in.
fn enclosing_function(scope: Metadata<'_>) -> Option<String> {
    // Scopes nest as deep as blocks in C do; a cycle would be malformed.
    const DEPTH: usize = 1000;
    let mut scope = Some(scope);
    for _ in 0..DEPTH {
        match scope?.kind() {
            MetadataKind::LLVMDISubprogramMetadataKind => return name_of(scope?),
            MetadataKind::LLVMDILexicalBlockMetadataKind
            | MetadataKind::LLVMDILexicalBlockFileMetadataKind => {
                scope = scope?.operand(operand::SCOPE);
            }
            _ => return None,
        }
    }
    None
}
