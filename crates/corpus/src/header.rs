//! A header, from its text to its type.

use unravel_kinds::{Property, RepairKind};

use crate::error::Located;
use crate::{Flags, Key, Marker, Markers, Order, Pattern, Problem, Size, Source, Verdict};

/// What a program says of itself. `corpus/README.md` documents the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What goes wrong, or what is done right.
    pub title: String,
    /// The figure, the published program or the primitive that the program stands for.
    pub stands_for: String,
    /// The right answer.
    pub verdict: Verdict,
    /// The only property that can be violated under the given flags; every failing program has one.
    pub property: Option<Property>,
    /// The lines any of which is that of the violation; every failing program has some.
    pub at: Vec<Marker>,
    /// The lines that a maintainer would change, or that the change is about.
    pub fault: Vec<Marker>,
    /// Flags of `unravel check` that the expectation needs.
    pub flags: Flags,
    /// The kind of bug.
    pub pattern: Option<Pattern>,
    /// Alternative causes of the violation, each a set of orders.
    pub orders: Vec<Vec<Order>>,
    /// Kinds of repair, best first. An empty list says that no added synchronization helps; nothing
    /// says that the header does not tell.
    pub repair: Option<Vec<RepairKind>>,
    /// The file that the best patch is in, by its name in the folder of the program.
    pub patch: Option<String>,
    /// The sizes that the program can be compiled in.
    pub sizes: Vec<Size>,
    /// The lines that a fault localization should name.
    pub faulty_lines: Vec<Marker>,
    /// Every run prints the same text and ends with the same exit code.
    pub is_deterministic: bool,
    /// Why the right answer is another one than the published one.
    pub differs: Option<String>,
    /// Most iterations of a loop that counts, if there are more than four.
    pub turns: Option<u32>,
}

/// What a header begins with.
const START: &str = "/* unravel-corpus";

/// The line that ends a header.
const END: &str = " */";

/// A line of a header.
struct Field<'t> {
    key: Key,
    value: &'t str,
    line: u64,
}

impl Header {
    /// Reads the header of the first file of a program, whose markers are known.
    pub(crate) fn parse(sources: &[Source], markers: &Markers) -> Result<Header, Located> {
        let text = sources.first().map_or("", |it| it.text.as_str());
        let fields = fields(text)?;
        let reader = Reader { fields: &fields, sources, markers };
        let header = Header {
            title: reader.text(Key::Title)?,
            stands_for: reader.text(Key::StandsFor)?,
            verdict: reader.required(Key::Verdict, Verdict::named)?,
            property: reader.optional(Key::Property, Property::named)?,
            at: reader.markers(Key::At)?,
            fault: reader.markers(Key::Fault)?,
            flags: reader.flags()?,
            pattern: reader.optional(Key::Pattern, Pattern::named)?,
            orders: reader.orders()?,
            repair: reader.optional(Key::Repair, repair_kinds)?,
            patch: reader.optional(Key::Patch, |name| reader.file_named(name))?,
            sizes: reader.optional(Key::Sizes, Size::list)?.unwrap_or_default(),
            faulty_lines: reader.markers(Key::FaultyLines)?,
            is_deterministic: reader.optional(Key::Output, deterministic)?.is_some(),
            differs: reader.optional(Key::Differs, |it| Some(it.to_owned()))?,
            turns: reader.optional(Key::Turns, |it| it.parse().ok())?,
        };
        header.fits_its_verdict(&fields)?;
        Ok(header)
    }

