//! Long names of variables, without the beginning that they share.

use crate::model::StepRow;

use super::rows::{Grid, Row};

/// Where a name may be taken apart.
const SEPARATORS: [&str; 2] = [".", "->"];

/// The beginning that the parts of structures share, up to a separator: of `euro.gate.readers` and
/// `euro.rate` it is `euro.`. Without it all names must still differ.
pub fn prefix<'a>(steps: impl Iterator<Item = &'a StepRow>) -> Option<String> {
    let mut names: Vec<&str> = steps.filter_map(|step| step.variable.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    let mut candidates: Vec<&str> = names.iter().flat_map(|name| beginnings(name)).collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|prefix| differ(&names, prefix));
    let shared = |prefix: &&str| (beginning_with(&names, prefix).len(), prefix.len());
    candidates.into_iter().max_by_key(shared).map(str::to_owned)
}

/// The names that begin with a prefix: neighbours, since names are sorted.
fn beginning_with<'a, 'b>(names: &'a [&'b str], prefix: &str) -> &'a [&'b str] {
    let rest = &names[names.partition_point(|name| *name < prefix)..];
    &rest[..rest.partition_point(|name| name.starts_with(prefix))]
}

/// Beginnings of a name that end in a separator and leave something. One inside an index,
/// `queue[pool->tail]`, is none of the name.
fn beginnings(name: &str) -> Vec<&str> {
    let ends = SEPARATORS.iter().flat_map(|it| name.match_indices(it));
    let is_outside = |at: usize| {
        let before = name.get(..at).unwrap_or_default();
        before.matches('[').count() == before.matches(']').count()
    };
    let ends = ends.filter(|(at, _)| is_outside(*at)).map(|(at, separator)| at + separator.len());
    ends.filter(|&end| end < name.len()).filter_map(|end| name.get(..end)).collect()
}

/// Whether the names are still different without the prefix: no name is what is left of another.
fn differ(names: &[&str], prefix: &str) -> bool {
    let is_name = |rest: &str| !rest.starts_with(prefix) && names.binary_search(&rest).is_ok();
    let mut rests = beginning_with(names, prefix).iter().filter_map(|it| it.strip_prefix(prefix));
    !rests.any(is_name)
}

/// A grid whose names lack the prefix.
pub fn without(grid: &Grid, prefix: &str) -> Grid {
    let mut grid = grid.clone();
    let shorten = |text: &mut String| *text = shortened(text, prefix);
    grid.names.iter_mut().for_each(shorten);
    for row in &mut grid.rows {
        let Row::Step(cells) = row else { continue };
        // A statement of the source is shown as it is.
        if cells.outcome.is_some() && cells.variable.is_none() {
            continue;
        }
        shorten(&mut cells.text);
        cells.variable.iter_mut().for_each(shorten);
        cells.value.iter_mut().for_each(shorten);
        cells.values.iter_mut().for_each(shorten);
    }
    grid
}

/// `text` without the prefix, wherever a name begins with it.
fn shortened(text: &str, prefix: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(prefix) {
        out.push_str(before);
        let is_inside = |c: char| c.is_alphanumeric() || "_.>)]".contains(c);
        if out.chars().last().is_some_and(is_inside) {
            out.push_str(prefix);
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::Run;
    use unravel_kinds::StepKind;
    use unravel_span::Files;

    fn of(names: &[&str]) -> Option<String> {
        let file = Files::new().intern("a.c");
        let run = names
            .iter()
            .fold(Run::new(file), |run, name| run.access(1, (1, 1), StepKind::Write, name, "0"));
        prefix(run.steps.iter())
    }

    #[test]
    fn the_longest_beginning_that_most_share() {
        assert_eq!(of(&["euro.gate.readers", "euro.rate", "done"]).as_deref(), Some("euro."));
        assert_eq!(of(&["q->head.n", "q->head.m"]).as_deref(), Some("q->head."));
        assert_eq!(of(&["q[p->at].f", "q[p->at].g", "x"]).as_deref(), Some("q[p->at]."));
        assert_eq!(of(&["x", "y"]), None);
        assert_eq!(of(&["a.x", "x"]), None, "they must differ");
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn only_whole_names_lose_it() {
        assert_eq!(shortened("euro.gate.n = &euro.m", "euro."), "gate.n = &m");
        assert_eq!(shortened("neuro.x = old.euro.x", "euro."), "neuro.x = old.euro.x");
    }
}
