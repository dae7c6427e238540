//! Files are written whole or not at all, and endless ones are refused.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use super::client::{run, test_folder};

const GAME: &str = "# board: 6\nd4,e6 a1,b1\n";
const OLD: &str = "as it was";

/// A folder with `game.txt`.
fn folder_with_game(name: &str) -> PathBuf {
    let folder = test_folder(name);
    fs::write(folder.join("game.txt"), GAME).unwrap();
    folder
}

/// Runs the binary in `folder` as the shell's `command`, where it is `$P`.
fn shell(folder: &Path, command: &str) -> Output {
    Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("P", env!("CARGO_BIN_EXE_pontifex"))
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Simulates a full disk: no file can exceed a block of 512 bytes, and writing more is an error,
/// not a signal.
const FULL_DISK: &str = "trap '' XFSZ; ulimit -f 1; ";

#[test]
fn on_a_full_disk_the_old_file_remains() {
    let folder = folder_with_game("files-full");
    let games = "(;GM[PonteDelDiavolo]SZ[6]RE[W+R];W[a1,b1])\n".repeat(100);
    fs::write(folder.join("games.sgf"), games).unwrap();
    // From now on the cache of the review does not grow.
    let review = "$P review game.txt --playouts 1 --html new --cache c.cache";
    assert!(shell(&folder, review).status.success());
    let moves = "genmove w\ngenmove r\n".repeat(150);
    fs::write(folder.join("moves.gtp"), format!("{moves}printsgf out\n")).unwrap();
    for (command, code) in [
        ("$P convert game.txt --svg out", 1),
        ("$P convert game.txt --png out", 1),
        ("$P convert games.sgf --output out --to moves", 1),
        ("$P convert games.sgf --output . --to moves", 1),
        ("$P fit games.sgf --part value --hold-out 0 --output out", 1),
        ("$P review game.txt --playouts 1 --html out --cache c.cache", 1),
        ("$P gtp --playouts 1 --board 12 < moves.gtp | grep -q 'cannot save'", 0),
    ] {
        let output_file = if command.contains("output .") { "games.moves" } else { "out" };
        fs::write(folder.join(output_file), OLD).unwrap();
        let before = names(&folder);
        let output = shell(&folder, &format!("{FULL_DISK}{command}"));
        assert_eq!(output.status.code(), Some(code), "{command}: {output:?}");
        assert_eq!(fs::read_to_string(folder.join(output_file)).unwrap(), OLD, "{command}");
        assert_eq!(names(&folder).len(), before.len(), "{command}: {:?}", names(&folder));
    }
}

#[test]
fn records_of_a_match_are_replaced_after_all_games_are_written() {
    let folder = test_folder("files-records");
    let play = "$P match --engine 'name=a cmd=builtin playouts=1' --engine 'name=b cmd=builtin \
                playouts=1' --board 6 --games 6 --journal j.jsonl --records games.sgf";
    let output = shell(&folder, play);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let whole = fs::read_to_string(folder.join("games.sgf")).unwrap();
    assert_eq!(whole.matches("(;").count(), 6);
    fs::write(folder.join("games.sgf"), OLD).unwrap();
    // All games are in the journal, and the disk is full.
    let output = shell(&folder, &format!("{FULL_DISK}{play}"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(stderr(&output).contains("--records games.sgf: "), "{output:?}");
    assert_eq!(fs::read_to_string(folder.join("games.sgf")).unwrap(), OLD);
    assert_eq!(shell(&folder, play).status.code(), Some(0));
    assert_eq!(fs::read_to_string(folder.join("games.sgf")).unwrap(), whole);
    // A merged journal is written whole or not at all.
    let merge = "$P match --merge j.jsonl --journal merged.jsonl";
    let output = shell(&folder, &format!("{FULL_DISK}{merge}"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(!folder.join("merged.jsonl").exists());
    assert_eq!(shell(&folder, merge).status.code(), Some(0));
    assert_eq!(shell(&folder, merge).status.code(), Some(2), "it exists");
}

#[test]
fn a_fit_that_fails_leaves_no_empty_file() {
    let folder = folder_with_game("files-fit");
    let output = shell(&folder, "$P fit nothing.sgf --output weights.txt");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(names(&folder), ["game.txt"]);
    let output = shell(&folder, "$P fit game.txt --output no/weights.txt");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stderr(&output).contains("cannot write no/weights.txt: No such file"), "{output:?}");
}

#[test]
fn permissions_and_links_stay() {
    let folder = folder_with_game("files-links");
    let (file, link) = (folder.join("out.svg"), folder.join("link.svg"));
    fs::write(&file, OLD).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("out.svg", &link).unwrap();
    assert!(shell(&folder, "$P convert game.txt --svg link.svg").status.success());
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&file).unwrap().starts_with("<svg"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    let output = shell(&folder, "umask 027; $P convert game.txt --svg new.svg");
    assert!(output.status.success());
    let mode = fs::metadata(folder.join("new.svg")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn standard_output_and_pipes_are_written_directly() {
    let folder = folder_with_game("files-straight");
    let moves = "# board: 6\n# supply: standard\n# pie: on\nd4,e6\na1,b1\n";
    for command in [
        "$P convert game.txt --to moves -o -",
        "$P convert game.txt --to moves -o /dev/stdout",
        "$P convert game.txt --to moves -o /dev/stdout | cat",
        // Text that others have written to the same file remains.
        "{ echo x; $P convert game.txt --to moves -o /dev/stdout; } > out; tail -n +2 out",
        "mkfifo pipe; cat pipe & $P convert game.txt --to moves -o pipe; wait",
    ] {
        let output = shell(&folder, command);
        assert_eq!(String::from_utf8_lossy(&output.stdout), moves, "{command}: {output:?}");
    }
    assert!(fs::metadata(folder.join("pipe")).unwrap().file_type().is_fifo());
    let output = shell(&folder, "$P convert game.txt -o /dev/full");
    assert!(stderr(&output).contains("cannot write /dev/full: No space"), "{output:?}");
}

/// Commands that read the file `$F`.
const READERS: [&str; 18] = [
    "$P convert $F",
    "$P review $F",
    "$P review game.txt --playouts 1 --cache $F",
    "$P analyze $F",
    "$P match --engine 'name=a cmd=builtin' --engine 'name=b cmd=builtin' --journal $F",
    "$P match --engine 'name=a cmd=builtin' --engine 'name=b cmd=builtin' --openings $F",
    "$P match --engine \"name=a cmd=builtin param.weights=$F\" --engine 'name=b cmd=builtin'",
    "$P match --config $F",
    "$P match --queue $F",
    "$P match --merge $F",
    "$P fit --measure $F",
    "$P fit --measure game.txt --weights $F",
    "$P selfplay --games 1 --output $F",
    "$P puzzles $F",
    "$P openings suite $F",
    "$P gtp --config $F",
    "$P gtp --weights $F",
    "echo loadsgf $F | $P gtp >&2; false",
];

#[test]
fn irregular_files_are_refused_at_once() {
    let folder = folder_with_game("files-regular");
    make_pipe(&folder.join("pipe"));
    for command in READERS {
        // The limit ends a command that reads on, which would fill the memory.
        let limited =
            |file: &str| shell(&folder, &format!("F={file}; ulimit -v 4000000; {command}"));
        for (file, kind) in [("/dev/zero", "device"), (".", "folder")] {
            let output = limited(file);
            let error = stderr(&output);
            assert!(!output.status.success(), "{command}: {output:?}");
            let error = error.strip_prefix("? ").unwrap_or(&error).trim_end();
            assert!(
                error.ends_with(&format!("it is a {kind}, not a regular file")),
                "{command}: {error}"
            );
            assert_eq!(error.lines().count(), 1, "{command}: {error}");
        }
    }
    // These need a regular file. Nothing ever writes to the pipe.
    for command in READERS.into_iter().filter(|command| {
        ["journal", "merge", "cache", "selfplay", "suite", "weights=", "loadsgf"]
            .iter()
            .any(|word| command.contains(word))
    }) {
        let output = shell(&folder, &format!("F=pipe; {command}"));
        let error = stderr(&output);
        assert!(error.contains("it is a pipe, not a regular file"), "{command}: {output:?}");
    }
}

#[test]
fn records_and_settings_may_come_through_pipes() {
    let folder = folder_with_game("files-pipes");
    for command in [
        "$P convert - --to moves < game.txt",
        "$P convert /dev/stdin --to moves < game.txt",
        "cat game.txt | $P convert /dev/stdin --to moves",
    ] {
        let output = shell(&folder, command);
        assert!(String::from_utf8_lossy(&output.stdout).contains("d4,e6\na1,b1"), "{output:?}");
    }
    let (path, text) = (folder.join("pipe"), "board = 6\n");
    make_pipe(&path);
    let writer = {
        let path = path.clone();
        thread::spawn(move || File::create(path).unwrap().write_all(text.as_bytes()).unwrap())
    };
    let output = run(&["gtp", "--config", path.to_str().unwrap()], b"ponte-position\n");
    writer.join().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("= 6/6/6/6/6/6 "), "{output:?}");
    // Endless input ends with an error before it fills the memory.
    let output = shell(&folder, "ulimit -v 4000000; $P convert - < /dev/zero");
    let error = stderr(&output);
    assert_eq!(error, "pontifex: standard input: more than 256 MiB: write them to a file\n");
}
