// What the rules say of a move, by the host's codes: `why.CODE` is why it is
// illegal, `does.CODE` what it is good for.

/** @type {Record<string, [string, string, string]>} */
export const MOVES = {
  "why.game_over": ["The game is over.", "Das Spiel ist zu Ende.", "La partie est finie."],
  "why.not_your_turn": ["It is {to_move}’s turn.", "{to_move} ist am Zug.", "C’est à {to_move} de jouer."],
  "why.off_board": ["{cell} is not on the board.", "{cell} liegt nicht auf dem Brett.", "{cell} n’est pas sur le plateau."],
  "why.same_cell": ["{cell} is named twice: two different cells are needed.", "{cell} ist zweimal genannt: es braucht zwei verschiedene Felder.", "{cell} est nommée deux fois : il faut deux cases différentes."],
  "why.occupied": ["There is already a {color} tile on {cell}.", "Auf {cell} liegt schon ein Stein von {color}.", "Une tuile de {color} est déjà en {cell}."],
  "why.blocked": ["{cell} lies under the bridge {bridge} and must stay free.", "{cell} liegt unter der Brücke {bridge}: dieses Wasser bleibt frei.", "{cell} est sous le pont {bridge} : cette eau reste libre."],
  "why.group_too_large": ["A tile on {cell} would make a group of {tiles} tiles. The limit is four.", "Ein Stein auf {cell} ergäbe eine Gruppe von {tiles}. Vier Steine sind die Grenze.", "Une tuile en {cell} ferait un groupe de {tiles}. Quatre tuiles sont la limite."],
  "why.touches_island": ["{cell} touches the island at {island}. An island may not touch another tile of its colour, not even at a corner.", "{cell} berührt die Insel bei {island}. Inseln halten Abstand, auch über Eck.", "{cell} touche l’île en {island}. Les îles gardent leurs distances, même aux coins."],
  "why.touches_island.beside": ["A tile on {cell} would be the fifth of the island at {island}. An island has exactly four.", "Ein Stein auf {cell} wäre der fünfte der Insel bei {island}. Eine Insel hat genau vier.", "Une tuile en {cell} serait la cinquième de l’île en {island}. Une île en a exactement quatre."],
  "why.island_touches": ["{cell} would complete an island that touches the tile on {tile}. An island may not touch another tile of its colour, not even at a corner.", "{cell} würde eine Insel vollenden, die den Stein auf {tile} berührt. Inseln halten Abstand, auch über Eck.", "{cell} achèverait une île qui touche la tuile en {tile}. Les îles gardent leurs distances, même aux coins."],
  "why.no_second_tile": ["After a tile there, no second tile could be placed.", "Nach einem Stein dort ließe sich kein zweiter legen.", "Après une tuile à cet endroit, on ne pourrait en poser une seconde."],
  "why.no_tiles_left": ["{color} cannot place two tiles. Tiles left: {left}.", "{color} kann keine zwei Steine legen. Steine übrig: {left}.", "{color} ne peut poser deux tuiles. Tuiles restantes : {left}."],
  "why.no_bridges_left": ["There are no bridges left in the supply.", "Im Vorrat ist keine Brücke mehr.", "Il n’y a plus de pont dans la réserve."],
  "why.no_bridge_shape": ["{ends} is not a bridge: its ends must be two cells apart in a straight or diagonal line, or a knight’s move apart.", "{ends} ist keine Brücke: ihre Enden liegen zwei Felder auseinander, gerade oder schräg, oder einen Rösselsprung.", "{ends} n’est pas un pont : ses bouts sont à deux cases, en ligne ou en diagonale, ou à un saut de cavalier."],
  "why.not_your_tile": ["There is no {color} tile on {cell}.", "Auf {cell} liegt kein Stein von {color}.", "Il n’y a pas de tuile de {color} en {cell}."],
  "why.carries_bridge": ["{cell} already carries the bridge {bridge}. A tile can carry only one.", "{cell} trägt schon die Brücke {bridge}. Ein Stein trägt höchstens eine.", "{cell} porte déjà le pont {bridge}. Une tuile n’en porte qu’un."],
  "why.tile_under_bridge": ["The bridge {ends} would pass over the tile on {tile}.", "Die Brücke {ends} liefe über den Stein auf {tile}.", "Le pont {ends} passerait sur la tuile en {tile}."],
  "why.crosses_bridge": ["The bridge {ends} would cross the bridge {other}.", "Die Brücke {ends} würde die Brücke {other} kreuzen.", "Le pont {ends} croiserait le pont {other}."],
  "why.pass_not_allowed": ["You may not pass while you can place two tiles, for example {example}.", "Passen ist nicht erlaubt, solange sich zwei Steine legen lassen, etwa {example}.", "On ne peut passer tant que deux tuiles peuvent être posées, par exemple {example}."],
  "why.swap_not_allowed": ["Swapping is allowed only in answer to White’s first turn.", "Getauscht werden darf nur als Antwort auf den ersten Zug von Weiß.", "On n’échange qu’en réponse au premier coup de Blanc."],
  "why.too_many_tiles": ["{color} has {tiles} tiles on the board; the supply is {supply}.", "{color} hat {tiles} Steine auf dem Brett; der Vorrat ist {supply}.", "{color} a {tiles} tuiles sur le plateau ; la réserve est de {supply}."],
  "why.too_many_bridges": ["There are {bridges} bridges on the board; the supply is {supply}.", "Auf dem Brett sind {bridges} Brücken; der Vorrat ist {supply}.", "Il y a {bridges} ponts sur le plateau ; la réserve est de {supply}."],
  "why.pie_is_off": ["Red may swap only with the pie rule.", "Tauschen darf Rot nur mit der Tauschregel.", "Rouge ne peut échanger qu’avec la règle du gâteau."],
  "why.not_after_first_turn": ["Red may swap only with two white tiles on the board, nothing else, and Red to move.", "Tauschen darf Rot nur, wenn zwei weiße Steine und sonst nichts liegen und Rot am Zug ist.", "Rouge ne peut échanger qu’avec deux tuiles blanches seules sur le plateau et le trait."],
  "why.last_turn_is_reds": ["The last turn is Red’s: Red must be to move.", "Der letzte Zug gehört Rot: Rot muss am Zug sein.", "Le dernier tour est à Rouge : Rouge doit avoir le trait."],
  "why.no_bridge_from": ["No other tile of this colour is where a bridge from {cell} could end.", "Kein anderer Stein dieser Farbe liegt dort, wo eine Brücke ab {cell} enden könnte.", "Aucune autre tuile de cette couleur n’est là où un pont depuis {cell} pourrait finir."],
  passMove: ["passing", "Passen", "passer"],
  swapMove: ["swapping colours", "Farbentausch", "l’échange des couleurs"],
};
