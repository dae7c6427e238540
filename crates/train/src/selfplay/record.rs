//! A self-play game, with its steps and the results of the searches; counts of games; and a game as
//! bytes, a few for each step.
//!
//! ```text
//!   game   number 8 │ size 1 │ tiles 2 │ bridges 2 │ clear winner, check 1 │ steps …
//!   step   code and kind 2 │ win rate 2 │ lead 2 │ steps visited 1 │ code 2, visits 2, …
//!                          └─ unless random ────┘└─ after a full search only ──────────
//! ```
//!
//! All numbers are little-endian; `docs/training.md` has the codes and units. A game has no count
//! of its steps and no result: the rules say where it ends and who has won. Numbers are rounded to
//! 16 bits, far finer than the noise of a search. A change of these bytes is a new version of the
//! file (`MAGIC` in `file`).

use pontifex::board::{Cell, Site, Size};
use pontifex::game::{Color, Position, Rules, Step, Supply};

/// A self-play game, from the first random step to the end.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its number in the job.
    pub number: u64,
    /// Board and supply. The pie rule is off.
    pub rules: Rules,
    /// All steps to the end of the game.
    pub steps: Vec<PlayedStep>,
    /// The predicted winner when the result became clear; `None` if it did not before the end.
    pub clear: Option<Color>,
    /// Whether the game continued at full strength after that, to check the prediction.
    pub is_check: bool,
}

/// A step and the result of the search for it.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedStep {
    /// The step, legal in the position before it.
    pub step: Step,
    /// Which search chose it, and so what it may train.
    pub kind: Kind,
    /// The expected result for the side to move, 0 to 1.
    pub winrate: f32,
    /// The expected lead of the side to move, in points.
    pub lead: f32,
    /// The visits of each step, after a full search.
    pub visits: Vec<(Step, u32)>,
}

/// How a step was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// At random, without a search: trains nothing of its own.
    Random,
    /// By a quick search: its position trains the value.
    Quick,
    /// By a full search: its position trains the value and, by its visits, the policy.
    Full,
    /// By a tiny search, because the result was clear.
    Finishing,
}

impl Kind {
    /// All kinds, in the order of their numbers in files.
    const ALL: [Kind; 4] = [Kind::Random, Kind::Quick, Kind::Full, Kind::Finishing];
}

/// A step of a replayed game.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedStep<'a> {
    /// The position before it.
    pub position: &'a Position,
    /// The step that was played there.
    pub played: &'a PlayedStep,
}

impl Played {
    /// Replays the game, calls `visit` for each step, and returns the final position; `None` if a
    /// step is illegal.
    pub fn replay(&self, mut visit: impl FnMut(ReplayedStep<'_>)) -> Option<Position> {
        let mut position = Position::new(self.rules);
        for played in &self.steps {
            if !is_legal(&position, played.step) {
                return None;
            }
            visit(ReplayedStep { position: &position, played });
            position.make(played.step);
        }
        Some(position)
    }
}

impl PlayedStep {
    /// A step that was played at random.
    pub fn random(step: Step) -> PlayedStep {
        PlayedStep { step, kind: Kind::Random, winrate: 0.5, lead: 0.0, visits: Vec::new() }
    }
}

/// Whether `step` is legal. Self-play games have no swap.
fn is_legal(position: &Position, step: Step) -> bool {
    match step {
        _ if position.is_over() => false,
        Step::Tile(cell) => position.tile_steps().contains(cell),
        Step::Bridge(site) => position.bridge_steps().contains(site),
        Step::Pass => position.may_pass(),
        Step::Swap => false,
    }
}

/// Counts of self-play games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games that were finished.
    pub games: u64,
    /// Turns, those of the random opening included.
    pub turns: u64,
    /// Positions before a step.
    pub positions: u64,
    /// Positions searched in full, which train policy and value.
    pub full: u64,
    /// Positions searched quickly, which train the value.
    pub quick: u64,
    /// Games that White won.
    pub white: u64,
    /// Games that Red won.
    pub red: u64,
    /// Games whose result was clear before the end.
    pub clear: u64,
    /// Games with a clear result that continued at full strength.
    pub checked: u64,
    /// Games among these that did not end as predicted.
    pub mispredicted: u64,
}

impl Tally {
    /// Counts a game. Returns `false` and counts nothing if the game is illegal or unfinished.
    pub fn count(&mut self, game: &Played) -> bool {
        let mut turns = 0;
        let end = game.replay(|step| turns += u64::from(!step.position.is_half_turn()));
        let Some(end) = end.filter(Position::is_over) else { return false };
        let winner = end.outcome().winner();
        let count_kind = |kind| game.steps.iter().filter(|step| step.kind == kind).count() as u64;
        self.games += 1;
        self.turns += turns;
        self.positions += game.steps.len() as u64;
        self.full += count_kind(Kind::Full);
        self.quick += count_kind(Kind::Quick);
        self.white += u64::from(winner == Some(Color::White));
        self.red += u64::from(winner == Some(Color::Red));
        if game.clear.is_some() {
            self.clear += 1;
            self.checked += u64::from(game.is_check);
            self.mispredicted += u64::from(game.is_check && winner != game.clear);
        }
        true
    }

