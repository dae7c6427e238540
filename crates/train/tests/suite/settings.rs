//! Tests of `src/selfplay/settings.rs`.

use pontifex::board::Size;
use pontifex::eval::EvaluatorKind;
use pontifex::game::Supply;
use pontifex_train::selfplay::{Header, Settings};

#[test]
fn the_header_has_every_setting() {
    let settings = Settings::default();
    let text = "board=10 supply=standard full=400 quick=80 seed=1 evaluator=linear \
                full-share=0.25 resign=0.02 resign-check=0.1 weights=";
    let header = settings.header().to_string();
    let weights = header.strip_prefix(text).unwrap();
    let built_in = include_str!("../../../../src/eval/linear/weights.txt");
    assert_eq!(u32::from_str_radix(weights, 16), Ok(crc32fast::hash(built_in.as_bytes())));
    // The weights depend on the rules; those of a limited supply are the same up to 10x10.
    let supply = Supply::Limited { tiles: 40, bridges: 15 };
    let settings = Settings { supply, ..settings };
    let mut others = vec![settings.clone(); 12];
    others[0].size = Size::MIN;
    others[1].supply = Supply::Limited { tiles: 9, bridges: 4 };
    others[2].full_iterations = 9;
    others[3].quick_iterations = 9;
    others[4].seed = 9;
    others[5].config.evaluator = EvaluatorKind::Rollout;
    others[6].full_share = 0.5;
    others[7].resign_below = 0.0;
    others[8].resign_checked_share = 1.0;
    others[9].config.params.exploration = 1.0;
    others[10].config.memory = 64;
    others[11].exploration.forced = 0.0;
    for other in others {
        let (old, now) = (settings.header(), other.header());
        assert_eq!(old.differences(&now).len(), 1, "{now}");
        assert_eq!(Header::parse(&now.to_string()), now);
    }
    // Larger boards also have other weights.
    let large = Settings { size: Size::MAX, ..settings.clone() };
    assert_eq!(settings.header().differences(&large.header()).len(), 2);
}
