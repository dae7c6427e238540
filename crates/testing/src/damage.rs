//! Damage to texts and other data, for tests of readers.

use crate::random_games::Gambler;

/// Characters with a meaning in one of the formats.
const SIGNIFICANT: &[u8] = b"[](){};:,-\\\"#/ \n\r.0149adlwrWBAPSZCRE";

/// Removes, repeats and overwrites parts of a text or of other data.
pub fn damage(bytes: &[u8], random: &mut Gambler) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(6) {
        let length = bytes.len() as u32;
        let at = random.below(length + 1) as usize;
        let end = (at + random.below(12) as usize).min(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            3 if at < end => bytes[at] = random.below(256) as u8,
            4 => bytes.insert(at, random.below(256) as u8),
            _ => bytes.insert(at, SIGNIFICANT[random.below(SIGNIFICANT.len() as u32) as usize]),
        }
    }
    bytes
}
