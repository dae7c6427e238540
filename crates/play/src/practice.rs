//! Puzzles and lessons on the page: one question, one answer, no session.
//!
//! An exercise is a position with a task. There are three kinds, and a page asks the same questions
//! about each (`open`, `seconds`, `why`, `play`, `show`):
//!
//! | exercise | a move is right if | known |
//! |---|---|---|
//! | task of a lesson | it reaches the task's [`Goal`] | at once, by the rules |
//! | puzzle | it keeps the result, by the solver | after up to a second |
//! | tactic | it is a stored best move, or a search rates it as highly | at once or after a search |
//!
//! No line is kept between questions: each names the exercise and the `line` of moves and answers
//! already played, as in `{"type":"play","exercise":"puzzle/3a5d73","line":[],"move":"d4,e6"}`. The
//! line is played on a fresh [`State`], so the rules, the reasons and the positions come from the
//! same code as in a game. Then:
//!
//! ```text
//!   practise ─► Practice::Answer(message)                          known at once
//!           └─► Practice::Judge(question) ─► question.answer(judge) needs a search slot
//! ```
//!
//! The host decides where to solve and keeps the [`Judge`], which remembers what it has found about
//! one exercise. Lessons are in `lessons`. Retries in a reviewed game and warnings before a blunder
//! belong to a session: `advice`.

use serde::Deserialize;
use ts_rs::TS;

use super::lessons::{Lesson, Task, annotated_games, lessons};
use super::message::{
    Exercises, Judged, LessonEntry, Message, PuzzleEntry, PuzzleKind, Request, Why,
};
use super::state::State;
use super::table::Table;
use super::terms::{ClockKind, Seat, Strength};
use pontifex::analysis::purposes;
use pontifex::board::Cell;
use pontifex::game::{Move, Position};
use pontifex::messages::data_error;
use pontifex::puzzles::{self, Puzzle, RatedMove, Tactic, collection, tactics};
use pontifex::search::Searcher;

/// The size of the solver's table, in bytes. Not tuned: a browser has little memory, and a server
/// may keep several judges.
const SOLVER_BYTES: usize = 16 << 20;

/// A position with a task, of one of the three kinds.
#[derive(Clone, Copy, Debug)]
enum Exercise {
    Puzzle(&'static Puzzle),
    Tactic(&'static Tactic),
    Task(&'static Task),
}

impl Exercise {
    /// The exercise `puzzle/ID`, `tactic/ID`, or `lesson/ID/NUMBER` with a number from 0.
    fn find(name: &str) -> Option<Exercise> {
        let (kind, rest) = name.split_once('/')?;
        if kind == "puzzle" {
            let puzzle = collection().iter().find(|puzzle| puzzle.id == rest)?;
            return Some(Exercise::Puzzle(puzzle));
        }
        if kind == "tactic" {
            return tactics().iter().find(|tactic| tactic.id == rest).map(Exercise::Tactic);
        }
        let (id, number) = rest.split_once('/')?;
        let lesson = lessons().iter().find(|lesson| kind == "lesson" && lesson.id == id)?;
        lesson.tasks.get(number.parse::<usize>().ok()?).map(Exercise::Task)
    }

    /// The position at the start of the exercise.
    fn position(self) -> Position {
        match self {
            Exercise::Puzzle(puzzle) => puzzle.position,
            Exercise::Tactic(tactic) => tactic.position,
            Exercise::Task(task) => task.start(),
        }
    }

    fn table(self) -> Table {
        let seats = [Seat::Human, Seat::Human];
        let strength = Strength::Playouts { playouts: 1 };
        Table::new(&self.position(), seats, strength, ClockKind::None)
            .unwrap_or_else(|_| Table::first())
    }
}

/// All lessons and puzzles, for the page's lists.
pub fn exercises() -> Exercises {
    let lesson = |lesson: &'static Lesson| LessonEntry {
        id: &lesson.id,
        title: &lesson.title,
        tasks: lesson.tasks.iter().map(|task| &task.texts).collect(),
    };
    let puzzle = |puzzle: &'static Puzzle| PuzzleEntry {
        id: &puzzle.id,
        kind: PuzzleKind::Puzzle,
        theme: puzzle.theme,
        difficulty: puzzle.difficulty,
        goal: Some(puzzle.goal),
        board: puzzle.position.size(),
        to_move: puzzle.position.side(),
        value: Some(puzzle.value),
        right: puzzle.right_count,
        turns: puzzle.turns,
    };
    let tactic = |tactic: &'static Tactic| PuzzleEntry {
        id: &tactic.id,
        kind: PuzzleKind::Tactic,
        theme: tactic.theme,
        difficulty: tactic.difficulty,
        goal: None,
        board: tactic.position.size(),
        to_move: tactic.position.side(),
        value: None,
        right: tactic.right_moves().len(),
        turns: 1,
    };
    Exercises {
        lessons: lessons().iter().map(lesson).collect(),
        games: annotated_games(),
        puzzles: collection().iter().map(puzzle).chain(tactics().iter().map(tactic)).collect(),
    }
}

