//! What the network sees of a position: a long row of bits, all from the side
//! of the player to move.
//!
//! First sets of cells and of bridge sites, in the layout of [`Cells`], then
//! numbers: each has a bit for every step that it exceeds. Small boards lie
//! in the middle of the largest one, so that all sizes share their weights.

use crate::board::{Cell, Cells, Geometry, Site, SiteSet, Size, Symmetry};
use crate::eval::linear::value::{FEATURES, SIDE_COUNTS, counts, phase};
use crate::eval::view::{Gains, Sight, View};
use crate::game::{Color, Position, Stage};

/// Sets of cells for either colour, in the order of [`Inputs::add_side`].
const SIDE_PLANES: usize = 14;

/// Sets of cells for both: those under bridges, the turn's first tile.
const SHARED_PLANES: usize = 2;

const CELL_PLANES: usize = 2 * SIDE_PLANES + SHARED_PLANES;

/// Sets of sites: where either colour could build.
const SITE_SETS: usize = 2;

const CELL_WORDS: usize = CELL_PLANES * Cell::TABLE / 64;
const SITE_WORDS: usize = SITE_SETS * Site::TABLE / 64;
const SETS: usize = CELL_WORDS + SITE_WORDS;

/// A number: the least it can be, the size of a step, how many steps.
type Scale = (i32, i32, i32);

const SIDE_SCALES: [Scale; 21] = [
    (0, 1, 12),  // points
    (12, 4, 12), // points beyond
    (0, 1, 12),  // islands
    (0, 1, 10),  // bridges
    (0, 1, 10),  // islands of the largest network
    (0, 1, 6),   // of the second
    (0, 1, 8),   // networks
    (0, 1, 6),   // of one island
    (0, 1, 8),   // islands that will never be bridged
    (0, 1, 6),   // bridges that bring points now
    (0, 2, 10),  // what they bring in sum
    (0, 1, 10),  // the best of them
    (0, 1, 8),   // the best that cannot be stopped
    (0, 1, 6),   // completions of groups no other cell completes
    (0, 1, 6),   // completions the other cannot take
    (0, 1, 8),   // points of the best completion
    (0, 1, 16),  // turns of tiles left
    (0, 2, 12),  // what the bridges bring all together
    (0, 1, 6),   // those of them that are to spare
    (0, 2, 12),  // points still to be had by joining all islands
    (0, 2, 20),  // tiles left
];

/// Which of a colour's counts the scales from the third on are of.
const STEPPED: [usize; 14] = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 17, 18, 19];

/// The same for those after the turns of tiles left.
const STEPPED_TOO: [usize; 3] = [50, 51, 59];

const SHARED_SCALES: [Scale; 14] = [
    (0, 1, 1),    // White to move
    (0, 1, 1),    // between the tiles of a turn
    (0, 1, 1),    // the last turn
    (0, 1, 8),    // what a bridge brings in it
    (0, 1, 16),   // bridges left
    (-15, 1, 30), // lead in points
    (-1, 1, 2),   // in islands, points being level
    (-1, 1, 2),   // in bridges, both being level
    (-6, 1, 12),  // lead in turns of tiles left
    (-12, 2, 12), // lead in cells only one can use
    (0, 2, 16),   // room on the board
    (0, 1, 1),    // tiles without limit
    (0, 1, 1),    // bridges without limit
    (4, 1, 8),    // board size
];

const fn steps(scales: &[Scale]) -> usize {
    let mut sum = 0;
    let mut n = 0;
    while n < scales.len() {
        sum += scales[n].2 as usize;
        n += 1;
    }
    sum
}

const NUMBERS: usize = 2 * steps(&SIDE_SCALES) + steps(&SHARED_SCALES);

/// Words of 64 bits.
pub(crate) const WORDS: usize = SETS + NUMBERS.div_ceil(64);

/// Bits, those of cells and sites that no board has among them.
pub(crate) const BITS: usize = WORDS * 64;

