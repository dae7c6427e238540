//! Tests of the module `analysis`.

mod game;
mod game_review;
mod grade;
mod number;
mod position;
mod purpose;
mod turn;
