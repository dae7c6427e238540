//! An engine's process behind pipes that never block the referee.
//!
//! **The problem.** A pipe holds some kilobytes. An engine that prints a lot while the referee
//! writes to it, or that never reads, would make both wait for ever. Reading has no deadline
//! either. And an engine that fills its stderr blocks until somebody reads it.
//!
//! **The idea.** Three threads serve the pipes:
//!
//! ```text
//!  send() ── channel ──────────> writer thread ──> stdin  ┐
//!  line() <─ bounded channel ─── reader thread <── stdout ├ engine
//!  stderr_tail() <── LineTail ── stderr thread <── stderr ┘
//! ```
//!
//! The reader notes when each line arrived, so that an answer is timed by its arrival and not
//! by the moment at which the referee gets round to it. Its channel is bounded: an engine that
//! prints without end blocks itself. Of stderr only the last lines are kept.
//!
//! **Has it ended?** The end of stdout is not enough, because a child of the engine may hold the
//! pipe open after the engine has crashed. So [`EngineProcess::line`] also asks the system from
//! time to time whether the process still runs.
//!
//! **The end.** First the input is closed, which is how an engine learns that nobody will ask
//! again. Then it gets the time that the caller allows. Then its group is killed, and nothing is
//! sent to that group any more. The threads end with their pipes and are not joined: a process
//! that has left the group can hold a pipe open as long as it likes.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pontifex::notation::without_mark;

use crate::engines::process_groups::ProcessGroups;

/// A running process. Dropping it kills its whole process group.
#[derive(Debug)]
pub(crate) struct EngineProcess {
    child: Child,
    groups: ProcessGroups,
    /// `None` once the input is closed, or is to be closed when all of it is written.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<OutputLine>,
    stderr: Arc<Mutex<LineTail>>,
    /// Carries nothing: it is disconnected when stderr is closed.
    stderr_open: Receiver<()>,
    /// Known once the process has ended by itself.
    status: Option<ExitStatus>,
    /// Whether the group has been killed. Its number may belong to others afterwards.
    is_gone: bool,
}

/// A line of output.
#[derive(Debug)]
pub(super) struct OutputLine {
    /// The line without its end.
    pub(super) text: String,
    /// When its end arrived.
    pub(super) at: Instant,
}

/// Why there is no further line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoLine {
    /// The deadline passed.
    Deadline,
    /// The process ended or closed its output.
    Closed,
}

/// The longest line of output in bytes. A longer one is split, which violates
/// the framing. Chosen: far above the longest line of a legitimate answer, a report of an
/// analysis. It keeps an engine that never ends a line from filling the memory.
const MAX_LINE: usize = 1 << 16;

/// The number of buffered lines of output. An engine that writes more blocks until they are
/// read. Chosen: with lines of [`MAX_LINE`] bytes they take 16 MiB at most.
const MAX_WAITING: usize = 256;

/// Interval between checks whether a silent engine still runs: after a crash,
/// a child process may hold its output open. Chosen: a crash is noticed at once for a person,
/// and ten system calls a second cost the match nothing.
const LIVENESS_INTERVAL: Duration = Duration::from_millis(100);

/// How long an engine that has closed its output, and gets no more input, may
/// take for its last words on stderr. Chosen: enough for an interpreter to print where it
/// crashed. Without it, the report of a failure would lack its cause.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long an engine that has closed stderr as well may take to end. Chosen: such a process is
/// ending already, and its exit status is worth a moment.
const END_PATIENCE: Duration = Duration::from_millis(100);

/// How long to wait for the end of a dead engine's stderr. Only a process that
/// has left the engine's group can keep it open; otherwise the wait is over at once. Chosen.
const STDERR_PATIENCE: Duration = Duration::from_secs(3);

