//! Damaged files for every reader of the program: each is read, or refused in one short line,
//! within a time limit.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::client::{pontifex, test_folder};
use pontifex_testing::damage;
use pontifex_testing::random_games::Gambler;

/// The longest error or warning, in characters.
pub(crate) const LONGEST_LINE: usize = 300;

/// The longest wait for an answer when the number of inputs is set by hand, on an idle machine.
/// Otherwise the machine may be busy.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The number of inputs to try, from an environment variable or else `few`, and the longest wait
/// for each.
pub(crate) fn tries(variable: &str, few: u32) -> (u32, Duration) {
    match std::env::var(variable).ok().and_then(|value| value.parse().ok()) {
        Some(number) => (number, LONGEST_WAIT),
        None => (few, Duration::from_secs(60)),
    }
}

/// A reader of the program: the arguments, in which `FILE` stands for the file, and undamaged
/// files. Without `FILE` the file is its standard input.
struct Reader {
    arguments: String,
    files: Vec<Vec<u8>>,
}

impl Reader {
    fn new(arguments: &str, files: &[&[u8]]) -> Reader {
        let files = files.iter().map(|file| file.to_vec()).collect();
        Reader { arguments: arguments.to_owned(), files }
    }

    /// Runs the program on `bytes`. Returns its output and the elapsed time.
    fn read(&self, path: &Path, bytes: &[u8]) -> (Output, Duration) {
        fs::write(path, bytes).unwrap();
        let words = self.arguments.split(' ').map(|word| match word {
            "FILE" => path.to_str().unwrap(),
            word => word,
        });
        let start = Instant::now();
        let mut child = pontifex()
            .args(words)
            .current_dir(path.parent().unwrap())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = if self.arguments.contains("FILE") { Vec::new() } else { bytes.to_vec() };
        let writer = thread::spawn(move || {
            // A program that refuses its input may not read the rest.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        let elapsed = start.elapsed();
        writer.join().unwrap();
        (output, elapsed)
    }
}

const RECORDS: [&[u8]; 12] = [
    include_bytes!("../../../../tests/suite/data/records/variations.sgf"),
    include_bytes!("../../../../tests/suite/data/records/legacy.sgf"),
    include_bytes!("../../../../tests/suite/data/records/setup.sgf"),
    include_bytes!("../../../../tests/suite/data/records/illegal.sgf"),
    include_bytes!("../../../../tests/suite/data/records/boardspace.sgf"),
    include_bytes!("../../../../tests/suite/data/records/gogui.sgf"),
    include_bytes!("../../../../tests/suite/data/records/abstract-play-pied.json"),
    include_bytes!("../../../../tests/suite/data/records/abstract-play-8x8.json"),
    include_bytes!("../../../../tests/suite/data/records/abstract-play-two.json"),
    include_bytes!("../../../../tests/suite/data/records/headed.txt"),
    include_bytes!("../../../../tests/suite/data/records/several.txt"),
    include_bytes!("../../../../tests/suite/data/records/positions.pos"),
];

const OPTIONS: &[u8] = b"board = 5\nsupply = \"standard\"\npie = \"off\"\nthreads = 1\n\
    memory = 16\nseed = 3\nplayouts = 2\nevaluator = \"linear\"\nlevel = \"max\"\n";

const TOURNAMENT: &[u8] = b"board = 5\ngames = 2\nplayouts = 1\nmargin = 50\nseed = 1\n\
    [[experiment]]\nname = \"one\"\nengine = [{ name = \"a\", cmd = \"builtin\" }, \
    { name = \"b\", cmd = \"builtin\", param = { seed = 2 }, playouts = 2 }]\n\
    [[experiment]]\nname = \"two\"\nboard = 6\ntc = \"1+0.1\"\n\
    [[experiment.engine]]\nname = \"c\"\ncmd = \"builtin\"\n\
    [[experiment.engine]]\nname = \"d\"\ncmd = \"builtin\"\n";

const COMMANDS: &[u8] = b"1 name\n2 boardsize 5\nplay w a1,b3\n3 genmove r\nshowboard\n\
    time_settings 0 1 1\nponte-set_position w4/5/5/5/4r w - -\nponte-play_sequence c3,c4 d1,d5\n\
    ponte-analyze interval 1\nponte-legal_moves count\nundo\nprintsgf\nquit\n";

const QUERIES: &[u8] = b"{\"id\":\"1\",\"board\":5,\"moves\":[\"a1,b3\"],\"maxPlayouts\":5}\n\
    {\"id\":\"2\",\"position\":\"w4/5/5/5/4r w - -\",\"maxPlayouts\":5,\"includeOwnership\":true}\n\
    {\"id\":\"3\",\"action\":\"query_version\"}\n{\"id\":\"4\",\"board\":5,\"points\":true,\
    \"moves\":[[\"W\",\"A1\"],[\"W\",\"B3\"]],\"maxVisits\":5,\"analyzeTurns\":[0,1]}\n";

const DEALER: &[u8] = b"new 3 5\nstatus\nlegal_actions\nshow\nplay a1\ngenmove\nquit\n";

/// Every reader with the files that it reads. Makes the files that come from the program itself.
fn all_readers(folder: &Path) -> Vec<Reader> {
    const ENGINES: &str = "--engine name=a;cmd=builtin --engine name=b;cmd=builtin";
    let make = |arguments: &str| {
        let words = arguments.split(' ').map(|word| word.replace(';', " "));
        let output = pontifex().args(words).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{arguments}: {output:?}");
    };
    make(&format!("match {ENGINES} --playouts 3 --board 5 --games 4 --journal games.jsonl"));
    make("selfplay --games 2 --board 5 --full 20 --quick 5 --threads 1 --output games.data");
    let journal = fs::read(folder.join("games.jsonl")).unwrap();
    let data = fs::read(folder.join("games.data")).unwrap();
    let openings: &[u8] = b"# Openings\n# board: 5\n# supply: standard\na1,b3 c5,e2\nd4,e5 a2,b5\n";
    let weights: &[u8] = include_bytes!("../../../../src/eval/linear/weights.txt");
    let limits = "--playouts 1 --threads 1 --memory 16";
    vec![
        Reader::new("convert FILE --to sgf", &RECORDS),
        Reader::new("convert - --to moves", &RECORDS),
        Reader::new("convert FILE --to position", &RECORDS),
        Reader::new(&format!("analyze FILE {limits}"), &RECORDS),
        Reader::new(&format!("review FILE --json {limits}"), &RECORDS),
        Reader::new(&format!("review - {limits}"), &RECORDS),
        Reader::new("fit FILE --measure", &[&data, &journal, RECORDS[0]]),
        Reader::new("match --merge FILE", &[&journal]),
        Reader::new("puzzles FILE --nodes 50 --turns 2", &[&journal]),
        Reader::new("match --queue FILE --rows", &[TOURNAMENT]),
        Reader::new("gtp --config FILE", &[OPTIONS]),
        Reader::new("gtp --weights FILE", &[weights]),
        Reader::new("gtp --board 5 --playouts 2 --threads 1 --memory 16", &[COMMANDS]),
        Reader::new("engine-json --threads 1 --memory 16", &[QUERIES]),
        Reader::new("teufel --playouts 2", &[DEALER]),
        Reader::new(
            "match --engine name=a;cmd=builtin --engine name=b;cmd=builtin --playouts 1 --board 5 \
             --games 2 --openings FILE",
            &[openings],
        ),
    ]
}

/// The fault in the way a program read or refused its input, if there is one.
fn complaint(output: &Output) -> Option<String> {
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("panicked") || !matches!(output.status.code(), Some(0..=3)) {
        return Some(format!("{}: {errors}", output.status));
    }
    let long_line = errors.lines().find(|line| line.chars().count() > LONGEST_LINE);
    if let Some(line) = long_line {
        return Some(format!("a line of {} characters: {line}", line.chars().count()));
    }
    let reports = errors.lines().filter(|line| line.starts_with("pontifex: ")).count();
    if output.status.code() != Some(0) && reports == 0 {
        return Some(format!("{} without a reason", output.status));
    }
    let is_control = |c: char| c.is_control() && c != '\n';
    errors.contains(is_control).then(|| format!("control characters: {errors:?}"))
}

/// `PONTIFEX_DAMAGED_FILES` sets the number of files.
#[test]
fn damaged_files_are_read_or_refused_in_one_line() {
    let (number, longest) = tries("PONTIFEX_DAMAGED_FILES", 96);
    let folder: PathBuf = test_folder("damaged-files");
    let readers = all_readers(&folder);
    let path = folder.join("damaged");
    let mut random = Gambler::new(44);
    let mut slowest = Duration::ZERO;
    for index in 0..number as usize {
        let reader = &readers[index % readers.len()];
        let file = &reader.files[random.below(reader.files.len() as u32) as usize];
        let bytes = damage(file, &mut random);
        let (output, elapsed) = reader.read(&path, &bytes);
        let saved = folder.join("complaint");
        if let Some(complaint) = complaint(&output) {
            fs::write(&saved, &bytes).unwrap();
            panic!("{} on {}: {complaint}", reader.arguments, saved.display());
        }
        if elapsed > longest {
            fs::write(&saved, &bytes).unwrap();
            panic!("{} took {elapsed:?} for {}", reader.arguments, saved.display());
        }
        slowest = slowest.max(elapsed);
    }
    println!("{number} files, the slowest took {slowest:?}");
}
