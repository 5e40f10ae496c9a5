//! Loops of local work that never end.
//!
//! A step goes on with local work up to the next operation that others can notice. A loop that waits
//! for what nobody can change any more never comes to one: `while (!flag);` when no other thread is
//! left. Such a loop comes back to the whole state that it began with, and there the step ends. So
//! the thread can step again, and its next step leads to the same state.
//!
//! The state at a loop head is kept and compared with the later ones; the kept one is replaced after
//! 16, 32, 64… turns, so every period is found (Brent 1980). Only where the registers agree is
//! the whole state compared. So a loop that counts costs a comparison of registers in each turn.

use crate::exec::{Exec, clear_dead};
use crate::fingerprint::fingerprint;
use crate::hang::without_turns;
use crate::state::Frame;

/// Turns before a state is kept.
const FIRST: u64 = 16;

/// What is known of the loops that a step turns.
#[derive(Default)]
pub(crate) struct LocalLoop {
    /// How often a loop head was entered.
    entered: u64,
    kept: Option<Kept>,
}

/// A state at a loop head.
struct Kept {
    depth: usize,
    frame: Frame,
    fingerprint: u128,
}

impl Kept {
    fn may_be(&self, depth: usize, frame: &Frame) -> bool {
        self.depth == depth
            && (self.frame.function, self.frame.block) == (frame.function, frame.block)
            && self.frame.registers == frame.registers
    }
}

impl Exec<'_, '_> {
    /// Whether the thread has come back to a loop head with everything as it was.
    pub fn turns_for_ever(&mut self) -> bool {
        let thread = self.state.thread(self.me);
        let Some(frame) = thread.frames.last().filter(|frame| frame.index == 0) else {
            return false;
        };
        let heads = &self.machine.heads[frame.function.0 as usize];
        if !thread.is_running() || thread.atomic_depth > 0 || !heads[frame.block.0 as usize] {
            return false;
        }
        self.local_loop.entered += 1;
        let entered = self.local_loop.entered;
        if entered < FIRST {
            return false;
        }
        self.clear_dead_registers();
        let (depth, frame) = {
            let frames = &self.state.thread(self.me).frames;
            (frames.len(), &frames[frames.len() - 1])
        };
        if entered.is_power_of_two() {
            let (frame, fingerprint) = (frame.clone(), self.fingerprint());
            self.local_loop.kept = Some(Kept { depth, frame, fingerprint });
            return false;
        }
        let Some(kept) = &self.local_loop.kept else { return false };
        kept.may_be(depth, frame) && kept.fingerprint == self.fingerprint()
    }

    fn clear_dead_registers(&mut self) {
        let machine = self.machine;
        let frame = self.frame_mut();
        let live = machine.liveness[frame.function.0 as usize].before(frame.block, frame.index);
        clear_dead(&mut frame.registers, |reg| live.contains(reg));
    }

    fn fingerprint(&self) -> u128 {
        fingerprint(&without_turns(self.state), self.machine.pointer_bytes())
    }
}
