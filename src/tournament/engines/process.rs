//! An engine's process behind pipes, none of which can hold up the referee.
//!
//! Three threads serve it: one writes its input, so that an engine that does
//! not read hangs nobody; one reads its output and notes when each line came;
//! one drains its stderr and keeps the tail. They end with the pipes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::tournament::engines::groups::ProcessGroups;
use crate::tournament::engines::tail::LineTail;

/// Bytes in a line of output: a longer one is cut there and breaks the
/// framing.
const MAX_LINE: usize = 1 << 16;

/// Lines of output that wait to be read; an engine that writes more waits.
const MAX_WAITING: usize = 256;

/// How often a silent engine is looked at: it may have left a child behind
/// that keeps its output open.
const GLANCE: Duration = Duration::from_millis(100);

/// How long an engine that has closed its output may take to end, and the
/// last of its stderr to come through.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// A line of output and when it came.
#[derive(Debug)]
pub(in crate::tournament) struct OutputLine {
    /// Without its line end.
    pub(in crate::tournament) text: String,
    /// When it was complete.
    pub(in crate::tournament) at: Instant,
}

/// No line came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tournament) enum Silence {
    /// The deadline has passed.
    Deadline,
    /// The process has ended or closed its output.
    Closed,
}

/// A running process; dropped, it is killed with its whole group.
#[derive(Debug)]
pub(in crate::tournament) struct EngineProcess {
    child: Child,
    groups: ProcessGroups,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<OutputLine>,
    stderr: Arc<Mutex<LineTail>>,
    /// Disconnected once stderr is closed.
    stderr_open: Receiver<()>,
    status: Option<ExitStatus>,
    /// Whether its group has been killed: the number may be another's now.
    is_gone: bool,
}

impl EngineProcess {
    /// Starts `command` in a process group of its own.
    pub(in crate::tournament) fn start(
        mut command: Command,
        groups: &ProcessGroups,
    ) -> io::Result<EngineProcess> {
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

    /// Sends bytes, without waiting until they are read.
    pub(in crate::tournament) fn send(&self, bytes: Vec<u8>) {
        // Whoever does not read has ended, which shows when its answer is
        // waited for.
        let _ = self.input.as_ref().map(|input| input.send(bytes));
    }

    /// The next line of output.
    pub(in crate::tournament) fn line(&mut self, deadline: Instant) -> Result<OutputLine, Silence> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Closed),
                Err(RecvTimeoutError::Timeout) if self.has_ended(Duration::ZERO) => {
                    return self.output.recv_timeout(GLANCE).map_err(|_| Silence::Closed);
                }
                Err(RecvTimeoutError::Timeout) if left <= GLANCE => return Err(Silence::Deadline),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the process ends by itself within `patience`.
    pub(in crate::tournament) fn has_ended(&mut self, patience: Duration) -> bool {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        while self.status.is_none() {
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

    /// How the process has ended by itself, as `exit status: 3`; `None` when
    /// it runs. It has a moment to end after it closed its output.
    pub(in crate::tournament) fn exit_status(&mut self) -> Option<String> {
        self.has_ended(LAST_WORDS);
        self.status.map(|status| status.to_string())
    }

    /// Closes its input, gives it `patience` to end by itself, then kills
    /// what is left of its group. Whether it ended by itself.
    pub(in crate::tournament) fn end(&mut self, patience: Duration) -> bool {
        self.input = None;
        let ended = self.has_ended(patience);
        if !self.is_gone {
            self.groups.end(&mut self.child);
            self.is_gone = true;
        }
        ended
    }

    /// The last lines of stderr, after [`EngineProcess::end`] all of them.
    pub(in crate::tournament) fn stderr_tail(&self) -> Vec<String> {
        let _ = self.stderr_open.recv_timeout(LAST_WORDS);
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).lines()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Sends on every line until the pipe ends or nobody listens.
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
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let text = String::from_utf8_lossy(text).into_owned();
        if lines.send(OutputLine { text, at }).is_err() {
            return;
        }
    }
}

/// Reads whatever comes, however much, and keeps the tail.
fn drain(mut pipe: impl Read, tail: &Mutex<LineTail>, open: Sender<()>) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = pipe.read(&mut bytes) {
        tail.lock().unwrap_or_else(PoisonError::into_inner).push_bytes(&bytes[..count]);
    }
    drop(open);
}
