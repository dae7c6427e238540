//! References are correct: the files and names in the guided tours of `CONTRIBUTING.md`, the target
//! of every link in the documents, and quotations from them in comments of the sources.

use std::collections::BTreeSet;
use std::fs;

use super::root;

/// The documents outside `docs`.
const PAGES: [&str; 7] = [
    "README.md",
    "protocol.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "openings/README.md",
    "tests/README.md",
    "wasm/README.md",
];

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// Every document.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = PAGES.map(str::to_owned).into();
    for entry in fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(format!("docs/{}", path.file_name().unwrap().to_str().unwrap()));
        }
    }
    pages
}

/// The lines outside code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").step_by(2).flat_map(str::lines)
}

/// The targets of the links in a line. Text in backticks is not a link, but may be the label of
/// one.
fn links(line: &str) -> Vec<String> {
    let text: String = line.split('`').step_by(2).collect();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

/// The anchors of the headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let titles = prose(text).filter(|line| line.starts_with('#'));
    titles.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(title: &str) -> String {
    let characters = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    characters.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// Whether the target of a relative link on a page exists.
fn leads_somewhere(page: &str, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let page = root().join(page);
    let path = if file.is_empty() { page } else { page.with_file_name(file) };
    path.exists()
        && (anchor.is_empty()
            || fs::read_to_string(path).is_ok_and(|text| anchors(&text).contains(anchor)))
}

/// Whether a text has a name as a whole word.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(start, _)| {
        !text[..start].ends_with(is_part) && !text[start + name.len()..].starts_with(is_part)
    })
}

#[test]
fn every_link_in_the_documents_leads_somewhere() {
    let mut count = 0;
    let mut dead = Vec::new();
    for page in pages() {
        let text = read(&page);
        for target in prose(&text).flat_map(links) {
            if target.contains("://") {
                continue;
            }
            count += 1;
            if !leads_somewhere(&page, &target) {
                dead.push(format!("{page}: {target}"));
            }
        }
    }
    assert!(dead.is_empty(), "links that lead nowhere: {dead:#?}");
    assert!(count >= 100, "only {count} links");
}

/// A step is a line such as ``1. `src/gtp/run.rs`: `serve` takes one request``: the file, then what
/// to look at in it.
#[test]
fn the_guided_tours_name_existing_items() {
    let text = read("CONTRIBUTING.md");
    let mut sections = text.split("\n## ");
    let tours = sections.find(|section| section.starts_with("Guided tours")).unwrap();
    let steps: Vec<&str> =
        tours.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    assert!(steps.len() >= 20, "only {} steps", steps.len());
    for step in steps {
        let quoted: Vec<&str> = step.split('`').skip(1).step_by(2).collect();
        let [file, names @ ..] = &quoted[..] else { panic!("no file: {step}") };
        assert!(!names.is_empty(), "only a file: {step}");
        let source = read(file);
        for name in names {
            assert!(has_word(&source, name), "{file} has no {name}: {step}");
        }
    }
}

#[test]
fn links_and_anchors_are_those_of_github() {
    let line = "`[a](b)`, [`c`](d.md#e), ![f](../g.png) and [h](https://i.example)";
    assert_eq!(links(line), ["d.md#e", "../g.png", "https://i.example"]);
    let text = "# `pontifex serve`: the server\n```sh\n# no heading\n```\n### WebSocket: page → server\n## KataGo's commands\n";
    let expected = ["katagos-commands", "pontifex-serve-the-server", "websocket-page--server"];
    assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), expected);
    assert!(!leads_somewhere("docs/web.md", "nowhere.md"));
    assert!(!leads_somewhere("docs/web.md", "match.md#nowhere"));
    assert!(leads_somewhere("docs/web.md", "../README.md#install"));
    assert!(has_word("fn serve(", "serve"));
    assert!(!has_word("fn reserve(", "serve"));
}

/// The sources of the engine and its programs.
fn sources() -> Vec<String> {
    let mut folders = vec![root().join("src"), root().join("crates")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                texts.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    texts
}

/// The page after `docs/` at the start of `rest`, and the words in quotation marks that follow it:
/// `rules.md, "Bridges"`.
fn citation(rest: &str) -> Option<(String, Option<String>)> {
    let length = rest.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(0);
    let extension = [".md", ".tsv"].into_iter().find(|end| rest[length..].starts_with(end))?;
    let after = &rest[length + extension.len()..];
    let after = after.trim_start_matches('`').trim_start_matches(", ");
    let after = after.strip_prefix("topic ").unwrap_or(after);
    let quoted = after.strip_prefix('"').and_then(|words| words.split_once('"'));
    Some((format!("{}{extension}", &rest[..length]), quoted.map(|(words, _)| words.to_owned())))
}

#[test]
fn comments_cite_existing_sections() {
    let mut citations = 0;
    for text in sources() {
        for comment in text.lines().filter_map(|line| line.split_once("//")).map(|(_, text)| text) {
            for rest in comment.split("docs/").skip(1) {
                let Some((page, words)) = citation(rest) else { continue };
                let page = read(&format!("docs/{page}"));
                if let Some(words) = words {
                    assert!(page.contains(&words), "docs/{rest}");
                    citations += 1;
                }
            }
        }
    }
    assert!(citations > 10, "{citations} citations");
}
