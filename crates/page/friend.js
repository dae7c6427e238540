// Games with a friend on another device. By links, without a server: after each move, a link
// with the whole game goes to the friend's device, and another link comes back. Or live, in a
// session that both share after an invitation (`#i=KEY` after its address). The first part of
// this module writes and reads the links; the second is the page's part in such games.
//
// `#f=1;ID;SEAT;RULES;TURNS`: the version; the game's id, the same on both devices; the seat of
// the player who gets the link (1 opened as White); board, pie rule and supply (`10ps`, `8nu`,
// `6p30.9`); the moves (`d4e6`, `d4-f4`, `p`, `s`), joined by dots, or `0`. After a resignation
// the last one is `xw` or `xr`, for White or Red.

import { byId, element, onClick, setText, show } from "./dom.js";
import { humansOf } from "./games.js";
import { opponentOf } from "./geometry.js";
import { browser } from "./memory.js";

/** @import { Color, SentMessage, TableState } from "./messages.d.ts" */
/** @import { ShownGame, State } from "./store.js" */
/** @typedef {{board: number, supply: string, pie: boolean}} Rules */
/** @typedef {{id: string, seat: 1|2, rules: Rules, turns: string[]}} Link `turns` as written in the link */

const PREFIX = "#f=";
const VERSION = "1";
const MOVE = /^(?:([a-l]\d{1,2})(-?)([a-l]\d{1,2})|p|s)$/;
const RESIGNED = /^x[wr]$/;

/** Whether a fragment is a friend's link, good or damaged. @param {string} fragment */
export const isFriendLink = (fragment) => fragment.startsWith(PREFIX);

/** Returns a move as written in links. */
const writeMove = (move) => ({ pass: "p", swap: "s" }[move] ?? move.replace(",", ""));

function readMove(turn) {
  const [, from, dash, to] = turn.match(MOVE);
  return from ? `${from}${dash || ","}${to}` : { p: "pass", s: "swap" }[turn];
}

/** @param {Link} link */
export function writeLink({ id, seat, rules: { board, supply, pie }, turns }) {
  const supplyText = { standard: "s", unlimited: "u" }[supply] ?? supply.replace(",", ".");
  return PREFIX + [VERSION, id, seat, `${board}${pie ? "p" : "n"}${supplyText}`, turns.join(".") || "0"].join(";");
}

/** Removes punctuation that follows a link in a sentence. @param {string} fragment */
export const withoutPunctuation = (fragment) => fragment.replace(/[.,;:!?)\]>"'»”]+$/, "");

/** Reads the link in a fragment; null if it is damaged. @param {string} fragment @returns {Link|null} */
export function readLink(fragment) {
  let text = fragment.slice(PREFIX.length);
  try {
    text = withoutPunctuation(decodeURIComponent(text));
  } catch {
    return null;
  }
  const [version, id, seat, rulesText, turnsText, ...more] = text.split(";");
  const rules = rulesText?.match(/^(\d{1,2})([pn])(s|u|\d{1,3}\.\d{1,3})$/);
  const turns = turnsText === "0" ? [] : (turnsText ?? "").split(".");
  const isValid = version === VERSION && /^[a-z0-9-]{1,40}$/.test(id) && /^[12]$/.test(seat) && rules && !more.length
    && turns.every((turn, n) => MOVE.test(turn) || (RESIGNED.test(turn) && n === turns.length - 1));
  if (!isValid) return null;
  const [, board, pie, supplyText] = rules;
  const supply = { s: "standard", u: "unlimited" }[supplyText] ?? supplyText.replace(".", ",");
  return { id, seat: seat === "1" ? 1 : 2, rules: { board: Number(board), pie: pie === "p", supply }, turns };
}

/**
 * Compares the turns of a link with those of the game on this device.
 * @param {string[]} knownTurns
 * @param {string[]} linkTurns
 * @returns {"same"|"newer"|"older"|"other"}
 */
export function compareTurns(knownTurns, linkTurns) {
  const [shorter, longer] = knownTurns.length < linkTurns.length ? [knownTurns, linkTurns] : [linkTurns, knownTurns];
  if (shorter.some((turn, n) => turn !== longer[n])) return "other";
  return shorter.length === longer.length ? "same" : shorter === knownTurns ? "newer" : "older";
}

