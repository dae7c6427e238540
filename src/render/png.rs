//! Converting SVG to PNG, with the feature `png`.

#[cfg(feature = "png")]
mod outlines;

use thiserror::Error;

/// A picture cannot be drawn.
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
        /// The width.
        u32,
        /// The height.
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

/// The largest width and height, in pixels.
const MAX: u32 = 16_384;

/// Converts an SVG picture, as written by
/// [`Picture::to_svg`](super::Picture::to_svg), to PNG. `width` is in pixels;
/// `None` means two pixels per SVG unit.
///
/// The glyphs are built in, so the picture is the same on every machine.
///
/// # Errors
/// The picture or its size is invalid, or the crate was built without the feature
/// `png`.
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
    use ::resvg::tiny_skia::{Color, Pixmap, Transform};
    use ::resvg::usvg::{Options, Tree};

    use super::{MAX, PngError, outlines};

    /// See [`super::png`].
    pub(super) fn png(svg: &str, width: Option<u32>) -> Result<Vec<u8>, PngError> {
        let svg = outlines::outline(svg).map_err(|error| PngError::Svg(error.to_string()))?;
        let tree = Tree::from_str(&svg, &Options::default())
            .map_err(|error| PngError::Svg(error.to_string()))?;
        let size = tree.size();
        let scale = width.map_or(2.0, |width| width as f32 / size.width());
        let width = width.unwrap_or((size.width() * scale).round() as u32);
        let height = (size.height() * scale).round() as u32;
        let room = (1..=MAX).contains(&width) && (1..=MAX).contains(&height);
        let pixels = if room { Pixmap::new(width, height) } else { None };
        let mut pixels = pixels.ok_or(PngError::Size(width, height))?;
        // The last row and column may be covered in part only: white shows through.
        pixels.fill(Color::WHITE);
        ::resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
    }
}