impl EngineProcess {
    /// Starts `command` in a process group of its own, with pipes for its input and output.
    ///
    /// # Errors
    /// The system's, or that the engines of `groups` are being stopped.
    pub(super) fn start(mut command: Command, groups: &ProcessGroups) -> io::Result<EngineProcess> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = groups.spawn(&mut command)?;
        let (input, lines_in) = channel::<Vec<u8>>();
        let (lines_out, output) = sync_channel(MAX_WAITING);
        let (stderr_end, stderr_open) = channel();
        let stderr = Arc::new(Mutex::new(LineTail::default()));
        if let Some(mut pipe) = child.stdin.take() {
            thread::spawn(move || {
                for bytes in lines_in {
                    if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(pipe) = child.stdout.take() {
            thread::spawn(move || read_lines(pipe, &lines_out));
        }
        if let Some(pipe) = child.stderr.take() {
            let tail = Arc::clone(&stderr);
            thread::spawn(move || drain(pipe, &tail, stderr_end));
        }
        Ok(EngineProcess {
            child,
            groups: groups.clone(),
            input: Some(input),
            output,
            stderr,
            stderr_open,
            status: None,
            is_gone: false,
        })
    }

    /// Sends bytes without blocking.
    pub(super) fn send(&self, bytes: Vec<u8>) {
        // The writer thread ends early only if the engine has closed its input. That shows
        // when the answer is read, as a crash or as silence.
        let _ = self.input.as_ref().map(|input| input.send(bytes));
    }

    /// Waits for the next line of output. A line that has arrived is returned even after
    /// `deadline`.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<OutputLine, NoLine> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(LIVENESS_INTERVAL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Closed),
                Err(RecvTimeoutError::Timeout) if self.has_ended(Duration::ZERO) => {
                    // The reader may be about to hand over what the process wrote last.
                    return self.output.recv_timeout(LIVENESS_INTERVAL).map_err(|_| NoLine::Closed);
                }
                Err(RecvTimeoutError::Timeout) if left <= LIVENESS_INTERVAL => {
                    return Err(NoLine::Deadline);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits at most `patience` for the process to end; whether it did.
    fn has_ended(&mut self, patience: Duration) -> bool {
        let start = Instant::now();
        // Short at first, because an engine that ends at all mostly ends at once; then longer,
        // in order not to take time from the engines that play.
        let mut pause = Duration::from_micros(200);
        while self.status.is_none() && !self.is_gone {
            // An error means that nothing can be learnt: the process counts as running, and is
            // killed in the end.
            self.status = self.child.try_wait().unwrap_or_default();
            let left = patience.saturating_sub(start.elapsed());
            if self.status.is_some() || left.is_zero() {
                break;
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        self.status.is_some()
    }

    /// Ends a process that has closed its output. Returns its exit status, as in
    /// `exit status: 3`; `None` if it has not ended by itself.
    pub(super) fn end_closed(&mut self) -> Option<String> {
        let deadline = Instant::now() + LAST_WORDS;
        self.input = None;
        while !self.has_ended(Duration::ZERO) && Instant::now() < deadline {
            let pause = Duration::from_millis(5);
            // A closed stderr has had its last words.
            if self.stderr_open.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                break;
            }
        }
        self.end(END_PATIENCE);
        self.exit_status()
    }

    /// The exit status of a process that has ended by itself, as in `exit status: 3`; `None`
    /// if it had to be killed. Known after [`EngineProcess::end`].
    pub(super) fn exit_status(&self) -> Option<String> {
        self.status.map(|status| status.to_string())
    }

    /// Closes the input, waits at most `patience` for the process to end and
    /// kills the rest of its group. Returns whether it ended by itself. Further calls do
    /// nothing.
    pub(crate) fn end(&mut self, patience: Duration) -> bool {
        self.input = None;
        let ended = self.has_ended(patience);
        if !self.is_gone {
            // The kill does not change the status of a process that had begun to end, which on a
            // busy machine can take longer than `patience`: any other status is its own.
            let status = self.groups.end(&mut self.child);
            self.status = self.status.or(status.ok().filter(|status| !is_killed(*status)));
            self.is_gone = true;
        }
        ended
    }

    /// The last lines of stderr; complete after [`EngineProcess::end`].
    pub(crate) fn stderr_tail(&self) -> Vec<String> {
        // Returns as soon as the thread drops the sender. Whatever has arrived is good enough
        // after that time.
        let _ = self.stderr_open.recv_timeout(STDERR_PATIENCE);
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).lines()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Whether a process was ended by [`ProcessGroups::end`], or in the same way, as by the
/// system for lack of memory.
#[cfg(unix)]
fn is_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(nix::libc::SIGKILL)
}

/// Elsewhere the exit code of a killed process can also be its own, so none is trusted.
#[cfg(not(unix))]
fn is_killed(_: ExitStatus) -> bool {
    true
}

/// Forwards every line until the pipe or the receiver is closed.
fn read_lines(pipe: impl Read, lines: &SyncSender<OutputLine>) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        line.clear();
        match pipe.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        // The first line may begin with a byte-order mark, which some runtimes write.
        let text = without_mark(&line);
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let text = String::from_utf8_lossy(text).into_owned();
        if lines.send(OutputLine { text, at }).is_err() {
            return;
        }
    }
}

/// Reads the pipe to its end and keeps the tail. Dropping `open` announces the end.
fn drain(mut pipe: impl Read, tail: &Mutex<LineTail>, open: Sender<()>) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = pipe.read(&mut bytes) {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push_bytes(&bytes[..count]);
    }
    drop(open);
}

/// The number of lines kept in a tail. Chosen: a report of a failure fits on a screen.
const MAX_LINES: usize = 20;

/// The bytes kept of each line in a tail. Chosen, likewise.
const MAX_BYTES: usize = 400;

/// The last lines of a text, in bounded memory.
#[derive(Clone, Debug, Default)]
pub(super) struct LineTail {
    lines: VecDeque<String>,
    /// The beginning of the line whose end has not arrived, at most one byte more than is kept.
    partial: Vec<u8>,
}

impl LineTail {
    /// Adds a whole line.
    pub(super) fn push(&mut self, line: &str) {
        // One byte more than is kept tells `readable` that the line was longer.
        self.push_line(&line.as_bytes()[..line.len().min(MAX_BYTES + 1)]);
    }

    /// Adds bytes, which may end within a line.
    fn push_bytes(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, is_complete) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            let room = (MAX_BYTES + 1).saturating_sub(self.partial.len());
            self.partial.extend_from_slice(&text[..text.len().min(room)]);
            if is_complete {
                let line = std::mem::take(&mut self.partial);
                self.push_line(line.strip_suffix(b"\r").unwrap_or(&line));
            }
        }
    }

