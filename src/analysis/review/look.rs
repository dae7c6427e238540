use serde::{Deserialize, Serialize};

use crate::engine::{Analysis, Bounds, Candidate};
use crate::game::{Color, Move, Position, Stage, Value};

/// What a search found of a position, in the form it is written in. Numbers
/// have six decimals at most, so that they are read as they were written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Look {
    /// The position as text.
    pub position: String,
    /// Whose turn it is; all chances and leads are his.
    pub to_move: Color,
    /// The position as a whole.
    pub root: Root,
    /// The moves that were looked at, the best first.
    pub moves: Vec<LookedMove>,
    /// What another search found of the position after the best move, for the
    /// player who is to move there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_best: Option<Root>,
}

/// What a search found of a position as a whole.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Root {
    /// The expected result, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// The expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// How often the position was visited.
    pub visits: u64,
    /// The result with best play, if it is proved.
    pub solved: Option<Value>,
    /// Who wins with best play, if that is proved.
    pub winner: Option<Color>,
}

/// What a search found of a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LookedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// How often it was tried.
    pub visits: u64,
    /// The mover's expected result after it, 0 (loss) to 1 (win).
    pub winrate: f64,
    /// His expected lead in points.
    #[serde(rename = "scoreLead")]
    pub lead: f64,
    /// How likely it was held to be the best before it was looked at.
    pub prior: f64,
    /// The main line, the move first.
    pub pv: Vec<Move>,
    /// Lower bound of the win rate.
    pub lcb: f64,
    /// Its rank, from 0.
    pub order: usize,
    /// The result with best play after it, if it is proved.
    pub solved: Option<Value>,
    /// Who wins with best play after it, if that is proved.
    pub winner: Option<Color>,
}

impl Look {
    /// What `analysis`, of `position`, found.
    pub fn of(position: &Position, analysis: &Analysis) -> Look {
        let mover = analysis.mover;
        // Bounds are of a game without a swap: before it they prove nothing.
        let is_proof = match position.stage() {
            Stage::Opening => !position.rules().pie,
            stage => stage != Stage::Pie,
        };
        let bounds = if is_proof { analysis.bounds } else { Bounds::UNKNOWN };
        let (winner, solved) = (winner(bounds), bounds.exact());
        let root = Root {
            winrate: certain(analysis.winrate, winner, mover),
            lead: rounded(analysis.lead),
            visits: analysis.visits,
            solved,
            winner,
        };
        let moves = analysis.candidates.iter().enumerate();
        let moves = moves.map(|(order, candidate)| looked(order, candidate, mover)).collect();
        Look { position: position.to_string(), to_move: mover, root, moves, after_best: None }
    }

    /// Forgets all moves but the first `count`, the swap, and `played`.
    pub fn keep(&mut self, count: usize, played: Option<Move>) {
        self.moves.retain(|candidate| {
            let mv = candidate.mv;
            candidate.order < count || mv == Move::Swap || Some(mv) == played
        });
    }

    /// What was found of `mv`, if it was looked at.
    pub fn find(&self, mv: Move) -> Option<&LookedMove> {
        self.moves.iter().find(|candidate| candidate.mv == mv)
    }
}

fn looked(order: usize, candidate: &Candidate, mover: Color) -> LookedMove {
    let bounds = if candidate.mv == Move::Swap { Bounds::UNKNOWN } else { candidate.bounds };
    let winner = winner(bounds);
    LookedMove {
        mv: candidate.mv,
        visits: candidate.visits,
        winrate: certain(candidate.winrate, winner, mover),
        lead: rounded(candidate.lead),
        prior: rounded(candidate.prior),
        pv: candidate.line.clone(),
        lcb: certain(candidate.lcb, winner, mover),
        order,
        solved: bounds.exact(),
        winner,
    }
}

/// Who is proved to win.
fn winner(bounds: Bounds) -> Option<Color> {
    match (bounds.lower > Value::DRAW, bounds.upper < Value::DRAW) {
        (true, _) => Some(Color::White),
        (_, true) => Some(Color::Red),
        _ => None,
    }
}

/// The win rate of `mover`, where it is not proved who wins.
fn certain(winrate: f64, winner: Option<Color>, mover: Color) -> f64 {
    winner.map_or(rounded(winrate), |winner| if winner == mover { 1.0 } else { 0.0 })
}

/// The number to six decimals; never -0.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{AnalysisRequest, Engine, Options, StopSignal};
    use crate::game::{Rules, Setup, Supply};

    fn analyzed(text: &str, playouts: u64) -> Look {
        let setup = Setup::parse(text, Supply::Standard, true).unwrap();
        let position = setup.validate().unwrap();
        let mut options = Options { playouts, ..Options::default() };
        options.rules = Rules { size: position.size(), ..Rules::default() };
        options.search.threads = 1;
        let mut engine = Engine::new(options);
        engine.set_position(position);
        let stop = &StopSignal::default();
        let analysis =
            engine.analyze(&AnalysisRequest::default(), false, stop, &mut |_| {}).unwrap();
        Look::of(&position, &analysis)
    }

    #[test]
    fn a_look_is_read_as_it_was_written() {
        let look = analyzed("6/6/2w3/3r2/6/1w2r1 w - -", 200);
        assert!(look.moves.len() > 3);
        let text = serde_json::to_string(&look).unwrap();
        assert_eq!(serde_json::from_str::<Look>(&text).unwrap(), look);
        assert!(text.starts_with(r#"{"position":"6/6/2w3/3r2/6/1w2r1 w - -","to_move":"white""#));
    }

    #[test]
    fn only_the_moves_that_are_wanted_are_kept() {
        let mut look = analyzed("6/6/2w3/3r2/6/1w2r1 w - -", 200);
        let (first, fourth) = (look.moves[0].mv, look.moves[3].mv);
        look.keep(1, Some(fourth));
        let kept: Vec<Move> = look.moves.iter().map(|candidate| candidate.mv).collect();
        assert_eq!(kept, [first, fourth]);
        assert_eq!(look.find(fourth).unwrap().order, 3);
    }

    #[test]
    fn what_is_proved_is_certain_but_not_before_a_swap() {
        let last = analyzed("rr3r/5r/2rww1/3w2/6/wwww2 r d1-d3 last", 20_000);
        let (root, best) = (&last.root, &last.moves[0]);
        assert_eq!(root.solved, best.solved);
        assert_eq!(root.winner, root.solved.unwrap().winner());
        assert!([0.0, 1.0].contains(&root.winrate));
        let pie = analyzed("4/4/1ww1/4 r - pie", 500);
        assert!(pie.root.solved.is_none() && pie.find(Move::Swap).unwrap().solved.is_none());
    }

    #[test]
    fn numbers_are_rounded_and_never_minus_zero() {
        assert_eq!(rounded(0.123_456_78).to_string(), "0.123457");
        assert_eq!(serde_json::to_string(&rounded(-1e-9)).unwrap(), "0.0");
    }
}
