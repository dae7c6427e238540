//! Session ids. Whoever knows an id may play in its session.

use std::fmt;
use std::str::FromStr;

/// 128 random bits; as text, 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct SessionId(u128);

impl SessionId {
    /// An id that cannot be guessed.
    ///
    /// # Panics
    /// When the system has no random numbers.
    pub(super) fn random() -> SessionId {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system has random numbers");
        SessionId(u128::from_ne_bytes(bytes))
    }
}

/// A seed that nobody has had before.
///
/// # Panics
/// When the system has no random numbers.
pub(super) fn seed() -> u64 {
    SessionId::random().0 as u64
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for SessionId {
    type Err = ();

    /// Reads exactly 32 lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<SessionId, ()> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return Err(());
        }
        u128::from_str_radix(text, 16).map(SessionId).map_err(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_32_digits_are_an_id() {
        let id = SessionId::random();
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_ne!(SessionId::random(), id);
        for text in ["", "0", "../../../../../../../etc/passwd0", &"A".repeat(32), &"0".repeat(33)]
        {
            assert!(text.parse::<SessionId>().is_err(), "{text}");
        }
        assert!(format!("+{}", "0".repeat(31)).parse::<SessionId>().is_err());
    }
}
