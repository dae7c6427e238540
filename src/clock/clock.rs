use std::time::Duration;

use crate::game::Position;

/// How time is given. All times are in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum TimeControl {
    /// No clock runs.
    #[default]
    None,
    /// So long for each move.
    Move(f64),
    /// So long for all moves.
    Absolute(f64),
    /// Main time and an increment for each move.
    Fischer {
        /// Main time.
        main: f64,
        /// Added after each move.
        increment: f64,
    },
    /// Main time, then periods that start anew when their moves are made in
    /// time and are lost when not.
    ByoYomi {
        /// Main time.
        main: f64,
        /// Length of a period.
        period: f64,
        /// Periods at the start: one in Canadian byo-yomi.
        periods: u32,
        /// Moves to be made in a period: one in Japanese byo-yomi.
        moves: u32,
    },
}

/// One player's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// As it runs: as `control` says or, where no clock was set, as what is
    /// left does.
    running: TimeControl,
    /// Left of the main time or, once that is used up, of the period.
    left: f64,
    periods: u32,
    /// Moves to be made in the running period, 0 in main time.
    moves: u32,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> Clock {
        let (left, periods) = match control {
            TimeControl::None | TimeControl::Move(_) => (0.0, 0),
            TimeControl::Absolute(main) | TimeControl::Fischer { main, .. } => (main, 0),
            TimeControl::ByoYomi { main, periods, .. } => (main, periods),
        };
        let mut clock = Clock { control, running: control, left, periods, moves: 0 };
        clock.enter_byo_yomi();
        clock
    }

    /// How time is given.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Sets what is left: of the main time when `moves` is 0, else of a
    /// period in which so many moves are still to be made; in Japanese
    /// byo-yomi, of the period when `moves` periods are left.
    pub fn set_left(&mut self, seconds: f64, moves: u32) {
        self.left = seconds.max(0.0);
        self.moves = moves;
        match &self.running {
            TimeControl::None if moves == 0 => self.running = TimeControl::Absolute(self.left),
            TimeControl::None => {
                let (period, periods) = (self.left, 1);
                self.running = TimeControl::ByoYomi { main: 0.0, period, periods, moves };
            }
            TimeControl::ByoYomi { moves: 1, .. } if moves > 0 => {
                (self.periods, self.moves) = (moves, 1);
            }
            _ => {}
        }
        if moves == 0 {
            self.enter_byo_yomi();
        }
    }

    /// Takes the time of a move off.
    pub fn spend(&mut self, spent: Duration) {
        self.left -= spent.as_secs_f64();
        match self.running {
            TimeControl::Fischer { increment, .. } => self.left = self.left.max(0.0) + increment,
            TimeControl::ByoYomi { period, moves, .. } if self.moves > 0 => {
                self.lose_periods(period);
                self.count_move(period, moves);
            }
            TimeControl::ByoYomi { period, moves, .. } => {
                self.enter_byo_yomi();
                if self.moves > 0 {
                    self.count_move(period, moves);
                }
            }
            _ => {}
        }
        self.left = self.left.max(0.0);
    }

    /// A move was made in the running period; the last one starts it anew.
    fn count_move(&mut self, period: f64, moves: u32) {
        self.moves -= 1;
        if self.moves == 0 {
            (self.left, self.moves) = (period, moves);
        }
    }

    /// Once main time is used up, the first period runs.
    fn enter_byo_yomi(&mut self) {
        if let TimeControl::ByoYomi { period, moves, .. } = self.running
            && self.moves == 0
            && self.left <= 0.0
        {
            self.left += period;
            self.moves = moves;
            self.lose_periods(period);
        }
    }

    /// A move that took longer than the period runs into the next ones.
    fn lose_periods(&mut self, period: f64) {
        if self.left < 0.0 && self.periods > 1 {
            let lost = (-self.left / period).ceil().min(f64::from(self.periods - 1));
            self.left += lost * period;
            self.periods -= lost as u32;
        }
    }

    /// How long the next move may take; `None` when no clock runs.
    ///
    /// Main time is spread evenly over the turns that are probably left, and
    /// what comes back (increment, periods) is spent as it comes. What is
    /// saved of main time is there for later turns, so that a turn in doubt
    /// may take several times its share; of a period nothing can be saved.
    pub fn allot(&self, position: &Position) -> Option<Allotment> {
        let turns = turns_left(position);
        let fixed = |seconds: f64| Allotment { usual: seconds, most: seconds };
        let shared =
            |usual: f64| Allotment { usual, most: (usual * 3.0).min(self.left / 3.0).max(usual) };
        match self.running {
            TimeControl::None => None,
            TimeControl::Move(seconds) => Some(fixed(seconds)),
            TimeControl::Absolute(_) => Some(shared(self.left / turns)),
            TimeControl::Fischer { increment, .. } => {
                Some(shared((self.left / turns + increment).min(self.left * 0.9)))
            }
            TimeControl::ByoYomi { period, moves, .. } if self.moves == 0 => {
                let share = period / f64::from(moves.max(1));
                // The move that uses main time up has the period's share besides;
                // some of it is kept, for what is left may be less than it seems.
                let is_last = self.left < share;
                let last = fixed(self.left + 0.9 * share);
                Some(if is_last { last } else { shared((self.left / turns).max(share)) })
            }
            TimeControl::ByoYomi { .. } if self.moves == 1 => Some(fixed(self.left)),
            TimeControl::ByoYomi { .. } => Some(shared(self.left / f64::from(self.moves))),
        }
    }

    /// Whether time that the next move does not take is there for later ones.
    pub fn saves(&self) -> bool {
        match self.running {
            TimeControl::None | TimeControl::Move(_) => false,
            TimeControl::Absolute(_) | TimeControl::Fischer { .. } => true,
            TimeControl::ByoYomi { .. } => self.moves != 1,
        }
    }

    /// What the clock shows: seconds, periods, moves to be made in the
    /// period.
    pub fn left(&self) -> (f64, u32, u32) {
        (self.left, self.periods, self.moves)
    }
}

