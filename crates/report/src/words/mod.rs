//! The only place where sentences are made.
//!
//! Every function here takes kinds and data and gives English. Nothing else in Unravel makes a
//! sentence that a report shows, and nothing looks into one: whoever has to know what a thing *is*
//! matches on its type. So a sentence can be changed here without changing an answer. The feature
//! `nonsense` proves it: it turns every sentence round, and the expectations of the corpus still
//! hold (`crates/cli/tests/nonsense.rs`).
//!
//! - [`violation`]: messages of violations, and what belongs to them;
//! - [`step`]: what a step does, in a table or in a sentence; what an order leads to;
//! - [`cause`]: what goes wrong in the runs of a cause;
//! - [`reason`]: why an answer is inconclusive and what to do; [`unmodelled`]: what is not modelled;
//! - [`repair`]: what a repair changes, why it helps, what it costs; why one is refused;
//! - [`called`]: for which command line an answer is, and that no second thread starts;
//! - [`stopped`]: that a command was stopped, and what is known;
//! - [`tried`]: what runs of a patched program show;
//! - [`explanation`]: why something is not known; faulty values; how runs were compared.
//!
//! Sentences have no full stop, so that others can go on behind them. Control characters in names
//! are left to the renderers.

pub mod called;
pub mod cause;
pub mod explanation;
pub mod reason;
pub mod recorded;
pub mod repair;
pub mod step;
pub mod stopped;
pub mod tried;
pub mod unmodelled;
pub mod violation;

#[cfg(test)]
mod tests;

/// A finished sentence. All sentences pass through here.
#[cfg(not(feature = "nonsense"))]
pub(crate) fn say(sentence: impl Into<String>) -> String {
    sentence.into()
}

/// A finished sentence, turned round: no beginning, end or word of it is what it was.
#[cfg(feature = "nonsense")]
pub(crate) fn say(sentence: impl Into<String>) -> String {
    sentence.into().chars().rev().collect()
}

/// How a thread is called: `main`, `T2`.
#[must_use]
pub fn thread(id: u32) -> String {
    if id == 0 { "main".to_owned() } else { format!("T{id}") }
}

/// `1 loop`, `2 loops`, `3 switches`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    let plural = if noun.ends_with("ch") { "es" } else { "s" };
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}{plural}") }
}

/// A small number in words: `two`.
#[must_use]
pub fn number(number: usize) -> String {
    const SMALL: [&str; 10] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    SMALL.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// `T1`, `T1 and T2`, `T1, T2 and T3`.
fn all_of(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}
