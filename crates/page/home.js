// The first visit's page: what the game looks like, and the doors into it. With
// a game that goes on, the first door leads back to it.

import { createBoard } from "./board.js";
import { drawing, element, setText, show } from "./dom.js";
import { engineName } from "./opponents.js";

/** A position of a game of the engine against itself. @type {import("./board.js").Scene} */
const SCENE = {
  size: 8,
  tiles: {
    white: ["d7", "e7", "f7", "g7", "a5", "c5", "d5", "e5", "f5", "h5", "h4", "c3", "d3", "f3", "h3", "d2", "f2", "d1", "f1", "g1"],
    red: ["d8", "e8", "g8", "h8", "a7", "b7", "h7", "a6", "b6", "h6", "a4", "b4", "c4", "d4", "f4", "g4", "a2", "b2", "c2", "b1"],
  },
  islands: [
    { player: "white", cells: ["d7", "e7", "f7", "g7"] }, { player: "white", cells: ["c5", "d5", "e5", "f5"] },
    { player: "white", cells: ["c3", "d3", "d2", "d1"] }, { player: "white", cells: ["f3", "f2", "f1", "g1"] },
    { player: "red", cells: ["g8", "h8", "h7", "h6"] }, { player: "red", cells: ["a7", "b7", "a6", "b6"] },
    { player: "red", cells: ["a4", "b4", "c4", "d4"] }, { player: "red", cells: ["a2", "b2", "c2", "b1"] },
  ],
  bridges: [
    ["b4", "b6", "red"], ["b7", "d8", "red"], ["e8", "g8", "red"], ["c5", "d7", "white"], ["d1", "f1", "white"], ["g1", "h3", "white"],
  ].map(([from, to, player]) => ({ from, to, player })),
};

/**
 * @param {import("./store.js").Store} store
 * @param {(key: string, values?: object) => string} say
 * @param {object} progress
 * @param {Record<"resume"|"learn"|"play"|"analyse"|"remember", () => void>} ways
 */
export function createHome(store, say, progress, ways) {
  const picture = drawing("svg", { class: "picture", role: "img" });
  createBoard(picture).draw(SCENE);

  const door = (name, key) => element("button", { type: "button", class: "door", "data-door": name, onclick: ways[name] },
    element("span", { class: `emblem ${name}`, "aria-hidden": "true" }),
    element("strong", { "data-text": key }), element("span", { class: "about", "data-text": `${key}Text` }));
  const resume = door("resume", "doorResume");
  const about = resume.querySelector(".about");
  delete about.dataset.text;
  const [learn, play] = [door("learn", "doorLearn"), door("play", "doorPlay")];
  const done = element("span", { class: "done" });
  learn.querySelector(".about").after(done);
  const title = element("h2", { tabindex: -1 });
  const root = element("main", { class: "home", id: "doors", hidden: true },
    picture,
    element("div", { class: "welcome" },
      title,
      element("p", { class: "lead", "data-text": "homeLead" }),
      element("div", { class: "doors" }, resume, learn, play, door("analyse", "doorAnalyse")),
      element("p", { class: "row" },
        element("a", { class: "button", href: "#daily", "data-text": "doorDaily", onclick: ways.remember }),
        element("a", { class: "button", href: "#puzzles", "data-text": "puzzles", onclick: ways.remember }))));

  function drawDoors() {
    const game = store.state.game?.final;
    const goesOn = Boolean(store.state.game?.live) && !game.end && game.tree.length > 1;
    show(resume, goesOn);
    if (goesOn) {
      const engine = ["white", "red"].find((player) => game.players[player] !== "human");
      const opponent = engine ? engineName({ ...store.state, game }, engine) : say("both");
      setText(about, say("doorResumeText", { opponent, turn: game.position.turn }));
    }
    const count = Object.keys(progress.all.lessons).length;
    setText(done, count ? `✓ ${say("lessonsCount", { count })}` : "");
    // The door that is most likely the right one.
    const first = goesOn ? resume : progress.all.learnt ? play : learn;
    for (const each of [resume, learn, play]) each.classList.toggle("first", each === first);
  }

  store.watch(["game", "language", "info"], drawDoors);
  store.watch(["language"], () => {
    picture.setAttribute("aria-label", say("homePicture"));
    // Each sentence keeps together.
    title.replaceChildren(...say("homeTitle").split(/(?<=\.) /).flatMap((sentence) => [element("span", { text: sentence }), " "]));
    for (const node of root.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  });
  return { root, draw: drawDoors };
}
