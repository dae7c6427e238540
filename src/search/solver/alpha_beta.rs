use std::ops::Range;

use super::score_bounds::{ceiling, reachable, sites};
use super::shapes::{all_shapes, keep_possible};
use super::table::{Entry, Turn};
use super::{Budget, Solver};
use crate::board::{Cells, SiteSet, Size};
use crate::game::{Color, Position, Stage, Step, Value, compare};

/// Where a node's shapes of each colour stand in the solver's list.
pub(super) type Ranges = [Range<usize>; 2];

/// What a node knows of both colours before any turn is tried.
pub(super) struct Outlook {
    /// Where each may yet lay tiles.
    pub(super) candidates: [Cells; 2],
    /// Where each may yet build.
    pub(super) sites: [SiteSet; 2],
    /// Their possible islands.
    pub(super) shapes: Ranges,
}

impl Solver {
    /// Prepares for positions of `size`.
    pub(super) fn enter(&mut self, size: Size) {
        if self.board.0 != Some(size) {
            self.board = (Some(size), all_shapes(crate::board::Geometry::of(size)));
        }
    }

    /// The possible shapes of both colours in `position`, as the only ones in
    /// the list.
    pub(super) fn root_shapes(&mut self, position: &Position) -> Ranges {
        self.shapes.clear();
        Color::BOTH.map(|color| {
            let start = self.shapes.len();
            let (tiles, candidates) = (position.tiles(color), reachable(position, color));
            if !candidates.is_empty() {
                let open = tiles | candidates;
                let all = self.board.1.iter();
                let possible = all.filter(|shape| shape.is_possible(open, tiles, candidates));
                self.shapes.extend(possible);
            }
            start..self.shapes.len()
        })
    }

    /// The value for the mover: exact if inside the window, else a bound on
    /// that side. `parent` has at least the position's possible shapes.
    /// `None` when the budget is used up.
    pub(super) fn search(
        &mut self,
        position: &Position,
        mut alpha: i16,
        mut beta: i16,
        parent: &Ranges,
        budget: &mut Budget<'_>,
    ) -> Option<i16> {
        let side = position.side();
        if position.is_over() {
            return Some(Value::from(position.outcome()).seen_by(side).get());
        }
        let key = position.hash();
        let mut known = self.table.get(key).unwrap_or(Entry {
            lower: Value::MIN.get(),
            upper: Value::MAX.get(),
            best: Turn::NONE,
        });
        if known.lower >= beta || known.lower == known.upper {
            return Some(known.lower);
        }
        if known.upper <= alpha {
            return Some(known.upper);
        }

        if !budget.spend() {
            return None;
        }
        self.nodes += 1;
        let shape_mark = self.shapes.len();
        let outlook = self.outlook(position, parent);
        let (lower, upper) = self.bounds_of(position, &outlook);
        known.lower = known.lower.max(lower);
        known.upper = known.upper.min(upper);
        let is_settled = known.lower >= beta || known.lower == known.upper;
        if is_settled || known.upper <= alpha {
            self.shapes.truncate(shape_mark);
            // Remembered so that a search in slices gets on however many
            // turns there are.
            self.table.put(key, known, 1);
            return Some(if is_settled { known.lower } else { known.upper });
        }
        alpha = alpha.max(known.lower - 1);
        beta = beta.min(known.upper.saturating_add(1));

        let nodes_before = self.nodes;
        let step_mark = self.steps.len();
        self.depth += 1;
        let found = self.search_turns(position, alpha, beta, &outlook, known.best, budget);
        self.depth -= 1;
        self.steps.truncate(step_mark);
        self.shapes.truncate(shape_mark);
        let (value, best) = found?;
        // Of turns that all fail low the best may be worth less than what
        // another one has proved before; what the board alone proves, all do.
        if value > alpha || known.lower <= lower {
            known.best = best;
        }
        if value > alpha {
            known.lower = known.lower.max(value);
        }
        if value < beta {
            known.upper = known.upper.min(value);
        }
        self.table.put(key, known, self.nodes - nodes_before);
        Some(value)
    }

