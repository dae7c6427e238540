//! Boards as text.

use pontifex::game::{Position, Rules, Setup, Supply};
use pontifex::render;
use proptest::prelude::*;

use super::games::game;

fn text(position: &str) -> String {
    let setup = Setup::parse(position, Supply::Standard, true).unwrap();
    render::text(&setup.validate().unwrap())
}

#[test]
fn the_empty_board() {
    let expected = "     a  b  c  d  e  f  g  h  i  j
10   .  .  .  .  .  .  .  .  .  .   10
 9   .  .  .  .  .  .  .  .  .  .    9
 8   .  .  .  .  .  .  .  .  .  .    8
 7   .  .  .  .  .  .  .  .  .  .    7
 6   .  .  .  .  .  .  .  .  .  .    6
 5   .  .  .  .  .  .  .  .  .  .    5
 4   .  .  .  .  .  .  .  .  .  .    4
 3   .  .  .  .  .  .  .  .  .  .    3
 2   .  .  .  .  .  .  .  .  .  .    2
 1   .  .  .  .  .  .  .  .  .  .    1
     a  b  c  d  e  f  g  h  i  j
White: 0 points, 0 islands, 0 bridges, 40 tiles left
Red: 0 points, 0 islands, 0 bridges, 40 tiles left
Bridges left: 15
White to move";
    assert_eq!(render::text(&Position::new(Rules::default())), expected);
}

#[test]
fn islands_and_bridges_are_shown() {
    let expected = "    a  b  c  d  e  f  g  h
8  (w) - (W) W  W  W  .  .   8
7   .  .  .  .  .  .  .  .   7
6  (r) .  .  .  .  .  . (r)  6
5   \\  \\  .  .  .  .  .  |   5
4   . (r) .  .  . (w) . (r)  4
3   .  .  . (w) .  |  .  .   3
2   .  .  /  .  . (w) .  .   2
1   . (w) .  .  .  .  .  .   1
    a  b  c  d  e  f  g  h
White: 1 point, 1 island, 3 bridges (a8-c8 b1-d3 f2-f4)
Red: 0 points, 0 islands, 2 bridges (a6-b4 h4-h6)
Red to move";
    let bridges = "h4-h6,f2-f4,b1-d3,a8-c8,a6-b4";
    assert_eq!(text(&format!("w1wwww2/8/r6r/8/1r3w1r/3w4/5w2/1w6 r {bridges} -")), expected);
}

#[test]
fn the_last_line_shows_the_turn_or_the_result() {
    let last = |position: &str| text(position).lines().last().unwrap().to_owned();
    assert_eq!(last("4/4/4/4 r - -"), "Red to move");
    assert_eq!(last("w1w1/4/4/4 r - pie"), "Red to move, may swap");
    assert_eq!(last("4/4/4/4 r - last"), "Red to move, the last turn");
    assert_eq!(last("4/4/4/wwww w - over"), "The game is over: W+1");
    let mut position = Position::new(Rules::default());
    position.make(pontifex::game::Step::Tile("d4".parse().unwrap()));
    assert!(render::text(&position).ends_with("White to move, the second tile"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn lines_are_not_empty_and_show_every_tile((start, moves) in game()) {
        let mut position = start.validate().unwrap();
        for mv in moves {
            position.play(mv).unwrap();
        }
        let text = render::text(&position);
        prop_assert!(text.lines().all(|line| line == line.trim_end() && !line.is_empty()));
        prop_assert!(!text.ends_with('\n') && !text.contains('\r'));
        let size = usize::from(position.size().get());
        let rows: Vec<&str> = text.lines().skip(1).take(size).collect();
        let count = |letters: [char; 2]| rows.iter().map(|row| row.matches(letters).count()).sum::<usize>() as u32;
        prop_assert_eq!(count(['w', 'W']), position.tiles(pontifex::game::Color::White).len());
        prop_assert_eq!(count(['r', 'R']), position.tiles(pontifex::game::Color::Red).len());
        prop_assert_eq!(count(['(', '(']), 2 * position.bridges().len());
    }
}
