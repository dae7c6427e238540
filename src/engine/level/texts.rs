//! The levels' names and characters, for front ends.

use super::Level;

/// How a level is presented in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelText {
    /// `en`, `de` or `fr`.
    pub language: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its character, one sentence.
    pub character: &'static str,
}

/// Name and character of each level in English, German and French.
const TEXTS: [[(&str, &str); 3]; Level::HIGHEST as usize] = [
    [
        ("Tourist", "Fills the shore with islands, seldom thinks of bridges, never looks at you."),
        ("Tourist", "Baut Inseln, wo es hübsch ist, denkt selten an Brücken und nie an dich."),
        ("Touriste", "Fait des îles où c'est joli, pense rarement aux ponts et jamais à vous."),
    ],
    [
        ("Beachcomber", "Completes every island in reach and mostly overlooks what you are up to."),
        ("Strandläufer", "Vollendet jede Insel in Reichweite und übersieht meist, was du vorhast."),
        ("Flâneur", "Achève toute île à sa portée et ne voit guère ce que vous préparez."),
    ],
    [
        ("Angler", "Waits for a good bridge, but notices only every other one of yours."),
        ("Angler", "Wartet auf die gute Brücke, bemerkt von deinen aber nur jede zweite."),
        ("Pêcheur", "Guette le bon pont, mais ne remarque qu'un des vôtres sur deux."),
    ],
    [
        ("Gardener", "Tends islands and joins them, yet often leaves the gate open."),
        ("Gärtner", "Hegt Inseln und verbindet sie, lässt aber oft das Tor offen."),
        ("Jardinier", "Soigne ses îles et les relie, mais laisse souvent le portail ouvert."),
    ],
    [
        ("Ferryman", "Knows every crossing and trusts a practised eye more than calculation."),
        ("Fährmann", "Kennt jede Überfahrt und traut dem geübten Auge mehr als dem Rechnen."),
        ("Passeur", "Connaît chaque traversée et se fie au coup d'œil plus qu'au calcul."),
    ],
    [
        ("Mason", "Looks a turn ahead, builds solidly, and now and then forgets your reply."),
        ("Maurer", "Denkt einen Zug voraus, baut solide und vergisst ab und zu deine Antwort."),
        ("Maçon", "Prévoit un coup, bâtit solide et oublie parfois votre réplique."),
    ],
    [
        ("Carpenter", "Prepares two bridges at once; stop one and the other stands."),
        ("Zimmerfrau", "Bereitet zwei Brücken zugleich vor: Fällt die eine, steht die andere."),
        ("Charpentière", "Prépare deux ponts à la fois : si l'un tombe, l'autre tient."),
    ],
    [
        ("Surveyor", "Measures the water between your islands and takes the best places first."),
        (
            "Landvermesser",
            "Misst das Wasser zwischen deinen Inseln und nimmt sich die besten Plätze.",
        ),
        ("Géomètre", "Mesure l'eau entre vos îles et prend d'abord les meilleures places."),
    ],
    [
        ("Architect", "Plans the whole network and forgives little; only the ending may slip."),
        ("Architektin", "Plant das ganze Netz und verzeiht wenig; nur im Endspiel patzt sie noch."),
        ("Architecte", "Conçoit tout le réseau et pardonne peu ; seule la finale lui échappe."),
    ],
    [
        ("Bridge master", "Sees your plans before you do. Bring patience, and count the turns."),
        ("Brückenmeister", "Sieht deine Pläne vor dir. Bring Geduld mit und zähl die Züge."),
        ("Maître des ponts", "Voit vos plans avant vous. Soyez patient, et comptez les coups."),
    ],
];

impl Level {
    /// Its name and character in English, German and French.
    pub fn texts(self) -> [LevelText; 3] {
        let mut languages = ["en", "de", "fr"].into_iter();
        TEXTS[usize::from(self.number() - 1)].map(|(name, character)| LevelText {
            language: languages.next().unwrap_or_default(),
            name,
            character,
        })
    }
}