    pub(super) fn outlook(&mut self, position: &Position, parent: &Ranges) -> Outlook {
        let candidates = Color::BOTH.map(|color| reachable(position, color));
        let sites = Color::BOTH.map(|color| sites(position, color, candidates[color.index()]));
        let shapes = Color::BOTH.map(|color| {
            let start = self.shapes.len();
            let candidates = candidates[color.index()];
            if !candidates.is_empty() {
                let range = parent[color.index()].clone();
                keep_possible(&mut self.shapes, range, position, color, candidates);
            }
            start..self.shapes.len()
        });
        Outlook { candidates, sites, shapes }
    }

    /// Bounds on the value for the mover from what each colour has and can
    /// still come to.
    pub(super) fn bounds_of(&self, position: &Position, outlook: &Outlook) -> (i16, i16) {
        let now = Color::BOTH.map(|color| position.score(color));
        let mut most = Color::BOTH.map(|color| {
            let n = color.index();
            let shapes = &self.shapes[outlook.shapes[n].clone()];
            ceiling(position, color, outlook.candidates[n], &outlook.sites[n], shapes)
        });
        if position.stage() == Stage::Last {
            most[Color::White.index()] = now[0];
        }
        let lower = Value::from(compare(now[0], most[1]));
        let upper = Value::from(compare(most[0], now[1]));
        match position.side() {
            Color::White => (lower.get(), upper.get()),
            Color::Red => (-upper.get(), -lower.get()),
        }
    }

    /// Tries the turns of `position`; returns the best value for the mover
    /// and its turn.
    fn search_turns(
        &mut self,
        position: &Position,
        alpha: i16,
        beta: i16,
        outlook: &Outlook,
        hint: Turn,
        budget: &mut Budget<'_>,
    ) -> Option<(i16, Turn)> {
        let start = self.steps.len();
        self.list_steps(position, outlook, hint);
        let end = self.steps.len();
        let mut best = Best { value: Value::MIN.get(), turn: Turn::NONE, alpha, beta };
        for at in start..end {
            let step = self.steps[at].1;
            let mut after = *position;
            after.make(step);
            let is_cut = match step {
                Step::Tile(cell) if !after.is_half_turn() => {
                    self.try_turn(&after, Turn::tiles(None, cell), outlook, &mut best, budget)?
                }
                Step::Tile(_) => self.try_seconds(&after, at, end, outlook, &mut best, budget)?,
                Step::Bridge(site) => {
                    self.try_turn(&after, Turn::bridge(site), outlook, &mut best, budget)?
                }
                Step::Pass | Step::Swap => {
                    self.try_turn(&after, Turn::PASS, outlook, &mut best, budget)?
                }
            };
            if is_cut {
                self.history.reward(position.side(), best.turn);
                self.killers.remember(self.depth, best.turn);
                break;
            }
        }
        Some((best.value, best.turn))
    }

    /// Tries the second tiles after the step at `at`, the first tile of
    /// `half`: those listed behind it, for the pairs with those before have
    /// all been tried.
    fn try_seconds(
        &mut self,
        half: &Position,
        at: usize,
        end: usize,
        outlook: &Outlook,
        best: &mut Best,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let Step::Tile(first) = self.steps[at].1 else { return Some(false) };
        let candidates = half.candidates(half.side());
        for next in at + 1..end {
            let Step::Tile(second) = self.steps[next].1 else { continue };
            if !candidates.contains(second) {
                continue;
            }
            let mut after = *half;
            after.make(Step::Tile(second));
            if self.try_turn(&after, Turn::tiles(Some(first), second), outlook, best, budget)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tries a turn, which led to `after`; returns whether the rest need not
    /// be tried.
    fn try_turn(
        &mut self,
        after: &Position,
        turn: Turn,
        outlook: &Outlook,
        best: &mut Best,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let alpha = best.alpha;
        let shapes = &outlook.shapes;
        let mut value = -self.search(after, -alpha - 1, -alpha, shapes, budget)?;
        if value > alpha && value < best.beta && best.beta > alpha + 1 {
            value = -self.search(after, -best.beta, -alpha, shapes, budget)?;
        }
        if value > best.value {
            best.value = value;
            best.turn = turn;
        }
        best.alpha = best.alpha.max(value);
        Some(value >= best.beta)
    }
}

/// The best turn of a node so far.
struct Best {
    value: i16,
    turn: Turn,
    alpha: i16,
    beta: i16,
}
