// What the page and a session say to each other; docs/web.md explains it.
// Written from crates/play/src/message.rs by
//   PONTIFEX_WRITE_DECLARATIONS=1 cargo test --release -p pontifex-play declarations

/** A request as it is sent: the answer has its id. */
export type SentRequest = Request & { id?: number };

/** A message as it is sent, with the id of the request that it answers. */
export type SentMessage = Message & { id: number | null };

/** A game of the engine against itself, and what there is to learn from it. */
export type AnnotatedGame = { id: string, title: { [key in string]: string }, board: Size, supply: Supply, moves: Array<Move>,
/** The comments, by the number of moves after which they appear. */ notes: { [key in number]: { [key in string]: string } }, };

/** A bridge on the board, by its ends. */
export type Bridge = { from: Cell, to: Cell, player: Color | null, };

export type BridgeChances = { bridge: Site, white: number, red: number, };

/** A value for White and one for Red. */
export type ByColor<T> = { white: T, red: T, };

/** What the engine thinks of a move. */
export type Candidate = {
/** The move. */ move: Move,
/** Visits, over both orders of its tiles. */ visits: number,
/** Expected result for the side to move, 0 to 1. */ winrate: number,
/** Expected lead of the side to move, in points. */ scoreLead: number,
/** Prior probability of the move, 0 to 1. */ prior: number,
/** The principal variation, beginning with the move. */ pv: Array<Move>,
/** Lower confidence bound of the win rate: 1.96 standard errors below it. */ lcb: number,
/** Rank, from 0. */ order: number,
/** The proved result with best play. */ solved: Value | null,
/** The proved winner. */ winner: Color | null, };

export type Cell = string;

/** What one player's clock shows. */
export type ClockFace = {
/** Seconds left. */ left: number,
/** Byo-yomi periods left; 0 with other clocks. */ periods: number, running: boolean, };

/** The kind of clock, the same for both players. */
export type ClockKind = { "kind": "none" } | { "kind": "absolute", main: Seconds, } | { "kind": "fischer", main: Seconds, increment: Seconds, } | { "kind": "byoyomi", main: Seconds, period: Seconds, count: number, };

/** The kind of clock, and what the clocks show, if there are any. */
export type ClockState = { white?: ClockFace, red?: ClockFace, } & ({ "kind": "none" } | { "kind": "absolute", main: Seconds, } | { "kind": "fischer", main: Seconds, increment: Seconds, } | { "kind": "byoyomi", main: Seconds, period: Seconds, count: number, });

/** A colour. White moves first. In JSON it is `"white"` or `"red"`. */
export type Color = "white" | "red";

/** What a move that is not yet played gives away. */
export type Considered = {
/** The node before it. */ node: number, move: Move, best: Move,
/** The loss against the best move, in win rate and points; never below 0. */ winrate: number, points: number,
/** Whether the move deserves a warning: it is what a review calls a blunder, or an inaccuracy of two points or more. */ blunder: boolean,
/** What the best move does. */ why: Array<Purpose>, };

/** How a game ended. */
export type EndedBy = "score" | "resignation" | "time" | "forfeit" | "agreement";

/** A session in the list of games: its main line through the current node. */
export type Entry = { board: Size, players: ByColor<Seat>, level: Strength, turns: number, result: GameEnd | null, };

/** A question about an exercise, besides the requests of a game. */
export type ExerciseRequest = { exercise: string,
/** The moves and answers already played. */ line?: Array<Move>, } & ({ "type": "open" }
  | { "type": "seconds", first: Cell, }
  | { "type": "why" } & Why
  | { "type": "play", move: Move, }
  | { "type": "show" });

/** All lessons and puzzles, for the page's lists. */
export type Exercises = { lessons: Array<LessonEntry>, games: Array<AnnotatedGame>, puzzles: Array<PuzzleEntry>, };

/** The expected result and lead of one side. */
export type Expectation = {
/** The expected result, 0 (loss) to 1 (win). */ winrate: number,
/** The expected lead in points. */ scoreLead: number, };

/** A format of records, with its title by language. */
export type FormatEntry = { name: string, extension: string, title: { [key in string]: string }, };

