//! How a mutex is declared, locked and unlocked.

use std::collections::BTreeSet;

use tree_sitter::Node;
use unravel_span::FileId;

use super::{Mutex, run::Run};
use crate::exits::refuse;
use crate::names::{has_word, is_used, words};
use crate::source::{Source, ancestors, behind_labels, call_statement, called, descendants};
use crate::style::{declare_globals, include};
use crate::{Edit, Refusal, Region, Sources};

/// The calls of one kind of mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    lock: &'static str,
    unlock: &'static str,
    /// Takes it too, but shared.
    shared: &'static str,
    /// Takes it perhaps.
    attempts: &'static [&'static str],
}

const KINDS: [Kind; 4] = [
    Kind {
        lock: "pthread_mutex_lock",
        unlock: "pthread_mutex_unlock",
        shared: "",
        attempts: &["pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock"],
    },
    Kind {
        lock: "pthread_rwlock_wrlock",
        unlock: "pthread_rwlock_unlock",
        shared: "pthread_rwlock_rdlock",
        attempts: &["pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock"],
    },
    Kind {
        lock: "pthread_spin_lock",
        unlock: "pthread_spin_unlock",
        shared: "",
        attempts: &["pthread_spin_trylock"],
    },
    Kind {
        lock: "mtx_lock",
        unlock: "mtx_unlock",
        shared: "",
        attempts: &["mtx_trylock", "mtx_timedlock"],
    },
];

/// What a call does to the mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Lock,
    /// Takes it so that others may have it too.
    Share,
    Unlock,
}

/// A mutex.
#[derive(Clone, Debug)]
pub(super) struct Lock {
    kind: Kind,
    /// As the argument of its calls.
    pub expression: String,
    /// Its name, if it is new.
    new: Option<String>,
}

impl Lock {
    pub(super) fn new(sources: &Sources<'_>, mutex: &Mutex) -> Result<Lock, Refusal> {
        match mutex {
            Mutex::New { name } if is_used(sources, name) => {
                Err(Refusal { why: format!("the name `{name}` is in use"), at: None })
            }
            Mutex::New { name } => {
                Ok(Lock { kind: KINDS[0], expression: format!("&{name}"), new: Some(name.clone()) })
            }
            Mutex::Existing { expression, .. } => {
                let kind = kind_of(sources, expression).ok_or_else(|| Refusal {
                    why: format!("`{expression}` is locked nowhere"),
                    at: None,
                })?;
                Ok(Lock { kind, expression: expression.clone(), new: None })
            }
        }
    }

    /// The same mutex under another name.
    pub(super) fn called(&self, expression: String) -> Lock {
        Lock { kind: self.kind, expression, new: None }
    }

    pub(super) fn lock_line(&self) -> String {
        format!("{}({});", self.kind.lock, self.expression)
    }

    pub(super) fn unlock_line(&self) -> String {
        format!("{}({});", self.kind.unlock, self.expression)
    }

    /// The function that locks.
    pub(super) fn lock_name(&self) -> &'static str {
        self.kind.lock
    }

    /// What a statement does to the mutex, if that is all that it does.
    pub(super) fn operation(&self, source: &Source<'_>, statement: Node<'_>) -> Option<Operation> {
        let (name, arguments) = call_statement(source, behind_labels(statement))?;
        self.is_meant(source, arguments).then(|| self.named(name)).flatten()
    }

    fn named(&self, name: &str) -> Option<Operation> {
        match name {
            _ if name == self.kind.lock => Some(Operation::Lock),
            _ if name == self.kind.shared => Some(Operation::Share),
            _ if name == self.kind.unlock => Some(Operation::Unlock),
            _ => None,
        }
    }

    /// Refuses operations on the mutex whose effect is not that of a plain statement.
    pub(super) fn check_calls<'a>(
        &self,
        source: &Source<'a>,
        node: Node<'a>,
    ) -> Result<(), Refusal> {
        let Some((name, arguments)) = called(source, node) else { return Ok(()) };
        let is_plain = node.parent().is_some_and(|it| self.operation(source, it).is_some());
        let is_operation = self.named(name).is_some() || self.kind.attempts.contains(&name);
        if is_operation && !is_plain && self.is_meant(source, arguments) {
            return Err(refuse(source, "the mutex is taken within an expression", node));
        }
        Ok(())
    }

    fn is_meant(&self, source: &Source<'_>, arguments: Node<'_>) -> bool {
        let argument = arguments.named_child(0).map(|it| dense(source.text_of(it)));
        argument.is_some_and(|it| it == dense(&self.expression))
    }

    /// Its declarations: one definition, and a declaration in every other file.
    pub(super) fn declare(
        &self,
        sources: &Sources<'_>,
        files: &BTreeSet<FileId>,
        regions: &[Region],
    ) -> Result<Vec<Edit>, Refusal> {
        let (Some(name), Some(region)) = (&self.new, regions.first()) else {
            return Ok(Vec::new());
        };
        // A header is compiled into several objects, a definition may be in one only.
        let is_header = |file: FileId| sources.files().path(file).ends_with(".h");
        let home = files.iter().copied().find(|file| !is_header(*file));
        let why = "all regions are in headers, where no mutex can be defined";
        let home = home.ok_or_else(|| Refusal::new(why, region.first))?;
        let linkage = if files.len() == 1 { "static " } else { "" };
        let mut edits = Vec::new();
        for &file in files {
            let line = if file == home {
                format!("{linkage}pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;")
            } else {
                format!("extern pthread_mutex_t {name};")
            };
            edits.extend(include(sources, file, "<pthread.h>"));
            let source = sources.source(file);
            edits.extend(
                source.iter().flat_map(|it| declare_globals(it, std::slice::from_ref(&line))),
            );
        }
        Ok(edits)
    }

    /// Refuses a run where the expression cannot be written.
    pub(super) fn check_scope(&self, sources: &Sources<'_>, run: &Run<'_>) -> Result<(), Refusal> {
        if self.new.is_some() {
            return Ok(());
        }
        let members = self.expression.replace("->", ".");
        let mut before = ' ';
        for part in members.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            let is_member = before == '.';
            before = part.chars().last().unwrap_or(' ');
            let name =
                words(part).next().filter(|it| !it.starts_with(|c: char| c.is_ascii_digit()));
            if let Some(name) = name.filter(|it| !is_member && !is_visible(sources, run, it)) {
                let why = format!("`{name}` of `{}` is not in scope there", self.expression);
                return Err(refuse(&run.source, &why, run.first));
            }
        }
        Ok(())
    }
}

