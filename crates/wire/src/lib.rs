//! What the runtime inside a recorded program and the recorder outside say to each other.
//!
//! They share one piece of memory. It begins with a [`Control`]: the recorder writes its wishes
//! there before the program starts, and the runtime reports there how it ended. Then come the
//! schedule to be followed, if there is one ([`Segment`]s), and a ring of [`Record`]s: the runtime
//! writes one for every event, the recorder reads them while the program runs. So nothing is lost
//! when the program crashes: what was written is in memory that the recorder owns, too.
//!
//! - [`record`]: what an event looks like.
//! - [`control`]: the head of the memory, the strategies, and where the parts lie.
//!
//! The crate uses neither the standard library nor memory of its own, since the runtime may not.

#![no_std]
#![forbid(unsafe_code)]

pub mod control;
pub mod record;

pub use control::{Choice, Control, MAGIC, Segment, Strategy, VERSION};
pub use record::{Kind, Record};
