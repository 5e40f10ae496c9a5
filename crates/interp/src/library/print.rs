//! Output functions.

use unravel_kinds::Unmodelled;
use unravel_program::Type;
use unravel_program::library::Print;

use super::Args;
use crate::access::WRITE;
use crate::event::{EventKind, Printed};
use crate::exec::{Exec, Result};
use crate::float;
use crate::format::{self, Count, Extent, Piece, Spec};
use crate::note::Note;
use crate::value::{Value, mask, signed};

/// Longest text of one conversion.
const WIDEST: usize = 1 << 16;

impl Exec<'_, '_> {
    pub fn print(&mut self, print: Print, args: Args<'_>) -> Result<Value> {
        match print {
            Print::Printf => self.print_format(args, 0, true),
            Print::Fprintf | Print::Dprintf => {
                let to_stdout = self.is_stdout(print, args);
                self.print_format(args, 1, to_stdout)
            }
            Print::Syslog => self.print_format(args, 1, false),
            Print::Sprintf => self.print_into(args, 1, None),
            Print::Snprintf => {
                let size = self.number(args, 1)?;
                self.print_into(args, 2, Some(size))
            }
        }
    }

    fn print_format(&mut self, args: Args<'_>, format: usize, to_stdout: bool) -> Result<Value> {
        let text = self.formatted(args, format)?;
        Ok(self.output(&text, to_stdout))
    }

    fn output(&mut self, text: &[u8], to_stdout: bool) -> Value {
        if to_stdout && self.recorder.wants_events() {
            self.record(EventKind::Printed(Printed::Text(text.to_vec())), None, None);
            self.record(EventKind::Printed(Printed::End { is_stdout: true }), None, None);
        }
        Value::int(text.len() as u128)
    }

    fn is_stdout(&mut self, print: Print, args: Args<'_>) -> bool {
        match print {
            Print::Dprintf => self.arg(args, 0).bits == 1,
            _ => self.is_stream_stdout(args, 0),
        }
    }

    fn is_stream_stdout(&mut self, args: Args<'_>, index: usize) -> bool {
        let stream = self.arg(args, index);
        self.machine.is_stream(stream, "stdout")
    }

    fn print_into(&mut self, args: Args<'_>, format: usize, size: Option<u64>) -> Result<Value> {
        let text = self.formatted(args, format)?;
        let kept = match size {
            None => text.len(),
            Some(0) => return Ok(Value::int(text.len() as u128)),
            Some(size) => text.len().min(size as usize - 1),
        };
        let buffer = self.arg(args, 0);
        self.note_whole_text(buffer);
        for (index, &byte) in text.iter().take(kept).chain(&[0]).enumerate() {
            let at = buffer.with_bits(buffer.bits + index as u128);
            let (id, offset) = self.resolve(at, 1)?;
            let value = Value::int(u128::from(byte));
            self.write(id, offset, Type::Int(8), value, WRITE, EventKind::Write)?;
        }
        Ok(Value::int(text.len() as u128))
    }

    fn string_argument(&mut self, args: Args<'_>, index: usize) -> Result<Vec<u8>> {
        let pointer = self.arg(args, index);
        self.c_string(pointer)
    }

