//! Puzzles and lessons on the page: one question, one answer, no session.
//!
//! An exercise is a position with a task. There are three kinds, and a page asks the same
//! questions about each (`open`, `seconds`, `why`, `play`, `show`):
//!
//! | exercise | a turn is right if | known |
//! |---|---|---|
//! | task of a lesson | it reaches the task's [`Goal`] | at once, by the rules |
//! | puzzle | it keeps the result, by the solver | after up to a second |
//! | tactic | it is a stored best turn, or a search finds it as good | at once or after a search |
//!
//! Nothing is kept between questions: each names the exercise and the `line` of turns and
//! answers already played, as in
//! `{"type":"play","exercise":"puzzle/3a5d73","line":[],"move":"d4,e6"}`. The line is played
//! on a fresh [`State`], so the rules, the reasons and the positions come from the same code
//! as in a game. Then:
//!
//! ```text
//!   practise ─► Practice::Answer(message)                          the rules know the answer
//!           └─► Practice::Solve(question) ─► question.solve(judge) a search slot is needed
//! ```
//!
//! The host decides where to solve and keeps the [`Judge`], which remembers what it has found
//! about one exercise. The lessons and the annotated games are data: `lessons.json`,
//! `games.json`. Moves that are tried again in a reviewed game, and warnings before a blunder,
//! belong to a session: `advice`.

use std::sync::OnceLock;

use serde::Deserialize;
use ts_rs::TS;

use super::message::{
    AnnotatedGame, Exercises, Judged, LessonEntry, Message, PuzzleEntry, PuzzleKind, Request,
    TaskTexts, Texts, Why,
};
use super::state::State;
use super::table::Table;
use super::terms::{ClockKind, Level, Seat};
use pontifex::analysis::purposes;
use pontifex::board::Cell;
use pontifex::game::{Color, Move, Position, Rules, Setup, Supply};
use pontifex::messages::data_error;
use pontifex::puzzles::{self, Puzzle, Rated, Tactic, collection, joining_sites, tactics};
use pontifex::search::Searcher;

/// The size of the solver's table, in bytes. Chosen: a browser has little memory, and
/// a server may keep several judges.
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

    /// The position at its start.
    fn position(self) -> Position {
        match self {
            Exercise::Puzzle(puzzle) => puzzle.position,
            Exercise::Tactic(tactic) => tactic.position,
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
        right: puzzle.right,
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
        right: tactic.right().len(),
        turns: 1,
    };
    Exercises {
        lessons: lessons().iter().map(lesson).collect(),
        games: games(),
        puzzles: collection().iter().map(puzzle).chain(tactics().iter().map(tactic)).collect(),
    }
}

/// The answer to a message about an exercise, or the work that it needs.
#[derive(Debug)]
pub enum Practice {
    /// The answer; an error when there is no such exercise or question.
    Answer(Box<Message>),
    /// The solver or a search has to find the answer.
    Solve(SolverQuestion),
}

impl Practice {
    fn answer(message: Message) -> Practice {
        Practice::Answer(Box::new(message))
    }
}

/// A question about a puzzle that the solver answers, or about a turn of a tactic that a
/// search has to judge.
#[derive(Debug)]
pub struct SolverQuestion {
    exercise: Exercise,
    /// The turns and answers already played.
    line: Vec<Move>,
    /// A legal turn to judge and the game after it; `None` asks for all right turns.
    turn: Option<(Move, Box<State>)>,
}

/// Answers the questions about one exercise, and keeps what it has found for the next one.
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
    /// The turns and answers already played.
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
    /// Judges a turn.
    Play {
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The right turns.
    Show,
}

/// Takes a message about an exercise. Answers at once unless a solver or a search
/// is needed.
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
        (None, Some(played)) => judge_turn(exercise, line, played, state),
        // The rules refuse the turn, or it was another question.
        (answer, _) => Practice::answer(answer.unwrap_or_else(|| Message::error("no answer"))),
    }
}

/// Plays a turn and returns whether it was legal.
fn try_play(state: &mut State, mv: Move) -> bool {
    state.answer(0, Request::Play { mv, node: None, aside: false }).is_none()
}

