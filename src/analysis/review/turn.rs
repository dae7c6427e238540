use serde::Serialize;

use super::look::rounded;
use super::{Grade, Look, LookedMove, Root, Thresholds};
use crate::game::{Color, Move, Position, Value};

/// A turn of a reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Turn {
    /// Its number, from 1.
    pub turn: usize,
    /// Whose it was.
    pub player: Color,
    /// The move that was played.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The move that was held to be the best.
    pub best: Move,
    /// The player's expected result before the move, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// What the move gave away.
    pub loss: Loss,
    /// The result with best play, if it is proved.
    pub solved: Option<Value>,
    /// What the move is called for its loss; `None` when it is good.
    pub grade: Option<Grade>,
    /// Whether there was no other move.
    pub forced: bool,
    /// The player's expected lead before the move, in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// How often the position was visited.
    pub visits: u64,
    /// What the move that was played is worth to the player.
    pub played: Played,
    /// What the best move would have been worth to him.
    pub best_played: Played,
    /// White's expected result and lead before the move: the mean of what is
    /// found there and after the best move, for searches favour the side to
    /// move.
    pub white: Side,
    /// The position before the move.
    pub position: String,
    /// The moves that were looked at, the best first.
    pub moves: Vec<LookedMove>,
}

/// What a move gave away, 0 or more.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Loss {
    /// Of the win rate.
    pub winrate: f64,
    /// Of the lead, in points.
    pub points: f64,
}

/// What a move is worth to who plays it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Played {
    /// His expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// His expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// The result with best play, if it is proved.
    pub solved: Option<Value>,
}

/// A side's expected result and lead.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Side {
    /// The expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
}

impl Turn {
    /// The turn with index `index` (from 0), in which `mv` was played at
    /// `position`; `after` is the position then, with what was found of it
    /// unless the game was over.
    pub(crate) fn of(
        index: usize,
        position: &Position,
        mv: Move,
        look: &Look,
        after: (&Position, Option<&Look>),
        thresholds: &Thresholds,
    ) -> Turn {
        let best = look.moves.first();
        let played = worth(look, mv, after.1.map(|after| &after.root), after.0);
        let better = best.filter(|best| best.mv != mv);
        let best_played = better.map_or(played, |best| {
            let mut after = *position;
            position.steps_of(best.mv).for_each(|step| after.make(step));
            worth(look, best.mv, look.after_best.as_ref(), &after)
        });
        let loss = Loss {
            winrate: rounded((best_played.winrate - played.winrate).max(0.0)),
            points: rounded((best_played.lead - played.lead).max(0.0)),
        };
        let root = &look.root;
        let is_proved = root.winner.is_some() || root.solved.is_some();
        let (winrate, lead) = if is_proved {
            (root.winrate, root.lead)
        } else {
            let worth = best_played;
            (f64::midpoint(root.winrate, worth.winrate), f64::midpoint(root.lead, worth.lead))
        };
        Turn {
            turn: index + 1,
            player: look.to_move,
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
            white: Side::white(look.to_move, winrate, lead),
            position: look.position.clone(),
            moves: look.moves.clone(),
        }
    }

    /// What was found of the best move.
    pub fn best_move(&self) -> Option<&LookedMove> {
        self.moves.first()
    }
}

impl Side {
    /// White's side of what `mover` may expect.
    pub(crate) fn white(mover: Color, winrate: f64, lead: f64) -> Side {
        let (winrate, lead) = match mover {
            Color::White => (winrate, lead),
            Color::Red => (1.0 - winrate, -lead),
        };
        Side { winrate: rounded(winrate), lead: rounded(lead) }
    }
}