/// The answer to a message about an exercise, or the work that it needs.
#[derive(Debug)]
pub enum Practice {
    /// The answer; an error when there is no such exercise or question.
    Answer(Box<Message>),
    /// The solver or a search has to find the answer.
    Judge(JudgeQuestion),
}

impl Practice {
    fn answer(message: Message) -> Practice {
        Practice::Answer(Box::new(message))
    }
}

/// A question about a puzzle, which needs the solver, or about a move of a tactic, which needs a
/// search.
#[derive(Debug)]
pub struct JudgeQuestion {
    exercise: Exercise,
    /// The moves and answers already played.
    line: Vec<Move>,
    /// A legal move to judge and the game after it; `None` asks for all right moves.
    candidate: Option<(Move, Box<State>)>,
}

/// Answers the questions about one exercise and remembers what it has found.
#[derive(Debug)]
pub enum Judge {
    /// Judges puzzles.
    Solver(Box<puzzles::Judge>),
    /// Judges tactics.
    Search(Box<Searcher>),
}

/// A question about an exercise, besides the requests of a game.
#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
pub(super) struct ExerciseRequest {
    exercise: String,
    /// The moves and answers already played.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<Move>>")]
    line: Vec<Move>,
    #[serde(flatten)]
    question: Question,
}

#[derive(Clone, PartialEq, Debug, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    expecting = "type is open, seconds, why, play or show"
)]
#[ts(optional_fields)]
enum Question {
    /// The position.
    Open,
    /// The legal second cells.
    Seconds { first: Cell },
    /// Why a click is illegal.
    Why(Why),
    /// Judges a move.
    Play {
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The right moves.
    Show,
}

/// Answers a message about an exercise, or returns the question if it needs a solver or a search.
pub fn practise(message: &str) -> Practice {
    match serde_json::from_str(message) {
        Ok(request) => answer_question(request),
        Err(reason) => Practice::answer(Message::error(&data_error(&reason))),
    }
}

fn answer_question(
    ExerciseRequest { exercise: name, line, question }: ExerciseRequest,
) -> Practice {
    let Some(exercise) = Exercise::find(&name) else {
        return Practice::answer(Message::error(&format!("there is no exercise '{name}'")));
    };
    let mut state = Box::new(State::new(String::new(), exercise.table(), &[]));
    if line.iter().any(|&mv| !try_play(&mut state, mv)) {
        return Practice::answer(Message::error(&format!("'{name}' has no such line")));
    }
    let (request, played) = match question {
        Question::Open => return Practice::answer(Message::State(Box::new(state.publish()))),
        Question::Show => return answer_show(exercise, line),
        Question::Seconds { first } => (Request::Seconds { first, node: None }, None),
        Question::Why(why) => (Request::Why(why), None),
        Question::Play { mv } => (Request::Play { mv, node: None, aside: false }, Some(mv)),
    };
    match (state.answer(0, request), played) {
        (None, Some(played)) => judge_move(exercise, line, played, state),
        // The move is illegal, or it was another question.
        (answer, _) => Practice::answer(answer.unwrap_or_else(|| Message::error("no answer"))),
    }
}

/// Plays a move and returns whether it was legal.
fn try_play(state: &mut State, mv: Move) -> bool {
    state.answer(0, Request::Play { mv, node: None, aside: false }).is_none()
}

/// Answers `show`: the right moves and what each does.
fn answer_show(exercise: Exercise, line: Vec<Move>) -> Practice {
    match exercise {
        Exercise::Puzzle(_) => Practice::Judge(JudgeQuestion { exercise, line, candidate: None }),
        Exercise::Tactic(tactic) => {
            let right = tactic.right_moves().iter().map(|rated| rated.mv).collect();
            Practice::answer(show_message(&tactic.position, right))
        }
        Exercise::Task(task) => {
            let right: Vec<Move> = task.answer.parse().into_iter().collect();
            Practice::answer(show_message(&task.start(), right))
        }
    }
}

fn show_message(position: &Position, right: Vec<Move>) -> Message {
    let why = right.iter().map(|mv| purposes(position, *mv)).collect();
    Message::Show { right, why }
}

/// Judges a legal move, after which the game is in `state`: by the rules or the stored moves if
/// they suffice, otherwise by a question for the judge.
fn judge_move(exercise: Exercise, line: Vec<Move>, mv: Move, state: Box<State>) -> Practice {
    match exercise {
        Exercise::Puzzle(_) => {}
        Exercise::Tactic(tactic) => {
            if let Some((rated, is_right)) = tactic.known(mv) {
                return Practice::answer(tactic_verdict(tactic, rated, is_right, *state));
            }
        }
        Exercise::Task(task) => {
            let is_right = task.goal.is_reached(&task.start(), mv);
            let reply = if is_right { None } else { task.goal.refutation(&task.start(), mv) };
            return Practice::answer(verdict_message(
                is_right,
                mv,
                Judged::Task {},
                *state,
                reply,
                false,
            ));
        }
    }
    Practice::Judge(JudgeQuestion { exercise, line, candidate: Some((mv, state)) })
}

/// The message `verdict` about a move after which the game is in `state`. An opponent's answer that
/// is illegal there is left out.
fn verdict_message(
    is_right: bool,
    mv: Move,
    judged: Judged,
    mut state: State,
    reply: Option<Move>,
    continues: bool,
) -> Message {
    let after = Box::new(state.publish());
    let reply = reply.filter(|&reply| try_play(&mut state, reply));
    let then = reply.map(|_| Box::new(state.publish()));
    Message::Verdict { right: is_right, mv, judged, state: after, reply, then, goes_on: continues }
}

fn tactic_verdict(tactic: &Tactic, rated: RatedMove, is_right: bool, state: State) -> Message {
    let RatedMove { mv, winrate, reply } = rated;
    let judged = Judged::Tactic { winrate, best: tactic.moves[0].winrate, theme: tactic.theme };
    // A right move needs no answer.
    verdict_message(is_right, mv, judged, state, reply.filter(|_| !is_right), false)
}

impl JudgeQuestion {
    /// The exercise's id. One judge answers all questions about an exercise.
    pub fn id(&self) -> &'static str {
        match self.exercise {
            Exercise::Puzzle(puzzle) => &puzzle.id,
            Exercise::Tactic(tactic) => &tactic.id,
            Exercise::Task(_) => "",
        }
    }

