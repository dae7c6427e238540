//! Converting SVG to PNG, with the feature `png`.
//!
//! A machine without a screen often has no fonts, and with fonts the picture would differ from
//! machine to machine. So texts become outlines of built-in glyphs before the SVG library sees
//! them. They need no shaping: the texts are numbers, coordinates and a title. `font/LICENSE.txt`
//! says where the glyphs come from.

use thiserror::Error;

/// Why a picture cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The text is not SVG.
    #[error("not an SVG picture: {0}")]
    Svg(
        /// The message of the SVG parser.
        String,
    ),
    /// The size is out of range.
    #[error("cannot draw {0} x {1} pixels: width and height must be 1 to {MAX}")]
    Size(
        /// The width in pixels.
        u32,
        /// The height in pixels, which follows from the width.
        u32,
    ),
    /// The picture could not be encoded.
    #[error("cannot write PNG: {0}")]
    Encoding(
        /// The message of the encoder.
        String,
    ),
    /// The crate was built without the feature `png`.
    #[error("this build cannot draw PNG: build it with the feature 'png', or write SVG")]
    NotBuilt,
}

/// The largest width and height, in pixels. Set by judgement: 16,384 by 16,384 pixels take 1 GiB.
const MAX: u32 = 16_384;

/// Converts an SVG picture, as written by [`Picture::to_svg`](super::Picture::to_svg), to PNG.
/// `width` is in pixels; `None` means two pixels per SVG unit.
///
/// The glyphs are built in, so the picture is the same on every machine.
///
/// # Errors
/// The picture or its size is invalid, or the crate was built without the feature `png`.
pub fn png(svg: &str, width: Option<u32>) -> Result<Vec<u8>, PngError> {
    #[cfg(feature = "png")]
    return resvg::png(svg, width);
    #[cfg(not(feature = "png"))]
    {
        let _ = (svg, width);
        Err(PngError::NotBuilt)
    }
}

#[cfg(feature = "png")]
mod resvg {
    use std::collections::HashMap;
    use std::fmt::Write;
    use std::sync::LazyLock;

    use ::resvg::tiny_skia::{Color, Pixmap, Transform};
    use ::resvg::usvg::{Options, Tree};
    use roxmltree::{Document, Error, Node};
    use simplecss::{AttributeOperator, PseudoClass, StyleSheet};

    use super::{MAX, PngError};

    /// See [`super::png`].
    pub(super) fn png(svg: &str, width: Option<u32>) -> Result<Vec<u8>, PngError> {
        let svg = outline(svg).map_err(|error| PngError::Svg(error.to_string()))?;
        let tree = Tree::from_str(&svg, &Options::default())
            .map_err(|error| PngError::Svg(error.to_string()))?;
        let size = tree.size();
        let scale = width.map_or(2.0, |width| width as f32 / size.width());
        let width = width.unwrap_or((size.width() * scale).round() as u32);
        let height = (size.height() * scale).round() as u32;
        let is_in_range = (1..=MAX).contains(&width) && (1..=MAX).contains(&height);
        let pixels = if is_in_range { Pixmap::new(width, height) } else { None };
        let mut pixels = pixels.ok_or(PngError::Size(width, height))?;
        // The last row and column may be covered only in part: white shows through.
        pixels.fill(Color::WHITE);
        ::resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
    }

    /// The units per em in the files of glyphs, as in the fonts they come from.
    const EM: f32 = 2048.0;

    const SVG: &str = "http://www.w3.org/2000/svg";