/// What `mv` is worth to who plays it: what is proved of it, else what the
/// search of the position `after` it found for his opponent. Without one the
/// game is over there.
fn worth(look: &Look, mv: Move, found: Option<&Root>, after: &Position) -> Played {
    let mover = look.to_move;
    let known = |value: Value| {
        let own = value.seen_by(mover);
        Played {
            winrate: f64::from(own.white_share()),
            lead: rounded(f64::from(own.points())),
            solved: Some(value),
        }
    };
    let Some(found) = found else { return known(Value::from(after.outcome())) };
    let before = look.find(mv);
    // A value is of the colours, and a swap changes them; the opponent's
    // chances are what the player has not, whatever he swapped.
    let own = before.and_then(|before| before.solved);
    match found.solved.or(own) {
        Some(value) if mv != Move::Swap => known(value),
        solved => {
            let winner = before.filter(|before| before.winner.is_some());
            let (winrate, lead) = (1.0 - found.winrate, -found.lead);
            let winrate = winner.map_or(winrate, |before| before.winrate);
            Played { winrate: rounded(winrate), lead: rounded(lead), solved }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn root(winrate: f64, lead: f64, visits: u64) -> Root {
        Root { winrate, lead, visits, solved: None, winner: None }
    }

    fn look(to_move: Color, root: Root, moves: &[(&str, u64, f64, f64)]) -> Look {
        let looked = |(order, &(mv, visits, winrate, lead)): (usize, &(&str, u64, f64, f64))| {
            let mv: Move = mv.parse().unwrap();
            LookedMove {
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
        let moves = moves.iter().enumerate().map(looked).collect();
        Look { position: String::new(), to_move, root, moves, after_best: None }
    }

    fn turn(look: &Look, mv: &str, after: Option<&Look>) -> Turn {
        let position = &Position::new(Rules::default());
        Turn::of(4, position, mv.parse().unwrap(), look, (position, after), &Thresholds::default())
    }

    #[test]
    fn the_best_move_loses_nothing_whatever_is_found_later() {
        let before = look(Color::White, root(0.6, 2.0, 100), &[("a1,b1", 90, 0.6, 2.0)]);
        let after = look(Color::Red, root(0.9, 5.0, 100), &[]);
        let turn = turn(&before, "a1,b1", Some(&after));
        assert_eq!((turn.loss, turn.grade, turn.turn), (Loss::default(), None, 5));
        assert!(turn.played.winrate < 0.4);
    }

    #[test]
    fn another_move_is_judged_by_equal_searches() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
        let mut before = look(Color::Red, root(0.6, 2.0, 200), &moves);
        before.after_best = Some(root(0.5, 1.0, 200));
        let after = look(Color::White, root(0.75, 3.0, 200), &[]);
        for mv in ["c1,d1", "e1,f1"] {
            let turn = turn(&before, mv, Some(&after));
            assert_eq!(turn.loss, Loss { winrate: 0.25, points: 2.0 });
            assert_eq!((turn.grade, turn.best_played.winrate), (Some(Grade::Blunder), 0.5));
            assert_eq!((turn.white.winrate, turn.white.lead), (0.45, -0.5));
        }
        // One that turns out better than what was held to be the best.
        let after = look(Color::White, root(0.1, -9.0, 200), &[]);
        assert_eq!(turn(&before, "e1,f1", Some(&after)).loss, Loss::default());
    }

    #[test]
    fn what_is_proved_counts_alone() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
        let mut before = look(Color::White, root(0.6, 2.0, 200), &moves);
        before.after_best = Some(root(0.5, 1.0, 200));
        let mut after = look(Color::Red, root(1.0, 4.0, 1), &[]);
        after.root.solved = Some("R+4".parse().unwrap());
        after.root.winner = Some(Color::Red);
        let lost = turn(&before, "c1,d1", Some(&after));
        assert_eq!(lost.loss, Loss { winrate: 0.5, points: 3.0 });
        assert_eq!(lost.played.solved, after.root.solved);
        // A win that is proved, of a move that was not made.
        before.moves[0].solved = Some("W+5".parse().unwrap());
        assert_eq!(turn(&before, "c1,d1", Some(&after)).loss, Loss { winrate: 1.0, points: 9.0 });
        // Nobody moves any more: the board decides, here a draw.
        let over = turn(&before, "c1,d1", None);
        assert_eq!(over.loss, Loss { winrate: 0.5, points: 5.0 });
        assert_eq!(over.played.solved, Some(Value::DRAW));
    }

    #[test]
    fn a_swap_is_worth_what_the_opponent_has_not() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("swap", 100, 0.4, -2.0)];
        let mut before = look(Color::Red, root(0.6, 2.0, 200), &moves);
        before.after_best = Some(root(0.5, 1.0, 200));
        let mut after = look(Color::Red, root(0.75, 4.0, 100), &[]);
        let judged = turn(&before, "swap", Some(&after));
        assert_eq!(judged.loss, Loss { winrate: 0.25, points: 3.0 });
        let solved = Some("W+3".parse().unwrap());
        after.root = Root { winrate: 0.0, solved, winner: Some(Color::White), ..after.root };
        let played = turn(&before, "swap", Some(&after)).played;
        assert_eq!(played, Played { winrate: 1.0, lead: -4.0, solved });
    }
}
