// All texts of the page in English, German and French. `{name}` stands for a
// value. `why.CODE` is the text for the server's reason CODE.

export const LANGUAGES = ["en", "de", "fr"];

/** @type {Record<string, [string, string, string]>} */
const TABLE = {
  title: ["Ponte del Diavolo", "Ponte del Diavolo", "Ponte del Diavolo"],
  newGame: ["New game", "Neues Spiel", "Nouvelle partie"],
  rules: ["Rules", "Regeln", "Règles"],
  games: ["Games", "Partien", "Parties"],
  turns: ["turns: {count}", "Züge: {count}", "coups : {count}"],
  unfinished: ["not finished", "nicht beendet", "inachevée"],
  gameHere: ["on the board", "liegt auf dem Brett", "sur le plateau"],
  noGames: ["No games yet.", "Noch ist keine Partie gespielt.", "Aucune partie n’a encore été jouée."],
  gamesPrivate: ["This server is open to others, so it does not list games.", "Diesen Server erreichen auch andere: er verrät nicht, welche Partien es gibt.", "D’autres ont accès à ce serveur : il ne dit pas quelles parties existent."],
  gameInUse: ["This game is open in another tab, or an engine is still thinking about it.", "Diese Partie ist in einem anderen Tab offen, oder ein Programm denkt noch über sie nach.", "Cette partie est ouverte dans un autre onglet, ou un programme y réfléchit encore."],
  deleteGame: ["Delete the game from {date}", "Die Partie vom {date} löschen", "Supprimer la partie du {date}"],
  confirmDeleteGame: ["Permanently delete the game from {date}?", "Die Partie vom {date} endgültig löschen?", "Supprimer définitivement la partie du {date} ?"],
  toBoard: ["Go to the board", "Zum Brett", "Au plateau"],
  keys: ["Keys", "Tasten", "Touches"],
  language: ["Language", "Sprache", "Langue"],
  theme: ["Appearance", "Darstellung", "Apparence"],
  themeAuto: ["Auto", "Auto", "Auto"],
  themeLight: ["Light", "Hell", "Clair"],
  themeDark: ["Dark", "Dunkel", "Sombre"],
  newTab: ["New session", "Neue Sitzung", "Nouvelle session"],
  newTabHint: ["Opens another game in a new tab", "Ein weiteres Spiel in eigenem Tab", "Une autre partie dans son propre onglet"],
  connecting: ["Connecting …", "Verbinde …", "Connexion …"],
  lost: ["Connection lost. Reconnecting …", "Keine Verbindung. Neuer Versuch …", "Pas de connexion. Nouvel essai …"],
  open: ["Connected", "Verbunden", "Connecté"],

  white: ["White", "Weiß", "Blanc"],
  red: ["Red", "Rot", "Rouge"],
  draw: ["Draw", "Unentschieden", "Partie nulle"],
  human: ["Human", "Mensch", "Humain"],
  points: ["Points", "Punkte", "Points"],
  islands: ["Islands", "Inseln", "Îles"],
  bridges: ["Bridges", "Brücken", "Ponts"],
  tilesLeft: ["Tiles left", "Steine übrig", "Tuiles restantes"],
  tiles: ["Tiles", "Steine", "Tuiles"],
  bridgesLeft: ["Bridges left", "Brücken übrig", "Ponts restants"],
  networks: ["Networks", "Netze", "Réseaux"],
  networksCaption: ["Networks: islands → points", "Netze: Inseln → Punkte", "Réseaux : îles → points"],
  network: ["{islands} islands, {points} points", "{islands} Inseln, {points} Punkte", "{islands} îles, {points} points"],
  networkOne: ["1 island, 1 point", "1 Insel, 1 Punkt", "1 île, 1 point"],
  noNetworks: ["no island yet", "noch keine Insel", "pas encore d’île"],
  time: ["Time", "Zeit", "Temps"],

  turnOf: ["{player} to move", "{player} am Zug", "{player} joue"],
  hintFirst: ["Tap two cells to place tiles, or tap one of your tiles to start a bridge.", "Tippe zwei Felder für Steine an, oder einen eigenen Stein, um eine Brücke zu beginnen.", "Touchez deux cases pour poser des tuiles, ou une de vos tuiles pour commencer un pont."],
  hintSecond: ["First tile on {cell}. Tap the second cell, or tap {cell} again to take the tile back.", "Ein Stein liegt auf {cell}. Tippe das zweite Feld an, oder noch einmal {cell}, um ihn zurückzunehmen.", "Une tuile est en {cell}. Touchez la seconde case, ou de nouveau {cell} pour la reprendre."],
  hintBridge: ["Bridge from {cell}: tap one of the marked tiles.", "Brücke ab {cell}: tippe einen der markierten Steine an.", "Pont depuis {cell} : touchez une des tuiles marquées."],
  hintSwap: ["Place two red tiles, or swap colours.", "Antworte mit zwei roten Steinen, oder tausche die Farben.", "Répondez par deux tuiles rouges, ou échangez les couleurs."],
  hintSwapped: ["The colours have been swapped: you now play {player}.", "Die Farben sind getauscht: du bist jetzt {player}.", "Les couleurs sont échangées : vous êtes maintenant {player}."],
  hintPass: ["You can no longer place two tiles: pass or build a bridge.", "Zwei Steine lassen sich nicht mehr legen: passe oder baue eine Brücke.", "On ne peut plus poser deux tuiles : passez ou bâtissez un pont."],
  hintLast: ["White has passed. This is Red’s last turn.", "Weiß hat gepasst. Das ist der letzte Zug von Rot.", "Blanc a passé. C’est le dernier tour de Rouge."],
  hintEngineTurn: ["The engine is to move. Move for it, or let it play.", "Das Programm ist am Zug. Ziehe für es, oder lass es ziehen.", "Au programme de jouer. Jouez pour lui, ou laissez-le faire."],
  queued: ["{engine} is waiting for a free processor …", "{engine} wartet, bis es nachdenken kann …", "{engine} attend de pouvoir réfléchir …"],
  thinking: ["{engine} is thinking …", "{engine} denkt nach …", "{engine} réfléchit …"],
  overScore: ["Game over: {winner} wins ({text})", "Ende: {winner} gewinnt ({text})", "Fin : {winner} gagne ({text})"],
  overResignation: ["{winner} wins: {loser} resigned", "{winner} gewinnt: {loser} hat aufgegeben", "{winner} gagne : {loser} abandonne"],
  overTime: ["{winner} wins: {loser} ran out of time", "{winner} gewinnt: {loser} hat die Zeit überschritten", "{winner} gagne : {loser} a dépassé le temps"],
  overForfeit: ["{winner} wins: {loser} forfeited", "{winner} gewinnt: {loser} hat kampflos verloren", "{winner} gagne : {loser} perd par forfait"],
  overDraw: ["Game over: draw", "Ende: unentschieden", "Fin : partie nulle"],
  byScore: ["by score", "nach Punkten", "aux points"],

  undo: ["Undo", "Zurück", "Annuler"],
  pass: ["Pass", "Passen", "Passer"],
  swap: ["Swap colours", "Farben tauschen", "Échanger"],
  resign: ["Resign", "Aufgeben", "Abandonner"],
  moveNow: ["Move now", "Jetzt ziehen", "Jouer maintenant"],
  enginePlays: ["Let the engine play", "Programm ziehen lassen", "Laisser jouer le programme"],
  unusable: ["Closed cells", "Gesperrte Felder", "Cases fermées"],
  unusableHint: ["Shows the cells where White or Red can no longer place a tile", "Zeigt Felder, auf die Weiß oder Rot keinen Stein mehr legen kann", "Montre les cases où Blanc ou Rouge ne peut plus poser de tuile"],
  confirmResign: ["Resign this game?", "Dieses Spiel aufgeben?", "Abandonner cette partie ?"],
  confirmDelete: ["Delete this turn and everything after it?", "Diesen Zug und alle danach löschen?", "Supprimer ce coup et tous ceux qui suivent ?"],
  confirmReplace: ["Leave the game on the board? It stays among your games.", "Das Spiel auf dem Brett verlassen? Es bleibt bei den Partien.", "Quitter la partie en cours ? Elle reste parmi les parties."],
  yes: ["Yes", "Ja", "Oui"],
  no: ["No", "Nein", "Non"],
  cancel: ["Cancel", "Abbrechen", "Annuler"],
  close: ["Close", "Schließen", "Fermer"],

  moves: ["Game", "Partie", "Partie"],
  start: ["Start", "Anfang", "Début"],
  variation: ["Variation", "Variante", "Variante"],
  deleteVariation: ["Delete from this turn on", "Ab diesem Zug löschen", "Supprimer à partir de ce coup"],
  first: ["First turn", "Erster Zug", "Premier coup"],
  previous: ["Previous turn", "Zug zurück", "Coup précédent"],
  next: ["Next turn", "Zug vor", "Coup suivant"],
  last: ["Last turn", "Letzter Zug", "Dernier coup"],
  graph: ["White’s win rate over the game", "Chancen von Weiß im Spielverlauf", "Chances de Blanc au fil de la partie"],

  analysis: ["Analysis", "Analyse", "Analyse"],
  analyze: ["Analyse", "Analysieren", "Analyser"],
  candidates: ["Candidates", "Kandidaten", "Candidats"],
  ownership: ["Ownership", "Besitz", "Possession"],
  visits: ["{count} visits", "{count} Besuche", "{count} visites"],
  chance: ["Win rate", "Chance", "Chance"],
  lead: ["Lead", "Vorsprung", "Avance"],
  move: ["Move", "Zug", "Coup"],
  mainLine: ["Main line", "Hauptvariante", "Ligne principale"],
  playThis: ["Play {move}", "{move} spielen", "Jouer {move}"],
  analysisOff: ["The engine’s view of this position: the best moves, the win rate, and who will probably own each cell.", "Die Sicht des Programms auf diesen Zug: beste Züge, Chancen, und wem was gehören wird.", "L’avis du programme sur ce coup : meilleurs coups, chances, et qui possédera quoi."],
  solved: ["solved", "gelöst", "résolu"],

  review: ["Review the game", "Partie durchsehen", "Revoir la partie"],
  reviewStop: ["Stop the review", "Durchsicht beenden", "Arrêter la revue"],
  reviewProgress: ["{done} of {total} turns", "{done} von {total} Zügen", "{done} coups sur {total}"],
  depth: ["Review depth", "Wie gründlich die Durchsicht ist", "Profondeur de la revue"],
  depthQuick: ["Quick: 0.2 s per position", "Schnell: 0,2 s je Stellung", "Rapide : 0,2 s par position"],
  depthNormal: ["Normal: 1 s per position", "Normal: 1 s je Stellung", "Normale : 1 s par position"],
  depthDeep: ["Deep: 5 s per position", "Gründlich: 5 s je Stellung", "Profonde : 5 s par position"],
  summary: ["Summary by player", "Wie die Spieler abschnitten", "Bilan des joueurs"],
  accuracy: ["Accuracy", "Genauigkeit", "Précision"],
  inaccuracyMany: ["Inaccuracies", "Ungenauigkeiten", "Imprécisions"],
  mistakeMany: ["Mistakes", "Fehler", "Fautes"],
  blunderMany: ["Blunders", "Grobe Fehler", "Bévues"],
  reviewClean: ["No mistakes found.", "Keine Fehler gefunden.", "Aucune faute trouvée."],
  mistakes: ["Mistakes: {count}", "Fehler: {count}", "Fautes : {count}"],
  inaccuracies: ["inaccuracies: {count}", "Ungenauigkeiten: {count}", "imprécisions : {count}"],
  previousMistake: ["Previous mistake", "Voriger Fehler", "Faute précédente"],
  nextMistake: ["Next mistake", "Nächster Fehler", "Faute suivante"],
  lesson: ["Turn {turn}: {player} played {move}, which cost {points} points and {loss} % of the chance to win. Better: {best}, {does}.", "Zug {turn}: {player} spielte {move}; das kostete {points} Punkte und {loss} % der Chance. Besser: {best}, {does}.", "Coup {turn} : {player} a joué {move}, perdant {points} points et {loss} % de chances. Mieux : {best}, {does}."],
  inaccuracy: ["inaccuracy", "Ungenauigkeit", "imprécision"],
  mistake: ["mistake", "Fehler", "faute"],
  blunder: ["blunder", "grober Fehler", "bévue"],

  record: ["Record", "Aufzeichnung", "Fichier"],
  save: ["Save", "Speichern", "Enregistrer"],
  load: ["Load", "Laden", "Charger"],
  format: ["Format", "Format", "Format"],
  formatSgf: ["SGF record", "SGF-Datei", "Fichier SGF"],
  formatJson: ["Abstract Play record", "Abstract-Play-Datei", "Fichier Abstract Play"],
  formatMoves: ["Move list", "Zugliste", "Liste des coups"],
  formatPosition: ["Position text", "Stellungstext", "Texte de la position"],
  formatSvg: ["Picture (SVG)", "Bild (SVG)", "Image (SVG)"],
  formatPng: ["Picture (PNG)", "Bild (PNG)", "Image (PNG)"],
  copy: ["Copy", "Kopieren", "Copier"],
  download: ["Download", "Herunterladen", "Télécharger"],
  copyLink: ["Copy a link to this game", "Link zu dieser Partie kopieren", "Copier le lien vers cette partie"],
  copied: ["Copied.", "Kopiert.", "Copié."],
  copyHere: ["Copy this text:", "Von hier kopieren:", "À copier d’ici :"],
  openFile: ["Open a file …", "Datei öffnen …", "Ouvrir un fichier …"],
  loadHint: ["Paste a record or a position in any supported format, or drop a file onto the page.", "Füge eine Aufzeichnung oder Stellung in beliebigem Format ein, oder ziehe eine Datei auf die Seite.", "Collez une partie ou une position dans n’importe quel format, ou déposez un fichier sur la page."],
  loaded: ["Loaded.", "Geladen.", "Chargé."],
  dropHere: ["Drop the file here", "Aufzeichnung hier ablegen", "Déposez le fichier ici"],
  failed: ["That failed: {text}", "Das ging nicht: {text}", "Cela n’a pas marché : {text}"],
  offline: ["Not connected.", "Keine Verbindung.", "Pas de connexion."],
  engineDied: ["The engine has stopped ({text}). It starts again; your games are saved.", "Das Programm ist stehen geblieben ({text}). Es startet neu; die Partien sind gespeichert.", "Le programme s’est arrêté ({text}). Il redémarre ; les parties sont enregistrées."],
  noWasm: ["This browser cannot run the engine: it has no WebAssembly.", "Dieser Browser kann das Programm nicht ausführen: ihm fehlt WebAssembly.", "Ce navigateur ne peut pas exécuter le programme : il n’a pas WebAssembly."],
  noStorage: ["This window keeps nothing: games last until it is closed.", "Dieses Fenster speichert nichts: Partien bleiben nur, bis es geschlossen wird.", "Cette fenêtre ne garde rien : les parties durent jusqu’à sa fermeture."],

  board: ["Board", "Brett", "Plateau"],
  supply: ["Supply", "Vorrat", "Réserve"],
  supplyStandard: ["Standard", "Wie veröffentlicht", "Comme publié"],
  supplyUnlimited: ["Unlimited", "Unbegrenzt", "Illimitée"],
  supplyOwn: ["Custom", "Eigene Zahlen", "Nombres au choix"],
  tilesEach: ["Tiles per player", "Steine je Farbe", "Tuiles par couleur"],
  bridgesAll: ["Bridges (shared)", "Brücken für beide", "Ponts communs"],
  youPlay: ["You play", "Du spielst", "Vous jouez"],
  both: ["Both sides", "Beide Seiten", "Les deux"],
  watch: ["Watch", "Zuschauen", "Regarder"],
  opponent: ["Opponent", "Gegner", "Adversaire"],
  engineWhite: ["White’s engine", "Programm für Weiß", "Programme blanc"],
  engineRed: ["Red’s engine", "Programm für Rot", "Programme rouge"],
  pie: ["Pie rule: Red may swap after White’s first turn", "Tauschregel: nach dem ersten Zug von Weiß darf Rot tauschen", "Règle du gâteau : après le premier coup de Blanc, Rouge peut échanger"],
  opponentFull: ["pontifex at full strength", "pontifex mit voller Stärke", "pontifex à pleine force"],
  opponentFullNote: ["Thinks as long as you let it. Hardly anybody beats it.", "Denkt, so lange du es lässt. Kaum jemand schlägt es.", "Réfléchit aussi longtemps que vous le laissez. Presque personne ne le bat."],
  more: ["More", "Mehr", "Plus"],
  level: ["Level", "Stärke", "Niveau"],
  levelTime: ["Seconds per turn", "Sekunden je Zug", "Secondes par coup"],
  levelPlayouts: ["Iterations per turn", "Iterationen je Zug", "Itérations par coup"],
  clock: ["Clock", "Uhr", "Pendule"],
  clockNone: ["None", "Keine", "Aucune"],
  clockAbsolute: ["Fixed time per game", "Für das ganze Spiel", "Pour toute la partie"],
  clockFischer: ["Increment (Fischer)", "Mit Zuschlag (Fischer)", "Avec incrément (Fischer)"],
  clockByoyomi: ["Byo-yomi periods", "Mit Perioden (Byoyomi)", "Avec périodes (byo-yomi)"],
  main: ["Main time (min)", "Hauptzeit (min)", "Temps principal (min)"],
  increment: ["Increment (s)", "Zuschlag (s)", "Incrément (s)"],
  period: ["Period (s)", "Periode (s)", "Période (s)"],
  count: ["Periods", "Perioden", "Périodes"],
  begin: ["Start the game", "Spiel beginnen", "Commencer"],
  apply: ["Change only the level", "Nur die Stärke ändern", "Changer seulement le niveau"],

  boardLabel: ["Board. Arrow keys move the cursor, Enter places a tile, B builds a bridge.", "Brett. Pfeiltasten bewegen, Eingabe legt einen Stein, B baut eine Brücke.", "Plateau. Les flèches déplacent, Entrée pose une tuile, B bâtit un pont."],
  cellEmpty: ["{cell}, empty", "{cell}, leer", "{cell}, vide"],
  cellSpanned: ["{cell}, under a bridge", "{cell}, unter einer Brücke", "{cell}, sous un pont"],
  cellTile: ["{cell}, {player} tile", "{cell}, Stein von {player}", "{cell}, tuile de {player}"],
  cellPicked: ["{cell}, your first tile", "{cell}, dein erster Stein", "{cell}, votre première tuile"],
  partIsland: ["island", "Insel", "île"],
  partBridge: ["bridge to {cell}", "Brücke nach {cell}", "pont vers {cell}"],
  partTarget: ["a bridge can end here", "hier kann eine Brücke enden", "un pont peut finir ici"],
  partStart: ["a bridge starts here", "hier beginnt eine Brücke", "un pont commence ici"],
  partClosed: ["closed for {player}", "gesperrt für {player}", "fermée pour {player}"],
  saidTiles: ["{player} places tiles on {a} and {b}.", "{player} legt {a} und {b}.", "{player} pose {a} et {b}."],
  saidBridge: ["{player} builds a bridge from {a} to {b}.", "{player} baut die Brücke {a} nach {b}.", "{player} bâtit le pont de {a} à {b}."],
  saidPass: ["{player} passes.", "{player} passt.", "{player} passe."],
  saidSwap: ["The players swap colours.", "Die Spieler tauschen die Farben.", "Les joueurs échangent les couleurs."],
  saidScore: ["White {white}, Red {red}.", "Weiß {white}, Rot {red}.", "Blanc {white}, Rouge {red}."],

  keyArrows: ["Move across the board or through the list of moves", "Über das Brett gehen; in der Zugliste über die Züge", "Se déplacer sur le plateau ; dans la liste, d’un coup à l’autre"],
  keyLay: ["Place a tile, or take back the first one", "Stein legen, oder den ersten zurücknehmen", "Poser une tuile, ou reprendre la première"],
  keyBridge: ["Start or finish a bridge at a tile", "Brücke an einem Stein beginnen oder enden lassen", "Commencer ou finir un pont sur une tuile"],
  keyCancel: ["Cancel", "Abbrechen", "Annuler"],
  keyUndo: ["Undo", "Zug zurücknehmen", "Annuler le coup"],
  keyPass: ["Pass", "Passen", "Passer"],
  keySwap: ["Swap colours", "Farben tauschen", "Échanger les couleurs"],
  keyAnalysis: ["Analysis on or off", "Analyse an oder aus", "Analyse oui ou non"],
  keyOwnership: ["Ownership on or off", "Besitz an oder aus", "Possession oui ou non"],
  keyUnusable: ["Closed cells on or off", "Gesperrte Felder an oder aus", "Cases fermées oui ou non"],
  keyMistake: ["Next or previous mistake", "Nächster, voriger Fehler", "Faute suivante, précédente"],
  keyTurns: ["Previous or next turn", "Einen Zug zurück, vor", "Un coup en arrière, en avant"],
  keyEnds: ["First or last turn", "Erster, letzter Zug", "Premier, dernier coup"],
  keyNow: ["Make the engine move now", "Programm zieht jetzt", "Le programme joue maintenant"],
  keyFocus: ["Focus the board", "Zum Brett", "Au plateau"],
  keyGames: ["List of games", "Liste der Partien", "Liste des parties"],
  keyTable: ["Show this table", "Diese Tabelle", "Ce tableau"],

  "why.game_over": ["The game is over.", "Das Spiel ist zu Ende.", "La partie est finie."],
  "why.not_your_turn": ["It is {to_move}’s turn.", "{to_move} ist am Zug.", "C’est à {to_move} de jouer."],
  "why.off_board": ["{cell} is not on the board.", "{cell} liegt nicht auf dem Brett.", "{cell} n’est pas sur le plateau."],
  "why.same_cell": ["{cell} is named twice: two different cells are needed.", "{cell} ist zweimal genannt: es braucht zwei verschiedene Felder.", "{cell} est nommée deux fois : il faut deux cases différentes."],
  "why.occupied": ["There is already a {color} tile on {cell}.", "Auf {cell} liegt schon ein Stein von {color}.", "Une tuile de {color} est déjà en {cell}."],
  "why.blocked": ["{cell} lies under the bridge {bridge} and must stay free.", "{cell} liegt unter der Brücke {bridge}: dieses Wasser bleibt frei.", "{cell} est sous le pont {bridge} : cette eau reste libre."],
  "why.group_too_large": ["A tile on {cell} would make a group of {tiles} tiles. The limit is four.", "Ein Stein auf {cell} ergäbe eine Gruppe von {tiles}. Vier Steine sind die Grenze.", "Une tuile en {cell} ferait un groupe de {tiles}. Quatre tuiles sont la limite."],
  "why.touches_island": ["{cell} touches the island at {island}. An island may not touch another tile of its colour, not even at a corner.", "{cell} berührt die Insel bei {island}. Inseln halten Abstand, auch über Eck.", "{cell} touche l’île en {island}. Les îles gardent leurs distances, même aux coins."],
  "why.island_touches": ["{cell} would complete an island that touches the tile on {tile}. An island may not touch another tile of its colour, not even at a corner.", "{cell} würde eine Insel vollenden, die den Stein auf {tile} berührt. Inseln halten Abstand, auch über Eck.", "{cell} achèverait une île qui touche la tuile en {tile}. Les îles gardent leurs distances, même aux coins."],
  "why.no_second_tile": ["After a tile there, no second tile could be placed.", "Nach einem Stein dort ließe sich kein zweiter legen.", "Après une tuile à cet endroit, on ne pourrait en poser une seconde."],
  "why.no_tiles_left": ["{color} has {left} tiles left, but needs two.", "{color} hat noch {left} Steine; es braucht zwei.", "Il reste {left} tuiles à {color} ; il en faut deux."],
  "why.no_bridges_left": ["There are no bridges left in the supply.", "Im Vorrat ist keine Brücke mehr.", "Il n’y a plus de pont dans la réserve."],
  "why.no_bridge_shape": ["{ends} is not a bridge: its ends must be two cells apart in a straight or diagonal line, or a knight’s move apart.", "{ends} ist keine Brücke: ihre Enden liegen zwei Felder auseinander, gerade oder schräg, oder einen Rösselsprung.", "{ends} n’est pas un pont : ses bouts sont à deux cases, en ligne ou en diagonale, ou à un saut de cavalier."],
  "why.not_your_tile": ["There is no {color} tile on {cell}.", "Auf {cell} liegt kein Stein von {color}.", "Il n’y a pas de tuile de {color} en {cell}."],
  "why.carries_bridge": ["{cell} already carries the bridge {bridge}. A tile can carry only one.", "{cell} trägt schon die Brücke {bridge}. Ein Stein trägt höchstens eine.", "{cell} porte déjà le pont {bridge}. Une tuile n’en porte qu’un."],
  "why.tile_under_bridge": ["The bridge {ends} would pass over the tile on {tile}.", "Die Brücke {ends} liefe über den Stein auf {tile}.", "Le pont {ends} passerait sur la tuile en {tile}."],
  "why.crosses_bridge": ["The bridge {ends} would cross the bridge {other}.", "Die Brücke {ends} würde die Brücke {other} kreuzen.", "Le pont {ends} croiserait le pont {other}."],
  "why.pass_not_allowed": ["You may not pass while you can place two tiles, for example {example}.", "Passen ist nicht erlaubt, solange sich zwei Steine legen lassen, etwa {example}.", "On ne peut passer tant que deux tuiles peuvent être posées, par exemple {example}."],
  "why.swap_not_allowed": ["Swapping is allowed only in answer to White’s first turn.", "Getauscht werden darf nur als Antwort auf den ersten Zug von Weiß.", "On n’échange qu’en réponse au premier coup de Blanc."],

  menu: ["Menu", "Menü", "Menu"],
  sound: ["Sound", "Ton", "Son"],
  thoughts: ["Thoughts", "Gedanken", "Pensées"],
  thoughtsHint: ["Whether the engine shows during a game what it thinks of the position", "Ob das Programm im Spiel zeigt, was es von der Stellung hält", "Si le programme montre en jouant ce qu’il pense de la position"],
  again: ["Connected again.", "Wieder verbunden.", "Connexion rétablie."],
  noSession: ["This game does not exist here. Here is a new one.", "Diese Partie gibt es hier nicht. Hier ist eine neue.", "Cette partie n’existe pas ici. En voici une nouvelle."],
  yourTurn: ["Your turn", "Du bist am Zug", "À vous de jouer"],
  home: ["Back to the game", "Zurück zur Partie", "Retour à la partie"],
  branch: ["Analyse from here", "Von hier aus probieren", "Analyser d’ici"],
  lookingAt: ["Looking at turn {turn}", "Rückblick auf Zug {turn}", "Vue du coup {turn}"],
  hintLooking: ["The game goes on meanwhile. To try other moves, choose “Analyse from here”.", "Die Partie läuft weiter. Für andere Züge wähle „Von hier aus probieren“.", "La partie continue. Pour d’autres coups, choisissez « Analyser d’ici »."],
  looking: ["You are only looking back. Choose “Analyse from here” to try moves, or go back to the game.", "Du blickst nur zurück. Wähle „Von hier aus probieren“, oder kehre zur Partie zurück.", "Vous regardez en arrière. Choisissez « Analyser d’ici », ou revenez à la partie."],
  hintRetry: ["Try again: {move} was played here. Make a better move.", "Noch einmal: hier wurde {move} gespielt. Finde einen besseren Zug.", "Rejouez : ici, {move} a été joué. Trouvez un meilleur coup."],
  hintGet: ["Hint", "Tipp", "Indice"],
  coach: ["Hints", "Tipps", "Conseils"],
  coachHint: ["Whether a hint comes by itself at each of your turns", "Ob bei jedem deiner Züge von selbst ein Tipp kommt", "Si un conseil vient de lui-même à chacun de vos coups"],
  searching: ["Looking for a good move …", "Ein guter Zug wird gesucht …", "Recherche d’un bon coup …"],
  hintSays: ["{move} is a good move: {does}.", "{move} ist ein guter Zug: {does}.", "{move} est un bon coup : {does}."],
  "does.completes": ["completes an island", "vollendet eine Insel", "achève une île"],
  "does.completesMany": ["completes {count} islands", "vollendet {count} Inseln", "achève {count} îles"],
  "does.joins": ["joins networks for {points} more points", "verbindet Netze für {points} Punkte mehr", "relie des réseaux pour {points} points de plus"],
  "does.joinsOne": ["joins networks for 1 more point", "verbindet Netze für 1 Punkt mehr", "relie des réseaux pour 1 point de plus"],
  "does.stops": ["stops the bridge {bridge}, worth {points} points", "verhindert die Brücke {bridge}, {points} Punkte wert", "empêche le pont {bridge}, qui vaut {points} points"],
  "does.stopsOne": ["stops the bridge {bridge}, worth 1 point", "verhindert die Brücke {bridge}, 1 Punkt wert", "empêche le pont {bridge}, qui vaut 1 point"],
  "does.prepares": ["makes way for the bridge {bridge}, worth {points} points", "ermöglicht die Brücke {bridge}, {points} Punkte wert", "permet le pont {bridge}, qui vaut {points} points"],
  "does.preparesOne": ["makes way for the bridge {bridge}, worth 1 point", "ermöglicht die Brücke {bridge}, 1 Punkt wert", "permet le pont {bridge}, qui vaut 1 point"],
  "does.denies": ["takes {cell}, where an island could be completed", "nimmt {cell}, wo eine Insel fertig würde", "prend {cell}, où une île pouvait s’achever"],
  "does.links": ["links two groups", "verbindet zwei Gruppen", "relie deux groupes"],
  "does.space": ["takes space", "gewinnt Raum", "prend de l’espace"],
  "does.swap": ["takes over White’s tiles", "übernimmt die weißen Steine", "reprend les tuiles blanches"],
  "does.pass": ["nothing else is left", "etwas anderes bleibt nicht", "il ne reste rien d’autre"],
  "retry.best": ["{move} is the best move: {does}.", "{move} ist der beste Zug: {does}.", "{move} est le meilleur coup : {does}."],
  "retry.good": ["{move} is about as good as the best move, {best}.", "{move} ist fast so gut wie der beste Zug, {best}.", "{move} vaut presque le meilleur coup, {best}."],
  "retry.better": ["{move} is {points} points better than {played}, but {best} is best.", "{move} ist {points} Punkte besser als {played}; am besten ist {best}.", "{move} vaut {points} points de plus que {played}, mais {best} est le meilleur."],
  "retry.betterChance": ["{move} wins more often than {played}, but {best} is best.", "{move} gewinnt öfter als {played}; am besten ist {best}.", "{move} gagne plus souvent que {played}, mais {best} est le meilleur."],
  "retry.similar": ["{move} is no better than {played}. {best} is best.", "{move} ist nicht besser als {played}. Am besten ist {best}.", "{move} ne vaut pas mieux que {played}. {best} est le meilleur."],
  "retry.worse": ["{move} is {points} points worse than {played}. {best} is best.", "{move} ist {points} Punkte schlechter als {played}. Am besten ist {best}.", "{move} vaut {points} points de moins que {played}. {best} est le meilleur."],
  "retry.worseChance": ["{move} wins less often than {played}. {best} is best.", "{move} gewinnt seltener als {played}. Am besten ist {best}.", "{move} gagne moins souvent que {played}. {best} est le meilleur."],
  "retry.same": ["That is the same move again. {best} is best.", "Das ist derselbe Zug. Am besten ist {best}.", "C’est le même coup. {best} est le meilleur."],

  cardWon: ["You win!", "Gewonnen!", "Vous gagnez !"],
  cardLost: ["You lost.", "Verloren.", "Vous avez perdu."],
  cardWins: ["{winner} wins", "{winner} gewinnt", "{winner} gagne"],
  cardReviewing: ["The engine goes through the game: {done} of {total} turns", "Das Programm sieht die Partie durch: {done} von {total} Zügen", "Le programme revoit la partie : {done} coups sur {total}"],
  cardWorst: ["The turns that lost most:", "Die Züge, die am meisten kosteten:", "Les coups qui ont le plus coûté :"],
  cardClean: ["No mistakes found.", "Keine Fehler gefunden.", "Aucune faute trouvée."],
  cost: ["lost {points} points", "kostete {points} Punkte", "a coûté {points} points"],
  costChance: ["lost {loss} % of the chance to win", "kostete {loss} % der Chance", "a coûté {loss} % de chances"],
  retryTurn: ["Retry", "Noch einmal", "Rejouer"],
  rematch: ["Rematch, colours exchanged", "Revanche mit getauschten Farben", "Revanche, couleurs échangées"],
  levelUp: ["Next: level {level}", "Weiter: Stufe {level}", "Ensuite : niveau {level}"],
  levelDown: ["Easier: level {level}", "Leichter: Stufe {level}", "Plus facile : niveau {level}"],

  legend: ["On the board: the large number is the win rate in %, below it the lead in points; the small number is the rank. A line joins the two tiles of a move.", "Auf dem Brett: groß die Chance in %, darunter der Vorsprung in Punkten, klein der Rang. Eine Linie verbindet die zwei Steine eines Zugs.", "Sur le plateau : en grand la chance en %, dessous l’avance en points, en petit le rang. Une ligne joint les deux tuiles d’un coup."],
  lessonChance: ["Turn {turn}: {player} played {move}, which cost {loss} % of the chance to win. Better: {best}, {does}.", "Zug {turn}: {player} spielte {move}; das kostete {loss} % der Chance. Besser: {best}, {does}.", "Coup {turn} : {player} a joué {move}, perdant {loss} % de chances. Mieux : {best}, {does}."],
  copiedLocal: ["Copied. The link works only on this computer, while the program runs.", "Kopiert. Der Link gilt nur auf diesem Rechner, solange das Programm läuft.", "Copié. Le lien ne marche que sur cet ordinateur, tant que le programme tourne."],
  copiedLink: ["Copied. The link works for everybody who reaches this page.", "Kopiert. Der Link gilt für alle, die diese Seite erreichen.", "Copié. Le lien marche pour tous ceux qui atteignent cette page."],
  bound: ["With a clock, this bounds every turn; when time is short, the engine takes less. An external program obeys the clock only.", "Auch mit Uhr begrenzt dies jeden Zug; ist die Zeit knapp, nimmt das Programm weniger. Ein fremdes Programm folgt nur der Uhr.", "Avec une pendule, ceci borne aussi chaque coup ; si le temps presse, le programme en prend moins. Un programme externe ne suit que la pendule."],

  setUp: ["Set up", "Aufbauen", "Composer"],
  editor: ["Set up a position", "Stellung aufbauen", "Composer une position"],
  editorHint: ["Choose what to place, then tap cells. Tap two tiles of one colour for a bridge.", "Wähle, was du legst, dann tippe Felder an. Für eine Brücke tippe zwei Steine einer Farbe an.", "Choisissez quoi poser, puis touchez des cases. Pour un pont, touchez deux tuiles d’une couleur."],
  editorTool: ["Place", "Legen", "Poser"],
  toolWhite: ["White tile", "Weißer Stein", "Tuile blanche"],
  toolRed: ["Red tile", "Roter Stein", "Tuile rouge"],
  toolBridge: ["Bridge", "Brücke", "Pont"],
  toolErase: ["Remove", "Entfernen", "Enlever"],
  editorSide: ["To move", "Am Zug", "Au trait"],
  editorStage: ["State", "Lage", "État"],
  stagePlain: ["In play", "Im Spiel", "En jeu"],
  stagePie: ["Red may swap", "Rot darf tauschen", "Rouge peut échanger"],
  stageLast: ["Red’s last turn", "Letzter Zug von Rot", "Dernier tour de Rouge"],
  stageOver: ["Game over", "Zu Ende", "Partie finie"],
  editorClear: ["Empty the board", "Brett leeren", "Vider le plateau"],
  editorPlay: ["Play from here", "Ab hier spielen", "Jouer d’ici"],
  editorAnalyse: ["Analyse", "Analysieren", "Analyser"],
  editorGood: ["The position is legal.", "Die Stellung ist erlaubt.", "La position est permise."],
  editorBridgeFrom: ["Bridge from {cell}: tap its other end.", "Brücke ab {cell}: tippe das andere Ende an.", "Pont depuis {cell} : touchez l’autre bout."],
  "why.too_many_tiles": ["{color} has {tiles} tiles on the board; the supply is {supply}.", "{color} hat {tiles} Steine auf dem Brett; der Vorrat ist {supply}.", "{color} a {tiles} tuiles sur le plateau ; la réserve est de {supply}."],
  "why.too_many_bridges": ["There are {bridges} bridges on the board; the supply is {supply}.", "Auf dem Brett sind {bridges} Brücken; der Vorrat ist {supply}.", "Il y a {bridges} ponts sur le plateau ; la réserve est de {supply}."],
  "why.pie_is_off": ["Red may swap only with the pie rule.", "Tauschen darf Rot nur mit der Tauschregel.", "Rouge ne peut échanger qu’avec la règle du gâteau."],
  "why.not_after_first_turn": ["Red may swap only with two white tiles on the board, nothing else, and Red to move.", "Tauschen darf Rot nur, wenn zwei weiße Steine und sonst nichts liegen und Rot am Zug ist.", "Rouge ne peut échanger qu’avec deux tuiles blanches seules sur le plateau et le trait."],
  "why.last_turn_is_reds": ["The last turn is Red’s: Red must be to move.", "Der letzte Zug gehört Rot: Rot muss am Zug sein.", "Le dernier tour est à Rouge : Rouge doit avoir le trait."],
  "why.no_bridge_from": ["No other tile of this colour is where a bridge from {cell} could end.", "Kein anderer Stein dieser Farbe liegt dort, wo eine Brücke ab {cell} enden könnte.", "Aucune autre tuile de cette couleur n’est là où un pont depuis {cell} pourrait finir."],

  rulesTitle: ["The rules", "Die Regeln", "Les règles"],
  rulesIntro: ["Two players, White and Red, build islands in a lagoon and connect them with bridges. The more islands a player connects, the more points they score. White begins.", "Zwei Spieler, Weiß und Rot, lassen Inseln aus der Lagune wachsen und verbinden sie mit Brücken. Wer mehr Inseln verbindet, gewinnt. Weiß beginnt.", "Deux joueurs, Blanc et Rouge, font surgir des îles de la lagune et les relient par des ponts. Qui relie le plus d’îles gagne. Blanc commence."],
  rulesTurnTitle: ["A turn", "Ein Zug", "Un tour"],
  rulesTurn: ["Place two tiles of your colour on free cells, next to each other or apart. Or build one bridge instead. You may pass only if you can no longer place two tiles. You may never place just one tile.", "Lege zwei Steine deiner Farbe auf freie Felder, nebeneinander oder weit entfernt. Oder baue stattdessen eine Brücke. Passen darfst du nur, wenn du keine zwei Steine mehr legen kannst. Nie legst du nur einen.", "Posez deux tuiles de votre couleur sur des cases libres, voisines ou éloignées. Ou bâtissez un pont. Vous ne pouvez passer que si vous ne pouvez plus poser deux tuiles. On n’en pose jamais une seule."],
  rulesIslandTitle: ["Islands and sandbanks", "Inseln und Sandbänke", "Îles et bancs de sable"],
  rulesIsland: ["Tiles of one colour that are connected along their sides form a group. A group of exactly four is an island; a smaller group is a sandbank. Groups of five or more are not allowed.", "Steine einer Farbe, die mit den Seiten aneinanderliegen, sind eine Gruppe. Genau vier sind eine Insel, weniger eine Sandbank. Fünf kommen nie zusammen.", "Des tuiles d’une couleur jointes par leurs côtés forment un groupe. Quatre exactement font une île, moins un banc de sable. Il n’y en a jamais cinq."],
  rulesDistanceTitle: ["Distance between islands", "Inseln halten Abstand", "Les îles gardent leurs distances"],
  rulesDistance: ["No tile of an island may touch another tile of its colour, not even at a corner. Sandbanks may touch each other at corners. Tiles of different colours may always touch. In the picture, White may not use the cells marked with a struck-out tile.", "Kein Stein einer Insel darf einen anderen Stein ihrer Farbe berühren, auch nicht über Eck. Sandbänke dürfen einander über Eck berühren. Die beiden Farben stören einander nie. Hier sind die Felder mit durchgestrichenem Stein für Weiß gesperrt.", "Aucune tuile d’une île ne touche une autre tuile de sa couleur, même par un coin. Deux bancs de sable peuvent se toucher par un coin. Les deux couleurs ne se gênent jamais. Ici, les cases à tuile barrée sont fermées pour Blanc."],
  rulesBridgeTitle: ["Bridges", "Brücken", "Les ponts"],
  rulesBridge: ["A bridge connects two tiles of your colour that are two cells apart in a straight or diagonal line, or a knight’s move apart. The cells under it, shaded in the picture, must be empty and stay closed to both colours.", "Eine Brücke verbindet zwei Steine deiner Farbe: zwei Felder weiter, gerade oder schräg, oder einen Rösselsprung. Unter ihr ist offenes Wasser: die schattierten Felder tragen keinen Stein und bleiben für beide Farben gesperrt.", "Un pont joint deux de vos tuiles : à deux cases, en ligne ou en diagonale, ou à un saut de cavalier. Il lui faut de l’eau libre : les cases ombrées ne portent pas de tuile et restent fermées aux deux couleurs."],
  rulesBridge2: ["A tile carries at most one bridge. Bridges may not cross, but two may pass over the same cell side by side. Bridges stay for the whole game. Both players take them from the same supply.", "Ein Stein trägt höchstens eine Brücke. Brücken kreuzen sich nie, dürfen aber nebeneinander über dasselbe Wasser laufen. Sie bleiben das ganze Spiel stehen, und beide Spieler nehmen sie aus einem Vorrat.", "Une tuile porte un pont au plus. Les ponts ne se croisent jamais, mais deux peuvent passer côte à côte sur la même eau. Ils restent toute la partie, et les deux joueurs les prennent dans une même réserve."],
  rulesScoreTitle: ["Scoring", "Die Wertung", "Le compte"],
  rulesScore: ["Bridges connect groups, including sandbanks, into networks. A network of 1, 2, 3, 4, 5 islands is worth 1, 3, 6, 10, 15 points, and so on. In the picture, two islands are connected through a sandbank and score 3 points; the single island on the right scores 1 point. The player with more points wins. Ties are broken by the number of islands, then by the number of bridges.", "Brücken verbinden Gruppen, auch Sandbänke, zu Netzen. Ein Netz von 1, 2, 3, 4, 5 Inseln zählt 1, 3, 6, 10, 15 Punkte, und so weiter. Hier sind zwei Inseln über eine Sandbank verbunden: 3 Punkte, und die einzelne Insel rechts 1 Punkt. Mehr Punkte gewinnen; dann mehr Inseln; dann mehr Brücken.", "Les ponts joignent les groupes, bancs de sable compris, en réseaux. Un réseau de 1, 2, 3, 4, 5 îles vaut 1, 3, 6, 10, 15 points, et ainsi de suite. Ici deux îles sont jointes par un banc de sable : 3 points, et l’île seule à droite 1 point. Le plus de points gagne ; puis le plus d’îles ; puis le plus de ponts."],
  rulesOpenTitle: ["The opening", "Der Anfang", "Le début"],
  rulesOpen: ["White places two tiles anywhere. Under the pie rule, the second player then either places two red tiles or swaps. After a swap, the second player plays White and the first player plays Red; the tiles stay. Either way, Red makes the next move on the board.", "Weiß legt zwei Steine beliebig. Mit der Tauschregel legt der zweite Spieler dann zwei rote Steine, oder er tauscht: er übernimmt Weiß samt den liegenden Steinen, und der erste spielt mit Rot weiter. Den nächsten Zug auf dem Brett macht auf jeden Fall Rot.", "Blanc pose deux tuiles où il veut. Avec la règle du gâteau, le second joueur pose alors deux tuiles rouges, ou il échange : il prend Blanc avec les tuiles posées, et le premier continue avec Rouge. C’est toujours Rouge qui joue ensuite."],
  rulesEndTitle: ["End of the game", "Das Ende", "La fin"],
  rulesEnd: ["If White passes, Red has one more turn. If Red passes, the game ends at once. Nobody has to pass: a player who cannot place two tiles may still build bridges.", "Passt Weiß, hat Rot noch einen Zug. Passt Rot, ist das Spiel sofort zu Ende. Niemand muss passen: wer keine zwei Steine legen kann, darf noch Brücken bauen.", "Quand Blanc passe, Rouge a encore un tour. Quand Rouge passe, la partie est finie aussitôt. Personne n’est obligé de passer : qui ne peut poser deux tuiles peut encore bâtir des ponts."],
  rulesSupplyTitle: ["Board and supply", "Brett und Vorrat", "Plateau et réserve"],
  rulesSupply: ["The 10×10 board has 40 tiles per player and 15 bridges shared by both; the 12×12 board has 60 tiles and 22 bridges. Other boards have unlimited supplies.", "10 mal 10 Felder mit 40 Steinen je Farbe und 15 Brücken für beide, oder 12 mal 12 mit 60 und 22. Andere Bretter spielt man ohne Grenze.", "10 cases sur 10, 40 tuiles par couleur et 15 ponts communs, ou 12 sur 12 avec 60 et 22. Les autres plateaux se jouent sans limite."],
  homeTitle: ["Build islands. Join them. Cut the other off.", "Inseln bauen. Verbinden. Dem anderen den Weg abschneiden.", "Bâtir des îles. Les relier. Couper la route à l’autre."],
  homeLead: ["Ponte del Diavolo is a board game for two: each turn you place two tiles or build one bridge, and the more islands your bridges join, the more they are worth.", "Ponte del Diavolo ist ein Brettspiel für zwei: in jedem Zug legst du zwei Steine oder baust eine Brücke, und je mehr Inseln deine Brücken verbinden, desto mehr zählen sie.", "Ponte del Diavolo est un jeu de plateau pour deux : à chaque tour, on pose deux tuiles ou l’on bâtit un pont, et plus vos ponts relient d’îles, plus elles comptent."],
  homePicture: ["A game in progress", "Eine Partie in vollem Gang", "Une partie en cours"],
  homeButton: ["Home", "Start", "Accueil"],
  doorLearn: ["Learn", "Lernen", "Apprendre"],
  doorLearnText: ["Twelve short lessons on the board, each with one task.", "Zwölf kurze Lektionen am Brett, jede mit einer Aufgabe.", "Douze courtes leçons sur le plateau, chacune avec une tâche."],
  doorPlay: ["Play", "Spielen", "Jouer"],
  doorPlayText: ["A game against the engine or a person beside you.", "Eine Partie gegen das Programm oder jemanden neben dir.", "Une partie contre le programme ou une personne à côté de vous."],
  doorAnalyse: ["Analyse", "Analysieren", "Analyser"],
  doorAnalyseText: ["The best moves of any position, and where games were lost.", "Die besten Züge jeder Stellung, und wo Partien verloren gingen.", "Les meilleurs coups de toute position, et où une partie fut perdue."],
  doorDaily: ["Puzzle of the day", "Aufgabe des Tages", "Le problème du jour"],
  learn: ["Learn", "Lernen", "Apprendre"],
  puzzles: ["Puzzles", "Aufgaben", "Problèmes"],
  lessons: ["Lessons", "Lektionen", "Leçons"],
  lessonOf: ["Lesson {number} of {count}", "Lektion {number} von {count}", "Leçon {number} sur {count}"],
  lessonDone: ["{title}, done", "{title}, geschafft", "{title}, terminée"],
  taskOf: ["Task {number} of {count}", "Aufgabe {number} von {count}", "Tâche {number} sur {count}"],
  lessonsDone: ["All lessons done. You know the game: now play it.", "Alle Lektionen geschafft. Du kennst das Spiel: nun spiele es.", "Toutes les leçons sont finies. Vous connaissez le jeu : à vous de jouer."],
  playFirst: ["Game against level 1 with hints", "Partie gegen Stufe 1 mit Tipps", "Partie contre le niveau 1 avec conseils"],
  exerciseNext: ["Next", "Weiter", "Suivant"],
  exerciseRetry: ["Try again", "Noch einmal", "Réessayer"],
  exerciseShow: ["Show", "Lösung", "Solution"],
  exerciseChecking: ["Checking …", "Wird geprüft …", "Vérification …"],
  exerciseRight: ["Right!", "Richtig!", "Exact !"],
  exerciseWrong: ["Not yet.", "Noch nicht.", "Pas encore."],
  puzzleWin: ["{player} to move. Win.", "{player} am Zug. Gewinne.", "{player} joue et gagne."],
  puzzleDraw: ["{player} to move. Keep the draw.", "{player} am Zug. Halte das Unentschieden.", "{player} joue et tient la nulle."],
  puzzleMost: ["{player} to move. Win by as much as you can.", "{player} am Zug. Gewinne so hoch wie möglich.", "{player} joue et gagne le plus largement possible."],
  puzzleHow: ["Play one turn. It is right if best play by both sides then still gives that result.", "Spiele einen Zug. Er ist richtig, wenn das Ergebnis bei bestem Spiel beider Seiten bestehen bleibt.", "Jouez un tour. Il est juste si, avec le meilleur jeu des deux côtés, ce résultat tient encore."],
  puzzleRight: ["After {move}, {after} with best play.", "Nach {move} und bestem Spiel: {after}.", "Après {move} et le meilleur jeu : {after}."],
  puzzleWrong: ["{move} gives that away: it was “{before}”, now it is “{after}”.", "{move} gibt das her: es war „{before}“, jetzt ist es „{after}“.", "{move} gâche tout : c’était « {before} », c’est maintenant « {after} »."],
  puzzleReply: ["{player} answers {move}.", "{player} antwortet {move}.", "{player} répond {move}."],
  puzzleShown: ["Right turns: {count}. Tap one to see it.", "Richtige Züge: {count}. Tippe einen an, um ihn zu sehen.", "Coups justes : {count}. Touchez-en un pour le voir."],
  puzzleNone: ["No puzzle of this kind.", "Keine Aufgabe dieser Art.", "Aucun problème de ce genre."],
  puzzleProgress: ["{done} of {count} solved", "{done} von {count} gelöst", "{done} sur {count} résolus"],
  puzzleStreak: ["{count} in a row, best {best}", "{count} in Folge, Rekord {best}", "{count} de suite, record {best}"],
  puzzleDays: ["daily: {count} days in a row", "täglich: {count} Tage in Folge", "quotidien : {count} jours de suite"],
  puzzleDaily: ["Puzzle of the day, {date}", "Aufgabe des Tages, {date}", "Problème du jour, {date}"],
  puzzleNumber: ["Puzzle {number}", "Aufgabe {number}", "Problème {number}"],
  puzzleSolved: ["solved", "gelöst", "résolu"],
  difficulty: ["Difficulty", "Schwierigkeit", "Difficulté"],
  difficultyAll: ["Any difficulty", "Jede Schwierigkeit", "Toute difficulté"],
  difficulty1: ["Easy", "Leicht", "Facile"],
  difficulty2: ["Medium", "Mittel", "Moyen"],
  difficulty3: ["Hard", "Schwer", "Difficile"],
  themeOf: ["Theme", "Thema", "Thème"],
  themeAll: ["Any theme", "Jedes Thema", "Tout thème"],
  "theme.supply": ["the last bridges", "die letzten Brücken", "les derniers ponts"],
  "theme.block": ["a bridge in the way", "eine Brücke im Weg", "un pont qui barre"],
  "theme.tempo": ["pass or tempo", "Passen oder Tempo", "passe ou tempo"],
  "theme.connect": ["join networks", "Netze verbinden", "relier des réseaux"],
  "theme.fork": ["a fork", "die Gabel", "la fourchette"],
  "theme.both": ["complete and hinder", "vollenden und stören", "achever et gêner"],
  "theme.cut": ["cut a bridge", "eine Brücke verhindern", "couper un pont"],
  "theme.deny": ["deny an island", "eine Insel verwehren", "refuser une île"],
  "theme.burn": ["spoil a sandbank", "eine Sandbank entwerten", "gâcher un banc de sable"],
  "theme.complete": ["complete an island", "eine Insel vollenden", "achever une île"],
  "theme.prepare": ["prepare a bridge", "eine Brücke vorbereiten", "préparer un pont"],
  "theme.space": ["take space", "Raum nehmen", "prendre de l’espace"],
  "theme.quiet": ["a quiet turn", "ein stiller Zug", "un coup tranquille"],
  valuePoint: ["{player} wins by 1 point", "{player} gewinnt mit 1 Punkt", "{player} gagne d’un point"],
  valuePoints: ["{player} wins by {count} points", "{player} gewinnt mit {count} Punkten", "{player} gagne de {count} points"],
  valueIslands: ["{player} wins on islands", "{player} gewinnt nach Inseln", "{player} gagne aux îles"],
  valueBridges: ["{player} wins on bridges", "{player} gewinnt nach Brücken", "{player} gagne aux ponts"],
  valueWinner: ["{player} wins", "{player} gewinnt", "{player} gagne"],
  valueDraw: ["draw", "unentschieden", "partie nulle"],
};

