//! Positions: whose turn it is, what lies on the board, and how steps change it.
//!
//! A [`Position`] carries everything that a search needs of it: the open cells of both colours, the
//! open bridge sites, the networks, the scores and the hash. [`Position::make`] updates them in
//! place:
//!
//! - A tile closes cells of its colour nearby, and its own cell for the other colour. It closes the
//!   bridge sites that span its cell. Its group grows, and networks may merge.
//! - A bridge closes the cells that it spans for both colours and the sites that it crosses. Two
//!   networks merge.
//! - A pass or a swap changes only the turn.
//!
//! All of this is monotone: open cells and open sites only shrink, groups and networks only grow.
//! So an update never takes anything back, and no step looks at the whole board. The price is that
//! steps cannot be undone: callers that try a step play it on a copy.
//!
//! A turn of two tiles is two steps of one player. Between them the position is at a half turn:
//! [`Position::side`] stays, [`Position::first_tile`] is set, and only a second tile is legal. The
//! first tile must leave room for the second, because placing just one tile is illegal.

use serde::Serialize;

use super::tiles::{Networks, Placement};
use super::zobrist::{bridge_key, half_turn_key, rules_key, side_key, stage_key, tile_key};
use super::{Color, IllegalMove, Move, Outcome, Rules, Score, Step, compare};
use crate::board::{Cell, Cells, Geometry, Site, SiteSet, Size};

/// A legal position. All derived data is updated incrementally.
///
/// A position results from [`Position::new`] and moves, or from validating a
/// [`Setup`](super::Setup). Steps cannot be undone; copy the position instead. It takes 912 bytes.
///
/// ```
/// use pontifex::game::{Color, Position, Rules};
///
/// let mut position = Position::new(Rules::default());
/// position.play("d4,e6".parse()?)?;
/// assert_eq!(position.side(), Color::Red);
/// assert_eq!(position.counts().pairs, 98 * 97 / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Position {
    geometry: &'static Geometry,
    /// The Zobrist hash; its keys are in `zobrist`.
    hash: u64,
    rules: Rules,
    /// The tiles left of each colour, or [`UNLIMITED`].
    tiles_left: [u16; 2],
    /// The bridges left, or [`UNLIMITED`].
    bridges_left: u16,
    side: Color,
    stage: Stage,
    /// The first tile of an unfinished turn; `None` between turns.
    first_tile: Option<Cell>,
    scores: [Score; 2],
    placements: [Placement; 2],
    /// The cells under bridges.
    spanned_cells: Cells,
    /// The tiles that carry a bridge: of both colours, at most one bridge each.
    bridge_ends: Cells,
    bridges: SiteSet,
    /// Sites without a tile under them or a bridge across them.
    open_sites: SiteSet,
    networks: Networks,
}

/// The number of tiles or bridges left when there is no limit. It is never counted down. No board
/// has so many cells, so an explicit supply of this number is not a limit either.
pub(super) const UNLIMITED: u16 = u16::MAX;

impl Position {
    /// The empty board, White to move.
    pub fn new(rules: Rules) -> Position {
        let geometry = Geometry::of(rules.size);
        let (tiles, bridges) = rules.supply.limits(rules.size).unwrap_or((UNLIMITED, UNLIMITED));
        let mut position = Position {
            geometry,
            hash: rules_key(rules),
            rules,
            tiles_left: [tiles; 2],
            bridges_left: bridges,
            side: Color::White,
            stage: Stage::Normal,
            first_tile: None,
            scores: [Score::default(); 2],
            placements: [Placement::new(geometry); 2],
            spanned_cells: Cells::EMPTY,
            bridge_ends: Cells::EMPTY,
            bridges: SiteSet::EMPTY,
            open_sites: *geometry.sites(),
            networks: Networks::ALONE,
        };
        position.set_turn(Color::White, Stage::Opening);
        position
    }

