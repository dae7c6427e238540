//! The things that a move can do, how much they count, and their JSON form.

use serde_json::{Map, Value, json};

use crate::board::{Cell, Site};
use crate::game::Move;

use super::Purpose;

/// A thing that is threatened or waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A bridge that joins networks, and the number of bridges that join the same ones.
    Bridge(Site, usize),
    /// An island with the tile on this cell.
    Island(Cell),
}

/// What a move, or one of its tiles, does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    /// It completes islands.
    Completes {
        /// Their cells.
        cells: Vec<Cell>,
        /// Whether the opponent could have prevented it.
        urgent: bool,
    },
    /// It joins networks, or adds islands to one.
    Joins {
        /// The points gained by joining, beyond what the islands have alone.
        points: u32,
        /// The islands of the network.
        islands: u32,
        /// Whether the opponent could have prevented it.
        urgent: bool,
    },
    /// After it, no bridge of the opponent joins the two networks any more.
    Stops {
        /// A bridge that did.
        bridge: Site,
        /// The points it was worth.
        points: u32,
    },
    /// The opponent can no longer complete an island of these tiles next turn.
    Denies {
        /// A tile of the sandbank.
        cell: Cell,
        /// The points that the island was worth.
        points: u32,
    },
    /// It takes some of the opponent's ways to gain points.
    Hinders {
        /// The bridge or the island.
        target: Target,
        /// The number of ways that it takes.
        lost: usize,
        /// The number of ways left.
        left: usize,
    },
    /// A sandbank of the opponent can never become an island.
    Burns {
        /// A tile of the sandbank.
        cell: Cell,
        /// Its tiles.
        tiles: u32,
    },
    /// It makes a bridge possible that joins networks.
    Prepares {
        /// The bridge, or one of them.
        bridge: Site,
        /// The points it is worth.
        points: u32,
        /// The number of bridges that join these networks.
        ways: usize,
        /// Whether the opponent cannot stop it.
        sure: bool,
    },
    /// A bridge or an island that was possible before becomes worth more.
    Raises {
        /// The bridge, or one of them, or the island.
        target: Target,
        /// The points it is worth now.
        points: u32,
        /// Whether the opponent cannot stop it.
        sure: bool,
    },
    /// It threatens two things; the opponent can stop one, but not both.
    Forks {
        /// The two that are worth most.
        targets: [Target; 2],
    },
    /// It builds on a sandbank that can become an island.
    Grows {
        /// A tile of the sandbank.
        cell: Cell,
        /// Its tiles now.
        tiles: u32,
        /// The cells where a fourth tile would complete the island.
        open: Vec<Cell>,
        /// Whether the opponent cannot prevent the island.
        sure: bool,
    },
    /// It links groups without a gain in points yet.
    Links {
        /// The groups it links: the tiles under the ends of the bridge.
        ends: [Cell; 2],
        /// The islands of the network.
        islands: u32,
        /// The points of an island that one of the groups can become.
        points: Option<u32>,
    },
    /// A bridge to another group is possible, without a gain in points yet.
    Reaches {
        /// The bridge.
        bridge: Site,
        /// The tile of the other group.
        cell: Cell,
        /// The islands of its network.
        islands: u32,
    },
    /// It lies in the way of a bridge between two groups of the opponent, worth
    /// nothing yet.
    Cuts {
        /// The bridge.
        bridge: Site,
    },
    /// It takes cells to which a sandbank of the opponent could grow.
    Crowds {
        /// A tile of the sandbank.
        cell: Cell,
        /// The cells left beside it.
        left: u32,
    },
    /// It closes cells to the opponent.
    Closes {
        /// Their number.
        count: u32,
        /// The number of cells left to the opponent.
        left: u32,
    },
    /// It uses up no cells in an ending in which they are scarce.
    Tempo,
    /// It takes one of the last bridges of the supply.
    Supply {
        /// The bridges left.
        left: u16,
    },
    /// It takes a cell in the middle of the board, at the beginning.
    Centre,
    /// It takes space.
    Space {
        /// The free cells around.
        free: u32,
    },
    /// A gain that the move passes over, and that the opponent cannot stop.
    Waits {
        /// The bridge or the island.
        target: Target,
        /// The points it is worth.
        points: u32,
    },
    /// The opponent's best answer to it does something that it would not do after
    /// the best move.
    Allows {
        /// The answer.
        reply: Move,
        /// What it does.
        purpose: Box<Purpose>,
    },
    /// It exchanges the colours.
    Swap,
    /// It passes.
    Pass {
        /// Whether a bridge could be built.
        bridges: bool,
        /// Whether it ends the game.
        ends: bool,
    },
}

