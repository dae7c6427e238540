//! The static site: the page with the engine inside, for any web host.
//!
//! The same files as those of the server are written to a folder, with three differences.
//! `data-host="worker"` on the page tells it to host its sessions in a worker. The engine for
//! browsers lies next to it. A service worker caches everything for offline use. All addresses are
//! relative, because the path of the site on its host is unknown.

use std::path::Path;
use std::{fs, io};

use include_dir::Dir;
use pontifex::{files, render};
use serde_json::json;
use thiserror::Error;

use super::assets::{Asset, HTML, PAGE, assets, for_browsers};

/// The engine for browsers, if `wasm/build.mjs` had been run before the build.
#[cfg(engine_built)]
static ENGINE: &[(&str, &[u8])] = &[
    ("assets/pontifex.js", include_bytes!("../../../wasm/dist/pontifex.js")),
    ("assets/pontifex_bg.wasm", include_bytes!("../../../wasm/dist/pontifex_bg.wasm")),
];
#[cfg(not(engine_built))]
static ENGINE: &[(&str, &[u8])] = &[];

/// Whether the engine for browsers was built from other sources than this program.
pub const ENGINE_IS_OLD: bool = cfg!(engine_is_old);

/// The site's Content-Security-Policy (same origin only), manifest and icons.
const HEAD: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
    script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'\">\n<link rel=\"manifest\" href=\"manifest.webmanifest\">\n\
    <link rel=\"apple-touch-icon\" href=\"assets/icon-192.png\">\n\
    <meta name=\"theme-color\" content=\"#2d6f7c\">\n";

/// Starts the engine while the page's scripts still load.
const EARLY: &str = "<script src=\"assets/early.js\"></script>\n";

/// The site cannot be written.
#[derive(Debug, Error)]
pub enum SiteError {
    /// The program was built without the engine for browsers.
    #[error(
        "this pontifex was built without the engine for browsers: run 'node wasm/build.mjs' in \
         the repository, then build pontifex again"
    )]
    NoEngine,
    /// A picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] render::PngError),
    /// A file cannot be written.
    #[error("cannot write {0}: {1}")]
    File(String, io::Error),
}

/// A file of the site: its path from the folder, and its content.
type File = (String, Vec<u8>);

/// Writes the site into a folder, which is created if necessary. Returns the number of files and
/// their total size in bytes.
///
/// # Errors
/// See [`SiteError`].
pub fn write_site(folder: &Path) -> Result<(usize, usize), SiteError> {
    let contents = site_contents()?;
    for (name, bytes) in &contents {
        let path = folder.join(name);
        let failed = |error| SiteError::File(path.display().to_string(), error);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| files::write_whole(&path, bytes))
            .map_err(failed)?;
    }
    Ok((contents.len(), contents.iter().map(|(_, bytes)| bytes.len()).sum()))
}

/// All files. The last one is the service worker, which has to name all others.
fn site_contents() -> Result<Vec<File>, SiteError> {
    if ENGINE.is_empty() {
        return Err(SiteError::NoEngine);
    }
    let engine = ENGINE.iter().map(|&(name, bytes)| (name.to_owned(), bytes.to_vec()));
    let mut contents: Vec<File> =
        assets().iter().map(page_file).chain(site_files()).chain(engine).collect();
    for (name, width, is_maskable) in
        [("icon-192", 192, false), ("icon-512", 512, false), ("icon-maskable", 512, true)]
    {
        let png = render::png(&icon(is_maskable), Some(width))?;
        contents.push((format!("assets/{name}.png"), png));
    }
    contents.push(("sw.js".to_owned(), service_worker(&contents).into_bytes()));
    Ok(contents)
}

/// The files that only the site has, without the service worker.
fn site_files() -> impl Iterator<Item = File> {
    let sources = PAGE.get_dir("site").into_iter().flat_map(Dir::files);
    sources.filter_map(|file| {
        let name = file.path().file_name()?.to_str()?;
        let is_script = file.path().extension().is_some_and(|end| end == "js");
        let folder = if is_script { "assets/" } else { "" };
        (name != "sw.js")
            .then(|| (format!("{folder}{name}"), for_browsers(name, file.contents()).into_owned()))
    })
}

/// A file of the page, adapted to the site.
fn page_file(asset: &Asset) -> File {
    match std::str::from_utf8(&asset.bytes) {
        Ok(text) if asset.media_type == HTML => {
            let text = text.replacen("<html ", "<html data-host=\"worker\" ", 1);
            let early = if asset.name == "index.html" { EARLY } else { "" };
            let text = text.replacen("<title>", &format!("{HEAD}{early}<title>"), 1);
            (asset.name.to_owned(), text.into_bytes())
        }
        _ => (format!("assets/{}", asset.name), asset.bytes.to_vec()),
    }
}

/// The icon as SVG. A maskable one fills its square, with the drawing away from the edge, which
/// systems crop.
fn icon(is_maskable: bool) -> String {
    let asset = assets().iter().find(|asset| asset.name == "icon.svg");
    let icon = asset.and_then(|asset| std::str::from_utf8(&asset.bytes).ok()).unwrap_or_default();
    match icon.find('>').zip(icon.rfind("</svg>")) {
        Some((start, end)) if is_maskable => {
            let (head, shapes) = (&icon[..=start], &icon[start + 1..end]);
            format!(
                "{head}<rect width=\"64\" height=\"64\" fill=\"#2d6f7c\"/>\
                 <g transform=\"translate(8 8) scale(.75)\">{shapes}</g></svg>"
            )
        }
        _ => icon.to_owned(),
    }
}

/// The service worker, which caches `files`. Its version depends on their content.
fn service_worker(files: &[File]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    let mut names = vec!["./".to_owned()];
    for (name, bytes) in files {
        hasher.update(name.as_bytes());
        hasher.update(bytes);
        if name != "index.html" {
            names.push(name.clone());
        }
    }
    let version = format!("{}-{:08x}", env!("CARGO_PKG_VERSION"), hasher.finalize());
    include_str!("../../page/site/sw.js").replacen("{version}", &version, 1).replacen(
        "[\"{files}\"]",
        &json!(names).to_string(),
        1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_worker_knows_every_file_and_its_version_their_content() {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let files = [file("index.html", "1"), file("assets/main.js", "2")];
        let script = service_worker(&files);
        assert!(script.contains(r#"const FILES = ["./","assets/main.js"];"#), "{script}");
        let changed = service_worker(&[file("index.html", "1"), file("assets/main.js", "3")]);
        let version = |script: &str| {
            script.lines().find(|line| line.contains("VERSION =")).unwrap().to_owned()
        };
        assert_ne!(version(&script), version(&changed));
        assert!(!version(&script).contains("{version}"));
    }

    #[test]
    fn pages_load_only_from_the_same_origin() {
        for asset in assets().iter().filter(|asset| asset.media_type == HTML) {
            let (_, text) = page_file(asset);
            let text = String::from_utf8(text).unwrap();
            assert!(text.contains("<html data-host=\"worker\" lang="));
            assert_eq!(text.matches("Content-Security-Policy").count(), 1);
            for absolute in ["href=\"/", "src=\"/", "http://", "https://"] {
                assert!(!text.contains(absolute), "{} has {absolute}", asset.name);
            }
        }
    }
}