    fn push_line(&mut self, line: &[u8]) {
        if self.lines.len() == MAX_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(readable(line));
    }

    /// The lines, oldest first, including an incomplete last one.
    pub(super) fn lines(&self) -> Vec<String> {
        let partial = (!self.partial.is_empty()).then(|| readable(&self.partial));
        self.lines.iter().cloned().chain(partial).collect()
    }
}

/// The line as printable text: no control characters, cut if too long.
fn readable(line: &[u8]) -> String {
    let is_cut = line.len() > MAX_BYTES;
    let text = String::from_utf8_lossy(&line[..line.len().min(MAX_BYTES)]);
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    let mut text: String = text.chars().map(shown).collect();
    if is_cut {
        text.push_str("...");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let mut tail = LineTail::default();
        tail.push_bytes(b"one\r\ntw");
        tail.push_bytes(b"o\n\nthr\x1bee");
        assert_eq!(tail.lines(), ["one", "two", "", "thr ee"]);
        tail.push_bytes(&vec![b'x'; 1 << 20]);
        tail.push_bytes(b"\n");
        assert_eq!(tail.lines().len(), 4);
        assert!(tail.lines()[3].len() <= MAX_BYTES + 3 && tail.lines()[3].ends_with("..."));
        (0..100).for_each(|n| tail.push(&n.to_string()));
        assert_eq!(tail.lines().len(), MAX_LINES);
        assert_eq!(tail.lines()[MAX_LINES - 1], "99");
        tail.push(&"ä".repeat(1000));
        assert!(tail.lines()[MAX_LINES - 1].ends_with("..."));
    }
}
