//! Tests of the module `analysis`.

mod cache;
mod game;
mod game_review;
mod grade;
mod position;
mod turn;
