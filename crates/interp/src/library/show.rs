//! What is printed, for those who show a run.

use unravel_program::Type;
use unravel_program::library::Show;

use super::Args;
use crate::event::{EventKind, Printed};
use crate::exec::{Exec, Result};
use crate::float;
use crate::format::{self, Extent, Spec};
use crate::value::signed;

/// Longest literal, padding or number that is shown.
const LONGEST: u64 = 1 << 16;

impl Exec<'_, '_> {
    /// Hands over a part of what is printed, if somebody looks.
    pub fn show(&mut self, show: Show, args: Args<'_>) -> Result<()> {
        if !self.recorder.wants_events() {
            return Ok(());
        }
        let part = match show {
            Show::Byte => Printed::Byte(self.number(args, 0)? as u8),
            Show::Padding => {
                let spec = Spec::unpacked(self.number(args, 0)? as u32);
                let (width, is_left) = self.shown_width(args, 1, &spec)?;
                Printed::Padding { width, is_left }
            }
            Show::Literal => Printed::Text(self.literal(args)?),
            Show::Number => Printed::Text(self.shown_number(args)?),
            Show::Line => {
                let is_stdout = self.number(args, 0)? as u32 != 0;
                let (stream, standard) = (self.arg(args, 1), self.arg(args, 2));
                Printed::End { is_stdout: is_stdout || stream.bits == standard.bits }
            }
        };
        self.record(EventKind::Printed(part), None, None);
        Ok(())
    }

    /// The width of a conversion, and whether the text stands on the left.
    fn shown_width(&mut self, args: Args<'_>, at: usize, spec: &Spec) -> Result<(usize, bool)> {
        let width = self.small_number(args, at)?;
        let most = u64::from(width.unsigned_abs()).min(LONGEST);
        Ok((most as usize, spec.left || width < 0))
    }

    fn small_number(&mut self, args: Args<'_>, at: usize) -> Result<i32> {
        Ok((self.number(args, at)? as u32).cast_signed())
    }

    /// Part of a format, which nobody changes.
    fn literal(&mut self, args: Args<'_>) -> Result<Vec<u8>> {
        let (start, length) = (self.arg(args, 0), self.number(args, 1)?.min(LONGEST));
        let object = start.provenance.and_then(|id| self.state.object(id));
        let Some(object) = object else { return Ok(Vec::new()) };
        let from = start.address().wrapping_sub(object.base);
        let byte = |at: u64| object.read(from + at, 1, 8).bits as u8;
        let rest = object.size().saturating_sub(from);
        Ok((0..length.min(rest)).map(byte).collect())
    }

    fn shown_number(&mut self, args: Args<'_>) -> Result<Vec<u8>> {
        let mut spec = Spec::unpacked(self.number(args, 0)? as u32);
        let (width, is_left) = self.shown_width(args, 1, &spec)?;
        spec.left = is_left;
        let precision = usize::try_from(self.small_number(args, 2)?).ok();
        let extent = Extent { width, precision: precision.map(|it| it.min(LONGEST as usize)) };
        let bits = u128::from(self.number(args, 3)?);
        let is_float = args.get(3).is_some_and(|&(ty, _)| ty == Type::F64);
        Ok(match spec.letter {
            _ if is_float => {
                format::float(&spec, extent, float::as_f64(Type::F64, bits)).unwrap_or_default()
            }
            'p' if bits == 0 => format::text(&spec, extent, b"(nil)"),
            'p' => format::text(&spec, extent, format!("{bits:#x}").as_bytes()),
            'c' => format::text(&spec, extent, &[bits as u8]),
            'd' | 'i' => {
                let number = signed(bits, 64);
                format::integer(&spec, extent, number < 0, number.unsigned_abs())
            }
            _ => format::integer(&spec, extent, false, bits),
        })
    }
}
