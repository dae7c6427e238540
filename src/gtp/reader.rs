//! The reader thread: it queues requests and signals interruptions at once.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::frame::Request;
use super::log::TrafficLog;
use crate::engine::StopSignal;

/// An input line as the reader queues it.
#[derive(Debug)]
pub(super) enum Input {
    /// A request.
    Request(Request),
    /// A line longer than [`MAX_LINE`], with the number of its request.
    TooLong(Option<String>),
    /// A line that gets no answer.
    Silent {
        /// Whether the line is [`INTERRUPT`].
        interrupts: bool,
    },
}

/// The signals by which waiting input interrupts searches.
#[derive(Clone, Debug)]
pub(super) struct Signals {
    /// Requested while a `stop` waits: ends any search.
    pub(super) stop: Arc<StopSignal>,
    /// Requested while any line waits: ends an analysis.
    pub(super) input: Arc<StopSignal>,
}

/// The maximum length of a line, in bytes. It bounds the memory that input
/// without a line feed can take.
pub const MAX_LINE: usize = 1 << 20;

/// The comment with which GoGui interrupts a command.
const INTERRUPT: &[u8] = b"# interrupt";

impl Input {
    /// Parses a line, which may have been cut at [`MAX_LINE`]. If a comment has
    /// begun before the cut, the request is complete.
    fn new(line: &[u8], is_cut: bool) -> Input {
        let request = Request::parse(line);
        if is_cut && !line.contains(&b'#') {
            let whole = request.filter(|request| !request.command.is_empty());
            return Input::TooLong(whole.and_then(|request| request.id));
        }
        let interrupts = line.trim_ascii() == INTERRUPT;
        request.map_or(Input::Silent { interrupts }, Input::Request)
    }

    /// Whether the line ends a running search.
    fn stops(&self) -> bool {
        match self {
            Input::Request(request) => request.command == "stop",
            Input::TooLong(_) => false,
            Input::Silent { interrupts } => *interrupts,
        }
    }

    /// Whether the line ends the session.
    fn leaves(&self) -> bool {
        matches!(self, Input::Request(request) if request.command == "quit")
    }
}

impl Signals {
    /// Signals that a line has been read.
    fn read(&self, input: &Input) {
        self.input.request();
        if input.stops() {
            self.stop.request();
        }
    }

    /// Withdraws the signals of a line that is taken from the queue.
    pub(super) fn taken(&self, input: &Input) {
        self.input.answered();
        if input.stops() {
            self.stop.answered();
        }
    }

    /// Signals that no input will follow.
    fn leave(&self) {
        self.input.leave();
        self.stop.leave();
    }
}

/// Starts a thread that reads input into the returned queue, until `quit` or the
/// end of input.
///
/// As soon as they are read, `stop`, `quit` and the end of input interrupt a
/// running search, and any line interrupts an analysis. A line counts until
/// [`Signals::taken`] is called for it.
///
/// # Errors
/// The thread cannot be started.
pub(super) fn spawn(
    mut input: impl BufRead + Send + 'static,
    signals: Signals,
    log: Option<Arc<TrafficLog>>,
) -> io::Result<Receiver<Input>> {
    let (sender, queue) = channel();
    let read = move || {
        while let Some((line, is_cut)) = read_line(&mut input) {
            if let Some(log) = &log {
                log.received(&line);
            }
            let input = Input::new(&line, is_cut);
            signals.read(&input);
            let leaves = input.leaves();
            if sender.send(input).is_err() || leaves {
                break;
            }
        }
        signals.leave();
    };
    thread::Builder::new().name("reader".to_owned()).spawn(read)?;
    Ok(queue)
}

/// Reads a line, and whether it was cut at [`MAX_LINE`]. Returns `None` at the
/// end of input or after an error.
pub fn read_line(input: &mut impl BufRead) -> Option<(Vec<u8>, bool)> {
    let mut line = Vec::new();
    let mut limited = input.by_ref().take(MAX_LINE as u64);
    let read = limited.read_until(b'\n', &mut line).unwrap_or_default();
    if read == 0 {
        return None;
    }
    let is_cut = read == MAX_LINE && line.last() != Some(&b'\n') && skip_line(input);
    Some((line, is_cut))
}

/// Skips the rest of a line. Returns whether there was any.
fn skip_line(input: &mut impl BufRead) -> bool {
    let mut skipped = false;
    loop {
        let Ok(buffer) = input.fill_buf() else { return skipped };
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        skipped |= end.unwrap_or(length) > 0;
        input.consume(length);
        if end.is_some() || length == 0 {
            return skipped;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn lengths(text: &[u8]) -> Vec<(usize, bool)> {
        let mut input = Cursor::new(text);
        std::iter::from_fn(|| read_line(&mut input)).map(|(line, cut)| (line.len(), cut)).collect()
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(lengths(b""), []);
        assert_eq!(lengths(b"name\n\nquit"), [(5, false), (1, false), (4, false)]);
        let mut exact = vec![b'x'; MAX_LINE];
        exact.extend(b"\nname\n");
        assert_eq!(lengths(&exact), [(MAX_LINE, false), (5, false)]);
        let mut long = vec![b'x'; 3 * MAX_LINE];
        long.extend(b"\nname");
        assert_eq!(lengths(&long), [(MAX_LINE, true), (4, false)]);
    }
}
