//! Checks whether a move is legal, and if not, why.

use super::{Color, IllegalMove, Move, Position};
use crate::board::{Cell, Cells, Site};

/// Checks of moves.
impl Position {
    /// Checks that it is the turn of `color`.
    ///
    /// # Errors
    /// [`IllegalMove::GameOver`] or [`IllegalMove::NotYourTurn`].
    pub fn check_turn(&self, color: Color) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if color != self.side() {
            return Err(IllegalMove::NotYourTurn { to_move: self.side() });
        }
        Ok(())
    }

    /// Checks that `mv` is legal (docs/rules.md).
    ///
    /// # Errors
    /// The first rule that the move breaks.
    ///
    /// # Panics
    /// If the position is between the two tiles of a turn.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        assert!(!self.is_half_turn(), "a whole move between the two tiles of a turn");
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Tiles(a, b) => {
                self.on_board(a)?;
                self.on_board(b)?;
                if a == b {
                    return Err(IllegalMove::SameCell { cell: a });
                }
                if let Some(left @ ..2) = self.tiles_left(self.side()) {
                    return Err(IllegalMove::NoTilesLeft { color: self.side(), left });
                }
                self.check_tile(self.side(), a)?;
                self.check_tile(self.side(), b)?;
                let mut after = *self;
                after.lay_tile(self.side(), a);
                after.check_tile(self.side(), b)
            }
            Move::Bridge(a, b) => {
                if self.bridges_left() == Some(0) {
                    return Err(IllegalMove::NoBridgesLeft);
                }
                self.check_bridge(self.side(), a, b).map(drop)
            }
            Move::Pass => match self.first_placement() {
                Some(example) => Err(IllegalMove::PassNotAllowed { example }),
                None => Ok(()),
            },
            Move::Swap if self.may_swap() => Ok(()),
            Move::Swap => Err(IllegalMove::SwapNotAllowed),
        }
    }

    /// Checks that the turn may begin with a tile on `cell`: the cell is one of
    /// [`tile_steps`](Self::tile_steps).
    ///
    /// # Errors
    /// The rule that forbids it.
    ///
    /// # Panics
    /// Between the two tiles of a turn.
    pub fn check_first_tile(&self, cell: Cell) -> Result<(), IllegalMove> {
        assert!(!self.is_half_turn(), "a first tile in the middle of a turn");
        let side = self.side();
        self.check_turn(side)?;
        if let Some(left @ ..2) = self.tiles_left(side) {
            return Err(IllegalMove::NoTilesLeft { color: side, left });
        }
        self.check_tile(side, cell)?;
        let has_second = self.leaves_another(cell);
        if has_second { Ok(()) } else { Err(IllegalMove::NoSecondTile { cell }) }
    }

    /// Checks that the side to move can build a bridge that begins on `cell`.
    ///
    /// # Errors
    /// The rule that forbids it: for the cell itself or, if it is a free tile,
    /// for the first bridge to another tile of its colour.
    pub fn check_bridge_start(&self, cell: Cell) -> Result<(), IllegalMove> {
        let color = self.side();
        self.check_turn(color)?;
        self.on_board(cell)?;
        if !self.tiles(color).contains(cell) {
            return Err(IllegalMove::NotYourTile { cell, color });
        }
        if let Some(bridge) = self.bridge_where(|site| site.ends().contains(&cell)) {
            return Err(IllegalMove::CarriesBridge { cell, bridge });
        }
        if self.bridges_left() == Some(0) {
            return Err(IllegalMove::NoBridgesLeft);
        }
        let ends = self.tiles(color).into_iter();
        let ends = ends.filter(|&end| Site::between(cell, end).is_some());
        let found: Vec<_> = ends.map(|end| self.check_bridge(color, cell, end).err()).collect();
        match found.iter().flatten().next() {
            _ if found.contains(&None) => Ok(()),
            Some(&reason) => Err(reason),
            None => Err(IllegalMove::NoBridgeFrom { cell }),
        }
    }

    fn on_board(&self, cell: Cell) -> Result<(), IllegalMove> {
        let size = self.size();
        if cell.is_on(size) { Ok(()) } else { Err(IllegalMove::OffBoard { cell, size }) }
    }

    /// Checks that a tile of `color` may be placed on `cell`, ignoring supply and
    /// turn.
    ///
    /// # Errors
    /// The rule that forbids it, for the first tile it conflicts with.
    pub fn check_tile(&self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        self.on_board(cell)?;
        let placement = self.placement(color);
        if placement.candidates.contains(cell) {
            return Ok(());
        }
        if let Some(color) = self.tile_at(cell) {
            return Err(IllegalMove::Occupied { cell, color });
        }
        if self.blocked().contains(cell)
            && let Some(bridge) = self.bridge_where(|site| site.span().contains(cell))
        {
            return Err(IllegalMove::Blocked { cell, bridge });
        }
        // An island beside the cell, of which it would be the fifth tile, comes
        // before one at a corner.
        let near = [Cells::from(cell).sides(), Cells::from(cell).halo()];
        let touched = near.map(|cells| (cells & placement.islands).first());
        if let Some(island) = touched[0].or(touched[1]) {
            return Err(IllegalMove::TouchesIsland { cell, island });
        }
        let group = placement.group(cell);
        let tiles = group.len() as u8;
        match ((group.halo() & placement.tiles) - group).first() {
            Some(tile) if tiles == 4 => Err(IllegalMove::IslandTouches { cell, tile }),
            _ => Err(IllegalMove::GroupTooLarge { cell, tiles }),
        }
    }

    /// The site between two cells if `color` may build there, ignoring supply
    /// and turn.
    ///
    /// # Errors
    /// The first rule that forbids it.
    pub(super) fn check_bridge(&self, color: Color, a: Cell, b: Cell) -> Result<Site, IllegalMove> {
        self.on_board(a)?;
        self.on_board(b)?;
        let ends = (a.min(b), a.max(b));
        if a == b {
            return Err(IllegalMove::SameCell { cell: a });
        }
        let site = Site::between(a, b).ok_or(IllegalMove::NoBridgeShape { ends })?;
        for cell in [ends.0, ends.1] {
            if !self.tiles(color).contains(cell) {
                return Err(IllegalMove::NotYourTile { cell, color });
            }
            let on_cell = |site: Site| site.ends().contains(&cell);
            if self.bridge_ends().contains(cell)
                && let Some(bridge) = self.bridge_where(on_cell)
            {
                return Err(IllegalMove::CarriesBridge { cell, bridge });
            }
        }
        let tiles = self.tiles(Color::White) | self.tiles(Color::Red);
        if let Some(tile) = (site.span() & tiles).first() {
            return Err(IllegalMove::TileUnderBridge { ends, tile });
        }
        if let Some(other) = self.bridge_where(|other| other.crosses(site)) {
            return Err(IllegalMove::CrossesBridge { ends, other });
        }
        Ok(site)
    }

    /// A bridge on the board that satisfies the predicate.
    fn bridge_where(&self, is_meant: impl Fn(Site) -> bool) -> Option<(Cell, Cell)> {
        let site = self.bridges().iter().find(|&site| is_meant(site))?;
        let [a, b] = site.ends();
        Some((a, b))
    }
}