    /// A judge for this exercise.
    pub fn new_judge(&self) -> Judge {
        match self.exercise {
            Exercise::Puzzle(puzzle) => {
                Judge::Solver(Box::new(puzzles::Judge::new(puzzle, SOLVER_BYTES)))
            }
            Exercise::Tactic(_) | Exercise::Task(_) => Judge::Search(Box::default()),
        }
    }

    /// Answers the question with the judge of this exercise. Blocks for up to a second.
    pub fn answer(self, judge: &mut Judge) -> Message {
        let JudgeQuestion { exercise, line, candidate } = self;
        let answer = match (exercise, judge, candidate) {
            (Exercise::Puzzle(puzzle), Judge::Solver(judge), None) => {
                let mut position = puzzle.position;
                let is_legal = line.iter().all(|&mv| position.play(mv).is_ok());
                let right = judge.right_moves(&line).ok().filter(|_| is_legal);
                right.map(|right| show_message(&position, right))
            }
            (Exercise::Puzzle(puzzle), Judge::Solver(judge), Some((mv, state))) => {
                puzzle_verdict(judge, puzzle, &line, mv, *state)
            }
            (Exercise::Tactic(tactic), Judge::Search(searcher), Some((mv, state))) => {
                let (rated, is_right) = tactic.judge(searcher, mv);
                Some(tactic_verdict(tactic, rated, is_right, *state))
            }
            _ => None,
        };
        answer.unwrap_or_else(|| Message::error("the answer was not found"))
    }
}

/// The judgement on a legal move of a puzzle.
fn puzzle_verdict(
    judge: &mut puzzles::Judge,
    puzzle: &Puzzle,
    line: &[Move],
    mv: Move,
    state: State,
) -> Option<Message> {
    let judgement = judge.judge(line, mv).ok()??;
    let winner = judgement.bounds.is_decided().then(|| judgement.bounds.winner().into());
    let judged = Judged::Puzzle {
        before: judgement.before,
        after: judgement.value,
        winner,
        theme: puzzle.theme,
    };
    // The last right move needs no answer.
    let reply = judgement.reply.filter(|_| !judgement.is_right || judgement.continues);
    Some(verdict_message(judgement.is_right, mv, judged, state, reply, judgement.continues))
}
