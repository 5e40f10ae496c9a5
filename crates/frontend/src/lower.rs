//! A linked module to a program: what is shared by all parts of the lowering.

use std::collections::{BTreeSet, HashMap};

use unravel_program::{
    Function, FunctionId, GlobalId, Primitive, Program, SiteId, Target, Type, Unsupported,
};

use crate::debug::{Debug, Paths};
use crate::error::Error;
use crate::function;
use crate::llvm::{Layout, Linkage, Module, Ty, Value};

/// What cannot be represented.
pub(crate) type What = unravel_kinds::Untranslated;

/// State of the lowering of a module.
pub(crate) struct Lowering<'m> {
    pub(crate) layout: Layout<'m>,
    pub(crate) target: Target,
    pub(crate) debug: Debug<'m>,
    pub(crate) globals: HashMap<Value<'m>, GlobalId>,
    pub(crate) unsupported: Vec<Unsupported>,
    /// Functions of the user's that have a name of the library and no body.
    pub(crate) foreign: BTreeSet<String>,
    functions: HashMap<Value<'m>, FunctionId>,
    /// Functions by id: those with a body first, then declared ones whose address is taken.
    order: Vec<Value<'m>>,
}

/// Scalar types that a function takes and returns.
pub(crate) struct Signature {
    pub(crate) params: Vec<Type>,
    pub(crate) returns: Vec<Type>,
    pub(crate) variadic: bool,
}

/// Lowers a linked module.
pub(crate) fn program(
    module: &Module<'_>,
    paths: Paths,
    foreign: BTreeSet<String>,
) -> Result<Program, Error> {
    let layout = module.layout();
    let target = target(layout)?;
    let mut cx = Lowering {
        layout,
        target,
        debug: Debug::new(layout, paths),
        globals: HashMap::new(),
        unsupported: Vec::new(),
        foreign,
        functions: HashMap::new(),
        order: Vec::new(),
    };
    for function in module.functions().into_iter().filter(|it| has_body(*it)) {
        cx.add_function(function);
    }
    let main = cx.order.iter().copied().find(|it| it.name() == "main").ok_or(Error::NoMain)?;
    let main = cx.function_address(main);
    let globals = cx.lower_globals(module);
    let constructors = cx.constructors(module);
    cx.note_file_scope_assembly(module);
    let functions = cx.lower_functions();
    let (files, types, sites) = cx.debug.finish();
    let unsupported = cx.unsupported;
    Ok(Program {
        target,
        files,
        types,
        sites,
        globals,
        functions,
        constructors,
        main,
        arguments: Vec::new(),
        unsupported,
    })
}

fn target(layout: Layout<'_>) -> Result<Target, Error> {
    if !layout.is_little_endian() {
        return Err(Error::Invalid("the program is for a big-endian machine".to_owned()));
    }
    match layout.pointer_bytes() {
        bytes @ (4 | 8) => Ok(Target { pointer_bytes: if bytes == 4 { 4 } else { 8 } }),
        bytes => {
            Err(Error::Invalid(format!("the program is for a machine with {bytes}-byte pointers")))
        }
    }
}

/// Whether the program's own definition of a function is the one that counts.
fn has_body(function: Value<'_>) -> bool {
    !function.is_declaration()
        && !Primitive::named(&c_name(function)).is_some_and(Primitive::overrides_definition)
}

/// The name of a function in C: of two `static` ones of one name in different files the linker
/// calls the second `name.1`.
pub(crate) fn c_name(function: Value<'_>) -> String {
    let name = function.name();
    match name.rsplit_once('.') {
        Some((base, number))
            if function.linkage() == Linkage::Local && number.parse::<u32>().is_ok() =>
        {
            base.to_owned()
        }
        _ => name,
    }
}

impl<'m> Lowering<'m> {
    fn add_function(&mut self, function: Value<'m>) -> FunctionId {
        let id = FunctionId(u32::try_from(self.order.len()).unwrap_or(u32::MAX));
        self.order.push(function);
        self.functions.insert(function, id);
        id
    }

    /// The id that stands for a function's address. A function without a body gets a wrapper that
    /// calls it, so that calls through pointers need not know about the library.
    pub(crate) fn function_address(&mut self, function: Value<'m>) -> FunctionId {
        match self.functions.get(&function) {
            Some(id) => *id,
            None => self.add_function(function),
        }
    }

    /// The id of a function of the program; `None` if it has no body that counts.
    pub(crate) fn defined(&self, function: Value<'m>) -> Option<FunctionId> {
        has_body(function).then(|| self.functions.get(&function).copied()).flatten()
    }

    /// Bodies in the order of ids. Lowering one may enter wrappers, which come at the end.
    fn lower_functions(&mut self) -> Vec<Function> {
        let mut bodies = Vec::new();
        while let Some(function) = self.order.get(bodies.len()).copied() {
            let body = match has_body(function) {
                true => function::lower(self, function),
                false => function::wrap(self, function),
            };
            bodies.push(body);
        }
        bodies
    }

    /// Scalar types of a function type; an error if one cannot be represented.
    pub(crate) fn signature(&self, function: Ty<'m>) -> Result<Signature, What> {
        let (result, params, variadic) = function
            .function()
            .ok_or_else(|| What::from("a call of something that is no function"))?;
        let (mut types, named) = (Vec::new(), params.len());
        for param in params {
            types.extend(self.leaf_types(param)?);
        }
        // `f()` without a prototype takes anything, and has no place for it.
        let variadic = variadic && named > 0;
        Ok(Signature { params: types, returns: self.leaf_types(result)?, variadic })
    }

    fn note_file_scope_assembly(&mut self, module: &Module<'_>) {
        if !module.inline_assembly().trim().is_empty() {
            let what = "file-scope inline assembly".into();
            self.unsupported.push(Unsupported { site: SiteId(0), what });
        }
    }
}
