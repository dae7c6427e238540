//! The rules of Teufel, Teufel once more: slow and plain, from docs/teufel.md.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use pontifex::teufel::{Card, Cell, Cells, Colour, Decision, Step, Table};

/// Everything that is so.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reference {
    /// The cards, and whether they lie face up.
    cards: BTreeMap<Cell, (Card, bool)>,
    sledges: BTreeMap<Colour, Cell>,
    letters: BTreeMap<Colour, BTreeSet<u8>>,
    devils: BTreeSet<Colour>,
    /// The colours that have left, in order.
    left: Vec<Colour>,
    mover: Colour,
    chooser: Colour,
    decision: Decision,
}

pub(super) fn cells() -> Vec<Cell> {
    let names = (1..=7).flat_map(|row| ('a'..='g').map(move |column| format!("{column}{row}")));
    names.map(|name| name.parse().unwrap()).collect()
}

fn distance(a: Cell, b: Cell) -> u32 {
    let (a, b) = (a.to_string(), b.to_string());
    a.bytes().zip(b.bytes()).map(|(a, b)| u32::from(a.abs_diff(b))).sum()
}

/// All sets of two.
fn pairs<T: Copy, S: FromIterator<T>>(items: &[T]) -> Vec<S> {
    let mut pairs = Vec::new();
    for (number, &a) in items.iter().enumerate() {
        pairs.extend(items[number + 1..].iter().map(|&b| S::from_iter([a, b])));
    }
    pairs
}

impl Reference {
    /// What is so on a table.
    pub(super) fn of(table: &Table) -> Reference {
        let card = |cell| Some((cell, (table.card(cell)?, table.open.contains(cell))));
        let letters = |who| (0..6).filter(|&letter| table.letters(who).contains(letter)).collect();
        let mut left: Vec<Colour> = table.colours().filter(|&who| table.has_left(who)).collect();
        left.sort_by_key(|&who| table.rank(who));
        Reference {
            cards: cells().into_iter().filter_map(card).collect(),
            sledges: table.colours().filter_map(|who| Some((who, table.sledge(who)?))).collect(),
            letters: table.colours().map(|who| (who, letters(who))).collect(),
            devils: table.colours().filter(|&who| table.has_devil(who)).collect(),
            left,
            mover: table.mover,
            chooser: table.chooser,
            decision: table.decision,
        }
    }

    fn colours(&self) -> Vec<Colour> {
        self.letters.keys().copied().collect()
    }

    /// The other sledges on a cell.
    fn guests(&self, cell: Cell) -> Vec<Colour> {
        let is_there = |who: &Colour| self.sledges.get(who) == Some(&cell) && *who != self.chooser;
        self.colours().into_iter().filter(is_there).collect()
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.sledges.values().all(|&other| other != cell)
    }

    fn hidden(&self) -> Vec<Cell> {
        self.cards.iter().filter(|(_, card)| !card.1).map(|(&cell, _)| cell).collect()
    }

    fn shown(&self, cell: Cell) -> Option<Card> {
        self.cards.get(&cell).filter(|card| card.1).map(|card| card.0)
    }

    fn has_devil(&self) -> bool {
        self.devils.contains(&self.chooser)
    }

    /// Whether the chooser may enter a cell and go on from it, without turning up a
    /// card.
    pub(super) fn passes(&self, cell: Cell) -> bool {
        let is_visited = !self.guests(cell).is_empty();
        if cell == Cell::HEAD {
            return self.devils.len() == 4;
        } else if is_visited && !self.has_devil() {
            return false;
        }
        match self.shown(cell) {
            None => !self.cards.contains_key(&cell) || self.has_devil(),
            Some(Card::Letter(colour, letter)) => {
                let is_own = self.letters[&self.chooser].contains(&letter);
                is_own || (colour == self.chooser && is_visited)
            }
            Some(Card::Devil | Card::Tower) => false,
        }
    }

