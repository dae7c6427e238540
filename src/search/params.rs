/// The numbers that shape the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Params {
    /// Weight of the prior against the value (c in PUCT).
    pub(super) exploration: f32,
    /// How many visits the all-moves-as-first value is worth (k in RAVE's
    /// β = k / (k + visits)).
    pub(super) rave: f32,
    /// How much lower than its parent's value an unvisited move starts.
    pub(super) first_play_reduction: f32,
    /// Share of the point margin in a result, the rest is win or loss.
    pub(super) margin_share: f32,
    /// The margin in points that counts about three quarters of the largest.
    pub(super) margin_scale: f32,
    /// Share of a turn's time and iterations for its first ply.
    pub(super) first_ply_share: f64,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            exploration: 0.8,
            rave: 150.0,
            first_play_reduction: 0.05,
            margin_share: 0.1,
            margin_scale: 10.0,
            first_ply_share: 0.7,
        }
    }
}
