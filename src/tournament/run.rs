use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::game::{Color, Position};
use crate::tournament::engines::failure::{Failure, FailureKind};
use crate::tournament::engines::groups::ProcessGroups;
use crate::tournament::engines::player::Player;
use crate::tournament::journal::entry::Entry;
use crate::tournament::journal::results::Results;
use crate::tournament::journal::{Journal, JournalError};
use crate::tournament::plan::Tournament;
use crate::tournament::referee::game::{GameEnd, GameTask, PlayedGame, play_game};
use crate::tournament::schedule::GameKey;
use crate::tournament::statistics::sprt::Verdict;

/// How often an engine may fail to start, one game after the other, until the
/// run is given up.
const START_FAILURES: u32 = 3;

/// How often [`Observer::tick`] is called at least.
const TICK: Duration = Duration::from_millis(250);

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// All games are over.
    Complete,
    /// The sequential test has a verdict.
    Decided(Verdict),
    /// It was asked to stop.
    Stopped,
    /// An engine does not start: its last failure.
    CannotStart(Box<Failure>),
}

/// Who is told how a run goes on.
pub trait Observer {
    /// A game is over, and counted.
    fn finished(&mut self, entry: &Entry, results: &Results);

    /// An engine has started, but something cannot be told to it: one line.
    fn warning(&mut self, engine: &str, warning: &str);

    /// Some time has passed.
    fn tick(&mut self, results: &Results);
}

/// Plays the games of `tournament` that `results` does not have, `concurrency`
/// at a time; every game that is over is counted and written to the journal.
/// Those that an engine loses because it does not start are written when it
/// has started after all, or when all games are over or the test is decided: a
/// run that is given up for that, or stopped before, leaves them to the next
/// one.
///
/// When `stop` is set the running games are played to their end, and no other
/// begins. Engines run in `groups`.
///
/// # Errors
/// When the journal cannot be written.
pub fn run(
    tournament: &Tournament,
    results: &mut Results,
    mut journal: Option<&mut Journal>,
    concurrency: usize,
    groups: &ProcessGroups,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Ending, JournalError> {
    let names = tournament.names();
    let missing: Vec<GameKey> =
        tournament.schedule().games().filter(|key| results.game(key).is_none()).collect();
    let expected = missing.len();
    let queue = Mutex::new(missing.into_iter());
    let enough = AtomicBool::new(false);
    let next = || {
        let is_over = stop.load(Relaxed) || enough.load(Relaxed);
        (!is_over).then(|| queue.lock().unwrap_or_else(PoisonError::into_inner).next())?
    };
    let mut ending = decided(results);
    if ending.is_some() {
        return Ok(ending.unwrap_or(Ending::Complete));
    }
    let mut starts = StartFailures::new(names.len());
    let mut unwritten: Vec<Entry> = Vec::new();
    let mut played = 0;
    thread::scope(|scope| {
        // Without a buffer nobody plays further ahead than a game of what has
        // been counted.
        let (sender, finished) = mpsc::sync_channel(0);
        for _ in 0..concurrency.clamp(1, expected.max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut players = Players::new(tournament, groups);
                while let Some(key) = next() {
                    let game = players.play(&key);
                    let warnings = mem::take(&mut players.warnings);
                    if sender.send((key, game, players.versions(&key), warnings)).is_err() {
                        break;
                    }
                }
                players.quit();
            });
        }
        drop(sender);
        loop {
            let (key, game, versions, warnings) = match finished.recv_timeout(TICK) {
                Ok(finished) => finished,
                Err(RecvTimeoutError::Timeout) => {
                    observer.tick(results);
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            played += 1;
            for (engine, warning) in warnings {
                observer.warning(&names[engine], &warning);
            }
            if let Some(failure) = starts.count(&key, &game) {
                ending.get_or_insert(Ending::CannotStart(failure));
                enough.store(true, Relaxed);
            }
            let opening = tournament.openings[key.opening].len();
            let mut entry = Entry::new(&key, &names, opening, key.seed(tournament.seed), game);
            entry.versions = versions;
            if let Some(journal) = &mut journal {
                unwritten.push(entry.clone());
                let is_due = |entry: &mut Entry| !starts.is_open(entry, &names);
                let mut due = unwritten.extract_if(.., is_due);
                if let Err(error) = due.try_for_each(|entry| journal.append(&entry)) {
                    enough.store(true, Relaxed);
                    return Err(error);
                }
            }
            results.add(entry.clone());
            if ending.is_none() {
                ending = decided(results);
                enough.fetch_or(ending.is_some(), Relaxed);
            }
            observer.finished(&entry, results);
        }
        Ok(())
    })?;
    let is_given_up = matches!(ending, Some(Ending::CannotStart(_)));
    let incomplete = || (played < expected).then_some(Ending::Stopped);
    let ending = ending.or_else(|| starts.at_end()).or_else(incomplete).unwrap_or(Ending::Complete);
    let is_whole = played == expected || matches!(ending, Ending::Decided(_));
    if let Some(journal) = journal.filter(|_| is_whole && !is_given_up) {
        unwritten.iter().try_for_each(|entry| journal.append(entry))?;
    }
    Ok(ending)
}

/// The verdict of the test, once there is one.
fn decided(results: &Results) -> Option<Ending> {
    let verdict = results.sprt_state()?.verdict;
    (verdict != Verdict::Continue).then_some(Ending::Decided(verdict))
}

/// How often each engine has failed to start since it last did.
struct StartFailures(Vec<(u32, Option<Box<Failure>>)>);

impl StartFailures {
    fn new(engines: usize) -> StartFailures {
        StartFailures(vec![(0, None); engines])
    }

    /// Counts a game. Returns the failure when there are too many.
    fn count(&mut self, key: &GameKey, game: &PlayedGame) -> Option<Box<Failure>> {
        let failed = match &game.end {
            GameEnd::Failure { seat, failure } if failure.kind == FailureKind::Start => {
                Some((*seat, failure))
            }
            _ => None,
        };
        for (seat, engine) in key.seats().into_iter().enumerate() {
            match failed {
                Some((failed, failure)) if failed == seat => {
                    self.0[engine].0 += 1;
                    self.0[engine].1 = Some(failure.clone());
                    if self.0[engine].0 >= START_FAILURES {
                        return Some(failure.clone());
                    }
                }
                // Whether the other one starts was not tried.
                Some(_) => {}
                None => self.0[engine] = (0, None),
            }
        }
        None
    }

    /// Whether the game was lost by an engine that has not started since.
    fn is_open(&self, entry: &Entry, names: &[String]) -> bool {
        let failure = entry.failure.as_ref().filter(|failure| failure.kind == FailureKind::Start);
        let has_failed = |(name, (count, _)): (&String, &(u32, _))| {
            *count > 0 && failure.is_some_and(|failure| failure.engine == *name)
        };
        names.iter().zip(&self.0).any(has_failed)
    }

    /// An engine that failed to start more than once and has not started
    /// since.
    fn at_end(self) -> Option<Ending> {
        let repeated = self.0.into_iter().find(|(count, _)| *count > 1);
        repeated.and_then(|(_, failure)| failure).map(Ending::CannotStart)
    }
}

/// The engines of one thread. The last two are kept running from game to
/// game: there is never more than one engine of a seat.
struct Players<'t> {
    tournament: &'t Tournament,
    groups: &'t ProcessGroups,
    running: Vec<(usize, Player)>,
    /// What the engines of the last game could not be told.
    warnings: Vec<(usize, String)>,
}

