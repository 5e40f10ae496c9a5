//! The mutex of a wait, and what it is called elsewhere.

use tree_sitter::Node;

use crate::calls::{self, Act, Call};
use crate::expr::root;
use crate::place::{Changes, Place};
use crate::source::{Refusal, Source, Sources};
use crate::types;

/// The mutex of a wait.
pub struct Mutex<'s> {
    /// The wait.
    pub call: Call<'s>,
    /// Where it is.
    pub place: Place<'s>,
}

impl<'s> Mutex<'s> {
    /// Its words where the wait is.
    pub fn words(&self) -> Vec<&'s str> {
        self.call.argument(&self.place.source, 1)
    }

    /// Whether it is held at another place, as far as the text shows.
    pub fn is_held(&self, sources: &Sources<'_>, place: &Place<'s>) -> bool {
        let words = self.words_at(sources, place).unwrap_or_else(|| self.words());
        calls::section_of(&place.source, place.statement, &words).is_some()
    }

    /// `lines` and then the statements from that of a place to `last`, all under the mutex.
    ///
    /// # Errors
    /// If it has no name there.
    pub fn around(
        &self,
        sources: &Sources<'_>,
        place: &Place<'s>,
        last: Node<'s>,
        lines: &[String],
        changes: &mut Changes<'s>,
    ) -> Result<(), Refusal> {
        let first = place.statement;
        let change = changes.of(place.source);
        if self.is_held(sources, place) {
            change.before(first, lines.iter().cloned());
            return Ok(());
        }
        let words = self.words_at(sources, place);
        let text = words.map(|it| it.concat()).ok_or_else(|| self.has_no_name(place))?;
        let names = match self.call.is_c11() {
            true => ["mtx_lock", "mtx_unlock"],
            false => ["pthread_mutex_lock", "pthread_mutex_unlock"],
        };
        let [lock, unlock] = names.map(|it| self.call.beside(&self.place.source, it));
        let mut before = vec![format!("{lock}({text});")];
        before.extend_from_slice(lines);
        let after = [format!("{unlock}({text});")];
        change.before(first, before);
        change.after(last, after);
        Ok(())
    }

    /// Its words at another place: those of the wait if they mean the same there, else as the
    /// condition variable is named that is signaled there.
    fn words_at(&self, sources: &Sources<'_>, place: &Place<'s>) -> Option<Vec<&'s str>> {
        if self.is_alone(place) {
            return Some(self.words());
        }
        let signals = [Act::Signal, Act::Broadcast].into_iter();
        let mut signals = signals.flat_map(|act| calls::within(&place.source, place.function, act));
        signals.find_map(|signal| self.words_beside(sources, &signal, &place.source))
    }

    /// Whether its words mean the same object at another place, whoever calls: there is one only.
    pub fn is_alone(&self, place: &Place<'s>) -> bool {
        let variable = self.call.arguments.get(1).and_then(|it| root(*it));
        let is_global = variable.is_some_and(|it| types::is_global(&self.place.source, it));
        is_global || place.function == self.place.function
    }

    /// Why it is not taken somewhere.
    pub fn has_no_name(&self, place: &Place<'s>) -> Refusal {
        let text = self.words().concat();
        place.refuse(format!("the mutex `{text}` of the wait has no name here"))
    }

    /// `&p->mutex` beside `&p->cond`, if the wait has `&queue->mutex` beside `&queue->cond` and both
    /// variables have one type. Two objects may still be meant: the patch is verified.
    fn words_beside(
        &self,
        sources: &Sources<'_>,
        signal: &Call<'s>,
        source: &Source<'s>,
    ) -> Option<Vec<&'s str>> {
        let of = |source: &Source<'_>, call: &Call<'_>| {
            types::of(sources, source, root(*call.arguments.first()?)?)
        };
        if of(&self.place.source, &self.call)? != of(source, signal)? {
            return None;
        }
        let (wait, cond) = (self.call.argument(&self.place.source, 0), signal.argument(source, 0));
        let both = wait.iter().rev().zip(cond.iter().rev());
        let same = both.take_while(|(a, b)| a == b).count();
        let words = self.words();
        let rest = words.strip_prefix(&wait[..wait.len() - same])?;
        Some([&cond[..cond.len() - same], rest].concat())
    }
}