    fn goals(&self) -> BTreeSet<Cell> {
        let start = self.sledges[&self.chooser];
        let (mut goals, mut waiting) = (BTreeSet::new(), vec![start]);
        let mut seen = BTreeSet::from([start]);
        while let Some(at) = waiting.pop() {
            for cell in cells().into_iter().filter(|&cell| distance(at, cell) == 1) {
                let is_free = self.guests(cell).len() <= usize::from(self.has_devil());
                if is_free && cell != Cell::HEAD && cell != start {
                    goals.insert(cell);
                }
                if self.passes(cell) && seen.insert(cell) {
                    waiting.push(cell);
                }
            }
        }
        goals
    }

    fn moves(&self) -> Vec<Step> {
        let goals = self.goals();
        let turned = |cell: &&Cell| self.has_devil() && self.hidden().contains(cell);
        let turns = goals.iter().filter(turned).map(|&cell| Step::Go(cell, true));
        turns.chain(goals.iter().map(|&cell| Step::Go(cell, false))).collect()
    }

    /// All legal steps but scatterings.
    pub(super) fn legal(&self) -> HashSet<Step> {
        let steps = match self.decision {
            Decision::Place => self.starts().into_iter().map(Step::Place).collect(),
            Decision::Act => self.turns(),
            Decision::Turn if self.hidden().len() == 1 => {
                vec![Step::Turn(self.hidden().into_iter().collect())]
            }
            Decision::Turn => pairs(&self.hidden()).into_iter().map(Step::Turn).collect(),
            Decision::GoOn => [self.moves(), vec![Step::Pass]].concat(),
            Decision::Tower(look, exorcise) => {
                let looks = self.hidden().into_iter().filter(|_| look).map(Step::Look);
                looks.chain(exorcise.then_some(Step::Exorcise)).chain([Step::Pass]).collect()
            }
            Decision::From => {
                let owners = self.devils.iter().filter(|&&owner| owner != self.chooser);
                owners.map(|&owner| Step::From(owner)).collect()
            }
            Decision::Drop => {
                let letters = self.letters[&self.chooser].iter();
                let names: Vec<char> = letters.map(|letter| char::from(b'A' + letter)).collect();
                let texts: Vec<String> = pairs(&names);
                texts.into_iter().map(|text| Step::Drop(text.parse().unwrap())).collect()
            }
            Decision::Over => Vec::new(),
        };
        steps.into_iter().collect()
    }

    fn turns(&self) -> Vec<Step> {
        let mut loose: Vec<Cell> = self.cards.keys().copied().collect();
        loose.retain(|&cell| self.is_free(cell));
        let can_scatter = self.has_devil() && loose.len() >= 2;
        loose.retain(|&cell| match self.shown(cell) {
            Some(Card::Letter(colour, _)) => colour == self.chooser,
            Some(_) => false,
            None => true,
        });
        let mut steps = self.moves();
        steps.extend(pairs(&loose).into_iter().map(Step::Swap));
        if steps.is_empty() && !can_scatter { vec![Step::Pass] } else { steps }
    }

    fn starts(&self) -> Vec<Cell> {
        let room = |&cell: &Cell| {
            self.sledges.values().map(|&other| distance(cell, other)).min().unwrap_or(9)
        };
        let mut free = cells();
        free.retain(|&cell| cell != Cell::HEAD);
        let most = free.iter().map(room).max().unwrap();
        free.into_iter().filter(|cell| room(cell) >= 4 || room(cell) == most).collect()
    }

    pub(super) fn can_scatter(&self, from: Cells, to: Cells) -> bool {
        let is_free = |cell: Cell| !self.cards.contains_key(&cell) || from.contains(cell);
        self.decision == Decision::Act
            && self.has_devil()
            && (2..=4).contains(&from.len())
            && from.len() == to.len()
            && from.iter().all(|cell| self.cards.contains_key(&cell))
            && to.iter().all(|cell| cell != Cell::HEAD && is_free(cell))
            && from.iter().chain(to.iter()).all(|cell| self.is_free(cell))
    }

