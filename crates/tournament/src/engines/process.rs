//! An engine's process behind pipes that never block the referee.
//!
//! **The problem.** A pipe holds some kilobytes, and a write to a full one blocks. An engine that
//! never reads, or prints a lot while the referee writes to it, would make both wait for ever. A
//! read from a pipe has no deadline. And an engine that fills its stderr blocks until it is read.
//!
//! **The idea.** Three threads serve the pipes:
//!
//! ```text
//!  send() ─────── channel ────────> writer thread ──> stdin  ┐
//!  read_line() <─ bounded channel ─ reader thread <── stdout ├ engine
//!  stderr_tail() <── LineTail ───── stderr thread <── stderr ┘
//! ```
//!
//! The reader thread notes when each line arrives. So an answer is timed by its arrival, even if
//! the referee's thread is scheduled later. Its channel is bounded, so that an engine which prints
//! without end blocks itself and does not fill the memory. Only the last lines of stderr are kept.
//!
//! **Detecting the end.** The end of stdout is not enough: after a crash a child of the engine may
//! hold the pipe open. So [`EngineProcess::read_line`] also asks the system at intervals whether
//! the process still runs.
//!
//! **Ending it.** In this order:
//!
//! ```text
//! close stdin     tells the engine that no command will follow
//! wait            at most the caller's timeout
//! kill the group  the engine and its children
//! reap            afterwards the group's number may belong to another process, so no signal
//!                 may be sent to it
//! ```
//!
//! The threads end with their pipes and are not joined, because a process that has left the group
//! can hold a pipe open for ever.

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
    /// `None` after the input is closed. The writer thread first writes what is in the channel.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<OutputLine>,
    stderr: Arc<Mutex<LineTail>>,
    /// Carries no messages. It disconnects when stderr is closed.
    stderr_open: Receiver<()>,
    /// `None` while the process runs, and if it had to be killed.
    status: Option<ExitStatus>,
    /// Whether the group has been killed. Its number may belong to another group afterwards.
    is_group_killed: bool,
}

/// A line of the engine's stdout.
#[derive(Debug)]
pub(super) struct OutputLine {
    /// The line without its line feed or CR LF.
    pub(super) text: String,
    /// When the line feed arrived.
    pub(super) arrival: Instant,
}

/// Why there is no further line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoLine {
    /// The deadline passed.
    Deadline,
    /// The process ended or closed its output.
    Closed,
}

/// The longest line of output in bytes. A longer one is split, which then violates the framing. Set
/// by judgement: far above the longest line of a legitimate answer, a report of an analysis.
/// Without a limit an engine that never ends a line would fill the memory.
const MAX_LINE_BYTES: usize = 1 << 16;

/// The number of lines of output that are buffered. An engine that writes more blocks until they
/// are read. Set by judgement: with lines of [`MAX_LINE_BYTES`] the buffer takes 16 MiB at most.
const MAX_BUFFERED_LINES: usize = 256;

/// The interval between checks whether a silent engine still runs. Set by judgement: a person
/// notices no delay after a crash, and ten system calls a second do not disturb the engines that
/// search.
const LIVENESS_INTERVAL: Duration = Duration::from_millis(100);

/// How long an engine that has closed its output may still write to stderr before it is killed. Set
/// by judgement: enough for an interpreter to print a stack trace. Without this time the report of
/// a crash would often lack its cause.
const STDERR_GRACE: Duration = Duration::from_secs(1);

/// The timeout for the end of an engine that has closed stderr, too. Set by judgement: such a
/// process is already ending, and the wait keeps its exit status from being that of the kill.
const EXIT_TIMEOUT: Duration = Duration::from_millis(100);

/// The timeout for the end of a killed engine's stderr. It usually ends at once: only a process
/// that has left the engine's group can hold it open. A guess, never measured.
const STDERR_TIMEOUT: Duration = Duration::from_secs(3);