/**
 * The text for `key` with its `values` inserted. Colours are translated.
 * @param {string} language
 * @param {string} key
 * @param {Record<string, string|number>} [values]
 */
export function text(language, key, values = {}) {
  const entry = TABLE[key];
  if (!entry) return key;
  const form = entry[Math.max(0, LANGUAGES.indexOf(language))];
  return form.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return value === "white" || value === "red" ? text(language, value) : String(value ?? "");
  });
}

/**
 * What a move does, in words.
 * @param {string} language
 * @param {{code: string, count?: number, points?: number}[]} why
 */
export function doesText(language, why = []) {
  return why.map(({ code, ...values }) => {
    const form = values.points === 1 ? "One" : values.count > 1 ? "Many" : "";
    return text(language, `does.${code}${form}`, values);
  }).join(", ");
}

/**
 * Why a move is illegal: in the user's language if the reason is known and all
 * its values are present, otherwise the server's text.
 * @param {string} language
 * @param {{code?: string, text?: string, values?: object}} reason
 */
export function reasonText(language, { code, text: said, values = {} }) {
  const key = `why.${code}`;
  const named = TABLE[key]?.[0].match(/\{\w+\}/g) ?? [];
  const known = TABLE[key] && named.every((name) => values[name.slice(1, -1)] !== undefined);
  return known ? text(language, key, values) : said ?? "";
}

