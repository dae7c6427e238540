// The engine's levels: names and characters of opponents for people.

/** The levels from 1 on, in the page's language. */
export function opponents({ info, language }) {
  return (info?.levels ?? []).map((level) => level[language] ?? level.en);
}

/** The name of an engine that plays: of a level, if it is one. */
export function engineName(state, player) {
  const { players, level } = state.game;
  const opponent = players[player] === "pontifex" && opponents(state)[(level?.level ?? 0) - 1];
  return opponent ? `${opponent.name} (${level.level})` : players[player];
}