/** The result of a game. */
export type GameEnd = { winner: Winner,
/** The result in the notation of records, such as `W+5`. */ text: string, by: EndedBy,
/** The reason for an engine's forfeit. */ detail: string | null,
/** The side whose pass ended the game. */ passed: Color | null, };

/** The goal of a puzzle for the person who solves it. */
export type Goal = "win" | "draw" | "most";

/** The grade of a bad move. */
export type Grade = "inaccuracy" | "mistake" | "blunder";

/** Why a move, or a position that was set up by hand, is illegal. */
export type Illegal = {
/** The move or cell in question; null where the position as a whole breaks a rule. */ move: string | null,
/** The rule that is broken, in one line of English. */ text: string,
/** The cells concerned, that of the move first. */ cells: Array<Cell>, mended?: Array<Mended>, } & (IllegalMove | SetupError);

/** Why a move is illegal: the rule that it breaks, and the cells. In JSON it is an object with the variant's name as `code` and its fields as `data`. */
export type IllegalMove = { "code": "game_over" }
  | { "code": "not_your_turn", "data": {
/** The side to move. */ to_move: Color, } }
  | { "code": "off_board", "data": {
/** A cell of a larger board. */ cell: Cell,
/** The size of this board. */ size: Size, } }
  | { "code": "same_cell", "data": {
/** The cell that is named twice. */ cell: Cell, } }
  | { "code": "occupied", "data": {
/** The cell of the move. */ cell: Cell,
/** The colour of the tile on it. */ color: Color, } }
  | { "code": "blocked", "data": {
/** The cell of the move. */ cell: Cell,
/** A bridge that spans the cell, the first of several. */ bridge: string, } }
  | { "code": "group_too_large", "data": {
/** The cell of the tile. */ cell: Cell,
/** The size that the group would have, 5 or more. */ tiles: number, } }
  | { "code": "touches_island", "data": {
/** The cell of the tile. */ cell: Cell,
/** The island's tile that is touched. */ island: Cell,
/** Whether `cell` and `island` share a side, so that the tile would be the island's fifth. */ beside: boolean, } }
  | { "code": "island_touches", "data": {
/** The cell of the tile. */ cell: Cell,
/** The tile that the island would touch by a corner. */ tile: Cell, } }
  | { "code": "no_tiles_left", "data": {
/** The side to move. */ color: Color,
/** The number of tiles left to the side to move, 0 or 1. */ left: number, } }
  | { "code": "no_bridges_left" }
  | { "code": "no_bridge_shape", "data": {
/** The two cells, the smaller first. */ ends: string, } }
  | { "code": "not_your_tile", "data": {
/** The end without such a tile. */ cell: Cell,
/** The colour of the tile that is needed. */ color: Color, } }
  | { "code": "carries_bridge", "data": {
/** The end that is taken. */ cell: Cell,
/** The bridge it carries. */ bridge: string, } }
  | { "code": "tile_under_bridge", "data": {
/** The bridge's ends. */ ends: string,
/** The first tile that is in the way, of either colour. */ tile: Cell, } }
  | { "code": "crosses_bridge", "data": {
/** The bridge's ends. */ ends: string,
/** The bridge that is crossed. */ other: string, } }
  | { "code": "pass_not_allowed", "data": {
/** The first legal placement, in notation order. */ example: Move, } }
  | { "code": "no_second_tile", "data": {
/** The cell of the first tile. */ cell: Cell, } }
  | { "code": "no_bridge_from", "data": {
/** The cell of the tile. */ cell: Cell, } }
  | { "code": "swap_not_allowed" };

/** The choices that a page offers: the answer to `/api/info`. */
export type Info = { version: string,
/** The names of the engines that may play. */ engines: Array<string>, sizes: Array<Size>,
/** Whether links to the host work on this machine only. */ private: boolean,
/** The formats of records. */ formats: Array<FormatEntry>,
/** The opponents for people, by language. */ levels: Array<{ [key in string]: LevelText }>, limits: Limits, };

/** An island and its four cells. */
export type Island = { player: Color, cells: Array<Cell>, };

export type Kind = "review";

/** A move and the colour that made it. */
export type LastMove = { move: Move, player: Color | null, };

