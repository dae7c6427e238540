//! Geometry that never changes: sizes, cells, sets of cells, bridge sites and
//! the tables precomputed from them.
//!
//! Nothing here knows whose turn it is or what is legal. A [`Cell`] has the
//! same value on every board size, and so has a [`Site`]; which of them a board
//! has is in its size's [`Geometry`].

mod cell;
mod cells;
mod geometry;
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
