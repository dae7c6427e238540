//! Sessions with the GTP client of Sabaki, which is not part of this project.

use super::support::node::NodeScripts;

/// Runs a script of `tests/sabaki` with the engine; `None` without Node.
fn run_script(script: &str, options: &[&str]) -> Option<String> {
    let scripts = NodeScripts::in_folder("tests/sabaki")?;
    let engine = [env!("CARGO_BIN_EXE_pontifex"), "--threads", "1", "--playouts", "20"];
    Some(scripts.run(&[&[script][..], &engine, options].concat(), &[]))
}

#[test]
fn sabakis_client_plays_a_game() {
    if let Some(summary) = run_script("session.mjs", &[]) {
        assert!(summary.contains(" turns, "), "{summary}");
    }
}

#[test]
fn sabakis_rules_read_every_line_of_an_analysis() {
    if let Some(summary) = run_script("analysis.mjs", &["--points"]) {
        assert!(summary.contains(" variations"), "{summary}");
    }
}