    /// A failing program says what is violated and where; no other program does.
    fn fits_its_verdict(&self, fields: &[Field<'_>]) -> Result<(), Located> {
        if self.verdict == Verdict::Unsafe {
            let missing = [Key::Property, Key::At].into_iter().find(|key| !has(fields, *key));
            return missing.map_or(Ok(()), |key| Err(Located::new(1, Problem::Missing(key))));
        }
        match fields.iter().find(|it| it.key.is_of_failing_programs()) {
            Some(it) => Err(Located::new(it.line, Problem::NotUnsafe(it.key))),
            None => Ok(()),
        }
    }
}

fn has(fields: &[Field<'_>], key: Key) -> bool {
    fields.iter().any(|it| it.key == key)
}

/// The lines of the header, with their keys in the documented order.
fn fields(text: &str) -> Result<Vec<Field<'_>>, Located> {
    let mut lines = (1u64..).zip(text.lines());
    if lines.next().is_none_or(|(_, first)| first != START) {
        return Err(Located::new(1, Problem::NoHeader));
    }
    let mut fields: Vec<Field<'_>> = Vec::new();
    for (line, content) in lines {
        if content == END {
            return Ok(fields);
        }
        let field = field(line, content)?;
        if let Some(after) = fields.last().map(|it| it.key).filter(|after| field.key <= *after) {
            return Err(Located::new(line, Problem::OutOfOrder { key: field.key, after }));
        }
        fields.push(field);
    }
    Err(Located::new(1, Problem::NotClosed))
}

/// A line ` * key: value`.
fn field(line: u64, content: &str) -> Result<Field<'_>, Located> {
    let parts = content.strip_prefix(" * ").and_then(|it| it.split_once(": "));
    let parts = parts.map(|(name, value)| (name, value.trim())).filter(|it| !it.1.is_empty());
    let Some((name, value)) = parts else {
        // Code that follows a header without an end is no line of it.
        let is_comment = content.starts_with(" *");
        let not_a_key = Problem::NotAKey(content.to_owned());
        let problem = if is_comment { not_a_key } else { Problem::NotClosed };
        return Err(Located::new(line, problem));
    };
    let unknown = || Located::new(line, Problem::UnknownKey(name.to_owned()));
    Ok(Field { key: Key::named(name).ok_or_else(unknown)?, value, line })
}

/// Turns values into types.
struct Reader<'t> {
    fields: &'t [Field<'t>],
    sources: &'t [Source],
    markers: &'t Markers,
}

impl<'t> Reader<'t> {
    fn field(&self, key: Key) -> Option<&'t Field<'t>> {
        self.fields.iter().find(|it| it.key == key)
    }

    fn optional<T>(
        &self,
        key: Key,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Located> {
        let Some(field) = self.field(key) else { return Ok(None) };
        read(field.value).map(Some).ok_or_else(|| bad(field, field.value))
    }

    fn required<T>(&self, key: Key, read: impl FnOnce(&str) -> Option<T>) -> Result<T, Located> {
        self.optional(key, read)?.ok_or(Located::new(1, Problem::Missing(key)))
    }

    fn text(&self, key: Key) -> Result<String, Located> {
        self.required(key, |it| Some(it.to_owned()))
    }

    fn flags(&self) -> Result<Flags, Located> {
        let Some(field) = self.field(Key::Flags) else { return Ok(Flags::default()) };
        Flags::parse(field.value).map_err(|word| bad(field, &word))
    }

    /// The name of a file of the program.
    fn file_named(&self, name: &str) -> Option<String> {
        let is_there = self.sources.iter().any(|it| it.file_name() == name);
        is_there.then(|| name.to_owned())
    }

    /// Markers with commas between them.
    fn markers(&self, key: Key) -> Result<Vec<Marker>, Located> {
        let Some(field) = self.field(key) else { return Ok(Vec::new()) };
        field.value.split(',').map(|name| self.marker(field, name)).collect()
    }

    fn marker(&self, field: &Field<'_>, name: &str) -> Result<Marker, Located> {
        let name = name.trim();
        let none = || Located::new(field.line, Problem::NoMarker(name.to_owned()));
        self.markers.named(name).ok_or_else(none)
    }

    /// Alternative causes with semicolons between them, whose orders have commas between them.
    fn orders(&self) -> Result<Vec<Vec<Order>>, Located> {
        let Some(field) = self.field(Key::Orders) else { return Ok(Vec::new()) };
        let causes = field.value.split(';');
        causes.map(|cause| cause.split(',').map(|it| self.order(field, it)).collect()).collect()
    }

    fn order(&self, field: &Field<'_>, text: &str) -> Result<Order, Located> {
        let (before, after) = text.split_once('<').ok_or_else(|| bad(field, text.trim()))?;
        Ok(Order { before: self.marker(field, before)?, after: self.marker(field, after)? })
    }
}

fn bad(field: &Field<'_>, value: &str) -> Located {
    let problem = Problem::BadValue { key: field.key, value: value.to_owned() };
    Located::new(field.line, problem)
}

/// Kinds of repair with commas between them, or `none`.
fn repair_kinds(text: &str) -> Option<Vec<RepairKind>> {
    if text == "none" {
        return Some(Vec::new());
    }
    text.split(',').map(|it| RepairKind::named(it.trim())).collect()
}

fn deterministic(text: &str) -> Option<()> {
    (text == "deterministic").then_some(())
}

#[cfg(test)]
mod tests;
