//! Faults as the terminal shows them.

use expect_test::expect;

use super::{PLAIN, check};
use crate::examples::localized;

#[test]
fn values() {
    check(&localized::values(), PLAIN, expect![[r#""#]]);
}

#[test]
fn an_order() {
    check(&localized::order(), PLAIN, expect![[r#""#]]);
}
