//! Levels: weaker opponents for people, whose strength does not depend on the speed of the machine.
//! The table of their manners comes first, then how they choose a move, then their names and
//! characters for front ends.
//!
//! The full engine with little time is no fun as a weak opponent: it plays perfectly for ten turns
//! and then absurdly. People err in other ways: they play by first impression, see their own plans
//! better than the opponent's, and overlook things now and then. A [`Manner`] has a number for each
//! of these. The lowest levels do not search at all: they draw a step from the prior at a
//! temperature. Higher ones search a fixed number of iterations, on one thread, and draw from the
//! moves that come close to the best:
//!
//! ```text
//!   first turn and answer, pie rule ───► a search decides, nothing is random
//!   any other turn
//!     overlooks the opponent, by chance ──► prior without the features of the opponent ─┐
//!     else, no iterations (levels 1–5)  ──► prior ──────────────────────────────────────┼─► drawn
//!     else                (levels 6–10) ──► search, candidates by their win rates ──────┘
//! ```
//!
//! The numbers were calibrated by matches so that neighbouring levels are about as far apart as the
//! table in `docs/levels.md` says. After a change of the prior, the evaluation or one of these
//! numbers, that table must be measured again.

use std::fmt;

use crate::eval::linear::{Instinct, Linear, exp};
use crate::eval::{EvaluatorKind, Random, WeightsSource};
use crate::game::{Move, Position, Stage, Step};
use crate::search::{Config, Early, Limits, Params, Searcher, StopSignal, casual_candidates};

/// An opponent for people, from 1, the weakest, to [`Level::HIGHEST`].
///
/// ```
/// use pontifex::engine::{Engine, Level, Options};
///
/// let level = Level::new(3);
/// let engine = Engine::new(Options { level, ..Options::default() });
/// assert_eq!(engine.options().level.unwrap().number(), 3);
/// assert_eq!(level.unwrap().texts()[0].language, "en");
/// assert_eq!(Level::new(11), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// How a level plays. `docs/levels.md` describes the mechanism and the calibration.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Manner {
    /// Iterations of the search in a turn; 0 chooses by first impression.
    iterations: u64,
    /// How freely the level departs from the move it considers best: at 1, a step that the prior
    /// finds e times less likely, or a move whose win rate is five percentage points lower, is e
    /// times less likely to be played.
    temperature: f32,
    /// The probability, in each turn, of overlooking what the opponent can do: the level then plays
    /// by first impression and considers only its own tiles.
    overlooks: f32,
    /// Preference for completing islands early, as a logit. Applies to first impressions.
    haste: f32,
}

/// The manners of the levels, from 1 on: iterations, temperature, overlooks, haste. Each level
/// beats the one before by 135 to 193 Elo on 10×10 (`docs/levels.md`). Temperature and overlooks
/// fall and iterations rise from row to row; a test checks that.
const MANNERS: [Manner; Level::HIGHEST as usize] = [
    manner(0, 8.0, 1.0, 3.0),
    manner(0, 1.9, 0.9, 3.0),
    manner(0, 1.0, 0.65, 2.0),
    manner(0, 0.65, 0.5, 1.5),
    manner(0, 0.4, 0.4, 1.0),
    manner(7, 0.4, 0.4, 0.5),
    manner(30, 0.4, 0.3, 0.5),
    manner(95, 0.35, 0.21, 0.0),
    manner(220, 0.3, 0.14, 0.0),
    manner(550, 0.2, 0.08, 0.0),
];

const fn manner(iterations: u64, temperature: f32, overlooks: f32, haste: f32) -> Manner {
    Manner { iterations, temperature, overlooks, haste }
}

impl Level {
    /// The number of the strongest level.
    pub const HIGHEST: u8 = 10;

    /// The level with the number `number`; `None` if there is none.
    pub fn new(number: u8) -> Option<Level> {
        (1..=Self::HIGHEST).contains(&number).then_some(Level(number))
    }

