//! Short concurrent idioms, each with a correct and a broken form.

mod arithmetic;
mod barriers;
mod calls;
mod claims;
mod conds;
mod counting;
mod crowds;
mod deadlocks;
mod exclusion;
mod handles;
mod heap;
mod kinds;
mod layout;
mod locals;
mod locks;
mod misuse;
mod once;
mod order;
mod ordering;
mod pointers;
mod races;
mod rwlocks;
mod semaphores;
mod specific;
mod trying;
mod waiting;

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

/// Those with more than mutexes and atomics.
const PRIMITIVES: &[(u32, Idiom)] = &[
    (12, conds::flag),
    (4, conds::meet),
    (10, conds::limited),
    (8, crowds::gate),
    (6, crowds::predicates),
    (8, crowds::buffer),
    (16, semaphores::hand_over),
    (5, semaphores::tokens),
    (9, semaphores::value),
    (6, rwlocks::pair),
    (5, rwlocks::upgrade),
    (16, rwlocks::limited),
    (30, trying::attempt),
    (4, trying::step_back),
    (9, barriers::exchange),
    (10, barriers::serial),
    (14, once::initialize),
    (6, kinds::nested),
    (8, kinds::codes),
    (6, kinds::again),
    (10, misuse::unlock),
    (8, misuse::relock),
    (8, misuse::destroy),
    (8, misuse::uninitialized),
    (2, misuse::late),
    (10, specific::own),
    (10, specific::destructor),
    (20, handles::detached),
    (7, handles::joined_by),
    (9, handles::identity),
    (5, handles::result),
    (6, deadlocks::two),
    (6, deadlocks::three),
    (6, deadlocks::forgotten),
    (8, deadlocks::join),
    (6, deadlocks::join_circle),
    (7, waiting::flag),
    (4, waiting::turns),
    (9, waiting::poll),
    (4, waiting::moment),
    (5, waiting::retry),
    (5, exclusion::peterson),
    (5, exclusion::dekker),
    (5, exclusion::ticket),
];

/// Those that show what a lock is good for.
const GUARDED: &[(u32, Idiom)] = &[(4, counting::guarded), (4, locks::pair), (2, claims::claim)];

/// Those that are about data races.
const RACES: &[(u32, Idiom)] = &[
    (14, races::message),
    (3, races::flag),
    (6, races::locked),
    (4, races::readers),
    (4, races::life),
    (5, races::once),
    (3, races::members),
    (4, races::owners),
    (10, ordering::message),
];

/// Those that are about undefined arithmetic.
const ARITHMETIC: &[(u32, Idiom)] =
    &[(6, arithmetic::checked), (2, arithmetic::limit), (2, arithmetic::sum)];

/// Which list an idiom is taken from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum List {
    Primitives,
    Guarded,
    Races,
    Arithmetic,
}

/// Adds some idiom of a list.
pub(super) fn any_of(g: &mut Gen, list: List, broken: bool) {
    let idioms = match list {
        List::Primitives => PRIMITIVES,
        List::Guarded => GUARDED,
        List::Races => RACES,
        List::Arithmetic => ARITHMETIC,
    };
    let idiom = g.rng.weighted(idioms);
    idiom(g, broken);
}

/// Adds some idiom.
pub(super) fn any(g: &mut Gen, broken: bool) {
    let idiom = g.rng.weighted(IDIOMS);
    idiom(g, broken);
}
