//! What a search thinks, on GoGui's board while it runs: GoGui reads drawing
//! commands from standard error.

use std::io::{self, Write};
use std::time::Duration;

use super::draw::line;
use crate::engine::{Analysis, AnalysisRequest, Answer, CannotAnalyze, NothingToAnalyze};
use crate::game::Color;
use crate::gtp::Session;
use crate::gtp::report::fixed;

/// How often the board is drawn.
const INTERVAL: Duration = Duration::from_millis(500);

/// The turns of a line that are drawn.
const TURNS: usize = 4;

/// Draws while searches run, and takes it off the board in the end.
#[derive(Default)]
struct Drawing {
    has_drawn: bool,
}

impl Drawing {
    fn draw(&mut self, analysis: &Analysis) {
        self.has_drawn = true;
        // A window that does not look is no reason to end the search.
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

/// The main line and the chances; an empty line ends it.
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
    /// Thinks and plays one of the turns that `request` permits.
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

    /// What the engine thinks, within the limits of a search.
    pub(in crate::gtp) fn analysis(
        &mut self,
        request: &AnalysisRequest,
    ) -> Result<Analysis, NothingToAnalyze> {
        let mut drawing = Drawing::default();
        let request = self.drawn(request);
        let mut draw = |analysis: &Analysis| drawing.draw(analysis);
        self.engine.analyze(&request, false, &self.stop, &mut draw)
    }

    /// The request of a search that is drawn, if searches are.
    fn drawn(&self, request: &AnalysisRequest) -> AnalysisRequest {
        AnalysisRequest { interval: self.draws_live.then_some(INTERVAL), ..request.clone() }
    }
}
