//! Selection of the n-th set bit of a word.

/// The position of the `n`-th set bit, counted from 0; there must be one.
///
/// Broadword selection: prefix sums of bytes give the byte, a table gives the
/// bit (Vigna, "Broadword implementation of rank/select queries", 2008).
#[inline(always)]
pub(super) fn select(bits: u64, n: u32) -> u32 {
    const EACH_BYTE: u64 = 0x0101_0101_0101_0101;
    const HIGH_BITS: u64 = EACH_BYTE << 7;
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(EACH_BYTE);
    // The high bit of each byte whose prefix sum is at most n.
    let passed = (((u64::from(n) * EACH_BYTE) | HIGH_BITS) - sums) & HIGH_BITS;
    let byte = ((passed >> 7).wrapping_mul(EACH_BYTE) >> 56) as u32 * 8;
    let before = (sums << 8 >> byte) as u32 & 0xff;
    let rest = (bits >> byte) as usize & 0xff;
    byte + u32::from(SELECT_IN_BYTE[rest][((n - before) & 7) as usize])
}

/// For each byte, the positions of its set bits, lowest first.
static SELECT_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][n] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};
