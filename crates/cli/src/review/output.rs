//! Output of reviews: text or JSON as soon as a game and all before it are
//! done, files at the end.

use std::io::{self, Write};

use super::html;
use crate::exit::is_broken_pipe;
use pontifex::analysis::review::{RecordedGame, Review, ReviewPlan, Thresholds, sgf, text};

/// A game and its review.
#[derive(Debug)]
pub(super) struct Reviewed<'g> {
    game: &'g RecordedGame,
    review: Review,
}

/// The form in which a finished game is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Printed {
    Text,
    Json,
    /// Standard output takes a file.
    Nothing,
}

/// Prints games in their order as they are done.
#[derive(Debug)]
pub(super) struct Output<'g> {
    games: &'g [RecordedGame],
    thresholds: Thresholds,
    printed: Printed,
    /// Whether files are written as well, even if nobody reads what is printed.
    has_files: bool,
    /// The games printed so far.
    pub(super) reviewed: Vec<Reviewed<'g>>,
}

impl<'g> Output<'g> {
    /// An output before the first game.
    pub(super) fn new(
        games: &'g [RecordedGame],
        thresholds: Thresholds,
        printed: Printed,
        has_files: bool,
    ) -> Output<'g> {
        Output { games, thresholds, printed, has_files, reviewed: Vec::new() }
    }

    /// Prints the next games that are done; `plans` are those of all games.
    pub(super) fn print(&mut self, plans: &[ReviewPlan]) -> anyhow::Result<()> {
        while let Some(game) = self.games.get(self.reviewed.len()) {
            let plan = &plans[self.reviewed.len()];
            let Some(review) = Review::of(game, plan, &self.thresholds) else { break };
            let shown = self.show(&review);
            self.reviewed.push(Reviewed { game, review });
            match shown {
                Err(error) if self.has_files && is_broken_pipe(&error) => {
                    self.printed = Printed::Nothing;
                }
                shown => shown?,
            }
        }
        Ok(())
    }

    /// Prints the review of the next game.
    fn show(&self, review: &Review) -> anyhow::Result<()> {
        let mut stdout = io::stdout().lock();
        let gap = if self.reviewed.is_empty() { "" } else { "\n" };
        match self.printed {
            Printed::Text => write!(stdout, "{gap}{}", text(review))?,
            Printed::Json => writeln!(stdout, "{}", serde_json::to_string(review)?)?,
            Printed::Nothing => {}
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
    let reviews: Vec<Review> = reviewed.iter().map(|done| done.review.clone()).collect();
    Ok(html::write(&reviews)?)
}

/// The annotated records of all games.
pub(super) fn sgf(reviewed: &[Reviewed<'_>]) -> String {
    reviewed.iter().map(|done| sgf::write(done.game, &done.review)).collect()
}
