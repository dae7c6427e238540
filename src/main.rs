//! tmp
use pontifex::{eval::*, game::*};
fn main() {
    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut random = Random::new(1);
    let mut sum = UniformGame::default();
    let start = std::time::Instant::now();
    let empty = Position::new(Rules::default());
    for _ in 0..n {
        let mut p = empty;
        let g = uniform_playout(&mut p, &mut random);
        sum.turns += g.turns;
        sum.tiles += g.tiles;
        sum.bridges += g.bridges;
    }
    let s = start.elapsed().as_secs_f64();
    let n = n as f64;
    println!(
        "{:.0}/s {} {} {} size {}",
        n / s,
        sum.turns as f64 / n,
        sum.tiles as f64 / n,
        sum.bridges as f64 / n,
        size_of::<Position>()
    );
}
