//! Reads the lines of the client.

use std::io::BufRead;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::action::Action;
use super::fields::{Fields, Refusal, Warnings};
use super::output::Output;
use super::query::Query;
use super::queue::Queue;
use super::worker::without_results;
use crate::engine::Options;
use crate::notation::{MAX_LINE, read_line, without_mark};

/// Reads queries and actions, line by line.
pub(super) struct Reader {
    pub(super) options: Arc<Options>,
    /// Whether all queries are answered with single points.
    pub(super) points: bool,
    /// Whether to warn of what is ignored.
    pub(super) warns: bool,
    pub(super) queue: Arc<Queue>,
    pub(super) output: Output,
}

impl Reader {
    /// Reads lines until the end of input, then closes the queue.
    pub(super) fn read(self, mut input: impl BufRead) {
        let mut number = 0u64;
        while let Some((line, is_cut)) = read_line(&mut input) {
            number += 1;
            let taken = if is_cut {
                Err(Refusal::line(format!("line {number} is longer than {MAX_LINE} bytes")))
            } else {
                self.take(&line, number)
            };
            if let Err(refusal) = taken {
                self.output.send(&refusal.answer());
            }
        }
        self.queue.close();
    }

    /// Handles a line; an empty one is ignored, and so is a byte-order mark.
    fn take(&self, line: &[u8], number: u64) -> Result<(), Refusal> {
        let line = without_mark(line);
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            // The error counts lines within this one.
            let text = error.to_string();
            let text = text.split(" at line ").next().unwrap_or(&text);
            let column = error.column();
            Refusal::line(format!("line {number} is not JSON: {text} in column {column}"))
        })?;
        let Value::Object(map) = value else {
            return Err(Refusal::line(format!("line {number} is not a JSON object")));
        };
        let id = Fields(&map).text("id")?.map(str::to_owned);
        let missing =
            || Refusal::field("id", "id is missing: a string that identifies the answers");
        let id = id.ok_or_else(missing)?;
        self.carry_out(&id, map).map_err(|refusal| refusal.of(&id))
    }

    /// Executes the action or queues the query in `map`.
    fn carry_out(&self, id: &str, map: Map<String, Value>) -> Result<(), Refusal> {
        if let Some(action) = Action::read(&map)? {
            self.act(&action);
            self.output.send(&action.acknowledge(map, &self.options));
            return Ok(());
        }
        let mut warnings = Warnings::default();
        let mut query = Query::read(&map, &self.options, &mut warnings)?;
        query.extent.points |= self.points;
        if let Some(warning) = warnings.answer(id).filter(|_| self.warns) {
            self.output.send(&warning);
        }
        self.queue.push(id, query);
        Ok(())
    }

    fn act(&self, action: &Action) {
        match action {
            Action::QueryVersion | Action::QueryModels => {}
            Action::ClearCache => self.queue.forget(),
            Action::Terminate { id, turns } => {
                let ended = self.queue.terminate(id.as_deref(), turns.as_deref());
                for job in &ended {
                    self.output.send(&without_results(job));
                }
            }
        }
    }
}
