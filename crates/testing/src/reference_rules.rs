//! A second implementation of the rules, slow and obvious, written directly from docs/rules.md.
//! Tests compare [`Position`](pontifex::game::Position) with it.
//!
//! It computes every answer anew from the tiles and bridges, with plain coordinates. It shares
//! types with the fast code ([`Cell`], [`Move`], [`Score`] ...) but no logic: it has no bit sets,
//! tables of sites or union-find. Keep it that way. A mistake that both implementations shared
//! would pass every comparison.
//!
//! Read it beside docs/rules.md. Comments name its sections and quote its sentences.

use std::collections::BTreeSet;

use pontifex::board::{Cell, Size};
use pontifex::game::{
    Color, Move, Outcome, Rules, Score, Setup, SetupStage, Stage, Supply, Tiebreak,
};

/// A position: the board and the state of the turn.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each state that the rules name")]
pub struct Reference {
    rules: Rules,
    tiles: Tiles,
    /// The bridges in the order in which they were built, each with its smaller cell first.
    bridges: Vec<Bridge>,
    side: Color,
    /// Whether the first tile of a turn is placed and the second is missing.
    half_turn: bool,
    is_first_turn: bool,
    is_answer_to_first_turn: bool,
    has_white_passed: bool,
    is_over: bool,
}

impl Reference {
    /// The empty board.
    pub fn new(rules: Rules) -> Reference {
        Reference {
            rules,
            tiles: Tiles::none(rules.size),
            bridges: Vec::new(),
            side: Color::White,
            half_turn: false,
            is_first_turn: true,
            is_answer_to_first_turn: false,
            has_white_passed: false,
            is_over: false,
        }
    }

    fn is_on_board(&self, cell: Cell) -> bool {
        cell.column() < self.rules.size.get() && cell.row() < self.rules.size.get()
    }

    /// The supply at the start: the tiles of each colour and the bridges that both share. `None`
    /// means no limit.
    fn limits(&self) -> Option<(u16, u16)> {
        match (self.rules.supply, self.rules.size.get()) {
            (Supply::Standard, 10) => Some((40, 15)),
            (Supply::Standard, 12) => Some((60, 22)),
            (Supply::Standard | Supply::Unlimited, _) => None,
            (Supply::Limited { tiles, bridges }, _) => Some((tiles, bridges)),
        }
    }

    /// The tiles that `color` has left; `None` means no limit.
    pub fn tiles_left(&self, color: Color) -> Option<u16> {
        self.limits().map(|(tiles, _)| tiles - self.tiles.of_color(color).count() as u16)
    }

