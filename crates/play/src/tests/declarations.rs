//! The declarations of the messages in TypeScript and their reference in `docs/web.md` say what the
//! types say.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::message::{Entry, Exercises, Info, Message, Request};
use crate::practice::ExerciseRequest;

const HEADER: &str = "\
// What the page and a session say to each other; docs/web.md explains it.
// Written from crates/play/src/message.rs by
//   PONTIFEX_WRITE_DECLARATIONS=1 cargo test --release -p pontifex-play declarations

/** A request as it is sent: the answer has its id. */
export type SentRequest = Request & { id?: number };

/** A message as it is sent, with the id of the request that it answers. */
export type SentMessage = Message & { id: number | null };
";

/// The declarations of a type and of all that it needs.
#[derive(Default)]
struct Declarations {
    config: Config,
    seen: BTreeSet<TypeId>,
    texts: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Types that are built into TypeScript have no path.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let declaration = format!("\n{docs}export {}\n", T::decl(&self.config));
            self.texts.insert(T::ident(&self.config), shortened(&declaration));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// Keeps only the first paragraph of each comment, on one line, and puts each variant on its own.
fn shortened(declaration: &str) -> String {
    let mut parts = declaration.split("/**\n");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (comment, rest) = part.split_once(" */\n").unwrap();
        let lines = comment.lines().map(|line| line.trim_start_matches(" *").trim());
        let first: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        let end = if rest.starts_with("export") { "\n" } else { " " };
        text += &["/** ", &first.join(" "), " */", end, rest].concat();
    }
    for tag in ["type", "code"] {
        text = text.replace(&format!("| {{ \"{tag}\""), &format!("\n  | {{ \"{tag}\""));
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

fn generate_declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut all = Declarations { config, ..Declarations::default() };
    all.visit::<Request>();
    all.visit::<Message>();
    all.visit::<ExerciseRequest>();
    all.visit::<Exercises>();
    all.visit::<Info>();
    all.visit::<Entry>();
    HEADER.chars().chain(all.texts.values().flat_map(|text| text.chars())).collect()
}

#[test]
fn the_declarations_of_the_messages_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../page/messages.d.ts");
    let declarations = generate_declarations();
    if std::env::var_os("PONTIFEX_WRITE_DECLARATIONS").is_some() {
        std::fs::write(&path, &declarations).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written.replace('\r', "") == declarations,
        "crates/page/messages.d.ts is not up to date; its first lines say how to write it"
    );
}

/// The parts of a text between `before` and `after`.
fn between<'t>(text: &'t str, before: &str, after: &str) -> BTreeSet<&'t str> {
    text.split(before).skip(1).filter_map(|rest| Some(rest.split_once(after)?.0)).collect()
}

/// The names of the fields in declarations.
fn fields(declarations: &str) -> BTreeSet<&str> {
    let code = declarations.split("/**").map(|part| part.rsplit("*/").next().unwrap_or(part));
    code.flat_map(|code| code.split(['{', ',', ';', '\n']))
        .filter_map(|part| Some(part.split_once(':')?.0.trim().trim_end_matches('?')))
        .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_alphabetic() || c == '_'))
        .collect()
}

#[test]
fn the_reference_of_the_messages_names_all_that_there_is() {
    let declarations = generate_declarations();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/web.md");
    let reference = std::fs::read_to_string(path).unwrap();
    let names = |name: &str| {
        [format!("`{name}`"), format!("\"{name}\"")].iter().any(|text| reference.contains(text))
    };
    let unknown: Vec<&str> =
        fields(&declarations).into_iter().filter(|name| !names(name)).collect();
    assert!(unknown.is_empty(), "docs/web.md does not name the fields {unknown:?}");
    for tag in ["type", "code"] {
        let tags = between(&declarations, &format!("\"{tag}\": \""), "\"");
        assert!(tags.len() > 20, "{tags:?}");
        let unknown: Vec<&&str> = tags.iter().filter(|name| !names(name)).collect();
        assert!(unknown.is_empty(), "docs/web.md does not name the {tag} {unknown:?}");
    }
    // The tables of requests, of purposes and of questions about exercises name nothing else.
    let tables = [
        ("## WebSocket: page", "\n### ", "type"),
        ("\n### Purposes", "\n## ", "code"),
        ("\n## Lessons and puzzles", "\nA verdict", "type"),
    ];
    for (from, to, tag) in tables {
        let tags = between(&declarations, &format!("\"{tag}\": \""), "\"");
        let table = reference.split_once(from).unwrap().1.split_once(to).unwrap().0;
        let rows: Vec<&str> = table.lines().filter_map(|row| row.strip_prefix("| `")).collect();
        assert!(rows.len() >= 3, "{from}");
        let cells =
            rows.iter().map(|row| row.split(" with ").next().unwrap().split('|').next().unwrap());
        for name in cells.flat_map(|cell| cell.split('`').step_by(2)) {
            let name = name.trim_matches([' ', ',']);
            assert!(name.is_empty() || tags.contains(name), "{from}: {name}");
        }
    }
}
