//! The rules once more: slow and plain, from docs/teufel.md. Only the data of a table is used here,
//! none of its rules.

use std::collections::BTreeSet;

use crate::board::{Card, Cell, Cells, Colour, Letters, SIDE};
use crate::rules::Step;
use crate::table::{Decision, Table};

pub(super) fn cells() -> impl Iterator<Item = Cell> {
    (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| Cell::at(column, row)))
}

fn open_card(table: &Table, cell: Cell) -> Option<Card> {
    table.card(cell).filter(|_| table.open.contains(cell))
}

fn hidden_cells(table: &Table) -> Cells {
    table.laid - table.open
}

fn is_unoccupied(table: &Table, cell: Cell) -> bool {
    table.colours().all(|player| table[player].cell != Some(cell))
}

/// The other sledges on a cell.
fn guests(table: &Table, cell: Cell) -> Vec<Colour> {
    table.others().filter(|&player| table[player].cell == Some(cell)).collect()
}

fn owners_of_devils(table: &Table) -> Vec<Colour> {
    table.colours().filter(|&player| table[player].devil).collect()
}

/// Whether the chooser may enter a cell and continue from it, without turning up a card.
pub(super) fn passes(table: &Table, cell: Cell) -> bool {
    let own = table[table.chooser];
    let is_visited = !guests(table, cell).is_empty();
    if cell == Cell::HEAD {
        return owners_of_devils(table).len() == 4;
    } else if is_visited && !own.devil {
        return false;
    }
    match open_card(table, cell) {
        None => !hidden_cells(table).contains(cell) || own.devil,
        Some(Card::Letter(colour, letter)) => {
            own.letters.contains(letter) || (colour == table.chooser && is_visited)
        }
        Some(Card::Devil | Card::Tower) => false,
    }
}

fn goals(table: &Table) -> BTreeSet<Cell> {
    let own = table[table.chooser];
    let start = own.cell.unwrap();
    let (mut goals, mut waiting, mut seen) = (BTreeSet::new(), vec![start], BTreeSet::new());
    while let Some(from) = waiting.pop() {
        for cell in cells().filter(|cell| cell.distance(from) == 1) {
            let is_free = guests(table, cell).len() <= usize::from(own.devil);
            if is_free && cell != Cell::HEAD && cell != start {
                goals.insert(cell);
            }
            if passes(table, cell) && seen.insert(cell) {
                waiting.push(cell);
            }
        }
    }
    goals
}

fn moves(table: &Table) -> Vec<Step> {
    let turned = |cell: &Cell| table[table.chooser].devil && hidden_cells(table).contains(*cell);
    let to = |reveals| move |cell| Step::Move { cell, reveals };
    let revealing = goals(table).into_iter().filter(turned).map(to(true));
    revealing.chain(goals(table).into_iter().map(to(false))).collect()
}

/// All legal steps but scatterings.
pub(super) fn legal(table: &Table) -> Vec<Step> {
    let hidden = hidden_cells(table);
    match table.decision {
        Decision::Place => starts(table).into_iter().map(Step::Place).collect(),
        Decision::Act => act_steps(table),
        Decision::Reveal if hidden.len() == 1 => vec![Step::Reveal(hidden)],
        Decision::Reveal => hidden.pairs().map(Step::Reveal).collect(),
        Decision::Continue => [moves(table), vec![Step::Pass]].concat(),
        Decision::Tower { can_look, can_exorcise } => {
            let looks = hidden.iter().filter(|_| can_look).map(Step::Look);
            looks.chain(can_exorcise.then_some(Step::Exorcise)).chain([Step::Pass]).collect()
        }
        Decision::From => {
            let owners =
                owners_of_devils(table).into_iter().filter(|&player| player != table.chooser);
            owners.map(Step::From).collect()
        }
        Decision::Drop => table[table.chooser].letters.pairs().map(Step::Drop).collect(),
        Decision::Over => Vec::new(),
    }
}

fn act_steps(table: &Table) -> Vec<Step> {
    let unoccupied: Cells = table.laid.iter().filter(|&cell| is_unoccupied(table, cell)).collect();
    let is_movable = |&cell: &Cell| match open_card(table, cell) {
        Some(Card::Letter(colour, _)) => colour == table.chooser,
        Some(_) => false,
        None => true,
    };
    let movable: Cells = unoccupied.iter().filter(is_movable).collect();
    let can_scatter = table[table.chooser].devil && unoccupied.len() >= 2;
    let mut steps = moves(table);
    steps.extend(movable.pairs().map(Step::Swap));
    if steps.is_empty() && !can_scatter { vec![Step::Pass] } else { steps }
}

fn starts(table: &Table) -> Vec<Cell> {
    let sledges: Vec<Cell> = table.colours().filter_map(|player| table[player].cell).collect();
    let room = |cell: &Cell| sledges.iter().map(|s| s.distance(*cell)).min().unwrap_or(9);
    let mut free: Vec<Cell> = cells().filter(|&cell| cell != Cell::HEAD).collect();
    let most = free.iter().map(room).max().unwrap();
    free.retain(|cell| room(cell) >= 4 || room(cell) == most);
    free
}

