//! `unravel repair`.
//!
//! Nothing is written to the user's files without `--apply`: candidates are compiled from texts in
//! memory ([`rebuild`]), and what is written in the end ([`apply`]) replaces a file as a whole, if
//! it still is what was read. Patches name files so that `git apply` finds them ([`base`]).

mod apply;
mod base;
mod native;
mod rebuild;
mod trial;

use unravel_driver::{Checked, RepairOptions};
use unravel_report::Report;
use unravel_report::model::{Command, Refused, Repair, Verdict};
use unravel_report::text::RepairView;
use unravel_report::words::repair as words;
use unravel_report::words::violation;

use crate::again;
use crate::args::{Color, RepairArguments};
use crate::check::{Session, emit_program, options, print_view, write_source};
use crate::exit::Exit;
use crate::last_words::Asked;
use crate::{load, message};

use base::Base;
use trial::Trial;

/// Runs the command.
pub fn repair(arguments: &RepairArguments) -> Exit {
    match try_repair(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_repair(arguments: &RepairArguments) -> Result<Exit, Exit> {
    let (limits, color) = (&arguments.limits, arguments.output.color);
    load::check_sources(&arguments.input, color)?;
    let asked = Asked::new(Command::Repair, &arguments.properties);
    let mut session = Session::start(asked, &arguments.input, limits, &arguments.output)?;
    if emit_program(&arguments.emit, &session.program, color)? {
        return Ok(Exit::Safe);
    }
    let options = RepairOptions {
        check: options(&arguments.properties, limits),
        kinds: arguments.strategy.clone(),
        all: arguments.all,
        covers: arguments.explain_covers,
        costs: arguments.order_cost.clone(),
    };
    let mut rebuild = rebuild::Compiled::new(&arguments.input, &session.program.files);
    session.take_given(&arguments.given, &options.check)?;
    let mut repaired = session.answer(|subject, budget| {
        unravel_driver::repair(subject, &options, &mut rebuild, budget)
    })?;
    if let Some(error) = rebuild.failure() {
        load::explain(error, color);
        return Err(Exit::Input);
    }
    repaired.report.stats.extend(rebuild.stats());
    let withheld = try_patches(arguments, &session, &mut repaired.report);
    let base = Base::rebase(&mut repaired.report);
    session.emit(&repaired, &arguments.emit)?;
    let exit = finish(arguments, &repaired, &base, &session, &withheld)?;
    if withheld.is_empty() { Ok(exit) } else { Err(say_withheld(&withheld, color)) }
}

/// Runs the program with each patch, if the user wants that; what is withheld then.
fn try_patches(
    arguments: &RepairArguments,
    session: &Session<'_>,
    report: &mut Report,
) -> Vec<Refused> {
    if !arguments.tries {
        return Vec::new();
    }
    // The repairs are known, and will be shown whatever the runs do.
    session.answered();
    let is_stopped = || session.is_stopped();
    let (input, program) = (&arguments.input, &session.program);
    Trial { input, program, patience: trial::PATIENCE, is_stopped: &is_stopped }.all(report)
}

/// A patch that was verified and fails is a bug of ours.
fn say_withheld(withheld: &[Refused], color: Color) -> Exit {
    for Refused { changes, why, .. } in withheld {
        let (title, why) = (words::title(changes), words::why_refused(why));
        message::error(color, &format!("a repair is withheld ({title}): {why}"));
    }
    message::help(color, "please report this, with the input");
    Exit::Internal
}

/// Shows, prints or writes what was found.
fn finish(
    arguments: &RepairArguments,
    repaired: &Checked,
    base: &Base,
    session: &Session<'_>,
    withheld: &[Refused],
) -> Result<Exit, Exit> {
    let (report, color) = (&repaired.report, arguments.output.color);
    let chosen = choose(report, arguments.pick, color)?;
    if arguments.diff {
        print_diff(report, chosen, base, color)?;
    } else {
        let view = RepairView {
            pick: arguments.pick.unwrap_or(1),
            all: arguments.all,
            commands: (!arguments.apply).then(|| again::to_take(&again::given(), &base.command())),
            next: None,
        };
        print_view(&arguments.output, report, &view)?;
    }
    if let Some(repair) = chosen.filter(|_| arguments.apply && withheld.is_empty()) {
        write(report, repair, arguments)?;
    }
    Ok(exit(report.verdict, chosen, session.is_interrupted()))
}

/// The repair that the user wants: the best if nothing else is said; `None` if there is none.
fn choose(report: &Report, pick: Option<u32>, color: Color) -> Result<Option<&Repair>, Exit> {
    let verified = report.repairs.as_ref().map_or(&[][..], |repairs| &repairs.verified);
    let Some(wanted) = pick.filter(|_| !verified.is_empty()) else { return Ok(verified.first()) };
    let chosen = verified.iter().find(|repair| repair.rank == wanted);
    chosen.map(Some).ok_or_else(|| {
        let error = match verified.len() {
            1 => "there is only one repair".to_owned(),
            number => format!("there are only {number} repairs"),
        };
        message::error(color, &error);
        message::help(color, "more may be found with `--all`");
        Exit::Input
    })
}

/// The patch and nothing else; why there is none goes to standard error.
fn print_diff(
    report: &Report,
    chosen: Option<&Repair>,
    base: &Base,
    color: Color,
) -> Result<(), Exit> {
    let Some(repair) = chosen else {
        message::note(color, "there is no patch: no repair was found or none is needed");
        for finding in &report.findings {
            message::note(color, &violation::message(&finding.kind));
        }
        let remarks = report.repairs.iter().flat_map(|repairs| &repairs.remarks);
        remarks.for_each(|why| message::note(color, &words::why_none(why)));
        return Ok(());
    };
    if !repair.complete {
        message::note(color, "the patch is verified only up to a bound");
    }
    if let Some(command) = base.unusual_command() {
        message::note(color, &format!("the patch is for `{command}`"));
    }
    write_source(&repair.diff, color)
}

/// Writes a repair to the user's files.
fn write(report: &Report, repair: &Repair, arguments: &RepairArguments) -> Result<(), Exit> {
    let color = arguments.output.color;
    if !repair.complete && !arguments.unsafe_fixes {
        let rank = repair.rank;
        let text = format!("repair {rank} is verified only up to a bound; nothing was written");
        message::error(color, &text);
        message::help(color, "raise `--unwind` or `--time-limit`, or accept it: `--unsafe-fixes`");
        return Err(Exit::Inconclusive);
    }
    let changes = apply::changes(&report.files, &repair.edits).and_then(|changes| {
        apply::write(&changes)?;
        Ok(changes)
    });
    let changes = changes.map_err(|refusal| {
        message::error(color, &refusal.to_string());
        message::help(color, refusal.help());
        Exit::Input
    })?;
    for change in &changes {
        let path = change.path.display();
        message::note(color, &format!("repair {} was written to `{path}`", repair.rank));
    }
    Ok(())
}

fn exit(verdict: Verdict, chosen: Option<&Repair>, interrupted: bool) -> Exit {
    match (verdict, chosen) {
        (Verdict::Safe, _) => Exit::Safe,
        (_, Some(repair)) if repair.complete => Exit::Safe,
        _ if interrupted => Exit::Interrupted,
        (Verdict::Inconclusive, _) | (_, Some(_)) => Exit::Inconclusive,
        (Verdict::Unsafe, None) => Exit::Violation,
    }
}

#[cfg(test)]
mod tests {
    use unravel_kinds::RepairKind;
    use unravel_kinds::repair::{Because, Changes, Costs};
    use unravel_report::model::VerifiedFor;

    use super::*;

    fn repair(complete: bool) -> Repair {
        Repair {
            rank: 1,
            kind: RepairKind::Mutex,
            changes: Changes::default(),
            complete,
            composite: false,
            required: Vec::new(),
            because: Because::OrdersExcluded,
            verified_for: VerifiedFor::default(),
            costs: Costs::default(),
            forbids: None,
            unreachable: Vec::new(),
            edits: Vec::new(),
            diff: String::new(),
        }
    }

    #[test]
    fn exit_codes() {
        let (complete, bounded) = (repair(true), repair(false));
        let table = [
            (Verdict::Safe, None, false, Exit::Safe),
            (Verdict::Unsafe, Some(&complete), false, Exit::Safe),
            (Verdict::Unsafe, Some(&complete), true, Exit::Safe),
            (Verdict::Unsafe, Some(&bounded), false, Exit::Inconclusive),
            (Verdict::Unsafe, Some(&bounded), true, Exit::Interrupted),
            (Verdict::Unsafe, None, false, Exit::Violation),
            (Verdict::Unsafe, None, true, Exit::Interrupted),
            (Verdict::Inconclusive, None, false, Exit::Inconclusive),
            (Verdict::Inconclusive, None, true, Exit::Interrupted),
        ];
        for (verdict, chosen, interrupted, expected) in table {
            assert_eq!(exit(verdict, chosen, interrupted), expected, "{verdict:?} {chosen:?}");
        }
    }
}
