//! Checks of moves and of a whole game.

use crate::check::checker::{CheckVerdict, Checker, Finding, fail, found, pass, shown, warn};
use crate::engines::commands::{self, gtp_color, read_move};
use crate::engines::failure::EngineError;
use pontifex::board::Size;
use pontifex::clock::{Clock, Limit, Seconds};
use pontifex::game::{Position, Rules, Supply};

/// The limit of engines without their own.
const DEFAULT_LIMIT: Limit = Limit::Move { seconds: Seconds::millis(200) };

/// By how many seconds an answer may exceed the time.
const MARGIN: f64 = 0.1;

/// Moves that are legal in this order.
const LEGAL: [&str; 3] = ["play w b2,d2", "play b a1,c4", "play w b2-d2"];

/// Moves that are illegal after those, and why.
const ILLEGAL: [(&str, &str); 4] = [
    ("play b b2,d4", "b2 is occupied"),
    ("play b c2,d4", "c2 lies under a bridge"),
    ("play b a3,a3", "two tiles on one cell"),
    ("play b pass", "two tiles can be placed"),
];

/// Starts a game with the moves of [`LEGAL`]; the inner error is a refusal.
fn set_up(checker: &mut Checker) -> Result<Result<(), String>, EngineError> {
    for command in ["boardsize 10", "clear_board"].iter().chain(&LEGAL) {
        let answer = checker.ask(command)?;
        if answer.is_err() {
            return Ok(Err(format!("'{command}' is refused: {}", shown(&answer))));
        }
    }
    Ok(Ok(()))
}

pub(super) fn plays(checker: &mut Checker) -> Finding {
    match set_up(checker)? {
        Ok(()) => pass("placements and a bridge, as in 'play w b2,d2' and 'play w b2-d2'"),
        Err(refusal) => fail(format!(
            "{refusal}; moves are CELL,CELL, CELL-CELL, pass and swap, colours w and b"
        )),
    }
}

pub(super) fn refuses(checker: &mut Checker) -> Finding {
    if let Err(refusal) = set_up(checker)? {
        return found(CheckVerdict::Skipped, refusal);
    }
    for (command, reason) in ILLEGAL {
        let answer = checker.ask(command)?;
        match &answer {
            Err(text) if text.starts_with("illegal move") => {}
            Err(_) => {
                return warn(format!(
                    "'{command}' ({reason}) is refused with {}, expected '? illegal move'",
                    shown(&answer)
                ));
            }
            Ok(_) => {
                return warn(format!("'{command}' is accepted although it is illegal: {reason}"));
            }
        }
    }
    let answer = checker.ask("play b a3,d4")?;
    if answer.is_err() {
        return fail(format!(
            "'play b a3,d4' is refused after illegal moves ({}): an illegal move must change nothing",
            shown(&answer)
        ));
    }
    pass(format!("{} illegal moves refused, position unchanged", ILLEGAL.len()))
}

pub(super) fn takes_back(checker: &mut Checker) -> Finding {
    if !checker.knows("undo")? {
        return warn("undo is not known: the referee does not need it, but graphical boards do");
    }
    if let Err(refusal) = set_up(checker)? {
        return found(CheckVerdict::Skipped, refusal);
    }
    let (last, again) = (LEGAL[2], ["undo", LEGAL[2]]);
    for command in again {
        let answer = checker.ask(command)?;
        if answer.is_err() {
            return warn(format!("'{command}' after '{last}' is refused: {}", shown(&answer)));
        }
    }
    pass("a move can be taken back and played again")
}

