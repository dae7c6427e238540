//! Geometry that never changes: sizes, cells, sets of cells, bridge sites and
//! the tables precomputed from them.
//!
//! Nothing here knows whose turn it is or what is legal. A [`Cell`] has the
//! same value on every board size, a [`Site`] is numbered per size by the
//! size's [`Geometry`].

mod cell;
mod cells;
mod geometry;
mod site;
mod size;
mod symmetry;

pub use cell::{Cell, ParseCellError};
pub use cells::{Cells, CellsIter};
pub use geometry::Geometry;
pub use site::{BridgeSite, MAX_SITES, Site, SiteSet, SiteSetIter};
pub use size::{Size, SizeError};
pub use symmetry::Symmetry;
