//! Short concurrent idioms, each with a correct and a broken form.

mod arithmetic;
mod barriers;
mod calls;
mod claims;
mod conds;
mod corners;
mod counted;
mod counting;
mod crowds;
mod deadlocks;
mod exclusion;
mod floats;
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
mod settings;
mod specific;
mod texts;
mod trying;
mod waiting;

use super::generator::Gen;
pub(super) use floats::updates;
pub(super) use locks::mutex_array;
pub(super) use settings::{last, rounds};

/// Adds an idiom to the program; the flag asks for the broken form.
type Idiom = fn(&mut Gen, bool);

const IDIOMS: &[(u32, Idiom)] = &[
    (9, counting::guarded),
    (13, counting::atomic),
    (7, counting::gnu),
    (7, counting::compare_exchange),
    (14, counting::static_local),
    (12, counting::thread_local),
    (7, claims::claim),
    (5, claims::dekker),
    (7, locks::pair),
    (11, locks::transfer),
    (12, mutex_array),
    (13, locks::early_return),
    (6, order::publish),
    (12, order::spin),
    (6, order::ping_pong),
    (6, order::fibonacci),
    (6, order::leave_process),
    (5, order::assume),
    (14, heap::hand_over),
    (15, heap::free_once),
    (9, heap::free_late),
    (13, heap::list),
    (14, heap::grown),
    (11, pointers::index),
    (6, pointers::null),
    (13, pointers::choice),
    (9, locals::escape),
    (6, locals::dangle),
    (6, layout::union),
    (5, layout::bits),
    (14, layout::copy),
    (5, layout::records),
    (6, calls::function_pointer),
    (6, calls::table),
    (14, calls::result),
    (13, texts::shared),
];

/// Those with more than mutexes and atomics.
const PRIMITIVES: &[(u32, Idiom)] = &[
    (12, conds::flag),
    (3, conds::meet),
    (9, corners::deadline),
    (6, corners::two_mutexes),
    (5, corners::again),
    (5, corners::copied),
    (4, corners::deleted),
    (23, conds::limited),
    (14, crowds::gate),
    (11, crowds::predicates),
    (6, crowds::buffer),
    (22, semaphores::hand_over),
    (4, semaphores::tokens),
    (17, semaphores::value),
    (5, rwlocks::pair),
    (5, rwlocks::upgrade),
    (16, rwlocks::limited),
    (56, trying::attempt),
    (3, trying::step_back),
    (5, barriers::exchange),
    (22, barriers::serial),
    (18, once::initialize),
    (9, kinds::nested),
    (7, kinds::codes),
    (4, kinds::again),
    (9, misuse::unlock),
    (7, misuse::relock),
    (7, misuse::destroy),
    (8, misuse::uninitialized),
    (3, misuse::late),
    (14, specific::own),
    (16, specific::destructor),
    (30, handles::detached),
    (7, handles::joined_by),
    (10, handles::identity),
    (5, handles::result),
    (8, deadlocks::two),
    (7, deadlocks::three),
    (12, deadlocks::by_address),
    (6, deadlocks::forgotten),
    (9, deadlocks::join),
    (7, deadlocks::join_circle),
    (5, waiting::flag),
    (3, waiting::turns),
    (10, waiting::poll),
    (6, waiting::window),
    (3, waiting::moment),
    (4, waiting::holding),
    (5, waiting::retry),
    (5, waiting::counting),
    (6, counted::sleepers),
    (4, counted::tries),
    (8, counted::last_act),
    (4, exclusion::peterson),
    (4, exclusion::dekker),
    (4, exclusion::ticket),
];

/// Those that show what a lock is good for.
const GUARDED: &[(u32, Idiom)] = &[(4, counting::guarded), (4, locks::pair), (2, claims::claim)];

/// Those that are about data races.
const RACES: &[(u32, Idiom)] = &[
    (24, races::message),
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