    /// Sets the side to move and the stage.
    #[inline]
    pub(super) fn set_turn(&mut self, side: Color, stage: Stage) {
        if side != self.side {
            self.hash ^= side_key();
        }
        self.hash ^= stage_key(self.stage) ^ stage_key(stage);
        self.side = side;
        self.stage = stage;
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board size.
    #[inline]
    pub fn size(&self) -> Size {
        self.rules.size
    }

    /// The tables for the board size.
    #[inline]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The side to move. It stays the same between the two tiles of a turn.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The stage of the game.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether the position is between the two tiles of a turn.
    #[inline]
    pub fn is_half_turn(&self) -> bool {
        self.first_tile.is_some()
    }

    /// The first tile of an unfinished turn; `None` between turns. Equality ignores which tile it
    /// is.
    #[inline]
    pub fn first_tile(&self) -> Option<Cell> {
        self.first_tile
    }

    /// Whether the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// A 64-bit Zobrist hash, equal for equal positions.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The tiles of `color`.
    #[inline]
    pub fn tiles(&self, color: Color) -> Cells {
        self.placements[color.index()].tiles
    }

    /// The tiles of `color` that belong to islands.
    #[inline]
    pub fn islands(&self, color: Color) -> Cells {
        self.placements[color.index()].islands
    }

    /// The cells where `color` may place one tile, ignoring the supply and whether a second tile
    /// can follow.
    #[inline]
    pub fn open_cells(&self, color: Color) -> Cells {
        self.placements[color.index()].open_cells
    }

    /// The open cells of `color`, or none if it has fewer than two tiles left and so can begin no
    /// turn of tiles.
    pub fn placeable_cells(&self, color: Color) -> Cells {
        if let Some(..2) = self.tiles_left(color) { Cells::EMPTY } else { self.open_cells(color) }
    }

    /// The open cells of `color` that would complete an island.
    #[inline]
    pub fn completing_cells(&self, color: Color) -> Cells {
        self.placements[color.index()].completing_cells()
    }

    /// The open cells of `color` by the number of tiles, 0 to 3, that a tile there would join.
    #[inline]
    pub fn open_cells_by_join_count(&self, color: Color) -> [Cells; 4] {
        self.placements[color.index()].cells_by_join_count()
    }

    /// The number of tiles that a tile of `color` on `cell`, one of its open cells, would join.
    #[inline]
    pub fn join_count(&self, color: Color, cell: Cell) -> u8 {
        self.placements[color.index()].join_count(cell)
    }

    /// The group of the tile of `color` on `cell`, or that a tile there would make.
    #[inline]
    pub fn group(&self, color: Color, cell: Cell) -> Cells {
        self.placements[color.index()].group(cell)
    }

    /// The colour of the tile on `cell`.
    #[inline]
    pub fn tile_at(&self, cell: Cell) -> Option<Color> {
        Color::BOTH.into_iter().find(|&color| self.tiles(color).contains(cell))
    }

    /// The cells without a tile or a bridge over them.
    #[inline]
    pub fn free_cells(&self) -> Cells {
        self.geometry.board()
            - self.tiles(Color::White)
            - self.tiles(Color::Red)
            - self.spanned_cells
    }

    /// The cells under bridges.
    #[inline]
    pub fn spanned_cells(&self) -> Cells {
        self.spanned_cells
    }

    /// The tiles that carry a bridge.
    #[inline]
    pub fn bridge_ends(&self) -> Cells {
        self.bridge_ends
    }

    /// The sites of all bridges.
    #[inline]
    pub fn bridges(&self) -> &SiteSet {
        &self.bridges
    }

    /// The sites without a tile under them or a bridge on or across them. Their ends do not matter.
    #[inline]
    pub fn open_sites(&self) -> &SiteSet {
        &self.open_sites
    }

    /// The sites where `color` could build now, ignoring the supply.
    #[inline(always)]
    pub fn buildable_sites(&self, color: Color) -> SiteSet {
        self.open_sites.within(self.tiles(color) - self.bridge_ends)
    }

    /// The tiles that `color` has left; `None` means no limit.
    pub fn tiles_left(&self, color: Color) -> Option<u16> {
        let left = self.tiles_left[color.index()];
        (left != UNLIMITED).then_some(left)
    }

    /// The bridges left, shared by both players; `None` means no limit.
    pub fn bridges_left(&self) -> Option<u16> {
        (self.bridges_left != UNLIMITED).then_some(self.bridges_left)
    }

    /// The score of `color`.
    #[inline]
    pub fn score(&self, color: Color) -> Score {
        self.scores[color.index()]
    }

    /// The number of islands in the network of the tile on `cell`.
    #[inline]
    pub fn network_islands(&self, cell: Cell) -> u8 {
        self.networks.islands(cell)
    }

    /// The root of the network of the tile on `cell`: one of its cells. Two tiles are connected
    /// exactly if they have the same one. It may change with every step.
    #[inline]
    pub fn network_root(&self, cell: Cell) -> Cell {
        self.networks.root(cell)
    }

    /// The outcome if the game ended with the current scores. It is final once the game is over.
    pub fn outcome(&self) -> Outcome {
        compare(self.score(Color::White), self.score(Color::Red))
    }

    /// The tiles of `color` and its open cells.
    pub(super) fn placement(&self, color: Color) -> &Placement {
        &self.placements[color.index()]
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// The rule that the move breaks. The position is then unchanged.
    ///
    /// # Panics
    /// If the position is between the two tiles of a turn.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        for step in mv.steps() {
            self.make(step);
        }
        Ok(())
    }

