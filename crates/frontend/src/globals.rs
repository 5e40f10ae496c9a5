//! Global variables, their initial values, and the functions that run before `main`.

use unravel_program::{FunctionId, Global, GlobalId, Operand, Relocation, SiteId, Unsupported};

use crate::llvm::{Module, Ty, Value, ValueKind};
use crate::lower::{Lowering, What};

/// Longest initial value that is written out; zeros at its end do not count.
const MAX_BYTES: u64 = 64 << 20;

/// An initial value under construction.
#[derive(Default)]
struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
    problem: Option<String>,
}

impl<'m> Lowering<'m> {
    /// All variables of the module. Ids are given first: initial values refer to one another.
    pub(crate) fn lower_globals(&mut self, module: &'m Module<'_>) -> Vec<Global> {
        let globals: Vec<_> =
            module.globals().into_iter().filter(|it| !it.name().starts_with("llvm.")).collect();
        for (index, global) in (0u32..).zip(&globals) {
            self.globals.insert(*global, GlobalId(index));
        }
        globals.into_iter().map(|global| self.lower_global(global)).collect()
    }

    fn lower_global(&mut self, global: Value<'m>) -> Global {
        let name = global.name();
        let declared = self.debug.global(global);
        let (variable, site) = declared.map_or((None, SiteId(0)), |(it, site)| (Some(it), site));
        let ty = global.value_type();
        let image = global.initializer().map(|value| self.image(value));
        if let Some(problem) = image.as_ref().and_then(|image| image.problem.clone()) {
            let what = format!("{problem} in the initial value of `{name}`").into();
            self.unsupported.push(Unsupported { site, what });
        }
        let shown_name = match &variable {
            Some(variable) => variable.name.clone(),
            None => literal_name(global).unwrap_or_else(|| name.clone()),
        };
        Global {
            shown_name,
            ty: variable.and_then(|variable| variable.ty),
            site,
            size: ty.and_then(|ty| self.layout.size(ty)).unwrap_or(0),
            align: global
                .alignment()
                .unwrap_or_else(|| ty.map_or(1, |ty| self.layout.align(ty)).max(1)),
            constant: global.is_constant_global(),
            thread_local: global.is_thread_local(),
            relocations: image.as_ref().map(|it| it.relocations.clone()).unwrap_or_default(),
            bytes: image.map(|it| it.bytes),
            name,
        }
    }

    fn image(&mut self, value: Value<'m>) -> Image {
        let mut image = Image::default();
        self.write(value, 0, &mut image);
        let used = image.bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        image.bytes.truncate(used);
        image.relocations.sort_by_key(|it| it.offset);
        image
    }

    /// Writes a constant at a byte offset.
    fn write(&mut self, value: Value<'m>, offset: u64, image: &mut Image) {
        match value.kind() {
            ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind => {}
            ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantDataArrayValueKind => {
                self.write_aggregate(value, offset, image);
            }
            _ => self.write_scalar(value, offset, image),
        }
    }

    fn write_aggregate(&mut self, value: Value<'m>, offset: u64, image: &mut Image) {
        if let Some(bytes) = value.string_bytes() {
            return image.put(offset, &bytes);
        }
        let Some(ty) = value.ty() else { return };
        for index in 0u64.. {
            let Some(element) = value.element(index) else { break };
            match self.element_offset(ty, index) {
                Some(at) => self.write(element, offset.saturating_add(at), image),
                None => image.fail("a type of unknown size"),
            }
        }
    }

    fn element_offset(&self, ty: Ty<'m>, index: u64) -> Option<u64> {
        match ty.element() {
            Some(element) => self.layout.size(element)?.checked_mul(index),
            None => self.layout.member_offset(ty, usize::try_from(index).ok()?),
        }
    }