/** The steps with which a turn may begin. */
export type LegalSteps = {
/** The cells where the first tile may be placed. */ cells: Array<Cell>, bridges: Array<Site>, pass: boolean, swap: boolean, };

/** A lesson in the list, with the texts of its tasks. */
export type LessonEntry = { id: string, title: { [key in string]: string }, tasks: Array<TaskTexts>, };

/** An opponent for people in one language. */
export type LevelText = { name: string, character: string, };

/** The longest time and the most iterations of a turn. */
export type Limits = { time: Seconds, playouts: number, };

/** The id by which two devices know the game that they play by links. */
export type LinkId = string;

/** A game with a friend by links. */
export type LinkState = { game: LinkId,
/** Whether the friend has received the game as it stands. */ sent: boolean, };

/** The loss of a move against the best one, 0 or more. */
export type Loss = {
/** The win rate lost, 0 to 1. */ winrate: number,
/** The points of lead lost. */ points: number, };

/** A fault of a record that was mended, because its meaning is clear. */
export type Mended = {
/** The kind of fault, such as `missing_parenthesis`. */ code: string,
/** The place and the fault, in one line of English. */ text: string, };

/** A message from a session: to all pages, or in answer to one. */
export type Message = { "type": "state" } & TableState
  | { "type": "view", game: number,
/** The node. */ current: number,
/** Who plays which colour at the current node: a swap exchanges them. */ players: ByColor<Seat>,
/** The nodes of the main line through it. */ main: Array<number>,
/** The result at the end of `main`, if the game ended there. */ end: GameEnd | null, position: NodePosition, }
  | { "type": "seconds", first: Cell, cells: Array<Cell>, }
  | { "type": "illegal" } & Illegal
  | { "type": "legal",
/** The move or cell that was asked about; missing after `check`. */ move?: string,
/** After `check`: the islands of the position. */ islands?: Array<Island>, mended?: Array<Mended>, }
  | { "type": "played", node: number, }
  | { "type": "seat",
/** 1 opened as White, 2 as Red; null for a browser that watches. */ seat: number | null,
/** The key of the invitation, for the browser that made it. */ key: Token | null, }
  | { "type": "searching", node: number, }
  | { "type": "hint", node: number, move: Move,
/** What the move does, the most important purpose first. */ why: Array<Purpose>, }
  | { "type": "considered" } & Considered
  | { "type": "retry" } & Retried
  | { "type": "thinking", player: Color, } & ({ queued: boolean, } | { winrate: number, lead: number, visits: number,
/** The best move so far. */ move: Move | null, })
  | { "type": "analysis", node: number,
/** Whether the analysis has ended. */ finished: boolean,
/** The position as text. */ position: string,
/** The side to move. */ to_move: Color,
/** The position as a whole. */ root: RootInfo,
/** The visited moves: the engine's choice first, the others sorted by proved bounds, then by visits. */ moves: Array<Candidate>,
/** Ownership of cells and bridge sites, if requested. */ ownership?: Ownership | null, }
  | { "type": "clock",
/** Periods left. */ periods: ByColor<number>,
/** The side whose clock runs. */ running: Color | null, white: number, red: number, }
  | { "type": "verdict", right: boolean, move: Move,
/** The state after the move. */ state: TableState,
/** The opponent's best reply, where one is known: after a right move the one that resists longest, after a wrong move its refutation. */ reply: Move | null,
/** The state after the reply. */ then: TableState | null,
/** Whether another move has to be found, after the reply. */ goes_on: boolean, } & ({
/** White's value with best play before the move; null if it is not known. */ before: Value | null,
/** White's value with best play after the move; null if only the winner is known. */ after: Value | null, winner: Winner | null, theme: Theme, } | {
/** The win rate after the move and after the best move, of the side that makes it. */ winrate: number, best: number, theme: Theme, } | Record<symbol, never>)
  | { "type": "show", right: Array<Move>, why: Array<Array<Purpose>>, }
  | { "type": "error", text: string,
/** Why a text could not be loaded. */ unread?: Unread, }
  | { "type": "pong" } | ReviewMessage;

export type Move = string;

/** Groups that bridges join, with the islands among them and what these are worth. */
export type Network = { player: Color, islands: number, points: number,
/** All its tiles, those of sandbanks too. */ cells: Array<Cell>, };

