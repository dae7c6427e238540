//! Puzzles and lessons on the page: one question, one answer, no session.
//!
//! An exercise is a puzzle of the collection or a task of a lesson. The game's
//! own state machine answers what is legal, the solver or the task's goal what
//! is right. The lessons are data: `lessons.json`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::request::{Request, error, read};
use super::state::State;
use super::table::Table;
use super::terms::{ClockKind, Level, Seat};
use pontifex::analysis::purposes;
use pontifex::game::{Color, Move, Position, Rules, Setup, Supply};
use pontifex::puzzles::{Judge, Puzzle, collection, joining_sites};

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
pub fn exercises() -> Value {
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

/// What follows from a message about an exercise.
#[derive(Debug)]
pub enum Practice {
    /// The answer; the message `error` when there is no such exercise or
    /// question.
    Answer(Value),
    /// The solver has to find the answer.
    Solve(SolverQuestion),
}

/// A question about a puzzle that the solver answers.
#[derive(Debug)]
pub struct SolverQuestion {
    puzzle: &'static Puzzle,
    /// A legal turn to judge and the message `state` after it; `None` asks for
    /// all right turns.
    turn: Option<(Move, Value)>,
}

/// Takes a message about an exercise. Answers at once unless the solver is
/// needed.
pub fn practise(message: &str) -> Practice {
    ask(message).unwrap_or_else(Practice::Answer)
}

fn ask(message: &str) -> Result<Practice, Value> {
    let value: Value =
        serde_json::from_str(message).map_err(|reason| fail(&format!("not JSON: {reason}")))?;
    let name = value["exercise"].as_str().unwrap_or_default();
    let exercise =
        Exercise::find(name).ok_or_else(|| fail(&format!("there is no exercise '{name}'")))?;
    let mut state = State::new(String::new(), exercise.table(), &[]);
    match value["type"].as_str() {
        Some("open") => return Ok(Practice::Answer(state.publish())),
        Some("show") => return Ok(show(exercise)),
        _ => {}
    }
    let (_, request) = read(message)?;
    let played = match &request {
        Request::Seconds { .. } | Request::Why { .. } => None,
        Request::Play { mv, .. } => Some(mv.parse::<Move>().ok()),
        _ => return Err(fail("type is open, seconds, why, play or show")),
    };
    match (state.answer(request), played) {
        // The rules refuse the turn, or it was another question.
        (Some(answer), _) => Ok(Practice::Answer(answer)),
        (None, Some(Some(played))) => Ok(judged(exercise, played, state.publish())),
        (None, _) => Err(fail("no answer")),
    }
}

fn fail(text: &str) -> Value {
    error(&Value::Null, text)
}

/// The right turns.
fn show(exercise: Exercise) -> Practice {
    match exercise {
        Exercise::Puzzle(puzzle) => Practice::Solve(SolverQuestion { puzzle, turn: None }),
        Exercise::Task(task) => {
            let why = task.answer.parse().map(|mv| purposes(&task.start(), mv)).unwrap_or_default();
            Practice::Answer(json!({"type": "show", "right": [task.answer], "why": [why]}))
        }
    }
}

/// The judgement on a legal turn, with the message `state` after it.
fn judged(exercise: Exercise, mv: Move, state: Value) -> Practice {
    match exercise {
        Exercise::Puzzle(puzzle) => {
            Practice::Solve(SolverQuestion { puzzle, turn: Some((mv, state)) })
        }
        Exercise::Task(task) => Practice::Answer(json!({
            "type": "verdict", "right": task.goal.is_reached(&task.start(), mv),
            "move": mv.to_string(), "state": state,
        })),
    }
}

impl SolverQuestion {
    /// The puzzle's id. One judge answers the questions about it.
    pub fn puzzle(&self) -> &'static str {
        &self.puzzle.id
    }

    /// A judge for this puzzle.
    pub fn new_judge(&self) -> Judge {
        Judge::new(self.puzzle, MEMORY)
    }

    /// The answer of the puzzle's judge. Takes up to a second.
    pub fn solve(self, judge: &mut Judge) -> Value {
        let answer = match self.turn {
            None => shown(judge, self.puzzle),
            Some((mv, state)) => verdict(judge, self.puzzle, mv, &state),
        };
        answer.unwrap_or_else(|| fail("the solver does not find the answer"))
    }
}

/// The right turns of a puzzle.
fn shown(judge: &mut Judge, puzzle: &Puzzle) -> Option<Value> {
    let turns = judge.right_turns().ok()?;
    let reasons: Vec<_> = turns.iter().map(|mv| purposes(&puzzle.position, *mv)).collect();
    let turns: Vec<String> = turns.iter().map(Move::to_string).collect();
    Some(json!({"type": "show", "right": turns, "why": reasons}))
}

