//! The geometry of boards: sizes, cells, sets of cells, bridge sites and precomputed tables.
//!
//! Nothing here depends on a position. A [`Cell`] or a [`Site`] has the same value on every board
//! size, that of the largest board; [`Geometry`] says which of them a board has. So sets of cells
//! and sites, tables and hash keys do not depend on the size, and the same code serves every board.

mod cell;
mod cells;
mod geometry;
mod sites;

pub use cell::{Cell, ParseCellError, Size, SizeError, Symmetry};
pub use cells::{Cells, CellsIter};
pub use geometry::Geometry;
pub use sites::{Site, SiteSet};
