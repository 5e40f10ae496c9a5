//! Values that a shell offers, where others are taken, too: an argument that is more than a word of
//! a list has a parser of its own, which knows no list.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};

/// A parser, and what a shell offers for its values.
#[derive(Clone)]
pub struct Offered<P> {
    parser: P,
    values: Vec<String>,
}

/// A parser whose values a shell completes to these.
pub fn offered<P>(parser: P, values: impl IntoIterator<Item: Into<String>>) -> Offered<P> {
    Offered { parser, values: values.into_iter().map(Into::into).collect() }
}

impl<P: TypedValueParser> TypedValueParser for Offered<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().map(PossibleValue::new)))
    }
}
