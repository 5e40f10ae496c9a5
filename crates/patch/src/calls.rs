//! Calls of the thread library in the text: what they do, and the critical sections they make.

use tree_sitter::Node;

use crate::expr::{bare, call, descendants, parts, tokens};
use crate::place::siblings;
use crate::source::{Source, ancestors};

/// What a function of the thread library does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Takes the lock that is its first argument.
    Lock,
    /// Gives it back.
    Unlock,
    /// Waits on a condition variable, giving back its second argument meanwhile.
    Wait,
    /// Wakes one.
    Signal,
    /// Wakes all.
    Broadcast,
    /// Starts a thread.
    Create,
    /// Waits for a thread's end.
    Join,
    /// Says that nobody will join a thread.
    Detach,
    /// Ends the calling thread.
    Exit,
}

const FUNCTIONS: [(&str, Act); 26] = [
    ("pthread_mutex_lock", Act::Lock),
    ("pthread_rwlock_rdlock", Act::Lock),
    ("pthread_rwlock_wrlock", Act::Lock),
    ("pthread_spin_lock", Act::Lock),
    ("mtx_lock", Act::Lock),
    ("pthread_mutex_unlock", Act::Unlock),
    ("pthread_rwlock_unlock", Act::Unlock),
    ("pthread_spin_unlock", Act::Unlock),
    ("mtx_unlock", Act::Unlock),
    ("pthread_cond_wait", Act::Wait),
    ("pthread_cond_timedwait", Act::Wait),
    ("cnd_wait", Act::Wait),
    ("cnd_timedwait", Act::Wait),
    ("pthread_cond_signal", Act::Signal),
    ("cnd_signal", Act::Signal),
    ("pthread_cond_broadcast", Act::Broadcast),
    ("cnd_broadcast", Act::Broadcast),
    ("pthread_create", Act::Create),
    ("thrd_create", Act::Create),
    ("pthread_join", Act::Join),
    ("thrd_join", Act::Join),
    ("pthread_tryjoin_np", Act::Join),
    ("pthread_detach", Act::Detach),
    ("thrd_detach", Act::Detach),
    ("pthread_exit", Act::Exit),
    ("thrd_exit", Act::Exit),
];

/// A call of the thread library.
#[derive(Clone, Debug)]
pub struct Call<'s> {
    /// The call.
    pub node: Node<'s>,
    /// What it does.
    pub act: Act,
    /// The function, by the name that the text calls it.
    pub name: &'s str,
    /// The function of the library that this is.
    function: &'s str,
    /// The arguments.
    pub arguments: Vec<Node<'s>>,
}

impl<'s> Call<'s> {
    /// The words of an argument; none if it is not there.
    #[must_use]
    pub fn argument(&self, source: &Source<'s>, index: usize) -> Vec<&'s str> {
        self.arguments.get(index).map(|it| tokens(source, *it)).unwrap_or_default()
    }

    /// Whether it belongs to C11's `<threads.h>`.
    #[must_use]
    pub fn is_c11(&self) -> bool {
        !self.function.starts_with("pthread_")
    }

    /// Another function of the library, by the name that the text would call it here: its own if
    /// this call has one of its own.
    #[must_use]
    pub fn beside(&self, source: &Source<'s>, function: &'static str) -> &'s str {
        let own = source.aliases.own_name(function).filter(|_| self.name != self.function);
        own.unwrap_or(function)
    }

    /// The function that gives back what this one takes.
    #[must_use]
    pub fn unlock_name(&self, source: &Source<'s>) -> &'s str {
        let family = ["pthread_rwlock_", "pthread_spin_", "pthread_mutex_"];
        let unlock = match family.iter().position(|it| self.function.starts_with(it)) {
            Some(0) => "pthread_rwlock_unlock",
            Some(1) => "pthread_spin_unlock",
            Some(_) => "pthread_mutex_unlock",
            None => "mtx_unlock",
        };
        self.beside(source, unlock)
    }

    /// The function that joins what this one creates.
    #[must_use]
    pub fn join_name(&self, source: &Source<'s>) -> &'s str {
        self.beside(source, if self.is_c11() { "thrd_join" } else { "pthread_join" })
    }
}

/// What a function of the thread library does, by its name.
#[must_use]
pub fn act(name: &str) -> Option<Act> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, act)| *act)
}