    /// Returns the position after `mv`, a move that may be illegal. `self` is unchanged.
    ///
    /// ```
    /// use pontifex::game::{Color, Position, Rules};
    ///
    /// let start = Position::new(Rules::default());
    /// let after = start.after_move("d4,e6".parse()?)?;
    /// assert_eq!((start.side(), after.side()), (Color::White, Color::Red));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The rule that the move breaks.
    ///
    /// # Panics
    /// If the position is between the two tiles of a turn.
    pub fn after_move(&self, mv: Move) -> Result<Position, IllegalMove> {
        let mut after = *self;
        after.play(mv)?;
        Ok(after)
    }

    /// Returns the position after a legal move, without checking it: like [`make`](Self::make),
    /// this trusts the caller.
    #[must_use]
    pub fn after_legal_move(&self, mv: Move) -> Position {
        let mut after = *self;
        for step in mv.steps() {
            after.make(step);
        }
        after
    }

    /// Makes a step without checking it: [`play`](Self::play) is for moves that may be illegal.
    ///
    /// The caller vouches that the step is one of [`tile_steps`](Self::tile_steps) or
    /// [`bridge_steps`](Self::bridge_steps), or a pass or swap that the rules allow now; any other
    /// step corrupts the position, or panics in a debug build.
    #[inline]
    pub fn make(&mut self, step: Step) {
        debug_assert!(self.allows(step), "{step:?} is illegal here");
        match step {
            Step::Tile(cell) => {
                self.place_tile(self.side, cell);
                // The first tile sets the key and the second clears it. Which tile was first is not
                // part of the hash, so both orders of a pair lead to the same position.
                self.hash ^= half_turn_key();
                if self.first_tile.take().is_some() {
                    self.end_turn();
                } else {
                    self.first_tile = Some(cell);
                }
            }
            Step::Bridge(site) => {
                self.build_bridge(self.side, site);
                self.end_turn();
            }
            Step::Pass if self.side == Color::Red => self.set_turn(Color::White, Stage::Over),
            Step::Pass => self.set_turn(Color::Red, Stage::Last),
            // A swap exchanges the players, not the colours: Red is still to move.
            Step::Swap => self.set_turn(Color::Red, Stage::Normal),
        }
    }