pub(super) fn can_scatter(table: &Table, from: Cells, to: Cells) -> bool {
    let is_free = |cell: Cell| !table.laid.contains(cell) || from.contains(cell);
    table.decision == Decision::Act
        && table[table.chooser].devil
        && (2..=4).contains(&from.len())
        && from.len() == to.len()
        && from.iter().all(|cell| table.laid.contains(cell))
        && to.iter().all(|cell| cell != Cell::HEAD && is_free(cell))
        && from.iter().chain(to.iter()).all(|cell| is_unoccupied(table, cell))
}

/// Takes a legal step. After a scattering, `dealt` tells which card came where.
pub(super) fn apply(table: &mut Table, step: Step, dealt: &Table) {
    let me = table.chooser;
    match step {
        Step::Place(cell) => table[me].cell = Some(cell),
        Step::Move { cell, reveals } => return enter(table, cell, reveals),
        Step::Swap(pair) => {
            let cells: Vec<Cell> = pair.iter().collect();
            table.cards.swap(cells[0].index(), cells[1].index());
            table.open = table.open.swapped(pair);
            for player in table.colours() {
                table[player].known = table[player].known.swapped(pair);
            }
        }
        Step::Scatter(from, to) => {
            let mut cards: Vec<Card> = from.iter().filter_map(|cell| table.card(cell)).collect();
            from.iter().for_each(|cell| table.cards[cell.index()] = None);
            for cell in to.iter() {
                let place = cards.iter().position(|&card| Some(card) == dealt.card(cell));
                cards.remove(place.expect("the card was among the scattered ones"));
                table.cards[cell.index()] = dealt.card(cell);
            }
            table.laid = (table.laid - from) | to;
            table.open = table.open - from - to;
            for player in table.colours() {
                table[player].known = table[player].known - from - to;
            }
        }
        Step::Reveal(cells) => cells.iter().for_each(|cell| table.open.insert(cell)),
        Step::Look(cell) => {
            table[me].known.insert(cell);
            return use_tower(table, false);
        }
        Step::Exorcise => {
            table[me].devil = false;
            leave(table);
            if let (Decision::Tower { can_look, .. }, 0) = (table.decision, table[me].exit_rank) {
                return use_tower(table, can_look);
            }
        }
        Step::From(owner) => {
            table[owner].devil = false;
            leave(table);
            return receive(table, me);
        }
        Step::Drop(letters) => table[me].letters = table[me].letters.without(letters),
        Step::Pass => {}
    }
    end_turn(table);
}

fn enter(table: &mut Table, cell: Cell, reveals: bool) {
    let me = table.chooser;
    let devil = table[me].devil;
    let is_revealed = hidden_cells(table).contains(cell) && (!devil || reveals);
    table[me].cell = Some(cell);
    if is_revealed {
        table.open.insert(cell);
    }
    match open_card(table, cell) {
        Some(Card::Tower) => return use_tower(table, !hidden_cells(table).is_empty()),
        Some(Card::Devil) if owners_of_devils(table).len() < 4 => return receive(table, me),
        Some(Card::Devil) => return table.decision = Decision::From,
        Some(Card::Letter(colour, letter)) => {
            let is_own = table[me].letters.contains(letter);
            if is_own && is_revealed && !devil && !goals(table).is_empty() {
                return table.decision = Decision::Continue;
            } else if colour == me {
                table[me].letters.insert(letter);
            }
        }
        None => {}
    }
    let receivers = guests(table, cell);
    table[me].devil &= receivers.is_empty();
    leave(table);
    if let ([receiver], true) = (&receivers[..], devil) {
        receive(table, *receiver);
    } else {
        end_turn(table);
    }
}

/// Gives a devil peg to a player.
fn receive(table: &mut Table, player: Colour) {
    table[player].devil = !table[player].devil;
    if !table[player].devil && table[player].letters.len() > 2 && table.decision != Decision::Over {
        (table.chooser, table.decision) = (player, Decision::Drop);
        return;
    } else if !table[player].devil {
        table[player].letters = Letters::default();
    }
    end_turn(table);
}

fn use_tower(table: &mut Table, can_look: bool) {
    let can_exorcise = table[table.chooser].devil;
    table.decision = Decision::Tower { can_look, can_exorcise };
    if !can_look && !can_exorcise {
        end_turn(table);
    }
}

/// Lets every player with six letters and no devil peg leave.
fn leave(table: &mut Table) {
    let mut exit_rank = table.colours().filter(|&player| table[player].exit_rank > 0).count();
    for player in table.colours().filter(|&player| table[player].exit_rank == 0).collect::<Vec<_>>()
    {
        if (0..6).all(|letter| table[player].letters.contains(letter)) && !table[player].devil {
            exit_rank += 1;
            (table[player].exit_rank, table[player].cell) = (exit_rank, None);
        }
    }
    if exit_rank + 1 >= table.players {
        table.decision = Decision::Over;
    }
}

fn end_turn(table: &mut Table) {
    if table.decision == Decision::Over {
        return;
    }
    let colours: Vec<Colour> = table.colours().collect();
    table.mover = colours[(table.mover.index() + 1) % colours.len()];
    table.chooser = table.mover;
    let waits =
        |table: &Table, player| table[player].cell.is_none() && table[player].exit_rank == 0;
    table.turn += u32::from(!colours.iter().any(|&player| waits(table, player)));
    table.decision = match (hidden_cells(table).is_empty(), table[table.mover].exit_rank) {
        (true, _) => Decision::Over,
        (false, 1..) => Decision::Reveal,
        (false, 0) if waits(table, table.mover) => Decision::Place,
        (false, 0) => Decision::Act,
    };
}
