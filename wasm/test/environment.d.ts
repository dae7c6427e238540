// What the package finds at run time, as far as it uses it: Node, and the engine that
// `build.mjs` makes.

declare const process: { versions?: { node?: string } } | undefined;
declare const setImmediate: ((call: (value?: unknown) => void) => void) | undefined;
declare module "node:fs/promises" {
  export function readFile(path: URL | string): Promise<Uint8Array>;
}
declare module "*/dist/pontifex.js" {
  export default function init(options: { module_or_path: unknown }): Promise<unknown>;
  export const EngineCore: any;
  export const bench: any;
}
