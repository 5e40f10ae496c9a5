//! Ratios and means.

use crate::peers::{Kind, Run};

/// Unravel and a peer on one program that both solve. Ratios are Unravel's part divided by the
/// peer's.
pub struct Pair {
    /// The program.
    pub program: String,
    /// The peer.
    pub peer: Kind,
    /// Time of the whole process.
    pub whole: f64,
    /// Time of the engine, where both say it.
    pub engine: Option<f64>,
    /// Peak memory; none where the process was too short to be seen.
    pub memory: Option<f64>,
}

/// The resolution of the engine's clock, in seconds. A ratio takes no time as less.
const TICK: f64 = 0.001;

/// Below ten ticks growth is noise, and none is shown.
const GROWS: f64 = 10.0 * TICK;

/// Compares two runs, if both solve the program.
pub fn pair(program: &str, peer: Kind, ours: &Run, theirs: &Run) -> Option<Pair> {
    let both = ours.solved && theirs.solved;
    let times = |ours: f64, theirs: f64| ours.max(TICK) / theirs.max(TICK);
    both.then(|| Pair {
        program: program.to_owned(),
        peer,
        whole: times(ours.whole, theirs.whole),
        engine: ours.engine.zip(theirs.engine).map(|(ours, theirs)| times(ours, theirs)),
        memory: (ours.peak > 0.0 && theirs.peak > 0.0).then(|| ours.peak / theirs.peak),
    })
}

/// The geometric mean: the only one that is the same whichever way a ratio is taken.
pub fn geometric_mean(ratios: impl Iterator<Item = f64>) -> Option<f64> {
    let logarithms: Vec<f64> = ratios.map(f64::ln).collect();
    let count = logarithms.len();
    (count > 0).then(|| (logarithms.iter().sum::<f64>() / count as f64).exp())
}

/// The arithmetic mean, for comparing with published ones.
pub fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The median; of an even number, the mean of the middle two.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    match values.len() % 2 {
        1 => Some(upper),
        _ => values.get(middle - 1).map(|lower| (lower + upper) / 2.0),
    }
}

/// Whether a time in seconds is long enough to compute growth from.
pub fn measurable(seconds: f64) -> bool {
    seconds >= GROWS
}

/// The exponent k of cost ~ N^k through two points.
pub fn exponent(from: (u32, f64), to: (u32, f64)) -> Option<f64> {
    let cost = (to.1 / from.1).ln();
    let size = (f64::from(to.0) / f64::from(from.0)).ln();
    (size > 0.0 && cost.is_finite()).then(|| cost / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means() {
        let mean = geometric_mean([4.0, 0.25, 8.0].into_iter()).unwrap();
        assert!((mean - 2.0).abs() < 1e-9);
        assert_eq!(geometric_mean(std::iter::empty()), None);
        assert_eq!(super::mean([1.0, 3.0].into_iter()), Some(2.0));
        assert_eq!(super::mean(std::iter::empty()), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![3.0, 1.0]), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn a_square_has_exponent_two() {
        let exponent = exponent((2, 4.0), (4, 16.0)).unwrap();
        assert!((exponent - 2.0).abs() < 1e-9);
    }
}
