//! Arguments of `unravel repair`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use unravel_kinds::RepairKind;

use super::{
    Emit, GivenArguments, Input, LimitArguments, OutputArguments, PropertyArguments, emits,
};

/// The lines of two steps, and the cost of having the first before the second.
pub type OrderCost = ((u32, u32), u32);

/// `unravel repair`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes:
  0    a repair verified without a bound was found, or there is nothing to repair
  1    violation found, and no verified repair
  2    wrong usage, input that cannot be read or compiled, or a file that changed meanwhile
  3    a repair is verified only up to a bound, or the program itself is not decided
  4    an internal check failed and the result is withheld
  130  interrupted; what was known until then is shown")]
pub struct RepairArguments {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub given: GivenArguments,

    /// Also build and run what is repaired: 50 times, and 20 times with delays at the changed
    /// places. It is your program, with its effects; a patch with which a run fails or hangs is
    /// withheld (exit code 4)
    #[arg(long = "try")]
    pub tries: bool,

    /// Print only the patch, for `git apply`
    #[arg(long, conflicts_with_all = ["apply", "format"])]
    pub diff: bool,

    /// Write the repair to the files, unless they changed since they were read
    #[arg(long)]
    pub apply: bool,

    /// With --apply, write a repair that is verified only up to a bound, too
    #[arg(long, requires = "apply")]
    pub unsafe_fixes: bool,

    /// Try all changes and show all repairs, and why others are refused
    #[arg(long)]
    pub all: bool,

    /// Show, print or write this repair instead of the best
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub pick: Option<u32>,

    /// Try only these kinds of change
    #[arg(long, value_name = "LIST", value_delimiter = ',',
          value_parser = kinds())]
    pub strategy: Vec<RepairKind>,

    /// Show the kill sets (one per core: the orders of which each keeps the core from happening) and
    /// every choice of one order from each
    #[arg(long)]
    pub explain_covers: bool,

    /// Cost of having the step in line L1 before the one in line L2; others cost 1
    #[arg(long, value_name = "L1:L2=N", value_parser = order_cost)]
    pub order_cost: Vec<OrderCost>,

    /// Also write: program[=FILE] (the intermediate form; without FILE, print it and stop),
    /// schedule=FILE (the failing run, for `unravel run --schedule`)
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = emits(),
          hide_possible_values = true)]
    pub emit: Vec<Emit>,

    #[command(flatten)]
    pub properties: PropertyArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub output: OutputArguments,
}

/// Parses kinds of change by their codes.
fn kinds() -> impl TypedValueParser<Value = RepairKind> {
    let codes = RepairKind::ALL.map(RepairKind::code);
    PossibleValuesParser::new(codes)
        .try_map(|code| RepairKind::named(&code).ok_or("this is no kind of change"))
}

fn order_cost(text: &str) -> Result<OrderCost, String> {
    let parse = || {
        let (lines, cost) = text.split_once('=')?;
        let (before, after) = lines.split_once(':')?;
        Some(((before.parse().ok()?, after.parse().ok()?), cost.parse().ok()?))
    };
    parse().ok_or_else(|| "expected two lines and a cost, such as 8:13=5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_of_orders() {
        assert_eq!(order_cost("8:13=5"), Ok(((8, 13), 5)));
        for bad in ["8:13", "8=5", "a:13=5", "8:13=-1", ""] {
            assert!(order_cost(bad).is_err(), "{bad}");
        }
    }
}
