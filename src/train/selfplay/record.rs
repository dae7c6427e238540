//! A game as it is kept: some bytes for each step.

use crate::board::{Cell, Site, Size};
use crate::game::{Color, Position, Rules, Step, Supply};
use crate::search::Below;

/// A game that an engine played against itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Its number in the job.
    pub number: u64,
    /// Board and supply; without the pie rule.
    pub rules: Rules,
    /// All steps up to the end.
    pub steps: Vec<PlayedStep>,
    /// Who was seen to win before the end.
    pub clear: Option<Color>,
    /// Whether it was played out in earnest even so.
    pub is_check: bool,
}

/// A step and what the search before it found.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedStep {
    /// What was played.
    pub step: Step,
    /// How it was chosen.
    pub kind: Kind,
    /// The mover's expected result, 0 to 1.
    pub winrate: f32,
    /// The mover's expected lead in points.
    pub lead: f32,
    /// Visits, where the search was a full one.
    pub visits: Vec<(Step, u32)>,
    /// The positions below that it visited often, likewise.
    pub below: Vec<Below>,
}

/// How a step was chosen.
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

/// A step of a game that is played through.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedStep<'a> {
    /// The position before it.
    pub position: &'a Position,
    /// The step.
    pub played: &'a PlayedStep,
}

impl ReplayedStep<'_> {
    /// Shows the positions below, each after the step that leads to it;
    /// `false` as soon as that is not legal, or does not follow a position
    /// that was shown.
    pub fn below(&self, mut show: impl FnMut(&Position, &Below)) -> bool {
        let mut line = vec![*self.position];
        for below in &self.played.below {
            let depth = usize::from(below.depth);
            if depth == 0 || depth > line.len() || !is_legal(&line[depth - 1], below.step) {
                return false;
            }
            line.truncate(depth);
            let mut after = line[depth - 1];
            after.make(below.step);
            show(&after, below);
            line.push(after);
        }
        true
    }
}

/// Whether `step` may be played; games have no swap.
fn is_legal(position: &Position, step: Step) -> bool {
    match step {
        _ if position.is_over() => false,
        Step::Tile(cell) => position.tile_steps().contains(cell),
        Step::Bridge(site) => position.bridge_steps().contains(site),
        Step::Pass => position.may_pass(),
        Step::Swap => false,
    }
}

const SITES: u16 = Cell::TABLE as u16;
const PASS: u16 = SITES + Site::TABLE as u16;
/// Bits of a step's code; what is above is the kind.
const CODE_BITS: u32 = 12;
const _: () = assert!(PASS < 1 << CODE_BITS);

/// Tiles and bridges without a limit.
const NO_LIMIT: (u16, u16) = (u16::MAX, u16::MAX);

/// Leads are kept in this part of a point.
const LEAD_UNIT: f32 = 64.0;

impl PlayedStep {
    /// A step that nobody chose.
    pub fn random(step: Step) -> PlayedStep {
        let (visits, below) = (Vec::new(), Vec::new());
        PlayedStep { step, kind: Kind::Random, winrate: 0.5, lead: 0.0, visits, below }
    }
}

