//! Scripts for Node and the packages that they need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A folder of scripts whose packages are installed.
#[derive(Debug)]
pub(crate) struct NodeScripts {
    folder: PathBuf,
}

impl NodeScripts {
    /// The scripts in a folder of the repository. Installs their packages unless those of the same
    /// `package-lock.json` are there already. Without Node it prints a note and returns `None`, or
    /// panics under `CI=true`.
    pub(crate) fn in_folder(name: &str) -> Option<NodeScripts> {
        /// Two tests must not install at the same time.
        static INSTALLING: Mutex<()> = Mutex::new(());
        for tool in ["node", "npm"] {
            if Command::new(tool).arg("--version").output().is_err() {
                report_missing(tool);
                return None;
            }
        }
        let folder = super::root().join(name);
        let _installing = INSTALLING.lock();
        let lock = fs::read(folder.join("package-lock.json")).expect("the packages are locked");
        let stamp = folder.join("node_modules/.installed-lock.json");
        if fs::read(&stamp).ok().as_ref() != Some(&lock) {
            run(&folder, "npm", &["ci", "--no-audit", "--no-fund"], &[]);
            fs::write(stamp, lock).expect("npm has made the folder");
        }
        Some(NodeScripts { folder })
    }

    /// The files of tests, `*.test.mjs`, in the order of their names.
    pub(crate) fn test_files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).expect("the folder can be read");
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".test.mjs")).collect();
        names.sort();
        names
    }

    /// Runs Node and returns its output. `env` are further environment variables.
    ///
    /// # Panics
    /// When it fails.
    pub(crate) fn run(&self, arguments: &[&str], env: &[(&str, &str)]) -> String {
        /// Browsers take all of a small machine: one set of scripts at a time.
        static RUNNING: Mutex<()> = Mutex::new(());
        let _running = RUNNING.lock();
        run(&self.folder, "node", arguments, env)
    }
}

/// Says that a test is left out for lack of a tool.
///
/// # Panics
/// Under `CI=true`: there, no test may be left out.
pub(crate) fn report_missing(tool: &str) {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{tool} is not there");
    eprintln!("left out: this machine has no {tool}");
}

/// Says that the engine for browsers has not been built. Under `CI=true` that is a failure unless
/// `PONTIFEX_WITHOUT_WASM` says that it cannot be built there.
pub(crate) fn report_missing_engine() {
    if std::env::var_os("PONTIFEX_WITHOUT_WASM").is_none() {
        return report_missing("engine for browsers in wasm/dist");
    }
    eprintln!("left out: the engine for browsers cannot be built here");
}

fn run(folder: &Path, tool: &str, arguments: &[&str], env: &[(&str, &str)]) -> String {
    let mut command = Command::new(tool);
    command.args(arguments).current_dir(folder).envs(env.iter().copied());
    let output = command.output().unwrap_or_else(|error| panic!("{tool}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let report = if output.status.success() { String::new() } else { failures(&stdout) };
    assert!(output.status.success(), "{tool} {arguments:?}: {}\n{report}\n{stderr}", output.status);
    stdout
}

/// The failed tests in TAP, the output of Node's test runner, and the errors that arrived after
/// their test had ended; other output is returned whole. CI truncates long logs.
fn failures(tap: &str) -> String {
    let mut failed = String::new();
    let mut is_failed = false;
    for line in tap.lines() {
        is_failed |= line.trim_start().starts_with("not ok");
        if is_failed || line.starts_with("# Error:") {
            failed.push_str(line);
            failed.push('\n');
        }
        is_failed &= line.trim() != "...";
    }
    if failed.is_empty() { tap.into() } else { failed }
}