    fn write_scalar(&mut self, value: Value<'m>, offset: u64, image: &mut Image) {
        if let Some(bytes) = value.odd_float_bytes() {
            return image.put(offset, &bytes);
        }
        let ty = value.ty().ok_or_else(|| What::from("a malformed constant"));
        let ty = match ty.and_then(|ty| self.scalar(ty)) {
            Ok(ty) => ty,
            Err(What::Construct(name)) => return image.fail(&name),
            Err(_) => return image.fail("a constant that is known only at load time"),
        };
        let bytes = usize::try_from(ty.bytes(self.target)).unwrap_or(16).min(16);
        match self.fold(value) {
            Some(Operand::Int(bits)) => {
                image.put(offset, bits.to_le_bytes().get(..bytes).unwrap_or_default());
            }
            Some(Operand::Undef) => {}
            Some(target) if ty.bits(self.target) == self.target.pointer_bits() => {
                image.relocations.push(Relocation { offset, target });
            }
            _ if value.kind() == ValueKind::LLVMBlockAddressValueKind => {
                image.fail("the address of a label");
            }
            _ => image.fail("a constant that is known only at load time"),
        }
    }

    /// Functions of `llvm.global_ctors`, by priority. Those that run after `main` are not run.
    pub(crate) fn constructors(&mut self, module: &'m Module<'_>) -> Vec<FunctionId> {
        let mut constructors = Vec::new();
        for (priority, function) in listed(module, "llvm.global_ctors") {
            constructors.push((priority, self.function_address(function)));
        }
        constructors.sort_by_key(|(priority, _)| *priority);
        for (_, function) in listed(module, "llvm.global_dtors") {
            let site = self.debug.function_site(function);
            let what = format!("the destructor `{}`", self.debug.function_name(function)).into();
            self.unsupported.push(Unsupported { site, what });
        }
        constructors.into_iter().map(|(_, function)| function).collect()
    }
}

impl Image {
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        // Zeros at the end are implied, and an array's head may be gigabytes of them.
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let Some(bytes) = bytes.get(..used).filter(|it| !it.is_empty()) else { return };
        let end = offset.saturating_add(bytes.len() as u64);
        let (Ok(start), Ok(end), true) =
            (usize::try_from(offset), usize::try_from(end), end <= MAX_BYTES)
        else {
            return self.fail("data beyond 64 MiB");
        };
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        if let Some(place) = self.bytes.get_mut(start..end) {
            place.copy_from_slice(bytes);
        }
    }

    fn fail(&mut self, what: &str) {
        self.problem.get_or_insert_with(|| what.to_owned());
    }
}

/// Priorities and functions of `llvm.global_ctors` or `llvm.global_dtors`.
fn listed<'m>(module: &'m Module<'_>, name: &str) -> Vec<(u128, Value<'m>)> {
    let Some(list) = module.globals().into_iter().find(|it| it.name() == name) else {
        return Vec::new();
    };
    let Some(list) = list.initializer() else { return Vec::new() };
    let entries = (0u64..).map_while(|index| list.element(index));
    let entries = entries.filter_map(|entry| {
        let function = entry.element(1)?;
        let function = function.aliasee().unwrap_or(function);
        function.is_function().then_some((entry.element(0)?.int_bits()?, function))
    });
    entries.collect()
}

/// `"text…"` for a string literal.
fn literal_name(global: Value<'_>) -> Option<String> {
    const SHOWN: usize = 12;
    let is_literal =
        global.name().starts_with(".str") || global.name().starts_with("__PRETTY_FUNCTION__");
    let bytes = global.initializer().filter(|_| is_literal)?.string_bytes();
    let bytes = bytes.unwrap_or_default();
    let text = String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(&bytes)).into_owned();
    // A quote within quotes is escaped, an apostrophe is not.
    let shown: String = text.chars().take(SHOWN).collect();
    let shown = shown.escape_debug().to_string().replace("\\'", "'");
    let rest = if text.chars().count() > SHOWN { "…" } else { "" };
    Some(format!("\"{shown}{rest}\""))
}
