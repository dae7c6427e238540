//! Reviews as one page for a web browser, which needs nothing else.

use super::Review;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page with these reviews.
///
/// # Errors
/// When they cannot be written as JSON.
pub fn write(reviews: &[Review]) -> Result<String, serde_json::Error> {
    let data = embedded(&serde_json::to_string(reviews)?);
    let parts = [("{{style}}", STYLE), ("{{data}}", &data), ("{{script}}", SCRIPT)];
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    // What has been filled in is not looked at again.
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

/// JSON that no text inside can break out of a script element: `<` is in
/// strings only.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_data_early() {
        let json = serde_json::to_string(&["</script><!-- {{script}}"]).unwrap();
        let safe = embedded(&json);
        assert!(!safe.contains('<'));
        assert_eq!(
            serde_json::from_str::<Vec<String>>(&safe).unwrap(),
            ["</script><!-- {{script}}"]
        );
    }

    #[test]
    fn the_page_has_all_its_parts_and_asks_for_nothing_else() {
        let page = write(&[]).unwrap();
        assert!(!page.contains("{{") && page.contains(SCRIPT.trim_end()));
        assert!(page.contains(STYLE.trim_end()));
        for foreign in ["http:", "https:", "src=", "href=", "@import", "url(", "fetch("] {
            let found = page.replace("http://www.w3.org/2000/svg", "").contains(foreign);
            assert!(!found, "{foreign}");
        }
    }
}
