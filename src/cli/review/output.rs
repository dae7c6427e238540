//! What becomes of reviews: text or JSON as soon as a game and all before it
//! are done, files in the end.

use std::io::{self, Write};

use crate::analysis::review::{Look, Review, Subject, Thresholds, page, sgf, text};

/// A game and its review.
#[derive(Debug)]
pub(super) struct Reviewed<'g> {
    subject: &'g Subject,
    review: Review,
}

/// What is printed of a game as soon as it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Printed {
    Text,
    Json,
    /// Standard output is for a file.
    Nothing,
}

/// The games in their order, as far as they are done.
#[derive(Debug)]
pub(super) struct Output<'g> {
    games: &'g [Subject],
    thresholds: Thresholds,
    printed: Printed,
    /// Those that have been printed.
    pub(super) reviewed: Vec<Reviewed<'g>>,
}

impl<'g> Output<'g> {
    /// Nothing is printed yet.
    pub(super) fn new(
        games: &'g [Subject],
        thresholds: Thresholds,
        printed: Printed,
    ) -> Output<'g> {
        Output { games, thresholds, printed, reviewed: Vec::new() }
    }

    /// Prints the games that come next and are done, by what was found of
    /// each game's positions.
    pub(super) fn print(&mut self, looks: &[Vec<Option<Look>>]) -> anyhow::Result<()> {
        let mut stdout = io::stdout().lock();
        while let Some(subject) = self.games.get(self.reviewed.len()) {
            let looks = &looks[self.reviewed.len()];
            let Some(review) = Review::of(subject, looks, &self.thresholds) else { break };
            let gap = if self.reviewed.is_empty() { "" } else { "\n" };
            match self.printed {
                Printed::Text => write!(stdout, "{gap}{}", text(&review))?,
                Printed::Json => writeln!(stdout, "{}", serde_json::to_string(&review)?)?,
                Printed::Nothing => {}
            }
            self.reviewed.push(Reviewed { subject, review });
        }
        Ok(stdout.flush()?)
    }

    /// Whether all games are done.
    pub(super) fn is_complete(&self) -> bool {
        self.reviewed.len() == self.games.len()
    }
}

/// The page with all games.
pub(super) fn html(reviewed: &[Reviewed<'_>]) -> anyhow::Result<String> {
    let reviews: Vec<Review> = reviewed.iter().map(|game| game.review.clone()).collect();
    Ok(page::write(&reviews)?)
}

/// The annotated records of all games.
pub(super) fn sgf(reviewed: &[Reviewed<'_>]) -> String {
    reviewed.iter().map(|game| sgf::write(game.subject, &game.review)).collect()
}