    /// The bridges left; `None` means no limit.
    pub fn bridges_left(&self) -> Option<u16> {
        self.limits().map(|(_, bridges)| bridges - self.bridges.len() as u16)
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Whether the position is between the two tiles of a turn.
    pub fn is_half_turn(&self) -> bool {
        self.half_turn
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The stage of the game.
    pub fn stage(&self) -> Stage {
        if self.is_over {
            Stage::Over
        } else if self.has_white_passed {
            Stage::Last
        } else if self.is_first_turn {
            Stage::Opening
        } else if self.is_answer_to_first_turn {
            Stage::Pie
        } else {
            Stage::Normal
        }
    }

    /// The colour of the tile on `cell`, which may be off the board.
    pub fn tile_at(&self, cell: Cell) -> Option<Color> {
        self.tiles.get(cell)
    }

    /// The tiles of `color`.
    pub fn tiles(&self, color: Color) -> BTreeSet<Cell> {
        self.tiles.of_color(color).collect()
    }

    /// All bridges, in the order in which they were built.
    pub fn bridges(&self) -> &[Bridge] {
        &self.bridges
    }

    /// The cells that bridges span.
    pub fn blocked(&self) -> BTreeSet<Cell> {
        self.bridges.iter().flat_map(|&bridge| spanned(bridge)).collect()
    }

    /// The groups of `color`.
    pub fn groups(&self, color: Color) -> Vec<BTreeSet<Cell>> {
        let groups = self.tiles.groups(color);
        groups.into_iter().map(|group| group.into_iter().collect()).collect()
    }

    /// The group that a tile of `color` on `cell` would make.
    pub fn group_with(&self, color: Color, cell: Cell) -> BTreeSet<Cell> {
        self.tiles.with(color, cell).group(cell).into_iter().collect()
    }

    /// The networks of `color`: groups merged where bridges join them.
    pub fn networks(&self, color: Color) -> Vec<BTreeSet<Cell>> {
        let mut networks = self.groups(color);
        for &(a, b) in self.bridges.iter().filter(|bridge| self.tile_at(bridge.0) == Some(color)) {
            let with_a = networks.iter().position(|network| network.contains(&a));
            let mut joined = networks.swap_remove(with_a.expect("a bridge ends on tiles"));
            if let Some(with_b) = networks.iter().position(|network| network.contains(&b)) {
                joined.append(&mut networks.swap_remove(with_b));
            }
            networks.push(joined);
        }
        networks
    }

    /// The number of islands among `tiles`, which must be whole groups.
    pub fn islands_in(&self, tiles: &BTreeSet<Cell>) -> usize {
        // Each island is counted once for each of its four tiles.
        tiles.iter().filter(|&&tile| self.tiles.group(tile).len() == 4).count() / 4
    }

    /// The score of `color`.
    pub fn score(&self, color: Color) -> Score {
        let network_points = |network| {
            let islands = self.islands_in(&network);
            islands * (islands + 1) / 2
        };
        let points: usize = self.networks(color).into_iter().map(network_points).sum();
        let is_own = |bridge: &&Bridge| self.tile_at(bridge.0) == Some(color);
        Score {
            points: points as u16,
            islands: self.groups(color).iter().filter(|group| group.len() == 4).count() as u8,
            bridges: self.bridges.iter().filter(is_own).count() as u8,
        }
    }

    /// The outcome of the game if it ended now: by points, then islands, then bridges.
    pub fn outcome(&self) -> Outcome {
        let (white, red) = (self.score(Color::White), self.score(Color::Red));
        for (by, white, red) in [
            (Tiebreak::Points, white.points, red.points),
            (Tiebreak::Islands, white.islands.into(), red.islands.into()),
            (Tiebreak::Bridges, white.bridges.into(), red.bridges.into()),
        ] {
            if white > red {
                return Outcome::Win { winner: Color::White, by, margin: white - red };
            }
            if red > white {
                return Outcome::Win { winner: Color::Red, by, margin: red - white };
            }
        }
        Outcome::Draw
    }

    /// Whether no tile and no bridge obstructs a bridge here: "No spanned cell may hold a tile of
    /// either colour", "Bridges may not cross".
    pub fn is_open(&self, bridge: Bridge) -> bool {
        is_bridge_shape(bridge)
            && spanned(bridge).into_iter().all(|cell| self.tile_at(cell).is_none())
            && !self.bridges.iter().any(|&other| cross(bridge, other))
    }

    /// Whether `color` could build here, ignoring supply and turn: "A tile carries at most one
    /// bridge".
    pub fn is_buildable(&self, color: Color, bridge: Bridge) -> bool {
        let carries = |end| self.bridges.iter().any(|&(a, b)| end == a || end == b);
        let is_end =
            |end| self.is_on_board(end) && self.tile_at(end) == Some(color) && !carries(end);
        is_end(bridge.0) && is_end(bridge.1) && self.is_open(bridge)
    }

    /// Whether a tile of `color` may be placed on `cell`, ignoring supply and turn.
    pub fn may_place(&self, color: Color, cell: Cell) -> bool {
        self.is_on_board(cell)
            && self.tile_at(cell).is_none()
            && !self.bridges.iter().any(|&bridge| spanned(bridge).contains(&cell))
            && self.tiles.with(color, cell).obey_the_rules(color)
    }

    /// The cells where a tile of `color` may be placed, ignoring supply and turn.
    pub fn candidates(&self, color: Color) -> BTreeSet<Cell> {
        cells(self.rules.size).filter(|&cell| self.may_place(color, cell)).collect()
    }

    /// The board with one more tile of the side to move.
    fn after_tile(&self, cell: Cell) -> Reference {
        Reference { tiles: self.tiles.with(self.side, cell), ..self.clone() }
    }

    fn has_tiles(&self, count: u16) -> bool {
        self.tiles_left(self.side).is_none_or(|left| left >= count)
    }

    /// The cells for the next tile of the side to move. A first tile must leave room for a second.
    pub fn next_tiles(&self) -> BTreeSet<Cell> {
        let mut next = self.candidates(self.side);
        if self.is_over || !self.has_tiles(if self.half_turn { 1 } else { 2 }) {
            next.clear();
        }
        if !self.half_turn {
            next.retain(|&first| {
                let after = self.after_tile(first);
                cells(self.rules.size).any(|second| after.may_place(self.side, second))
            });
        }
        next
    }

    /// Whether two tiles can be placed.
    pub fn can_place(&self) -> bool {
        assert!(!self.half_turn, "between the two tiles of a turn");
        !self.next_tiles().is_empty()
    }

    /// Whether Red may swap.
    pub fn may_swap(&self) -> bool {
        self.is_answer_to_first_turn && !self.half_turn && !self.is_over
    }

    /// Whether `mv` is legal, with its cells in either order.
    pub fn is_legal(&self, mv: Move) -> bool {
        assert!(!self.half_turn, "between the two tiles of a turn");
        !self.is_over
            && match mv {
                Move::Tiles(a, b) => {
                    self.has_tiles(2)
                        && self.may_place(self.side, a)
                        && self.after_tile(a).may_place(self.side, b)
                }
                Move::Bridge(a, b) => {
                    self.bridges_left() != Some(0) && self.is_buildable(self.side, (a, b))
                }
                Move::Pass => !self.can_place(),
                Move::Swap => self.may_swap(),
            }
    }

    /// Every legal move.
    pub fn legal_moves(&self) -> BTreeSet<Move> {
        let mut moves = BTreeSet::new();
        for a in self.next_tiles() {
            let after = self.after_tile(a);
            let seconds = cells(self.rules.size).filter(|&b| b > a);
            moves.extend(
                seconds.filter(|&b| after.may_place(self.side, b)).map(|b| Move::Tiles(a, b)),
            );
        }
        let own = self.tiles(self.side);
        let pairs = own.iter().flat_map(|&a| own.range(a..).map(move |&b| Move::Bridge(a, b)));
        moves.extend(pairs.chain([Move::Pass, Move::Swap]).filter(|&mv| self.is_legal(mv)));
        moves
    }

    /// The number of move sequences of `depth` turns.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let count_after = |mv| {
            let mut next = self.clone();
            next.play(mv);
            next.perft(depth - 1)
        };
        moves.into_iter().map(count_after).sum()
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        assert!(self.is_legal(mv), "{mv} is illegal");
        match mv {
            Move::Tiles(a, b) => {
                self.place_tile(a);
                self.place_tile(b);
            }
            Move::Bridge(a, b) => {
                self.bridges.push((a.min(b), a.max(b)));
                self.end_turn();
            }
            Move::Pass if self.side == Color::White => {
                self.end_turn();
                self.has_white_passed = true;
            }
            Move::Pass => {
                self.end_turn();
                self.is_over = true;
            }
            // The players swap colours, and it is still Red's turn on the board.
            Move::Swap => self.is_answer_to_first_turn = false,
        }
    }

