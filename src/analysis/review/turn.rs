//! The review of one turn: what its move is worth and what it lost.

use serde::Serialize;

use super::expectation::Expectation;
use super::grade::{Grade, Thresholds};
use crate::analysis::json::rounded;
use crate::analysis::position::{DECIMALS, MoveAnalysis, PositionAnalysis, RootInfo};
use crate::game::{Color, Move, Position, Value};

/// A turn of a reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReviewedTurn {
    /// Its number, from 1.
    pub turn: usize,
    /// The colour that moved.
    pub player: Color,
    /// The move that was played.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The best move by the analysis.
    pub best: Move,
    /// The player's expected result before the move, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The loss of the move.
    pub loss: Loss,
    /// The result with best play, if proved.
    pub solved: Option<Value>,
    /// The grade of the move; `None` for a good one.
    pub grade: Option<Grade>,
    /// Whether it was the only legal move.
    pub forced: bool,
    /// The player's expected lead before the move, in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// Visits of the position.
    pub visits: u64,
    /// The value of the move played.
    pub played: MoveValue,
    /// The value of the best move.
    pub best_played: MoveValue,
    /// White's expected result and lead before the move: the mean of the
    /// searches before it and after the best move, because a search favours
    /// the side to move.
    pub white: Expectation,
    /// The position before the move.
    pub position: String,
    /// The candidate moves, the best first.
    pub moves: Vec<MoveAnalysis>,
}

/// The loss of a move against the best one, 0 or more.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Loss {
    /// Of the win rate.
    pub winrate: f64,
    /// Of the lead, in points.
    pub points: f64,
}

/// The value of a move for the player who makes it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MoveValue {
    /// The expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// The result with best play, if proved.
    pub solved: Option<Value>,
}

impl ReviewedTurn {
    /// The turn with index `index` (from 0), in which `mv` was played. `before`
    /// and `after` are the positions around it with their analyses; a finished
    /// game has none.
    pub(super) fn of(
        index: usize,
        before: (&Position, &PositionAnalysis),
        mv: Move,
        after: (&Position, Option<&PositionAnalysis>),
        thresholds: &Thresholds,
    ) -> ReviewedTurn {
        let (position, analysis) = before;
        let best = analysis.moves.first();
        let played = value_of(analysis, mv, after.1.map(|after| &after.root), after.0);
        let better = best.filter(|best| best.mv != mv);
        let best_played = better.map_or(played, |best| {
            let mut after = *position;
            position.steps_of(best.mv).for_each(|step| after.make(step));
            value_of(analysis, best.mv, analysis.after_best.as_ref(), &after)
        });
        let loss = Loss {
            winrate: rounded((best_played.winrate - played.winrate).max(0.0), DECIMALS),
            points: rounded((best_played.lead - played.lead).max(0.0), DECIMALS),
        };
        let root = &analysis.root;
        let is_proved = root.winner.is_some() || root.solved.is_some();
        let (winrate, lead) = if is_proved {
            (root.winrate, root.lead)
        } else {
            let best = best_played;
            (f64::midpoint(root.winrate, best.winrate), f64::midpoint(root.lead, best.lead))
        };
        ReviewedTurn {
            turn: index + 1,
            player: analysis.to_move,
            mv,
            best: best.map_or(mv, |best| best.mv),
            winrate: root.winrate,
            loss,
            solved: root.solved,
            grade: thresholds.grade(loss.winrate),
            forced: position.counts().total() == 1,
            lead: root.lead,
            visits: root.visits,
            played,
            best_played,
            white: Expectation::of_white(analysis.to_move, winrate, lead),
            position: analysis.position.clone(),
            moves: analysis.moves.clone(),
        }
    }

    /// The analysis of the best move.
    pub fn best_move(&self) -> Option<&MoveAnalysis> {
        self.moves.first()
    }
}

