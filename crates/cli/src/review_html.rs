//! Reviews as one self-contained page for a web browser.

use pontifex::analysis::review::Review;

const PAGE: &str = include_str!("../../page/report/report.html");
const STYLE: &str = include_str!("../../page/report/report.css");
const SCRIPT: &str = include_str!("../../page/report/report.js");

/// Writes the page.
///
/// # Errors
/// When the reviews cannot be written as JSON.
pub(crate) fn write(reviews: &[Review]) -> Result<String, serde_json::Error> {
    let data = embedded(&serde_json::to_string(reviews)?);
    let parts = [("{{style}}", STYLE), ("{{data}}", &data), ("{{script}}", SCRIPT)];
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    // Inserted text is not searched for placeholders.
    let mut rest = PAGE;
    for (place, text) in parts {
        if let Some((before, behind)) = rest.split_once(place) {
            page.push_str(before);
            page.push_str(text.trim_end());
            rest = behind;
        }
    }
    page.push_str(rest);
    Ok(page)
}

/// Escapes JSON for a script element, so that no string in it can end the
/// element. In JSON `<` occurs in strings only.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_complete_and_self_contained() {
        let page = write(&[]).unwrap();
        assert!(!page.contains("{{") && page.contains(SCRIPT.trim_end()));
        assert!(page.contains(STYLE.trim_end()));
        for foreign in ["http:", "https:", "src=", "href=", "@import", "url(", "fetch("] {
            let found = page.replace("http://www.w3.org/2000/svg", "").contains(foreign);
            assert!(!found, "{foreign}");
        }
    }

    #[test]
    fn no_string_ends_the_data() {
        let json = serde_json::to_string(&["</script><!-- {{script}}"]).unwrap();
        let safe = embedded(&json);
        assert!(!safe.contains('<'));
        assert_eq!(
            serde_json::from_str::<Vec<String>>(&safe).unwrap(),
            ["</script><!-- {{script}}"]
        );
    }
}
