//! Shared numbers with a point: what an update loses shows in the last bit.

use crate::concurrent::generator::Gen;

/// An update, as text and as what it does to a double.
type Update = (char, f64);

/// Two updates of one number, in the broken form without a lock; `main` rules out one outcome.
pub(in crate::concurrent) fn updates(g: &mut Gen, broken: bool) {
    let [one, other] = g.singles();
    let updates = [update(g), update(g)];
    let first = g.rng.pick(&[0.0, 1.0, -3.5, 1e16, 1e-309]);
    let (number, lock) = (g.name("real"), g.name("m"));
    let double = g.rng.chance(70);
    let ty = if double { "double" } else { "float" };
    g.global(&number, format!("{ty} {number} = {first:e};"));
    g.global(&lock, format!("pthread_mutex_t {lock} = PTHREAD_MUTEX_INITIALIZER;"));
    for (actor, (op, by)) in [one, other].into_iter().zip(updates) {
        let update = match g.rng.chance(70) {
            true => format!("{number} {op}= {by:e}; #Float"),
            false => format!("{number} = {number} {op} ({ty}){by:e}; #Float"),
        };
        let text = match broken {
            true => update,
            false => {
                format!("pthread_mutex_lock(&{lock});\n{update}\npthread_mutex_unlock(&{lock});")
            }
        };
        g.put_text(actor, &text);
    }
    // In order, in the other order, and with either update lost.
    let [x, y] = updates;
    let outcomes =
        [apply(apply(first, x), y), apply(apply(first, y), x), apply(first, x), apply(first, y)];
    let outcome = if broken { outcomes[2 + g.rng.below(2) as usize] } else { outcomes[2] };
    let check = match g.rng.below(4) {
        _ if !outcome.is_finite() => format!("? {number} < 1e300"),
        0 => format!("? (int){number} != {}", outcome as i32),
        1 => format!("? !({number} <= {outcome:e} && {number} >= {outcome:e})"),
        _ => format!("? {number} != {outcome:e}"),
    };
    g.check_text(&check);
}

fn update(g: &mut Gen) -> Update {
    (
        g.rng.pick(&['+', '-', '*', '/']),
        g.rng.pick(&[0.1, 0.5, 3.0, -7.0, 1e300, 1e-300, 4503599627370497.0]),
    )
}

fn apply(number: f64, (op, by): Update) -> f64 {
    match op {
        '+' => number + by,
        '-' => number - by,
        '*' => number * by,
        _ => number / by,
    }
}