    /// Every level, the weakest first.
    pub fn all() -> impl ExactSizeIterator<Item = Level> {
        (0..MANNERS.len() as u8).map(|index| Level(index + 1))
    }

    /// The level's number, 1 to [`Level::HIGHEST`].
    pub fn number(self) -> u8 {
        self.0
    }

    /// The maximum number of iterations of the level's search in a turn.
    pub fn iterations(self) -> u64 {
        self.manner().iterations
    }

    fn manner(self) -> Manner {
        MANNERS[usize::from(self.0 - 1)]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The memory of a search in MiB. The highest level needs only a few.
const MEMORY: usize = 64;

/// The minimum number of iterations for the choice of an opening and the decision about the swap,
/// also at levels that do not search otherwise. Set by judgement: never measured.
const PIE_ITERATIONS: u64 = 100;

/// Win rates are multiplied by this to make them comparable with logits: five percentage points
/// are 1. Set by judgement: another value would only rescale the temperatures.
const WIN_SCALE: f32 = 20.0;

/// A move with fewer visits than the most visited one divided by this is not a candidate. Set by
/// judgement: the win rate of a move with few visits is hardly more than its prior.
const CANDIDATE_DIVISOR: u64 = 5;

impl Level {
    /// The move it plays in `position`, the start of a turn of a game that is not over. Depends
    /// only on the position and the seed, unless the time runs out or `stop` is set.
    pub(crate) async fn choose(
        self,
        position: &Position,
        seed: u64,
        limits: &Limits,
        stop: &StopSignal,
    ) -> Move {
        let manner = self.manner();
        // The position, so that the moves of a game differ; the level, so that two levels with one
        // seed do not err at the same turns.
        let mut random = Random::new(seed ^ position.hash() ^ u64::from(self.number()));
        let config = &search_config(random.bits());
        // A search that ends early would play differently on a slow machine.
        let limits = Limits { usual: None, early: Early::Never, ..*limits };
        let limits_from =
            |least: u64| Limits { iterations: Some(manner.iterations.max(least)), ..limits };
        let is_opening = matches!(position.stage(), Stage::Opening | Stage::Pie);
        if is_opening && position.rules().pie {
            let limits = &limits_from(PIE_ITERATIONS);
            Searcher::default().search(position, config, limits, stop).await.best
        } else if uniform(&mut random) < manner.overlooks {
            choose_by_instinct(Linear::blind(*position.rules()), position, manner, &mut random)
        } else if manner.iterations == 0 {
            choose_by_instinct(Linear::built_in(*position.rules()), position, manner, &mut random)
        } else {
            choose_by_search(position, manner, config, &limits_from(0), stop, &mut random).await
        }
    }
}

/// The configuration of a level's searches. Only the seed depends on the user's options.
fn search_config(seed: u64) -> Config {
    Config {
        threads: 1,
        memory: MEMORY,
        seed,
        evaluator: EvaluatorKind::Linear,
        weights: WeightsSource::built_in(),
        params: Params::default(),
    }
}

/// A move by first impression, step by step.
fn choose_by_instinct(
    linear: &Linear,
    position: &Position,
    manner: Manner,
    random: &mut Random,
) -> Move {
    let Manner { temperature, haste, .. } = manner;
    let instinct = Instinct { temperature, haste };
    let (mut position, mut steps) = (*position, Vec::new());
    let mut step = |position: &Position| {
        linear.natural_steps(position, instinct, &mut steps);
        draw(&steps, random).unwrap_or(Step::Pass)
    };
    match step(&position) {
        Step::Tile(first) => {
            position.make(Step::Tile(first));
            match step(&position) {
                Step::Tile(second) => Move::tiles(first, second),
                _ => Move::Pass,
            }
        }
        step => step.as_move().unwrap_or(Move::Pass),
    }
}

/// A move drawn from those that a search considers good.
async fn choose_by_search(
    position: &Position,
    manner: Manner,
    config: &Config,
    limits: &Limits,
    stop: &StopSignal,
    random: &mut Random,
) -> Move {
    // These candidates come without the exact solver: with it every level would play endings
    // perfectly.
    let candidates = casual_candidates(position, config, limits, stop).await;
    let Some(best) = candidates.first() else {
        return choose_by_instinct(Linear::built_in(*position.rules()), position, manner, random);
    };
    let most_visits = candidates.iter().map(|candidate| candidate.visits).max().unwrap_or(0);
    // A single visit says no more than the prior. The best move always counts.
    let serious = candidates.iter().filter(|other| {
        other.mv == best.mv
            || other.visits > 1 && other.visits >= most_visits.div_ceil(CANDIDATE_DIVISOR)
    });
    let weighted: Vec<(Move, f32)> = serious
        .map(|candidate| {
            let deficit = (best.winrate - candidate.winrate).max(0.0) as f32;
            (candidate.mv, exp(-deficit * WIN_SCALE / manner.temperature))
        })
        .collect();
    draw(&weighted, random).unwrap_or(best.mv)
}

/// One of `choices`, drawn with its weight; `None` if there is none.
fn draw<T: Copy>(choices: &[(T, f32)], random: &mut Random) -> Option<T> {
    let sum: f32 = choices.iter().map(|choice| choice.1).sum();
    let mut remaining = uniform(random) * sum;
    let choice = choices.iter().find(|choice| {
        remaining -= choice.1;
        remaining < 0.0
    });
    // Rounding can leave a remainder after the last choice.
    choice.or(choices.last()).map(|choice| choice.0)
}

/// A random number from 0 to 1, 1 excluded: 24 bits are what a float can hold.
fn uniform(random: &mut Random) -> f32 {
    (random.bits() >> 40) as f32 / (1 << 24) as f32
}

/// How a level is presented in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelText {
    /// `en`, `de` or `fr`.
    pub language: &'static str,
    /// The level's name.
    pub name: &'static str,
    /// The level's character, one sentence.
    pub character: &'static str,
}

/// Name and character of each level in English, German and French.
const TEXTS: [[(&str, &str); 3]; Level::HIGHEST as usize] = [
    [
        (
            "Tourist",
            "Builds islands where it is pretty, seldom thinks of bridges, never looks at you.",
        ),
        ("Tourist", "Baut Inseln, wo es hübsch ist, denkt selten an Brücken und nie an dich."),
        ("Touriste", "Bâtit des îles là où c’est joli, pense rarement aux ponts et jamais à vous."),
    ],
    [
        ("Beachcomber", "Completes every island in reach and mostly overlooks what you are up to."),
        ("Strandläufer", "Vollendet jede Insel in Reichweite und übersieht meist, was du vorhast."),
        ("Flâneur", "Achève toute île à sa portée et ne voit guère ce que vous préparez."),
    ],
    [
        ("Angler", "Waits for a good bridge, but notices only every other one of yours."),
        ("Angler", "Wartet auf die gute Brücke, bemerkt von deinen aber nur jede zweite."),
        ("Pêcheur", "Guette le bon pont, mais ne remarque qu’un des vôtres sur deux."),
    ],
    [
        ("Gardener", "Tends islands and joins them, yet often leaves the gate open."),
        ("Gärtner", "Hegt Inseln und verbindet sie, lässt aber oft das Tor offen."),
        ("Jardinier", "Soigne ses îles et les relie, mais laisse souvent le portail ouvert."),
    ],
    [
        ("Ferryman", "Knows every crossing and trusts a practised eye more than calculation."),
        ("Fährmann", "Kennt jede Überfahrt und traut dem geübten Auge mehr als dem Rechnen."),
        ("Passeur", "Connaît chaque traversée et se fie au coup d’œil plus qu’au calcul."),
    ],
    [
        ("Mason", "Looks a move ahead, builds solidly, and now and then forgets your reply."),
        ("Maurer", "Denkt einen Zug voraus, baut solide und vergisst ab und zu deine Antwort."),
        ("Maçon", "Prévoit un coup, bâtit solide et oublie parfois votre réplique."),
    ],
    [
        ("Carpenter", "Prepares two bridges at once; stop one and the other stands."),
        ("Zimmerin", "Bereitet zwei Brücken zugleich vor: Fällt die eine, steht die andere."),
        ("Charpentière", "Prépare deux ponts à la fois : si l’un tombe, l’autre tient."),
    ],
    [
        ("Surveyor", "Measures the water between your islands and takes the best places first."),
        (
            "Landvermesser",
            "Misst das Wasser zwischen deinen Inseln und nimmt sich die besten Plätze.",
        ),
        ("Géomètre", "Mesure l’eau entre vos îles et prend d’abord les meilleures places."),
    ],
    [
        ("Architect", "Plans the whole network and forgives little; only the ending may slip."),
        ("Architektin", "Plant das ganze Netz und verzeiht wenig; nur im Endspiel patzt sie noch."),
        (
            "Architecte",
            "Conçoit tout le réseau et pardonne peu ; seule la finale lui échappe parfois.",
        ),
    ],
    [
        ("Bridge master", "Sees your plans before you do. Bring patience, and count the moves."),
        (
            "Brückenmeister",
            "Kennt deine Pläne, bevor du sie kennst. Bring Geduld mit und zähl die Züge.",
        ),
        ("Maître des ponts", "Voit vos plans avant vous. Prenez patience, et comptez les coups."),
    ],
];

impl Level {
    /// The level's name and character in English, German and French.
    pub fn texts(self) -> [LevelText; 3] {
        let mut languages = ["en", "de", "fr"].into_iter();
        TEXTS[usize::from(self.number() - 1)].map(|(name, character)| LevelText {
            language: languages.next().unwrap_or_default(),
            name,
            character,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::board::Size;
    use crate::game::Rules;
    use crate::search::Search;

    #[test]
    fn higher_levels_search_more_and_err_less() {
        for pair in MANNERS.windows(2) {
            let [below, above] = [pair[0], pair[1]];
            assert!(below.iterations <= above.iterations && above.iterations <= 1000);
            assert!(below.temperature >= above.temperature && above.temperature > 0.0);
            assert!(below.overlooks >= above.overlooks && below.haste >= above.haste);
            assert!(below != above);
        }
    }

    /// The time per move that is promised for one core of an ordinary machine is several times what
    /// the levels take in a release build, so a busy machine makes no difference. Debug builds are
    /// about thirty times slower.
    const SLACK: u32 = if cfg!(debug_assertions) { 10 } else { 1 };

    /// Positions of a game of a level against itself on the largest board.
    fn sample_positions(limits: &Limits, stop: &StopSignal) -> Vec<Position> {
        let rules = Rules { size: Size::MAX, pie: true, ..Rules::default() };
        let level = Level::new(4).unwrap();
        let (mut position, mut samples) = (Position::new(rules), Vec::new());
        for turn in 0.. {
            if position.is_over() {
                break;
            }
            if turn % 12 == 0 {
                samples.push(position);
            }
            let mv = Search::new(level.choose(&position, 1, limits, stop)).finish();
            position.play(mv).unwrap();
        }
        samples
    }

    #[test]
    fn levels_keep_within_their_time() {
        let (limits, stop) = (&Limits::default(), &StopSignal::default());
        let positions = sample_positions(limits, stop);
        assert!(positions.len() > 3);
        for level in Level::all() {
            let time = if level.number() <= 6 { 100 } else { 1000 };
            let mut slowest = Duration::ZERO;
            for (position, seed) in
                positions.iter().flat_map(|position| (0..3).map(move |seed| (position, seed)))
            {
                // The best of three: a pause of the machine is not the level's fault.
                let measure = |_| {
                    let start = Instant::now();
                    Search::new(level.choose(position, seed, limits, stop)).finish();
                    start.elapsed()
                };
                let fastest = (0..3).map(measure).min().unwrap_or_default();
                slowest = slowest.max(fastest);
            }
            println!("level {level}: {slowest:?}");
            assert!(slowest < SLACK * Duration::from_millis(time), "level {level}: {slowest:?}");
        }
    }
}