/// The engine plays both sides on the smallest of three boards that it accepts.
pub(super) fn whole_game(checker: &mut Checker) -> Finding {
    let mut size = Size::STANDARD;
    for small in [6, 8].into_iter().flat_map(Size::new) {
        if checker.ask(&format!("boardsize {small}"))?.is_ok() {
            size = small;
            break;
        }
    }
    // Engines without this parameter play by the published rules.
    let may_swap =
        !checker.knows("ponte-set_param")? || checker.ask("ponte-set_param pie off")?.is_err();
    for command in [format!("boardsize {size}"), "clear_board".to_owned()] {
        let answer = checker.ask(&command)?;
        if answer.is_err() {
            return fail(format!("'{command}' is refused: {}", shown(&answer)));
        }
    }
    let limit = checker.spec.limit.unwrap_or(DEFAULT_LIMIT);
    let unsupported = match set_limit(checker, limit)? {
        Ok(unsupported) => unsupported,
        Err(refusal) => return fail(refusal),
    };
    let mut game = SelfPlay {
        position: Position::new(Rules { size, supply: Supply::Standard, pie: may_swap }),
        clocks: [Clock::new(limit); 2],
        moves: 0,
        worst: 0.0,
        late: None,
    };
    if let Err(wrong) = game.play(checker, limit)? {
        return fail(wrong);
    }
    let SelfPlay { moves, worst, late, .. } = game;
    match (late, unsupported) {
        (Some(late), None) => {
            fail(format!("{late}: it must reserve some milliseconds for overhead"))
        }
        (Some(late), Some(unsupported)) => fail(format!("{late}; {unsupported}")),
        (None, unsupported) => {
            let told = format!("{moves} legal moves on {size}×{size}, {worst:.3} s at most");
            unsupported
                .map_or_else(|| pass(&*told), |unsupported| warn(format!("{told}; {unsupported}")))
        }
    }
}

/// A game of an engine against itself.
struct SelfPlay {
    position: Position,
    clocks: [Clock; 2],
    moves: u32,
    /// The longest time a move took, in seconds.
    worst: f64,
    /// The first move that came too late.
    late: Option<String>,
}

impl SelfPlay {
    /// To the end, or until a move is wrong.
    fn play(
        &mut self,
        checker: &mut Checker,
        limit: Limit,
    ) -> Result<Result<(), String>, EngineError> {
        let tells_left = checker.knows("time_left")?;
        let counts_periods = checker.knows("ponte-time_settings")?;
        while !self.position.is_over() {
            let color = gtp_color(self.position.side());
            let clock = &mut self.clocks[self.position.side().index()];
            if let Some((left, count)) = clock.time_left().filter(|_| tells_left) {
                let seconds = left.get();
                let whole = seconds.floor();
                let count = if counts_periods { count } else { count.min(1) };
                let answer = checker.ask(&format!("time_left {color} {seconds:.3} {count}"))?;
                if answer.is_err()
                    && checker.ask(&format!("time_left {color} {whole} {count}"))?.is_err()
                {
                    return Ok(Err(format!("time_left is refused: {}", shown(&answer))));
                }
            }
            let answer = checker.genmove(color, limit)?;
            let seconds = answer.elapsed.as_secs_f64();
            self.moves += 1;
            let allowed = clock.allowed().map(Seconds::get);
            if let Some(allowed) = allowed.filter(|allowed| seconds > allowed + MARGIN) {
                let late = format!("move {} took {seconds:.3} s of {allowed:.3} s", self.moves);
                self.late.get_or_insert(late);
            }
            clock.spend(answer.elapsed.into());
            self.worst = self.worst.max(seconds);
            let read = match &answer.text {
                Ok(text) => read_move(text, &self.position),
                Err(_) => Err("a refusal is not a move".to_owned()),
            };
            match read {
                Ok(Some(mv)) => {
                    self.position.steps_of(mv).for_each(|step| self.position.make(step));
                }
                Ok(None) => break,
                Err(reason) => {
                    let (answer, position) = (shown(&answer.text), &self.position);
                    return Ok(Err(format!(
                        "genmove {color} gives {answer} in {position}: {reason}"
                    )));
                }
            }
        }
        Ok(Ok(()))
    }
}

/// Sets the engine's limit. Returns a warning if it is not fully supported; the
/// inner error is a refusal.
fn set_limit(
    checker: &mut Checker,
    limit: Limit,
) -> Result<Result<Option<String>, String>, EngineError> {
    let command = if checker.knows("ponte-time_settings")? {
        commands::ponte_time_settings(limit)
    } else if checker.knows("time_settings")? {
        commands::time_settings(limit)
    } else {
        let unsupported = "neither ponte-time_settings nor time_settings is known: its limit cannot be \
            set";
        return Ok(Ok(Some(unsupported.to_owned())));
    };
    let answer = checker.ask(&command)?;
    if answer.is_err() {
        return Ok(Err(format!("'{command}' is refused: {}", shown(&answer))));
    }
    let is_known = checker.knows("time_left")?;
    let unsupported =
        (!is_known).then(|| "time_left is not known: it must keep its own clock".to_owned());
    Ok(Ok(unsupported))
}