/// The judgement on a legal turn of a puzzle.
fn verdict(judge: &mut Judge, puzzle: &Puzzle, mv: Move, state: &Value) -> Option<Value> {
    let judged = judge.judge(mv).ok()??;
    let winner = match judged.bounds {
        bounds if !bounds.is_decided() => None,
        bounds if bounds.lower.get() > 0 => Some("white"),
        bounds if bounds.upper.get() < 0 => Some("red"),
        _ => Some("draw"),
    };
    Some(json!({
        "type": "verdict", "right": judged.is_right, "move": mv.to_string(),
        "before": puzzle.value, "after": judged.value, "winner": winner,
        "reply": judged.reply.map(|reply| reply.to_string()),
        "theme": puzzle.theme.to_string(),
        "state": state,
    }))
}

/// A text by language: `en`, `de`, `fr`.
type Texts = BTreeMap<String, String>;

/// A lesson: one idea.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Lesson {
    pub id: String,
    pub title: Texts,
    pub tasks: Vec<Task>,
}

/// A position and what to do in it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Task {
    pub position: String,
    /// The supply; without it, the standard one.
    pub supply: Option<String>,
    pub goal: Goal,
    /// A right turn.
    pub answer: String,
    /// Wrong turns, and why: the rule's code, or `miss`. Only tests read them.
    #[cfg_attr(not(test), allow(dead_code))]
    pub wrong: Vec<(String, String)>,
    pub texts: TaskTexts,
}

/// What the page says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TaskTexts {
    /// The idea and the task.
    pub task: Texts,
    /// After a right turn.
    pub done: Texts,
    /// After a legal turn that misses the goal.
    pub miss: Texts,
}

impl Lesson {
    /// The lesson as the page needs it.
    fn summary(&self) -> Value {
        let tasks: Vec<Value> = self.tasks.iter().map(|task| json!(task.texts)).collect();
        json!({"id": self.id, "title": self.title, "tasks": tasks})
    }
}

impl Task {
    /// The position; a test rules out that it is illegal.
    pub(crate) fn start(&self) -> Position {
        let supply = self.supply.as_deref().and_then(|text| text.parse().ok());
        let setup = Setup::parse(&self.position, supply.unwrap_or(Supply::Standard), true);
        let position = setup.ok().and_then(|setup| setup.validate().ok());
        debug_assert!(position.is_some(), "{}", self.position);
        position.unwrap_or_else(|| Position::new(Rules::default()))
    }
}

/// All lessons, in their order.
///
/// # Panics
/// If the file cannot be parsed, which a test rules out.
pub(crate) fn lessons() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| {
        let text = include_str!("lessons.json");
        serde_json::from_str(text).unwrap_or_else(|error| panic!("lessons.json: {error}"))
    })
}

/// The goal of a task: what a turn must do, by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Goal {
    /// Place two tiles, anywhere.
    Tiles,
    /// Complete an island.
    Island,
    /// Join all islands there are in one network.
    Join,
    /// Gain this many points or more at once.
    Gain(u16),
    /// Have gained this many points or more after the next turn, whatever the opponent does.
    Sure(u16),
    /// No bridge of the opponent can then join two networks.
    Stop,
    /// Pass.
    Pass,
    /// Swap.
    Swap,
    /// End the game and win it.
    Win,
}

impl Goal {
    /// Whether a legal turn reaches the goal.
    pub(crate) fn is_reached(self, before: &Position, mv: Move) -> bool {
        let side = before.side();
        let mut after = *before;
        if after.play(mv).is_err() {
            return false;
        }
        let (old, new) = (before.score(side), after.score(side));
        match self {
            Goal::Tiles => matches!(mv, Move::Tiles(..)),
            Goal::Island => new.islands > old.islands,
            Goal::Join => {
                let mut islands = before.islands(side).into_iter();
                let network = islands.next().map(|cell| after.network(cell));
                islands.all(|cell| Some(after.network(cell)) == network)
            }
            Goal::Gain(points) => new.points >= old.points + points,
            Goal::Sure(points) => is_sure(&after, side, old.points + points),
            Goal::Stop => joining_sites(&after, !side).is_empty(),
            Goal::Pass => mv == Move::Pass,
            Goal::Swap => mv == Move::Swap,
            Goal::Win => after.is_over() && after.outcome().winner() == Some(side),
        }
    }
}

/// Whether `side` has a turn that reaches `points` after every turn of the opponent.
fn is_sure(position: &Position, side: Color, points: u16) -> bool {
    let turns = |position: &Position| {
        let after = |mv: Move| {
            let mut after = *position;
            after.play(mv).ok().map(|()| after)
        };
        position.moves().into_iter().filter_map(after).collect::<Vec<_>>()
    };
    let can_have =
        |reply: &Position| turns(reply).iter().any(|after| after.score(side).points >= points);
    turns(position).iter().all(can_have)
}
