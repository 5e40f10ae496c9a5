//! How a mutex is declared, locked and unlocked.

use std::collections::BTreeSet;

use tree_sitter::Node;
use unravel_span::FileId;

use super::{Mutex, run::Run};
use crate::exits::refuse;
use crate::functions::Function;
use crate::names::{has_word, is_used, words};
use crate::source::{
    Source, ancestors, behind_labels, call_statement, called, descendants, is_statement,
};
use crate::spelling::{self, Spelling};
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

/// How the text names a mutex.
#[derive(Clone, Debug)]
enum Form {
    /// By calls of the thread library, with this argument.
    Library { kind: Kind, expression: String },
    /// In words of its own.
    Spelled(Spelling),
}

/// A mutex.
#[derive(Clone, Debug)]
pub(super) struct Lock {
    form: Form,
    /// Its name, if it is new.
    new: Option<String>,
}

impl Lock {
    pub(super) fn new(sources: &Sources<'_>, mutex: &Mutex) -> Result<Lock, Refusal> {
        let (form, new) = match mutex {
            Mutex::New { name } if is_used(sources, name) => {
                return Err(Refusal { why: format!("the name `{name}` is in use"), at: None });
            }
            Mutex::New { name } => {
                let expression = format!("&{name}");
                (Form::Library { kind: KINDS[0], expression }, Some(name.clone()))
            }
            Mutex::Existing { expression, .. } => {
                let kind = kind_of(sources, expression).ok_or_else(|| Refusal {
                    why: format!("`{expression}` is locked nowhere"),
                    at: None,
                })?;
                (Form::Library { kind, expression: expression.clone() }, None)
            }
            Mutex::Spelled { spelling, .. } => (Form::Spelled(spelling.clone()), None),
        };
        Ok(Lock { form, new })
    }

    /// What the atomic blocks of verification tasks take and give back.
    pub(super) fn of_atomic_blocks() -> Lock {
        Lock { form: Form::Spelled(spelling::atomic_blocks()), new: None }
    }

    /// The same mutex under the other names that it has.
    pub(super) fn others(&self, mutex: &Mutex) -> Vec<Lock> {
        let forms: Vec<Form> = match (mutex, &self.form) {
            (Mutex::Existing { others, .. }, Form::Library { kind, .. }) => {
                let named = |it: &String| Form::Library { kind: *kind, expression: it.clone() };
                others.iter().map(named).collect()
            }
            (Mutex::Spelled { others, .. }, _) => {
                others.iter().cloned().map(Form::Spelled).collect()
            }
            _ => Vec::new(),
        };
        forms.into_iter().map(|form| Lock { form, new: None }).collect()
    }

