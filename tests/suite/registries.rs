//! Texts that list what a registry of the engine has: they list exactly that.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pontifex::analysis::Aim;
use pontifex::notation::{FORMATS, Warning};
use pontifex::puzzles::Theme;
use strum::{VariantArray, VariantNames};

fn read(page: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The words in quotes of the first line with `start`.
fn quoted<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    let line = text.lines().find(|line| line.contains(start)).unwrap();
    line.split('"').skip(1).step_by(2).collect()
}

#[test]
fn formats_have_names_of_their_own() {
    let names: BTreeSet<_> = FORMATS.map(|format| format.name).into();
    let extensions: BTreeSet<_> = FORMATS.map(|format| format.extension).into();
    assert_eq!((names.len(), extensions.len()), (FORMATS.len(), FORMATS.len()));
}

#[test]
fn records_md_lists_the_formats() {
    let text = read("docs/records.md");
    let table = text.lines().skip_while(|line| !line.starts_with("| `--to`")).skip(2);
    let rows: Vec<_> = table.take_while(|line| line.starts_with("| `")).collect();
    assert_eq!(rows.len(), FORMATS.len());
    for (row, format) in rows.iter().zip(FORMATS) {
        assert!(row.starts_with(&format!("| `{}` | `.{}` | ", format.name, format.extension)));
    }
}

#[test]
fn the_types_of_the_npm_package_list_the_formats() {
    let types = read("wasm/index.d.ts");
    assert_eq!(quoted(&types, "type RecordFormat"), FORMATS.map(|format| format.name));
}

/// The keys that begin so of the page's texts, in the order of the file.
fn keys(texts: &str, start: &str) -> Vec<String> {
    let keys = texts.lines().filter_map(|line| line.trim_start().strip_prefix('"'));
    let keys =
        keys.filter_map(|line| Some(line.split_once('"')?.0.strip_prefix(start)?.to_owned()));
    keys.collect()
}

#[test]
fn the_page_names_the_themes() {
    let themes: Vec<_> = Theme::VARIANTS.iter().map(ToString::to_string).collect();
    assert_eq!(keys(&read("crates/page/texts-practice.js"), "theme."), themes);
}

#[test]
fn the_page_has_a_sentence_for_every_reason() {
    let sentences = keys(&read("crates/page/texts-reasons.js"), "purpose.");
    for kind in Aim::VARIANTS {
        assert!(sentences.iter().any(|key| key == kind), "{kind}");
    }
}

#[test]
fn what_was_mended_is_named_everywhere() {
    let types = read("wasm/index.d.ts");
    assert_eq!(quoted(&types, "code: \"guessed_encoding\""), Warning::VARIANTS);
    assert_eq!(keys(&read("crates/page/texts-dialogs.js"), "mended."), Warning::VARIANTS);
    let web = read("docs/web.md");
    for code in Warning::VARIANTS {
        assert!(web.contains(&format!("`{code}`")), "{code}");
    }
}
