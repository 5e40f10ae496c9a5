//! A passing run beside a failing one, in JSON's form.

use serde::Serialize;
use unravel_span::Files;

use crate::{model, words};

use super::diagnosis::{End, end};
use super::{Step, step};

#[derive(Serialize)]
pub(super) struct Comparison<'a> {
    op: usize,
    df: usize,
    bs: usize,
    ctx: usize,
    branches: usize,
    optimal: bool,
    method: String,
    passing_schedule: Vec<Step<'a>>,
    differences: Vec<Difference<'a>>,
}

#[derive(Serialize)]
struct Difference<'a> {
    id: &'a str,
    read: End<'a>,
    failing: Option<End<'a>>,
    passing: Option<End<'a>>,
    passing_value: Option<&'a str>,
}

pub(super) fn comparison<'a>(files: &'a Files, it: &'a model::Comparison) -> Comparison<'a> {
    let difference = |it: &'a model::Difference| Difference {
        id: &it.id,
        read: end(files, &it.read),
        failing: it.failing.as_ref().map(|it| end(files, it)),
        passing: it.passing.as_ref().map(|it| end(files, it)),
        passing_value: it.passing_value.as_deref(),
    };
    Comparison {
        op: it.operations,
        df: it.flows,
        bs: it.segments,
        ctx: it.switches,
        branches: it.branches,
        optimal: it.is_optimal,
        method: words::explanation::method(it.method),
        passing_schedule: it.passing.schedule.iter().map(|it| step(files, it)).collect(),
        differences: it.differences.iter().map(difference).collect(),
    }
}
