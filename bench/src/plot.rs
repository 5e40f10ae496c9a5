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
    /// Points: size and cost, both positive, sizes growing.
    pub points: Vec<(f64, f64)>,
    /// Drawn with dashes: somebody else's.
    pub dashed: bool,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;

/// Told apart with all common kinds of colour blindness (Okabe and Ito's palette).
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"];

/// The plot; nothing without a point.
pub fn svg(title: &str, x: &str, y: &str, lines: &[Line]) -> Option<String> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let (columns, rows) = (Axis::of(points().map(|it| it.0))?, Axis::of(points().map(|it| it.1))?);
    let frame = Frame { columns, rows };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    frame.draw(&mut out, x, y);
    for (number, line) in lines.iter().enumerate() {
        frame.line(&mut out, number, line);
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
        LEFT + self.columns.at(value) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.rows.at(value) * (HEIGHT - TOP - BOTTOM)
    }

    // Writing to a string does not fail.
    fn draw(&self, out: &mut String, x: &str, y: &str) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
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

    fn line(&self, out: &mut String, number: usize, line: &Line) {
        let colour = COLOURS[number % COLOURS.len()];
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
        for &(x, y) in &line.points {
            let (x, y) = (self.x(x), self.y(y));
            let _ =
                writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let (x, y) = (WIDTH - RIGHT + 14.0, TOP + 8.0 + 18.0 * number as f64);
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {y:.1}h22\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 28.0,
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
        Line { name: "a & b".to_owned(), points: points.to_vec(), dashed: false }
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
    fn ticks_are_round() {
        let axis = Axis::of([3.0, 40.0].into_iter()).unwrap();
        assert_eq!((axis.low, axis.high), (2.0, 50.0));
        assert_eq!(axis.ticks(), [2.0, 5.0, 10.0, 20.0, 50.0]);
    }
}
