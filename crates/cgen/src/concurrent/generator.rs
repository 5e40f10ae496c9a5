//! What a program consists of while it is made.

use super::Extra;
use super::construct::Construct;
use super::soup::{Array, Pointer, Var};
use super::tree::{Item, Keep, Part, Stmt, parts};
use crate::rng::Rng;

/// Who executes a piece of code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Actor {
    /// `main`, between creating and joining the threads.
    Main,
    /// Every thread of a function.
    All(usize),
    /// One of several threads of a function.
    One(usize, u32),
}

/// What a thread function gets.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Arg {
    None,
    /// Its number, as a value.
    Index,
    /// A pointer to its number.
    IndexPointer,
    /// The address of something; the name of the parameter's copy and its type.
    Pointer {
        value: String,
        name: String,
        ty: String,
    },
}

/// How a thread is waited for.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Join {
    Never,
    Plain,
    /// Takes the result into this variable.
    Result(String),
}

/// A thread function and the threads that run it.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub(super) name: String,
    pub(super) count: u32,
    pub(super) arg: Arg,
    pub(super) join: Join,
    pub(super) conditional: bool,
    pub(super) body: Vec<Stmt>,
    /// Comes after the body; may return early.
    pub(super) tail: Vec<Stmt>,
    /// What it returns, or the statement that ends it.
    pub(super) end: String,
}

/// The program so far.
pub(super) struct Gen {
    pub(super) rng: Rng,
    /// Types and variables.
    pub(super) globals: Vec<Item>,
    /// Functions besides those of threads.
    pub(super) functions: Vec<Item>,
    pub(super) threads: Vec<Thread>,
    pub(super) main_acts: bool,
    /// `main`: before the threads, beside them, and after them.
    pub(super) setup: Vec<Stmt>,
    pub(super) body: Vec<Stmt>,
    pub(super) checks: Vec<Stmt>,
    /// What `main` does last of all.
    pub(super) teardown: Vec<Stmt>,
    /// The variables of the random statements.
    pub(super) vars: Vec<Var>,
    pub(super) arrays: Vec<Array>,
    pub(super) pointers: Vec<Pointer>,
    /// Structs with a member `a` and a shorter member `b`.
    pub(super) aggregates: Vec<String>,
    pub(super) mutexes: Vec<String>,
    /// May the random statements fail?
    pub(super) daring: bool,
    /// What is checked besides the default properties.
    pub(super) extra: Extra,
    /// May it use more than mutexes and atomics?
    pub(super) primitives: bool,
    /// Are the threads those of C11?
    pub(super) c11: bool,
    /// How many inputs may still be read.
    pub(super) inputs: u32,
    next: u32,
}

