//! A game as it is kept: some bytes for each ply.

use crate::board::{Cell, Site, Size};
use crate::game::{Color, Ply, Position, Rules, Supply};
use crate::search::Below;

/// A game that an engine played against itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its number in the job.
    pub number: u64,
    /// Board and supply; without the pie rule.
    pub rules: Rules,
    /// All plies up to the end.
    pub plies: Vec<PlayedPly>,
    /// Who was seen to win before the end.
    pub clear: Option<Color>,
    /// Whether it was played out in earnest even so.
    pub is_check: bool,
}

/// A ply and what the search before it found.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedPly {
    /// What was played.
    pub ply: Ply,
    /// How it was chosen.
    pub kind: Kind,
    /// The mover's expected result, 0 to 1.
    pub winrate: f32,
    /// The mover's expected lead in points.
    pub lead: f32,
    /// Visits, where the search was a full one.
    pub visits: Vec<(Ply, u32)>,
    /// The positions below that it visited often, likewise.
    pub below: Vec<Below>,
}

/// How a ply was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// At random.
    Random,
    /// By a quick search.
    Quick,
    /// By a full search.
    Full,
    /// By hardly any search, in a game that was decided.
    Finishing,
}

/// A ply of a game that is played through.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedPly<'a> {
    /// The position before it.
    pub position: &'a Position,
    /// The ply.
    pub played: &'a PlayedPly,
}

const SITES: u16 = Cell::TABLE as u16;
const PASS: u16 = SITES + Site::TABLE as u16;
/// Bits of a ply's code; what is above is the kind.
const CODE_BITS: u32 = 12;
const _: () = assert!(PASS < 1 << CODE_BITS);

/// Leads are kept in this part of a point.
const LEAD_UNIT: f32 = 64.0;

impl Played {
    /// Plays the game through and shows each ply; the final position, or
    /// `None` when a ply is not legal.
    pub fn replay(&self, mut show: impl FnMut(ReplayedPly<'_>)) -> Option<Position> {
        let mut position = Position::new(self.rules);
        for played in &self.plies {
            let is_legal = match played.ply {
                Ply::Tile(cell) => position.tile_plies().contains(cell),
                Ply::Bridge(site) => position.bridge_plies().contains(site),
                Ply::Pass => position.may_pass(),
                Ply::Swap => false,
            };
            if !is_legal {
                return None;
            }
            show(ReplayedPly { position: &position, played });
            position.make(played.ply);
        }
        Some(position)
    }

    /// The game's bytes: number (8), board size (1), tiles and bridges (2
    /// each), clear and check (1), then the plies: code and kind (2), winning
    /// chance and lead (2 each) unless random, and for full searches the
    /// number of plies (1), their codes and visits (2 each). Little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.number.to_le_bytes());
        bytes.push(self.rules.size.get());
        let (tiles, bridges) =
            self.rules.supply.limits(self.rules.size).unwrap_or((u16::MAX, u16::MAX));
        bytes.extend(tiles.to_le_bytes());
        bytes.extend(bridges.to_le_bytes());
        let clear = match self.clear {
            None => 0,
            Some(Color::White) => 1,
            Some(Color::Red) => 2,
        };
        bytes.push(clear | u8::from(self.is_check) << 2);
        for played in &self.plies {
            let kind = match played.kind {
                Kind::Random => 0,
                Kind::Quick => 1,
                Kind::Full => 2,
                Kind::Finishing => 3,
            };
            bytes.extend((code(played.ply) | kind << CODE_BITS).to_le_bytes());
            if played.kind == Kind::Random {
                continue;
            }
            bytes.extend(((played.winrate * f32::from(u16::MAX)).round() as u16).to_le_bytes());
            bytes.extend(((played.lead * LEAD_UNIT).round() as i16).to_le_bytes());
            if played.kind == Kind::Full {
                let visits = &played.visits[..played.visits.len().min(usize::from(u8::MAX))];
                bytes.push(visits.len() as u8);
                for &(ply, count) in visits {
                    bytes.extend(code(ply).to_le_bytes());
                    bytes.extend((count.min(u32::from(u16::MAX)) as u16).to_le_bytes());
                }
                bytes.push(played.below.len() as u8);
                for below in &played.below {
                    bytes.push(below.depth);
                    bytes.extend(code(below.ply).to_le_bytes());
                    bytes.extend((below.visits.min(u32::from(u16::MAX)) as u16).to_le_bytes());
                    bytes.extend(
                        ((below.winrate * f32::from(u16::MAX)).round() as u16).to_le_bytes(),
                    );
                    bytes.extend(((below.lead * LEAD_UNIT).round() as i16).to_le_bytes());
                }
            }
        }
        bytes
    }

