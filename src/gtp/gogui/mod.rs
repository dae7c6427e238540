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
pub(super) use point::{cell, point, points};
pub(super) use points::{Points, points_of};
pub(super) use turn::{genmove, legal, play, reg_genmove, shown, undo};