impl Gen {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            // Other programs than those of the sequential generator's seeds.
            rng: Rng::new(seed ^ 0x636f_6e63_7572_7265),
            globals: Vec::new(),
            functions: Vec::new(),
            threads: Vec::new(),
            main_acts: false,
            setup: Vec::new(),
            body: Vec::new(),
            checks: Vec::new(),
            teardown: Vec::new(),
            vars: Vec::new(),
            arrays: Vec::new(),
            pointers: Vec::new(),
            aggregates: Vec::new(),
            mutexes: Vec::new(),
            daring: false,
            extra: Extra::None,
            primitives: false,
            c11: false,
            inputs: 2,
            next: 0,
        }
    }

    /// A number that no other name or group has.
    pub(super) fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// A new name.
    pub(super) fn name(&mut self, prefix: &str) -> String {
        format!("{prefix}{}", self.number())
    }

    /// Declares a global variable or type of that name.
    pub(super) fn global(&mut self, name: &str, text: impl Into<String>) {
        self.globals.push(Item { name: name.into(), parts: vec![Part::Text(text.into())] });
    }

    /// A new global `int` that starts with `value`.
    pub(super) fn int(&mut self, prefix: &str, value: u32) -> String {
        let name = self.name(prefix);
        let start = if value == 0 { String::new() } else { format!(" = {value}") };
        self.global(&name, format!("int {name}{start};"));
        name
    }

    /// Defines a function and gives its name; `head` has `@` for the name.
    pub(super) fn function(&mut self, prefix: &str, head: &str, body: Vec<Stmt>) -> String {
        let name = self.name(prefix);
        let head = head.replace('@', &name);
        self.functions.push(Item { name: name.clone(), parts: parts!["static ", head, " ", body] });
        name
    }

    /// Adds statements to what an actor does.
    pub(super) fn put(&mut self, actor: Actor, stmts: Vec<Stmt>) {
        let stmts = self.only(actor, stmts);
        match actor {
            Actor::Main => self.body.extend(stmts),
            Actor::All(f) | Actor::One(f, _) => self.threads[f].body.extend(stmts),
        }
    }

    /// Adds statements that may return: nothing that counts comes after them.
    pub(super) fn put_last(&mut self, actor: Actor, stmts: Vec<Stmt>) {
        let stmts = self.only(actor, stmts);
        match actor {
            Actor::Main => self.body.extend(stmts),
            Actor::All(f) | Actor::One(f, _) => self.threads[f].tail.extend(stmts),
        }
    }

    /// May the actor end with statements that return?
    pub(super) fn can_return(&self, actor: Actor) -> bool {
        match actor {
            Actor::Main => false,
            Actor::All(f) | Actor::One(f, _) => {
                self.threads[f].tail.is_empty() && self.threads[f].end == "return 0;"
            }
        }
    }

    fn only(&mut self, actor: Actor, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let Actor::One(f, index) = actor else { return stmts };
        let id = self.id(f);
        vec![Stmt::new(parts![format!("if ({id} == {index}) "), stmts])]
    }

    /// The variable with a thread's number.
    pub(super) fn id(&self, f: usize) -> String {
        format!("id_{}", self.threads[f].name)
    }

    /// Sees to it that the threads of a function know their number.
    pub(super) fn use_index(&mut self, f: usize) -> bool {
        if self.threads[f].arg == Arg::None {
            let by_value = self.rng.chance(60);
            self.threads[f].arg = if by_value { Arg::Index } else { Arg::IndexPointer };
        }
        !matches!(self.threads[f].arg, Arg::Pointer { .. })
    }

    /// How many threads an actor stands for.
    pub(super) fn count(&self, actor: Actor) -> u32 {
        match actor {
            Actor::Main | Actor::One(..) => 1,
            Actor::All(f) => self.threads[f].count,
        }
    }

    /// Is it certain that the actor has ended when `main` makes its checks?
    pub(super) fn ends(&self, actor: Actor) -> bool {
        match actor {
            Actor::Main => true,
            Actor::All(f) | Actor::One(f, _) => {
                self.threads[f].join != Join::Never && !self.threads[f].conditional
            }
        }
    }

    /// Every thread function, and `main` if it takes part.
    pub(super) fn everyone(&self) -> Vec<Actor> {
        let mut actors: Vec<_> = (0..self.threads.len()).map(Actor::All).collect();
        if self.main_acts {
            actors.push(Actor::Main);
        }
        actors
    }

    /// Those who share a task in equal parts: at least two threads.
    pub(super) fn team(&mut self) -> Vec<Actor> {
        let mut actors = self.everyone();
        // A task of two or three threads shows as much as one of four.
        while actors.len() > 2 || self.threads_of(&actors) > 3 && actors.len() > 1 {
            let gone = self.rng.index(actors.len());
            actors.remove(gone);
        }
        if self.threads_of(&actors) < 2 {
            actors = self.two().to_vec();
        }
        actors
    }

    fn threads_of(&self, actors: &[Actor]) -> u32 {
        actors.iter().map(|actor| self.count(*actor)).sum()
    }

    /// Two actors that run at the same time, in random order.
    pub(super) fn two(&mut self) -> [Actor; 2] {
        let mut actors = Vec::new();
        for f in 0..self.threads.len() {
            if self.threads[f].count > 1 && self.rng.chance(60) && self.use_index(f) {
                actors.extend([Actor::One(f, 0), Actor::One(f, 1)]);
            } else {
                actors.push(Actor::All(f));
            }
        }
        if self.main_acts || actors.len() < 2 {
            actors.push(Actor::Main);
        }
        self.rng.shuffle(&mut actors);
        [actors[0], actors[1]]
    }

    /// The statement that leaves a thread function early.
    pub(super) fn leave(&mut self) -> Stmt {
        let exit = if self.c11 { "thrd_exit(0);" } else { "pthread_exit(0);" };
        let text = if self.rng.chance(75) { "return 0;" } else { exit };
        Stmt::new(parts![text, Construct::EarlyReturn])
    }

    /// An assertion in one of its forms.
    pub(super) fn assertion(&mut self, condition: &str) -> Stmt {
        let text = match self.rng.below(10) {
            0 => format!("if (!({condition})) reach_error();"),
            1 => format!("if (!({condition})) abort();"),
            _ => format!("assert({condition});"),
        };
        Stmt::new(vec![Part::Text(text)])
    }

    /// Two statements around others that stand or fall together.
    pub(super) fn around(&mut self, first: String, body: Vec<Stmt>, last: String) -> Vec<Stmt> {
        let id = self.number();
        let mut stmts = vec![Stmt::kept(Keep::Leads(id), parts![first])];
        stmts.extend(body);
        stmts.push(Stmt::kept(Keep::Ends(id), parts![last]));
        stmts
    }
}