impl<'t> Players<'t> {
    fn new(tournament: &'t Tournament, groups: &'t ProcessGroups) -> Players<'t> {
        Players { tournament, groups, running: Vec::new(), warnings: Vec::new() }
    }

    fn play(&mut self, key: &GameKey) -> PlayedGame {
        let task = self.tournament.task(key);
        let seats = key.seats();
        let (stay, leave) = self.running.drain(..).partition(|(engine, _)| seats.contains(engine));
        self.running = stay;
        let leave: Vec<(usize, Player)> = leave;
        for (_, player) in leave {
            player.quit();
        }
        let mut players = Vec::with_capacity(2);
        for (seat, &engine) in seats.iter().enumerate() {
            match self.take(engine) {
                Ok(player) => players.push(player),
                Err(failure) => {
                    self.running.extend(seats.into_iter().zip(players));
                    return not_played(&task, seat, failure);
                }
            }
        }
        let [first, second] = &mut players[..] else { unreachable!("two seats have two players") };
        let game = play_game([first, second], &task);
        for (engine, player) in seats.into_iter().zip(&players) {
            let warnings = player.warnings().iter().cloned();
            self.warnings.extend(warnings.map(|warning| (engine, warning)));
        }
        self.running.extend(seats.into_iter().zip(players));
        game
    }

    /// No more games: the engines are asked to quit.
    fn quit(self) {
        self.running.into_iter().for_each(|(_, player)| player.quit());
    }

    /// What the engines of the last game say they are, White's first.
    fn versions(&self, key: &GameKey) -> [String; 2] {
        key.seats().map(|seat| {
            let player = self.running.iter().find(|(engine, _)| *engine == seat);
            player.map_or(String::new(), |(_, player)| player.version())
        })
    }

    /// The engine, started if it does not run.
    fn take(&mut self, engine: usize) -> Result<Player, Box<Failure>> {
        if let Some(at) = self.running.iter().position(|&(running, _)| running == engine) {
            return Ok(self.running.swap_remove(at).1);
        }
        let tournament = self.tournament;
        Player::start(&tournament.engines[engine], self.groups, tournament.stall)
    }
}

/// A game that is lost because an engine does not start.
fn not_played(task: &GameTask, seat: usize, failure: Box<Failure>) -> PlayedGame {
    let mut position = Position::new(task.rules);
    for &mv in &task.opening {
        // The openings have been checked before.
        let _ = position.play(mv);
    }
    PlayedGame {
        moves: task.opening.clone(),
        seconds: vec![0.0; task.opening.len()],
        scores: Color::BOTH.map(|color| position.score(color)),
        position: position.to_string(),
        colors: Color::BOTH,
        winner: Some(1 - seat),
        end: GameEnd::Failure { seat, failure },
        overheads: [Vec::new(), Vec::new()],
        wall: 0.0,
    }
}