    /// The regular and the bold glyphs: the advance and the SVG path.
    static FONTS: LazyLock<[HashMap<char, (f32, &str)>; 2]> = LazyLock::new(|| {
        [include_str!("font/regular.txt"), include_str!("font/bold.txt")].map(|file| {
            let glyph = |line: &'static str| {
                let mut fields = line.splitn(3, '\t');
                let character = fields.next()?.chars().next()?;
                Some((character, (fields.next()?.parse().ok()?, fields.next()?)))
            };
            file.lines().filter_map(glyph).collect()
        })
    });

    /// Replaces the `<text>` elements by groups of paths. Their styles may be attributes or in
    /// `<style>` elements.
    fn outline(svg: &str) -> Result<String, Error> {
        let document = Document::parse(svg)?;
        let elements =
            |name| document.descendants().filter(move |node| node.has_tag_name((SVG, name)));
        let mut css = StyleSheet::new();
        elements("style").filter_map(|style| style.text()).for_each(|style| css.parse_more(style));
        let mut out = String::with_capacity(4 * svg.len());
        // The document is not serialized: everything between the texts is copied byte for byte.
        let mut copied_to = 0;
        for node in elements("text") {
            // Nothing is copied before a text within a text: the outer one begins earlier.
            out.push_str(svg.get(copied_to..node.range().start).unwrap_or_default());
            copied_to = node.range().end;
            write_paths(node, &css, &mut out);
        }
        out.push_str(svg.get(copied_to..).unwrap_or_default());
        Ok(out)
    }

    /// Writes the outlines of a text.
    fn write_paths(node: Node<'_, '_>, css: &StyleSheet<'_>, out: &mut String) {
        let style = |name| property(node, css, name);
        let number = |text: Option<&str>, default| {
            text.and_then(|text| text.trim_end_matches("px").parse().ok()).unwrap_or(default)
        };
        let bold = usize::from(style("font-weight") == Some("bold"));
        // A character without a glyph is a blank.
        let glyph = |c| [bold, 0].iter().find_map(|&font| FONTS[font].get(&c));
        let words: Vec<&str> = node.text().unwrap_or_default().split_ascii_whitespace().collect();
        let text = words.join(" ");
        let glyphs = text.chars().filter_map(|c| glyph(c).or_else(|| glyph(' ')));
        let scale = number(style("font-size"), 12.0) / EM;
        let width: f32 = glyphs.clone().map(|(advance, _)| advance * scale).sum();
        let shift = match style("text-anchor") {
            Some("middle") => width / 2.0,
            Some("end") => width,
            _ => 0.0,
        };
        let x = number(node.attribute("x"), 0.0) - shift;
        let y: f32 = number(node.attribute("y"), 0.0);
        let fill = style("fill").unwrap_or("#000");
        let _ = write!(out, "<g fill=\"{fill}\" transform=\"translate({x} {y}) scale({scale})\">");
        let mut offset = 0.0;
        for (advance, path) in glyphs {
            let _ = write!(out, "<path transform=\"translate({offset})\" d=\"{path}\"/>");
            offset += advance;
        }
        out.push_str("</g>");
    }

    /// The value of a property of an element or of the nearest ancestor that has it.
    fn property<'a>(node: Node<'a, '_>, css: &StyleSheet<'a>, name: &str) -> Option<&'a str> {
        node.ancestors().find_map(|node| {
            let rules = css.rules.iter().filter(|rule| rule.selector.matches(&Element(node)));
            let mut declarations = rules.flat_map(|rule| &rule.declarations);
            // The rules are in ascending order of specificity.
            let declaration = declarations.rfind(|declaration| declaration.name == name);
            declaration.map(|declaration| declaration.value).or_else(|| node.attribute(name))
        })
    }

    /// An element, for the selectors of a style sheet.
    struct Element<'a, 'input>(Node<'a, 'input>);

    impl simplecss::Element for Element<'_, '_> {
        fn parent_element(&self) -> Option<Self> {
            self.0.parent_element().map(Element)
        }

        fn prev_sibling_element(&self) -> Option<Self> {
            self.0.prev_sibling_element().map(Element)
        }

        fn has_local_name(&self, name: &str) -> bool {
            self.0.tag_name().name() == name
        }

        fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
            self.0.attribute(name).is_some_and(|value| operator.matches(value))
        }

        fn pseudo_class_matches(&self, _: PseudoClass<'_>) -> bool {
            false
        }
    }
}
