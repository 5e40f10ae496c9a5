//! Inline assembly that is known: pauses, barriers and fences.
//!
//! Everything is one step after another here, so that an instruction that only waits, or that only
//! orders what one processor does, does nothing. A full fence counts for races.

/// What assembly does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing that another thread can notice.
    Idle,
    /// A full fence.
    Fence,
}

const IDLE: &[&str] = &["pause", "nop", "rep", "rep nop", "lfence", "sfence", "yield"];
const FENCES: &[&str] = &["mfence", "dmb ish", "dmb sy", "dmb ish sy"];

/// What a template does, if each of its instructions is known.
pub(crate) fn known(template: &str) -> Option<Known> {
    // Two names of one instruction, and the beginning of the next.
    let whole = template.replace("lock;", "lock ").replace("rep;", "rep ");
    let pieces = whole
        .split([';', '\n'])
        .map(|piece| piece.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase());
    pieces.filter(|piece| !piece.is_empty()).try_fold(Known::Idle, |so_far, piece| {
        if IDLE.contains(&piece.as_str()) {
            Some(so_far)
        } else if FENCES.contains(&piece.as_str()) || is_locked_nothing(&piece) {
            Some(Known::Fence)
        } else {
            None
        }
    })
}

/// `lock addl $0, (%rsp)`: adds nothing to the top of the stack, which is a full fence on x86.
fn is_locked_nothing(piece: &str) -> bool {
    let Some(rest) = piece.strip_prefix("lock ") else { return false };
    let Some((operation, operands)) = rest.split_once(' ') else { return false };
    let operands: String = operands.split_whitespace().collect();
    let Some((number, place)) = operands.split_once(',') else { return false };
    let is_stack = place.ends_with("(%rsp)") || place.ends_with("(%esp)");
    matches!(operation, "addl" | "addq" | "orl" | "orq")
        && matches!(number, "$0" | "$$0" | "$0x0" | "$$0x0")
        && is_stack
}

#[cfg(test)]
mod tests {
    use super::{Known, known};

    #[test]
    fn pauses_and_fences_are_known() {
        for idle in
            ["", "pause", "rep; nop", "rep;nop", "rep nop", "nop\n\tnop\n", "sfence", "lfence"]
        {
            assert_eq!(known(idle), Some(Known::Idle), "{idle}");
        }
        for fence in
            ["mfence", "MFENCE;", "lock; addl $$0,0(%rsp)", "lock orl $$0, (%esp)", "dmb ish"]
        {
            assert_eq!(known(fence), Some(Known::Fence), "{fence}");
        }
        for other in
            ["lock; addl $$1,0(%rsp)", "lock; incl $0", "xchgl $0,$1", "lock", "mfence; hlt"]
        {
            assert_eq!(known(other), None, "{other}");
        }
    }
}
