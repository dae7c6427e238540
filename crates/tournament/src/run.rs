//! Playing the games of a tournament, several at a time.
//!
//! ```text
//!                 ┌── worker: two engines ──┐
//! missing games ──┼── worker: two engines ──┼── channel ──> collector ──> journal, results
//!  (one queue)    └── worker: two engines ──┘   (size 0)         │
//!        ^                                                       │
//!        └────────────── `is_over`: no further game ─────────────┘
//! ```
//!
//! [`run`] starts the threads. Each thread has a `Worker`, which takes the next game from the
//! queue. Its engines keep running from game to game, because starting one can take longer than a
//! fast game. Only the `Collector`, in the thread that called [`run`], counts games and writes the
//! journal. It stops the queue when the test has a verdict, when an engine repeatedly fails to
//! start, or when the journal cannot be written. Games in progress are then finished; they are
//! counted as long as the journal can be written.
//!
//! **Order.** Games begin in the order of the schedule and end in any order. The journal has them
//! in the order of their ends, and the test sees them in that order.
//!
//! **Engines that do not start.** An engine that does not start loses the game, but the loss says
//! nothing about its strength: perhaps a library is missing on this machine. If such losses were
//! written at once, a resumed match would keep them for ever. So they wait in `unwritten` until the
//! engine has started once, or until all games are finished. A run that is abandoned leaves them
//! out of the journal, and the next run replays those games.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::engines::failure::{Failure, FailureKind};
use crate::engines::gtp::GameLog;
use crate::engines::player::Player;
use crate::engines::process_groups::ProcessGroups;
use crate::journal::entry::{Entry, file_stem};
use crate::journal::file::{Journal, JournalError};
use crate::journal::results::Results;
use crate::plan::Tournament;
use crate::referee::{GameEnd, GameTask, PlayedGame, play_game};
use crate::schedule::GameKey;
use crate::statistics::sprt::Verdict;
use pontifex::game::{Color, Position};

/// Plays the games of `tournament` that `results` lacks. Each finished game is counted and written
/// to the journal.
///
/// A loss by an engine that did not start is written only after that engine has started, or when
/// all games are finished or the test is decided. If the run is abandoned or stopped before that,
/// the next run replays the game.
///
/// # Errors
/// The journal cannot be written. Games in progress are finished first and not counted.
pub fn run(
    tournament: &Tournament,
    results: &mut Results,
    journal: Option<&mut Journal>,
    options: RunOptions<'_>,
    observer: &mut dyn Observer,
) -> Result<Ending, JournalError> {
    // An earlier run of the same journal may have reached the verdict.
    if let Some(ending) = verdict_ending(results) {
        return Ok(ending);
    }
    let missing: Vec<GameKey> =
        tournament.schedule().games().filter(|key| results.game(key).is_none()).collect();
    let expected = missing.len();
    let queue = Mutex::new(missing.into_iter());
    let is_over = AtomicBool::new(false);
    // `Relaxed` suffices for both flags. They only ask for an early end and publish no other data;
    // games pass through the lock and the channel, which synchronize.
    let next_game = || {
        let is_stopped = options.stop.load(Relaxed) || is_over.load(Relaxed);
        (!is_stopped).then(|| queue.lock().unwrap_or_else(PoisonError::into_inner).next())?
    };
    let names = tournament.names();
    let mut collector = Collector {
        tournament,
        names: &names,
        results,
        journal,
        observer,
        is_over: &is_over,
        start_failures: StartFailures::new(&names),
        unwritten: Vec::new(),
        played: 0,
        ending: None,
    };
    thread::scope(|scope| {
        // Size 0, so that finished games do not pile up: a worker waits until the collector takes
        // its game. After a verdict each worker then has at most one more game to finish.
        let (sender, games) = mpsc::sync_channel(0);
        for _ in 0..options.concurrency.clamp(1, expected.max(1)) {
            let (sender, next_game) = (sender.clone(), &next_game);
            scope.spawn(move || {
                let mut worker = Worker::new(tournament, &options);
                while let Some(key) = next_game() {
                    // Fails if the collector has ended because the journal cannot be written.
                    if sender.send(worker.play(key)).is_err() {
                        break;
                    }
                }
                worker.quit();
            });
        }
        // The channel closes when all senders are dropped. Without this line the collector would
        // wait for ever.
        drop(sender);
        collector.collect(&games)
    })?;
    collector.end(expected)
}

