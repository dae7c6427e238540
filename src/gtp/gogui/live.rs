//! Drawing on GoGui's board while a search runs, through commands on standard
//! error.

use std::io::{self, Write};
use std::time::Duration;

use super::draw::line;
use crate::engine::{Analysis, AnalysisRequest, Answer, CannotAnalyze, NothingToAnalyze};
use crate::game::Color;
use crate::gtp::report::fixed;
use crate::gtp::session::Session;

/// The interval between drawings.
const INTERVAL: Duration = Duration::from_millis(500);

/// The most turns of the principal variation that are drawn.
const TURNS: usize = 4;

/// Draws the reports of a search and clears the board when dropped.
#[derive(Default)]
struct Drawing {
    has_drawn: bool,
}

impl Drawing {
    fn draw(&mut self, analysis: &Analysis) {
        self.has_drawn = true;
        // A search goes on even if nobody reads its drawings.
        let _ = io::stderr().write_all(picture(analysis).as_bytes());
    }
}

impl Drop for Drawing {
    fn drop(&mut self) {
        if self.has_drawn {
            let _ = io::stderr().write_all(b"gogui-gfx: CLEAR\n");
        }
    }
}

/// The principal variation and the evaluation, as one `gogui-gfx` command,
/// which an empty line ends.
fn picture(analysis: &Analysis) -> String {
    let best = analysis.candidates.first().map_or(&[][..], |best| &best.line);
    format!(
        "gogui-gfx:\n{} ({} visits, win rate {}, lead {})\n\n",
        line(analysis.mover, &best[..best.len().min(TURNS)]),
        analysis.visits,
        fixed(analysis.winrate, 2),
        fixed(analysis.lead, 1),
    )
}

impl Session {
    /// Searches and plays one of the moves that `request` permits.
    pub(in crate::gtp) fn genmove(
        &mut self,
        color: Color,
        request: &AnalysisRequest,
    ) -> Result<Answer, CannotAnalyze> {
        if !self.draws_live && !request.is_restricted() {
            return Ok(self.engine.genmove(color, &self.stop)?);
        }
        let mut drawing = Drawing::default();
        let request = self.drawn(request);
        let mut draw = |analysis: &Analysis| drawing.draw(analysis);
        let (answer, _) = self.engine.genmove_analyze(color, &request, &self.stop, &mut draw)?;
        Ok(answer)
    }

    /// Analyses the position within the limits of `genmove`.
    pub(in crate::gtp) fn analysis(
        &mut self,
        request: &AnalysisRequest,
    ) -> Result<Analysis, NothingToAnalyze> {
        let mut drawing = Drawing::default();
        let request = self.drawn(request);
        let mut draw = |analysis: &Analysis| drawing.draw(analysis);
        self.engine.analyze(&request, false, &self.stop, &mut draw)
    }

    /// `request` with the reports that drawing needs, if drawing is on.
    fn drawn(&self, request: &AnalysisRequest) -> AnalysisRequest {
        AnalysisRequest { interval: self.draws_live.then_some(INTERVAL), ..request.clone() }
    }
}
