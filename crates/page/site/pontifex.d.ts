// The part of the browser engine that the site's workers use: `crates/wasm/src/host.rs` and
// `lib.rs`, from which `wasm/build.mjs` builds `pontifex.js`. Texts are JSON.

export default function start(): Promise<unknown>;
export function info(is_private: boolean): string;
export function exercises(): string;
export function practise(message: string): string;

/** A session. */
export class Host {
  constructor(id: string, saved: string | undefined, memory: number, random: number);
  free(): void;
  join(page: number): void;
  leave(page: number): void;
  receive(page: number, text: string): void;
  /** Works for a slice. Returns the milliseconds until there is work again. */
  work(): number;
  /** Takes the messages to be delivered and the games to be saved. */
  take(): string;
  export(format: string, node: number): string;
  saved(failure?: string): void;
}