/** A new game. Missing players and level stay as they are. Other missing fields are those of the published game. */
export type NewGame = { board?: Size, supply?: Supply, pie?: boolean, players?: ByColor<Seat>, level?: Strength, clock?: ClockKind,
/** The id of a game with a friend by links; missing in any other game. */ link?: LinkId, };

/** The position at a node. */
export type NodePosition = {
/** The number of the next turn. */ turn: number,
/** The move that led to it. */ last: LastMove | null,
/** The result if the game ended there. */ result: GameEnd | null, text: string, to_move: Color, status: Stage, tiles: ByColor<Array<Cell>>, bridges: Array<Bridge>, islands: Array<Island>,
/** The networks that have islands; the others are worth nothing. */ networks: Array<Network>, score: ByColor<Score>, supply: SupplyLeft,
/** The cells where a tile of each colour may still be placed. */ candidates: ByColor<Array<Cell>>, legal: LegalSteps, };

/** What the players of a shared session offer each other. */
export type Offer = "draw" | "takeback" | "rematch";

/** An offer that is not yet answered. */
export type OfferState = {
/** The player who made it, by their colour where the game stands. */ player: Color, offer: Offer, };

/** The probabilities that a cell ends up in an island and that a bridge site is built on. */
export type Ownership = { white: { [key in Cell]: number }, red: { [key in Cell]: number }, bridges: Array<BridgeChances>, };

export type Part = string;

/** The summary of each colour's turns. After a swap the players have changed colours, so a colour may stand for two players. */
export type Players = {
/** White's turns. */ white: Summary,
/** Red's turns. */ red: Summary, };

/** One thing that a move does. In JSON an object with `player`, `by`, `code` and the fields of the aim. */
export type Purpose = {
/** The side that moves. */ player: Color,
/** The part of the move that serves the purpose. */ by: Part, } & ({ "code": "completes",
/** The number of islands that are completed. */ count: number,
/** The cells of these islands, which were no islands before. */ cells: Array<Cell>,
/** Whether a turn of the opponent instead of the move leaves the player none that makes one of these islands of the tiles which were there. */ urgent: boolean, }
  | { "code": "joins",
/** The points of the network, less those that its parts had before and one for each new island. */ points: number,
/** The islands of the network. */ islands: number,
/** Whether a turn of the opponent instead of the move leaves the player none that joins these networks. */ urgent: boolean, }
  | { "code": "stops",
/** The bridge. */ bridge: Site,
/** The points it was worth. */ points: number, }
  | { "code": "denies",
/** A tile of the sandbank. */ cell: Cell,
/** The points that the island was worth. */ points: number, }
  | { "code": "hinders",
/** One of the bridges that it stops, or the island. */ target: Target,
/** The number of ways that it takes. */ lost: number,
/** The number of ways left: bridges that join these networks, or cells that complete the island. */ left: number, }
  | { "code": "burns",
/** A tile of the sandbank. */ cell: Cell,
/** The number of tiles of the sandbank. */ tiles: number, }
  | { "code": "prepares",
/** The bridge, or one of them. */ bridge: Site,
/** The points it is worth. */ points: number,
/** The number of bridges that join these networks. */ ways: number,
/** Whether one of these bridges is possible after every turn of the opponent. */ sure: boolean, }
  | { "code": "raises",
/** The bridge, or one of them, or the island. */ target: Target,
/** The points it is worth now. */ points: number,
/** Whether the gain is possible, for these points, after every turn of the opponent. */ sure: boolean, }
  | { "code": "forks",
/** The two that are worth most. */ targets: [Target, Target], }
  | { "code": "grows",
/** A tile of the sandbank. */ cell: Cell,
/** The number of tiles of the sandbank now, 2 or 3. */ tiles: number,
/** The cells where a fourth tile would complete the island. */ cells: Array<Cell>,
/** Whether one of these cells completes it after every turn of the opponent. */ sure: boolean, }
  | { "code": "links",
/** The groups it links: the tiles under the ends of the bridge. */ cells: [Cell, Cell],
/** The islands of the network. */ islands: number,
/** The points of one more island of the network, if there are islands and one of its sandbanks can become one. */ points: number | null, }
  | { "code": "reaches",
/** The bridge. */ bridge: Site,
/** The tile of the other group. */ cell: Cell,
/** The number of islands of the other group's network. */ islands: number, }
  | { "code": "cuts",
/** The bridge. */ bridge: Site, }
  | { "code": "crowds",
/** A tile of the sandbank. */ cell: Cell,
/** The cells left beside it where the opponent may place a tile, at least one. */ left: number, }
  | { "code": "closes",
/** The number of cells that are closed. */ count: number,
/** The number of such cells that are left. */ left: number, }
  | { "code": "tempo" }
  | { "code": "supply",
/** The bridges left. */ left: number, }
  | { "code": "centre" }
  | { "code": "space",
/** The cells at a distance of one and two where the player's next turn may place a tile, at least one. */ free: number, }
  | { "code": "waits",
/** The bridge or the island. */ target: Target,
/** The points it is worth. */ points: number, }
  | { "code": "allows",
/** The answer. */ reply: Move,
/** What the answer does: one purpose. */ why: Array<Purpose>, }
  | { "code": "swap" }
  | { "code": "pass",
/** Whether a bridge could be built. */ bridges: boolean,
/** Whether the pass ends the game. */ ends: boolean, });