    /// Places the first or the second tile of a turn.
    pub fn place_tile(&mut self, cell: Cell) {
        assert!(self.may_place(self.side, cell), "no tile may be placed on {cell}");
        self.tiles = self.tiles.with(self.side, cell);
        self.half_turn = !self.half_turn;
        if !self.half_turn {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        self.side = match self.side {
            Color::White => Color::Red,
            Color::Red => Color::White,
        };
        // After White's pass, Red's next turn ends the game. The pass itself does not, because
        // `play` sets the flag after this call.
        self.is_over = self.has_white_passed;
        let opens = self.is_first_turn && self.tiles.of_color(Color::White).count() == 2;
        self.is_answer_to_first_turn = opens && self.rules.pie;
        self.is_first_turn = false;
    }
}

// Validation of setups (docs/rules.md, "Positions set up by hand").

impl Reference {
    /// The position of a setup; `None` if it breaks a rule.
    pub fn from_setup(setup: &Setup) -> Option<Reference> {
        let mut game = Reference::new(setup.rules);
        for color in Color::BOTH {
            for cell in setup.tiles[color.index()] {
                if !game.is_on_board(cell) || game.tiles.get(cell).is_some() {
                    return None;
                }
                game.tiles = game.tiles.with(color, cell);
            }
        }
        if !Color::BOTH.iter().all(|&color| game.tiles.obey_the_rules(color)) {
            return None;
        }
        for &(a, b) in &setup.bridges {
            let color = [a, b].iter().find_map(|&cell| game.tile_at(cell))?;
            if !game.is_buildable(color, (a, b)) {
                return None;
            }
            game.bridges.push((a.min(b), a.max(b)));
        }
        if let Some((tiles, bridges)) = game.limits()
            && (Color::BOTH.iter().any(|&color| game.tiles.of_color(color).count() > tiles.into())
                || game.bridges.len() > bridges.into())
        {
            return None;
        }
        let counts = Color::BOTH.map(|color| game.tiles.of_color(color).count());
        game.side = setup.side;
        game.is_first_turn = false;
        let possible = match setup.stage {
            SetupStage::Plain => {
                game.is_first_turn = counts == [0, 0] && setup.side == Color::White;
                true
            }
            SetupStage::Pie => {
                game.is_answer_to_first_turn = true;
                let after_first_turn = counts == [2, 0] && game.bridges.is_empty();
                setup.rules.pie && after_first_turn && setup.side == Color::Red
            }
            SetupStage::Last => {
                game.has_white_passed = true;
                setup.side == Color::Red
            }
            SetupStage::Over => {
                game.is_over = true;
                true
            }
        };
        possible.then_some(game)
    }
}

// Groups of tiles (docs/rules.md, "Islands and sandbanks").

const SIDES: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const CORNERS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The cells of a board, in notation order.
pub fn cells(size: Size) -> impl Iterator<Item = Cell> {
    let n = size.get();
    (0..n).flat_map(move |column| (0..n).map(move |row| Cell::new(column, row)))
}

/// The tiles on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tiles {
    size: Size,
    /// The colour of the tile on each cell, by column, then row.
    colors: [[Option<Color>; 12]; 12],
}

