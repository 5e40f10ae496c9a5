//! Which threads a program has, and how they are created and joined.

use super::construct::Construct;
use super::generator::{Actor, Arg, Gen, Join, Thread};
use super::tree::{Item, Keep, Part, Stmt, line, parts};

/// How often each thread function runs, and whether `main` takes part.
const SHAPES: &[(u32, (&[u32], bool))] = &[
    (24, (&[1], true)),
    (14, (&[2], false)),
    (26, (&[1, 1], false)),
    (7, (&[1, 1], true)),
    (5, (&[2], true)),
    (6, (&[1, 1, 1], false)),
    (6, (&[2, 1], false)),
    (5, (&[3], false)),
];

/// The same for programs in which threads cannot tell who they are.
const EQUAL_SHAPES: &[(u32, (&[u32], bool))] =
    &[(40, (&[2], false)), (25, (&[3], false)), (20, (&[2, 1], false)), (15, (&[2], true))];

impl Gen {
    /// Chooses the threads.
    pub(super) fn choose_shape(&mut self) {
        let (counts, main_acts) = self.rng.weighted(SHAPES);
        self.add_threads(counts, main_acts);
    }

    /// Chooses threads of which some are equal: all get the address of one variable, so that nothing
    /// else can tell them their numbers.
    pub(super) fn choose_equal_shape(&mut self) {
        let (counts, main_acts) = self.rng.weighted(EQUAL_SHAPES);
        self.add_threads(counts, main_acts);
        let (common, at) = (self.int("common", 0), self.name("at"));
        let (value, ty) = (format!("&{common}"), "int *".to_owned());
        self.threads[0].arg = Arg::Pointer { value, name: at.clone(), ty };
        self.threads[0].conditional = false;
        let step = self.rng.between(1, 3);
        self.put(Actor::All(0), vec![line(format!("*{at} += {step};"))]);
    }

    fn add_threads(&mut self, counts: &[u32], main_acts: bool) {
        self.main_acts = main_acts;
        for count in counts {
            let name = self.name("work");
            let join = if self.rng.chance(9) { Join::Never } else { Join::Plain };
            self.threads.push(Thread {
                name,
                count: *count,
                arg: Arg::None,
                join,
                conditional: self.rng.chance(8),
                body: Vec::new(),
                tail: Vec::new(),
                end: "return 0;".into(),
            });
        }
    }

    /// How many threads there are, with `main`.
    pub(super) fn thread_count(&self) -> u32 {
        1 + self.threads.iter().map(|thread| thread.count).sum::<u32>()
    }

    /// The function of a thread.
    pub(super) fn thread_item(&self, f: usize) -> Item {
        let thread = &self.threads[f];
        let id = self.id(f);
        let mut body = vec![Stmt::required("(void)arg;")];
        match &thread.arg {
            Arg::None => {}
            Arg::Index => body.push(
                Stmt::declares(&id, format!("int {id} = (int)(long)arg;"))
                    .mark(Construct::IndexArgument),
            ),
            Arg::IndexPointer => body.push(
                Stmt::declares(&id, format!("int {id} = *(int *)arg;"))
                    .mark(Construct::IndexArgument)
                    .mark(Construct::PointerArgument),
            ),
            Arg::Pointer { name, ty, .. } => body.push(
                Stmt::declares(name, format!("{ty}{name} = arg;")).mark(Construct::PointerArgument),
            ),
        }
        body.extend(thread.body.iter().chain(&thread.tail).cloned());
        body.push(Stmt::required(thread.end.clone()));
        let result = if self.c11 { "int " } else { "void *" };
        let head = format!("static {result}{}(void *arg) ", thread.name);
        Item { name: thread.name.clone(), parts: parts![head, body] }
    }

