//! What goes wrong in the runs of a cause.

use unravel_kinds::{Deed, Mistake, Pattern};

use super::say;
use crate::model::{Cause, CauseShape, CorePoint, CoreRegion, Place, RaceAccess};

/// A cause in a sentence; empty if there is nothing to say but its name.
#[must_use]
pub fn message(cause: &Cause) -> String {
    let text = match (&cause.shape, &cause.mistake) {
        // Where a lock is never unlocked, only one of them waits for the other.
        (CauseShape::Torn { region, by, .. }, Some(Mistake::NotUnlocked { .. }))
            if cause.pattern == Pattern::Deadlock =>
        {
            format!("{} and {} cannot both go on", in_words(region).text, in_words(by).text)
        }
        _ => shape(cause.pattern, &cause.shape),
    };
    if text.is_empty() { text } else { say(text) }
}

/// The name of a cause and what happens: `deadlock: lines 5 to 6 of f …`.
#[must_use]
pub fn named(cause: &Cause) -> String {
    let message = message(cause);
    let name = cause.pattern.code();
    if message.is_empty() { name.to_owned() } else { format!("{name}: {message}") }
}

fn shape(pattern: Pattern, shape: &CauseShape) -> String {
    match shape {
        CauseShape::Torn { region, by, .. } if pattern == Pattern::Deadlock => {
            format!("{} and {} wait for each other", in_words(region).text, in_words(by).text)
        }
        CauseShape::Torn { region, by, same_function, variables } => {
            torn(pattern, (region, by), *same_function, variables)
        }
        CauseShape::Circle { regions, threads } => circle(regions, *threads),
        CauseShape::Early { first, second, more } => early(pattern, (first, second), *more),
        CauseShape::Race { first, second } => race(first, second),
        CauseShape::Unknown => String::new(),
    }
}

fn torn(
    pattern: Pattern,
    (region, by): (&CoreRegion, &CoreRegion),
    same_function: bool,
    variables: &[String],
) -> String {
    let other = in_words(by);
    let (other, verb) = if same_function {
        (format!("another thread at {}", other.text), "gets")
    } else {
        let verb = if other.is_plural { "get" } else { "gets" };
        (other.text, verb)
    };
    let about = match variables {
        [] => String::new(),
        all => format!(" ({})", all.join(", ")),
    };
    let lost = match pattern {
        Pattern::LostWakeup => ", and the signal is lost",
        _ => "",
    };
    let what = in_words(region).text;
    format!("{what} should be one step{about}, but {other} {verb} in between{lost}")
}

fn circle(regions: &[CoreRegion], threads: usize) -> String {
    let places: Vec<String> = regions.iter().map(|it| in_words(it).text).collect();
    match &places[..] {
        [one] => format!("{threads} threads at {one} wait for each other in a circle"),
        [rest @ .., last] => format!("{} and {last} wait for each other", rest.join(", ")),
        [] => String::new(),
    }
}

fn early(pattern: Pattern, (first, second): (&CorePoint, &CorePoint), more: usize) -> String {
    let (one, other) = (point(first), point(second));
    let deeds = (first.deed, second.deed);
    let message = match pattern {
        Pattern::UseAfterFree => format!("{one} gives up memory that {other} still uses"),
        Pattern::UseBeforeInitialization => format!("{one} uses what {other} has yet to set"),
        Pattern::LostWakeup if deeds == (Some(Deed::Wait), Some(Deed::Signal)) => {
            format!("{other} wakes only one of those that wait since {one}")
        }
        Pattern::LostWakeup
            if matches!(deeds, (Some(Deed::Signal | Deed::Broadcast), Some(Deed::Wait))) =>
        {
            format!("{one} gives its signal before {other} waits for it")
        }
        _ => format!("{other} should come before {one}"),
    };
    if more == 0 { message } else { format!("{message} (with {more} more)") }
}

fn race(first: &RaceAccess, second: &RaceAccess) -> String {
    let locks = |it: &RaceAccess| match &it.locks[..] {
        [] => "none".to_owned(),
        some => some.join(" and "),
    };
    let why = if first.locks.is_empty() && second.locks.is_empty() {
        "neither holds a lock".to_owned()
    } else {
        format!("the first holds {}, the second {}", locks(first), locks(second))
    };
    let at = |it: &RaceAccess| match &it.place {
        Some(place) => format!("line {} of {} (T{})", place.span.line, place.function, it.thread),
        None => format!("T{}", it.thread),
    };
    format!(
        "{} and {} access the same memory, and nothing orders them: {why}, and no join, signal or \
         release lies between them",
        at(first),
        at(second)
    )
}

/// A region in words, and whether these are in the plural.
struct RegionWords {
    text: String,
    is_plural: bool,
}

/// `lines 5 to 6 of writer0`.
fn in_words(region: &CoreRegion) -> RegionWords {
    let (Some(first), Some(last)) = (&region.first, &region.last) else {
        return RegionWords { text: region.thread_name.clone(), is_plural: false };
    };
    let (a, b) = (first.span.line, last.span.line);
    let function = &first.function;
    let is_plural = first.function == last.function && a < b;
    let place = if first.function != last.function {
        format!("line {a} of {function} to line {b} of {}", last.function)
    } else if b < a {
        format!("line {a} of {function} to line {b} of the next iteration")
    } else {
        let lines = if a == b { format!("line {a}") } else { format!("lines {a} to {b}") };
        format!("{lines} of {function}{}", iterations(region.iterations))
    };
    RegionWords { text: by_thread(place, &region.thread_name, function), is_plural }
}

/// `, from iteration 1 to iteration 2 of its loop`, if it goes beyond one.
fn iterations(iterations: Option<(u32, u32)>) -> String {
    iterations.map_or(String::new(), |(first, last)| {
        format!(", from iteration {first} to iteration {last} of its loop,")
    })
}

fn point(point: &CorePoint) -> String {
    match &point.place {
        Some(place) => by_thread(at_line(place), &point.thread_name, &place.function),
        None => point.thread_name.clone(),
    }
}

fn at_line(place: &Place) -> String {
    format!("line {} of {}", place.span.line, place.function)
}

/// Names the thread where the function does not.
fn by_thread(place: String, start: &str, function: &str) -> String {
    if start == function { place } else { format!("{place} (thread {start})") }
}