/** A puzzle or a tactic in the list. */
export type PuzzleEntry = { id: string, kind: PuzzleKind, theme: Theme,
/** From 1, the easiest. */ difficulty: number,
/** Null for a tactic, where the best move is to be found. */ goal: Goal | null, board: Size, to_move: Color,
/** White's value with best play; null for a tactic. */ value: Value | null,
/** The number of right moves. */ right: number,
/** How many moves have to be found, one after the other. */ turns: number, };

/** Who judges: the solver, or searches. */
export type PuzzleKind = "puzzle" | "tactic";

/** A record and the warnings of its reader, or why the text is not a record. */
export type ReadText = string | { base64: string, };

/** A request of a page. */
export type Request = { "type": "new" } & NewGame
  | { "type": "settings", players?: ByColor<Seat>, level?: Strength, }
  | { "type": "play", move: Move,
/** The node before it; the current one if missing. */ node?: number,
/** Whether to play it as a variation: the game stays as it is, and the answer is `played`. */ aside?: boolean, }
  | { "type": "view", node: number, }
  | { "type": "seconds", first: Cell, node?: number, }
  | { "type": "why" } & Why
  | { "type": "check", text: ReadText, }
  | { "type": "hint", node?: number, }
  | { "type": "consider", move: Move, node?: number, }
  | { "type": "retry", node: number, move: Move, }
  | { "type": "rematch", level?: Strength, }
  | { "type": "goto", node: number, }
  | { "type": "undo" }
  | { "type": "delete", node: number, }
  | { "type": "resign", player: Color, }
  | { "type": "move_now", node?: number, }
  | { "type": "analyze", on: boolean,
/** Whether to include who will probably have each cell. */ ownership?: boolean,
/** The most moves to list, 10 if missing. */ multi?: number,
/** The node; if missing, the analysis follows the current one. */ node?: number, }
  | { "type": "review" } & ReviewRequest
  | { "type": "load", text: ReadText,
/** The name of the file. */ name?: string, players?: ByColor<Seat>, level?: Strength, play?: boolean, }
  | { "type": "continue", moves: Array<Move>, resigned?: Color, }
  | { "type": "sent", node: number, }
  | { "type": "invite", token: Token, key: Token, player: Color, }
  | { "type": "enter", token: Token, key?: Token, }
  | { "type": "free", player: Color, key: Token, }
  | { "type": "offer", offer: Offer, }
  | { "type": "decline" }
  | { "type": "ping" };

/** A move that was tried again, compared with the reviewed one. */
export type Retried = {
/** The node before and the node after it. */ from: number, node: number, player: Color, move: Move, played: Move, best: Move, verdict: Verdict,
/** The gain over the move that was played, in win rate and points. */ winrate: number, points: number, why: Array<Purpose>, };

