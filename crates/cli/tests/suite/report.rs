//! Tests of `src/analysis/review/page`.

use pontifex::analysis::review::page;

#[test]
fn the_page_is_complete_and_self_contained() {
    let page = page::write(&[]).unwrap();
    let script = include_str!("../../../../crates/page/report/report.js");
    let style = include_str!("../../../../crates/page/report/report.css");
    assert!(!page.contains("{{") && page.contains(script.trim_end()));
    assert!(page.contains(style.trim_end()));
    for foreign in ["http:", "https:", "src=", "href=", "@import", "url(", "fetch("] {
        let found = page.replace("http://www.w3.org/2000/svg", "").contains(foreign);
        assert!(!found, "{foreign}");
    }
}