/**
 * The result of a game.
 * @param {string} language
 * @param {{winner: "white"|"red"|"draw", text: string, by: string}} result
 */
export function resultText(language, { winner, text: short, by }) {
  if (winner === "draw") return text(language, "overDraw");
  const key = { score: "overScore", resignation: "overResignation", time: "overTime" }[by] ?? "overForfeit";
  return text(language, key, { winner, loser: winner === "white" ? "red" : "white", text: short });
}

/** The initial language: the saved choice, or the browser's language. */
export function firstLanguage(kept) {
  const wanted = [kept, ...(navigator.languages ?? [navigator.language])];
  for (const name of wanted) {
    const short = name?.slice(0, 2).toLowerCase();
    if (LANGUAGES.includes(short)) return short;
  }
  return "en";
}

/** Translates all nodes with `data-text`, `data-label` or `data-hint`. */
export function translate(root, language) {
  for (const node of root.querySelectorAll("[data-text]")) {
    node.textContent = text(language, node.dataset.text);
  }
  for (const node of root.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", text(language, node.dataset.label));
    if (node.dataset.title === undefined) node.title = text(language, node.dataset.label);
  }
  for (const node of root.querySelectorAll("[data-hint]")) {
    node.title = text(language, node.dataset.hint);
  }
}