/** The message `review`, which is also saved once it is finished. */
export type ReviewMessage = { type: Kind, done: number, total: number, turns: Array<TurnMessage>, summary: Players,
/** The numbers of the turns that lost most. */ worst: Worst,
/** The node at the end of the reviewed line. */ end: number, finished: boolean, };

/** A review to start or to stop. */
export type ReviewRequest = { cancel?: boolean,
/** The limit of each search, in iterations or as a time; not both. */ playouts?: number, time?: Seconds,
/** A node of the line; the current one if missing. */ node?: number,
/** Whether to start no review if one is running, or if one of the same line is finished. */ once?: boolean, };

/** A review in progress, of the main line through this node. */
export type Reviewing = { node: number, };

/** What the engine thinks of a position as a whole. */
export type RootInfo = {
/** Expected result, 0 to 1. */ winrate: number,
/** Expected lead in points. */ scoreLead: number,
/** Visits of the position, those of earlier searches included. */ visits: number,
/** The proved result with best play. */ solved: Value | null,
/** The proved winner. */ winner: Color | null, };

/** The rules of a game that are agreed before it starts. */
export type Rules = {
/** The size of the board. */ board: Size,
/** How many tiles and bridges there are. */ supply: Supply,
/** Whether the pie rule is on: Red may swap after White's first turn. */ pie: boolean, };

/** The score of one colour. The order decides the game: points, then islands, then bridges. */
export type Score = {
/** The sum of n(n+1)/2 over all networks, where n is the number of islands. */ points: number,
/** Groups of exactly four tiles. */ islands: number,
/** Bridges built, those within a network included. */ bridges: number, };

/** Who has a seat: a human, a friend who plays on another device by links, or the engine of that name. */
export type Seat = string;

/** A length of time in seconds: finite, not negative, at most a year. */
export type Seconds = number;

/** Why a [`Setup`] is not a legal position. In JSON it has the form of [`IllegalMove`]; for a tile or a bridge, it is the rule that the tile or bridge breaks. */
export type SetupError = { "code": "too_many_tiles", "data": {
/** The colour that has too many. */ color: Color,
/** The number of tiles of the colour on the board. */ tiles: number,
/** The number of tiles of a colour at the start of a game. */ supply: number, } }
  | { "code": "too_many_bridges", "data": {
/** The bridges of both colours on the board. */ bridges: number,
/** The bridges at the start of a game. */ supply: number, } }
  | { "code": "pie_is_off" }
  | { "code": "not_after_first_turn" }
  | { "code": "last_turn_is_reds" };

/** The seats of a shared session, by the colours where the game stands. */
export type SharedState = {
/** Whether somebody has the seat. */ taken: ByColor<boolean>,
/** The offer that is not yet answered; null if there is none. */ offer: OfferState | null, };

export type Site = string;

/** The edge length of a square board, 4 to 12 cells. */
export type Size = number;

/** The stage of the game. In JSON it is one of the words of `ponte-status`. */
export type Stage = "open" | "pie" | "normal" | "last" | "over";

/** How the engines play: a bound on each move, or the built-in engine as an opponent for people. */
export type Strength = { time: Seconds, } | { playouts: number, } | { level: number, };

/** The summary of a colour's turns. Forced turns do not count. */
export type Summary = {
/** The number of turns. */ turns: number,
/** The mean loss. */ loss: Loss,
/** The number of inaccuracies. */ inaccuracies: number,
/** The number of mistakes. */ mistakes: number,
/** The number of blunders. */ blunders: number,
/** The mean accuracy in percent; `None` without a turn. The accuracy of a turn is 100·e^(−4·loss), where loss is its loss of win rate. */ accuracy: number | null, };

export type Supply = string;

/** The tiles and bridges that may still be used; null without a limit. */
export type SupplyLeft = { bridges: number | null, white: number | null, red: number | null, };