    /// Makes `main` create the threads of a function (first list) and join
    /// them (second list).
    pub(super) fn start(&mut self, f: usize) -> (Vec<Stmt>, Vec<Stmt>) {
        let thread = self.threads[f].clone();
        if thread.count > 1 && !thread.conditional && self.rng.chance(50) {
            return self.start_in_loop(&thread);
        }
        let (mut creates, mut joins) = (Vec::new(), Vec::new());
        for index in 0..thread.count {
            let handle = self.name("h");
            let group = self.number();
            let ty = self.handle_type();
            creates.push(Stmt::declares(&handle, format!("{ty} {handle};")));
            let test = self.condition_to_create(&thread, &mut creates);
            let arg = self.argument(&thread, &index.to_string());
            let name = &thread.name;
            let create = self.create_text(&handle, name, &arg);
            let mut create = parts![format!("{test}{create}")];
            if !test.is_empty() {
                create.push(Construct::CreateConditionally.into());
            }
            if thread.join == Join::Never {
                create.push(Construct::NotJoined.into());
            }
            if index > 0 {
                create.push(Construct::SameFunctionTwice.into());
            }
            creates.push(Stmt::kept(Keep::Leads(group), create));
            let join = self.join_text(&thread.join, &handle);
            if thread.join != Join::Never {
                joins.push(Stmt::kept(Keep::Follows(group), parts![format!("{test}{join}")]));
            }
        }
        (creates, joins)
    }

    fn condition_to_create(&mut self, thread: &Thread, creates: &mut Vec<Stmt>) -> String {
        if !thread.conditional {
            return String::new();
        }
        let made = self.name("made");
        let value = match (self.vars.first(), self.rng.below(5)) {
            (Some(var), 0) => format!("{} > 0", var.place),
            (Some(var), 1) => format!("{} < 2", var.place),
            _ => "__VERIFIER_nondet_bool()".into(),
        };
        creates.push(Stmt::declares(&made, format!("int {made} = {value};")));
        format!("if ({made}) ")
    }

    fn start_in_loop(&mut self, thread: &Thread) -> (Vec<Stmt>, Vec<Stmt>) {
        let (count, handles) = (self.name("n"), self.name("h"));
        let group = self.number();
        // One number for both loops, so that shrinking lowers both at once.
        let number = parts![format!("enum {{ {count} = "), Part::Bound(thread.count), " };"];
        self.globals.push(Item { name: count.clone(), parts: number });
        let head = |i: &str| format!("for (int {i} = 0; {i} < {count}; {i}++) ");
        let i = self.name("i");
        let arg = self.argument(thread, &i);
        let name = &thread.name;
        let create = self.create_text(&format!("{handles}[{i}]"), name, &arg);
        let (create, ty) = (head(&i) + &create, self.handle_type());
        let creates = vec![
            Stmt::declares(&handles, format!("{ty} {handles}[{count}];")),
            Stmt::kept(
                Keep::Leads(group),
                parts![create, Construct::CreateInLoop, Construct::SameFunctionTwice],
            ),
        ];
        if thread.join == Join::Never {
            return (creates, Vec::new());
        }
        let i = self.name("i");
        let join = self.join_text(&thread.join, &format!("{handles}[{i}]"));
        let join = Stmt::kept(Keep::Follows(group), parts![head(&i), join]);
        (creates, vec![join])
    }

    fn argument(&mut self, thread: &Thread, index: &str) -> String {
        match &thread.arg {
            Arg::None => "0".into(),
            Arg::Index => format!("(void *)(long){index}"),
            Arg::IndexPointer => {
                let table = format!("ids_{}", thread.name);
                if !self.globals.iter().any(|item| item.name == table) {
                    self.global(&table, format!("static int {table}[3] = {{0, 1, 2}};"));
                }
                format!("&{table}[{index}]")
            }
            Arg::Pointer { value, .. } => value.clone(),
        }
    }

    fn handle_type(&self) -> &'static str {
        if self.c11 { "thrd_t" } else { "pthread_t" }
    }

    fn create_text(&self, handle: &str, function: &str, arg: &str) -> String {
        if self.c11 {
            format!("thrd_create(&{handle}, {function}, {arg});")
        } else {
            format!("pthread_create(&{handle}, 0, {function}, {arg});")
        }
    }

    fn join_text(&self, join: &Join, handle: &str) -> String {
        let function = if self.c11 { "thrd_join" } else { "pthread_join" };
        match join {
            Join::Never => String::new(),
            Join::Plain => format!("{function}({handle}, 0);"),
            Join::Result(name) => format!("{function}({handle}, &{name});"),
        }
    }
}
