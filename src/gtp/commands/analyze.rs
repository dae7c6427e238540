//! Searches that report line by line.

use std::sync::Arc;

use super::super::args;
use super::super::report::Wishes;
use super::{Args, CommandError, Session, Stream, play};

/// How the command of the same name is used.
pub(super) const ANALYZE: &str = "ponte-analyze [COLOR] [CS] [interval CS] [minmoves N] \
     [maxmoves N] [avoid M,..] [allow M,..] [ownership true|false] [rootInfo true|false] \
     [pvVisits true|false]";

/// How the command of the same name is used.
pub(super) const GENMOVE_ANALYZE: &str = "ponte-genmove_analyze COLOR [CS] [interval CS] ...";

/// Goes on until there is more input, whatever its limits in a game; without
/// anybody who reads meanwhile, to the limits of a game.
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
    let wishes = Wishes::parse(words, &position)?;
    stream.begin();
    let stop = session.input.as_ref().unwrap_or(&session.stop);
    let (stop, is_endless) = (Arc::clone(stop), session.input.is_some());
    let analysis = session.engine.analyze(&wishes.request, is_endless, &stop, &mut |analysis| {
        stream.report(&wishes.report(analysis), &stop);
    })?;
    stream.line(&wishes.report(&analysis));
    stream.stay_open();
    Ok(())
}

/// A search like any other for a move: it ends at its limits.
pub(super) fn genmove_analyze(
    session: &mut Session,
    args: Args,
    stream: &mut Stream<'_>,
) -> Result<(), CommandError> {
    let position = *session.engine.position();
    let mut words = args.words();
    let color = args::color(words.next().ok_or_else(|| args.usage_error())?)?;
    position.check_turn(color)?;
    let wishes = Wishes::parse(words, &position)?;
    stream.begin();
    let stop = Arc::clone(&session.stop);
    let mut tell = |analysis: &_| stream.report(&wishes.report(analysis), &stop);
    let (answer, analysis) =
        session.engine.genmove_analyze(color, &wishes.request, &stop, &mut tell)?;
    stream.line(&wishes.report(&analysis));
    stream.line(&format!("play {}", play::text(answer)));
    Ok(())
}