    /// What a function calls the mutexes of this kind that it takes.
    pub(super) fn taken_by<'a>(
        &self,
        sources: &'a Sources<'_>,
        function: &Function<'a>,
    ) -> Vec<Lock> {
        let source = &function.source;
        let forms: Vec<Form> = match &self.form {
            Form::Library { kind, .. } => {
                let calls = descendants(function.node).filter_map(|it| called(source, it));
                let taking = calls.filter(|(name, _)| *name == kind.lock);
                let first = taking.filter_map(|(_, arguments)| arguments.named_child(0));
                let named = |it: Node<'_>| source.text_of(it).to_owned();
                first.map(|it| Form::Library { kind: *kind, expression: named(it) }).collect()
            }
            Form::Spelled(_) => {
                let all = spelling::within(sources, source, function.node);
                all.into_iter().map(Form::Spelled).collect()
            }
        };
        forms.into_iter().map(|form| Lock { form, new: None }).collect()
    }

    /// The mutex of a function as a caller with these arguments would write it.
    pub(super) fn at_call(&self, function: &Function<'_>, arguments: &[&str]) -> Option<Lock> {
        let form = match &self.form {
            Form::Library { kind, expression } => {
                let expression = function.at_call(arguments, expression)?;
                Form::Library { kind: *kind, expression }
            }
            Form::Spelled(spelling) => Form::Spelled(spelling.at_call(function, arguments)?),
        };
        Some(Lock { form, new: None })
    }

    /// What tells it apart: its text, without whitespace.
    pub(super) fn key(&self) -> String {
        match &self.form {
            Form::Library { expression, .. } => dense(expression),
            Form::Spelled(spelling) => dense(&spelling.take),
        }
    }

    pub(super) fn lock_lines(&self) -> Vec<String> {
        match &self.form {
            Form::Library { kind, expression } => vec![format!("{}({expression});", kind.lock)],
            Form::Spelled(spelling) => spelling.take.lines().map(str::to_owned).collect(),
        }
    }

    pub(super) fn unlock_line(&self) -> String {
        match &self.form {
            Form::Library { kind, expression } => format!("{}({expression});", kind.unlock),
            Form::Spelled(spelling) => spelling.give.clone(),
        }
    }

    /// The function that locks so that nobody else has it, for one that can be shared.
    pub(super) fn lock_name(&self) -> Option<&'static str> {
        match &self.form {
            Form::Library { kind, .. } => Some(kind.lock),
            Form::Spelled(_) => None,
        }
    }

    /// What a statement does to the mutex, if that is all that it does.
    pub(super) fn operation(&self, source: &Source<'_>, statement: Node<'_>) -> Option<Operation> {
        self.own_operation(source, behind_labels(statement))
    }

    /// The same of a statement without the one behind its labels.
    pub(super) fn own_operation(
        &self,
        source: &Source<'_>,
        statement: Node<'_>,
    ) -> Option<Operation> {
        match &self.form {
            Form::Library { kind, expression } => {
                let (name, arguments) = call_statement(source, statement)?;
                is_meant(source, arguments, expression).then(|| kind.named(name)).flatten()
            }
            Form::Spelled(spelling) => {
                let text =
                    Some(statement).filter(|it| is_statement(*it)).map(|it| source.text_of(it));
                let text = dense(text?);
                if text == dense(&spelling.take) {
                    return Some(Operation::Lock);
                }
                (text == dense(&spelling.give)).then_some(Operation::Unlock)
            }
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
        let is_operation = match &self.form {
            Form::Library { kind, expression } => {
                (kind.named(name).is_some() || kind.attempts.contains(&name))
                    && is_meant(source, arguments, expression)
            }
            Form::Spelled(Spelling { take, give }) => {
                let text = format!("{};", dense(source.text_of(node)));
                text == dense(take) || text == dense(give)
            }
        };
        if is_operation && !is_plain {
            return Err(refuse(source, "the mutex is taken within an expression", node));
        }
        Ok(())
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

    /// Refuses a run where the mutex cannot be named.
    pub(super) fn check_scope(&self, sources: &Sources<'_>, run: &Run<'_>) -> Result<(), Refusal> {
        if self.new.is_some() {
            return Ok(());
        }
        let text = match &self.form {
            Form::Library { expression, .. } => expression.clone(),
            // What a macro is given need not be the name of anything.
            Form::Spelled(Spelling { take, .. })
                if words(take).next().is_some_and(|it| !sources.macros(it).is_empty()) =>
            {
                return Ok(());
            }
            Form::Spelled(Spelling { take, give }) => format!("{take} {give}"),
        };
        let hidden = names_in(&text).into_iter().find(|it| !is_visible(sources, run, it));
        match hidden {
            Some(name) => {
                let why = format!("`{name}` of `{}` is not in scope there", self.key());
                Err(refuse(&run.source, &why, run.first))
            }
            None => Ok(()),
        }
    }
}

impl Kind {
    fn named(&self, name: &str) -> Option<Operation> {
        match name {
            _ if name == self.lock => Some(Operation::Lock),
            _ if name == self.shared => Some(Operation::Share),
            _ if name == self.unlock => Some(Operation::Unlock),
            _ => None,
        }
    }
}

fn is_meant(source: &Source<'_>, arguments: Node<'_>, expression: &str) -> bool {
    let argument = arguments.named_child(0).map(|it| dense(source.text_of(it)));
    argument.is_some_and(|it| it == dense(expression))
}

/// The variables of a text: no members, no numbers, no functions, and none of C's own words.
fn names_in(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        let head = rest[..at].trim_end();
        before = if head.ends_with("->") { '.' } else { head.chars().last().unwrap_or(before) };
        let (word, behind) = rest[at..].split_at(
            rest[at..]
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(rest.len() - at),
        );
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_called = behind.trim_start().starts_with('(');
        let is_known = word.starts_with("memory_order") || word.starts_with("__ATOMIC");
        if before != '.' && !is_number && !is_called && !is_known {
            found.push(word);
        }
        (before, rest) = (' ', behind);
    }
    found
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