    /// The text of a format and the arguments after it.
    fn formatted(&mut self, args: Args<'_>, format: usize) -> Result<Vec<u8>> {
        let format_text = self.string_argument(args, format)?;
        let Some(pieces) = format::parse(&format_text) else {
            return self.unsupported(Unmodelled::IncompleteFormat);
        };
        let mut next = format + 1;
        let mut out = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.extend(format_text.get(text).unwrap_or_default()),
                Piece::Conversion(spec) => out.extend(self.conversion(&spec, args, &mut next)?),
            }
        }
        Ok(out)
    }

    fn conversion(&mut self, spec: &Spec, args: Args<'_>, next: &mut usize) -> Result<Vec<u8>> {
        let mut spec = spec.clone();
        let extent = self.extent(&mut spec, args, next)?;
        let index = *next;
        *next += 1;
        if args.get(index).is_none() {
            return self.unsupported(Unmodelled::FormatBeyondArguments);
        }
        match spec.letter {
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
                self.integer_conversion(&spec, extent, args, index)
            }
            'c' => {
                let byte = self.number(args, index)? as u8;
                Ok(format::text(&spec, extent, &[byte]))
            }
            's' => {
                let pointer = self.arg(args, index);
                self.note_whole_text(pointer);
                let mut text = self.limited_string(pointer, extent.precision)?;
                text.truncate(extent.precision.unwrap_or(usize::MAX));
                Ok(format::text(&spec, extent, &text))
            }
            'p' => {
                let address = self.arg(args, index).bits;
                let text = if address == 0 { "(nil)".to_owned() } else { format!("{address:#x}") };
                Ok(format::text(&spec, extent, text.as_bytes()))
            }
            _ => self.float_conversion(&spec, extent, args, index),
        }
    }

    /// Formatted text is read and written in one step, which it is not.
    fn note_whole_text(&mut self, pointer: Value) {
        let object = pointer.provenance.and_then(|id| self.state.object(id));
        let shared = object.is_some_and(|object| object.shared && !object.constant);
        if shared && self.state.others_run(self.me) {
            let what = Unmodelled::SharedText;
            self.notes.insert(Note::Unsupported { site: self.site(), what });
        }
    }

    /// A string of which at most `limit` bytes are looked at.
    fn limited_string(&mut self, pointer: Value, limit: Option<usize>) -> Result<Vec<u8>> {
        let Some(limit) = limit else { return self.c_string(pointer) };
        let mut text = Vec::new();
        while text.len() < limit {
            let at = pointer.with_bits(pointer.bits + text.len() as u128);
            let (id, offset) = self.resolve(at, 1)?;
            let byte = self.read(id, offset, Type::Int(8), crate::access::READ)?;
            let byte = self.force(byte, 8)?.bits as u8;
            if byte == 0 {
                break;
            }
            text.push(byte);
        }
        Ok(text)
    }

    fn extent(&mut self, spec: &mut Spec, args: Args<'_>, next: &mut usize) -> Result<Extent> {
        let mut extent = Extent::default();
        if let Some(width) = self.count(spec.width, args, next)? {
            spec.left |= width < 0;
            extent.width = width.unsigned_abs() as usize;
        }
        let precision = self.count(spec.precision, args, next)?;
        extent.precision = precision.and_then(|number| usize::try_from(number).ok());
        if extent.width.max(extent.precision.unwrap_or(0)) > WIDEST {
            return self.unsupported(Unmodelled::LongConversion);
        }
        Ok(extent)
    }

    fn count(&mut self, count: Count, args: Args<'_>, next: &mut usize) -> Result<Option<i64>> {
        Ok(match count {
            Count::None => None,
            Count::Number(number) => i64::try_from(number).ok(),
            Count::Argument => {
                let bits = self.number(args, *next)?;
                *next += 1;
                Some(i64::from((bits as u32).cast_signed()))
            }
        })
    }

    fn integer_conversion(
        &mut self,
        spec: &Spec,
        extent: Extent,
        args: Args<'_>,
        index: usize,
    ) -> Result<Vec<u8>> {
        let width = match spec.length.as_str() {
            "hh" => 8,
            "h" => 16,
            "" => 32,
            "l" | "z" | "t" => self.width(Type::Ptr),
            _ => 64,
        };
        let bits = u128::from(self.number(args, index)?) & mask(width);
        let is_signed = matches!(spec.letter, 'd' | 'i');
        let number = signed(bits, width);
        let negative = is_signed && number < 0;
        let magnitude = if is_signed { number.unsigned_abs() } else { bits };
        Ok(format::integer(spec, extent, negative, magnitude))
    }

    fn float_conversion(
        &mut self,
        spec: &Spec,
        extent: Extent,
        args: Args<'_>,
        index: usize,
    ) -> Result<Vec<u8>> {
        let is_float = args.get(index).is_some_and(|&(ty, _)| ty == Type::F64);
        let bits = self.number(args, index)?;
        let value = float::as_f64(Type::F64, u128::from(bits));
        let text = if is_float { format::float(spec, extent, value) } else { None };
        match text {
            Some(text) => Ok(text),
            None => self.unsupported(Unmodelled::FormatConversion(spec.letter)),
        }
    }
}