/// Sets whose bits mean the same at different places: cells, and sites of a
/// direction.
pub(crate) const SETS_OF_BITS: usize = NUMBER_BITS / Cell::TABLE;

/// From here on bits are steps of numbers.
pub(crate) const NUMBER_BITS: usize = SETS * 64;

/// The bits of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inputs {
    pub(crate) bits: [u64; WORDS],
    /// What is counted for the linear evaluation.
    pub(crate) counts: [i8; FEATURES],
}

/// Where the words of the next set or number go.
struct Writer<'a> {
    words: &'a mut [u64; WORDS],
    word: usize,
    bit: usize,
}

impl Writer<'_> {
    #[inline(always)]
    fn cells(&mut self, cells: Cells) {
        self.words[self.word..self.word + 3].copy_from_slice(&cells.words());
        self.word += 3;
    }

    #[inline(always)]
    fn sites(&mut self, sites: &SiteSet) {
        for plane in sites.planes() {
            self.cells(plane);
        }
    }

    #[inline(always)]
    fn number(&mut self, (least, step, steps): Scale, value: i32) {
        // Steps are powers of two.
        let exceeded = ((value - least + step - 1) >> step.trailing_zeros()).clamp(0, steps);
        let bits = (1u64 << exceeded) - 1;
        let (word, shift) = (self.bit / 64, self.bit % 64);
        self.words[word] |= bits << shift;
        if shift + steps as usize > 64 {
            self.words[word + 1] |= bits >> (64 - shift);
        }
        self.bit += steps as usize;
    }
}

impl Inputs {
    /// No bit at all.
    pub(crate) const NONE: Inputs = Inputs { bits: [0; WORDS], counts: [0; FEATURES] };

    /// The inputs of `position`, whose game is not over, from what is seen of
    /// it.
    #[inline(always)]
    pub(in crate::eval) fn of(position: &Position, sight: &Sight) -> Inputs {
        let color = position.side();
        let Sight { own, other, own_gains, other_gains } = sight;
        let (counts, dead) = counts(position, sight);
        let mut inputs = Inputs { bits: [0; WORDS], counts };
        let mut to = Writer { words: &mut inputs.bits, word: 0, bit: NUMBER_BITS };
        let half = SIDE_COUNTS;
        let pairs = [
            add_side(&mut to, position, color, own, own_gains, dead[0], &counts[..half]),
            add_side(&mut to, position, !color, other, other_gains, dead[1], &counts[half..]),
        ];
        to.cells(position.blocked());
        to.cells(position.first_tile().map_or(Cells::EMPTY, Cells::from));
        to.sites(&own.buildable);
        to.sites(&other.buildable);
        let (own_score, other_score) = (position.score(color), position.score(!color));
        let lead = i32::from(own_score.points) - i32::from(other_score.points);
        let islands = i32::from(own_score.islands) - i32::from(other_score.islands);
        let bridges = i32::from(own_score.bridges) - i32::from(other_score.bridges);
        let is_level = lead == 0;
        let is_last = position.stage() == Stage::Last;
        let exclusive = (own.candidates - other.candidates).len() as i32
            - (other.candidates - own.candidates).len() as i32;
        let is = |yes: bool| i32::from(yes);
        let numbers = [
            is(color == Color::White),
            is(position.is_half_turn()),
            is(is_last),
            if is_last { own_gains.best as i32 } else { 0 },
            position.bridges_left().map_or(i32::MAX >> 1, i32::from),
            lead,
            if is_level { islands.signum() } else { 0 },
            if is_level && islands == 0 { bridges.signum() } else { 0 },
            pairs[0] - pairs[1],
            exclusive,
            phase(position) as i32,
            is(position.tiles_left(color).is_none()),
            is(position.bridges_left().is_none()),
            i32::from(position.size().get()),
        ];
        for (scale, number) in SHARED_SCALES.into_iter().zip(numbers) {
            to.number(scale, number);
        }
        inputs
    }

    /// The inputs of `position`, whose game is not over.
    pub(crate) fn of_position(position: &Position) -> Inputs {
        Inputs::of(position, &Sight::new(position))
    }

