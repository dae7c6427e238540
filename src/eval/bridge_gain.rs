//! The points that a bridge gains by joining two networks.

use crate::board::Site;
use crate::game::{Color, Position};

/// The points that a bridge on `site` would gain now. A colour must be able to
/// build there.
#[inline(always)]
pub fn bridge_gain(position: &Position, site: Site) -> u16 {
    let [a, b] = site.ends();
    let (a, b) = (position.network(a), position.network(b));
    if a == b {
        return 0;
    }
    u16::from(position.network_islands(a)) * u16::from(position.network_islands(b))
}

/// The bridges that `color` could build now, were it to move, and that would gain
/// points, with these points. There is none without a bridge in the supply.
pub fn bridge_gains(position: &Position, color: Color) -> Vec<(Site, u16)> {
    if position.bridges_left() == Some(0) {
        return Vec::new();
    }
    let gain = |site: Site| (site, bridge_gain(position, site));
    position.buildable(color).iter().map(gain).filter(|(_, points)| *points > 0).collect()
}
