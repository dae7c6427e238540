//! Validation of setups (docs/rules.md, "Positions set up by hand").

use super::Reference;
use pontifex::game::{Color, Setup, SetupStage};

impl Reference {
    /// The position of a setup; `None` if it breaks a rule.
    pub fn from_setup(setup: &Setup) -> Option<Reference> {
        let mut game = Reference::new(setup.rules);
        for color in Color::BOTH {
            for cell in setup.tiles[color.index()] {
                if !game.is_on_board(cell) || game.tiles.get(cell).is_some() {
                    return None;
                }
                game.tiles = game.tiles.with(color, cell);
            }
        }
        if !Color::BOTH.iter().all(|&color| game.tiles.obey_the_rules(color)) {
            return None;
        }
        for &(a, b) in &setup.bridges {
            let color = [a, b].iter().find_map(|&cell| game.tile_at(cell))?;
            if !game.is_buildable(color, (a, b)) {
                return None;
            }
            game.bridges.push((a.min(b), a.max(b)));
        }
        if let Some((tiles, bridges)) = game.limits()
            && (Color::BOTH.iter().any(|&color| game.tiles.of(color).count() > tiles.into())
                || game.bridges.len() > bridges.into())
        {
            return None;
        }
        let counts = Color::BOTH.map(|color| game.tiles.of(color).count());
        game.side = setup.side;
        game.is_first_turn = false;
        let possible = match setup.stage {
            SetupStage::Plain => {
                game.is_first_turn = counts == [0, 0] && setup.side == Color::White;
                true
            }
            SetupStage::Pie => {
                game.is_answer_to_first_turn = true;
                let after_first_turn = counts == [2, 0] && game.bridges.is_empty();
                setup.rules.pie && after_first_turn && setup.side == Color::Red
            }
            SetupStage::Last => {
                game.has_white_passed = true;
                setup.side == Color::Red
            }
            SetupStage::Over => {
                game.is_over = true;
                true
            }
        };
        possible.then_some(game)
    }
}
