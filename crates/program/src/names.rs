//! Debug types, and the names of places inside objects.
//!
//! A run is told in the user's words: `queue.slots[2].next`, not "8 bytes at offset 40". The
//! front end turns DWARF types into a [`Types`] table; [`Types::path`] walks it from an offset
//! to the member that lies there.

/// Index into [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A type as debug information describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugType {
    /// Its name, where it has one: `int`, `struct node`, `queue_t`.
    pub name: String,
    /// Size in bytes; 0 if unknown.
    pub size: u64,
    /// Its structure.
    pub shape: Shape,
}

/// Structure of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An integer that prints as a number with a sign.
    Signed,
    /// An integer that prints as a number without one.
    Unsigned,
    /// A truth value.
    Bool,
    /// A character.
    Char,
    /// A floating point number.
    Float,
    /// An address.
    Pointer,
    /// Members at their offsets. All at 0: a union.
    Struct(Vec<Member>),
    /// Elements of one type, one after the other; of unknown number if 0.
    Array {
        /// Type of an element.
        element: TypeId,
        /// How many there are.
        length: u64,
    },
    /// A library type whose inside is nobody's business (`pthread_mutex_t`).
    Opaque,
}

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for an anonymous struct or union.
    pub name: String,
    /// Byte offset.
    pub offset: u64,
    /// Its type.
    pub ty: TypeId,
}

/// Table of debug types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// The types; a [`TypeId`] is an index.
    pub types: Vec<DebugType>,
}

impl Types {
    /// The type behind an id.
    #[must_use]
    pub fn get(&self, id: TypeId) -> Option<&DebugType> {
        self.types.get(id.0 as usize)
    }

    /// Name of the `bytes` bytes at `offset` in an object called `root`: the smallest member
    /// that holds them, as C would write it. Also gives that member's type.
    ///
    /// Of several union members the first that fits is named.
    #[must_use]
    pub fn path(&self, root: &str, ty: TypeId, offset: u64, bytes: u64) -> (String, TypeId) {
        let mut name = root.to_owned();
        let (mut ty, mut offset) = (ty, offset);
        while let Some((step, inner, rest)) = self.descend(ty, offset, bytes) {
            name.push_str(&step);
            (ty, offset) = (inner, rest);
        }
        (name, ty)
    }

    /// One step of [`Self::path`]: the text to append, the member's type, the rest offset.
    fn descend(&self, ty: TypeId, offset: u64, bytes: u64) -> Option<(String, TypeId, u64)> {
        match &self.get(ty)?.shape {
            Shape::Struct(members) => self.member_at(members, offset, bytes),
            Shape::Array { element, .. } => self.element_at(*element, offset, bytes),
            _ => None,
        }
    }

    fn member_at(
        &self,
        members: &[Member],
        offset: u64,
        bytes: u64,
    ) -> Option<(String, TypeId, u64)> {
        members.iter().find_map(|member| {
            let rest = offset.checked_sub(member.offset)?;
            let size = self.get(member.ty)?.size;
            if rest + bytes > size {
                return None;
            }
            let dot = if member.name.is_empty() { "" } else { "." };
            Some((format!("{dot}{}", member.name), member.ty, rest))
        })
    }

    fn element_at(
        &self,
        element: TypeId,
        offset: u64,
        bytes: u64,
    ) -> Option<(String, TypeId, u64)> {
        let size = self.get(element)?.size;
        let index = offset.checked_div(size)?;
        let rest = offset % size;
        (rest + bytes <= size).then(|| (format!("[{index}]"), element, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Types {
        let int = DebugType { name: "int".into(), size: 4, shape: Shape::Signed };
        let member = |name: &str, offset, ty| Member { name: name.into(), offset, ty: TypeId(ty) };
        let inner = Shape::Struct(vec![member("id", 0, 0), member("", 4, 0)]);
        let array = Shape::Array { element: TypeId(1), length: 3 };
        let outer = Shape::Struct(vec![member("count", 0, 0), member("slots", 4, 2)]);
        Types {
            types: vec![
                int,
                DebugType { name: "slot".into(), size: 8, shape: inner },
                DebugType { name: String::new(), size: 24, shape: array },
                DebugType { name: "queue".into(), size: 28, shape: outer },
            ],
        }
    }

    #[test]
    fn a_path_names_the_smallest_member() {
        let types = sample();
        let name = |offset, bytes| types.path("q", TypeId(3), offset, bytes).0;
        assert_eq!(name(0, 4), "q.count");
        assert_eq!(name(12, 4), "q.slots[1].id");
        assert_eq!(name(12, 8), "q.slots[1]");
        assert_eq!(name(4, 24), "q.slots");
        assert_eq!(name(0, 28), "q");
    }

    #[test]
    fn bytes_that_straddle_members_name_what_holds_them() {
        assert_eq!(sample().path("q", TypeId(3), 8, 8).0, "q.slots");
    }
}