impl Tiles {
    fn none(size: Size) -> Tiles {
        Tiles { size, colors: [[None; 12]; 12] }
    }

    fn get(&self, cell: Cell) -> Option<Color> {
        self.colors[usize::from(cell.column())][usize::from(cell.row())]
    }

    fn with(mut self, color: Color, cell: Cell) -> Tiles {
        self.colors[usize::from(cell.column())][usize::from(cell.row())] = Some(color);
        self
    }

    fn of_color(&self, color: Color) -> impl Iterator<Item = Cell> + '_ {
        cells(self.size).filter(move |&cell| self.get(cell) == Some(color))
    }

    /// The cells of the board at the distances `steps` from `cell`.
    fn around(&self, cell: Cell, steps: &'static [(i8, i8)]) -> impl Iterator<Item = Cell> {
        let edge = 0..self.size.get() as i8;
        steps.iter().filter_map(move |&(columns, rows)| {
            let (column, row) = (cell.column() as i8 + columns, cell.row() as i8 + rows);
            let is_inside = edge.contains(&column) && edge.contains(&row);
            is_inside.then(|| Cell::new(column as u8, row as u8))
        })
    }

    /// The group of the tile on `start`: tiles of its colour connected by sides.
    fn group(&self, start: Cell) -> Vec<Cell> {
        let mut group = vec![start];
        // A breadth-first search, in which `group` is also the queue.
        let mut visited = 0;
        while let Some(&cell) = group.get(visited) {
            visited += 1;
            for next in self.around(cell, &SIDES) {
                if self.get(next) == self.get(start) && !group.contains(&next) {
                    group.push(next);
                }
            }
        }
        group
    }

    fn groups(&self, color: Color) -> Vec<Vec<Cell>> {
        let mut groups: Vec<Vec<Cell>> = Vec::new();
        for cell in self.of_color(color) {
            if !groups.iter().any(|group| group.contains(&cell)) {
                groups.push(self.group(cell));
            }
        }
        groups
    }

    /// Whether `color` has no group of five tiles or more, and no island that touches another tile
    /// of its colour by a side or a corner.
    fn obey_the_rules(&self, color: Color) -> bool {
        self.of_color(color).all(|tile| {
            let group = self.group(tile);
            let touches_another = self
                .around(tile, &SIDES)
                .chain(self.around(tile, &CORNERS))
                .any(|beside| self.get(beside) == Some(color) && !group.contains(&beside));
            group.len() < 4 || group.len() == 4 && !touches_another
        })
    }
}