/** A session with its game, for pages that show the current node. */
export type TableState = {
/** The session's id. */ session: string,
/** Increases with every `state` since the session was opened. */ revision: number,
/** Increases with every new game and is saved with it. */ game: number, rules: Rules, level: Strength, clock: ClockState, tree: Array<TreeNode>,
/** The node from which the game continues; null while it is paused. */ tip: number | null,
/** Whether the game continues at `tip`: it is neither paused nor over there. */ live: boolean,
/** How a game by links stands; null in any other game. */ link: LinkState | null,
/** The seats of a session that people share by an invitation; null in any other. */ shared: SharedState | null,
/** The engine that thinks about its turn; null if none does. */ thinking: Thinking | null,
/** Whether an analysis is on. */ analysis: boolean,
/** The review in progress; null if there is none. */ review: Reviewing | null,
/** Why the session cannot be saved at present; null while it can. */ unsaved: string | null,
/** In the answer to `load`: what was mended. */ mended?: Array<Mended>,
/** The node. */ current: number,
/** Who plays which colour at the current node: a swap exchanges them. */ players: ByColor<Seat>,
/** The nodes of the main line through it. */ main: Array<number>,
/** The result at the end of `main`, if the game ended there. */ end: GameEnd | null, position: NodePosition, };

/** A thing that is threatened or waits. */
export type Target = {
/** The bridge, or one of them. */ bridge: Site,
/** The number of bridges that join the same networks. */ ways: number, } | {
/** One of its tiles. */ cell: Cell, };

/** What the page says about a task. */
export type TaskTexts = {
/** The idea and the task. */ task: { [key in string]: string },
/** After a right move. */ done: { [key in string]: string },
/** After a legal move that misses the goal. */ miss: { [key in string]: string }, };

/** What the right moves of a position do. A move that does several things has the first matching theme in this order. The theme's name in the file, and in the key of its text on the page, is in lower case. */
export type Theme = "supply" | "block" | "link" | "tempo" | "connect" | "fork" | "both" | "cut" | "deny" | "burn" | "complete" | "prepare" | "space" | "quiet";

/** An engine that thinks for a player. */
export type Thinking = { player: Color, engine: string, };

/** A secret of a browser, or the key of an invitation: 16 to 64 letters a to z and digits. It is never printed; its `Debug` form hides it. */
export type Token = string;

/** A node of the game tree. */
export type TreeNode = { node: number, parent: number | null,
/** The move to it; missing at the start. */ move?: Move,
/** Who made the move that led to the node; missing at the start. */ player?: Color,
/** The number of the move's turn; missing at the start. */ turn?: number,
/** White's expected result and lead, where known. */ winrate?: number, lead?: number,
/** The record's comment on the move, or at the start on the game. */ comment?: string, };

/** A reviewed turn. Its win rates and leads are those of the player. */
export type TurnMessage = { turn: number,
/** The node after the turn. */ node: number, player: Color, move: Move, best: Move, pv: Array<Move>, grade: Grade | null, loss: Loss, solved: Value | null,
/** The winner, if proved; missing in files of older versions. */ winner: Color | null,
/** The values after the played move and after the best one. */ played: Expectation, bestPlayed: Expectation, why: Array<Purpose>,
/** The expected result, 0 (loss) to 1 (win). */ winrate: number,
/** The expected lead in points. */ scoreLead: number, };

/** Why a text could not be loaded, in a form that a page can translate. */
export type Unread = { "code": "empty", }
  | { "code": "binary", }
  | { "code": "other_game", game: string, }
  | { "code": "place", line: number, column: number,
/** The faulty value as the text has it; null where something is missing. */ found: string | null, }
  | { "code": "turn", turn: number, why: Illegal, }
  | { "code": "start", why: Illegal, }
  | { "code": "record", };

export type Value = string;

/** The judgement of a move that was tried again: compared with the best one first, then with the one that was played. Differences smaller than an inaccuracy do not count. */
export type Verdict = "best" | "good" | "better" | "similar" | "worse" | "same";

/** Asks why a move (`move`), a tap on a cell (`cell`), a second tile after a first (`first` and `cell`) or the beginning of a bridge (`from`) is illegal. */
export type Why = {
/** A whole move; excludes `cell`, `first` and `from`. */ move?: Move,
/** A tap on a cell for the first tile, or for the second one if `first` is given. */ cell?: Cell, first?: Cell,
/** The end at which a bridge was begun; excludes `move`, `cell` and `first`. */ from?: Cell, node?: number, };

/** Who has won a game. */
export type Winner = "white" | "red" | "draw";

export type Worst = { white: Array<number>, red: Array<number>, both: Array<number>, };
