//! The table as pages see it: `state`, `view` and `clock`, and positions with their score and what
//! is legal.

use super::message::{
    Board, Bridge, ByColor, ClockFace, ClockState, EndedBy, Entry, GameEnd, Island, LastMove,
    LegalSteps, LinkState, Message, Network, NodePosition, NodeView, SupplyLeft, TreeNode, rounded,
};
use super::table::Table;
use super::tree::Node;
use pontifex::game::{Color, Move, Position};
use pontifex::notation::{GameResult, WonBy};

/// What pages see of a node.
pub(super) fn node(table: &Table, node: u32) -> NodeView {
    let main = table.tree.main_line(node);
    let end = main.last().copied().unwrap_or(0);
    NodeView {
        current: node,
        players: ByColor::new(|color| table.player(color, node).clone()),
        main,
        end: game_end(table, end),
        position: position(table, node),
    }
}

/// The result of the game at a node, if it ended there.
fn game_end(table: &Table, node: u32) -> Option<GameEnd> {
    let result = table.result(node)?;
    let by = match result {
        GameResult::Won { by: WonBy::Resignation, .. } => EndedBy::Resignation,
        GameResult::Won { by: WonBy::Time, .. } => EndedBy::Time,
        GameResult::Won { .. } => EndedBy::Forfeit,
        GameResult::Played(_) if !table.tree.position(node).is_over() => EndedBy::Agreement,
        GameResult::Played(_) | GameResult::Void => EndedBy::Score,
    };
    let detail = table.ending.as_ref().map(|ending| ending.detail.clone());
    Some(GameEnd {
        winner: result.winner().into(),
        text: result.to_string(),
        by,
        detail: detail.filter(|detail| by != EndedBy::Score && !detail.is_empty()),
        passed: passing_player(table, node),
    })
}

/// The state of a game with a friend by links; `None` for any other game.
pub(super) fn link(table: &Table) -> Option<LinkState> {
    let game = table.link.as_ref()?.game.clone();
    Some(LinkState { game, sent: table.is_sent() })
}

/// The colour whose pass ended the game at a node: Red's at once, White's after Red's last turn.
fn passing_player(table: &Table, node: u32) -> Option<Color> {
    let (_, mv) = table.tree.node(node).ok()?.from?;
    let color = if mv == Move::Pass { Color::Red } else { Color::White };
    table.tree.position(node).is_over().then_some(color)
}

/// A session's entry in the list of games: the main line through the current node; `None` when
/// nothing was played or set up.
pub fn game_list_entry(table: &Table) -> Option<Entry> {
    if table.is_empty() {
        return None;
    }
    let line = table.tree.main_line(table.current);
    let end = line.last().copied().unwrap_or(0);
    Some(Entry {
        board: table.tree.start().size(),
        players: ByColor::new(|color| table.player(color, end).clone()),
        level: table.strength,
        turns: line.len() - 1,
        result: game_end(table, end),
    })
}

/// The kind of clock and what the clocks show.
pub(super) fn clock(table: &Table) -> ClockState {
    let face = |color: Color| {
        let (readings, running) = table.clock_readings()?;
        let (left, periods) = readings[color.index()];
        let running = running == Some(color);
        Some(ClockFace { left: rounded(left.get()), periods, running })
    };
    ClockState { kind: table.clocks.kind(), white: face(Color::White), red: face(Color::Red) }
}

/// The message `clock`; `None` without clocks.
pub(super) fn clock_message(table: &Table) -> Option<Message> {
    let (readings, running) = table.clock_readings()?;
    Some(Message::Clock {
        left: ByColor::new(|color| rounded(readings[color.index()].0.get())),
        periods: ByColor::new(|color| readings[color.index()].1),
        running,
    })
}

/// All nodes, parents before children, without their positions: a page asks for those.
pub(super) fn tree(table: &Table) -> Vec<TreeNode> {
    let tree_node = |(number, node): (u32, &Node)| TreeNode {
        node: number,
        parent: node.from.map(|(parent, _)| parent),
        mv: node.from.map(|(_, mv)| mv),
        player: table.tree.mover(node),
        turn: node.from.map(|_| node.turns),
        winrate: node.value.map(|(winrate, _)| rounded(winrate)),
        lead: node.value.map(|(_, lead)| rounded(lead)),
        comment: Some(node.comment.clone()).filter(|comment| !comment.is_empty()),
    };
    table.tree.nodes().map(tree_node).collect()
}

/// The position at a node, with the last move and the result if the game ended there.
fn position(table: &Table, number: u32) -> NodePosition {
    let node = table.tree.node_or_start(number);
    NodePosition {
        board: Board::from(&node.position),
        turn: node.turns + 1,
        last: node.from.map(|(_, mv)| LastMove { mv, player: table.tree.mover(node) }),
        result: game_end(table, number),
    }
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Board {
        let bridges = position.bridges().iter().map(|site| {
            let [from, to] = site.ends();
            Bridge { from, to, player: position.tile_at(from) }
        });
        Board {
            text: *position,
            to_move: position.side(),
            status: position.stage(),
            tiles: ByColor::new(|color| position.tiles(color)),
            bridges: bridges.collect(),
            islands: islands(position),
            networks: networks(position),
            score: ByColor::new(|color| position.score(color)),
            supply: SupplyLeft {
                tiles: ByColor::new(|color| position.tiles_left(color)),
                bridges: position.bridges_left(),
            },
            candidates: ByColor::new(|color| position.placeable_cells(color)),
            legal: LegalSteps {
                cells: position.tile_steps(),
                bridges: position.bridge_steps().iter().collect(),
                pass: position.may_pass(),
                swap: position.may_swap(),
            },
        }
    }
}

/// The islands of both colours, White's first.
pub(super) fn islands(position: &Position) -> Vec<Island> {
    let mut islands = Vec::new();
    for player in Color::BOTH {
        let mut remaining = position.islands(player);
        while let Some(cell) = remaining.first() {
            let cells = position.group(player, cell);
            remaining -= cells;
            islands.push(Island { player, cells });
        }
    }
    islands
}

/// The networks with islands.
fn networks(position: &Position) -> Vec<Network> {
    let with_islands = |player| {
        let networks = position.networks(player).filter(|network| network.islands > 0);
        networks.map(move |network| Network {
            player,
            islands: network.islands.into(),
            points: network.points().into(),
            cells: network.tiles,
        })
    };
    Color::BOTH.into_iter().flat_map(with_islands).collect()
}
