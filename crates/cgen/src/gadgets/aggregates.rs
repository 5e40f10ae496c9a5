//! Structures by value, unions and enumerations.

use crate::feature::Feature;
use crate::generator::{Gen, Var};
use crate::helper::Helper::{ClampDouble, ClampFloat, Mix};
use crate::place::mix_all;
use crate::tree::{Part, Stmt, parts};
use crate::types::{Field, Scalar, StructDef, Type};
use std::rc::Rc;

/// A function that takes a structure by value and returns it changed. The
/// calling convention passes small ones in registers, by the types of their
/// members, and large ones in memory.
pub(super) fn struct_by_value(g: &mut Gen) -> Vec<Stmt> {
    let def = passed_struct(g);
    let extra: Vec<_> = (0..g.rng.between(0, 3)).map(|_| g.scalar()).collect();
    let f = changer(g, &def, &extra);
    let v = g.fresh("sv");
    let literal = parts![format!("(struct {})", def.name), g.struct_initializer(&def, false)];
    let first = call(g, &f, literal, &extra);
    let second = call(g, &f, parts![&v], &extra);
    let head = format!("struct {} {v} = ", def.name);
    let mut stmts = vec![
        Stmt::declares(&v, parts![head, first, ";", Feature::CompoundLiteral]),
        Stmt::new(parts![&v, " = ", second, ";", Feature::StructCopy]),
    ];
    stmts.extend(mix_all(&v, &Type::Struct(Rc::clone(&def))));
    stmts
}

/// A structure of scalars, half of them floats in some programs.
fn passed_struct(g: &mut Gen) -> Rc<StructDef> {
    let name = g.fresh("S");
    let count = g.rng.between(1, 5);
    let floats = g.rng.chance(50);
    let mut fields = Vec::new();
    for _ in 0..count {
        let ty = match floats && g.rng.chance(60) {
            true => g.rng.pick(&[Scalar::Float, Scalar::Double]),
            false => Scalar::Int(g.plain_kind()),
        };
        fields.push(Field { name: g.fresh("m"), ty: Type::Scalar(ty), bits: None });
    }
    let def = Rc::new(StructDef { name, fields });
    g.define_struct(&def);
    def
}

fn changer(g: &mut Gen, def: &Rc<StructDef>, extra: &[Scalar]) -> String {
    let (f, s) = (g.fresh("by"), g.fresh("s"));
    let mut params = vec![Var::plain(&s, Type::Struct(Rc::clone(def)))];
    for ty in extra {
        params.push(Var::plain(&g.fresh("a"), Type::Scalar(*ty)));
    }
    let list = g.param_list(&params);
    let (body, cost) = g.in_function(params, true, |g| change_fields(g, def, &s));
    g.charge_call(2 * cost);
    let small = Type::Struct(Rc::clone(def)).layout().0 <= 16;
    let size = if small { Feature::SmallStruct } else { Feature::LargeStruct };
    let marks = parts![Feature::StructReturn, size];
    let head = parts![format!("static struct {} {f}(", def.name), list, ") {"];
    g.item(&f, parts![head, body, "}", marks]);
    f
}

fn change_fields(g: &mut Gen, def: &StructDef, s: &str) -> Vec<Stmt> {
    let mut stmts = Vec::new();
    for field in &def.fields {
        if let Type::Scalar(ty) = field.ty
            && g.rng.chance(50)
        {
            let value = g.storable(ty, 2);
            stmts.push(Stmt::new(parts![format!("{s}.{} = ", field.name), value, ";"]));
        }
    }
    stmts.push(Stmt::required(parts![format!("return {s};")]));
    stmts
}

fn call(g: &mut Gen, f: &str, first: Vec<Part>, extra: &[Scalar]) -> Vec<Part> {
    let mut parts = parts![format!("{f}("), first];
    for ty in extra {
        parts.push(", ".into());
        parts.extend(g.storable(*ty, 1));
    }
    parts.push(")".into());
    parts
}

/// A union read through another member than was written.
pub(super) fn union_punning(g: &mut Gen) -> Vec<Stmt> {
    let (u, x) = (g.fresh("U"), g.fresh("x"));
    let wide = g.rng.chance(50);
    let (members, clamp, n) = match wide {
        true => ("uint64_t u; double f; uint8_t b[8]; uint32_t h[2];", ClampDouble, 8),
        false => ("uint32_t u; float f; uint8_t b[4]; int16_t h[2];", ClampFloat, 4),
    };
    let text = format!("union {u} {{ {members} }};");
    g.item(&u, parts![text, Feature::UnionPunning]);
    let start = g.int_expr(2);
    let float = parts![format!("{x}.f = "), clamp, "(", g.float_expr(2), "); "];
    let byte = parts![format!("{x}.b["), g.index(n, 1), "] = ", g.int_expr(1), ";"];
    let show = parts![Mix, format!("({x}.u); "), Mix, format!("({x}.h[1]); ")];
    let back = parts![Mix, format!("({x}.f > 1);"), Feature::FloatCompare];
    vec![
        Stmt::declares(&x, parts![format!("union {u} {x} = {{.u = "), start, "};"]),
        Stmt::new(parts![Mix, format!("({x}.b["), g.index(n, 1), "]);"]),
        Stmt::new(byte),
        Stmt::new(parts![show.clone(), back]),
        Stmt::new(parts![float, show]),
    ]
}

/// An enumeration, and a switch on a variable of it.
pub(super) fn enumeration(g: &mut Gen) -> Vec<Stmt> {
    let (name, e) = (g.fresh("E"), g.fresh("e"));
    let start = g.rng.pick(&["-3", "0", "7", "0x7ffffff0"]);
    let (a, b, c) = (format!("{name}_a"), format!("{name}_b"), format!("{name}_c"));
    let text = format!("enum {name} {{ {a} = {start}, {b}, {c} = {b} + 4 }};");
    g.item(&name, parts![text, Feature::Enum]);
    let condition = g.condition();
    let declare = parts![format!("enum {name} {e} = "), condition, format!(" ? {a} : {c};")];
    let (first, second) = (g.block(1), g.block(1));
    let cases = vec![
        Stmt::new(parts![format!("case {a}: {{"), first, "} break;"]),
        Stmt::new(parts![format!("case {b}: "), Mix, "(1);"]),
        Stmt::new(parts!["default: {", second, "} break;", Feature::SwitchDefault]),
    ];
    vec![
        Stmt::declares(&e, declare),
        Stmt::new(parts![format!("if ({e} < {b}) {e} = {b};"), Feature::If]),
        Stmt::new(parts![format!("switch ({e}) {{"), cases, "}", Feature::Switch]),
        Stmt::new(parts![format!("printf(\"%d\\n\", (int){e});"), Feature::Printf]),
    ]
}
