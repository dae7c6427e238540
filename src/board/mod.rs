//! The geometry of boards: sizes, cells, sets of cells, bridge sites and
//! precomputed tables.
//!
//! Nothing here depends on a position. A [`Cell`] or a [`Site`] has the same
//! value on every board size; [`Geometry`] says which of them a board has.

mod cell;
mod cells;
mod geometry;
mod select;
mod site;
mod sites;
mod size;
mod symmetry;

pub use cell::{Cell, ParseCellError};
pub use cells::{Cells, CellsIter};
pub use geometry::Geometry;
pub use site::Site;
pub use sites::SiteSet;
pub use size::{Size, SizeError};
pub use symmetry::Symmetry;
