//! Semaphores and barriers count. What they did is decided by the schedule, but with another count
//! it would not have been possible: then the file leaves the run.

use tree_sitter::Node;
use unravel_interp::Property;
use unravel_program::library::Primitive;
use unravel_program::library::sync::{Argument, Class, Deed};

use crate::output::Line;
use crate::pieces::{Filled, Piece, joined};
use crate::sync::dereferenced;
use crate::trace::Entry;
use crate::tree::arguments;
use crate::walk::{Walk, Walker};

/// What an operation does to a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Sets the count.
    Set,
    /// Sets how many are to meet, of whom none is there yet.
    Gather,
    /// Adds one to the count.
    Give,
    /// Takes one, or waits for one.
    Take,
    /// Takes one if there is one.
    Try,
    /// Waits until as many threads are there.
    Meet,
    /// Asks for the count.
    Read,
}

/// Where an operation is carried out.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// The segment that it begins in.
    pub begins: usize,
    /// The segment that it ends in, if it does.
    pub ends: Option<usize>,
    /// Others come in between.
    pub waits: bool,
}

/// Whether an operation counts.
pub fn counting(name: &str) -> Option<Counting> {
    let op = Primitive::named(name)?.sync_op()?;
    match (op.class(), op.deed()) {
        (Class::Sem, Deed::Init) => Some(Counting::Set),
        (Class::Barrier, Deed::Init) => Some(Counting::Gather),
        (_, Deed::Post) => Some(Counting::Give),
        (_, Deed::SemWait) => Some(Counting::Take),
        (_, Deed::SemTryWait | Deed::SemTimedWait) => Some(Counting::Try),
        (_, Deed::Arrive) => Some(Counting::Meet),
        (_, Deed::GetValue) => Some(Counting::Read),
        _ => None,
    }
}

/// The arguments of an operation on a synchronization object.
#[derive(Default)]
pub struct Operands<'a> {
    /// All pieces.
    pub filled: Vec<Filled<'a>>,
    /// How many of them lead to the object.
    object: usize,
    /// Where the pieces of the last argument begin.
    begins_last: usize,
    /// The value of the last argument.
    last: String,
}

impl<'a> Operands<'a> {
    /// The time of a timed operation, which is the last argument: its text and its pieces.
    pub fn time(&self) -> Option<(&str, &[Filled<'a>])> {
        let pieces = self.filled.get(self.begins_last..).filter(|it| !it.is_empty())?;
        Some((self.last.as_str(), pieces))
    }
}

impl<'a> Walker<'_, 'a> {
    /// Computes the arguments of an operation. Those behind `&` are places; a count is a value.
    pub fn operands(&mut self, node: Node<'a>, counting: Option<Counting>) -> Walk<Operands<'a>> {
        let (mut pieces, mut object, mut last) = (Vec::new(), 0, 0);
        for (index, argument) in arguments(node).into_iter().enumerate() {
            last = pieces.len();
            let sets = matches!(counting, Some(Counting::Set | Counting::Gather));
            if sets && index == Argument::Count.position() {
                pieces.push(Piece::Hole(argument));
            } else {
                pieces.extend(self.pieces(argument)?);
            }
            object = if index == 0 { pieces.len() } else { object };
        }
        let filled = self.fill(pieces, Vec::new())?;
        let (begins_last, last) = (last, joined(&filled[last..]));
        Ok(Operands { filled, object, begins_last, last })
    }

    /// What an operation does to the count: statements for where it begins, and for where it ends
    /// if that is another segment.
    pub fn count(
        &mut self,
        node: Node<'a>,
        counting: Option<Counting>,
        operands: &mut Operands<'a>,
        at: Counted,
        last: &Entry,
    ) -> Walk<[String; 2]> {
        let none = String::new;
        let Some(counting) = counting else { return Ok([none(), none()]) };
        let segment = if counting == Counting::Meet { Some(at.begins) } else { at.ends };
        let Some(segment) = segment else { return Ok([none(), none()]) };
        self.settle(&mut operands.filled, Some(segment))?;
        let text = self.counted(node, counting, operands, at.waits, last)?;
        Ok(if segment == at.begins { [text, none()] } else { [none(), text] })
    }

    fn counted(
        &mut self,
        node: Node<'a>,
        counting: Counting,
        operands: &Operands<'a>,
        waits: bool,
        last: &Entry,
    ) -> Walk<String> {
        let it = object(&joined(&operands.filled[..operands.object]));
        let leave = format!("{}({});", self.out.other_way, self.unit.line(node));
        let takes = last.written.is_some_and(|it| it.bits > 0);
        Ok(match counting {
            Counting::Set => format!("{it}.sync_count = {};", operands.last),
            Counting::Gather => {
                format!("{it}.sync_count = {};\n{it}.sync_arrived = 0;", operands.last)
            }
            Counting::Give => format!("{it}.sync_count++;"),
            // Time may be up at any moment.
            Counting::Try if !takes && arguments(node).len() > 1 => String::new(),
            Counting::Try if !takes => format!("if ({it}.sync_count > 0) {leave}"),
            Counting::Take | Counting::Try => {
                format!("if ({it}.sync_count-- == 0) {leave}")
            }
            Counting::Meet if waits => {
                format!("if (++{it}.sync_arrived >= {it}.sync_count) {leave}")
            }
            Counting::Meet => {
                let test = format!("if (++{it}.sync_arrived < {it}.sync_count) {leave}");
                format!("{test}\n{it}.sync_arrived = 0;")
            }
            Counting::Read => {
                let target = arguments(node).get(1).map(|it| self.line_text(*it)).transpose()?;
                format!("{} = (int){it}.sync_count;", dereferenced(&target.unwrap_or_default()))
            }
        })
    }

    /// A thread that waits for ever on a semaphore does so because nothing is left.
    pub fn stuck(&mut self, node: Node<'a>, counting: Option<Counting>, operands: &Operands<'a>) {
        let violation = self.trace.violation.as_ref();
        let deadlock = violation.is_some_and(|it| it.property() == Property::Deadlock);
        if deadlock && counting == Some(Counting::Take) {
            let it = object(&joined(&operands.filled[..operands.object]));
            let (line, leave) = (self.unit.line(node), &self.out.other_way);
            let text = format!("if ({it}.sync_count > 0) {leave}({line});");
            let segment = self.trace.segments.len().saturating_sub(1);
            let comment = self.place(node);
            self.out.waiting.push(Line { segment, text, comment, fails: false });
        }
    }
}

/// The object that an argument points to.
fn object(text: &str) -> String {
    let place = text.strip_prefix('&');
    let simple = |it: &&str| {
        it.chars().all(|c| c.is_alphanumeric() || "_.[]->".contains(c)) && !it.is_empty()
    };
    match place.filter(simple) {
        Some(place) => place.to_owned(),
        None => format!("(*(sync_object *)({text}))"),
    }
}
