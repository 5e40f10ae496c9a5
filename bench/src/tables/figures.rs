//! How figures are written, and their means.

/// A number with so many digits after the point; `-` if there is none.
pub fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

/// A share in percent.
pub fn percent(share: Option<f64>, digits: usize) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.digits$} %", share * 100.0))
}

/// The arithmetic mean.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Names as code, with commas.
pub fn names(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
