//! A plot of cost by size, both on logarithmic scales, as SVG: a straight line is a power of N, and
//! one that bends upwards is worse.
//!
//! Written out here: a plotting library would bring more code than the whole of `bench/` has, for
//! three kinds of elements.

use std::fmt::Write;

/// A line of the plot.
pub struct Line {
    /// What it is called.
    pub name: String,
    /// What it is about: lines of one subject have one colour.
    pub subject: String,
    /// Points: size and cost, both positive, sizes growing.
    pub points: Vec<(f64, f64)>,
    /// Drawn with dashes: somebody else's.
    pub dashed: bool,
}

const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
/// Where the lines end and the legend begins.
const RIGHT: f64 = 450.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;

/// Told apart with all common kinds of colour blindness (Okabe and Ito's palette).
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

/// Where the names of the legend begin.
const NAMES: f64 = RIGHT + 42.0;
/// A letter of the legend is at most this wide on average, whichever font there is.
const LETTER: f64 = 7.2;

/// The plot; nothing without a point.
pub fn svg(title: &str, x: &str, y: &str, lines: &[Line]) -> Option<String> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let (columns, rows) = (Axis::of(points().map(|it| it.0))?, Axis::of(points().map(|it| it.1))?);
    let frame = Frame { columns, rows };
    let longest = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
    let width = (NAMES + longest as f64 * LETTER + 8.0).ceil();
    let about = escaped(&format!("{title}: {y} by {x}"));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
         <title>{about}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    frame.draw(&mut out, x, y);
    let mut subjects: Vec<&str> = lines.iter().map(|line| line.subject.as_str()).collect();
    subjects.dedup();
    for (number, line) in lines.iter().enumerate() {
        let subject = subjects.iter().position(|it| *it == line.subject).unwrap_or(0);
        frame.line(&mut out, number, COLOURS[subject % COLOURS.len()], line);
    }
    out.push_str("</svg>\n");
    Some(out)
}

/// A logarithmic axis.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// From the power of ten below all values to the one above, or closer for a narrow range.
    fn of(values: impl Iterator<Item = f64>) -> Option<Axis> {
        let (low, high) = values.filter(|it| *it > 0.0).fold(None, |range, value| {
            let (low, high) = range.unwrap_or((value, value));
            Some((f64::min(low, value), f64::max(high, value)))
        })?;
        let low = ticks_below(low);
        Some(Axis { low, high: ticks_above(high).max(low * 2.0) })
    }

    /// Where a value lies, from 0 to 1.
    fn at(&self, value: f64) -> f64 {
        (value / self.low).ln() / (self.high / self.low).ln()
    }

    /// The values that are named: 1, 2, 5, 10, …, or powers of ten on a long axis.
    fn ticks(&self) -> Vec<f64> {
        let long = self.high / self.low > 200.0;
        let factors: &[f64] = if long { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all = (-6..=9).flat_map(|power| factors.iter().map(move |it| it * 10f64.powi(power)));
        // Powers are not exact.
        all.filter(|it| *it >= self.low * 0.999 && *it <= self.high * 1.001).collect()
    }
}

fn ticks_below(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [5.0, 2.0].into_iter().map(|it| it * power).find(|it| *it <= value).unwrap_or(power)
}

fn ticks_above(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|it| it * power).find(|it| *it >= value).unwrap_or(power * 10.0)
}

struct Frame {
    columns: Axis,
    rows: Axis,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        LEFT + self.columns.at(value) * (RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.rows.at(value) * (HEIGHT - TOP - BOTTOM)
    }

    // Writing to a string does not fail.
    fn draw(&self, out: &mut String, x: &str, y: &str) {
        let (right, bottom) = (RIGHT, HEIGHT - BOTTOM);
        for tick in self.columns.ticks() {
            let at = self.x(tick);
            let _ = writeln!(
                out,
                "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"#ddd\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
                bottom + 16.0
            );
        }
        for tick in self.rows.ticks() {
            let at = self.y(tick);
            let _ = writeln!(
                out,
                "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
                LEFT - 6.0,
                at + 4.0
            );
        }
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {:.1})\">{}</text>",
            (LEFT + right) / 2.0,
            HEIGHT - 10.0,
            escaped(x),
            (TOP + bottom) / 2.0,
            (TOP + bottom) / 2.0,
            escaped(y)
        );
    }

    fn line(&self, out: &mut String, number: usize, colour: &str, line: &Line) {
        let dashes = if line.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        let points: Vec<String> = line
            .points
            .iter()
            .map(|&(x, y)| format!("{:.1},{:.1}", self.x(x), self.y(y)))
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>",
            points.join(" ")
        );
        // A lone point is no line of anybody; hollow, it hides none behind it either.
        let fill = if line.points.len() == 1 { "white" } else { colour };
        for &(x, y) in &line.points {
            let (x, y) = (self.x(x), self.y(y));
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{fill}\" stroke=\"{colour}\"/>"
            );
        }
        let (x, y) = (RIGHT + 14.0, TOP + 8.0 + 18.0 * number as f64);
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {y:.1}h22\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{NAMES:.1}\" y=\"{:.1}\">{}</text>",
            y + 4.0,
            escaped(&line.name)
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(f64, f64)]) -> Line {
        let name = "a & b".to_owned();
        Line { subject: name.clone(), name, points: points.to_vec(), dashed: false }
    }

    #[test]
    fn a_line_goes_from_corner_to_corner() {
        let text = svg("t", "N", "ms", &[line(&[(1.0, 1.0), (100.0, 1000.0)])]).unwrap();
        assert!(text.contains("points=\"64.0,312.0 450.0,36.0\""), "{text}");
        assert!(text.contains("a &amp; b"));
    }

    #[test]
    fn one_point_is_enough_and_none_is_not() {
        assert!(svg("t", "N", "ms", &[line(&[(3.0, 7.0)])]).is_some());
        assert!(svg("t", "N", "ms", &[line(&[])]).is_none());
    }

    #[test]
    fn a_subject_has_one_colour_and_a_lone_point_is_hollow() {
        let two = [(1.0, 2.0), (2.0, 3.0)];
        let mut lines = [line(&two), line(&[(1.0, 5.0)]), line(&two)];
        lines[2].subject = "c".to_owned();
        let text = svg("t", "N", "ms", &lines).unwrap();
        assert_eq!(text.matches(COLOURS[0]).count(), 9, "{text}");
        assert_eq!(text.matches(COLOURS[1]).count(), 6, "{text}");
        assert_eq!(text.matches("r=\"3\" fill=\"white\"").count(), 1, "{text}");
    }

    #[test]
    fn the_legend_has_room() {
        let mut long = line(&[(1.0, 1.0)]);
        long.name = "counter_rounds_locked, cbmc".to_owned();
        let text = svg("t", "N", "ms", &[long]).unwrap();
        assert!(text.contains("viewBox=\"0 0 695 360\""), "{text}");
    }

    #[test]
    fn ticks_are_round() {
        let axis = Axis::of([3.0, 40.0].into_iter()).unwrap();
        assert_eq!((axis.low, axis.high), (2.0, 50.0));
        assert_eq!(axis.ticks(), [2.0, 5.0, 10.0, 20.0, 50.0]);
    }
}