    /// The bits that are set.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.bits
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| Ones(bits).map(move |bit| word * 64 + bit))
    }
}

/// The places of the bits of a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let bits = self.0;
        self.0 &= bits.wrapping_sub(1);
        (bits != 0).then(|| bits.trailing_zeros() as usize)
    }
}

/// Adds what is one colour's, of which `dead` are the islands that will never
/// be bridged to more and `counts` what is counted; the turns of tiles it has
/// left.
#[inline(always)]
fn add_side(
    to: &mut Writer<'_>,
    position: &Position,
    color: Color,
    own: &View,
    gains: &Gains,
    dead: Cells,
    counts: &[i8],
) -> i32 {
    let [ones, twos, threes] = own.sizes;
    let planes: [Cells; SIDE_PLANES] = [
        ones,
        twos,
        threes,
        own.islands,
        own.tiles & position.bridge_ends(),
        own.joining[0],
        own.joining[1],
        own.joining[2],
        own.joining[3],
        own.to_islands[0] & own.candidates,
        own.to_banks[0] & own.candidates,
        gains.spans[0] | gains.spans[1] | gains.spans[2],
        gains.spans[1] | gains.spans[2],
        dead,
    ];
    for plane in planes {
        to.cells(plane);
    }
    let tiles_left = position.tiles_left(color).map_or(i32::MAX >> 1, i32::from);
    let pairs = (own.candidates.len() as i32).min(tiles_left) / 2;
    let score = position.score(color);
    to.number(SIDE_SCALES[0], i32::from(score.points));
    to.number(SIDE_SCALES[1], i32::from(score.points));
    for (&scale, count) in SIDE_SCALES[2..].iter().zip(STEPPED) {
        to.number(scale, i32::from(counts[count]));
    }
    to.number(SIDE_SCALES[16], pairs);
    for (&scale, count) in SIDE_SCALES[17..].iter().zip(STEPPED_TOO) {
        to.number(scale, i32::from(counts[count]));
    }
    to.number(SIDE_SCALES[20], tiles_left);
    pairs
}

/// How much further along in the rows of weights what belongs to cells of a
/// board of `size` stands: as far as its corner is from the largest board's.
#[inline(always)]
pub(crate) fn offset(size: Size) -> usize {
    let margin = usize::from((Size::MAX.get() - size.get()) / 2);
    margin * 17
}

/// For every bit whether a position can have it: not those of cells and sites
/// that the largest board lacks, nor what fills up the last word.
pub(super) fn bits_in_use() -> Vec<bool> {
    let mut in_use = vec![false; BITS];
    for plane in 0..CELL_PLANES {
        for cell in Cells::board(Size::MAX) {
            in_use[plane * Cell::TABLE + cell.index()] = true;
        }
    }
    for set in 0..SITE_SETS {
        for site in Geometry::of(Size::MAX).sites().iter() {
            in_use[CELL_WORDS * 64 + set * Site::TABLE + site.index()] = true;
        }
    }
    in_use[NUMBER_BITS..NUMBER_BITS + NUMBERS].fill(true);
    in_use
}

/// Which bit each becomes when a board of `size` is turned or mirrored.
pub(crate) fn permutation(symmetry: Symmetry, size: Size) -> Vec<u16> {
    let mut to: Vec<u16> = (0..BITS as u16).collect();
    for cell in Cells::board(size) {
        let image = symmetry.apply(cell, size).index();
        for plane in 0..CELL_PLANES {
            let base = plane * Cell::TABLE;
            to[base + cell.index()] = (base + image) as u16;
        }
    }
    for site in Geometry::of(size).sites().iter() {
        let [a, b] = site.ends().map(|end| symmetry.apply(end, size));
        let Some(image) = Site::between(a, b) else { continue };
        for set in 0..SITE_SETS {
            let base = CELL_WORDS * 64 + set * Site::TABLE;
            to[base + site.index()] = (base + image.index()) as u16;
        }
    }
    to
}