// Shapes, spans and crossings of bridges (docs/rules.md, "Bridges").

/// The two ends of a bridge.
pub type Bridge = (Cell, Cell);

/// The differences of two cells in columns and rows, from `a` to `b`.
fn difference(a: Cell, b: Cell) -> (i32, i32) {
    let coordinate = |x: u8| i32::from(x);
    (coordinate(b.column()) - coordinate(a.column()), coordinate(b.row()) - coordinate(a.row()))
}

/// "Coordinates differ by (±2,0), (0,±2), (±2,±2), (±1,±2) or (±2,±1)".
pub fn is_bridge_shape((a, b): Bridge) -> bool {
    let (columns, rows) = difference(a, b);
    [(2, 0), (0, 2), (2, 2), (1, 2), (2, 1)].contains(&(columns.abs(), rows.abs()))
}

/// The cells that a bridge spans. Its ends are corners of a block of cells. Along a side of length
/// three only the middle counts, along a shorter side every cell does.
pub fn spanned(bridge: Bridge) -> Vec<Cell> {
    let (a, b) = bridge;
    let middle = |from: u8, to: u8| {
        let (low, high) = (from.min(to), from.max(to));
        if high - low == 2 { low + 1..=low + 1 } else { low..=high }
    };
    let mut cells = Vec::new();
    for column in middle(a.column(), b.column()) {
        for row in middle(a.row(), b.row()) {
            cells.push(Cell::new(column, row));
        }
    }
    cells
}

/// Whether the open segments between the ends of two bridges intersect.
///
/// The points of the segments are `a + t·ab` and `c + u·cd` with t and u between 0 and 1. Their
/// lines meet at `t = (ac × cd) / (ab × cd)` and `u = (ac × ab) / (ab × cd)`. Whether a fraction
/// lies between 0 and 1 can be seen from its numerator and denominator, so integers suffice.
pub fn cross((a, b): Bridge, (c, d): Bridge) -> bool {
    let product = |p: (i32, i32), q: (i32, i32)| p.0 * q.1 - p.1 * q.0;
    let (ab, cd, ac) = (difference(a, b), difference(c, d), difference(a, c));
    let denominator = product(ab, cd);
    if denominator != 0 {
        let is_inside =
            |numerator: i32| 0 < numerator * denominator && numerator.abs() < denominator.abs();
        return is_inside(product(ac, cd)) && is_inside(product(ac, ab));
    }
    if product(ac, ab) != 0 {
        return false; // Parallel lines.
    }
    // On one line. Projected onto `ab`, the first segment goes from 0 to `along(ab)`.
    let along = |p: (i32, i32)| p.0 * ab.0 + p.1 * ab.1;
    let (from, to) = (along(ac), along(difference(a, d)));
    from.min(to) < along(ab) && 0 < from.max(to)
}
