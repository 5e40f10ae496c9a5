//! Control flow around a piece of code.

use super::construct::Construct;
use super::generator::Gen;
use super::tree::{Part, Stmt, block, line, parts};

/// A piece of code and how often it runs.
pub(super) struct Wrapped {
    pub(super) stmts: Vec<Stmt>,
    pub(super) least: u32,
    pub(super) most: u32,
}

impl Gen {
    /// Puts some control flow around statements that neither return nor use a
    /// local of the function around them. With `exact`, it is known how often
    /// they run.
    pub(super) fn wrap(&mut self, stmts: Vec<Stmt>, exact: bool) -> Wrapped {
        let once = |stmts| Wrapped { stmts, least: 1, most: 1 };
        match self.rng.below(if exact { 16 } else { 24 }) {
            0 => once(self.in_function(stmts)),
            1 => once(self.in_table(stmts)),
            2 => once(self.in_switch(stmts)),
            3 => once(self.before_label(stmts)),
            4 => once(self.in_ifs(stmts)),
            5 => once(self.in_pointer(stmts)),
            6 => once(self.in_returning(stmts)),
            7 => self.in_recursion(stmts),
            8 | 9 => self.in_loop(stmts),
            16.. => self.perhaps(stmts),
            _ => once(stmts),
        }
    }

    fn in_function(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let name = self.function("f", "void @(void)", stmts);
        vec![Stmt::new(parts![format!("{name}();"), Construct::Call])]
    }

    fn other_function(&mut self) -> String {
        let other = self.simple(&[]);
        self.function("f", "void @(void)", vec![other])
    }

    /// A call through a table of two functions.
    fn in_table(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let (a, b) = (self.function("f", "void @(void)", stmts), self.other_function());
        let table = self.name("table");
        self.functions.push(super::tree::Item {
            name: table.clone(),
            parts: parts![format!("static void (*const {table}[2])(void) = {{{a}, {b}}};")],
        });
        let index = match self.any_var() {
            Some(var) => format!("({} & 8) >> 3", var.place),
            None => "0".into(),
        };
        // A variable that counts could get that far; a small one cannot.
        let small = self.vars.iter().all(|var| !var.counts);
        let index = if small { index } else { "0".into() };
        vec![Stmt::new(parts![format!("{table}[{index}]();"), Construct::FunctionTable])]
    }

    /// A call through a local function pointer.
    fn in_pointer(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let name = self.function("f", "void @(void)", stmts);
        let pointer = self.name("call");
        let text = format!("{{ void (*{pointer})(void) = {name}; if ({pointer}) {pointer}(); }}");
        vec![Stmt::new(parts![text, Construct::FunctionPointer])]
    }

    fn in_switch(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let truth = self.truth();
        let other = vec![self.simple(&[])];
        let parts = parts![
            format!("switch ({truth}) {{ case 0: "),
            other,
            " break; case 1: ",
            stmts,
            " break; default: ; }",
        ];
        vec![Stmt::new(parts)]
    }

    fn before_label(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let (label, truth) = (self.name("L"), self.truth());
        let mut all = vec![line(format!("if (!({truth})) goto {label};"))];
        all.extend(stmts);
        all.push(Stmt::declares(&label, format!("{label}: ;")));
        all
    }

    fn in_ifs(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let (outer, inner) = (self.truth(), self.truth());
        let inner = block(format!("if ({inner})"), stmts).mark(Construct::NestedIf);
        vec![block(format!("if ({outer})"), vec![inner])]
    }

    /// A function that returns before the statements unless something is true.
    fn in_returning(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let truth = self.truth();
        let mut body = vec![line(format!("if (!({truth})) return;"))];
        body.extend(stmts);
        let name = self.function("f", "void @(void)", body);
        vec![Stmt::new(parts![format!("{name}();"), Construct::Call, Construct::EarlyReturn])]
    }

    fn in_recursion(&mut self, stmts: Vec<Stmt>) -> Wrapped {
        let name = self.name("down");
        let times = self.rng.between(1, 2);
        let mut body = vec![Stmt::required("if (n <= 0) return;")];
        body.extend(stmts);
        body.push(line(format!("{name}(n - 1);")).mark(Construct::Recursion));
        let parts = parts![format!("static void {name}(int n) "), body];
        self.functions.push(super::tree::Item { name: name.clone(), parts });
        let call = Stmt::new(parts![format!("{name}("), Part::Bound(times), ");"]);
        Wrapped { stmts: vec![call], least: times, most: times }
    }

    fn in_loop(&mut self, stmts: Vec<Stmt>) -> Wrapped {
        let (i, times) = (self.name("i"), self.rng.between(1, 2));
        let head = format!("for (int {i} = 0; {i} < ");
        let bound = Part::Bound(times);
        let parts = parts![head, bound, format!("; {i}++) "), stmts, Construct::BoundedLoop];
        Wrapped { stmts: vec![Stmt::new(parts)], least: times, most: times }
    }

    /// Not always, or not always as often.
    fn perhaps(&mut self, stmts: Vec<Stmt>) -> Wrapped {
        if self.rng.chance(50) {
            let condition = self.condition(&[]);
            let stmts = vec![Stmt::new(parts!["if (", condition, ") ", stmts])];
            return Wrapped { stmts, least: 0, most: 1 };
        }
        let i = self.name("i");
        let limit = self.leaf(&[]);
        let parts = parts![
            format!("for (int {i} = 0; {i} < (int)("),
            limit,
            format!(") && {i} < "),
            Part::Bound(2),
            format!("; {i}++) "),
            stmts,
            Construct::CappedLoop,
        ];
        Wrapped { stmts: vec![Stmt::new(parts)], least: 0, most: 2 }
    }
}
