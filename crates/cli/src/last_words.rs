//! What is said when an engine was stopped before it had an answer of its own.

use std::time::Instant;

use unravel_driver::StopReason;
use unravel_interp::Properties;
use unravel_report::model::{Bounds, Command, Reason, ReasonKind, Report, Verdict};
use unravel_report::words;
use unravel_span::Files;

use crate::args::{OutputArguments, PropertyArguments};
use crate::check::print;
use crate::exit::Exit;
use crate::{limits, message};

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The command.
    pub command: Command,
    /// The properties that it is about.
    pub properties: Properties,
    /// When.
    pub at: Instant,
}

impl Asked {
    /// A command, about these properties.
    pub fn new(command: Command, properties: &PropertyArguments) -> Asked {
        Asked { command, properties: properties.properties(), at: Instant::now() }
    }
}

/// Says that a command ended at a limit, and what is known.
pub fn say(asked: Asked, output: &OutputArguments, reason: StopReason, news: Option<&str>) -> Exit {
    if let Some(bytes) = limits::failed_request() {
        message::error(output.color, &format!("there is no memory for {bytes} more bytes"));
    }
    if let Some(what) = news {
        message::note(output.color, &format!("so far: {what}"));
    }
    let why = ReasonKind::Budget(reason);
    let shown = match asked.command {
        // It writes a file, and no report.
        Command::Sequentialize => {
            message::error(output.color, &words::reason::message(&why));
            Ok(())
        }
        _ => print(output, &report(asked, why, reason)),
    };
    match (shown, reason) {
        (Err(exit), _) => exit,
        (Ok(()), StopReason::Interrupted) => Exit::Interrupted,
        (Ok(()), _) => Exit::Inconclusive,
    }
}

/// Nothing is known but why.
fn report(asked: Asked, why: ReasonKind, stopped: StopReason) -> Report {
    Report {
        command: asked.command,
        verdict: Verdict::Inconclusive,
        reasons: vec![Reason { kind: why, place: None }],
        stopped: Some(stopped),
        bounds: Bounds::default(),
        unsupported: Vec::new(),
        handed_over: Vec::new(),
        properties: asked.properties,
        threads: Vec::new(),
        findings: Vec::new(),
        repairs: None,
        explored_states: None,
        stats: Vec::new(),
        time_ms: u64::try_from(asked.at.elapsed().as_millis()).unwrap_or(u64::MAX),
        files: Files::new(),
    }
}
