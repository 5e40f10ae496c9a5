//! A candidate repair: edits of the source, still to be verified.

use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Because, Changes, Costs};
use unravel_patch::Edit;
use unravel_patch::between::between;
use unravel_program::Program;
use unravel_repair::Plan;
use unravel_span::{Files, apply};

use crate::handlers::{self, Rank};

/// A change of the source, and what it is meant to do.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The kind of its changes: of the first one, if they differ.
    pub kind: RepairKind,
    /// What is changed.
    pub changes: Changes,
    /// What that adds to the program.
    pub costs: Costs,
    /// The edits.
    pub edits: Vec<Edit>,
    /// What it enforces, if that can be said in orders.
    pub plan: Option<Plan>,
}

impl Candidate {
    /// Why it helps.
    #[must_use]
    pub fn because(&self) -> Because {
        handlers::of(self.kind)
            .map_or(Because::OrdersExcluded, |it| it.because(self.plan.is_some()))
    }

    /// Whether it leaves orders to the run: it has a plan that does so, or has no plan and is of a kind
    /// that decides no order.
    #[must_use]
    pub fn leaves_orders_open(&self) -> bool {
        let by_kind = || !self.rank().decides_order;
        self.plan.as_ref().map_or_else(by_kind, Plan::is_composite)
    }

    /// Whether it uses only locks that the program has.
    #[must_use]
    pub fn reuses_locks(&self) -> bool {
        self.rank().reuses_locks
    }

    /// Whether it guards code with a mutex that it declares.
    #[must_use]
    pub fn guards_with_new_mutex(&self) -> bool {
        self.kind == RepairKind::Mutex && self.costs.has_new_mutex()
    }

    /// Whether it does the same kind of thing as another candidate. A lock that guards more code may
    /// be another lock.
    #[must_use]
    pub fn is_alike(&self, other: &Candidate) -> bool {
        self.kind == other.kind || self.rank().guards && other.rank().guards
    }

    fn rank(&self) -> Rank {
        handlers::of(self.kind).map_or_else(Rank::default, |it| it.rank())
    }

    /// This candidate for the original program, then another one for the program that it gives, as one
    /// candidate for the original; `None` if nothing changes.
    #[must_use]
    pub fn then(
        &self,
        original: &Program,
        patched: &Program,
        second: &Candidate,
    ) -> Option<Candidate> {
        let mut edits: Vec<Edit> = Vec::new();
        for (file, before) in original.files.iter() {
            let Some(text) = before.text.as_deref() else { continue };
            let after = patched_text(&patched.files, &before.path, &second.edits);
            edits.extend(after.into_iter().flat_map(|after| between(file, text, &after)));
        }
        (!edits.is_empty()).then(|| Candidate {
            kind: second.kind,
            changes: self.changes.then(&second.changes),
            costs: self.costs.then(&second.costs),
            edits,
            plan: None,
        })
    }
}

/// The text of a file with edits made.
fn patched_text(files: &Files, path: &str, edits: &[Edit]) -> Option<String> {
    let (id, file) = files.iter().find(|(_, file)| file.path == path)?;
    let own: Vec<Edit> = edits.iter().filter(|edit| edit.file == id).cloned().collect();
    apply(file.text.as_deref()?, &own)
}
