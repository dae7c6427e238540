//! Puzzles and lessons on the page: one question, one answer, no session.
//!
//! An exercise is a puzzle of the collection or a task of a lesson. The game's
//! own state machine answers what is legal, the solver or a goal what is right.

mod goal;
mod lessons;

use serde_json::{Value, json};

pub(crate) use lessons::{Lesson, Task, lessons};

use super::request::{Request, error, read};
use super::state::State;
use super::table::Table;
use super::terms::{ClockKind, Level, Seat};
use crate::game::{Move, Position, Setup, Supply};
use crate::puzzles::{Puzzle, collection, judge, right_turns_of};
use crate::render::Picture;
use crate::search::solver::Solver;

/// The solver's table, in bytes.
const MEMORY: usize = 16 << 20;

/// What a person practises with.
#[derive(Clone, Copy, Debug)]
enum Exercise {
    Puzzle(&'static Puzzle),
    Task(&'static Task),
}

impl Exercise {
    /// The exercise `puzzle/ID`, or `lesson/ID/NUMBER` with a number from 0.
    fn find(name: &str) -> Option<Exercise> {
        let (kind, rest) = name.split_once('/')?;
        if kind == "puzzle" {
            let puzzle = collection().iter().find(|puzzle| puzzle.id == rest)?;
            return Some(Exercise::Puzzle(puzzle));
        }
        let (id, number) = rest.split_once('/')?;
        let lesson = lessons().iter().find(|lesson| kind == "lesson" && lesson.id == id)?;
        lesson.tasks.get(number.parse::<usize>().ok()?).map(Exercise::Task)
    }

    fn position(self) -> Position {
        match self {
            Exercise::Puzzle(puzzle) => puzzle.position,
            Exercise::Task(task) => task.start(),
        }
    }

    fn table(self) -> Table {
        let seats = [Seat::Human, Seat::Human];
        let level = Level::Playouts { playouts: 1 };
        Table::new(&self.position(), seats, level, ClockKind::None)
            .unwrap_or_else(|_| Table::first())
    }
}

/// All lessons and puzzles, for the page's lists.
pub(crate) fn exercises() -> Value {
    let puzzle = |puzzle: &Puzzle| {
        json!({
            "id": puzzle.id,
            "theme": puzzle.theme.to_string(),
            "difficulty": puzzle.difficulty,
            "goal": puzzle.goal.word(),
            "board": puzzle.position.size().get(),
            "to_move": puzzle.position.side().to_string(),
            "value": puzzle.value,
            "right": puzzle.right,
        })
    };
    json!({
        "lessons": lessons().iter().map(Lesson::summary).collect::<Vec<_>>(),
        "puzzles": collection().iter().map(puzzle).collect::<Vec<_>>(),
    })
}

/// Answers a message about an exercise. Takes up to a second for a puzzle.
///
/// # Errors
/// The message `error` when there is no such exercise or question.
pub(crate) fn practise(message: &str) -> Result<Value, Value> {
    let fail = |text: &str| error(&Value::Null, text);
    let value: Value =
        serde_json::from_str(message).map_err(|reason| fail(&format!("not JSON: {reason}")))?;
    let name = value["exercise"].as_str().unwrap_or_default();
    let exercise =
        Exercise::find(name).ok_or_else(|| fail(&format!("there is no exercise '{name}'")))?;
    let mut state = State::new(String::new(), exercise.table());
    match value["type"].as_str() {
        Some("open") => Ok(state.publish()),
        Some("show") => show(exercise).ok_or_else(|| fail("the solver does not find the answer")),
        _ => {
            let (_, request) = read(message)?;
            match request {
                Request::Seconds { .. } | Request::Why { .. } => {}
                Request::Play { ref mv, .. } => {
                    let played: Option<Move> = mv.parse().ok();
                    if let Some(refusal) = state.answer(request) {
                        return Ok(refusal);
                    }
                    let played = played.ok_or_else(|| fail("not a move"))?;
                    return verdict(exercise, played, &state.publish())
                        .ok_or_else(|| fail("the solver does not find the answer"));
                }
                _ => return Err(fail("type is open, seconds, why, play or show")),
            }
            state.answer(request).ok_or_else(|| fail("no answer"))
        }
    }
}

/// The right turns.
fn show(exercise: Exercise) -> Option<Value> {
    let turns = match exercise {
        Exercise::Puzzle(puzzle) => right_turns_of(&mut Solver::new(MEMORY), puzzle).ok()?,
        Exercise::Task(task) => vec![task.answer.parse().ok()?],
    };
    let turns: Vec<String> = turns.iter().map(Move::to_string).collect();
    Some(json!({"type": "show", "right": turns}))
}

/// The judgement on a legal turn, with the message `state` after it.
fn verdict(exercise: Exercise, mv: Move, state: &Value) -> Option<Value> {
    Some(match exercise {
        Exercise::Puzzle(puzzle) => {
            let judged = judge(&mut Solver::new(MEMORY), puzzle, mv).ok()??;
            let winner = match judged.bounds {
                bounds if !bounds.is_decided() => None,
                bounds if bounds.lower.get() > 0 => Some("white"),
                bounds if bounds.upper.get() < 0 => Some("red"),
                _ => Some("draw"),
            };
            json!({
                "type": "verdict", "right": judged.is_right, "move": mv.to_string(),
                "before": puzzle.value, "after": judged.value, "winner": winner,
                "reply": judged.reply.map(|reply| reply.to_string()),
                "theme": puzzle.theme.to_string(),
                "state": state,
            })
        }
        Exercise::Task(task) => json!({
            "type": "verdict", "right": task.goal.is_reached(&task.start(), mv),
            "move": mv.to_string(), "state": state,
        }),
    })
}

/// A game in progress, for the first visit, as SVG.
pub(crate) fn picture() -> String {
    // A position of a game of the engine against itself.
    const GAME: &str = "3rr1rr/rr1wwwwr/rr5r/w1wwww1w/rrrr1rrw/2ww1w1w/rrrw1w2/1r1w1ww1 \
        w b4-b6,b7-d8,c5-d7,d1-f1,e8-g8,g1-h3 -";
    let setup = Setup::parse(GAME, Supply::Unlimited, false).ok();
    let position = setup.and_then(|setup| setup.validate().ok());
    position.map(|position| Picture::of(&position).to_svg()).unwrap_or_default()
}