/// The value of `mv` for its player: the proved result, else the complement of
/// the opponent's chances by the search of the position `after` it. Without
/// such a search the game is over there.
fn value_of(
    analysis: &PositionAnalysis,
    mv: Move,
    found: Option<&RootInfo>,
    after: &Position,
) -> MoveValue {
    let mover = analysis.to_move;
    let known = |value: Value| {
        let own = value.seen_by(mover);
        MoveValue {
            winrate: f64::from(own.white_share()),
            lead: rounded(f64::from(own.points()), DECIMALS),
            solved: Some(value),
        }
    };
    let Some(found) = found else { return known(Value::from(after.outcome())) };
    let before = analysis.find(mv);
    // A proved value belongs to a colour, and a swap exchanges the colours. The
    // opponent's chances remain the complement of the player's.
    let own = before.and_then(|before| before.solved);
    match found.solved.or(own) {
        Some(value) if mv != Move::Swap => known(value),
        solved => {
            let winner = before.filter(|before| before.winner.is_some());
            let (winrate, lead) = (1.0 - found.winrate, -found.lead);
            let winrate = winner.map_or(winrate, |before| before.winrate);
            MoveValue { winrate: rounded(winrate, DECIMALS), lead: rounded(lead, DECIMALS), solved }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn root(winrate: f64, lead: f64, visits: u64) -> RootInfo {
        RootInfo { winrate, lead, visits, solved: None, winner: None }
    }

    fn analysis(
        to_move: Color,
        root: RootInfo,
        moves: &[(&str, u64, f64, f64)],
    ) -> PositionAnalysis {
        let candidate = |(order, &(mv, visits, winrate, lead)): (usize, &(&str, u64, f64, f64))| {
            let mv: Move = mv.parse().unwrap();
            MoveAnalysis {
                mv,
                visits,
                winrate,
                lead,
                prior: 0.0,
                pv: vec![mv],
                lcb: winrate,
                order,
                solved: None,
                winner: None,
            }
        };
        let moves = moves.iter().enumerate().map(candidate).collect();
        PositionAnalysis { position: String::new(), to_move, root, moves, after_best: None }
    }

    fn turn(
        analysis: &PositionAnalysis,
        mv: &str,
        after: Option<&PositionAnalysis>,
    ) -> ReviewedTurn {
        let position = &Position::new(Rules::default());
        let mv = mv.parse().unwrap();
        ReviewedTurn::of(4, (position, analysis), mv, (position, after), &Thresholds::default())
    }

    #[test]
    fn the_best_move_loses_nothing_whatever_later_searches_find() {
        let before = analysis(Color::White, root(0.6, 2.0, 100), &[("a1,b1", 90, 0.6, 2.0)]);
        let after = analysis(Color::Red, root(0.9, 5.0, 100), &[]);
        let turn = turn(&before, "a1,b1", Some(&after));
        assert_eq!((turn.loss, turn.grade, turn.turn), (Loss::default(), None, 5));
        assert!(turn.played.winrate < 0.4);
    }

    #[test]
    fn another_move_is_compared_by_equal_searches() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
        let mut before = analysis(Color::Red, root(0.6, 2.0, 200), &moves);
        before.after_best = Some(root(0.5, 1.0, 200));
        let after = analysis(Color::White, root(0.75, 3.0, 200), &[]);
        for mv in ["c1,d1", "e1,f1"] {
            let turn = turn(&before, mv, Some(&after));
            assert_eq!(turn.loss, Loss { winrate: 0.25, points: 2.0 });
            assert_eq!((turn.grade, turn.best_played.winrate), (Some(Grade::Blunder), 0.5));
            assert_eq!((turn.white.winrate, turn.white.lead), (0.45, -0.5));
        }
        // A move that turns out better than the best one.
        let after = analysis(Color::White, root(0.1, -9.0, 200), &[]);
        assert_eq!(turn(&before, "e1,f1", Some(&after)).loss, Loss::default());
    }

    #[test]
    fn a_proof_overrides_the_search() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
        let mut before = analysis(Color::White, root(0.6, 2.0, 200), &moves);
        before.after_best = Some(root(0.5, 1.0, 200));
        let mut after = analysis(Color::Red, root(1.0, 4.0, 1), &[]);
        after.root.solved = Some("R+4".parse().unwrap());
        after.root.winner = Some(Color::Red);
        let lost = turn(&before, "c1,d1", Some(&after));
        assert_eq!(lost.loss, Loss { winrate: 0.5, points: 3.0 });
        assert_eq!(lost.played.solved, after.root.solved);
        // A proved win by a move that was not played.
        before.moves[0].solved = Some("W+5".parse().unwrap());
        assert_eq!(turn(&before, "c1,d1", Some(&after)).loss, Loss { winrate: 1.0, points: 9.0 });
        // The game is over: the board decides, here a draw.
        let over = turn(&before, "c1,d1", None);
        assert_eq!(over.loss, Loss { winrate: 0.5, points: 5.0 });
        assert_eq!(over.played.solved, Some(Value::DRAW));
    }

    #[test]
    fn the_value_of_a_swap_is_the_complement_of_the_opponents() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("swap", 100, 0.4, -2.0)];
        let mut before = analysis(Color::Red, root(0.6, 2.0, 200), &moves);
        before.after_best = Some(root(0.5, 1.0, 200));
        let mut after = analysis(Color::Red, root(0.75, 4.0, 100), &[]);
        let judged = turn(&before, "swap", Some(&after));
        assert_eq!(judged.loss, Loss { winrate: 0.25, points: 3.0 });
        let solved = Some("W+3".parse().unwrap());
        after.root = RootInfo { winrate: 0.0, solved, winner: Some(Color::White), ..after.root };
        let played = turn(&before, "swap", Some(&after)).played;
        assert_eq!(played, MoveValue { winrate: 1.0, lead: -4.0, solved });
    }
}
