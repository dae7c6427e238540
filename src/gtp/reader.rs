use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::{Request, TrafficLog};
use crate::engine::StopSignal;

/// What the reader queues.
#[derive(Debug)]
pub(super) enum Input {
    /// A request that waits for its answer.
    Request(Request),
    /// A line longer than [`MAX_LINE`], of which only the number is known.
    TooLong(Option<String>),
    /// A line that gets no answer.
    Silent {
        /// Whether it is [`INTERRUPT`].
        interrupts: bool,
    },
}

/// What tells searches of lines before their turn comes.
#[derive(Clone, Debug)]
pub(super) struct Signals {
    /// Set while a `stop` waits: ends any search.
    pub(super) stop: Arc<StopSignal>,
    /// Set while any line waits: ends an analysis.
    pub(super) input: Arc<StopSignal>,
}

/// A line may have so many bytes: more than any command needs, and no flood
/// of bytes without a line feed fills the memory.
pub(crate) const MAX_LINE: usize = 1 << 20;

/// The comment by which GoGui interrupts a command.
const INTERRUPT: &[u8] = b"# interrupt";

impl Input {
    /// What a line asks for. What stands before a comment is whole even when
    /// the line was cut.
    fn new(line: &[u8], is_cut: bool) -> Input {
        let request = Request::parse(line);
        if is_cut && !line.contains(&b'#') {
            let whole = request.filter(|request| !request.command.is_empty());
            return Input::TooLong(whole.and_then(|request| request.id));
        }
        let interrupts = line.trim_ascii() == INTERRUPT;
        request.map_or(Input::Silent { interrupts }, Input::Request)
    }

    /// Whether it asks the running search, too, to end.
    fn stops(&self) -> bool {
        match self {
            Input::Request(request) => request.command == "stop",
            Input::TooLong(_) => false,
            Input::Silent { interrupts } => *interrupts,
        }
    }

    fn leaves(&self) -> bool {
        matches!(self, Input::Request(request) if request.command == "quit")
    }
}

impl Signals {
    /// A line was read.
    fn read(&self, input: &Input) {
        self.input.request();
        if input.stops() {
            self.stop.request();
        }
    }

    /// A line's turn has come.
    pub(super) fn taken(&self, input: &Input) {
        self.input.answered();
        if input.stops() {
            self.stop.answered();
        }
    }

    /// No line will follow.
    fn leave(&self) {
        self.input.leave();
        self.stop.leave();
    }
}

/// Reads on a thread of its own until the end of input or `quit`; what was
/// read by then is in the queue, which then ends.
///
/// A running search hears of `stop`, `quit` and the end of input as soon as
/// they are read, an analysis of any line: it counts from then until whoever
/// takes it from the queue calls [`Signals::taken`].
///
/// # Errors
/// When no thread can be started.
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

/// The next line and whether it was cut at [`MAX_LINE`]; `None` at the end of
/// input. Input that cannot be read has ended.
pub(crate) fn read_line(input: &mut impl BufRead) -> Option<(Vec<u8>, bool)> {
    let mut line = Vec::new();
    let mut limited = input.by_ref().take(MAX_LINE as u64);
    let read = limited.read_until(b'\n', &mut line).unwrap_or_default();
    if read == 0 {
        return None;
    }
    let is_cut = read == MAX_LINE && line.last() != Some(&b'\n') && skip_line(input);
    Some((line, is_cut))
}

/// Skips the rest of a line; whether there was one.
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
    fn lines_of_any_length() {
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