/// How a tournament is run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'a> {
    /// The number of games at a time; 0 counts as 1. Each keeps up to two engines running.
    pub concurrency: usize,
    /// The set in which the engines' processes are registered, so that the caller can kill them.
    pub groups: &'a ProcessGroups,
    /// When set, no further game begins; those in progress are finished.
    pub stop: &'a AtomicBool,
    /// An existing folder for a log of each game's traffic; `None` for no logs.
    pub logs: Option<&'a Path>,
}

/// Observes the progress of a run. Calls come from the thread that called [`run`].
pub trait Observer {
    /// Called after each game. `results` include it, and the journal has it unless an engine failed
    /// to start.
    fn finished(&mut self, entry: &Entry, results: &Results);

    /// Called for each setting that an engine does not support, after every game of that engine. So
    /// the same warning, one line of text, is repeated.
    fn warning(&mut self, engine: &str, warning: &str);

    /// Called four times a second while no game ends, to update a status line.
    fn tick(&mut self, results: &Results);
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// All games of the schedule are finished.
    Complete,
    /// The sequential test has a verdict.
    Decided(Verdict),
    /// The run was asked to stop before all games were played.
    Stopped,
    /// An engine failed to start three times in a row, or all games have ended and its last two
    /// starts failed. Holds its last failure.
    CannotStart(Box<Failure>),
}

/// The interval between two calls of [`Observer::tick`]. Set by judgement: a status line then seems
/// alive, and updating it costs next to nothing.
const TICK_INTERVAL: Duration = Duration::from_millis(250);

/// The ending by the test; `None` without a test or before its verdict.
fn verdict_ending(results: &Results) -> Option<Ending> {
    let verdict = results.sprt_state()?.verdict;
    (verdict != Verdict::Continue).then_some(Ending::Decided(verdict))
}

/// Counts finished games, writes them and decides when the run is over.
struct Collector<'a> {
    tournament: &'a Tournament,
    names: &'a [String],
    results: &'a mut Results,
    journal: Option<&'a mut Journal>,
    observer: &'a mut dyn Observer,
    /// Set here and read by the workers: no further game may begin.
    is_over: &'a AtomicBool,
    start_failures: StartFailures<'a>,
    /// Counted games that the journal lacks, in the order of their ends.
    unwritten: Vec<Entry>,
    /// The number of games that this run has counted.
    played: usize,
    /// The first reason to end early; `None` while there is none.
    ending: Option<Ending>,
}

