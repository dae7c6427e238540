//! Tests of the module `analysis`.

mod cache;
mod game;
mod game_review;
mod grade;
mod number;
mod page;
mod position;
mod purpose;
mod turn;
