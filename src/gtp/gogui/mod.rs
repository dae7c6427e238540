//! GoGui, a window for Go programs: its names of points, turns made of single
//! points, and what it can draw. `docs/gogui.md` describes it for users.

mod draw;
mod live;
mod point;
mod turn;

pub(super) use draw::{board, bridges, line};
pub(super) use point::{point, points};
pub(super) use turn::{Points, genmove, legal, play, reg_genmove, shown, undo};
