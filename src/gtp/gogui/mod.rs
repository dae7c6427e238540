//! Support for GoGui, a graphical interface for Go programs: its names of
//! points, turns made of single points, and its drawing commands. See
//! `docs/gogui.md`.

mod draw;
mod live;
mod names;
mod point;
mod points;
mod turn;

pub(super) use draw::{board, bridges, line};
pub(super) use names::PointNames;
pub(super) use point::points;
pub(crate) use point::{cell, point};
pub(super) use points::Points;
pub(crate) use points::points_of;
pub(crate) use turn::{begun, check_first, turn_of};
pub(super) use turn::{genmove, legal, play, reg_genmove, shown, undo};