/// How long a move may take, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Allotment {
    /// When nothing is special about it.
    pub usual: f64,
    /// When its search is in doubt.
    pub most: f64,
}

/// How many turns the mover will probably still make, 5 at least: a pair of
/// tiles uses up about five cells of his candidates, and every third turn is
/// a bridge.
fn turns_left(position: &Position) -> f64 {
    let candidates = position.candidates(position.side()).len();
    (f64::from(candidates) / 4.0).max(5.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn allot(clock: &Clock) -> f64 {
        let allotment = clock.allot(&Position::new(Rules::default())).unwrap();
        assert!(allotment.usual <= allotment.most);
        let Allotment { usual, most } = allotment;
        assert!(most <= clock.left().0.max(usual));
        usual
    }

    fn spend(clock: &mut Clock, seconds: f64) {
        clock.spend(Duration::from_secs_f64(seconds));
    }

    #[test]
    fn absolute_time_is_never_used_up() {
        let mut clock = Clock::new(TimeControl::Absolute(60.0));
        for _ in 0..200 {
            let seconds = allot(&clock);
            assert!(seconds < clock.left().0);
            spend(&mut clock, seconds);
        }
    }

    #[test]
    fn an_increment_comes_back() {
        let mut clock = Clock::new(TimeControl::Fischer { main: 1.0, increment: 2.0 });
        for _ in 0..200 {
            let seconds = allot(&clock);
            assert!(seconds <= clock.left().0 * 0.9 + 1e-9);
            spend(&mut clock, seconds);
        }
        assert!(allot(&clock) > 1.5);
    }

    #[test]
    fn byo_yomi_starts_after_the_main_time_and_comes_back() {
        let control = TimeControl::ByoYomi { main: 10.0, period: 3.0, periods: 2, moves: 1 };
        let mut clock = Clock::new(control);
        assert!((allot(&clock) - 3.0).abs() < 1e-9);
        spend(&mut clock, 11.0);
        assert_eq!(clock.left(), (3.0, 2, 1));
        spend(&mut clock, 1.0);
        assert_eq!(clock.left(), (3.0, 2, 1));
        spend(&mut clock, 4.0);
        assert_eq!(clock.left(), (3.0, 1, 1));
        assert!((allot(&clock) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn the_last_of_main_time_is_no_bound() {
        let control = TimeControl::ByoYomi { main: 60.0, period: 10.0, periods: 3, moves: 1 };
        let mut clock = Clock::new(control);
        let mut main = 0;
        while clock.left().2 == 0 {
            let seconds = allot(&clock);
            assert!(seconds >= 9.0, "{seconds} of {:?}", clock.left());
            spend(&mut clock, seconds - 0.01);
            main += 1;
        }
        // No period is lost on the way.
        assert!(main >= 4 && clock.left() == (10.0, 3, 1), "{main}: {:?}", clock.left());
        let canadian = TimeControl::ByoYomi { main: 1.0, period: 10.0, periods: 1, moves: 5 };
        assert!((allot(&Clock::new(canadian)) - 2.8).abs() < 1e-9);
    }

    #[test]
    fn periods_without_time_are_lost_at_once() {
        let control = TimeControl::ByoYomi { main: 0.0, period: 0.0, periods: u32::MAX, moves: 1 };
        let mut clock = Clock::new(control);
        let start = std::time::Instant::now();
        spend(&mut clock, 1.0);
        assert_eq!(clock.left(), (0.0, 1, 1));
        assert!(start.elapsed() < Duration::from_millis(100));
    }

    #[test]
    fn canadian_byo_yomi_counts_moves() {
        let control = TimeControl::ByoYomi { main: 0.0, period: 10.0, periods: 1, moves: 5 };
        let mut clock = Clock::new(control);
        for left in (1..=5).rev() {
            assert_eq!(clock.left().2, left);
            assert!((allot(&clock) - 2.0).abs() < 1e-9);
            spend(&mut clock, 2.0);
        }
        assert_eq!(clock.left(), (10.0, 1, 5));
        clock.set_left(4.0, 2);
        assert!((allot(&clock) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_move_that_enters_a_period_counts_in_it() {
        let control = TimeControl::ByoYomi { main: 1.0, period: 10.0, periods: 1, moves: 5 };
        let mut clock = Clock::new(control);
        spend(&mut clock, 3.0);
        assert_eq!(clock.left(), (8.0, 1, 4));
    }

    #[test]
    fn only_what_later_moves_may_use_is_saved() {
        let byo_yomi = |main, moves| TimeControl::ByoYomi { main, period: 3.0, periods: 1, moves };
        let saves = |control| Clock::new(control).saves();
        assert!(!saves(TimeControl::None) && !saves(TimeControl::Move(3.0)));
        assert!(saves(TimeControl::Absolute(3.0)));
        assert!(saves(TimeControl::Fischer { main: 3.0, increment: 1.0 }));
        assert!(saves(byo_yomi(5.0, 1)) && saves(byo_yomi(0.0, 2)) && !saves(byo_yomi(0.0, 1)));
        let mut last = Clock::new(byo_yomi(0.0, 2));
        spend(&mut last, 1.0);
        assert!(!last.saves());
    }

    #[test]
    fn what_is_left_is_a_clock_where_none_was_set() {
        let mut clock = Clock::new(TimeControl::None);
        clock.set_left(0.1, 0);
        assert!(allot(&clock) < 0.1);
        clock = Clock::new(TimeControl::None);
        clock.set_left(6.0, 3);
        assert!((allot(&clock) - 2.0).abs() < 1e-9);
        assert_eq!(Clock::new(clock.control()).allot(&Position::new(Rules::default())), None);
    }

    #[test]
    fn in_japanese_byo_yomi_periods_are_told() {
        let control = TimeControl::ByoYomi { main: 10.0, period: 3.0, periods: 5, moves: 1 };
        let mut clock = Clock::new(control);
        clock.set_left(2.5, 4);
        assert_eq!(clock.left(), (2.5, 4, 1));
    }
}
