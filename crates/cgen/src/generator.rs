//! The state of a generator at work: what is in scope, and what running the
//! program will cost.

use crate::rng::Rng;
use crate::tree::{Expr, Item, Part, Stmt, parts};
use crate::types::{Int, Scalar, StructDef, Type};
use std::rc::Rc;

/// A variable in scope.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Constants and loop counters are not.
    pub(crate) writable: bool,
    /// May pointers point at it? Those that no pointer can reach, and that are
    /// local, may be changed in the midst of an expression.
    pub(crate) addressable: bool,
    /// For a loop counter: all its values are below this.
    pub(crate) below: Option<u32>,
}

impl Var {
    /// An ordinary variable that pointers do not reach.
    pub(crate) fn plain(name: &str, ty: Type) -> Self {
        Self { name: name.into(), ty, writable: true, addressable: false, below: None }
    }

    /// A counter with values in `0..below`.
    pub(crate) fn counter(name: &str, kind: Int, below: u32) -> Self {
        let plain = Self::plain(name, Type::int(kind));
        Self { writable: false, below: Some(below), ..plain }
    }
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(crate) struct Func {
    pub(crate) name: String,
    pub(crate) ret: Scalar,
    pub(crate) params: Vec<Type>,
    /// Writes nothing but its own locals: may stand anywhere in an expression.
    pub(crate) pure: bool,
    /// About how many operations one call runs.
    pub(crate) cost: u64,
}

/// The operations that `main` and any other function may run, by estimate.
/// The estimate counts a statement as several operations and assumes that
/// every branch is taken, so the true number is well below.
const MAIN_LIMIT: u64 = 60_000;
const FUNCTION_LIMIT: u64 = 1_200;
const STATEMENT_COST: u64 = 6;

/// Generates one program.
pub(crate) struct Gen {
    pub(crate) rng: Rng,
    next_id: u32,
    pub(crate) structs: Vec<Rc<StructDef>>,
    pub(crate) globals: Vec<Var>,
    pub(crate) locals: Vec<Var>,
    pub(crate) funcs: Vec<Func>,
    pub(crate) items: Vec<Item>,
    /// Inside a pure function: nothing but locals may change.
    pub(crate) pure: bool,
    pub(crate) in_loop: bool,
    /// How often the code being generated runs in one call.
    mult: u64,
    cost: u64,
    limit: u64,
    /// The variable that the current full expression may change; no other
    /// part of the expression mentions it.
    pub(crate) effect: Option<Var>,
    pub(crate) hidden: Option<String>,
}

impl Gen {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            next_id: 0,
            structs: Vec::new(),
            globals: Vec::new(),
            locals: Vec::new(),
            funcs: Vec::new(),
            items: Vec::new(),
            pure: false,
            in_loop: false,
            mult: 1,
            cost: 0,
            limit: MAIN_LIMIT,
            effect: None,
            hidden: None,
        }
    }

    /// A name used nowhere else in the program. The shrinker relies on that:
    /// it can look up names without regard to scope.
    pub(crate) fn fresh(&mut self, prefix: &str) -> String {
        self.next_id += 1;
        format!("{prefix}{}", self.next_id)
    }

    pub(crate) fn item(&mut self, name: &str, parts: Vec<Part>) {
        self.items.push(Item { name: name.into(), parts });
    }

    /// Runs `body`, then forgets the locals that it declared.
    pub(crate) fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.locals.len();
        let result = body(self);
        self.locals.truncate(mark);
        result
    }

    /// Runs `body` as the inside of a loop of at most `trips` rounds.
    pub(crate) fn looped<T>(&mut self, trips: u32, body: impl FnOnce(&mut Self) -> T) -> T {
        let (mult, in_loop) = (self.mult, self.in_loop);
        self.mult *= u64::from(trips.max(1));
        self.in_loop = true;
        let result = self.scoped(body);
        (self.mult, self.in_loop) = (mult, in_loop);
        result
    }

    /// An expression inside a loop whose counter it may read.
    pub(crate) fn counted(&mut self, counter: &str, trips: u32, depth: u32) -> Expr {
        self.looped(trips, |g| {
            g.locals.push(Var::counter(counter, Int::Int, trips));
            g.int_expr(depth)
        })
    }

    /// Generates the inside of another function with the given parameters and
    /// returns the cost of a call as well.
    pub(crate) fn in_function<T>(
        &mut self,
        params: Vec<Var>,
        pure: bool,
        body: impl FnOnce(&mut Self) -> T,
    ) -> (T, u64) {
        let locals = std::mem::replace(&mut self.locals, params);
        let outer = (self.pure, self.in_loop, self.mult, self.cost, self.limit);
        let hidden = (self.effect.take(), self.hidden.take());
        (self.pure, self.in_loop, self.mult, self.cost) = (pure, false, 1, STATEMENT_COST);
        self.limit = FUNCTION_LIMIT;
        let result = body(self);
        let cost = self.cost;
        (self.pure, self.in_loop, self.mult, self.cost, self.limit) = outer;
        (self.effect, self.hidden) = hidden;
        self.locals = locals;
        (result, cost)
    }

    /// Accounts for a statement here.
    pub(crate) fn charge_statement(&mut self) {
        self.cost += self.mult * STATEMENT_COST;
    }

    /// Accounts for a call of a function of this cost, unless it is too dear.
    pub(crate) fn charge_call(&mut self, cost: u64) -> bool {
        let total = self.cost + self.mult * cost;
        if total > self.limit {
            return false;
        }
        self.cost = total;
        true
    }

    /// May a loop of so many rounds be started here?
    pub(crate) fn loop_fits(&self, trips: u32) -> bool {
        let runs = self.mult * u64::from(trips);
        runs <= 150 && self.cost + runs * 5 * STATEMENT_COST <= self.limit
    }

    /// Is the code run so seldom that printing or a long passage is in place?
    pub(crate) fn runs_seldom(&self) -> bool {
        self.mult <= 6
    }

    /// A statement that makes a value count for the result of the program.
    pub(crate) fn sink(&mut self, value: Expr) -> Stmt {
        if value.ty.is_float() {
            return self.sink_float(value);
        }
        match self.rng.below(4) {
            0 if self.runs_seldom() => Stmt::new(parts![
                crate::feature::Feature::Printf,
                "printf(\"%lld\\n\", (long long)",
                value,
                ");"
            ]),
            _ => Stmt::new(parts![crate::helper::Helper::Mix, "(", value, ");"]),
        }
    }

    fn sink_float(&mut self, value: Expr) -> Stmt {
        use crate::helper::Helper::{ClampDouble, DoubleBits, Mix};
        Stmt::new(parts![Mix, "(", DoubleBits, "(", ClampDouble, "(", value, ")));"])
    }
}
