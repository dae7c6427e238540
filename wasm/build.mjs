// Builds the engine for browsers and Node into `dist`: `node wasm/build.mjs`.
//
// It needs cargo and npm, and installs the rest: the target of the Rust toolchain, the program
// wasm-bindgen (into `target/tools`, which takes three minutes the first time) and wasm-opt (from
// npm). If rustup cannot fetch the target, Debian's packages rustc-web, cargo-web and rust-web-src
// build the standard library; they must not be older than `rust-version` in Cargo.toml.
// NO_RUSTUP=1 selects them.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const dist = join(here, "dist");
const TARGET = "wasm32-unknown-unknown";

/** The features that every browser of the last three years has, and Node 18. */
const FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals";

const OPTIMIZER_FEATURES = [
  "--enable-simd", "--enable-bulk-memory", "--enable-sign-ext", "--enable-nontrapping-float-to-int",
  "--enable-mutable-globals", "--enable-reference-types", "--enable-multivalue",
];

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

/** The error that Rust cannot build for WebAssembly here; exit code 3. */
class NoTarget extends Error {}

/** Returns the toolchain: the program cargo, its environment and its arguments. */
function toolchain() {
  const sysroot = run("rustc", ["--print", "sysroot"], { quiet: true });
  const isInstalled = () => existsSync(join(sysroot, "lib", "rustlib", TARGET));
  const install = () => succeeds(() => run("rustup", ["target", "add", TARGET])) && isInstalled();
  // NO_RUSTUP simulates a machine without a network.
  if (!process.env.NO_RUSTUP && (isInstalled() || install())) return { program: "cargo", env: {}, args: [] };
  return debian(sysroot);
}

/** Returns Debian's toolchain, which builds the standard library from its source. */
function debian(sysroot) {
  const advice = `the Rust toolchain has no target ${TARGET}: 'rustup target add ${TARGET}' installs it`;
  const [rustc, cargo, source] = ["/usr/bin/rustc", "/usr/share/cargo/bin/cargo", "/usr/lib/rustlib/src/rust/library"];
  const missing = [rustc, source].filter((path) => !existsSync(path));
  if (missing.length > 0) {
    const packages = "Debian's packages rustc-web, cargo-web and rust-web-src would do, too";
    throw new NoTarget(`${advice}. ${packages}, but ${missing.join(" and ")} is not there`);
  }
  const needed = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^rust-version = "(.*)"$/m)[1];
  const version = run(rustc, ["--version"], { quiet: true }).match(/^rustc (\d+\.\d+)/)[1];
  if (isOlder(version, needed)) throw new NoTarget(`${advice}. Debian's rustc-web is version ${version}, and ${needed} is needed`);
  const host = run("rustc", ["-vV"], { quiet: true }).match(/^host: (.*)$/m)[1];
  const lld = [join(sysroot, "lib", "rustlib", host, "bin", "rust-lld"), "/usr/bin/wasm-ld"].find((path) => existsSync(path));
  if (!lld) throw new NoTarget("there is no linker for WebAssembly: Debian's package lld has one");
  const env = { RUSTC: rustc, RUSTC_BOOTSTRAP: "1", CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: lld };
  return { program: existsSync(cargo) ? cargo : "/usr/bin/cargo", env, args: ["-Zbuild-std=std,panic_abort"] };
}

function isOlder(version, needed) {
  const [[major, minor], [neededMajor, neededMinor]] = [version, needed].map((text) => text.split(".").map(Number));
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}

/** Returns the program wasm-bindgen in the version of Cargo.lock; installs it if needed. */
function bindgen() {
  const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
  const version = lock.match(/name = "wasm-bindgen"\r?\nversion = "(.*)"/)[1];
  const folder = join(root, "target", "tools");
  const installed = join(folder, "bin", "wasm-bindgen");
  const hasVersion = (program) => succeeds(() => run(program, ["--version"], { quiet: true })).toString().endsWith(` ${version}`);
  if (hasVersion("wasm-bindgen")) return "wasm-bindgen";
  // A registry mirror that lags behind may lack versions in its lock file: then without `--locked`.
  const install = (...options) => run("cargo", ["install", "wasm-bindgen-cli", ...options, "--version", version, "--root", folder]);
  if (!hasVersion(installed) && !succeeds(() => install("--locked"))) install();
  return installed;
}

function optimizer() {
  const folder = join(here, "node_modules", "binaryen", "bin");
  if (!existsSync(folder)) run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here });
  return join(folder, "wasm-opt");
}

function build() {
  const { program, env, args } = toolchain();
  run(program, [
    "rustc", ...args, "--locked", "--package", "pontifex-wasm", "--lib", "--crate-type", "cdylib",
    "--profile", "wasm", "--target", TARGET,
  ], { env: { ...env, RUSTFLAGS: `-C target-feature=${FEATURES}` } });

  mkdirSync(dist, { recursive: true });
  const module = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), TARGET, "wasm", "pontifex_wasm.wasm");
  run(bindgen(), ["--target", "web", "--out-dir", dist, "--out-name", "pontifex", module]);
  const engine = join(dist, "pontifex_bg.wasm");
  run(process.execPath, [optimizer(), "-O4", ...OPTIMIZER_FEATURES, "--strip-debug", "--strip-producers", engine, "-o", engine]);
  for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, license), join(dist, license));
  copyFileSync(join(root, "crates", "page", "messages.d.ts"), join(dist, "messages.d.ts"));
  const compressed = gzipSync(readFileSync(engine), { level: 9 }).length;
  console.log(`${engine}: ${statSync(engine).size} bytes, ${compressed} compressed`);
}

try {
  build();
} catch (error) {
  console.error(`wasm/build.mjs: ${error.message}`);
  process.exitCode = error instanceof NoTarget ? 3 : 1;
}
