use crate::board::{Cell, Cells, Geometry, Site, Size, Symmetry};
use crate::eval::network::PLIES;
use crate::eval::network::inputs::permutation;

/// Where bits and plies go when a board is turned or mirrored.
#[derive(Debug)]
pub(crate) struct Images {
    pub(crate) bits: Vec<u16>,
    pub(crate) plies: Vec<u16>,
}

impl Images {
    /// All eight, for boards of `size`; the first changes nothing.
    pub(crate) fn all(size: Size) -> Vec<Images> {
        let images =
            |symmetry| Images { bits: permutation(symmetry, size), plies: plies(symmetry, size) };
        Symmetry::all().map(images).collect()
    }
}

/// Which row each ply's becomes.
fn plies(symmetry: Symmetry, size: Size) -> Vec<u16> {
    let mut plies: Vec<u16> = (0..PLIES as u16).collect();
    for cell in Cells::board(size) {
        plies[cell.index()] = symmetry.apply(cell, size).index() as u16;
    }
    for site in Geometry::of(size).sites().iter() {
        let [a, b] = site.ends().map(|end| symmetry.apply(end, size));
        if let Some(image) = Site::between(a, b) {
            plies[Cell::TABLE + site.index()] = (Cell::TABLE + image.index()) as u16;
        }
    }
    plies
}
