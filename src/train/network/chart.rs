//! Curves as a picture: SVG that needs nothing else.

use std::fmt::Write;

use super::curves::{Curves, Row};
use super::losses::Summary;

/// Width and height of the picture, in its units, and of each panel's frame.
const SIZE: [f64; 2] = [960.0, 700.0];
const PANEL: [f64; 2] = [380.0, 230.0];

/// Where the frames' upper left corners are.
const CORNERS: [[f64; 2]; 4] = [[70.0, 108.0], [550.0, 108.0], [70.0, 410.0], [550.0, 410.0]];

/// A panel: its title and what of a summary it shows.
type Panel = (&'static str, fn(&Summary) -> f64);

const PANELS: [Panel; 4] = [
    ("result: cross-entropy in nats", |summary| summary.result),
    ("policy: cross-entropy in nats", |summary| summary.policy),
    ("lead: error in points", |summary| summary.lead),
    ("owner of a cell: cross-entropy in nats", |summary| summary.owner),
];

/// A curve: its name, its colour, and what of a row it shows.
type Line = (&'static str, &'static str, fn(&Row) -> &Summary);

const LINES: [Line; 2] =
    [("while learnt", "#2a6fbb", |row| &row.train), ("held out", "#c8501e", |row| &row.held_out)];

/// Marks on an axis, about.
const MARKS: f64 = 6.0;

/// Losses over positions, of the network `name`.
pub(super) fn svg(name: &str, curves: &Curves) -> String {
    let [width, height] = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    text(&mut svg, [70.0, 36.0], "start", &format!("{name}: losses over positions learnt"), 18);
    for (n, (name, color, _)) in LINES.into_iter().enumerate() {
        let x = 70.0 + 140.0 * n as f64;
        let _ = writeln!(
            svg,
            "<path d=\"M{x} 56h24\" stroke=\"{color}\" stroke-width=\"3\" fill=\"none\"/>"
        );
        text(&mut svg, [x + 32.0, 60.5], "start", name, 13);
    }
    for (panel, corner) in PANELS.into_iter().zip(CORNERS) {
        add_panel(&mut svg, panel, corner, &curves.rows);
    }
    svg.push_str("</svg>\n");
    svg
}

/// A frame with marks, and the curves in it.
fn add_panel(svg: &mut String, (title, value): Panel, [left, top]: [f64; 2], rows: &[Row]) {
    let [width, height] = PANEL;
    let (right, bottom) = (left + width, top + height);
    let losses = LINES.iter().flat_map(|(.., of)| rows.iter().map(move |row| value(of(row))));
    let (least, most) = bounds(losses);
    let end = rows.last().map_or(1.0, |row| row.positions).max(1.0);
    let x = |positions: f64| left + width * positions / end;
    let y = |loss: f64| bottom - height * (loss - least) / (most - least);
    text(svg, [left, top - 10.0], "start", title, 14);
    for mark in marks(least, most) {
        grid(svg, [left, y(mark)], [right, y(mark)]);
        text(svg, [left - 6.0, y(mark) + 4.5], "end", &label(mark, most - least), 12);
    }
    for mark in marks(0.0, end) {
        grid(svg, [x(mark), top], [x(mark), bottom]);
        text(svg, [x(mark), bottom + 18.0], "middle", &count(mark), 12);
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" \
         stroke=\"#888\"/>"
    );
    for (_, color, of) in LINES {
        let points = rows.iter().map(|row| [x(row.positions), y(value(of(row)))]);
        curve(svg, color, points.filter(|[_, y]| y.is_finite()));
    }
}

/// A line through the points; a single one is a dot.
fn curve(svg: &mut String, color: &str, points: impl Iterator<Item = [f64; 2]>) {
    let places: Vec<String> = points.map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    if places.is_empty() {
        return;
    }
    // A line of no length, with a round end, is a dot.
    let again = if places.len() == 1 { &places[0] } else { "" };
    let _ = writeln!(
        svg,
        "<polyline points=\"{} {again}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
        places.join(" "),
    );
}

fn grid(svg: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>"
    );
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, text: &str, size: u32) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{text}</text>"
    );
}