impl Aim {
    /// The name in JSON.
    pub fn code(&self) -> &'static str {
        match self {
            Aim::Completes { .. } => "completes",
            Aim::Joins { .. } => "joins",
            Aim::Stops { .. } => "stops",
            Aim::Denies { .. } => "denies",
            Aim::Hinders { .. } => "hinders",
            Aim::Burns { .. } => "burns",
            Aim::Prepares { .. } => "prepares",
            Aim::Raises { .. } => "raises",
            Aim::Forks { .. } => "forks",
            Aim::Grows { .. } => "grows",
            Aim::Links { .. } => "links",
            Aim::Reaches { .. } => "reaches",
            Aim::Cuts { .. } => "cuts",
            Aim::Crowds { .. } => "crowds",
            Aim::Closes { .. } => "closes",
            Aim::Tempo => "tempo",
            Aim::Supply { .. } => "supply",
            Aim::Centre => "centre",
            Aim::Space { .. } => "space",
            Aim::Waits { .. } => "waits",
            Aim::Allows { .. } => "allows",
            Aim::Swap => "swap",
            Aim::Pass { .. } => "pass",
        }
    }

    /// How much it says for a move, to sort by. Roughly points, in tenths.
    pub(super) fn weight(&self) -> u32 {
        match self {
            Aim::Swap | Aim::Pass { .. } => 1000,
            Aim::Completes { cells, urgent } => {
                60 * (cells.len() as u32 / 4) + if *urgent { 10 } else { 0 }
            }
            Aim::Joins { points, urgent, .. } => 60 + 20 * points + if *urgent { 10 } else { 0 },
            Aim::Stops { points, .. } => 30 + 18 * points,
            Aim::Forks { .. } => 50,
            Aim::Prepares { points, sure, ways, .. } => {
                let ways = *ways.min(&3) as u32;
                if *sure { 30 + 15 * points } else { 12 + 10 * points + ways }
            }
            Aim::Raises { points, sure, .. } => 8 + 5 * points + if *sure { 8 } else { 0 },
            Aim::Denies { points, .. } => 25 + 12 * points,
            Aim::Grows { tiles: 3, sure, .. } => {
                if *sure {
                    30
                } else {
                    22
                }
            }
            Aim::Burns { tiles, .. } => {
                if *tiles > 1 {
                    21
                } else {
                    9
                }
            }
            Aim::Links { islands, points, .. } => {
                10 + if points.is_some() { 8 + 4 * islands.min(&5) } else { 0 }
            }
            Aim::Hinders { .. } => 15,
            Aim::Closes { left, count } => {
                if *left <= super::SCARCE {
                    14
                } else {
                    4 + 3 * count
                }
            }
            Aim::Tempo => 16,
            Aim::Crowds { left, .. } => 12 - left.min(&5),
            Aim::Grows { .. } => 11,
            Aim::Supply { .. } => 10,
            Aim::Reaches { islands, .. } => 8 + 2 * islands.min(&3),
            Aim::Cuts { .. } => 9,
            Aim::Centre => 6,
            Aim::Waits { .. } | Aim::Allows { .. } => 5,
            Aim::Space { .. } => 0,
        }
    }

    /// The fields of the JSON form, without `code`.
    pub(super) fn fields(&self) -> Map<String, Value> {
        let names = |cells: &[Cell]| cells.iter().map(Cell::to_string).collect::<Vec<_>>();
        let fields = match self {
            Aim::Completes { cells, urgent } => json!({
                "count": cells.len() / 4, "cells": names(cells), "urgent": urgent,
            }),
            Aim::Joins { points, islands, urgent } => {
                json!({"points": points, "islands": islands, "urgent": urgent})
            }
            Aim::Stops { bridge, points } => {
                json!({"bridge": bridge.to_string(), "points": points})
            }
            Aim::Denies { cell, points } => json!({"cell": cell.to_string(), "points": points}),
            Aim::Hinders { target, lost, left } => {
                json!({"target": target.to_json(), "lost": lost, "left": left})
            }
            Aim::Burns { cell, tiles } => json!({"cell": cell.to_string(), "tiles": tiles}),
            Aim::Prepares { bridge, points, ways, sure } => json!({
                "bridge": bridge.to_string(), "points": points, "ways": ways, "sure": sure,
            }),
            Aim::Raises { target, points, sure } => {
                json!({"target": target.to_json(), "points": points, "sure": sure})
            }
            Aim::Forks { targets } => json!({"targets": targets.map(Target::to_json)}),
            Aim::Grows { cell, tiles, open, sure } => json!({
                "cell": cell.to_string(), "tiles": tiles, "cells": names(open), "sure": sure,
            }),
            Aim::Links { ends, islands, points } => {
                json!({"cells": names(ends), "islands": islands, "points": points})
            }
            Aim::Reaches { bridge, cell, islands } => json!({
                "bridge": bridge.to_string(), "cell": cell.to_string(), "islands": islands,
            }),
            Aim::Cuts { bridge } => json!({"bridge": bridge.to_string()}),
            Aim::Crowds { cell, left } => json!({"cell": cell.to_string(), "left": left}),
            Aim::Closes { count, left } => json!({"count": count, "left": left}),
            Aim::Supply { left } => json!({"left": left}),
            Aim::Space { free } => json!({"free": free}),
            Aim::Waits { target, points } => {
                json!({"target": target.to_json(), "points": points})
            }
            Aim::Allows { reply, purpose } => {
                json!({"reply": reply.to_string(), "why": [purpose.to_json()]})
            }
            Aim::Pass { bridges, ends } => json!({"bridges": bridges, "ends": ends}),
            Aim::Tempo | Aim::Centre | Aim::Swap => json!({}),
        };
        if let Value::Object(fields) = fields { fields } else { Map::new() }
    }
}

impl Target {
    /// Whether it is the same bridge or island.
    pub(super) fn is_same(self, other: Target) -> bool {
        match (self, other) {
            (Target::Bridge(own, _), Target::Bridge(site, _)) => own == site,
            (Target::Island(own), Target::Island(cell)) => own == cell,
            _ => false,
        }
    }

    /// `{"bridge": …, "ways": …}` or `{"cell": …}`.
    fn to_json(self) -> Value {
        match self {
            Target::Bridge(site, ways) => json!({"bridge": site.to_string(), "ways": ways}),
            Target::Island(cell) => json!({"cell": cell.to_string()}),
        }
    }
}
