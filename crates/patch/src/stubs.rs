//! Stubs: bodies for functions that are declared and that nobody defines.
//!
//! Prototypes are those of the program, word for word, with the types that they need. They are taken
//! from its text after the preprocessor, so that a file of stubs stands alone.

mod declarations;

use declarations::{Declarations, Returns};

/// A function that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// Where it is called first, as `file.c:12`.
    pub called_at: String,
}

/// A file with a stub for each function. `texts`: the files of the program after the preprocessor.
#[must_use]
pub fn stubs(wanted: &[Wanted], texts: &[String]) -> String {
    let files: Vec<Declarations> = texts.iter().map(|text| Declarations::parse(text)).collect();
    let mut types: Vec<String> = Vec::new();
    let mut bodies = String::new();
    for function in wanted {
        let found = files.iter().find_map(|file| Some((file, file.prototype(&function.name)?)));
        let stub = match found {
            Some((file, prototype)) => {
                for item in file.types_of(&prototype.text) {
                    if !types.contains(&item) {
                        types.push(item);
                    }
                }
                stub(function, &prototype.text, &prototype.returns)
            }
            // C before 1999 takes what is not declared for this.
            None => {
                stub(function, &format!("int {}()", function.name), &Returns::Value("int".into()))
            }
        };
        bodies.push_str(&stub);
    }
    let types = types.iter().map(|it| format!("{it}\n")).collect::<String>();
    let gap = if types.is_empty() { "" } else { "\n" };
    format!("{HEAD}\n{types}{gap}{HELPERS}{bodies}")
}

const HEAD: &str =
    "/* Stubs for functions that no file of the program defines and that have no model.
   Each returns any value of its type, and touches nothing that its pointers lead to.
   Change those in which more than that matters: an answer is only as good as its stubs. */
";

const HELPERS: &str = "extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void exit(int);
extern int __VERIFIER_nondet_int(void);
";

fn stub(function: &Wanted, prototype: &str, returns: &Returns) -> String {
    let Wanted { name, called_at } = function;
    let at = format!("{name}: called at {called_at}");
    let (what, before, body) = match returns {
        Returns::Nothing => ("does nothing".to_owned(), String::new(), String::new()),
        Returns::Never => {
            ("ends the process".to_owned(), String::new(), "    exit(1);\n".to_owned())
        }
        Returns::Value(ty) => {
            let any = format!("__VERIFIER_nondet_{name}");
            let declared = format!("extern {ty} {any}(void);\n");
            ("returns any value".to_owned(), declared, format!("    return {any}();\n"))
        }
        Returns::Pointer(size) => {
            let body = format!("    return __VERIFIER_nondet_int() ? calloc(1, {size}) : 0;\n");
            ("returns null or a new block of zeros".to_owned(), String::new(), body)
        }
        Returns::Function => {
            let body = "    return 0;\n".to_owned();
            ("returns null: say which function".to_owned(), String::new(), body)
        }
        Returns::Structure(ty) => {
            let body = format!("    static {ty} result;\n    return result;\n");
            ("returns zeros: say what its members are".to_owned(), String::new(), body)
        }
    };
    format!("\n/* {at}; {what}. */\n{before}{prototype} {{\n{body}}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stub_of(name: &str, text: &str) -> String {
        let wanted = Wanted { name: name.to_owned(), called_at: "a.c:1".to_owned() };
        let all = stubs(&[wanted], &[text.to_owned()]);
        let head = all.find(HELPERS).unwrap();
        let bodies = &all[head + HELPERS.len()..];
        format!("{}{bodies}", &all[HEAD.len() + 1..head])
    }

    #[test]
    fn a_value_is_any_of_its_type() {
        let text =
            "typedef unsigned long word;\ntypedef word id;\nextern id next(int step, char *);";
        assert_eq!(
            stub_of("next", text),
            "typedef unsigned long word;\ntypedef word id;\n\n\n\
             /* next: called at a.c:1; returns any value. */\n\
             extern id __VERIFIER_nondet_next(void);\n\
             id next(int step, char *) {\n    return __VERIFIER_nondet_next();\n}\n"
        );
    }

    #[test]
    fn types_that_are_needed_come_along_and_no_others() {
        let text = "struct other { int x; };\nenum { N = 4 };\nstruct in { int a[N]; };\n\
                    typedef struct { struct in i; struct link *next; } part;\n\
                    void put(const part *p, struct opaque *o);\nint main(void) { return 0; }";
        let stub = stub_of("put", text);
        assert!(stub.starts_with(
            "enum { N = 4 };\nstruct in { int a[N]; };\n\
             typedef struct { struct in i; struct link *next; } part;\n"
        ));
        assert!(!stub.contains("other") && !stub.contains("main"), "{stub}");
        assert!(stub.ends_with("void put(const part *p, struct opaque *o) {\n}\n"), "{stub}");
    }

    #[test]
    fn pointers_lead_to_new_blocks_or_nowhere() {
        let stub = stub_of("get", "struct n { int k; }; struct n *get(void);");
        assert!(stub.contains("struct n *get(void) {\n"), "{stub}");
        assert!(stub.contains("? calloc(1, sizeof(struct n)) : 0;"), "{stub}");
        let stub = stub_of("get", "struct hidden *get(void);");
        assert!(stub.contains("? calloc(1, 64) : 0;"), "{stub}");
        let stub = stub_of("get", "typedef void *handle; handle get(void);");
        assert!(stub.contains("? calloc(1, 64) : 0;"), "{stub}");
        let stub = stub_of("pick", "int (*pick(int k))(void);");
        assert!(stub.contains("int (*pick(int k))(void) {\n    return 0;"), "{stub}");
        let stub = stub_of("get", "typedef struct hidden part; part *get(void);");
        assert!(stub.contains("? calloc(1, 64) : 0;"), "{stub}");
    }

    #[test]
    fn structures_functions_that_end_and_functions_nobody_declares() {
        let stub = stub_of("mk", "struct p { int a; }; struct p mk(struct p q);");
        assert!(stub.contains("    static struct p result;\n"), "{stub}");
        let stub = stub_of("die", "extern void die(const char *, ...) __attribute__((noreturn));");
        assert!(stub.contains("void die(const char *, ...) {\n    exit(1);\n"), "{stub}");
        assert!(stub_of("f", "int x;").contains("int f() {\n    return __VERIFIER_nondet_f();"));
    }
}