    /// Takes a legal step. After a scattering, `dealt` tells which card came where.
    pub(super) fn apply(&mut self, step: Step, dealt: &Table) {
        let me = self.chooser;
        match step {
            Step::Place(cell) => drop(self.sledges.insert(me, cell)),
            Step::Go(cell, turns) => return self.enter(cell, turns),
            Step::Swap(pair) => {
                let pair: Vec<Cell> = pair.iter().collect();
                let (a, b) = (self.cards[&pair[0]], self.cards[&pair[1]]);
                self.cards.extend([(pair[0], b), (pair[1], a)]);
            }
            Step::Scatter(from, to) => {
                let taken = from.iter().map(|cell| self.cards.remove(&cell).unwrap().0);
                let mut taken: Vec<Card> = taken.collect();
                for cell in to.iter() {
                    let card = dealt.card(cell).unwrap();
                    let place = taken.iter().position(|&other| other == card);
                    taken.remove(place.expect("the card was among the scattered ones"));
                    self.cards.insert(cell, (card, false));
                }
            }
            Step::Turn(cells) => {
                cells.iter().for_each(|cell| self.cards.get_mut(&cell).unwrap().1 = true);
            }
            Step::Look(_) => return self.use_tower(false),
            Step::Exorcise => {
                self.devils.remove(&me);
                self.leave();
                if let (Decision::Tower(look, _), false) = (self.decision, self.left.contains(&me))
                {
                    return self.use_tower(look);
                }
            }
            Step::From(owner) => {
                self.devils.remove(&owner);
                self.leave();
                return self.receive(me);
            }
            Step::Drop(letters) => {
                self.letters.get_mut(&me).unwrap().retain(|&letter| !letters.contains(letter));
            }
            Step::Pass => {}
        }
        self.end_turn();
    }

    fn enter(&mut self, cell: Cell, turns: bool) {
        let me = self.chooser;
        let devil = self.has_devil();
        let is_turned = self.hidden().contains(&cell) && (!devil || turns);
        self.sledges.insert(me, cell);
        if is_turned {
            self.cards.get_mut(&cell).unwrap().1 = true;
        }
        match self.shown(cell) {
            Some(Card::Tower) => return self.use_tower(!self.hidden().is_empty()),
            Some(Card::Devil) if self.devils.len() < 4 => return self.receive(me),
            Some(Card::Devil) => return self.decision = Decision::From,
            Some(Card::Letter(colour, letter)) => {
                let is_own = self.letters[&me].contains(&letter);
                if is_own && is_turned && !devil && !self.goals().is_empty() {
                    return self.decision = Decision::GoOn;
                } else if colour == me {
                    self.letters.get_mut(&me).unwrap().insert(letter);
                }
            }
            None => {}
        }
        let hosts = self.guests(cell);
        if devil && !hosts.is_empty() {
            self.devils.remove(&me);
        }
        self.leave();
        if devil && !hosts.is_empty() { self.receive(hosts[0]) } else { self.end_turn() }
    }

    /// A devil peg comes to a player.
    fn receive(&mut self, who: Colour) {
        if self.devils.insert(who) {
            return self.end_turn();
        }
        self.devils.remove(&who);
        if self.letters[&who].len() > 2 && self.decision != Decision::Over {
            (self.chooser, self.decision) = (who, Decision::Drop);
        } else {
            self.letters.get_mut(&who).unwrap().clear();
            self.end_turn();
        }
    }

    fn use_tower(&mut self, look: bool) {
        self.decision = Decision::Tower(look, self.has_devil());
        if self.decision == Decision::Tower(false, false) {
            self.end_turn();
        }
    }

    /// Whoever has six letters and no devil peg leaves.
    fn leave(&mut self) {
        for who in self.colours() {
            let is_done = self.letters[&who].len() == 6 && !self.devils.contains(&who);
            if is_done && !self.left.contains(&who) {
                self.left.push(who);
                self.sledges.remove(&who);
            }
        }
        if self.left.len() + 1 >= self.letters.len() {
            self.decision = Decision::Over;
        }
    }

    fn end_turn(&mut self) {
        let colours = self.colours();
        if self.decision == Decision::Over {
            return;
        }
        self.mover = colours[(self.mover.index() + 1) % colours.len()];
        self.chooser = self.mover;
        self.decision = match self.left.contains(&self.mover) {
            _ if self.hidden().is_empty() => Decision::Over,
            true => Decision::Turn,
            false if self.sledges.contains_key(&self.mover) => Decision::Act,
            false => Decision::Place,
        };
    }
}
