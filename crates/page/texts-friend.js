// The texts of games with a friend, by links and live. Those of all games are in
// texts-table.js.

/** @type {Record<string, [string, string, string]>} */
export const FRIEND = {
  // The players and the door.
  friend: ["Friend", "Gegenüber", "Ami"],
  you: ["You", "Du", "Vous"],
  doorFriend: ["Play a friend", "Mit Freunden spielen", "Jouer avec un ami"],
  doorFriendText: ["Move by move, by links in messages: no account needed.", "Zug um Zug mit Links in Nachrichten, ohne Anmeldung.", "Coup par coup, avec des liens dans vos messages, sans compte."],

  // A game by links.
  friendOpponent: ["A friend, by link", "Freunde, per Link", "Un ami, par lien"],
  friendNote: ["Each plays on their own device. After your move, you send your friend a link. White begins.", "Jeder spielt auf seinem Gerät. Nach deinem Zug schickst du einen Link. Weiß beginnt.", "Chacun joue sur son appareil. Après votre coup, vous envoyez un lien. Blanc commence."],
  friendSend: ["Send to your friend", "Link verschicken", "Envoyer à votre ami"],
  friendAgain: ["Send again", "Noch einmal schicken", "Renvoyer"],
  friendDue: ["Now send the link", "Jetzt den Link schicken", "Envoyez le lien"],
  friendDuePrompt: ["Your friend moves next. Until you send the link, you can take your move back.", "Als Nächstes zieht dein Gegenüber. Bis du den Link schickst, kannst du deinen Zug zurücknehmen.", "Votre ami joue ensuite. Avant d’envoyer le lien, vous pouvez reprendre votre coup."],
  friendEndPrompt: ["Send the link so that your friend can see how the game ended.", "Schick den Link, damit auch dein Gegenüber das Ende sieht.", "Envoyez le lien, pour que votre ami voie la fin."],
  friendInvitePrompt: ["Your friend begins. Send the link as an invitation.", "Dein Gegenüber beginnt. Schick den Link als Einladung.", "Votre ami commence. Envoyez le lien comme invitation."],
  friendWaiting: ["Your friend’s turn", "Dein Gegenüber ist am Zug", "À votre ami de jouer"],
  friendWaitingPrompt: ["When your friend’s link arrives, open it on this device.", "Wenn ein Link zurückkommt, öffne ihn auf diesem Gerät.", "Quand le lien de votre ami arrive, ouvrez-le sur cet appareil."],
  friendUnsent: ["Your friend does not know yet how the game ended: the link has not been sent. Start the next game all the same?", "Dein Gegenüber weiß noch nicht, wie die Partie ausging: Der Link ist nicht verschickt. Trotzdem die nächste Partie beginnen?", "Votre ami ne sait pas encore comment la partie s’est terminée : le lien n’a pas été envoyé. Commencer quand même la suivante ?"],

  // Sending the link.
  friendShare: ["Your turn in our game of Ponte del Diavolo:", "Du bist am Zug bei Ponte del Diavolo:", "À vous de jouer à Ponte del Diavolo :"],
  friendShareEnd: ["Our game of Ponte del Diavolo is over:", "Unsere Partie Ponte del Diavolo ist zu Ende:", "Notre partie de Ponte del Diavolo est finie :"],
  friendCopied: ["The link is copied: paste it into a message to your friend.", "Der Link ist kopiert: Füge ihn in eine Nachricht ein.", "Le lien est copié : collez-le dans un message à votre ami."],
  friendLink: ["Link for your friend", "Link zum Verschicken", "Lien pour votre ami"],
  friendCopyHere: ["Copy this link and send it to your friend:", "Kopiere diesen Link und schicke ihn deinem Gegenüber:", "Copiez ce lien et envoyez-le à votre ami :"],
  friendCode: ["QR code of the link", "QR-Code des Links", "Code QR du lien"],

  // Opening a friend's link.
  friendOlder: ["That link is older: the game here has gone on since then.", "Der Link ist älter: Die Partie hier ist schon weiter.", "Ce lien est plus ancien : la partie a continué depuis."],
  friendOwn: ["That link is for your friend. On this device you play {player}.", "Der Link ist für dein Gegenüber. Auf diesem Gerät spielst du {player}.", "Ce lien est pour votre ami. Sur cet appareil, vous jouez {player}."],
  friendOther: ["In this link the game goes on differently. Both versions are kept: the other one is under “Games”.", "In diesem Link geht die Partie anders weiter. Beide bleiben erhalten: Die andere ist unter „Partien“.", "Dans ce lien, la partie continue autrement. Les deux restent : l’autre est dans « Parties »."],
  friendBroken: ["This link is damaged. Copy all of it, or ask your friend to send it again.", "Der Link ist beschädigt. Kopiere ihn ganz oder bitte noch einmal darum.", "Ce lien est endommagé. Copiez-le en entier ou redemandez-le."],

  // A live game.
  liveOpponent: ["A friend, live on this server", "Freunde, live auf diesem Server", "Un ami, en direct sur ce serveur"],
  liveNote: ["You both play live, each on your own device. You send an invitation. White begins.", "Ihr spielt live, jeder auf seinem Gerät. Du schickst eine Einladung. Weiß beginnt.", "Vous jouez ensemble, chacun sur son appareil. Vous envoyez une invitation. Blanc commence."],
  liveInvite: ["Whoever opens this link first plays against you; others watch.", "Wer diesen Link zuerst öffnet, spielt gegen dich; andere schauen zu.", "Le premier qui ouvre ce lien joue contre vous ; les autres regardent."],
  liveLocal: ["This link works only on this computer. Open the page at the server’s address in your network, and send the invitation from there.", "Dieser Link funktioniert nur auf diesem Rechner. Öffne die Seite unter der Adresse des Servers in deinem lokalen Netz und lade von dort ein.", "Ce lien ne marche que sur cet ordinateur. Ouvrez la page à l’adresse du serveur dans votre réseau, et envoyez l’invitation de là."],
  liveSend: ["Invite", "Einladen", "Inviter"],
  liveAlone: ["Waiting for your friend", "Noch fehlt dein Gegenüber", "En attente de votre ami"],
  liveAlonePrompt: ["Send the invitation: the link or its QR code.", "Verschick die Einladung: den Link oder den QR-Code.", "Envoyez l’invitation : le lien ou son code QR."],
  liveWaitingPrompt: ["The move appears here as soon as it is made.", "Der Zug erscheint hier, sobald er gemacht ist.", "Le coup apparaît ici dès qu’il est joué."],
  liveWatching: ["You are watching this game.", "Du schaust bei dieser Partie zu.", "Vous regardez cette partie."],
  liveTaken: ["Both seats are taken: you are watching.", "Beide Plätze sind besetzt: Du schaust zu.", "Les deux places sont prises : vous regardez."],
  liveFree: ["Free the other seat", "Anderen Platz freigeben", "Libérer l’autre place"],
  confirmFree: ["Free the other seat? Whoever has it can then only watch, until you invite again.", "Den anderen Platz freigeben? Wer ihn hat, schaut dann nur zu, bis du neu einlädst.", "Libérer l’autre place ? Son joueur ne pourra plus que regarder, jusqu’à une nouvelle invitation."],

  // Offers in a live game.
  offerDraw: ["Offer a draw", "Remis anbieten", "Proposer la nulle"],
  offerYes: ["Accept", "Annehmen", "Accepter"],
  offerNo: ["Decline", "Ablehnen", "Refuser"],
  offerWithdraw: ["Withdraw", "Zurückziehen", "Retirer"],
  "offer.draw": ["Your friend offers a draw.", "Dein Gegenüber bietet Remis an.", "Votre ami propose la nulle."],
  "offer.draw.own": ["You have offered a draw.", "Du hast Remis angeboten.", "Vous avez proposé la nulle."],
  "offer.takeback": ["Your friend asks to take back their last move.", "Dein Gegenüber möchte den letzten Zug zurücknehmen.", "Votre ami demande à reprendre son dernier coup."],
  "offer.takeback.own": ["You have asked to take back your last move.", "Du hast gebeten, deinen Zug zurücknehmen zu dürfen.", "Vous avez demandé à reprendre votre coup."],
  "offer.rematch": ["Your friend wants a rematch.", "Dein Gegenüber möchte eine Revanche.", "Votre ami veut une revanche."],
  "offer.rematch.own": ["You have asked for a rematch.", "Du hast um eine Revanche gebeten.", "Vous avez demandé une revanche."],
};
