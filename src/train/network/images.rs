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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::inputs::{Inputs, NUMBER_BITS};
    use crate::eval::network::ply_row;
    use crate::game::{Ply, Position, Rules};
    use crate::search::Searcher;
    use crate::train::selfplay::{Played, Settings};

    /// A game with hardly any search.
    fn game(size: u64) -> Played {
        let size = Size::new(size).unwrap();
        let settings = Settings { size, full: 8, quick: 8, ..Settings::default() };
        settings.play(3, &mut Searcher::default()).unwrap()
    }

    /// A position turned or mirrored, from the plies that led to it.
    fn turned(plies: &[Ply], rules: Rules, symmetry: Symmetry) -> (Position, Vec<Ply>) {
        let (mut position, size) = (Position::new(rules), rules.size);
        let image = |ply: &Ply| match *ply {
            Ply::Tile(cell) => Ply::Tile(symmetry.apply(cell, size)),
            Ply::Bridge(site) => {
                let [a, b] = site.ends().map(|end| symmetry.apply(end, size));
                Ply::Bridge(Site::between(a, b).unwrap())
            }
            ply => ply,
        };
        let images: Vec<Ply> = plies.iter().map(image).collect();
        for &ply in &images {
            position.make(ply);
        }
        (position, images)
    }

    #[test]
    fn images_of_bits_are_the_bits_of_the_turned_position() {
        for size in [4, 5, 7, 10, 12] {
            let game = game(size);
            let plies: Vec<Ply> = game.plies.iter().map(|ply| ply.ply).collect();
            let rules = game.rules;
            let all = Images::all(rules.size);
            for (symmetry, images) in Symmetry::all().zip(&all) {
                for count in (0..plies.len()).step_by(3) {
                    let (position, _) =
                        turned(&plies[..count], rules, Symmetry::all().next().unwrap());
                    let (image, turned) = turned(&plies[..count], rules, symmetry);
                    let inputs = Inputs::of_position(&position);
                    let mut bits: Vec<usize> =
                        inputs.iter().map(|bit| usize::from(images.bits[bit])).collect();
                    bits.sort_unstable();
                    let expected = Inputs::of_position(&image);
                    assert!(expected.iter().eq(bits), "{size} {symmetry:?} after {count} plies");
                    assert_eq!(expected.counts, inputs.counts);
                    for (ply, image) in plies[..count].iter().zip(&turned) {
                        let row = |ply| ply_row(ply, Size::MAX);
                        assert_eq!(usize::from(images.plies[row(*ply)]), row(*image));
                    }
                }
            }
            // Nothing stays where it was but what has no place.
            let moved = all[3].bits.iter().enumerate().filter(|&(n, &bit)| n != usize::from(bit));
            assert!(moved.clone().count() > 100 && moved.clone().all(|(n, _)| n < NUMBER_BITS));
        }
    }
}
