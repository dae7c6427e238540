//! The budget of a solver call.

/// The budget of a solver call.
pub struct Budget<'a> {
    /// Nodes left to visit.
    pub nodes: u64,
    /// Asked every 32 nodes; `true` ends the call.
    pub stop: &'a mut dyn FnMut() -> bool,
}

impl Budget<'_> {
    /// Counts a node; `false` when the budget is used up.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        const NODES_BETWEEN_QUESTIONS: u64 = 1 << 5;
        if self.nodes == 0 || (self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && (self.stop)())
        {
            return false;
        }
        self.nodes -= 1;
        true
    }
}