impl Collector<'_> {
    /// Counts games until all workers have ended.
    fn collect(&mut self, games: &Receiver<FinishedGame>) -> Result<(), JournalError> {
        loop {
            match games.recv_timeout(TICK_INTERVAL) {
                Ok(game) => self.add(game)?,
                Err(RecvTimeoutError::Timeout) => self.observer.tick(self.results),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Counts and writes a game, and decides whether another one may begin.
    fn add(&mut self, finished: FinishedGame) -> Result<(), JournalError> {
        let FinishedGame { key, game, versions, warnings } = finished;
        self.played += 1;
        for (engine, warning) in warnings {
            self.observer.warning(&self.names[engine], &warning);
        }
        if let Some(failure) = self.start_failures.count(&key, &game) {
            self.ending.get_or_insert(Ending::CannotStart(failure));
            self.is_over.store(true, Relaxed);
        }
        let opening = self.tournament.openings[key.opening].len();
        let seed = key.seed(self.tournament.seed);
        let mut entry = Entry::new(&key, self.names, opening, seed, game);
        entry.versions = versions;
        // Written before it is counted, so that results shown to the user survive a crash.
        self.write(&entry)?;
        self.results.add(entry.clone());
        if self.ending.is_none() {
            self.ending = verdict_ending(self.results);
            // `fetch_or` can set the flag but not clear it.
            self.is_over.fetch_or(self.ending.is_some(), Relaxed);
        }
        self.observer.finished(&entry, self.results);
        Ok(())
    }

    /// Writes `entry` and the waiting games to the journal, but not those that may be replayed.
    fn write(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        self.unwritten.push(entry.clone());
        let is_due = |entry: &mut Entry| !self.start_failures.may_replay(entry);
        let result =
            self.unwritten.extract_if(.., is_due).try_for_each(|entry| journal.append(&entry));
        if result.is_err() {
            self.is_over.store(true, Relaxed);
        }
        result
    }

    /// The ending of a run in which `expected` games were missing. If all of them are played or the
    /// test is decided, the losses that waited become final and are written. Otherwise the next run
    /// replays those games.
    fn end(self, expected: usize) -> Result<Ending, JournalError> {
        let Collector { journal, start_failures, unwritten, played, ending, .. } = self;
        let is_abandoned = matches!(ending, Some(Ending::CannotStart(_)));
        let ending = ending
            .or_else(|| start_failures.repeated_failure().map(Ending::CannotStart))
            .or_else(|| (played < expected).then_some(Ending::Stopped))
            .unwrap_or(Ending::Complete);
        let is_final = played == expected || matches!(ending, Ending::Decided(_));
        if let Some(journal) = journal.filter(|_| is_final && !is_abandoned) {
            unwritten.iter().try_for_each(|entry| journal.append(entry))?;
        }
        Ok(ending)
    }
}

/// A finished game with the versions and warnings of its engines.
struct FinishedGame {
    key: GameKey,
    game: PlayedGame,
    /// Identity and checksum of the engines in seats 0 and 1.
    versions: [String; 2],
    /// The number of an engine, and a setting that it does not support, in one line.
    warnings: Vec<(usize, String)>,
}

/// Plays games one after the other. The engines of the last game keep running for the next. There
/// are never more than two, so the number of threads bounds the number of processes.
struct Worker<'t> {
    tournament: &'t Tournament,
    groups: &'t ProcessGroups,
    logs: Option<&'t Path>,
    /// With the engines' numbers. A player whose engine has failed stays here, and restarts it for
    /// its next game.
    running: Vec<(usize, Player)>,
}

impl<'t> Worker<'t> {
    fn new(tournament: &'t Tournament, options: &RunOptions<'t>) -> Worker<'t> {
        let RunOptions { groups, logs, .. } = *options;
        Worker { tournament, groups, logs, running: Vec::new() }
    }

    fn play(&mut self, key: GameKey) -> FinishedGame {
        let task = self.tournament.task(&key);
        let seats = key.seats();
        // Engines that do not play this game quit first: those that start need memory and cores.
        for (_, player) in self.running.extract_if(.., |(engine, _)| !seats.contains(engine)) {
            player.quit();
        }
        let mut warnings = Vec::new();
        let game = match self.take_players(seats) {
            Ok(mut players) => {
                let [first, second] = &mut players;
                if let Some(folder) = self.logs {
                    let name = format!(
                        "{}.log",
                        file_stem(
                            key.pairing.map(|n| self.tournament.engines[n].name.as_str()),
                            key.round,
                            key.exchanged
                        )
                    );
                    match GameLog::create(&folder.join(name)) {
                        Ok(log) => {
                            [&mut *first, &mut *second].map(|player| player.log_to(Some(&log)))
                        }
                        Err(error) => {
                            warnings.push((seats[0], format!("the game has no log: {error}")));
                            [&mut *first, &mut *second].map(|player| player.log_to(None))
                        }
                    };
                }
                let game = play_game([first, second], &task);
                for (engine, player) in seats.into_iter().zip(players) {
                    let all_warnings = player.warnings().iter().cloned();
                    warnings.extend(all_warnings.map(|warning| (engine, warning)));
                    self.running.push((engine, player));
                }
                game
            }
            Err((seat, failure)) => forfeited_game(&task, seat, failure),
        };
        FinishedGame { key, game, versions: seats.map(|engine| self.version(engine)), warnings }
    }

    /// Asks both engines to quit.
    fn quit(self) {
        self.running.into_iter().for_each(|(_, player)| player.quit());
    }

    /// Takes the engines of both seats out of `running`, or starts them.
    ///
    /// # Errors
    /// The seat whose engine does not start, and its failure.
    fn take_players(&mut self, seats: [usize; 2]) -> Result<[Player; 2], (usize, Box<Failure>)> {
        let [white, red] = seats;
        let first = self.take_player(white).map_err(|failure| (0, failure))?;
        match self.take_player(red) {
            Ok(second) => Ok([first, second]),
            Err(failure) => {
                // The first engine has started, and is kept for its next game.
                self.running.push((white, first));
                Err((1, failure))
            }
        }
    }

    /// Takes the player of an engine out of `running`, or starts one.
    fn take_player(&mut self, engine: usize) -> Result<Player, Box<Failure>> {
        if let Some(index) = self.running.iter().position(|&(number, _)| number == engine) {
            return Ok(self.running.swap_remove(index).1);
        }
        let tournament = self.tournament;
        Player::start(&tournament.engines[engine], self.groups, tournament.stall)
    }

    /// Identity and checksum of an engine; empty if it did not start.
    fn version(&self, engine: usize) -> String {
        let player = self.running.iter().find(|(number, _)| *number == engine);
        player.map_or(String::new(), |(_, player)| player.version())
    }
}