/// The name of a function of the thread library, if it is one.
#[must_use]
pub fn library_name(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(known, _)| *known)
}

/// The call that an expression is, if it is one of the thread library.
#[must_use]
pub fn of<'s>(source: &Source<'s>, node: Node<'s>) -> Option<Call<'s>> {
    let (name, arguments) = call(source, node)?;
    let function = source.aliases.meant(name);
    Some(Call { node, act: act(function)?, name, function, arguments })
}

/// All calls of a kind in a node, in the order of the text.
#[must_use]
pub fn within<'s>(source: &Source<'s>, node: Node<'s>, act: Act) -> Vec<Call<'s>> {
    let all = descendants(node).filter_map(|it| of(source, it));
    all.filter(|it| it.act == act).collect()
}

/// The call that a statement consists of, apart from what is done with its result in the statement.
#[must_use]
pub fn statement<'s>(source: &Source<'s>, statement: Node<'s>, act: Act) -> Option<Call<'s>> {
    if statement.kind() != "expression_statement" {
        return None;
    }
    let expression = bare(*parts(statement).first()?);
    let expression = match expression.kind() {
        "assignment_expression" => bare(expression.child_by_field_name("right")?),
        "cast_expression" => bare(expression.child_by_field_name("value")?),
        _ => expression,
    };
    of(source, expression).filter(|it| it.act == act)
}

/// A critical section as the text shows it: a lock and its unlock in one block.
#[derive(Clone, Debug)]
pub struct Section<'s> {
    /// The statement that locks.
    pub lock: Node<'s>,
    /// The call in it.
    pub call: Call<'s>,
    /// The statement that unlocks, if it is in the same block.
    pub unlock: Option<Node<'s>>,
}

/// The critical sections around a statement, innermost block first, later locks first.
#[must_use]
pub fn sections<'s>(source: &Source<'s>, inner: Node<'s>) -> Vec<Section<'s>> {
    let mut found = Vec::new();
    for node in ancestors(inner).take_while(|it| it.kind() != "function_definition") {
        let Some((all, at)) = siblings(node) else { continue };
        for index in (0..at).rev() {
            let Some(call) = statement(source, all[index], Act::Lock) else { continue };
            let mutex = call.argument(source, 0);
            let unlocks = |it: &&Node<'s>| {
                statement(source, **it, Act::Unlock)
                    .is_some_and(|it| it.argument(source, 0) == mutex)
            };
            if all[index + 1..at].iter().any(|it| unlocks(&it)) {
                continue;
            }
            // The statement itself may be the unlock.
            let unlock = all[at..].iter().find(unlocks).copied();
            if unlock != Some(node) {
                found.push(Section { lock: all[index], call, unlock });
            }
        }
    }
    found
}

/// The section of a mutex, given by its words, that a statement lies in.
#[must_use]
pub fn section_of<'s>(source: &Source<'s>, inner: Node<'s>, mutex: &[&str]) -> Option<Section<'s>> {
    sections(source, inner).into_iter().find(|it| it.call.argument(source, 0) == mutex)
}

/// The lock of the outermost section around a statement, or the statement: nobody should wait for
/// another thread with a mutex held that the other may need.
#[must_use]
pub fn before_sections<'s>(source: &Source<'s>, inner: Node<'s>) -> Node<'s> {
    sections(source, inner).last().map_or(inner, |it| it.lock)
}

/// The last unlock of the sections around a statement, or the statement.
#[must_use]
pub fn after_sections<'s>(source: &Source<'s>, inner: Node<'s>) -> Node<'s> {
    let unlocks = sections(source, inner).into_iter().filter_map(|it| it.unlock);
    unlocks.max_by_key(Node::end_byte).unwrap_or(inner)
}
