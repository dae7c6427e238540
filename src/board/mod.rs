//! The geometry of boards: sizes, cells, sets of cells, bridge sites and
//! precomputed tables.
//!
//! Nothing here depends on a position. A [`Cell`] or a [`Site`] has the same
//! value on every board size; [`Geometry`] says which of them a board has.

mod cell;
mod cells;
mod geometry;
mod sites;

pub use cell::{Cell, ParseCellError, Size, SizeError, Symmetry};
pub use cells::{Cells, CellsIter};
pub use geometry::Geometry;
pub use sites::{Site, SiteSet};