/** Where this device's games by links are stored: sessions and turns by game id. */
const GAMES_KEY = "pontifex.friends";
const MAX_GAMES = 100;
/** @returns {Record<string, {session: string, turns: string}[]>} */
const storedGames = () => browser.readJson(GAMES_KEY) ?? {};
const splitTurns = (turns) => (turns ? turns.split(".") : []);

/**
 * Returns the session whose game the link continues, equals or is behind; null if there is none.
 * @param {string} fragment
 * @returns {string|null}
 */
export function sessionOf(fragment) {
  const link = readLink(fragment);
  const stored = (link && storedGames()[link.id]) ?? [];
  const matching = ["newer", "same", "older"].flatMap((relation) =>
    stored.filter(({ turns }) => compareTurns(splitTurns(turns), link.turns) === relation));
  return matching[0]?.session ?? null;
}

/** Returns the turns of the game as written in links. @param {TableState} final */
function linkTurnsOf({ tree, tip, end }) {
  const nodes = new Map(tree.map((node) => [node.node, node]));
  const turns = [];
  for (let node = nodes.get(tip); node?.move; node = nodes.get(node.parent)) turns.unshift(writeMove(node.move));
  if (end?.by === "resignation") turns.push(end.winner === "white" ? "xr" : "xw");
  return turns;
}

/** Returns the seat of this device: 1 for the player who opened as White. @param {TableState} final */
function seatOf(final) {
  const isSwapped = linkTurnsOf(final).includes("s");
  return (final.players.white === "human") !== isSwapped ? 1 : 2;
}

/** Whether the players use different devices. @param {ShownGame} game */
export const isRemote = (game) => Boolean(game?.link || game?.shared);

/**
 * Returns the players of a shared game as this page sees them: "human" for its own seat,
 * "friend" for the other. A spectator has no seat.
 * @param {TableState} final the game
 * @param {{current: number, players: TableState["players"]}} view the node shown
 * @param {State["seat"]} ownSeat
 */
export function playersFor({ shared, session, game, tree }, { current, players }, ownSeat) {
  if (!shared) return players;
  const nodes = new Map(tree.map((node) => [node.node, node]));
  let isSwapped = false;
  for (let node = nodes.get(current); node?.move; node = nodes.get(node.parent)) isSwapped ||= node.move === "swap";
  const seat = ownSeat?.session === session && ownSeat.game === game ? ownSeat.seat : null;
  const who = (first) => (seat === (first ? 1 : 2) ? "human" : "friend");
  return { white: who(!isSwapped), red: who(isSwapped) };
}

/** Whether this page only watches a shared game. @param {ShownGame} game */
const isWatching = (game) => Boolean(game?.shared) && !humansOf(game.players).length;

/** Whether a seat of a shared game is still free. @param {ShownGame} game */
const hasFreeSeat = (game) => Boolean(game?.shared) && !(game.shared.taken.white && game.shared.taken.red);

/** Whether the friend is to move in the position shown. @param {ShownGame} game */
export const isFriendToMove = (game) =>
  isRemote(game) && game.live && game.tip === game.current && game.players[game.position.to_move] === "friend";

/** Whether the link with the current state still has to be sent. @param {ShownGame} game */
const isLinkDue = (game) =>
  Boolean(game?.link && !game.link.sent) && (!game.live || game.final.players[game.final.position.to_move] === "friend");

/** Whether the last move can be taken back; in a game by links, only until it is sent. @param {ShownGame} game */
export function mayUndo(game) {
  if (!isRemote(game)) return true;
  // The other player is asked first.
  if (game.shared) return game.live && !isWatching(game) && game.final.tree.length > 1;
  const { players, position: { last }, end } = game.final;
  if (game.link.sent || !last || end?.by === "resignation") return false;
  return players[last.move === "swap" ? opponentOf(last.player) : last.player] === "human";
}

/** Whether the link with the end of the game still has to be sent. @param {ShownGame} game */
export const isEndDue = (game) => isLinkDue(game) && !game.live;

/**
 * Returns the texts while this device is not to move.
 * @param {ShownGame} game
 * @returns {[string, string]} keys of the status and the prompt
 */