    /// Drawn games.
    pub fn draws(&self) -> u64 {
        self.games - self.white - self.red
    }
}

/// The codes of steps: cells first, then sites from here on, then the pass.
const SITES: u16 = Cell::TABLE as u16;
/// The code of a pass, the last one.
const PASS: u16 = SITES + Site::TABLE as u16;
/// The bits of a step's code. The kind is in the bits above.
const CODE_BITS: u32 = 12;
const _: () = assert!(PASS < 1 << CODE_BITS);

/// The tiles and bridges that stand for an unlimited supply. No real supply is that large.
const NO_LIMIT: (u16, u16) = (u16::MAX, u16::MAX);

/// Leads are stored in units of 1/64 point, so up to 511 points fit in 16 bits.
const LEAD_UNIT: f32 = 64.0;

impl Played {
    /// The bytes of the game.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.number.to_le_bytes());
        bytes.push(self.rules.size.get());
        let (tiles, bridges) = self.rules.supply.limits(self.rules.size).unwrap_or(NO_LIMIT);
        push_word(&mut bytes, tiles);
        push_word(&mut bytes, bridges);
        let clear = match self.clear {
            None => 0,
            Some(Color::White) => 1,
            Some(Color::Red) => 2,
        };
        bytes.push(clear | u8::from(self.is_check) << 2);
        for played in &self.steps {
            push_step(&mut bytes, played);
        }
        bytes
    }

    /// The game with these bytes; `None` if they are not those of a game.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Played> {
        let mut bytes = Bytes(bytes);
        let number = u64::from_le_bytes(bytes.take()?);
        let size = Size::new(u64::from(bytes.byte()?)).ok()?;
        let limits = (bytes.word()?, bytes.word()?);
        let supply = match limits {
            // Checked first: on most boards the standard supply is unlimited.
            _ if limits == Supply::Standard.limits(size).unwrap_or(NO_LIMIT) => Supply::Standard,
            NO_LIMIT => Supply::Unlimited,
            (tiles, bridges) => Supply::Limited { tiles, bridges },
        };
        let rules = Rules { size, supply, pie: false };
        let flags = bytes.byte()?;
        // No other bits are defined.
        if flags > 7 {
            return None;
        }
        let clear = match flags & 3 {
            0 => None,
            1 => Some(Color::White),
            2 => Some(Color::Red),
            _ => return None,
        };
        let mut steps = Vec::new();
        while !bytes.0.is_empty() {
            steps.push(bytes.step()?);
        }
        Some(Played { number, rules, steps, clear, is_check: flags & 4 != 0 })
    }
}

fn push_word(bytes: &mut Vec<u8>, word: u16) {
    bytes.extend(word.to_le_bytes());
}

fn push_step(bytes: &mut Vec<u8>, played: &PlayedStep) {
    push_word(bytes, encode_step(played.step) | (played.kind as u16) << CODE_BITS);
    if played.kind == Kind::Random {
        return;
    }
    push_word(bytes, (played.winrate * f32::from(u16::MAX)).round() as u16);
    bytes.extend(((played.lead * LEAD_UNIT).round() as i16).to_le_bytes());
    if played.kind == Kind::Full {
        // The number of steps is a byte. A search seldom opens more, and then the last are dropped.
        let visits = &played.visits[..played.visits.len().min(usize::from(u8::MAX))];
        bytes.push(visits.len() as u8);
        for &(step, count) in visits {
            push_word(bytes, encode_step(step));
            push_word(bytes, count.min(u32::from(u16::MAX)) as u16);
        }
    }
}

/// Bytes that are still to be read.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    fn word(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn step(&mut self) -> Option<PlayedStep> {
        let word = self.word()?;
        let mut played = PlayedStep::random(decode_step(word & ((1 << CODE_BITS) - 1))?);
        played.kind = *Kind::ALL.get(usize::from(word >> CODE_BITS))?;
        if played.kind == Kind::Random {
            return Some(played);
        }
        played.winrate = f32::from(self.word()?) / f32::from(u16::MAX);
        played.lead = f32::from(i16::from_le_bytes(self.take()?)) / LEAD_UNIT;
        if played.kind == Kind::Full {
            for _ in 0..self.byte()? {
                played.visits.push((decode_step(self.word()?)?, u32::from(self.word()?)));
            }
        }
        Some(played)
    }
}

fn encode_step(step: Step) -> u16 {
    match step {
        Step::Tile(cell) => cell.index() as u16,
        Step::Bridge(site) => SITES + site.index() as u16,
        Step::Pass | Step::Swap => PASS,
    }
}

fn decode_step(code: u16) -> Option<Step> {
    match code {
        // A column has 16 codes and 12 rows.
        0..SITES if code % 16 < 12 => Some(Step::Tile(Cell::from_index(code as u8))),
        SITES..PASS if (code - SITES) % 16 < 12 => {
            Some(Step::Bridge(Site::from_index(code - SITES)))
        }
        PASS => Some(Step::Pass),
        _ => None,
    }
}
