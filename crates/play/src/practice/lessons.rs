//! The lessons, as data: `lessons.json`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::goal::Goal;
use pontifex::game::{Position, Rules, Setup, Supply};

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
    pub(super) fn summary(&self) -> Value {
        let tasks: Vec<Value> = self.tasks.iter().map(|task| json!(task.texts)).collect();
        json!({"id": self.id, "title": self.title, "tasks": tasks})
    }
}

impl Task {
    /// The position; a test rules out that it is illegal.
    pub(super) fn start(&self) -> Position {
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
