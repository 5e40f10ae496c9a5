//! What `main` is called with, as far as it looks.
//!
//! An answer is about one command line. Where `main` looks at it, the report says which one that was;
//! where it does not, there is nothing to say.

use crate::{BlockId, Function, GlobalId, Liveness, Op, Operand, Program, Reg};

/// What a program is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program's name, and the words behind it.
    pub words: Vec<String>,
    /// `main` looks at its third parameter, too: the environment, which is empty.
    pub has_environment: bool,
}

impl CommandLine {
    /// What `main` is called with, if it looks at its parameters.
    #[must_use]
    pub fn looked_at(program: &Program) -> Option<CommandLine> {
        let main = program.function(program.main);
        let live = Liveness::of(main);
        let entry = live.before(BlockId(0), 0);
        let looks = |index: usize| {
            let param = main.params.get(index);
            param.is_some_and(|&it| entry.contains(it) && !is_only_kept(main, it))
        };
        if !(0..main.params.len()).any(looks) {
            return None;
        }
        let &Operand::Global(argv, _) = program.arguments.get(1)? else { return None };
        Some(CommandLine { words: words(program, argv), has_environment: looks(2) })
    }
}

/// The texts that a vector of pointers leads to.
fn words(program: &Program, vector: GlobalId) -> Vec<String> {
    let word = |operand| match operand {
        Operand::Global(id, _) => program.global(id).bytes.as_deref(),
        _ => None,
    };
    let relocations = program.global(vector).relocations.iter();
    let words = relocations.filter_map(|it| word(it.target));
    words.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

/// Whether a parameter is only written to a variable that nobody reads, as the compiler does with
/// each of them where locals are kept in memory. `(void)argc;` is no reading.
fn is_only_kept(main: &Function, param: Reg) -> bool {
    let stored = |op: &Op| match *op {
        Op::Store { address: Operand::Reg(to), value, .. } if value == Operand::Reg(param) => {
            Some(to)
        }
        _ => None,
    };
    let mut variables = users(main, param).map(|user| match user {
        User::Op(op) => stored(op),
        User::End => None,
    });
    variables.all(|it| it.is_some_and(|variable| is_never_read(main, variable)))
}

/// Whether nothing is done with a variable but to write it.
fn is_never_read(main: &Function, variable: Reg) -> bool {
    users(main, variable).all(|user| match user {
        User::Op(Op::Store { value, .. }) => *value != Operand::Reg(variable),
        User::Op(Op::Load { dst, .. }) => users(main, *dst).next().is_none(),
        User::Op(Op::EndLocal { .. }) => true,
        _ => false,
    })
}

/// Who uses a register.
enum User<'a> {
    Op(&'a Op),
    End,
}

fn users(main: &Function, reg: Reg) -> impl Iterator<Item = User<'_>> {
    let is_it = move |operand: &Operand| *operand == Operand::Reg(reg);
    main.blocks.iter().flat_map(move |block| {
        let ops = block.instructions.iter().map(|it| &it.op);
        let ops = ops.filter(move |op| op.uses().iter().any(is_it)).map(User::Op);
        ops.chain(block.end.uses().iter().any(is_it).then_some(User::End))
    })
}
