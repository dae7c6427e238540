//! `pontifex review`: analyses every move of whole games. Prints text or JSON as soon as a game and
//! all before it are done, and writes files at the end.
//!
//! The positions of all games are one list of searches, which run in parallel and finish in any
//! order. Each result goes at once into the cache, then into the plan of its game. A review is a
//! function of its plan, so a resumed run prints the same as an uninterrupted one. The cache is
//! only valid for the same settings: its key is everything that changes a result.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{ArgMatches, Args};
use pontifex::analysis::review::{
    self, Cache, Opened, ParseThresholdsError, RecordedGame, ReviewPlan, SearchedPosition,
    TableRow, Thresholds, search_positions, sgf, table_text, text,
};
use pontifex::engine::{Options, PARAMS, ParamUse};
use pontifex::messages::tell;
use serde_json::{Map, Value};

use super::exit::{INTERRUPTED, UsageError};
use super::named_files::{
    Batch, batch_exit_code, ignore_broken_pipe, print, refuse_overwrite, write_file,
};
use super::options::{REVIEW, Resolved, whole};
use super::{exit, named_files};
use crate::exit::is_broken_pipe;
use crate::progress::Progress;

/// Review whole games: every move's loss, the mistakes, the win-rate curve
///
/// Win rates and losses are those of the side to move. White and Red are the colours that move;
/// after a swap the players have changed colours. With a cache, an interrupted review continues
/// where it stopped.
#[derive(Args, Debug)]
#[command(args = REVIEW.args())]
pub(super) struct Review {
    /// Game records in any supported format, or journals of matches; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print JSON, one object per game and line; with several games, a last one with a table of all
    #[arg(long)]
    json: bool,
    /// Write the games as a page for a web browser; - is standard output, instead of the text
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Write the games as SGF with comments and better lines; - is standard output, instead of the
    /// text
    #[arg(long, value_name = "OUT")]
    sgf: Option<PathBuf>,
    /// Keep searched positions in this file and continue from it
    /// [default: the name of the page or SGF file with .cache appended]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Least losses of win rate for an inaccuracy, a mistake and a blunder
    #[arg(long, value_name = "I,M,B", default_value_t, value_parser = thresholds)]
    thresholds: Thresholds,
    /// Review only game N of each file
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX))]
    game: Option<u64>,
    /// Number of candidate moves to report for each position
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = whole::<u64>(1..=100_000))]
    multi: u64,
}

fn thresholds(text: &str) -> Result<Thresholds, ParseThresholdsError> {
    text.parse()
}

/// The searches in the cache, by the key of the game and the index of the position.
type CachedSearches = HashMap<(String, usize), SearchedPosition>;

impl Review {
    pub(super) fn run(self, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
        let resolved = REVIEW.resolve(matches)?;
        let Batch { items: games, is_incomplete } = self.games(&resolved)?;
        let options = resolved.options;
        self.check_outputs()?;
        let (mut cache, cached) = self.open_cache(&options)?;
        let keys: Vec<String> = games.iter().map(RecordedGame::key).collect();
        let mut plans: Vec<ReviewPlan> = games
            .iter()
            .zip(&keys)
            .map(|(game, key)| plan(game, key, &cached, self.multi as usize))
            .collect();
        let planned: usize = plans.iter().map(ReviewPlan::total).sum();
        let count_done = |plans: &[ReviewPlan]| plans.iter().map(ReviewPlan::done).sum::<usize>();
        let progress = Progress::resumed("positions", count_done(&plans), planned);
        let has_files = self.output_files().next().is_some();
        let mut output = Output::new(&games, self.thresholds, self.printed(), has_files);
        output.print(&plans)?;

        let stop = exit::defer_interrupt_of_search("ending the review");
        if !has_files {
            exit::exit_on_broken_pipe();
        }
        let searches = plans.iter().enumerate();
        let searches =
            searches.flat_map(|(n, plan)| plan.searches().map(move |search| (n, search)));
        let searches = searches.collect();
        let record = |game: usize, index: usize, search: SearchedPosition| -> anyhow::Result<()> {
            if let Some(cache) = &mut cache {
                let result = cache.add(&keys[game], index, &search);
                result.context("the cache cannot be written")?;
            }
            plans[game].insert(index, search);
            progress.advance();
            if plans[game].is_complete() {
                progress.hide();
                output.print(&plans)?;
            }
            Ok(())
        };
        search_positions(searches, &options, stop, record)?;
        drop(progress);
        if output.is_complete() {
            output.print_table()?;
            self.write(&output.reviewed)?;
            return Ok(batch_exit_code(is_incomplete));
        }
        let done = count_done(&plans);
        let cache_note = match self.cache_path() {
            Some(path) if cache.is_some() => format!("they are kept in {}", path.display()),
            _ => "--cache FILE would have kept them".to_owned(),
        };
        tell(format_args!("{done} of {planned} positions are done, {cache_note}"));
        Ok(ExitCode::from(INTERRUPTED as u8))
    }

