//! Short concurrent idioms, each with a correct and a broken form.

mod calls;
mod claims;
mod counting;
mod heap;
mod layout;
mod locals;
mod locks;
mod order;
mod pointers;

use super::generator::Gen;

/// Adds an idiom to the program; the flag asks for the broken form.
type Idiom = fn(&mut Gen, bool);

const IDIOMS: &[(u32, Idiom)] = &[
    (9, counting::guarded),
    (13, counting::atomic),
    (7, counting::gnu),
    (7, counting::compare_exchange),
    (11, counting::static_local),
    (12, counting::thread_local),
    (7, claims::claim),
    (5, claims::dekker),
    (7, locks::pair),
    (11, locks::transfer),
    (12, locks::mutex_array),
    (13, locks::early_return),
    (6, order::publish),
    (12, order::spin),
    (6, order::ping_pong),
    (6, order::fibonacci),
    (6, order::leave_process),
    (5, order::assume),
    (14, heap::hand_over),
    (12, heap::free_once),
    (9, heap::free_late),
    (13, heap::list),
    (11, pointers::index),
    (6, pointers::null),
    (10, pointers::choice),
    (9, locals::escape),
    (6, locals::dangle),
    (6, layout::union),
    (5, layout::bits),
    (14, layout::copy),
    (5, layout::records),
    (6, calls::function_pointer),
    (6, calls::table),
    (12, calls::result),
];

/// Adds some idiom.
pub(super) fn any(g: &mut Gen, broken: bool) {
    let idiom = g.rng.weighted(IDIOMS);
    idiom(g, broken);
}
