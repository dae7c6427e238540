// Uses everything that the types declare, as a program would; `tsc --strict` checks it.

import { EngineError, IllegalMoveError, bench, createEngine } from "pontifex-engine";
import type { AnalysedMove, AnalysisResult, ByColor, Engine, Move, Position, Score } from "pontifex-engine";
import { createPlayer } from "pontifex-engine/abstractplay";

export async function everything(): Promise<void> {
  const engine: Engine = await createEngine({ board: 10, supply: "40,15", pie: false, level: "max", memory: 64, seed: 1 });
  try {
    engine.play("d4,e6");
  } catch (error) {
    if (error instanceof IllegalMoveError) {
      const [code, cells, move]: [string, readonly string[], Move | null] = [error.code, error.cells, error.move];
      console.log(code, cells, move, error.data["cell"], error.number, error.message);
    } else if (error instanceof EngineError) console.log(error.code, error.name);
  }
  engine.undo();
  engine.undo(2);
  engine.newGame({ board: 8, supply: "unlimited" });
  engine.setPosition("w1w1/4/4/4 r a4-c4 -");
  engine.load("d4,e6 c3,g6");
  const [mended] = engine.load(new Uint8Array([0x28, 0x3b]));
  const why: string | undefined = mended?.code;
  void why;
  const sgf: string = engine.record("sgf");
  const moves: Move[] = engine.legalMoves();
  const position: Position = engine.position;
  const score: ByColor<Score> = engine.score;
  const winner: "white" | "red" | "draw" | undefined = position.result?.winner;
  console.log(sgf, moves, position.rules.pie, score.white.points, winner);

  const abort = new AbortController();
  const best: Move = await engine.bestMove({ timeMs: 100, signal: abort.signal });
  for await (const analysis of engine.analyse({ moves: 3, ownership: true, intervalMs: 50, playouts: 100 })) {
    const first: AnalysedMove | undefined = analysis.moves[0];
    console.log(analysis.winrate, first?.pv, analysis.ownership?.white["a1"], analysis.ownership?.bridges[0]?.red, best);
  }
  const iterator = engine.analyze();
  const step: IteratorResult<AnalysisResult, undefined> = await iterator.next();
  console.log(step.done ? step.value : step.value.finished);
  await iterator.return();
  engine.stop();
  console.log(engine.gtp("name"), (await bench()).nodes);
  engine.free();

  const player = await createPlayer({ level: 3 });
  console.log(await player.move([["d4,e6", null]], { variants: [], pieInvoked: true, playouts: 10 }));
  player.free();

  // @ts-expect-error: there is no such level
  await createEngine({ level: 11 });
  // @ts-expect-error: there is no such option
  await engine.bestMove({ time: 3 });
  // @ts-expect-error: the board is read only
  position.board = 7;
}