/// Answers `show`: the right turns and what each does.
fn answer_show(exercise: Exercise, line: Vec<Move>) -> Practice {
    match exercise {
        Exercise::Puzzle(_) => Practice::Solve(SolverQuestion { exercise, line, turn: None }),
        Exercise::Tactic(tactic) => {
            let right = tactic.right().iter().map(|turn| turn.mv).collect();
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

/// Judges a legal turn, after which the game is in `state`: by the rules or the stored turns
/// if they know, otherwise by a question for the judge.
fn judge_turn(exercise: Exercise, line: Vec<Move>, mv: Move, state: Box<State>) -> Practice {
    match exercise {
        Exercise::Puzzle(_) => {}
        Exercise::Tactic(tactic) => {
            if let Some((rated, is_right)) = tactic.known(mv) {
                return Practice::answer(tactic_verdict(tactic, rated, is_right, *state));
            }
        }
        Exercise::Task(task) => {
            let right = task.goal.is_reached(&task.start(), mv);
            let reply = if right { None } else { task.goal.refutation(&task.start(), mv) };
            return Practice::answer(verdict_message(
                right,
                mv,
                Judged::Task {},
                *state,
                reply,
                false,
            ));
        }
    }
    Practice::Solve(SolverQuestion { exercise, line, turn: Some((mv, state)) })
}

/// The message `verdict` about a turn after which the game is in `state`. An opponent's answer
/// that is illegal there is left out.
fn verdict_message(
    right: bool,
    mv: Move,
    judged: Judged,
    mut state: State,
    reply: Option<Move>,
    goes_on: bool,
) -> Message {
    let after = Box::new(state.publish());
    let reply = reply.filter(|&reply| try_play(&mut state, reply));
    let then = reply.map(|_| Box::new(state.publish()));
    Message::Verdict { right, mv, judged, state: after, reply, then, goes_on }
}

fn tactic_verdict(tactic: &Tactic, rated: Rated, is_right: bool, state: State) -> Message {
    let Rated { mv, winrate, reply } = rated;
    let judged = Judged::Tactic { winrate, best: tactic.turns[0].winrate, theme: tactic.theme };
    // A right turn needs no answer.
    verdict_message(is_right, mv, judged, state, reply.filter(|_| !is_right), false)
}

impl SolverQuestion {
    /// The exercise's id. One judge answers the questions about it.
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
    pub fn solve(self, judge: &mut Judge) -> Message {
        let SolverQuestion { exercise, line, turn } = self;
        let answer = match (exercise, judge, turn) {
            (Exercise::Puzzle(puzzle), Judge::Solver(judge), None) => {
                let mut position = puzzle.position;
                let is_legal = line.iter().all(|&mv| position.play(mv).is_ok());
                let right = judge.right_turns(&line).ok().filter(|_| is_legal);
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

/// The judgement on a legal turn of a puzzle.
fn puzzle_verdict(
    judge: &mut puzzles::Judge,
    puzzle: &Puzzle,
    line: &[Move],
    mv: Move,
    state: State,
) -> Option<Message> {
    let found = judge.judge(line, mv).ok()??;
    let winner = found.bounds.is_decided().then(|| found.bounds.winner().into());
    let judged =
        Judged::Puzzle { before: found.before, after: found.value, winner, theme: puzzle.theme };
    // The last right turn needs no answer.
    let reply = found.reply.filter(|_| !found.is_right || found.goes_on);
    Some(verdict_message(found.is_right, mv, judged, state, reply, found.goes_on))
}

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

/// The annotated games, in their order.
///
/// # Panics
/// If the file cannot be parsed, which a test rules out.
pub(crate) fn games() -> &'static [AnnotatedGame] {
    static GAMES: OnceLock<Vec<AnnotatedGame>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let text = include_str!("games.json");
        serde_json::from_str(text).unwrap_or_else(|error| panic!("games.json: {error}"))
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
    /// Place two tiles and complete no island.
    Wait,
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
            Goal::Wait => matches!(mv, Move::Tiles(..)) && new.islands == old.islands,
            Goal::Join => {
                let mut islands = before.islands(side).into_iter();
                let network = islands.next().map(|cell| after.network(cell));
                islands.all(|cell| Some(after.network(cell)) == network)
            }
            Goal::Gain(points) => new.points >= old.points + points,
            Goal::Sure(points) => can_surely_reach(&after, side, old.points + points),
            Goal::Stop => joining_sites(&after, !side).is_empty(),
            Goal::Pass => mv == Move::Pass,
            Goal::Swap => mv == Move::Swap,
            Goal::Win => after.is_over() && after.outcome().winner() == Some(side),
        }
    }

    /// The opponent's answer that shows what is wrong with a turn, where the goal is about
    /// what the opponent can do.
    pub(crate) fn refutation(self, before: &Position, mv: Move) -> Option<Move> {
        let side = before.side();
        let mut after = *before;
        after.play(mv).ok()?;
        match self {
            Goal::Stop => {
                let joining = joining_sites(&after, !side).into_iter().next();
                joining.map(|site| Move::bridge(site.ends()[0], site.ends()[1]))
            }
            Goal::Sure(points) => {
                let points = before.score(side).points + points;
                after.moves().into_iter().find(|&reply| {
                    let mut then = after;
                    then.play(reply).is_ok() && !can_reach(&then, side, points)
                })
            }
            _ => None,
        }
    }
}

/// The position after each legal turn.
fn positions_after_turns(position: &Position) -> impl Iterator<Item = Position> {
    position.moves().into_iter().filter_map(|mv| {
        let mut after = *position;
        after.play(mv).ok().map(|()| after)
    })
}

/// Whether `side`, which is to move, has a turn that reaches `points`.
fn can_reach(position: &Position, side: Color, points: u16) -> bool {
    positions_after_turns(position).any(|after| after.score(side).points >= points)
}

/// Whether `side` has a turn that reaches `points` after every turn of the opponent.
fn can_surely_reach(position: &Position, side: Color, points: u16) -> bool {
    positions_after_turns(position).all(|reply| can_reach(&reply, side, points))
}