export function friendTexts(game) {
  if (isWatching(game)) return ["sideToMove", "liveWatching"];
  if (hasFreeSeat(game)) return ["liveAlone", "liveAlonePrompt"];
  if (game.shared) return ["friendWaiting", "liveWaitingPrompt"];
  if (!isLinkDue(game)) return ["friendWaiting", "friendWaitingPrompt"];
  return ["friendDue", game.tree.length > 1 ? "friendDuePrompt" : "friendInvitePrompt"];
}

/** Creates a random id of a game, or a secret. */
function newId(length = 12) {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => (byte % 36).toString(36)).join("");
}

/** Where this browser's secrets for shared sessions are stored, by session. */
const SEATS_KEY = "pontifex.seats";
const INVITATION_PREFIX = "#i=";
const newSecret = () => newId(26);

/** Returns the id of a rematch, the same on both devices. */
function nextId(id) {
  const [base, number] = id.split("-");
  return `${base}-${Number(number ?? 1) + 1}`;
}

/**
 * The offers in a live game, of either player: a draw, a takeback or a rematch. Also frees the
 * other seat.
 * @param {Pick<import("./main.js").Page, "store"|"session"|"say"|"ask">} page
 * @param {(answer: SentMessage) => void} receiveSeat
 */
function createOffers({ store, session, say, ask }, receiveSeat) {
  const acceptButton = element("button", {
    type: "button", id: "offer-yes", class: "main", "data-text": "offerYes", onclick: () => agree(),
  });
  const declineButton = element("button", { type: "button", id: "offer-no", onclick: () => session.ask({ type: "decline" }, () => {}) });
  const offerText = element("span", { id: "offer-text", role: "status" });
  const offerRow = element("div", { class: "row", id: "offer", hidden: true }, offerText, acceptButton, declineButton);
  const drawButton = element("button", {
    type: "button", id: "offer-draw", "data-text": "offerDraw", hidden: true, onclick: () => offer("draw"),
  });
  const freeButton = element("button", { type: "button", id: "friend-free", "data-text": "liveFree", hidden: true, onclick: () => free() });
  byId("resign").after(drawButton, freeButton);
  byId("resign").closest(".actions").prepend(offerRow);

  /** @param {"draw"|"takeback"|"rematch"} kind */
  const offer = (kind) => session.ask({ type: "offer", offer: kind }, () => {});
  const agree = () => offer(store.state.game.shared.offer.offer);
  async function free() {
    const [ownColor] = humansOf(store.state.game.final.players);
    if (ownColor && (await ask("confirmFree"))) session.ask({ type: "free", player: opponentOf(ownColor), key: newSecret() }, receiveSeat);
  }

  store.watch(({ game, seat }) => {
    const isSeated = Boolean(game?.shared) && !isWatching(game);
    const pendingOffer = isSeated && game.shared.offer;
    show(offerRow, pendingOffer);
    if (pendingOffer) {
      const isOwn = game.final.players[pendingOffer.player] === "human";
      setText(offerText, say(`offer.${pendingOffer.offer}${isOwn ? ".own" : ""}`));
      show(acceptButton, !isOwn);
      setText(declineButton, say(isOwn ? "offerWithdraw" : "offerNo"));
    }
    const isPlayed = isSeated && game.live && game.tree.length > 1 && !hasFreeSeat(game);
    show(drawButton, isPlayed && !pendingOffer);
    show(freeButton, isSeated && seat?.key && !hasFreeSeat(game));
  });
  return offer;
}

