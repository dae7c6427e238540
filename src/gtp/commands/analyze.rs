//! Searches that stream reports.

use std::sync::Arc;

use super::play;
use crate::gtp::args::{self, Args};
use crate::gtp::error::CommandError;
use crate::gtp::report::ReportOptions;
use crate::gtp::session::Session;
use crate::gtp::stream::Stream;

/// Usage of `ponte-analyze`.
pub(super) const ANALYZE: &str = "ponte-analyze [COLOR] [CS] [interval CS] [minmoves N] \
     [maxmoves N] [avoid M,..] [allow M,..] [ownership true|false] [rootInfo true|false] \
     [pvVisits true|false]";

/// Usage of `ponte-genmove_analyze`.
pub(super) const GENMOVE_ANALYZE: &str = "ponte-genmove_analyze COLOR [CS] [interval CS] ...";

/// Analyses until more input arrives. If no input is read meanwhile, the
/// limits of `genmove` apply.
pub(super) fn analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let position = *session.engine.position();
    position.check_turn(position.side())?;
    let mut words = args.words().peekable();
    if let Some(color) = words.peek().and_then(|word| args::color(word).ok()) {
        position.check_turn(color)?;
        words.next();
    }
    let options = ReportOptions::parse(words, &position)?;
    stream.begin();
    let stop = session.input.as_ref().unwrap_or(&session.stop);
    let (stop, is_endless) = (Arc::clone(stop), session.input.is_some());
    let analysis =
        session.engine.analyze(&options.request, is_endless, &stop, &mut |analysis| {
            stream.report(&options.report(analysis), &stop);
        })?;
    stream.line(&options.report(&analysis));
    stream.stay_open();
    Ok(())
}

/// Searches and plays like `genmove`, and streams reports.
pub(super) fn genmove_analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let position = *session.engine.position();
    let mut words = args.words();
    let color = args::color(words.next().ok_or_else(|| args.usage_error())?)?;
    position.check_turn(color)?;
    let options = ReportOptions::parse(words, &position)?;
    stream.begin();
    let stop = Arc::clone(&session.stop);
    let mut report = |analysis: &_| stream.report(&options.report(analysis), &stop);
    let (answer, analysis) =
        session.engine.genmove_analyze(color, &options.request, &stop, &mut report)?;
    stream.line(&options.report(&analysis));
    stream.line(&format!("play {}", play::text(answer)));
    Ok(())
}
