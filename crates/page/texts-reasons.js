// The purposes of moves, in whole sentences: `purpose.CODE` with the form that fits the
// values. `{by}` is the move or one of its tiles. Also why a game has ended.

/** @type {Record<string, [string, string, string]>} */
export const REASONS = {
  pointOne: ["1 point", "1 Punkt", "1 point"],
  pointMany: ["{points} points", "{points} Punkte", "{points} points"],
  targetBridge: ["the bridge {bridge}", "die Brücke {bridge}", "le pont {bridge}"],
  targetBridges: ["a bridge such as {bridge}", "eine Brücke wie {bridge}", "un pont comme {bridge}"],
  targetIsland: ["the island at {cell}", "die Insel bei {cell}", "l’île en {cell}"],
  "passed.red": ["Red passed, so the game is over.", "Rot hat gepasst, also ist die Partie zu Ende.", "Rouge a passé : la partie est finie."],
  "passed.white": ["White passed and Red has had the last turn, so the game is over.", "Weiß hat gepasst, und Rot hatte den letzten Zug: Die Partie ist zu Ende.", "Blanc a passé et Rouge a joué le dernier tour : la partie est finie."],
  "purpose.completes": ["{by} completes {player}’s island at {at}.", "{by} vollendet die Insel von {player} bei {at}.", "{by} achève l’île de {player} en {at}."],
  "purpose.completesMany": ["{by} completes {count} islands for {player}.", "{by} vollendet {count} Inseln von {player}.", "{by} achève {count} îles de {player}."],
  "purpose.urgent": ["Otherwise {opponent} could prevent it.", "Sonst könnte {opponent} das verhindern.", "Sinon, {opponent} pourrait l’empêcher."],
  "purpose.joins": ["{by} joins {islands} islands into one network, for {worth} more.", "{by} verbindet {islands} Inseln in einem Netz und bringt damit {worth} mehr.", "{by} réunit {islands} îles en un réseau et rapporte {worth} de plus."],
  "purpose.stops": ["{by} stops {opponent}’s bridge {bridge}, worth {worth}.", "{by} verhindert die Brücke {bridge} von {opponent}; sie war {worth} wert.", "{by} empêche le pont {bridge} de {opponent}, qui valait {worth}."],
  "purpose.denies": ["{by} keeps {opponent} from completing the island at {cell}, worth {worth}.", "{by} verwehrt {opponent} die Insel bei {cell}; sie war {worth} wert.", "{by} empêche {opponent} d’achever l’île en {cell}, qui valait {worth}."],
  "purpose.hinders": ["{by} takes away one of {opponent}’s ways to get {thing}; {left} are left.", "{by} nimmt {opponent} einen der Wege, {thing} zu bekommen; {left} bleiben.", "{by} ôte à {opponent} un moyen d’obtenir {thing} ; il en reste {left}."],
  "purpose.hindersMany": ["{by} takes away {lost} of {opponent}’s ways to get {thing}; {left} are left.", "{by} nimmt {opponent} {lost} Wege, {thing} zu bekommen; {left} bleiben.", "{by} ôte à {opponent} {lost} moyens d’obtenir {thing} ; il en reste {left}."],
  "purpose.hindersOne": ["{by} leaves {opponent} only one way to get {thing}.", "{by} lässt {opponent} nur noch einen Weg, {thing} zu bekommen.", "{by} ne laisse à {opponent} qu’un moyen d’obtenir {thing}."],
  "purpose.hindersBridge": ["{by} stops {opponent}’s bridge {bridge}; {left} other bridges can still join these networks.", "{by} verhindert die Brücke {bridge} von {opponent}; {left} andere können diese Netze noch verbinden.", "{by} empêche le pont {bridge} de {opponent} ; {left} autres peuvent encore relier ces réseaux."],
  "purpose.hindersBridgeOne": ["{by} stops {opponent}’s bridge {bridge}; only one other can still join these networks.", "{by} verhindert die Brücke {bridge} von {opponent}; nur eine andere kann diese Netze noch verbinden.", "{by} empêche le pont {bridge} de {opponent} ; un seul autre peut encore relier ces réseaux."],
  "purpose.burns": ["{by} closes in {opponent}’s sandbank at {cell}: it can never become an island.", "{by} schließt die Sandbank von {opponent} bei {cell} ein: Sie kann nie mehr eine Insel werden.", "{by} enferme le banc de sable de {opponent} en {cell} : il ne deviendra jamais une île."],
  "purpose.prepares": ["{by} prepares the bridge {bridge}, worth {worth}.", "{by} ermöglicht die Brücke {bridge}, die {worth} wert ist.", "{by} permet le pont {bridge}, qui vaut {worth}."],
  "purpose.preparesMany": ["{by} opens {ways} ways to join networks for {worth}, such as the bridge {bridge}.", "{by} öffnet {ways} Wege, Netze zu verbinden, etwa die Brücke {bridge}; das bringt {worth}.", "{by} offre {ways} moyens de relier des réseaux et de gagner {worth}, comme le pont {bridge}."],
  "purpose.preparesSure": ["{by} makes sure of a bridge worth {worth}, such as {bridge}: {opponent} can no longer stop it.", "{by} sichert eine Brücke, die {worth} bringt, etwa {bridge}: {opponent} kann sie nicht mehr verhindern.", "{by} assure un pont qui vaut {worth}, comme {bridge} : {opponent} ne peut plus l’empêcher."],
  "purpose.raises": ["{by} makes {thing} worth {worth}.", "Durch {by} steigt der Wert: {worth} für {thing}.", "Avec {by}, {thing} vaut {worth}."],
  "purpose.raisesSure": ["{by} makes {thing} worth {worth}, and {opponent} cannot prevent it.", "Durch {by} steigt der Wert: {worth} für {thing}, und {opponent} kann das nicht verhindern.", "Avec {by}, {thing} vaut {worth}, et {opponent} ne peut l’empêcher."],
  "purpose.forks": ["{by} threatens two things at once: {thing} and {other}. {opponent} cannot stop both.", "{by} schafft zwei Drohungen zugleich: {thing} und {other}. Nur eine davon kann {opponent} abwehren.", "{by} crée une double menace : {thing} et {other}. {opponent} ne peut pas empêcher les deux."],
  "purpose.grows": ["{by} builds towards an island at {at}: a tile on {cells} would complete it.", "{by} baut an einer Insel bei {at}: Ein Stein auf {cells} würde sie vollenden.", "{by} prépare une île en {at} : une tuile en {cells} l’achèverait."],
  "purpose.growsSure": ["{by} makes sure of an island at {at}: {opponent} can no longer prevent it.", "{by} sichert eine Insel bei {at}: {opponent} kann sie nicht mehr verhindern.", "{by} assure une île en {at} : {opponent} ne peut plus l’empêcher."],
  "purpose.growsTwo": ["{by} makes a sandbank of two tiles at {at}, half an island.", "{by} macht bei {at} eine Sandbank aus zwei Steinen, eine halbe Insel.", "{by} fait en {at} un banc de sable de deux tuiles, une demi-île."],
  "purpose.links": ["{by} links the sandbanks at {from} and {to}.", "{by} verbindet die Sandbänke bei {from} und {to}.", "{by} relie les bancs de sable en {from} et {to}."],
  "purpose.linksOn": ["{by} links the groups at {from} and {to}, but scores no points yet.", "{by} verbindet die Gruppen bei {from} und {to}; das bringt noch keinen Punkt.", "{by} relie les groupes en {from} et {to}, sans point pour l’instant."],
  "purpose.linksIslands": ["{by} links the groups at {from} and {to}: one more island in this network will bring {worth}.", "{by} verbindet die Gruppen bei {from} und {to}: Eine weitere Insel in diesem Netz bringt {worth}.", "{by} relie les groupes en {from} et {to} : une île de plus dans ce réseau rapportera {worth}."],
  "purpose.reaches": ["{by} can be bridged to the tile on {at} ({bridge}).", "{by} lässt sich mit dem Stein auf {at} durch eine Brücke verbinden ({bridge}).", "Un pont peut relier {by} à la tuile en {at} ({bridge})."],
  "purpose.reachesTwo": ["{by} are two tiles that a bridge can join ({bridge}).", "{by} legt zwei Steine, die sich durch eine Brücke verbinden lassen ({bridge}).", "{by} pose deux tuiles qu’un pont peut relier ({bridge})."],
  "purpose.reachesIsland": ["{by} can be bridged ({bridge}) to {player}’s network at {at}, which has an island.", "{by} lässt sich durch eine Brücke ({bridge}) mit dem Netz von {player} bei {at} verbinden, das eine Insel hat.", "Un pont ({bridge}) peut relier {by} au réseau de {player} en {at}, qui a une île."],
  "purpose.reachesIslands": ["{by} can be bridged ({bridge}) to {player}’s network at {at}, which has {islands} islands.", "{by} lässt sich durch eine Brücke ({bridge}) mit dem Netz von {player} bei {at} verbinden, das {islands} Inseln hat.", "Un pont ({bridge}) peut relier {by} au réseau de {player} en {at}, qui a {islands} îles."],
  "purpose.cuts": ["{by} lies in the way of {opponent}’s bridge {bridge}.", "{by} liegt der Brücke {bridge} von {opponent} im Weg.", "{by} barre le pont {bridge} de {opponent}."],
  "purpose.crowds": ["{by} takes room from {opponent}’s sandbank at {cell}: {left} cells beside it are left.", "{by} engt die Sandbank von {opponent} bei {cell} ein: Neben ihr bleiben {left} Felder.", "{by} serre le banc de sable de {opponent} en {cell} : il lui reste {left} cases voisines."],
  "purpose.crowdsOne": ["{by} takes room from {opponent}’s sandbank at {cell}: only one cell beside it is left.", "{by} engt die Sandbank von {opponent} bei {cell} ein: Neben ihr bleibt nur ein Feld.", "{by} serre le banc de sable de {opponent} en {cell} : il ne lui reste qu’une case voisine."],
  "purpose.closes": ["{by} closes {count} cells to {opponent}, who has {left} left.", "{by} sperrt {count} Felder für {opponent}. Es bleiben: {left}.", "{by} ferme {count} cases à {opponent}. Cases restantes : {left}."],
  "purpose.closesOne": ["{by} closes a cell to {opponent}, who has {left} left.", "{by} sperrt ein Feld für {opponent}. Es bleiben: {left}.", "{by} ferme une case à {opponent}. Cases restantes : {left}."],
  "purpose.tempo": ["{by} uses up no cells: {player} keeps them for later moves.", "{by} verbraucht keine Felder: {player} behält sie für spätere Züge.", "{by} ne prend aucune case : {player} garde les siennes pour plus tard."],
  "purpose.supply": ["{by} takes one of the last bridges; {left} are left.", "{by} nimmt eine der letzten Brücken; {left} bleiben.", "{by} prend un des derniers ponts ; il en reste {left}."],
  "purpose.supplyOne": ["{by} takes the last bridge but one.", "{by} nimmt die vorletzte Brücke.", "{by} prend l’avant-dernier pont."],
  "purpose.supplyNone": ["{by} takes the last bridge.", "{by} nimmt die letzte Brücke.", "{by} prend le dernier pont."],
  "purpose.centre": ["{by} takes a cell in the middle of the board.", "{by} besetzt die Mitte des Bretts.", "{by} occupe le centre du plateau."],
  "purpose.space": ["{by} takes space: {free} cells around it are open.", "{by} gewinnt Raum: {free} Felder ringsum sind offen.", "{by} prend de l’espace : {free} cases autour sont ouvertes."],
  "purpose.spaceOne": ["{by} takes space: one cell around it is open.", "{by} gewinnt Raum: Ein Feld ringsum ist offen.", "{by} prend de l’espace : une case autour est ouverte."],
  "purpose.waits": ["{thing}, worth {worth}, can wait: {opponent} cannot prevent it.", "{thing}, {worth} wert, kann warten: {opponent} kann sie nicht verhindern.", "{thing}, qui vaut {worth}, peut attendre : {opponent} ne peut l’empêcher."],
  "purpose.allows": ["{by} allows {reply}.", "{by} lässt {reply} zu.", "{by} permet {reply}."],
  "purpose.swap": ["Swapping takes over White’s tiles.", "Wer tauscht, übernimmt die weißen Steine.", "Échanger, c’est prendre les tuiles de Blanc."],
  "purpose.pass": ["No other move is possible.", "Ein anderer Zug ist nicht möglich.", "Aucun autre coup n’est possible."],
  "purpose.passBridges": ["Two tiles can no longer be placed; a bridge would be possible, too.", "Zwei Steine lassen sich nicht mehr legen; möglich wäre auch eine Brücke.", "On ne peut plus poser deux tuiles ; un pont serait possible aussi."],
  "purpose.passEnds": ["The pass ends the game at once.", "Passen beendet die Partie sofort.", "La passe met fin à la partie aussitôt."],
};

/**
 * The ending of a purpose's key: it chooses the form that fits the values.
 * @param {{code: string, [name: string]: any}} reason
 */
export function formOf({ code, by, count, lost, left, points, islands, tiles, ways, sure, target, bridges, ends, free }) {
  const endings = {
    completes: () => (count > 1 ? "Many" : ""),
    hinders: () => (target.bridge ? "Bridge" : "") + (left === 1 ? "One" : !target.bridge && lost > 1 ? "Many" : ""),
    prepares: () => (sure ? "Sure" : ways > 1 ? "Many" : ""),
    raises: () => (sure ? "Sure" : ""),
    grows: () => (tiles === 2 ? "Two" : sure ? "Sure" : ""),
    links: () => (points ? "Islands" : islands ? "On" : ""),
    reaches: () => (islands > 1 ? "Islands" : islands ? "Island" : by.includes(",") ? "Two" : ""),
    crowds: () => (left === 1 ? "One" : ""),
    closes: () => (count === 1 ? "One" : ""),
    space: () => (free === 1 ? "One" : ""),
    supply: () => ["None", "One"][left] ?? "",
    pass: () => (ends ? "Ends" : bridges ? "Bridges" : ""),
  };
  return endings[code]?.() ?? "";
}