/** @param {import("./main.js").Page} page */
export function createFriend({ store, session, view, say, ask }) {
  /** @param {"info"|"error"} kind */
  const note = (key, values = {}, kind = "info") => store.note({ message: { kind, key, values } });

  const linkField = element("textarea", { id: "friend-text", rows: 4, readonly: true, "data-label": "friendLink", "data-title": "off" });
  const qrCode = element("img", { id: "friend-code", width: 240, height: 240, "data-label": "friendCode", "data-title": "off" });
  const dialog = element("dialog", { id: "friend-dialog", "aria-labelledby": "friend-title" },
    element("h2", { id: "friend-title", "data-text": "friendLink" }),
    element("p", { class: "quiet", id: "friend-note" }), qrCode, linkField,
    element("div", { class: "row end" },
      element("button", {
        type: "button", id: "friend-copy", "data-text": navigator.share ? "friendSend" : "copy",
        onclick: () => handOver(linkField.value),
      }),
      element("button", { type: "button", class: "main", "data-text": "close", onclick: () => dialog.close() })));
  document.body.append(dialog);

  /** Shows a link, and the QR code of an invitation. */
  function showLink(href, key, image = null) {
    linkField.value = href;
    setText(byId("friend-note"), say(key));
    show(qrCode, image);
    if (image) qrCode.src = image;
    if (!dialog.open) dialog.showModal();
    linkField.select();
  }

  /** Shares a link, or else copies it. Resolves to false if the user cancelled. */
  async function handOver(href) {
    const tell = (key) => (dialog.open ? setText(byId("friend-note"), say(key)) : note(key));
    if (navigator.share) {
      try {
        await navigator.share({ title: say("title"), text: say(store.state.game.final.end ? "friendShareEnd" : "friendShare"), url: href });
        return true;
      } catch (error) {
        if (error.name === "AbortError") return false;
      }
    }
    try {
      await navigator.clipboard.writeText(href);
      tell(store.state.info?.private === false ? "friendCopied" : "copiedLocal");
    } catch {
      // Over plain HTTP, this is the only access to the clipboard.
      if (!dialog.open) showLink(href, "friendCopyHere");
      linkField.select();
      if (document.execCommand("copy")) tell("friendCopied");
    }
    return true;
  }

  async function send() {
    const { game } = store.state;
    if (game?.shared) return invite();
    if (!game?.link) return;
    const { final } = game;
    const address = new URL("./", location.href);
    address.hash = writeLink({
      id: final.link.game, seat: seatOf(final) === 1 ? 2 : 1, rules: final.rules, turns: linkTurnsOf(final),
    });
    if (await handOver(address.href)) session.ask({ type: "sent", node: final.tip }, () => {});
  }

  /** Starts a game by links with this device in the first or the second seat. @param {Rules} rules @param {1|2} seat */
  function begin(rules, seat, id = newId(), onAnswer = (_answer) => {}) {
    const players = seat === 1 ? { white: "human", red: "friend" } : { white: "friend", red: "human" };
    session.askSoon({ type: "new", ...rules, players, link: id, clock: { kind: "none" } }, onAnswer);
  }

  /** Starts a live game, shared with the first person who opens the invitation. @param {Rules} rules @param {1|2} seat */
  function beginLive(rules, seat, clock) {
    session.askSoon({ type: "new", ...rules, players: { white: "human", red: "human" }, clock }, (answer) => {
      if (answer.type !== "state") return;
      const token = ownSecret(true);
      session.ask({ type: "invite", token, key: newSecret(), player: seat === 1 ? "white" : "red" }, (seatAnswer) => {
        receiveSeat(seatAnswer);
        invite();
      });
    });
  }

  /** Returns this browser's secret for the session, or null; `isNew` creates one if needed. */
  function ownSecret(isNew = false) {
    const all = browser.readJson(SEATS_KEY) ?? {};
    if (isNew && !all[session.id()]) {
      const latest = [...Object.entries(all), [session.id(), newSecret()]].slice(-MAX_GAMES);
      browser.writeJson(SEATS_KEY, Object.fromEntries(latest));
    }
    return (browser.readJson(SEATS_KEY) ?? {})[session.id()] ?? null;
  }

  /** Receives this browser's seat from the host. @param {SentMessage} answer */
  function receiveSeat(answer) {
    if (answer.type !== "seat") return;
    const { session: id, game } = store.state.game.final;
    store.set({ seat: { session: id, game, seat: answer.seat, key: answer.key } });
    view.refresh();
  }

  /** Shows the invitation to the free seat. */
  function invite() {
    const { seat } = store.state;
    if (!seat?.key) return;
    const address = new URL("./", location.href);
    address.searchParams.set("session", seat.session);
    address.hash = INVITATION_PREFIX + seat.key;
    const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    showLink(address.href, isLocal ? "liveLocal" : "liveInvite", `api/qr?text=${encodeURIComponent(address.href)}`);
  }

  /** The state in which this page last identified itself to the host. */
  let enteredKey = null;
  store.watch(({ connection, game }) => {
    const final = game?.final;
    const { white, red } = final?.shared?.taken ?? {};
    const stateKey = connection === "open" && final?.shared ? [final.session, final.game, white, red].join() : null;
    if (stateKey === enteredKey) return;
    enteredKey = stateKey;
    const key = location.hash.startsWith(INVITATION_PREFIX) ? withoutPunctuation(location.hash).slice(INVITATION_PREFIX.length) : null;
    const token = stateKey && ownSecret(Boolean(key));
    if (!token) return;
    session.ask({ type: "enter", token, ...(key ? { key } : {}) }, (answer) => {
      receiveSeat(answer);
      if (key) clearAddress();
      if (key && answer.type === "seat" && answer.seat === null) note("liveTaken");
    });
  });

  const offer = createOffers({ store, session, say, ask }, receiveSeat);

  /** Starts a game with the colours exchanged, or opens it if the friend has started it already. */
  async function rematch() {
    const { final } = store.state.game;
    if (final.shared) return offer("rematch");
    if (isEndDue(store.state.game) && !(await ask("friendUnsent"))) return;
    const id = nextId(final.link.game);
    const [existing] = storedGames()[id] ?? [];
    if (existing) location.assign(`?session=${existing.session}`);
    else begin(final.rules, final.players.white === "human" ? 2 : 1, id);
  }

  /** Removes the link from the address, after its game is safe. */
  function clearAddress() {
    const address = new URL(location.href);
    address.hash = "";
    history.replaceState(null, "", address);
  }

  /** Continues the game with the turns of the link. @param {Link} link */
  function continueGame({ turns }, onSuccess = () => {}) {
    const moves = turns.filter((turn) => !RESIGNED.test(turn)).map(readMove);
    const resigned = { xw: "white", xr: "red" }[turns.at(-1)];
    session.ask({ type: "continue", moves, ...(resigned ? { resigned: /** @type {Color} */ (resigned) } : {}) }, (answer) => {
      clearAddress();
      if (answer.type !== "state") note("friendBroken", {}, "error");
      else onSuccess();
    });
  }

  /** Opens the friend's link in the address, if any, in the session found by `sessionOf`. */
  function openLink() {
    if (location.hash.startsWith(INVITATION_PREFIX) && !store.state.game.shared) clearAddress();
    if (!isFriendLink(location.hash)) return;
    const link = readLink(location.hash);
    if (!link) {
      clearAddress();
      return note("friendBroken", {}, "error");
    }
    const { final } = store.state.game;
    if (final.link?.game !== link.id) {
      const isOther = storedGames()[link.id] && !sessionOf(location.hash);
      return begin(link.rules, link.seat, link.id, (answer) => {
        if (answer.type !== "state") return clearAddress();
        continueGame(link, () => isOther && note("friendOther"));
      });
    }
    const relation = compareTurns(linkTurnsOf(final), link.turns);
    if (relation === "newer") return continueGame(link);
    clearAddress();
    if (link.seat !== seatOf(final)) note("friendOwn", { player: humansOf(final.players)[0] });
    else if (relation === "older") note("friendOlder");
  }
  // A link pasted into the address: the page reloads with its game.
  addEventListener("hashchange", () => {
    if (isFriendLink(location.hash)) location.assign(`./${location.hash}`);
    else if (location.hash.startsWith(INVITATION_PREFIX)) location.reload();
  });

  // Stores the session and turns of each game by links.
  store.watch(({ game }) => {
    if (!game?.final?.link) return;
    const { session: id, link } = game.final;
    const all = storedGames();
    const turns = linkTurnsOf(game.final).join(".");
    const stored = all[link.game] ?? [];
    if (stored.some((each) => each.session === id && each.turns === turns)) return;
    delete all[link.game];
    all[link.game] = [{ session: id, turns }, ...stored.filter((each) => each.session !== id)];
    browser.writeJson(GAMES_KEY, Object.fromEntries(Object.entries(all).slice(-MAX_GAMES)));
  });

  store.watch(({ game, seat }) => {
    const button = byId("friend-send");
    const isInvited = hasFreeSeat(game) && seat?.key && seat.session === game.session;
    const isOn = isInvited || (Boolean(game?.link) && (isLinkDue(game) || isFriendToMove(game) || (!game.live && game.link.sent)));
    show(button, isOn);
    if (!isOn) return;
    setText(button, say(isInvited ? "liveSend" : game.link.sent ? "friendAgain" : "friendSend"));
    button.classList.toggle("main", isInvited || !game.link.sent);
  });

  onClick({ "friend-send": send });
  return { begin, beginLive, rematch, offer, openLink };
}
