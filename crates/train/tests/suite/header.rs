//! Tests of `src/selfplay/settings.rs`.

use pontifex_train::selfplay::Header;

#[test]
fn differences_name_what_differs() {
    let old = Header::parse("board=10 full=400 memory=64 lost");
    let now = Header::parse("board=10 full=600 tune=exploration=1");
    assert_eq!(
        old.differences(&now),
        [
            "full is 400 in the file, 600 now",
            "memory is 64 in the file, not set now",
            "lost is  in the file, not set now",
            "tune is not set in the file, exploration=1 now",
        ]
    );
    assert!(now.differences(&now).is_empty());
    assert_eq!(now.to_string(), "board=10 full=600 tune=exploration=1");
}