/// The least and the largest of the numbers, with a little room.
fn bounds(all: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = all
        .filter(|value| value.is_finite())
        .fold((f64::MAX, f64::MIN), |(least, most), value| (least.min(value), most.max(value)));
    if least > most {
        return (0.0, 1.0);
    }
    let room = ((most - least) * 0.05).max(most.abs() * 1e-3).max(1e-6);
    (least - room, most + room)
}

/// Round numbers from `least` to `most`.
fn marks(least: f64, most: f64) -> impl Iterator<Item = f64> {
    let step = step(most - least);
    let (first, last) = ((least / step).ceil() as i64, (most / step).floor() as i64);
    (first..=last).map(move |n| n as f64 * step)
}

/// A distance of marks: 1, 2 or 5 times a power of ten.
fn step(range: f64) -> f64 {
    let rough = range / MARKS;
    let power = 10f64.powf(rough.log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= rough);
    times.unwrap_or(10.0) * power
}

/// A loss with as many digits as tell the marks of a range apart.
fn label(value: f64, range: f64) -> String {
    let digits = (-step(range).log10().floor()).max(0.0) as usize;
    format!("{value:.digits$}")
}

/// A number of positions, short: `300k`, `1.5M`.
fn count(positions: f64) -> String {
    match positions {
        _ if positions >= 1e6 => format!("{}M", (positions / 1e5).round() / 10.0),
        _ if positions >= 1e3 => format!("{}k", (positions / 100.0).round() / 10.0),
        _ => format!("{positions:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the elements, each of which must be closed.
    fn elements(svg: &str) -> Vec<&str> {
        let (mut open, mut names) = (Vec::new(), Vec::new());
        let mut rest = svg;
        while let Some((before, after)) = rest.split_once('<') {
            assert!(!before.contains('>'), "a stray > in {before}");
            let (tag, after) = after.split_once('>').unwrap();
            assert!(!tag.contains('<') && tag.matches('"').count() % 2 == 0, "{tag}");
            rest = after;
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap();
            let attributes = tag[name.len()..].trim_end_matches('/').trim();
            for attribute in attributes.split_inclusive("\" ").filter(|text| !text.is_empty()) {
                let (name, value) = attribute.trim_end().split_once('=').unwrap();
                assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
                assert!(value.len() >= 2 && value.starts_with('"') && value.ends_with('"'));
            }
            names.push(name);
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
        names
    }

    fn rows(count: u32) -> Curves {
        let mut curves = Curves::default();
        for n in 1..=count {
            let n = f64::from(n);
            let losses = |least: f64| {
                Summary::from_values(
                    [0.6, 0.2, 0.8, 4.0, 3.0, 0.3, 0.4].map(|x| x * (least + 1.0 / n)),
                )
            };
            let (train, held_out) = (losses(1.0), losses(1.1));
            curves.add(Row { epoch: n, rate: 0.001, positions: 3e5 * n, train, held_out });
        }
        curves
    }

    #[test]
    fn the_picture_is_well_formed_and_shows_the_curves() {
        for count in [0, 1, 2, 40] {
            let svg = svg("a & <b>", &rows(count));
            let names = elements(&svg);
            assert_eq!(names[0], "svg");
            let lines = names.iter().filter(|&&name| name == "polyline").count();
            assert_eq!(lines, if count == 0 { 0 } else { 8 });
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("a &amp; &lt;b&gt;: losses"));
        }
        // Without games held out.
        let mut curves = rows(3);
        curves.rows.iter_mut().for_each(|row| row.held_out = Summary::from_values([f64::NAN; 7]));
        let svg = svg("a", &curves);
        assert_eq!(elements(&svg).iter().filter(|&&name| name == "polyline").count(), 4);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn marks_are_round() {
        let all = |least, most| -> Vec<String> {
            marks(least, most).map(|mark| label(mark, most - least)).collect()
        };
        assert_eq!(all(0.52, 0.61), ["0.52", "0.54", "0.56", "0.58", "0.60"]);
        assert_eq!(all(0.0, 23.0), ["0", "5", "10", "15", "20"]);
        assert_eq!(
            [800.0, 1e3, 2.5e5, 1e6, 1.25e7].map(count),
            ["800", "1k", "250k", "1M", "12.5M"]
        );
    }
}