    /// The games of all files, replayed. Files and games that cannot be read are reported.
    fn games(&self, resolved: &Resolved) -> Result<Batch<RecordedGame>, UsageError> {
        let assumed = resolved.default_rules();
        let files = Batch::read(&self.files, |path| named_files::records(path, &assumed))?;
        let games = files.items.into_iter().flat_map(|(file, records)| {
            let numbered = (1..).zip(records);
            numbered.map(move |(number, record)| (file.clone(), number, record))
        });
        let is_requested = |number: usize| self.game.is_none_or(|game| game == number as u64);
        let games: Vec<_> = games.filter(|&(_, number, _)| is_requested(number)).collect();
        if let (Some(game), true) = (self.game, games.is_empty()) {
            return Err(UsageError(format!("--game {game}: no file has that many games")));
        }
        let replayed = Batch::read(games, |(file, number, record)| {
            let refuse = |reason: String| UsageError(format!("{file}: game {number}: {reason}"));
            if record.moves.is_empty() {
                return Err(refuse("it has no moves to review".to_owned()));
            }
            RecordedGame::new(file.clone(), number, record)
                .map_err(|error| refuse(error.to_string()))
        })?;
        let is_incomplete = files.is_incomplete || replayed.is_incomplete;
        Ok(Batch { items: replayed.items, is_incomplete })
    }

    /// The file of the cache, if there is one.
    fn cache_path(&self) -> Option<PathBuf> {
        let beside = |path: &PathBuf| {
            let mut name = path.clone().into_os_string();
            name.push(".cache");
            PathBuf::from(name)
        };
        let first_file = || self.output_files().map(|(_, path)| path).next();
        self.cache.clone().or_else(|| first_file().map(beside))
    }

    /// The requested page and SGF outputs, standard output included.
    fn outputs(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let outputs = [("--html", self.html.as_ref()), ("--sgf", self.sgf.as_ref())];
        outputs.into_iter().filter_map(|(name, path)| Some((name, path?)))
    }

    /// The requested outputs that are files.
    fn output_files(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        self.outputs().filter(|(_, path)| path.as_os_str() != "-")
    }

    /// The form in which finished games are printed.
    fn printed(&self) -> Printed {
        if self.outputs().any(|(_, path)| path.as_os_str() == "-") {
            Printed::Nothing
        } else if self.json {
            Printed::Json
        } else {
            Printed::Text
        }
    }

    /// Checks that no output overwrites an input or another output, and that each can be written.
    fn check_outputs(&self) -> Result<(), UsageError> {
        if self.outputs().count() - self.output_files().count() + usize::from(self.json) > 1 {
            let text = "standard output takes one of --json, --html - and --sgf -";
            return Err(UsageError(text.to_owned()));
        }
        for (name, path) in self.output_files() {
            let reason = if path.is_dir() {
                "it is a folder"
            } else if !parent_folder(path).is_dir() {
                "there is no such folder"
            } else {
                continue;
            };
            return Err(UsageError(format!("{name}: cannot write {}: {reason}", path.display())));
        }
        let cache = self.cache_path();
        let outputs = self.output_files().chain(cache.as_ref().map(|path| ("the cache", path)));
        let outputs: Vec<_> = outputs.collect();
        for (n, &(name, path)) in outputs.iter().enumerate() {
            let others = outputs[..n].iter().map(|&(_, other)| other);
            refuse_overwrite(self.files.iter().chain(others), name, path)?;
        }
        Ok(())
    }

    fn open_cache(&self, options: &Options) -> anyhow::Result<(Option<Cache>, CachedSearches)> {
        let Some(path) = self.cache_path() else { return Ok((None, CachedSearches::new())) };
        let opened = Cache::open(&path, &self.settings(options));
        let Opened { cache, known, note } =
            opened.map_err(|error| UsageError(error.to_string()))?;
        if let Some(note) = note {
            tell(note);
        }
        Ok((Some(cache), known))
    }

    /// Everything that changes the result of a search.
    fn settings(&self, options: &Options) -> Map<String, Value> {
        let mut settings = Map::new();
        settings.insert("version".to_owned(), env!("CARGO_PKG_VERSION").into());
        settings.insert("multi".to_owned(), self.multi.into());
        for param in PARAMS.iter().filter(|param| param.is_for(ParamUse::Findings)) {
            settings.insert(param.name.to_owned(), param.get(options).into());
        }
        // A file may change while its name stays.
        settings.insert("weights".to_owned(), options.search.weights.stamp().into());
        settings
    }