impl EngineProcess {
    /// Starts `command` in a process group of its own, with pipes for its input and output.
    ///
    /// # Errors
    /// The system's, or that the engines of `groups` are being stopped.
    pub(super) fn start(mut command: Command, groups: &ProcessGroups) -> io::Result<EngineProcess> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = groups.spawn(&mut command)?;
        let (input, input_receiver) = channel::<Vec<u8>>();
        let (output_sender, output) = sync_channel(MAX_BUFFERED_LINES);
        let (stderr_end, stderr_open) = channel();
        let stderr = Arc::new(Mutex::new(LineTail::default()));
        if let Some(mut pipe) = child.stdin.take() {
            thread::spawn(move || {
                for bytes in input_receiver {
                    if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(pipe) = child.stdout.take() {
            thread::spawn(move || read_lines(pipe, &output_sender));
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
            is_group_killed: false,
        })
    }

    /// Sends bytes without blocking.
    pub(super) fn send(&self, bytes: Vec<u8>) {
        // This fails only if the engine has closed its input, which ends the writer thread. The
        // reader of the answer then finds a crash or a stall.
        let _ = self.input.as_ref().map(|input| input.send(bytes));
    }

    /// Waits for the next line of output until `deadline`. A line that has already arrived is
    /// returned even after the deadline, so that a late answer can be told from none.
    pub(super) fn read_line(&mut self, deadline: Instant) -> Result<OutputLine, NoLine> {
        loop {
            let remaining = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(remaining.min(LIVENESS_INTERVAL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Closed),
                Err(RecvTimeoutError::Timeout) if self.has_ended() => {
                    // The reader thread may not have delivered the process's last line yet.
                    return self.output.recv_timeout(LIVENESS_INTERVAL).map_err(|_| NoLine::Closed);
                }
                Err(RecvTimeoutError::Timeout) if remaining <= LIVENESS_INTERVAL => {
                    return Err(NoLine::Deadline);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the process has ended by itself.
    fn has_ended(&mut self) -> bool {
        self.wait_for_end(Duration::ZERO)
    }

    /// Waits at most `timeout` for the process to end by itself. Returns whether it has.
    fn wait_for_end(&mut self, timeout: Duration) -> bool {
        let start = Instant::now();
        // Most engines end at once, so the first pauses are short. Later ones are longer, to leave
        // the cores to the engines that play.
        let mut pause = Duration::from_micros(200);
        while self.status.is_none() && !self.is_group_killed {
            // After an error the process counts as running, so that it is killed in the end.
            self.status = self.child.try_wait().unwrap_or_default();
            let remaining = timeout.saturating_sub(start.elapsed());
            if self.status.is_some() || remaining.is_zero() {
                break;
            }
            thread::sleep(pause.min(remaining));
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        self.status.is_some()
    }

    /// Ends a process that has closed its output, but first lets it write its error message to
    /// stderr. Returns its exit status, as in `exit status: 3`; `None` if it had to be killed.
    pub(super) fn end_after_eof(&mut self) -> Option<String> {
        let deadline = Instant::now() + STDERR_GRACE;
        self.input = None;
        while !self.has_ended() && Instant::now() < deadline {
            let pause = Duration::from_millis(5);
            // Nothing more can arrive on a closed stderr.
            if self.stderr_open.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                break;
            }
        }
        self.end(EXIT_TIMEOUT);
        self.exit_status()
    }

    /// The exit status of a process that has ended by itself, as in `exit status: 3`; `None` if it
    /// had to be killed. Final after [`EngineProcess::end`].
    pub(super) fn exit_status(&self) -> Option<String> {
        self.status.map(|status| status.to_string())
    }

    /// Closes the input, waits at most `timeout` for the process to end and kills the rest of its
    /// group. Returns whether it ended by itself in that time. Further calls do nothing.
    pub(crate) fn end(&mut self, timeout: Duration) -> bool {
        self.input = None;
        let has_ended = self.wait_for_end(timeout);
        if !self.is_group_killed {
            // On a busy machine a process can take longer than `timeout` to end. The kill does not
            // change the status of one that is already ending, so any status but that of the kill
            // is its own.
            let status = self.groups.kill_and_reap(&mut self.child);
            self.status = self.status.or(status.ok().filter(|status| !is_killed(*status)));
            self.is_group_killed = true;
        }
        has_ended
    }

    /// The last lines of stderr; complete after [`EngineProcess::end`].
    pub(crate) fn stderr_tail(&self) -> Vec<String> {
        // Returns as soon as the thread drops the sender. After a timeout the tail has only the
        // lines that have arrived by then.
        let _ = self.stderr_open.recv_timeout(STDERR_TIMEOUT);
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).lines()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Whether a process was ended by SIGKILL: by [`ProcessGroups::kill_and_reap`], or by the system
/// for lack of memory.
#[cfg(unix)]
fn is_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(nix::libc::SIGKILL)
}

/// Always true: elsewhere the exit code does not show whether a process was killed.
#[cfg(not(unix))]
fn is_killed(_: ExitStatus) -> bool {
    true
}

/// Forwards every line with the time of its arrival, until the pipe or the receiver is closed.
fn read_lines(pipe: impl Read, lines: &SyncSender<OutputLine>) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        line.clear();
        match pipe.by_ref().take(MAX_LINE_BYTES as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let arrival = Instant::now();
        // The first line may begin with a byte-order mark, which some runtimes write.
        let text = without_mark(&line);
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let text = String::from_utf8_lossy(text).into_owned();
        if lines.send(OutputLine { text, arrival }).is_err() {
            return;
        }
    }
}

/// Reads the pipe to its end and keeps the last lines in `tail`. Dropping `open` signals the end.
fn drain(mut pipe: impl Read, tail: &Mutex<LineTail>, open: Sender<()>) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = pipe.read(&mut bytes) {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push_bytes(&bytes[..count]);
    }
    drop(open);
}

/// The number of lines that a [`LineTail`] keeps. Set by judgement: the report of a failure fits on
/// a screen.
const TAIL_LINES: usize = 20;

/// The number of bytes that a [`LineTail`] keeps of each line. Set by judgement for the same
/// reason.
const TAIL_LINE_BYTES: usize = 400;

/// The last lines of a text, in bounded memory.
#[derive(Clone, Debug, Default)]
pub(super) struct LineTail {
    lines: VecDeque<String>,
    /// The beginning of a line whose line feed has not arrived: at most one byte more than
    /// [`TAIL_LINE_BYTES`].
    partial: Vec<u8>,
}

impl LineTail {
    /// Adds a whole line.
    pub(super) fn push(&mut self, line: &str) {
        // The one extra byte tells `to_printable` that the line was longer.
        self.push_line(&line.as_bytes()[..line.len().min(TAIL_LINE_BYTES + 1)]);
    }

    /// Adds bytes, which may end within a line.
    fn push_bytes(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, is_complete) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            let room = (TAIL_LINE_BYTES + 1).saturating_sub(self.partial.len());
            self.partial.extend_from_slice(&text[..text.len().min(room)]);
            if is_complete {
                let line = std::mem::take(&mut self.partial);
                self.push_line(line.strip_suffix(b"\r").unwrap_or(&line));
            }
        }
    }

    fn push_line(&mut self, line: &[u8]) {
        if self.lines.len() == TAIL_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(to_printable(line));
    }

    /// The lines, oldest first, including an incomplete last one.
    pub(super) fn lines(&self) -> Vec<String> {
        let partial = (!self.partial.is_empty()).then(|| to_printable(&self.partial));
        self.lines.iter().cloned().chain(partial).collect()
    }
}

/// The line as printable text: control characters become spaces, and a line longer than
/// [`TAIL_LINE_BYTES`] is cut and ends in `...`.
fn to_printable(line: &[u8]) -> String {
    let is_cut = line.len() > TAIL_LINE_BYTES;
    let text = String::from_utf8_lossy(&line[..line.len().min(TAIL_LINE_BYTES)]);
    let replace_control = |c: char| if c.is_control() { ' ' } else { c };
    let mut text: String = text.chars().map(replace_control).collect();
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
        assert!(tail.lines()[3].len() <= TAIL_LINE_BYTES + 3);
        assert!(tail.lines()[3].ends_with("..."));
        (0..100).for_each(|n| tail.push(&n.to_string()));
        assert_eq!(tail.lines().len(), TAIL_LINES);
        assert_eq!(tail.lines()[TAIL_LINES - 1], "99");
        tail.push(&"ä".repeat(1000));
        assert!(tail.lines()[TAIL_LINES - 1].ends_with("..."));
    }
}
