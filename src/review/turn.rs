use serde::Serialize;

use super::look::rounded;
use super::{Grade, Look, LookedMove, Thresholds};
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
    /// White's expected result and lead before the move.
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

/// What the move that was played is worth to who played it.
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
    pub(super) fn of(
        index: usize,
        position: &Position,
        mv: Move,
        look: &Look,
        after: (&Position, Option<&Look>),
        thresholds: &Thresholds,
    ) -> Turn {
        let played = worth(look, mv, after);
        let best = look.moves.first();
        let loss = match best.filter(|best| best.mv != mv) {
            Some(best) => Loss {
                winrate: rounded((best.winrate - played.winrate).max(0.0)),
                points: rounded((best.lead - played.lead).max(0.0)),
            },
            None => Loss::default(),
        };
        Turn {
            turn: index + 1,
            player: look.to_move,
            mv,
            best: best.map_or(mv, |best| best.mv),
            winrate: look.root.winrate,
            loss,
            solved: look.root.solved,
            grade: thresholds.grade(loss.winrate),
            forced: position.counts().total() == 1,
            lead: look.root.lead,
            visits: look.root.visits,
            played,
            white: Side::white(look),
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
    /// White's side of what was found.
    pub(super) fn white(look: &Look) -> Side {
        let Look { to_move, root, .. } = look;
        match to_move {
            Color::White => Side { winrate: root.winrate, lead: root.lead },
            Color::Red => Side { winrate: rounded(1.0 - root.winrate), lead: rounded(-root.lead) },
        }
    }
}

/// What `played` is worth to who played it: what is proved, else the mean of
/// what its own search and that of the position after it say, by visits.
fn worth(look: &Look, played: Move, after: (&Position, Option<&Look>)) -> Played {
    let mover = look.to_move;
    let known = |value: Value| {
        let own = value.seen_by(mover);
        Played {
            winrate: f64::from(own.white_share()),
            lead: f64::from(own.points()),
            solved: Some(value),
        }
    };
    let before = look.find(played);
    let (position, after) = after;
    let Some(after) = after else { return known(Value::from(position.outcome())) };
    // A value is of the colours, a swap changes them: the opponent's chances
    // are what the player has not, whatever he swapped.
    let of_colors = played != Move::Swap;
    let solved = after.root.solved.or(before.and_then(|before| before.solved));
    if let Some(value) = solved.filter(|_| of_colors) {
        return known(value);
    }
    let (mut winrate, mut lead) = (1.0 - after.root.winrate, -after.root.lead);
    let mut solved = None;
    if after.root.solved.is_some() || after.root.winner.is_some() {
        solved = after.root.solved;
    } else if let Some(before) = before.filter(|before| before.visits > 0) {
        let share = before.visits as f64 / (before.visits + after.root.visits) as f64;
        winrate = match before.winner {
            Some(_) => before.winrate,
            None => share * before.winrate + (1.0 - share) * winrate,
        };
        lead = share * before.lead + (1.0 - share) * lead;
    }
    Played { winrate: rounded(winrate), lead: rounded(lead), solved }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::review::Root;

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
        Look { position: String::new(), to_move, root, moves }
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
    fn another_move_is_judged_by_both_searches() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
        let before = look(Color::Red, root(0.6, 2.0, 200), &moves);
        let after = look(Color::White, root(0.7, 3.0, 300), &[]);
        let seen = turn(&before, "c1,d1", Some(&after));
        assert_eq!(seen.loss, Loss { winrate: 0.25, points: 4.0 });
        assert_eq!(seen.grade, Some(Grade::Blunder));
        assert_eq!((seen.white.winrate, seen.white.lead), (0.4, -2.0));
        // A move that was not looked at, and one that turns out better.
        let unseen = turn(&before, "e1,f1", Some(&after));
        assert_eq!(unseen.loss, Loss { winrate: 0.3, points: 5.0 });
        let after = look(Color::White, root(0.1, -9.0, 300), &[]);
        assert_eq!(turn(&before, "e1,f1", Some(&after)).loss, Loss::default());
    }

    #[test]
    fn what_is_proved_counts_alone() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("c1,d1", 100, 0.5, 1.0)];
        let before = look(Color::White, root(0.6, 2.0, 200), &moves);
        let mut after = look(Color::Red, root(1.0, 4.0, 1), &[]);
        after.root.solved = Some("R+4".parse().unwrap());
        after.root.winner = Some(Color::Red);
        let turn_lost = turn(&before, "c1,d1", Some(&after));
        assert_eq!(turn_lost.loss, Loss { winrate: 0.6, points: 6.0 });
        assert_eq!(turn_lost.played.solved, after.root.solved);
        // Nobody moves any more: the board decides, here a draw.
        let over = turn(&before, "c1,d1", None);
        assert_eq!(over.loss, Loss { winrate: 0.1, points: 2.0 });
        assert_eq!(over.played.solved, Some(Value::DRAW));
    }

    #[test]
    fn a_swap_is_worth_what_the_opponent_has_not() {
        let moves = [("a1,b1", 90, 0.6, 2.0), ("swap", 100, 0.4, -2.0)];
        let before = look(Color::Red, root(0.6, 2.0, 200), &moves);
        let mut after = look(Color::Red, root(0.8, 4.0, 100), &[]);
        let judged = turn(&before, "swap", Some(&after));
        assert_eq!(judged.loss, Loss { winrate: 0.3, points: 5.0 });
        after.root = Root {
            winrate: 0.0,
            solved: Some("W+3".parse().unwrap()),
            winner: Some(Color::White),
            ..after.root
        };
        assert_eq!(turn(&before, "swap", Some(&after)).played.winrate, 1.0);
    }
}