    /// Writes the requested files.
    fn write(&self, reviewed: &[Reviewed<'_>]) -> anyhow::Result<()> {
        let files = [
            self.html.as_ref().map(|path| (path, html(reviewed))),
            self.sgf.as_ref().map(|path| (path, Ok(sgf(reviewed)))),
        ];
        for (path, text) in files.into_iter().flatten() {
            if path.as_os_str() == "-" {
                print(text?.as_bytes())?;
            } else {
                write_file(path, text?)?;
            }
        }
        Ok(())
    }
}

/// The folder a file is in.
fn parent_folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The plan of a game's review, with the analyses in the cache.
fn plan(game: &RecordedGame, key: &str, cached: &CachedSearches, multi: usize) -> ReviewPlan {
    let mut plan = game.plan(multi);
    for index in 0..plan.positions().len() {
        let search = cached.get(&(key.to_owned(), index));
        let position = plan.positions()[index].to_string();
        // Two games could have the same key, so the position is compared, too.
        if let Some(search) = search.filter(|search| search.analysis.position == position) {
            plan.insert(index, search.clone());
        }
    }
    plan
}

/// A game and its review.
#[derive(Debug)]
pub(super) struct Reviewed<'g> {
    game: &'g RecordedGame,
    review: review::Review,
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
    /// Whether files are written as well. Then a broken pipe does not end the review.
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
            let Some(review) = review::Review::of(game, plan, &self.thresholds) else { break };
            let result = self.show(&review);
            self.reviewed.push(Reviewed { game, review });
            match result {
                Err(error) if self.has_files && is_broken_pipe(&error) => {
                    self.printed = Printed::Nothing;
                }
                result => result?,
            }
        }
        Ok(())
    }

    /// Prints the review of the next game.
    fn show(&self, review: &review::Review) -> anyhow::Result<()> {
        let gap = if self.reviewed.is_empty() { "" } else { "\n" };
        let text = match self.printed {
            Printed::Text => format!("{gap}{}", text(review)),
            Printed::Json => serde_json::to_string(review)? + "\n",
            Printed::Nothing => return Ok(()),
        };
        print(text.as_bytes())
    }

    /// Prints the table of several games; all must be done.
    fn print_table(&mut self) -> anyhow::Result<()> {
        if self.games.len() < 2 {
            return Ok(());
        }
        let rows: Vec<TableRow> =
            self.reviewed.iter().map(|done| TableRow::of(&done.review)).collect();
        let text = match self.printed {
            Printed::Text => format!("\n{}", table_text(&rows)),
            Printed::Json => serde_json::to_string(&BTreeMap::from([("table", rows)]))? + "\n",
            Printed::Nothing => return Ok(()),
        };
        let printed = print(text.as_bytes());
        if self.has_files { ignore_broken_pipe(printed) } else { printed }
    }

    /// Whether all games are done.
    pub(super) fn is_complete(&self) -> bool {
        self.reviewed.len() == self.games.len()
    }
}

/// The page with all games.
pub(super) fn html(reviewed: &[Reviewed<'_>]) -> anyhow::Result<String> {
    let reviews: Vec<review::Review> = reviewed.iter().map(|done| done.review.clone()).collect();
    Ok(report_page(&reviews)?)
}

/// The page of the report, and what goes into it besides the reviews.
const PAGE: &str = include_str!("../../page/report/report.html");
const STYLE: &str = include_str!("../../page/report/report.css");
const SCRIPT: &str = include_str!("../../page/report/report.js");

/// Reviews as one self-contained page for a web browser.
///
/// # Errors
/// When the reviews cannot be written as JSON.
fn report_page(reviews: &[review::Review]) -> Result<String, serde_json::Error> {
    let data = escape_for_script(&serde_json::to_string(reviews)?);
    let parts = [("{{style}}", STYLE), ("{{data}}", &data), ("{{script}}", SCRIPT)];
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    // Inserted text is not searched for placeholders: a comment in a record may contain one.
    let mut rest = PAGE;
    for (place, text) in parts {
        if let Some((before, after)) = rest.split_once(place) {
            page.push_str(before);
            page.push_str(text.trim_end());
            rest = after;
        }
    }
    page.push_str(rest);
    Ok(page)
}

/// Escapes JSON for a script element, so that no string in it can end the element. In JSON `<`
/// occurs in strings only. The two separators end lines in old JavaScript, though not in JSON.
fn escape_for_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// The annotated records of all games.
pub(super) fn sgf(reviewed: &[Reviewed<'_>]) -> String {
    reviewed.iter().map(|done| sgf::write(done.game, &done.review)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_complete_and_self_contained() {
        let page = report_page(&[]).unwrap();
        assert!(!page.contains("{{"));
        assert!(page.contains(SCRIPT.trim_end()));
        assert!(page.contains(STYLE.trim_end()));
        for foreign in ["http:", "https:", "src=", "href=", "@import", "url(", "fetch("] {
            let found = page.replace("http://www.w3.org/2000/svg", "").contains(foreign);
            assert!(!found, "{foreign}");
        }
    }

    #[test]
    fn no_string_ends_the_data() {
        let json = serde_json::to_string(&["</script><!-- {{script}}"]).unwrap();
        let safe = escape_for_script(&json);
        assert!(!safe.contains('<'));
        assert_eq!(
            serde_json::from_str::<Vec<String>>(&safe).unwrap(),
            ["</script><!-- {{script}}"]
        );
    }
}