    /// Whether a step is legal. It does not check that a first tile leaves room for a second: that
    /// is up to the caller.
    fn allows(&self, step: Step) -> bool {
        match step {
            Step::Tile(cell) => {
                !self.is_over()
                    && self.has_tiles_for_turn()
                    && self.open_cells(self.side).contains(cell)
            }
            Step::Bridge(site) => self.bridge_steps().contains(site),
            Step::Pass => self.may_pass(),
            Step::Swap => self.may_swap(),
        }
    }

    /// Passes the turn to the opponent after a tile or bridge.
    #[inline]
    fn end_turn(&mut self) {
        let next = match self.stage {
            Stage::Opening if self.rules.pie => Stage::Pie,
            Stage::Last => Stage::Over,
            _ => Stage::Normal,
        };
        self.set_turn(!self.side, next);
    }

    /// Places a tile on an open cell of `color`, which must have a tile left.
    pub(super) fn place_tile(&mut self, color: Color, cell: Cell) {
        let geometry = self.geometry;
        self.hash ^= tile_key(color, cell);
        let tiles_left = &mut self.tiles_left[color.index()];
        *tiles_left -= u16::from(*tiles_left != UNLIMITED);
        // To the other colour the tile is only an occupied cell.
        self.placements[(!color).index()].open_cells.remove(cell);
        let placement = &mut self.placements[color.index()];
        let group_size = placement.place(geometry, cell);
        let tiles = placement.tiles;

        self.open_sites.subtract(geometry.sites_over(cell));
        // A single tile is a network of its own without an island: nothing to merge.
        if group_size > 1 {
            let score = &mut self.scores[color.index()];
            let mut neighbours = (geometry.sides(cell) & tiles).into_iter();
            if let Some(neighbour) = neighbours.next() {
                self.networks.attach(cell, neighbour);
            }
            for neighbour in neighbours {
                score.points += self.networks.merge(cell, neighbour);
            }
            // After merging, so that the island counts in the whole network.
            if group_size == 4 {
                score.points += self.networks.add_island(cell);
                score.islands += 1;
            }
        }
    }

    /// Builds a bridge on a buildable site of `color`; one must be left.
    pub(super) fn build_bridge(&mut self, color: Color, site: Site) {
        let geometry = self.geometry;
        let [a, b] = site.ends();
        let span = geometry.span(site);
        self.hash ^= bridge_key(site);
        self.bridges_left -= u16::from(self.bridges_left != UNLIMITED);
        self.bridges.insert(site);
        self.bridge_ends.insert(a);
        self.bridge_ends.insert(b);
        self.spanned_cells |= span;
        for placement in &mut self.placements {
            placement.open_cells -= span;
        }
        self.open_sites.subtract(geometry.crossed_by(site));
        let score = &mut self.scores[color.index()];
        score.points += self.networks.merge(a, b);
        score.bridges += 1;
    }
}

impl PartialEq for Position {
    /// Compares rules, board, side to move, stage, and whether it is a half turn. Supplies are
    /// equal if the numbers are: on 8×8 standard is unlimited.
    ///
    /// Everything else follows from these. Networks could not even be compared: the root of a
    /// network depends on the order of the steps.
    fn eq(&self, other: &Position) -> bool {
        let turn = |p: &Position| (p.hash, p.side, p.stage, p.is_half_turn());
        let rules = |p: &Position| (p.rules.size, p.rules.pie, p.tiles_left, p.bridges_left);
        turn(self) == turn(other)
            && rules(self) == rules(other)
            && Color::BOTH.iter().all(|&color| self.tiles(color) == other.tiles(color))
            && self.bridges == other.bridges
    }
}

impl Eq for Position {}

/// The stage of the game. In JSON it is one of the words of `ponte-status`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// White's first turn.
    #[serde(rename = "open")]
    Opening,
    /// Red may swap.
    Pie,
    /// Any other turn.
    Normal,
    /// White has passed: Red's last turn.
    Last,
    /// The game is over.
    Over,
}