/// A game lost in advance because the engine in `seat` does not start. It ends after the opening.
fn forfeited_game(task: &GameTask, seat: usize, failure: Box<Failure>) -> PlayedGame {
    let mut position = Position::new(task.rules);
    for &mv in &task.opening {
        // Legal, because `Tournament::check` has checked the openings.
        let _ = position.play(mv);
    }
    PlayedGame {
        moves: task.opening.clone(),
        seconds: vec![0.0; task.opening.len()],
        evaluations: vec![None; task.opening.len()],
        scores: Color::BOTH.map(|color| position.score(color)),
        position: position.to_string(),
        colors: Color::BOTH,
        winner: Some(1 - seat),
        end: GameEnd::Failure { seat, failure },
        overheads: [Vec::new(), Vec::new()],
        wall: 0.0,
    }
}

/// The number of failed starts of an engine in a row after which the run is abandoned. Set by
/// judgement: a busy machine may cause one, and without a limit a broken engine would lose
/// thousands of games within seconds.
const MAX_START_FAILURES: u32 = 3;

/// Counts failed starts of each engine since its last successful one.
struct StartFailures<'n> {
    names: &'n [String],
    /// For each engine, the number of failed starts in a row, and the last failure.
    streaks: Vec<(u32, Option<Box<Failure>>)>,
}

impl<'n> StartFailures<'n> {
    fn new(names: &'n [String]) -> StartFailures<'n> {
        StartFailures { names, streaks: vec![(0, None); names.len()] }
    }

    /// Takes a game into account. Returns its failure if the engine has failed to start
    /// [`MAX_START_FAILURES`] times in a row.
    fn count(&mut self, key: &GameKey, game: &PlayedGame) -> Option<Box<Failure>> {
        let failed_start = match &game.end {
            GameEnd::Failure { seat, failure } if failure.kind == FailureKind::Start => {
                Some((*seat, failure))
            }
            _ => None,
        };
        for (seat, engine) in key.seats().into_iter().enumerate() {
            match failed_start {
                Some((failed_seat, failure)) if failed_seat == seat => {
                    self.streaks[engine].0 += 1;
                    self.streaks[engine].1 = Some(failure.clone());
                    if self.streaks[engine].0 >= MAX_START_FAILURES {
                        return Some(failure.clone());
                    }
                }
                // The other engine may not have been started, so its count stays.
                Some(_) => {}
                None => self.streaks[engine] = (0, None),
            }
        }
        None
    }

    /// Whether the next run may have to replay the game, because an engine lost it by not starting
    /// and has not started since.
    fn may_replay(&self, entry: &Entry) -> bool {
        let failure = entry.failure.as_ref().filter(|failure| failure.kind == FailureKind::Start);
        let has_failed = |(name, (count, _)): (&String, &(u32, _))| {
            *count > 0 && failure.is_some_and(|failure| failure.engine == *name)
        };
        self.names.iter().zip(&self.streaks).any(has_failed)
    }

    /// The last failure of an engine that has failed to start twice or more and has not started
    /// since. Two failures do not abandon a run, but its games then do not make a match.
    fn repeated_failure(self) -> Option<Box<Failure>> {
        self.streaks.into_iter().find(|(count, _)| *count > 1).and_then(|(_, failure)| failure)
    }
}