impl Played {
    /// Plays the game through and shows each step; the final position, or
    /// `None` when a step is not legal.
    pub fn replay(&self, mut show: impl FnMut(ReplayedStep<'_>)) -> Option<Position> {
        let mut position = Position::new(self.rules);
        for played in &self.steps {
            if !is_legal(&position, played.step) {
                return None;
            }
            show(ReplayedStep { position: &position, played });
            position.make(played.step);
        }
        Some(position)
    }

    /// Whether it is a game to learn from: legal and over, and so is
    /// whatever a search looked at. A file's sum tells what was changed since
    /// it was written, but not who wrote it.
    pub fn is_sound(&self) -> bool {
        let mut is_sound = true;
        let end = self.replay(|step| {
            let mut visited = step.played.visits.iter();
            is_sound &= visited.all(|&(visited, _)| is_legal(step.position, visited));
            is_sound &= step.below(|_, _| ());
        });
        is_sound && end.is_some_and(|end| end.is_over())
    }

    /// The game's bytes: number (8), board size (1), tiles and bridges (2
    /// each), clear and check (1), then the steps: code and kind (2), winning
    /// chance and lead (2 each) unless random, and for full searches the
    /// number of steps (1), their codes and visits (2 each), and the positions
    /// below. Little-endian; docs/training.md has the codes and the rest.
    pub(in crate::train) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.number.to_le_bytes());
        bytes.push(self.rules.size.get());
        let (tiles, bridges) = self.rules.supply.limits(self.rules.size).unwrap_or(NO_LIMIT);
        bytes.extend(tiles.to_le_bytes());
        bytes.extend(bridges.to_le_bytes());
        let clear = match self.clear {
            None => 0,
            Some(Color::White) => 1,
            Some(Color::Red) => 2,
        };
        bytes.push(clear | u8::from(self.is_check) << 2);
        for played in &self.steps {
            let kind = match played.kind {
                Kind::Random => 0,
                Kind::Quick => 1,
                Kind::Full => 2,
                Kind::Finishing => 3,
            };
            bytes.extend((code(played.step) | kind << CODE_BITS).to_le_bytes());
            if played.kind == Kind::Random {
                continue;
            }
            bytes.extend(((played.winrate * f32::from(u16::MAX)).round() as u16).to_le_bytes());
            bytes.extend(((played.lead * LEAD_UNIT).round() as i16).to_le_bytes());
            if played.kind == Kind::Full {
                let visits = &played.visits[..played.visits.len().min(usize::from(u8::MAX))];
                bytes.push(visits.len() as u8);
                for &(step, count) in visits {
                    bytes.extend(code(step).to_le_bytes());
                    bytes.extend((count.min(u32::from(u16::MAX)) as u16).to_le_bytes());
                }
                bytes.push(played.below.len() as u8);
                for below in &played.below {
                    bytes.push(below.depth);
                    bytes.extend(code(below.step).to_le_bytes());
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
        let standard = Supply::Standard.limits(size).unwrap_or(NO_LIMIT);
        let supply = match (tiles, bridges) {
            // On most boards that is the standard.
            limits if standard == limits => Supply::Standard,
            NO_LIMIT => Supply::Unlimited,
            (tiles, bridges) => Supply::Limited { tiles, bridges },
        };
        let rules = Rules { size, supply, pie: false };
        let [flags] = take(&mut bytes)?;
        if flags > 7 {
            return None;
        }
        let clear = [None, Some(Color::White), Some(Color::Red)].get(usize::from(flags & 3))?;
        let mut game =
            Played { number, rules, steps: Vec::new(), clear: *clear, is_check: flags & 4 != 0 };
        while !bytes.is_empty() {
            let word = u16::from_le_bytes(take(&mut bytes)?);
            let step = decode(word & ((1 << CODE_BITS) - 1))?;
            let kind = match word >> CODE_BITS {
                0 => Kind::Random,
                1 => Kind::Quick,
                2 => Kind::Full,
                3 => Kind::Finishing,
                _ => return None,
            };
            let mut played = PlayedStep {
                step,
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
                    let step = decode(u16::from_le_bytes(take(&mut bytes)?))?;
                    played.visits.push((step, u32::from(u16::from_le_bytes(take(&mut bytes)?))));
                }
                let [count] = take(&mut bytes)?;
                for _ in 0..count {
                    let [depth] = take(&mut bytes)?;
                    let step = decode(u16::from_le_bytes(take(&mut bytes)?))?;
                    let visits = u32::from(u16::from_le_bytes(take(&mut bytes)?));
                    let winrate =
                        f32::from(u16::from_le_bytes(take(&mut bytes)?)) / f32::from(u16::MAX);
                    let lead = f32::from(i16::from_le_bytes(take(&mut bytes)?)) / LEAD_UNIT;
                    played.below.push(Below { depth, step, visits, winrate, lead });
                }
            }
            game.steps.push(played);
        }
        Some(game)
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn code(step: Step) -> u16 {
    match step {
        Step::Tile(cell) => cell.index() as u16,
        Step::Bridge(site) => SITES + site.index() as u16,
        Step::Pass | Step::Swap => PASS,
    }
}

fn decode(code: u16) -> Option<Step> {
    match code {
        0..SITES if code % 16 < 12 => Some(Step::Tile(Cell::from_index(code as u8))),
        SITES..PASS if (code - SITES) % 16 < 12 => {
            Some(Step::Bridge(Site::from_index(code - SITES)))
        }
        PASS => Some(Step::Pass),
        _ => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn steps() -> impl Strategy<Value = Step> {
        let place = (0..12u16, 0..12u16).prop_map(|(row, column)| row * 16 + column);
        prop_oneof![
            place.prop_map(|at| Step::Tile(Cell::from_index(at as u8))),
            (0..SITES_OF_TABLE).prop_filter_map("no site", |at| decode(SITES + at)),
            Just(Step::Pass),
        ]
    }

    const SITES_OF_TABLE: u16 = Site::TABLE as u16;

    fn played() -> impl Strategy<Value = PlayedStep> {
        let kinds = vec![Kind::Random, Kind::Quick, Kind::Full, Kind::Finishing];
        let kind = prop::sample::select(kinds);
        let visits = vec((steps(), 0..=u32::from(u16::MAX)), 0..20);
        (steps(), kind, any::<u16>(), any::<i16>(), visits).prop_map(
            |(step, kind, winrate, lead, visits)| {
                let winrate = f32::from(winrate) / f32::from(u16::MAX);
                let lead = f32::from(lead) / LEAD_UNIT;
                let visits = if kind == Kind::Full { visits } else { Vec::new() };
                if kind == Kind::Random {
                    return PlayedStep::random(step);
                }
                let below = |&(step, visits): &(Step, u32)| {
                    let depth = visits as u8;
                    Below { depth, step, visits, winrate, lead }
                };
                let below = visits.iter().map(below).collect();
                PlayedStep { step, kind, winrate, lead, visits, below }
            },
        )
    }

    fn rules() -> impl Strategy<Value = Rules> {
        let sizes: Vec<Size> = Size::all().collect();
        let limited =
            (0..200u16, 0..100u16).prop_map(|(tiles, bridges)| Supply::Limited { tiles, bridges });
        let supply = prop_oneof![Just(Supply::Standard), Just(Supply::Unlimited), limited];
        (prop::sample::select(sizes), supply).prop_map(|(size, supply)| {
            let standard = Supply::Standard;
            // The same limits have one name.
            let is_standard = supply.limits(size) == standard.limits(size);
            Rules { size, supply: if is_standard { standard } else { supply }, pie: false }
        })
    }

    /// Any game that bytes can say, legal or not.
    pub(in super::super) fn games() -> impl Strategy<Value = Played> {
        let clear = prop::sample::select(vec![None, Some(Color::White), Some(Color::Red)]);
        (any::<u64>(), rules(), vec(played(), 0..30), clear, any::<bool>()).prop_map(
            |(number, rules, steps, clear, is_check)| Played {
                number,
                rules,
                steps,
                clear,
                is_check,
            },
        )
    }

    proptest! {
        #[test]
        fn bytes_hold_all_of_a_game(game in games()) {
            prop_assert_eq!(Played::from_bytes(&game.to_bytes()), Some(game));
        }

        /// Every beginning is another game, shorter by steps, or none.
        #[test]
        fn a_part_of_a_game_is_told_apart(game in games(), share in 0f64..1.0) {
            let bytes = game.to_bytes();
            let part = &bytes[..(bytes.len() as f64 * share) as usize];
            if let Some(part) = Played::from_bytes(part) {
                prop_assert!(part.steps.len() < game.steps.len());
                prop_assert_eq!(&part.steps[..], &game.steps[..part.steps.len()]);
            }
        }
    }

    #[test]
    fn what_no_game_says_is_refused() {
        let rules = Rules { pie: false, ..Rules::default() };
        let game = Played { number: 7, rules, steps: Vec::new(), clear: None, is_check: true };
        let bytes = game.to_bytes();
        assert_eq!(bytes, [7, 0, 0, 0, 0, 0, 0, 0, 10, 40, 0, 15, 0, 4]);
        for (at, value) in [(8, 3), (8, 13), (13, 3), (13, 8)] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            assert_eq!(Played::from_bytes(&bytes), None, "{value} at {at}");
        }
        // No cell, no site, no step, no kind.
        for word in [12u16, SITES + 12, PASS + 1, 4 << CODE_BITS] {
            let bytes = [&bytes[..], &word.to_le_bytes()].concat();
            assert_eq!(Played::from_bytes(&bytes), None, "{word}");
        }
    }

    /// Games are kept for years: their bytes stay what they are.
    #[test]
    fn the_bytes_of_a_game_stay_what_they_are() {
        let tile = |at| Step::Tile(Cell::from_index(at));
        let step = |step, kind, winrate, lead, visits: Vec<(Step, u32)>| {
            let below = visits.iter().map(|&(step, visits)| Below {
                depth: 1,
                step,
                visits,
                winrate,
                lead,
            });
            let below = below.collect();
            PlayedStep { step, kind, winrate, lead, visits, below }
        };
        let steps = vec![
            step(tile(0x21), Kind::Random, 0.5, 0.0, vec![]),
            step(tile(0x43), Kind::Quick, 1.0, -1.5, vec![]),
            step(Step::Pass, Kind::Full, 0.0, 0.25, vec![(tile(0x10), 300), (Step::Pass, 2)]),
            step(Step::Bridge(Site::from_index(3)), Kind::Finishing, 0.0, 0.0, vec![]),
        ];
        let size = Size::MIN;
        let rules = Rules { size, supply: Supply::Unlimited, pie: false };
        let clear = Some(Color::Red);
        let game = Played { number: 0x0102, rules, steps, clear, is_check: false };
        let pass = PASS.to_le_bytes();
        let site = (SITES + 3).to_le_bytes();
        let expected = [
            &[2, 1, 0, 0, 0, 0, 0, 0, 4, 255, 255, 255, 255, 2][..],
            &[0x21, 0x00],
            &[0x43, 0x10, 255, 255, 0xa0, 0xff],
            &[pass[0], pass[1] | 0x20, 0, 0, 16, 0, 2, 0x10, 0, 44, 1, pass[0], pass[1], 2, 0],
            &[2, 1, 0x10, 0, 44, 1, 0, 0, 16, 0, 1, pass[0], pass[1], 2, 0, 0, 0, 16, 0],
            &[site[0], site[1] | 0x30, 0, 0, 0, 0],
        ];
        assert_eq!(game.to_bytes(), expected.concat());
    }
}
