//! Searches that stream reports.

use std::sync::Arc;

use super::play;
use crate::engine::{Analysis, Answer};
use crate::game::Color;
use crate::gtp::args::{self, Args};
use crate::gtp::error::CommandError;
use crate::gtp::gogui::{self, PointNames};
use crate::gtp::report::ReportOptions;
use crate::gtp::session::Session;
use crate::gtp::stream::Stream;

/// Usage of `ponte-analyze`.
pub(super) const ANALYZE: &str = "ponte-analyze [COLOR] [CS] [interval CS] [minmoves N] \
     [maxmoves N] [avoid M,..] [allow M,..] [ownership true|false] [rootInfo true|false] \
     [pvVisits true|false]";

/// Usage of `ponte-genmove_analyze`.
pub(super) const GENMOVE_ANALYZE: &str = "ponte-genmove_analyze COLOR [CS] [interval CS] ...";

/// Usage of `kata-analyze`.
pub(super) const KATA_ANALYZE: &str =
    "kata-analyze [COLOR] [CS] [interval CS] [avoid COLOR POINT,.. DEPTH] ...";

/// Usage of `kata-genmove_analyze`.
pub(super) const KATA_GENMOVE_ANALYZE: &str =
    "kata-genmove_analyze COLOR [CS] [interval CS] [avoid COLOR POINT,.. DEPTH] ...";

/// Analyses until more input arrives. If no input is read meanwhile, the
/// limits of `genmove` apply.
pub(super) fn analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    stream_analysis(session, args, stream, None)
}

/// Analyses like `ponte-analyze`, with points for moves.
pub(super) fn kata_analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let names = PointNames::of(session);
    stream_analysis(session, args, stream, Some(names))
}

fn stream_analysis(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
    names: Option<PointNames>,
) -> Result<(), CommandError> {
    let position = *session.engine.position();
    position.check_turn(position.side())?;
    let mut words = args.words().peekable();
    if let Some(color) = words.peek().and_then(|word| args::color(word).ok()) {
        position.check_turn(color)?;
        words.next();
    }
    let options = ReportOptions::parse(words, &position, names)?;
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
    let (color, options) = genmove_options(session, args, None)?;
    stream.begin();
    let answer = stream_genmove(session, color, &options, stream)?;
    stream.line(&format!("play {}", play::text(answer)));
    Ok(())
}

/// Searches and plays the next point, and streams reports. Switches the
/// single-point mode on.
pub(super) fn kata_genmove_analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let names = PointNames::of(session);
    let (color, options) = genmove_options(session, args, Some(names))?;
    if !session.points.is_on() {
        session.points.set(true);
    }
    stream.begin();
    // The options already restrict the search to turns that complete this one.
    let search = |session: &mut Session, _| stream_genmove(session, color, &options, stream);
    let point = gogui::genmove(session, color, &options.names(), search)?;
    stream.line(&format!("play {point}"));
    Ok(())
}

fn genmove_options(
    session: &Session,
    args: Args,
    names: Option<PointNames>,
) -> Result<(Color, ReportOptions), CommandError> {
    let position = session.engine.position();
    let mut words = args.words();
    let color = args::color(words.next().ok_or_else(|| args.usage_error())?)?;
    position.check_turn(color)?;
    Ok((color, ReportOptions::parse(words, position, names)?))
}

fn stream_genmove(
    session: &mut Session,
    color: Color,
    options: &ReportOptions,
    stream: &mut Stream<'_>,
) -> Result<Answer, CommandError> {
    let stop = Arc::clone(&session.stop);
    let mut report = |analysis: &Analysis| stream.report(&options.report(analysis), &stop);
    let (answer, analysis) =
        session.engine.genmove_analyze(color, &options.request, &stop, &mut report)?;
    stream.line(&options.report(&analysis));
    Ok(answer)
}
