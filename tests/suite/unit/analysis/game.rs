//! Tests of `src/analysis/review/plan.rs`.

use pontifex::analysis::review::RecordedGame;
use pontifex::notation::Record;

fn game(text: &str) -> RecordedGame {
    RecordedGame::new("a.txt".to_owned(), 1, Record::parse(text).unwrap()).unwrap()
}

#[test]
fn the_key_depends_on_rules_and_moves_only() {
    let key = game("d4,e6 swap a1,b1").key();
    assert_eq!(key, game("# white: Anna\nE6,D4 swap a1,b1").key());
    for other in ["d4,e6 swap a1,b2", "d4,e6 swap", "# supply: 20,7\nd4,e6 swap a1,b1"] {
        assert_ne!(key, game(other).key(), "{other}");
    }
}