    /// The game of these bytes, if they are those of one.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Played> {
        let mut bytes = bytes;
        let number = u64::from_le_bytes(take(&mut bytes)?);
        let [size] = take(&mut bytes)?;
        let size = Size::new(u64::from(size)).ok()?;
        let tiles = u16::from_le_bytes(take(&mut bytes)?);
        let bridges = u16::from_le_bytes(take(&mut bytes)?);
        let supply = match (tiles, bridges) {
            (u16::MAX, u16::MAX) => Supply::Unlimited,
            limits if Supply::Standard.limits(size) == Some(limits) => Supply::Standard,
            (tiles, bridges) => Supply::Limited { tiles, bridges },
        };
        let rules = Rules { size, supply, pie: false };
        let [flags] = take(&mut bytes)?;
        let clear = [None, Some(Color::White), Some(Color::Red)].get(usize::from(flags & 3))?;
        let mut game =
            Played { number, rules, plies: Vec::new(), clear: *clear, is_check: flags & 4 != 0 };
        while !bytes.is_empty() {
            let word = u16::from_le_bytes(take(&mut bytes)?);
            let ply = decode(word & ((1 << CODE_BITS) - 1))?;
            let kind = match word >> CODE_BITS {
                0 => Kind::Random,
                1 => Kind::Quick,
                2 => Kind::Full,
                3 => Kind::Finishing,
                _ => return None,
            };
            let mut played = PlayedPly {
                ply,
                kind,
                winrate: 0.5,
                lead: 0.0,
                visits: Vec::new(),
                below: Vec::new(),
            };
            if kind != Kind::Random {
                played.winrate =
                    f32::from(u16::from_le_bytes(take(&mut bytes)?)) / f32::from(u16::MAX);
                played.lead = f32::from(i16::from_le_bytes(take(&mut bytes)?)) / LEAD_UNIT;
            }
            if kind == Kind::Full {
                let [count] = take(&mut bytes)?;
                for _ in 0..count {
                    let ply = decode(u16::from_le_bytes(take(&mut bytes)?))?;
                    played.visits.push((ply, u32::from(u16::from_le_bytes(take(&mut bytes)?))));
                }
                let [count] = take(&mut bytes)?;
                for _ in 0..count {
                    let [depth] = take(&mut bytes)?;
                    let ply = decode(u16::from_le_bytes(take(&mut bytes)?))?;
                    let visits = u32::from(u16::from_le_bytes(take(&mut bytes)?));
                    let winrate =
                        f32::from(u16::from_le_bytes(take(&mut bytes)?)) / f32::from(u16::MAX);
                    let lead = f32::from(i16::from_le_bytes(take(&mut bytes)?)) / LEAD_UNIT;
                    played.below.push(Below { depth, ply, visits, winrate, lead });
                }
            }
            game.plies.push(played);
        }
        Some(game)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn code(ply: Ply) -> u16 {
    match ply {
        Ply::Tile(cell) => cell.index() as u16,
        Ply::Bridge(site) => SITES + site.index() as u16,
        Ply::Pass | Ply::Swap => PASS,
    }
}

fn decode(code: u16) -> Option<Ply> {
    match code {
        0..SITES if code % 16 < 12 => Some(Ply::Tile(Cell::from_index(code as u8))),
        SITES..PASS if (code - SITES) % 16 < 12 => {
            Some(Ply::Bridge(Site::from_index(code - SITES)))
        }
        PASS => Some(Ply::Pass),
        _ => None,
    }
}
