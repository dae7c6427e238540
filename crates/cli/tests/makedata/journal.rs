//! The games in journals of `pontifex match`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pontifex::board::Size;
use pontifex::game::{Move, Position, Rules, Supply};
use serde_json::Value as Json;

/// A finished game.
pub(crate) struct Game {
    pub(crate) rules: Rules,
    pub(crate) moves: Vec<Move>,
}

impl Game {
    /// The position `turns` turns before the end, or `None` if the game is shorter.
    pub(crate) fn before_end(&self, turns: usize) -> Option<Position> {
        let mut position = Position::new(self.rules);
        for &mv in &self.moves[..self.moves.len().checked_sub(turns)?] {
            position.play(mv).expect("the game is legal");
        }
        Some(position)
    }
}

/// Reads the games of all journals, in order. A truncated line ends its file.
pub(crate) fn games(journals: &[PathBuf]) -> anyhow::Result<Vec<Game>> {
    let mut games = Vec::new();
    for path in journals {
        read(path, &mut games).with_context(|| path.display().to_string())?;
    }
    Ok(games)
}

fn read(path: &Path, games: &mut Vec<Game>) -> anyhow::Result<()> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines().zip(1..);
    let header = lines.next().and_then(|(line, _)| serde_json::from_str::<Json>(line).ok());
    let size = header
        .and_then(|header| header["config"]["board"].as_u64())
        .and_then(|size| Size::new(size).ok());
    let Some(size) = size else { bail!("not a journal of pontifex match: no board in line 1") };
    // The data files have no field for other rules.
    let rules = Rules { size, supply: Supply::Standard, pie: false };
    for (line, number) in lines {
        let Ok(entry) = serde_json::from_str::<Json>(line) else { break };
        let Some(text) = entry["moves"].as_str() else { continue };
        let mut position = Position::new(rules);
        let mut moves = Vec::new();
        for word in text.split_whitespace() {
            let context = || format!("line {number}: move {}, {word}", moves.len() + 1);
            let mv: Move = word.parse().with_context(context)?;
            position
                .play(mv)
                .with_context(context)
                .context("only games with the standard supply and without the pie rule are read")?;
            moves.push(mv);
        }
        games.push(Game { rules, moves });
    }
    Ok(())
}
