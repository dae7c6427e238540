// Builds the engine for browsers and Node into `dist`: `node wasm/build.mjs`.
//
// It needs cargo and npm, and installs the rest: the target of the Rust
// toolchain, wasm-bindgen's program (into `target/tools`, which takes three
// minutes once) and wasm-opt (from npm). Where rustup cannot fetch the target,
// Debian's packages rustc-web, cargo-web and rust-web-src build the standard
// library; they must be as new as `rust-version` in Cargo.toml.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const dist = join(here, "dist");
const TARGET = "wasm32-unknown-unknown";

/** What every browser of the last three years can do, and Node 18. */
const FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals";

function run(program, args, { cwd = root, env = {}, quiet = false } = {}) {
  const stdio = quiet ? ["ignore", "pipe", "ignore"] : "inherit";
  const isScript = process.platform === "win32" && program === "npm";
  return execFileSync(program, args, { cwd, stdio, encoding: "utf8", shell: isScript, env: { ...process.env, ...env } })?.trim();
}

function succeeds(work) {
  try {
    return work() ?? true;
  } catch {
    return false;
  }
}

/** The toolchain: environment and arguments of cargo. */
function toolchain() {
  const sysroot = run("rustc", ["--print", "sysroot"], { quiet: true });
  const isThere = () => existsSync(join(sysroot, "lib", "rustlib", TARGET));
  if (isThere() || succeeds(() => run("rustup", ["target", "add", TARGET])) && isThere()) return { program: "cargo", env: {}, args: [] };
  const [rustc, cargo] = ["/usr/bin/rustc", "/usr/share/cargo/bin/cargo"];
  const host = run("rustc", ["-vV"], { quiet: true }).match(/^host: (.*)$/m)[1];
  const linker = join(sysroot, "lib", "rustlib", host, "bin", "rust-lld");
  if (!existsSync(rustc) || !existsSync(linker)) {
    throw new Error(`the Rust toolchain has no target ${TARGET}: 'rustup target add ${TARGET}', or Debian's packages rustc-web, cargo-web and rust-web-src`);
  }
  const env = { RUSTC: rustc, RUSTC_BOOTSTRAP: "1", CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: linker };
  return { program: existsSync(cargo) ? cargo : "/usr/bin/cargo", env, args: ["-Zbuild-std=std,panic_abort"] };
}

/** wasm-bindgen's program, of the version in Cargo.lock. */
function bindgen() {
  const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
  const version = lock.match(/name = "wasm-bindgen"\r?\nversion = "(.*)"/)[1];
  const own = join(root, "target", "tools");
  const installed = join(own, "bin", "wasm-bindgen");
  const fits = (program) => succeeds(() => run(program, ["--version"], { quiet: true })).toString().endsWith(` ${version}`);
  if (fits("wasm-bindgen")) return "wasm-bindgen";
  if (!fits(installed)) run("cargo", ["install", "wasm-bindgen-cli", "--locked", "--version", version, "--root", own]);
  return installed;
}

function optimizer() {
  const folder = join(here, "node_modules", "binaryen", "bin");
  if (!existsSync(folder)) run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here });
  return join(folder, "wasm-opt");
}

const { program, env, args } = toolchain();
run(program, [
  "rustc", ...args, "--locked", "--lib", "--crate-type", "cdylib", "--profile", "wasm",
  "--no-default-features", "--features", "wasm", "--target", TARGET,
], { env: { ...env, RUSTFLAGS: `-C target-feature=${FEATURES}` } });

mkdirSync(dist, { recursive: true });
const built = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), TARGET, "wasm", "pontifex.wasm");
run(bindgen(), ["--target", "web", "--out-dir", dist, "--out-name", "pontifex", built]);
const engine = join(dist, "pontifex_bg.wasm");
const features = ["--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int", "--enable-mutable-globals", "--enable-reference-types", "--enable-multivalue"];
run(process.execPath, [optimizer(), "-O3", ...features, "--strip-debug", "--strip-producers", engine, "-o", engine]);
const packed = gzipSync(readFileSync(engine), { level: 9 }).length;
console.log(`${engine}: ${statSync(engine).size} bytes, ${packed} compressed`);
