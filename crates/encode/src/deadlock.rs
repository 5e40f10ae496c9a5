//! Deadlocks of locks and joins (DESIGN §2).

use crate::Encoder;

impl Encoder {
    pub fn encode_deadlocks(&mut self) {}
}