/// A text without whitespace.
pub(super) fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The kind of mutex, by the calls that take it; where it has another name, by the calls that take a
/// member or variable of its last name.
fn kind_of(sources: &Sources<'_>, expression: &str) -> Option<Kind> {
    let wanted = dense(expression);
    kind_where(sources, |argument| *argument == wanted)
        .or_else(|| kind_where(sources, |argument| words(argument).last() == words(&wanted).last()))
}

fn kind_where(sources: &Sources<'_>, is_meant: impl Fn(&String) -> bool) -> Option<Kind> {
    let files = sources.files().iter().filter_map(|(file, _)| sources.source(file));
    let mut names = BTreeSet::new();
    for source in files {
        for (name, arguments) in descendants(source.root).filter_map(|it| called(&source, it)) {
            let argument = arguments.named_child(0).map(|it| dense(source.text_of(it)));
            if argument.as_ref().is_some_and(&is_meant) {
                names.insert(name.to_owned());
            }
        }
    }
    let is_used = |kind: &Kind| {
        let calls =
            [kind.lock, kind.unlock, kind.shared].into_iter().chain(kind.attempts.iter().copied());
        calls.into_iter().any(|call| names.contains(call))
    };
    KINDS.into_iter().find(is_used)
}

/// Whether a name is declared where a run begins.
fn is_visible(sources: &Sources<'_>, run: &Run<'_>, name: &str) -> bool {
    let names = |node: Node<'_>, source: &Source<'_>| {
        let mut cursor = node.walk();
        let mut declarators = node.children_by_field_name("declarator", &mut cursor);
        declarators.any(|it| {
            let declared =
                it.child_by_field_name("declarator").filter(|_| it.kind() == "init_declarator");
            has_word(source.text_of(declared.unwrap_or(it)), name)
        })
    };
    let is_local = ancestors(run.first).take_while(|it| *it != run.function).any(|around| {
        let earlier = std::iter::successors(around.prev_named_sibling(), Node::prev_named_sibling);
        earlier.into_iter().any(|it| it.kind() == "declaration" && names(it, &run.source))
            || around.child_by_field_name("initializer").is_some_and(|it| names(it, &run.source))
    });
    let declarator = run.function.child_by_field_name("declarator");
    let mut parts = declarator.into_iter().flat_map(descendants);
    let is_parameter =
        parts.any(|it| it.kind() == "parameter_declaration" && names(it, &run.source));
    let is_global = |source: &Source<'_>| {
        let declarations = descendants(source.root).filter(|it| it.kind() == "declaration");
        declarations.into_iter().any(|it| {
            let in_function = ancestors(it).any(|it| it.kind() == "function_definition");
            !in_function && names(it, source)
        })
    };
    let headers = sources.files().iter().filter(|(_, file)| file.path.ends_with(".h"));
    let mut headers = headers.filter_map(|(id, _)| sources.source(id));
    is_local
        || is_parameter
        || is_global(&run.source)
        || headers.any(|it| is_global(&it))
        || !sources.macros(name).is_empty()
}
